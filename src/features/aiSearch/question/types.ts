/** What a question in plain words is taken apart into, and what is found for it. All of it is plain JSON: it can be stored and cached. */
import type { Places } from '../../../core/domain/places.ts';

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
  /** the parts of the question that became filters: each filter belongs to one */
  readings: FilterReading[];
  /** what a language model took the question for and it is not; absent where our own rules read it */
  warnings?: string[];
}

/** A part of the question that filters say, and when a record may say it in its text instead, so that no right answer is lost. */
export interface FilterReading {
  /** the phrase of the question, verbatim */
  text: string;
  /** names in `filters` that it became; a record has to satisfy them all */
  filters: string[];
  /**
   * `never`: only the filters count (places, dates). `unstated`: a record whose fields state none of it may be confirmed by the criterion in its
   * text instead (measurements, statuses). `always`: also one whose fields state something else (uses, request types, bodies, parties).
   */
  orInText: 'never' | 'unstated' | 'always';
  criterion: Criterion;
}

/** One thing that the text of a record has to say. */
export interface Criterion {
  /** the phrase of the question that asks for it, verbatim; with the screener's version it identifies the criterion */
  text: string;
  /** how it is matched; of no concern outside this folder */
  match: MatchRule;
}

/** Everything in it has to be said within one statement of a text. */
export interface MatchRule {
  /** each a word or phrase, with whatever the thesaurus has for it */
  concepts: Concept[];
  /** amounts that have to be named */
  amounts: Amount[];
  /** true where the text has to deny it: `without parking`, `not rezoned` */
  negated: boolean;
  /** yes and no votes, where the question asks for them */
  vote: VoteAsked | null;
  /** it is what was decided: what somebody recommends says nothing of it */
  isDecision?: boolean;
  /** it names uses of land and nothing else: a long text that names them but once is not about them */
  isUse?: boolean;
}

export interface Concept {
  /** as the question has it */
  text: string;
  /** phrases that mean it, in lower case; its own first */
  phrases: string[];
  /** it is a use of land */
  isUse?: boolean;
}

/** `at least 40 units`; an open end is null. */
export interface Amount {
  unit: string;
  min: number | null;
  max: number | null;
  /** the bound itself does not count: `more than 40` */
  minOpen: boolean;
  maxOpen: boolean;
  /** what was and no longer is counts, too */
  former?: boolean;
}

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

export interface RecordTexts {
  projectId: string;
  /** by what documents call its case: case numbers, titles, address, parties */
  names: readonly string[];
  texts: readonly SourceText[];
}

export interface CriterionQuote {
  /** text of the criterion */
  criterion: string;
  /** occurs verbatim in the text that it is from */
  quote: string;
  source: SourceName;
  documentId: string | null;
  /** name of the record's field, where `source` is `field` */
  field?: string;
}

export interface Verdict {
  projectId: string;
  /** every criterion has evidence; true without criteria */
  confirmed: boolean;
  /** one entry or more for each criterion that was confirmed, in the order of the criteria */
  evidence: CriterionQuote[];
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
