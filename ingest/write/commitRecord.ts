/** What is recorded of a load before it is committed. */
import { basename } from 'node:path';
import { type CommitRecord, unkept } from '../../src/core/store/postgres/lineage.ts';
import type { LineSource } from '../read/lines.ts';
import { newestStampWhere } from '../read/versions.ts';
import type { Load } from './loadContext.ts';

/** Call it when everything is written and the target is refreshed. */
export async function commitRecord(load: Load, source: LineSource): Promise<CommitRecord> {
  const { client, names, target, visible, number, header, file } = load;
  return {
    ...unkept,
    commit: number,
    previous: load.baseSet?.committed ?? null,
    kind: 'load',
    generation: header.generation,
    setLoad: target.load,
    chain: load.chain,
    copiesPrevious: load.chain !== null && header.mode === 'full' && load.holdsBase,
    firstStamp: load.stamps.start,
    newestStamp: await newestStampWhere(client, (kind) => names.index(kind, target), visible),
    ...load.contents.recorded(),
    figures: load.figures?.figures ?? null,
    sourceName: basename(file),
    sourceSha256: source.fileDigest(),
    ...(await load.keeping?.finish(file)),
  };
}
