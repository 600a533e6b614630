/** The account's tabs in a real browser: alerts and lists that open, change, are shared, deleted and restored. */
import assert from 'node:assert/strict';
import { project, TODAY } from '../../support/fixtures.ts';
import { eventually } from '../../support/jobs.ts';
import type { Json } from '../../support/json.ts';
import { assertAccessible, clickTab, provideVisits, REFUSALS } from '../../support/pageVisits.ts';
import { bodyOf, type TestService } from '../../support/service.ts';
import { provideWorld } from '../../support/world.ts';

describe('the tabs of the account', () => {
  const visit = provideVisits(() => ({ url: api.url, key, viewport: { width: 1240, height: 900 }, expected: REFUSALS }));
  const world = provideWorld({ start: `${TODAY}T19:00:00.000Z` });
  let api: TestService;
  let key = '';

  before(async () => {
    api = world.api;
    await api.index.load([
      project(1, { projectName: 'Creekside Homes', status: 'approved' }),
      project(2, { projectName: 'Mill Row', propertyType: 'commercial', latitude: 40.01, longitude: -105.2 }),
      project(3, { projectName: 'Orchard Flats', decisionBody: 'city_council', nextMeetingDate: '2026-12-08' }),
    ]);
    key = await api.key();
  });

  async function make(path: string, body: object): Promise<Json> {
    return bodyOf(await api.post(path, body, { key }), 201).data;
  }
  const status = async (path: string) => (await api.get(path, {}, { key })).status;
  const row = (words: string) => `tr:has-text("${words}")`;

  /** Keys of two members of one team. */
  async function team() {
    const owner = await api.key();
    const [latest] = (await api.accounts.teams()).slice(-1);
    const teamId = latest?.id ?? 0;
    const { id } = await api.accounts.createUser({ teamId, name: 'Mate', email: `mate-${teamId}@example.com`, role: 'member' });
    return { owner, mate: (await api.keys.mint(id)).secret };
  }

  it('note why a project is in a list, and keep the note when its removal is undone', async () => {
    const { id } = await make('/lists', { name: 'With reasons', projectIds: [1, 2] });
    const notes = async () => {
      const { body } = await api.get(`/lists/${id}/results`, { representation: 'compact' }, { key });
      return Object.fromEntries(body.data.map((one: Json) => [one.id, one.note]));
    };
    await visit({ path: `/map?tab=lists&open=${id}` }, async (page) => {
      await page.click(`${row('Creekside')} button:has-text("Add a note")`);
      await page.fill('#note-1', 'Next to our site');
      await page.click(`${row('Creekside')} button:has-text("Save")`);
      await page.waitForSelector(row('Next to our site'));
      assert.deepEqual(await notes(), { 1: 'Next to our site', 2: null });
      await assertAccessible(page, 'a list with notes');
      await page.click(`${row('Creekside')} button:has-text("Remove")`);
      await page.click('button:has-text("Undo")');
      await page.waitForSelector(row('Next to our site'));
      assert.deepEqual(await notes(), { 1: 'Next to our site', 2: null });
    });
  });

  it('subscribe a calendar to hearings by an address that is shown once, and remove it', async () => {
    await visit({ path: '/map?tab=hearings&states=CO' }, async (page) => {
      await page.click('button:has-text("Subscribe in a calendar")');
      await page.click('button:has-text("Make a calendar address")');
      await page.waitForSelector('#icsUrl:focus');
      const url = await page.inputValue('#icsUrl');
      assert.equal(await page.getAttribute('a:has-text("Open it in the calendar")', 'href'), url.replace('http:', 'webcal:'));
      const read = () => fetch(url.replace('http://landuse.test', api.url));
      assert.match(await (await read()).text(), /DTSTART;VALUE=DATE:20261208/);
      await assertAccessible(page, 'a subscription to hearings');
      page.once('dialog', (dialog) => dialog.accept());
      await page.click('button:has-text("Remove the feed")');
      await page.waitForSelector('#icsUrl', { state: 'detached' });
      assert.equal((await read()).status, 404);
    });
  });

  it('delete a list and an alert at once, and take that back', async () => {
    const list = await make('/lists', { name: 'To be deleted', projectIds: [1, 2] });
    const alert = await make('/alerts', { name: 'Watched for a while', filters: { states: ['CO'] } });
    await visit({ path: '/map?tab=lists' }, async (page) => {
      await page.click(`${row('To be deleted')} >> button:text-is("Delete")`);
      await page.waitForSelector(row('To be deleted'), { state: 'detached' });
      assert.equal(await status(`/lists/${list.id}`), 404);
      assert.match(await page.innerText('.toast'), /“To be deleted” is deleted\. It can be restored for 30 days\./);
      await page.click('.toast >> text=Undo');
      await page.waitForSelector(`${row('To be deleted')}:has-text("2 projects")`);
      assert.equal(await status(`/lists/${list.id}`), 200);
      await clickTab(page, 'Alerts');
      await page.click(`${row('Watched for a while')} >> button:text-is("Delete")`);
      await page.waitForSelector(row('Watched for a while'), { state: 'detached' });
      assert.equal((await api.get(`/alerts/${alert.id}`, {}, { key })).body.data.status, 'archived');
      await page.click('.toast:has-text("Watched") >> text=Undo');
      await page.waitForSelector(`${row('Watched for a while')}:has-text("Active")`);
    });
  });

  it('restore what was deleted a while ago', async () => {
    const list = await make('/lists', { name: 'Missed', projectIds: [3] });
    assert.equal((await api.get(`/lists/${list.id}`, {}, { key, method: 'DELETE' })).status, 200);
    await visit({ path: '/map?tab=lists' }, async (page) => {
      await page.click('text="Deleted lists"');
      await page.click(`${row('Missed')} >> button:text-is("Restore")`);
      await page.waitForSelector('text=Nothing was deleted in the last 30 days.');
      await page.waitForSelector(`${row('Missed')}:has-text("1 project")`);
      assert.equal(await status(`/lists/${list.id}`), 200);
    });
  });

  it('open a list: its records are links, removed with an undo, added by id; it is renamed, noted and shared', async () => {
    const list = await make('/lists', { name: 'Pipeline', projectIds: [1, 2] });
    const stored = async () => (await api.get(`/lists/${list.id}`, {}, { key })).body.data;
    await visit({ path: '/map?tab=lists' }, async (page) => {
      await page.focus('a:text-is("Pipeline")');
      await page.keyboard.press('Enter');
      await page.waitForSelector('h2:text-is("2 projects")');
      assert.equal(await page.evaluate('document.activeElement.textContent.trim()'), 'Pipeline');
      assert.equal(new URL(page.url()).searchParams.get('open'), list.id);
      await page.click(`${row('Mill Row')} >> text=Remove`);
      await page.waitForSelector(row('Mill Row'), { state: 'detached' });
      await page.waitForSelector('h2:text-is("1 project")');
      await page.click('.toast >> text=Undo');
      await page.waitForSelector(row('Mill Row'));
      await page.fill('#add-ids', '2, 3 999999');
      await page.click('button:text-is("Add")');
      await page.waitForSelector('.toast:has-text("1 project added. 2 was there already. Not found, or outside the licence: 999999.")');
      await page.waitForSelector('h2:text-is("3 projects")');
      await page.click('button:text-is("Rename")');
      await page.fill('#new-name', 'Pipeline of the creek');
      await page.click('.rename >> button:text-is("Rename")');
      await page.waitForSelector('h1:has-text("Pipeline of the creek")');
      await page.fill('#notes', 'Call the clerk.');
      await page.click('text=Save the notes');
      await page.click('label:has-text("The whole team")');
      await page.waitForSelector('.toast:has-text("Shared with: the whole team.")');
      const { name, description, share, projectCount } = await stored();
      assert.deepEqual([name, description, share.mode, projectCount], ['Pipeline of the creek', 'Call the clerk.', 'team', 3]);
      await page.click('.toast:has-text("Shared with") >> text=Undo');
      await page.waitForSelector('.check:has-text("Nobody else") input:checked');
      assert.equal((await stored()).share.mode, 'private');
      await page.click('.open-heading >> button:text-is("Delete")');
      await page.waitForSelector('h1:text-is("Lists")');
      await page.click('.toast:has-text("is deleted") >> text=Undo');
      await page.waitForSelector('h1:has-text("Pipeline of the creek")');
      await page.click('text="Open as the table"');
      await page.waitForURL(/tab=table/);
      await page.waitForSelector('text="Orchard Flats"');
      await page.waitForSelector('text="Mill Row"');
      await page.goBack();
      await page.click('a:text-is("Orchard Flats")');
      await page.waitForURL(/project=3/);
      await page.waitForSelector('.panel h2');
    });
  });

  it('take a team-mate out of a shared list, and let them in again', async () => {
    const { owner, mate } = await team();
    const made = await api.post('/lists', { name: 'Ours', projectIds: [1], share: { mode: 'team' } }, { key: owner });
    const { id } = made.body.data;
    const asMate = async () => (await api.get(`/lists/${id}`, {}, { key: mate })).status;
    await visit({ path: `/map?tab=lists&open=${id}`, key: owner }, async (page) => {
      assert.equal(await asMate(), 200);
      await page.click('.check:text-is("Mate")');
      await page.waitForSelector('.toast:has-text("no longer sees it")');
      assert.equal(await asMate(), 404);
      await page.click('.check:text-is("Mate")');
      await page.waitForSelector('.toast:has-text("sees it."):not(:has-text("no longer"))');
      assert.equal(await asMate(), 200);
    });
  });

  it('open a list of filters: in words, counted, changed by taking one away', async () => {
    const list = await make('/lists', { name: 'Commercial ones', filters: { states: [8], propertyTypes: ['commercial'] } });
    await visit({ path: `/map?tab=lists&open=${list.id}` }, async (page) => {
      await page.waitForSelector('.chip:has-text("State: Colorado")');
      await page.waitForSelector('text="1 project now."');
      await page.click('.chip:has-text("Building Type: Commercial")');
      await page.waitForSelector('text="3 projects now."');
      assert.deepEqual((await api.get(`/lists/${list.id}`, {}, { key })).body.data.filters, { states: [8] });
      await page.click('.toast >> text=Undo');
      await page.waitForSelector('text="1 project now."');
      await page.click('text="Open as the table"');
      await page.waitForSelector('text="Mill Row"');
      await page.goBack();
      await page.click('text="Show or change on the map"');
      await page.waitForSelector('.total strong:text-is("1")');
      await page.click('text="Back to the list, to take them"');
      await page.waitForSelector('h1:has-text("Commercial ones")');
    });
  });

  it('say what the records of a list cost before they are read', async () => {
    const metered = await api.key('api_only');
    const made = await api.post('/lists', { name: 'Priced', projectIds: [1, 2] }, { key: metered });
    const before = await api.balance(metered);
    await visit({ path: `/map?tab=lists&open=${made.body.data.id}`, key: metered }, async (page) => {
      await page.waitForSelector('.price:has-text("Reading them costs 2 credits")');
      assert.equal(await api.balance(metered), before);
      await page.click('text="Read for 2 credits"');
      await page.waitForSelector(row('Creekside Homes'));
      assert.equal(await api.balance(metered), before - 2);
      await page.fill('#add-ids', '3');
      await page.click('button:text-is("Add")');
      await page.waitForSelector('.price:has-text("Reading them costs 1 credit")');
      assert.equal(await api.balance(metered), before - 2, 'what was added is priced, too');
      await page.click('text="Read for 1 credit"');
      await page.waitForSelector(row('Orchard Flats'));
      assert.equal(await api.balance(metered), before - 3);
    });
  });

  it('save an alert with its rhythm, show what a change would do before it is saved, and take a change back', () =>
    visit({ path: '/map?tab=alerts&states=CO' }, async (page) => {
      await page.fill('#alert-name', 'All of Colorado');
      await page.selectOption('#new-often', 'monthly');
      await page.selectOption('#new-day', '15');
      await page.check('#new-before-hearings');
      await page.click('text="Show the first digest"');
      await page.waitForSelector('[role=status]:has-text("The first run would bring 3 projects, free on your plan.")');
      for (const name of ['Creekside Homes', 'Mill Row', 'Orchard Flats'])
        await page.waitForSelector(`[aria-label="The first digest"] ${row(name)}`);
      await assertAccessible(page, 'the first digest');
      await page.click('text="Save the alert"');
      await page.waitForSelector('h1:has-text("All of Colorado")');
      const id = new URL(page.url()).searchParams.get('open');
      const stored = async () => (await api.get(`/alerts/${id}`, {}, { key })).body.data;
      assert.deepEqual((await stored()).cadence, { frequency: 'monthly', weekday: null, day: 15, beforeHearings: true });
      await page.waitForSelector('.note:has-text("Runs monthly on day 15 at 06:00 America/Denver, and on the day before a hearing")');
      await page.waitForSelector('text="The next run would deliver 3 records. Records are free on your plan."');
      await page.fill('#per-run', '2');
      await page.waitForSelector('h2:text-is("With these changes")');
      await page.waitForSelector('.figures:has-text("would deliver 2 records of 3; the rest waits")');
      assert.equal(await page.isDisabled('button:text-is("Run now")'), true, 'a run goes by what is saved');
      await page.selectOption('#rhythm-often', 'weekly');
      await page.selectOption('#rhythm-weekday', '3');
      await page.uncheck('#rhythm-before-hearings');
      await page.fill('#mail-to', 'Ann@partner.example.com');
      await page.click('text="Save the changes"');
      await page.waitForSelector('.note:has-text("Runs weekly on Wednesday")');
      await page.waitForSelector('.recipients li:has-text("ann@partner.example.com"):has-text("has not answered yet")');
      const { cadence, maxRecordsPerRun } = await stored();
      assert.deepEqual([cadence.weekday, cadence.beforeHearings, maxRecordsPerRun], [3, false, 2]);
      await page.waitForSelector('h2:text-is("The next run")');
      await page.click('.toast:has-text("The alert is saved") >> text=Undo');
      await page.waitForSelector('.note:has-text("Runs monthly on day 15 at 06:00 America/Denver, and on the day before a hearing")');
      await page.waitForSelector('text="The next run would deliver 3 records. Records are free on your plan."');
      assert.deepEqual([(await stored()).maxRecordsPerRun, (await stored()).notify.emailTo], [100, []]);
      await page.click('button:text-is("Pause")');
      await page.waitForSelector('h1 .badge:text-is("Paused")');
      await page.click('button:text-is("Resume")');
      await page.waitForSelector('h1 .badge:text-is("Active")');
    }));

  it('tell on metered plans what the first digest costs before an alert is saved, with the titles that the team holds alone', async () => {
    const metered = await api.key('api_only');
    await api.get('/projects/search', { projectIds: 2 }, { key: metered });
    await visit({ path: '/map?tab=alerts&states=CO', key: metered }, async (page) => {
      await page.click('text="Show the first digest"');
      await page.waitForSelector('[role=status]:has-text("The first run would bring 3 projects of 3, for at most 2 credits.")');
      assert.deepEqual(await page.$$eval('[aria-label="Held already"] tbody a', (links) => links.map((link) => link.textContent)), [
        'Mill Row',
      ]);
      assert(!(await page.content()).includes('Creekside'));
    });
  });

  it('show the list of an alert once it holds something, from the alert and among the lists', async () => {
    const alert = await make('/alerts', { name: 'Of approved ones', filters: { states: ['CO'], status: ['approved'] } });
    const isListed = async () => {
      let listed = false;
      await visit({ path: '/map?tab=lists' }, async (page) => {
        await page.waitForSelector('summary');
        await page.waitForSelector('.loading', { state: 'detached' });
        listed = (await page.$('main table >> text="Of approved ones"')) !== null;
      });
      return listed;
    };
    assert.equal(await isListed(), false);
    await visit({ path: `/map?tab=alerts&open=${alert.id}` }, async (page) => {
      await page.click('button:text-is("Run now")');
      await page.click('text="a list"');
      await page.waitForSelector(row('Creekside Homes'));
    });
    assert.equal(await isListed(), true);
  });

  it('run an alert by hand, and show by run what is new; matches are dismissed and shown again', async () => {
    const alert = await make('/alerts', { name: 'By hand', filters: { states: ['CO'] }, maxRecordsPerRun: 2 });
    await visit({ path: `/map?tab=alerts&open=${alert.id}` }, async (page) => {
      await page.waitForSelector('text=It has not run yet.');
      await page.click('button:text-is("Run now")');
      await page.waitForSelector(
        '.toast:has-text("The run delivered 2 new records and 0 changed ones, for 0 credits. 2 runs by hand left today.")',
      );
      await page.waitForSelector('h2:text-is("2 matches")');
      await page.waitForSelector('.figures:has-text("would deliver 1 record.")');
      await world.moveTo(`${TODAY}T20:00:00.000Z`);
      await page.click('button:text-is("Run now")');
      await page.waitForSelector('h2:text-is("3 matches")');
      const groups = page.locator('h3:has-text("Run of")');
      assert.deepEqual(
        (await groups.allTextContents()).map((text) => /: (\d new).*?(New)?$/s.exec(text)?.slice(1)),
        [
          ['1 new', 'New'],
          ['2 new', undefined],
        ],
      );
      await page.waitForSelector('.figures:has-text("would deliver nothing")');
      await page.click(`${row('Mill Row')} >> button:text-is("Dismiss")`);
      await page.waitForSelector('h2:text-is("2 matches")');
      await page.click('.toast:has-text("Mill Row is dismissed until it changes") >> text=Undo');
      await page.waitForSelector('h2:text-is("3 matches")');
      await page.click(`${row('Mill Row')} >> button:text-is("Dismiss")`);
      await page.waitForSelector('h2:text-is("2 matches")');
      for (const show of await page.locator('button:has-text("Show 2 matches"), button:has-text("Show 1 match")').all()) {
        await show.click();
        await page.waitForSelector('text="Of one run, dismissed ones too."');
        if (await page.locator(row('Mill Row')).isVisible()) break;
      }
      await page.click(`${row('Mill Row')} >> button:text-is("Show again")`);
      await page.click('text="Show all runs"');
      await page.waitForSelector('h2:text-is("3 matches")');
    });
  });

  it('read on where a page of a collection ends', async () => {
    const busy = await api.key();
    await Promise.all(Array.from({ length: 103 }, (_, i) => api.post('/lists', { name: `List ${i}`, projectIds: [] }, { key: busy })));
    await visit({ path: '/map?tab=lists', key: busy }, async (page) => {
      const count = () => page.locator('.sheet tbody tr').count();
      await page.waitForSelector('.sheet tbody tr');
      assert.equal(await count(), 100);
      await page.click('button:text-is("Show more")');
      await page.waitForSelector('button:text-is("Show more")', { state: 'detached' });
      assert.equal(await count(), 103);
    });
  });

  it('name the alert or the list that a file was made of', async () => {
    const list = await make('/lists', { name: 'To a file', projectIds: [1] });
    assert.equal((await api.post('/exports', { listId: list.id }, { key })).status, 202);
    await visit({ path: '/map?tab=exports' }, async (page) => {
      await page.click('a:text-is("Projects of a list")');
      await page.waitForSelector('h1:has-text("To a file")');
    });
  });

  it('say what a file costs before it is made, download it, and keep it', async () => {
    const metered = await api.key('api_only');
    await using _worker = await world.work();
    await visit({ path: '/map?tab=exports&states=CO', key: metered }, async (page) => {
      await page.click('text="Count the rows and their price"');
      await page.waitForSelector('.quote:has-text("A CSV of 3 projects"):has-text("Your balance is 5,000.")');
      await Promise.all([page.waitForEvent('download'), page.click('text="Make the file for 3 credits"')]);
      await page.waitForSelector('.account >> text=4,997');
      await page.waitForSelector('main tr:has-text("State: Colorado") >> text="Download"');
    });
  });

  it('say what a run costs before it runs', async () => {
    const metered = await api.key('api_only');
    const made = await api.post('/alerts', { name: 'Priced', filters: { states: ['CO'] } }, { key: metered });
    const before = await api.balance(metered);
    const savedBound = (bound: number | null) =>
      eventually('the bound to be saved', async () => {
        const { body } = await api.get(`/alerts/${made.body.data.id}`, {}, { key: metered });
        return body.data.maxCredits === bound || undefined;
      });
    await visit({ path: `/map?tab=alerts&open=${made.body.data.id}`, key: metered }, async (page) => {
      await page.waitForSelector('.figures:has-text("That costs 3 credits; your balance is 5,000.")');
      await page.fill('#max-credits', '1');
      await page.click('text="Save the changes"');
      await savedBound(1);
      await page.waitForSelector('h2:text-is("The next run")');
      await page.click('button:text-is("Run now")');
      await page.waitForSelector('.toast:has-text("The run was refused: budget exceeded. Nothing was charged.")');
      assert.equal(await api.balance(metered), before);
      await page.fill('#max-credits', '');
      await page.click('text="Save the changes"');
      await savedBound(null);
      await page.waitForSelector('h2:text-is("The next run")');
      await page.click('button:text-is("Run now")');
      await page.waitForSelector('.account >> text=4,997');
      assert.equal(await api.balance(metered), before - 3);
    });
  });

  it('make feeds whose addresses are copied, and remove them', async () => {
    const alert = await make('/alerts', { name: 'Fed', filters: { states: ['CO'] } });
    await visit({ path: `/map?tab=alerts&open=${alert.id}` }, async (page) => {
      page.on('dialog', (dialog) => dialog.accept());
      await page.click('text="Make a feed"');
      const address = new URL(await page.inputValue('#jsonUrl'));
      const feedStatus = async () => (await fetch(`${api.url}${address.pathname}`)).status;
      assert.equal(await feedStatus(), 200);
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: api.url });
      await page.click('button:has-text("Copy: Address for programs")');
      await page.waitForSelector('.toast:has-text("The address is copied.")');
      assert.equal(await page.evaluate('navigator.clipboard.readText()'), address.href);
      await page.click('button:has-text("Remove the feed")');
      await page.waitForSelector('#jsonUrl', { state: 'detached' });
      assert.equal(await feedStatus(), 404);
    });
  });

  it('change what an alert watches on the map, in words', async () => {
    const alert = await make('/alerts', { name: 'Moved', filters: { states: ['CO'], propertyTypes: ['commercial'] } });
    await visit({ path: `/map?tab=alerts&open=${alert.id}` }, async (page) => {
      await page.click('.chip:has-text("Building Type: Commercial")');
      await page.waitForSelector('.figures:has-text("would deliver 3 records")');
      await page.click('text="Discard them"');
      await page.waitForSelector('.figures:has-text("would deliver 1 record")');
      await page.click('text="Change on the map"');
      await page.waitForURL(/propertyTypes=commercial/);
      await page.goto(page.url().replace('propertyTypes=commercial', 'propertyTypes=residential'));
      await page.click('text="Back to the alert, to take them"');
      await page.click('text="Take the filters of the map"');
      await page.waitForSelector('.figures:has-text("would deliver 2 records")');
      await page.click('text="Save the changes"');
      await page.waitForSelector('.chip:has-text("Building Type: Residential")');
      await page.waitForSelector('h2:text-is("The next run")');
      assert.deepEqual((await api.get(`/alerts/${alert.id}`, {}, { key })).body.data.filters, {
        states: 'CO',
        propertyTypes: 'residential',
      });
      await page.click('.open-heading >> button:text-is("Delete")');
      await page.waitForSelector('h1:text-is("Alerts")');
      await page.goBack();
      await page.waitForSelector('h1 .badge:text-is("Deleted")');
      await page.click('button:text-is("Restore")');
      await page.waitForSelector('h1 .badge:text-is("Active")');
    });
  });

  for (const [width, dark] of [
    [390, true],
    [1240, false],
  ] as const)
    it(`have no violation of accessibility and no sideways scrolling at ${width} pixels`, async () => {
      const alert = await make('/alerts', { name: `Checked ${width}`, filters: { states: ['CO'] } });
      assert.equal((await api.post(`/alerts/${alert.id}/feeds`, {}, { key })).status, 201);
      const list = await make('/lists', { name: `Checked ${width}`, projectIds: [1, 2], share: { mode: 'team' } });
      const filtered = await make('/lists', { name: `Filtered ${width}`, filters: { states: ['CO'] } });
      for (const open of ['', alert.id, list.id, filtered.id]) {
        const path = `/map?tab=${open.startsWith('lst_') ? 'lists' : 'alerts'}${open && `&open=${open}`}`;
        await visit({ path, viewport: { width, height: 844 }, dark }, async (page) => {
          await page.waitForSelector(open ? '.open-heading' : '.sheet table');
          await page.waitForSelector('.loading', { state: 'detached' });
          await assertAccessible(page, path);
        });
      }
    });
});
