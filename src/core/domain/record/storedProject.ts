/**
 * A project as Elasticsearch stores it: the statements of the current generation, of earlier generations, and of absorbed records. All searched
 * fields are derived from these when the document is written.
 */
import { type StatedIn, withEvidence } from './fields.ts';
import type { DocumentQuote } from './quotes.ts';
import { READING_NAMES } from './readings.ts';
import type { ProjectStatement } from './statement.ts';

/** A project's statement in parts, by the smallest representation that serves them, so that a page fetches no more than it shows. */
export interface ProjectContent {
  compact: Pick<ProjectStatement, StatedIn<'compact'>>;
  standard: Pick<ProjectStatement, StatedIn<'standard'>>;
  full: Pick<ProjectStatement, StatedIn<'full'>>;
}

/** Attributes whose stated values are matched whole. */
export const STATED_ATTRIBUTES = withEvidence('keyword', 'flag', 'number');
/** All attributes whose values are matched whole: those, and what is read from statements. */
export const VALUE_ATTRIBUTES = [...STATED_ATTRIBUTES, ...READING_NAMES];
/** Stated attributes whose values are words of a vocabulary. */
export const KEYWORD_ATTRIBUTES = withEvidence('keyword');
export const TEXT_ATTRIBUTES = withEvidence('words', 'names', 'parties');

export type TextAttribute = (typeof TEXT_ATTRIBUTES)[number];
export type ValueAttribute = (typeof VALUE_ATTRIBUTES)[number] | 'statusCombo';

/** Values for filters to match, by attribute; an attribute is present if a statement covers it. */
export interface StoredEvidence {
  values: { [attribute in ValueAttribute]?: (string | number | boolean)[] };
  /** searched words, a string for each passage, folded by `normalizeWords`; empty if the value has no word */
  texts: { [attribute in TextAttribute]?: string[] };
  /** true if a decision is known: the record's status, or that of one of its decisions */
  decided: boolean;
}

/** Evidence from generations before the current one. */
export interface PastEvidence extends StoredEvidence {
  /** attributes with the same values in the current statement, which are stored only there */
  again?: string[];
}

/** Evidence of an absorbed record: from the current generation, and from earlier ones. */
export interface AbsorbedRecord {
  id: number;
  now?: StoredEvidence;
  past?: StoredEvidence;
}

/** A replaced revision, with the fields that changed in the next one. */
export interface EarlierRevision {
  revision: string;
  /** hash of the content, if the revision is another name for it */
  contentHash?: string;
  /** ISO 8601 */
  replacedAt: string;
  changed: string[];
  /**
   * what it stated of the changed fields, without those of which it stated nothing; absent where it would take too much room
   */
  stated?: Readonly<Record<string, unknown>>;
}

/** The `_source` of a project document. */
export interface StoredProject extends ProjectContent {
  key: string;
  /** number of the load that wrote this version, and of the one that replaced it */
  loadedIn: number;
  supersededIn?: number;
  /** the first generation with this statement */
  statedSince: number;
  /** identifies the line of the file, where the same line would make the same record again */
  lineHash?: string;
  /** hash of the text of the line alone: the same text under other rules or places makes another content under the same revision */
  textHash?: string;
  /** set if its generation does not state the project: it was carried over from the one before */
  uncovered?: true;
  id: number;
  lastUpdated: string;
  contentRevision: string;
  /** hash of the content, if `contentRevision` is another name for it */
  contentHash?: string;
  /** set if its point lies outside the county or state that it states: it is in no shape and on no map */
  locationDoubtful?: true;
  /** of a merged development: all hearings of the family, ascending, and those from absorbed members */
  hearings?: string[];
  absorbedHearings?: string[];
  past?: PastEvidence;
  absorbed?: AbsorbedRecord[];
  /** ids that were unmerged and not absorbed again, ascending: unmerging them once more changes nothing */
  gaveBack?: number[];
  /** quotes that prove values of the statement; they do not count for a revision */
  quotes?: DocumentQuote[];
  /** number of the load that checked the quotes against their documents */
  quotedIn?: number;
  /** oldest first */
  earlierRevisions?: EarlierRevision[];
  /** revisions that were served before, in the order in which they first were; of many only the first ones. A removed record leaves them to its return */
  servedRevisions?: string[];
}
