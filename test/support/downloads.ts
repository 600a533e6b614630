/** A small service of one file, and a client that sees every byte and header of an answer, also of one that it breaks off. */
import { createHash } from 'node:crypto';
import http from 'node:http';
import type { Readable } from 'node:stream';
import Koa from 'koa';
import { answerOnLoopback, type LoopbackServer } from '../../scripts/lib/loopback.ts';
import { type FileStore, FileStoreError } from '../../src/core/store/files/fileStore.ts';
import { type Download, serveDownload } from '../../src/http/download.ts';
import { FOREVER } from './fileStores.ts';

export interface DownloadService extends LoopbackServer {
  /** what is served; may be replaced */
  file: Download;
  /** every content that the store opened */
  opened: Readable[];
}

/** Writes the bytes into the store, in pieces. */
export async function keep(store: FileStore, name: string, bytes: Buffer): Promise<Download> {
  const pieces = async function* () {
    for (let at = 0; at < bytes.length; at += 60_000) yield bytes.subarray(at, at + 60_000);
  };
  return { name, filename: 'projects.csv', ...(await store.write(name, pieces(), FOREVER)) };
}

export async function serveFile(store: FileStore, file: Download): Promise<DownloadService> {
  const opened: Readable[] = [];
  const watched: Pick<FileStore, 'read'> = {
    read: async (...request) => {
      const found = await store.read(...request);
      opened.push(found.content);
      return found;
    },
  };
  const app = new Koa();
  app.silent = true;
  app.use(async (ctx) => {
    try {
      await serveDownload(ctx, watched, service.file, { bom: ctx.query.bom === '1' });
    } catch (error) {
      if (!(error instanceof FileStoreError)) throw error;
      ctx.status = 409;
      ctx.body = error.failure;
    }
  });
  const service: DownloadService = { ...(await answerOnLoopback(app.callback())), file, opened };
  return service;
}

export interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
  /** false if the connection ended before the body did */
  complete: boolean;
}

/** GET with all bytes of the answer. @param cutAfter bytes after which the client breaks off */
export function get(url: string, headers: http.OutgoingHttpHeaders = {}, cutAfter = Number.POSITIVE_INFINITY): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      const done = () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks), complete: response.complete });
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length >= cutAfter) request.destroy();
      });
      response.once('error', done);
      response.once('close', done);
    });
    request.once('error', (error) => (cutAfter < Number.POSITIVE_INFINITY ? undefined : reject(error)));
  });
}

export const etagOf = (bytes: Buffer, suffix = ''): string => `"${createHash('sha256').update(bytes).digest('hex')}${suffix}"`;
