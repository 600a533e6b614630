/** Judges records: fetches their texts and those of their documents, and has the screener confirm each criterion. */

import { representRecord, type ViewOptions } from '../../core/domain/record/represent.ts';
import { terms } from '../../core/query/clauses.ts';
import { makeMatcher } from '../../core/search/servePage.ts';
import { NOBODY } from '../../core/search/shownPeople.ts';
import { fetchHits, type ProjectHit, type ProjectStore } from '../../core/store/elastic/projects.ts';
import { candidateOf, documentIdsOf, factsOf } from './candidateTexts.ts';
import { explainMatch } from './explainMatch.ts';
import { fieldQuotes } from './fieldQuotes.ts';
import type { Criterion, CriterionQuote, Verdict } from './question/index.ts';
import { planQuery, type QuestionPlan, satisfiedReadings, servedReadings, unmetCriteria } from './questionPlan.ts';
import type { RelevanceStore } from './relevanceStore.ts';
import { isProven, type Judgement, type Screener } from './screener.ts';
import type { AssessedRecord, ConfirmedRecord } from './types.ts';

export interface JudgeServices {
  store: ProjectStore;
  relevance: RelevanceStore;
  screener: Screener;
  publicUrl: string;
}

/** Characters of documents held in memory at once; documents beyond this are not read and confirm nothing. */
const DOCUMENT_CHARACTERS_MAX = 40_000_000;

interface FetchedRecord extends Judgement {
  hit: ProjectHit;
  /** its fields say something else than the question */
  isContradicted: boolean;
  /** quotes from its fields, for the parts of the question that became filters */
  stated: readonly CriterionQuote[];
  facts: ReturnType<typeof factsOf>;
}

/**
 * The records that satisfy every filter and criterion, best first; equal scores keep the order of `ids`.
 * @param ids records of the plan's ranking; those that are gone or no longer match its filters are skipped
 * @throws ApiError `search_unavailable`, ScreenerUnavailable
 */
export async function judgeRecords(
  services: JudgeServices,
  plan: QuestionPlan,
  ids: readonly number[],
  signal: AbortSignal,
): Promise<ConfirmedRecord[]> {
  const fetched = (await fetchRecords(services, plan, ids, signal)).filter(({ isContradicted }) => !isContradicted);
  const verdicts = await services.screener.confirm(fetched, signal);
  const confirmed = fetched.flatMap((one, i): ConfirmedRecord[] => {
    const verdict = verdicts[i];
    return verdict && isProven(verdict, one) ? [toConfirmedRecord(one, verdict)] : [];
  });
  const place = new Map(ids.map((id, i) => [id, i]));
  return confirmed.sort((a, b) => b.score - a.score || (place.get(a.projectId) ?? 0) - (place.get(b.projectId) ?? 0));
}

/**
 * The records with the parts of the question that they meet, by the built-in rules and their fields, in the order of `ids`.
 * @throws ApiError `search_unavailable`, ScreenerUnavailable
 */
export async function assessRecords(
  services: JudgeServices,
  plan: QuestionPlan,
  ids: readonly number[],
  signal: AbortSignal,
): Promise<AssessedRecord[]> {
  const { screener } = services;
  const fetched = await fetchRecords(services, plan, ids, signal);
  const verdicts = await (screener.check ? screener.check(fetched, signal) : screener.confirm(fetched, signal));
  const byId = new Map(fetched.map((one, i) => [one.hit.project.id, toAssessedRecord(plan, one, verdicts[i])]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function toAssessedRecord(plan: QuestionPlan, { hit, criteria, facts }: FetchedRecord, verdict: Verdict | undefined): AssessedRecord {
  const evidence = verdict?.evidence ?? [];
  const isSaid = ({ text }: Criterion) => evidence.some((one) => one.criterion === text);
  const isStated = servedReadings(plan, hit.project, hit.matched).filter(({ reading }) => !criteria.includes(reading.criterion));
  const parts = [
    ...[...plan.firm, ...plan.readings].map((planned) => ({
      text: planned.reading.text,
      isMet: isStated.includes(planned) || (criteria.includes(planned.reading.criterion) && isSaid(planned.reading.criterion)),
    })),
    ...plan.criteria.map((criterion) => ({ text: criterion.text, isMet: isSaid(criterion) })),
  ];
  const { id, contentRevision, compact, standard = {} } = hit.project;
  const { stateId = null, countyId = null } = { ...compact, ...standard };
  const { projectName = null, city = null, state = null } = facts;
  return {
    id,
    revision: contentRevision,
    projectName,
    city,
    state,
    stateId,
    countyId,
    meets: parts.flatMap(({ text, isMet }) => (isMet ? [text] : [])),
    misses: parts.flatMap(({ text, isMet }) => (isMet ? [] : [text])),
    quote: evidence[0]?.quote ?? null,
  };
}

const toConfirmedRecord = ({ hit: { project }, criteria, facts, stated }: FetchedRecord, verdict: Verdict): ConfirmedRecord => ({
  projectId: project.id,
  revision: project.contentRevision,
  score: verdict.score,
  whyThisMatched: explainMatch(criteria, verdict, facts),
  evidence: [...verdict.evidence, ...stated],
});

/** How a record is rendered whose texts are judged. */
export const judgingView = ({ publicUrl }: Pick<JudgeServices, 'publicUrl'>, { selection }: QuestionPlan): ViewOptions => ({
  representation: 'full',
  people: NOBODY, // contacts are not searched as text
  companyDetails: false,
  publicUrl,
  meetingCap: selection.meetingCap,
  today: selection.context.today,
  matchedOn: makeMatcher(selection),
});

async function fetchRecords(
  services: JudgeServices,
  plan: QuestionPlan,
  ids: readonly number[],
  signal: AbortSignal,
): Promise<FetchedRecord[]> {
  if (!ids.length) return [];
  const query = planQuery(plan, terms('id', ids));
  const hits = await fetchHits(services.store, { query, size: ids.length, representation: 'full', signal });
  const wanted = hits.map((hit) => ({
    hit,
    ...unmetCriteria(plan, hit.project, hit.matched),
    documentIds: documentIdsOf(hit.project),
  }));
  const documents = await readDocumentTexts(services, plan, wanted, signal);
  const { selection } = plan;
  const view = judgingView(services, plan);
  return wanted.map(({ hit, criteria, isContradicted, documentIds }) => {
    const record = representRecord(hit.project, view);
    const own = new Map(documentIds.flatMap((id) => (documents.has(id) ? [[id, documents.get(id) ?? ''] as const] : [])));
    const stated = fieldQuotes(satisfiedReadings(plan, hit.matched), record, selection.context.today);
    return {
      hit,
      isContradicted,
      ...(plan.asked ? { asked: plan.asked } : {}),
      criteria,
      candidate: candidateOf(record, own),
      facts: factsOf(record),
      stated,
    };
  });
}

/** Texts of the documents that contain a search term of some criterion, by document id. */
async function readDocumentTexts(
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
