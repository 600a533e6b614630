import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { makeElastic } from '../../src/core/store/elastic/client.ts';

const path = (name: string) => fileURLToPath(new URL(`../support/certificate/${name}`, import.meta.url));

describe("Elasticsearch's certificate", () => {
  const server = createServer({ key: readFileSync(path('localhost.key')), cert: readFileSync(path('localhost.crt')) }, (_, answer) =>
    answer.writeHead(200, { 'X-Elastic-Product': 'Elasticsearch' }).end(),
  );
  before(() => once(server.listen(0, '127.0.0.1'), 'listening'));
  after(() => server.close());

  async function ping(ca: string | undefined): Promise<boolean> {
    const url = `https://localhost:${(server.address() as AddressInfo).port}`;
    const client = makeElastic({ url, ca, timeoutMs: 5_000, retries: 0 });
    return client.ping().finally(() => client.close());
  }

  it('is accepted where the file of its authority is given, and refused without', async () => {
    assert.equal(await ping(path('localhost.crt')), true);
    await assert.rejects(ping(undefined), { name: 'ConnectionError', message: /self-signed certificate/ });
  });
});
