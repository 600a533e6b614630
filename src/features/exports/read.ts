/** Lists, polls and downloads exports. */
import { listJobs, makeLostReport, notReadyError, throwUnlessReady } from '../../core/billedJobs/fileViews.ts';
import { type LongCells, SPREADSHEET_CELL_MAX } from '../../core/domain/record/csv.ts';
import type { Warning } from '../../core/domain/warnings.ts';
import type { Actor } from '../../core/search/actor.ts';
import type { OperationAnswer } from '../../core/search/services.ts';
import { evidenceWarning } from '../../core/search/unconfirmedFilters.ts';
import type { FileStore } from '../../core/store/files/fileStore.ts';
import { makeSpreadsheetRewriter } from './csvFile.ts';
import { EXPORTS } from './exportKind.ts';
import type { ExportStore } from './store.ts';
import { type Export, exportView } from './view.ts';

export interface ExportServices {
  exports: ExportStore;
  files: () => Promise<FileStore>;
  publicUrl: string;
}

type Whose = Pick<Actor, 'principal'>;

/** `GET /exports`: the team's exports that the key's user may see, newest first. */
export const listExports = ({ exports, publicUrl }: ExportServices, actor: Whose, page: { limit?: number; offset?: number }) =>
  listJobs(exports, actor, page, (one) => exportView(one, publicUrl));

/** `GET /exports/{id}`. @throws ApiError `resource_not_found` */
export async function readExport(services: ExportServices, actor: Whose, id: string): Promise<OperationAnswer<Export>> {
  const found = await services.exports.read(actor.principal, id);
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

/**
 * The file of a ready export, for `GET /exports/{id}/download`.
 * @param options bom: for Excel, with a byte order mark and no cell that is too long
 * @throws ApiError `resource_not_found`, and 409 when there is no file
 */
export async function exportFile(services: ExportServices, actor: Whose, id: string, { bom }: { bom: boolean }) {
  const found = await services.exports.read(actor.principal, id);
  const pollUrl = `${services.publicUrl}/v1/exports/${id}`;
  throwUnlessReady(EXPORTS, found, pollUrl);
  const { fileName, sizeBytes, sha256, longCells } = found;
  if (fileName === null || sizeBytes === null || sha256 === null) throw notReadyError(EXPORTS, found, pollUrl);
  return {
    store: await services.files(),
    file: { name: fileName, filename: `${id}.csv`, sizeBytes, sha256 },
    bom,
    ...(bom && longCells ? { rewrite: makeSpreadsheetRewriter } : {}),
    lost: makeLostReport(services.exports, actor, id),
  };
}
