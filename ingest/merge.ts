/**
 * Merged developments: the records that a survivor names in `mergedFrom` stop being found on their own; their evidence, hearings and
 * own members pass to the survivor, and each leaves a trace for sync (decisions §2).
 */
import type { estypes } from '@elastic/elasticsearch';
import type { StoredProject } from '../src/domain/storedProject.ts';
import type { Load } from './load.ts';
import { contentRevision, toDocument, toStatement, toStored } from './projectDocument.ts';
import { removal, supersede } from './statementWrites.ts';
import { bulkWrite, findByKey, pages, type Write } from './versions.ts';

export async function mergeFamilies(load: Load): Promise<void> {
  const index = load.names.index('projects', load.target);
  await load.client.indices.refresh({ index });
  await bulkWrite(load.client, familyWrites(load, index));
}

const statedInLoad = (load: Load): estypes.QueryDslQueryContainer => ({
  bool: { filter: [{ term: { loadedIn: load.number } }, { range: { 'derived.memberCount': { gt: 1 } } }] },
});

async function* familyWrites(load: Load, index: string): AsyncGenerator<Write> {
  const gone = new Set<number>();
  for await (const page of pages<StoredProject>(load.client, { index, query: statedInLoad(load), by: 'id' })) {
    for (const survivor of page) {
      if (gone.has(survivor.id)) continue;
      const absorbed = await findFamily(load, index, survivor);
      if (!absorbed.length) continue;
      for (const member of absorbed) {
        gone.add(member.id);
        load.counts.merged += 1;
        yield removal(load, member, survivor.id);
        yield member.loadedIn === load.number ? { operation: 'delete', index, version: member } : supersede(load, member);
      }
      yield survivorWrite(load, index, survivor, absorbed);
    }
  }
}

/** The members that still stand on their own, and their members in turn. */
async function findFamily(load: Load, index: string, survivor: StoredProject): Promise<StoredProject[]> {
  const known = new Set([survivor.id]);
  const found: StoredProject[] = [];
  let wanted = (survivor.compact.mergedFrom ?? []).filter((id) => !known.has(id));
  while (wanted.length) {
    for (const id of wanted) known.add(id);
    const members = await findByKey<StoredProject>(load.client, index, wanted.map(String), [
      { bool: { must_not: { exists: { field: 'supersededIn' } } } },
    ]);
    found.push(...members.values());
    wanted = [...members.values()].flatMap((member) => member.compact.mergedFrom ?? []).filter((id) => !known.has(id));
  }
  return found;
}

function survivorWrite(load: Load, index: string, survivor: StoredProject, absorbed: readonly StoredProject[]): Write {
  const members = [survivor, ...absorbed].flatMap((project) => project.compact.mergedFrom ?? [project.id]);
  const statement = { ...toStatement(survivor), mergedFrom: [...new Set(members)].sort((a, b) => a - b) };
  const changed = contentRevision(statement) !== survivor.contentRevision;
  const version = { loadedIn: load.number, lastUpdated: changed ? load.stamps.next() : survivor.lastUpdated };
  const stored = toStored(statement, [survivor, ...absorbed], version);
  return { operation: 'index', index, version: stored, document: toDocument(stored, load.today) };
}
