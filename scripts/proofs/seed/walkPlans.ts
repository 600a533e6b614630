/** Plans of runs of the sync proof: the loads, the copies that customers keep, and the interruptions. */
import fc from 'fast-check';
import type { PlanId } from '../../../src/core/domain/plans.ts';
import type { SmallLoad } from './loads.ts';
import type { Interruption } from './program.ts';

export const API_COUNT = 2;
const LOADER = API_COUNT;

/** A load of a plan. One that is left is not repeated after its loader was killed: the next one has to mend what is there. */
export interface PlannedLoad extends SmallLoad {
  afterMs: number;
  isLeft?: boolean;
}

export interface WalkPlan {
  plan: PlanId;
  at: string;
  first: SmallLoad['changes'];
  loads: PlannedLoad[];
  walkers: { limit: number; api: number; isKeyed: boolean; pauseMs: number }[];
  interruptions: Interruption[];
}

const change = fc.record({
  id: fc.integer({ min: 1, max: 6 }),
  what: fc.constantFrom('state' as const, 'state' as const, 'delete' as const),
  version: fc.integer({ min: 0, max: 2 }),
});
const changes = fc.array(change, { minLength: 1, maxLength: 4 });

const freePlans: fc.Arbitrary<WalkPlan> = fc.record({
  plan: fc.constantFrom<PlanId[]>('api_only', 'national'),
  at: fc.constant('2026-11-10T12:00:00Z'),
  first: fc.array(change, { minLength: 3, maxLength: 8 }).map((all) => all.map((one) => ({ ...one, what: 'state' as const }))),
  loads: fc.array(
    fc.record({
      way: fc.constantFrom('increment' as const, 'increment' as const, 'full' as const, 'rollback' as const),
      changes,
      afterMs: fc.constantFrom(0, 0, 1_500),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  walkers: fc.array(
    fc.record({
      limit: fc.integer({ min: 1, max: 3 }),
      api: fc.nat({ max: API_COUNT - 1 }),
      isKeyed: fc.boolean(),
      pauseMs: fc.constantFrom(200, 700),
    }),
    { minLength: 1, maxLength: 2 },
  ),
  interruptions: fc.array(
    fc.record<Interruption>({
      step: fc.nat({ max: 120 }),
      what: fc.constantFrom('kill' as const, 'kill' as const, 'freeze' as const, 'jump' as const),
      program: fc.constantFrom(0, 1, 2, 2),
      ms: fc.constantFrom(1_000, 9_000),
    }),
    { maxLength: 2 },
  ),
});

type Motif = Partial<WalkPlan>;
const stated = (id: number, version: number) => ({ id, what: 'state' as const, version });
const removed = (id: number) => ({ id, what: 'delete' as const, version: 0 });
const increment = (one: SmallLoad['changes'][number], afterMs: number) => ({ way: 'increment' as const, changes: [one], afterMs });

/** A record is removed and comes back, again and again, and may be gone in the end; the programs that walk stand still between the searches of a page. */
const flickers = fc
  .tuple(fc.constantFrom(0, 0, 300), fc.integer({ min: 1, max: 3 }), fc.boolean(), fc.array(fc.nat({ max: 30 }), { maxLength: 2 }))
  .map(
    ([afterMs, id, isGone, steps]): Motif => ({
      first: [1, 2, 3, 4].map((one) => stated(one, 0)),
      loads: [removed(id), stated(id, 1), removed(id), stated(id, 0), ...(isGone ? [removed(id)] : [])].map((one) =>
        increment(one, afterMs),
      ),
      interruptions: steps.map((step, program) => ({ what: 'freeze', step, program, ms: 1_000, during: 'reading' })),
    }),
  );

/** What was served before comes back, while a loader may be killed; the rollback is then repeated, or left to the load after it. */
const switchesBack = fc.tuple(changes, changes, fc.boolean(), fc.option(fc.integer({ min: 8, max: 90 }), { freq: 3 })).map(
  ([next, last, isContinued, step]): Motif => ({
    loads: [
      { way: 'full', changes: next, afterMs: 300 },
      { way: 'rollback', changes: [], afterMs: 300, isLeft: isContinued },
      ...(isContinued ? [{ way: 'increment' as const, changes: last, afterMs: 300 }] : []),
    ],
    interruptions: step === null ? [] : [{ what: 'kill', step, program: LOADER, ms: 0, during: 'return' }],
  }),
);

/** The loader is killed in the middle of a publication. */
const isCutOff = fc.tuple(fc.nat({ max: 4 }), fc.constantFrom('increment' as const, 'full' as const), changes).map(
  ([step, way, next]): Motif => ({
    loads: [
      { way, changes: next, afterMs: 300 },
      { way: 'increment', changes: next, afterMs: 0 },
    ],
    interruptions: [{ what: 'kill', step, program: LOADER, ms: 0, during: 'publication' }],
  }),
);

export const WALK_MOTIFS = { flickers, switchesBack, isCutOff } as const satisfies Record<string, fc.Arbitrary<Motif>>;
export type WalkMotifName = keyof typeof WALK_MOTIFS;

const plansWith = (motif: fc.Arbitrary<Motif>): fc.Arbitrary<WalkPlan> =>
  fc.tuple(freePlans, motif).map(([free, given]) => ({ ...free, ...given }));

/** @param motif contained in every plan; if undefined, half of the plans contain one */
export const walkPlans = (motif?: WalkMotifName): fc.Arbitrary<WalkPlan> =>
  motif ? plansWith(WALK_MOTIFS[motif]) : fc.oneof(freePlans, plansWith(fc.oneof(...Object.values(WALK_MOTIFS))));
