/**
 * Records that may be related to a question: they meet a part of it, have its words, or resemble what the team confirmed. Ranked, not judged; nothing
 * of them is charged.
 */

import { anyOf, type Clause, terms } from '../../core/query/clauses.ts';
import { mentionClause, PROSE } from '../../core/query/relevance.ts';
import { rankLikeConfirmed, withoutDismissed } from './followFeedback.ts';
import { assessRecords } from './judge.ts';
import { type Criterion, contentWords, isInstruction, partsOf } from './question/index.ts';
import type { QuestionPlan } from './questionPlan.ts';
import { fuseRanks } from './rankFusion.ts';
import type { AiJob, ScreeningServices } from './screen.ts';
import { sayingsOf } from './screener.ts';
import type { AssessedRecord } from './types.ts';

/** Records that are shown, and of how many their parts are counted. */
const RELATED_MAX = 20;
const ASSESSED_MAX = 60;
/** Only the first of each ranking are shown: their ranks tell them apart more than in a long list. */
const DAMPING = 10;
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
    const filters = [...asked.filters, ...others, ...tellingMore(services, parted)];
    const request = { filters, sayings: sayingsOf(services.screener, asked), tieBreak: [{ id: 'asc' }] };
    // By all words of the question, too: its readers may have missed what they are about.
    const stated = sayingsOf(services.screener, { ...asked, criteria: [] }).map((one) => ({ ...one, phrases: [] }));
    const sayings = [{ phrases: [job.payload.query] }, ...stated];
    const [ranked, worded, resembling] = await Promise.all([
      services.relevance.resembling(request, [], ASSESSED_MAX, signal),
      services.relevance.resembling({ ...request, sayings }, [], ASSESSED_MAX, signal),
      rankLikeConfirmed(services, { plan: asked, request }, feedback, signal),
    ]);
    const liked = resembling.filter((id) => !answers.includes(id));
    const ids = [...new Set([...liked, ...fuseRanks([ranked, worded], DAMPING)])].slice(0, ASSESSED_MAX);
    const assessed = await assessRecords(services, asked, ids, signal);
    const related = rankRelated(assessed, [ranked, worded, liked]).map((one) => nameParts(plan, one));
    // What misses nothing is an answer beyond the window.
    const first = related.filter(({ misses }) => misses.length > 0).slice(0, RELATED_MAX);
    if (first.length) return first;
  }
  return [];
}

/** What lets only records pass that say more than a place, a date or a use; nothing if the question asks for no more. */
function tellingMore({ screener }: ScreeningServices, { criteria, readings }: QuestionPlan): Clause[] {
  const more = readings.filter(({ reading }) => !reading.filters.some((name) => OF_USES.test(name)));
  const asked = [...criteria.filter(({ match }) => !match.isUse), ...more.map(({ reading }) => reading.criterion)];
  const words = new Set([...asked.map(({ text }) => text), ...screener.searchTerms(asked).flat()].flatMap(contentWords));
  if (!asked.length) return [];
  return [anyOf([mentionClause(PROSE.project, [[...words].join(' ')]), ...more.map(({ clause }) => clause)])];
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

/** By the number of parts that records meet, and by the rankings. */
function rankRelated(related: readonly AssessedRecord[], rankings: readonly (readonly number[])[]): AssessedRecord[] {
  const byParts = related.toSorted((a, b) => b.meets.length - a.meets.length).map(({ id }) => id);
  const order = fuseRanks([byParts, ...rankings], DAMPING);
  return related.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
}
