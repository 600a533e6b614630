/** Teams, their users and licences (src/docs/credits.md, src/docs/licences.md). */
import { type Grant, grantOf } from '../domain/credits.ts';
import { ApiError } from '../domain/errors.ts';
import type { KeyChanges } from '../domain/keyChanges.ts';
import { findLicenceProblem, isPlanId, type LicencePlaces, PLANS, type Plan, type PlanId } from '../domain/plans.ts';
import { type Licence, monthlyCreditsOf, type Principal, type Role, type TeamStatus } from '../domain/principal.ts';
import { loadPlaces } from '../store/files/loadPlaces.ts';
import { type Database, type Queryable, sqlState } from '../store/postgres/pool.ts';
import type { Member } from './share.ts';
import { closeTeam, type HandedOver, handOver, type TeamSubscriber } from './teamChanges.ts';

export interface Team {
  id: number;
  name: string;
  plan: PlanId;
  status: TeamStatus;
  /** the team's own number, or the plan's; null on a plan with lifetime credits */
  monthlyCredits: number | null;
  licence: Licence;
  createdAt: Date;
  /** when it was closed, permanently */
  closedAt: Date | null;
}

export interface User {
  id: number;
  teamId: number;
  name: string;
  email: string | null;
  role: Role;
  closedAt: Date | null;
}

interface NewTeam {
  name: string;
  plan: PlanId;
  licence?: LicencePlaces;
  /** replaces the plan's monthly credits */
  monthlyCredits?: number;
}

interface NewUser {
  teamId: number;
  name: string;
  email?: string;
  role?: Role;
}

interface TeamRow extends Pick<Team, 'id' | 'name' | 'status' | 'createdAt' | 'closedAt'> {
  plan: string;
  monthly_credits: number | null;
  state_ids: number[];
  county_ids: number[];
}

/** Work in the transaction that hands a user's things over to the owners of the team. */
type CommitHanded = (tx: Queryable, handed: HandedOver) => Promise<void>;
const NOTHING_HANDED: HandedOver = { recipients: [], handed: [] };

/** SQL of two columns, `state_ids` and `county_ids`: the licensed places of the team with alias `t`. */
export const LICENCE_COLUMNS = `
  array(select state_id from licence l where l.team_id = t.id and state_id is not null order by 1) as state_ids,
  array(select county_id from licence l where l.team_id = t.id and county_id is not null order by 1) as county_ids`;

const TEAM = `select t.id, t.name, t.plan, t.status, t.monthly_credits, t.created_at as "createdAt", t.closed_at as "closedAt", ${LICENCE_COLUMNS}
  from team t`;
const USER_COLUMNS = 'id, team_id as "teamId", name, email, role, closed_at as "closedAt"';
const UNIQUE_VIOLATION = '23505';
const NO_PLACES: LicencePlaces = { stateIds: [], countyIds: [] };

/** The plan of a row; a constraint of the table allows no other names. */
export function planOf(name: string): Readonly<Plan> {
  if (!isPlanId(name)) throw new Error(`The database names a plan that this version does not know: ${name}`);
  return PLANS[name];
}

/** A team's current plan and grant, read in the transaction that charges. @throws Error if there is no such team */
export async function planNow(tx: Queryable, teamId: number): Promise<{ plan: Readonly<Plan>; grant: Grant }> {
  const [team] = await tx.query<{ plan: string; monthly: number | null }>(
    'select plan, monthly_credits as monthly from team where id = $1',
    [teamId],
  );
  if (!team) throw new Error(`There is no team ${teamId}`);
  const plan = planOf(team.plan);
  return { plan, grant: grantOf({ plan, monthlyCredits: monthlyCreditsOf(plan, team.monthly) }) };
}

/**
 * A team's licence. A nationwide plan covers everything, whatever licence rows an earlier plan left behind. A county that is no more covers what has
 * become of it, too: records have the number of either until they are loaded again.
 */
export function makeLicence(plan: Plan, row: { state_ids: number[]; county_ids: number[] }): Licence {
  if (plan.geography === 'nationwide') return { nationwide: true };
  const countyIds = row.county_ids.length ? [...new Set([...row.county_ids, ...loadPlaces().toTodaysIds('county', row.county_ids)])] : [];
  return { nationwide: false, stateIds: row.state_ids, countyIds };
}

function toTeam({ id, name, status, createdAt, closedAt, ...row }: TeamRow): Team {
  const plan = planOf(row.plan);
  const monthlyCredits = monthlyCreditsOf(plan, row.monthly_credits);
  return { id, name, plan: plan.id, status, monthlyCredits, licence: makeLicence(plan, row), createdAt, closedAt };
}

const teamNotFound = (id: number) => new ApiError('resource_not_found', `There is no team ${id}.`, { param: 'teamId' });
function refuseClosed({ id, closedAt }: Team): void {
  if (!closedAt) return;
  throw new ApiError('forbidden', `Team ${id} was closed on ${closedAt.toISOString().slice(0, 10)} and stays closed; make a new team.`);
}
const userNotFound = (id: number) => new ApiError('resource_not_found', `There is no user ${id}.`, { param: 'userId' });

function checkLicence(plan: PlanId, licence: LicencePlaces): void {
  const problem = findLicenceProblem(PLANS[plan], licence);
  if (problem) throw new ApiError('invalid_request', problem, { param: 'licence' });
}

async function writeLicence(tx: Queryable, teamId: number, licence: LicencePlaces): Promise<void> {
  await tx.query('delete from licence where team_id = $1', [teamId]);
  await tx.query(
    `insert into licence (team_id, state_id, county_id)
     select $1::int, id, null from unnest($2::int[]) id union select $1::int, null, id from unnest($3::int[]) id`,
    [teamId, licence.stateIds, licence.countyIds],
  );
}

export class AccountStore {
  readonly #database: Database;
  readonly #subscribers: readonly TeamSubscriber[];
  readonly #changes: KeyChanges | undefined;

  /** @param subscribers of features @param changes reports changes to processes that cannot reach Postgres */
  constructor(database: Database, subscribers: readonly TeamSubscriber[], changes?: KeyChanges) {
    this.#database = database;
    this.#subscribers = subscribers;
    this.#changes = changes;
  }

  /** Creates a team. @throws ApiError `invalid_request` when the licence does not fit the plan */
  async createTeam({ name, plan, licence = NO_PLACES, monthlyCredits }: NewTeam): Promise<Team> {
    checkLicence(plan, licence);
    const id = await this.#database.transaction(async (tx) => {
      const sql = 'insert into team (name, plan, monthly_credits) values ($1, $2, $3) returning id';
      const [row] = await tx.query<{ id: number }>(sql, [name, plan, monthlyCredits ?? null]);
      if (!row) throw new Error('Postgres returned no team');
      await writeLicence(tx, row.id, licence);
      return row.id;
    });
    return this.readTeam(id);
  }

  async teams(): Promise<Team[]> {
    return (await this.#database.query<TeamRow>(`${TEAM} order by t.id`)).map(toTeam);
  }

  /** @throws ApiError `resource_not_found` */
  async readTeam(id: number): Promise<Team> {
    return toTeam(await this.#readTeamRow(id));
  }

  async #readTeamRow(id: number): Promise<TeamRow> {
    const [row] = await this.#database.query<TeamRow>(`${TEAM} where t.id = $1`, [id]);
    if (!row) throw teamNotFound(id);
    return row;
  }

  /** Sets plan and licence together, so that a team never has a plan with the places of another. */
  async setPlan(teamId: number, plan: PlanId, licence: LicencePlaces = NO_PLACES): Promise<Team> {
    checkLicence(plan, licence);
    await this.#database.transaction(async (tx) => {
      const updated = await tx.query('update team set plan = $2 where id = $1 returning id', [teamId, plan]);
      if (!updated.length) throw teamNotFound(teamId);
      await writeLicence(tx, teamId, licence);
    });
    return this.#readChangedTeam(teamId);
  }

  async #readChangedTeam(id: number): Promise<Team> {
    const row = await this.#readTeamRow(id);
    const { plan, status, monthly_credits, state_ids, county_ids } = row;
    await this.#changes?.report(`team:${id}`, { plan, status, monthly_credits, state_ids, county_ids });
    return toTeam(row);
  }

  /**
   * Sets the status. Keys of a `lapsed` team are refused with `subscription_required`, of a `disabled` one with `account_disabled`.
   * @throws ApiError `resource_not_found`, `forbidden` for a closed team
   */
  async setStatus(teamId: number, status: TeamStatus): Promise<Team> {
    refuseClosed(await this.readTeam(teamId));
    await this.#database.query('update team set status = $2 where id = $1', [teamId, status]);
    return this.#readChangedTeam(teamId);
  }

  /**
   * Closes a team permanently and stops everything of it; its ledger stays. A second call stops what was added since.
   * @throws ApiError `resource_not_found`
   */
  async close(teamId: number): Promise<{ team: Team; stopped: Record<string, number> }> {
    const stopped = await this.#database.transaction((tx) => closeTeam(tx, this.#subscribers, teamId));
    if (!stopped) throw teamNotFound(teamId);
    return { team: await this.#readChangedTeam(teamId), stopped };
  }

  /** Sets the team's own monthly credits; null returns to the plan's number. */
  async setMonthlyCredits(teamId: number, monthlyCredits: number | null): Promise<Team> {
    await this.#database.query('update team set monthly_credits = $2 where id = $1', [teamId, monthlyCredits]);
    return this.readTeam(teamId);
  }

  /**
   * Creates a user. A new owner becomes a member of lists and alerts that have none.
   * @throws ApiError `resource_not_found` for the team, `forbidden` for a closed team, `invalid_request` when another open account has the
   * address
   * @param commitWith work in the same transaction
   */
  async createUser({ teamId, name, email, role = 'member' }: NewUser, commitWith?: CommitHanded): Promise<User> {
    refuseClosed(await this.readTeam(teamId));
    try {
      return await this.#database.transaction(async (tx) => {
        await tx.query('select from team where id = $1 for no key update', [teamId]);
        const sql = `insert into app_user (team_id, name, email, role) values ($1, $2, $3, $4) returning ${USER_COLUMNS}`;
        const [row] = await tx.query<User>(sql, [teamId, name, email ?? null, role]);
        if (!row) throw new Error('Postgres returned no user');
        const handed = role === 'owner' ? await handOver(tx, this.#subscribers, teamId) : NOTHING_HANDED;
        await commitWith?.(tx, handed);
        return row;
      });
    } catch (error) {
      if (sqlState(error) !== UNIQUE_VIOLATION) throw error;
      throw new ApiError('invalid_request', `Another user already has the address ${email}.`, { param: 'email', cause: error });
    }
  }

  /** The users of a team, or of every team, including closed accounts. */
  async users(teamId?: number): Promise<User[]> {
    const sql = `select ${USER_COLUMNS} from app_user where $1::int is null or team_id = $1 order by id`;
    return this.#database.query<User>(sql, [teamId ?? null]);
  }

  /** Open accounts of a team, by name. @throws ApiError `service_unavailable` */
  async readRoster(teamId: number): Promise<Member[]> {
    const sql = 'select id as "userId", name from app_user where team_id = $1 and closed_at is null order by name, id';
    return this.#database.query<Member>(sql, [teamId]);
  }

  /** Open accounts of a team with their email addresses. @throws ApiError `service_unavailable` */
  async mailableRoster(teamId: number, on: Queryable = this.#database): Promise<(Member & { email: string | null })[]> {
    const sql = 'select id as "userId", name, email from app_user where team_id = $1 and closed_at is null order by name, id';
    return on.query<Member & { email: string | null }>(sql, [teamId]);
  }

  /** Distinct addresses of a team's owners and of one more user; open accounts only. */
  async listOwnerAddresses(on: Queryable, teamId: number, userId: number): Promise<string[]> {
    const sql = `select distinct lower(email) as email from app_user
      where team_id = $1 and closed_at is null and email is not null and (role = 'owner' or id = $2) order by email`;
    return (await on.query<{ email: string }>(sql, [teamId, userId])).map(({ email }) => email);
  }

  /** What a team may do now, for background work. @throws ApiError `resource_not_found` */
  async principalOf(teamId: number): Promise<Pick<Principal, 'plan' | 'monthlyCredits' | 'licence'> & { status: TeamStatus }> {
    const { plan, monthlyCredits, licence, status } = await this.readTeam(teamId);
    return { plan: PLANS[plan], monthlyCredits, licence, status };
  }

  /** @throws ApiError `resource_not_found` */
  async readUser(id: number): Promise<User> {
    const [row] = await this.#database.query<User>(`select ${USER_COLUMNS} from app_user where id = $1`, [id]);
    if (!row) throw userNotFound(id);
    return row;
  }

  /**
   * Closes a user's account. Its keys stop authenticating until an owner reassigns them; alerts and lists without another member go to the
   * owners. A second call changes nothing.
   * @param commitWith work in the same transaction
   */
  async closeUser(id: number, commitWith?: CommitHanded): Promise<User> {
    const { teamId } = await this.readUser(id);
    await this.#database.transaction(async (tx) => {
      await tx.query('select from team where id = $1 for no key update', [teamId]);
      await tx.query('update app_user set closed_at = coalesce(closed_at, service_now()) where id = $1', [id]);
      const handed = await handOver(tx, this.#subscribers, teamId);
      await commitWith?.(tx, handed);
    });
    const user = await this.readUser(id);
    await this.#changes?.report(`user:${id}`, { closed_at: user.closedAt });
    return user;
  }
}
