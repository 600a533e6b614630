/** Charts and comparison of the page, in a real browser: measures, drilling down, hidden groups, differences, files. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { project, TODAY } from '../../support/fixtures.ts';
import { assertAccessible, bothScreens, clickTab, provideVisits, WIDE } from '../../support/pageVisits.ts';
import { provideService } from '../../support/service.ts';

const TEXAS = { state: 'TX', county: 'Travis County', city: 'Austin' };

const some = (count: number, from: number, more: Record<string, unknown>) =>
  Array.from({ length: count }, (_, i) => project(from + i, { acreage: 10, totalUnitCount: 20, status: 'denied', ...more }));

describe('charts of the page', () => {
  const visit = provideVisits(() => ({ url: api.url, key }), { acceptDownloads: true });
  const api = provideService({ today: TODAY });
  let key = '';

  before(async () => {
    await api.index.load([
      ...some(6, 100, { meetingDate: '2026-06-10' }),
      ...some(6, 200, { meetingDate: '2026-09-10', acreage: 2.5, status: 'approved' }),
      ...some(8, 300, { meetingDate: '2026-09-15', propertyType: 'commercial', acreage: null }),
      ...some(2, 390, { ...TEXAS, meetingDate: '2026-07-15' }),
      ...some(3, 400, { ...TEXAS, meetingDate: '2026-08-15' }),
      ...some(20, 500, { ...TEXAS, meetingDate: '2026-09-15', totalUnitCount: 100 }),
    ]);
    key = await api.key('national');
  });

  const parameters = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
  const chart = (title: string) => `.chart:has(h2:text-is("${title}"))`;
  /** Rows of the table behind a chart. */
  async function rowsOf(page: Page, title: string): Promise<string[][]> {
    await page.waitForSelector(`${chart(title)} table`, { state: 'attached' });
    return page.$$eval(`${chart(title)} tbody tr`, (rows) =>
      rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent ?? '')),
    );
  }
  const count = async (filters: object) => (await api.get('/projects/count', { ...filters }, { key })).body.data.matchCount;

  it('draw a month that the answer hides as a hatched stub, and a month without projects as zero', async () => {
    await visit({ path: '/map?tab=charts&dateRange=all' }, async (page) => {
      const title = 'Projects by month of their meeting';
      assert.deepEqual(await rowsOf(page, title), [
        ['June 2026', '6'],
        ['July 2026', 'fewer than 5, or hidden'],
        ['August 2026', 'fewer than 5, or hidden'],
        ['September 2026', '34'],
      ]);
      assert.equal(await page.locator(`${chart(title)} .mark .hidden-stub`).count(), 2);
      assert.match(await page.innerText(chart(title)), /Groups of fewer than 5 projects are not shown/);
    });
    await visit({ path: '/map?tab=charts&dateRange=all&states=CO' }, async (page) => {
      const title = 'Projects by month of their meeting';
      assert.deepEqual(await rowsOf(page, title), [
        ['June 2026', '6'],
        ['July 2026', '0'],
        ['August 2026', '0'],
        ['September 2026', '14'],
      ]);
      assert.equal(await page.locator(`${chart(title)} .hidden-stub`).count(), 0);
    });
  });

  it('measure what the reader chooses, in the address, the largest first', () =>
    visit({ path: '/map?tab=charts&dateRange=all' }, async (page) => {
      assert.deepEqual((await rowsOf(page, 'Projects by Building Type'))[0], ['Residential', '37']);
      await page.selectOption('#measure', { label: 'Acres in total' });
      assert.deepEqual(await rowsOf(page, 'Acres in total by Building Type'), [
        ['Residential', '325'],
        ['Commercial', 'stated by fewer than 5, or hidden'],
      ]);
      assert.equal(parameters(page).metric, 'sum_acreage');
      assert.deepEqual((await rowsOf(page, 'Acres in total by county'))[0], ['Travis County, TX', '250']);
      await page.selectOption('#measure', { label: 'Dwelling units, median project' });
      await page.waitForURL(/metric=median_totalUnitCount/);
      assert.deepEqual((await rowsOf(page, 'Dwelling units, median project by county'))[0], ['Travis County, TX', '100']);
      await page.goBack();
      await page.waitForSelector('h2:text-is("Acres in total by county")');
    }));

  it('narrow the filters to a bar that is chosen, by pointer and by keyboard, and show what lies within it', () =>
    visit({ path: '/map?tab=charts&dateRange=all' }, async (page) => {
      await page.click(`${chart('Projects by Building Type')} a[aria-label^="Commercial: 8"]`);
      await page.waitForURL(/propertyTypes=commercial/);
      await page.waitForSelector('h2:text-is("Projects by subtype")');
      const { tab: _, ...filters } = parameters(page);
      assert.equal(await count(filters), 8);
      await page.goBack();
      await page.focus(`${chart('Projects by month of their meeting')} a[aria-label^="June 2026: 6"]`);
      await page.keyboard.press('Enter');
      await page.waitForURL(/meetingDateFrom=2026-06-01/);
      const { tab: __, ...june } = parameters(page);
      assert.deepEqual(june, { meetingDateFrom: '2026-06-01', meetingDateTo: '2026-06-30' });
      assert.equal(await count(june), 6);
      await page.waitForSelector('h2:text-is("Projects by week of their meeting")');
      assert.deepEqual(await rowsOf(page, 'Projects by week of their meeting'), [
        ['Week of June 1, 2026', '0'],
        ['Week of June 8, 2026', '6'],
        ['Week of June 15, 2026', '0'],
        ['Week of June 22, 2026', '0'],
        ['Week of June 29, 2026', '0'],
      ]);
    }));

  it('are saved as pictures that need no style sheet, and as CSV that no spreadsheet runs', () =>
    visit({ isDrawn: true, path: '/map?tab=charts&dateRange=all' }, async (page) => {
      const title = 'Projects by month of their meeting';
      await rowsOf(page, title);
      const save = async (kind: string) => {
        const [file] = await Promise.all([page.waitForEvent('download'), page.click(`${chart(title)} button:text-is("${kind}")`)]);
        return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
      };
      const csv = await save('CSV');
      assert.equal(csv.name, 'projects-by-month-of-their-meeting.csv');
      assert.equal(
        csv.bytes.toString(),
        '"Month","Projects","Note"\r\n"June 2026","6",""\r\n"July 2026","","fewer than 5, or hidden"\r\n"August 2026","","fewer than 5, or hidden"\r\n"September 2026","34",""\r\n',
      );
      const svg = (await save('SVG')).bytes.toString();
      assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
      assert(svg.includes(`>${title}<`) && svg.includes('fill="rgb(61, 147, 184)"') && svg.includes('fewer than 5, or hidden'));
      assert(!/class=|href=|var\(/.test(svg));
      const png = (await save('PNG')).bytes;
      assert.deepEqual([...png.subarray(0, 8)], [137, 80, 78, 71, 13, 10, 26, 10]);
      assert(png.length > 5_000 && png.readUInt32BE(16) > 800, `${png.length} bytes, ${png.readUInt32BE(16)} wide`);
    }));

  it('compare any number of places with the first, each figure with its share', () =>
    visit({ path: '/map?tab=compare&dateRange=all&a=counties:8013&b=states:48' }, async (page) => {
      await page.waitForSelector('th:text-is("Boulder County, CO")');
      const rows = async () =>
        Object.fromEntries(
          (
            await page.$$eval('.compared-figures tbody tr', (found) =>
              found.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent ?? '')),
            )
          ).map(([name = '', ...cells]) => [name, cells]),
        );
      const two = await rows();
      assert.deepEqual(two.Projects, ['20 · 44.4 % of all', '25 · 55.6 % of all+5 (+25 %)']);
      assert.deepEqual(two['Projects: Denied'], ['14 · 70 % of its projects', '25 · 100 % of its projects+30 points']);
      assert.deepEqual(two['Projects: Approved'], ['6 · 30 % of its projects', '0']);
      assert.deepEqual(two['Acres in total'], ['75 · 23.1 % of all', '250 · 76.9 % of all+175 (+233.3 %)']);
      assert.equal(parameters(page).a, 'counties:8013');
      await page.fill('#compared', 'colorad');
      await page.waitForSelector('#compared-places option[value="Colorado"]', { state: 'attached' });
      await page.fill('#compared', 'Colorado');
      await page.waitForURL(/places=counties:8013,states:48,states:8/);
      await page.waitForSelector('th:text-is("Colorado")');
      assert.equal((await rows()).Projects?.length, 3);
      await page.click('.place-chips li:has-text("Texas") >> text=Put first');
      await page.waitForURL(/places=states:48,counties:8013,states:8/);
      await page.waitForSelector('.note:has-text("Differences are to Texas")');
      assert.equal((await rows()).Projects?.[1], '20 · 44.4 % of all−5 (−20 %)');
      await page.click('button[aria-label="Remove Colorado"]');
      await page.waitForSelector('th:text-is("Colorado")', { state: 'detached' });
      const [file] = await Promise.all([page.waitForEvent('download'), page.click('text=Figures as CSV')]);
      const csv = readFileSync(await file.path(), 'utf8').split('\r\n');
      assert.equal(
        csv[0],
        '"Figure","Texas","Texas: share","Boulder County, CO","Boulder County, CO: share","Boulder County, CO: difference to Texas"',
      );
      assert.equal(csv[1], '"Projects","25","55.6 % of all","20","44.4 % of all","−5 (−20 %)"');
      await page.click(`${chart('Boulder County, CO: projects by status')} a[aria-label^="Denied: 14"]`);
      await page.waitForSelector('h1:text-is("Charts")');
      assert.deepEqual([parameters(page).counties, parameters(page).status], ['8013', 'denied']);
    }));

  it('say in words what is hidden where too few projects match', () =>
    visit({ path: '/map?tab=compare&dateRange=all&status=approved&places=counties:8013,states:48' }, async (page) => {
      await page.waitForSelector('h2:text-is("Texas: projects by status")');
      await page.waitForSelector('.empty:text-is("No status has 5 projects or more here.")');
      await clickTab(page, 'Charts');
      await page.waitForSelector('h2:text-is("Projects by status")');
      await page.goto(`${api.url}/map?tab=charts&meetingDateFrom=2026-08&meetingDateTo=2026-08`);
      await page.waitForSelector(`${chart('Projects by status')} .empty:has-text("each needs 5")`);
      await page.goto(`${api.url}/map?tab=charts&states=CO`);
      await page.waitForSelector('.lead:has-text("Meetings of the last year")');
    }));

  for (const [viewport, dark] of bothScreens(WIDE))
    it(`have no violation of accessibility and no sideways scrolling at ${viewport.width} pixels, ${dark ? 'dark' : 'light'}`, () =>
      visit({ path: '/map?tab=charts&dateRange=all', viewport, dark }, async (page) => {
        const check = async (tab: string) => {
          await page.waitForSelector('.chart svg');
          await page.waitForSelector('.loading', { state: 'detached' });
          await assertAccessible(page, tab);
        };
        await check('charts');
        await page.goto(`${api.url}/map?tab=compare&dateRange=all&places=counties:8013,states:48,states:8`);
        await check('compare');
      }));
});
