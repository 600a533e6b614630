/** How a search follows the feedback of its team on earlier answers: it leaves out dismissed records, and puts confirmed ones and similar ones first. */

import { representRecord } from '../../core/domain/record/represent.ts';
import { type Clause, terms } from '../../core/query/clauses.ts';
import { fetchHits } from '../../core/store/elastic/projects.ts';
import { candidateOf } from './candidateTexts.ts';
import type { Feedback } from './feedbackStore.ts';
import { type JudgeServices, judgingView } from './judge.ts';
import { planQuery, type QuestionPlan } from './questionPlan.ts';
import type { RankedRequest, Ranking } from './relevanceStore.ts';

/** The most recently confirmed records, which others are compared with. */
const LIKE_THESE_MAX = 50;
/** Words of a record that count, so that a long one does not outweigh the others. */
const CHARACTERS_MAX = 4_000;
/** Records like the confirmed ones that are looked at even if they do not have all words of the question. */
const RESEMBLING_MAX = 100;

/** Ids of a record and of those merged into it: feedback may name any of them. */
const MEMBERS = 'derived.memberIds';

/** Filters that leave out what was dismissed. */
export const withoutDismissed = ({ dismissed }: Feedback): Clause[] =>
  dismissed.length ? [{ bool: { must_not: [terms(MEMBERS, dismissed)] } }] : [];

/**
 * Confirmed records, then those that resemble them or say something of what is asked; none if nothing was judged.
 * @throws ApiError `search_unavailable`
 */
export async function rankLikeConfirmed(
  services: Pick<JudgeServices, 'store' | 'relevance' | 'publicUrl'>,
  { plan, request }: { plan: QuestionPlan; request: RankedRequest },
  { confirmed, dismissed }: Feedback,
  signal: AbortSignal,
): Promise<number[]> {
  if (!confirmed.length && !dismissed.length) return [];
  const query = planQuery(plan, terms(MEMBERS, confirmed.slice(0, LIKE_THESE_MAX)));
  const hits = confirmed.length ? await fetchHits(services.store, { query, size: LIKE_THESE_MAX, representation: 'full', signal }) : [];
  const view = judgingView(services, plan);
  const texts = hits.map(({ project }) => {
    const { texts: parts } = candidateOf(representRecord(project, view), new Map());
    return parts
      .map(({ text }) => text)
      .join('\n')
      .slice(0, CHARACTERS_MAX);
  });
  const resembling = await services.relevance.resembling(request, texts, RESEMBLING_MAX, signal);
  return [...new Set([...hits.map(({ project }) => project.id), ...resembling])];
}

/** One ranking of both: the first come first, and each record counts once. */
export function joinRankings(first: readonly number[], { ids, total }: Ranking, max: number): Ranking {
  const among = new Set(ids);
  const more = first.filter((id) => !among.has(id)).length;
  return { ids: [...new Set([...first, ...ids])].slice(0, max), total: total + more };
}
