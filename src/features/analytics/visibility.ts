/** Which numbers of a table may be shown: its counts, and each statistic of its cells. Pure, so that it can run on a thread. */
import { type HiddenAt, type HiddenCells, suppressTables } from './hiddenCells.ts';
import { type Axis, type LevelTables, makeLevelTables, makePlaceKey, secondsOf, type TableLayout } from './levelTables.ts';

/** A sum over groups of the second axis. */
export interface WeighedSum {
  /** the group of the first axis; null for the sum over it */
  first: number | null;
  /** the level of the second axis, and the number of a group of that level */
  level: number;
  group: number;
}

/** A table and the weights of its numbers, cell by cell in the same order. */
export interface Weighed extends TableLayout {
  /** other coarser groups that contain those of the first axis, where these are pairs of groups of two dimensions */
  crossing?: Axis;
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
export function decideVisibility(weighed: Weighed): Visibility {
  const { axes, counts, statistics, sums = [] } = weighed;
  const hide = makeHider(weighed);
  const byCounts = hide([counts]);
  const shown = byCounts.listShownCells();
  let last = byCounts;
  const each = statistics.map((weights) => {
    if (weights.every((of, cell) => of.every((weight) => weight === counts[cell]))) return shown; // every record states it
    const byWeight = (weights[0] ?? []).map((_, i) => weights.map((of) => of[i] ?? 0));
    last = hide(byWeight, byCounts);
    return last.listShownCells();
  });
  return { counts: shown, statistics: each, sums: sums.map(({ first, level, group }) => last.shows({ axes }, [first, group], level)) };
}

/** Hides cells of numbers with these weights: for each weight, of every cell. @param within whose hidden cells are hidden here, too */
type Hider = (weights: readonly (readonly number[])[], within?: HiddenCells) => HiddenCells;

function makeHider({ axes, crossing, at, hidden = [] }: Weighed): Hider {
  const tables = makeLevelTables({ axes, at });
  const other = crossing && makeLevelTables({ axes: [crossing, axes[1]], at });
  const groups = tables.at(-1)?.[0];
  const isHidden = new Uint8Array(groups?.places.length ?? 0);
  for (const first of hidden) {
    const number = groups?.numbers.get(makePlaceKey(first, 0, secondsOf({ axes })));
    if (number !== undefined) isHidden[number] = 1;
  }
  const hiddenGroups: HiddenAt = ([i, j]) => (hidden.length && i === tables.length - 1 && j === 0 ? isHidden : undefined);
  return (weights, within) => {
    const given = within ? anyOf(within.hiddenAt, hiddenGroups) : hiddenGroups;
    return other ? suppressCrossing(tables, other, weights, given) : suppressTables(tables, weights, given);
  };
}

/** The cells that any of them hides. */
const anyOf =
  (...all: readonly HiddenAt[]): HiddenAt =>
  (level) => {
    const each = all.flatMap((hiddenAt) => hiddenAt(level) ?? []);
    return each.length ? each.reduce((one, other) => one.map((isHidden, cell) => Math.max(isHidden, other[cell] as number))) : undefined;
  };

/** What is hidden of the finest groups of the first axis of one table, in another table of the same finest groups. */
const hiddenFinest =
  (hiddenAt: HiddenAt, from: LevelTables, to: LevelTables): HiddenAt =>
  ([i, j]) =>
    i === to.length - 1 ? hiddenAt([from.length - 1, j]) : undefined;

/**
 * Hides cells of groups that lie in two chains of coarser groups, as a pair of a county and a use lies in those of its county and in those of
 * its use: what one chain hides the other does too, until neither hides more.
 */
function suppressCrossing(tables: LevelTables, other: LevelTables, weights: readonly (readonly number[])[], given: HiddenAt): HiddenCells {
  let hidden = suppressTables(tables, weights, given);
  for (;;) {
    const across = suppressTables(other, weights, hiddenFinest(hidden.hiddenAt, tables, other));
    const both = suppressTables(
      tables,
      weights,
      anyOf(given, hiddenFinest(hidden.hiddenAt, tables, tables), hiddenFinest(across.hiddenAt, other, tables)),
    );
    if (both.size === hidden.size) return both;
    hidden = both;
  }
}
