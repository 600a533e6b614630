/** What an attacker would try on OAuth. Packets go to loopback alone. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { startReceiver } from '../../../scripts/lib/webhookReceiver.ts';
import { postMcp, send } from '../../support/http.ts';
import { eventually } from '../../support/jobs.ts';
import type { Json } from '../../support/json.ts';
import { consent, HandClient, locationOf, openRelay, TestBrowser } from '../../support/oauth.ts';
import { provideWorld } from '../../support/world.ts';

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const relay = await openRelay();
/** A process that counts by the address that a proxy names, and one that no other test uses. */
const [FROM_ANYWHERE, ELSEWHERE] = [{ PUBLIC_URL: 'http://127.0.0.1:1', TRUST_PROXY: 'true' }, { 'X-Forwarded-For': '192.0.2.77' }];
const LATER_MS = 700; // another process may accept a credential half a second longer

describe('OAuth refuses', () => {
  const world = provideWorld({ env: { PUBLIC_URL: relay.url } }, []);
  before(() => relay.leadTo(Number(new URL(world.api.url).port)));
  after(() => relay.close());

  const hand = (redirectUri?: string) => new HandClient(relay.url, redirectUri).registered();
  const list = (token: string) => postMcp(relay.url, token, LIST).then(({ status }) => status);
  const errorOf = async (answer: Response): Promise<[number, string]> => [answer.status, ((await answer.json()) as Json).error];
  const count = async (table: string) =>
    (await world.api.database.query<{ n: number }>(`select count(*)::integer as n from ${table}`))[0]?.n;
  const connectionsOf = async (key: string): Promise<Json[]> => (await world.api.get('/account/connections', {}, { key })).body.data;
  /** the error with which a client is called back */
  const refusedBack = async (url: string) => {
    const { search, hash } = locationOf(await new TestBrowser().open(url), url);
    return new URLSearchParams(search || hash.slice(1)).get('error');
  };
  /** a page that says why, and leads nowhere */
  const isRefusedHere = async (url: string) => {
    const answer = await new TestBrowser().open(url);
    assert.equal(answer.headers.get('location'), null, url);
    assert.match(await answer.text(), /<h1>Not connected<\/h1>/);
    assert.match(answer.headers.get('content-security-policy') ?? '', /form-action 'none'/);
    return answer.status;
  };

  it('addresses to return to that the client did not register: no open redirect, no mix-up', async () => {
    const client = await hand('https://client.example/callback');
    for (const redirect_uri of [
      ...[
        'https://evil.example/callback',
        'https://client.example/callback/',
        'https://client.example/callback?x=1',
        'http://client.example/callback',
      ],
      ...['https://client.example@evil.example/callback', 'https://client.example/callback#x', 'javascript:alert(1)', '//evil.example'],
    ])
      assert.equal(await isRefusedHere(client.authorizeUrl({ redirect_uri })), 400, redirect_uri);
    assert.equal(await isRefusedHere(client.authorizeUrl({ client_id: `${client.clientId.slice(0, -1)}_` })), 400);
    for (const uri of [
      'javascript:alert(1)',
      'data:text/html,x',
      'http://evil.example/',
      'https://localhost/',
      'no address',
      'https://x.example/#y',
    ])
      assert.deepEqual(await errorOf(await client.register({ redirect_uris: [uri] })), [400, 'invalid_client_metadata'], uri);
    const key = await world.api.key();
    const back = await consent(client.authorizeUrl(), { key });
    assert.deepEqual(
      [back.origin, back.searchParams.get('iss'), back.searchParams.get('state')],
      ['https://client.example', relay.url, 'a state'],
    );
    const code = back.searchParams.get('code') ?? '';
    const other = await hand('https://client.example/callback');
    assert.deepEqual(await errorOf(await client.exchange(code, { redirect_uri: 'https://evil.example/' })), [400, 'invalid_grant']);
    const asOther = { client_id: (await hand('https://other.example/')).clientId };
    assert.deepEqual(await errorOf(await client.exchange(code, asOther)), [400, 'invalid_grant']);
    assert.equal(other.clientId, client.clientId, 'the same metadata has the same id');
    assert.equal((await client.exchange(code)).status, 200, 'none of it used the code up');
  });

  it('hosts that a request names: the way back is ours', async () => {
    const client = await hand();
    const url = new URL(client.authorizeUrl());
    const asked = await send(relay.url, url.pathname + url.search, { headers: { Host: 'evil.example', Accept: 'text/html' } });
    assert.equal(asked.status, 303);
    const page = String(asked.headers.location);
    assert.match(page, /^\/oauth\/consent\//);
    const cookies = (asked.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
    const form = {
      method: 'POST',
      body: 'answer=cancel',
      headers: { Host: 'evil.example', Cookie: cookies, 'Content-Type': 'application/x-www-form-urlencoded' },
    };
    const sent = await send(relay.url, page, form);
    assert.match(String(sent.headers.location), /^\/oauth\/authorize\//, sent.text);
  });

  it('a code that is used twice, and ends what the first use got', async () => {
    const client = await hand();
    const key = await world.api.key();
    const code = await client.code(key);
    const { access_token: token, refresh_token: refresh } = (await (await client.exchange(code)).json()) as Json;
    assert.equal(await list(token), 200);
    assert.deepEqual(await errorOf(await client.exchange(code)), [400, 'invalid_grant']);
    await sleep(LATER_MS);
    assert.equal(await list(token), 401);
    assert.deepEqual(await errorOf(await client.refresh(refresh)), [400, 'invalid_grant']);
    const raced = await client.code(key);
    const answers = await Promise.all(Array.from({ length: 8 }, () => client.exchange(raced)));
    assert(answers.filter(({ status }) => status === 200).length <= 1, 'one at most');
    assert.deepEqual(new Set(answers.map(({ status }) => status).filter((status) => status !== 200)), new Set([400]));
    assert.deepEqual(await connectionsOf(key), [], 'all of it ended');
  });

  it('codes without PKCE, and what is weaker than S256', async () => {
    const client = await hand();
    const none = { code_challenge: undefined, code_challenge_method: undefined };
    assert.equal(await refusedBack(client.authorizeUrl(none)), 'invalid_request');
    assert.equal(
      await refusedBack(client.authorizeUrl({ code_challenge: client.verifier, code_challenge_method: 'plain' })),
      'invalid_request',
    );
    assert.equal(
      await refusedBack(client.authorizeUrl({ code_challenge: client.verifier, code_challenge_method: undefined })),
      'invalid_request',
    );
    const code = await client.code(await world.api.key());
    assert.deepEqual(await errorOf(await client.exchange(code, { code_verifier: 'y'.repeat(43) })), [400, 'invalid_grant']);
    const { redirectUri: redirect_uri } = client;
    assert.deepEqual(await errorOf(await client.token({ grant_type: 'authorization_code', code, redirect_uri })), [400, 'invalid_grant']);
    for (const response_type of ['token', 'id_token', 'code id_token', 'none'])
      assert.match(
        (await refusedBack(client.authorizeUrl({ response_type }))) ?? '',
        /^(unsupported_response_type|invalid_request)$/,
        response_type,
      );
    assert.equal((await new TestBrowser().open(client.authorizeUrl({ response_mode: 'form_post' }))).status, 400);
    for (const grant_type of ['password', 'client_credentials', 'implicit', 'urn:ietf:params:oauth:grant-type:device_code'])
      assert.deepEqual(await errorOf(await client.token({ grant_type })), [400, 'unsupported_grant_type'], grant_type);
  });

  it('a refresh token that is used twice, and ends the connection', async () => {
    const client = await hand();
    const key = await world.api.key();
    const first = await client.tokens(key);
    const second = (await (await client.refresh(first.refresh_token)).json()) as Json;
    assert.equal(await list(second.access_token), 200);
    assert.deepEqual(await errorOf(await client.refresh(first.refresh_token)), [400, 'invalid_grant']);
    assert.deepEqual(await errorOf(await client.refresh(second.refresh_token)), [400, 'invalid_grant']);
    await sleep(LATER_MS);
    assert.equal(await list(second.access_token), 401);
    assert.deepEqual(await connectionsOf(key), []);
    const { refresh_token: raced } = await client.tokens(key);
    const answers = await Promise.all(Array.from({ length: 8 }, () => client.refresh(raced)));
    assert(answers.filter(({ status }) => status === 200).length <= 1);
    assert.deepEqual(await connectionsOf(key), []);
    const other = await hand('https://other.example/');
    const { refresh_token: stolen } = await client.tokens(key);
    assert.deepEqual(await errorOf(await other.refresh(stolen)), [400, 'invalid_grant'], 'another client');
  });

  it('floods of registrations: none is stored, and each is small', async () => {
    const client = await hand();
    const before = await Promise.all(['oauth_item', 'oauth_connection'].map(count));
    const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => client.register({ client_name: `Flood ${i}` })));
    assert(answers.every(({ status }) => status === 201));
    assert.deepEqual(await Promise.all(['oauth_item', 'oauth_connection'].map(count)), before);
    for (const metadata of [
      { redirect_uris: Array.from({ length: 100 }, (_, i) => `https://x.example/${i}`) },
      ...[
        { client_name: 'x', redirect_uris: 'https://x.example' },
        { redirect_uris: [] },
        { redirect_uris: [5] },
        { redirect_uris: undefined },
      ],
      { pad: 'x'.repeat(20_000) },
    ])
      assert.deepEqual(
        await errorOf(await client.register(metadata)),
        [400, 'invalid_client_metadata'],
        JSON.stringify(metadata).slice(0, 80),
      );
    const limited = await world.api.another({ ...FROM_ANYWHERE, RATE_LIMIT_HEALTH: '3' });
    const statuses = [];
    const flood = {
      method: 'POST',
      body: '{"redirect_uris":["https://x.example/"]}',
      headers: { 'Content-Type': 'application/json', ...ELSEWHERE },
    };
    for (let i = 0; i < 5; i++) statuses.push((await send(limited.url, '/oauth/register', flood)).status);
    await limited.stop();
    assert.deepEqual(statuses, [201, 201, 201, 429, 429]);
  });

  it('names that hide who asks', async () => {
    const client = await new HandClient(relay.url).registered({ client_name: '\u202e<b>Land\u0000 Use</b>\n\u200b "x"' });
    const page = locationOf(await new TestBrowser().open(client.authorizeUrl()), relay.url);
    const browser = new TestBrowser();
    const shown = await browser.open(locationOf(await browser.open(client.authorizeUrl()), relay.url).href);
    const text = await shown.text();
    assert.match(text, /<strong>&#60;b&#62;Land Use&#60;\/b&#62; &#34;x&#34;<\/strong>\. It calls itself so; nobody has checked that/);
    assert.match(text, /<strong>http:\/\/127\.0\.0\.1:9<\/strong>, a program on your machine/);
    assert.doesNotMatch(text, /<script|\u202e|\u200b/);
    assert.notEqual(page.pathname, new URL(shown.url).pathname, 'each request has a page of its own');
  });

  it('consent by another site’s form, another browser, or in a frame', async () => {
    const client = await hand();
    const key = await world.api.key();
    const browser = new TestBrowser();
    const page = locationOf(await browser.open(client.authorizeUrl()), relay.url).href;
    const policy = (await browser.open(page)).headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'.*form-action 'self' http:\/\/127\.0\.0\.1:9; frame-ancestors 'none'; style-src 'sha256-/);
    const form = { key, monthlyCredits: '5', answer: 'connect' };
    const connections = await count('oauth_connection');
    for (const headers of [
      ...[{ origin: 'https://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }],
    ] as Record<string, string>[])
      assert.equal((await browser.submit(page, form, headers)).status, 403, JSON.stringify(headers));
    const elsewhere = await new TestBrowser().submit(page, form);
    assert.equal(elsewhere.status, 400);
    assert.match(await elsewhere.text(), /another browser/);
    assert.equal(await count('oauth_connection'), connections);
    const line = (await fetch(client.authorizeUrl(), { redirect: 'manual' })).headers
      .getSetCookie()
      .find((one) => one.startsWith('_interaction='));
    assert.match(line ?? '', /path=\/oauth\/consent\/.+; samesite=lax; httponly/i);
    await using secure = await world.api.another({ PUBLIC_URL: 'https://landuse.test' });
    const tls = await new HandClient(secure.url).registered();
    const asked = await fetch(tls.authorizeUrl({ resource: 'https://landuse.test/mcp' }), { redirect: 'manual' });
    assert(asked.headers.getSetCookie().every((one) => /; secure/i.test(one)) && asked.headers.getSetCookie().length >= 2);
  });

  it('keys that do not work, and guesses; the page says why', async () => {
    const client = await hand();
    const browser = new TestBrowser();
    const page = locationOf(await browser.open(client.authorizeUrl()), relay.url).href;
    for (const [fields, status, why] of [
      [{ key: '' }, 401, 'That is no API key of this service'],
      [{ key: 'x'.repeat(43) }, 401, 'That is no API key of this service'],
      [{ key: `svc_live_${'0'.repeat(36)}` }, 401, 'malformed'],
      [{ key: await world.api.key(), monthlyCredits: '-1' }, 400, 'whole number from 0 to 1000000'],
      [{ key: await world.api.key(), monthlyCredits: '9999999' }, 400, 'whole number from 0 to 1000000'],
    ] as const) {
      const answer = await browser.submit(page, { monthlyCredits: '5', answer: 'connect', ...fields });
      const text = await answer.text();
      assert.deepEqual([answer.status, text.includes(why)], [status, true], text);
      assert(!fields.key || !text.includes(fields.key), 'the key is not repeated');
    }
    await using limited = await world.api.another(FROM_ANYWHERE, { refusedCredentialsPerMinute: 2 });
    const guesser = await new HandClient(limited.url).registered();
    const other = new TestBrowser();
    const at = locationOf(await other.open(guesser.authorizeUrl({ resource: 'http://127.0.0.1:1/mcp' })), limited.url).href;
    const statuses = [];
    for (const last of ['1', '2', '3'])
      statuses.push((await other.submit(at, { key: `legacy_${last}`, monthlyCredits: '5', answer: 'connect' }, ELSEWHERE)).status);
    assert.deepEqual(statuses, [401, 401, 429]);
  });

  it('tokens anywhere but at the tools', async () => {
    const { access_token: token, refresh_token: refresh } = await (await hand()).tokens(await world.api.key());
    assert.equal(await list(token), 200);
    assert.equal(await list(refresh), 401, 'a refresh token opens nothing');
    const basic = Buffer.from(`${token}:`).toString('base64');
    for (const [method, path] of [
      ...[
        ['GET', '/v1/projects/count'],
        ['GET', '/v1/account/connections'],
        ['GET', '/v1/account/credits'],
        ['GET', '/api/user/api-keys'],
      ],
      ...[
        ['POST', '/api/user/api-keys'],
        ['POST', '/v1/exports'],
        ['GET', '/ogc/collections'],
        ['GET', '/mcp/'],
        ['GET', '/MCP'],
      ],
    ] as [string, string][])
      for (const headers of [{ Authorization: `Bearer ${token}` }, { 'X-API-Key': token }, { Authorization: `Basic ${basic}` }] as Record<
        string,
        string
      >[]) {
        const { status, body } = await send(relay.url, path, { method, headers });
        assert.deepEqual([status, body.error?.code], [401, 'missing_api_key'], `${method} ${path}`);
      }
  });

  it('connections whose key has ended: revoked, rotated out or leaked', async () => {
    const client = await hand();
    const minted = async () => {
      const team = await world.api.accounts.createTeam({ name: 'Ends', plan: 'national' });
      const user = await world.api.accounts.createUser({ teamId: team.id, name: 'O', email: `ends-${team.id}@example.com`, role: 'owner' });
      const [one, other] = [await world.api.keys.mint(user.id), await world.api.keys.mint(user.id)];
      return { id: one.key.id, other: other.secret, tokens: await client.tokens(one.secret) };
    };
    const everyKey = { teamId: null, userId: null };
    const ends: Record<string, (id: string) => Promise<unknown>> = {
      revoked: (id) => world.api.keys.revoke(id, everyKey),
      leaked: (id) => world.api.keys.revokeLeaked(id, []),
      rotated: async (id) => {
        await world.api.keys.rotate(id, everyKey, 1);
        await world.api.database.query(`update api_key set expires_at = $2 where id = $1`, [id, new Date(world.now().getTime() - 1)]);
      },
    };
    for (const [how, end] of Object.entries(ends)) {
      const { id, other, tokens } = await minted();
      assert.equal(await list(tokens.access_token), 200);
      assert.equal((await connectionsOf(other)).length, 1);
      await end(id);
      await sleep(LATER_MS);
      assert.equal(await list(tokens.access_token), 401, how);
      assert.deepEqual(await errorOf(await client.refresh(tokens.refresh_token)), [400, 'invalid_grant'], how);
      assert.deepEqual(await connectionsOf(other), [], how);
    }
    const code = await client.code(await world.api.key());
    await world.api.database.query(
      'update api_key set revoked_at = now() where revoked_at is null and id in (select key_id from oauth_connection)',
    );
    assert.deepEqual(await errorOf(await client.exchange(code)), [400, 'invalid_grant'], 'a code of a key that ended');
  });

  it('documents of clients inside our networks: nothing is dialled', async () => {
    await using listener = await startReceiver('::');
    for (const host of [
      '127.0.0.1',
      '[::1]',
      'localhost',
      'x.localhost',
      '2130706433',
      '169.254.169.254',
      '10.0.0.1',
      '[fd00::1]',
      '127.0.0.1.',
    ])
      for (const port of [listener.port, 443, 8443])
        assert.equal(
          await isRefusedHere(new HandClient(relay.url).authorizeUrl({ client_id: `https://${host}:${port}/client.json` })),
          400,
          host,
        );
    for (const id of [
      'http://client.example/a',
      'https://user@client.example/a',
      'https://client.example/a#b',
      `https://client.example/${'x'.repeat(2000)}`,
      'file:///etc/passwd',
    ])
      assert.equal(await isRefusedHere(new HandClient(relay.url).authorizeUrl({ client_id: id })), 400, id);
    assert.equal(listener.connections, 0);
  });

  it('nothing to pages of any origin where no cookie counts, and the page of consent to all of them', async () => {
    const from = { Origin: 'https://any.example' };
    const preflight = {
      ...from,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type, mcp-protocol-version',
    };
    for (const path of [
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-authorization-server',
    ]) {
      const { status, headers } = await send(relay.url, path, { headers: from });
      assert.deepEqual(
        [status, headers['access-control-allow-origin'], headers['access-control-allow-credentials']],
        [200, '*', undefined],
        path,
      );
    }
    for (const path of ['/oauth/register', '/oauth/token', '/oauth/revoke']) {
      const asked = await send(relay.url, path, { method: 'OPTIONS', headers: preflight });
      assert.deepEqual([asked.status, asked.headers['access-control-allow-origin']], [204, '*'], path);
      const refused = await send(relay.url, path, {
        method: 'POST',
        headers: { ...from, 'Content-Type': 'application/x-www-form-urlencoded' },
        body: 'a=b',
      });
      assert.equal(refused.headers['access-control-allow-origin'], '*', path);
      assert.equal(refused.headers['access-control-allow-credentials'], undefined);
    }
    for (const path of ['/oauth/authorize', '/oauth/consent/x', '/mcp'])
      assert.equal((await send(relay.url, path, { headers: from })).headers['access-control-allow-origin'], undefined, path);
  });

  it('to be served over plain http anywhere but on this machine', async () => {
    await using plain = await world.api.another({ PUBLIC_URL: 'http://landuse.test' });
    for (const path of [
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-authorization-server',
      '/oauth/authorize?client_id=x',
    ]) {
      const { status, body } = await send(plain.url, path);
      assert.deepEqual([status, body.error?.code], [404, 'resource_not_found'], path);
      assert.match(body.error.message, /PUBLIC_URL is plain http/);
    }
    assert.equal((await new HandClient(plain.url).register()).status, 404);
    const challenge = async (url: string) => (await send(url, '/mcp', { method: 'POST' })).headers['www-authenticate'];
    assert.equal(await challenge(plain.url), 'Bearer');
    assert.equal(
      await challenge(relay.url),
      `Bearer scope="mcp", resource_metadata="${relay.url}/.well-known/oauth-protected-resource/mcp"`,
    );
  });

  it('garbage, without failing', async () => {
    const client = await hand();
    for (const parameters of [
      ...[
        { state: '\0' },
        { state: 'x'.repeat(8_000) },
        { state: '\ud800' },
        { resource: 'https://other.example/mcp' },
        { resource: 'no address' },
      ],
      ...[
        { prompt: 'none' },
        { prompt: 'nonsense' },
        { max_age: 'x' },
        { request: 'x' },
        { request_uri: 'https://127.0.0.1/' },
        { claims: '{' },
      ],
      ...[{ scope: 'openid offline_access mcp admin' }, { response_mode: 'x' }, { code_challenge: '\0' }, { id_token_hint: 'x' }],
    ] as Record<string, string>[]) {
      const { status } = await new TestBrowser().open(client.authorizeUrl(parameters));
      assert(status < 500, `${status} ${JSON.stringify(parameters).slice(0, 80)}`);
    }
    const twice = `${client.authorizeUrl()}&client_id=x&scope=a&scope=b`;
    assert((await new TestBrowser().open(twice)).status < 500);
    const form = 'application/x-www-form-urlencoded';
    for (const [path, type, body] of [
      ...[
        ['/oauth/token', form, ''],
        ['/oauth/token', form, 'x'.repeat(300_000)],
        ['/oauth/token', 'application/json', '{'],
        ['/oauth/token', form, '%00=%ff&a=%'],
      ],
      ...[['/oauth/token', form, `grant_type=refresh_token&client_id=${client.clientId}&refresh_token=%00`]],
      ...[['/oauth/token', form, `grant_type=authorization_code&client_id=https%3A%2F%2F127.0.0.1%2Fx&code=x`]],
      ...[
        ['/oauth/revoke', form, 'client_id=x&token=%00'],
        ['/oauth/register', 'application/json', '['],
        ['/oauth/register', form, 'a=b'],
      ],
      ...[
        ['/oauth/register', 'application/json', `{"redirect_uris":["https://x.example/\\u0000#"]}`],
        ['/oauth/consent/x', form, 'a=b'],
      ],
      ...[
        ['/oauth/authorize', form, 'a=b'],
        ['/oauth/nothing', form, ''],
        ['/oauth/', form, ''],
        ['/oauth/consent/../token', form, ''],
      ],
    ] as [string, string, string][]) {
      const { status, text } = await send(relay.url, path, { method: 'POST', body, headers: { 'Content-Type': type } });
      assert(status >= 400 && status < 500, `${status} ${path} ${body.slice(0, 80)}: ${text.slice(0, 200)}`);
    }
    for (const token of ['%00', 'x'.repeat(43), '_'.repeat(43), '-'.repeat(10_000)]) assert.equal(await list(token), 401);
  });

  it('to show what is stored: neither codes nor tokens', async () => {
    const client = await hand();
    const key = await world.api.key();
    const code = await client.code(key);
    const tokens = (await (await client.exchange(code)).json()) as Json;
    const rows = JSON.stringify(await world.api.database.query('select *, payload::text from oauth_item'));
    for (const secret of [code, tokens.access_token, tokens.refresh_token, key]) assert(!rows.includes(secret));
    const revoked = await fetch(`${relay.url}/oauth/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: client.clientId, token: tokens.refresh_token }),
    });
    assert.equal(revoked.status, 200);
    await eventually('the token ends', async () => ((await list(tokens.access_token)) === 401 ? true : undefined));
    assert.deepEqual(await connectionsOf(key), []);
  });
});
