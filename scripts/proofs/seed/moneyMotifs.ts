/**
 * Motifs: patterns of actions that lead to rare states. Random plans seldom request the same record twice, or let a request wait over midnight. A motif
 * fixes what it needs; the rest of its plan is random.
 */
import fc, { type Arbitrary } from 'fast-check';
import { type Action, type MoneyPlan, makePage as page } from './moneyActions.ts';
import type { Interruption, Middle } from './program.ts';

export type Motif = Pick<MoneyPlan, 'actions'> & Partial<MoneyPlan>;

const AT_NOON = '2026-11-10T12:00:00Z';
const BEFORE_MIDNIGHT = '2026-11-30T23:59:55Z';
const MUCH = 14;
const [WORKER_0, WORKER_1] = [2, 3] as const;
/** Half the time that a job works; as long as the lease of its worker. */
const AT_WORK_MS = 8_000;
/** A little less than an export may take. */
const NEARLY_DEADLINE_MS = 1_790_000;
const BEYOND_DEADLINE_MS = 2_400_000;

const ids = fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 });
const manyIds = fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { minLength: 3, maxLength: 4 });
const worker = fc.constantFrom<number[]>(WORKER_0, WORKER_1);
const keyed = fc.constantFrom('a', null);
const stepOf = (min: number, max: number) => fc.integer({ min, max });

const place = <T extends Action>(api: number, afterMs: number, action: T) => ({ ...action, api, afterMs });
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
const price = { what: 'price' } as const;
const follow: Action = { what: 'follow' };
const interrupt = (what: Interruption['what'], step: number, program: number, ms: number): Interruption => ({ what, step, program, ms });
const interruptAmidst = (during: Middle, what: Interruption['what'], step: number, program: number, ms: number): Interruption => ({
  ...interrupt(what, step, program, ms),
  during,
});

const withMuch = (actions: Motif['actions'], more: Partial<MoneyPlan> = {}): Motif => ({ credits: MUCH, actions, ...more });
const UNDISTURBED = { interruptions: [] };

/** A record changes, and changes back, where the customer may have come after the change. */
const recordChangesBack = fc.tuple(ids, fc.constantFrom([0, 1, 0], [1, 0])).map(([sought, served]) => {
  const versions = served.map((version, i) => place(i % 2, i * 1_000, page(sought, version)));
  return withMuch(versions, UNDISTURBED);
});

/** Several requests for the same records at once, without a key. */
const atOnce = fc.tuple(ids, ids, fc.boolean(), fc.constantFrom(true, true, false)).map(([sought, others, isDocument, pausing]) => {
  const asked: Action = isDocument ? { what: 'document', id: 1, key: null } : page(sought);
  const actions = [place(0, 0, page([6])), place(0, 2_000, asked), place(1, 2_000, asked), place(1, 2_000, page(others, 1))];
  return withMuch(actions, { pausing });
});

/** A request is repeated under its key, also while its first process stands still for longer than the lease of its claim. */
const isRepeated = fc
  .tuple(ids, stepOf(2, 9), fc.constantFrom<('page' | 'document' | 'export')[]>('page', 'document', 'export'), fc.boolean())
  .map(([sought, step, what, stops]) => {
    const asked: Action =
      what === 'page' ? page(sought, 0, 'a') : what === 'document' ? { what, id: 1, key: 'a' } : exporting(sought, { key: 'a' });
    const interruptions = stops ? [interrupt('freeze', step, 0, 40_000)] : [];
    return withMuch([place(0, 0, asked), place(1, 1_000, asked), place(1, 90_000, asked)], { interruptions });
  });

/** The first request of a team is sent before the midnight of a month's end, and pauses as it opens the month; others overtake it after midnight. */
const overMidnight = fc.tuple(ids, stepOf(0, 2), fc.boolean(), fc.boolean()).map(([sought, step, isExport, isDocument]): Motif => {
  const first = isExport ? exporting(sought) : page(sought);
  const other: Action = isDocument ? { what: 'document', id: 2, key: null } : page(sought, 1);
  const actions = [place(0, 0, first), place(1, 1_200, other), place(1, 1_200, page(sought))];
  // Shorter than a statement may take.
  return { at: '2026-11-30T23:59:59Z', pausing: true, actions, interruptions: [interruptAmidst('charge', 'jump', step, 0, 1_500)] };
});

/** A job reserves what it does not use, and ends in the month after. */
const restOverMidnight = fc.tuple(manyIds, fc.integer({ min: 4, max: 8 })).map(([sought, credits]): Motif => {
  const first = place(0, 0, page(sought.slice(0, -1)));
  const actions = [first, place(1, 0, exporting(sought, { workMs: 20_000 })), place(0, 8_000, price)];
  return { at: BEFORE_MIDNIGHT, credits, actions, ...UNDISTURBED };
});

/** Less is left than what is asked for. */
const poor = fc.tuple(manyIds, fc.integer({ min: 2, max: 3 }), keyed, fc.boolean()).map(([sought, credits, key, isBounded]): Motif => {
  const first: Action = isBounded ? { ...page(sought), maxCredits: 1 } : page(sought);
  const second = place(0, 2_000, exporting(sought.slice(0, credits + 1)));
  return {
    credits,
    plan: 'api_only',
    actions: [place(0, 0, first), place(1, 0, exporting(sought, { key })), second, place(1, 4_000, price)],
  };
});

/** The file of an export is lost, whose records others hold or asked the price of. */
const isLost = fc
  .tuple(ids, ids, fc.boolean(), fc.integer({ min: 0, max: 1 }), fc.constantFrom(AT_NOON, AT_NOON, BEFORE_MIDNIGHT))
  .map(([sought, others, isShared, api, at]) => {
    const lost = [place(0, 0, exporting(sought, { isLost: true })), ...(isShared ? [place(1, 1_000, exporting(sought))] : [])];
    const prices = [place(0, 3_000, price), place(1, 3_000, price)];
    return withMuch([...lost, ...prices, place(api, 20_000, page(others)), place(0, 22_000, price)], { at, ...UNDISTURBED });
  });

/** A worker stands still at work until another is in the middle of its job, or at any other moment; the price is asked for when all is over. */
const workerStops = fc
  .tuple(
    ids,
    worker,
    stepOf(4, 60),
    fc.constantFrom('freeze' as const, 'freeze' as const, 'kill' as const),
    fc.constantFrom(9_000, 12_000, 24_000, 27_000, 30_000),
    fc.boolean(),
  )
  .map(([sought, program, step, what, ms, isAtWork]) => {
    const jobs = [place(0, 0, exporting(sought, { workMs: AT_WORK_MS })), place(1, 0, lookUp(sought, AT_WORK_MS))];
    const stop = isAtWork ? interruptAmidst('work', 'freeze', 0, program, Math.max(ms, 24_000)) : interrupt(what, step, program, ms);
    return withMuch([...jobs, place(0, 45_000, price)], { interruptions: [stop] });
  });

/** A program is killed or stands still in the middle of a transaction that accepts or settles a job. */
const stopsAmidst = fc
  .tuple(
    ids,
    fc.constantFrom('freeze' as const, 'kill' as const),
    fc.integer({ min: 0, max: 12 }),
    fc.constantFrom(9_000, 12_000, 40_000),
    fc.boolean(),
  )
  .map(([sought, what, step, ms, isSettling]) => {
    const during = isSettling ? 'settlement' : 'acceptance';
    const programs = isSettling ? [WORKER_0, WORKER_1] : [0, 1];
    const jobs = [place(0, 0, exporting(sought, { key: 'a' })), place(1, 0, lookUp(sought)), place(1, 0, exporting(sought))];
    const interruptions = programs.map((program) => interruptAmidst(during, what, step, program, ms));
    return withMuch([...jobs, place(0, 0, page(sought))], { interruptions });
  });

/** Pages are delivered while the same records are written into files. */
const filesBesidePages = fc.tuple(ids, fc.boolean()).map(([sought, pausing]) => {
  const pages = [0, 1, 0, 1].map((api, i) => place(api, 0, page(sought, i % 2)));
  return withMuch([place(0, 0, exporting(sought)), place(1, 0, exporting(sought)), ...pages], { pausing, ...UNDISTURBED });
});

/** A job is given up: it fails for good, its workers stand still beyond its deadline, or the deadline passes at work. */
const isGivenUp = fc
  .tuple(ids, fc.constantFrom('fails' as const, 'freeze' as const, 'jump' as const), fc.boolean())
  .map(([sought, why, pausing]) => {
    const failing = exporting(sought, { workMs: 20_000, fails: why === 'fails' ? 'for good' : 'never' });
    const actions = [place(0, 0, failing), place(1, 0, lookUp(sought, 20_000)), place(0, 5_000, price)];
    const stop = (program: number) => (why === 'fails' ? [] : [interruptAmidst('work', why, 0, program, BEYOND_DEADLINE_MS)]);
    return withMuch(actions, { pausing, interruptions: [WORKER_0, WORKER_1].flatMap(stop) });
  });

/** The deadline passes while a later attempt works; time passes while that attempt fails the job, so that a sweep comes to give it up, too. */
const failsLate = fc.tuple(ids, stepOf(70, 120)).map(([sought, step]) => {
  const late = [WORKER_0, WORKER_1].map((program) => interruptAmidst('failure', 'jump', 0, program, 5_000));
  return withMuch([place(0, 0, exporting(sought, { workMs: 20_000 })), place(1, NEARLY_DEADLINE_MS + 40_000, price)], {
    pausing: false,
    interruptions: [interrupt('jump', step, 0, NEARLY_DEADLINE_MS), ...late],
  });
});

/** Several jobs of a team are accepted and settled at once. */
const manyJobs = fc
  .tuple(ids, fc.integer({ min: 3, max: 5 }), fc.array(stepOf(10, 160), { maxLength: 4 }))
  .map(([sought, count, steps]) => {
    const job = (i: number) => (i % 4 === 3 ? exporting(sought) : lookUp(i ? sought.slice(0, 1) : sought));
    const jobs = Array.from({ length: count }, (_, i) => place(i % 2, 0, job(i)));
    return withMuch(jobs, { pausing: true, interruptions: steps.map((step) => interrupt('jump', step, 0, 3_000)) });
  });

/** Jobs that end while a request stands still with the lock of their pool: they wait for it, and others for a connection. */
const lockIsHeld = fc
  .tuple(fc.integer({ min: 3, max: 5 }), fc.integer({ min: 0, max: 2 }), fc.constantFrom(9_000, 12_000))
  .map(([count, step, ms]) => {
    const jobs = Array.from({ length: count }, (_, i) => place(1, 0, lookUp([i + 1], 3_000)));
    return withMuch([...jobs, place(0, 2_000, exporting([1]))], { interruptions: [interruptAmidst('acceptance', 'freeze', step, 0, ms)] });
  });

/**
 * Events are read as they come. Of a log that was read before, a reader stands still before it places events, and the next one before it has committed
 * theirs; further ones come meanwhile.
 */
const followed = fc.tuple(ids, stepOf(1, 2)).map(([sought, step]) => {
  const files = [
    ...[0, 3_000].map((afterMs) => place(1, afterMs, exporting(sought))),
    place(1, 3_000, exporting(sought, { workMs: 1_750 })),
  ];
  const readers = [1, 0, 1].map((api, i) => place(api, 5_000 + i * 500, follow));
  const interruptions = [interruptAmidst('opening', 'freeze', 0, 1, 3_000), interruptAmidst('placing', 'freeze', step, 0, 3_500)];
  return withMuch([...files, place(0, 1_000, follow), ...readers, place(0, 12_000, follow)], { interruptions });
});

/** Prices are asked for right after pages, while the first price of the team still opens its month. */
const priced = fc.tuple(ids, ids).map(([first, second]) => {
  const bought = [first, second].map((records) => place(0, 0, { ...price, bought: records }));
  return withMuch([place(0, 0, price), ...bought, place(1, 0, page(first))], { pausing: true, ...UNDISTURBED });
});

export const MOTIFS = {
  recordChangesBack,
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
  failsLate,
  manyJobs,
  lockIsHeld,
  followed,
  priced,
} as const satisfies Record<string, Arbitrary<Motif>>;
export type MotifName = keyof typeof MOTIFS;
