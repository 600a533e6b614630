/** Services and state of an attempt to build a snapshot. */
import type { JobContext } from '../../core/jobs/defineJob.ts';
import type { StartedJob } from '../../core/jobs/store.ts';
import type { FrozenSet, FrozenSets } from '../../core/store/elastic/frozenSet.ts';
import type { FileStore } from '../../core/store/files/fileStore.ts';
import type { Platform } from '../feature.ts';
import type { SnapshotScope } from './request.ts';
import type { SnapshotStore } from './store.ts';
import type { SnapshotPayload } from './types.ts';

type PlatformServices = 'holdings' | 'suppressions' | 'unlocks' | 'lineage' | 'places' | 'publicUrl' | 'restrictions' | 'now' | 'log';

export interface BuildServices extends Pick<Platform, PlatformServices> {
  frozen: FrozenSets;
  snapshots: SnapshotStore;
  files: () => Promise<FileStore>;
  cursorSecret: string;
  fileRecords: number;
  /** compact records of a page; a divisor of the records of a file */
  pageRecords: number;
}

export type SnapshotJob = StartedJob<SnapshotPayload>;

/** An attempt, and the team to which it delivers. */
export interface Building {
  services: BuildServices;
  job: SnapshotJob & { teamId: number };
  context: JobContext;
  set: SnapshotScope;
  frozen: FrozenSet;
  files: FileStore;
  /** stored names of the files that this attempt began to write */
  begun: Set<string>;
  /** credits for a new or changed record, which the lines state */
  rate: number;
}
