const ALL = Number.POSITIVE_INFINITY;

/**
 * How long the tests are: kills, requests and sizes. `npm test` takes the first number of a row, `npm run test:all` (TEST_LENGTH=long) the second.
 * A variable of its name sets one alone, as in `JOB_KILLS=20 npm test -- test/fault/jobKills.test.ts`; `all` is without an end.
 */
const LENGTHS = {
  ALERT_STEPS: [20, 1_000],
  ANALYTICS_CORPORA: [100, 10_000],
  /** of each kind by each kind of pool */
  ATTACKS_OF_A_POOL: [1, ALL],
  /** lines that change, add or remove a record after the first load, in all */
  CONNECTOR_CHANGES: [40, 20_000],
  /** of each pipeline in each round, the first load included */
  CONNECTOR_KILLS: [1, 2],
  CONNECTOR_RECORDS: [150, 6_000],
  CONNECTOR_ROUNDS: [1, 4],
  /** of each tool, which begin with different ones */
  CONNECTOR_STORES: [1, 2],
  /** records of a set from which the next generation is loaded into a copy of it: as commands do, or always */
  COPIED_FROM: [300, 0],
  COPIES_HISTORIES: [1, 5],
  /** records that are changed, added or deleted after the first copy, in all */
  COPY_CHANGES: [150, 20_000],
  COPY_KILLS: [5, 50],
  /** moments at which a load that copies a set is killed */
  COPYING_KILLS: [2, ALL],
  CORRUPTIONS: [40, 1_000],
  /** combinations of filters in CQL2 text */
  CQL_PAIRS: [120, 2_000],
  CSV_ROWS: [2_000, 10_000],
  /** snapshots during which something is loaded or switched */
  DISTURBED_SNAPSHOTS: [2, 6],
  DOWNLOADS: [100, 1_000],
  DRILL_ANSWERS: [24, 1_000],
  /** of load before the backup, and after it */
  DRILL_LOAD_MS: [1_000, 20_000],
  DRILL_RECORDS: [120, 5_000],
  FUZZ_DOCUMENT_REQUESTS: [250, 2_000],
  FUZZ_REQUESTS: [900, 10_000],
  JOBS: [400, 1_000],
  /** kills and freezes of each kind of job; 0 is the few that the kind's row says */
  JOB_KILLS: [0, 100],
  /** of each kind of request */
  LEDGER_KILLS: [2, ALL],
  LOAD_KILLS: [1, 50],
  LOCK_ROUNDS: [2, 30],
  MATCHED_ROWS: [900, 5_000],
  ODDS_CORPORA: [7, 200],
  ORACLE_REQUESTS: [120, 2_000],
  PAGE_MEMORY_STEPS: [1_000, 20_000],
  /** pages of the reference beyond one of each kind that are looked at in every width */
  PAGES: [0, ALL],
  /** representations of which every value is compared in Parquet and NDJSON */
  PARQUET_REPRESENTATIONS: [2, ALL],
  /** moments at which making an index again is killed before it is served */
  RENEWAL_KILLS: [3, ALL],
  /** moments between the findings of a load and its commit at which it is killed */
  REPORTED_KILLS: [2, ALL],
  RINGS: [500, 5_000],
  ROLLBACK_CUTS: [3, ALL],
  STOPS: [5, 20],
  SWITCHES: [4, 50],
  /** that loads make while copies are kept */
  SYNC_CHANGES: [100, 2_000],
} as const satisfies Record<string, readonly [number, number]>;

/** @throws Error for a variable that is no number */
export function lengthOf(name: keyof typeof LENGTHS): number {
  const given = process.env[name];
  if (given === 'all') return ALL;
  const length = given === undefined ? LENGTHS[name][process.env.TEST_LENGTH === 'long' ? 1 : 0] : Number(given);
  if (Number.isNaN(length)) throw new Error(`${name}=${given} is no number`);
  return length;
}
