/**
 * An attacker who combines all answers about one selection (the whole, the groups of each dimension at each level, and those of two dimensions)
 * as equations between nonnegative cells. A linear program computes how small and how large each hidden cell can be.
 */
import { type Constraint, equalTo, solve } from 'yalps';
import { suppressCells } from '../../src/features/analytics/hiddenCells.ts';
import type { Axis, Table, TableCell } from '../../src/features/analytics/levelTables.ts';
import type { Random } from './random.ts';

/** The group of a record on each axis, and its part of each weight. */
export interface Placed {
  at: readonly [number, number];
  weights: readonly number[];
}

/** The cells of two dimensions and their sums, from records that are in one group each. */
export function tableOf(axes: readonly [Axis, Axis], records: readonly Placed[]): Table {
  const cells = new Map<string, { at: [number | null, number | null]; weights: number[] }>();
  const [first, second] = axes.map(({ levels }) => levels.length > 1);
  for (const { at, weights } of records)
    for (const a of first ? [null, at[0]] : [null])
      for (const b of second ? [null, at[1]] : [null]) {
        const cell = cells.get(`${a}|${b}`) ?? { at: [a, b] as [number | null, number | null], weights: weights.map(() => 0) };
        cells.set(`${a}|${b}`, cell);
        weights.forEach((weight, i) => {
          cell.weights[i] = (cell.weights[i] ?? 0) + weight;
        });
      }
  return { axes, cells: [...cells.values()] as TableCell[] };
}

/** The axis of a request for one of its coarser levels. */
export const upTo = ({ levels }: Axis, level: number): Axis => {
  const own = levels[level] as readonly number[];
  const groups = level === 0 ? 1 : Math.max(...own) + 1;
  const ofGroup = Array.from({ length: groups }, (_, group) => own.indexOf(group));
  return { levels: levels.slice(0, level + 1).map((coarser) => ofGroup.map((fine) => coarser[fine] ?? 0)) };
};

/** The numbers in one answer: sets of the finest cells, with their sums. */
export interface Shown {
  /** names of finest cells */
  of: string[];
  sum: number;
}
export interface Known {
  shown: Shown[];
  /** every nonempty set of cells that some answer hides */
  hidden: Shown[];
}

/** All answers about one selection. @param weight index of the requested weight @param decide decides which cells are hidden */
export function allAnswers(
  axes: readonly [Axis, Axis],
  records: readonly Placed[],
  weight: number,
  decide: (table: Table, ofLevel: (record: Placed) => Placed) => (at: TableCell['at']) => boolean = (table) => {
    const hidden = suppressCells(table);
    return (at) => hidden.shows(table, at);
  },
): Known {
  const known: Known = { shown: [], hidden: [] };
  for (let i = 0; i < axes[0].levels.length; i++)
    for (let j = 0; j < axes[1].levels.length; j++) {
      const asked = [upTo(axes[0], i), upTo(axes[1], j)] as const;
      const ofLevel = ({ at, weights }: Placed): Placed => ({
        at: [axes[0].levels[i]?.[at[0]] ?? 0, axes[1].levels[j]?.[at[1]] ?? 0],
        weights,
      });
      const table = tableOf(asked, records.map(ofLevel));
      const shows = decide(table, ofLevel);
      for (const { at, weights } of table.cells) {
        const finest = cellsOf(axes, [i, j], at);
        const sum = weights[weight] ?? 0;
        if (sum > 0) (shows(at) ? known.shown : known.hidden).push({ of: finest, sum });
      }
    }
  return known;
}

function cellsOf(axes: readonly [Axis, Axis], level: readonly [number, number], at: TableCell['at']): string[] {
  const inGroup = (axis: 0 | 1) =>
    (axes[axis].levels[level[axis]] ?? []).flatMap((group, fine) => (at[axis] === null || group === at[axis] ? [fine] : []));
  return inGroup(0).flatMap((a) => inGroup(1).map((b) => `${a}|${b}`));
}

export interface Found {
  cell: Shown;
  least: number;
  most: number;
}

/**
 * The bounds of each hidden cell that the attacker can compute.
 * @param empty cells that the attacker knows to be empty, such as a county in another state
 */
export function attack({ shown, hidden }: Known, empty: ReadonlySet<string>): Found[] {
  const sums = new Map<string, { of: Set<string>; sum: number }>();
  for (const { of, sum } of shown) {
    const cells = of.filter((cell) => !empty.has(cell));
    sums.set(cells.join(), { of: new Set(cells), sum });
  }
  const constraints = Object.fromEntries([...sums].map(([name, { sum }]) => [name, equalTo(sum)])) as Record<string, Constraint>;
  const cells = new Set([...shown, ...hidden].flatMap(({ of }) => of).filter((cell) => !empty.has(cell)));
  const inSums = (cell: string) => [...sums].flatMap(([name, { of }]) => (of.has(cell) ? [[name, 1] as const] : []));
  const variables = [...cells].map((cell) => [cell, Object.fromEntries(inSums(cell))] as const);
  const bound = (wanted: Shown, direction: 'minimize' | 'maximize') => {
    const aimed = variables.map(([cell, of]) => [cell, { ...of, wanted: wanted.of.includes(cell) ? 1 : 0 }] as const);
    const { status, result } = solve({ direction, objective: 'wanted', constraints, variables: aimed });
    if (status === 'unbounded') return Number.POSITIVE_INFINITY;
    if (status !== 'optimal') throw new Error(`The answers contradict each other: ${status}`);
    return result;
  };
  return hidden.map((cell) => ({ cell, least: bound(cell, 'minimize'), most: bound(cell, 'maximize') }));
}

/** A random axis with up to two levels of coarser groups. */
export function randomAxis(random: Random, groups: number): Axis {
  const levels: number[][] = [];
  let above = Array.from({ length: groups }, (_, group) => group);
  for (let depth = random.integer(0, 2); depth > 0; depth--) {
    const size = Math.max(...above) + 1;
    if (size < 2) break;
    const [to, seen] = [Array.from({ length: size }, () => random.integer(0, Math.ceil(size / 2))), new Map<number, number>()];
    for (const group of to) if (!seen.has(group)) seen.set(group, seen.size);
    above = above.map((group) => seen.get(to[group] as number) as number);
    levels.unshift(above);
  }
  const each = Array.from({ length: groups }, (_, group) => group);
  return { levels: [each.map(() => 0), ...levels, each] };
}

/** Random records: few in most groups and many in some, as in real data. */
export function randomRecords(random: Random, axes: readonly [Axis, Axis], weights: (random: Random) => number[]): Placed[] {
  const skew = random.integer(1, 3);
  const pick = (axis: Axis) => Math.floor((axis.levels[0]?.length ?? 1) * random.next() ** skew);
  return Array.from({ length: random.integer(0, 120) }, () => ({ at: [pick(axes[0]), pick(axes[1])] as const, weights: weights(random) }));
}
