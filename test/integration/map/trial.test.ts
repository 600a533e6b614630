/** A free trial on the map: its small allowance suffices for an analyst's clicks; requests beyond it wait and are then repeated. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page, Request } from 'playwright-core';
import { openBrowser } from '../../../scripts/lib/browser.ts';
import { TABS } from '../../../src/web/app/shared/state.ts';
import { project, TODAY } from '../../support/fixtures.ts';
import { provide } from '../../support/provide.ts';
import { Random } from '../../support/random.ts';
import { testRedis } from '../../support/redis.ts';
import { provideService, type TestService } from '../../support/service.ts';

/** Of a free trial, requests per trailing 60 seconds (src/docs/keys.md). */
const ALLOWANCE = 10;
const WINDOW_SECONDS = 60;
const WORK_SECONDS = 600;
/** From one click to the next: an analyst reads what has come. */
const PAUSE_SECONDS = { from: 5, to: 15 };
const POLL_MS = 10;
/** Left of the window when the page waits, so that the test need not wait for all of it. */
const LEFT_SECONDS = 15;
const MICROSECONDS = 1e6;
/** The page as it is without WebGL: its requests are the same, and each comes at once. */
const UNDRAWN = 'HTMLCanvasElement.prototype.getContext = () => null';

/** Makes every request that the service counts so much older. */
async function ageRequests({ index }: TestService, seconds: number): Promise<void> {
  const { redis, drop } = await testRedis();
  for (const log of await redis.keys(`${index.prefix}:*`)) {
    if ((await redis.type(log)) !== 'zset') continue;
    const moments = await redis.zrange(log, '0', '-1');
    for (const moment of moments) await redis.zincrby(log, String(-seconds * MICROSECONDS), moment);
  }
  await drop();
}

/** Types a filter and takes the first offer. */
async function type(page: Page, words: string): Promise<void> {
  await page.fill('#filter-search', words);
  await page.press('#filter-search', 'Enter');
}

/**
 * Stops the page's clock, so that what it does within a time does not depend on how fast the machine is.
 * @returns lets seconds pass for the page, and waits for what it asks for meanwhile
 */
async function stopClock(page: Page): Promise<(seconds: number) => Promise<void>> {
  const open = new Set<Request>();
  page.on('request', (request) => open.add(request));
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  await page.clock.install();
  await page.clock.pauseAt(Date.now());
  return async (seconds) => {
    for (let passed = 0; passed < seconds; passed++) {
      await page.clock.runFor(1000);
      while (open.size) await sleep(POLL_MS);
    }
  };
}

describe('a free trial at the map', () => {
  // The clicks of ten minutes are made in one; their use of the allowance is computed for the times at which a person would click.
  const api = provideService(
    { today: TODAY, env: { RATE_LIMIT_TRIAL: '1000' } },
    Array.from({ length: 40 }, (_, i) =>
      project(i + 1, {
        ...{ latitude: 40 + i / 200, longitude: -105.3 + i / 200, status: i % 2 ? 'approved' : 'denied' },
        ...{ propertyType: i % 3 ? 'residential' : 'commercial', acreage: i },
      }),
    ),
  );
  const browser = provide(() => openBrowser({ draws: false }));

  async function visit(url: string, key: string, work: (page: Page) => Promise<void>): Promise<void> {
    await using page = await browser.newPage({ locale: 'en-US', reducedMotion: 'reduce' });
    page.setDefaultTimeout(90_000);
    await page.addInitScript(`sessionStorage.setItem('landuse-key', '${key}')`);
    await page.addInitScript(UNDRAWN);
    await page.goto(`${url}/map`);
    await page.waitForSelector('.total strong');
    await work(page);
  }

  /** Requests that are counted against the allowance: all to the API but the start. */
  // The start and readings of sentences have allowances of their own.
  const isCounted = (url: string) => /\/v1\/(?!start$|interpret\?)/.test(url);

  it('starts for one request of its allowance', async () => {
    const asked: string[] = [];
    await using drawing = await openBrowser();
    const page = await drawing.newPage();
    page.on('request', (request) => isCounted(request.url()) && asked.push(new URL(request.url()).pathname));
    await page.addInitScript(`sessionStorage.setItem('landuse-key', '${await api.key('trial', { stateIds: [8], countyIds: [] })}')`);
    await page.goto(`${api.url}/map`);
    await page.waitForSelector('.total strong');
    await page.waitForSelector('.tools');
    await page.waitForTimeout(1_500);
    await page.close();
    assert.deepEqual(asked, ['/v1/projects/map']);
  });

  it('opens each tab for one request of its allowance at most, charts, odds and a comparison of five places included', async () => {
    const counted: Record<string, string[]> = {};
    const key = await api.key('trial', { stateIds: [8], countyIds: [] });
    for (const tab of TABS) {
      const asked: string[] = [];
      await using page = await browser.newPage();
      page.on('request', (request) => isCounted(request.url()) && asked.push(new URL(request.url()).pathname));
      await page.addInitScript(`sessionStorage.setItem('landuse-key', '${key}')`);
      await page.addInitScript(UNDRAWN);
      await page.goto(`${api.url}/map?tab=${tab}&dateRange=all&places=states:8,counties:8013,counties:8031,counties:8069,cities:5574991`);
      await page.waitForSelector('main h1');
      await page.waitForLoadState('networkidle');
      await page.waitForTimeout(300);
      assert.equal(await page.$('[role=alert]'), null, tab);
      if (asked.length > 1) counted[tab] = asked;
    }
    assert.deepEqual(counted, {});
  });

  it('clicks for ten minutes at the pace of an analyst without a refusal', async () => {
    const random = new Random(11);
    const spent: number[] = [];
    let clock = 0;
    await visit(api.url, await api.key('trial', { stateIds: [8], countyIds: [] }), async (page) => {
      const passTime = await stopClock(page);
      page.on('request', (request) => isCounted(request.url()) && spent.push(clock));
      const click = async (selector: string) => {
        if (!(await page.isVisible(selector))) return false;
        await page.click(selector);
        return true;
      };
      const typed = (words: string) => type(page, words).then(() => true);
      const actions: [string, () => Promise<boolean>][] = [
        ['a place', () => typed(random.pick(['colorado', 'boulder, co']))],
        ['a type', () => typed(random.pick(['building type: residential', 'building type: commercial']))],
        ['dates', () => typed(random.pick(['last 6 months', 'all dates']))],
        ['a status', () => typed(random.pick(['approved', 'denied']))],
        ['acres', () => typed(`acres at least ${random.integer(0, 20)}`)],
        ['a filter away', () => click('.filter-chip .remove >> nth=0')],
        // Before the first filter there is only what was there before the page.
        ['back', async () => Boolean(new URL(page.url()).search && (await page.goBack()))],
        ['a cluster or project', () => click('.items .item >> nth=0')],
        ['the panel away', () => click('.panel header button')],
        ['no filters', () => click('.filter-actions >> text=Clear')],
      ];
      let clicks = 0;
      while (clock < WORK_SECONDS) {
        const [, act] = random.pick(actions);
        // What is not there to be clicked is not clicked.
        if (!(await act())) continue;
        clicks++;
        const pause = random.integer(PAUSE_SECONDS.from, PAUSE_SECONDS.to);
        await passTime(pause);
        assert.equal(await page.$('.waiting, [role=alert]'), null, 'nobody is refused');
        clock += pause;
      }
      assert(clicks > 50, `${clicks} clicks`);
    });
    const most = Math.max(...spent.map((at) => spent.filter((other) => other > at - WINDOW_SECONDS && other <= at).length));
    assert(spent.length > 20 && most <= ALLOWANCE, `${spent.length} requests, at most ${most} in ${WINDOW_SECONDS} seconds`);
  });

  it('waits when the allowance is spent, counts the seconds, and continues by itself', async () => {
    await using limited = await api.another({ RATE_LIMIT_TRIAL: String(ALLOWANCE) });
    const key = await api.key('trial', { stateIds: [8], countyIds: [] });
    await visit(limited.url, key, async (page) => {
      await Promise.all(Array.from({ length: ALLOWANCE }, () => limited.get('/locations/states', {}, { key })));
      await ageRequests(api, WINDOW_SECONDS - LEFT_SECONDS);
      await type(page, 'building type: commercial');
      await page.waitForSelector('.waiting');
      const seconds = async () => Number(/in (\d+) s/.exec((await page.textContent('.waiting')) ?? '')?.[1]);
      const first = await seconds();
      assert(first > 0 && first <= WINDOW_SECONDS + 1, `${first} s`);
      if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT });
      await page.waitForTimeout(2_500);
      assert((await seconds()) < first, 'it counts');
      assert.equal(await page.$('[role=alert]'), null);
      await page.waitForSelector('.total strong:text-is("14")');
      assert.equal(await page.$('.waiting'), null);
    });
  });
});
