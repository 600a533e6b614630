/** Makes one set show what another shows, by writing the differences. Loads may go on; the next pass writes what they change meanwhile. */
import { KINDS, type Kind, type SetName } from '../../src/core/store/elastic/indices.ts';
import { compareVersions, readIdentityPages, type VersionIdentity } from '../read/versionDifferences.ts';
import { findVersions, makeVersionId, READ_TOGETHER } from '../read/versions.ts';
import { bulkWrite, type Write } from '../write/bulkWrite.ts';
import type { GenerationStore } from '../write/generationSets.ts';
import { toIndexedFields } from '../write/indexedFields.ts';
import { workAhead } from '../write/lineBatches.ts';

/** Requests at a time; fewer than a load sends, so that searches wait less. */
const REQUESTS_AT_ONCE = 2;

interface Sides {
  store: GenerationStore;
  from: SetName;
  to: SetName;
  /** number in the names that `to` is written through */
  writer: number;
  /** `YYYY-MM-DD`, service clock */
  today: string;
  /** called with the number of versions of `from` that were compared */
  onCompared?: ((more: number) => void) | undefined;
}

/**
 * Makes one pass over both sets; its writes are searchable when it returns. To leave no difference, call it under the load lock.
 * @returns how many versions were written or deleted
 */
export async function writeDifferences(sides: Sides): Promise<{ changed: number }> {
  const { store, to } = sides;
  let changed = 0;
  const countWrites = async function* (writes: AsyncIterable<Write>) {
    for await (const write of writes) {
      changed += 1;
      yield write;
    }
  };
  for (const kind of KINDS)
    await bulkWrite(store.client, countWrites(makeWrites(sides, kind)), { throughAlias: true, requestsAtOnce: REQUESTS_AT_ONCE });
  await store.refresh(to);
  return { changed };
}

async function* makeWrites(sides: Sides, kind: Kind): AsyncGenerator<Write> {
  const { store, from, to, writer, today } = sides;
  const { client, names } = store;
  const index = names.writeAlias(kind, to, writer);
  // The next versions are read while the previous ones are written.
  const batches = workAhead(readDifferenceBatches(sides, kind), async ({ missing, needless }) => ({
    missing: await findVersions(client, names.indexName(kind, from), missing.map(makeVersionId)),
    needless,
  }));
  for await (const { missing, needless } of batches) {
    for (const version of needless) yield { operation: 'delete', index, version };
    for (const { supersededIn: _, ...version } of missing)
      yield { operation: 'index', index, version, indexed: toIndexedFields(kind, version, today) };
  }
}

interface DifferenceBatch {
  missing: VersionIdentity[];
  /** versions that `from` does not show */
  needless: VersionIdentity[];
}

async function* readDifferenceBatches({ store, from, to, onCompared }: Sides, kind: Kind): AsyncGenerator<DifferenceBatch> {
  const { client, names } = store;
  let batch: DifferenceBatch = { missing: [], needless: [] };
  for await (const { version, isIn } of compareVersions(
    readIdentityPages(client, names.completeAlias(kind, from), kind, { onRead: onCompared }),
    readIdentityPages(client, names.indexName(kind, to), kind),
  )) {
    (isIn === 'first' ? batch.missing : batch.needless).push(version);
    if (batch.missing.length + batch.needless.length < READ_TOGETHER[kind]) continue;
    yield batch;
    batch = { missing: [], needless: [] };
  }
  yield batch;
}
