/**
 * Tables of counts by at most two dimensions, before anything is hidden; and the coarser tables shown by other answers about the same
 * selection: counties of a state, months of a year, totals of each dimension. Pure.
 */

/**
 * The groups of one dimension, numbered from 0, at each level from the whole (one group) to the groups themselves: `levels[level][group]`
 * is the number of the group of that level that contains a group. Groups that share one at a level share one at every coarser level, too.
 * Without the dimension there is only the whole.
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
export const makeLayeredAxis = (groups: number, between: readonly (readonly number[])[]): Axis => {
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

/** The axes of a table, and where its cells are. */
export interface TableLayout {
  axes: Table['axes'];
  at: readonly TableCell['at'][];
}

/** Numbers of a group of each axis. */
type Place = readonly [number, number];

/** The table at one level of each axis. Its cells have numbers, from 0 on as they appear among those of the request. */
export interface LevelTable {
  /** a place that lies in each cell */
  places: Place[];
  /** the numbers of its cells, by `makePlaceKey` of their groups at the level */
  numbers: Map<number, number>;
  /** the table whose cells add up to these; undefined if cells of the request do */
  finer: LevelTable | undefined;
  /** for each of those cells, the number of the cell that contains it; -1 if none does */
  parts: Int32Array;
  /** over each axis, the numbers of the nearest sums that contain the cells; undefined for the whole */
  sums: [Int32Array | undefined, Int32Array | undefined];
  /** number of cells of the tables before it, coarser ones first: plus its own number, it tells a cell from those of all tables */
  offset: number;
}

/** The tables of all levels: `tables[i][j]` is at level `i` of the first axis and at level `j` of the second. */
export type LevelTables = readonly (readonly LevelTable[])[];

/** A number that identifies a pair of groups. @param seconds greater than any number of the second axis */
export const makePlaceKey = (first: number, second: number, seconds: number): number => first * seconds + second;

/** Greater than the number of any group of the second axis, at any level. */
export const secondsOf = ({ axes }: Pick<Table, 'axes'>): number => axes[1].levels.at(-1)?.length || 1;

function makeKeyFunction({ axes }: TableLayout, [i, j]: Place): (place: Place) => number {
  const [firsts, inSecond] = [axes[0].levels[i] as readonly number[], axes[1].levels[j] as readonly number[]];
  const seconds = secondsOf({ axes });
  return ([a, b]) => makePlaceKey(firsts[a] as number, inSecond[b] as number, seconds);
}

export const hasDimension = ({ levels }: Axis) => levels.length > 1;

/** Whether a cell belongs to the tables of a level: sums to the level of the whole, groups to the others. */
const belongs = (axis: Axis, level: number, at: number | null) => !hasDimension(axis) || (level === 0) === (at === null);

/** The places that add up to the cells of a level; undefined for cells of the request that do not. */
const placesFor = ({ axes: [first, second], at }: TableLayout, [i, j]: Place): (Place | undefined)[] =>
  at.map(([a, b]) => (belongs(first, i, a) && belongs(second, j, b) ? [a ?? 0, b ?? 0] : undefined));

function makeTable(layout: TableLayout, level: Place, finer: LevelTable | undefined): LevelTable {
  const keyOf = makeKeyFunction(layout, level);
  const summands = finer?.places ?? placesFor(layout, level);
  const parts = new Int32Array(summands.length).fill(-1);
  const places: Place[] = [];
  const numbers = new Map<number, number>();
  for (let i = 0; i < summands.length; i++) {
    const place = summands[i];
    if (!place) continue;
    const key = keyOf(place);
    const number = numbers.get(key) ?? places.length;
    if (number === places.length) {
      numbers.set(key, number);
      places.push(place);
    }
    parts[i] = number;
  }
  return { places, numbers, finer, parts, sums: [undefined, undefined], offset: 0 };
}

/** The numbers of the sums that contain the cells of a table. */
function findSums(layout: TableLayout, { places }: LevelTable, level: Place, sums: LevelTable): Int32Array {
  const keyOf = makeKeyFunction(layout, level);
  const found = new Int32Array(places.length);
  for (let i = 0; i < places.length; i++) {
    const sum = sums.numbers.get(keyOf(places[i] as Place));
    if (sum === undefined) throw new Error('A table lacks the sum of a cell.');
    found[i] = sum;
  }
  return found;
}

/** Tells tables the coarser ones, and what comes before them. */
function linkTables(layout: TableLayout, tables: LevelTables): void {
  let offset = 0;
  for (const [i, row] of tables.entries())
    for (const [j, table] of row.entries()) {
      const above = [tables[i - 1]?.[j], row[j - 1]] as const;
      const levels = [[i - 1, j] as const, [i, j - 1] as const] as const;
      for (const axis of [0, 1] as const) {
        const sums = above[axis];
        if (sums) table.sums[axis] = sums.finer === table ? sums.parts : findSums(layout, table, levels[axis], sums);
      }
      table.offset = offset;
      offset += table.places.length;
    }
}

/** The tables of all levels. Coarser cells are sums of the request's cells, except its own totals. */
export function makeLevelTables(layout: TableLayout): LevelTables {
  const [rows, columns] = layout.axes.map(({ levels }) => levels.length) as [number, number];
  const tables: LevelTable[][] = Array.from({ length: rows }, () => []);
  for (let i = rows - 1; i >= 0; i--)
    for (let j = columns - 1; j >= 0; j--) {
      const finer = (i > 0 ? tables[i + 1]?.[j] : undefined) ?? (j > 0 ? tables[i]?.[j + 1] : undefined);
      (tables[i] as LevelTable[])[j] = makeTable(layout, [i, j], finer);
    }
  linkTables(layout, tables);
  return tables;
}

/** The cells of a table: what they add up to, and what of it is hidden so far. All by their numbers. */
export interface Cells {
  table: LevelTable;
  weights: readonly Float64Array[];
  hidden: Uint8Array;
  /** whether a shown coarser group has exactly the same records, so that hiding the cell would hide nothing */
  shownElsewhere: Uint8Array;
  /** over each axis, the nearest coarser table, which holds the sums of these cells */
  above: readonly [Cells | undefined, Cells | undefined];
}

/** Adds up a weight of the request's cells for each table. */
export function addWeights(tables: LevelTables, weight: readonly number[]): Map<LevelTable, Float64Array> {
  const added = new Map<LevelTable, Float64Array>();
  for (const table of tables.flat().reverse()) {
    const summands = table.finer ? (added.get(table.finer) as Float64Array) : weight;
    const sums = new Float64Array(table.places.length);
    for (let i = 0; i < summands.length; i++) {
      const part = table.parts[i] as number;
      if (part >= 0) sums[part] = (sums[part] as number) + (summands[i] as number);
    }
    added.set(table, sums);
  }
  return added;
}
