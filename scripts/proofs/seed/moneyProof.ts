/** Generates plans of runs, runs them on the tables of money, and checks what has to hold afterwards. */
import fc, { type Scheduler } from 'fast-check';
import { type Mutate, ProofEnvironment, STEPS_MAX } from './environment.ts';
import { MoneyWorld } from './money.ts';
import type { MoneyPlan } from './moneyActions.ts';
import { checkMoney } from './moneyChecks.ts';
import { noteReached, watchMoney } from './moneyMarks.ts';
import type { MotifName } from './moneyMotifs.ts';
import { moneyPlans } from './moneyPlans.ts';

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
  property(watch: RunWatch): fc.IAsyncProperty<unknown[]>;
}

/** Customers, jobs and kills. */
export async function makeProof(url: string, { mutate, motif }: ProofOptions): Promise<Proof> {
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

  const property: Proof['property'] = ({ onRun, isOver }) =>
    fc.asyncProperty(fc.scheduler(), moneyPlans(motif as MotifName | undefined), chances, async (scheduler, plan, chance) => {
      if (isOver()) return;
      let hasFailed = true;
      try {
        await environment.guard(() => play(scheduler, plan, chance));
        hasFailed = false;
      } finally {
        onRun(hasFailed);
      }
    }) as unknown as fc.IAsyncProperty<unknown[]>;
  return { environment, property, [Symbol.asyncDispose]: () => environment.close() };
}
