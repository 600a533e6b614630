/** The page at /map in a browser that loses its network, and has it again. */
import assert from 'node:assert/strict';
import type { Page, Request } from 'playwright-core';
import { project, TODAY } from '../../support/fixtures.ts';
import { clickTab, provideVisits } from '../../support/pageVisits.ts';
import { provideService } from '../../support/service.ts';

const WITHOUT_NETWORK = /ERR_INTERNET_DISCONNECTED|Failed to fetch/;
const CLOSED = '.notice:has-text("The service does not answer.")';

describe('The page without a network', () => {
  const visit = provideVisits(() => ({ url: api.url, key, viewport: { width: 1240, height: 800 }, expected: WITHOUT_NETWORK }));
  const api = provideService({ today: TODAY });
  let key: string;

  before(async () => {
    const located = { latitude: 40.015, longitude: -105.27, nextMeetingDate: '2026-12-01' };
    await api.index.load(Array.from({ length: 6 }, (_, i) => project(1 + i, located)));
    key = await api.key();
  });

  /** Opens a tab without a network, and then has one. */
  async function openTab(page: Page, label: string): Promise<void> {
    await page.context().setOffline(true);
    try {
      await clickTab(page, label);
      await page.waitForSelector(CLOSED);
    } finally {
      await page.context().setOffline(false);
    }
    await page.waitForSelector('.notice', { state: 'detached' });
  }

  for (const [label, shown] of [
    ['Map', '.total strong:text-is("6")'],
    ['Table', '.record-row'],
    ['Charts', 'svg'],
    ['Odds', 'svg'],
    ['Hearings', 'main table'],
    ['Lists', 'main .empty'],
  ] as const)
    it(`repeats by itself what the tab ${label} could not load, once there is a network again`, () =>
      visit({ path: '/map?tab=keys' }, async (page) => {
        await page.waitForSelector('main table');
        await openTab(page, label);
        await page.waitForSelector(shown);
      }));

  it('loads the outlines of the map again, once there is a network again', () =>
    visit({ path: '/map?view=-125,24,-66,50', isDrawn: true }, async (page) => {
      const isOutline = (request: Request) => request.url().includes('counties');
      await page.waitForSelector('[aria-label="Zoom in"]');
      await page.context().setOffline(true);
      const failed = page.waitForEvent('requestfailed', isOutline);
      for (let level = 0; level < 3; level++) {
        await page.click('[aria-label="Zoom in"]');
        await page.waitForTimeout(400);
      }
      await failed;
      const loaded = page.waitForEvent('requestfinished', isOutline);
      await page.context().setOffline(false);
      await loaded;
    }));

  it('repeats nothing that may have been charged', () =>
    visit({ path: '/map?tab=exports' }, async (page) => {
      await page.click('text="Count the rows and their price"');
      await page.waitForSelector('main .quote:has-text("A CSV of")');
      let sent = 0;
      page.on('request', (request) => {
        if (request.method() === 'POST' && request.url().endsWith('/v1/exports')) sent += 1;
      });
      await page.context().setOffline(true);
      await page.click('main .quote button.primary');
      await page.waitForSelector(CLOSED);
      await page.context().setOffline(false);
      await page.waitForTimeout(1_500);
      assert.equal(sent, 1);
      assert.equal(await page.locator(CLOSED).count(), 1);
    }));
});
