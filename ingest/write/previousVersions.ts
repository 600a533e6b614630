/** Reads the current versions of the records that a batch of lines states. */
import type { StoredProject } from '../../src/core/domain/record/storedProject.ts';
import type { Kind } from '../../src/core/store/elastic/indices.ts';
import type { Statement } from '../read/parseLine.ts';
import { type Found, findByKey, type StoredVersion } from '../read/versions.ts';
import { toStandaloneProject } from './absorbed.ts';
import type { StatedLine } from './lineBatches.ts';
import type { Load } from './loadContext.ts';
import type { DocumentTexts } from './quotedDocuments.ts';
import type { Trace } from './versionWrites.ts';

/** Current versions by key; a map is empty if nothing of its kind has to be replaced one by one. */
export interface PreviousVersions {
  projects: Map<string, Found<StoredProject>>;
  /** traces of the batch's records, and of the members that they unmerge */
  removals: Map<string, Found<Trace>>;
  documents: Map<string, Found<StoredVersion>>;
  contacts: Map<string, Found<StoredVersion>>;
  /** texts of the documents that the batch quotes */
  texts: DocumentTexts;
}

export async function readPreviousVersions(load: Load, batch: readonly StatedLine[]): Promise<PreviousVersions> {
  const { client, names, base } = load;
  const keys = (kind: Statement['kind']) => [...new Set(batch.filter(({ line }) => line.kind === kind).map(({ key }) => key))];
  const find = async <T extends StoredVersion>(kind: Kind, wanted: readonly string[]) =>
    base.set ? findByKey<T>(client, names.completeAlias(kind, base.set), wanted) : new Map<string, Found<T>>();
  const replaced = (kind: Kind, wanted: readonly string[]) => find<StoredVersion>(kind, base.isHeld ? wanted : []);
  const [projects, removals, documents, contacts, texts] = await Promise.all([
    find<StoredProject>('projects', keys('project')),
    find<Trace>('removals', keys('project')),
    replaced('documents', keys('document')),
    replaced('contacts', keys('contact')),
    load.source.quoted.readTexts(load, batch.flatMap(listQuotes)),
  ]);
  const members = batch.flatMap(({ line, key }) =>
    listUnmergedIds(line).length ? (projects.get(key)?.version.compact.mergedFrom ?? []) : [],
  );
  for (const [key, trace] of await find<Trace>('removals', [...new Set(members.map(String))])) removals.set(key, trace);
  return { projects, removals, documents, contacts, texts };
}

const listQuotes = ({ number, line }: StatedLine) => (line.kind === 'project' && line.evidence ? [{ number, quotes: line.evidence }] : []);

/** Ids of absorbed records that a line unmerges. */
export const listUnmergedIds = (line: Statement): readonly number[] => (line.kind === 'project' && line.unmerge) || [];

/** A record as served, or, if it is absorbed, as it was before that. */
export function findKnownRecord(
  key: string,
  { projects, removals }: Pick<PreviousVersions, 'projects' | 'removals'>,
): StoredProject | undefined {
  const absorbed = removals.get(key)?.version.absorbed;
  return projects.get(key)?.version ?? (absorbed && toStandaloneProject(absorbed));
}
