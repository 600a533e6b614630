/** Makes sets of indices, empty ones and copies of a complete set, and completes them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { estypes } from '@elastic/elasticsearch';
import { KINDS, type Kind, type SetName, visibilityFilter } from '../../src/core/store/elastic/indices.ts';
import { readMapping } from '../../src/core/store/elastic/mappedFields.ts';
import { findPlacementBlock, WritesBlocked } from '../../src/core/store/elastic/writesBlocked.ts';
import type { GenerationSet, GenerationStore, Renewal } from './generationSets.ts';
import { SetNotes } from './setNotes.ts';

/** Wait for the shards of a new index, after which Elasticsearch is asked why it has none. */
const PLACEMENT_TIMEOUT = '5s';
/** The same for a copy; it is shorter, since a set can be filled from scratch instead. */
const COPY_PLACEMENT_TIMEOUT = '2s';
const SHARDS_TIMEOUT_MS = 30_000;
const SHARDS_POLL_MS = 100;

const blockingWrites = (write: boolean | null) => ({ 'index.blocks.write': write }) as estypes.IndicesIndexSettings;

/** The number in the writing aliases of a renewal's last pass, in place of the number of its load. */
export const finalWriterNumber = ({ load }: SetName) => load + 1;

/** Does work for each kind at once. When it throws, none of it is under way. */
async function doForKinds(work: (kind: Kind) => Promise<void>): Promise<void> {
  const all = KINDS.map(work);
  await Promise.allSettled(all);
  await Promise.all(all);
}

/**
 * How often a set is refreshed besides: each command refreshes what it wrote, and this lets searches leave segments that were merged.
 * More often, a load would make many small segments.
 */
const REFRESH_INTERVAL = '30s';

function makeSettings({ layout: { replicas } }: GenerationStore): estypes.IndicesIndexSettings {
  const copies = replicas ? { auto_expand_replicas: `0-${replicas}` } : { auto_expand_replicas: 'false', number_of_replicas: 0 };
  return { refresh_interval: REFRESH_INTERVAL, ...copies };
}

/**
 * Makes the four empty indices of a new set, with the aliases that its load writes through.
 * @param base commit of the set with which its records are compared
 * @param renews for a renewal, number of the load of the set that is being renewed
 */
export async function createSet(store: GenerationStore, set: SetName, base: number | null, renews?: number): Promise<void> {
  const { client, names, layout } = store;
  await doForKinds(async (kind) => {
    const index = names.indexName(kind, set);
    const made = await client.indices.create({
      index,
      timeout: PLACEMENT_TIMEOUT,
      aliases: {
        [names.writeAlias(kind, set, set.load)]: {},
        ...(renews !== undefined && kind === 'projects' ? { [names.renewalAlias(renews)]: {} } : {}),
      },
      mappings: { ...readMapping(kind), _meta: { ...SetNotes.makeInitial(base) } },
      settings: { number_of_shards: layout.shards, max_terms_count: 1_000_000, ...makeSettings(store) },
    });
    if (!made.shards_acknowledged) await awaitShards(store, index);
  });
}

/** Whether a set has the number of shards that a copy must have, and accepts writes: `unblockSet` would lift a write block set by an operator. */
export async function canBeCopied(store: GenerationStore, set: SetName): Promise<boolean> {
  const name = ['index.number_of_shards', 'index.blocks.*'];
  const found = await store.client.indices.getSettings({ index: store.listIndices(set), name });
  return Object.values(found).every(({ settings }) => {
    const { number_of_shards: shards, blocks } = settings?.index ?? {};
    // Elasticsearch stores a lifted block as null.
    return Number(shards) === store.layout.shards && Object.values(blocks ?? {}).every((block) => block === null);
  });
}

/**
 * Makes a new set as a copy of a complete one, with the aliases that its load writes through. The copy shares the files of its original, so that
 * its time and disk space do not depend on the size. Writes into `base` are blocked meanwhile; `unblockSet` lifts the block.
 * @returns false if no node accepts the copy, for example because the node with the files is too full; the copy is then removed
 */
export async function copySet(store: GenerationStore, set: SetName, base: GenerationSet): Promise<boolean> {
  const { client, names } = store;
  await store.changeAliases([{ add: { index: names.indexName('projects', base), alias: names.copying } }]);
  try {
    await client.indices.putSettings({ index: store.listIndices(base), settings: blockingWrites(true) });
    await doForKinds((kind) => cloneIndex(store, kind, set, base));
  } catch (error) {
    await unblockSet(store, base).catch(() => undefined); // the next load does it
    if (!(error instanceof WritesBlocked)) throw error;
    await store.drop(set);
    return false;
  }
  await unblockSet(store, base);
  await store.openNotes(set).begin(base.committed);
  return true;
}

async function cloneIndex(store: GenerationStore, kind: Kind, set: SetName, base: GenerationSet): Promise<void> {
  const { client, names } = store;
  const target = names.indexName(kind, set);
  const made = await client.indices.clone({
    index: names.indexName(kind, base),
    target,
    timeout: COPY_PLACEMENT_TIMEOUT,
    aliases: { [names.writeAlias(kind, set, set.load)]: {} },
    settings: { ...blockingWrites(null), ...makeSettings(store) } as Record<string, unknown>,
  });
  if (!made.shards_acknowledged) await awaitShards(store, target);
}

/** Lifts the write block of a set after it was copied, or copying it failed. */
export async function unblockSet(store: GenerationStore, base: SetName): Promise<void> {
  const { client, names } = store;
  await client.indices.putSettings({ index: store.listIndices(base), settings: blockingWrites(null) });
  await store.changeAliases([{ remove: { index: names.indexName('projects', base), alias: names.copying } }]);
}

/** Waits for the shards of a new index. @throws WritesBlocked if no node accepts the index */
async function awaitShards({ client, layout }: GenerationStore, index: string): Promise<void> {
  const block = await findPlacementBlock(client, index);
  if (block) throw block;
  // An index is yellow already while its first shards are being made.
  for (const until = Date.now() + SHARDS_TIMEOUT_MS; ; await sleep(SHARDS_POLL_MS)) {
    if ((await client.cluster.health({ index })).active_primary_shards >= layout.shards) return;
    if (Date.now() > until) throw new Error(`Elasticsearch has not made the shards of ${index}; run the command again later`);
  }
}

/**
 * Completes a loaded set that is refreshed: records its commit in its aliases.
 * @param aborted loads that were given up, whose writes it may contain, as a copy does
 */
export async function completeSet(store: GenerationStore, set: SetName, aborted: readonly number[] = []): Promise<void> {
  const { names } = store;
  const filter = visibilityFilter({ committed: set.load, aborted });
  await store.changeAliases(
    KINDS.flatMap((kind) => [
      store.makeClosingAction(kind, set, set.load),
      { add: { index: names.indexName(kind, set), alias: names.completeAlias(kind, set), filter } },
    ]),
  );
}

/**
 * Prepares a renewal's last pass: earlier writes that arrive late fail, and the last ones go through another alias. If the command dies, the next
 * holder of the load lock drops the set like any unfinished one. Call it under the load lock.
 */
export async function sealRenewal(store: GenerationStore, next: Renewal): Promise<void> {
  const { names } = store;
  await store.changeAliases(
    [
      { remove: { index: names.indexName('projects', next), alias: names.renewalAlias(next.of), must_exist: true } },
      ...KINDS.flatMap((kind) => [
        store.makeClosingAction(kind, next, next.load),
        { add: { index: names.indexName(kind, next), alias: names.writeAlias(kind, next, finalWriterNumber(next)) } },
      ]),
    ],
    ({ unfinished }) => unfinished.some(({ load }) => load === next.load),
  );
}
