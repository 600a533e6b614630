/** Lists, polls and downloads exports. */
import { ApiError } from '../../core/domain/errors.ts';
import { type LongCells, SPREADSHEET_CELL_MAX } from '../../core/domain/record/csv.ts';
import type { Warning } from '../../core/domain/warnings.ts';
import { COLLECTION_LIMIT_MAX } from '../../core/filter/controls.ts';
import type { Actor } from '../../core/search/actor.ts';
import { makeCollectionMeta } from '../../core/search/collection.ts';
import type { OperationAnswer } from '../../core/search/services.ts';
import { evidenceWarning } from '../../core/search/unconfirmedFilters.ts';
import type { FileStore } from '../../core/store/files/fileStore.ts';
import { makeSpreadsheetRewriter } from './csvFile.ts';
import { statusOf } from './status.ts';
import type { ExportStore } from './store.ts';
import type { StoredExport } from './types.ts';
import { type Export, exportUnavailable, exportView } from './view.ts';

export interface ExportServices {
  exports: ExportStore;
  files: () => Promise<FileStore>;
  publicUrl: string;
}

type Whose = Pick<Actor, 'principal'>;

/** `GET /exports`: the team's exports that the key's user may see, newest first. */
export async function listExports(
  { exports, publicUrl }: ExportServices,
  { principal }: Whose,
  { limit: asked = COLLECTION_LIMIT_MAX, offset = 0 }: { limit?: number; offset?: number },
): Promise<OperationAnswer<Export[]>> {
  const limit = Math.min(asked, COLLECTION_LIMIT_MAX);
  const { exports: listed, total } = await exports.list(principal, limit, offset);
  const data = listed.map((one) => exportView(one, publicUrl));
  return { data, meta: makeCollectionMeta({ limit: asked, offset }, data.length, total) };
}

/** `GET /exports/{id}`. @throws ApiError `resource_not_found` */
export async function readExport(services: ExportServices, actor: Whose, id: string): Promise<OperationAnswer<Export>> {
  const found = await knownExport(services, actor, id);
  return {
    data: exportView(found, services.publicUrl),
    meta: { creditsUsed: 0, warnings: [...evidenceWarning(found.unconfirmed), ...longCellsWarning(found.longCells)] },
  };
}

function longCellsWarning(longCells: LongCells | null): Warning[] {
  if (!longCells) return [];
  const { fields, rows } = longCells;
  const message = `Cells of ${fields.join(', ')} in ${rows} ${rows === 1 ? 'row' : 'rows'} are longer than ${SPREADSHEET_CELL_MAX} characters, which Excel breaks; the file holds them whole, bom=1 cuts them with a mark`;
  return [{ code: 'cells_too_long', message, params: { fields, rows } }];
}

async function knownExport({ exports }: ExportServices, { principal }: Whose, id: string): Promise<StoredExport> {
  const found = await exports.find(principal, id);
  if (!found) throw new ApiError('resource_not_found', `There is no export '${id.slice(0, 80)}'`, { param: 'id' });
  return found;
}

/**
 * The file of a ready export, for `GET /exports/{id}/download`.
 * @param options bom: for Excel, with a byte order mark and no cell that is too long
 * @throws ApiError `resource_not_found`, and 409 when there is no file
 */
export async function exportFile(services: ExportServices, actor: Whose, id: string, { bom }: { bom: boolean }) {
  const found = await knownExport(services, actor, id);
  const { fileName, sizeBytes, sha256, longCells } = found;
  const status = statusOf(found);
  if (status === 'expired')
    throw new ApiError(
      'export_expired',
      'The file of this export is not kept any more (for 7 days, or until a person in it must not be shown); queue it again.',
    );
  if (status === 'failed') throw exportUnavailable(found);
  if (status !== 'ready' || fileName === null || sizeBytes === null || sha256 === null)
    throw new ApiError('export_not_ready', `The export is ${status}; poll until its status is ready.`, {
      details: { status, pollUrl: `${services.publicUrl}/v1/exports/${id}` },
    });
  return {
    store: await services.files(),
    file: { name: fileName, filename: `${id}.csv`, sizeBytes, sha256 },
    bom,
    ...(bom && longCells ? { rewrite: makeSpreadsheetRewriter } : {}),
    /** called when the file cannot be read: records this, refunds the export, and returns the error to answer */
    lost: async () => {
      await services.exports.markLost(actor.principal.teamId, id);
      return exportUnavailable(await knownExport(services, actor, id));
    },
  };
}
