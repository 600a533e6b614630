/** A browser without scripts and a client of OAuth, for tests of the authorization server. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import net from 'node:net';
import { listenOnLoopback } from '../../scripts/lib/loopback.ts';
import type { Json } from './json.ts';

/** Passes connections on to a port that is known later, so that a service can know its address before it starts. */
export async function openRelay(): Promise<{ url: string; leadTo(port: number): void; close(): Promise<void> }> {
  let target = 0;
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    const onward = net.connect(target, '127.0.0.1');
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy()).pipe(to);
    }
  });
  const { url, stop } = await listenOnLoopback(server);
  return {
    url,
    leadTo: (port) => {
      target = port;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await stop();
    },
  };
}

/** Keeps cookies by path, follows no redirect by itself. */
export class TestBrowser {
  readonly #cookies = new Map<string, { value: string; path: string }>();

  async open(url: string, init: RequestInit = {}): Promise<Response> {
    const { pathname } = new URL(url);
    const cookie = [...this.#cookies]
      .flatMap(([name, { value, path }]) => (pathname.startsWith(path) ? [`${name}=${value}`] : []))
      .join('; ');
    const headers = { accept: 'text/html', ...(cookie ? { cookie } : {}), ...(init.headers as Record<string, string>) };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/expires=Thu, 01 Jan 1970/.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, { value, path: /path=([^;]+)/.exec(line)?.[1] ?? '/' });
    }
    return response;
  }

  /** Sends a form as the page of consent does. */
  submit(url: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
    return this.open(url, { method: 'POST', body: new URLSearchParams(fields), headers });
  }

  get hasCookies(): boolean {
    return this.#cookies.size > 0;
  }
}

export const locationOf = (response: Response, base: string) =>
  new URL(response.headers.get('location') ?? assert.fail(`no redirect: ${response.status}`), base);

/** Walks from the address that a client opens to where it is called back. @param fields of the form @returns the address of the callback */
export async function consent(authorizeUrl: string, fields: Record<string, string>, browser = new TestBrowser()): Promise<URL> {
  const page = locationOf(await browser.open(authorizeUrl), authorizeUrl);
  const shown = await browser.open(page.href);
  assert.equal(shown.status, 200, await shown.clone().text());
  const sent = await browser.submit(page.href, { monthlyCredits: '100', answer: 'connect', ...fields });
  assert.equal(sent.status, 303, await sent.clone().text());
  return locationOf(await browser.open(locationOf(sent, authorizeUrl).href), authorizeUrl);
}

export interface Tokens {
  access_token: string;
  refresh_token: string;
}

/** A client that registers, asks and exchanges by hand. */
export class HandClient {
  readonly url: string;
  readonly redirectUri: string;
  clientId = '';
  readonly verifier = randomBytes(32).toString('base64url');

  constructor(url: string, redirectUri = 'http://127.0.0.1:9/callback') {
    this.url = url;
    this.redirectUri = redirectUri;
  }

  register(metadata: object = {}): Promise<Response> {
    const body = JSON.stringify({ client_name: 'Hand', redirect_uris: [this.redirectUri], ...metadata });
    return fetch(`${this.url}/oauth/register`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  }

  async registered(metadata?: object): Promise<this> {
    const answer = await this.register(metadata);
    assert.equal(answer.status, 201, await answer.clone().text());
    this.clientId = ((await answer.json()) as Json).client_id;
    return this;
  }

  /** @param parameters undefined ones are left out */
  authorizeUrl(parameters: Record<string, string | undefined> = {}): string {
    const all = {
      ...{ response_type: 'code', client_id: this.clientId, redirect_uri: this.redirectUri, state: 'a state', resource: `${this.url}/mcp` },
      ...{ code_challenge: createHash('sha256').update(this.verifier).digest('base64url'), code_challenge_method: 'S256' },
      ...parameters,
    };
    const kept = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return `${this.url}/oauth/authorize?${new URLSearchParams(kept)}`;
  }

  token(fields: Record<string, string>): Promise<Response> {
    return fetch(`${this.url}/oauth/token`, { method: 'POST', body: new URLSearchParams({ client_id: this.clientId, ...fields }) });
  }

  exchange(code: string, more: Record<string, string> = {}): Promise<Response> {
    return this.token({ grant_type: 'authorization_code', code, redirect_uri: this.redirectUri, code_verifier: this.verifier, ...more });
  }

  refresh(refreshToken: string): Promise<Response> {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken });
  }

  async code(key: string, fields: Record<string, string> = {}): Promise<string> {
    const back = await consent(this.authorizeUrl(), { key, ...fields });
    return back.searchParams.get('code') ?? assert.fail(back.href);
  }

  async tokens(key: string, fields: Record<string, string> = {}): Promise<Tokens> {
    const answer = await this.exchange(await this.code(key, fields));
    assert.equal(answer.status, 200, await answer.clone().text());
    return (await answer.json()) as Tokens;
  }
}
