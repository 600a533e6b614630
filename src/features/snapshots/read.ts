/** Lists, polls, cancels and downloads snapshots. */
import { listJobs, makeLostReport, notReadyError, throwUnlessReady } from '../../core/billedJobs/fileViews.ts';
import { ApiError } from '../../core/domain/errors.ts';
import type { Actor } from '../../core/search/actor.ts';
import { walkUrlOf } from '../../core/search/countUrl.ts';
import type { OperationAnswer } from '../../core/search/services.ts';
import type { FileReply } from '../../http/declaration.ts';
import { contentTypeOf, fileNameOf, numberIn } from './files.ts';
import { SNAPSHOTS } from './snapshotKind.ts';
import { type SnapshotServices, warningsOf } from './submit.ts';
import { manifestView, pollUrlOf, type SnapshotView, snapshotView } from './view.ts';

type ReadServices = Pick<SnapshotServices, 'snapshots' | 'files' | 'publicUrl'>;
type Whose = Pick<Actor, 'principal'>;

/** `GET /snapshots`: the team's snapshots, newest first. */
export const listSnapshots = ({ snapshots, publicUrl }: ReadServices, actor: Whose, page: { limit?: number; offset?: number }) =>
  listJobs(snapshots, actor, page, (one) => snapshotView(one, publicUrl));

/** `GET /snapshots/{id}`. @throws ApiError `resource_not_found` */
export async function readSnapshot(services: ReadServices, actor: Whose, id: string): Promise<OperationAnswer<SnapshotView>> {
  const found = await services.snapshots.read(actor.principal, id);
  return { data: snapshotView(found, services.publicUrl), meta: { creditsUsed: 0, warnings: warningsOf(found) } };
}

/** `DELETE /snapshots/{id}`. @throws ApiError `resource_not_found` */
export async function endSnapshot(services: ReadServices, actor: Whose, id: string): Promise<OperationAnswer<SnapshotView>> {
  await services.snapshots.read(actor.principal, id);
  await services.snapshots.end(actor.principal.teamId, id);
  return readSnapshot(services, actor, id);
}

/** A snapshot that has files. @throws ApiError `resource_not_found`, and 409 when there are no files */
async function readySnapshot({ snapshots, publicUrl }: ReadServices, { principal }: Whose, id: string) {
  const found = await snapshots.read(principal, id);
  throwUnlessReady(SNAPSHOTS, found, pollUrlOf(publicUrl, id));
  const { moment } = found;
  if (!moment) throw notReadyError(SNAPSHOTS, found, pollUrlOf(publicUrl, id));
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
    lost: makeLostReport(services.snapshots, actor, id),
  };
}
