/**
 * Finds pairs of groups whose small numbers would follow from the outcomes shown of pairs and the answers about each dimension by itself. A
 * number is safe if it could be five or more and every answer still the same: records change their outcome for another one in the pair, in a
 * second pair of either group the other way round, and in the pair of these two groups as in the first. Pure, so that it can run on a thread.
 */
import { MINIMUM_GROUP_SIZE } from './minimumGroup.ts';

/** A pair of groups. Outcomes are numbered alike in all pairs. */
export interface OutcomePair {
  /** names of its two groups */
  keys: readonly [unknown, unknown];
  /** records with each outcome */
  counts: readonly number[];
  /** for each outcome, the sum of hidden counts that is shown, by a number; null where the count itself is shown */
  sums: readonly (number | null)[];
}

/** Pairs while records change their outcome. */
interface Movable extends OutcomePair {
  left: number[];
}

/** Whether records of a pair may change between two outcomes unseen. */
const hides = ({ sums }: OutcomePair, one: number, other: number) => sums[one] !== null && sums[one] === sums[other];

class Pairs {
  readonly #at = new Map<unknown, Map<unknown, Movable>>();
  readonly #ofSecond: ReadonlyMap<unknown, Movable[]>;
  readonly #changed = new Set<Movable>();
  readonly all: readonly Movable[];

  constructor(pairs: readonly OutcomePair[]) {
    this.all = pairs.map((pair) => ({ ...pair, left: [...pair.counts] }));
    this.#ofSecond = Map.groupBy(this.all, ({ keys: [, second] }) => second);
    for (const pair of this.all) {
      const [first, second] = pair.keys;
      this.#at.set(first, (this.#at.get(first) ?? new Map()).set(second, pair));
    }
  }

  /** Whether some outcomes of a pair, which few records have, could be those of five. */
  canRise(pair: Movable, outcomes: readonly number[]): boolean {
    let short = MINIMUM_GROUP_SIZE - outcomes.reduce((sum, outcome) => sum + (pair.counts[outcome] as number), 0);
    for (const to of outcomes)
      for (let from = 0; from < pair.counts.length && short > 0; from++)
        if (!outcomes.includes(from) && hides(pair, to, from)) short -= this.#raise(pair, to, from, short);
    for (const one of this.#changed) one.left = [...one.counts];
    this.#changed.clear();
    return short <= 0;
  }

  /** Changes records from one outcome to another. @returns how many */
  #raise(pair: Movable, to: number, from: number, most: number): number {
    let raised = 0;
    const isBeside = (one: Movable) => one !== pair && (one.left[to] as number) > 0 && hides(one, to, from);
    for (const inFirst of this.#at.get(pair.keys[0])?.values() ?? []) {
      if (!isBeside(inFirst)) continue;
      for (const inSecond of this.#ofSecond.get(pair.keys[1]) ?? []) {
        const opposite = this.#at.get(inSecond.keys[0])?.get(inFirst.keys[1]);
        if (!opposite || !isBeside(inSecond) || !hides(opposite, to, from)) continue;
        const falling = [pair.left[from], inFirst.left[to], inSecond.left[to], opposite.left[from]] as number[];
        const step = Math.min(most - raised, ...falling);
        for (const [one, sign] of [
          [pair, 1],
          [opposite, 1],
          [inFirst, -1],
          [inSecond, -1],
        ] as const) {
          one.left[to] = (one.left[to] as number) + sign * step;
          one.left[from] = (one.left[from] as number) - sign * step;
          this.#changed.add(one);
        }
        raised += step;
        if (raised >= most || pair.left[from] === 0) return raised;
        if (inFirst.left[to] === 0) break;
      }
    }
    return raised;
  }
}

function findExposedPairs(pairs: readonly OutcomePair[], sets: CountedSets): number[] {
  const movable = new Pairs(pairs);
  const isSmall = ({ counts }: OutcomePair, outcomes: readonly number[]) => {
    const sum = outcomes.reduce((all, outcome) => all + (counts[outcome] as number), 0);
    return sum > 0 && sum < MINIMUM_GROUP_SIZE;
  };
  return movable.all.flatMap((pair, i) => (sets.some((set) => isSmall(pair, set) && !movable.canRise(pair, set)) ? [i] : []));
}

/** Sets of outcomes whose sums are numbers of answers, those of one outcome among them. */
export type CountedSets = readonly (readonly number[])[];

/** A pair of which an answer shows something, or nothing: then the sum of all its outcomes is all that is known. */
export interface ShownPair extends OutcomePair {
  isShown: boolean;
}

/** The sum of all outcomes of a pair. */
export const ALL_SUM = 0;

/** The positions of pairs that have to be hidden until none exposes a number: first those that do, then those that share a group with them. */
export function findPairsToHide({ pairs, sets }: { pairs: readonly ShownPair[]; sets: CountedSets }): number[] {
  const left = [...pairs];
  const hidden: number[] = [];
  for (;;) {
    const exposed = findExposedPairs(left, sets);
    const isBeside = ({ keys }: ShownPair) => exposed.some((i) => keys.some((key, axis) => key === left[i]?.keys[axis]));
    const own = exposed.filter((i) => left[i]?.isShown);
    const more = own.length || !exposed.length ? own : left.flatMap((pair, i) => (pair.isShown && isBeside(pair) ? [i] : []));
    if (!more.length) return hidden;
    for (const i of more) left[i] = { ...(left[i] as ShownPair), isShown: false, sums: (left[i] as ShownPair).counts.map(() => ALL_SUM) };
    hidden.push(...more);
  }
}
