/** Words of a text that are no statement of it: a use that is only mentioned, a decision that is only recommended. */
import type { Analysis, Hit } from './analysis.ts';
import { listWords } from './lists.ts';
import type { Token } from './tokens.ts';

/** Words that only name streets. */
const STREETS = listWords('streets');

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

/** Whether a use is only mentioned: in a list of a long text, or in a company's name. */
export function isByTheWay(analysis: Analysis, hit: Hit, sentence: number): boolean {
  const { source, text, tokens, sentences } = analysis;
  if (source.field === 'address' || isOfStreet(analysis, hit)) return true;
  if (source.source === 'field') return false;
  const said = text.slice(sentences[sentence]?.start, sentences[sentence]?.end);
  if (text.length > OWN_CHARACTERS_MAX && source.source !== 'summary' && !IS_ASKED.test(said)) return true;
  return isInCompany(text, tokens, hit, said);
}

/** `Temple Street` is no temple. */
function isOfStreet({ text, tokens }: Analysis, { from, to }: Hit): boolean {
  const next = tokens[to];
  return next !== undefined && STREETS.has(next.word) && [tokens[from], next].every((token) => /^\p{Lu}/u.test(text.slice(token?.start)));
}

const COMPANY = /^(?:llc|inc|lp|llp|ltd|corp|corporation|partners|pllc|incorporated|holdings)$/;
const COMPANY_WORDS = 3;

/** `Redbud Brook Logistics Partners LP` is no warehouse. */
function isInCompany(text: string, tokens: readonly Token[], { from, to }: Hit, said: string): boolean {
  const isCapital = (i: number) => /^\p{Lu}/u.test(text.slice(tokens[i]?.start, tokens[i]?.end));
  if (!isCapital(from) || !/\p{Ll}{3}/u.test(said)) return false;
  for (let i = to; i < to + COMPANY_WORDS && tokens[i] && isCapital(i); i++) if (COMPANY.test(tokens[i]?.word ?? '')) return true;
  return false;
}
