/** The versions that the records of a batch of lines have now. */
import type { StoredProject } from '../../src/core/domain/record/storedProject.ts';
import type { Kind } from '../../src/core/store/elastic/indices.ts';
import type { Statement } from '../read/parseLine.ts';
import { type Found, findByKey, type StoredVersion } from '../read/versions.ts';
import { standaloneProject } from './absorbed.ts';
import type { StatedLine } from './lineBatches.ts';
import type { Load } from './loadContext.ts';
import type { DocumentTexts } from './quotedDocuments.ts';
import type { Trace } from './versionWrites.ts';

/** By key; empty for kinds and modes in which nothing has to be replaced one by one. */
export interface PreviousVersions {
  projects: Map<string, Found<StoredProject>>;
  /** traces of its records, and of the members of those that give some back */
  removals: Map<string, Found<Trace>>;
  documents: Map<string, Found<StoredVersion>>;
  contacts: Map<string, Found<StoredVersion>>;
  /** of the documents that the batch quotes */
  texts: DocumentTexts;
}

export async function readPreviousVersions(load: Load, batch: readonly StatedLine[]): Promise<PreviousVersions> {
  const { client, names, base } = load;
  const keys = (kind: Statement['kind']) => [...new Set(batch.filter(({ line }) => line.kind === kind).map(({ key }) => key))];
  const find = async <T extends StoredVersion>(kind: Kind, wanted: readonly string[]) =>
    base.set ? findByKey<T>(client, names.whole(kind, base.set), wanted) : new Map<string, Found<T>>();
  const replaced = (kind: Kind, wanted: readonly string[]) => find<StoredVersion>(kind, base.isHeld ? wanted : []);
  const [projects, removals, documents, contacts, texts] = await Promise.all([
    find<StoredProject>('projects', keys('project')),
    find<Trace>('removals', keys('project')),
    replaced('documents', keys('document')),
    replaced('contacts', keys('contact')),
    load.source.quoted.textsOf(load, batch.flatMap(quotesOf)),
  ]);
  const members = batch.flatMap(({ line, key }) => (unmergedIds(line).length ? (projects.get(key)?.version.compact.mergedFrom ?? []) : []));
  for (const [key, trace] of await find<Trace>('removals', [...new Set(members.map(String))])) removals.set(key, trace);
  return { projects, removals, documents, contacts, texts };
}

const quotesOf = ({ number, line }: StatedLine) => (line.kind === 'project' && line.evidence ? [{ number, quotes: line.evidence }] : []);

/** Ids of absorbed records that a line gives back. */
export const unmergedIds = (line: Statement): readonly number[] => (line.kind === 'project' && line.unmerge) || [];

/** A record as it is served, or as it was when another absorbed it. */
export function knownRecord(
  key: string,
  { projects, removals }: Pick<PreviousVersions, 'projects' | 'removals'>,
): StoredProject | undefined {
  const absorbed = removals.get(key)?.version.absorbed;
  return projects.get(key)?.version ?? (absorbed && standaloneProject(absorbed));
}
