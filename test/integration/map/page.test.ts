/** The page of the map in a real browser: signing in, filters, drawing, records and their price, errors, keyboard and screen reader. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { pageBundle } from '../../../src/web/bundle.ts';
import { project, TODAY } from '../../support/fixtures.ts';
import { assertAccessible, bothScreens, clickTab, provideVisits } from '../../support/pageVisits.ts';
import { bodyOf, provideService } from '../../support/service.ts';

const WIDE = { width: 1240, height: 620 };
const AROUND_BOULDER = '-105.4,39.9,-105.1,40.1';
const MINUTES = 'The council opened the hearing at seven.';

const TABS = [
  'Table',
  'Ask',
  'Charts',
  'Odds',
  'Compare',
  'Hearings',
  'Match',
  'Exports',
  'Alerts',
  'Lists',
  'Webhooks',
  'Keys',
  'Receipts',
];

/** What a browser says of an answer that the page shows as a sentence. */
const EXPECTED = /^Failed to load resource: the server responded with a status of 4|net::ERR_FAILED/;

/** What a browser keeps of a signed-in visit: when it was, and what was here. */
const VISIT_ALONE = ['landuse-visit'];

describe('the map', () => {
  const visit = provideVisits(() => ({ url: api.url, viewport: WIDE, expected: EXPECTED, isDrawn: true }));
  const api = provideService({ today: TODAY });
  const keys = { national: '', county: '', metered: '' };

  before(async () => {
    await api.index.load([
      project(1, {
        ...{ latitude: 40.015, longitude: -105.27, status: 'approved', acreage: 12.5, summary: 'Forty homes by the creek.' },
        ...{
          decisions: [{ meetingDate: '2026-10-01', status: 'approved', motion: 'To approve.', votes: [{ name: 'A. Roe', vote: 'yes' }] }],
        },
        ...{ meetingDocuments: [{ meetingDocumentId: 501, title: 'Minutes of October' }] },
      }),
      project(2, { latitude: 40.02, longitude: -105.2, propertyType: 'commercial', meetingDate: '2026-11-01' }),
      project(3, {
        latitude: 30.267,
        longitude: -97.743,
        state: 'TX',
        county: 'Travis County',
        city: 'Austin',
        nextMeetingDate: '2026-12-01',
      }),
      // In one tile at every zoom at which the tests look: 14/3402/6199.
      ...Array.from({ length: 6 }, (_, i) => project(10 + i, { latitude: 40.05, longitude: -105.24 + i / 1000, status: 'denied' })),
      { kind: 'document', id: 501, state: 'CO', county: 'Boulder County', title: 'Minutes of October', text: MINUTES },
    ]);
    keys.national = await api.key();
    keys.county = await api.key('county', { stateIds: [], countyIds: [8013] });
    keys.metered = await api.key('api_only');
  });

  const address = (page: Page) => new URL(page.url());
  /** Types a filter and takes the first offer. */
  async function type(page: Page, words: string): Promise<void> {
    await page.fill('#filter-search', words);
    await page.press('#filter-search', 'Enter');
  }
  const total = (page: Page, count: number) => page.waitForSelector(`.total strong:text-is("${count}")`);
  const alertText = async (page: Page) => (await page.waitForSelector('[role=alert]')).innerText();
  const drawn = (page: Page) => page.waitForSelector('.tools');

  it('asks for a key, says in one sentence what is wrong with one, and keeps a good one for the tab alone', () =>
    visit({ isDrawn: false }, async (page) => {
      await page.fill('#key', 'svc_live_nonsense');
      await page.keyboard.press('Enter');
      assert.match(await alertText(page), /key.*\n?.*About this error/is);
      await page.fill('#key', keys.national);
      await page.keyboard.press('Enter');
      await total(page, 9);
      assert.deepEqual(await page.evaluate('[Object.keys(localStorage), document.cookie]'), [VISIT_ALONE, '']);
      await page.reload();
      await total(page, 9);
      await page.click('.menu-button');
      await page.click('text=Sign out');
      await page.waitForSelector('#key');
      assert.deepEqual(await page.evaluate('Object.keys(sessionStorage)'), []);
      assert.deepEqual(await page.context().cookies(), []);
    }));

  it('lists hearings of projects of every date, and opens those of a day; every tab is to be seen', () =>
    visit(
      { isDrawn: false, key: keys.national, path: '/map?tab=hearings&states=TX', viewport: { width: 1280, height: 620 } },
      async (page) => {
        await page.waitForSelector('.filter-chip.default:has-text("All dates")');
        assert.equal(
          await page.evaluate("(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.bar > nav'))"),
          0,
        );
        await page.click('main td a:text-is("1")');
        await total(page, 1);
        assert.equal(address(page).search, '?projectIds=3&tab=table');
        assert.equal(await page.locator('.filter-chip.bad').count(), 0);
      },
    ));

  it('keeps a key for new tabs and later visits if the reader asks for it, so that a link to a record opens it; signing out forgets it', async () => {
    await visit({ isDrawn: false }, async (page) => {
      await page.fill('#key', keys.national);
      await page.check('text=Stay signed in');
      await page.keyboard.press('Enter');
      await total(page, 9);
    });
    await visit({ isDrawn: false, path: '/map?tab=receipts' }, async (page) => {
      await page.waitForSelector('h1:text-is("Receipts")');
      await page.click('.menu-button');
      await page.click('text=Sign out');
      await page.waitForSelector('#key');
      assert.deepEqual(await page.evaluate('[Object.keys(localStorage), Object.keys(sessionStorage)]'), [VISIT_ALONE, []]);
    });
    await visit({ isDrawn: false }, async (page) => void (await page.waitForSelector('#key')));
  });

  it('filters in the words of the taxonomy; the address is the state, and the back button takes a filter back', () =>
    visit({ key: keys.national }, async (page) => {
      await total(page, 9);
      await type(page, 'Colorado');
      await total(page, 8);
      await type(page, 'building type: commercial');
      await total(page, 1);
      assert.equal(address(page).searchParams.get('states'), 'CO');
      assert.equal(address(page).searchParams.get('propertyTypes'), 'commercial');
      await page.goBack();
      await total(page, 8);
      await page.waitForSelector('.filter-chip:has-text("Building Type")', { state: 'detached' });
      await page.goBack();
      await total(page, 9);
      await page.goForward();
      await total(page, 8);
      await page.click('.menu-button');
      await page.click('text=This search as code');
      const code = await page.innerText('.code');
      assert.match(code, /^curl -sg -H "Authorization: Bearer \$KEY" \\\n {2}'http:\/\/landuse\.test\/v1\/projects\/count\?states=CO'$/);
      await page.selectOption('#language', { label: 'Python' });
      assert.match(await page.innerText('.code'), /from landuse_api import LandUse[\s\S]+api\.projects\.count\(\n +states=\["CO"\],/);
      assert(!(await page.content()).includes(keys.national));
    }));

  it('draws a polygon and a circle, which become a filter', () =>
    visit({ key: keys.national, path: `/map?view=${AROUND_BOULDER}` }, async (page) => {
      await total(page, 9);
      await drawn(page);
      const { x, y, width, height } = (await (await page.$('.map'))?.boundingBox()) ?? assert.fail();
      const click = (across: number, down: number) => page.mouse.click(x + width * across, y + height * down);
      await page.click('.tools >> text=Polygon');
      for (const [across, down] of [
        [0.1, 0.2],
        [0.9, 0.2],
        [0.9, 0.7],
        [0.1, 0.7],
      ] as const)
        await click(across, down);
      await page.keyboard.press('Enter');
      await total(page, 8);
      const [{ polygon: ring }] = JSON.parse(address(page).searchParams.get('areas') ?? '[{}]');
      assert.equal(ring.length, 5);
      assert.deepEqual(ring[0], ring[4]);
      await page.click('text=Circle in view');
      await page.waitForURL(/circle/);
    }));

  it('lists what it shows, says it to a screen reader, and opens a record with its evidence and minutes', () =>
    visit({ key: keys.national, path: `/map?view=${AROUND_BOULDER}` }, async (page) => {
      await page.waitForSelector('.item >> text=Project 1');
      await page.waitForSelector('.found [role=status]:text-is("9 projects match. In view: 8 projects, each by itself.")', {
        state: 'attached',
      });
      await page.click('.item:has-text("Oct 1, 2026"):has-text("Approved")');
      const panel = await page.waitForSelector('.panel blockquote');
      assert.equal(await panel.innerText(), 'To approve.');
      assert.match(await page.innerText('.panel'), /Forty homes by the creek\.[\s\S]*12\.5[\s\S]*A\. Roe\s+Yes/);
      assert.equal(address(page).searchParams.get('project'), '1');
      await page.click('text=Read the minutes');
      assert.equal(await page.innerText('.minutes'), MINUTES);
      await page.goBack();
      await page.waitForSelector('.panel', { state: 'detached' });
    }));

  it('shows the price first where records cost a credit, and charges for the button alone', () =>
    visit({ key: keys.metered, path: `/map?view=${AROUND_BOULDER}`, isDrawn: false }, async (page) => {
      await total(page, 9);
      assert(!(await page.innerText('.found')).includes('Project 1'));
      await page.click('.item >> nth=0');
      assert.match(await page.innerText('.price'), /^Reading these 8 projects costs 8 credits\. Your balance is 5,000 credits;/);
      await page.waitForSelector('button:text-is("Read for 8 credits")');
      await page.goto(`${api.url}/map?view=${AROUND_BOULDER}&project=1`);
      assert.match(await page.innerText('.price'), /costs 1 credit/);
      assert.equal(await api.balance(keys.metered), 5_000);
      await page.click('text=Read it for 1 credit');
      await page.waitForSelector('.panel >> text=Forty homes by the creek.');
      await page.waitForSelector('.account >> text=4,999');
      await page.waitForSelector('.item >> text=Project 1');
      assert.equal(await api.balance(keys.metered), 4_999);
    }));

  it('makes, replaces and revokes keys; a secret is shown once, and the page goes on with the key that replaced its own', async () => {
    const own = await api.key('national');
    await visit({ path: '/map?tab=keys', isDrawn: false }, async (page) => {
      await page.fill('#key', own);
      await page.keyboard.press('Enter');
      page.on('dialog', (dialog) => dialog.accept());
      await page.fill('#key-name', 'nightly sync');
      await page.click('text=Make a key');
      const made = await page.innerText('.secret');
      const works = async (key: string) => (await api.get('/account/credits', {}, { key })).status;
      assert.equal(await works(made), 200);
      await page.click('text=I have kept it');
      await page.waitForSelector('.secret', { state: 'detached' });
      const row = (words: string) => `tr:has-text("${words}")`;
      await page.click(`${row('nightly sync')} >> text=Revoke`);
      await page.waitForSelector(`${row('nightly sync')}:has-text("Revoked")`);
      assert.equal(await works(made), 401);
      await page.click(`${row('this page')} >> text=Replace`);
      const replacement = await page.innerText('.secret');
      await page.waitForSelector(`tr:has-text("Rotating")`);
      assert.deepEqual([await works(own), await works(replacement)], [200, 200]);
      assert.equal(await page.evaluate(`sessionStorage.getItem('landuse-key')`), replacement);
    });
  });

  it('says in one sentence what went wrong and what helps: licence elsewhere, server down, record not there', async () => {
    await visit({ key: keys.county, path: '/map?states=TX', isDrawn: false }, async (page) => {
      assert.match(await alertText(page), /Outside the licence: Texas/);
    });
    await visit({ key: keys.national, isDrawn: false }, async (page) => {
      await total(page, 9);
      await page.route('**/v1/projects/map*', (route) => route.abort());
      await type(page, 'Colorado');
      assert.match(await alertText(page), /The service does not answer\. Check the connection/);
      await page.unroute('**/v1/projects/map*');
      await page.click('button:text("Try again")');
      await total(page, 8);
      await page.goto(`${api.url}/map?project=987654`);
      assert.match(await alertText(page), /There is no project/);
    });
  });

  it('has land, water and a scale without a setting, goes to where the reader is, or says that the browser does not say it, and back', () =>
    visit({ key: keys.national }, async (page) => {
      const ground = page.waitForResponse(/\/assets\/ground\./);
      await page.reload();
      assert.equal((await ground).status(), 200);
      await drawn(page);
      assert.match(await page.innerText('.maplibregl-ctrl-bottom-right'), /\d+\skm[\s\S]*\d+\s(mi|ft)/);
      await page.click('[aria-label="Near me"]');
      await page.waitForSelector('.zoom .hint:has-text("Your browser does not say where you are")');
      await page.context().grantPermissions(['geolocation']);
      await page.context().setGeolocation({ latitude: 47.6, longitude: -122.3 });
      await page.click('[aria-label="Near me"]');
      await page.waitForURL(/view=-122/);
      await page.waitForSelector('text=None of them lies in this view');
      await assertAccessible(page, 'a view without projects');
      await page.click('[aria-label="Fit to all results"]');
      await page.waitForSelector('text=None of them lies in this view', { state: 'detached' });
      assert.equal(address(page).search, '');
    }));

  it('says that WebGL 2 is missing, and has everything in the list', () =>
    visit({ key: keys.national, isDrawn: false }, async (page) => {
      await total(page, 9);
      assert.match(await page.innerText('.no-map'), /cannot draw the map: it has no WebGL 2/);
      await page.click('.item >> nth=0');
      await page.waitForSelector('.panel dl, .panel .badges');
    }));

  for (const [viewport, dark] of bothScreens(WIDE))
    it(`has no violation of accessibility, no outside request and no sideways scrolling at ${viewport.width} pixels, ${dark ? 'dark' : 'light'}`, () =>
      visit({ key: keys.national, viewport, dark, path: `/map?view=${AROUND_BOULDER}&project=1` }, async (page) => {
        await page.waitForSelector('.panel blockquote');
        await drawn(page);
        await assertAccessible(page, 'map');
        if (viewport !== WIDE) await page.click('.back');
        for (const tab of TABS) {
          await clickTab(page, tab);
          await page.waitForSelector('.sheet h1, .records .record-row');
          await page.waitForSelector('.loading', { state: 'detached' });
          await assertAccessible(page, tab);
        }
      }));

  it('says what is here, what the plan may do and what is new since the last visit, and has examples to click', () =>
    visit({ key: keys.national, isDrawn: false }, async (page) => {
      await page.waitForSelector('.start:has-text("decision bod")');
      assert.match(await page.innerText('.start'), /records are free/);
      assert.doesNotMatch(await page.innerText('.start'), /last visit/);
      await page.evaluate(
        `localStorage.setItem('landuse-visit', JSON.stringify({ ...JSON.parse(localStorage.getItem('landuse-visit')), at: 1e12 }))`,
      );
      const asked: string[] = [];
      page.on('request', (request) => request.url().includes('/coverage') && asked.push(request.url()));
      await page.reload();
      await page.click('.start a:has-text("New or changed since your last visit on Sep 9, 2001")');
      await page.waitForSelector('.filter-chip:has-text("from Sep 9, 2001")');
      assert.equal(address(page).searchParams.get('lastUpdatedFrom'), '2001-09-09');
      assert.deepEqual(asked, [], 'what is here is asked once a release');
      await page.goto(`${api.url}/map`);
      await page.click('.start a:text-is("Show every year")');
      await page.waitForURL(/dateRange=all/);
      await page.goto(`${api.url}/map`);
      await page.click('.start a:has-text("Days to a decision, by state")');
      await page.waitForSelector('h1:text-is("Charts")');
      assert.equal(await page.inputValue('#measure'), 'daysToDecision');
      await page.goto(`${api.url}/map`);
      await page.click('.start button:has-text("apartments with a traffic study")');
      await page.waitForURL(/job=/);
      assert.equal(await page.inputValue('#question'), 'apartments with a traffic study');
    }));

  it('is dark or light as the reader chooses, also when it is loaded again, and otherwise as the system asks', () =>
    visit({ key: keys.national, isDrawn: false, dark: true }, async (page) => {
      await page.waitForSelector('.total strong');
      const paper = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      assert.equal(await paper(), 'rgb(20, 24, 28)');
      await page.click('.menu-button');
      await page.selectOption('#theme', 'light');
      assert.equal(await paper(), 'rgb(253, 253, 251)');
      await page.reload();
      await page.waitForSelector('.total strong');
      assert.equal(await paper(), 'rgb(253, 253, 251)');
      await page.click('.menu-button');
      await assertAccessible(page, 'the menu');
      await page.selectOption('#theme', '');
      assert.equal(await paper(), 'rgb(20, 24, 28)');
    }));

  it('says in words what an alert watches', async () => {
    const filters = {
      propertyTypes: ['residential', 'mixed_use'],
      polygon: [
        [-105.4, 39.9],
        [-105.1, 39.9],
        [-105.1, 40.1],
        [-105.4, 39.9],
      ],
    };
    bodyOf(await api.post('/alerts', { name: 'Homes', filters }, { key: keys.national }), 201);
    await visit({ key: keys.national, isDrawn: false }, async (page) => {
      await clickTab(page, 'Alerts');
      await page.waitForSelector('tr:has-text("Homes"):has-text("Building Type: Residential or Mixed Use")');
      await page.waitForSelector('tr:has-text("Homes"):has-text("Polygon: area near Boulder")');
    });
  });

  it('is the exports at the address that exports name, and its files are kept for ever', async () => {
    const { root, paths, read } = pageBundle();
    const script = await read('app.js');
    assert(script);
    // What the script loads when it is needed lies beside it.
    const chunks = [...new Set([...script.matchAll(/"\.\/([\w-]+\.js)"/g)].map(([, name]) => `${root}${name}`))];
    assert(chunks.length > 0);
    for (const path of [...Object.values(paths), ...chunks]) {
      const { status, headers } = await fetch(`${api.url}${path}`, { method: 'HEAD' });
      assert.deepEqual([status, headers.get('cache-control')], [200, 'public, max-age=31536000, immutable'], path);
    }
    const html = await fetch(`${api.url}/exports`).then((response) => response.text());
    assert(html.includes(`src="${paths.app}"`) && html.includes(`href="${paths.style}"`));
    await visit({ key: keys.national, path: '/exports' }, async (page) => {
      await page.waitForSelector('h1:text-is("Exports")');
      await page.waitForSelector('text=No export yet');
    });
  });
});
