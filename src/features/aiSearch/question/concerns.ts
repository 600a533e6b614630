/**
 * Reasons and speakers of land-use meetings, each with the names that questions give it and the phrases by which minutes say it
 * (`src/catalogue/thesaurus/concerns.json`). A phrase may need another one near it: `cars + street`.
 */
import data from '../../../catalogue/thesaurus/concerns.json' with { type: 'json' };
import { lazily } from '../../../core/domain/lazily.ts';
import { stemsOf } from './tokens.ts';
import type { Concept } from './types.ts';
import { contentWords, listStems, Phrases, type TextWords } from './words.ts';

/** Stands between two phrases that are near each other in any order. */
export const NEAR = '+';

const split = (list: string): readonly string[] => list.split(', ');

interface Concern {
  /** each name as the stems of its words that tell something */
  names: readonly (readonly string[])[];
  /** the stems of its phrases of one word */
  words: ReadonlySet<string>;
  said: readonly string[];
}

const SMALL = listStems('small');
const tellingStems = (text: string): string[] => stemsOf(text).filter((stem) => !SMALL.has(stem));
const contentStems = (text: string): string[] => contentWords(text).flatMap(stemsOf);

const concerns = lazily(() =>
  data.concerns.map(
    ({ names, said }): Concern => ({
      names: [...split(names), ...split(said).filter((phrase) => phrase.includes(' '))].map(tellingStems),
      words: new Set(split(said).flatMap((phrase) => (phrase.includes(' ') ? [] : stemsOf(phrase)))),
      said: split(said),
    }),
  ),
);
const actors = lazily(() => data.actors.map(({ names, said }) => ({ names: new Phrases(split(names)), said: split(said) })));

/** The share of a topic that a concern has to name. */
const SHARE_MIN = 0.5;
const EFFECTS = listStems('effects');

interface Named {
  covered: ReadonlySet<string>;
  said: readonly string[];
}

/** Concerns that are named by words of a topic, with the stems that name them. */
const namedConcerns = (stems: readonly string[]): Named[] =>
  concerns().flatMap(({ names, words, said }) => {
    const covered = new Set(names.filter((name) => name.length && name.every((stem) => stems.includes(stem))).flat());
    // `balconies over backyards`: beside a name, words by which minutes say it belong to it.
    const beside = stems.filter((stem) => words.has(stem));
    return covered.size ? [{ covered: new Set([...covered, ...beside]), said }] : [];
  });

/**
 * Concepts of a reason, with what else says it. A concern that names most of what they tell is the reason; what happens to a thing (`lost`, `filled`)
 * is said with it.
 * @param text words of the question that say them
 */
export function withConcerns(text: string, concepts: readonly Concept[]): readonly Concept[] {
  const named = namedConcerns(tellingStems(text));
  const own = (concept: Concept) => contentStems(concept.text).filter((stem) => !EFFECTS.has(stem));
  const things = concepts.flatMap(own);
  const shareOf = ({ covered }: Named) => things.filter((stem) => covered.has(stem)).length / things.length;
  const best = Math.max(0, ...named.map(shareOf));
  const [first] = concepts;
  if (first && concepts.length > 1 && best > SHARE_MIN) {
    const phrases = [
      concepts.map((one) => one.phrases[0]).join(` ${NEAR} `),
      ...named.filter((one) => shareOf(one) === best).flatMap(({ said }) => said),
    ];
    return [{ text: wordsFrom(text, first.text, concepts.at(-1)?.text ?? ''), phrases: [...new Set(phrases)] }];
  }
  const told = concepts.filter((concept) => own(concept).length);
  return (told.length ? told : concepts).map((concept) => {
    const found = named.filter(({ covered }) => own(concept).length > 0 && own(concept).every((stem) => covered.has(stem)));
    const parts = found.length || !concept.text.includes(' or ') ? found : named;
    return { ...concept, phrases: [...new Set([...concept.phrases, ...parts.flatMap(({ said }) => said)])] };
  });
}

/** The words of a text from one that it has up to another. */
function wordsFrom(text: string, first: string, last: string): string {
  const [from, to] = [text.indexOf(first), text.lastIndexOf(last)];
  return from < 0 || to < from ? first : text.slice(from, to + last.length);
}

/** The kind of speaker that words name at a token, and how minutes name it. */
export function actorAt({ tokens }: TextWords, at: number): { length: number; phrases: readonly string[] } | undefined {
  const [longest] = actors()
    .map(({ names, said }) => ({ length: names.lengthAt(tokens, at), phrases: said }))
    .sort((a, b) => b.length - a.length);
  return longest?.length ? longest : undefined;
}
