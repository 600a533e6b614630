/** What a question in plain words is taken apart into, and what is found for it. All of it is plain JSON: it can be stored and cached. */
import type { Places } from '../places.ts';

/** What reading a question needs besides its words. */
export interface ReadingContext {
  /** today by the service clock, `YYYY-MM-DD` */
  today: string;
  places: Places;
}

/** What a question was understood to ask. */
export interface Understanding {
  /**
   * Parameters of the filter table by their public names, as a query string would carry them, such as
   * `{ states: ['CO'], acreageMin: '5', status: ['denied'] }`. A caller's own filters go before them.
   */
  filters: Record<string, string | string[]>;
  /** what remains to be confirmed in text; empty where the filters say it all */
  criteria: Criterion[];
}

/** One thing that the text of a record has to say. */
export interface Criterion {
  /** the phrase of the question that asks for it, verbatim; with the screener's version it identifies the criterion */
  text: string;
  /** how it is matched; of no concern outside this folder */
  match: Match;
}

/** Everything in it has to be said within one statement of a text. */
export interface Match {
  /** each a word or phrase in stems, with whatever the thesaurus has for it; the rarest say what the criterion is about */
  concepts: Concept[];
  /** amounts that have to be named */
  amounts: Amount[];
  /** true where the text has to deny it: `without parking`, `not rezoned` */
  negated: boolean;
  /** what became of it, where the question asks for that */
  outcome: Outcome | null;
  /** yes and no votes, where the question asks for them */
  vote: VoteAsked | null;
}

export interface Concept {
  /** as the question has it */
  text: string;
  /** stems of the words of each phrase that means it, its own first */
  phrases: string[][];
}

/** `at least 40 units`; an open end is null. */
export interface Amount {
  unit: string;
  min: number | null;
  max: number | null;
  /** a bound of its own does not count: `more than 40` */
  minOpen: boolean;
  maxOpen: boolean;
}

export type Outcome = 'approved' | 'denied' | 'continued' | 'withdrawn' | 'recommended_approval' | 'recommended_denial';

/** `5-2`, `unanimous`, `split`. */
export type VoteAsked = { kind: 'count'; yes: number; no: number } | { kind: 'unanimous' } | { kind: 'split' };

export type SourceName = 'summary' | 'rawText' | 'document' | 'field';

/**
 * A text of one record that may be quoted. A field is a text of its own, `text` its value as it is served (`Continued`, `Acme Homes LLC`,
 * a condition of approval); the status sentence counts as `summary`, the original text as `rawText`.
 */
export interface SourceText {
  source: SourceName;
  /** of a document; null otherwise */
  documentId: string | null;
  text: string;
  /** name of the record's field, where `source` is `field`: `statusLabel`, `parties`, `conditionsOfApproval`, … */
  field?: string;
}

export interface Candidate {
  projectId: string;
  /** by what documents call its case: case numbers, titles, address, parties */
  names: readonly string[];
  texts: readonly SourceText[];
}

export interface Evidence {
  /** text of the criterion */
  criterion: string;
  /** occurs verbatim in the text that it is from */
  quote: string;
  source: SourceName;
  documentId: string | null;
}

export interface Verdict {
  projectId: string;
  /** every criterion has evidence; true without criteria */
  confirmed: boolean;
  /** one entry or more for each criterion that was confirmed, in the order of the criteria */
  evidence: Evidence[];
  /** 0 to 1, the better the higher; equal texts have equal scores */
  score: number;
}

/** The words to search a criterion by: any of the phrases. */
export interface SearchTerms {
  criterion: string;
  phrases: readonly string[];
}

/** A stretch of a document that speaks of one case: `text` is `documentText.slice(start, end)`. */
export interface Passage {
  start: number;
  end: number;
  text: string;
}

/** What `whyThisMatched` may mention of a served record. */
export interface Facts {
  projectName?: string | null;
  city?: string | null;
  state?: string | null;
  propertyTypeLabel?: string | null;
  statusLabel?: string | null;
  meetingDate?: string | null;
}
