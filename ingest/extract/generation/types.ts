/** What the steps of a generation hand on. */
import type { DocumentQuote } from '../../../src/core/domain/record/quotes.ts';
import type { ProjectDraft } from '../../sources/types.ts';
import type { DocumentKind, ExtractedDocument, ReadDocument } from '../types.ts';

/** One meeting of a file. */
export interface ExtractedMeeting {
  document: ReadDocument;
  extracted: ExtractedDocument;
}

/** One case of one meeting: what that meeting's document states of it. */
export interface CaseHearing {
  file: string;
  kind: DocumentKind;
  /** `YYYY-MM-DD`; null if the document does not say */
  date: string | null;
  decisionBody: string;
  statement: ProjectDraft;
  quotes: DocumentQuote[];
}

/** A doubt as the report has it. `case` is a case number, or what else names the case; null for a doubt of the whole document. */
export interface ReportedDoubt {
  file: string;
  case: string | null;
  field: string;
  reasons: string[];
}

export interface ReportedDocument {
  file: string;
  kind: DocumentKind;
  body: string | null;
  date: string | null;
  /** number of cases */
  cases: number;
  /** why nothing of it is in the generation */
  unread: string | null;
}

/** How often the geocoder was asked, now or before, and what became of it. */
export interface PointCounts {
  asked: number;
  found: number;
  /** it knows no such house */
  unknown: number;
  /** its point is outside the county or city that the record states */
  outside: number;
  failed: number;
}

/** What a language model added to what the rules read. */
export interface ModelCounts {
  /** documents, now or before */
  asked: number;
  failed: number;
  /** values by field */
  fields: Record<string, number>;
  /** values whose words do not stand in the passage of their case, or do not hold the value */
  refused: number;
}

/** `extract-report.json`. */
export interface ExtractReport {
  documents: ReportedDocument[];
  /** records that state each field */
  fields: Record<string, number>;
  doubts: ReportedDoubt[];
  /** where the operator has a geocoder */
  points?: PointCounts;
  /** with --model */
  model?: ModelCounts;
}
