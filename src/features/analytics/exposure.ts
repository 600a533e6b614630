/**
 * Finds hidden cells of a table whose values follow from its shown sums. The hidden cells are the edges of a graph between rows and
 * columns. Whoever knows the sums can vary cells only along cycles of this graph, so a cell on no cycle is known. How far a cell can rise
 * is a maximum flow, since no cell can fall below 0 (Gusfield 1988). Pure.
 */
import { Chains, NONE } from './chains.ts';
import type { Cells } from './levelTables.ts';
import { MINIMUM_GROUP_SIZE } from './minimumGroup.ts';

/** Rows or columns reached by a flow, in order, with the cell that reached each; its origin was reached by none. */
class Reached {
  readonly #has: Uint8Array;
  readonly #by: Int32Array;
  readonly all: number[] = [];
  /** how many could be reached */
  readonly size: number;

  constructor(size: number) {
    this.size = size;
    this.#has = new Uint8Array(size);
    this.#by = new Int32Array(size);
  }

  has(one: number): boolean {
    return this.#has[one] === 1;
  }

  cellTo(one: number): number {
    return this.#by[one] as number;
  }

  add(one: number, by = NONE): void {
    this.#has[one] = 1;
    this.#by[one] = by;
    this.all.push(one);
  }

  clear(): void {
    for (const one of this.all) this.#has[one] = 0;
    this.all.length = 0;
  }
}

/**
 * The nearest shown sum of a cell along one axis, by its number among the cells of all tables; if all are hidden, the nearest one of the sum
 * that contains the cell along the other axis.
 */
function findNearestSum(cells: Cells, cell: number, along: 0 | 1): number {
  let [from, sum, above] = [cells, cell, cells.above[along]];
  while (above) {
    sum = from.table.sums[along]?.[sum] as number;
    if (!above.hidden[sum]) return above.table.offset + sum;
    [from, above] = [above, above.above[along]];
  }
  const across = along === 0 ? 1 : 0;
  const wider = cells.above[across];
  return wider ? findNearestSum(wider, cells.table.sums[across]?.[cell] as number, along) : cells.table.offset + cell;
}

/** For each cell the row or column in which it lies, all cells with the same nearest shown sum being one; and how many there are. */
function numberLines(cells: Cells, along: 0 | 1): { of: Int32Array; size: number } {
  const of = new Int32Array(cells.hidden.length);
  const known = new Int32Array(cells.table.offset + of.length).fill(NONE);
  let size = 0;
  for (let cell = 0; cell < of.length; cell++) {
    const sum = findNearestSum(cells, cell, along);
    if (known[sum] === NONE) known[sum] = size++;
    of[cell] = known[sum] as number;
  }
  return { of, size };
}

export class Graph {
  readonly #hidden: Uint8Array;
  readonly #weights: Float64Array;
  /** how far each cell can still fall in the current flow, and which cells it has changed */
  readonly #left: Float64Array;
  readonly #changed: number[] = [];
  readonly #rowOf: Int32Array;
  readonly #columnOf: Int32Array;
  /** the edges: hidden cells, in the order in which they were hidden */
  readonly #edges: number[] = [];
  readonly #inRow: Chains;
  readonly #inColumn: Chains;
  /** hidden cells by the key of their row and column */
  readonly #hiddenAt = new Map<number, number>();
  /** nonempty shown cells */
  #shown: readonly number[];
  /** keys of rows and columns with a shown cell, once they are asked for */
  #shownAt: ReadonlySet<number> | undefined;
  /** state of the current flow */
  readonly #rows: Reached;
  readonly #columns: Reached;

  /** @param weight index of the weight by which a cell is empty or not */
  constructor(cells: Cells, weight: number) {
    const [rows, columns] = [numberLines(cells, 1), numberLines(cells, 0)];
    this.#hidden = cells.hidden;
    this.#weights = cells.weights[weight] as Float64Array;
    this.#left = this.#weights.slice();
    this.#rowOf = rows.of;
    this.#columnOf = columns.of;
    this.#inRow = new Chains(rows.size, rows.of.length);
    this.#inColumn = new Chains(columns.size, columns.of.length);
    this.#rows = new Reached(rows.size);
    this.#columns = new Reached(columns.size);
    this.#shown = [...this.#weights.keys()].filter((cell) => this.#weightOf(cell) > 0);
    this.refresh();
  }

  #weightOf(cell: number): number {
    return this.#weights[cell] as number;
  }

  #leftOf(cell: number): number {
    return this.#left[cell] as number;
  }

  #row(cell: number): number {
    return this.#rowOf[cell] as number;
  }

  #column(cell: number): number {
    return this.#columnOf[cell] as number;
  }

  #keyOf(row: number, column: number): number {
    return row * this.#columns.size + column;
  }

  /** Adds cells that were hidden since the last call. */
  refresh(): void {
    for (const cell of this.#shown) {
      if (!this.#hidden[cell]) continue;
      const [row, column] = [this.#row(cell), this.#column(cell)];
      this.#edges.push(cell);
      this.#inRow.add(row, cell);
      this.#inColumn.add(column, cell);
      this.#hiddenAt.set(this.#keyOf(row, column), cell);
    }
    this.#shown = this.#shown.filter((cell) => !this.#hidden[cell]);
    this.#shownAt = undefined;
  }

  /** Number of hidden cells, which are numbered in the order in which they were hidden. */
  get size(): number {
    return this.#edges.length;
  }

  /**
   * The shown cells that would protect a hidden cell if one of them were hidden too; undefined when the cell is protected, or nothing
   * helps. A cell is exposed if its value is known, or if it is small and known to be smaller than the smallest group that may be shown.
   * Hiding more never exposes a cell.
   * @param number of a hidden cell
   */
  findHelp(number: number, bridges: ReadonlySet<number>): readonly number[] | undefined {
    const edge = this.#edges[number] as number;
    const short = MINIMUM_GROUP_SIZE - this.#weightOf(edge);
    return (short > 0 ? this.#findHelpToRise(edge, short) : undefined) ?? (bridges.has(edge) ? this.#findHelpToMove(edge) : undefined);
  }

  /**
   * The shown cells that would let a cell rise by an amount, given that empty cells are known to be empty; undefined when it can rise, or
   * nothing helps.
   */
  #findHelpToRise(edge: number, by: number): readonly number[] | undefined {
    let risen = this.#pushSquares(edge, by);
    while (risen < by && this.#findFlow(edge)) risen += this.#push(edge);
    for (const cell of this.#changed) this.#left[cell] = this.#weightOf(cell);
    this.#changed.length = 0;
    return risen < by ? this.#listLeading() : undefined;
  }

  #change(cell: number, by: number): void {
    this.#left[cell] = this.#leftOf(cell) + by;
    this.#changed.push(cell);
  }

  /**
   * Lets a cell rise by cycles of four cells, as nearly all can: one in its row and one in its column fall, and the one opposite rises.
   * @returns how much
   */
  #pushSquares(edge: number, by: number): number {
    let risen = 0;
    for (let inRow = this.#inRow.first(this.#row(edge)); inRow !== NONE && risen < by; inRow = this.#inRow.next(inRow))
      if (inRow !== edge) risen += this.#pushSquaresBeside(edge, by - risen, inRow);
    return risen;
  }

  /** Those in which this cell of its row falls. */
  #pushSquaresBeside(edge: number, by: number, inRow: number): number {
    let risen = 0;
    for (let inColumn = this.#inColumn.first(this.#column(edge)); inColumn !== NONE; inColumn = this.#inColumn.next(inColumn)) {
      const step = Math.min(this.#leftOf(inRow), this.#leftOf(inColumn));
      if (step === 0 || inColumn === edge || inColumn === inRow) continue;
      const opposite = this.#hiddenAt.get(this.#keyOf(this.#row(inColumn), this.#column(inRow)));
      if (opposite === undefined || opposite === edge) continue;
      this.#change(inRow, -step);
      this.#change(inColumn, -step);
      this.#change(opposite, step);
      risen += step;
      if (risen >= by || this.#leftOf(inRow) === 0) break;
    }
    return risen;
  }

  /**
   * The shown cells that would let a cell have another value, given that any cell that is not shown may be nonempty; undefined when it can,
   * or nothing helps.
   */
  #findHelpToMove(edge: number): readonly number[] | undefined {
    if (this.#joinReached(edge, [this.#row(edge)], [])) return undefined;
    const toRise = this.#listLeading();
    return this.#joinReached(edge, [], [this.#column(edge)]) ? undefined : (toRise ?? this.#listLeading());
  }

  /** Shown cells that extend the flow: from a row by falling, from a column by rising. */
  #listLeading(): readonly number[] | undefined {
    const leading = this.#shown.filter((cell) => this.#rows.has(this.#row(cell)) !== this.#columns.has(this.#column(cell)));
    return leading.length ? leading : undefined;
  }

  /**
   * Finds a flow from the row of a cell: over cells of reached rows that can still fall, then over any hidden cell of the column, which can
   * rise.
   * @returns whether it reached the column of the cell
   */
  #findFlow(edge: number): boolean {
    const [rows, columns] = [this.#rows, this.#columns];
    rows.clear();
    columns.clear();
    rows.add(this.#row(edge));
    for (const row of rows.all)
      for (let sinking = this.#inRow.first(row); sinking !== NONE; sinking = this.#inRow.next(sinking)) {
        const column = this.#column(sinking);
        if (sinking === edge || columns.has(column) || this.#leftOf(sinking) === 0) continue;
        columns.add(column, sinking);
        if (column === this.#column(edge)) return true;
        for (let rising = this.#inColumn.first(column); rising !== NONE; rising = this.#inColumn.next(rising))
          if (rising !== edge && !rows.has(this.#row(rising))) rows.add(this.#row(rising), rising);
      }
    return false;
  }

  /** Pushes as much as possible along the path that was found. @returns how much */
  #push(edge: number): number {
    const [sinking, rising]: [number[], number[]] = [[], []];
    for (let reached = edge; reached !== NONE; ) {
      const sunk = this.#columns.cellTo(this.#column(reached));
      sinking.push(sunk);
      reached = this.#rows.cellTo(this.#row(sunk));
      if (reached !== NONE) rising.push(reached);
    }
    const step = Math.min(...sinking.map((cell) => this.#leftOf(cell)));
    for (const cell of sinking) this.#change(cell, -step);
    for (const cell of rising) this.#change(cell, step);
    return step;
  }

  /**
   * Reaches columns from rows over nonempty hidden cells, and rows from columns over any cell that is not shown.
   * @returns whether this joins the row and the column of a cell, without the cell
   */
  #joinReached(edge: number, fromRows: readonly number[], fromColumns: readonly number[]): boolean {
    const [rows, columns] = [this.#rows, this.#columns];
    rows.clear();
    columns.clear();
    for (const row of fromRows) rows.add(row);
    for (const column of fromColumns) columns.add(column);
    let unseen = Array.from({ length: rows.size }, (_, row) => row).filter((row) => !rows.has(row));
    const areJoined = () => rows.has(this.#row(edge)) && columns.has(this.#column(edge));
    for (let [row, column] = [0, 0]; !areJoined() && (row < rows.all.length || column < columns.all.length); ) {
      for (; row < rows.all.length; row++) this.#reachColumns(edge, rows.all[row] as number);
      for (; column < columns.all.length; column++) unseen = this.#reachRows(edge, columns.all[column] as number, unseen);
    }
    return areJoined();
  }

  #reachColumns(edge: number, row: number): void {
    for (let cell = this.#inRow.first(row); cell !== NONE; cell = this.#inRow.next(cell))
      if (cell !== edge && !this.#columns.has(this.#column(cell))) this.#columns.add(this.#column(cell));
  }

  /** @returns the rows that are still not reached */
  #reachRows(edge: number, column: number, unseen: readonly number[]): number[] {
    this.#shownAt ??= new Set(this.#shown.map((cell) => this.#keyOf(this.#row(cell), this.#column(cell))));
    const shownAt = this.#shownAt;
    const isOwn = (row: number) => row === this.#row(edge) && column === this.#column(edge);
    for (const row of unseen) if (!isOwn(row) && !shownAt.has(this.#keyOf(row, column))) this.#rows.add(row);
    return unseen.filter((row) => !this.#rows.has(row));
  }

  /** The hidden cells on no cycle (Tarjan 1974), without recursion, since a path may have thousands of cells. */
  findBridges(): Set<number> {
    const rows = this.#rows.size;
    const order = new Int32Array(rows + this.#columns.size);
    const low = new Int32Array(order.length);
    const found = new Set<number>();
    let time = 0;
    const visit = (vertex: number, by: number) => {
      order[vertex] = low[vertex] = ++time;
      return { vertex, by, next: vertex < rows ? this.#inRow.first(vertex) : this.#inColumn.first(vertex - rows) };
    };
    for (let root = 0; root < order.length; root++) {
      if (order[root]) continue;
      const path = [visit(root, NONE)];
      for (let top = path.at(-1); top; top = path.at(-1)) {
        const { vertex, by, next: edge } = top;
        if (edge === NONE) {
          path.pop();
          const before = path.at(-1)?.vertex;
          if (before === undefined) continue;
          low[before] = Math.min(low[before] as number, low[vertex] as number);
          if ((low[vertex] as number) > (order[before] as number)) found.add(by);
          continue;
        }
        top.next = vertex < rows ? this.#inRow.next(edge) : this.#inColumn.next(edge);
        if (edge === by) continue;
        const to = vertex < rows ? rows + this.#column(edge) : this.#row(edge);
        if (order[to]) low[vertex] = Math.min(low[vertex] as number, order[to] as number);
        else path.push(visit(to, edge));
      }
    }
    return found;
  }
}
