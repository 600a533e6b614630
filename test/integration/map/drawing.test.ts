/** Shapes on the page of the map in a real browser: drawn, edited, undone, measured, kept, read from GeoJSON and written to it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { project, TODAY } from '../../support/fixtures.ts';
import { AXE, provideVisits } from '../../support/pageVisits.ts';
import { provideService } from '../../support/service.ts';

const WIDE = { width: 1240, height: 620 };
const AROUND_BOULDER = '-105.4,39.9,-105.1,40.1';
const EDITED = '[[-105.28,40.01],[-105.19,40.01],[-105.19,40.03],[-105.28,40.03],[-105.28,40.01]]';
const CIRCLE = { lat: 40.02, lng: -105.25, radiusMeters: 3000 };
const RING = '[[-105.3,40.04],[-105.2,40.04],[-105.2,40.06],[-105.3,40.06],[-105.3,40.04]]';

describe('drawing on the map', () => {
  let key = '';
  const provided = provideVisits(() => ({ url: api.url, key, viewport: WIDE, isDrawn: true }));
  const api = provideService({ today: TODAY }, [
    project(1, { latitude: 40.015, longitude: -105.27 }),
    project(2, { latitude: 40.02, longitude: -105.2 }),
    project(3, { latitude: 30.267, longitude: -97.743 }),
    ...Array.from({ length: 6 }, (_, i) =>
      project(10 + i, { latitude: 40.05, longitude: -105.24 + i / 1000, totalUnitCount: 50, acreage: 2 }),
    ),
  ]);
  before(async () => {
    key = await api.key();
  });

  type Click = (across: number, down: number) => Promise<void>;

  const visit = (path: string, work: (page: Page, click: Click) => Promise<void>) =>
    provided({ path: `/map?view=${AROUND_BOULDER}${path}` }, async (page) => {
      await page.waitForSelector('.tools button:text-is("Polygon"):enabled');
      const { x, y, width, height } = (await (await page.$('.map'))?.boundingBox()) ?? assert.fail();
      await work(page, (across, down) => page.mouse.click(x + width * across, y + height * down));
    });

  const total = (page: Page, count: number) => page.waitForSelector(`.total strong:text-is("${count}")`);
  const tool = (page: Page, name: string) => page.click(`.tools button:text-is("${name}")`);
  const asked = (page: Page, name: string) => JSON.parse(new URL(page.url()).searchParams.get(name) ?? 'null');
  /** The areas of the address. */
  const areas = (page: Page): Record<string, unknown>[] => asked(page, 'areas') ?? [];
  /** Waits for the address to have, or not to have, a text any more. */
  const untilAddress = (page: Page, isThere: (search: URLSearchParams) => boolean) =>
    page.waitForURL((url) => isThere(url.searchParams), { waitUntil: 'commit' });
  const area = (page: Page, text: string, isThere = true) =>
    page.waitForSelector(isThere ? `.hint .area:has-text("${text}")` : `.hint .area:not(:has-text("${text}"))`);
  /** Where a point lies on the screen; the address has to have the view that is shown. */
  async function place(page: Page, [lng, lat]: [number, number]): Promise<{ x: number; y: number }> {
    const box = (await (await page.$('.map'))?.boundingBox()) ?? assert.fail();
    const view = new URL(page.url()).searchParams.get('view')?.split(',').map(Number) as [number, number, number, number];
    const north = (degrees: number) => Math.log(Math.tan(Math.PI / 4 + (degrees * Math.PI) / 360));
    const down = (north(view[3]) - north(lat)) / (north(view[3]) - north(view[1]));
    return { x: box.x + (box.width * (lng - view[0])) / (view[2] - view[0]), y: box.y + box.height * down };
  }
  const hint = async (page: Page) => (await page.waitForSelector('.hint')).innerText();

  it('takes a corner of a polygon back, says its area in acres and square kilometres, and a rectangle joins it in the search', () =>
    visit('', async (page, click) => {
      await total(page, 9);
      await tool(page, 'Polygon');
      await click(0.1, 0.25);
      await page.waitForSelector('.drawing button:text-is("Undo corner")');
      await click(0.9, 0.25);
      await click(0.5, 0.3);
      await page.click('.drawing >> text=Undo corner');
      await click(0.9, 0.7);
      await click(0.1, 0.7);
      await page.keyboard.press('Enter');
      await total(page, 8);
      const [{ polygon: ring = [] } = {}] = areas(page) as { polygon?: unknown[] }[];
      assert.equal(ring.length, 5, 'the corner that was taken back is not in it');
      assert.match(await hint(page), /^Polygon of 4 corners: [\d,.]+ acres, [\d,.]+ km²$/);
      await tool(page, 'Rectangle');
      await click(0.02, 0.25);
      await click(0.05, 0.3);
      await page.waitForSelector('.hint:text-is("In any of 2 areas")');
      await total(page, 8);
      const [first, { bbox = null } = {}] = areas(page) as { bbox?: Record<'north' | 'south' | 'east' | 'west', number> }[];
      assert.deepEqual(first, { polygon: ring });
      assert(bbox && bbox.north > bbox.south && bbox.east > bbox.west);
      await page.goBack();
      await page.waitForSelector('.hint:has-text("Polygon of 4 corners")');
      assert.deepEqual(areas(page), [{ polygon: ring }]);
      assert.equal(await page.isVisible('.panel'), false, 'clicks of a drawing open nothing');
    }));

  it('shows the radius of a circle while it is drawn, and makes a circle of a typed one', () =>
    visit('', async (page, click) => {
      await tool(page, 'Circle');
      await click(0.5, 0.5);
      const box = (await (await page.$('.map'))?.boundingBox()) ?? assert.fail();
      const radius = () => page.inputValue('#circle-radius').then(Number);
      const moveTo = async (across: number) => {
        await page.mouse.move(box.x + box.width * across, box.y + box.height / 2, { steps: 5 });
        await page.waitForTimeout(200); // the drawn frame
        return radius();
      };
      const [near, far] = [await moveTo(0.6), await moveTo(0.7)];
      assert(near > 1 && Math.abs(far / near - 2) < 0.1, `${near} km, then ${far} km`);
      if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/radius.png` });
      await page.fill('#circle-radius', '2.5');
      await page.press('#circle-radius', 'Enter');
      await untilAddress(page, (search) => search.has('areas'));
      const [{ circle = null } = {}] = areas(page) as { circle?: typeof CIRCLE }[];
      assert.equal(circle?.radiusMeters, 2500);
      assert(Math.abs((circle?.lat ?? 0) - 40) < 0.01 && Math.abs((circle?.lng ?? 0) + 105.25) < 0.01, JSON.stringify(circle));
    }));

  it('edits a shape by its corners, undoes a change, and gives up without one', () =>
    visit(`&polygon=${encodeURIComponent(EDITED)}`, async (page) => {
      await total(page, 2);
      await page.waitForTimeout(500); // the drawn frame
      // The view of the address is the rectangle that was asked for; after zooming it is what is shown.
      await page.click('[aria-label="Zoom in"]');
      await untilAddress(page, (search) => search.get('view') !== AROUND_BOULDER);
      await tool(page, 'Edit');
      const from = await place(page, [-105.19, 40.03]);
      const to = await place(page, [-105.19, 40.045]);
      const drag = async () => {
        await page.mouse.move(from.x, from.y);
        await page.mouse.down();
        await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
        await page.mouse.move(to.x, to.y, { steps: 4 });
        await page.mouse.up();
      };
      assert.equal(await page.isVisible('.drawing button:text-is("Undo")'), false, 'nothing is changed yet');
      const before = /([\d.,]+) acres/.exec(await hint(page))?.[1];
      await drag();
      await page.waitForSelector('.drawing button:text-is("Undo")');
      await area(page, `${before} acres`, false);
      await page.click('.drawing button:text-is("Undo")');
      await area(page, `${before} acres`);
      await drag();
      await page.click('.drawing button:text-is("Keep")');
      await untilAddress(page, (search) => search.has('areas'));
      assert.equal(asked(page, 'polygon'), null, 'a shape of its own filter became an area');
      const [{ polygon: ring = [] } = {}] = areas(page) as { polygon?: [number, number][] }[];
      assert.equal(ring.length, 5);
      assert(
        ring.some(([lng, lat]) => Math.abs(lng + 105.19) < 0.003 && Math.abs(lat - 40.045) < 0.003),
        JSON.stringify(ring),
      );
      const address = page.url();
      await tool(page, 'Edit');
      await page.keyboard.press('Escape');
      await page.waitForSelector('.drawing button:text-is("Keep")', { state: 'detached' });
      assert.equal(page.url(), address);
    }));

  it('edits a circle by its edge', () =>
    visit(`&circle=${encodeURIComponent(JSON.stringify(CIRCLE))}`, async (page) => {
      await page.waitForTimeout(500); // the drawn frame
      await page.click('[aria-label="Zoom out"]');
      await untilAddress(page, (search) => search.get('view') !== AROUND_BOULDER);
      await tool(page, 'Edit');
      await page.waitForSelector('.drawing button:text-is("Keep")');
      if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/circle.png` });
      const edge = CIRCLE.radiusMeters / 111_320 / Math.cos((CIRCLE.lat * Math.PI) / 180);
      const [from, to] = await Promise.all([1, 1.5].map((times) => place(page, [CIRCLE.lng + times * edge, CIRCLE.lat])));
      await page.mouse.move(from?.x ?? 0, from?.y ?? 0);
      await page.mouse.down();
      await page.mouse.move(to?.x ?? 0, to?.y ?? 0, { steps: 8 });
      await page.mouse.up();
      await page.waitForSelector('.drawing button:text-is("Undo")');
      await page.click('.drawing button:text-is("Keep")');
      await untilAddress(page, (search) => search.has('areas'));
      const [{ circle = CIRCLE } = {}] = areas(page) as { circle?: typeof CIRCLE }[];
      const { lat, lng, radiusMeters } = circle;
      assert(Math.abs(lat - CIRCLE.lat) < 0.001 && Math.abs(lng - CIRCLE.lng) < 0.001);
      assert(Math.abs(radiusMeters / CIRCLE.radiusMeters - 1.5) < 0.1, `${radiusMeters} m`);
    }));

  it('says why a shape cannot be edited', () =>
    visit(`&bbox=${encodeURIComponent(JSON.stringify({ north: 41, south: 39, west: 179, east: -179 }))}`, async (page) => {
      await tool(page, 'Edit');
      await page.waitForSelector('[role=alert]:has-text("This shape cannot be edited on the map")');
    }));

  it('reads GeoJSON, searches in several areas by name with a count of each, and writes them all', () =>
    visit('', async (page) => {
      await total(page, 9);
      await tool(page, 'Areas …');
      await page.fill('#geojson-text', '{"type":"Feature","geometry":{"type":"Point","coordinates":[0,0]}}');
      await page.click('text=Add to the map');
      assert.match(await page.innerText('.geojson [role=alert]'), /^The Feature is a Point\. A search takes areas/);
      const far = '[[-98,30],[-97,30],[-97,31],[-98,31],[-98,30]]';
      const file = {
        type: 'FeatureCollection',
        features: [RING, far].map((ring, i) => ({
          type: 'Feature',
          properties: i ? null : { name: 'North of Boulder' },
          geometry: { type: 'Polygon', coordinates: [JSON.parse(ring)] },
        })),
      };
      const buffer = Buffer.from(JSON.stringify(file));
      await page.setInputFiles('#geojson-file', { name: 'areas.geojson', mimeType: 'application/geo+json', buffer });
      await page.waitForSelector('.shapes li >> nth=1');
      await total(page, 7);
      await page.waitForSelector('.shapes li:has-text("North of Boulder: 6 projects")');
      await page.waitForSelector('.shapes li:has-text("area near Pflugerville: 1 project")');
      await page.waitForSelector('.filter-chip:has-text("Areas: North of Boulder or area near Pflugerville")');
      await page.fill('#area-name-2', 'Austin');
      await page.press('#area-name-2', 'Enter');
      await untilAddress(page, (search) => Boolean(search.get('areas')?.includes('"name":"Austin"')));
      await page.waitForSelector('.filter-chip:has-text("Areas: North of Boulder or Austin")');
      await page.uncheck('.shapes li >> nth=0 >> input[type=checkbox]');
      await total(page, 1);
      assert.deepEqual(areas(page), [{ name: 'Austin', polygon: JSON.parse(far) }]);
      await page.check('.shapes li >> nth=0 >> input[type=checkbox]');
      await total(page, 7);
      if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/areas.png` });
      await page.click('.shapes li >> nth=1 >> text=Fit');
      await untilAddress(page, (search) => Math.abs(Number(search.get('view')?.split(',')[0]) + 98) < 1.5);
      const [saved] = await Promise.all([page.waitForEvent('download'), page.click('text=Save as GeoJSON')]);
      const written = JSON.parse(readFileSync(await saved.path(), 'utf8'));
      assert.deepEqual(
        written.features.map(({ geometry, properties: { name } }: { geometry: { coordinates: unknown }; properties: { name: string } }) => [
          name,
          geometry.coordinates,
        ]),
        [
          ['North of Boulder', [JSON.parse(RING)]],
          ['Austin', [JSON.parse(far)]],
        ],
      );
      await page.evaluate(AXE);
      const found = await page.evaluate<string[]>(
        `axe.run({ include: ['.stage', '.found'] }, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`,
      );
      assert.deepEqual(found, []);
      await page.click('.tools >> text=Remove areas');
      await total(page, 9);
      await page.click('.toast >> text=Undo');
      await total(page, 7);
    }));

  it('shows the whole of a circle that is typed, adds a second one, and says what each and all together have', () =>
    visit('', async (page) => {
      const type = async (text: string, offered = 'Reads as') => {
        await page.fill('#filter-search', text);
        await page.waitForSelector(`[aria-selected=true]:has-text("${offered}")`);
        await page.press('#filter-search', 'Enter');
      };
      await type('within 10 km of Boulder, Colorado');
      await total(page, 8);
      await untilAddress(page, (search) => !search.has('view'));
      await type('within 10 km of Austin, Texas');
      await total(page, 9);
      await page.waitForSelector('.toast:has-text("Another area: the search takes what lies in any of 2.")');
      const cells = () => page.$$eval('.area-totals tr', (rows) => rows.map((row) => (row as { innerText: string }).innerText.split('\t')));
      await page.waitForSelector('.area-totals td:text-is("300")');
      assert.deepEqual(await cells(), [
        ['Area', 'Projects', 'Units', 'Acres'],
        ['10 km around Boulder, CO', '8', '300', '12'],
        ['10 km around Austin, TX', '1', 'too few', 'too few'],
        ['Together', '9', '300', '12'],
      ]);
      await page.click('.toast >> text=Undo');
      await total(page, 8);
      await tool(page, 'Circle in view');
      await page.waitForSelector('.hint:text-is("In any of 2 areas")');
      const [typed, inView] = areas(page) as { circle: typeof CIRCLE }[];
      assert(typed && inView);
      const metersToEdge = inView.circle.radiusMeters / 0.8;
      assert(metersToEdge > 10_000 && metersToEdge < 15_000, `${metersToEdge} m from the middle of the map to its edge`);
      assert(Math.abs(inView.circle.lat - typed.circle.lat) < 0.02 && Math.abs(inView.circle.lng - typed.circle.lng) < 0.02);
      await tool(page, 'Areas …');
      await page.fill('#area-radius-1', '40');
      await page.press('#area-radius-1', 'Enter');
      await untilAddress(page, (search) => search.get('areas')?.includes('40000') === true && !search.has('view'));
      await page.click('.panel >> text=Site brief >> nth=0');
      await page.waitForFunction('document.querySelector("#brief-use")?.value === ""');
      await type('residential', 'Building Type');
      await page.waitForFunction('document.querySelector("#brief-use")?.value === "residential"');
      await page.click('.filter-actions >> text="Clear"');
      await untilAddress(page, (search) => !search.has('areas'));
      await page.waitForSelector('.tools >> text=Remove areas', { state: 'detached' });
      await page.click('.toast:has-text("The search and the drawn areas are cleared.") >> text=Undo');
      await untilAddress(page, (search) => search.has('areas'));
      await page.waitForSelector('.tools >> text=Remove areas');
    }));

  it('calls the areas of lists and alerts by their names, never by coordinates', () =>
    visit('', async (page) => {
      const filters = { areas: [{ name: 'Downtown', circle: CIRCLE }, { circle: { ...CIRCLE, lat: 32.8, lng: -96.8 } }], dateRange: 'all' };
      await api.post('/lists', { name: 'Two areas', filters }, { key });
      const alert = { name: 'One area', filters: { circle: filters.areas[1]?.circle, dateRange: 'all' }, cadence: { frequency: 'weekly' } };
      await api.post('/alerts', alert, { key });
      await page.goto(`${api.url}/map?tab=lists`);
      await page.waitForSelector('text=Areas: Downtown or area near Dallas');
      await page.goto(`${api.url}/map?tab=alerts`);
      await page.waitForSelector('text=Circle: area near Dallas');
    }));
});
