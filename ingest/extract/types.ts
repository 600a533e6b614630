/** What the steps of an extraction hand on: a file is read into text, rules read cases from the text, cases become lines of a generation. */
import type { LandUse, Vote } from '../../src/core/domain/record/statement.ts';

export type DocumentKind = 'minutes' | 'agenda' | 'packet' | 'notice' | 'other';
export type DocumentFormat = 'pdf' | 'html' | 'docx' | 'markdown' | 'text' | 'legistar' | 'primegov' | 'civicclerk';

/** An entry of `--bodies`: the body whose documents `files` names, and its place. */
export interface BodyEntry {
  /** a path or a pattern such as `provo/*.pdf`, relative to the folder of documents */
  files: string;
  state: string;
  county?: string;
  city?: string;
  body: string;
}

/** One meeting's document as text. A file whose text holds several meetings is split into several, or is a doubt. */
export interface ReadDocument {
  file: string;
  /** SHA-256 of the file's bytes, in hexadecimal */
  sha256: string;
  format: DocumentFormat;
  /** The text that quotes point into. Running heads, feet and hyphenation are gone; a table row is a line with ` | ` between its cells. */
  text: string;
  /** where each page starts in `text`; one entry where the format has no pages */
  pageStarts: number[];
  /** where each item of the meeting starts in `text`, if the format states it */
  itemStarts?: number[];
  /** what the format itself states; null where it is silent */
  stated: { kind: DocumentKind | null; date: string | null; title: string | null; url: string | null };
  /** why nothing can be read from the file (`scan_without_text`, `encrypted`, `empty` …), else null */
  unread: string | null;
}

/** Characters of a document's text, end excluded. */
export interface Span {
  start: number;
  end: number;
}

/** A value and the words that state it. */
export interface Stated<T> extends Span {
  value: T;
}

/** What a motion did, or what the body recommended. */
export type MotionResult =
  | 'approved'
  | 'approved_with_conditions'
  | 'denied'
  | 'continued'
  | 'withdrawn'
  | 'recommended_approval'
  | 'recommended_denial';

/** A person or firm of a case, by role. */
export interface StatedContact extends Span {
  role: 'applicant' | 'owner' | 'representative';
  name: string;
  company: string | null;
}

/** How a body decided: null where the text does not say. */
export interface StatedMotion extends Span {
  result: MotionResult | null;
  mover: Stated<string> | null;
  seconder: Stated<string> | null;
  votes: (Vote & Span)[];
  /** counts as printed, or counted from a list that names everybody */
  tally: Stated<{ yes: number; no: number; abstain: number | null }> | null;
  unanimous: Stated<true> | null;
}

/** One case of one meeting. Each absent value is null: the text does not state it. */
export interface ExtractedCase extends Span {
  caseNumbers: Stated<string>[];
  parcelNumbers: Stated<string>[];
  title: Stated<string> | null;
  address: Stated<string> | null;
  contacts: StatedContact[];
  /** the request in the document's words, and its `requestType` of the vocabulary */
  request: Stated<string> | null;
  requestType: string | null;
  existingZoning: Stated<string> | null;
  proposedZoning: Stated<string> | null;
  acreage: Stated<number> | null;
  units: Stated<number> | null;
  lots: Stated<number> | null;
  squareFootage: Stated<number> | null;
  stories: Stated<number> | null;
  landUses: (LandUse & Span)[];
  staffRecommendation: Stated<'approval' | 'approval_with_conditions' | 'denial' | 'continuance'> | null;
  decision: Stated<MotionResult> | null;
  conditions: Stated<string>[];
  /** how many they are; more than are listed where the text only counts them: `with the nine conditions` */
  conditionCount: Stated<number> | null;
  /** the last motion is the decision's */
  motions: StatedMotion[];
  nextHearing: Stated<string> | null;
  doubts: Doubt[];
}

/** Why a field of a case is not certain, e.g. that the text states two values. */
export interface Doubt {
  field: string;
  reasons: string[];
}

/** What the rules read from one document. */
export interface ExtractedDocument {
  kind: DocumentKind;
  meetingDate: Stated<string> | null;
  /** as the document names it; null where only `--bodies` does */
  body: Stated<string> | null;
  cases: ExtractedCase[];
  /** doubts of the whole document, such as a second meeting in it */
  doubts: Doubt[];
}
