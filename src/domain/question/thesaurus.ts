/** Words of land use that mean the same. Data in `src/catalogue/thesaurus.json`, look-ups here. */
import sets from '../../catalogue/thesaurus.json' with { type: 'json' };
import { stemsOf } from './tokens.ts';

interface SynonymSet {
  /** each means every other */
  same: readonly string[];
  /** each is a case of them: found where they are asked for, not the other way round */
  narrower?: readonly string[];
}

/** Words of the longest phrase that is looked up. */
const PHRASE_WORDS_MAX = 6;

const key = (stems: readonly string[]) => stems.join(' ');

const setsByPhrase = new Map<string, SynonymSet[]>();
const narrowerPhrases = new Set<string>();
for (const set of sets as readonly SynonymSet[]) {
  for (const phrase of new Set(set.same.map((text) => key(stemsOf(text))))) {
    const found = setsByPhrase.get(phrase);
    if (found) found.push(set);
    else setsByPhrase.set(phrase, [set]);
  }
  for (const phrase of set.narrower ?? []) narrowerPhrases.add(key(stemsOf(phrase)));
}

/** How many of the stems from `at` on are one phrase of the thesaurus; 0 where none is. */
export function phraseLength(stems: readonly string[], at: number): number {
  for (let length = Math.min(PHRASE_WORDS_MAX, stems.length - at); length > 0; length--) {
    const phrase = key(stems.slice(at, at + length));
    if (setsByPhrase.has(phrase) || narrowerPhrases.has(phrase)) return length;
  }
  return 0;
}

/** A phrase with everything that means it, itself first; in lower case. */
export function synonymsOf(text: string): string[] {
  const found = setsByPhrase.get(key(stemsOf(text))) ?? [];
  return [...new Set([text.toLowerCase(), ...found.flatMap(({ same, narrower = [] }) => [...same, ...narrower])])];
}

export const SET_COUNT = sets.length;
