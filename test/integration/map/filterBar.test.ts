/** The filter bar in a real browser: suggestions while typing, chips, the panel, errors at their filters, and help if nothing matches. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { project, TODAY } from '../../support/fixtures.ts';
import { assertAccessible, bothScreens, clickTab, provideVisits, REFUSALS } from '../../support/pageVisits.ts';
import { provideService } from '../../support/service.ts';

const WIDE = { width: 1240, height: 720 };

describe('the bar of filters', () => {
  const visit = provideVisits(() => ({ url: api.url, key: keys.national, viewport: WIDE, expected: REFUSALS }));
  const api = provideService({ today: TODAY });
  const keys = { national: '', metered: '' };

  before(async () => {
    await api.index.load([
      project(1, {
        ...{ latitude: 40.015, longitude: -105.27, status: 'approved', acreage: 12.5, totalUnitCount: 80 },
        ...{ projectName: 'Pine Flats', address: '8560 W Pine St', zipCode: '80301', parcelNumbers: ['524-375-029'] },
      }),
      project(2, { latitude: 40.02, longitude: -105.2, propertyType: 'commercial', meetingDate: '2026-11-01', acreage: 3 }),
      project(3, { latitude: 30.267, longitude: -97.743, state: 'TX', county: 'Travis County', city: 'Austin', status: 'denied' }),
    ]);
    keys.national = await api.key();
    keys.metered = await api.key('api_only');
  });

  const filtersOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
  const total = (page: Page, count: number) => page.waitForSelector(`.total strong:text-is("${count}")`);
  const offer = (words: string) => `[role=option]:has-text("${words}")`;
  const chipTexts = (page: Page) =>
    page.$$eval('.filter-chip .edit', (chips) =>
      chips.map((chip) => (chip as { innerText: string }).innerText.replace(/(, unless others are chosen)?[;,] change it$/, '').trim()),
    );

  /** Types into the box and takes the highlighted offer. */
  async function take(page: Page, typed: string, highlighted: string) {
    await page.fill('#filter-search', typed);
    await page.waitForSelector(`[aria-selected=true]${offer(highlighted).replace('[role=option]', '')}`);
    await page.press('#filter-search', 'Enter');
  }

  it('makes filters of what is typed, by the keyboard alone, and shows each before it applies', () =>
    visit({}, async (page) => {
      await total(page, 3);
      assert.deepEqual(await chipTexts(page), ['Meetings: Last year']);
      await page.press('body', '/');
      await take(page, 'acres > 5', 'Acres 5 or more');
      await total(page, 1);
      assert.deepEqual(filtersOf(page), { acreageMin: '5' });
      await take(page, 'acres up to 20', 'Acres 5 to 20');
      await page.waitForURL(/acreageMax=20/);
      await take(page, 'approved', 'Status Approved');
      await take(page, 'resid', 'Building Type Residential');
      await take(page, 'since January 2026', 'Latest meeting from January 2026');
      await page.waitForURL(/meetingDateFrom/);
      assert.deepEqual(filtersOf(page), {
        acreageMin: '5',
        acreageMax: '20',
        status: 'approved',
        propertyTypes: 'residential',
        meetingDateFrom: '2026-01',
      });
      assert.deepEqual(await chipTexts(page), [
        'Building Type: Residential',
        'Status: Approved',
        'Latest meeting: from January 2026',
        'Acres: 5 to 20',
      ]);
      await total(page, 1);
      await page.fill('#filter-search', 'apartments');
      assert.match(await page.locator('[role=option] >> nth=0').innerText(), /Multifamily/, 'by what people call it');
      await page.fill('#filter-search', 'den');
      await page.waitForSelector(offer('Denver, CO'));
      await page.press('#filter-search', 'ArrowDown');
      assert.equal(await page.getAttribute('#filter-search', 'aria-activedescendant'), 'filter-offer-1');
      await page.press('#filter-search', 'Escape');
      await page.waitForSelector('[role=listbox]', { state: 'detached' });
      assert.equal(await page.inputValue('#filter-search'), 'den');
    }));

  it('offers what a typed sentence means as filters, with the words that none of them says, and sets them at once', () =>
    visit({ path: '/map?cities=5574991' }, async (page) => {
      await take(page, 'denied projects in Austin, Texas since 2020 because of traffic', 'Reads as');
      await page.waitForURL(/status=denied/);
      const austin = '4671654';
      assert.deepEqual(filtersOf(page), { status: 'denied', cities: austin, meetingDateFrom: '2020' });
      await total(page, 1);
      await page.fill('#filter-search', 'approved hotels and offices over 2 acres in Texas because of noise');
      const offered = page.locator('[role=option] >> nth=0');
      await page.waitForSelector(offer('Reads as'));
      assert.match(
        await offered.innerText(),
        /Reads as.*State: Texas.*Subtype: Office or Hospitality|Reads as.*Subtype: Hospitality or Office/s,
      );
      assert.match(await offered.innerText(), /not understood: because of noise/);
      await assertAccessible(page, 'a sentence that is offered');
      await page.press('#filter-search', 'Enter');
      await page.waitForSelector('.filter-chip.unread:has-text("Not understood: “because of noise”")');
      await assertAccessible(page, 'words that no filter says');
      await page.click('.filter-chip.unread >> text=Search these words');
      await page.waitForURL(/q=because\+of\+noise/);
      await page.waitForSelector('.filter-chip.unread', { state: 'detached' });
      await page.fill('#filter-search', 'acres > 5');
      await page.waitForSelector(offer('Acres 5 or more'));
      assert.equal(await page.locator(offer('Reads as')).count(), 0, 'nothing is offered twice');
    }));

  it('says below the chips which places a name of several was read as, and leaves chips and map where they are', async () => {
    for (const [width, typed, named] of [
      [
        1440,
        'apartments in Denver',
        /^'Denver' names 4 places and was read as the largest, Denver, CO; others are in .*PA.*: name the state/,
      ],
      [1024, 'hotels in Aurora', /^'Aurora' names 15 places .* others are in .* and elsewhere/],
      [1440, 'Maricopa County, Dallas County and King County', /'Dallas County' names 5 places, in .*TX, and was read as all/],
    ] as const)
      await visit({ viewport: { width, height: 900 } }, async (page) => {
        await take(page, typed, 'Reads as');
        const doubt = page.locator('.filter-bar .doubt');
        assert.match(await doubt.innerText(), named);
        const boxOf = async (at: string) => (await page.locator(at).first().boundingBox()) ?? assert.fail(at);
        const chips = await boxOf('.filter-chips');
        const note = await boxOf('.filter-bar .doubt');
        const map = await boxOf('.stage');
        const field = await boxOf('#filter-search');
        const heights = await page.$$eval('.filter-chip', (all) => all.map((chip) => (chip as { clientHeight: number }).clientHeight));
        assert(Math.max(...heights) < 40, `chips are ${heights} high: one line each`);
        assert(note.y >= chips.y + chips.height, 'the note stands below the chips');
        assert(map.y < 250, `the map begins at ${map.y}`);
        assert(field.width > 250, `the box is ${field.width} wide`);
        await assertAccessible(page, typed);
      });
  });

  it('opens the project of a typed address, and finds those of a parcel number and of a ZIP code, whenever they were heard', () =>
    visit({ path: '/map?view=-100,30,-90,35' }, async (page) => {
      await take(page, '8560 w pine', 'Address');
      await page.waitForURL(/project=1/);
      await page.waitForSelector('.panel h2:has-text("Pine Flats")');
      await take(page, '524375029', 'Parcel number');
      await page.waitForURL(/parcelNumbers=524375029/);
      await total(page, 1);
      assert.deepEqual(filtersOf(page), { parcelNumbers: '524375029', dateRange: 'all' });
      await take(page, '80301', 'ZIP code');
      await page.waitForURL(/q=80301/);
    }));

  it('is focused by Ctrl-K from any tab, goes to a tab by its name, and asks what it is typed', () =>
    visit({ path: '/map?tab=keys' }, async (page) => {
      await page.waitForSelector('h1:text-is("Keys")');
      await page.keyboard.press('Control+k');
      await page.waitForSelector('#filter-search:focus');
      await take(page, 'receipts', 'Go to');
      await page.waitForSelector('h1:text-is("Receipts")');
      await page.keyboard.press('Control+k');
      await page.fill('#filter-search', 'who opposed it');
      await page.click(offer('Ask who opposed it'));
      await page.waitForSelector('#question');
      assert.equal(await page.inputValue('#question'), 'who opposed it');
    }));

  it('finds places as they are typed, misspelt too, and words where nothing else is meant', () =>
    visit({}, async (page) => {
      await total(page, 3);
      await page.fill('#filter-search', 'austn');
      // Enter comes before the answer, and waits for it.
      await page.press('#filter-search', 'Enter');
      await page.waitForURL(/cities=Austin/);
      await total(page, 1);
      await take(page, 'boulder county', 'County Boulder County, CO');
      await total(page, 2);
      assert.deepEqual(filtersOf(page), { counties: 'Boulder County, CO' });
      await page.fill('#filter-search', 'creekside');
      await page.click(offer('Words “creekside”'));
      await page.waitForURL(/q=creekside/);
      await page.goto(`${api.url}/map?counties=8013,48453&state=co`);
      await page.waitForSelector('.filter-chip:has-text("County: Boulder County, CO or Travis County, TX")');
      await page.waitForSelector('.filter-chip:has-text("State: Colorado")');
    }));

  it('changes a chip in its place, removes it, and has every filter in a panel', () =>
    visit({ path: '/map?acreageMin=5' }, async (page) => {
      await total(page, 1);
      await page.click('.filter-chip .edit:has-text("Acres")');
      await page.fill('#field-acreageMin', '2');
      await total(page, 2);
      await page.press('#field-acreageMin', 'Escape');
      await page.waitForSelector('.filter-editor', { state: 'detached' });
      await page.click('[aria-label="Remove Acres: 2 or more"]');
      await total(page, 3);
      await page.click('text=All filters');
      const labels = await page.$$eval('.filter-panel h3', (heads) =>
        heads.map((head) => (head as { innerText: string }).innerText.toLowerCase()),
      );
      assert.deepEqual(labels, ['place', 'land use', 'status and decisions', 'course of the case', 'dates', 'size', 'words and names']);
      await page.click('.filter-panel summary:has-text("Status")');
      await page.check('.filter-panel .check:has-text("Denied") input');
      await page.fill('#field-totalUnitCountMax', '100');
      await page.click('.filter-panel >> text=Done');
      await page.waitForURL(/totalUnitCountMax=100/);
      assert.deepEqual(filtersOf(page), { status: 'denied', totalUnitCountMax: '100' });
      await page.click('.filter-actions >> text=Clear');
      await total(page, 3);
      await page.goBack();
      await page.waitForSelector('.filter-chip:has-text("Dwelling units: 100 or less")');
    }));

  it('stands on every tab that shows records, and nowhere else', () =>
    visit({ path: '/map?tab=charts&status=denied' }, async (page) => {
      await page.waitForSelector('.filter-chip:has-text("Status: Denied")');
      await clickTab(page, 'Compare');
      await page.waitForSelector('.sheet h1');
      await page.waitForSelector('.filter-chip:has-text("Status: Denied")');
      await clickTab(page, 'Keys');
      await page.waitForSelector('.filter-bar', { state: 'detached' });
    }));

  it('leads to where its search is saved, and copies the address of that search', () =>
    visit({ path: '/map?tab=hearings&status=denied' }, async (page) => {
      await page.evaluate('navigator.clipboard.writeText = async (text) => { window.copied = text }');
      await page.click('.filter-actions >> text="Share"');
      await page.waitForSelector('text=The link is copied.');
      assert.equal(await page.evaluate('window.copied'), page.url());
      await page.click('.filter-actions >> text="Save as list"');
      await page.waitForSelector('#list-name:focus');
      await page.waitForFunction('document.activeElement.value === "Denied"');
      await page.fill('main input', 'Refused');
      await page.click('text="Save these filters"');
      await page.waitForSelector('main tr:has-text("Refused"):has-text("Status: Denied")');
    }));

  it('says what is wrong at the filter that it is wrong with, and offers what was meant', () =>
    visit({ path: '/map?status=aproved&citis=Austin, TX' }, async (page) => {
      await page.waitForSelector('.filter-problems li:has-text("Status: status \'aproved\' is not one of its values")');
      assert.equal(await page.$$eval('.filter-chip.bad', (chips) => chips.length), 2);
      await page.click('.filter-problems >> text=Use approved');
      await page.waitForURL(/status=approved/);
      await page.click('.filter-problems >> text=Use cities');
      await page.waitForURL(/cities=Austin/);
      await page.waitForSelector('.filter-problems', { state: 'detached' });
      assert.deepEqual(filtersOf(page), { status: 'approved', cities: 'Austin, TX' });
    }));

  it('shows, if nothing matches, how many records match without each filter, free of charge, and removes it', () =>
    visit({ path: '/map?status=denied&acreageMin=100000&states=TX', key: keys.metered }, async (page) => {
      await total(page, 0);
      await page.click('.suggestions >> text="Without Acres: 100,000 or more: 1 project"');
      await total(page, 1);
      assert.deepEqual(filtersOf(page), { status: 'denied', states: 'TX' });
      await page.goto(`${api.url}/map?status=denied&counties=8013`);
      await page.waitForSelector('.suggestions >> text="Without County: Boulder County, CO: 1 project"');
      assert.equal(await api.balance(keys.metered), 5_000);
    }));

  for (const [viewport, dark] of bothScreens(WIDE))
    it(`has no violation of accessibility and no sideways scrolling at ${viewport.width} pixels, ${dark ? 'dark' : 'light'}`, () =>
      visit({ viewport, dark, path: '/map?status=approved,denied&propertyTypes=residential&acreageMin=2&q=creek|river' }, async (page) => {
        const check = (what: string) => assertAccessible(page, what);
        await page.waitForSelector('.suggestions');
        await check('chips and suggestions');
        await page.fill('#filter-search', 'boulder');
        await page.waitForSelector(offer('Boulder, CO'));
        await check('offers');
        await page.press('#filter-search', 'Escape');
        await page.click('.filter-chip .edit:has-text("Status")');
        await page.waitForSelector('.filter-editor input');
        await check('an editor');
        await page.click('text=All filters');
        await page.waitForSelector('.filter-panel[open]');
        await check('the panel');
      }));
});
