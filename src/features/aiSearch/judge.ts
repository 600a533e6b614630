/** Judges records: fetches what they and their documents say, and confirms what was asked, criterion by criterion. */

import { represent } from '../../core/domain/record/represent.ts';
import { terms } from '../../core/query/clauses.ts';
import { NOBODY } from '../../core/search/people.ts';
import { matcher } from '../../core/search/servePage.ts';
import type { ProjectHit, ProjectStore } from '../../core/store/elastic/projects.ts';
import { candidateOf, documentIdsOf, factsOf } from './candidateTexts.ts';
import { fieldEvidence } from './fieldEvidence.ts';
import { type Evidence, type Verdict, whyThisMatched } from './question/index.ts';
import { amongRecords, criteriaFor, type QuestionPlan, satisfiedReadings } from './questionPlan.ts';
import type { RelevanceStore } from './relevanceStore.ts';
import { isProven, type Judgement, type Screener } from './screener.ts';
import type { ConfirmedRecord } from './types.ts';

export interface JudgeServices {
  store: ProjectStore;
  relevance: RelevanceStore;
  screener: Screener;
  publicUrl: string;
}

/** Characters of documents that are held at once; what is beyond stays unread, and confirms nothing. */
const DOCUMENT_CHARACTERS_MAX = 40_000_000;

interface Opened extends Judgement {
  hit: ProjectHit;
  /** what its fields say of the question */
  stated: readonly Evidence[];
  facts: ReturnType<typeof factsOf>;
}

/**
 * Those of the records that satisfy everything, best first; equal ones in the order in which they came.
 * @param ids records of the plan's ranking; those that are gone or match its filters no more are passed over
 * @throws ApiError `search_unavailable`, ScreenerUnavailable
 */
export async function judge(
  services: JudgeServices,
  plan: QuestionPlan,
  ids: readonly number[],
  signal: AbortSignal,
): Promise<ConfirmedRecord[]> {
  const opened = await open(services, plan, ids, signal);
  const verdicts = await services.screener.confirm(opened, signal);
  const confirmed = opened.flatMap((one, i): ConfirmedRecord[] => {
    const verdict = verdicts[i];
    return verdict && isProven(verdict, one) ? [confirmedRecord(one, verdict)] : [];
  });
  const place = new Map(ids.map((id, i) => [id, i]));
  return confirmed.sort((a, b) => b.score - a.score || (place.get(a.projectId) ?? 0) - (place.get(b.projectId) ?? 0));
}

const confirmedRecord = ({ hit: { project }, criteria, facts, stated }: Opened, verdict: Verdict): ConfirmedRecord => ({
  projectId: project.id,
  revision: project.contentRevision,
  score: verdict.score,
  whyThisMatched: whyThisMatched(criteria, verdict, facts),
  evidence: [...verdict.evidence, ...stated],
});

async function open(services: JudgeServices, plan: QuestionPlan, ids: readonly number[], signal: AbortSignal): Promise<Opened[]> {
  if (!ids.length) return [];
  const { hits } = await services.store.page({
    query: amongRecords(plan, terms('id', ids)),
    sort: [{ id: 'asc' }],
    size: ids.length,
    representation: 'full',
    count: false,
    signal,
  });
  const wanted = hits.flatMap((hit) => {
    const criteria = criteriaFor(plan, hit.project, hit.matched);
    return criteria ? [{ hit, criteria, documentIds: documentIdsOf(hit.project) }] : [];
  });
  const documents = await textsOf(services, plan, wanted, signal);
  const { selection } = plan;
  const view = {
    // Contacts are no text of a record.
    ...({ representation: 'full', people: NOBODY, companyDetails: false } as const),
    ...{ publicUrl: services.publicUrl, meetingCap: selection.meetingCap, matchedOn: matcher(selection) },
  };
  return wanted.map(({ hit, criteria, documentIds }) => {
    const record = represent(hit.project, view);
    const own = new Map(documentIds.flatMap((id) => (documents.has(id) ? [[id, documents.get(id) ?? ''] as const] : [])));
    const stated = fieldEvidence(satisfiedReadings(plan, hit.matched), record, selection.context.today);
    return { hit, criteria, candidate: candidateOf(record, own), facts: factsOf(record), stated };
  });
}

/** Texts of documents that may confirm something. */
async function textsOf(
  { relevance, screener }: JudgeServices,
  plan: QuestionPlan,
  wanted: readonly { documentIds: readonly number[]; criteria: Judgement['criteria'] }[],
  signal: AbortSignal,
): Promise<Map<number, string>> {
  const texts = new Map<number, string>();
  const ids = [...new Set(wanted.flatMap((one) => (one.criteria.length ? one.documentIds : [])))].sort((a, b) => a - b);
  if (!ids.length) return texts;
  const criteria = [...plan.criteria, ...plan.readings.map(({ reading }) => reading.criterion)];
  let characters = 0;
  for await (const some of relevance.texts(ids, screener.searchTerms(criteria), signal)) {
    for (const { id, text } of some) {
      texts.set(id, text);
      characters += text.length;
    }
    if (characters > DOCUMENT_CHARACTERS_MAX) break;
  }
  return texts;
}
