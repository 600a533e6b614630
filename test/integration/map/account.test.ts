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

  /** Keys of two members of one team. */
  async function team() {
    const owner = await api.key();
    const [latest] = (await api.accounts.teams()).slice(-1);
    const teamId = latest?.id ?? 0;
    const { id } = await api.accounts.createUser({ teamId, name: 'Mate', email: `mate-${teamId}@example.com`, role: 'member' });
    return { owner, mate: (await api.keys.mint(id)).secret };
  }

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

  it('restore what was deleted a while ago', async () => {
    const list = await make('/lists', { name: 'Missed', projectIds: [3] });
    assert.equal((await api.get(`/lists/${list.id}`, {}, { key, method: 'DELETE' })).status, 200);
    await visit({ path: '/map?tab=lists' }, async (page) => {
      await page.click('text="Deleted lists"');
      await page.click(`${row('Missed')} >> button:text-is("Restore")`);
      await page.waitForSelector('text=Nothing was deleted in the last 30 days.');
      await page.waitForSelector(`${row('Missed')}:has-text("1 project")`);
      assert.equal(await status(`/lists/${list.id}`), 200);
    });
  });

  it('open a list: its records are links, removed with an undo, added by id; it is renamed, noted and shared', async () => {
    const list = await make('/lists', { name: 'Pipeline', projectIds: [1, 2] });
    const stored = async () => (await api.get(`/lists/${list.id}`, {}, { key })).body.data;
    await visit({ path: '/map?tab=lists' }, async (page) => {
      await page.click('a:text-is("Pipeline")');
      await page.waitForSelector('h2:text-is("2 projects")');
      assert.equal(new URL(page.url()).searchParams.get('open'), list.id);
      await page.click(`${row('Mill Row')} >> text=Remove`);
      await page.waitForSelector(row('Mill Row'), { state: 'detached' });
      await page.waitForSelector('h2:text-is("1 project")');
      await page.click('.toast >> text=Undo');
      await page.waitForSelector(row('Mill Row'));
      await page.fill('#add-ids', '2, 3 999999');
      await page.click('button:text-is("Add")');
      await page.waitForSelector('.toast:has-text("1 project added. 2 was there already. Not found, or outside the licence: 999999.")');
      await page.waitForSelector('h2:text-is("3 projects")');
      await page.click('button:text-is("Rename")');
      await page.fill('#new-name', 'Pipeline of the creek');
      await page.click('.rename >> button:text-is("Rename")');
      await page.waitForSelector('h1:has-text("Pipeline of the creek")');
      await page.fill('#notes', 'Call the clerk.');
      await page.click('text=Save the notes');
      await page.click('label:has-text("The whole team")');
      await page.waitForSelector('.toast:has-text("Shared with: the whole team.")');
      const { name, description, share, projectCount } = await stored();
      assert.deepEqual([name, description, share.mode, projectCount], ['Pipeline of the creek', 'Call the clerk.', 'team', 3]);
      await page.click('.toast:has-text("Shared with") >> text=Undo');
      await page.waitForSelector('.toast:has-text("Taken back.")');
      assert.equal((await stored()).share.mode, 'private');
      await page.click('.open-heading >> button:text-is("Delete")');
      await page.waitForSelector('h1:text-is("Lists")');
      await page.click('.toast:has-text("is deleted") >> text=Undo');
      await page.waitForSelector('h1:has-text("Pipeline of the creek")');
      await page.click('a:text-is("Orchard Flats")');
      await page.waitForURL(/project=3/);
      await page.waitForSelector('.panel h2');
    });
  });

  it('take a team-mate out of a shared list, and let them in again', async () => {
    const { owner, mate } = await team();
    const made = await api.post('/lists', { name: 'Ours', projectIds: [1], share: { mode: 'team' } }, { key: owner });
    const { id } = made.body.data;
    const asMate = async () => (await api.get(`/lists/${id}`, {}, { key: mate })).status;
    await visit({ path: `/map?tab=lists&open=${id}`, as: owner }, async (page) => {
      assert.equal(await asMate(), 200);
      await page.click('.check:text-is("Mate")');
      await page.waitForSelector('.toast:has-text("no longer sees it")');
      assert.equal(await asMate(), 404);
      await page.click('.check:text-is("Mate")');
      await page.waitForSelector('.toast:has-text("sees it."):not(:has-text("no longer"))');
      assert.equal(await asMate(), 200);
    });
  });

  it('open a list of filters: in words, counted, changed by taking one away', async () => {
    const list = await make('/lists', { name: 'Commercial ones', filters: { states: [8], propertyTypes: ['commercial'] } });
    await visit({ path: `/map?tab=lists&open=${list.id}` }, async (page) => {
      await page.waitForSelector('.chip:has-text("States: Colorado")');
      await page.waitForSelector('text="1 project now."');
      await page.click('.chip:has-text("Property types: Commercial")');
      await page.waitForSelector('text="3 projects now."');
      assert.deepEqual((await api.get(`/lists/${list.id}`, {}, { key })).body.data.filters, { states: [8] });
      await page.click('.toast >> text=Undo');
      await page.waitForSelector('text="1 project now."');
      await page.click('text="Show on the map"');
      await page.waitForSelector('.total strong:text-is("1")');
    });
  });

  it('say what the records of a list cost before they are read', async () => {
    const metered = await api.key('api_only');
    const made = await api.post('/lists', { name: 'Priced', projectIds: [1, 2] }, { key: metered });
    const balance = async () => (await api.get('/account/credits', {}, { key: metered })).body.data.balance;
    const before = await balance();
    await visit({ path: `/map?tab=lists&open=${made.body.data.id}`, as: metered }, async (page) => {
      await page.waitForSelector('.price:has-text("Reading them costs 2 credits")');
      assert.equal(await balance(), before);
      await page.click('text="Read for 2 credits"');
      await page.waitForSelector(row('Creekside Homes'));
      assert.equal(await balance(), before - 2);
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
