/** The account's tabs in a real browser: alerts and lists that open, change, are shared, deleted and restored. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openBrowser } from '../../support/browser.ts';
import { project, TODAY } from '../../support/fixtures.ts';
import { type TestService, testService } from '../../support/service.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** A browser that cannot draw: no map is looked at here. */
const UNDRAWN = 'HTMLCanvasElement.prototype.getContext = () => null';
/** What a browser says of an answer that the page shows as a sentence. */
const EXPECTED = /^Failed to load resource: the server responded with a status of 4/;

describe('the tabs of the account', function () {
  this.timeout(120_000);
  let api: TestService;
  let browser: Browser;
  let context: BrowserContext;
  let key = '';
  const complaints: string[] = [];

  before(async () => {
    [api, browser] = await Promise.all([testService({ today: TODAY }), openBrowser()]);
    context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce' });
    await api.index.load([
      project(1, { projectName: 'Creekside Homes', status: 'approved' }),
      project(2, { projectName: 'Mill Row', propertyType: 'commercial' }),
      project(3, { projectName: 'Orchard Flats' }),
    ]);
    key = await api.key();
  });
  after(async () => {
    await browser?.close();
    await api?.stop();
  });
  afterEach(() => assert.deepEqual(complaints.splice(0), [], 'violations of the policy, or errors of the page'));

  interface Visit {
    path: string;
    as?: string;
    viewport?: { width: number; height: number };
    dark?: boolean;
  }

  async function visit(
    { path, as = key, viewport = { width: 1240, height: 900 }, dark = false }: Visit,
    work: (page: Page) => Promise<void>,
  ) {
    const page = await context.newPage();
    try {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' });
      page.setDefaultTimeout(20_000);
      page.on('console', (said) => {
        if (!EXPECTED.test(said.text()) && ['error', 'warning'].includes(said.type())) complaints.push(said.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error.stack)));
      await page.addInitScript(
        `addEventListener('securitypolicyviolation', (event) => console.error('violated ' + event.violatedDirective))`,
      );
      await page.addInitScript(`sessionStorage.setItem('landuse-key', '${as}')`);
      await page.addInitScript(UNDRAWN);
      await page.goto(`${api.url}${path}`);
      await work(page);
    } finally {
      await page.close();
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
  async function make(path: string, body: object): Promise<any> {
    const answer = await api.post(path, body, { key });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data;
  }
  const status = async (path: string) => (await api.get(path, {}, { key })).status;
  const row = (words: string) => `tr:has-text("${words}")`;

  it('delete a list and an alert at once, and take that back', async () => {
    const list = await make('/lists', { name: 'To be deleted', projectIds: [1, 2] });
    const alert = await make('/alerts', { name: 'Watched for a while', filters: { states: ['CO'] } });
    await visit({ path: '/map?tab=lists' }, async (page) => {
      await page.click(`${row('To be deleted')} >> button:text-is("Delete")`);
      await page.waitForSelector(row('To be deleted'), { state: 'detached' });
      assert.equal(await status(`/lists/${list.id}`), 404);
      assert.match(await page.innerText('.toast'), /“To be deleted” is deleted\. It can be restored for 30 days\./);
      await page.click('.toast >> text=Undo');
      await page.waitForSelector(`${row('To be deleted')}:has-text("2 projects")`);
      assert.equal(await status(`/lists/${list.id}`), 200);
      await page.click('nav >> text="Alerts"');
      await page.click(`${row('Watched for a while')} >> button:text-is("Delete")`);
      await page.waitForSelector(row('Watched for a while'), { state: 'detached' });
      assert.equal((await api.get(`/alerts/${alert.id}`, {}, { key })).body.data.status, 'archived');
      await page.click('.toast:has-text("Watched") >> text=Undo');
      await page.waitForSelector(`${row('Watched for a while')}:has-text("Active")`);
    });
  });

  it('have no violation of accessibility', () =>
    visit({ path: '/map?tab=alerts', viewport: { width: 390, height: 844 }, dark: true }, async (page) => {
      await page.evaluate(AXE);
      for (const tab of ['Alerts', 'Lists']) {
        await page.click(`nav >> text="${tab}"`);
        await page.waitForSelector('.sheet table');
        await page.waitForSelector('.loading', { state: 'detached' });
        const found = await page.evaluate<string[]>(
          `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`,
        );
        assert.deepEqual(found, [], tab);
      }
    }));
});
