/** An AI search as answers show it. Pure. */

import { isWithin, type Scope } from '../../core/domain/principal.ts';
import type { PublicRecord } from '../../core/domain/record/represent.ts';
import { asksOfIds } from './asksOfIds.ts';
import { AI_KEPT_DAYS } from './limits.ts';
import { pollUrlOf } from './mails.ts';
import type { CriterionQuote } from './question/index.ts';
import { AI_STATUSES, type AiStatus } from './statuses.ts';
import type { StoredAiSearch } from './types.ts';

/** A quote that proves a criterion. */
export interface ShownEvidence {
  criterion: string;
  quote: string;
  source: 'summary' | 'rawText' | 'document' | 'field';
  documentId: number | null;
  /** name of the record's field, if `source` is `field` */
  field: string | null;
}

export const toShownEvidence = (evidence: readonly CriterionQuote[]): ShownEvidence[] =>
  evidence.map(({ criterion, quote, source, documentId, field }) => ({
    criterion,
    quote,
    source,
    documentId: documentId === null ? null : Number(documentId),
    field: field ?? null,
  }));

export type AiResult = PublicRecord & {
  whyThisMatched: string;
  matchEvidence: ShownEvidence[];
  feedback: 'confirmed' | 'dismissed' | null;
};
export type AiSearchView = ReturnType<typeof toAiSearchView>;

const DAY_MS = 86_400_000;

function statusOf({ jobStatus, startedAt }: StoredAiSearch): AiStatus {
  const ended = AI_STATUSES.find((status) => status === jobStatus);
  return ended && ended !== 'queued' && ended !== 'running' ? ended : startedAt ? 'running' : 'queued';
}

const iso = (date: Date | null) => date?.toISOString() ?? null;

const countsOf = ({ candidates, screened, reviewed, confirmed, matchCount, matchCountIsExact }: StoredAiSearch) => ({
  progress: { candidates: candidates ?? 0, screened, reviewed, confirmed },
  matchCount,
  matchCountIsExact,
});

/** Among ids of records that cost credits only what was delivered is counted. */
const countsOfIds = ({ settledAt }: StoredAiSearch, delivered: number): ReturnType<typeof countsOf> => ({
  progress: { candidates: delivered, screened: delivered, reviewed: delivered, confirmed: delivered },
  matchCount: settledAt && delivered,
  matchCountIsExact: settledAt !== null,
});

/** Without those that a narrower licence hides. */
function relatedOf({ related }: StoredAiSearch, scope: Scope) {
  if (!related) return null;
  const shown = related.records.filter((record) => isWithin(scope, record));
  return {
    count: related.count,
    records: shown.map(({ id, projectName, city, state, meets, misses, quote }) => ({
      id,
      projectName,
      city,
      state,
      meets,
      misses,
      quote,
    })),
  };
}

/** @param publicUrl root of the service, without a trailing slash @param results empty until it is settled */
export function toAiSearchView(stored: StoredAiSearch, results: readonly AiResult[], publicUrl: string, scope: Scope = null) {
  const { id, payload, interpretation, settledAt } = stored;
  const { query, filters, limit, offset } = payload;
  return {
    id,
    status: statusOf(stored),
    partialReason: stored.partialReason,
    query,
    filters,
    interpretation: {
      filters: interpretation?.filters ?? {},
      readings: (interpretation?.readings ?? []).map((reading) => ({ words: reading.text, filters: reading.filters })),
      criteria: (interpretation?.criteria ?? []).map(({ text }) => text),
      wordings: (interpretation?.criteria ?? []).flatMap(({ text, wordings }) => (wordings?.length ? [{ criterion: text, wordings }] : [])),
      exclusions: (interpretation?.exclusions ?? []).map(({ text }) => text),
      warnings: interpretation?.warnings ?? [],
    },
    limit,
    offset,
    ...(asksOfIds(payload) ? countsOfIds(stored, results.length) : countsOf(stored)),
    results,
    related: relatedOf(stored, scope),
    creditsReserved: stored.creditsReserved,
    creditsCharged: stored.creditsCharged ?? 0,
    creditsRefunded: stored.creditsRefunded ?? 0,
    contactCreditsReserved: stored.contactCreditsReserved,
    contactCreditsCharged: stored.contactCreditsCharged ?? 0,
    createdAt: stored.createdAt.toISOString(),
    startedAt: iso(stored.startedAt),
    settledAt: iso(settledAt),
    expiresAt: settledAt ? new Date(settledAt.getTime() + AI_KEPT_DAYS * DAY_MS).toISOString() : null,
    pollUrl: pollUrlOf(publicUrl, id),
    error: stored.error,
  };
}
