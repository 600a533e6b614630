/** The tab of match, in a real browser: a file is read there, its rows are matched, and it is saved with them. `MATCH_PICTURES=folder` keeps pictures. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { project, TODAY } from '../../support/fixtures.ts';
import { assertAccessible, provideVisits, REFUSALS } from '../../support/pageVisits.ts';
import { provideService } from '../../support/service.ts';

const PICTURES = process.env.MATCH_PICTURES;
const NARROW = { width: 390, height: 844 };
const WIDE = { width: 1440, height: 900 };

const LIST = [
  'Loan;APN;Site Address;City;State;Note',
  '1;;1801 Pearl St;Boulder;CO;"=1+1, ""quoted"""',
  '2;1.23E+11;;;;shortened',
  '3;;1 Nowhere Ln;Boulder;CO;',
  '4;;"920 North;Boulder;CO;quote',
  '5;;1801 Pearl St;;;no place',
  '6;;;;;nothing',
];
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const FILE = { name: 'loans.csv', mimeType: 'text/csv', buffer: utf16(LIST.join('\r\n')) };

describe('match on the page', () => {
  const visitPage = provideVisits(() => ({ url: api.url, path: '/map?tab=match', expected: REFUSALS }), { acceptDownloads: true });
  const api = provideService({ today: TODAY });

  before(() =>
    api.index.load([
      project(1, { projectName: 'Project 1', address: '1801 Pearl Street' }),
      project(2, { projectName: 'Project 2', address: '920 N Broadway' }),
      project(3, { address: '5 Oak Ave', caseNumbers: ['Z-77'], parcelNumbers: ['524375029'] }),
    ]),
  );

  interface Reader {
    plan?: 'national' | 'api_only';
    viewport?: typeof WIDE;
    dark?: boolean;
  }
  const visit = async (work: (page: Page) => Promise<void>, { plan = 'national', viewport = WIDE, dark = false }: Reader = {}) => {
    const key = await api.key(plan);
    await visitPage({ key, viewport, dark }, work);
  };
  const rowsOf = (page: Page) =>
    page.$$eval('[aria-label$=", rows"] tbody tr', (rows) =>
      rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent ?? '')),
    );
  const runMatch = async (page: Page) => {
    await page.setInputFiles('#match-file', FILE);
    await page.click('button:has-text("Match 6 rows")');
    await page.waitForSelector('h2:has-text("Sure")');
  };

  it('says what was read of a file, matches its rows, and saves them as they were with what was found', () =>
    visit(async (page) => {
      await runMatch(page);
      const read = await page.innerText('.match-read');
      for (const words of [/UTF-16/, /APN as parcelNumber, Site Address as address/, /Note/, /Free of charge/]) assert.match(read, words);
      assert.match(await page.innerText('summary'), /1 row not read, and why/);
      assert.equal(await page.innerText('h2:focus'), 'Sure: 1 · Unsure: 1 · None: 4');
      const [sure, unsure, ...none] = await rowsOf(page);
      await page.waitForSelector('[aria-label="Sure"] a:text-is("Project 1")');
      assert.deepEqual(sure?.slice(5), ['1', '', '1801 Pearl St', 'Boulder', 'CO', '=1+1, "quoted"']);
      assert.deepEqual([sure?.[1], unsure?.[1], none.map(([at]) => at)], ['1', '5', ['2', '3', '4', '6']]);
      assert.match(none[0]?.[1] ?? '', /scientific notation/);
      assert.equal(none[1]?.[1], 'none found');
      const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Download your list')]);
      assert.equal(download.suggestedFilename(), 'loans-matched.csv');
      const lines = readFileSync(await download.path(), 'utf8').split('\r\n');
      assert.equal(lines[0], '\ufeffLoan,APN,Site Address,City,State,Note,matchId,matchScore,matchReasons,matchCount,matchProblem');
      assert.match(lines[1] ?? '', /^1,,1801 Pearl St,Boulder,CO,"=1\+1, ""quoted""",1,0\.99\d,address,1,$/);
      assert.match(lines[4] ?? '', /^4,,"""920 North",Boulder,CO,quote,,,,0,/);
    }));

  it('says on metered plans that records are not held, and claims no certainty of them', () =>
    visit(
      async (page) => {
        await runMatch(page);
        assert.match(await page.innerText('.match-read'), /counted, not named/);
        assert.match((await rowsOf(page))[0]?.join('|') ?? '', /^1\|1 record that your team does not hold\|1\|/);
      },
      { plan: 'api_only' },
    ));

  it('finds typed lines by what each looks like, and keeps the sure ones and those that are ticked as a list', () =>
    visit(async (page) => {
      const lines = ['920 N Broadway, Boulder, CO 80302', '1801 Pearl St', 'Z-77', '524375029', '1 Nowhere Ln, Boulder, CO'];
      await page.fill('#match-text', lines.join('\n'));
      await page.click('text=Find 5 lines');
      assert.equal(await page.innerText('h2:focus'), 'Sure: 2 · Unsure: 2 · None: 1');
      assert.deepEqual((await rowsOf(page)).map((row) => row.at(-1) ?? '').sort(), [...lines].sort());
      await page.waitForSelector('h3:text-is("Keep 2 projects as a list")');
      await page.check('[aria-label="Unsure"] tr:has-text("1801 Pearl St") input');
      await page.waitForSelector('h3:text-is("Keep 3 projects as a list")');
      await page.fill('#selection-list-name', 'My sites');
      await page.click('text=Add 3 projects, free');
      await page.waitForSelector('.toast:has-text("3 projects saved as the new list “My sites”.")');
      await page.click('nav >> text=Lists');
      await page.click('main >> text="My sites"');
      await page.waitForSelector('h2:text-is("3 projects")');
      await page.waitForSelector('table >> text="Project 1"');
    }));

  it('says why a file is no list, and takes one that is dropped', () =>
    visit(async (page) => {
      await page.setInputFiles('#match-file', { name: 'a.xlsx', mimeType: 'text/csv', buffer: Buffer.from('PK\x03\x04') });
      assert.match(await page.innerText('[role=alert]'), /a\.xlsx cannot be read: .*save the sheet as CSV/);
      await page.setInputFiles('#match-file', { name: 'b.csv', mimeType: 'text/csv', buffer: Buffer.from('owner\nAnn\n') });
      await page.waitForSelector('[role=alert]:has-text("No column of b.csv names anything")');
      const dropped = await page.evaluateHandle(`(() => {
        const data = new DataTransfer();
        data.items.add(new File(['address\\n12 Elm St\\n'], 'c.csv'));
        return data;
      })()`);
      await page.dispatchEvent('.drop', 'drop', { dataTransfer: dropped });
      await page.waitForSelector('button:has-text("Match 1 row")');
      assert.equal(await page.locator('[role=alert]').count(), 0);
    }));

  for (const [viewport, dark] of [
    [NARROW, true],
    [WIDE, false],
  ] as const)
    it(`has no violation of accessibility and no sideways scrolling at ${viewport.width} pixels, ${dark ? 'dark' : 'light'}`, () =>
      visit(
        async (page) => {
          await assertAccessible(page, 'without a file');
          await runMatch(page);
          await page.click('summary');
          await assertAccessible(page, 'matched');
          if (PICTURES) await page.screenshot({ path: path.join(PICTURES, `match-${viewport.width}.png`), fullPage: true });
        },
        { viewport, dark },
      ));
});
