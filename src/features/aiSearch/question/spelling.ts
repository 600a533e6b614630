/** Typing errors in the words of filters: `wherehouses`, `recomended`. */
import lists from '../../../catalogue/questionLists.json' with { type: 'json' };
import relations from '../../../catalogue/questionRelations.json' with { type: 'json' };
import vocabulary from '../../../catalogue/questionWords.json' with { type: 'json' };
import units from '../../../catalogue/units.json' with { type: 'json' };
import { lazily } from '../../../core/domain/lazily.ts';
import { countMistypedLetters } from '../../../core/domain/mistypedLetters.ts';
import { stem } from '../../../core/domain/stem.ts';
import * as terms from '../../../core/domain/vocabulary.ts';
import { isThesaurusStem } from './thesaurus.ts';
import { type Token, tokensOf } from './tokens.ts';

/** Letters of a word that may have an error: beside another word of its phrase (`single famly`), by itself, and of one that may have two. */
const [IN_PHRASE_MIN, ONE_ERROR_MIN, TWO_ERRORS_MIN] = [4, 6, 10] as const;

/** Short forms, which no text has to write: `ctr` is a center. */
const SHORT = new Map(lists.shortForms.split(', ').map((pair) => pair.split(' ') as [string, string]));

const singular = (word: string) => word.replace(/ies$/, 'y').replace(/s$/, '');
const textsIn = (value: unknown): string[] => (typeof value === 'object' && value ? Object.values(value).flatMap(textsIn) : [`${value}`]);

const words = lazily(() => {
  const { propertyTypes, propertySubtypes, assetClasses, statuses, decisionBodies, requestTypes } = terms;
  const labels = [propertyTypes, propertySubtypes, assetClasses, statuses, decisionBodies, requestTypes].flatMap((one) =>
    one.terms.flatMap(({ label, aliases = [] }) => [label, ...aliases]),
  );
  const all = tokensOf([...textsIn(vocabulary), ...labels].join(' ; '));
  const pairs = new Set(all.flatMap(({ stem, end }, i) => (all[i + 1]?.start === end + 1 ? [`${stem} ${all[i + 1]?.stem}`] : [])));
  const meant = [...new Map(all.map((one) => [one.word, one])).values()].filter(({ word }) => word.length >= IN_PHRASE_MIN);
  const others = tokensOf([lists, relations, units].flatMap(textsIn).join(' ; '));
  return { meant, pairs, known: new Set([...all, ...others].map(({ stem }) => stem)) };
});

/** Whether a word is one of the vocabularies or the thesaurus. */
export const isKnownWord = (word: string): boolean => words().known.has(stem(word)) || isThesaurusStem(stem(word));

/**
 * The token as it was meant: the one word of a filter, with the same first and last letter, that is an error or two away. Names and known words stay.
 * @param neighbours their stems
 */
export function correctToken(token: Token, text: string, neighbours: readonly (string | undefined)[]): Token {
  // `ADUs`, `MOBs`
  const one = /^[A-Z]{2,5}s$/.test(text.slice(token.start, token.end)) ? token.word.slice(0, -1) : token.word;
  const full = SHORT.get(one) ?? (one === token.word ? undefined : one);
  if (full) return { ...token, word: full, stem: stem(full) };
  const said = singular(token.word);
  const most = said.length < TWO_ERRORS_MIN ? 1 : 2;
  // The first word of a question has a capital of its own.
  if (
    said.length < IN_PHRASE_MIN ||
    /\P{Ll}/u.test(text.slice(Math.max(1, token.start), token.end)) ||
    words().known.has(token.stem) ||
    isThesaurusStem(token.stem)
  )
    return token;
  const near = words().meant.flatMap((one) => {
    const name = singular(one.word);
    const isLike = name[0] === said[0] && name.at(-1) === said.at(-1) && Math.abs(name.length - said.length) <= most;
    const isLong = said.length >= ONE_ERROR_MIN && one.word.length >= ONE_ERROR_MIN;
    const mayBe =
      isLike && (isLong || [`${neighbours[0]} ${one.stem}`, `${one.stem} ${neighbours[1]}`].some((pair) => words().pairs.has(pair)));
    const far = mayBe ? countMistypedLetters(said, name) : Infinity;
    return far <= most ? [{ ...one, far }] : [];
  });
  const [best, next] = near.sort((a, b) => a.far - b.far).filter(({ stem }, i, all) => !i || stem !== all[0]?.stem);
  return best && best.far !== next?.far ? { ...token, word: best.word, stem: best.stem } : token;
}
