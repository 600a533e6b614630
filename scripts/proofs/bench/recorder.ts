/**
 * Takes the place of Elasticsearch and records what the API sends: the raw side of the benchmark repeats those very requests, so that
 * the two sides cannot drift apart.
 */
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { UserError } from '../../../src/terminal/program.ts';
import { answerOnLoopback } from '../../lib/loopback.ts';
import { ApiProcess } from '../../lib/programs.ts';
import type { SandboxEnvironment } from '../../lib/sandbox.ts';
import { makeTarget, type Request, sendAndRead } from './loadGenerator.ts';

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

async function read(incoming: IncomingMessage): Promise<Request> {
  const kept = KEPT_HEADERS.flatMap((name) => (incoming.headers[name] === undefined ? [] : [[name, String(incoming.headers[name])]]));
  return { method: incoming.method ?? '', path: incoming.url ?? '', headers: Object.fromEntries(kept), body: await text(incoming) };
}

/**
 * The searches that the API sends for some requests, one each.
 * @param elasticsearchUrl the server that is replaced @param env of an API that takes this address for Elasticsearch
 */
export async function recordSearches(
  requests: readonly (readonly Request[])[],
  { elasticsearchUrl, env, signal }: { elasticsearchUrl: string; env: (url: string) => SandboxEnvironment; signal: AbortSignal },
): Promise<Request[][]> {
  let searches: Request[] = [];
  await using server = await answerOnLoopback(async (incoming, answer) => {
    const request = await read(incoming);
    if (SEARCH.test(request.path)) searches.push(request);
    answer
      .writeHead(200, { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' })
      .end(await answerTo(request, elasticsearchUrl));
  });
  await using api = await ApiProcess.start(env(server.url), signal);
  const target = makeTarget(api.url, [], 1);
  const searchesFor = async (request: Request) => {
    searches = [];
    await sendAndRead(target, request);
    return searches;
  };
  const recorded: Request[][] = [];
  for (const some of requests) {
    const raw: Request[] = [];
    for (const request of some) {
      const first = await searchesFor(request);
      // Sent once more if the API also looked up data that it caches for some seconds.
      const [sent, ...others] = first.length > 1 ? await searchesFor(request) : first;
      if (!sent || others.length) throw new UserError(`${request.path} became ${first.length} searches, not one.`);
      raw.push(sent);
    }
    recorded.push(raw);
  }
  target.agent.destroy();
  return recorded;
}
