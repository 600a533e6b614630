/** The pages of the reference in a real browser: nothing from elsewhere, no violation of the policy, readable for everybody. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../support/browser.ts';
import { guides } from '../../support/guides.ts';
import { send } from '../../support/http.ts';
import { type TestService, testService } from '../../support/service.ts';

const BROWSER_MS = 120_000;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const NARROW = 390;
const WIDE = 1280;
const GUIDE_PATHS = guides.map(({ name }) => `/docs/guides/${name.replace(/\.md$/, '')}`);
const PATHS = ['/', '/docs', '/docs/errors', ...GUIDE_PATHS];

interface AxeResult {
  violations: { id: string; help: string; nodes: { target: unknown }[] }[];
}

describe('the pages of the reference', function () {
  this.timeout(BROWSER_MS);
  let api: TestService;
  let browser: Browser;
  before(async () => {
    [api, browser] = await Promise.all([testService(), openBrowser()]);
    await api.index.load([{ kind: 'project', id: 1, state: 'CO', propertyType: 'residential', meetingDate: '2026-10-01' }]);
  });
  after(async () => {
    await browser?.close();
    await api?.stop();
  });

  /** Opens a page; what it said on the console or asked for elsewhere is an error. */
  async function open(path: string, width: number, colorScheme: 'light' | 'dark'): Promise<{ page: Page; complaints: string[] }> {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme, locale: 'en-US' });
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(`says ${message.text()}`));
    page.on('pageerror', (error) => complaints.push(`fails with ${error.message}`));
    page.on('request', (request) => {
      if (request.url() !== `${api.url}${path}`) complaints.push(`asks for ${request.url()}`);
    });
    const response = await page.goto(`${api.url}${path}`);
    assert.equal(response?.status(), 200, path);
    assert.match(response?.headers()['content-security-policy'] ?? '', /^default-src 'none'(?!.*unsafe)/);
    return { page, complaints };
  }

  async function violations(page: Page): Promise<string[]> {
    // As the tool of a reader would: past the policy, which lets no script of the page run.
    await page.evaluate(AXE);
    const result = await page.evaluate<AxeResult>('axe.run(document, { resultTypes: ["violations"] })');
    return result.violations.map(
      ({ id, help, nodes }) => `${id}: ${help} at ${JSON.stringify(nodes[0]?.target)} and ${nodes.length - 1} more`,
    );
  }

  for (const [width, scheme] of [
    [NARROW, 'dark'],
    [WIDE, 'light'],
  ] as const)
    it(`fit ${width} pixels, ${scheme}, ask for nothing else and have no violation of accessibility`, async () => {
      for (const path of PATHS) {
        const { page, complaints } = await open(path, width, scheme);
        const place = `${path} at ${width} ${scheme}`;
        assert.deepEqual(complaints, [], place);
        assert((await page.evaluate<number>('document.documentElement.scrollWidth')) <= width, `${place} is wider than the screen`);
        assert.deepEqual(await violations(page), [], place);
        await page.close();
      }
    });

  it('lead only to places that exist', async () => {
    const known = new Map<string, string>();
    const textOf = async (path: string) => {
      const seen = known.get(path);
      if (seen !== undefined) return seen;
      const response = await fetch(`${api.url}${path}`);
      assert.equal(response.status, 200, path);
      const text = await response.text();
      known.set(path, text);
      return text;
    };
    for (const path of PATHS) {
      const html = await fetch(`${api.url}${path}`, { headers: { Accept: 'text/html' } }).then((response) => response.text());
      for (const [, href = ''] of html.matchAll(/href="([^"]+)"/g)) {
        const { origin, pathname, hash } = new URL(href, `${api.url}${path}`);
        if (!['http://landuse.test', api.url].includes(origin)) continue;
        const target = pathname === path ? html : await textOf(pathname);
        if (hash) assert(target.includes(`id="${hash.slice(1)}"`), `${path} leads to ${href}`);
      }
    }
  });

  it('are the guides as Markdown too, all of them named by llms.txt', async () => {
    const list = await fetch(`${api.url}/llms.txt`).then((response) => response.text());
    for (const { name, text } of guides) {
      const response = await fetch(`${api.url}/docs/guides/${name}`);
      assert.equal(response.headers.get('content-type'), 'text/markdown; charset=utf-8');
      assert.equal(await response.text(), text);
      assert(list.includes(`/docs/guides/${name})`), name);
    }
  });

  it('are kept by a browser, which asks whether they are still the same', async () => {
    for (const path of [...PATHS, '/docs/guides/keys.md', '/llms.txt', '/openapi.json']) {
      const { headers } = await send(api.url, path);
      assert.match(String(headers['cache-control']), /^public, max-age=\d+$/, path);
      assert.equal((await send(api.url, path, { headers: { 'If-None-Match': String(headers.etag) } })).status, 304, path);
    }
  });
});
