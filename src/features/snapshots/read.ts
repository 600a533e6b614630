/** Lists, polls, cancels and downloads snapshots. */
import { ApiError } from '../../core/domain/errors.ts';
import { COLLECTION_LIMIT_MAX } from '../../core/filter/controls.ts';
import type { Actor } from '../../core/search/actor.ts';
import { makeCollectionMeta } from '../../core/search/collection.ts';
import { walkUrlOf } from '../../core/search/countUrl.ts';
import type { OperationAnswer } from '../../core/search/services.ts';
import type { FileReply } from '../../http/declaration.ts';
import { contentTypeOf, fileNameOf, numberIn } from './files.ts';
import { statusOf } from './status.ts';
import { type SnapshotServices, warningsOf } from './submit.ts';
import type { StoredSnapshot } from './types.ts';
import { manifestView, pollUrlOf, type SnapshotView, snapshotUnavailable, snapshotView } from './view.ts';

type ReadServices = Pick<SnapshotServices, 'snapshots' | 'files' | 'publicUrl'>;
type Whose = Pick<Actor, 'principal'>;

/** `GET /snapshots`: the team's snapshots, newest first. */
export async function listSnapshots(
  { snapshots, publicUrl }: ReadServices,
  { principal }: Whose,
  { limit: asked = COLLECTION_LIMIT_MAX, offset = 0 }: { limit?: number; offset?: number },
): Promise<OperationAnswer<SnapshotView[]>> {
  const limit = Math.min(asked, COLLECTION_LIMIT_MAX);
  const { snapshots: listed, total } = await snapshots.list(principal.teamId, limit, offset);
  const data = listed.map((one) => snapshotView(one, publicUrl));
  return { data, meta: makeCollectionMeta({ limit: asked, offset }, data.length, total) };
}

/** `GET /snapshots/{id}`. @throws ApiError `resource_not_found` */
export async function readSnapshot(services: ReadServices, actor: Whose, id: string): Promise<OperationAnswer<SnapshotView>> {
  const found = await knownSnapshot(services, actor, id);
  return { data: snapshotView(found, services.publicUrl), meta: { creditsUsed: 0, warnings: warningsOf(found) } };
}

/** `DELETE /snapshots/{id}`. @throws ApiError `resource_not_found` */
export async function endSnapshot(services: ReadServices, actor: Whose, id: string): Promise<OperationAnswer<SnapshotView>> {
  await knownSnapshot(services, actor, id);
  await services.snapshots.end(actor.principal.teamId, id);
  return readSnapshot(services, actor, id);
}

async function knownSnapshot({ snapshots }: ReadServices, { principal }: Whose, id: string): Promise<StoredSnapshot> {
  const found = await snapshots.find(principal.teamId, id);
  if (!found) throw new ApiError('resource_not_found', `There is no snapshot '${id.slice(0, 80)}'`, { param: 'id' });
  return found;
}

/** A snapshot that has files. @throws ApiError `resource_not_found`, and 409 when there are no files */
async function readySnapshot(services: ReadServices, actor: Whose, id: string) {
  const found = await knownSnapshot(services, actor, id);
  const status = statusOf(found);
  if (status === 'expired' || status === 'cancelled')
    throw new ApiError(
      'export_expired',
      'The files of this snapshot are not kept any more (for 72 hours, until it is deleted, or until a person in it must not be shown); queue it again.',
    );
  if (status === 'failed') throw snapshotUnavailable(found);
  const { moment } = found;
  if (status !== 'ready' || !moment)
    throw new ApiError('export_not_ready', `The snapshot is ${status}; poll until its status is ready.`, {
      details: { status, pollUrl: pollUrlOf(services.publicUrl, id) },
    });
  return { found, moment };
}

/** `GET /snapshots/{id}/manifest`. @throws ApiError `resource_not_found`, and 409 when there are no files */
export async function snapshotManifest(services: ReadServices, actor: Whose, id: string) {
  const { publicUrl } = services;
  const { found, moment } = await readySnapshot(services, actor, id);
  const { filters, representation, withDerived } = found;
  const included = withDerived ? { include: 'derived' } : {};
  const syncUrl = walkUrlOf(publicUrl, { ...filters, representation, ...included, cursor: moment.cursor });
  return { data: manifestView(found, moment, await services.snapshots.files(id), { publicUrl, syncUrl }) };
}

/** `GET /snapshots/{id}/files/{name}`. @throws ApiError `resource_not_found`, and 409 when there are no files */
export async function snapshotFile(services: ReadServices, actor: Whose, id: string, name: string): Promise<FileReply> {
  const { found } = await readySnapshot(services, actor, id);
  const number = numberIn(name);
  const file = (await services.snapshots.files(id)).find((one) => one.number === number);
  if (!file || fileNameOf(found, file.number) !== name)
    throw new ApiError('resource_not_found', `The snapshot has no file '${name.slice(0, 80)}'`, { param: 'name' });
  const { storedAs, sizeBytes, sha256 } = file;
  return {
    store: await services.files(),
    file: { name: storedAs, filename: `${id}-${name}`, sizeBytes, sha256, contentType: contentTypeOf(found) },
    lost: async () => {
      await services.snapshots.markLost(actor.principal.teamId, id);
      return snapshotUnavailable(await knownSnapshot(services, actor, id));
    },
  };
}
