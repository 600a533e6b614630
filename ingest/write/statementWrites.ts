/** Turns the lines of a file into writes, a batch at a time: parse, check, normalise, compare with the version that is there. */
import { createHash } from 'node:crypto';
import type { ProjectStatement } from '../../src/domain/record/statement.ts';
import type { StoredProject } from '../../src/domain/record/storedProject.ts';
import type { Kind } from '../../src/store/elastic/indices.ts';
import type { LineSource } from '../read/lines.ts';
import { normaliseProject, requireStateAndUse, resolvePlace, withIdentity } from '../read/normalise.ts';
import {
  type BadLine,
  type ContactLine,
  type DocumentLine,
  type GenerationLine,
  type Parsed,
  type ProjectLine,
  parseLine,
} from '../read/parseLine.ts';
import { problemsOf, together } from '../read/problems.ts';
import type { Write } from '../sets/bulkWrite.ts';
import { toStatement } from '../sets/projectContent.ts';
import { type Found, findByKey, type StoredVersion } from '../sets/versions.ts';
import { indexedFlat } from './indexedFields.ts';
import type { Load, WriteTarget } from './loadContext.ts';
import { newVersion, searchedOf, type WriteContext } from './projectDocument.ts';
import { checkQuotes, type DocumentTexts } from './quotedDocuments.ts';
import { isRestated } from './restated.ts';

const BATCH_LINES = 500;
const BATCH_BYTES = 1024 * 1024;

type Statement = Exclude<GenerationLine, { kind: 'generation' }>;

interface Item {
  number: number;
  text: string;
  key: string;
  line: Statement;
  /** of a bad line, of which `line` is the rest */
  bad?: BadLine;
}

/** Every write that the file's lines ask for. Bad lines go to `load.rejects`; once the load is doomed nothing more is written. */
export async function* statementWrites(load: Load, source: LineSource): AsyncGenerator<Write> {
  for await (const { items, previous } of withPrevious(load, source)) {
    yield* writesOf(load, items, previous);
    const { projects, documents, contacts } = load.counts;
    load.onProgress?.({ bytesRead: source.bytesRead(), totalBytes: source.totalBytes, records: projects + documents + contacts });
  }
}

interface Batch {
  items: Item[];
  previous: Previous;
}

/** While one batch is worked on, the next is read and its previous versions are fetched. */
async function* withPrevious(load: Load, source: LineSource): AsyncGenerator<Batch> {
  let waiting: Promise<Batch> | undefined;
  for await (const items of batches(load, source)) {
    const next = previousOf(load, items).then((previous) => ({ items, previous }));
    next.catch(() => undefined); // it is awaited later; until then a failure is nobody's
    if (waiting) yield await waiting;
    waiting = next;
  }
  if (waiting) yield await waiting;
}

async function* batches(load: Load, source: LineSource): AsyncGenerator<Item[]> {
  let batch: Item[] = [];
  let bytes = 0;
  for await (const { number, text, problem } of source.lines) {
    if (text?.trim() === '') continue;
    const parsed = text === undefined ? damagedLine(problem) : parseLine(text);
    const item = itemOf(load, number, text ?? '', parsed);
    if (item) batch.push(item);
    if (item?.line.kind === 'document' && !item.bad) load.quoted.take(item.line);
    if (!item) await load.rejects.add(number, 'problems' in parsed ? parsed.problems : [SECOND_HEADER], text);
    bytes += text?.length ?? 0;
    if (batch.length < BATCH_LINES && bytes < BATCH_BYTES) continue;
    if (batch.length) yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length) yield batch;
}

const SECOND_HEADER = { fault: 'a second generation header; a file holds one', reason: 'a second generation header; a file holds one' };

const damagedLine = (problem: string): BadLine => ({ problems: [{ fault: problem, reason: problem }], unreadable: new Set() });

/** What is known of a line, also of a bad one; undefined where it states nothing that could be judged further. */
function itemOf(load: Load, number: number, text: string, parsed: Parsed): Item | undefined {
  const kind = 'line' in parsed ? parsed.line.kind : parsed.kind;
  if (kind === undefined) load.lines.unreadable += 1;
  if (kind === 'project') load.lines.projects += 1;
  if ('line' in parsed) return parsed.line.kind === 'generation' ? undefined : { number, text, key: keyOf(parsed.line), line: parsed.line };
  return parsed.rest && { number, text, key: keyOf(parsed.rest), line: parsed.rest, bad: parsed };
}

/** The versions that a batch's records have now, by key; empty for kinds and modes in which nothing has to be replaced one by one. */
interface Previous {
  projects: Map<string, Found<StoredProject>>;
  removals: Map<string, Found<StoredVersion>>;
  documents: Map<string, Found<StoredVersion>>;
  contacts: Map<string, Found<StoredVersion>>;
  /** of the documents that the batch quotes */
  texts: DocumentTexts;
}

async function previousOf(load: Load, batch: readonly Item[]): Promise<Previous> {
  const keys = (kind: Item['line']['kind']) => [...new Set(batch.filter((i) => i.line.kind === kind).map((i) => i.key))];
  const { client, names, baseSet } = load;
  const find = <T extends StoredVersion>(kind: Kind, wanted: readonly string[]) =>
    baseSet ? findByKey<T>(client, names.whole(kind, baseSet), wanted) : Promise.resolve(new Map<string, Found<T>>());
  const replaced = <T extends StoredVersion>(kind: Kind, wanted: readonly string[]) =>
    find<T>(kind, load.header.mode === 'increment' ? wanted : []);
  const [projects, removals, documents, contacts, texts] = await Promise.all([
    find<StoredProject>('projects', keys('project')),
    replaced('removals', keys('project')),
    replaced('documents', keys('document')),
    replaced('contacts', keys('contact')),
    load.quoted.textsOf(load, batch.flatMap(quotesOf)),
  ]);
  return { projects, removals, documents, contacts, texts };
}

const quotesOf = ({ number, line }: Item) => (line.kind === 'project' && line.evidence ? [{ number, quotes: line.evidence }] : []);

async function* writesOf(load: Load, items: readonly Item[], previous: Previous): AsyncGenerator<Write> {
  for (const item of items) {
    let writes: Write[] = [];
    const problems = problemsOf(() => {
      if (item.bad) judge(load, item, previous);
      else writes = [...itemWrites(load, item, previous)];
    });
    const all = [...(item.bad?.problems ?? []), ...problems];
    if (all.length) await load.rejects.add(item.number, all, item.text, item.line.kind);
    else {
      load.stated.add(item.line.kind, item.key);
      if (!load.rejects.doomed) yield* writes;
    }
  }
}

/** The canonical statement of a project line. @throws UnusableStatement with all that the catalogues, its record and its documents have against it */
function statementOf(load: Load, { line, bad, key }: Item & { line: ProjectLine }, { projects, texts }: Previous): ProjectStatement {
  return together({
    statement: () => normaliseProject(line, load.places),
    identity: () => !projects.has(key) && requireStateAndUse(line, bad?.unreadable),
    quotes: () => checkQuotes(line, texts, bad?.unreadable),
  }).statement;
}

const isProject = (item: Item): item is Item & { line: ProjectLine } => item.line.kind === 'project';

/** What is wrong with the rest of a bad line. @throws UnusableStatement */
function judge(load: Load, item: Item, previous: Previous): void {
  if (isProject(item)) statementOf(load, item, previous);
  else if (item.line.kind === 'document') resolvePlace(load.places, item.line);
}

function* itemWrites(load: Load, item: Item, previous: Previous): Generator<Write> {
  const { line, key } = item;
  if (line.kind === 'document') {
    load.quoted.refuseLate(line);
    yield* flatWrites(load, 'documents', key, documentFields(load, line), previous.documents.get(key));
  } else if (line.kind === 'contact') yield* flatWrites(load, 'contacts', key, contactFields(line), previous.contacts.get(key));
  else if (line.deleted) yield* deletionWrites(load, previous.projects.get(key));
  else if (isProject(item)) {
    yield* projectWrites(load, item.line, statementOf(load, item, previous), previous.projects.get(key));
    const removed = previous.removals.get(key);
    if (removed) yield hide(load, 'removals', removed);
  }
}

function* projectWrites(
  load: Load,
  { evidence: quotes }: ProjectLine,
  given: ProjectStatement,
  previous: Found<StoredProject> | undefined,
): Generator<Write> {
  const before = previous?.version;
  const statement = withIdentity(given, before && toStatement(before));
  const replaced = { before, opensGeneration: load.opensGeneration, quotes };
  const { version, indexed, unchanged } = newVersion(statement, replaced, writeContext(load));
  load.counts.projects += 1;
  load.counts[before === undefined ? 'added' : unchanged ? 'unchanged' : 'changed'] += 1;
  if (previous && load.keepsRestated && isRestated(version, previous.version)) return;
  load.figures?.add(version);
  yield { operation: 'create', index: load.writing('projects'), version, indexed: indexed() };
  if (previous && load.header.mode === 'increment') yield* replacement(load, previous);
}

function* replacement(load: Load, previous: Found<StoredProject>): Generator<Write> {
  load.figures?.remove(previous.version);
  yield supersede(load, previous);
}

export const writeContext = ({ number, today, stamps }: WriteTarget): WriteContext => ({
  loadedIn: number,
  today,
  stamp: () => stamps.next(),
});

/** Marks a version as replaced by this load; readers keep seeing it until the load is committed. */
export function supersede(load: WriteTarget, { version, place }: Found<StoredProject>): Write {
  const replaced = { ...version, supersededIn: load.number };
  return {
    operation: 'index',
    index: load.writing('projects'),
    version: replaced,
    indexed: searchedOf(replaced, load.today),
    replaces: place,
  };
}

/** What `removal` leaves. */
export interface Trace extends StoredVersion {
  mergedInto?: number;
  at: string;
}

interface RemovalDetails {
  mergedInto?: number | undefined;
  /** time of the removal; the load's next stamp unless given */
  at?: string;
}

/** The trace that a removed record leaves, so that a copy kept by sync can drop it. */
export function removal(load: WriteTarget, removed: StoredProject, { mergedInto, at }: RemovalDetails = {}): Write {
  const { stateId, countyId } = removed.standard;
  const version = {
    ...{ key: removed.key, loadedIn: load.number, id: removed.id },
    ...(mergedInto === undefined ? {} : { mergedInto }),
    at: at ?? load.stamps.next(),
    ...(stateId ? { stateId: String(stateId) } : {}),
    ...(countyId ? { countyId: String(countyId) } : {}),
  };
  return { operation: 'create', index: load.writing('removals'), version };
}

/** A full generation merely does not carry the record over; an increment hides its version. */
function* deletionWrites(load: Load, previous: Found<StoredProject> | undefined): Generator<Write> {
  if (!previous) return;
  load.counts.deleted += 1;
  yield removal(load, previous.version);
  if (load.header.mode === 'increment') yield* replacement(load, previous);
}

/** Hides a version of a kind that derives nothing from its content. */
export function hide(load: WriteTarget, kind: Kind, { version: found, place }: Found<StoredVersion>): Write {
  const version = { ...found, supersededIn: load.number };
  return { operation: 'index', index: load.writing(kind), version, indexed: indexedFlat(kind, version), replaces: place };
}

function* flatWrites(
  load: Load,
  kind: 'documents' | 'contacts',
  key: string,
  fields: Record<string, unknown>,
  previous: Found<StoredVersion> | undefined,
): Generator<Write> {
  const version = { key, loadedIn: load.number, ...fields };
  load.counts[kind] += 1;
  if (previous && load.keepsRestated && isRestated(version, previous.version)) return;
  yield { operation: 'create', index: load.writing(kind), version, indexed: indexedFlat(kind, version) };
  if (previous) yield hide(load, kind, previous);
}

/** A project and a document are known by their ids; a directory line has none, so a person is known by what names them. */
export function keyOf(line: Statement): string {
  if (line.kind !== 'contact') return String(line.id);
  const identity = JSON.stringify([line.projectId, line.name, line.role, line.company, line.email]);
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
