/** Turns the lines of a file into writes, a batch at a time: parse, check, normalise, compare with the version that is there. */
import { createHash } from 'node:crypto';
import type { ProjectStatement } from '../src/domain/project.ts';
import type { StoredProject } from '../src/domain/storedProject.ts';
import type { Kind } from '../src/store/indices.ts';
import type { LineSource } from './lines.ts';
import type { Load } from './load.ts';
import { normaliseProject, resolvePlace, UnusableStatement, withIdentity } from './normalise.ts';
import { type ContactLine, type DocumentLine, type GenerationLine, parseLine } from './parseLine.ts';
import { contentRevision, toDocument, toStatement, toStored } from './projectDocument.ts';
import { findByKey, type StoredVersion, type Write } from './versions.ts';

const BATCH_LINES = 500;
const BATCH_BYTES = 4 * 1024 * 1024;

interface Item {
  number: number;
  text: string;
  line: Exclude<GenerationLine, { kind: 'generation' }>;
}

/** Every write that the file's lines ask for. Bad lines go to `load.rejects`; once the load is doomed nothing more is written. */
export async function* statementWrites(load: Load, source: LineSource): AsyncGenerator<Write> {
  for await (const batch of batches(load, source)) {
    yield* writesOf(load, batch);
    const { projects, documents, contacts } = load.counts;
    load.onProgress?.({ bytesRead: source.bytesRead(), totalBytes: source.totalBytes, records: projects + documents + contacts });
  }
}

async function* batches(load: Load, source: LineSource): AsyncGenerator<Item[]> {
  let batch: Item[] = [];
  let bytes = 0;
  for await (const { number, text } of source.lines) {
    if (text?.trim() === '') continue;
    const parsed = parseLine(text);
    if ('problem' in parsed) await load.rejects.add(number, parsed.problem, text);
    else if (parsed.line.kind === 'generation') await load.rejects.add(number, 'a second generation header; a file holds one', text);
    else batch.push({ number, text: text as string, line: parsed.line });
    bytes += text?.length ?? 0;
    if (batch.length < BATCH_LINES && bytes < BATCH_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length) yield batch;
}

/** The versions that a batch's records have now, by key; empty for kinds and modes in which nothing has to be replaced one by one. */
interface Previous {
  projects: Map<string, StoredProject>;
  removals: Map<string, StoredVersion>;
  documents: Map<string, StoredVersion>;
  contacts: Map<string, StoredVersion>;
}

async function previousOf(load: Load, batch: readonly Item[]): Promise<Previous> {
  const keys = (kind: Item['line']['kind']) => [...new Set(batch.filter((i) => i.line.kind === kind).map((i) => keyOf(i.line)))];
  const { client, names, baseSet } = load;
  const find = <T extends StoredVersion>(kind: Kind, wanted: readonly string[]) =>
    baseSet ? findByKey<T>(client, names.whole(kind, baseSet), wanted) : Promise.resolve(new Map<string, T>());
  const increment = load.header.mode === 'increment';
  const projects = await find<StoredProject>('projects', keys('project'));
  if (!increment) return { projects, removals: new Map(), documents: new Map(), contacts: new Map() };
  const absent = keys('project').filter((key) => !projects.has(key));
  return {
    projects,
    removals: await find('removals', absent),
    documents: await find('documents', keys('document')),
    contacts: await find('contacts', keys('contact')),
  };
}

async function* writesOf(load: Load, batch: readonly Item[]): AsyncGenerator<Write> {
  const previous = await previousOf(load, batch);
  for (const item of batch) {
    try {
      const writes = [...itemWrites(load, item, previous)];
      if (!load.rejects.doomed) yield* writes;
    } catch (error) {
      if (!(error instanceof UnusableStatement)) throw error;
      await load.rejects.add(item.number, error.message, item.text);
    }
  }
}

function* itemWrites(load: Load, { line }: Item, previous: Previous): Generator<Write> {
  const key = keyOf(line);
  if (line.kind === 'document') yield* flatWrites(load, 'documents', key, documentFields(load, line), previous.documents.get(key));
  else if (line.kind === 'contact') yield* flatWrites(load, 'contacts', key, contactFields(line), previous.contacts.get(key));
  else if (line.deleted) yield* deletionWrites(load, previous.projects.get(key));
  else {
    yield* projectWrites(load, normaliseProject(line, load.places), previous.projects.get(key));
    const removed = previous.removals.get(key);
    if (removed) yield hide(load, 'removals', removed);
  }
}

function* projectWrites(load: Load, given: ProjectStatement, previous: StoredProject | undefined): Generator<Write> {
  const statement = withIdentity(given, previous && toStatement(previous));
  const same = previous !== undefined && contentRevision(statement) === previous.contentRevision;
  const increment = load.header.mode === 'increment';
  load.counts.projects += 1;
  load.counts[previous === undefined ? 'added' : same ? 'unchanged' : 'changed'] += 1;
  const lastUpdated = same ? previous.lastUpdated : load.stamps.next();
  const stored = toStored(statement, previous ? [previous] : [], { loadedIn: load.number, lastUpdated });
  const index = load.names.index('projects', load.target);
  yield { operation: 'create', index, version: stored, document: toDocument(stored, load.today) };
  if (increment && previous) yield supersede(load, previous);
}

/** Marks a version as replaced by this load; readers keep seeing it until the load is committed. */
export function supersede(load: Load, previous: StoredProject): Write {
  const replaced = { ...previous, supersededIn: load.number };
  return {
    operation: 'index',
    index: load.names.index('projects', load.target),
    version: replaced,
    document: toDocument(replaced, load.today),
  };
}

/** The trace that a removed record leaves, so that a copy kept by sync can drop it (decisions §2, §3). */
export function removal(load: Load, removed: StoredProject, mergedInto: number | null): Write {
  const version = { key: removed.key, loadedIn: load.number };
  const { stateId, countyId } = removed.standard;
  return {
    operation: 'index',
    index: load.names.index('removals', load.target),
    version,
    document: {
      ...version,
      id: removed.id,
      ...(mergedInto === null ? {} : { mergedInto }),
      at: load.stamps.next(),
      ...(stateId ? { stateId: String(stateId) } : {}),
      ...(countyId ? { countyId: String(countyId) } : {}),
    },
  };
}

/** A full generation merely does not carry the record over; an increment hides its version. */
function* deletionWrites(load: Load, previous: StoredProject | undefined): Generator<Write> {
  if (!previous) return;
  load.counts.deleted += 1;
  yield removal(load, previous, null);
  if (load.header.mode === 'increment') yield supersede(load, previous);
}

/** Hides a version of a kind that derives nothing from its content. */
const hide = (load: Load, kind: Kind, version: StoredVersion): Write => ({
  operation: 'index',
  index: load.names.index(kind, load.target),
  version,
  document: { ...version, supersededIn: load.number },
});

function* flatWrites(
  load: Load,
  kind: 'documents' | 'contacts',
  key: string,
  fields: Record<string, unknown>,
  previous: StoredVersion | undefined,
): Generator<Write> {
  const version: StoredVersion = { key, loadedIn: load.number };
  load.counts[kind] += 1;
  yield { operation: 'create', index: load.names.index(kind, load.target), version, document: { ...version, ...fields } };
  if (previous) yield hide(load, kind, previous);
}

/** A project and a document are known by their ids; a directory line has none, so a person is told apart by what names them. */
export function keyOf(line: Item['line']): string {
  if (line.kind !== 'contact') return String(line.id);
  const identity = [line.projectId, line.name, line.role, line.company, line.email].join('|');
  return createHash('sha256').update(identity).digest('hex').slice(0, 24);
}

function documentFields(load: Load, { kind: _, ...content }: DocumentLine): Record<string, unknown> {
  const place = resolvePlace(load.places, content);
  return {
    id: content.id,
    ...(place.stateId ? { stateId: String(place.stateId) } : {}),
    ...(place.countyId ? { countyId: String(place.countyId) } : {}),
    content: { ...content, state: place.state, county: place.county, city: place.city },
  };
}

const contactFields = ({ kind: _, ...content }: ContactLine): Record<string, unknown> => ({ projectId: content.projectId, content });
