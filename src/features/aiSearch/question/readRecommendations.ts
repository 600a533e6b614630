/**
 * Reads what staff or a body recommended.
 *
 *     advice  ::= who {word} verb {word} verdict [conditions] | who ["recommendation"] ":" verdict | verdict {word} ("by" | "from") who
 *               | who {word} ("no recommendation" | "did not recommend anything")
 *     who     ::= "staff" | body, which only recommends: `planning commission recommended denial`
 *     verb    ::= "recommended" | "asked for" | "wants" | "advice" | … ; `staff supported` says the verdict, too
 *
 * Why something was recommended is left to the text: `staff recommended denial because of traffic`.
 */
import { literalCriterion } from './criterion.ts';
import type { QuestionWords } from './questionWords.ts';
import { bodyAt } from './readVocabulary.ts';
import type { ListName } from './words.ts';

/** Words that may stand between who advises, the verb and the verdict. */
const APART_MAX = 5;
const VERDICTS = {
  none: 'adviceNone',
  approval: 'adviceApproval',
  denial: 'adviceDenial',
  continuance: 'adviceContinuance',
} as const satisfies Readonly<Record<string, ListName>>;
type Verdict = keyof typeof VERDICTS;
const STATUS: Readonly<Partial<Record<Verdict, string>>> = { approval: 'recommended_approval', denial: 'recommended_denial' };
const BREAKS = /[;.?!]|,\s+(?!with\b|but\b)/;

interface Advice {
  /** the token of its verb, where other words may stand before it: `a planning board in New Jersey recommended denial` */
  verbAt?: number;
  verdict: Verdict;
  hasConditions: boolean;
  at: number;
  to: number;
}

/** The first phrase of a list within reach of a token and in its clause: its place and length. */
function findNear(question: QuestionWords, at: number, list: ListName): { at: number; length: number } | undefined {
  for (let i = at; i < Math.min(question.tokens.length, at + APART_MAX); i++) {
    if (i > at && BREAKS.test(question.textAfter(i - 1))) return undefined;
    const length = question.phraseAt(i, list);
    if (length && question.isFree(i, i + length)) return { at: i, length };
  }
  return undefined;
}

/** The first verdict within reach of a token. */
function verdictAt(question: QuestionWords, at: number): Advice | undefined {
  const found = (Object.keys(VERDICTS) as Verdict[]).flatMap((verdict) => {
    const near = findNear(question, at, VERDICTS[verdict]);
    return near ? [{ verdict, ...near }] : [];
  });
  const [first] = found.sort((a, b) => a.at - b.at || b.length - a.length);
  if (!first) return undefined;
  const to = first.at + first.length;
  const before = question.phraseBefore(first.at, 'adviceConditional');
  const behind = question.phraseAt(to, 'adviceConditions');
  return { verdict: first.verdict, hasConditions: before + behind > 0, at: first.at - before, to: to + behind };
}

const SIDES = { approval: 'adviceFor', denial: 'adviceAgainst' } as const satisfies Partial<Record<Verdict, ListName>>;
const AUXILIARY = /^(?:had|has|have|was|were|is|are|the|its|planning|said|that|it)$/;

/** The advice that follows whose it is: `recommended denial`, `supported`, `: denial`. */
function adviceBehind(question: QuestionWords, at: number, isStaff: boolean): Advice | undefined {
  let start = at;
  while (AUXILIARY.test(question.word(start))) start++;
  for (const verdict of isStaff ? (['approval', 'denial'] as const) : []) {
    const length = question.phraseAt(start, SIDES[verdict]);
    if (length) return { verdict, hasConditions: false, at: start, to: start + length };
  }
  const verb = findNear(question, at, isStaff ? 'adviceVerbs' : 'adviceRecommends');
  const said = verb && verdictAt(question, verb.at + verb.length);
  if (verb) return said && { ...said, verbAt: verb.at };
  return /^\s*:/.test(question.textAfter(at - 1)) ? verdictAt(question, at) : undefined;
}

/** `recommended for denial by staff` */
function adviceBefore(question: QuestionWords, at: number): (Advice & { from: number }) | undefined {
  const lead = at - question.phraseBefore(at, 'adviceBy');
  if (lead === at) return undefined;
  for (let from = Math.max(0, lead - APART_MAX); from < lead; from++) {
    const advice = verdictAt(question, from);
    const verb = findNear(question, from, 'adviceRecommends');
    if (advice && verb && advice.to <= lead && verb.at < lead) return { ...advice, from: Math.min(advice.at, verb.at), to: at };
  }
  return undefined;
}

/** What stands behind `although` or `after` is read as a relation. */
export function readRecommendations(question: QuestionWords): void {
  for (let i = 0; i < question.tokens.length; i++) {
    const staff = question.isFree(i) ? question.phraseAt(i, 'adviceStaff') : 0;
    const body = staff ? undefined : bodyAt(question, i);
    const length = staff || body?.length || 0;
    if (!length) continue;
    const behind = adviceBehind(question, i + length, staff > 0);
    const before = behind ? undefined : adviceBefore(question, i);
    const [from, to] = before ? [before.from, i + length] : [i, behind?.to ?? i];
    const advice = behind ?? before;
    const start = from - Number(question.word(from - 1) === 'the');
    const isContrast = question.phraseBefore(start, 'despite') + question.phraseBefore(start, 'after') > 0;
    if (!advice || !question.isFree(from, to) || question.is(to, 'adviceWhy') || isContrast) continue;
    const status = STATUS[advice.verdict];
    const said = advice.verdict === 'approval' && advice.hasConditions ? 'approval_with_conditions' : advice.verdict;
    // `denial or none`
    const joins = Number(question.word(to) === 'or');
    const next = joins || question.textAfter(to - 1) === '/' ? verdictAt(question, to + joins) : undefined;
    const filters = staff
      ? { staffRecommendations: [said, ...(next ? [next.verdict] : [])] }
      : status && { statusCombos: (body?.tokens ?? []).map((token) => `${token}|${status}`) };
    const end = next && staff ? next.to : to;
    const verbAt = advice.verbAt ?? from;
    const criterion = literalCriterion(question.slice(from, to));
    if (filters && question.readAsFilters(Math.max(from, verbAt), end, filters, 'always', criterion))
      question.take(from, from + length, Object.keys(filters));
  }
}
