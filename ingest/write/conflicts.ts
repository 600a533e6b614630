/** Refuses a load whose writes conflict: its file states a record twice, or another process changed a version. */

import { KINDS } from '../../src/core/store/elastic/indices.ts';
import { LoadRefused } from '../loadRefused.ts';
import { openLines } from '../read/openLines.ts';
import { isStatement, parseLine, type Statement } from '../read/parseLine.ts';
import { makeVersionId, recordPages, type StoredVersion } from '../read/versions.ts';
import type { GenerationStore } from './generationSets.ts';
import { keyOf } from './lineBatches.ts';
import type { Load, LoadTarget } from './loadContext.ts';

const DUPLICATES_LISTED = 20;

const keyOfVersion = (id: string) => id.slice(0, id.lastIndexOf(':'));

/**
 * Refuses a file that states a record twice, even if bad lines are skipped: there is no way to know which statement is right. Call it after
 * all lines are written.
 * @throws LoadRefused naming the lines that state one record
 */
export async function refuseDuplicates(load: Load): Promise<void> {
  const isSuspect = load.source.stated.makeRepeatedTest();
  if (!isSuspect) return;
  const first = new Map<string, number>();
  const problems: string[] = [];
  const source = await openLines(load.source.file);
  for await (const { number, text } of source.lines) {
    const parsed = text === undefined ? undefined : parseLine(text);
    if (!parsed || 'problems' in parsed || !isStatement(parsed.line)) continue;
    const key = keyOf(parsed.line);
    if (!isSuspect(parsed.line.kind, key)) continue;
    const name = `${parsed.line.kind} ${key}`;
    const before = first.get(name);
    if (before === undefined) first.set(name, number);
    else problems.push(`${load.source.file}:${number}: ${describeStatement(parsed.line)} is stated already on line ${before}`);
  }
  if (!problems.length) return;
  const more = problems.length - DUPLICATES_LISTED;
  throw new LoadRefused(`${load.source.file}: records are stated twice, nothing was loaded; keep one statement of each`, [
    ...problems.slice(0, DUPLICATES_LISTED),
    ...(more > 0 ? [`… and ${more} more`] : []),
  ]);
}

const describeStatement = (line: Statement) =>
  line.kind === 'contact' ? `contact '${line.name ?? line.email ?? ''}' of project ${line.projectId}` : `${line.kind} ${line.id}`;

/**
 * Checks that the versions which changed since this load read them were changed by this load itself, in the first attempt of a repeated request.
 * @throws LoadRefused if another process changed one, such as a killed load with a late write
 */
export async function refuseForeignChanges({ store, target }: Load, ids: readonly string[]): Promise<void> {
  const foreign = await findForeignChanges(store, target, ids);
  if (foreign.length)
    throw new LoadRefused(
      `${foreign.length} records changed while they were loaded (${foreign[0]}); nothing was loaded, run the command again`,
    );
}

/** Finds which of these versions, whose replacement was refused, are not replaced by the load with this number. */
export async function findForeignChanges(
  store: GenerationStore,
  { set, number }: Pick<LoadTarget, 'set' | 'number'>,
  ids: readonly string[],
): Promise<string[]> {
  if (!ids.length) return [];
  await store.refresh(set);
  const marked = new Set<string>();
  const query = { bool: { filter: [{ terms: { key: ids.map(keyOfVersion) } }, { term: { supersededIn: number } }] } };
  for (const kind of KINDS) {
    const index = store.names.indexName(kind, set);
    for await (const page of recordPages<StoredVersion>(store.client, { index, query, by: 'key' }))
      for (const { version } of page) marked.add(makeVersionId(version));
  }
  return ids.filter((id) => !marked.has(id));
}
