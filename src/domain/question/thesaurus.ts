/** Words of land use that mean the same. Data in `src/catalogue/thesaurus/`, a file for each field of life; look-ups here. */
import civic from '../../catalogue/thesaurus/civic.json' with { type: 'json' };
import dwellings from '../../catalogue/thesaurus/dwellings.json' with { type: 'json' };
import foodAndRetail from '../../catalogue/thesaurus/foodAndRetail.json' with { type: 'json' };
import further from '../../catalogue/thesaurus/further.json' with { type: 'json' };
import industry from '../../catalogue/thesaurus/industry.json' with { type: 'json' };
import networks from '../../catalogue/thesaurus/networks.json' with { type: 'json' };
import procedures from '../../catalogue/thesaurus/procedures.json' with { type: 'json' };
import services from '../../catalogue/thesaurus/services.json' with { type: 'json' };
import works from '../../catalogue/thesaurus/works.json' with { type: 'json' };
import { stemsOf } from './tokens.ts';

interface SynonymSet {
  /** each means every other; the first is the usual one */
  same: readonly string[];
  /** each is a case of them: found where they are asked for, not the other way round */
  narrower?: readonly string[];
}

const USES: readonly SynonymSet[] = [dwellings, foodAndRetail, services, civic, industry, networks].flat();
const sets: readonly SynonymSet[] = [...USES, ...[works, procedures, further].flat()];

/** Words of the longest phrase that is looked up. */
const PHRASE_WORDS_MAX = 6;

const key = (stems: readonly string[]) => stems.join(' ');
const keyOf = (text: string) => key(stemsOf(text));

const setsByPhrase = new Map<string, SynonymSet[]>();
const setsByHead = new Map<string, SynonymSet[]>();
const narrowerPhrases = new Set<string>();

function add(map: Map<string, SynonymSet[]>, phrase: string, set: SynonymSet): void {
  const found = map.get(phrase);
  if (found) found.push(set);
  else map.set(phrase, [set]);
}

const usePhrases = new Set(USES.flatMap(({ same }) => same.map(keyOf)));

/** Whether a phrase names a use of land. */
export const isUse = (text: string): boolean => usePhrases.has(keyOf(text));

for (const set of sets) {
  for (const phrase of new Set(set.same.map(keyOf))) add(setsByPhrase, phrase, set);
  add(setsByHead, keyOf(set.same[0] as string), set);
  for (const phrase of set.narrower ?? []) narrowerPhrases.add(keyOf(phrase));
}

/** How many of the stems from `at` on are one phrase of the thesaurus; 0 where none is. */
export function phraseLength(stems: readonly string[], at: number): number {
  for (let length = Math.min(PHRASE_WORDS_MAX, stems.length - at); length > 0; length--) {
    const phrase = key(stems.slice(at, at + length));
    if (setsByPhrase.has(phrase) || narrowerPhrases.has(phrase)) return length;
  }
  return 0;
}

/** What means a narrower phrase, where a set is of it: `cinema`, of `theater`, is also a movie house. */
const meaningNarrower = (phrase: string): readonly string[] => [
  phrase,
  ...(setsByHead.get(keyOf(phrase)) ?? []).flatMap(({ same }) => same),
];

/** A phrase with everything that means it, itself first; in lower case. */
export function synonymsOf(text: string): string[] {
  const found = setsByPhrase.get(keyOf(text)) ?? [];
  return [...new Set([text.toLowerCase(), ...found.flatMap(({ same, narrower = [] }) => [...same, ...narrower.flatMap(meaningNarrower)])])];
}

/** The usual phrases for what these stems mean, as stems joined by spaces. */
export const headsOf = (stems: readonly string[]): string[] =>
  (setsByPhrase.get(key(stems)) ?? []).map(({ same }) => keyOf(same[0] as string));

export const SET_COUNT = sets.length;
