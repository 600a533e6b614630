/** Words without their endings, so that `rezoned`, `rezoning` and `rezonings` are one. A light stemmer: the thesaurus joins what it keeps apart. */

const VOWEL = /[aeiouy]/;
const KEPT_MAX = 20_000;
const known = new Map<string, string>();

/** Words that keep their ending: it is no suffix, or the shorter form would be another word. */
const KEPT = new Set(
  'united building buildings housing parking planning zoning lighting dwelling opening landing crossing grading wedding landscaping training shopping banking clearing loading during meeting evening morning ceiling something nothing anything everything string spring king wing ring bring thing sing news gas bus campus plus business species series this his is was has yes us species less address process access across pass class glass grass mass loss gross press business always perhaps indeed need seed feed speed bed red shed'.split(
    ' ',
  ),
);
const IRREGULAR: Readonly<Record<string, string>> = {
  buildings: 'building',
  built: 'build',
  businesses: 'business',
  meetings: 'meeting',
  feet: 'foot',
  storeys: 'story',
  storey: 'story',
  people: 'person',
  children: 'child',
  withdrew: 'withdraw',
  withdrawn: 'withdraw',
  buses: 'bus',
  withdrawals: 'withdrawal',
  was: 'be',
  were: 'be',
  is: 'be',
  are: 'be',
};

/** Codes of the letters that end a word which has another stem: those of the endings that are cut, and of the irregular words. */
const CHANGED_ENDS = new Set([...'sdgnye', ...Object.keys(IRREGULAR).map((word) => word.slice(-1))].map((letter) => letter.charCodeAt(0)));
/** The same of words of up to three letters, of which none is cut. */
const CHANGED_SHORT_ENDS = new Set(Object.keys(IRREGULAR).flatMap((word) => (word.length > 3 ? [] : [word.charCodeAt(word.length - 1)])));

/** Whether the stem of a word may be another one, by its length and last letter. @param text where it stands, made by `normalizeWords` */
export const mayChange = (text: string, begin: number, end: number): boolean =>
  (end - begin > 3 ? CHANGED_ENDS : CHANGED_SHORT_ENDS).has(text.charCodeAt(end - 1));

const NUMBER = /^\d+$/;

/** @param word lower case */
export function stem(word: string): string {
  // Numbers end in no letter, and there are more of them than could be kept.
  if (word <= ':' && NUMBER.test(word)) return word;
  const found = known.get(word);
  if (found !== undefined) return found;
  if (known.size >= KEPT_MAX) known.clear();
  const made = cutStem(word);
  known.set(word, made);
  return made;
}

function cutStem(word: string): string {
  const bare = word.replace(/['’]s?$/, '').replace(/['’]/g, '');
  if (Object.hasOwn(IRREGULAR, bare)) return IRREGULAR[bare] as string;
  if (bare.length <= 3 || KEPT.has(bare)) return bare;
  return withoutSuffix(removePlural(bare));
}

function removePlural(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:sses|xes|ches|shes|zzes)$/.test(word)) return word.slice(0, -2);
  if (word.endsWith('s') && !/(?:ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}

function withoutSuffix(word: string): string {
  if (KEPT.has(word)) return word;
  if (word.endsWith('ied') && word.length > 4) return `${word.slice(0, -3)}y`;
  for (const suffix of ['ing', 'ed']) {
    const rest = word.slice(0, -suffix.length);
    if (word.endsWith(suffix) && rest.length >= 3 && VOWEL.test(rest)) return ending(removeDoubling(rest));
  }
  if (/[st]ion$/.test(word) && word.length > 6) return ending(word.slice(0, -3));
  if (word.endsWith('ly') && word.length > 5) return ending(word.slice(0, -2));
  return ending(word);
}

const removeDoubling = (word: string) => (/([bdgmnprt])\1$/.test(word) ? word.slice(0, -1) : word);
/** `rezone` and `rezoning` end alike */
const ending = (word: string) => (word.length > 3 && word.endsWith('e') && !word.endsWith('ee') ? word.slice(0, -1) : word);
