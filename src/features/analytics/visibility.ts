/** Which numbers of a table may be shown: its counts, and each statistic of its cells. Pure, so that it can run on a thread. */
import { type HiddenAt, type HiddenCells, suppressCells } from './suppress.ts';
import { type Axis, nodeKey, secondsOf, type Table, type TableCell } from './table.ts';

/** A sum over groups of the second axis. */
export interface WeighedSum {
  /** the group of the first axis; null for the sum over it */
  first: number | null;
  /** the level of the second axis, and the number of a group of that level */
  level: number;
  group: number;
}

/** A table and the weights of its numbers, cell by cell in the same order. */
export interface Weighed {
  axes: readonly [Axis, Axis];
  /** other coarser groups that contain those of the first axis, where these are pairs of groups of two dimensions */
  crossing?: Axis;
  at: readonly TableCell['at'][];
  /** number of records of each cell */
  counts: readonly number[];
  /** for each statistic, the contributors to each cell: the weights of `TableCell` */
  statistics: readonly (readonly (readonly number[])[])[];
  /** groups of the first axis that other answers hide */
  hidden?: readonly number[];
  /** sums of the last statistic that are asked for with its cells */
  sums?: readonly WeighedSum[];
}

/** Whether each cell may be shown, in the order of `Weighed`. */
export interface Visibility {
  counts: boolean[];
  statistics: boolean[][];
  sums: boolean[];
}

/** Decides the visibility of a table; a statistic of a hidden group is hidden. */
export function visibilityOf(weighed: Weighed): Visibility {
  const { axes, at, counts, statistics, sums = [] } = weighed;
  const byCounts = hiddenBy(weighed, (cell) => [counts[cell] ?? 0], undefined);
  const shown = at.map((place) => byCounts.shows({ axes }, place));
  let last = byCounts;
  const each = statistics.map((weights) => {
    if (weights.every((of, cell) => of.every((weight) => weight === counts[cell]))) return shown; // every record states it
    last = hiddenBy(weighed, (cell) => weights[cell] ?? [], byCounts);
    return at.map((place) => last.shows({ axes }, place));
  });
  return { counts: shown, statistics: each, sums: sums.map(({ first, level, group }) => last.shows({ axes }, [first, group], level)) };
}

/** The cells of the numbers with these weights that are hidden. @param within whose hidden cells are hidden here, too */
function hiddenBy(
  { axes, crossing, at, hidden }: Weighed,
  weights: (cell: number) => readonly number[],
  within?: HiddenCells,
): HiddenCells {
  const cells = at.map((place, cell) => ({ at: place, weights: weights(cell) }));
  const isHidden = new Set((hidden ?? []).map((first) => nodeKey(first, 0, secondsOf({ axes }))));
  const finest = axes[0].levels.length - 1;
  const given: HiddenAt = (level) => {
    const isWithin = within?.hiddenAt(level);
    return (key) => isWithin?.(key) || (level[0] === finest && level[1] === 0 && isHidden.has(key));
  };
  return crossing ? suppressCrossing({ axes, cells }, crossing, given) : suppressCells({ axes, cells }, given);
}

/** The cells that any of them hides. */
const anyOf =
  (...all: readonly HiddenAt[]): HiddenAt =>
  (level) => {
    const each = all.map((hiddenAt) => hiddenAt(level));
    return (key) => each.some((isHidden) => isHidden(key));
  };

const finestLevel = ({ axes }: Table) => axes[0].levels.length - 1;

/** What is hidden of the finest groups of the first axis of one table, in another table of the same finest groups. */
const hiddenFinest =
  (hiddenAt: HiddenAt, from: Table, to: Table): HiddenAt =>
  ([i, j]) =>
    i === finestLevel(to) ? hiddenAt([finestLevel(from), j]) : () => false;

/**
 * Hides cells of groups that lie in two chains of coarser groups, as a pair of a county and a use lies in those of its county and in those of
 * its use: what one chain hides the other does too, until neither hides more.
 */
function suppressCrossing(table: Table, crossing: Axis, given: HiddenAt): HiddenCells {
  const other: Table = { ...table, axes: [crossing, table.axes[1]] };
  let hidden = suppressCells(table, given);
  for (;;) {
    const across = suppressCells(other, hiddenFinest(hidden.hiddenAt, table, other));
    const both = suppressCells(
      table,
      anyOf(given, hiddenFinest(hidden.hiddenAt, table, table), hiddenFinest(across.hiddenAt, other, table)),
    );
    if (both.size === hidden.size) return both;
    hidden = both;
  }
}
