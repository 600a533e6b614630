/** Records that may be related to a question: they meet a part of it, or resemble what the team confirmed. Ranked, not judged; nothing of them is charged. */

import { type Clause, terms } from '../../core/query/clauses.ts';
import { rankLikeConfirmed, withoutDismissed } from './followFeedback.ts';
import { assessRecords } from './judge.ts';
import { type Criterion, isInstruction, partsOf } from './question/index.ts';
import type { PlannedReading, QuestionPlan } from './questionPlan.ts';
import { fuseRanks } from './rankFusion.ts';
import type { AiJob, ScreeningServices } from './screen.ts';
import { sayingsOf } from './screener.ts';
import type { AssessedRecord } from './types.ts';

/** Records that are shown, and of how many their parts are counted. */
const RELATED_MAX = 20;
const ASSESSED_MAX = 60;
/** What a record may meet without being related to a question that asks for more. */
const OF_USES = /^(?:propertyTypes|propertySubtypes|assetClasses)$/;

/**
 * The records that meet most of the question without being an answer, the best first: within its places and dates, unless nothing lies there.
 * @param answers ids of the confirmed records
 * @throws ApiError `search_unavailable`
 */
export async function findRelated(
  services: ScreeningServices,
  job: AiJob,
  { plan, answers }: { plan: QuestionPlan; answers: readonly number[] },
  signal: AbortSignal,
): Promise<AssessedRecord[]> {
  if (isInstruction(job.payload.query) || (!plan.criteria.length && answers.length)) return [];
  const feedback = await services.feedback.read(job.teamId, job.payload.query);
  const others: Clause[] = [...withoutDismissed(feedback), { bool: { must_not: [terms('id', answers)] } }];
  const parts = new Map(plan.criteria.flatMap(partsOf).map((one) => [one.text, one]));
  const place = ({ text }: Criterion) => job.payload.query.indexOf(text);
  const parted = { ...plan, criteria: [...parts.values()].sort((a, b) => place(a) - place(b)) };
  for (const asked of [parted, withoutPlaces(parted)]) {
    const request = { filters: [...asked.filters, ...others], sayings: sayingsOf(services.screener, asked), tieBreak: [{ id: 'asc' }] };
    const ranked = await services.relevance.resembling(request, [], ASSESSED_MAX, signal);
    const liked = await rankLikeConfirmed(services, { plan: asked, request }, feedback, signal);
    const ids = [...new Set([...liked.filter((id) => !answers.includes(id)), ...ranked])].slice(0, ASSESSED_MAX);
    const assessed = await assessRecords(services, asked, ids, signal);
    const related = rankRelated(assessed, [ranked, liked]).map((one) => nameParts(plan, one));
    // What misses nothing is an answer beyond the window.
    const isRelated = ({ meets, misses }: AssessedRecord) => misses.length > 0 && meets.some((text) => tellsMore(plan, text));
    const first = related.filter(isRelated).slice(0, RELATED_MAX);
    if (first.length) return first;
  }
  return [];
}

/** The plan with its places and dates as parts that a record may miss. */
const withoutPlaces = (plan: QuestionPlan): QuestionPlan => ({
  ...plan,
  filters: [plan.selection.query],
  readings: [...plan.firm, ...plan.readings],
  firm: [],
});

/** A record with each part of the question once, as large as it is met or missed. */
function nameParts({ criteria }: QuestionPlan, record: AssessedRecord): AssessedRecord {
  const parts = criteria.map((one) => ({ text: one.text, smaller: partsOf(one).flatMap(({ text }) => (text === one.text ? [] : [text])) }));
  const isCovered = (text: string, by: readonly string[]) => parts.some((one) => by.includes(one.text) && one.smaller.includes(text));
  const meets = record.meets.filter((text) => !isCovered(text, record.meets));
  const misses = record.misses.filter((text) => !isCovered(text, [...record.misses, ...record.meets]));
  return { ...record, meets, misses };
}

/** Whether a part says more of a record than its place, its date or its use, if the question asks for more. */
function tellsMore({ criteria, firm, readings }: QuestionPlan, text: string): boolean {
  const isUse = ({ reading }: PlannedReading) => reading.filters.some((name) => OF_USES.test(name));
  const less = [...firm, ...readings.filter(isUse)]
    .map(({ reading }) => reading.text)
    .concat(criteria.flatMap((one) => (one.match.isUse ? [one.text] : [])));
  return !less.includes(text) || less.length === firm.length + readings.length + criteria.length;
}

/** By the number of parts that records meet, and by the rankings. */
function rankRelated(related: readonly AssessedRecord[], rankings: readonly (readonly number[])[]): AssessedRecord[] {
  const byParts = related.toSorted((a, b) => b.meets.length - a.meets.length).map(({ id }) => id);
  const order = fuseRanks([byParts, ...rankings]);
  return related.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
}
