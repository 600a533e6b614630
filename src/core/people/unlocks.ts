/** What pools have unlocked: read with every page, written by the settlement of look-ups, cleared of suppressed people. */

import { type FoundPerson, type PeopleView, personKeyOf, type Unlock } from '../domain/record/people.ts';
import type { CompanyEnrichment } from '../domain/record/statement.ts';
import { normalizeWords } from '../domain/words.ts';
import type { Database, Queryable } from '../store/postgres/pool.ts';
import { type ContactFinding, ENRICHED_DAYS, type LookUpState, lookUpStanding } from './enrichment.ts';

export interface StoredUnlock extends Unlock, LookUpState {
  projectId: number;
}

const STATE = `project_id::float8 as "projectId", opens, received_at is not null as received,
  last_at > service_now() - make_interval(days => ${ENRICHED_DAYS}) as recent`;
const STATES = `select ${STATE} from contact_unlock where team_id = $1 and project_id = any($2::bigint[])`;
const OF_PAGE = `select ${STATE}, people, companies, low_confidence_withheld as "lowConfidenceWithheld" from contact_unlock where team_id = $1 and project_id = any($2::bigint[])`;

const WIDTH = { companies: 0, profiles: 1, channels: 2 } as const;
const wider = (a: Unlock['opens'], b: Unlock['opens']) => (WIDTH[a] > WIDTH[b] ? a : b);

/** The newer entries, and the earlier ones with other keys. */
function mergeByKey<T>(newer: readonly T[], before: readonly T[], key: (one: T) => string): T[] {
  const known = new Set(newer.map(key));
  return [...newer, ...before.filter((one) => !known.has(key(one)))];
}

export const mergedUnlocks = (newer: Unlock, before: Unlock): Unlock => ({
  opens: wider(newer.opens, before.opens),
  people: mergeByKey<FoundPerson>(newer.people, before.people, personKeyOf),
  companies: mergeByKey<CompanyEnrichment>(newer.companies, before.companies, ({ name }) => normalizeWords(name ?? '')),
  lowConfidenceWithheld: newer.opens === 'companies' ? before.lowConfidenceWithheld : newer.lowConfidenceWithheld,
});

export class UnlockStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Unlocks by project id; projects that the pool has not unlocked are absent.
   * @throws ApiError `service_unavailable`
   */
  async pageUnlocks(teamId: number, ids: readonly number[], tx: Queryable = this.#database): Promise<Map<number, StoredUnlock>> {
    if (!ids.length) return new Map();
    const rows = await tx.query<StoredUnlock>(OF_PAGE, [teamId, ids], { name: 'unlocks of a page' });
    return new Map(rows.map((row) => [row.projectId, row]));
  }

  /** The states of projects for a pool, without what it unlocked. @throws ApiError `service_unavailable` */
  async states(teamId: number, ids: readonly number[]): Promise<Map<number, LookUpState>> {
    if (!ids.length) return new Map();
    const rows = await this.#database.query<LookUpState & { projectId: number }>(STATES, [teamId, ids]);
    return new Map(rows.map((row) => [row.projectId, row]));
  }

  /**
   * Look-ups that count against a team's allowance now, in the current period or for life.
   * @throws ApiError `service_unavailable`
   */
  async used(teamId: number, forLife: boolean): Promise<number> {
    const [row] = await this.#database.query<{ used: number }>(
      'select used from contact_allowance where team_id = $1 and period = allowance_period($2)',
      [teamId, forLife],
    );
    return row?.used ?? 0;
  }
}

/** What a settlement writes about one project. */
export interface NewUnlock {
  projectId: number;
  finding: ContactFinding & { opens: Unlock['opens'] };
}

/**
 * Writes unlocks in a transaction that has locked the pool.
 * @param rate credits for the first email or phone of a project
 * @returns the credits charged
 */
export async function writeUnlocks(
  tx: Queryable,
  unlocks: UnlockStore,
  { teamId, rate }: { teamId: number; rate: number },
  news: readonly NewUnlock[],
): Promise<number> {
  const membersOf = ({ projectId, finding }: NewUnlock) => finding.memberIds ?? [projectId];
  const before = await unlocks.pageUnlocks(teamId, news.flatMap(membersOf), tx);
  const states = new Map<number, LookUpState>(before);
  let cost = 0;
  for (const one of news) {
    const { projectId, finding } = one;
    const held = before.get(projectId);
    const { opens, people, companies, lowConfidenceWithheld } = held ? mergedUnlocks(finding, held) : finding;
    const first = opens === 'channels' && !lookUpStanding(states, membersOf(one)).isPaid;
    states.set(projectId, { opens, received: opens === 'channels', recent: true });
    const credits = first ? rate : 0;
    cost += credits;
    await tx.query(
      `insert into contact_unlock as u (team_id, project_id, opens, people, companies, low_confidence_withheld, hashes, received_at, credits,
         first_at, last_at)
       values ($1, $2, $3, $4::jsonb, $5::jsonb, $6, $7::bigint[], case when $8 then service_now() end, $9, service_now(), service_now())
       on conflict (team_id, project_id) do update set opens = excluded.opens, people = excluded.people, companies = excluded.companies,
         low_confidence_withheld = excluded.low_confidence_withheld,
         hashes = (select coalesce(array_agg(distinct h), '{}') from unnest(u.hashes || excluded.hashes) as h),
         received_at = coalesce(u.received_at, excluded.received_at), credits = u.credits + excluded.credits, last_at = excluded.last_at`,
      [
        ...[teamId, projectId, opens, JSON.stringify(people), JSON.stringify(companies), lowConfidenceWithheld],
        ...[finding.hashes, opens === 'channels', credits],
      ],
    );
  }
  return cost;
}

/**
 * Removes suppressed people and their phone numbers from what pools have unlocked.
 * @returns number of changed unlocks
 */
export async function forgetPeople(tx: Queryable, hashes: readonly string[], hides: PeopleView['hides']): Promise<number> {
  const held = await tx.query<{ teamId: number; projectId: string; people: FoundPerson[]; companies: CompanyEnrichment[] }>(
    `select team_id as "teamId", project_id as "projectId", people, companies from contact_unlock where hashes && $1::bigint[] for update`,
    [hashes],
  );
  for (const { teamId, projectId, people, companies } of held)
    await tx.query('update contact_unlock set people = $3::jsonb, companies = $4::jsonb where team_id = $1 and project_id = $2', [
      ...[teamId, projectId, JSON.stringify(people.filter((one) => !hides(one)))],
      JSON.stringify(companies.map((one) => (hides({ phone: one.mainPhone }) ? { ...one, mainPhone: null } : one))),
    ]);
  return held.length;
}
