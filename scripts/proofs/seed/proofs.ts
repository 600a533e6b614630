/** The two proofs: each generates plans of runs, runs them, and checks what has to hold afterwards. */
import fc, { type Scheduler } from 'fast-check';
import { type Mutate, ProofEnvironment, STEPS_MAX } from './environment.ts';
import { checkCharges, InvariantViolation } from './invariants.ts';
import { type Mark, MONEY_MARKS, SYNC_MARKS } from './marks.ts';
import { MoneyWorld } from './money.ts';
import type { MoneyPlan } from './moneyActions.ts';
import { checkMoney } from './moneyChecks.ts';
import { noteReached, watchMoney } from './moneyMarks.ts';
import type { MotifName } from './moneyMotifs.ts';
import { moneyPlans } from './moneyPlans.ts';
import { type WalkMotifName, type WalkPlan, walkPlans } from './walkPlans.ts';
import { WalkWorld } from './walks.ts';

const MANY_CREDITS = 1_000;

/** Seeds of randomness, one for each run. They rarely repeat; a repeated seed draws the same ids again, so rows of earlier runs must be deleted. */
const chances = fc.noBias(fc.integer({ min: 0, max: 2 ** 31 - 1 }));

export interface RunWatch {
  /** called after each run */
  onRun(hasFailed: boolean): void;
  /** whether no further run begins */
  isOver(): boolean;
}

export interface ProofOptions {
  /** plants a defect */
  mutate?: Mutate | undefined;
  /** in every plan */
  motif?: string | undefined;
}

export interface Proof extends AsyncDisposable {
  environment: ProofEnvironment;
  marks: readonly Mark[];
  property(watch: RunWatch): fc.IAsyncProperty<unknown[]>;
}

function makeProperty<Plan>(
  environment: ProofEnvironment,
  plans: fc.Arbitrary<Plan>,
  play: (scheduler: Scheduler, plan: Plan, chance: number) => Promise<void>,
): Proof['property'] {
  return ({ onRun, isOver }) =>
    fc.asyncProperty(fc.scheduler(), plans, chances, async (scheduler, plan, chance) => {
      if (isOver()) return;
      let hasFailed = true;
      try {
        await environment.guard(() => play(scheduler, plan, chance));
        hasFailed = false;
      } finally {
        onRun(hasFailed);
      }
    }) as unknown as fc.IAsyncProperty<unknown[]>;
}

/** Customers, jobs and kills, on the tables of money. */
async function makeMoneyProof(url: string, { mutate, motif }: ProofOptions): Promise<Proof> {
  const environment = await ProofEnvironment.make(url, mutate);
  const { simulation, control, database, marks } = environment;
  const world = new MoneyWorld(simulation);
  watchMoney(simulation, marks);

  /** Runs the simulation until every job has ended, by a commit. */
  async function playJobs(teamId: number): Promise<void> {
    let looked = -1;
    await simulation.play(async () => {
      const before = looked;
      looked = simulation.trace.length;
      if (before >= 0 && !simulation.trace.slice(before).some((line) => line.endsWith(': commit'))) return false;
      const { rows } = await control.query('select from job where team_id = $1 and settled_at is null limit 1', [teamId]);
      return rows.length === 0;
    }, STEPS_MAX);
  }

  async function play(scheduler: Scheduler, plan: MoneyPlan, chance: number): Promise<void> {
    const { team, user } = await environment.begin({ scheduler, chance, ...plan });
    world.reset(plan, team, user);
    await environment.run(() => Promise.all(plan.actions.map((one) => world.act(one))));
    await simulation.thaw();
    await environment.run(() => Promise.all(world.asked));
    await playJobs(team);
    const views = await environment.run(() => world.views());
    await simulation.end();
    await noteReached(database, world, marks);
    await checkMoney(database, world, views, plan);
  }
  const property = makeProperty(environment, moneyPlans(motif as MotifName | undefined), play);
  return { environment, marks: MONEY_MARKS, property, [Symbol.asyncDispose]: () => environment.close() };
}

/** Copies kept by sync, loads and kills. */
async function makeWalkProof(url: string, { mutate, motif }: ProofOptions): Promise<Proof> {
  const environment = await ProofEnvironment.make(url, mutate);
  const { simulation, database, marks } = environment;
  const world = new WalkWorld(simulation, marks);

  async function play(scheduler: Scheduler, plan: WalkPlan, chance: number): Promise<void> {
    const beginning = { scheduler, chance, at: plan.at, plan: plan.plan, credits: MANY_CREDITS, interruptions: [], pausing: false };
    const { team, user } = await environment.begin(beginning);
    world.reset(plan, team, user);
    await environment.run(() => world.load({ way: 'full', changes: plan.first }));
    simulation.interrupt(plan.interruptions);
    await environment.run(() => Promise.all([world.loadAll(plan), ...plan.walkers.map((walker, at) => world.keepCopy(walker, at))]));
    await simulation.end();
    if (world.surprises.length) throw new InvariantViolation('every request has an expected answer', world.surprises);
    const { served } = world;
    for (const copy of world.copies) {
      const [missing, stale] = [
        [...served].filter(([id]) => !copy.has(id)),
        [...copy].filter(([id, revision]) => served.get(id) !== revision),
      ];
      if (missing.length || stale.length) throw new InvariantViolation('a copy kept by sync is what is served', { missing, stale });
    }
    await checkCharges(database, team);
  }
  const property = makeProperty(environment, walkPlans(motif as WalkMotifName | undefined), play);
  return { environment, marks: SYNC_MARKS, property, [Symbol.asyncDispose]: () => environment.close() };
}

export const PROOFS = { money: makeMoneyProof, sync: makeWalkProof } as const;
export type ProofName = keyof typeof PROOFS;
