/** Words that a text mentions without stating them: a use that is only mentioned, a decision that is only recommended. */
import type { Analysis, Hit } from './analysis.ts';
import { listWords } from './lists.ts';

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

/** Whether a use is only mentioned: in a list of a long text, or in the name of a street or a company. */
export function isOnlyMentioned(analysis: Analysis, hit: Hit, sentence: number): boolean {
  const { source, text, sentences } = analysis;
  if (source.field === 'address') return true;
  const said = text.slice(sentences[sentence]?.start, sentences[sentence]?.end);
  if (isPartOfName(analysis, hit, said)) return true;
  return source.source === 'rawText' || source.source === 'document' ? text.length > OWN_CHARACTERS_MAX && !IS_ASKED.test(said) : false;
}

/** A name that begins with the hit and ends as those of streets and companies do: `Temple Street` is no temple, `Redbud Logistics Partners LP` no warehouse. */
function isPartOfName({ source, text, tokens }: Analysis, { from, to }: Hit, said: string): boolean {
  const isCapital = (i: number) => /^\p{Lu}/u.test(text.slice(tokens[i]?.start, tokens[i]?.end));
  // Words in capitals alone may be no name of a company.
  const hasSmall = source.source !== 'field' && /\p{Ll}{3}/u.test(said);
  const names = (i: number) => (i === to && STREETS.has(tokens[i]?.word ?? '')) || (hasSmall && COMPANIES.has(tokens[i]?.word ?? ''));
  for (let i = to; isCapital(from) && i < to + NAME_WORDS_MAX && isCapital(i); i++) if (names(i)) return true;
  return false;
}
