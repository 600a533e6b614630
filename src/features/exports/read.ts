/** Lists, polls and downloads exports. */
import { ApiError } from '../../core/domain/errors.ts';
import { COLLECTION_LIMIT_MAX } from '../../core/filter/controls.ts';
import type { Actor } from '../../core/search/actor.ts';
import { makeCollectionMeta } from '../../core/search/collection.ts';
import { evidenceWarning } from '../../core/search/evidence.ts';
import type { OperationAnswer } from '../../core/search/services.ts';
import type { FileStore } from '../../core/store/files/fileStore.ts';
import type { ExportStore } from './store.ts';
import { type StoredExport, statusOf } from './types.ts';
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
  return { data: exportView(found, services.publicUrl), meta: { creditsUsed: 0, warnings: evidenceWarning(found.unconfirmed) } };
}

async function knownExport({ exports }: ExportServices, { principal }: Whose, id: string): Promise<StoredExport> {
  const found = await exports.find(principal, id);
  if (!found) throw new ApiError('resource_not_found', `There is no export '${id.slice(0, 80)}'`, { param: 'id' });
  return found;
}

/**
 * The file of a ready export, for `GET /exports/{id}/download`.
 * @throws ApiError `resource_not_found`, and 409 when there is no file
 */
export async function exportFile(services: ExportServices, actor: Whose, id: string) {
  const found = await knownExport(services, actor, id);
  const { fileName, sizeBytes, sha256 } = found;
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
    /** called when the file cannot be read: records this, refunds the export, and returns the error to answer */
    lost: async () => {
      await services.exports.markLost(actor.principal.teamId, id);
      return exportUnavailable(await knownExport(services, actor, id));
    },
  };
}
