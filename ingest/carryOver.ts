/**
 * What a new full generation does not state is carried over from the one it builds on: a project keeps identity, classification and
 * evidence and loses every other value (decisions §2); documents, contacts and traces of removed records stay as they are.
 */
import type { StoredProject } from '../src/domain/storedProject.ts';
import type { Kind } from '../src/store/indices.ts';
import type { GenerationSet } from './generations.ts';
import type { Load } from './load.ts';
import { contentRevision, identityOf, toDocument, toStatement, toStored } from './projectDocument.ts';
import { bulkWrite, findByKey, pages, type StoredVersion, type Write } from './versions.ts';

export async function carryOver(load: Load, base: GenerationSet): Promise<void> {
  const { client, names, target } = load;
  await client.indices.refresh({
    index: [
      names.index('projects', target),
      names.index('documents', target),
      names.index('contacts', target),
      names.index('removals', target),
    ],
  });
  await bulkWrite(client, uncoveredProjects(load, base));
  await bulkWrite(client, unstated(load, base, 'documents'));
  await bulkWrite(client, unstated(load, base, 'contacts'));
  await client.indices.refresh({ index: names.index('projects', target) });
  await bulkWrite(client, oldRemovals(load, base));
}

async function* uncoveredProjects(load: Load, base: GenerationSet): AsyncGenerator<Write> {
  const { client, names, target } = load;
  const index = names.index('projects', target);
  for await (const page of pages<StoredProject>(client, { index: names.whole('projects', base), by: 'id' })) {
    const keys = page.map((project) => project.key);
    const stated = await presentKeys(load, 'projects', keys);
    const deleted = await presentKeys(load, 'removals', keys);
    for (const project of page) {
      if (stated.has(project.key) || deleted.has(project.key)) continue;
      yield { operation: 'create', index, ...uncovered(load, project) };
    }
  }
}

function uncovered(load: Load, project: StoredProject): Pick<Write, 'version' | 'document'> {
  const statement = identityOf(toStatement(project));
  const same = contentRevision(statement) === project.contentRevision;
  const lastUpdated = same ? project.lastUpdated : load.stamps.next();
  const stored = toStored(statement, [project], { loadedIn: load.number, lastUpdated });
  load.counts.uncovered += 1;
  return { version: stored, document: toDocument(stored, load.today) };
}

async function* unstated(load: Load, base: GenerationSet, kind: Kind): AsyncGenerator<Write> {
  const { client, names, target } = load;
  for await (const page of pages<StoredVersion>(client, { index: names.whole(kind, base), by: 'key' })) {
    const stated = await presentKeys(
      load,
      kind,
      page.map((record) => record.key),
    );
    for (const record of page) {
      if (stated.has(record.key)) continue;
      const version = { ...record, loadedIn: load.number };
      yield { operation: 'create', index: names.index(kind, target), version, document: version };
    }
  }
}

/** The trace of a removal goes once the record is back. */
async function* oldRemovals(load: Load, base: GenerationSet): AsyncGenerator<Write> {
  const { client, names, target } = load;
  for await (const page of pages<StoredVersion>(client, { index: names.whole('removals', base), by: 'key' })) {
    const keys = page.map((record) => record.key);
    const back = await presentKeys(load, 'projects', keys);
    const again = await presentKeys(load, 'removals', keys);
    for (const record of page) {
      if (back.has(record.key) || again.has(record.key)) continue;
      const version = { ...record, loadedIn: load.number };
      yield { operation: 'create', index: names.index('removals', target), version, document: version };
    }
  }
}

async function presentKeys(load: Load, kind: Kind, keys: readonly string[]): Promise<Set<string>> {
  const found = await findByKey<StoredVersion>(load.client, load.names.index(kind, load.target), keys);
  return new Set(found.keys());
}
