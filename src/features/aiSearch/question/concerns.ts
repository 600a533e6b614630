/**
 * Reasons and speakers of land-use meetings, each with the names that questions give it and the phrases by which minutes may say it
 * (`src/catalogue/thesaurus/concerns.json`). What shares no word with the question finds records and proves nothing.
 */
import data from '../../../catalogue/thesaurus/concerns.json' with { type: 'json' };
import { lazily } from '../../../core/domain/lazily.ts';
import { stemsOf } from './tokens.ts';
import type { Concept } from './types.ts';
import { listStems, Phrases, type TextWords } from './words.ts';

const split = (list: string): readonly string[] => list.split(', ');
const SMALL = listStems('small');
const tellingStems = (text: string): string[] => stemsOf(text).filter((stem) => !SMALL.has(stem));

const concerns = lazily(() => data.concerns.map(({ names, said }) => ({ names: split(names).map(tellingStems), said: split(said) })));
const actors = lazily(() =>
  data.actors.map(({ names, said, ...row }) => ({
    names: new Phrases(split(names)),
    alike: 'unlike' in row ? [] : split(said).filter((one) => split(names).includes(one)),
    said: split(said),
  })),
);

/** Concepts of a reason, the first with what else may say it. @param text words of the question that say them */
export function withConcerns(text: string, [first, ...others]: readonly [Concept, ...Concept[]]): readonly Concept[] {
  const stems = tellingStems(text);
  const named = concerns().filter(({ names }) => names.some((name) => name.length && name.every((stem) => stems.includes(stem))));
  return named.length ? [{ ...first, hints: named.flatMap(({ said }) => said) }, ...others] : [first, ...others];
}

/** The kind of speaker that words name at a token: phrases that name the same one, and what else minutes may call one of the kind. */
export function actorAt(
  words: TextWords,
  at: number,
): { length: number; phrases: readonly string[]; hints: readonly string[] } | undefined {
  const [longest] = actors()
    .map((actor) => ({ ...actor, length: actor.names.lengthAt(words.tokens, at) }))
    .sort((a, b) => b.length - a.length);
  if (!longest?.length) return undefined;
  const { length, alike, said } = longest;
  const stems = tellingStems(words.slice(at, at + length));
  const isSame = (of: readonly string[]) => of.some((stem) => stems.includes(stem)) && (of.length > 1 || stems.length === 1);
  const same = said.filter((phrase) => isSame(tellingStems(phrase)));
  return { length, phrases: [...alike, ...same], hints: said };
}
