/** AI search: a question in plain words, answered by a job with records that are proven by quotes (src/docs/ai-search.md). */

import type { BilledRow } from '../../core/billedJobs/billedJobs.ts';
import type { Delivery, FetchedProject } from '../../core/domain/record/represent.ts';
import type { Warning } from '../../core/domain/warnings.ts';
import type { CriterionQuote, Understanding } from './question/index.ts';
import type { PartialReason } from './statuses.ts';

/** Ceilings of the operator's. */
export interface AiCeilings {
  /** records that a pool's jobs may read the text of in a day of the service clock */
  dailyScreened: number;
  /** records that one job judges */
  jobReviewed: number;
  /** confirmed records that one job delivers */
  jobConfirmed: number;
}

export interface AiSearchPayload {
  query: string;
  /** as they were sent */
  filters: Readonly<Record<string, unknown>>;
  limit: number;
  offset: number;
  /** service day of the question, `YYYY-MM-DD`: what `last spring` means does not change while it waits */
  today: string;
  /** credits for a record when it was accepted */
  rate: number;
  /** set if contacts are looked up: credits for the first email or phone of a project when it was accepted */
  contacts?: { rate: number } | undefined;
  /** whether the end is mailed to the person who asked */
  mails: boolean;
}

/** A record with evidence for everything that was asked. */
export interface ConfirmedRecord {
  projectId: number;
  /** whose text the evidence is from */
  revision: string;
  /** 0 to 1, the better the higher */
  score: number;
  whyThisMatched: string;
  evidence: readonly CriterionQuote[];
}

export interface DeliveredMatch extends Omit<ConfirmedRecord, 'score' | 'projectId' | 'revision'> {
  project: FetchedProject;
  /** names of filters' clauses that it matched */
  matched: string[];
  delivery: Delivery;
}

/** A record, and which parts of the question it meets. */
export interface AssessedRecord {
  id: number;
  revision: string;
  projectName: string | null;
  city: string | null;
  state: string | null;
  stateId: number | null;
  countyId: number | null;
  /** words of the question */
  meets: string[];
  misses: string[];
  /** a statement that meets a part; null if only fields do */
  quote: string | null;
}

/** Records that may be related to a question: how many there are, and those that may be shown. */
export interface RelatedRecords {
  count: number;
  records: readonly AssessedRecord[];
}

export interface StoredAiSearch extends BilledRow {
  payload: AiSearchPayload;
  /** null until the question was read */
  interpretation: Understanding | null;
  /** records that were found to look at; null until they were looked for */
  candidates: number | null;
  screened: number;
  reviewed: number;
  confirmed: number;
  partialReason: PartialReason | null;
  matchCount: number | null;
  matchCountIsExact: boolean;
  warnings: Warning[];
  /** null until they were looked for */
  related: RelatedRecords | null;
  contactCreditsReserved: number;
  contactCreditsCharged: number | null;
}
