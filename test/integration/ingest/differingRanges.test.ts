/** Ranges of ids in which two sets may differ: every difference is in one, and nothing of what is equal but its neighbours. */
import assert from 'node:assert/strict';
import type { Client } from '@elastic/elasticsearch';
import { findDifferingRanges, type IdRange } from '../../../ingest/read/differingRanges.ts';
import { readMapping } from '../../../src/core/store/elastic/mappedFields.ts';
import { TestIndex } from '../../support/index.ts';
import { Random } from '../../support/random.ts';

interface Version {
  id: number;
  loadedIn: number;
  lastUpdated: string;
  derived: { revisionHash: string };
}

const MANY = 12_000;
const LOAD = Date.parse('2026-03-01');

describe('ranges in which two sets differ', () => {
  const index = new TestIndex('2026-03-02');
  const names = ['first', 'second'].map((name) => `${index.prefix}-${name}`) as [string, string];
  let versions: Version[];

  before(async () => {
    const random = new Random(7);
    // Ids close together, far apart, and the greatest that there may be.
    const ids = new Set(Array.from({ length: MANY }, (_, i) => i + 1));
    for (let i = 0; i < 500; i += 1) ids.add(random.integer(1, 2 ** 40)).add(Number.MAX_SAFE_INTEGER - random.integer(0, 5_000));
    versions = [...ids].map((id) => versionOf(id, LOAD + random.integer(0, 3)));
    for (const name of names) {
      await create(name);
      await write(index.client, name, versions);
    }
  });
  after(() => index.client.indices.delete({ index: names }).then(() => index.drop()));

  const create = (name: string) =>
    index.client.indices.create({ index: name, mappings: readMapping('projects'), settings: { number_of_shards: 1 } });
  const versionOf = (id: number, loadedIn: number): Version => ({
    id,
    loadedIn,
    lastUpdated: new Date(loadedIn).toISOString(),
    derived: { revisionHash: String(BigInt.asIntN(64, BigInt(id) * 0x9e3779b97f4a7c15n)) },
  });
  const ranges = () => findDifferingRanges({ client: index.client, kind: 'projects', indices: names });
  const isIn = (found: readonly IdRange[], id: number) => found.filter(({ from, below }) => from <= id && id < below).length === 1;

  it('are none where both show the same', async () => {
    assert.deepEqual(await ranges(), []);
  });

  it('hold what only one shows, and what is of another load in the other', async () => {
    const greatest = Number.MAX_SAFE_INTEGER;
    const changed = [1, 5_000, 5_001, MANY, ...versions.slice(-3).map(({ id }) => id)];
    await write(
      index.client,
      names[1],
      changed.map((id) => versionOf(id, LOAD + 1_000)),
    );
    await write(index.client, names[0], [versionOf(greatest, LOAD)]);
    const found = await ranges();
    for (const id of [...changed, greatest]) assert(isIn(found, id), `${id} is in one of ${JSON.stringify(found)}`);
    assert(found.every(({ versions: count }) => count <= 4_000));
    const read = versions.filter(({ id }) => isIn(found, id)).length;
    assert(read < versions.length / 2, `${read} of ${versions.length} are read`);
  });

  it('are all of it where one shows nothing', async () => {
    await index.client.indices.delete({ index: names[1] });
    await create(names[1]);
    const found = await ranges();
    assert(versions.every(({ id }) => isIn(found, id)));
  });
});

async function write(client: Client, index: string, versions: readonly Version[]): Promise<void> {
  const operations = versions.flatMap((version) => [{ index: { _index: index, _id: String(version.id) } }, version]);
  assert.equal((await client.bulk({ operations, refresh: true })).errors, false);
}
