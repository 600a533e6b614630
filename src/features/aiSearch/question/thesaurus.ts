/** Synonyms of land use: look-ups here, data in `src/catalogue/thesaurus/`, a file for each subject. */
import civic from '../../../catalogue/thesaurus/civic.json' with { type: 'json' };
import dwellings from '../../../catalogue/thesaurus/dwellings.json' with { type: 'json' };
import foodAndRetail from '../../../catalogue/thesaurus/foodAndRetail.json' with { type: 'json' };
import further from '../../../catalogue/thesaurus/further.json' with { type: 'json' };
import industry from '../../../catalogue/thesaurus/industry.json' with { type: 'json' };
import networks from '../../../catalogue/thesaurus/networks.json' with { type: 'json' };
import procedures from '../../../catalogue/thesaurus/procedures.json' with { type: 'json' };
import services from '../../../catalogue/thesaurus/services.json' with { type: 'json' };
import works from '../../../catalogue/thesaurus/works.json' with { type: 'json' };
import { lazily } from '../../../core/domain/lazily.ts';
import { stemsOf } from './tokens.ts';

interface SynonymSet {
  /** synonyms; the first is the usual word */
  same: readonly string[];
  /** narrower phrases: found for the synonyms, not the other way round */
  narrower?: readonly string[];
}

const USES: ReadonlySet<SynonymSet> = new Set([dwellings, foodAndRetail, services, civic, industry, networks].flat());
const sets: readonly SynonymSet[] = [...USES, ...[works, procedures, further].flat()];

/** Words of the longest phrase. */
const PHRASE_WORDS_MAX = 6;

const key = (stems: readonly string[]) => stems.join(' ');
const keyOf = (text: string) => key(stemsOf(text));

/** All phrases by their stems; built for the first question, to keep the start short. */
const thesaurus = lazily(() => {
  const named = sets.flatMap((set) => [...new Set(set.same.map(keyOf))].map((phrase) => ({ phrase, set })));
  const setsByPhrase = Map.groupBy(named, ({ phrase }) => phrase);
  const setsByHead = Map.groupBy(sets, ({ same: [head = ''] }) => keyOf(head));
  const narrowerPhrases = new Set(sets.flatMap(({ narrower = [] }) => narrower.map(keyOf)));
  const stems = new Set([...setsByPhrase.keys(), ...narrowerPhrases].flatMap((phrase) => phrase.split(' ')));
  return { setsByPhrase, setsByHead, narrowerPhrases, stems };
});

/** Whether a phrase names a use of land. */
export const isUse = (text: string): boolean =>
  thesaurus()
    .setsByPhrase.get(keyOf(text))
    ?.some(({ set }) => USES.has(set)) ?? false;

/** Whether a word stands in a phrase. */
export const isThesaurusStem = (stem: string): boolean => thesaurus().stems.has(stem);

/** Number of stems of the longest phrase of the thesaurus that begins at `at`; 0 for none. */
export function phraseLength(stems: readonly string[], at: number): number {
  const { setsByPhrase, narrowerPhrases } = thesaurus();
  for (let length = Math.min(PHRASE_WORDS_MAX, stems.length - at); length > 0; length--) {
    const phrase = key(stems.slice(at, at + length));
    if (setsByPhrase.has(phrase) || narrowerPhrases.has(phrase)) return length;
  }
  return 0;
}

/** The synonyms of a narrower phrase that has a set of its own: `cinema`, narrower than `theater`, is also a movie house. */
const meaningNarrower = (phrase: string): readonly string[] => [
  phrase,
  ...(thesaurus().setsByHead.get(keyOf(phrase)) ?? []).flatMap(({ same }) => same),
];

/** A phrase and its synonyms, itself first; in lower case. */
export function synonymsOf(text: string): string[] {
  const found = thesaurus().setsByPhrase.get(keyOf(text)) ?? [];
  return [
    ...new Set([
      text.toLowerCase(),
      ...found.flatMap(({ set: { same, narrower = [] } }) => [...same, ...narrower.flatMap(meaningNarrower)]),
    ]),
  ];
}

/** The usual phrases for what these stems mean, as stems joined by spaces. */
export const usualPhrasesOf = (stems: readonly string[]): string[] =>
  (thesaurus().setsByPhrase.get(key(stems)) ?? []).map(({ set }) => keyOf(set.same[0] as string));

export const SET_COUNT = sets.length;
