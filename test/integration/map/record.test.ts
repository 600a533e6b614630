/** The panel of a record in a real browser: proof of its values, what changed, neighbours, lists, alerts, exports, contacts, print. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openBrowser } from '../../support/browser.ts';
import { project, TODAY } from '../../support/fixtures.ts';
import { type TestWorld, testWorld } from '../../support/world.ts';

const BROWSER_MS = 120_000;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const WIDE = { width: 1240, height: 900 };
const NARROW = { width: 390, height: 844 };
/** No map is needed here, and a browser that cannot draw one is faster. */
const UNDRAWN = 'HTMLCanvasElement.prototype.getContext = () => null';
const AROUND_BOULDER = '-105.4,39.9,-105.1,40.1';

const HEARING = 'The applicant spoke first.\n\n'.repeat(60);
const MINUTES = `Call to order.\n\nCase RZ-2026-0017\n\n${HEARING}The site has\n12.5 acres along the creek. The Council approved the request.\n\n${HEARING}Adjourned.`;
const ACRES = { field: 'acreage', quote: 'The site has\n12.5 acres along the creek.', documentId: 501, page: 2 };
const STATUS = { field: 'status', quote: 'The Council approved the request.', documentId: 501 };

const creek = (more: Record<string, unknown> = {}) =>
  project(1, {
    ...{
      projectName: 'Creek Homes',
      caseNumbers: ['RZ-2026-0017'],
      latitude: 40.015,
      longitude: -105.27,
      status: 'approved',
      acreage: 12.5,
      totalUnitCount: 40,
    },
    ...{ summary: 'Forty homes by the creek.', evidence: [ACRES, STATUS], meetingDate: '2026-10-03' },
    ...{ meetingDocuments: [{ meetingDocumentId: 501, title: 'Minutes of October' }] },
    ...{ contacts: [{ name: 'Jane Roe', role: 'applicant', company: 'Creek LLC', email: 'jane@example.org' }] },
    ...more,
  });

describe('the panel of a record', function () {
  this.timeout(BROWSER_MS);
  let world: TestWorld;
  let browser: Browser;
  let context: BrowserContext;
  const keys = { national: '', metered: '' };
  const complaints: string[] = [];

  before(async () => {
    [world, browser] = await Promise.all([testWorld({ today: TODAY }), openBrowser()]);
    context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce' });
    await world.api.index.load([
      project(2, { latitude: 40.02, longitude: -105.2, meetingDate: '2026-10-02' }),
      project(3, { latitude: 40.03, longitude: -105.21, meetingDate: '2026-10-01' }),
      {
        ...{ kind: 'document', id: 501, state: 'CO', county: 'Boulder County', title: 'Minutes of October', text: MINUTES },
        ...{ decisionBody: 'City Council', meetingDate: '2026-10-03', url: 'https://minutes.example.org/501' },
      },
      creek(),
    ]);
    keys.national = await world.api.key();
    keys.metered = await world.api.key('api_only');
  });
  after(async () => {
    await browser?.close();
    await world?.stop();
  });
  afterEach(() => assert.deepEqual(complaints.splice(0), [], 'violations of the policy, or errors of the page'));

  /** Opens the page in a tab of its own, and closes it behind the work. */
  async function visit(
    { path = '/map?project=1', key = keys.national, viewport = WIDE, dark = false },
    work: (page: Page) => Promise<void>,
  ) {
    const page = await context.newPage();
    try {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' });
      page.setDefaultTimeout(20_000);
      page.on('pageerror', (error) => complaints.push(String(error.stack)));
      await page.addInitScript(`addEventListener('securitypolicyviolation', (event) => { throw Error('violated ' + event.violatedDirective) });
        sessionStorage.setItem('landuse-key', '${key}'); ${UNDRAWN}`);
      await page.goto(`${world.api.url}${path}`);
      await work(page);
    } finally {
      await page.close();
    }
  }
  const row = (name: string) => `.record dl > div:has(dt:has-text("${name}"))`;
  const show = async (page: Page, name: string) => {
    await page.click(`${row(name)} .value`);
    return page.waitForSelector(`${row(name)} .proof:not(:has(.loading))`);
  };

  it('shows the words that a value was read from, marked in the minutes, and says plainly where there are none', () =>
    visit({}, async (page) => {
      const proof = await show(page, 'Acres');
      assert.equal(await page.getAttribute(`${row('Acres')} .value`, 'aria-expanded'), 'true');
      const mark = await page.waitForSelector(`${row('Acres')} mark`);
      assert.equal(await mark.textContent(), 'The site has\n12.5 acres along the creek.');
      assert.match(
        await proof.innerText(),
        /Minutes of October\nCity Council · Oct 3, 2026 · page 2 · Source[\s\S]*Generation 1, published \w+ \d+, 2026/,
      );
      await page.click(`${row('Acres')} >> text=The whole minutes`);
      const whole = await page.waitForSelector(`${row('Acres')} .minutes`);
      assert.equal(await whole.textContent(), MINUTES);
      assert(await whole.evaluate((box) => box.scrollTop > 0), 'the mark is in view');
      assert.match(await (await show(page, 'Units')).innerText(), /^No quote\. The generation names no words/);
      await page.click(`${row('Acres')} .value`);
      await page.waitForSelector(`${row('Acres')} .proof`, { state: 'detached' });
    }));

  it('says the price of minutes before they are read, and that of a record that changed before its words are shown', () =>
    visit({ key: keys.metered }, async (page) => {
      await page.click('text=Read it for 1 credit');
      const proof = await show(page, 'Acres');
      assert.equal(await world.balance(keys.metered), 4_999);
      assert(!(await proof.innerText()).includes('Call to order'));
      await page.click(`${row('Acres')} >> text=Show it in the minutes (1 credit the first time)`);
      await page.waitForSelector(`${row('Acres')} mark`);
      await page.waitForSelector('.account >> text=4,998');
      await show(page, 'Status');
      assert.equal(await page.textContent(`${row('Status')} mark`), 'The Council approved the request.');
      assert.equal(await world.balance(keys.metered), 4_998);
    }));

  it('says what changed since the team held the record, before that costs anything, and marks it', async () => {
    await world.api.index.load([creek({ acreage: 13, evidence: [STATUS] })], { mode: 'increment' });
    await visit({ key: keys.metered }, async (page) => {
      const said = await page.waitForSelector('.changed');
      assert.match(await said.innerText(), /^Changed since your team got it on .+: Acres\.$/);
      assert.equal(await world.balance(keys.metered), 4_998);
      await page.click('text=Read it for 1 credit');
      await page.waitForSelector(`${row('Acres')} dt >> text=changed`);
      assert.equal(await world.balance(keys.metered), 4_997);
      await world.api.index.load([creek({ acreage: 14, evidence: [STATUS] })], { mode: 'increment' });
      await page.click(`${row('Status')} .value`);
      await page.waitForSelector('text=The record has changed since this page read it.');
      await page.click('text=Try again');
      await page.waitForSelector('text=Read it for 1 credit');
      assert.equal(await world.balance(keys.metered), 4_997);
    });
  });

  for (const [viewport, dark] of [
    [NARROW, true],
    [WIDE, false],
  ] as const)
    it(`has no violation of accessibility and no sideways scrolling at ${viewport.width} pixels, ${dark ? 'dark' : 'light'}`, () =>
      visit({ viewport, dark, path: `/map?view=${AROUND_BOULDER}&project=1` }, async (page) => {
        await page.waitForSelector('.record .value');
        await show(page, 'Status');
        await page.click(`${row('Status')} >> text=The whole minutes`);
        await show(page, 'Units');
        await page.evaluate(AXE);
        const found = await page.evaluate<string[]>(
          `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`,
        );
        assert.deepEqual(found, []);
        assert(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), 'it is wider than the screen');
      }));
});
