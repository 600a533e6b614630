/**
 * Motifs: patterns of actions that lead to rare states. Random plans seldom request the same record twice, or let a request wait over midnight. A motif
 * fixes what it needs; the rest of its plan is random.
 */
import fc, { type Arbitrary } from 'fast-check';
import type { Action, MoneyPlan } from './moneyActions.ts';
import type { Interruption } from './program.ts';

export type Motif = Pick<MoneyPlan, 'actions'> & Partial<MoneyPlan>;

const BEFORE_MIDNIGHT = '2026-11-30T23:59:55Z';
const MUCH = 14;
const [WORKER_0, WORKER_1] = [2, 3] as const;

const ids = fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 });
const manyIds = fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { minLength: 3, maxLength: 4 });
const worker = fc.constantFrom<number[]>(WORKER_0, WORKER_1);
const keyed = fc.constantFrom('a', null);
const stepOf = (min: number, max: number) => fc.integer({ min, max });

const place = <T extends Action>(api: number, afterMs: number, action: T) => ({ ...action, api, afterMs });
const page = (sought: number[], version = 0, key: string | null = null): Action => ({
  what: 'page',
  ids: sought,
  version,
  key,
  truncate: false,
  maxCredits: null,
});
const exporting = (sought: number[], more: Partial<Action & { what: 'export' }> = {}): Action => ({
  what: 'export',
  ids: sought,
  version: 0,
  key: null,
  workMs: 0,
  fails: 'never',
  isLost: false,
  ...more,
});
const lookUp = (sought: number[], workMs = 0): Action => ({ what: 'look-up', ids: sought, key: null, workMs });
const price: Action = { what: 'price' };
const follow: Action = { what: 'follow' };
const interrupt = (what: Interruption['what'], step: number, program: number, ms: number): Interruption => ({ what, step, program, ms });

/** A record changes, and changes back. */
const comesBack = ids.map((sought): Motif => {
  const versions = [0, 1, 0].map((version, i) => place(i % 2, i * 1_000, page(sought, version)));
  return { credits: MUCH, actions: versions, interruptions: [] };
});

/** Several requests for the same records at once, without a key. */
const atOnce = fc.tuple(ids, ids, fc.boolean(), fc.constantFrom(true, true, false)).map(([sought, others, isDocument, pausing]): Motif => {
  const asked: Action = isDocument ? { what: 'document', id: 1, key: null } : page(sought);
  return {
    credits: MUCH,
    pausing,
    actions: [place(0, 0, page([6])), place(0, 2_000, asked), place(1, 2_000, asked), place(1, 2_000, page(others, 1))],
  };
});

/** A request is repeated under its key, also while its first process stands still for longer than the lease of its claim. */
const isRepeated = fc
  .tuple(ids, stepOf(2, 9), fc.constantFrom<('page' | 'document' | 'export')[]>('page', 'document', 'export'), fc.boolean())
  .map(([sought, step, what, stops]): Motif => {
    const asked: Action =
      what === 'page' ? page(sought, 0, 'a') : what === 'document' ? { what, id: 1, key: 'a' } : exporting(sought, { key: 'a' });
    return {
      credits: MUCH,
      actions: [place(0, 0, asked), place(1, 1_000, asked), place(1, 90_000, asked)],
      interruptions: stops ? [interrupt('freeze', step, 0, 40_000)] : [],
    };
  });

/** The first requests of a team are sent before the midnight of a month's end, and others overtake them after it. */
const overMidnight = fc.tuple(ids, stepOf(1, 14), fc.boolean(), fc.boolean()).map(([sought, step, isExport, isDocument]): Motif => {
  const first = isExport ? exporting(sought) : page(sought);
  const other: Action = isDocument ? { what: 'document', id: 2, key: null } : page(sought, 1);
  return {
    at: BEFORE_MIDNIGHT,
    pausing: true,
    actions: [place(0, 0, first), place(1, 6_000, other), place(1, 6_000, page(sought))],
    interruptions: [interrupt('jump', step, 0, 9_000)],
  };
});

/** A job reserves what it does not use, and ends in the month after. */
const restOverMidnight = fc.tuple(manyIds, fc.integer({ min: 4, max: 8 })).map(([sought, credits]): Motif => {
  const first = sought.slice(0, -1);
  return {
    at: BEFORE_MIDNIGHT,
    credits,
    actions: [place(0, 0, page(first)), place(1, 0, exporting(sought, { workMs: 20_000 })), place(0, 8_000, price)],
    interruptions: [],
  };
});

/** Less is left than what is asked for. */
const poor = fc.tuple(manyIds, fc.integer({ min: 2, max: 3 }), keyed, fc.boolean()).map(
  ([sought, credits, key, isBounded]): Motif => ({
    credits,
    plan: 'api_only',
    actions: [
      place(0, 0, isBounded ? ({ ...page(sought), maxCredits: 1 } as Action) : page(sought)),
      place(1, 0, exporting(sought, { key })),
      place(0, 2_000, exporting(sought.slice(0, credits + 1))),
      place(1, 4_000, price),
    ],
  }),
);

/** The file of an export is lost, whose records others hold or asked the price of. */
const isLost = fc.tuple(ids, ids, fc.boolean(), fc.integer({ min: 0, max: 1 })).map(
  ([sought, others, isShared, api]): Motif => ({
    credits: MUCH,
    actions: [
      place(0, 0, exporting(sought, { isLost: true })),
      ...(isShared ? [place(1, 1_000, exporting(sought))] : []),
      place(0, 3_000, price),
      place(1, 3_000, price),
      place(api, 20_000, page(others)),
      place(0, 22_000, price),
    ],
    interruptions: [],
  }),
);

/** A worker stands still while its job works or is settled, until another has the job. */
const workerStops = fc
  .tuple(
    ids,
    worker,
    stepOf(4, 60),
    fc.constantFrom('freeze' as const, 'freeze' as const, 'kill' as const),
    fc.constantFrom(9_000, 12_000, 14_000, 17_000, 40_000),
    fc.constantFrom(0, 3_000),
    fc.boolean(),
  )
  .map(
    ([sought, program, step, what, ms, workMs, isAtWork]): Motif => ({
      credits: MUCH,
      actions: [place(0, 0, exporting(sought, { workMs })), place(1, 0, lookUp(sought, workMs))],
      interruptions: [isAtWork ? { ...interrupt(what, 0, program, ms), during: 'work' } : interrupt(what, step, program, ms)],
    }),
  );

/** A program is killed or stands still in the middle of a transaction that accepts or settles a job. */
const stopsAmidst = fc
  .tuple(
    ids,
    fc.constantFrom('freeze' as const, 'kill' as const),
    fc.integer({ min: 0, max: 12 }),
    fc.constantFrom(9_000, 12_000, 40_000),
    fc.boolean(),
  )
  .map(([sought, what, step, ms, isSettling]): Motif => {
    const during = isSettling ? 'settlement' : 'acceptance';
    const programs = isSettling ? [WORKER_0, WORKER_1] : [0, 1];
    return {
      credits: MUCH,
      actions: [
        place(0, 0, exporting(sought, { key: 'a' })),
        place(1, 0, lookUp(sought)),
        place(1, 0, exporting(sought)),
        place(0, 0, page(sought)),
      ],
      interruptions: programs.map((program) => ({ ...interrupt(what, step, program, ms), during })),
    };
  });

/** Pages are delivered while the same records are written into files. */
const filesBesidePages = fc.tuple(ids, fc.boolean()).map(
  ([sought, pausing]): Motif => ({
    credits: MUCH,
    pausing,
    actions: [
      place(0, 0, exporting(sought)),
      place(1, 0, exporting(sought)),
      ...[0, 1, 0, 1].map((api, i) => place(api, 0, page(sought, i % 2))),
    ],
    interruptions: [],
  }),
);

/** A job is given up: it fails for good, or its deadline passes. */
const isGivenUp = fc
  .tuple(ids, stepOf(4, 40), fc.constantFrom('fails' as const, 'stops' as const, 'passes' as const), fc.boolean())
  .map(([sought, step, why, pausing]): Motif => {
    const stops = [WORKER_0, WORKER_1].map((program) => interrupt('freeze', step, program, 2_400_000));
    return {
      credits: MUCH,
      pausing,
      actions: [
        place(0, 0, exporting(sought, { workMs: 20_000, fails: why === 'fails' ? 'for good' : 'never' })),
        place(1, 0, lookUp(sought, 20_000)),
      ],
      interruptions: { fails: [], stops, passes: [interrupt('jump', step, 0, 2_400_000)] }[why],
    };
  });

/** Several jobs of a team are accepted and settled at once. */
const manyJobs = fc.tuple(ids, fc.integer({ min: 3, max: 5 }), fc.array(stepOf(10, 160), { maxLength: 4 })).map(
  ([sought, count, steps]): Motif => ({
    credits: MUCH,
    pausing: true,
    actions: Array.from({ length: count }, (_, i) =>
      place(i % 2, 0, i % 4 === 3 ? exporting(sought) : lookUp(i ? sought.slice(0, 1) : sought)),
    ),
    interruptions: steps.map((step) => interrupt('jump', step, 0, 3_000)),
  }),
);

/** Jobs that end while a request stands still with the lock of their pool: they wait for it, and others for a connection. */
const lockIsHeld = fc.tuple(fc.integer({ min: 3, max: 5 }), fc.integer({ min: 0, max: 2 }), fc.constantFrom(9_000, 12_000)).map(
  ([count, step, ms]): Motif => ({
    credits: MUCH,
    actions: [...Array.from({ length: count }, (_, i) => place(1, 0, lookUp([i + 1], 3_000))), place(0, 2_000, exporting([1]))],
    interruptions: [{ ...interrupt('freeze', step, 0, ms), during: 'acceptance' }],
  }),
);

/** Events are read as they come. */
const followed = ids.map(
  (sought): Motif => ({
    credits: MUCH,
    actions: [
      place(0, 0, exporting(sought)),
      ...[0, 1].map((api) => place(api, 1_000, exporting(sought))),
      ...[0, 1, 0, 1, 0, 1].map((api, i) => place(api, i < 4 ? 1_000 : 3_000, follow)),
    ],
    interruptions: [],
  }),
);

/** Prices are asked for while pages are delivered. */
const priced = fc.tuple(ids, ids).map(
  ([first, second]): Motif => ({
    credits: MUCH,
    actions: [
      place(1, 0, page(first)),
      place(1, 0, page(second)),
      place(0, 0, price),
      ...[0, 0, 0].map(() => place(0, 0, { ...price, times: 4 })),
    ],
    interruptions: [],
  }),
);

export const MOTIFS = {
  comesBack,
  atOnce,
  isRepeated,
  overMidnight,
  restOverMidnight,
  poor,
  isLost,
  workerStops,
  stopsAmidst,
  filesBesidePages,
  isGivenUp,
  manyJobs,
  lockIsHeld,
  followed,
  priced,
} as const satisfies Record<string, Arbitrary<Motif>>;
export type MotifName = keyof typeof MOTIFS;
