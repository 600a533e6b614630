/** Plans of runs of the money proof: the actions of customers, and the interruptions. */
import fc from 'fast-check';
import type { PlanId } from '../../../src/core/domain/plans.ts';
import { API_COUNT, type MoneyPlan, WORKER_COUNT } from './moneyActions.ts';
import { MOTIFS, type Motif, type MotifName } from './moneyMotifs.ts';
import type { Interruption } from './program.ts';

const ids = fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 });
const version = fc.integer({ min: 0, max: 2 });
const key = fc.option(fc.constantFrom('a', 'b'), { freq: 2 });
const workMs = fc.constantFrom(0, 0, 3_000, 20_000);
const common = { api: fc.nat({ max: API_COUNT - 1 }), afterMs: fc.constantFrom(0, 0, 0, 2_000) };
const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      ...common,
      what: fc.constant('page' as const),
      ids,
      version,
      key,
      truncate: fc.boolean(),
      maxCredits: fc.option(fc.integer({ min: 0, max: 3 }), { freq: 2 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ ...common, what: fc.constant('document' as const), id: fc.integer({ min: 1, max: 2 }), key }) },
  {
    weight: 4,
    arbitrary: fc.record({
      ...common,
      what: fc.constant('export' as const),
      ids,
      version,
      key,
      workMs,
      fails: fc.constantFrom('never' as const, 'never' as const, 'once' as const, 'for good' as const),
      isLost: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ ...common, what: fc.constant('look-up' as const), ids, key, workMs }) },
  { weight: 2, arbitrary: fc.record({ ...common, what: fc.constant('price' as const) }) },
  { weight: 1, arbitrary: fc.record({ ...common, what: fc.constant('follow' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ ...common, what: fc.constant('plan' as const), to: fc.constantFrom<PlanId[]>('trial', 'api_only') }),
  },
);
const interruption: fc.Arbitrary<Interruption> = fc.record({
  step: fc.nat({ max: 70 }),
  what: fc.constantFrom('kill' as const, 'freeze' as const, 'jump' as const),
  program: fc.nat({ max: API_COUNT + WORKER_COUNT - 1 }),
  ms: fc.constantFrom(1_000, 3_000, 3_000, 9_000, 12_000, 40_000, 2_400_000),
});

const freePlans: fc.Arbitrary<MoneyPlan> = fc.record({
  plan: fc.constantFrom<PlanId[]>('api_only', 'api_only', 'api_only', 'national'),
  credits: fc.integer({ min: 2, max: 14 }),
  at: fc.constantFrom('2026-11-10T12:00:00Z', '2026-11-30T23:59:55Z'),
  actions: fc.array(action, { minLength: 2, maxLength: 6 }),
  interruptions: fc.array(interruption, { maxLength: 4 }),
  pausing: fc.boolean(),
});

/** A plan with a motif and a few random actions and interruptions. */
const withMotif = ([free, motif, others, interrupted]: [MoneyPlan, Motif, number, boolean]): MoneyPlan => ({
  ...free,
  ...motif,
  actions: [...motif.actions, ...free.actions.slice(0, others)],
  interruptions: [...(motif.interruptions ?? []), ...(interrupted ? free.interruptions.slice(0, 1) : [])],
});

const plansWith = (motif: fc.Arbitrary<Motif>): fc.Arbitrary<MoneyPlan> =>
  fc.tuple(freePlans, motif, fc.constantFrom(0, 0, 1, 2), fc.boolean()).map(withMotif);

/** @param motif contained in every plan; if undefined, half of the plans contain one */
export const moneyPlans = (motif?: MotifName): fc.Arbitrary<MoneyPlan> =>
  motif ? plansWith(MOTIFS[motif]) : fc.oneof(freePlans, plansWith(fc.oneof(...Object.values(MOTIFS))));
