/** How what a route hands back is written: JSON in the envelope, a kept file, or bytes that are made where the client does not have them. */
import type { Context } from 'koa';
import { FileStoreError } from '../core/store/files/fileStore.ts';
import { isHeld, keepFor } from './caching.ts';
import type { AnyReply, BytesReply, FileReply, Reply, Route } from './declaration.ts';
import { serveDownload } from './download.ts';
import { nextPageUrl } from './nextPage.ts';
import { recordBytes } from './recordBytes.ts';
import { SCHEMA_VERSION } from './versioning.ts';

function sendEnvelope(
  ctx: Context,
  { data, meta, status, headers }: Reply<unknown>,
  { answers, lifetime }: Route,
  publicUrl: string,
): number {
  const sentStatus = status ?? answers[0]?.status ?? 200;
  ctx.status = sentStatus;
  if (headers) ctx.set(headers);
  const next = ctx.method === 'GET' ? nextPageUrl(`${publicUrl}${ctx.path}`, ctx.querystring, meta) : undefined;
  if (next) ctx.append('Link', `<${next}>; rel="next"`);
  const envelope = { data, meta: { schemaVersion: SCHEMA_VERSION, requestId: ctx.state.requestId, ...meta } };
  const bytes = recordBytes(envelope);
  if (bytes) ctx.type = 'json';
  ctx.body = bytes ?? envelope;
  if (lifetime) keepFor(ctx, data, lifetime);
  return sentStatus;
}

async function sendFile(ctx: Context, reply: FileReply): Promise<number> {
  const { store, file, lost, ...options } = reply;
  try {
    await serveDownload(ctx, store, file, options);
  } catch (error) {
    for (const header of ['ETag', 'Accept-Ranges']) ctx.remove(header); // of the file, not of the refusal
    throw error instanceof FileStoreError ? await lost(error) : error;
  }
  return ctx.status;
}

async function sendBytes(ctx: Context, { version, make }: BytesReply, route: Route): Promise<number> {
  const [answer] = route.answers;
  if (!isHeld(ctx, version)) {
    ctx.body = Buffer.from(await make());
    if (answer?.kind === 'file') ctx.type = answer.contentType;
  }
  if (route.lifetime) keepFor(ctx, version, route.lifetime);
  return answer?.status ?? 200;
}

/** @param publicUrl root of the service @returns the declared status that the answer has, also where the client has it already and gets 304 */
export async function sendReply(ctx: Context, reply: AnyReply, route: Route, publicUrl: string): Promise<number> {
  if ('file' in reply) return sendFile(ctx, reply);
  if ('make' in reply) return sendBytes(ctx, reply, route);
  ctx.state.credits = reply.meta?.creditsUsed;
  return sendEnvelope(ctx, reply, route, publicUrl);
}
