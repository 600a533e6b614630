/** Words that a text mentions without stating them: a use that is only mentioned, a decision that is only recommended. */
import type { Analysis, Hit } from './analysis.ts';
import { PROCEDURE } from './negation.ts';
import { isUse } from './thesaurus.ts';
import type { Token } from './tokens.ts';
import { isNeeded, listWords } from './words.ts';

/** Words that only name streets. */
const STREETS = listWords('streets');
const COMPANIES = listWords('companies');
/** Words behind a hit within which its name ends. */
const NAME_WORDS_MAX = 3;

/** Texts up to this length are about one thing: a text alone, or those of a record together. */
export const OWN_CHARACTERS_MAX = 4000;

const BETWEEN = new Set(['a', 'an', 'be', 'for', 'item', 'it', 'of', 'request', 'that', 'the', 'this', 'to']);

/** `Staff recommended denial`, `suggests that the item be continued`: a recommendation, not a decision. */
export function isRecommended({ tokens, firstToken }: Analysis, { from }: Hit, sentence: number): boolean {
  let before = from - 1;
  while (before >= (firstToken[sentence] as number) && BETWEEN.has(tokens[before]?.word ?? '')) before -= 1;
  return before >= (firstToken[sentence] as number) && /^(?:recommend|suggest)/.test(tokens[before]?.word ?? '');
}

/** Times that a long text names a use it is about; minutes and lists of uses name many uses once. */
const IS_ASKED =
  /\b(?:requests?|requested|requesting|propos\w*|applications?|applicants?|to (?:permit|allow|construct|build|operate|open|develop|convert|establish)|seeks?|seeking|intends?|wants?|would like|plans? to|designat\w*)\b/i;

/** Whether minutes only mention a use: in a list of a long text, or anywhere if they have to ask for it (`the pastor of the church next door`). */
export function isOnlyMentioned({ source, text, sentences }: Analysis, sentence: number, hasToAsk: boolean): boolean {
  if ((source.source !== 'rawText' && source.source !== 'document') || (text.length <= OWN_CHARACTERS_MAX && !hasToAsk)) return false;
  return !IS_ASKED.test(text.slice(sentences[sentence]?.start, sentences[sentence]?.end));
}

/** Share of capitals from which a sentence is a title, whose capitals tell no name. */
const TITLE_SHARE = 0.6;

/**
 * Whether a hit is part of a name: of the record's own, of a street or a company, or of capitals in a row that say more than itself: `Lone Oak View
 * Pipeline` is no view, `Temple Street` no temple.
 */
export function isPartOfName({ source, text, tokens, firstToken, names }: Analysis, { from, to }: Hit, sentence: number): boolean {
  const isCapital = (i: number) => /^[\p{Lu}\d]/u.test(text.slice(tokens[i]?.start, tokens[i]?.end));
  const tells = ({ word, stem }: Token) => isNeeded(word) && !PROCEDURE.has(stem) && !isUse(word);
  const [start, end] = [firstToken[sentence] as number, firstToken[sentence + 1] as number];
  const [hitStart, hitEnd] = [tokens[from]?.start ?? 0, tokens[to - 1]?.end ?? 0];
  const own = names.find((name) => name.start <= hitStart && name.end >= hitEnd);
  if (
    own &&
    tokens
      .slice(start, end)
      .some((token, i) => (i + start < from || i + start >= to) && token.start >= own.start && token.end <= own.end && tells(token))
  )
    return true;
  const words = tokens.slice(start, end).flatMap(({ word }, i) => (word.length > 3 && /\p{L}/u.test(word) ? [start + i] : []));
  const isTitle = source.source === 'field' || words.filter(isCapital).length > words.length * TITLE_SHARE;
  const isJoined = (i: number) => /^(?:['’]s)?[ &-]{1,3}$/.test(text.slice(tokens[i]?.end, tokens[i + 1]?.start));
  let [first, last] = [from, to];
  for (let i = from; i < to; i++) if (!isCapital(i)) return false;
  while (first > start && isCapital(first - 1) && isJoined(first - 1)) first--;
  while (last < end && isCapital(last) && isJoined(last - 1)) last++;
  if (
    last > to &&
    tokens
      .slice(to, Math.min(last, to + NAME_WORDS_MAX))
      .some(({ word }, i) => (i === 0 && STREETS.has(word)) || (!isTitle && COMPANIES.has(word)))
  )
    return true;
  // The first word of a sentence has a capital of its own.
  return (
    !isTitle && tokens.slice(first, last).some((token, i) => (first + i < from || first + i >= to) && first + i > start && tells(token))
  );
}
