/** The pages of the reference in a real browser: nothing from elsewhere, no violation of the policy, readable for everybody. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { openBrowser } from '../../../scripts/lib/browser.ts';
import { DEMO_URL } from '../../../src/core/domain/errorTable.ts';
import { guides } from '../../support/guides.ts';
import { send } from '../../support/http.ts';
import { lengthOf } from '../../support/lengths.ts';
import { provide } from '../../support/provide.ts';
import { provideService } from '../../support/service.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const NARROW = 390;
const WIDE = 1280;
const GUIDE_PATHS = guides.map(({ name }) => `/docs/guides/${name.replace(/\.md$/, '')}`);
/** One of each kind: the others are looked at for accessibility on a wide screen alone, and have the colours of these, unless PAGES=all. */
const KINDS = ['/', '/docs/errors', '/docs/plans', '/docs/reference/searchProjects', '/docs/guides/credits'];
/** Elements that may not scroll sideways on a narrow screen: the page, and tables whose cells are stacked. */
const TOO_WIDE = `[document.documentElement, ...document.querySelectorAll('.stack')].flatMap((one) =>
  one.scrollWidth > one.clientWidth && (one.tagName === 'HTML' || innerWidth < 640) ? [one.getAttribute('aria-label') ?? 'page'] : [])`;
const TABLES = ['filters', 'records', 'warnings', 'headers'].map((name) => `/docs/reference/${name}`);
const OPERATIONS = ['searchProjects', 'createExport', 'createAlert', 'getTile', 'greet'].map((id) => `/docs/reference/${id}`);
const OTHERS = ['/docs/reference', '/docs/plans', '/docs/changelog'];
const PATHS = ['/', '/docs', '/docs/errors', ...OTHERS, ...TABLES, ...OPERATIONS, ...GUIDE_PATHS];
/** What a guide's text can violate; what stands around it is the same in each. */
const OF_CONTENT =
  'heading-order empty-heading image-alt link-name list listitem definition-list dlitem empty-table-header scope-attr-valid td-headers-attr th-has-data-cells scrollable-region-focusable duplicate-id-aria aria-prohibited-attr aria-allowed-role'.split(
    ' ',
  );
/** looked at for accessibility in every width */
const WHOLE = [...KINDS, ...PATHS.slice(0, lengthOf('PAGES'))];
/** What a page loads besides itself: its scripts, from this origin. */
const SCRIPT = /^\/assets\/[0-9a-f]{12}\/[\w-]+\.js$/;

interface AxeResult {
  violations: { id: string; help: string; nodes: { html: string }[] }[];
}

describe('the pages of the reference', () => {
  const api = provideService({}, [{ kind: 'project', id: 1, state: 'CO', propertyType: 'residential', meetingDate: '2026-10-01' }]);
  const browser = provide(() => openBrowser({ draws: false }));

  /** Opens a place; what it said on the console or asked for elsewhere is a complaint. */
  async function open(page: Page, path: string): Promise<string[]> {
    const complaints: string[] = [];
    for (const event of ['console', 'pageerror', 'request']) page.removeAllListeners(event);
    page.on('console', (message) => complaints.push(`says ${message.text()}`));
    page.on('pageerror', (error) => complaints.push(`fails with ${error.message}`));
    page.on('request', (request) => {
      const url = request.url();
      const isScript = url.startsWith(api.url) && SCRIPT.test(url.slice(api.url.length));
      if (url !== `${api.url}${path}` && !isScript) complaints.push(`asks for ${url}`);
    });
    const response = await page.goto(`${api.url}${path}`);
    assert.equal(response?.status(), 200, path);
    assert.match(response?.headers()['content-security-policy'] ?? '', /^default-src 'none'(?!.*unsafe)/);
    return complaints;
  }

  async function violations(page: Page, path: string): Promise<string[]> {
    const isWhole = WHOLE.includes(path);
    const rules = isWhole ? {} : { 'color-contrast': { enabled: false } };
    const only = isWhole || !GUIDE_PATHS.includes(path) ? {} : { runOnly: OF_CONTENT };
    const options = { resultTypes: ['violations'], selectors: false, elementRef: false, rules, ...only };
    const result = await page.evaluate<AxeResult>(`axe.run(document, ${JSON.stringify(options)})`);
    return result.violations.map(({ id, help, nodes }) => `${id}: ${help} at ${nodes[0]?.html} and ${nodes.length - 1} more`);
  }

  it('fit narrow and wide screens, dark and light, ask for nothing else and have no violation of accessibility', async () => {
    await using page = await browser.newPage({ locale: 'en-US' });
    for (const path of PATHS) {
      await page.setViewportSize({ width: WIDE, height: 900 });
      await page.emulateMedia({ colorScheme: 'light' });
      assert.deepEqual(await open(page, path), [], path);
      // As the tool of a reader would: past the policy, which lets no script of the page run.
      await page.evaluate(AXE);
      for (const [width, colorScheme] of [
        [WIDE, 'light'],
        [NARROW, 'dark'],
      ] as const) {
        const place = `${path} at ${width} ${colorScheme}`;
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        assert.deepEqual(await page.evaluate(TOO_WIDE), [], `${place}: wider than the screen, or than what holds it`);
        if (width === WIDE || WHOLE.includes(path)) assert.deepEqual(await violations(page, path), [], place);
      }
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
      assert.equal(await response.text(), text.replaceAll(DEMO_URL, 'http://landuse.test'));
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
