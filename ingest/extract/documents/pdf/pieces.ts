/** The text of a PDF's page as pieces with their place. Lengths are points (1/72 inch), from the left and from the top. Pure. */
import { tidyCharacters } from '../tidyCharacters.ts';

/** Text that the page draws in one go. */
export interface PagePiece {
  text: string;
  left: number;
  right: number;
  /** the line that the letters stand on */
  base: number;
  size: number;
  /** whether the page draws a blank before it */
  isAfterBlank: boolean;
}

/** What pdf.js says of a piece: `transform` is the matrix of its letters. */
export interface DrawnText {
  str: string;
  transform: number[];
  width: number;
}

interface Direction {
  x: number;
  y: number;
}

/** Text that is turned by another angle than most of the page's is a stamp. */
const SAME_DIRECTION = 0.99;
/** Several blanks in a row are the space between two cells. */
const CELL_BLANKS = / {3,}/;
/** Fat letters are drawn twice, with this distance at most. */
const TWICE_POINTS = 2;

interface Placed {
  drawn: DrawnText;
  direction: Direction;
  x: number;
  y: number;
  size: number;
}

function place(drawn: DrawnText, [a = 1, b = 0, c = 0, d = -1, e = 0, f = 0]: readonly number[]): Placed {
  const [ta = 0, tb = 0, tc = 0, td = 0, te = 0, tf = 0] = drawn.transform;
  const [x, y] = [a * ta + c * tb, b * ta + d * tb];
  const length = Math.hypot(x, y) || 1;
  return {
    drawn,
    direction: { x: x / length, y: y / length },
    x: a * te + c * tf + e,
    y: b * te + d * tf + f,
    size: Math.hypot(tc, td),
  };
}

/** The direction in which most letters run. */
function mainDirection(placed: readonly Placed[]): Direction {
  const counts = new Map<string, { direction: Direction; letters: number }>();
  for (const { direction, drawn } of placed) {
    const key = `${Math.round(direction.x * 10)} ${Math.round(direction.y * 10)}`;
    const count = counts.get(key) ?? { direction, letters: 0 };
    counts.set(key, { direction: count.direction, letters: count.letters + drawn.str.trim().length });
  }
  return [...counts.values()].sort((one, other) => other.letters - one.letters)[0]?.direction ?? { x: 1, y: 0 };
}

/** Parts a text where it has several blanks; each part takes its share of the width. */
function partAtBlanks(piece: PagePiece): PagePiece[] {
  if (!CELL_BLANKS.test(piece.text)) return [piece];
  const perCharacter = (piece.right - piece.left) / piece.text.length;
  const parts: PagePiece[] = [];
  for (const { 0: text, index } of piece.text.matchAll(/\S+(?: {1,2}\S+)*/g)) {
    const left = piece.left + index * perCharacter;
    parts.push({ ...piece, text, left, right: left + text.length * perCharacter, isAfterBlank: true });
  }
  return parts;
}

/** @param view the matrix of the page's upright view */
export function listPieces(items: readonly DrawnText[], view: readonly number[]): PagePiece[] {
  const placed = items.map((item) => place(item, view));
  const main = mainDirection(placed);
  const pieces: PagePiece[] = [];
  const drawn = new Set<string>();
  let isAfterBlank = false;
  for (const { drawn: item, direction, x, y, size } of placed) {
    if (item.str.trim() === '') {
      isAfterBlank ||= item.str !== '';
      continue;
    }
    if (direction.x * main.x + direction.y * main.y < SAME_DIRECTION) continue;
    // A soft hyphen that is drawn is a hyphen.
    const text = tidyCharacters(item.str.replaceAll('\u00ad', '-'));
    const left = x * main.x + y * main.y;
    const base = y * main.x - x * main.y;
    const key = `${text} ${Math.round(left / TWICE_POINTS)} ${Math.round(base / TWICE_POINTS)}`;
    if (drawn.has(key)) continue;
    drawn.add(key);
    pieces.push(...partAtBlanks({ text, left, right: left + item.width, base, size, isAfterBlank: isAfterBlank || text.startsWith(' ') }));
    isAfterBlank = text.endsWith(' ');
  }
  return pieces;
}
