/** Types of what an adapter of a public data set yields: records, documents and rejects, each with the number of its raw rows. */
import type { Places } from '../../src/core/domain/places.ts';
import type { ProjectStatement } from '../../src/core/domain/record/statement.ts';
import type { RestrictionLine } from '../../src/core/domain/restriction/schemas.ts';

/** A project without its number: the number follows from the source and the source's own id. */
export type ProjectDraft = Omit<ProjectStatement, 'id'>;

/** A draft, with notes that are counted but do not reject it, such as `bad_coordinates`. */
export type DraftWithNotes = [project: ProjectDraft, notes: readonly string[]];

/** The text of a meeting, resolution or minutes segment, written as a `document` line. */
interface DocumentDraft {
  state: string;
  county: string | null;
  city: string | null;
  decisionBody: string | null;
  meetingDate: string | null;
  title: string | null;
  url: string | null;
  text: string | null;
}

/** One record of one case. `rows` are the raw rows that were combined into it. */
export interface SourceRecord {
  kind: 'record';
  /** own id of the case within its source, e.g. a permit number */
  ownId: string;
  rows: readonly object[];
  project: ProjectDraft;
  notes: readonly string[];
}

export interface SourceDocument {
  kind: 'document';
  ownId: string;
  rows: readonly object[];
  document: DocumentDraft;
}

export interface Reject {
  kind: 'reject';
  ownId: string;
  rows: readonly object[];
  /** snake_case, e.g. `no_date`, `unclassified` */
  reason: string;
}

export interface SourceRestriction {
  kind: 'restriction';
  ownId: string;
  rows: readonly object[];
  restriction: Omit<RestrictionLine, 'id' | 'kind'>;
}

export type SourceItem = SourceRecord | SourceDocument | SourceRestriction | Reject;

export interface ReadContext {
  /** folder of the data set itself, e.g. `…/data/il_chicago` */
  folder: string;
  places: Places;
}

export interface SourceAdapter {
  /** folder name below the data folder, and first half of every own id */
  name: string;
  title: string;
  /** files that must exist in the folder */
  files: readonly string[];
  /** whether it yields restrictions and no records */
  restricts?: true;
  read(context: ReadContext): AsyncIterable<SourceItem>;
}
