/** Units of land-use texts: the words by which each is named, and the measurement of a record that holds it. Data in `src/catalogue/units.json`. */
import table from '../../../catalogue/units.json' with { type: 'json' };
import { synonymsOf } from './thesaurus.ts';
import { stemsOf, type Token } from './tokens.ts';
import { Phrases } from './words.ts';

export interface Unit {
  name: string;
  /** each phrase for the unit, as stems, the longest first */
  phrases: readonly (readonly string[])[];
  /** each phrase for the unit, as written */
  texts: readonly string[];
  /** measurement of a record; its filters bound the amount */
  measurement?: string;
  /** another one, which a text has to name: `feet` are a height only where it says so */
  called?: string;
  /** by what it is named, and what stands for itself: `150-foot monopoles` */
  names: Phrases;
  subjects: Phrases;
  naming: readonly string[];
  /** the least difference between two amounts; absent if there is none */
  step?: number;
}

const makeUnit = (name: string, texts: readonly string[], names = '', subjects = ''): Unit => ({
  name,
  texts,
  phrases: texts.map(stemsOf).sort((a, b) => b.length - a.length),
  names: new Phrases(names),
  subjects: new Phrases(subjects),
  naming: [names, subjects].join(', ').split(', '),
});

const UNITS = table.map(
  ({ name, texts, names, subjects, ...more }): Unit => ({
    ...more,
    ...makeUnit(name, texts.split(', '), names, subjects),
  }),
);
const byName = new Map(UNITS.map((one) => [one.name, one]));

/** Whether a unit is not in the table: texts may use other words for what is counted. */
export const isCountedUnit = (name: string): boolean => !byName.has(name);

/** A unit of the table, or one made of the counted words and their synonyms: `12 chickens`. */
export const unitNamed = (name: string): Unit => byName.get(name) ?? makeUnit(name, synonymsOf(name));

/** Number of tokens of the longest phrase for a unit that begins at token `at`; 0 for none. */
export const unitLengthAt = ({ phrases }: Unit, tokens: readonly Token[], at: number): number =>
  phrases.find((phrase) => phrase.every((stem, offset) => tokens[at + offset]?.stem === stem))?.length ?? 0;

/** The unit with the longest phrase at token `at`, and the number of its tokens. */
export function unitAt(tokens: readonly Token[], at: number): { unit: Unit; length: number } | undefined {
  const standing = UNITS.map((unit) => ({ unit, length: unitLengthAt(unit, tokens, at) }));
  const longest = standing.reduce((best, one) => (one.length > best.length ? one : best));
  return longest.length ? longest : undefined;
}
