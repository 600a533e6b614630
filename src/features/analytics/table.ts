/**
 * Tables of counts by at most two dimensions, before anything is hidden; and the coarser tables shown by other answers about the same
 * selection: counties of a state, months of a year, totals of each dimension. Pure.
 */

/** Fewest records on which a number may rest. */
export const MINIMUM_GROUP_SIZE = 5;

/**
 * The groups of one dimension, numbered from 0, at each level from the whole (one group) to the groups themselves: `levels[level][group]`
 * is the number of the group of that level that contains a group. Without the dimension there is only the whole.
 */
export interface Axis {
  levels: readonly (readonly number[])[];
}

/** The axis of a table without this dimension. */
export const WHOLE: Axis = { levels: [[0]] };

/**
 * An axis with intermediate levels.
 * @param between for each level between the whole and the groups, coarsest first, the group of that level for each group
 */
export const layeredAxis = (groups: number, between: readonly (readonly number[])[]): Axis => {
  const each = Array.from({ length: groups }, (_, group) => group);
  return { levels: [each.map(() => 0), ...between, each] };
};

/**
 * A cell and its counts. A `null` position means the sum over the dimension. The first weight is the number of records or contributors;
 * each further one is a part of it that is protected separately.
 */
export interface TableCell {
  at: readonly [number | null, number | null];
  weights: readonly number[];
}

export interface Table {
  axes: readonly [Axis, Axis];
  /** groups, sums over one dimension, and the sum over both; empty groups are absent */
  cells: readonly TableCell[];
}

/** A cell of one of the tables, at any level. */
export interface Node {
  weights: number[];
  /** the sums that contain the cell, for each coarser level of the first axis and of the second, nearest first */
  sums: readonly [readonly Node[], readonly Node[]];
  hidden: boolean;
  /** whether a shown coarser group has exactly the same records, so that hiding this one would hide nothing */
  shownElsewhere: boolean;
}

/** The table at one level of each axis. */
export interface LevelTable {
  level: readonly [number, number];
  /** by `nodeKey` of the numbers of its groups at the level */
  nodes: ReadonlyMap<number, Node>;
}

/**
 * A number that identifies a pair of groups.
 * @param seconds greater than any number of the second axis
 */
export const nodeKey = (first: number, second: number, seconds: number): number => first * seconds + second;

/** Greater than the number of any group of the second axis, at any level. */
export const secondsOf = ({ axes }: Pick<Table, 'axes'>): number => axes[1].levels.at(-1)?.length || 1;

const hasDimension = ({ levels }: Axis) => levels.length > 1;

/** Whether a cell belongs to the tables of a level: sums to the level of the whole, groups to the others. */
const belongs = (axis: Axis, level: number, at: number | null) => !hasDimension(axis) || (level === 0) === (at === null);

const countDown = (from: number) => Array.from({ length: from }, (_, step) => from - 1 - step);

type NodesAt = Map<number, Node>[][];

/** Adds up the cells of a level; the coarser levels must be complete. */
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

/** The tables of all levels, each after the coarser ones. Coarser cells are sums of the request's cells, except its own totals. */
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
