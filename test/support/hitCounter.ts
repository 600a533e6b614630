/** A proxy in front of Elasticsearch that counts the matches and the returned documents of searches. */
import { gunzipSync } from 'node:zlib';
import { HttpProxy } from './httpProxy.ts';

interface Found {
  /** matches counted by searches */
  matched: number;
  /** returned documents */
  handed: number;
}

interface SearchAnswer {
  hits?: { total?: number | { value: number }; hits?: unknown[] };
  responses?: SearchAnswer[];
}

export interface HitCounter extends AsyncDisposable {
  url: string;
  /** counts since the last call */
  take(): Found;
}

export async function hitCounter(target: string): Promise<HitCounter> {
  let found: Found = { matched: 0, handed: 0 };
  const add = ({ hits, responses = [] }: SearchAnswer) => {
    const total = hits?.total ?? 0;
    found = {
      matched: found.matched + (typeof total === 'number' ? total : total.value),
      handed: found.handed + (hits?.hits?.length ?? 0),
    };
    responses.forEach(add);
  };
  const proxy = new HttpProxy(target, ({ path, status, headers, body }, response) => {
    const isCounted = /_m?search/.test(path) && status < 300;
    if (isCounted) add(JSON.parse(String(headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body)) as SearchAnswer);
    response.writeHead(status, headers).end(body);
  });
  return {
    url: await proxy.start(),
    take: () => {
      const taken = found;
      found = { matched: 0, handed: 0 };
      return taken;
    },
    [Symbol.asyncDispose]: () => proxy.stop(),
  };
}
