/** Types of a load: its context, source (the file), base (what it builds on), target (where it writes) and counts. */
import type { Client } from '@elastic/elasticsearch';
import type { RestrictionLine, StoredRestriction } from '../../src/core/domain/restriction/schemas.ts';
import type { IndexNames, Kind, SetName } from '../../src/core/store/elastic/indices.ts';
import type { GenerationFiles } from '../../src/core/store/files/generationFiles.ts';
import type { FindingCollector } from '../findings/finding.ts';
import type { isOutside } from '../findings/placeFaults.ts';
import type { FiguresByPlace } from '../findings/placeFigures.ts';
import type { FindingRules, LoadReport } from '../findings/types.ts';
import type { LineCounts } from '../read/headerCheck.ts';
import type { GenerationHeader, ReviewLine } from '../read/parseLine.ts';
import type { RejectFile, RejectReason } from '../read/rejects.ts';
import type { Conflicts, Write } from './bulkWrite.ts';
import type { CommitFiles } from './commitFiles.ts';
import type { FigureTally } from './figures.ts';
import type { GenerationSet, GenerationStore, Generations, Layout } from './generationSets.ts';
import type { QuotedDocuments } from './quotedDocuments.ts';
import type { CurrentLineage, OpenLineageStore } from './recordedCommits.ts';
import type { SetContents } from './setContents.ts';
import type { Stamps } from './stamps.ts';
import type { StatedKeys } from './statedKeys.ts';

export interface LoadContext extends FindingRules {
  client: Client;
  names: IndexNames;
  now: () => Date;
  /** today by the service clock, `YYYY-MM-DD` */
  today: string;
  onProgress?: (progress: Progress) => void;
  /** throws once the load lock is lost; asked before the commit */
  assertLocked?: () => void;
  /** where commits are recorded */
  lineage: OpenLineageStore;
  /** where generation files and state files are kept; null keeps none */
  files: GenerationFiles | null;
  /** whether a point lies outside the place that is stated; by the outlines of the product where left out */
  isOutside?: typeof isOutside | undefined;
  /** layout of the indices that a full generation fills */
  layout?: Layout;
  /** number of records of a set from which the next generation is loaded into a copy of it; `COPIED_FROM` by default */
  copiedFrom?: number | undefined;
  /** receives the report before anything is served, and before the load is refused for a finding */
  onReport?: (report: LoadReport) => Promise<void>;
}

export interface Progress {
  bytesRead: number;
  totalBytes: number;
  records: number;
}

/** What a load did, in numbers of records. */
export interface LoadCounts {
  projects: number;
  added: number;
  changed: number;
  unchanged: number;
  uncovered: number;
  deleted: number;
  merged: number;
  /** absorbed records that are served on their own again; those that the file states count as added */
  unmerged: number;
  documents: number;
  contacts: number;
  restrictions: number;
  rejected: number;
}

export interface LoadSummary extends LoadCounts {
  file: string;
  generation: number;
  mode: 'full' | 'increment';
  /** number of the load; null where the generation is served already from the same file, so that nothing was loaded */
  load: number | null;
  /** true for a full generation that was loaded into a copy of its base set */
  copied: boolean;
  seconds: number;
  recordsPerSecond: number;
  /** file that holds the rejected lines, when there are any */
  rejects: string | null;
  /** why they were rejected, most frequent first */
  reasons: RejectReason[];
  /** true when readers see it already */
  served: boolean;
}

/** What is needed to write versions into a set. */
export interface WriteTarget {
  /** number of this load: milliseconds since 1970 at its start, or a greater number, so that every load has a different one */
  number: number;
  /** the alias through which a kind is written */
  writing: (kind: Kind) => string;
  stamps: Stamps;
  /** newest time of change that is served, milliseconds since 1970; all are if unset */
  servedUntil?: number;
  /** `YYYY-MM-DD` */
  today: string;
  /** true if nobody reads the set before its commit, so that replaced versions are deleted immediately instead of being hidden by the commit */
  deletesReplaced: boolean;
}

/** A line of a restriction, with its number in the file. */
export interface NumberedRestriction {
  number: number;
  text: string;
  line: RestrictionLine;
}

/** The file that a load reads. */
export interface LoadSource {
  file: string;
  header: GenerationHeader;
  /** part of the hash of each line, since this version may make a different record of the same text */
  lineForm: string;
  counts: LineCounts;
  rejects: RejectFile;
  /** keys of the records that the file states or deletes */
  stated: StatedKeys;
  quoted: QuotedDocuments;
  /** look for findings */
  collectors: FindingCollector[];
  /** ids of absorbed records that the file unmerges, with the number of the line that does */
  unmerged: Map<number, number>;
  /** what people found who compared values with the minutes */
  reviews: ReviewLine[];
  restrictions: NumberedRestriction[];
  /** ids of absorbed records that the file deletes */
  deletedMembers: Set<number>;
}

/** The set that a load builds on and compares with. */
interface LoadBase {
  /** undefined for the very first generation */
  set: GenerationSet | undefined;
  /** true if the target already holds what the base shows: for an increment, and for a full generation that is loaded into a copy */
  isHeld: boolean;
  /** false if unchanged records have to be written too: into another set, or to get fields that they lack */
  keepsRestated: boolean;
}

/** Where a load writes. */
export interface LoadTarget extends WriteTarget {
  set: SetName;
  /** query for what readers of the target will see once this load is committed */
  visible: object;
  write: (writes: AsyncIterable<Write>) => Promise<Conflicts>;
  /** makes what was written searchable */
  refresh: () => Promise<void>;
  /** how much the generation states, with this load */
  figures: FigureTally;
  /** by place, how much the served generation states; empty if nothing is served */
  servedPlaces: FiguresByPlace;
  /** by source that the file replaces, the restrictions that it states */
  restrictions: ReadonlyMap<string, readonly Omit<StoredRestriction, 'lastUpdated'>[]>;
  /** summary of what the set shows, with this load */
  contents: SetContents;
  /** first commit of the chain that makes up the set; null if the files of some commits are not kept */
  chain: number | null;
  /** the files kept of this load */
  commitFiles: CommitFiles | null;
}

export interface Load extends LoadContext {
  store: GenerationStore;
  /** the lineage that the commit becomes part of */
  opened: CurrentLineage;
  /** the sets that existed when the load began */
  generations: Generations;
  source: LoadSource;
  base: LoadBase;
  target: LoadTarget;
  counts: LoadCounts;
}
