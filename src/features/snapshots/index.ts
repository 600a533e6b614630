/** Snapshots: all matches of filters as files of one moment, with the cursor from which sync continues. */
import { withdrawFiles } from '../../core/billedJobs/fileJobs.ts';
import { FrozenSets } from '../../core/store/elastic/frozenSet.ts';
import { ProjectSets } from '../../core/store/elastic/projectSets.ts';
import { ProjectStore } from '../../core/store/elastic/projects.ts';
import { exportFilesOf } from '../../core/store/files/exportFiles.ts';
import type { Feature, Platform } from '../feature.ts';
import { snapshotJob } from './job.ts';
import { snapshotRoutes } from './routes.ts';
import { SNAPSHOTS } from './snapshotKind.ts';
import { SnapshotStore } from './store.ts';

/** Services whose stores read what sync shows. */
const snapshotServices = (platform: Platform) => {
  const { config, elastic, names, synced, timeoutMs, jobs, idempotency, charged } = platform;
  return {
    ...platform,
    store: new ProjectStore(elastic, synced, timeoutMs),
    sets: new ProjectSets(elastic, synced, timeoutMs),
    frozen: new FrozenSets(elastic, names, timeoutMs),
    snapshots: new SnapshotStore(jobs, idempotency, charged),
    files: exportFilesOf(config),
    cursorSecret: config.cursorSecret,
    fileRecords: config.snapshotFileRecords,
    pageRecords: config.snapshotPageRecords,
    teamSnapshotBytes: config.teamSnapshotBytes,
  };
};

export const snapshots: Feature = {
  routes: ({ once }) => snapshotRoutes(once(snapshotServices)),
  jobs: ({ once }) => [snapshotJob.with(once(snapshotServices))],
  ...withdrawFiles(SNAPSHOTS, { closed: 'snapshots', hidden: 'expiredSnapshots' }),
};
