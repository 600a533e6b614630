/** Types of questions, criteria and verdicts. All are plain JSON: they are stored and cached. */

import type { CaseNames } from '../../../core/domain/cases/caseNames.ts';
import type { Places } from '../../../core/domain/places.ts';
import type { TextFallback } from '../../../core/filter/entry.ts';
import type { ActName, LinkName } from './words.ts';

/** What reading a question needs in addition to its text. */
export interface ReadingContext {
  /** today by the service clock, `YYYY-MM-DD` */
  today: string;
  places: Places;
}

/** What a question was understood to ask. */
export interface Understanding {
  /**
   * Parameters of the filter table by their public names, as a query string would carry them, such as
   * `{ states: ['CO'], acreageMin: '5', status: ['denied'] }`. The client's own filters override them.
   */
  filters: Record<string, string | string[]>;
  /** what has to be confirmed in text; empty if the filters express the whole question */
  criteria: Criterion[];
  /** the parts of the question that became filters: each filter belongs to one */
  readings: FilterReading[];
  /** the `sort` of a search by which its answers stand, and how many are asked for; only if filters express the whole question */
  order?: { text: string; sort: string; count: number };
  /** misreadings of a language model that were corrected; absent for none */
  warnings?: string[];
  /** the whole question, if a language model read it; shown to the judging model */
  question?: string;
  /** what a record must not be, by the question (`other than churches`); only if a language model read it */
  exclusions?: Exclusion[];
}

/** A part of the question that became filters, and when the text of a record may confirm it instead, so that no right answer is lost. */
export interface FilterReading {
  /** the phrase of the question, verbatim */
  text: string;
  /** names in `filters`; a record has to satisfy them all */
  filters: string[];
  /**
   * `never`: only the filters count (places, dates). `unstated`: a record whose fields state none of it may be confirmed by the criterion in its
   * text instead (measurements, statuses). `always`: also one whose fields state something else (uses, request types, bodies, parties).
   */
  orInText: TextFallback;
  /**
   * The question names less than the value of the field does (`condos` are some of Multifamily): the field alone does not confirm it, the text has to
   * say it, too. Absent otherwise.
   */
  alsoInText?: true;
  criterion: Criterion;
}

/** What a record must not be: a record that says it is no answer. The text need not deny it. */
export type Exclusion = Required<Pick<Criterion, 'text' | 'asks'>>;

/** One demand that the text of a record has to meet. */
export interface Criterion {
  /** the phrase of the question that asks for it, verbatim; with the screener's version it identifies the criterion */
  text: string;
  /** how it is matched; of no concern outside this folder */
  match: MatchRule;
  /** the same as a statement with its denial, in the words of a language model; for the judging model */
  asks?: string;
  /** how minutes may put it, in the words of a language model; they find texts and prove nothing */
  wordings?: string[];
}

/** What one statement of a text has to contain. */
export interface MatchRule {
  /** words or phrases with their synonyms */
  concepts: Concept[];
  /** amounts that have to be named */
  amounts: Amount[];
  /** true if the text has to deny it: `without parking`, `not rezoned` */
  negated: boolean;
  /** yes and no votes, if the question asks for them */
  vote: VoteAsked | null;
  /** it names an outcome that was not understood: no text meets it */
  isUnread?: boolean;
  /** it asks for a decision: a recommendation does not meet it */
  isDecision?: boolean;
  /** it names uses of land only: a long text that mentions them once is not about them */
  isUse?: boolean;
  /** minutes have to ask for the use, not only to name it: the fields of the record state another one */
  isAsked?: boolean;
  /** in which the concepts have to stand */
  relation?: Relation;
}

/** Who did what, because of what. */
export interface Relation {
  /** kind of act by `questionRelations.json`; null if a link joins two things */
  act: ActName | null;
  /** how the concepts follow the act: by a link of a kind, as what it is about, or not at all */
  link: LinkName | 'about' | null;
  agent?: Concept;
  /** act and agent in the question's words, if the act is no decision */
  stance?: Concept;
  /** the act has to be denied */
  negated?: true;
  /** who recommends the decision does it, too */
  isAdvice?: true;
  /** what stands before the link, if there is no act */
  left?: Concept[];
  /** what the same clause of the question says beside: it has to stand in the same sentence */
  also?: Concept[];
}

export interface Concept {
  /** as in the question */
  text: string;
  /** synonyms in lower case, the phrase itself first */
  phrases: string[];
  /** what else may say it: it finds records and proves nothing */
  hints?: readonly string[];
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
}

/** `5-2`, `6-1 or 5-2` (each with its alternatives), `unanimous`, `split`. */
export type VoteAsked =
  | { kind: 'count'; yes: number; no: number; or?: { yes: number; no: number }[] }
  | { kind: 'unanimous' }
  | { kind: 'split' };

export type SourceName = 'summary' | 'rawText' | 'document' | 'field';

/** Where a text stands; the status sentence counts as `summary`, the original text as `rawText`. */
interface TextPlace {
  source: SourceName;
  /** of a document; null otherwise */
  documentId: string | null;
  /** name of the record's field, if `source` is `field`: `statusLabel`, `parties`, `conditionsOfApproval`, … */
  field?: string;
}

/** A text of one record that may be quoted. A field is a text of its own, `text` its value as it is served (`Continued`, a condition of approval). */
export interface SourceText extends TextPlace {
  text: string;
}

export interface RecordTexts {
  projectId: string;
  /** by which documents identify its case */
  names: CaseNames;
  texts: readonly SourceText[];
}

export interface CriterionQuote extends TextPlace {
  /** text of the criterion */
  criterion: string;
  /** occurs verbatim in the text that it is from */
  quote: string;
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
