/**
 * Tables of counts that groups of at most two dimensions make, whole, before anything is hidden; and the coarser tables that other answers about
 * the same selection show: the counties of a state, the months of a year, the totals of each dimension. Pure.
 */

/** Fewest records on which a number may rest. */
export const MINIMUM_GROUP_SIZE = 5;

/**
 * The groups of one dimension, numbered from 0, at each level from the whole (one group) to the groups themselves: `levels[level][group]` is the
 * number of the group of that level that contains a group. A table without the dimension has the whole alone.
 */
export interface Axis {
  levels: readonly (readonly number[])[];
}

/** An axis that nothing is grouped by. */
export const WHOLE: Axis = { levels: [[0]] };

/** @param between for each level between the whole and the groups, coarsest first, the group of that level for each group */
export const layered = (groups: number, between: readonly (readonly number[])[]): Axis => {
  const each = Array.from({ length: groups }, (_, group) => group);
  return { levels: [each.map(() => 0), ...between, each] };
};

/**
 * A cell, with what it counts. `null` is the sum over the dimension. The first weight is what the numbers of the cell rest on, records or
 * contributors; each further one is a part of it that is protected by itself.
 */
export interface TableCell {
  at: readonly [number | null, number | null];
  weights: readonly number[];
}

export interface Table {
  axes: readonly [Axis, Axis];
  /** of groups, and of the sums over one dimension and over both; a group of nothing has none */
  cells: readonly TableCell[];
}

/** A cell of one of the tables, coarse or fine. */
export interface Node {
  weights: number[];
  /** the cells that it is part of, one for each coarser level of the first axis and of the second, the nearest first */
  sums: readonly [readonly Node[], readonly Node[]];
  hidden: boolean;
  /** true where a coarser group that is shown holds just the same: to hide this one would hide nothing */
  shownElsewhere: boolean;
}

/** The table at one level of each axis. */
export interface LevelTable {
  level: readonly [number, number];
  /** by `nodeKey` of the numbers of its groups at the level */
  nodes: ReadonlyMap<number, Node>;
}

/** A whole number for a pair of groups, small where there are few. @param seconds more than the second ever is */
export const nodeKey = (first: number, second: number, seconds: number): number => first * seconds + second;

/** More than the number of any group of the second axis at any level. */
export const secondsOf = ({ axes }: Pick<Table, 'axes'>): number => axes[1].levels.at(-1)?.length || 1;

const hasDimension = ({ levels }: Axis) => levels.length > 1;

/** Whether a cell is counted in the tables of a level: sums at the level of the whole, groups at the others. */
const belongs = (axis: Axis, level: number, at: number | null) => !hasDimension(axis) || (level === 0) === (at === null);

const countDown = (from: number) => Array.from({ length: from }, (_, step) => from - 1 - step);

type NodesAt = Map<number, Node>[][];

/** Adds up the cells of a level. The cells of the coarser levels are there already. */
function fillLevel(table: Table, [i, j]: readonly [number, number], tables: NodesAt): Map<number, Node> {
  const [first, second] = table.axes;
  const seconds = secondsOf(table);
  const nodes = new Map<number, Node>();
  const firsts = first.levels[i] as readonly number[];
  const inSecond = second.levels[j] as readonly number[];
  const rows = countDown(i).map((level) => ({
    of: first.levels[level] as readonly number[],
    nodes: tables[level]?.[j] as Map<number, Node>,
  }));
  const columns = countDown(j).map((level) => ({
    of: second.levels[level] as readonly number[],
    nodes: tables[i]?.[level] as Map<number, Node>,
  }));
  for (const { at, weights } of table.cells) {
    if (!belongs(first, i, at[0]) || !belongs(second, j, at[1])) continue;
    const [a, b] = [at[0] ?? 0, at[1] ?? 0];
    const [row, column] = [firsts[a] ?? 0, inSecond[b] ?? 0];
    const key = nodeKey(row, column, seconds);
    const known = nodes.get(key);
    if (known) for (let k = 0; k < weights.length; k++) known.weights[k] = (known.weights[k] ?? 0) + (weights[k] ?? 0);
    else {
      const sums = [
        rows.map((sum) => sum.nodes.get(nodeKey(sum.of[a] ?? 0, column, seconds)) as Node),
        columns.map((sum) => sum.nodes.get(nodeKey(row, sum.of[b] ?? 0, seconds)) as Node),
      ] as const;
      nodes.set(key, { weights: [...weights], sums, hidden: false, shownElsewhere: false });
    }
  }
  return nodes;
}

/** The tables of all levels, each after those that are coarser. Coarser cells are the sums of those of the request, but for its own totals. */
export function levelTables(table: Table): LevelTable[] {
  const tables: NodesAt = table.axes[0].levels.map(() => []);
  return table.axes[0].levels.flatMap((_, i) =>
    table.axes[1].levels.map((__, j) => {
      const nodes = fillLevel(table, [i, j], tables);
      tables[i]?.push(nodes);
      return { level: [i, j] as const, nodes };
    }),
  );
}
