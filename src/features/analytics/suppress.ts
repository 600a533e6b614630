/**
 * Decides which cells of a table are hidden. Every number rests on at least `MINIMUM_GROUP_SIZE` records, and all answers about one
 * selection together reveal no smaller group: the hidden part of a shown sum is at least that large, and more than one group. Otherwise all
 * groups tied for next smallest are hidden, over rows and columns, until nothing changes; and if rows and columns together would still
 * expose a hidden cell (exposure.ts), more cells are. It is decided from the coarsest table down, so that a table never depends on a finer
 * one. Pure.
 */
import { Graph } from './exposure.ts';
import { type LevelTable, levelTables, MINIMUM_GROUP_SIZE, type Node, nodeKey, secondsOf, type Table, type TableCell } from './table.ts';

/** Cells whose sum is a shown cell. */
interface SumLine {
  /** number of levels between the cells and the sum */
  depth: number;
  sum: Node;
  nodes: Node[];
}

/** Whether a cell, by its `nodeKey`, is hidden in the table of a level. */
export type HiddenAt = (level: LevelTable['level']) => (key: number) => boolean;

/** The hidden cells of a table and of the coarser ones. */
export class HiddenCells {
  readonly #tables: readonly LevelTable[];

  constructor(tables: readonly LevelTable[]) {
    this.#tables = tables;
  }

  /** The cells of a pair of levels, one of each axis. */
  #nodes([i, j]: LevelTable['level']): LevelTable['nodes'] {
    return this.#tables.find(({ level }) => level[0] === i && level[1] === j)?.nodes ?? new Map();
  }

  readonly hiddenAt: HiddenAt = (level) => {
    const nodes = this.#nodes(level);
    return (key) => nodes.get(key)?.hidden ?? false;
  };

  /** Number of hidden cells, those of coarser tables among them. */
  get size(): number {
    return this.#tables.reduce((sum, { nodes }) => sum + [...nodes.values()].filter(({ hidden }) => hidden).length, 0);
  }

  /**
   * Whether a cell of the request may be shown.
   * @param at its position in the table
   * @param second the level of the second axis at which it is asked for, where that is not the finest
   */
  shows({ axes }: Pick<Table, 'axes'>, at: TableCell['at'], second?: number): boolean {
    const finest = axes.map(({ levels }, i) => (at[i] === null ? 0 : levels.length - 1)) as [number, number];
    const node = this.#nodes([finest[0], second ?? finest[1]]).get(nodeKey(at[0] ?? 0, at[1] ?? 0, secondsOf({ axes })));
    return node !== undefined && !node.hidden;
  }
}

const isSmall = (weight: number) => weight > 0 && weight < MINIMUM_GROUP_SIZE;
const weightOf = (node: Node, weight: number) => node.weights[weight] ?? 0;
const isSame = (a: Node, b: Node) => a.weights.every((weight, k) => weight === b.weights[k]);

/** The hidden part of a sum. */
function hiddenOf(line: SumLine, weight: number): { groups: number; sum: number } {
  let [groups, hidden, shown] = [0, 0, 0];
  for (const node of line.nodes) {
    const of = weightOf(node, weight);
    if (!node.hidden) shown += of;
    else if (of > 0) {
      groups += 1;
      hidden += of;
    }
  }
  // If groups overlap, the sum lacks less than the hidden groups together.
  const lacking = weightOf(line.sum, weight) - shown;
  return { groups, sum: Math.min(hidden, lacking > 0 ? lacking : Number.POSITIVE_INFINITY) };
}

/**
 * Hides all shown groups that are tied for smallest.
 * @returns these groups
 * @param all false skips groups that are shown elsewhere too, since hiding those hardly helps
 */
function hideSmallest(nodes: readonly Node[], weight: number, all = false): Node[] {
  const shown = nodes.filter((node) => !node.hidden && (all || !node.shownElsewhere) && weightOf(node, weight) > 0);
  const smallest = Math.min(...shown.map((node) => weightOf(node, weight)));
  const tied = shown.filter((node) => weightOf(node, weight) === smallest);
  for (const node of tied) node.hidden = true;
  return tied;
}

/**
 * Hides the next smallest groups of a sum with too small a hidden part, or with a single hidden group.
 * @returns what was hidden
 */
function cover(line: SumLine, weight: number): Node[] {
  const covered: Node[] = [];
  for (;;) {
    const { groups, sum } = hiddenOf(line, weight);
    const isTooLittle = groups > 0 && sum < MINIMUM_GROUP_SIZE;
    if (!isTooLittle && groups !== 1) return covered;
    const more = hideSmallest(line.nodes, weight);
    const found = more.length || !isTooLittle ? more : hideSmallest(line.nodes, weight, true);
    if (!found.length) return covered;
    covered.push(...found);
  }
}

class Lines {
  readonly all: SumLine[] = [];
  readonly #of = new Map<Node, SumLine[]>();

  constructor(nodes: readonly Node[]) {
    const known = [new Map<Node, SumLine>(), new Map<Node, SumLine>()] as const;
    const deepest = Math.max(...(nodes[0]?.sums.map(({ length }) => length) ?? []));
    for (let depth = 0; depth < deepest; depth++)
      for (const node of nodes)
        for (const axis of [0, 1] as const) {
          const sum = node.sums[axis][depth];
          if (sum && !sum.hidden) this.#add(known[axis], sum, node, depth);
        }
  }

  #add(known: Map<Node, SumLine>, sum: Node, node: Node, depth: number): void {
    let line = known.get(sum);
    if (!line) {
      line = { depth, sum, nodes: [] };
      known.set(sum, line);
      this.all.push(line);
    }
    line.nodes.push(node);
    const lines = this.#of.get(node);
    if (lines) lines.push(line);
    else this.#of.set(node, [line]);
  }

  linesOf(node: Node): readonly SumLine[] {
    return this.#of.get(node) ?? [];
  }
}

/**
 * Hides the next smallest groups of every line that exposes something, until none does. Lines of nearer sums come first: a county that is
 * covered by another one of its state is also covered in the country.
 * @param waiting lines that may expose something
 */
function settle(lines: Lines, weights: number, waiting: readonly SumLine[]): void {
  const queues: Set<SumLine>[] = [];
  const add = (line: SumLine) => {
    const queue = queues[line.depth] ?? new Set();
    queues[line.depth] = queue.add(line);
  };
  for (const line of waiting) add(line);
  for (let queue = queues.find((one) => one?.size); queue; queue = queues.find((one) => one?.size)) {
    const [line] = queue;
    if (!line) return;
    queue.delete(line);
    for (let weight = 0; weight < weights; weight++)
      for (const node of cover(line, weight)) for (const touched of lines.linesOf(node)) if (touched !== line) add(touched);
  }
}

/** The nearest shown sum of a cell along one axis; if all are hidden, the nearest one of the sum that contains it along the other axis. */
function nearestSum(node: Node, along: 0 | 1): Node {
  const shown = node.sums[along].find((sum) => !sum.hidden);
  if (shown) return shown;
  const [wider] = node.sums[along === 0 ? 1 : 0];
  return wider ? nearestSum(wider, along) : node;
}

/** Hides more cells if rows and columns together expose a hidden cell, although each alone does not. */
function closeGaps(cells: readonly Node[], lines: Lines, weight: number, weights: number): void {
  const nodes = cells.filter((node) => weightOf(node, weight) > 0);
  if (!nodes.some(({ hidden }) => hidden)) return;
  const graph = new Graph(
    nodes.map((node) => ({ node, ends: [nearestSum(node, 1), nearestSum(node, 0)], weight: weightOf(node, weight) })),
  );
  let bridges = graph.bridges();
  let looked = graph.size;
  for (let number = 0; number < graph.size; ) {
    if (number === looked) {
      bridges = graph.bridges();
      looked = graph.size;
    }
    const hidden = hideSmallest(graph.helpFor(number, bridges.has(number)) ?? [], weight);
    if (hidden.length) {
      const touched = hidden.flatMap((node) => lines.linesOf(node));
      settle(lines, weights, touched);
      graph.refresh();
    } else number += 1;
  }
}

/**
 * The cells that are hidden.
 * @param table with every nonempty cell
 * @param within cells already hidden: a statistic of a hidden group is hidden
 */
export function suppressCells(table: Table, within?: HiddenAt): HiddenCells {
  const tables = levelTables(table);
  const done = new HiddenCells(tables);
  const weights = table.cells[0]?.weights.length ?? 0;
  for (const one of tables) suppressLevel(one, weights, within?.(one.level));
  return done;
}

function suppressLevel(
  { level: [i, j], nodes: cells }: LevelTable,
  weights: number,
  isWithin: ((key: number) => boolean) | undefined,
): void {
  for (const [key, node] of cells) {
    const [rows, columns] = node.sums;
    const isWhole = !rows.length && !columns.length;
    node.hidden =
      node.weights.some(isSmall) ||
      (isWhole && weightOf(node, 0) < MINIMUM_GROUP_SIZE) ||
      rows.some((sum) => sum.hidden) ||
      columns.some((sum) => sum.hidden) ||
      (isWithin?.(key) ?? false);
    // The last sum of each axis is the whole, which is not a group in other answers.
    node.shownElsewhere =
      !node.hidden && (rows.slice(0, -1).some((sum) => isSame(sum, node)) || columns.slice(0, -1).some((sum) => isSame(sum, node)));
  }
  const nodes = [...cells.values()];
  if (nodes.every(({ hidden }) => hidden) || !nodes.some(({ hidden }) => hidden)) return;
  const lines = new Lines(nodes);
  settle(lines, weights, lines.all);
  if (i > 0 && j > 0) for (let weight = 0; weight < weights; weight++) closeGaps(nodes, lines, weight, weights);
}
