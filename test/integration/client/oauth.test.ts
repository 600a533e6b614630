/** OAuth for the tools, by which the official clients connect. Packets go to loopback alone. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer as createSecureServer } from 'node:https';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { buildConnector } from 'undici';
import { openBrowser } from '../../../scripts/lib/browser.ts';
import { answerOnLoopback, listenOnLoopback } from '../../../scripts/lib/loopback.ts';
import type { Dial, GuardOptions } from '../../../src/core/outgoing/guardedConnector.ts';
import { guardOfDocuments } from '../../../src/features/oauth/routes.ts';
import { project, TODAY } from '../../support/fixtures.ts';
import { postMcp } from '../../support/http.ts';
import type { Json } from '../../support/json.ts';
import { pluck } from '../../support/lists.ts';
import { consent, HandClient, locationOf, openRelay, TestBrowser } from '../../support/oauth.ts';
import { AXE, bothScreens, WIDE } from '../../support/pageVisits.ts';
import { outputOf } from '../../support/programs.ts';
import { startConnectorsPython } from '../../support/python.ts';
import { provideWorld } from '../../support/world.ts';

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const relay = await openRelay();
const support = path.resolve(import.meta.dirname, '../../support');
const idOf = (page: string) => `https://client.example/${page}.json`;
const DOCUMENT = idOf('client');

/** The state of an official client, whose browser a person uses to consent. */
class Memory implements OAuthClientProvider {
  readonly redirectUrl = 'http://127.0.0.1:9/callback';
  readonly clientMetadata = { client_name: 'Official', redirect_uris: [this.redirectUrl] };
  readonly clientMetadataUrl?: string;
  readonly #key: string;
  #client: OAuthClientInformationMixed | undefined;
  #tokens: OAuthTokens | undefined;
  #verifier = '';
  code: string | null = null;

  /** @param document the address of its metadata, instead of a registration */
  constructor(key: string, document?: string) {
    this.#key = key;
    if (document !== undefined) this.clientMetadataUrl = document;
  }

  clientInformation = () => this.#client;
  saveClientInformation(client: OAuthClientInformationMixed) {
    this.#client = client;
  }
  tokens = () => this.#tokens;
  saveTokens(tokens: OAuthTokens) {
    this.#tokens = tokens;
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  codeVerifier = () => this.#verifier;
  async redirectToAuthorization(url: URL) {
    this.code = (await consent(url.href, { key: this.#key })).searchParams.get('code');
  }
}

/** A server of clients' documents at a public address, by the certificate of its name; connections to that address are led to it. */
async function serveDocuments() {
  const certificate = (suffix: string) => readFileSync(path.join(support, `certificate/localhost.${suffix}`));
  const server = createSecureServer({ key: certificate('key'), cert: certificate('crt') }, (request, response) => {
    const page = /^\/(\w+)\.json$/.exec(request.url ?? '')?.[1] ?? '';
    const describe = (id: string, pad = '') =>
      JSON.stringify({ client_id: id, client_name: 'Documented', redirect_uris: [new Memory('').redirectUrl], pad });
    asked.push(page);
    if (page === 'client') response.end(describe(DOCUMENT));
    else if (page === 'elsewhere') response.writeHead(302, { Location: '/moved.json' }).end();
    else if (page === 'moved') response.end(describe(idOf('elsewhere')));
    else if (page === 'large') response.end(describe(idOf(page), 'x'.repeat(5_000)));
    else if (page === 'foreign') response.end(describe(DOCUMENT));
    else if (page === 'drops') response.write(describe(idOf(page)));
  });
  const asked: string[] = [];
  const { port, stop } = await listenOnLoopback(server);
  const connect = buildConnector({ ca: certificate('crt') });
  const dial: Dial = ({ hostname, ...options }, callback) => {
    assert.deepEqual([hostname, options.servername], ['93.184.216.34', 'client.example'], 'the address that was checked');
    connect({ ...options, hostname: '127.0.0.1', port: String(port), servername: 'localhost' }, callback);
  };
  const guard: GuardOptions = { allowPrivate: false, ports: [443], resolve: async () => ['93.184.216.34'], dial };
  return { asked, guard, stop };
}
const documents = await serveDocuments();

describe('OAuth for the tools', () => {
  const world = provideWorld({ today: TODAY, env: { PUBLIC_URL: relay.url }, instead: [[guardOfDocuments, documents.guard]] }, [
    ...[project(1), project(2), project(3)],
  ]);
  before(() => relay.leadTo(Number(new URL(world.api.url).port)));
  after(() => Promise.all([relay.close(), documents.stop()]));
  const hand = () => new HandClient(relay.url).registered();
  const list = (token: string) => postMcp(relay.url, token, LIST).then(({ status }) => status);

  it('connects the official TypeScript client by what a 401 names, and refreshes its tokens', async () => {
    const memory = new Memory(await world.api.key());
    const url = new URL(`${relay.url}/mcp`);
    const transport = new StreamableHTTPClientTransport(url, { authProvider: memory });
    const client = () => new Client({ name: 'test', version: '1' });
    await assert.rejects(client().connect(transport as Transport), UnauthorizedError);
    assert(memory.code);
    await transport.finishAuth(memory.code);
    const connected = client();
    await connected.connect(new StreamableHTTPClientTransport(url, { authProvider: memory }) as Transport);
    assert.equal((await connected.listTools()).tools.length, 16);
    const first = memory.tokens()?.access_token;
    memory.saveTokens({ ...(memory.tokens() as OAuthTokens), access_token: 'x'.repeat(43) });
    const { content } = await connected.callTool({ name: 'count_projects', arguments: {} });
    assert.match(JSON.stringify(content), /matchCount/);
    assert.notEqual(memory.tokens()?.access_token, first, 'refreshed');
    await connected.close();
  });

  it('is answered as the document declares, whatever is wrong with a request', async () => {
    const { paths, components } = JSON.parse(JSON.stringify(world.api.service.openApi())) as Json;
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    for (const [name, schema] of Object.entries(components.schemas)) ajv.addSchema(schema as object, `#/components/schemas/${name}`);
    const registration = { redirect_uris: [new Memory('').redirectUrl] };
    const form = 'application/x-www-form-urlencoded';
    const requests: [method: 'get' | 'post', endpoint: string, type?: string, body?: string][] = [
      ['get', 'authorize'],
      ['get', 'token'],
      ['post', 'authorize'],
      ['post', 'token'],
      ['post', 'token', form, 'grant_type=refresh_token&client_id=nobody'],
      ['post', 'token', 'application/json', '{}'],
      ['post', 'revoke', form, 'client_id=nobody&token=x'],
      ['post', 'register', 'application/json', '{'],
      ['post', 'register', 'application/json', JSON.stringify(registration)],
    ];
    const statuses: number[] = [];
    for (const [method, endpoint, type, body] of requests) {
      const headers: Record<string, string> = type === undefined ? {} : { 'Content-Type': type };
      const answer = await fetch(`${relay.url}/oauth/${endpoint}`, { method, headers, ...(body === undefined ? {} : { body }) });
      const text = await answer.text();
      const said = `${method} ${endpoint}: ${answer.status} ${text.slice(0, 200)}`;
      const [content = ''] = (answer.headers.get('Content-Type') ?? '').split(';');
      const declared = paths['/oauth/{endpoint}'][method].responses[answer.status]?.content?.[content];
      assert(declared, `undeclared ${said}`);
      assert(ajv.validate(declared.schema, content === 'application/json' ? JSON.parse(text) : text), said);
      statuses.push(answer.status);
    }
    assert.deepEqual(statuses, [400, 404, 404, 400, 401, 400, 401, 400, 201]);
    const onward = await fetch((await hand()).authorizeUrl(), { redirect: 'manual' });
    assert(onward.headers.has('Location'));
    assert('Location' in paths['/oauth/{endpoint}'].get.responses[onward.status].headers);
  });

  it('connects the official Python client by a key that is over its rate, then by OAuth, and refreshes its tokens', async () => {
    const [key, narrow] = await Promise.all([world.api.key(), world.api.another({ RATE_LIMIT_PAID: '1' })]);
    assert.equal((await postMcp(narrow.url, key, { ...LIST, method: 'resources/list' })).status, 200);
    const servers = [{ url: `${narrow.url}/mcp`, key }, { url: `${relay.url}/mcp` }];
    const agent = await startConnectorsPython(path.join(support, 'python/connectAgent.py'), [JSON.stringify(servers)]);
    const said = outputOf(agent);
    let last = '';
    for await (const line of createInterface({ input: agent.stdout })) {
      last = line;
      if (line.startsWith('http')) agent.stdin.write(`${(await consent(line, { key })).href}\n`);
    }
    assert(last.startsWith('['), said.stderr);
    const [refused, first, second] = JSON.parse(last) as Json[];
    assert.deepEqual([refused.tools, refused.failed], [16, true]);
    assert.match(refused.text, /^rate_limit_exceeded: .+ Retry in \d+ s\.$/);
    for (const found of [first, second]) assert.deepEqual([found.tools, found.failed], [16, false], found.text);
    assert.equal(second.refreshed, true);
    await narrow.stop();
  });

  it('connects a client by the document at its id, which is bounded in size and time, and never elsewhere', async () => {
    const memory = new Memory(await world.api.key(), DOCUMENT);
    const url = new URL(`${relay.url}/mcp`);
    const transport = new StreamableHTTPClientTransport(url, { authProvider: memory });
    await assert.rejects(new Client({ name: 'test', version: '1' }).connect(transport as Transport), UnauthorizedError);
    await transport.finishAuth(memory.code ?? assert.fail());
    assert.equal(await list(memory.tokens()?.access_token ?? ''), 200);
    const client = new HandClient(relay.url);
    client.clientId = DOCUMENT;
    const browser = new TestBrowser();
    const shown = await browser.open(locationOf(await browser.open(client.authorizeUrl()), relay.url).href);
    assert.match(await shown.text(), /<strong>Documented<\/strong>, as <strong>client\.example<\/strong> describes it/);
    assert.deepEqual(documents.asked, ['client'], 'read once');
    const wrong = ['elsewhere', 'large', 'foreign', 'drops', 'silent'];
    const refusals = wrong.map(async (page) => {
      const answer = await new TestBrowser().open(client.authorizeUrl({ client_id: idOf(page) }));
      assert.deepEqual([answer.status, answer.headers.get('location')], [400, null], page);
      assert.match(await answer.text(), /<h1>Not connected<\/h1>/);
    });
    await Promise.all(refusals);
    assert.deepEqual(new Set(documents.asked.slice(1)), new Set(wrong), 'no redirect was followed');
  });

  it('lists a connection to its user and the owner, and ends it at once', async () => {
    const key = await world.api.key();
    const client = await hand();
    const { access_token: token } = await client.tokens(key, { monthlyCredits: '7' });
    assert.equal(await list(token), 200);
    const [one, ...others] = (await world.api.get('/account/connections', {}, { key })).body.data;
    assert.deepEqual(
      [one.client, one.monthlyCredits, one.creditsSpent, others],
      [{ id: client.clientId, name: 'Hand', returnsTo: 'http://127.0.0.1:9' }, 7, 0, []],
    );
    const foreign = await world.api.key();
    assert.deepEqual((await world.api.get('/account/connections', {}, { key: foreign })).body.data, []);
    const end = (by: string) => world.send('DELETE', `/account/connections/${one.id}`, undefined, by);
    assert.equal((await end(foreign)).status, 404);
    assert.deepEqual((await end(key)).body.data, { id: one.id, deleted: true });
    assert.equal(await list(token), 401);
  });

  it('spends within the bound of the month, and counts what the ledger says', async () => {
    const key = await world.api.key('api_only');
    const { access_token: token } = await (await hand()).tokens(key, { monthlyCredits: '2' });
    const use = async (name: string, args: object): Promise<Json> => {
      const answer = await postMcp(relay.url, token, { ...LIST, method: 'tools/call', params: { name, arguments: args } });
      return ((await answer.json()) as Json).result;
    };
    const accept = async (limit: number, filters: object = {}) => {
      const quote = JSON.parse((await use('search_projects', { filters, limit })).content[0].text);
      return use('accept_quote', quote.call);
    };
    const dear = await accept(3);
    assert.equal(dear.isError, true);
    assert.match(dear.content[0].text, /may spend 2 credits a month, and 2 are left until 2026-\d\d-01; this costs up to 3/);
    assert.equal((await accept(2)).isError, undefined);
    const [{ creditsSpent }] = (await world.api.get('/account/connections', {}, { key })).body.data;
    assert.equal(creditsSpent, 2);
    assert.match((await accept(3)).content[0].text, /and 0 are left/);
  });

  for (const [screen, dark] of bothScreens(WIDE))
    it(`asks on a page without scripts, and leads a real browser back, ${dark ? 'dark and narrow' : 'light and wide'}`, async () => {
      const key = await world.api.key();
      const called: string[] = [];
      await using program = await answerOnLoopback((request, response) => {
        called.push(request.url ?? '');
        response.end('Done');
      });
      const redirectUri = `${program.url}/callback`;
      const client = await new HandClient(relay.url, redirectUri).registered();
      await using browser = await openBrowser({ draws: false });
      const reader = await browser.newContext({
        viewport: screen,
        colorScheme: dark ? 'dark' : 'light',
        javaScriptEnabled: false,
        locale: 'en-US',
      });
      const page = await reader.newPage();
      await page.goto(client.authorizeUrl());
      await page.getByLabel('Your API key').fill('svc_live_wrong');
      await page.getByRole('button', { name: 'Connect' }).click();
      assert.match((await page.getByRole('alert').textContent()) ?? '', /malformed/);
      await page.getByLabel('Your API key').fill(key);
      await page.getByLabel(/^Credits that it may spend/).fill('12');
      await page.getByRole('button', { name: 'Connect' }).click();
      await page.getByText('Done').waitFor();
      assert.deepEqual(pluck(await reader.cookies(), 'name'), ['_interaction'], 'nobody stays signed in');
      const code = new URL(called[0] ?? '', redirectUri).searchParams.get('code') ?? assert.fail(called.join());
      assert.equal((await client.exchange(code)).status, 200);
      await page.goto(client.authorizeUrl());
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('Done').waitFor();
      assert.match(called.at(-1) ?? '', /error=access_denied/);

      const checked = await browser.newContext({ viewport: screen, colorScheme: dark ? 'dark' : 'light', bypassCSP: true });
      const shown = await checked.newPage();
      await shown.goto(client.authorizeUrl());
      await shown.evaluate(AXE);
      assert.deepEqual(
        await shown.evaluate(`axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`),
        [],
      );
      assert(await shown.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'no sideways scrolling');
    });
});
