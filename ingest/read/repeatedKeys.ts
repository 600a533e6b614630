/** Finds keys that an object of a line states twice: JSON.parse keeps the last value of such a key and drops the others without a word. Pure. */
import { type FieldProblem, shortenName } from './lineProblems.ts';

const QUOTE = 34;
const BACKSLASH = 92;
const COLON = 58;
const SPACE = 32;

/** A problem for every key that is repeated. @param text of the line, which is JSON @param value what JSON.parse made of it */
export function findRepeatedKeys(text: string, value: object): FieldProblem[] {
  return countKeysOfText(text) === countKeys(value) ? [] : findRepeatedKeysOf(text);
}

/** Number of keys in the text: strings that a colon follows. Jumps from quote to quote, since this runs for every line. */
function countKeysOfText(text: string): number {
  let keys = 0;
  for (let open = text.indexOf('"'); open >= 0; ) {
    let close = text.indexOf('"', open + 1);
    while (isEscaped(text, close)) close = text.indexOf('"', close + 1);
    let next = close + 1;
    while (text.charCodeAt(next) <= SPACE) next += 1;
    if (text.charCodeAt(next) === COLON) keys += 1;
    open = text.charCodeAt(next) === QUOTE ? next : text.indexOf('"', next);
  }
  return keys;
}

/** Whether a quote belongs to its string: an odd number of backslashes precedes it. */
function isEscaped(text: string, quote: number): boolean {
  let before = quote - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (quote - before) % 2 === 0;
}

function countKeys(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0;
  let keys = 0;
  if (Array.isArray(value)) for (const entry of value) keys += countKeys(entry);
  else for (const key of Object.keys(value)) keys += 1 + countKeys((value as Record<string, unknown>)[key]);
  return keys;
}

/** The text is JSON, so that every string has its end; that it may lack it here keeps a search from going back. */
const TOKEN = /"(?:[^"\\]|\\[\s\S])*"?|[{}[\],]/g;

/** An object or list that is open at a place of the text. */
interface Open {
  /** keys so far; undefined for a list */
  keys?: Set<string>;
  /** the key whose value is being read */
  key: string | undefined;
}

function findRepeatedKeysOf(text: string): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const stack: Open[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    const open = stack.at(-1);
    if (token === '{') stack.push({ keys: new Set(), key: undefined });
    else if (token === '[') stack.push({ key: '' });
    else if (token === '}' || token === ']') stack.pop();
    else if (token === ',' && open?.keys) open.key = undefined;
    else if (open?.keys && open.key === undefined) {
      open.key = JSON.parse(token) as string;
      if (open.keys.has(open.key)) problems.push(makeRepeatedKey(stack.flatMap(({ key }) => key || [])));
      open.keys.add(open.key);
    }
  }
  return problems;
}

function makeRepeatedKey(path: readonly string[]): FieldProblem {
  const reason = `the key '${shortenName(path.join('.'))}' is stated twice; state it once`;
  return { fault: reason, reason, field: path[0], code: 'duplicate_key' };
}
