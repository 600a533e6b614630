/** Reads the public data sets that state outcomes, as records made by their adapters. */
import path from 'node:path';
import { projectId } from '../../../ingest/sources/ids.ts';
import { ADAPTERS } from '../../../ingest/sources/registry.ts';
import type { ProjectDraft } from '../../../ingest/sources/types.ts';
import { loadPlaces } from '../../../src/core/store/files/places.ts';
import { root } from '../../lib/sandbox.ts';

export const DATA_FOLDER = path.resolve(process.env.REAL_DATA ?? path.join(root, '../shared/data'));
export const SETS: readonly string[] = ['ny_council', 'nc_mecklenburg', 'va_counties'];

/** The data set that a source belongs to: the counties of Virginia share one. */
export const setOf = (source: string): string => (SETS.includes(source) ? source : 'va_counties');

/** Every record of the sets, by its number. */
export async function readStatements(folder: string, sets: readonly string[] = SETS): Promise<Map<number, ProjectDraft>> {
  const places = loadPlaces();
  const statements = new Map<number, ProjectDraft>();
  for (const adapter of ADAPTERS.filter(({ name }) => sets.includes(name)))
    for await (const item of adapter.read({ folder: path.join(folder, adapter.name), places }))
      if (item.kind === 'record') statements.set(projectId(adapter.name, item.ownId), item.project);
  return statements;
}
