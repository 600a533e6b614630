/** OAuth for the tools: the official clients connect by it, and what an attacker would try is refused. Packets go to loopback alone. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { openBrowser } from '../../../scripts/lib/browser.ts';
import { project, TODAY } from '../../support/fixtures.ts';
import { postMcp } from '../../support/http.ts';
import type { Json } from '../../support/json.ts';
import { consent, HandClient, openRelay } from '../../support/oauth.ts';
import { AXE, bothScreens, WIDE } from '../../support/pageVisits.ts';
import { provideWorld } from '../../support/world.ts';

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const relay = await openRelay();

/** The state of an official client, whose browser a person uses to consent. */
class Memory implements OAuthClientProvider {
  readonly redirectUrl = 'http://127.0.0.1:9/callback';
  readonly clientMetadata = { client_name: 'Official', redirect_uris: [this.redirectUrl] };
  readonly #key: string;
  #client: OAuthClientInformationMixed | undefined;
  #tokens: OAuthTokens | undefined;
  #verifier = '';
  code: string | null = null;

  constructor(key: string) {
    this.#key = key;
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

describe('OAuth for the tools', () => {
  const world = provideWorld({ today: TODAY, env: { PUBLIC_URL: relay.url } }, [project(1), project(2), project(3)]);
  before(() => relay.leadTo(Number(new URL(world.api.url).port)));
  after(() => relay.close());
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
      const program = createServer((request, response) => {
        called.push(request.url ?? '');
        response.end('Done');
      });
      await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve));
      const redirectUri = `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`;
      const client = await new HandClient(relay.url, redirectUri).registered();
      const browser = await openBrowser({ draws: false });
      try {
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
        assert.deepEqual(
          (await reader.cookies()).map(({ name }) => name),
          ['_interaction'],
          'nobody stays signed in',
        );
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
      } finally {
        await browser.close();
        program.closeAllConnections();
        await new Promise((resolve) => program.close(resolve));
      }
    });
});
