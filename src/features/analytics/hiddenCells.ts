/**
 * Decides which cells of a table are hidden. Every number rests on at least `MINIMUM_GROUP_SIZE` records, and all answers about one
 * selection together reveal no smaller group: the hidden part of a shown sum is at least that large, and more than one group. Otherwise all
 * groups tied for next smallest are hidden, over rows and columns, until nothing changes; and if rows and columns together would still
 * expose a hidden cell (exposure.ts), more cells are. It is decided from the coarsest table down, so that a table never depends on a finer
 * one. Pure.
 */
import { Chains } from './chains.ts';
import { Graph } from './exposure.ts';
import {
  addWeights,
  type Cells,
  type LevelTable,
  type LevelTables,
  makeLevelTables,
  makePlaceKey,
  secondsOf,
  type Table,
  type TableCell,
} from './levelTables.ts';
import { MINIMUM_GROUP_SIZE } from './minimumGroup.ts';

/** Cells whose sum is a shown cell. */
interface SumLine {
  /** number of levels between the cells and the sum */
  depth: number;
  /** the table of the sum, and its number there */
  over: Cells;
  sum: number;
  /** holds the cells of the line, in the list with the number of the sum */
  chains: Chains;
  /** whether it is to be looked at, since it may expose something */
  isWaiting: boolean;
}

/** Which cells are hidden in the table of a level of each axis, by their numbers; undefined if none is. */
export type HiddenAt = (level: readonly [number, number]) => Uint8Array | undefined;

/** The hidden cells of a table and of the coarser ones. */
export class HiddenCells {
  readonly #cells: readonly (readonly Cells[])[];

  constructor(cells: readonly (readonly Cells[])[]) {
    this.#cells = cells;
  }

  readonly hiddenAt: HiddenAt = ([i, j]) => this.#cells[i]?.[j]?.hidden;

  /** Number of hidden cells, those of coarser tables among them. */
  get size(): number {
    return this.#cells.flat().reduce((size, { hidden }) => size + countHidden(hidden), 0);
  }

  /** Whether each cell of the request may be shown. */
  listShownCells(): boolean[] {
    const asked = this.#cells.flat().filter(({ table }) => !table.finer);
    const shown = new Array<boolean>(asked[0]?.table.parts.length ?? 0).fill(false);
    for (const { table, hidden } of asked)
      for (let cell = 0; cell < shown.length; cell++) if (hidden[table.parts[cell] as number] === 0) shown[cell] = true;
    return shown;
  }

  /**
   * Whether a cell of the request may be shown.
   * @param at its position in the table
   * @param second the level of the second axis at which it is asked for, where that is not the finest
   */
  shows({ axes }: Pick<Table, 'axes'>, [a, b]: TableCell['at'], second?: number): boolean {
    const i = a === null ? 0 : axes[0].levels.length - 1;
    const j = second ?? (b === null ? 0 : axes[1].levels.length - 1);
    const cells = this.#cells[i]?.[j];
    const number = cells?.table.numbers.get(makePlaceKey(a ?? 0, b ?? 0, secondsOf({ axes })));
    return number !== undefined && cells?.hidden[number] === 0;
  }
}

const AXES = [0, 1] as const;

const isSmall = (weight: number) => weight > 0 && weight < MINIMUM_GROUP_SIZE;
const countHidden = (hidden: Uint8Array) => hidden.reduce((sum, one) => sum + one, 0);
const weightOf = ({ weights }: Cells, weight: number, cell: number) => weights[weight]?.[cell] ?? 0;

function measureHidden(cells: Cells, { chains, over, sum: number }: SumLine, weight: number): { groups: number; sum: number } {
  let [groups, hidden, shown] = [0, 0, 0];
  for (let cell = chains.first(number); cell >= 0; cell = chains.next(cell)) {
    const of = weightOf(cells, weight, cell);
    if (!cells.hidden[cell]) shown += of;
    else if (of > 0) {
      groups += 1;
      hidden += of;
    }
  }
  // If groups overlap, the sum lacks less than the hidden groups together.
  const lacking = weightOf(over, weight, number) - shown;
  return { groups, sum: Math.min(hidden, lacking > 0 ? lacking : Number.POSITIVE_INFINITY) };
}

/**
 * Hides all shown groups that are tied for smallest.
 * @returns these groups
 * @param all false skips groups that are shown elsewhere too, since hiding those hardly helps
 */
function hideSmallest(cells: Cells, among: Iterable<number>, weight: number, all = false): number[] {
  const { hidden, shownElsewhere } = cells;
  let tied: number[] = [];
  let smallest = Number.POSITIVE_INFINITY;
  for (const cell of among) {
    const of = weightOf(cells, weight, cell);
    if (hidden[cell] || (!all && shownElsewhere[cell]) || of <= 0 || of > smallest) continue;
    if (of < smallest) tied = [];
    tied.push(cell);
    smallest = of;
  }
  for (const cell of tied) hidden[cell] = 1;
  return tied;
}

/**
 * Hides the next smallest groups of a sum with too small a hidden part, or with a single hidden group.
 * @returns what was hidden
 */
function coverHidden(cells: Cells, line: SumLine, weight: number): number[] {
  const covered: number[] = [];
  for (;;) {
    const { groups, sum } = measureHidden(cells, line, weight);
    const isTooLittle = groups > 0 && sum < MINIMUM_GROUP_SIZE;
    if (!isTooLittle && groups !== 1) return covered;
    const lineCells = line.chains.listNumbers(line.sum);
    const more = hideSmallest(cells, lineCells, weight);
    const found = more.length || !isTooLittle ? more : hideSmallest(cells, lineCells, weight, true);
    if (!found.length) return covered;
    covered.push(...found);
  }
}

/** The sums over one axis, a number of levels above a table: by their numbers for each of its cells. */
interface Sums {
  over: Cells;
  numbers: Int32Array;
}

/** The nearest sums over an axis; then those of the sums themselves, and so on. */
function listSums({ above, table }: Cells, axis: 0 | 1): Sums[] {
  const [over, nearest] = [above[axis], table.sums[axis]];
  if (!over || !nearest) return [];
  const further = listSums(over, axis).map((sums) => ({ ...sums, numbers: nearest.map((sum) => sums.numbers[sum] as number) }));
  return [{ over, numbers: nearest }, ...further];
}

/** Makes an empty set of lines: one for each sum that is shown. */
const makeSet = ({ over, numbers }: Sums, depth: number, size: number) => ({
  over,
  numbers,
  depth,
  chains: new Chains(over.hidden.length, size),
  lines: new Array<SumLine | undefined>(over.hidden.length),
});

/** The lines of a table: those of nearer sums first, and then in the order of their first cells. */
class Lines {
  readonly all: SumLine[] = [];
  /** for each axis and depth, the lines by the numbers of their sums */
  readonly #sets: { numbers: Int32Array; lines: (SumLine | undefined)[] }[] = [];

  constructor(cells: Cells) {
    const size = cells.hidden.length;
    const sums = AXES.map((axis) => listSums(cells, axis));
    for (let depth = 0; sums.some((of) => of[depth]); depth++) {
      const sets = sums.flatMap((of) => of[depth] ?? []).map((one) => makeSet(one, depth, size));
      for (let cell = 0; cell < size; cell++) for (const set of sets) this.#add(set, cell);
      this.#sets.push(...sets);
    }
  }

  #add({ over, numbers, lines, depth, chains }: ReturnType<typeof makeSet>, cell: number): void {
    const sum = numbers[cell] as number;
    if (over.hidden[sum]) return;
    chains.add(sum, cell);
    if (lines[sum]) return;
    const line = { depth, over, sum, chains, isWaiting: false };
    lines[sum] = line;
    this.all.push(line);
  }

  listLines(cell: number): SumLine[] {
    return this.#sets.flatMap(({ numbers, lines }) => lines[numbers[cell] as number] ?? []);
  }
}

/**
 * Hides the next smallest groups of every line that exposes something, until none does. Lines of nearer sums come first: a county that is
 * covered by another one of its state is also covered in the country.
 * @param waiting lines that may expose something
 */
function settle(cells: Cells, lines: Lines, waiting: readonly SumLine[]): void {
  const queues: SumLine[][] = [];
  let nearest = 0;
  const add = (line: SumLine) => {
    if (line.isWaiting) return;
    line.isWaiting = true;
    queues[line.depth] ??= [];
    queues[line.depth]?.push(line);
    nearest = Math.min(nearest, line.depth);
  };
  for (const line of waiting) add(line);
  while (nearest < queues.length) {
    const line = queues[nearest]?.shift();
    if (!line) {
      nearest += 1;
      continue;
    }
    line.isWaiting = false;
    for (let weight = 0; weight < cells.weights.length; weight++)
      for (const cell of coverHidden(cells, line, weight)) for (const touched of lines.listLines(cell)) if (touched !== line) add(touched);
  }
}

/** Hides more cells if rows and columns together expose a hidden cell, although each alone does not. */
function closeGaps(cells: Cells, lines: Lines, weight: number): void {
  if (!cells.hidden.some((isHidden, cell) => isHidden && weightOf(cells, weight, cell) > 0)) return;
  const graph = new Graph(cells, weight);
  let bridges = graph.findBridges();
  let looked = graph.size;
  for (let number = 0; number < graph.size; ) {
    if (number === looked) {
      bridges = graph.findBridges();
      looked = graph.size;
    }
    const hidden = hideSmallest(cells, graph.findHelp(number, bridges) ?? [], weight);
    if (hidden.length) {
      const touched = hidden.flatMap((cell) => lines.listLines(cell));
      settle(cells, lines, touched);
      graph.refresh();
    } else number += 1;
  }
}

/**
 * The cells that are hidden.
 * @param table with every nonempty cell
 * @param within cells already hidden: a statistic of a hidden group is hidden
 */
export function suppressCells({ axes, cells }: Table, within?: HiddenAt): HiddenCells {
  const weights = (cells[0]?.weights ?? []).map((_, weight) => cells.map((cell) => cell.weights[weight] ?? 0));
  return suppressTables(makeLevelTables({ axes, at: cells.map(({ at }) => at) }), weights, within);
}

/** The cells of tables that are hidden. @param weights of the request's cells: for each weight, of every cell */
export function suppressTables(tables: LevelTables, weights: readonly (readonly number[])[], within?: HiddenAt): HiddenCells {
  const added = weights.map((weight) => addWeights(tables, weight));
  const all: Cells[][] = [];
  for (const [i, row] of tables.entries()) {
    const done: Cells[] = [];
    all.push(done);
    for (const [j, table] of row.entries()) {
      const own = added.map((of) => of.get(table) as Float64Array);
      done.push(suppressTable(table, own, [all[i - 1]?.[j], done[j - 1]], within?.([i, j])));
    }
  }
  return new HiddenCells(all);
}

/**
 * Marks cells whose records are exactly those of a coarser group that is shown; then the nearest one has them. The last sum is the whole, which is
 * not a group in other answers.
 */
function markShownElsewhere({ table, weights, hidden, shownElsewhere, above }: Cells): void {
  for (const axis of AXES) {
    const [over, sums] = [above[axis], table.sums[axis]];
    if (!over?.above[axis] || !sums) continue;
    for (let cell = 0; cell < hidden.length; cell++)
      if (!hidden[cell] && weights.every((of, weight) => of[cell] === weightOf(over, weight, sums[cell] as number)))
        shownElsewhere[cell] = 1;
  }
}

/** Hides cells that are small by themselves, and those of hidden sums. */
function hideSmall({ table, weights, hidden, above }: Cells): void {
  for (const of of weights) for (let cell = 0; cell < hidden.length; cell++) if (isSmall(of[cell] as number)) hidden[cell] = 1;
  for (const axis of AXES) {
    const [over, sums] = [above[axis]?.hidden, table.sums[axis]];
    if (over && sums) for (let cell = 0; cell < hidden.length; cell++) if (over[sums[cell] as number]) hidden[cell] = 1;
  }
}

function suppressTable(table: LevelTable, weights: readonly Float64Array[], above: Cells['above'], within: Uint8Array | undefined): Cells {
  const size = table.places.length;
  const cells: Cells = { table, weights, hidden: new Uint8Array(size), shownElsewhere: new Uint8Array(size), above };
  if (within) cells.hidden.set(within);
  hideSmall(cells);
  if (!above[0] && !above[1] && weightOf(cells, 0, 0) < MINIMUM_GROUP_SIZE) cells.hidden.fill(1);
  const hidden = countHidden(cells.hidden);
  if (hidden === 0 || hidden === size) return cells;
  markShownElsewhere(cells);
  const lines = new Lines(cells);
  settle(cells, lines, lines.all);
  if (above[0] && above[1]) for (let weight = 0; weight < weights.length; weight++) closeGaps(cells, lines, weight);
  return cells;
}
