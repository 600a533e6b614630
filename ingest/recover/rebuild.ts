/**
 * Rebuilds the index as last recorded, from the state files that loads kept. The new set is served in one step when it is complete. Every record
 * keeps its revision and time of change, and every removal its trace, so that nobody is billed again and cursors stay valid.
 */

import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { secondsSince } from '../../src/core/domain/durations.ts';
import type { Kind } from '../../src/core/store/elastic/indices.ts';
import type { FileStore } from '../../src/core/store/files/fileStore.ts';
import type { GenerationFiles } from '../../src/core/store/files/generationFiles.ts';
import {
  changesNothing,
  findSyncedCommit,
  type LineageStore,
  type RecordedCommit,
  UNRECORDED,
} from '../../src/core/store/postgres/lineageStore.ts';
import { LoadRefused } from '../loadRefused.ts';
import { toPublishedSet } from '../publish/publication.ts';
import { publishChange } from '../publish/publish.ts';
import { compareServed } from '../publish/repair.ts';
import { needsStamping, stampServedSet } from '../publish/stamping.ts';
import { newestStampOf } from '../read/versions.ts';
import { bulkWrite, type Write } from '../write/bulkWrite.ts';
import { type GenerationSet, type GenerationStore, type Generations, nextLoadNumber } from '../write/generationSets.ts';
import { toIndexedFields } from '../write/indexedFields.ts';
import { completeSet, createSet } from '../write/makeSets.ts';
import { type OpenLineageStore, pickContents } from '../write/recordedCommits.ts';
import { readSetContents } from '../write/setContents.ts';
import { readStateLines, type StateLine } from '../write/stateFile.ts';

interface RebuildContext {
  store: GenerationStore;
  lineage: OpenLineageStore;
  /** null where nothing is kept */
  files: GenerationFiles | null;
  now: () => Date;
  /** `YYYY-MM-DD` */
  today: string;
  /** throws once the load lock is lost; asked before the switch */
  assertLocked?: () => void;
  onProgress?: (done: { files: number; of: number; records: number }) => void;
}

export interface Rebuilt {
  /** false if the served set is the recorded one, so that nothing was done */
  rebuilt: boolean;
  generation: number;
  records: number;
  files: number;
  seconds: number;
}

/**
 * Call it under the load lock.
 * @param given paths of state files that are not in the store
 * @throws LoadRefused if a file is missing or altered, or the result is not what was recorded; what is served is then unchanged
 */
export async function rebuildIndex(context: RebuildContext, given: readonly string[]): Promise<Rebuilt> {
  const started = performance.now();
  const { store } = context;
  const lineages = await context.lineage();
  const { id, head } = await readHead(lineages);
  const generations = await store.read();
  const { served } = generations;
  const lineage = await lineages.readCurrent();
  const done = { generation: head.generation, records: head.projects ?? 0 };
  if (!compareServed(served, lineage)) return { ...done, rebuilt: false, files: 0, seconds: 0 };
  const shown = await commitShownToSync(lineages, id, head);
  const chains = await Promise.all([head, ...(shown ? [shown] : [])].map((commit) => readChain(lineages, id, commit)));
  const [ofHead = [], ofShown = []] = await locateFiles(context, chains, given);
  await dropLeftovers(store, lineages, id, generations);
  const first = Math.max(nextLoadNumber(generations), head.commit + 1);
  const before = shown && (await buildSet(context, { id, lineages, load: first, previous: shown.commit }, shown, ofShown));
  const whole = await buildSet(context, { id, lineages, load: first + 1, previous: before?.committed ?? head.commit }, head, ofHead);
  const opened = { id, lineages, forgotten: [] };
  const shownBefore = before && toPublishedSet(before);
  const change = { way: 'rebuild' as const, set: whole, commit: whole.committed, before: shownBefore };
  await publishChange({ store, opened, assertLocked: context.assertLocked }, await store.read(), change);
  const now = await store.read();
  if (needsStamping(now)) await stampServedSet(store, now, { ...context, opened });
  const files = ofHead.length + ofShown.length;
  return { ...done, rebuilt: true, files, seconds: secondsSince(started) };
}

/** The commit that sync must show, if the newest commit is served but not stamped yet. */
async function commitShownToSync(lineages: LineageStore, id: string, head: RecordedCommit): Promise<RecordedCommit | undefined> {
  const shown = findSyncedCommit(head);
  return shown === null ? undefined : lineages.commit(id, shown);
}

interface Building {
  id: string;
  lineages: LineageStore;
  /** number of the set that is built */
  load: number;
  previous: number;
}

/** Builds the complete set of one commit, without serving it. */
async function buildSet(
  context: RebuildContext,
  { id, lineages, load, previous }: Building,
  commit: RecordedCommit,
  sources: readonly Source[],
): Promise<GenerationSet> {
  const { store } = context;
  const target = { generation: commit.generation, load };
  await createSet(store, target, null);
  try {
    await fillSet(context, target, sources);
    await assertWhole(store, target, commit);
  } catch (error) {
    await store.drop(target).catch(() => undefined); // the next run does
    throw error;
  }
  await recordBuilt(lineages, id, commit, { load, previous });
  context.assertLocked?.();
  await completeSet(store, target);
  const whole = (await store.read()).sets.find((set) => set.load === load);
  if (!whole) throw new Error('The set that was built is gone; run the command again');
  return whole;
}

async function readHead(lineages: LineageStore): Promise<{ id: string; head: RecordedCommit }> {
  const lineage = await lineages.readCurrent();
  const head = lineage && (await lineages.readHead(lineage.id));
  if (!head) throw new LoadRefused('Postgres has recorded nothing that was served, so that nothing can be built again; load a generation');
  return { id: lineage.id, head };
}

/** The commits whose state files together make up the given one. */
async function readChain(lineages: LineageStore, id: string, head: RecordedCommit): Promise<RecordedCommit[]> {
  const chain = await lineages.listCommits(id, head.commit);
  const kept = chain.filter(({ stateFile }) => stateFile !== null);
  const unkeptCommits = chain.filter((commit) => commit.stateFile === null && !changesNothing(commit));
  if (!kept.length || unkeptCommits.length)
    throw new LoadRefused(
      `What generation ${head.generation} was made of is not kept (GENERATIONS_DIR was off, or its loads are of a version that kept nothing). ` +
        'Restore Elasticsearch from a snapshot; or load its file in full into an empty index, with a new INDEX_PREFIX, by which all copies are built again',
    );
  return kept;
}

type Source = { commit: RecordedCommit; open: () => Promise<Readable> };

/** Locates each state file. @throws LoadRefused that names missing files, before anything is done */
async function locateFiles(
  { files }: RebuildContext,
  chains: readonly (readonly RecordedCommit[])[],
  given: readonly string[],
): Promise<Source[][]> {
  const paths = new Map(given.map((path) => [basename(path), path]));
  const missing: string[] = [];
  const sources: Source[][] = [];
  for (const chain of chains) {
    const ofChain: Source[] = [];
    for (const commit of chain) {
      const name = commit.stateFile as string;
      const path = paths.get(name);
      if (path !== undefined) ofChain.push({ commit, open: async () => createReadStream(path) });
      else if (files && (await files.store.stat(name))) ofChain.push({ commit, open: () => openContent(files.store, name) });
      else missing.push(`${name}, kept in ${commit.keptIn}`);
    }
    sources.push(ofChain);
  }
  const unknown = [...paths.keys()].filter((name) => !chains.flat().some(({ stateFile }) => stateFile === name));
  if (!missing.length && !unknown.length) return sources;
  throw new LoadRefused('The files at hand are not those that the index was made of; nothing was changed', [
    ...missing.map((text) => `missing: ${text}`),
    ...unknown.map((name) => `not one of them: ${name}`),
    ...(missing.length ? ['Let GENERATIONS_DIR name where they are, or name the files themselves'] : []),
  ]);
}

const openContent = async (store: FileStore, name: string) => (await store.read(name, new AbortController().signal)).content;

/** Drops what killed runs left: unfinished sets, and complete sets that were not served yet. */
async function dropLeftovers(
  store: GenerationStore,
  lineages: LineageStore,
  id: string,
  { sets, unfinished, renewals }: Generations,
): Promise<void> {
  for (const set of [...unfinished, ...renewals]) await store.discard(set);
  for (const set of sets) {
    const commit = set.served || set.previous || set.synced !== null ? undefined : await lineages.commitOfSet(id, set);
    // The first commit of a set is a load unless a rebuild made the set.
    if (commit && changesNothing(commit) && commit.commit === set.load) await store.drop(set);
  }
}

async function fillSet(context: RebuildContext, target: { generation: number; load: number }, sources: readonly Source[]): Promise<void> {
  const { store, today, onProgress } = context;
  const index = (kind: Kind) => store.names.writeAlias(kind, target, target.load);
  let records = 0;
  for (const [at, { commit, open }] of sources.entries()) {
    const lines = readStateLines(commit.stateFile as string, await open(), commit.stateSha256 as string);
    for (let more = true; more; ) {
      const phase = takePhase(lines);
      await bulkWrite(
        store.client,
        makeWrites(phase.lines, index, today, () => onProgress?.({ files: at, of: sources.length, records: ++records })),
        {
          throughAlias: true,
        },
      );
      more = phase.more();
    }
  }
}

/** The lines up to the end of a phase. */
function takePhase(lines: AsyncGenerator<StateLine | null>): { lines: AsyncGenerator<StateLine>; more: () => boolean } {
  let more = true;
  const phase = async function* () {
    for (;;) {
      const next = await lines.next();
      if (next.done) more = false;
      if (next.done || next.value === null) return;
      yield next.value;
    }
  };
  return { lines: phase(), more: () => more };
}

async function* makeWrites(
  lines: AsyncIterable<StateLine>,
  index: (kind: Kind) => string,
  today: string,
  onRecord: () => void,
): AsyncGenerator<Write> {
  for await (const line of lines) {
    const [kind] = line;
    if (line.length === 3) yield { operation: 'delete', index: index(kind), version: { key: line[1], loadedIn: line[2] } };
    else yield { operation: 'index', index: index(kind), version: line[1], indexed: toIndexedFields(kind, line[1], today) };
    onRecord();
  }
}

/** @throws LoadRefused with both figures if the set is not what was recorded */
async function assertWhole(store: GenerationStore, target: { generation: number; load: number }, head: RecordedCommit): Promise<void> {
  await store.refresh(target);
  const indexOf = (kind: Kind) => store.names.indexName(kind, target);
  const made = (await readSetContents(store, indexOf)).toRecord();
  const newestStamp = await newestStampOf(store.client, indexOf);
  const { projects, documents, contacts, removals, digest } = head;
  const differing = Object.entries({ projects, documents, contacts, removals, digest, newestStamp: head.newestStamp }).filter(
    ([name, recorded]) => recorded !== { ...made, newestStamp }[name as keyof typeof made],
  );
  if (!differing.length) return;
  throw new LoadRefused(
    'What the files make is not what was recorded; nothing was changed',
    differing.map(([name, recorded]) => `${name}: ${{ ...made, newestStamp }[name as keyof typeof made]}, recorded ${recorded}`),
  );
}

/** Records the rebuilt commit. @param commit that was rebuilt; if it still had to be stamped, the new one has to be, too */
async function recordBuilt(
  lineages: LineageStore,
  id: string,
  commit: RecordedCommit,
  { load, previous }: Pick<Building, 'load' | 'previous'>,
): Promise<void> {
  const { generation } = commit;
  const kind = findSyncedCommit(commit) === null ? 'rebuild' : 'switch';
  const report = (await lineages.readReport(id, { load: commit.setLoad, committed: commit.commit })) ?? null;
  await lineages.record(id, { ...UNRECORDED, ...pickContents(commit), report, commit: load, previous, kind, generation, setLoad: load });
}
