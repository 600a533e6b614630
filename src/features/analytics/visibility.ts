/** Which numbers of a table may be shown: its counts, and each statistic of its cells. Pure, so that it can run on a thread. */
import { suppress } from './suppress.ts';
import type { Axis, Table, TableCell } from './table.ts';

/** A table and the weights of its numbers, cell by cell in the same order. */
export interface Weighed {
  axes: readonly [Axis, Axis];
  at: readonly TableCell['at'][];
  /** number of records of each cell */
  counts: readonly number[];
  /** for each statistic, the contributors to each cell: the weights of `TableCell` */
  statistics: readonly (readonly (readonly number[])[])[];
}

/** Whether each cell may be shown, in the order of `Weighed`. */
export interface Visibility {
  counts: boolean[];
  statistics: boolean[][];
}

/** Decides the visibility of a table; a statistic of a hidden group is hidden. */
export function visibilityOf({ axes, at, counts, statistics }: Weighed): Visibility {
  const tableBy = (weights: (cell: number) => readonly number[]): Table => ({
    axes,
    cells: at.map((place, cell) => ({ at: place, weights: weights(cell) })),
  });
  const byCounts = suppress(tableBy((cell) => [counts[cell] ?? 0]));
  const shown = at.map((place) => byCounts.shows({ axes }, place));
  return {
    counts: shown,
    statistics: statistics.map((weights) => {
      if (weights.every((of, cell) => of.every((weight) => weight === counts[cell]))) return shown; // every record states it
      const byStatistic = suppress(
        tableBy((cell) => weights[cell] ?? []),
        byCounts,
      );
      return at.map((place) => byStatistic.shows({ axes }, place));
    }),
  };
}
