/** Records that may be related to a question: they meet a part of it, or resemble what the team confirmed. Ranked, not judged; nothing of them is charged. */

import { type Clause, terms } from '../../core/query/clauses.ts';
import { rankLikeConfirmed, withoutDismissed } from './followFeedback.ts';
import { assessRecords } from './judge.ts';
import { type Criterion, isInstruction, linkedUses, partsOf } from './question/index.ts';
import type { QuestionPlan } from './questionPlan.ts';
import { fuseRanks } from './rankFusion.ts';
import type { AiJob, ScreeningServices } from './screen.ts';
import { sayingsOf } from './screener.ts';
import type { AssessedRecord } from './types.ts';

/** Records that are shown, and of how many their parts are counted. */
const RELATED_MAX = 20;
const ASSESSED_MAX = 60;

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
  const parted = withLinkedUses({ ...plan, criteria: [...parts.values()].sort((a, b) => place(a) - place(b)) });
  for (const asked of [parted, withoutPlaces(parted)]) {
    const request = { filters: [...asked.filters, ...others], sayings: sayingsOf(services.screener, asked), tieBreak: [{ id: 'asc' }] };
    const ranked = await services.relevance.resembling(request, [], ASSESSED_MAX, signal);
    const liked = await rankLikeConfirmed(services, { plan: asked, request }, feedback, signal);
    const ids = [...new Set([...liked.filter((id) => !answers.includes(id)), ...ranked])].slice(0, ASSESSED_MAX);
    const assessed = await assessRecords(services, asked, ids, signal);
    // What misses nothing is an answer beyond the window.
    const related = assessed.filter(({ meets, misses }) => meets.length && withoutLinked(misses).length);
    if (!related.length) continue;
    const first = rankRelated(related, [ranked, liked]).slice(0, RELATED_MAX);
    return first.map((one) => ({ ...one, meets: withoutLinked(one.meets), misses: withoutLinked(one.misses) }));
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

/** Marks criteria of linked uses, which are no words of the question. */
const LINKED = '\0';

/** The plan with the uses that words of its criteria define: a campground is related to campers with a tent, and meets no part. */
function withLinkedUses(plan: QuestionPlan): QuestionPlan {
  const linked = linkedUses(plan.criteria).flatMap((uses, i): Criterion[] => {
    const { text, match } = plan.criteria[i] as Criterion;
    if (!uses.length || match.relation || match.negated) return [];
    return [{ text: LINKED + text, match: { ...match, amounts: [], vote: null, concepts: [{ text, phrases: uses }] } }];
  });
  return { ...plan, criteria: [...plan.criteria, ...linked] };
}

const withoutLinked = (words: readonly string[]) => words.filter((one) => !one.startsWith(LINKED));

/** By the number of parts that records meet, and by the rankings. */
function rankRelated(related: readonly AssessedRecord[], rankings: readonly (readonly number[])[]): AssessedRecord[] {
  const byParts = related.toSorted((a, b) => b.meets.length - a.meets.length).map(({ id }) => id);
  const order = fuseRanks([byParts, ...rankings]);
  return related.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
}
