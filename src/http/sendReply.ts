/** Writes the result of a handler: JSON in the envelope, a stored file, or bytes that the client does not have yet. */

import type { Context } from 'koa';
import type { TSchema } from 'typebox';
import { CRS84 } from '../core/filter/geometry.ts';
import { FileStoreError } from '../core/store/files/fileStore.ts';
import { giveBackWhenSent } from './answerBuffers.ts';
import { clientHasContent, setEtag, setLifetime } from './caching.ts';
import type { AnswerLink, AnyReply, BareAnswer, BytesReply, FileReply, Reply, Route } from './declaration.ts';
import { serveDownload } from './download.ts';
import { type Envelope, GEOJSON, geoJsonBytes, isListOf } from './geoJson.ts';
import type { RecordFormat } from './negotiate.ts';
import { makeNextPageUrl } from './nextPage.ts';
import { recordBytes } from './recordBytes.ts';
import { SCHEMA_VERSION } from './versioning.ts';

/** How to answer the current request. */
interface Sending {
  /** root of the service */
  publicUrl: string;
  /** the format of records that the client prefers */
  form: RecordFormat;
}

/** Bytes of GeoJSON, if the client prefers that; undefined for data that has no records, such as the criteria of a list. */
function asGeoJson(
  envelope: Envelope,
  { answers }: Pick<Route, 'answers'>,
  { form }: Sending,
  links: readonly AnswerLink[],
): Buffer | undefined {
  const answer = form === 'geojson' ? answers.find(({ kind }) => kind === 'geojson') : undefined;
  if (answer?.kind !== 'geojson' || isListOf(answer.data) !== Array.isArray(envelope.data)) return undefined;
  return geoJsonBytes(envelope, links);
}

function sendEnvelope(ctx: Context, reply: Reply<unknown>, route: Route, sending: Sending): number {
  const { data, meta, links = [], status = route.answers[0]?.status ?? 200, headers } = reply;
  ctx.status = status;
  if (headers) ctx.set(headers);
  const url = `${sending.publicUrl}${ctx.path}`;
  const next = ctx.method === 'GET' ? makeNextPageUrl(url, ctx.querystring, meta) : undefined;
  if (next) ctx.append('Link', `<${next}>; rel="next"`);
  const envelope = { data, meta: { schemaVersion: SCHEMA_VERSION, requestId: ctx.state.requestId, ...meta } };
  const self = { rel: 'self', href: `${url}${ctx.search}`, type: GEOJSON };
  const found = asGeoJson(envelope, route, sending, [self, ...(next ? [{ ...self, rel: 'next', href: next }] : []), ...links]);
  const bytes = found ?? recordBytes(envelope);
  if (bytes) {
    ctx.type = found ? GEOJSON : 'json';
    giveBackWhenSent(ctx.res, bytes);
  }
  if (found) ctx.set('Content-Crs', `<${CRS84}>`);
  ctx.body = bytes ?? envelope;
  if (route.lifetime) setLifetime(ctx, data, route.lifetime);
  return status;
}

function sendBare(
  ctx: Context,
  { data, headers }: Reply<unknown>,
  { contentType, status }: BareAnswer<TSchema>,
  { lifetime, answersHead }: Route,
): number {
  ctx.status = status;
  if (headers) ctx.set(headers);
  ctx.body = JSON.stringify(data);
  ctx.type = contentType;
  if (lifetime) setLifetime(ctx, data, lifetime);
  else if (answersHead) setEtag(ctx, data);
  return status;
}

async function sendFile(ctx: Context, reply: FileReply): Promise<number> {
  const { store, file, lost, ...options } = reply;
  try {
    await serveDownload(ctx, store, file, options);
  } catch (error) {
    for (const header of ['ETag', 'Accept-Ranges']) ctx.remove(header); // these headers described the file, not the refusal
    throw error instanceof FileStoreError ? await lost(error) : error;
  }
  return ctx.status;
}

async function sendBytes(ctx: Context, { version, make }: BytesReply, route: Route): Promise<number> {
  const [answer] = route.answers;
  if (!clientHasContent(ctx, version)) {
    ctx.body = Buffer.from(await make());
    if (answer?.kind === 'file') ctx.type = answer.contentType;
  }
  if (route.lifetime) setLifetime(ctx, version, route.lifetime);
  return answer?.status ?? 200;
}

/**
 * Writes a reply.
 * @returns the declared status, even if the client gets 304
 */
export async function sendReply(ctx: Context, reply: AnyReply, route: Route, sending: Sending): Promise<number> {
  if ('file' in reply) return sendFile(ctx, reply);
  if ('make' in reply) return sendBytes(ctx, reply, route);
  ctx.state.credits = reply.meta?.creditsUsed;
  const bare = route.answers.find(({ kind }) => kind === 'bare');
  if (bare?.kind === 'bare') return sendBare(ctx, reply, bare, route);
  return sendEnvelope(ctx, reply, route, sending);
}
