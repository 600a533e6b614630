/** Makes the record of a load's commit, which is stored before the commit is published. */
import { basename } from 'node:path';
import { type CommitRecord, UNRECORDED } from '../../src/core/store/postgres/lineageStore.ts';
import type { LineSource } from '../read/openLines.ts';
import { newestStampOf } from '../read/versions.ts';
import type { Load } from './loadContext.ts';
import { storeRestrictions } from './restrictions.ts';

/** Call it after all writes, once the target is refreshed. */
export async function makeCommitRecord(load: Load, source: LineSource): Promise<CommitRecord> {
  const { client, names, target, base } = load;
  const { file, header } = load.source;
  return {
    ...UNRECORDED,
    commit: target.number,
    previous: base.set?.committed ?? null,
    kind: 'load',
    generation: header.generation,
    setLoad: target.set.load,
    chain: target.chain,
    copiesPrevious: target.chain !== null && header.mode === 'full' && base.isHeld,
    firstStamp: target.stamps.start,
    newestStamp: await newestStampOf(client, (kind) => names.indexName(kind, target.set), target.visible),
    ...target.contents.toRecord(),
    figures: target.figures.figures,
    restrictions: await storeRestrictions(load),
    sourceName: basename(file),
    sourceSha256: source.fileDigest(),
    extractedAt: new Date(header.extractedAt),
    ...(await target.commitFiles?.finish(file)),
  };
}
