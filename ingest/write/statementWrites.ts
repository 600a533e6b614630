/** Turns the lines of a file into writes, a batch at a time: parse, check, normalise, compare with the version that is there. */
import { createHash } from 'node:crypto';
import type { ProjectStatement } from '../../src/core/domain/record/statement.ts';
import type { StoredProject } from '../../src/core/domain/record/storedProject.ts';
import type { Kind } from '../../src/core/store/elastic/indices.ts';
import { lineHashOf } from '../read/lineHash.ts';
import type { Line, LineSource } from '../read/lines.ts';
import { normaliseProject, requireStateAndUse, resolvePlace, withIdentity } from '../read/normalise.ts';
import {
  type BadLine,
  type ContactLine,
  type DocumentLine,
  type Parsed,
  type ProjectLine,
  parseLine,
  type Statement,
} from '../read/parseLine.ts';
import { problemsOf, together } from '../read/problems.ts';
import { type Found, findByKey, type StoredVersion } from '../read/versions.ts';
import { type Absorbed, alone, hearingsOfRest, refuseUnmerge, withoutUnmerged } from './absorbed.ts';
import type { Write } from './bulkWrite.ts';
import { indexedFlat } from './indexedFields.ts';
import { type KnownLine, knownLines } from './keptLines.ts';
import type { Load, WriteTarget } from './loadContext.ts';
import { toStatement } from './projectContent.ts';
import { newVersion, searchedOf, type WriteContext } from './projectDocument.ts';
import { checkQuotes, type DocumentTexts } from './quotedDocuments.ts';
import { isRestated } from './restated.ts';

const BATCH_LINES = 500;
const BATCH_BYTES = 1024 * 1024;

interface Item {
  number: number;
  text: string;
  /** name of the text */
  hash: string | undefined;
  key: string;
  line: Statement;
  /** of a bad line, of which `line` is the rest */
  bad?: BadLine;
}

/** Every write that the file's lines ask for. Bad lines go to `load.rejects`; once the load is doomed nothing more is written. */
export async function* statementWrites(load: Load, source: LineSource): AsyncGenerator<Write> {
  const read = ahead(linesOf(load, source), async (lines) => ({
    lines,
    known: await knownLines(
      load,
      lines.flatMap(({ hash }) => hash ?? []),
    ),
  }));
  const batches = ahead(batchesOf(load, read), async (batch) => ({ ...batch, previous: await previousOf(load, batch.items) }));
  for await (const { kept, items, previous } of batches) {
    for (const line of kept) takeKept(load, line);
    yield* writesOf(load, items, previous);
    const { projects, documents, contacts } = load.counts;
    load.onProgress?.({ bytesRead: source.bytesRead(), totalBytes: source.totalBytes, records: projects + documents + contacts });
  }
}

/** Results in the order of the items; the work on the next item goes on while a result is used. */
async function* ahead<T, R>(items: AsyncIterable<T>, work: (item: T) => Promise<R>): AsyncGenerator<R> {
  let waiting: Promise<R> | undefined;
  for await (const item of items) {
    const next = work(item);
    next.catch(() => undefined); // it is awaited later; until then a failure is nobody's
    if (waiting) yield await waiting;
    waiting = next;
  }
  if (waiting) yield await waiting;
}

/** A line, with its name where it can be read. */
type NamedLine = Line & { hash?: string };

async function* linesOf({ lineForm }: Load, source: LineSource): AsyncGenerator<NamedLine[]> {
  let lines: NamedLine[] = [];
  let bytes = 0;
  for await (const line of source.lines) {
    const { text } = line;
    if (text?.trim() === '') continue;
    lines.push(text === undefined ? line : { ...line, hash: lineHashOf(lineForm, text) });
    bytes += text?.length ?? 0;
    if (lines.length < BATCH_LINES && bytes < BATCH_BYTES) continue;
    yield lines;
    lines = [];
    bytes = 0;
  }
  if (lines.length) yield lines;
}

interface Batch {
  /** lines that state records as they are */
  kept: KnownLine[];
  items: Item[];
}

interface Read {
  lines: NamedLine[];
  known: ReadonlyMap<string, KnownLine>;
}

async function* batchesOf(load: Load, read: AsyncIterable<Read>): AsyncGenerator<Batch> {
  for await (const { lines, known } of read) {
    const batch: Batch = { kept: [], items: [] };
    for (const line of lines) await takeLine(load, line, line.hash === undefined ? undefined : known.get(line.hash), batch);
    yield batch;
  }
}

/** Puts a line where it belongs: it is kept, or read. */
async function takeLine(load: Load, line: NamedLine, known: KnownLine | undefined, { kept, items }: Batch): Promise<void> {
  const { number, text, hash } = line;
  // A document that it quotes may have another text now.
  if (known && !load.quoted.areStated(known.quotes)) {
    if (known.kind === 'project') load.lines.projects += 1;
    load.quoted.note(known.quotes, number);
    kept.push(known);
    return;
  }
  const parsed = text === undefined ? damagedLine(line.problem) : parseLine(text);
  const item = itemOf(load, { number, text: text ?? '', hash }, parsed);
  if (item) items.push(item);
  if (item?.line.kind === 'document' && !item.bad) load.quoted.take(item.line);
  if (!item) await load.rejects.add(number, 'problems' in parsed ? parsed.problems : [SECOND_HEADER], text);
}

function takeKept(load: Load, { kind, key }: KnownLine): void {
  load.stated.add(kind, key);
  load.counts[`${kind}s`] += 1;
  if (kind === 'project') load.counts.unchanged += 1;
}

const SECOND_HEADER = { fault: 'a second generation header; a file holds one', reason: 'a second generation header; a file holds one' };

const damagedLine = (problem: string): BadLine => ({ problems: [{ fault: problem, reason: problem }], unreadable: new Set() });

/** What is known of a line, also of a bad one; undefined where it states nothing that could be judged further. */
function itemOf(load: Load, given: Pick<Item, 'number' | 'text' | 'hash'>, parsed: Parsed): Item | undefined {
  const kind = 'line' in parsed ? parsed.line.kind : parsed.kind;
  if (kind === undefined) load.lines.unreadable += 1;
  if (kind === 'project') load.lines.projects += 1;
  if ('line' in parsed) return parsed.line.kind === 'generation' ? undefined : { ...given, key: keyOf(parsed.line), line: parsed.line };
  return parsed.rest && { ...given, key: keyOf(parsed.rest), line: parsed.rest, bad: parsed };
}

/** The versions that a batch's records have now, by key; empty for kinds and modes in which nothing has to be replaced one by one. */
interface Previous {
  projects: Map<string, Found<StoredProject>>;
  /** traces of its records, and of the members of those that give some back */
  removals: Map<string, Found<Trace>>;
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
  const replaced = <T extends StoredVersion>(kind: Kind, wanted: readonly string[]) => find<T>(kind, load.holdsBase ? wanted : []);
  const [projects, removals, documents, contacts, texts] = await Promise.all([
    find<StoredProject>('projects', keys('project')),
    find<Trace>('removals', keys('project')),
    replaced('documents', keys('document')),
    replaced('contacts', keys('contact')),
    load.quoted.textsOf(load, batch.flatMap(quotesOf)),
  ]);
  const members = batch.flatMap(({ line, key }) => (unmergeOf(line).length ? (projects.get(key)?.version.compact.mergedFrom ?? []) : []));
  for (const [key, trace] of await find<Trace>('removals', [...new Set(members.map(String))])) removals.set(key, trace);
  return { projects, removals, documents, contacts, texts };
}

const unmergeOf = (line: Statement): readonly number[] => (line.kind === 'project' && line.unmerge) || [];

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
function statementOf(
  load: Load,
  { line, bad, key }: Item & { line: ProjectLine },
  { projects, removals, texts }: Previous,
): ProjectStatement {
  return together({
    statement: () => normaliseProject(line, load.places),
    identity: () => !projects.has(key) && !removals.get(key)?.version.absorbed && requireStateAndUse(line, bad?.unreadable),
    unmerge: () => refuseUnmerge(line, knownAs(key, projects, removals)),
    quotes: () => checkQuotes(line, texts, bad?.unreadable),
  }).statement;
}

/** A record as it is served, or as it was when another absorbed it. */
function knownAs(key: string, projects: Previous['projects'], removals: Previous['removals']): StoredProject | undefined {
  const absorbed = removals.get(key)?.version.absorbed;
  return projects.get(key)?.version ?? (absorbed && alone(absorbed));
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
    yield* flatWrites(load, 'documents', item, documentFields(load, line), previous.documents.get(key));
  } else if (line.kind === 'contact') yield* flatWrites(load, 'contacts', item, contactFields(line), previous.contacts.get(key));
  else if (line.deleted) {
    if (previous.removals.get(key)?.version.absorbed) load.deletedMembers.add(Number(key));
    yield* deletionWrites(load, previous.projects.get(key));
  } else if (isProject(item)) {
    yield* projectWrites(load, item, statementOf(load, item, previous), previous);
    const removed = previous.removals.get(key);
    if (removed && load.holdsBase) yield hide(load, 'removals', removed);
  }
}

function* projectWrites(
  load: Load,
  { number, key, line, hash }: Item & { line: ProjectLine },
  given: ProjectStatement,
  { projects, removals }: Previous,
): Generator<Write> {
  const previous = projects.get(key);
  const before = knownAs(key, projects, removals);
  const named = unmergeOf(line);
  // What was given back before is not given back again.
  const unmerge = named.filter((id) => previous?.version.compact.mergedFrom?.includes(id));
  for (const id of unmerge) load.unmerged.set(id, number);
  const statement = withIdentity(given, before && withoutUnmerged(toStatement(before), unmerge));
  const replaced = {
    before,
    returns: !previous,
    withoutPast: !previous,
    quotes: line.evidence,
    // A line that gives records back does so once.
    lineHash: named.length ? undefined : hash,
    unmerge,
    ...(before && unmerge.length ? { absorbedHearings: hearingsOfRest(before, unmerge, removals) } : {}),
  };
  const { version, indexed, unchanged } = newVersion(statement, replaced, writeContext(load));
  load.counts.projects += 1;
  load.counts[previous === undefined ? 'added' : unchanged ? 'unchanged' : 'changed'] += 1;
  if (previous && load.keepsRestated && isRestated(version, previous.version)) return;
  load.figures?.add(version);
  yield { operation: 'create', index: load.writing('projects'), version, indexed: indexed() };
  if (previous && load.holdsBase) yield* replacement(load, previous);
}

export function* replacement(load: Load, previous: Found<StoredProject>): Generator<Write> {
  load.figures?.remove(previous.version);
  yield supersede(load, previous);
}

export const writeContext = ({ number, today, stamps, header, baseSet }: Load): WriteContext => ({
  loadedIn: number,
  today,
  stamp: () => stamps.next(),
  generation: header.generation,
  generationBefore: (baseSet ?? header).generation,
});

/** Marks a version as replaced by this load; readers keep seeing it until the load is committed. */
export function supersede(load: WriteTarget, { version, place }: Found<StoredProject>): Write {
  if (load.deletesReplaced) return { operation: 'delete', index: load.writing('projects'), version };
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
  id: number;
  mergedInto?: number;
  at: string;
  /** only of a merged record */
  absorbed?: Absorbed;
}

interface RemovalDetails {
  mergedInto?: number | undefined;
  /** time of the removal; the load's next stamp unless given */
  at?: string;
  absorbed?: Absorbed | undefined;
}

/** The trace that a removed record leaves, so that a copy kept by sync can drop it. */
export function removal(load: WriteTarget, removed: StoredProject, { mergedInto, at, absorbed }: RemovalDetails = {}): Write {
  const { stateId, countyId } = removed.standard;
  const version = {
    ...{ key: removed.key, loadedIn: load.number, id: removed.id },
    ...(mergedInto === undefined ? {} : { mergedInto }),
    at: at ?? load.stamps.next(),
    ...(stateId ? { stateId: String(stateId) } : {}),
    ...(countyId ? { countyId: String(countyId) } : {}),
    ...(absorbed ? { absorbed } : {}),
  };
  return { operation: 'create', index: load.writing('removals'), version };
}

/** A set that is filled from scratch merely does not get the record. */
function* deletionWrites(load: Load, previous: Found<StoredProject> | undefined): Generator<Write> {
  if (!previous) return;
  load.counts.deleted += 1;
  yield removal(load, previous.version);
  if (load.holdsBase) yield* replacement(load, previous);
}

/** Hides a version of a kind that derives nothing from its content. */
export function hide(load: WriteTarget, kind: Kind, { version: found, place }: Found<StoredVersion>): Write {
  if (load.deletesReplaced) return { operation: 'delete', index: load.writing(kind), version: found };
  const version = { ...found, supersededIn: load.number };
  return { operation: 'index', index: load.writing(kind), version, indexed: indexedFlat(kind, version), replaces: place };
}

function* flatWrites(
  load: Load,
  kind: 'documents' | 'contacts',
  { key, hash }: Item,
  fields: Record<string, unknown>,
  previous: Found<StoredVersion> | undefined,
): Generator<Write> {
  const version = { key, loadedIn: load.number, ...(hash === undefined ? {} : { lineHash: hash }), ...fields };
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

export function documentFields({ places }: Pick<Load, 'places'>, { kind: _, ...content }: DocumentLine): Record<string, unknown> {
  const place = resolvePlace(places, content);
  return {
    id: content.id,
    ...(place.stateId ? { stateId: String(place.stateId) } : {}),
    ...(place.countyId ? { countyId: String(place.countyId) } : {}),
    content: { ...content, state: place.state, county: place.county, city: place.city },
  };
}

export const contactFields = ({ kind: _, ...content }: ContactLine): Record<string, unknown> => ({ projectId: content.projectId, content });
