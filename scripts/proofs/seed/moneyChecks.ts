/** Checks what has to hold after every run of the money proof. */
import { revisionHash } from '../../../src/core/domain/record/revisionHash.ts';
import type { Database } from '../../../src/core/store/postgres/pool.ts';
import { checkCharges, checkInvariants, type Invariants, InvariantViolation } from './invariants.ts';
import type { CustomerAnswer, MoneyWorld } from './money.ts';
import { API_COUNT, type MoneyPlan } from './moneyActions.ts';

/** Queries by their invariant; each finds rows of team $1 that violate it. */
const INVARIANTS: Invariants = {
  'a key accepts one job': `
    select kind, cause->>'idempotencyKey' as key, count(*) from job
    where team_id = $1 and cause->>'idempotencyKey' is not null group by 1, 2 having count(*) > 1`,
  'a settled job holds nothing': `
    select job_id, credits::text from reservation where team_id = $1 union all select job_id, attempts::text from contact_hold where team_id = $1`,
  'a reservation ends once': `
    select e.job_id, e.subject, sum(e.amount) filter (where kind = 'reservation') as reserved, sum(e.amount) filter (where kind = 'refund') as refunded
    from ledger_entry e left join export x on x.id = e.job_id
    where e.team_id = $1 and e.job_id is not null and x.lost_at is null group by 1, 2
    having coalesce(sum(e.amount) filter (where kind = 'reservation'), 0) + coalesce(sum(e.amount) filter (where kind = 'refund'), 0) <> 0`,
  'an export says what became of its reservation': `
    select id, credits_reserved, credits_charged, credits_refunded, credits_lost from export
    where team_id = $1 and lost_at is null and credits_charged <= credits_reserved and credits_reserved <> credits_charged + credits_refunded`,
  'an export is charged what its rows cost': `
    select x.id, x.credits_charged, p.credits from export x join lateral
      (select coalesce(sum(c), 0) as credits from export_delivery d, unnest(d.credits) as c where d.export_id = x.id) as p on true
    where x.team_id = $1 and x.ready_at is not null and x.lost_at is null
      and not exists (select from export o where o.team_id = $1 and o.lost_at is not null) and x.credits_charged <> p.credits`,
  'every job ends': `select id, status, attempt from job where team_id = $1 and settled_at is null`,
  'a job ends once': `
    select j.id, j.status, count(e.id) from job j left join event e on e.subject_id = j.id
    where j.team_id = $1 group by 1, 2 having count(e.id) <> 1`,
  'an attempt writes nothing after a later one': `
    select w.job_id, w.attempt, later.attempt as later from proof_write w join proof_write later
      on later.job_id = w.job_id and later.seq < w.seq and later.attempt > w.attempt`,
  'a file is delivered as a whole': `
    select x.id from export x where x.team_id = $1 and x.ready_at is not null and x.lost_at is null
      and (select count(distinct id) from export_delivery d, unnest(d.project_ids || d.held_ids) as id
        where d.export_id = x.id) <> x.row_count`,
  'the allowance counts the look-ups that were made': `
    select used, made from (select coalesce(sum(used), 0) as used from contact_allowance where team_id = $1) as a,
      (select coalesce(sum(processed), 0) as made from enrichment where team_id = $1) as e where used <> made`,
  'a contact is charged once': `select project_id, credits from contact_unlock where team_id = $1 and credits > 1`,
  'what a file holds is held': `
    select x.id, row.id as record from export x join export_delivery d on d.export_id = x.id,
      unnest(d.project_ids || d.held_ids, d.hashes || d.held_hashes) as row (id, hash)
    where x.team_id = $1 and x.ready_at is not null and x.lost_at is null and not exists (
      select from delivery h where h.team_id = $1 and h.project_id = row.id and row.hash = any (h.revision_hash || h.earlier_hashes))`,
  'what was served before a charged content is free': `
    select older.project_id, older.revision, newer.revision as charged from proof_charge newer join proof_charge older
      on older.team_id = newer.team_id and older.project_id = newer.project_id and older.n > newer.n and older.revision < newer.revision
    where newer.team_id = $1 and newer.project_id % 2 = 0 and older.credits > 0 and newer.credits > 0
      and not exists (select from export where team_id = $1 and lost_at is not null)`,
  'months of a plan are granted in their order': `
    select a.note, b.note as later from ledger_entry a join ledger_entry b on b.team_id = a.team_id and b.id > a.id and b.kind = 'grant'
    where a.team_id = $1 and a.kind = 'grant' and split_part(a.note, ' ', 1) = split_part(b.note, ' ', 1) and b.note < a.note`,
  'credits end with their month': `
    select balance, granted_for from credit_pool p join team t on t.id = p.team_id
    where p.team_id = $1 and p.balance > case when granted_for like 'trial %' then 50 else t.monthly_credits end`,
  'no more is spent than was granted': `
    select spent, granted from
      (select -sum(amount) as spent from ledger_entry where team_id = $1 and kind in ('charge', 'reservation', 'refund')) as s,
      (select sum(case when note like 'trial %' then 50 else monthly_credits end) as granted from
        (select distinct note from ledger_entry where team_id = $1 and kind = 'grant') as g, team where team.id = $1) as g
    where spent > granted`,
};

type Views = Awaited<ReturnType<MoneyWorld['views']>>;

/** @param views of the processes on what the pool holds @throws InvariantViolation */
export async function checkMoney(database: Database, world: MoneyWorld, views: Views, plan: MoneyPlan): Promise<void> {
  if (world.surprises.length) throw new InvariantViolation('every request has an expected answer', world.surprises);
  await checkCharges(database, world.teamId);
  await checkInvariants(database, INVARIANTS, world.teamId);
  checkKeys(world.answers);
  checkLog(world.followed);
  await checkHoldings(database, world, views);
  await checkCosts(database, world, plan);
  await checkAttempts(database, world, plan);
}

/** Checks that all answers under one idempotency key are the same. */
function checkKeys(answers: readonly CustomerAnswer[]): void {
  const first = new Map<string, CustomerAnswer>();
  for (const answer of answers) {
    if (!('key' in answer.action) || answer.action.key === null || ['insufficient', 'exhausted', 'no_allowance'].includes(answer.outcome))
      continue;
    const name = `${answer.action.what} ${answer.action.key}`;
    const earlier = first.get(name);
    first.set(name, earlier ?? answer);
    const isSame = earlier && answer.cost === earlier.cost && JSON.stringify(answer.items) === JSON.stringify(earlier.items);
    if (earlier && !isSame) throw new InvariantViolation('a repeated request has one answer', [earlier, answer]);
  }
}

/** Checks that each reader of the event log sees each event once and in order, and later readers see at least what earlier ones saw. */
function checkLog(followed: readonly string[][]): void {
  const whole = followed.at(-1) ?? [];
  for (const walk of followed)
    if (new Set(walk).size < walk.length || walk.some((id, i) => whole[i] !== id))
      throw new InvariantViolation('a log is followed without gaps or repetitions', { walk, whole });
}

async function checkHoldings(database: Database, world: MoneyWorld, views: Views): Promise<void> {
  const rows = await database.query<{ hash: string }>(
    `select unnest(revision_hash || earlier_hashes || superseded_hashes)::text as hash from delivery where team_id = $1`,
    [world.teamId],
  );
  const held = new Set(rows.map(({ hash }) => hash));
  for (const view of views)
    if (view.size !== held.size || [...held].some((hash) => !view.has(hash)))
      throw new InvariantViolation('a process knows what the pool holds', { program: view.program, size: view.size, held: held.size });
  if (world.lost.length) return;
  const missing = world.answers.flatMap(({ items }) => items).filter(({ id, revision }) => !held.has(revisionHash(id, revision)));
  if (missing.length) throw new InvariantViolation('what was answered is held', missing);
}

/** Jumps of the clock up to this many milliseconds lose no lease. */
const CALM_MS = 3_000;

/** Checks that a job needed only one attempt if no worker was killed or frozen. @throws InvariantViolation */
async function checkAttempts(database: Database, world: MoneyWorld, plan: MoneyPlan): Promise<void> {
  if (plan.interruptions.some(({ what, program, ms }) => (what === 'jump' ? ms > CALM_MS : program >= API_COUNT))) return;
  const rows = await database.query<Record<string, unknown>>(
    `select id, attempt, last_failure from job where team_id = $1 and attempt > 1 and coalesce(payload->'proof'->>'fails', 'never') <> 'once'`,
    [world.teamId],
  );
  if (rows.length) throw new InvariantViolation('a job that nothing disturbs ends with its first attempt', rows);
}

/** Checks that announced costs were charged; in runs without interruptions, exactly these. @throws InvariantViolation */
async function checkCosts(database: Database, world: MoneyWorld, plan: MoneyPlan): Promise<void> {
  const [row] = await database.query<{ charged: number }>(
    `select coalesce(-sum(amount), 0)::float8 as charged from ledger_entry where team_id = $1 and kind = 'charge' and job_id is null`,
    [world.teamId],
  );
  const charged = row?.charged ?? 0;
  const said = world.answers.filter(({ outcome }) => outcome === 'delivered').reduce((sum, { cost }) => sum + cost, 0);
  if (said > charged || (!plan.interruptions.length && said !== charged))
    throw new InvariantViolation('an answer says what was charged', { said, charged });
}
