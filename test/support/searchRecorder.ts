/** An Elasticsearch that finds nothing and remembers what it was asked: the text of each search as it was sent. */
import { text as textOf } from 'node:stream/consumers';
import type { Client } from '@elastic/elasticsearch';
import { answerOnLoopback } from '../../scripts/lib/loopback.ts';
import { makeElastic } from '../../src/core/store/elastic/client.ts';

const TIMEOUT_MS = 10_000;
const NOTHING = {
  took: 0,
  timed_out: false,
  status: 200,
  _shards: { total: 1, successful: 1, skipped: 0, failed: 0 },
  hits: { total: { value: 0, relation: 'eq' }, max_score: null, hits: [] },
};

/** A search for records counts one match, though it returns none: the service follows up on a search without matches. */
const answerTo = ({ body }: SentSearch) =>
  (body as { size?: number }).size ? { ...NOTHING, hits: { ...NOTHING.hits, total: { value: 1, relation: 'eq' } } } : NOTHING;

export interface SentSearch {
  index: string;
  body: unknown;
}

export interface SearchRecorder {
  client: Client;
  /** hands over what was sent since the last call, in its order */
  take(): SentSearch[];
  stop(): Promise<void>;
}

/** Numbers that JavaScript cannot hold stay as they were sent. */
const parseExactly = (text: string): unknown => JSON.parse(text.replaceAll(/(?<=[[,])-?\d{16,}(?=[,\]])/g, '"$&"'));

/** One search, or the pairs of lines of several. */
function searchesOf(url: URL, text: string): SentSearch[] {
  const index = decodeURIComponent(url.pathname.split('/')[1] ?? '');
  if (!url.pathname.endsWith('/_msearch'))
    return [{ index, body: { ...Object.fromEntries(url.searchParams), ...(parseExactly(text) as object) } }];
  const lines = text.trimEnd().split('\n').map(parseExactly) as { index?: string }[];
  return lines.flatMap((line, i) => (i % 2 === 0 ? [{ index: line.index ?? index, body: lines[i + 1] }] : []));
}

export async function searchRecorder(): Promise<SearchRecorder> {
  const sent: SentSearch[] = [];
  const { url, stop } = await answerOnLoopback(async (request, response) => {
    const text = await textOf(request);
    const asked = new URL(request.url ?? '/', 'http://localhost');
    const searches = searchesOf(asked, text);
    sent.push(...searches);
    const answer = asked.pathname.endsWith('/_msearch') ? { took: 0, responses: searches.map(answerTo) } : searches.map(answerTo)[0];
    response
      .setHeader('X-Elastic-Product', 'Elasticsearch')
      .setHeader('Content-Type', 'application/vnd.elasticsearch+json; compatible-with=9');
    response.end(JSON.stringify(answer));
  });
  const client = makeElastic({ url, timeoutMs: TIMEOUT_MS, retries: 0 });
  return {
    client,
    take: () => sent.splice(0),
    stop: async () => {
      await client.close();
      await stop();
    },
  };
}
