/** Pieces of a page become rows of cells. Pure. */
import type { PagePiece } from './pieces.ts';

export interface PageCell {
  text: string;
  left: number;
  right: number;
}

/** What stands on one line of the page, from left to right; a wide space parts two cells. */
export interface PageRow {
  base: number;
  size: number;
  cells: PageCell[];
}

/** In sizes of the letters. */
const SAME_LINE = 0.35;
const WORD_SPACE = 0.14;
const CELL_SPACE = 1.8;
/** A smaller space parts two cells where it is as many times wider than others of its line, which a justified line has alike. */
const NARROW_CELL_SPACE = 1.05;
const WIDER_SPACE = 2.2;
const MARGIN_SPACE = 0.5;

const MARGIN_NUMBERS_MIN = 8;
const MARGIN_STEPS: readonly number[] = [1, 2, 5];
const MARGIN_SHARE = 0.85;
const MARGIN_POINTS = 7;

function groupByLine(pieces: readonly PagePiece[]): PagePiece[][] {
  const lines: { base: number; size: number; pieces: PagePiece[] }[] = [];
  for (const piece of [...pieces].sort((one, other) => one.base - other.base)) {
    const line = lines.at(-1);
    const isSame = line && piece.base - line.base <= SAME_LINE * Math.max(line.size, piece.size);
    if (!isSame) lines.push({ base: piece.base, size: piece.size, pieces: [piece] });
    else {
      line.pieces.push(piece);
      if (piece.size > line.size) Object.assign(line, { base: piece.base, size: piece.size });
    }
  }
  return lines.map((line) => line.pieces.sort((one, other) => one.left - other.left));
}

const share = (steps: readonly number[], step: number) => steps.filter((one) => one === step).length / steps.length;

/** Numbers of lines in the left margin: they stand below each other, apart from the text, and count on. */
function findMarginNumbers(lines: readonly (readonly PagePiece[])[]): Set<PagePiece> {
  const firsts = lines.flatMap(([first, second]) => {
    const isAlone = first && (!second || second.left - first.right > MARGIN_SPACE * first.size);
    return isAlone && /^\d{1,4}$/.test(first.text.trim()) ? [first] : [];
  });
  const leftOfText = Math.min(...lines.flatMap((line) => line.filter((piece) => !firsts.includes(piece)).map((piece) => piece.left)));
  const numbers = firsts.filter((piece) => piece.right <= leftOfText + 1);
  const right = Math.max(...numbers.map((piece) => piece.right));
  const isColumn = numbers.every((piece) => right - piece.right < MARGIN_POINTS);
  const steps = numbers.slice(1).map((piece, at) => Number(piece.text) - Number(numbers[at]?.text));
  const countsOn = MARGIN_STEPS.some((step) => share(steps, step) >= MARGIN_SHARE);
  return new Set(numbers.length >= MARGIN_NUMBERS_MIN && isColumn && countsOn ? numbers : []);
}

function joinCells(line: readonly PagePiece[]): PageCell[] {
  const cells: PageCell[] = [];
  const spaces = line.map((piece, at) => (piece.left - (line[at - 1]?.right ?? piece.left)) / piece.size);
  const least = Math.min(...spaces.filter((space) => space > WORD_SPACE));
  const isOnly = spaces.filter((space) => space > WORD_SPACE).length === 1;
  const partsCells = (space: number) => space > CELL_SPACE || (space > NARROW_CELL_SPACE && (isOnly || space > WIDER_SPACE * least));
  for (const [at, piece] of line.entries()) {
    const cell = cells.at(-1);
    const space = spaces[at] ?? 0;
    if (!cell || partsCells(space)) cells.push({ text: piece.text.trim(), left: piece.left, right: piece.right });
    else {
      cell.text += (space > WORD_SPACE || piece.isAfterBlank ? ' ' : '') + piece.text.trim();
      cell.right = Math.max(cell.right, piece.right);
    }
  }
  return cells.map((cell) => ({ ...cell, text: cell.text.replaceAll(/ {2,}/g, ' ') }));
}

/** Rows from the top down, without the numbers of lines in the margin. */
export function listRows(pieces: readonly PagePiece[]): PageRow[] {
  const lines = groupByLine(pieces);
  const numbers = findMarginNumbers(lines);
  return lines.flatMap((line) => {
    const text = line.filter((piece) => !numbers.has(piece));
    const largest = text.reduce((one, other) => (other.size > one.size ? other : one), text[0] ?? { size: 0, base: 0 });
    return text.length === 0 ? [] : [{ base: largest.base, size: largest.size, cells: joinCells(text) }];
  });
}
