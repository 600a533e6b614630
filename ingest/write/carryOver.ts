/**
 * Carries over from the base set what a new full generation does not state: a project keeps its identity, classification and evidence, and
 * loses every other value (src/docs/loading-data.md); documents, contacts and traces of removed records are copied unchanged.
 */
import type { StoredProject } from '../../src/core/domain/record/storedProject.ts';
import type { Kind } from '../../src/core/store/elastic/indices.ts';
import {
  type Found,
  findByKey,
  findUnmatchedKeys,
  READ_TOGETHER,
  readKeyPages,
  type StoredVersion,
  splitIntoSlices,
  type UniqueField,
} from '../read/versions.ts';
import type { Write } from './bulkWrite.ts';
import type { GenerationSet } from './generationSets.ts';
import type { Load } from './loadContext.ts';
import { reduceToIdentity, toStatement } from './projectContent.ts';
import { makeRecordVersion } from './projectDocument.ts';
import { createVersion, replaceRecord, toWriteContext } from './versionWrites.ts';

const STATED_PAGE = 10_000;

export async function carryOverUnstated(load: Load, base: GenerationSet): Promise<void> {
  await load.target.write(uncoveredProjects(load, base));
  if (load.base.isHeld) return;
  await load.target.write(makeUnstatedWrites(load, base, 'documents'));
  await load.target.write(makeUnstatedWrites(load, base, 'contacts'));
  await load.target.refresh();
  await load.target.write(makeRemovalWrites(load, base));
}

/** Pages of base records that the load has not written so far under any of these kinds. */
async function* readAbsentPages<T extends StoredVersion>(
  load: Load,
  base: GenerationSet,
  kind: Kind,
  kinds: Kind[],
  by: UniqueField,
): AsyncGenerator<T[]> {
  const { client, names } = load;
  const others = kinds.map((other) =>
    readKeyPages(client, { index: names.indexName(other, load.target.set), query: load.target.visible, by }),
  );
  for await (const keys of findUnmatchedKeys(client, { index: names.completeAlias(kind, base), by }, others)) {
    for (const some of splitIntoSlices(keys, READ_TOGETHER[kind])) {
      const found = await findByKey<T>(client, names.completeAlias(kind, base), some);
      yield [...found.values()].map(({ version }) => version);
    }
  }
}

async function* uncoveredProjects(load: Load, base: GenerationSet): AsyncGenerator<Write> {
  const { client, names, source } = load;
  const walk = { index: names.completeAlias('projects', base), by: 'id' } as const;
  for await (const keys of findUnmatchedKeys(client, walk, [source.stated.listProjectPages(STATED_PAGE)])) {
    const found = await findByKey<StoredProject>(client, walk.index, keys);
    for (const project of found.values()) yield* makeUncoveredWrites(load, project);
  }
}

function* makeUncoveredWrites(load: Load, found: Found<StoredProject>): Generator<Write> {
  const { version: project } = found;
  load.counts.uncovered += 1;
  load.target.figures.noteLost(project, undefined);
  // What the absorbed records state becomes evidence of an earlier generation.
  if (load.base.isHeld && project.uncovered && !project.absorbed?.some(({ now }) => now)) return;
  const statement = reduceToIdentity(toStatement(project));
  const replaced = { before: project, uncovered: true as const };
  const after = makeRecordVersion(statement, replaced, toWriteContext(load));
  yield* replaceRecord(load.target, load.base.isHeld ? found : undefined, after);
}

async function* makeUnstatedWrites(load: Load, base: GenerationSet, kind: 'documents' | 'contacts'): AsyncGenerator<Write> {
  for await (const page of readAbsentPages<StoredVersion>(load, base, kind, [kind], 'key'))
    for (const record of page) yield carryVersion(load, kind, record);
}

/** Carries over traces of removals, except those of records that exist again. */
async function* makeRemovalWrites(load: Load, base: GenerationSet): AsyncGenerator<Write> {
  for await (const page of readAbsentPages<StoredVersion>(load, base, 'removals', ['projects', 'removals'], 'id'))
    for (const record of page) yield carryVersion(load, 'removals', record);
}

const carryVersion = ({ target }: Load, kind: Kind, record: StoredVersion): Write =>
  createVersion(target, kind, { ...record, loadedIn: target.number });
