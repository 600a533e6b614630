/**
 * A project as Elasticsearch keeps it: what the current generation states, what earlier generations stated, and what absorbed records did.
 * Everything that is searched is derived from these when the document is written.
 */
import { type StatedIn, withEvidence } from './fields.ts';
import type { DocumentQuote } from './quotes.ts';
import type { ProjectStatement } from './statement.ts';

/** The parts of a project's statement by the representation that first serves them, so that a page fetches no more than it shows. */
export interface ProjectContent {
  compact: Pick<ProjectStatement, StatedIn<'compact'>>;
  standard: Pick<ProjectStatement, StatedIn<'standard'>>;
  full: Pick<ProjectStatement, StatedIn<'full'>>;
}

/** Attributes with a value that is kept as it is and matched whole. */
export const VALUE_EVIDENCE = withEvidence('keyword', 'flag', 'number');
/** Attributes whose words are searched. */
export const TEXT_EVIDENCE = withEvidence('words', 'names', 'parties');

export type TextAttribute = (typeof TEXT_EVIDENCE)[number];
export type ValueAttribute = (typeof VALUE_EVIDENCE)[number] | 'statusCombo';

/** What statements give filters to match, by attribute. An attribute is here if a statement covers it. */
export interface StoredEvidence {
  values: { [attribute in ValueAttribute]?: (string | number | boolean)[] };
  /** searched words, one string a passage, folded by `words`; none where what is stated holds no word */
  texts: { [attribute in TextAttribute]?: string[] };
  /** true if a decision is known: the record's status, or that of one of its decisions */
  decided: boolean;
}

/** What generations before the current one stated. */
export interface PastEvidence extends Partial<StoredEvidence> {
  /** attributes of which they stated all that the current statement does too; that is kept once, in the statement */
  again?: string[];
}

/** What a record stated that was absorbed into another: in the current generation, and before. */
export interface AbsorbedRecord {
  id: number;
  now?: StoredEvidence;
  past?: StoredEvidence;
}

/** A revision that was replaced, when, and the names of the fields in which the next one differed. */
export interface EarlierRevision {
  revision: string;
  /** hash of the content, where the revision is not that itself */
  contentHash?: string;
  /** ISO 8601 */
  replacedAt: string;
  changed: string[];
}

/** The `_source` of a project document. */
export interface StoredProject extends ProjectContent {
  key: string;
  /** number of the load that wrote this version, and of the one that replaced it */
  loadedIn: number;
  supersededIn?: number;
  /** the first generation that states it so; a version without it is of the generation of its set */
  statedSince?: number;
  /** names the line of the file that states it, where the same line makes the same record of it */
  lineHash?: string;
  /** only of a project that its generation does not state: carried over from the one before */
  uncovered?: true;
  id: number;
  lastUpdated: string;
  contentRevision: string;
  /** hash of the content, where `contentRevision` is an older name of the same content */
  contentHash?: string;
  /** only of a merged development: every hearing of the family, ascending, and those of them that absorbed members brought */
  hearings?: string[];
  absorbedHearings?: string[];
  past?: PastEvidence;
  absorbed?: AbsorbedRecord[];
  /** ids that it has given back and not absorbed again, ascending: a file that says so once more changes nothing */
  gaveBack?: number[];
  /** words of documents that prove what the statement says; they are no part of a revision */
  quotes?: DocumentQuote[];
  /** number of the load that held its quotes against their documents */
  quotedIn?: number;
  /** oldest first */
  earlierRevisions?: EarlierRevision[];
}
