/**
 * Whole copies of the command line, killed at any moment: in SQLite, DuckDB, Postgres and folders, with changes and deletes between the runs. Each
 * ends with the rows of the API's own walk, and was charged what the count before each run said.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { readCharges, watchCharges } from '../../scripts/lib/charges.ts';
import type { DatabaseKind } from '../../src/clients/cli/tables/dialects.ts';
import { type ColumnKind, columnKind, type ValueSchema } from '../../src/core/domain/record/columnKind.ts';
import { recordSchema } from '../../src/core/domain/record/schemas.ts';
import { auditLedger } from '../../src/core/ledger/audit.ts';
import { provideCuttingProxy } from '../support/cuttingProxy.ts';
import { TODAY } from '../support/fixtures.ts';
import { newFolder } from '../support/folder.ts';
import type { Json } from '../support/json.ts';
import { runLanduse } from '../support/landuseProcess.ts';
import { lengthOf } from '../support/lengths.ts';
import { provide } from '../support/provide.ts';
import { Random } from '../support/random.ts';
import { randomLine } from '../support/randomProjects.ts';
import { applyWalk } from '../support/snapshots.ts';
import { comparable, momentOf, queryCopy, queryDuckdb, recordsOfTable } from '../support/tableRows.ts';
import { testWorld } from '../support/world.ts';

const SEED = Number(process.env.SEED ?? 7);
const CHANGES = lengthOf('COPY_CHANGES');
const RECORDS = Math.max(600, CHANGES / 2);
const IS_LONG = CHANGES > 1_000;
const ROUNDS = IS_LONG ? 5 : 1;
/** of each copy in each round */
const KILLS = IS_LONG ? 2 : 1;
/** answers of the service after which a run is killed */
const KILL_AFTER = { least: 2, most: IS_LONG ? 30 : 6 };
const LONGEST_MS = 60 * 60_000;
const KILL_WITHIN_MS = 60;

interface CopyUnderTest {
  title: string;
  kind: DatabaseKind | 'ndjson' | 'parquet';
  /** folder, file or address */
  target: string;
  args: string[];
  key: string;
  charged: number;
  kills: number;
  rows: number;
}

/** A read, made again where the connection was reset: a busy process closes an idle one while it is taken. */
async function answered<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (((error as Error).cause as NodeJS.ErrnoException | undefined)?.code !== 'ECONNRESET') throw error;
    return read();
  }
}

describe(`whole copies of the command line (SEED=${SEED})`, function () {
  this.timeout(LONGEST_MS);
  const world = provide(() => testWorld({ today: TODAY, limits: { snapshotFileRecords: 150, snapshotPageRecords: 50 } }));
  const proxy = provideCuttingProxy(() => world.api.url);
  const folder = newFolder('copies');
  let copies: CopyUnderTest[];
  let random: Random;
  const filters = { dateRange: 'all', representation: 'full' };
  const schema = recordSchema('full') as { properties: Record<string, ValueSchema> };
  /** `delivery` says how the pool stood to a record when it was delivered. */
  const columns: ReadonlyMap<string, ColumnKind> = new Map(
    Object.entries(schema.properties).flatMap(([name, one]): [string, ColumnKind][] =>
      name === 'delivery' ? [] : [[name, columnKind(one)]],
    ),
  );
  /** states that each record had at the end of a round, in the order of time; null where it was gone */
  const seen = new Map<number, (string | null)[]>();
  const ids = new Set<number>();

  before(async () => {
    await watchCharges(world.api.database);
    random = new Random(SEED);
    await world.api.index.load(linesOf(Array.from({ length: RECORDS }, (_, i) => i + 1)));
    await world.work();
    const file = (name: string) => path.join(folder, name);
    const postgres = `${world.api.env.DATABASE_URL}?options=-csearch_path%3D${world.api.env.DATABASE_SCHEMA}`;
    const started = [
      ['a table of SQLite, walked', 'sqlite', file('copy.sqlite'), ['--into', 'sqlite', '--no-snapshot']],
      ['a table of DuckDB, from a snapshot', 'duckdb', file('copy.duckdb'), ['--into', 'duckdb', '--snapshot']],
      [
        'versions in Postgres, from a snapshot',
        'postgres',
        postgres,
        ['--into', 'postgres', '--history', '--snapshot', '--table', 'landuse'],
      ],
      ['versions in SQLite, walked', 'sqlite', file('history.sqlite'), ['--into', 'sqlite', '--history', '--table', 'landuse']],
      ['a folder of NDJSON, from a snapshot', 'ndjson', file('ndjson'), ['--snapshot']],
      ['a folder of Parquet', 'parquet', file('parquet'), ['--format', 'parquet']],
    ] as const;
    copies = [];
    for (const [title, kind, target, args] of started) {
      const key = await world.api.key('api_only', undefined, { monthlyCredits: 10_000_000 });
      copies.push({ title, kind, target, args: [...args], key, charged: 0, kills: 0, rows: 0 });
    }
  });

  const linesOf = (of: readonly number[]) =>
    of.map((id) => {
      ids.add(id);
      return { kind: 'project', ...randomLine(random, id, TODAY) };
    });

  /** A part of the round's changes: most are changes, some come, some go, some come back. */
  async function change(): Promise<void> {
    const count = Math.round(CHANGES / ROUNDS);
    const [gone, fresh] = [Math.round(count / 10), Math.round(count / 10)];
    const highest = Math.max(...ids);
    const changed = random.some(
      [...Array(highest).keys()].map((i) => i + 1),
      count - gone - fresh,
    );
    const deleted = random.some(
      [...ids].filter((id) => !changed.includes(id)),
      gone,
    );
    const lines = [
      ...linesOf([...changed, ...Array.from({ length: fresh }, (_, i) => highest + 1 + i)]),
      ...deleted.map((id) => ({ kind: 'project', id, deleted: true })),
    ];
    await world.api.index.load(lines, { mode: 'increment', skipInvalid: true });
  }

  const landuse = (copy: CopyUnderTest, options: { killAfterAnswers?: number } = {}) =>
    runLanduse(['copy', copy.target, 'dateRange=all', '--representation', 'full', '--yes', ...copy.args], {
      url: proxy.url,
      key: copy.key,
      folder,
      started: (child) => {
        let answers = 0;
        const wait = random.integer(0, KILL_WITHIN_MS);
        proxy.onAnswer = () => {
          answers += 1;
          if (answers === options.killAfterAnswers) void sleep(wait).then(() => child.kill('SIGKILL'));
        };
      },
    });

  /** Killed some times, then through. @returns what the last run said */
  async function keep(copy: CopyUnderTest): Promise<Json> {
    for (let kill = 0; kill < KILLS; kill++) {
      const { code } = await landuse(copy, { killAfterAnswers: random.integer(KILL_AFTER.least, KILL_AFTER.most) });
      if (code === null) copy.kills += 1;
    }
    const { code, stdout, stderr } = await landuse(copy);
    assert.equal(code, 0, `${copy.title}: ${stderr}`);
    return JSON.parse(stdout);
  }

  async function walkOf(key: string): Promise<Map<number, Json>> {
    const walk = new Map<number, Json>();
    await answered(() => applyWalk(walk, world, filters, key));
    return new Map([...walk].map(([id, record]) => [id, comparable(record, columns)]));
  }

  /** Of a folder of NDJSON: the snapshot, and over it the changes in the order of `seq`. */
  function foldedFolder(target: string): Map<number, Json> {
    const lines = (name: string) =>
      readdirSync(path.join(target, name))
        .sort()
        .filter((file) => file.includes('ndjson'))
        .flatMap((file) => {
          const bytes = readFileSync(path.join(target, name, file));
          return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes)
            .toString()
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line));
        });
    const records = new Map<number, Json>((existsSync(path.join(target, 'snapshot')) ? lines('snapshot') : []).map((one) => [one.id, one]));
    for (const { id, record } of lines('changes').sort((a, b) => a.seq - b.seq)) record ? records.set(id, record) : records.delete(id);
    return new Map([...records].map(([id, record]) => [id, comparable(record, columns)]));
  }

  /** As the guide reads a folder of Parquet: some columns. */
  async function foldedParquet(target: string): Promise<Map<number, Json>> {
    const hasChanges = readdirSync(path.join(target, 'changes')).length > 0;
    const read = `read_ndjson('${target}/changes/*.ndjson', columns = {seq: 'BIGINT', id: 'BIGINT', record: 'JSON'})`;
    const sql = hasChanges
      ? `with change as (select id, record from ${read} qualify row_number() over (partition by id order by seq desc) = 1)
         select id, contentRevision, acreage, lastUpdated::varchar as lastUpdated from '${target}/snapshot/*.parquet' where id not in (select id from change)
         union all
         select id, record->>'contentRevision', (record->>'acreage')::double, record->>'lastUpdated' from change where record is not null and record::varchar <> 'null'`
      : `select id, contentRevision, acreage, lastUpdated::varchar as lastUpdated from '${target}/snapshot/*.parquet'`;
    const rows = await queryDuckdb(':memory:', sql);
    return new Map(rows.map((row) => [Number(row.id), { ...row, id: Number(row.id), lastUpdated: momentOf(row.lastUpdated) }]));
  }

  const some = ({ id, contentRevision, acreage, lastUpdated }: Json) => ({ id, contentRevision, acreage, lastUpdated });

  async function heldBy({ kind, target, args }: CopyUnderTest): Promise<Map<number, Json>> {
    if (kind === 'ndjson') return foldedFolder(target);
    if (kind === 'parquet') return foldedParquet(target);
    return recordsOfTable(kind, target, args.includes('landuse') ? 'landuse' : 'projects', columns);
  }

  async function differences(copy: CopyUnderTest): Promise<number> {
    const walk = await walkOf(copy.key);
    const held = await heldBy(copy);
    const wanted = (id: number) => (copy.kind === 'parquet' && walk.has(id) ? some(walk.get(id)) : walk.get(id));
    const all = new Set([...walk.keys(), ...held.keys()]);
    const wrong = [...all].filter((id) => !isDeepStrictEqual(held.get(id), wanted(id)));
    copy.rows = held.size;
    assert(held.size > RECORDS / 4, `${copy.title}: ${held.size}`);
    assert.deepEqual(
      wrong.slice(0, 1).map((id) => [held.get(id), wanted(id)]),
      [],
      `${copy.title}: ${wrong.length} rows differ`,
    );
    return wrong.length;
  }

  const quote = async (key: string): Promise<number> =>
    (await answered(() => world.read('/projects/count', { dateRange: 'all' }, key))).body.data.creditsRequired;
  const balanceOf = (key: string): Promise<number> => answered(() => world.balance(key));

  /** Every copy brought up to date and compared; each is charged what the count before said. */
  async function assertKept(): Promise<void> {
    for (const copy of copies) {
      const [price, balance] = [await quote(copy.key), await balanceOf(copy.key)];
      await keep(copy);
      assert.equal(balance - (await balanceOf(copy.key)), price, `${copy.title}: the bill is the quote`);
      copy.charged += price;
      assert.equal(await differences(copy), 0);
    }
    const first = await walkOf((copies[0] as CopyUnderTest).key);
    for (const id of ids) seen.set(id, [...(seen.get(id) ?? []), first.has(id) ? String(first.get(id).lastUpdated) : null]);
  }

  it('end as the walk of the API, killed in the first copy and after every load', async () => {
    await assertKept();
    for (let round = 0; round < ROUNDS; round++) {
      await change();
      await assertKept();
    }
    const { ledger, deliveries, duplicated } = await readCharges(world.api.database);
    assert.deepEqual([ledger - deliveries, duplicated], [0, 0], 'no content is charged twice');
    assert.deepEqual((await auditLedger(world.api.database)).differences, []);
    assert(
      copies.every(({ kills }) => kills > 0),
      'every copy was killed',
    );
    for (const { title, kills, rows, charged } of copies)
      console.log(`      ${title}: killed ${kills} times; ${rows} rows, 0 differ; ${charged} credits, as quoted`);
  });

  it('keep every version with the time from which and until which it was so', async () => {
    for (const { kind, target, title } of copies.filter(({ args }) => args.includes('--history'))) {
      const text =
        kind === 'postgres' ? (name: string) => `to_char(${name} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS')` : (name: string) => name;
      const rows = await queryCopy(
        kind as DatabaseKind,
        target,
        `select id, ${text('"lastUpdated"')} as moment, ${text('valid_from')} as "from", ${text('valid_to')} as "to", is_current as current from landuse_history order by id, valid_from`,
      );
      const versions = Map.groupBy(rows, ({ id }) => Number(id));
      let several = 0;
      for (const [id, states] of seen) {
        const expected = states.filter((state, i) => state !== null && state !== states[i - 1]);
        const held = versions.get(id) ?? [];
        assert.deepEqual(
          held.map(({ moment }) => String(momentOf(moment))),
          expected,
          `${title}: ${id}`,
        );
        for (const [i, { from, to, current }] of held.entries()) {
          const next = held[i + 1];
          if (next) assert(momentOf(to) <= momentOf(next.from) && !current, `${title}: ${id}`);
          else assert.equal(Boolean(current), to === null);
          if (to !== null) assert(momentOf(from) <= momentOf(to));
        }
        assert.equal(
          held.some(({ current }) => Boolean(current)),
          states.at(-1) !== null,
          `${title}: ${id}`,
        );
        if (held.length > 1) several += 1;
      }
      assert(several > 10, `${several} records have several versions`);
    }
  });
});
