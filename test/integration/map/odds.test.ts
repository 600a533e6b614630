/** The tab of odds, in a real browser: shares, days, curves, what is hidden, and the way to a group. `ODDS_PICTURES=folder` keeps pictures of it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { project, TODAY } from '../../support/fixtures.ts';
import { assertAccessible, bothScreens, provideVisits, WIDE } from '../../support/pageVisits.ts';
import { provideService } from '../../support/service.ts';

const PICTURES = process.env.ODDS_PICTURES;

const OUTCOMES = ['approved', 'denied', 'withdrawn', 'stalled', 'soft_denial'] as const;
type Outcome = (typeof OUTCOMES)[number];
interface Odds {
  n: number;
  decided: number | null;
  outcomes: Record<Outcome, number | null>;
  other: number | null;
  intervals: Record<Outcome | 'other', [number, number] | null>;
  daysToDecision: { p75: number | null } | null;
  curve: { days: number; undecidedShare: number }[] | null;
}
interface Answer {
  groups: Odds[];
  totals: Odds;
}

const dayBefore = (days: number) => new Date(Date.parse(TODAY) - days * 86_400_000).toISOString().slice(0, 10);

/** Projects with an outcome: the first hearing was 10, 20, 30, … days before the latest one, which was long ago except for pending projects. */
const some = (count: number, from: number, more: Record<string, unknown>) =>
  Array.from({ length: count }, (_, i) => {
    const latest = more.status === 'pending' ? 30 : 200;
    return project(from + i, {
      meetingDate: dayBefore(latest),
      firstMeetingDate: dayBefore(latest + 10 * (i + 1)),
      appearanceCount: 1 + (i % 3),
      ...more,
    });
  });

describe('odds on the page', () => {
  const visit = provideVisits(() => ({ url: api.url, path: '/map?tab=odds&dateRange=all', key }), { acceptDownloads: true });
  const api = provideService({ today: TODAY });
  let key = '';

  before(async () => {
    await api.index.load([
      ...some(30, 100, { decisionBody: 'city_council', status: 'approved' }),
      ...some(10, 200, { decisionBody: 'city_council', status: 'denied', requestType: 'variance' }),
      ...some(6, 300, { decisionBody: 'city_council', status: 'withdrawn' }),
      ...some(8, 400, { decisionBody: 'city_council', status: 'continued' }),
      ...some(9, 500, { decisionBody: 'city_council', status: 'pending' }),
      ...some(12, 600, { decisionBody: 'planning_commission', status: 'approved' }),
      ...some(7, 700, { decisionBody: 'planning_commission', status: 'denied' }),
      ...some(2, 800, { decisionBody: 'planning_commission', status: 'withdrawn' }),
      ...some(3, 900, { decisionBody: 'board_of_adjustment', status: 'approved' }),
      ...some(4, 950, { decisionBody: 'design_review_board', status: 'approved' }),
    ]);
    key = await api.key('national');
  });

  const card = (title: string) => `.chart:has(h2:text-is("${title}"))`;
  async function rowsOf(page: Page, title: string): Promise<string[][]> {
    await page.waitForSelector(`${card(title)} table`, { state: 'attached' });
    return page.$$eval(`${card(title)} tbody tr`, (rows) =>
      rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent ?? '')),
    );
  }
  const SHARES = 'What becomes of them, by decision body';

  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  const cellOf = (share: number | null, bounds: [number, number] | null) =>
    share === null ? 'not shown' : `${percent(share)} (${bounds?.map((bound) => Math.round(100 * bound)).join('–')})`;

  for (const plan of ['national', 'api_only'] as const)
    it(`are those of the answer of plan ${plan}, with what it joins hatched and in words`, async () => {
      const reader = await api.key(plan);
      await visit({ key: reader }, async (page) => {
        const { body } = await api.post('/analytics/odds', { filters: { dateRange: 'all' }, by: ['decisionBody'] }, { key: reader });
        const { groups, totals } = body.data as unknown as Answer;
        const rows = await rowsOf(page, SHARES);
        assert.deepEqual(
          rows.map(([, decided, , , ...shares]) => [decided, ...shares]),
          [totals, ...groups].map(({ decided, outcomes, other, intervals }) => [
            decided === null ? 'not shown' : String(decided),
            ...OUTCOMES.map((outcome) => cellOf(outcomes[outcome], intervals[outcome])),
            other === null ? '' : cellOf(other, intervals.other),
          ]),
        );
        assert.deepEqual(
          rows.map(([name]) => name),
          ['All that match', 'City Council', 'Planning Commission'],
        );
        const [whole] = await page.locator(`${card(SHARES)} .bar-name`).allTextContents();
        assert.equal(whole, `All that match · ${percent(totals.outcomes.approved as number)} approved, of ${totals.n} decided or given up`);
        const joins = groups.filter(({ other }) => other !== null).length;
        // Six of the Council's are withdrawn, two of the Commission's: the one would tell the other.
        assert.equal(joins, plan === 'national' ? 0 : 2);
        assert.equal(await page.locator(`${card(SHARES)} .hidden-stub`).count(), joins);
        assert.equal(/joined with the next smallest/.test(await page.innerText(card(SHARES))), joins > 0);
        assert.match(await page.innerText(card(SHARES)), /fewer than five decided projects are left out/);
        const words = await page.innerText('.odds-words');
        const [low, high] = (totals.intervals.approved ?? []).map((bound) => Math.round(100 * bound));
        assert.ok(words.startsWith(`Of ${totals.n} decided or given up`) && words.includes(`between ${low} and ${high} %`), words);
        assert.ok(words.includes(`three quarters by day ${totals.daysToDecision?.p75}`), words);
        assert.match(
          (await rowsOf(page, 'Days to decision, by decision body'))[1]?.[1] ?? '',
          /^\d+ days; a quarter by \d+, three quarters by/,
        );
        const named = [totals, ...groups].flatMap(({ curve }, i) =>
          (curve ?? []).map(({ days, undecidedShare }) => [rows[i]?.[0], String(days), percent(undecidedShare)]),
        );
        assert.deepEqual(await rowsOf(page, 'Undecided after so many days'), named);
      });
    });

  it('say where half was never decided, which is not the same as hidden', () =>
    visit(
      {
        path: `/map?tab=odds&dateRange=all&decisionBodies=city_council&status=denied,withdrawn,continued,pending&firstMeetingDateFrom=${dayBefore(260)}`,
      },
      async (page) => {
        await page.waitForSelector('.odds-figures div:has(dt:text-is("Days until half are decided")) dd:text-is("not reached")');
        const days = 'Days to decision, by decision body';
        assert.match((await rowsOf(page, days))[0]?.[1] ?? '', /^less than half decided; a quarter by 60$/);
        assert.ok((await page.locator(`${card(days)} .hidden-stub`).count()) > 0, 'what is not reached is hatched');
        assert.match(await page.innerText(card(days)), /hatched where that is not reached/);
      },
    ));

  it('are by what the reader chooses, in the address, and narrow the filters to a group', () =>
    visit({}, async (page) => {
      await page.selectOption('#odds-by', { label: 'Request type' });
      await page.waitForURL(/by=requestType/);
      assert.deepEqual((await rowsOf(page, 'What becomes of them, by request type')).at(-1)?.slice(0, 2), ['Variance', '10']);
      await page.click('a[aria-label="Variance. Show only these"]');
      await page.waitForURL(/requestTypes=variance/);
      await page.waitForSelector('.odds-figures dd:text-is("10")');
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.click(`${card('What becomes of them, by request type')} button:text-is("CSV")`),
      ]);
      assert.equal(file.suggestedFilename(), 'odds-by-requestType.csv');
      await page.selectOption('#odds-by', { label: 'State' });
      await page.click('a[aria-label="Colorado. Show only these"]');
      await page.waitForURL(/states=8/);
      await page.selectOption('#odds-by', { label: 'County' });
      assert.deepEqual(
        (await rowsOf(page, 'What becomes of them, by county')).map(([name]) => name),
        ['All that match', 'Boulder County, CO'],
      );
      await page.selectOption('#odds-county', { label: 'Adams County, CO' });
      await page.waitForURL(/counties=8001/);
      await page.waitForSelector('.empty:has-text("Nothing matches the filters")');
      await page.selectOption('#odds-county', { label: 'All counties' });
      await page.goto(`${api.url}/map?tab=odds&dateRange=all&counties=8001,8013&states=CO,TX`);
      assert.equal(await page.locator('#odds-county option:checked').innerText(), '2 counties');
      assert.equal(await page.locator('#odds-state option:checked').innerText(), '2 states');
      await page.selectOption('#odds-state', { label: 'Texas' });
      await page.waitForURL((url) => url.searchParams.get('states') === '48' && !url.searchParams.has('counties'));
      await page.goto(`${api.url}/map?tab=odds&dateRange=all&decisionBodies=board_of_adjustment`);
      await page.waitForSelector('.empty:has-text("each group needs five")');
    }));

  it('give the charts days to decision, as picture and as CSV, without means of what is decided', () =>
    visit({ path: '/map?tab=charts&dateRange=all&metric=daysToDecision' }, async (page) => {
      const by = async (dimension: string) => {
        const { body } = await api.post('/analytics/odds', { filters: { dateRange: 'all' }, by: [dimension] }, { key });
        const { groups } = body.data as unknown as { groups: { labels: object; daysToDecision: { p50: number } }[] };
        const rows = groups.map(({ labels, daysToDecision }) => [Object.values(labels)[0], String(daysToDecision.p50)]);
        return rows.sort(([, a], [, b]) => Number(b) - Number(a));
      };
      const asked: string[] = [];
      page.on('request', (request) => asked.push(...(request.url().endsWith('/analytics/odds') ? [request.url()] : [])));
      await page.reload();
      const title = 'Days until half are decided by decision body';
      assert.deepEqual(await rowsOf(page, title), await by('decisionBody'));
      assert.deepEqual(await rowsOf(page, 'Days until half are decided by state'), await by('state'));
      assert.equal(asked.length, 1, 'all charts are one request');
      assert.match(await page.innerText(card(title)), /fewer than 5 decided projects are not shown/);
      const save = async (kind: string) => {
        const [file] = await Promise.all([page.waitForEvent('download'), page.click(`${card(title)} button:text-is("${kind}")`)]);
        return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
      };
      const csv = await save('CSV');
      assert.equal(csv.name, 'days-until-half-are-decided-by-decision-body.csv');
      assert.deepEqual(
        csv.bytes.toString().trim().split('\r\n'),
        [['Decision body', 'Days until half are decided'], ...(await by('decisionBody'))].map(
          (cells, i) => `${cells.map((cell) => `"${cell}"`).join(',')},"${i ? '' : 'Note'}"`,
        ),
      );
      const svg = (await save('SVG')).bytes.toString();
      assert.ok(svg.includes(`>${title}<`) && svg.includes('>City Council<'));
      await page.click(`${card(title)} a[aria-label^="City Council: "]`);
      await page.waitForURL(/decisionBodies=city_council/);
      await page.selectOption('#measure', { label: 'Projects' });
      await page.waitForSelector('h2:text-is("Projects by state")');
      await page.waitForSelector('h2:text-is("Projects by outcome")');
    }));

  for (const [viewport, dark] of bothScreens(WIDE))
    it(`have no violation of accessibility and no sideways scrolling at ${viewport.width} pixels, ${dark ? 'dark' : 'light'}`, () =>
      visit({ viewport, dark }, async (page) => {
        await page.waitForSelector('.chart-drawing .curve');
        await page.click('summary >> nth=0');
        await assertAccessible(page, 'odds');
        if (PICTURES) await page.screenshot({ path: path.join(PICTURES, `odds-${viewport.width}.png`), fullPage: true });
        await page.goto(`${api.url}/map?tab=charts&dateRange=all&metric=daysToDecision`);
        await page.waitForSelector('.chart svg');
        await assertAccessible(page, 'charts of days');
        if (PICTURES) await page.screenshot({ path: path.join(PICTURES, `days-${viewport.width}.png`), fullPage: true });
      }));
});
