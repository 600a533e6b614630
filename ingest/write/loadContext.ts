/** A load: what it is given, where it reads, what it builds on, where it writes, and what it counts. */
import type { Client } from '@elastic/elasticsearch';
import type { Places } from '../../src/core/domain/places.ts';
import type { IndexNames, Kind, SetName } from '../../src/core/store/elastic/indices.ts';
import type { GenerationFiles } from '../../src/core/store/files/generationFiles.ts';
import type { LineCounts } from '../read/headerCheck.ts';
import type { GenerationHeader } from '../read/parseLine.ts';
import type { RejectFile, RejectReason } from '../read/rejects.ts';
import type { Conflicts, Write } from './bulkWrite.ts';
import type { CommitFiles } from './commitFiles.ts';
import type { FigureTally } from './figures.ts';
import type { GenerationSet, GenerationStore, Generations, Layout } from './generations.ts';
import type { QuotedDocuments } from './quotedDocuments.ts';
import type { Lineages, OpenLineage } from './recordedCommits.ts';
import type { SetContents } from './setContents.ts';
import type { Stamps } from './stamps.ts';
import type { StatedKeys } from './statedKeys.ts';

export interface LoadContext {
  client: Client;
  names: IndexNames;
  places: Places;
  now: () => Date;
  /** today by the service clock, `YYYY-MM-DD` */
  today: string;
  onProgress?: (progress: Progress) => void;
  /** throws once the load lock is lost; asked before the commit */
  assertLocked?: () => void;
  /** where commits are recorded */
  lineage: Lineages;
  /** where what is loaded is kept; null keeps nothing */
  files: GenerationFiles | null;
  /** of the indices that a full generation fills */
  layout?: Layout;
}

export interface Progress {
  bytesRead: number;
  totalBytes: number;
  records: number;
}

/** What a load did, in records. */
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
  rejected: number;
}

export interface LoadSummary extends LoadCounts {
  file: string;
  generation: number;
  mode: 'full' | 'increment';
  load: number;
  /** true for a full generation that was loaded into a copy of the set before */
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
  /** number of this load: milliseconds since 1970 at its start, or more, so that none ever has the number of another */
  number: number;
  /** name to write a kind through */
  writing: (kind: Kind) => string;
  stamps: Stamps;
  /** `YYYY-MM-DD` */
  today: string;
  /** true where nobody reads the set before its commit: what is replaced goes at once, instead of being hidden by it */
  deletesReplaced: boolean;
}

/** The file that a load reads. */
export interface LoadSource {
  file: string;
  header: GenerationHeader;
  /** part of the hash of each line: a line of another form may become another record */
  lineForm: string;
  counts: LineCounts;
  rejects: RejectFile;
  /** what the file states and deletes */
  stated: StatedKeys;
  quoted: QuotedDocuments;
  /** absorbed records that the file gives back, with the line that does */
  unmerged: Map<number, number>;
  /** absorbed records that the file deletes */
  deletedMembers: Set<number>;
}

/** What a load compares with and builds on. */
interface LoadBase {
  /** undefined for the very first generation */
  set: GenerationSet | undefined;
  /** true where the target holds what the base shows: an increment, and a full generation that is loaded into a copy */
  isHeld: boolean;
  /** false where records have to be written again, though they stay the same: into another set, or to get fields that they lack */
  keepsRestated: boolean;
}

/** Where a load writes. */
export interface LoadTarget extends WriteTarget {
  set: SetName;
  /** selects what readers of the target will see once this load is committed */
  visible: object;
  write: (writes: AsyncIterable<Write>) => Promise<Conflicts>;
  /** what the set states itself, with this load; undefined for a set that was made before figures were kept */
  figures: FigureTally | undefined;
  /** what the set shows, with this load */
  contents: SetContents;
  /** the commits that the set is made of, by the first of them; null where not all of them are kept */
  chain: number | null;
  /** what is kept of this load */
  commitFiles: CommitFiles | null;
}

export interface Load extends LoadContext {
  store: GenerationStore;
  /** the lineage that the commit becomes part of */
  opened: OpenLineage;
  /** what was loaded when the load began */
  generations: Generations;
  source: LoadSource;
  base: LoadBase;
  target: LoadTarget;
  counts: LoadCounts;
}
