/** A forwarding proxy before Elasticsearch that counts what its searches found and handed over. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

interface Found {
  /** matches that a search counted */
  matched: number;
  /** documents that it handed over */
  handed: number;
}

interface SearchAnswer {
  hits?: { total?: number | { value: number }; hits?: unknown[] };
  responses?: SearchAnswer[];
}

export interface HitCounter {
  url: string;
  /** what was found since the last call */
  take(): Found;
  stop(): Promise<void>;
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
  const server = http.createServer(async (request, response) => {
    const body = await buffer(request);
    const { host: _, 'accept-encoding': __, ...headers } = request.headers;
    const answer = await fetch(new URL(request.url ?? '/', target), {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(body.length ? { body } : {}),
    });
    const text = await answer.text();
    if (/_m?search/.test(request.url ?? '') && answer.ok) add(JSON.parse(text) as SearchAnswer);
    for (const name of ['content-type', 'x-elastic-product']) {
      const value = answer.headers.get(name);
      if (value) response.setHeader(name, value);
    }
    response.writeHead(answer.status).end(request.method === 'HEAD' ? undefined : text);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take: () => {
      const taken = found;
      found = { matched: 0, handed: 0 };
      return taken;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
