/** What a program finds that knows nothing but the host of the service. */
import assert from 'node:assert/strict';
import service from '../../../package.json' with { type: 'json' };
import { LISTED_TOOLS } from '../../../src/clients/mcp/server.ts';
import { DEMO_URL } from '../../../src/core/domain/errorTable.ts';
import { readGuides } from '../../../src/web/guides.ts';
import { send } from '../../support/http.ts';
import { provideService } from '../../support/service.ts';

const PUBLIC_URL = 'https://api.acme.example';
const CATALOG_PATH = '/.well-known/api-catalog';

interface Link {
  href: string;
  type: string;
}

describe('a program that knows nothing but the host finds', () => {
  const api = provideService({ env: { PUBLIC_URL } });

  /** Asks what stands below the public address. */
  const ask = (href: string, init: Parameters<typeof send>[2] = {}) => {
    assert(href.startsWith(`${PUBLIC_URL}/`), href);
    return send(api.url, href.slice(PUBLIC_URL.length), init);
  };

  it('the catalogue of its APIs, each of whose addresses answers', async () => {
    const { body, headers } = await send(api.url, CATALOG_PATH);
    assert.equal(headers['content-type'], 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"');
    const contexts = body.linkset as unknown as ({ anchor: string } & Record<string, Link[]>)[];
    const anchors = contexts.map(({ anchor }) => anchor.replace(PUBLIC_URL, ''));
    assert.deepEqual(anchors, ['/v1', '/mcp', '/ogc']);
    const key = await api.key();
    for (const { anchor, ...relations } of contexts) {
      assert.notEqual((await ask(anchor, { key })).status, 404, anchor);
      for (const relation of ['service-desc', 'service-doc', 'status']) assert(relations[relation]?.length, `${relation} of ${anchor}`);
      for (const { href, type } of Object.values(relations).flat()) {
        const answer = await ask(href, { headers: { Accept: type } });
        assert.deepEqual([answer.status, String(answer.headers['content-type']).split(';')[0]], [200, type], href);
      }
    }
    const head = await send(api.url, CATALOG_PATH, { method: 'HEAD' });
    assert.deepEqual([head.status, head.text, head.headers['content-type']], [200, '', headers['content-type']]);
    for (const answer of [head, await send(api.url, '/')])
      assert.equal(answer.headers.link, `<${PUBLIC_URL}${CATALOG_PATH}>; rel="api-catalog"`);
  });

  it('its MCP server as registries take one, which answers at that address under that header', async () => {
    const { body } = await send(api.url, '/server.json');
    const { $schema, name, version, description, remotes } = body;
    assert.match(String($schema), /^https:\/\/static\.modelcontextprotocol\.io\/schemas\/[\d-]+\/server\.schema\.json$/);
    assert.deepEqual([name, version], ['example.acme.api/land-use-intelligence', service.version]);
    assert(String(description).length <= 100, 'the longest that the registry takes');
    const [remote, ...others] = remotes as unknown as { type: string; url: string; headers: { name: string; value: string }[] }[];
    assert.deepEqual([remote?.type, others], ['streamable-http', []]);
    const key = await api.key();
    const filled = remote?.headers.map(({ name: header, value }) => [header, value.replace('{api_key}', key)]) ?? [];
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
    const answered = await ask(remote?.url ?? '', {
      method: 'POST',
      headers: { ...Object.fromEntries(filled), Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' },
      body: JSON.stringify(initialize),
    });
    assert.equal(answered.status, 200, answered.text);
    assert.match(answered.text, /"serverInfo"/);
    await using local = await api.another({ PUBLIC_URL: 'http://[::1]:8080', MAIL_FROM: 'no-reply@acme.example' });
    const { body: there } = await send(local.url, '/server.json');
    assert.match(String(there.name), /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/, 'also where the address has no name');
  });

  it('the same server as a card, and a skill that names its tools, for agents that have not connected', async () => {
    const { body: server } = await send(api.url, '/server.json');
    const { body: card } = await send(api.url, '/.well-known/mcp/server-card.json');
    const [remote] = card.remotes as unknown as [{ url: string; supportedProtocolVersions: string[] }];
    assert.deepEqual([card.name, card.version, remote.url], [server.name, server.version, `${PUBLIC_URL}/mcp`]);
    assert(remote.supportedProtocolVersions.includes('2025-11-25'));
    const skill = await send(api.url, '/skill.md');
    assert.match(String(skill.headers['content-type']), /^text\/markdown/);
    assert.match(skill.text, /^---\nname: land-use-intelligence\ndescription: .{50,1000}\n---\n/);
    assert(skill.text.includes(`${PUBLIC_URL}/mcp`) && !skill.text.includes('{'), 'nothing is left to fill in');
    const tools = new Set(LISTED_TOOLS.map(({ name }) => name));
    const named = [...skill.text.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, name = '']) => name);
    assert(named.length > 6);
    assert.deepEqual(
      named.filter((name) => !tools.has(name)),
      [],
    );
  });

  it('all guides for customers in one text, whose links lead to addresses of the service', async () => {
    const { text, headers } = await send(api.url, '/llms-full.txt');
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
    const customers = readGuides(PUBLIC_URL).filter(({ readers }) => readers === 'customers');
    const sources = [...text.matchAll(/^Source: (.+)$/gm)].map(([, source]) => source?.replace(`${PUBLIC_URL}/docs/guides/`, ''));
    assert.deepEqual(sources.join(), customers.map(({ name }) => `${name}.md`).join());
    for (const { title } of customers) assert(text.includes(`\n# ${title}\n`), title);
    assert(!text.includes(DEMO_URL));
    const links = [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/\]\(([^)\s]+)\)/g)].map(([, href = '']) => href);
    assert(links.length > 50, `${links.length} links`);
    for (const href of links) assert.match(href, /^(https:\/\/|#)/);
    const pages = new Set(links.filter((href) => href.startsWith(PUBLIC_URL)).map((href) => href.split('#')[0] ?? ''));
    for (const href of pages) assert.equal((await ask(href)).status, 200, href);
  });
});
