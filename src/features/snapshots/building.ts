/** Services and state of an attempt to build a snapshot. */
import type { Logger } from 'pino';
import type { Places } from '../../core/domain/places.ts';
import type { JobContext } from '../../core/jobs/defineJob.ts';
import type { StartedJob } from '../../core/jobs/store.ts';
import type { HoldingStore } from '../../core/ledger/holdings.ts';
import type { Suppressions } from '../../core/people/suppressions.ts';
import type { UnlockStore } from '../../core/people/unlocks.ts';
import type { FrozenSet, FrozenSets } from '../../core/store/elastic/frozenSet.ts';
import type { FileStore } from '../../core/store/files/fileStore.ts';
import type { LineageWatch } from '../../core/store/lineageWatch.ts';
import type { SnapshotSet } from './request.ts';
import type { SnapshotStore } from './store.ts';
import type { SnapshotPayload } from './types.ts';

export interface BuildServices {
  frozen: FrozenSets;
  holdings: HoldingStore;
  snapshots: SnapshotStore;
  files: () => Promise<FileStore>;
  suppressions: Suppressions;
  unlocks: UnlockStore;
  lineage: Pick<LineageWatch, 'continues' | 'markOf'>;
  places: Places;
  publicUrl: string;
  cursorSecret: string;
  /** most records of a file */
  fileRecords: number;
  /** compact records of a page; a divisor of the records of a file */
  pageRecords: number;
  now: () => Date;
  log: Logger;
}

export type SnapshotJob = StartedJob<SnapshotPayload>;

/** An attempt, and the team to which it delivers. */
export interface Building {
  services: BuildServices;
  job: SnapshotJob & { teamId: number };
  context: JobContext;
  set: SnapshotSet;
  frozen: FrozenSet;
  files: FileStore;
  /** stored names of the files that this attempt began to write */
  begun: Set<string>;
  /** credits for a new or changed record, which the lines state */
  rate: number;
}
