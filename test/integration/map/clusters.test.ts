/** Circles of neighbouring tiles on the page of the map: those that would overlap are one, which is bought as it is counted. */
import assert from 'node:assert/strict';
import { boxOfTiles } from '../../../src/web/app/map/clusters.ts';
import { project, TODAY } from '../../support/fixtures.ts';
import { NARROW, provideVisits } from '../../support/pageVisits.ts';
import { provideService } from '../../support/service.ts';

describe('clusters on the map', () => {
  const at = (first: number, longitude: number) =>
    Array.from({ length: 10 }, (_, i) => project(first + i, { latitude: 40, longitude: longitude + i / 1000 }));
  const visit = provideVisits(() => ({ url: api.url, viewport: NARROW, isDrawn: true }));
  const api = provideService({ today: TODAY }, [...at(10, -105), ...at(30, -103), project(50, { latitude: 30.267, longitude: -97.743 })]);

  it('that would overlap are one, in the list too, and the button buys exactly those that it counts', async () => {
    const key = await api.key('api_only');
    // 14 by 17 tiles of zoom 7: each about 28 pixels wide.
    const { west, south, east, north } = boxOfTiles(['7/21/40', '7/34/56']);
    await visit({ key, path: `/map?view=${[west, south, east, north].join(',')}` }, async (page) => {
      await page.waitForSelector('.tools');
      await page.waitForSelector('.item:has-text("20 projects")');
      assert.equal(await page.locator('.item').count(), 2);
      const asked: string[] = [];
      page.on('request', (request) => /\/v1\/projects\/(?!map)/.test(request.url()) && asked.push(new URL(request.url()).pathname));
      await page.click('.item:has-text("20 projects")');
      await page.waitForSelector('.price:has-text("Reading these 20 projects costs 20 credits")');
      await page.click('button:text-is("Read for 20 credits")');
      await page.waitForSelector('.account >> text=4,980');
      assert.equal(await api.balance(key), 4_980);
      assert.deepEqual(asked.slice(0, 2), ['/v1/projects/count', '/v1/projects/search'], 'neighbours are one rectangle');
    });
  });
});

/** Oddity 70: as many projects as a list of the map has room for, all at one point, among more than are shown one by one. */
describe('projects at one point', () => {
  const visit = provideVisits(() => ({ url: api.url, isDrawn: true }));
  const api = provideService({ today: TODAY });
  const COUNT = 60;
  const OTHERS = 300;
  const POINT = { latitude: 41.14, longitude: -104.82 };
  const IDS = Array.from({ length: COUNT }, (_, i) => i + 1);

  before(() =>
    api.index.load([
      ...IDS.map((id) => project(id, POINT)),
      ...Array.from({ length: OTHERS }, (_, i) => project(1_000 + i, { latitude: 37 + i / 100, longitude: -108 })),
    ]),
  );

  it('are all counted at every zoom, and all named where they are few enough', async () => {
    const key = await api.key();
    for (let zoom = 3; zoom <= 18; zoom++) {
      const half = 180 / 2 ** zoom;
      const sides = [POINT.longitude - half, POINT.latitude - half, POINT.longitude + half, POINT.latitude + half];
      const { data } = (await api.get('/projects/map', { view: sides.join(',') }, { key })).body;
      const cells = data.cells as { latitude: number; longitude: number; count: number }[];
      const projects = data.projects as { id: number }[];
      if (data.inView > COUNT)
        assert(
          cells.some(({ count }) => count >= COUNT),
          `zoom ${zoom}`,
        );
      else
        assert.deepEqual(
          projects.map(({ id }) => id).sort((a, b) => a - b),
          IDS,
          `zoom ${zoom}`,
        );
    }
  });

  it('are reached on the page from the whole map, listed one by one, and walked from record to record', async () =>
    visit({ key: await api.key() }, async (page) => {
      await page.click(`.item:has-text("${COUNT} projects")`);
      await page.waitForSelector(`.item:not(.middle) >> nth=${COUNT - 1}`);
      const names = await page.$$eval('.item strong', (found) => found.map((one) => one.textContent));
      assert.deepEqual([...new Set(names)].sort(), IDS.map((id) => `Project ${id}`).sort());
      await page.click('.item >> nth=0');
      await page.waitForSelector(`.steps:has-text("1 of ${COUNT}")`);
    }));

  it('are bought together where records cost a credit, and then listed', async () =>
    visit({ key: await api.key('api_only') }, async (page) => {
      await page.click(`.item:has-text("${COUNT} projects")`);
      await page.click(`text=Read for ${COUNT} credits`);
      await page.waitForSelector(`.item:not(.middle) >> nth=${COUNT - 1}`);
    }));
});
