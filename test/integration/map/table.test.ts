/** The table of records in a real browser: pages as one scrolls, their price, order, columns, widths, and keys. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import type { Page } from 'playwright-core';
import { composeServiceWorker } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config.ts';
import { project, TODAY } from '../../support/fixtures.ts';
import { QUICK } from '../../support/jobs.ts';
import { AXE, assertAccessible, bothScreens, clickTab, provideVisits, REFUSALS } from '../../support/pageVisits.ts';
import { provideService } from '../../support/service.ts';

/** The same of an answer that never came. */
const REFUSED_OR_CUT = new RegExp(`${REFUSALS.source}|net::ERR_FAILED`);
const WIDE = { width: 1440, height: 800 };
const RECORDS = 130;
const PARTIES = [
  { role: 'developer', name: 'Creek Homes LLC' },
  { role: 'owner', name: 'Ann Roe' },
  { role: 'owner', name: 'Bo Roe' },
] as const;

describe('the table of records', () => {
  const visit = provideVisits(() => ({ url: api.url, path: '/map?tab=table', key, viewport: WIDE, expected: REFUSED_OR_CUT }));
  const api = provideService({ today: TODAY });
  const earlier = provideService({ today: TODAY });
  let key = '';

  before(async () => {
    const many = Array.from({ length: RECORDS }, (_, i) =>
      project(i + 1, {
        ...{ projectName: `Project ${i + 1}`, acreage: i + 1, latitude: 40.01, longitude: -105.2, status: i % 2 ? 'denied' : 'approved' },
        ...{ caseNumbers: [`Z-${i + 1}`], summary: i === 0 ? '=HYPERLINK("x")' : 'Homes, by the creek.' },
        parties: PARTIES,
        contacts: [{ name: 'Cy Doe', role: 'Attorney', company: 'Doe & Sons' }],
      }),
    );
    await api.index.load(many);
    key = await api.key();
  });

  const address = (page: Page) => new URL(page.url()).searchParams;
  const shown = (page: Page, words: string) => page.waitForSelector(`.table-foot [role=status]:has-text("${words}")`);
  const names = (page: Page) => page.$$eval('.records .open', (found) => found.map((one) => one.textContent));
  const scroll = (page: Page, top: number) => page.$eval('.records', (grid, to) => grid.scrollTo({ top: to }), top);

  it('reads the pages of the search as one scrolls, and draws the rows in view only', () =>
    visit({ path: '/map?tab=table&sort=acres_highest' }, async (page) => {
      const asked: string[] = [];
      page.on('request', (request) => request.url().includes('/projects/search') && asked.push(new URL(request.url()).search));
      await shown(page, '50 rows of 130 shown');
      assert.equal((await names(page))[0], 'Project 130');
      assert.equal(await page.getAttribute('.records', 'aria-rowcount'), '131');
      assert((await page.$$('.records .body .record-row')).length < 40);
      await scroll(page, 100_000);
      await shown(page, '100 rows of 130 shown');
      await scroll(page, 100_000);
      await shown(page, '130 rows shown, all there are');
      await scroll(page, 100_000);
      await page.waitForSelector('.record-row[aria-rowindex="131"] >> text="Project 1"');
      assert.deepEqual(
        asked.flatMap((query) => new URLSearchParams(query).get('offset') ?? []),
        ['50', '100'],
      );
    }));

  it('orders by the values of the API, which the address has', () =>
    visit({}, async (page) => {
      await shown(page, '50 rows');
      await page.click('.heading:has-text("Acres") .sort');
      await page.waitForSelector('[role=columnheader][aria-sort=descending]:has-text("Acres")');
      await page.waitForSelector('.record-row[aria-rowindex="2"] >> text="Project 130"');
      assert.equal(address(page).get('sort'), 'acreage');
      await page.click('.heading:has-text("Acres") .sort');
      await page.waitForSelector('.record-row[aria-rowindex="2"] >> text="Project 1"');
      assert.equal(address(page).get('order'), 'asc');
      await page.goBack();
      await page.waitForSelector('.record-row[aria-rowindex="2"] >> text="Project 130"');
      assert.equal(await page.$('.heading:has-text("City") .sort'), null);
    }));

  it('has a column for any field of the record, in the order of the address', () =>
    visit({ path: '/map?tab=table&columns=caseNumbers,acreage,acrage&sort=acres_lowest' }, async (page) => {
      await page.waitForSelector('.notice:has-text("The record has no field acrage")');
      await page.waitForSelector('.record-row[aria-rowindex="2"] >> text="Z-1"');
      const headings = () => page.$$eval('.heading', (found) => found.map((one) => one.textContent?.replace(/[▲▼]$/u, '')));
      assert.deepEqual(await headings(), ['Name', 'Case numbers', 'Acres']);
      await page.click('text="Columns"');
      assert.equal((await page.$$('.table-panel fieldset .check')).length, 92);
      await page.fill('#column-search', 'zoning asked');
      await page.click('.table-panel .check:has-text("Zoning asked for")');
      await page.waitForSelector('.heading:has-text("Zoning asked for")');
      await page.click('[aria-label="Move Acres to the left"]');
      await page.waitForURL(/columns=acreage,caseNumbers,proposedZoning/);
      assert.deepEqual(await headings(), ['Name', 'Acres', 'Case numbers', 'Zoning asked for']);
      await page.click('text="As usual"');
      await page.waitForSelector('.heading:has-text("Status")');
      assert.equal(address(page).get('columns'), null);
    }));

  it('shows what is read from a record in words', () =>
    visit({ path: '/map?tab=table&columns=derived&sort=acres_lowest' }, async (page) => {
      await page.waitForSelector('.record-row[aria-rowindex="2"]:has-text("outcome: approved")');
      await page.waitForSelector('.record-row[aria-rowindex="3"]:has-text("outcome: denied")');
    }));

  it('makes columns wider by dragging and by keys, and keeps that for the next visit', async () => {
    const width = async (page: Page) => (await (await page.waitForSelector('.heading:has-text("City")')).boundingBox())?.width;
    await visit({}, async (page) => {
      assert.equal(await width(page), 160);
      await page.focus('[aria-label="Width of City"]');
      await page.keyboard.press('ArrowRight');
      assert.equal(await width(page), 176);
      const { x, y, height } = (await (await page.waitForSelector('[aria-label="Width of City"]')).boundingBox()) ?? assert.fail();
      await page.mouse.move(x + 4, y + height / 2);
      await page.mouse.down();
      await page.mouse.move(x + 54, y + height / 2, { steps: 4 });
      await page.mouse.up();
      assert.equal(await width(page), 226);
      assert.equal(await page.getAttribute('[aria-label="Width of City"]', 'aria-valuenow'), '226');
    });
    await visit({}, async (page) => assert.equal(await width(page), 226));
  });

  it('says what a page costs before it is read, charges for the button alone, and then shows it again for nothing', async () => {
    const metered = await api.key('api_only');
    await visit({ key: metered }, async (page) => {
      const offer = await page.waitForSelector('.table-foot:has-text("Reading the first 50 rows costs 50 credits")');
      const rows = await page.waitForSelector('.records');
      const [above, below] = [await offer.boundingBox(), await rows.boundingBox()];
      assert(above && below && above.y < below.y, 'the price stands above the empty rows');
      assert.deepEqual(await names(page), []);
      assert.equal(await api.balance(metered), 5_000);
      await page.click('text=Show the first 50 rows for 50 credits');
      await shown(page, '50 rows of 130 shown');
      await page.waitForSelector('.account >> text=4,950');
      await scroll(page, 100_000);
      await page.waitForSelector('text=Show the next 50 rows for 50 credits');
      assert.equal(await api.balance(metered), 4_950);
      await page.reload();
      await shown(page, '50 rows of 130 shown');
      await scroll(page, 100_000);
      await page.waitForSelector('text=Show the next 50 rows for 50 credits');
      assert.equal(await api.balance(metered), 4_950);
    });
  });

  it('stops where the credits of a trial end, and says so', async () => {
    const trial = await api.key('trial', { stateIds: [], countyIds: [8013] });
    await visit({ key: trial }, async (page) => {
      await page.click('text=Show the first 50 rows for 50 credits');
      await shown(page, '50 rows of 130 shown');
      await scroll(page, 100_000);
      await page.waitForSelector(
        '.table-foot:has-text("Your team has no credits left: it cannot read records that are new to it. The credits of the free trial are never refilled.")',
      );
      assert.equal(await page.$('[role=alert]'), null);
      await shown(page, '50 rows of 130 shown');
      assert.equal(await api.balance(trial), 0);
    });
  });

  it('keeps its rows when a page fails, and continues at that page', () =>
    visit({}, async (page) => {
      await shown(page, '50 rows of 130 shown');
      await page.route('**/projects/search*', (route) => route.abort());
      await scroll(page, 100_000);
      await page.waitForSelector('[role=alert]:has-text("The service does not answer.")');
      assert.equal(await page.getAttribute('.records', 'aria-rowcount'), '131');
      await page.unroute('**/projects/search*');
      await page.click('button:text("Try again")');
      await shown(page, '100 rows of 130 shown');
    }));

  it('is walked by keys, which open and select', () =>
    visit({ path: '/map?tab=table&sort=acres_lowest' }, async (page) => {
      await shown(page, '50 rows');
      await page.focus('.records');
      await page.keyboard.press('j');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('x');
      await page.waitForSelector('.record-row[aria-rowindex="4"][aria-selected=true]');
      assert.equal(await page.getAttribute('.records', 'aria-activedescendant'), 'record-row-2');
      await page.keyboard.press('k');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.panel h2:has-text("Project 2")');
      assert.equal(address(page).get('project'), '2');
      await page.keyboard.press('j');
      await page.waitForSelector('.panel h2:has-text("Project 3")');
      await page.waitForSelector('.record-row.active.opened[aria-rowindex="4"]');
      await page.keyboard.press('Escape');
      await page.waitForSelector('.panel', { state: 'detached' });
      assert.equal(await page.evaluate('document.activeElement.className'), 'records');
      await page.keyboard.press('Escape');
      await page.waitForSelector('.record-row[aria-selected=true]', { state: 'detached' });
      await page.keyboard.press('End');
      await page.waitForSelector('.record-row.active[aria-rowindex="51"]');
    }));

  it('tells its keys, which can be switched off', () =>
    visit({}, async (page) => {
      await shown(page, '50 rows');
      await page.keyboard.press('j');
      assert.equal(await page.evaluate('document.activeElement.className'), 'records');
      await page.keyboard.press('/');
      assert.equal(await page.evaluate('document.activeElement.id'), 'filter-search');
      await page.keyboard.type('j?');
      assert.equal(await page.inputValue('#filter-search'), 'j?');
      await page.fill('#filter-search', '');
      await page.focus('.records');
      await page.keyboard.press('?');
      await page.waitForSelector('dialog.keys:has-text("Next row")');
      await page.evaluate(AXE);
      const found = await page.evaluate<string[]>(`axe.run('dialog').then(({ violations }) => violations.map(({ id }) => id))`);
      assert.deepEqual(found, []);
      await page.uncheck('dialog.keys input');
      await page.keyboard.press('Escape');
      await page.waitForSelector('dialog.keys', { state: 'detached' });
      await page.focus('.records');
      await page.keyboard.press('x');
      await page.keyboard.press('?');
      await page.keyboard.press('ArrowDown');
      await page.waitForSelector('.record-row.active[aria-rowindex="3"]');
      assert.deepEqual([await page.$('dialog.keys'), await page.$('.selection')], [null, null]);
      await page.evaluate(`localStorage.removeItem('landuse-single-keys')`);
    }));

  it('prints every row that was read as a plain table', () =>
    visit({ path: '/map?tab=table&columns=acreage,city&sort=acres_lowest' }, async (page) => {
      await shown(page, '50 rows');
      assert.equal(await page.$('.printed table'), null);
      await page.emulateMedia({ media: 'print' });
      await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
      assert.equal((await page.$$('.printed tbody tr')).length, 50);
      assert.equal(await page.innerText('.printed caption'), '50 projects of 130 that match');
      assert.equal(await page.innerText('.printed tbody tr:first-child'), 'Project 1\t1\tBoulder');
      assert.deepEqual(
        [await page.isVisible('.records'), await page.isVisible('.table-bar'), await page.isVisible('.printed')],
        [false, false, true],
      );
      await page.evaluate(`dispatchEvent(new Event('afterprint'))`);
      assert.equal(await page.$('.printed table'), null);
    }));

  const select = async (page: Page, ...rows: number[]) => {
    for (const row of rows) await page.check(`.record-row[aria-rowindex="${row + 1}"] input`);
  };

  it('adds the selected rows to a list, a new one or another, and takes that back', () =>
    visit({ path: '/map?tab=table&sort=acres_lowest' }, async (page) => {
      await shown(page, '50 rows');
      const lists = async () => (await api.get('/lists', {}, { key })).body.data as unknown as { name: string; projectCount: number }[];
      await select(page, 1, 2);
      await page.waitForSelector('.selection >> text=2 rows selected');
      await page.click('text=Add to a list');
      await page.fill('#selection-list-name', 'By the creek');
      await page.click('text=Add 2 projects, free');
      await page.waitForSelector('.toast:has-text("2 projects saved as the new list “By the creek”.")');
      assert.deepEqual(await lists().then((all) => all.map(({ name, projectCount }) => [name, projectCount])), [['By the creek', 2]]);
      await page.click('[aria-label="Select every row that is shown"]');
      await page.waitForSelector('.selection >> text=50 rows selected');
      await page.click('text=Add to a list');
      await page.click('text=Add 50 projects, free');
      await page.waitForSelector('.toast:has-text("48 projects added to “By the creek”; it had the other 2.") button');
      assert.equal((await lists())[0]?.projectCount, 50);
      await page.click('.toast:has-text("48 projects") button');
      await page.waitForSelector('.toast:has-text("Taken back.")');
      assert.equal((await lists())[0]?.projectCount, 2);
      await page.click('text=Select none');
      await page.waitForSelector('.selection', { state: 'detached' });
    }));

  it('saves the selected rows with their columns as a CSV that no spreadsheet runs', () =>
    visit({ path: '/map?tab=table&sort=acres_lowest&columns=summary,acreage,caseNumbers' }, async (page) => {
      await shown(page, '50 rows');
      await select(page, 1, 2);
      const [file] = await Promise.all([page.waitForEvent('download'), page.click('button:text("CSV")')]);
      const lines = readFileSync(await file.path(), 'utf8').split('\r\n');
      assert.deepEqual(lines, [
        '\uFEFF"Number","Name","Summary","Acres","Case numbers"',
        `"1","Project 1","'=HYPERLINK(""x"")","1","Z-1"`,
        '"2","Project 2","Homes, by the creek.","2","Z-2"',
        '',
      ]);
    }));

  it('reads the rows that are missing before it saves all of them as a CSV, or has them made into a file at a price', async () => {
    await visit({ path: '/map?tab=table&columns=acreage' }, async (page) => {
      await shown(page, '50 rows of 130');
      const [file] = await Promise.all([page.waitForEvent('download'), page.click('button:text-is("CSV of 130 rows")')]);
      assert.equal(
        readFileSync(await file.path(), 'utf8')
          .trim()
          .split('\r\n').length,
        1 + RECORDS,
      );
    });
    await visit({ key: await api.key('api_only'), path: '/map?tab=table' }, async (page) => {
      await page.click('text=Show the first 50 rows for 50 credits');
      await page.waitForSelector('button:text-is("CSV of 50 rows")');
      await page.click('text=All as a file');
      await page.waitForSelector('.selection:has-text("A CSV of 130 projects")');
      await page.waitForSelector('button:text-is("Make the file for 80 credits")');
      await assertAccessible(page, 'a file of all matches');
    });
  });

  it('adds up all that matches in its foot, by one request, and groups it with links to each group', () =>
    visit({ path: '/map?tab=table&sort=acres_lowest' }, async (page) => {
      await shown(page, '50 rows of 130');
      const asked: string[] = [];
      page.on('request', (request) => request.url().includes('/analytics/') && asked.push(request.postData() ?? ''));
      await page.click('text=Sum and median');
      const foot = (words: string) => page.waitForSelector(`.records .foot [role=gridcell]:has-text("${words}")`);
      assert.equal(await (await foot('8,515')).innerText(), '8,515\n65.5');
      assert.deepEqual([asked.length, JSON.parse(asked[0] ?? '').queries.length], [1, 1]);
      await page.selectOption('#group-by', { label: 'Status' });
      await page.waitForSelector('.groups tr:has-text("Denied") >> text="65"');
      assert.equal(address(page).get('by'), 'status');
      assert.equal(await page.innerText('.groups tr:has-text("Approved") td:nth-child(4)'), '4,225');
      assert.deepEqual([asked.length, JSON.parse(asked[1] ?? '').queries.length], [2, 2]);
      await page.click('.groups >> text="Denied"');
      await shown(page, '50 rows of 65');
      assert.deepEqual([address(page).get('status'), address(page).get('by')], ['denied', null]);
      await page.selectOption('#group-by', { label: 'Developer' });
      await page.waitForSelector('.groups:has-text("Only of the 50 rows that were read, of 65 that match.")');
      await page.click('.groups >> text=Read all 65 rows');
      await shown(page, '65 rows shown, all there are');
      await page.waitForSelector('.groups tr:has-text("Creek Homes LLC") >> text="65"');
      assert.equal(await page.$('.groups button'), null);
    }));

  it('has the names of each role in a column, shows whole texts in its cells, and copies all rows without any being selected', () =>
    visit({ path: '/map?tab=table&sort=acres_lowest&columns=parties.developer,parties.owner,contacts.attorney,summary' }, async (page) => {
      await shown(page, '50 rows');
      const cells = (await page.$$('.record-row[aria-rowindex="3"] [role=gridcell]')).slice(1);
      assert.deepEqual(await Promise.all(cells.map((cell) => cell.innerText())), [
        'Creek Homes LLC',
        'Ann Roe; Bo Roe',
        'Cy Doe, Doe & Sons',
        'Homes, by the creek.',
      ]);
      const height = async () => (await (await page.waitForSelector('.record-row[aria-rowindex="3"]')).boundingBox())?.height ?? 0;
      await page.focus('[aria-label="Width of Summary"]');
      for (let press = 0; press < 15; press++) await page.keyboard.press('ArrowLeft');
      const before = await height();
      await page.click('button:text("Wrap")');
      await page.waitForFunction(`document.querySelector('.record-row[aria-rowindex="3"]').offsetHeight > ${before}`);
      await page.click('button:text("Wrap")');
      assert.equal(await height(), before);
      await page.evaluate(`navigator.clipboard.writeText = async (text) => void (globalThis.copied = text)`);
      await page.click('button:has-text("Copy")');
      await page.waitForSelector('.toast:has-text("50 rows copied")');
      const lines = (await page.evaluate<string>('globalThis.copied')).split('\n');
      assert.equal(lines[0], 'Number\tName\tDeveloper\tOwner\tContact: attorney\tSummary');
      assert.equal(lines[2], '2\tProject 2\tCreek Homes LLC\tAnn Roe; Bo Roe\tCy Doe, Doe & Sons\tHomes, by the creek.');
      assert.equal(lines.length, 51);
      await page.evaluate('localStorage.clear()');
    }));

  it('exports the selected rows and looks their contacts up, each after its price', async () => {
    const worker = composeServiceWorker(loadConfig(api.env), pino({ level: 'silent' }), undefined, QUICK);
    await worker.start();
    try {
      await visit({ path: '/map?tab=table&sort=acres_lowest' }, async (page) => {
        await shown(page, '50 rows');
        await select(page, 1, 2);
        await page.click('.selection >> text="Export"');
        await page.waitForSelector('.selection-form:has-text("A CSV of 2 projects")');
        await Promise.all([page.waitForEvent('download'), page.click('text=Make the file, free')]);
        await page.waitForSelector('.toast:has-text("The file is downloaded.")');
        const [queued] = (await api.get('/exports', {}, { key })).body.data as unknown as { source: { projectIds: number[] } }[];
        assert.deepEqual(queued?.source.projectIds, [1, 2]);
        await page.click('text=Find contacts');
        await page.waitForSelector('.selection-form:has-text("2 look-ups, at most 2 credits")');
        await page.click('text=Look up, at most 2 credits');
        await page.waitForSelector('.selection-form [role=status]:has-text("of 2 projects")');
        await Promise.all([page.waitForRequest(/projects\/search/), page.click('text=Read the rows again, with their contacts')]);
        await shown(page, '50 rows');
      });
    } finally {
      await worker.stop(0);
    }
  });

  it('says why rows are among those of a status that their cells do not have, on the map, too', async () => {
    await earlier.index.load([project(1, { status: 'pending' })]);
    await earlier.index.load([project(1, { status: null })], { generation: 2 });
    await visit({ url: earlier.url, key: await earlier.key(), path: '/map?tab=table&status=pending' }, async (page) => {
      await shown(page, '1 row shown');
      await page.waitForSelector('.unconfirmed:has-text("Some of these match Status only by an earlier reading of the minutes")');
      await page.waitForSelector('.record-row .badge:text-is("Unknown")');
      await clickTab(page, 'Map');
      await page.waitForSelector('.found .unconfirmed:has-text("One of these matches Status only by an earlier reading")');
    });
  });

  it('brings its filters to a new alert', () =>
    visit({ path: '/map?tab=table&status=denied' }, async (page) => {
      await shown(page, '50 rows of 65');
      await page.click('text=Alert on these filters');
      await page.waitForSelector('h1:text-is("Alerts")');
      assert.deepEqual([address(page).get('status'), address(page).get('tab')], ['denied', 'alerts']);
    }));

  it('saves filters, order and columns as a view, opens it by its name and its address, and saves a change of it', async () => {
    let opened = '';
    const saved = async () =>
      (await api.get('/lists', {}, { key })).body.data.find(({ name }: { name: string }) => name === 'Denied sites');
    await visit({ path: '/map?tab=table&status=denied&sort=acres_highest&columns=acreage,city' }, async (page) => {
      await shown(page, '50 rows of 65');
      await page.click('text="Views"');
      await page.fill('#view-name', 'Denied sites');
      await page.click('text=Save the view');
      await page.waitForSelector('.table-bar:has-text("of “Denied sites”")');
      const { filters, columns, id } = await saved();
      assert.deepEqual([filters, columns], [{ status: 'denied', sort: 'acres_highest' }, ['acreage', 'city']]);
      assert.equal(address(page).get('open'), id);
      opened = page.url();
      await page.click('.heading:has-text("Acres") .sort');
      await page.waitForSelector('.table-bar:has-text("of “Denied sites”, changed")');
      await page.click('text=Save the change');
      await page.waitForSelector('.toast:has-text("“Denied sites” is changed.")');
      assert.deepEqual((await saved()).filters, { status: 'denied', sort: 'acreage', order: 'asc' });
      await page.click('.toast:has-text("is changed") button');
      await page.waitForSelector('.toast:has-text("Taken back.")');
      assert.deepEqual((await saved()).filters, { status: 'denied', sort: 'acres_highest' });
    });
    await visit({}, async (page) => {
      await shown(page, '50 rows of 130');
      await page.click('text="Views"');
      await page.click('.views >> text=Denied sites');
      await shown(page, '50 rows of 65');
      assert.equal(page.url(), opened);
      await page.click('.views li:has-text("Denied sites") >> text=Delete');
      await page.waitForSelector('.toast:has-text("“Denied sites” is deleted.") button');
      await page.waitForFunction('!location.search.includes("open=")');
      assert.equal(await saved(), undefined);
    });
  });

  it('opens a list of projects as the table, in the order that the reader chooses', async () => {
    const { body } = await api.post('/lists', { name: 'Three of them', projectIds: [7, 9, 8] }, { key });
    await visit({ path: `/map?tab=table&open=${body.data.id}&sort=acres_lowest` }, async (page) => {
      await shown(page, '3 rows shown, all there are');
      assert.deepEqual(await names(page), ['Project 7', 'Project 8', 'Project 9']);
      await page.click('text=Close the list');
      await shown(page, '50 rows of 130');
    });
  });

  for (const [viewport, dark] of bothScreens(WIDE))
    it(`has no violation of accessibility and no sideways scrolling at ${viewport.width} pixels, ${dark ? 'dark' : 'light'}`, () =>
      visit({ viewport, dark }, async (page) => {
        await shown(page, '50 rows');
        const check = (what: string) => assertAccessible(page, what);
        await check('table');
        await select(page, 1);
        await page.click('text=Add to a list');
        await page.waitForSelector('.selection-form .row');
        await check('selection');
        await page.click('text="Columns"');
        await page.waitForSelector('#columns-title');
        await check('columns');
        await page.click('[aria-label="Close the columns"]');
        await page.click('text="Views"');
        await page.waitForSelector('#view-name');
        await check('views');
      }));
});
