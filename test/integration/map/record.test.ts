/** The panel of a record in a real browser: proof of its values, what changed, neighbours, lists, alerts, exports, contacts, print. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { project, TODAY } from '../../support/fixtures.ts';
import { assertAccessible, bothScreens, NARROW, provideVisits, REFUSALS } from '../../support/pageVisits.ts';
import { provideWorld } from '../../support/world.ts';

const WIDE = { width: 1240, height: 900 };
const AROUND_BOULDER = '-105.4,39.9,-105.1,40.1';

const HEARING = 'The applicant spoke first.\n\n'.repeat(60);
const MINUTES = `Call to order.\n\nCase RZ-2026-0016\n\nA garage. The Council approved the request.\n\nCase RZ-2026-0017\n\n${HEARING}The site has\n12.5 acres along the creek. The Council approved the request.\n\n${HEARING}Adjourned.`;
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
    ...{
      decisionBody: 'City Council',
      nextMeetingDate: '2026-12-08',
      parties: [{ role: 'developer', name: 'Acme Homes LLC' }],
      voteTotals: { yes: 5, no: 2 },
      staffRecommendation: 'Approve with conditions',
      conditionsOfApproval: ['A sidewalk', 'Twelve trees'],
      decisions: [
        {
          meetingDate: '2026-10-03',
          decisionBody: 'City Council',
          status: 'approved',
          motion: 'Motion by Fox to approve with two conditions',
          votes: [
            { name: 'Kim Fox', vote: 'yes' },
            { name: 'Lee Oak', vote: 'no' },
          ],
        },
      ],
    },
    ...{ summary: 'Forty homes by the creek.', evidence: [ACRES, STATUS], meetingDate: '2026-10-03' },
    ...{ meetingDocuments: [{ meetingDocumentId: 501, title: 'Minutes of October' }] },
    ...{ contacts: [{ name: 'Jane Roe', role: 'applicant', company: 'Creek LLC', email: 'jane@example.org' }] },
    ...more,
  });

describe('the panel of a record', () => {
  const visit = provideVisits(() => ({
    url: world.api.url,
    path: '/map?project=1',
    key: keys.national,
    viewport: WIDE,
    expected: REFUSALS,
  }));
  const world = provideWorld({ today: TODAY });
  const keys = { national: '', metered: '' };

  before(async () => {
    await world.api.index.load([
      project(2, { latitude: 40.02, longitude: -105.26, meetingDate: '2026-10-02', status: 'pending', decisionBody: 'City Council' }),
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
        /Minutes of October\nCity Council · Oct 3, 2026 · page 2 · Source[\s\S]*Generation 1, published \w+ \d+, \d{4}/,
      );
      await page.click(`${row('Acres')} >> text=The whole minutes`);
      const whole = await page.waitForSelector(`${row('Acres')} .minutes`);
      assert.equal(await whole.textContent(), MINUTES);
      assert(await whole.evaluate((box) => box.scrollTop > 0), 'the mark is in view');
      await show(page, 'Status');
      await page.click(`${row('Status')} >> text=The whole minutes`);
      const before = await page.$eval(`${row('Status')} .minutes mark`, (mark) => mark.previousSibling?.textContent ?? '');
      assert.match(
        before,
        /RZ-2026-0017/,
        'the mark is in the hearing of this record, not in that of a neighbour which has the same words',
      );
      assert.match(await page.innerText('.record'), /What has become of it\s+Outcome\s+Approved, since Oct 3, 2026\s/i);
      assert.match(
        await (await show(page, 'Dwelling units')).innerText(),
        /^No quote is linked to this value\. The minutes may still say it/,
      );
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

  it('says the next hearing, developer, units, vote and advice at its head, votes as a grid, conditions as a list, and what has words', () =>
    visit({}, async (page) => {
      await page.waitForSelector('.value.proven');
      const lines = async (selector: string) => (await page.innerText(selector)).split(/\s*\n\s*/);
      assert.deepEqual(await page.$$eval('.key-facts dt', (all) => all.map(({ textContent }) => textContent?.trim())), [
        ...['Next hearing', 'Developer', 'Dwelling units', 'Vote', 'Staff advises'],
      ]);
      assert.deepEqual(await page.$$eval('.key-facts .value', (all) => all.map(({ textContent }) => textContent?.trim())), [
        'Dec 8, 2026○, no quote is linked to it',
        'Acme Homes LLC○, no quote is linked to it',
        '40○, no quote is linked to it',
        '5 yes, 2 no (motion to approve)○, no quote is linked to it',
        'Approve with conditions○, no quote is linked to it',
      ]);
      const words = (name: string) => page.textContent(`${row(name)} .value`);
      assert.equal(await words('Acres'), '12.5”, proven by words of the minutes');
      assert.match(await page.innerText('.proof-legend'), /words of the minutes prove the value \(2 fields\)/);
      assert.deepEqual(await lines('.decisions tbody'), ['Kim Fox\tYes', 'Lee Oak\tNo']);
      assert.deepEqual(await page.$$eval('.conditions li', (all) => all.map(({ textContent }) => textContent)), [
        'A sidewalk',
        'Twelve trees',
      ]);
      assert.equal(await words('Deciding body'), 'City Council○, no quote is linked to it');
      if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/record.png` });
      await page.click('.nearby-part summary');
      await page.waitForSelector('.nearby a:text-is("Project 2")');
      assert.match(await page.innerText('.nearby'), /Project 2[\s\S]*1\.0\d km/);
      await page.click('.nearby a');
      await page.waitForSelector('#record-title:text-is("Project 2")');
      await page.waitForSelector(row('Heard by'));
      assert.equal(await page.isVisible(row('Deciding body')), false, 'nothing is decided yet');
    }));

  it('counts the projects nearby that the team does not hold', () =>
    visit({ key: keys.metered }, async (page) => {
      await page.click('.nearby-part summary');
      await page.waitForSelector('.nearby-part >> text=1 project within 2 km');
      assert.equal(await page.$$eval('.nearby li', ({ length }) => length), 0);
    }));

  it('covers a phone, with a way back', () =>
    visit({ viewport: NARROW, path: `/map?view=${AROUND_BOULDER}&project=1` }, async (page) => {
      await page.waitForSelector('.key-facts');
      const box = await (await page.$('.record.panel'))?.boundingBox();
      assert.deepEqual(box, { x: 0, y: 0, ...NARROW });
      if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/record390.png` });
      await page.click('.back');
      await page.waitForSelector('.record', { state: 'detached' });
      await page.waitForSelector('.items .item');
    }));

  it('says what changed since the team held the record, before that costs anything, and marks it', async () => {
    const key = await world.api.key('api_only');
    await world.record(1, key);
    await world.api.index.load([creek({ acreage: 13, evidence: [STATUS] })], { mode: 'increment' });
    await visit({ key }, async (page) => {
      const said = await page.waitForSelector('.changed');
      assert.match(await said.innerText(), /^Changed since your team got it on .+: Acres\.\n\n1 change, with what was before$/);
      assert.equal(await world.balance(key), 4_999);
      // It changes once more before its words are asked for.
      const load = () => world.api.index.load([creek({ acreage: 14, evidence: [STATUS] })], { mode: 'increment' });
      await page.route('**/projects/1/evidence', async (asked) => load().then(() => asked.continue()), { times: 1 });
      await page.click('text=Read it for 1 credit');
      await page.waitForSelector(`${row('Acres')} dt >> text=changed`);
      assert.equal(await world.balance(key), 4_998);
      await page.click(`${row('Status')} .value`);
      await page.waitForSelector('text=The record has changed since this page read it.');
      await page.click('text=Try again');
      await page.waitForSelector('text=Read it for 1 credit');
      assert.equal(await world.balance(key), 4_998);
    });
  });

  const read = async (path: string) => (await world.api.get(path, {}, { key: keys.national })).body.data as Record<string, unknown>[];
  const toast = async (page: Page, words: string) => page.waitForSelector(`.toast:has-text("${words}")`);

  it('steps to the next and the previous of the results, by buttons and by keys', () =>
    visit({ path: `/map?view=${AROUND_BOULDER}&project=1` }, async (page) => {
      await page.waitForSelector('.steps >> text=1 of 3');
      assert(await page.isDisabled('[aria-label="Previous record (k)"]'));
      await page.click('[aria-label="Next record (j)"]');
      await page.waitForSelector('.steps >> text=2 of 3');
      await page.waitForSelector('#record-title:text-is("Project 2")');
      await page.keyboard.press('j');
      await page.waitForSelector('#record-title:text-is("Project 3")');
      assert.equal(new URL(page.url()).searchParams.get('project'), '3');
      await page.waitForSelector('.steps >> text=3 of 3');
      await page.keyboard.press('k');
      await page.waitForSelector('#record-title:text-is("Project 2")');
      await page.goto(`${world.api.url}/map?tab=table&project=1`);
      await page.click('[aria-label="Next record (j)"]');
      await page.waitForSelector('.steps >> text=2 of 3');
    }));

  it('copies its link, saves to a new list and to one that there is, and takes that back', () =>
    visit({}, async (page) => {
      await page.evaluate('navigator.clipboard.writeText = async (text) => { window.copied = text }');
      await page.click('text=Copy link');
      await toast(page, 'The link is copied');
      assert.equal(await page.evaluate('window.copied'), 'http://landuse.test/map?project=1');
      await page.click('.record-actions >> text="Save"');
      await page.fill('#selection-list-name', 'Creeks');
      await page.click('text="Add 1 project, free"');
      await toast(page, '1 project saved as the new list “Creeks”');
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'Save');
      const [list] = await read('/lists');
      assert.deepEqual([list?.name, list?.projectCount], ['Creeks', 1]);
      await page.goto(`${world.api.url}/map?project=2`);
      await page.click('.record-actions >> text="Save"');
      await page.click('text="Add 1 project, free"');
      await toast(page, '1 project added to “Creeks”');
      assert.equal((await read('/lists'))[0]?.projectCount, 2);
      await page.click('.toast >> text=Undo');
      await toast(page, 'Taken back');
      assert.equal((await read('/lists'))[0]?.projectCount, 1);
    }));

  for (const plan of ['national', 'county'] as const)
    it(`watches for changes on the plan ${plan}`, async () => {
      const key = plan === 'county' ? await world.api.key('county', { stateIds: [], countyIds: [8013] }) : keys.national;
      await visit({ key }, async (page) => {
        await page.click('.record-actions >> text="Watch"');
        await page.selectOption('#record-rhythm', 'daily');
        assert.match(await page.innerText('.record-form'), /Saving it is free, and so are its runs\./);
        await page.click('text="Watch it"');
        await toast(page, 'Watched. The alert runs first on');
        const [alert] = (await world.api.get('/alerts', {}, { key })).body.data;
        assert.equal(alert.name, 'Changes of Creek Homes');
        assert.deepEqual([alert.filters.projectIds, alert.cadence.frequency], [[1], 'daily']);
      });
    });

  it('hands out the record as a file, at the price that it says', async () => {
    const key = await world.api.key('api_only');
    await using _worker = await world.work();
    await visit({ key, path: '/map?project=2' }, async (page) => {
      await page.click('text=Read it for 1 credit');
      await page.waitForSelector('.account >> text=4,999');
      await page.click('.record-actions >> text="Export"');
      const [file] = await Promise.all([page.waitForEvent('download'), page.click('text="Make the file, free"')]);
      assert.match(readFileSync(await file.path(), 'utf8'), /Project 2/);
      await toast(page, 'The file is downloaded');
      assert.equal(await world.balance(key), 4_999);
    });
  });

  it('says what a look-up of contacts costs at most, looks them up, and shows them', async () => {
    await using _worker = await world.work();
    await visit({}, async (page) => {
      const people = await page.waitForSelector('.contacts');
      assert.match(await people.innerText(), /^Jane Roe\napplicant · Creek LLC$/);
      const before = await world.balance(keys.national);
      assert.match(await page.innerText('.look-up'), /^Find email and phone \(1 credit at most\)\s+1 credit at most, charged only if/);
      assert.equal(before, 1_500);
      await page.click('text=Find email and phone');
      await page.waitForSelector('.contacts a:text-is("jane@example.org")');
      assert.equal(await page.innerText('.look-up'), 'Found. 1 credit charged.');
      assert.equal(await world.balance(keys.national), before - 1);
      await page.waitForSelector('.account >> text=1,499');
    });
  });

  for (const tab of ['map', 'table'])
    it(`prints the record alone, on white, with the quotes that are shown, in the tab ${tab}`, () =>
      visit({ dark: true, path: `/map?tab=${tab}&project=1` }, async (page) => {
        await page.click('text=Show every quote');
        await page.waitForSelector('.proof mark');
        await page.click('text=Hide quotes');
        await page.waitForSelector('.proof', { state: 'detached' });
        await page.click('text=Show every quote');
        await page.waitForSelector('.proof mark');
        assert.equal(await page.title(), 'Creek Homes - Land Use Intelligence');
        await page.emulateMedia({ media: 'print' });
        const around = ['.bar', '.filter-bar', '.stage', '.found > header', '.behind', '.table-main', '.record-actions', '.look-up'];
        for (const hidden of around) assert.equal(await page.isVisible(hidden), false, hidden);
        for (const printed of ['#record-title', '.record .value', '.proof mark']) assert(await page.isVisible(printed), printed);
        assert.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(253, 253, 251)');
        const { height } = (await (await page.$('.record'))?.boundingBox()) ?? assert.fail();
        assert(await page.evaluate<boolean>(`document.documentElement.scrollHeight >= ${Math.floor(height)}`), 'all of it is on the paper');
      }));

  for (const [viewport, dark] of bothScreens(WIDE))
    it(`has no violation of accessibility and no sideways scrolling at ${viewport.width} pixels, ${dark ? 'dark' : 'light'}`, () =>
      visit({ viewport, dark, path: `/map?view=${AROUND_BOULDER}&project=1` }, async (page) => {
        await page.waitForSelector('.record .value');
        await show(page, 'Status');
        await page.click(`${row('Status')} >> text=The whole minutes`);
        await show(page, 'Dwelling units');
        await assertAccessible(page, 'the record');
        const { scrollHeight } = await page.evaluate<{ scrollHeight: number }>('({ scrollHeight: document.documentElement.scrollHeight })');
        assert(viewport === NARROW || scrollHeight <= viewport.height + 8, `the page scrolls besides its panel: ${scrollHeight}`);
      }));
});
