/**
 * Takes the place of Elasticsearch and records what the API sends: the raw side of the benchmark repeats those very requests, so that
 * the two sides cannot drift apart.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { HOST } from '../../stack/ports.ts';

/** One request, ready to be sent as often as wanted. */
export interface Request {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** @param of path and query below `/v1` */
export const apiRequest = (of: string, key: string): Request => ({
  method: 'GET',
  path: `/v1${of}`,
  headers: { authorization: `Bearer ${key}` },
  body: '',
});

const KEPT_HEADERS = ['accept', 'content-type'];

const SEARCH = /\/_m?search(\?|$)/;

const NOTHING_FOUND = {
  took: 0,
  timed_out: false,
  _shards: { total: 1, successful: 1, skipped: 0, failed: 0 },
  hits: { total: { value: 0, relation: 'eq' }, max_score: null, hits: [] },
};

/** A page of one match, though it holds none: of a search that matches nothing more would be asked. */
const EMPTY_PAGE = { ...NOTHING_FOUND, hits: { ...NOTHING_FOUND.hits, total: { value: 1, relation: 'eq' } } };

/** Finds nothing, in the form that the request expects: several searches in one are pairs of lines. What is served, the API asks as ever. */
async function answerTo({ path, body }: Request, elasticsearchUrl: string): Promise<string> {
  if (path.includes('/_alias')) return (await fetch(`${elasticsearchUrl}${path}`)).text();
  if (path.includes('/_mapping')) return '{}';
  if (!path.includes('/_msearch')) return JSON.stringify(body.includes('"size":0') ? NOTHING_FOUND : EMPTY_PAGE);
  const searches = body.trim().split('\n').length / 2;
  return JSON.stringify({ took: 0, responses: Array.from({ length: searches }, () => ({ ...NOTHING_FOUND, status: 200 })) });
}

export interface Recorder {
  url: string;
  /** the searches since the last call, oldest first */
  take(): Request[];
  close(): Promise<void>;
}

async function record(incoming: IncomingMessage): Promise<Request> {
  const kept = KEPT_HEADERS.flatMap((name) => (incoming.headers[name] === undefined ? [] : [[name, String(incoming.headers[name])]]));
  return { method: incoming.method ?? '', path: incoming.url ?? '', headers: Object.fromEntries(kept), body: await text(incoming) };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, HOST, () => resolve((server.address() as AddressInfo).port));
  });
}

/** Starts a recorder. @param elasticsearchUrl the server that it replaces */
export async function startRecorder(elasticsearchUrl: string): Promise<Recorder> {
  let recorded: Request[] = [];
  const server = createServer(async (incoming, answer) => {
    const request = await record(incoming);
    if (SEARCH.test(request.path)) recorded.push(request);
    answer
      .writeHead(200, { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' })
      .end(await answerTo(request, elasticsearchUrl));
  });
  const port = await listen(server);
  return {
    url: `http://${HOST}:${port}`,
    take: () => {
      const taken = recorded;
      recorded = [];
      return taken;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
