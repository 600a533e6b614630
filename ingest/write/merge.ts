/**
 * Merged developments: the records that a survivor names in `mergedFrom` stop being found on their own; their evidence, hearings and
 * own members pass to the survivor, and each leaves a trace for sync.
 */
import type { estypes } from '@elastic/elasticsearch';
import type { StoredProject } from '../../src/core/domain/record/storedProject.ts';
import { type Found, findByKey, findPresentKeys, readKeyPages, recordPages, splitIntoSlices } from '../read/versions.ts';
import { toAbsorbed } from './absorbed.ts';
import type { Conflicts, Write } from './bulkWrite.ts';
import { type Claims, resolveFamilies } from './families.ts';
import type { Load } from './loadContext.ts';
import { toStatement } from './projectContent.ts';
import { makeRecordVersion } from './projectDocument.ts';
import { makeRemovalTrace, replaceRecord, type Trace, toWriteContext } from './versionWrites.ts';

/** Families fetched and written at once. */
const FAMILIES_AT_ONCE = 50;

export async function mergeFamilies(load: Load): Promise<Conflicts> {
  await load.target.refresh();
  const families = resolveFamilies(await readClaims(load));
  return load.target.write(makeFamilyWrites(load, [...families]));
}

/** Reads which members that still exist as records are named by another record. Memory grows with their number only. */
async function readClaims(load: Load): Promise<Claims> {
  const claims = new Map<number, number[]>();
  const index = load.names.indexName('projects', load.target.set);
  for await (const page of readClaimantPages(load, index)) {
    const named = page.flatMap(({ version }) => membersOf(version));
    const present = await findPresentKeys(load.client, index, [...new Set(named.map(String))], [load.target.visible]);
    for (const { version } of page) {
      const standing = membersOf(version).filter((id) => present.has(String(id)));
      if (standing.length) claims.set(version.id, standing);
    }
  }
  return claims;
}

const membersOf = (project: StoredProject) => (project.compact.mergedFrom ?? []).filter((id) => id !== project.id);

/** Families that may have a record to absorb: all in a new generation; in an increment, those that name a record which it states. */
async function* readClaimantPages(load: Load, index: string): AsyncGenerator<Found<StoredProject>[]> {
  const families: object[] = [load.target.visible, { range: { 'derived.memberCount': { gt: 1 } } }];
  const walk = (filter: object[]) =>
    recordPages<StoredProject>(load.client, { index, query: { bool: { filter } }, by: 'id', fields: ['id', 'compact.mergedFrom'] });
  if (load.source.header.mode === 'full') {
    yield* walk(families);
    return;
  }
  const stated: estypes.QueryDslQueryContainer = { term: { loadedIn: load.target.number } };
  for await (const ids of readKeyPages<number>(load.client, { index, query: stated, by: 'id' }))
    yield* walk([...families, { terms: { 'derived.memberIds': ids } }]);
}

async function* makeFamilyWrites(load: Load, families: readonly [survivor: number, absorbed: number[]][]): AsyncGenerator<Write> {
  const index = load.names.indexName('projects', load.target.set);
  for (const some of splitIntoSlices(families, FAMILIES_AT_ONCE)) {
    const ids = some.flatMap(([survivor, absorbed]) => [survivor, ...absorbed]);
    const found = await findByKey<StoredProject>(load.client, index, ids.map(String), [load.target.visible]);
    const traces = await readEarlierTraces(load, ids);
    const get = (id: number) => found.get(String(id));
    for (const [id, absorbedIds] of some) {
      const survivor = get(id);
      const absorbed = absorbedIds.flatMap((member) => get(member) ?? []);
      if (survivor) yield* mergeWrites(load, survivor, absorbed, traces);
    }
  }
}

/** Traces in the base. A member that is stated and absorbed again keeps its earlier time of removal. */
async function readEarlierTraces(load: Load, ids: readonly number[]): Promise<Map<string, Found<Trace>>> {
  if (!load.base.set) return new Map();
  return findByKey<Trace>(load.client, load.names.completeAlias('removals', load.base.set), ids.map(String));
}

function* mergeWrites(
  load: Load,
  survivor: Found<StoredProject>,
  absorbed: readonly Found<StoredProject>[],
  traces: ReadonlyMap<string, Found<Trace>>,
): Generator<Write> {
  for (const member of absorbed) {
    const { key } = member.version;
    const trace = traces.get(key)?.version;
    load.counts.merged += 1;
    yield makeRemovalTrace(load.target, member.version, {
      mergedInto: survivor.version.id,
      absorbed: toAbsorbed(load.source, member.version, trace?.mergedInto === survivor.version.id ? trace.absorbed : undefined),
      ...(trace?.mergedInto === survivor.version.id ? { at: trace.at, lastUpdated: trace.lastUpdated } : {}),
    });
    yield* replaceRecord(load.target, member, undefined);
  }
  const others = absorbed.map(({ version }) => version);
  yield* replaceRecord(load.target, survivor, makeSurvivor(load, survivor.version, others));
}

function makeSurvivor(load: Load, survivor: StoredProject, absorbed: readonly StoredProject[]) {
  const members = [survivor, ...absorbed].flatMap((project) => project.compact.mergedFrom ?? [project.id]);
  const statement = { ...toStatement(survivor), mergedFrom: [...new Set(members)].sort((a, b) => a - b) };
  const replaced = { before: survivor, members: absorbed, uncovered: survivor.uncovered, quotes: survivor.quotes };
  return makeRecordVersion(statement, replaced, toWriteContext(load));
}
