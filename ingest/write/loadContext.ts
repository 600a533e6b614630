/** What a load is given, what it shares with all that write for it, and what it counts. */
import type { Client } from '@elastic/elasticsearch';
import type { Places } from '../../src/core/domain/places.ts';
import type { IndexNames, Kind, SetName } from '../../src/core/store/elastic/indices.ts';
import type { GenerationFiles } from '../../src/core/store/files/generationFiles.ts';
import type { LineCounts } from '../read/headerCheck.ts';
import type { GenerationHeader } from '../read/parseLine.ts';
import type { RejectReason, Rejects } from '../read/rejects.ts';
import type { Conflicts, Write } from './bulkWrite.ts';
import type { Contents } from './contents.ts';
import type { FigureTally } from './figures.ts';
import type { GenerationSet, GenerationStore, Generations, Layout } from './generations.ts';
import type { Keeping } from './keeping.ts';
import type { QuotedDocuments } from './quotedDocuments.ts';
import type { Lineages, OpenLineage } from './recordedCommits.ts';
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

/** Everything one load shares: where it writes, what it builds on, and what it counts. */
export interface Load extends LoadContext, WriteTarget {
  store: GenerationStore;
  /** what was loaded when the load began */
  generations: Generations;
  file: string;
  header: GenerationHeader;
  target: SetName;
  /** selects what readers of the target will see once this load is committed */
  visible: object;
  write: (writes: AsyncIterable<Write>) => Promise<Conflicts>;
  /** the set whose records this load compares with and builds on; undefined for the very first generation */
  baseSet: GenerationSet | undefined;
  /** true where the target holds what the base shows: an increment, and a full generation that is loaded into a copy */
  holdsBase: boolean;
  /** stands in the name of each line: what the same line may become another record by */
  lineForm: string;
  counts: LoadCounts;
  rejects: Rejects;
  lines: LineCounts;
  /** what the file states and deletes */
  stated: StatedKeys;
  /** absorbed records that the file gives back, with the line that does */
  unmerged: Map<number, number>;
  /** absorbed records that the file deletes */
  deletedMembers: Set<number>;
  /** false where records have to be written again, though they stay the same: into another set, or to get fields that they lack */
  keepsRestated: boolean;
  quoted: QuotedDocuments;
  /** what the set states itself, with this load; undefined for a set that was made before figures were kept */
  figures: FigureTally | undefined;
  /** the lineage that the commit becomes part of */
  opened: OpenLineage;
  /** what the target shows, with this load */
  contents: Contents;
  /** the commits that the target is made of, by the first of them; null where not all of them are kept */
  chain: number | null;
  /** what is kept of this load */
  keeping: Keeping | null;
}
