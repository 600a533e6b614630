/** What got in the way of a load's writes: the file itself, which states a record twice, or somebody else. */

import { KINDS } from '../../src/store/elastic/indices.ts';
import { LoadRefused } from '../loadRefused.ts';
import { openLines } from '../read/lines.ts';
import { type GenerationHeader, type GenerationLine, parseLine } from '../read/parseLine.ts';
import type { Conflicts } from '../sets/bulkWrite.ts';
import { keyPages, pages, presentKeys, type StoredVersion, versionId } from '../sets/versions.ts';
import type { Load } from './loadContext.ts';
import { keyOf } from './statementWrites.ts';

const DUPLICATES_LISTED = 20;

/** @throws LoadRefused naming the lines that state one record; call it when all lines are written and the target is refreshed */
export async function refuseConflicts(load: Load, { created, replaced }: Conflicts): Promise<void> {
  const keys = [
    ...created.map(keyOfVersion),
    ...(await statedAndDeleted(load)),
    ...load.restated.twice,
    ...(await restatedAndWritten(load)),
  ];
  if (keys.length) await refuseDuplicates(load, new Set(keys));
  await refuseForeign(load, replaced);
}

const keyOfVersion = (id: string) => id.slice(0, id.lastIndexOf(':'));

/** Records that the file both states and deletes. */
async function statedAndDeleted(load: Load): Promise<string[]> {
  const { client, names, target } = load;
  const ours = { term: { loadedIn: load.number } };
  const both: string[] = [];
  for await (const page of keyPages<number>(client, { index: names.index('removals', target), query: ours, by: 'id' })) {
    const keys = page.map(String);
    both.push(...(await presentKeys(client, names.index('projects', target), keys, [ours])));
    both.push(...keys.filter((key) => load.restated.keys.projects.has(key)));
  }
  return both;
}

/** Records that the file states both as they are served and otherwise. */
async function restatedAndWritten({ client, names, target, number, restated }: Load): Promise<string[]> {
  const found: string[] = [];
  for (const kind of ['projects', 'documents', 'contacts'] as const)
    found.push(...(await presentKeys(client, names.index(kind, target), [...restated.keys[kind]], [{ term: { loadedIn: number } }])));
  return found;
}

/**
 * Which of two statements of one record is meant cannot be known, so that such a file is refused even where bad lines are skipped.
 * A version that "exists already" though the file states it once was written by the first attempt of a repeated request.
 * @throws LoadRefused
 */
async function refuseDuplicates(load: Load, keys: ReadonlySet<string>): Promise<void> {
  const first = new Map<string, number>();
  const problems: string[] = [];
  const source = await openLines(load.file);
  for await (const { number, text } of source.lines) {
    const parsed = text === undefined ? undefined : parseLine(text);
    if (!parsed || 'problems' in parsed || parsed.line.kind === 'generation') continue;
    const key = keyOf(parsed.line);
    if (!keys.has(key)) continue;
    const name = `${parsed.line.kind} ${key}`;
    const before = first.get(name);
    if (before === undefined) first.set(name, number);
    else problems.push(`${load.file}:${number}: ${describe(parsed.line)} is stated already on line ${before}`);
  }
  if (!problems.length) return;
  const more = problems.length - DUPLICATES_LISTED;
  throw new LoadRefused(`${load.file}: records are stated twice, nothing was loaded; keep one statement of each`, [
    ...problems.slice(0, DUPLICATES_LISTED),
    ...(more > 0 ? [`… and ${more} more`] : []),
  ]);
}

const describe = (line: Exclude<GenerationLine, GenerationHeader>) =>
  line.kind === 'contact' ? `contact '${line.name ?? line.email ?? ''}' of project ${line.projectId}` : `${line.kind} ${line.id}`;

/**
 * A version that is no longer what this load read must have been marked by the first attempt of a repeated request.
 * @throws LoadRefused when somebody else changed it, as a write of a killed load that arrives late does
 */
export async function refuseForeign(load: Load, ids: readonly string[]): Promise<void> {
  if (!ids.length) return;
  await load.store.refresh(load.target);
  const marked = new Set<string>();
  const query = { bool: { filter: [{ terms: { key: ids.map(keyOfVersion) } }, { term: { supersededIn: load.number } }] } };
  for (const kind of KINDS) {
    const index = load.names.index(kind, load.target);
    for await (const page of pages<StoredVersion>(load.client, { index, query, by: 'key' }))
      for (const { version } of page) marked.add(versionId(version));
  }
  const foreign = ids.filter((id) => !marked.has(id));
  if (foreign.length)
    throw new LoadRefused(
      `${foreign.length} records changed while they were loaded (${foreign[0]}); nothing was loaded, run the command again`,
    );
}
