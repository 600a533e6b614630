/** The page at /map in a tab of a real browser, and what every test of it holds: no complaint of the browser, no finding of axe, no sideways scrolling. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser } from '../../scripts/lib/browser.ts';

export const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** What a browser says of a refusal that the page shows as a sentence. */
export const REFUSALS = /^Failed to load resource: the server responded with a status of 4/;
const OWN_ADDRESS = /^(blob:)?http:\/\/127\.0\.0\.1:/;
/** A browser that cannot draw: tests that look at no map take a fraction of the time. */
const UNDRAWN = 'HTMLCanvasElement.prototype.getContext = () => null';
/** A map has a quarter of its pixels, of which each is computed without a graphics card; the page around it stays as it is. */
const COARSELY_DRAWN = "Object.defineProperty(window, 'devicePixelRatio', { value: 0.5 })";

/** Screens of a desk and, in the dark, of a hand. */
export const WIDE = { width: 1440, height: 900 };
export const NARROW = { width: 390, height: 844 };
export const bothScreens = (wide: typeof WIDE) =>
  [
    [NARROW, true],
    [wide, false],
  ] as const;

interface PageVisit {
  /** of the server */
  url: string;
  path: string;
  /** that the reader is signed in with; signed out without one */
  key: string;
  viewport: typeof WIDE;
  dark: boolean;
  /** complaints that belong to the test */
  expected: RegExp;
  /** whether the browser can draw */
  isDrawn: boolean;
  /** runs before the scripts of the page */
  script: string;
}

/**
 * Visits of the tests of a suite, in one browser that draws and one that cannot, so that files are fetched and compiled once. A test fails on what the browser complains of
 * meanwhile: violations of the policy, errors, warnings and requests to elsewhere.
 * @param usual of each visit, read when it begins, unless the visit says otherwise
 * @returns opens the page in a tab that remembers nothing of the visits before it; what the browser keeps for all tabs stays
 */
export function provideVisits(usual: () => Partial<PageVisit> & Pick<PageVisit, 'url'>, options: BrowserContextOptions = {}) {
  const opened = new Map<boolean, { browser: Browser; context: BrowserContext; idle: Page[] }>();
  const complaints: string[] = [];
  let visits = 0;
  const browserOf = async (draws: boolean) => {
    const known = opened.get(draws);
    if (known) return known;
    const browser = await openBrowser({ draws });
    const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce', ...options });
    const ours = { browser, context, idle: [] };
    opened.set(draws, ours);
    return ours;
  };
  after(() => Promise.all([...opened.values()].map(({ browser }) => browser.close())));
  afterEach(() => assert.deepEqual(complaints.splice(0), [], 'violations of the policy, errors of the page, or requests to elsewhere'));

  return async (own: Partial<PageVisit>, work: (page: Page) => Promise<void>): Promise<void> => {
    const { url, path = '/map', key, viewport = WIDE, dark, expected, isDrawn = false, script = '' } = { ...usual(), ...own };
    const { context, idle } = await browserOf(isDrawn);
    const page = idle.pop() ?? (await context.newPage());
    let isReusable = false;
    try {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce', media: null });
      page.setDefaultTimeout(30_000);
      page.on('console', (said) => {
        if (!expected?.test(said.text()) && ['error', 'warning'].includes(said.type())) complaints.push(said.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error.stack)));
      page.on('request', (request) => {
        if (!OWN_ADDRESS.test(request.url())) complaints.push(request.url());
      });
      const visit = `visit ${++visits}`; // the name of the tab's window
      await using _ = await page.addInitScript(
        `addEventListener('securitypolicyviolation', (event) => console.error('violated ' + event.violatedDirective));
         if (self === top && name !== '${visit}') { sessionStorage.clear(); name = '${visit}'; }
         ${key ? `sessionStorage.setItem('landuse-key', '${key}');` : ''} ${isDrawn ? COARSELY_DRAWN : UNDRAWN};
         ${script}`,
      );
      await page.goto(url + path);
      await work(page);
      isReusable = true;
    } finally {
      if (isReusable) idle.push(await leave(page));
      else await page.close();
    }
  };
}

/** Ends a visit: a new tab costs as much as everything that a test does in it. */
async function leave(page: Page): Promise<Page> {
  await page.removeAllListeners(undefined, { behavior: 'ignoreErrors' });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto('about:blank');
  return page;
}

/** Fails on a finding of axe, and where the page is wider than the screen. @param what is looked at, for the message */
export async function assertAccessible(page: Page, what: string): Promise<void> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(AXE);
  const found = await page.evaluate<string[]>(
    `axe.run(document, { resultTypes: ['violations'], selectors: false, elementRef: false }).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`,
  );
  assert.deepEqual(found, [], what);
  assert(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), `${what} is wider than the screen`);
}

/** Entries of the navigation that lead to further tabs. */
const GROUP_OF: Readonly<Record<string, string>> = {
  ...{ Charts: 'Insights', Odds: 'Insights', Compare: 'Insights' },
  ...{ Lists: 'Saved', Alerts: 'Saved', Match: 'Saved' },
};
const IN_MENU = ['Exports', 'Webhooks', 'Keys', 'Receipts'];

/** Opens a tab by the navigation, or by the account's menu. */
export async function clickTab(page: Page, label: string): Promise<void> {
  if (IN_MENU.includes(label)) await page.click('.menu-button');
  const group = GROUP_OF[label];
  if (group) await page.click(`.bar > nav >> text="${group}"`);
  await page.click(`nav >> text="${label}"`);
}
