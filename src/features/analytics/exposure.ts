/**
 * Finds hidden cells of a table whose values follow from its shown sums. The hidden cells are the edges of a graph between rows and
 * columns. Whoever knows the sums can vary cells only along cycles of this graph, so a cell on no cycle is known. How far a cell can rise
 * is a maximum flow, since no cell can fall below 0 (Gusfield 1988). Pure.
 */
import { MINIMUM_GROUP_SIZE, type Node, nodeKey } from './table.ts';

/** A nonempty cell of the table, and the nearest shown sums of its row and its column. */
export interface Entry {
  node: Node;
  ends: readonly [Node, Node];
  weight: number;
}

interface Edge {
  node: Node;
  row: number;
  column: number;
  weight: number;
}

const UNREACHED = -2;
const ORIGIN = -1;

/** Rows or columns reached by a flow, in order, with the edge that reached each. */
class Reached {
  readonly #by: Int32Array;
  readonly all: number[] = [];

  constructor(size: number) {
    this.#by = new Int32Array(size).fill(UNREACHED);
  }

  has(one: number): boolean {
    return this.#by[one] !== UNREACHED;
  }

  edgeTo(one: number): number {
    return this.#by[one] as number;
  }

  add(one: number, by: number): void {
    this.#by[one] = by;
    this.all.push(one);
  }

  clear(): void {
    for (const one of this.all) this.#by[one] = UNREACHED;
    this.all.length = 0;
  }
}

const numbered = (nodes: Iterable<Node>) => new Map([...new Set(nodes)].map((node, i) => [node, i]));

export class Graph {
  /** hidden cells */
  readonly #edges: Edge[] = [];
  readonly #ofRow: number[][];
  readonly #ofColumn: number[][];
  /** pairs of a row and a column with a hidden cell */
  readonly #hidden = new Set<number>();
  readonly #shown = new Map<Node, Edge>();
  /** for each row, the number of shown cells in each column */
  readonly #shownIn: Map<number, number>[];
  /** state of the current flow */
  readonly #rows: Reached;
  readonly #columns: Reached;

  /** @param entries every nonempty cell */
  constructor(entries: readonly Entry[]) {
    const rows = numbered(entries.map(({ ends }) => ends[0]));
    const columns = numbered(entries.map(({ ends }) => ends[1]));
    this.#ofRow = Array.from(rows, () => []);
    this.#ofColumn = Array.from(columns, () => []);
    this.#shownIn = Array.from(columns, () => new Map());
    this.#rows = new Reached(rows.size);
    this.#columns = new Reached(columns.size);
    for (const { node, ends, weight } of entries) {
      const edge = { node, row: rows.get(ends[0]) as number, column: columns.get(ends[1]) as number, weight };
      if (node.hidden) this.#add(edge);
      else {
        this.#shown.set(node, edge);
        this.#countShown(edge, 1);
      }
    }
  }

  #countShown({ row, column }: Edge, change: number): void {
    const rows = this.#shownIn[column] as Map<number, number>;
    rows.set(row, (rows.get(row) ?? 0) + change);
  }

  #add(edge: Edge): void {
    this.#ofRow[edge.row]?.push(this.#edges.length);
    this.#ofColumn[edge.column]?.push(this.#edges.length);
    this.#edges.push(edge);
    this.#hidden.add(nodeKey(edge.row, edge.column, this.#ofColumn.length));
  }

  /** Adds cells that were hidden since the last call. */
  refresh(): void {
    for (const [node, edge] of this.#shown) {
      if (!node.hidden) continue;
      this.#shown.delete(node);
      this.#countShown(edge, -1);
      this.#add(edge);
    }
  }

  #edge(i: number): Edge {
    return this.#edges[i] as Edge;
  }

  /** Number of hidden cells, which are numbered in the order in which they were hidden. */
  get size(): number {
    return this.#edges.length;
  }

  /**
   * The shown cells that would protect a hidden cell if one of them were hidden too; undefined when the cell is protected, or nothing
   * helps. A cell is exposed if its value is known, or if it is small and known to be smaller than the smallest group that may be shown.
   * Hiding more never exposes a cell.
   */
  helpFor(number: number, isBridge: boolean): Node[] | undefined {
    const short = MINIMUM_GROUP_SIZE - this.#edge(number).weight;
    return (short > 0 ? this.#helpToRise(number, short) : undefined) ?? (isBridge ? this.#helpToMove(number) : undefined);
  }

  /**
   * The shown cells that would let a cell rise by an amount, given that empty cells are known to be empty; undefined when it can rise, or
   * nothing helps.
   */
  #helpToRise(edge: number, by: number): Node[] | undefined {
    if (this.#risesAtOnce(edge, by)) return undefined;
    const change = new Map<number, number>();
    for (let risen = 0; risen < by; risen += this.#push(edge, change)) if (!this.#flow(edge, change)) return this.#leading();
    return undefined;
  }

  /**
   * Tries cycles of four cells, by which nearly all cells can rise: one in its row and one in its column fall, and the one opposite rises.
   */
  #risesAtOnce(edge: number, by: number): boolean {
    const { row, column } = this.#edge(edge);
    const used = new Map<number, number>();
    let risen = 0;
    for (const inRow of this.#ofRow[row] ?? []) {
      if (inRow === edge) continue;
      for (const inColumn of this.#ofColumn[column] ?? []) {
        if (inColumn === edge || inColumn === inRow) continue;
        const step = Math.min(this.#left(inRow, used), this.#left(inColumn, used));
        if (step <= 0 || !this.#hidden.has(nodeKey(this.#edge(inColumn).row, this.#edge(inRow).column, this.#ofColumn.length))) continue;
        for (const sinking of [inRow, inColumn]) used.set(sinking, (used.get(sinking) ?? 0) - step);
        risen += step;
        if (risen >= by) return true;
      }
    }
    return false;
  }

  /**
   * The shown cells that would let a cell have another value, given that any cell that is not shown may be nonempty; undefined when it can,
   * or nothing helps.
   */
  #helpToMove(edge: number): Node[] | undefined {
    const { row, column } = this.#edge(edge);
    this.#reach(edge, [row], []);
    if (this.#columns.has(column)) return undefined;
    const toRise = this.#leading();
    this.#reach(edge, [], [column]);
    return this.#rows.has(row) ? undefined : (toRise ?? this.#leading());
  }

  /** Shown cells that extend the flow: from a row by falling, from a column by rising. */
  #leading(): Node[] | undefined {
    const leading = [...this.#shown.values()].filter(({ row, column }) => this.#rows.has(row) !== this.#columns.has(column));
    return leading.length ? leading.map(({ node }) => node) : undefined;
  }

  /**
   * Finds a flow from the row of a cell: over cells of reached rows that can still fall, then over any hidden cell of the column, which can
   * rise.
   * @returns whether it reached the column of the cell
   */
  #flow(edge: number, change: ReadonlyMap<number, number>): boolean {
    const own = this.#edge(edge);
    const [rows, columns] = [this.#rows, this.#columns];
    rows.clear();
    columns.clear();
    rows.add(own.row, ORIGIN);
    for (const row of rows.all)
      for (const sinking of this.#ofRow[row] ?? []) {
        const { column } = this.#edge(sinking);
        if (sinking === edge || columns.has(column) || !this.#left(sinking, change)) continue;
        columns.add(column, sinking);
        if (column === own.column) return true;
        for (const rising of this.#ofColumn[column] ?? []) {
          const { row: further } = this.#edge(rising);
          if (rising !== edge && !rows.has(further)) rows.add(further, rising);
        }
      }
    return false;
  }

  #left = (edge: number, change: ReadonlyMap<number, number>) => this.#edge(edge).weight + (change.get(edge) ?? 0);

  /**
   * Pushes as much as possible along the path that was found.
   * @returns how much
   */
  #push(edge: number, change: Map<number, number>): number {
    const [sinking, rising]: [number[], number[]] = [[], []];
    for (let at = this.#edge(edge).column; ; at = this.#edge(rising.at(-1) as number).column) {
      const sunk = this.#columns.edgeTo(at);
      sinking.push(sunk);
      const by = this.#rows.edgeTo(this.#edge(sunk).row);
      if (by === ORIGIN) break;
      rising.push(by);
    }
    const step = Math.min(...sinking.map((i) => this.#left(i, change)));
    for (const i of sinking) change.set(i, (change.get(i) ?? 0) - step);
    for (const i of rising) change.set(i, (change.get(i) ?? 0) + step);
    return step;
  }

  /** Reaches columns from rows over nonempty hidden cells, and rows from columns over any cell that is not shown. */
  #reach(edge: number, rows: number[], columns: number[]): void {
    const own = this.#edge(edge);
    this.#rows.clear();
    this.#columns.clear();
    const unseen = new Set(this.#ofRow.keys());
    for (const row of rows) unseen.delete(row);
    while (rows.length || columns.length) {
      for (const row of rows.splice(0)) {
        this.#rows.add(row, ORIGIN);
        for (const i of this.#ofRow[row] ?? [])
          if (i !== edge && !this.#columns.has(this.#edge(i).column)) columns.push(this.#edge(i).column);
      }
      for (const column of columns.splice(0)) {
        if (this.#columns.has(column)) continue;
        this.#columns.add(column, ORIGIN);
        for (const row of unseen) {
          if ((column === own.column && row === own.row) || this.#shownIn[column]?.get(row)) continue;
          unseen.delete(row);
          rows.push(row);
        }
      }
    }
  }

  /** Numbers of the hidden cells on no cycle (Tarjan 1974), without recursion, since a path may have thousands of cells. */
  bridges(): Set<number> {
    const rows = this.#ofRow.length;
    const edgesOf = (vertex: number) => (vertex < rows ? this.#ofRow[vertex] : this.#ofColumn[vertex - rows]) ?? [];
    const otherEnd = (edge: number, vertex: number) => (vertex < rows ? rows + this.#edge(edge).column : this.#edge(edge).row);
    const order = new Int32Array(rows + this.#ofColumn.length);
    const low = new Int32Array(order.length);
    const found = new Set<number>();
    let time = 0;
    const visit = (vertex: number, by: number) => {
      order[vertex] = low[vertex] = ++time;
      return { vertex, by, next: 0 };
    };
    for (let root = 0; root < order.length; root++) {
      if (order[root]) continue;
      const path = [visit(root, -1)];
      for (let top = path.at(-1); top; top = path.at(-1)) {
        const { vertex, by } = top;
        const edge = edgesOf(vertex)[top.next++];
        if (edge === undefined) {
          path.pop();
          const before = path.at(-1)?.vertex;
          if (before === undefined) continue;
          low[before] = Math.min(low[before] as number, low[vertex] as number);
          if ((low[vertex] as number) > (order[before] as number)) found.add(by);
        } else if (edge !== by) {
          const to = otherEnd(edge, vertex);
          if (order[to]) low[vertex] = Math.min(low[vertex] as number, order[to] as number);
          else path.push(visit(to, edge));
        }
      }
    }
    return found;
  }
}
