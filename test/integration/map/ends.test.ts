/** Where credits end on the page: what is said is true of the plan, nothing is offered that is refused, and whom to ask stands there. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { project, TODAY } from '../../support/fixtures.ts';
import { assertAccessible, clickTab, provideVisits, REFUSALS } from '../../support/pageVisits.ts';
import { provideService } from '../../support/service.ts';

const WIDE = { width: 1440, height: 800 };
const CONTACT = 'mailto:sales@landuse.example';
const UPGRADE = 'https://landuse.example/plans';
const RECORDS = 79;
const NEVER_REFILLED =
  'The credits of the free trial are never refilled. Counts, charts, the map and records that your team already holds stay free.';

describe('where credits end', () => {
  const env = { CONTACT_URL: CONTACT, UPGRADE_URL: UPGRADE, RATE_LIMIT_TRIAL: '100' };
  const visit = provideVisits(() => ({ url: api.url, viewport: WIDE, expected: REFUSALS }));
  const api = provideService(
    { today: TODAY, env },
    Array.from({ length: RECORDS }, (_, i) => project(i + 1, { latitude: 40.01, longitude: -105.2 })),
  );

  /** A trial that has bought so many records, the last in the order of a search. */
  async function trial(bought: number): Promise<string> {
    const key = await api.key('trial', { stateIds: [8], countyIds: [] });
    if (!bought) return key;
    const projectIds = Array.from({ length: bought }, (_, i) => RECORDS - i).join();
    assert.equal((await api.get('/projects/search', { projectIds, limit: bought }, { key })).body.meta.creditsUsed, bought);
    return key;
  }

  const shoot = async (page: Page, name: string) => {
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png` });
  };
  const named = (within: string) => `${within} a[href="${CONTACT}"]`;

  it('the header, the table and a question say so, that a trial has its credits once, and whom to ask', async () => {
    const key = await trial(50);
    for (const dark of [false, true])
      await visit({ key, path: '/map?tab=table&dateRange=all', dark }, async (page) => {
        await page.waitForSelector(`.account a[href="${UPGRADE}"]:text-is("More credits")`);
        await page.waitForSelector(`.table-foot:has-text("${NEVER_REFILLED}")`);
        await page.waitForSelector(named('.table-foot'));
        assert.equal(await page.$(`[role=alert], .table-foot button.primary`), null);
        await shoot(page, `table-end-${dark ? 'dark' : 'light'}`);
        await clickTab(page, 'Ask');
        await page.waitForSelector('.question-price:has-text("Your team has no credits left.")');
        await page.waitForSelector(`main :text("${NEVER_REFILLED}")`);
        assert.equal(await page.getAttribute('main .ask-for-more a', 'href'), UPGRADE);
        await assertAccessible(page, 'Ask');
        await shoot(page, `ask-end-${dark ? 'dark' : 'light'}`);
      });
  });

  it('the table offers as many rows as the balance pays for, and nothing that is refused after them', async () => {
    for (const [key, button, rows] of [
      [await trial(40), 'Show them for 10 credits', ''],
      [await api.key('api_only', undefined, { monthlyCredits: 10 }), 'Show the first 10 rows for 10 credits', '10 rows of'],
    ] as const)
      await visit({ key, path: '/map?tab=table&dateRange=all' }, async (page) => {
        await page.click(`.table-foot button:text-is("${button}")`);
        await page.waitForSelector('.account:has-text("0 credits")');
        await page.waitForSelector(`.table-foot [role=status]:has-text("${rows}")`);
        await page.waitForSelector(named('.table-foot'));
        await shoot(page, 'table-offer');
        assert.equal(await page.$('[role=alert], .table-foot button.primary'), null);
      });
  });

  it('a question says what the balance pays for', async () => {
    await visit({ key: await trial(46), path: '/map?tab=ask' }, async (page) => {
      const price = await (await page.waitForSelector('.question-price')).innerText();
      assert.match(price, /^Costs at most 10 credits: .* Your balance is 4: ask for 4 answers at most\.$/);
    });
  });

  it('a cluster has one number in its title, its price and its button, and says what the balance does not pay for', async () => {
    const key = await trial(12);
    await visit({ key, path: '/map?dateRange=all' }, async (page) => {
      await page.click('.item:has-text("67 projects")');
      await page.waitForSelector(`.panel h2:has-text("${RECORDS} projects")`);
      await page.waitForSelector(
        `.price:has-text("Reading these ${RECORDS} projects costs 67 credits, since your team holds the other 12.")`,
      );
      await page.waitForSelector(`.price:has-text("${NEVER_REFILLED}")`);
      await page.waitForSelector(named('.price'));
      await shoot(page, 'cluster-end');
    });
  });

  it('a monthly plan is told the day of its next credits', async () => {
    const key = await api.key('api_only', undefined, { monthlyCredits: 0 });
    await visit({ key, path: '/map?tab=table&dateRange=all' }, async (page) => {
      await page.waitForSelector('.table-foot:has-text("New credits come on Dec 1, 2026.")');
    });
  });

  it('the requests that a key has left are shown once few are', async () => {
    await using small = await api.another({ RATE_LIMIT_TRIAL: '4' });
    const key = await trial(0);
    await visit({ url: small.url, path: '/map?tab=keys', key }, async (page) => {
      await page.waitForSelector('h1:text-is("Keys")');
      await clickTab(page, 'Receipts');
      await page.waitForSelector('.requests:has-text("2 of 4 requests left")');
      await shoot(page, 'requests-left');
    });
  });

  it('no error promises a trial that its credits come again', async () => {
    const text = await (await fetch(`${api.url}/docs/errors`)).text();
    assert.doesNotMatch(text, /monthly reset|monthly allowance/);
    assert.match(text, /those of a trial are given once/);
  });
});
