/** Names of members, as minutes print them. Names are found word by word, so that no expression tries their lengths. Pure. */
import words from './names.json' with { type: 'json' };

/** A name, and where it stands in the text that was read. */
export interface NameAt {
  name: string;
  at: number;
}

const TITLES = new Set(words.titles.split(' '));
const NO_NAMES = new Set(words.noNames.split(' '));
const PARTICLES = new Set(words.particles.split(' '));
const WORDS_MAX = 7;
const LENGTH_MAX = 60;

const bare = (word: string) => word.toLowerCase().replace(/[^a-z-]/g, '');
const isTitle = (word: string) => TITLES.has(bare(word));
/** `C/Reed`, `Chair/Holt`: a title before a stroke. */
const withoutRole = (word: string) => word.replace(/^(?:[A-Z]{1,3}|Chair|Mayor)\/(?=[A-Z][a-z])/, '');
const isCapital = (word: string) => /^[A-Z][A-Za-zÀ-ÿ.'-]{0,20}$/.test(word);
const isNoName = (word: string) => NO_NAMES.has(bare(word)) && !/^[A-Z]\.$/.test(word);
/** Months that are surnames, too: `Stephen March`. */
const isMonth = (word: string) => /^(?:March|April|May|June|August|North|NORTH|West|WEST|Page|PAGE)$/.test(word);
/** A full stop does not end `Mr.`, `C.` or `Jr.` */
const isShort = (word: string) => /^(?:[A-Z]\.|(?:Mr|Ms|Mrs|Dr|Jr|Sr|St|Rev|Hon|Messrs|Wm|Chas|MR|MS|MRS|DR|JR|SR)\.)$/.test(word);

/** Keeps the longest run of words that is a name; undefined where there is none. */
function trimName(found: readonly string[]): string[] | undefined {
  let list = [...found];
  while (list.length && (PARTICLES.has(list.at(-1) as string) || /^(?:and|&)$/.test(list.at(-1) as string))) list = list.slice(0, -1);
  const start = list.findLastIndex((word, i) => isNoName(word) && !isTitle(word) && !(i > 0 && isMonth(word))) + 1;
  list = list.slice(start);
  // A title in the middle begins the name: `CR 300 N. Mr. Eads`.
  const title = list.findLastIndex((word, i) => i > 0 && isTitle(word) && !isTitle(list[i - 1] as string));
  if (title > 0 && title < list.length - 1) list = list.slice(title);
  while (list.length && PARTICLES.has(list[0] as string)) list = list.slice(1);
  return list.length ? list : undefined;
}

/** `Vice Chair Anderson` → `Anderson`; a title alone stays: `Chair`. */
function withoutTitles(list: readonly string[]): string[] {
  const first = list.findIndex((word) => !isTitle(word));
  return first < 0 ? list.slice(-1) : list.slice(first);
}

/** The name that ends at a place, such as the one before `moved`. */
export function findNameBefore(text: string, end: number): NameAt | null {
  const from = Math.max(0, end - LENGTH_MAX - 20);
  const before = text
    .slice(from, end)
    .trimEnd()
    .replace(/[\s,]{1,9}$/, '');
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const tokens = line.split(' ');
  const taken: string[] = [];
  for (let i = tokens.length - 1; i >= 0 && taken.length < WORDS_MAX; i--) {
    const word = withoutRole((tokens[i] as string).replace(/^[("']+/, ''));
    const last = taken.length === 0;
    const clean = last ? word.replace(/[,;:)]{1,9}$/, '') : word;
    if (!(isCapital(clean) || isShort(clean) || PARTICLES.has(clean)) || (!last && /[.]$/.test(clean) && !isShort(clean))) break;
    if (isNoName(clean) && !isTitle(clean) && !(last && isMonth(clean) && isTitle(tokens[i - 1] ?? ''))) break;
    taken.unshift(clean);
    if (/^[("']/.test(tokens[i] as string)) break;
  }
  const name = trimName(taken);
  return name ? place(text, withoutTitles(name).join(' '), from, end, true) : null;
}

/** The name that begins at a place, such as the one behind `seconded by`. */
export function findNameAfter(text: string, start: number): NameAt | null {
  const line = text.slice(start, start + LENGTH_MAX + 20).split('\n', 1)[0] ?? '';
  const taken: string[] = [];
  const words = line.replace(/^[\s:"'(-]{1,6}(?:the )?/, '').split(' ');
  for (const [i, word] of words.entries()) {
    // `M/Reed S/Holt`: another one's role.
    if (taken.length && withoutRole(word) !== word) break;
    const clean = withoutRole(word)
      .replace(/\/.*$/s, '')
      .replace(/[,;:)\]"']{1,9}$/, '')
      .replace(/'s$/, '');
    const stop = clean !== withoutRole(word) || (/\.$/.test(clean) && !isShort(clean));
    const core = isShort(clean) ? clean : clean.replace(/\.{1,9}$/, '');
    const first = taken.at(-1);
    const isSurname = first !== undefined && isMonth(core) && !/^\d/.test(words[i + 1] ?? '');
    if (!(isCapital(core) || (taken.length > 0 && PARTICLES.has(core))) || taken.length >= WORDS_MAX) break;
    if (isNoName(core) && !isTitle(core) && !isSurname) break;
    taken.push(core);
    if (stop) break;
  }
  const name = trimName(taken);
  return name ? place(text, withoutTitles(name).join(' '), start, start + LENGTH_MAX + 20, false) : null;
}

function place(text: string, name: string, from: number, to: number, last: boolean): NameAt | null {
  const window = text.slice(from, to);
  const at = last ? window.lastIndexOf(name) : window.indexOf(name);
  return name.length > 1 && at >= 0 ? { name, at: from + at } : null;
}

/** Whether a text as a whole is a name, with its titles. */
export function isName(text: string): boolean {
  const found = findNameAfter(text, 0);
  return found !== null && found.at + found.name.length >= text.replace(/[.,;: ]{1,9}$/, '').length;
}

/** Without the title before it. */
export const withoutTitle = (text: string): string => findNameAfter(text, 0)?.name ?? text;

const SEPARATOR = /,? (?:and|&) |[,;&/|](?: and)? ?|\n/g;

/**
 * Names of a list: `Commissioners Squire, Ogden, and Shah`. What is no name is left out.
 * @param surnames known surnames in lower case, by which `Scott Burrows` without its comma is two members
 */
export function splitNames(list: string, offset: number, surnames: ReadonlySet<string>): NameAt[] {
  const plain = list.replace(/\([^()]{0,80}\)|\b(?:[A-Z]{1,3}|Chair|Mayor)\/(?=[A-Z][a-z])/g, (left) => ' '.repeat(left.length));
  const found: NameAt[] = [];
  let from = 0;
  const add = (start: number, end: number) => {
    const part = plain.slice(start, end);
    const lead = /^[\s."':(]{0,9}(?:and |the )?/.exec(part)?.[0].length ?? 0;
    const words = part
      .slice(lead)
      .trimEnd()
      .replace(/[\s."':)]{1,9}$/, '');
    const named = isName(words) ? findNameAfter(words, 0) : null;
    if (!named) return;
    const { name } = named;
    const at = offset + start + lead + named.at;
    const [first = '', second = '', ...rest] = name.split(' ');
    if (second && !rest.length && surnames.has(first.toLowerCase()) && isKnown(second, surnames))
      found.push({ name: first, at }, { name: second, at: at + first.length + 1 });
    else found.push({ name, at });
  };
  for (const { index, 0: separator } of plain.matchAll(SEPARATOR)) {
    add(from, index);
    from = index + separator.length;
  }
  add(from, plain.length);
  return found;
}

const isKnown = (word: string, surnames: ReadonlySet<string>) =>
  surnames.has(word.toLowerCase()) || (word.length > 3 && surnames.has(`${word.toLowerCase()}s`));

const TITLED =
  /\b(?:commissioners?|chair(?:man|woman|person)?|members?|council(?:man|woman|member|or)|supervisor|trustee|mr\.|ms\.|mrs\.) ([A-Z][a-z'][\w'-]{1,18})(?! [A-Z][a-z])/gi;

/** Surnames behind titles in a text, in lower case. */
export const findSurnames = (prose: string): Set<string> =>
  new Set([...prose.matchAll(TITLED)].flatMap(([, name = '']) => (/^[A-Z]/.test(name) ? [name.toLowerCase()] : [])));

/** Names are the same person's where their last words are: `Mary Squire`, `Squire`. */
export const surnameOf = (name: string): string =>
  name
    .replace(/,? (?:Jr|Sr|III|II)\.?$/, '')
    .split(' ')
    .at(-1)
    ?.toLowerCase() ?? '';
