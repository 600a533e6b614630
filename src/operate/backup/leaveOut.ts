/** Parts that a restore can leave out, so that a damaged part does not prevent the restore of the others. Pure. */
import { UserError } from '../../terminal/program.ts';
import losses from './losses.json' with { type: 'json' };
import type { KeptFile, Manifest, Part } from './manifest.ts';

export interface LeftOut {
  /** a table or file */
  part: string;
  /** what is lost without it */
  loses: string;
}

interface Loss {
  loses: string;
  /** tables that reference it, and are left out with it */
  with?: readonly string[];
}

/** What is lost without each table. A table that is not listed is needed to serve what customers have paid for. */
export const LOSSES: Readonly<Record<string, Loss>> = losses;

/** A table, and all tables that have to be left out with it. */
export function findDependentTables(table: string, found = new Set<string>()): Set<string> {
  if (found.has(table)) return found;
  found.add(table);
  for (const other of LOSSES[table]?.with ?? []) findDependentTables(other, found);
  return found;
}

const describeLossOfFile = ({ kind }: KeptFile): string =>
  kind === 'export'
    ? 'the file of an export: its customer is refunded at the download'
    : 'a file of a load: the index cannot be built again where it is served from it, and no generation that it holds can be rolled back to';

/** The name by which a part is left out. */
export const namePart = ({ tables }: Manifest, { file }: Part): string => tables.find(({ part }) => part.file === file)?.name ?? file;

export const canBeLeftOut = ({ tables }: Manifest, name: string): boolean => !tables.some((table) => table.name === name) || name in LOSSES;

/**
 * Leaves parts out of a manifest.
 * @param without tables, and files by their own names or those of their parts
 * @throws UserError for a part that does not exist, or that is required
 */
export function leaveOut(manifest: Manifest, without: readonly string[]): { kept: Manifest; leftOut: LeftOut[] } {
  const tables = new Set<string>();
  const files = new Set<KeptFile>();
  for (const name of without) {
    const table = manifest.tables.find((each) => each.name === name || each.part.file === name);
    const ofName = manifest.files.filter((file) => file.name === name || file.part.file === name);
    if (!table && !ofName.length)
      throw new UserError(
        `The backup ${manifest.name} has no part ${name}: --without takes a table or a file, as restore --check names it`,
      );
    if (table && !canBeLeftOut(manifest, table.name))
      throw new UserError(`${table.name} cannot be left out: nothing works without it. Nothing was changed`);
    if (table) for (const one of findDependentTables(table.name)) tables.add(one);
    for (const file of ofName) files.add(file);
  }
  return {
    kept: {
      ...manifest,
      tables: manifest.tables.filter(({ name }) => !tables.has(name)),
      files: manifest.files.filter((file) => !files.has(file)),
    },
    leftOut: [
      ...manifest.tables.flatMap(({ name }) => (tables.has(name) ? { part: name, loses: LOSSES[name]?.loses ?? '' } : [])),
      ...[...files].map((file) => ({ part: file.name, loses: describeLossOfFile(file) })),
    ],
  };
}
