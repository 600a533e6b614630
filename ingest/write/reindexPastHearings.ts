/**
 * Merged developments with a hearing that lay ahead when they were written and has come since: they are written again, so that they are
 * ordered by the date that they show. Nothing that is served of them changes.
 */
import type { StoredProject } from '../../src/core/domain/record/storedProject.ts';
import { hearingHasPassed } from '../../src/core/store/elastic/indices.ts';
import { recordPages } from '../read/versions.ts';
import type { Write } from './bulkWrite.ts';
import { toIndexedFields } from './indexedFields.ts';
import type { Load } from './loadContext.ts';
import { supersedeVersion } from './versionWrites.ts';

/** For increments and copies, after the file's lines are written and searchable; a set that is filled from scratch is written as a whole. */
export async function* reindexPastHearings(load: Load): AsyncGenerator<Write> {
  const index = load.names.index('projects', load.target.set);
  const query = { bool: { filter: [load.target.visible, hearingHasPassed(load.today)] } };
  for await (const page of recordPages<StoredProject>(load.client, { index, query, by: 'id' })) {
    for (const found of page) {
      const version = { ...found.version, loadedIn: load.target.number };
      yield {
        operation: 'create',
        index: load.target.writing('projects'),
        version,
        indexed: toIndexedFields('projects', version, load.today),
      };
      yield supersedeVersion(load.target, found);
    }
  }
}
