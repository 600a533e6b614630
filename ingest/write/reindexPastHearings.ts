/**
 * Writes merged developments again whose next hearing has passed since they were written, so that they are sorted by the date that they show.
 * What is served of them does not change.
 */
import type { StoredProject } from '../../src/core/domain/record/storedProject.ts';
import { hearingHasPassed } from '../../src/core/store/elastic/indices.ts';
import { recordPages } from '../read/versions.ts';
import type { Write } from './bulkWrite.ts';
import type { Load } from './loadContext.ts';
import { replaceRecord } from './versionWrites.ts';

/** Call it for increments and copies, when the file's lines are written and searchable; a set filled from scratch needs no second write. */
export async function* reindexPastHearings(load: Load): AsyncGenerator<Write> {
  const index = load.names.indexName('projects', load.target.set);
  const query = { bool: { filter: [load.target.visible, hearingHasPassed(load.today)] } };
  for await (const page of recordPages<StoredProject>(load.client, { index, query, by: 'id' })) {
    for (const found of page) yield* replaceRecord(load.target, found, { version: { ...found.version, loadedIn: load.target.number } });
  }
}
