/** Restrictions on the page: what binds the place of a record, with its words. */
import assert from 'node:assert/strict';
import { project, TODAY, use } from '../../support/fixtures.ts';
import { assertAccessible, provideVisits, REFUSALS } from '../../support/pageVisits.ts';
import { restrictionLine, SOURCES } from '../../support/restrictionLine.ts';
import { provideService } from '../../support/service.ts';

const TEXT = 'The Board adopts a moratorium on data centers for twelve months.';

const restriction = (id: number, more: object = {}) =>
  restrictionLine(id, {
    adoptedOn: '2026-10-15',
    sourceDocumentUrl: 'https://minutes.example.org/77',
    evidence: [{ field: 'status', quote: 'adopts a moratorium on data centers', documentId: 77 }],
    ...more,
  });

describe('restrictions on the page', () => {
  const api = provideService({ today: TODAY });
  const visit = provideVisits(() => ({ url: api.url, key, viewport: { width: 1240, height: 900 }, expected: REFUSALS }));
  let key = '';

  before(async () => {
    const county = { landUses: [use('data_center')], propertyType: 'industrial', city: null, latitude: 40.09, longitude: -105.3 };
    await api.index.load(
      [
        { kind: 'document', id: 77, state: 'CO', county: 'Boulder County', title: 'Resolution', text: TEXT },
        project(1, { ...county, meetingDate: '2026-10-01' }),
        project(2, { latitude: 40.02, longitude: -105.2 }),
        restriction(901),
        restriction(902, { restrictionKind: 'ban', effectiveTo: null, endEvent: 'until rules are adopted' }),
        restriction(904, {
          ...{ state: 'WY', county: 'Laramie County', jurisdiction: 'Cheyenne', jurisdictionType: 'city', city: 'Cheyenne' },
          ...{ latitude: 41.14, longitude: -104.8 },
        }),
        restriction(903, { adoptedOn: '2026-09-01', effectiveTo: '2026-10-31', title: 'Earlier moratorium' }),
      ],
      SOURCES,
    );
    key = await api.key();
  });

  it('are a line of a record that they bind or may bind, with words, steps and source, and what bound at its meeting', () =>
    visit({ path: '/map?project=1' }, async (page) => {
      const part = page.locator('section.part', { has: page.getByRole('heading', { name: 'What restricts this place' }) });
      const lines = part.locator('li');
      await lines.first().waitFor();
      assert.equal(await lines.count(), 2);
      const [sure, unsure] = await lines.allInnerTexts();
      assert.match(sure ?? '', /A moratorium binds here until Jun 1, 2027/);
      assert.match(sure ?? '', /adopts a moratorium on data centers/);
      assert.match(sure ?? '', /adopted Oct 15, 2026; first to end Jun 1, 2027/);
      assert.match(unsure ?? '', /A ban may bind here: .*until rules are adopted/);
      assert.equal(await lines.first().locator('a').getAttribute('href'), 'https://minutes.example.org/77');
      const earlier = page.locator('section.part', { has: page.getByRole('heading', { name: 'Restricted on Oct 1, 2026' }) });
      assert.match(await earlier.innerText(), /Earlier moratorium/);
      await assertAccessible(page, 'a record with restrictions');
    }));

  it('are areas and points of a layer of the map, with their words where they are clicked', () =>
    visit({ path: '/map?view=-106,39.5,-104.5,40.6', isDrawn: true }, async (page) => {
      const toggle = page.getByRole('button', { name: 'Restrictions in force' });
      await toggle.click();
      const panel = page.locator('.panel', { has: page.getByRole('heading', { name: 'Restrictions in force' }) });
      await panel.locator('li').first().waitFor();
      assert.equal(await panel.locator('li').count(), 3);
      await page.waitForLoadState('networkidle');
      await page.waitForTimeout(500);
      const canvas = await page.locator('canvas').boundingBox();
      assert(canvas);
      // In Boulder County, away from the point of the jurisdiction and from projects.
      const [x, y] = [canvas.x + canvas.width * 0.42, canvas.y + canvas.height * 0.46];
      await page.mouse.click(x, y);
      const here = page.locator('.panel', { has: page.getByRole('heading', { name: 'Restricted here' }) });
      await here.locator('li').first().waitFor();
      const words = (await here.locator('li').allInnerTexts()).join('\n');
      assert.match(words, /Moratorium 901/);
      assert.match(words, /Boulder County, CO: data centers. Ends Jun 1, 2027/);
      assert.match(words, /adopts a moratorium on data centers/);
      assert(!words.includes('Moratorium 904'));
      await assertAccessible(page, 'the layer of restrictions');
      await here.getByRole('button', { name: 'Show all' }).click();
      assert.match(await panel.innerText(), /Moratorium 904/);
      await toggle.click();
      await page.waitForTimeout(500);
      await page.mouse.click(x, y);
      await page.waitForTimeout(300);
      assert.equal(await page.getByRole('heading', { name: /^Restrict(ed here|ions in force)$/ }).count(), 0);
    }));

  it('are not mentioned on a record that none binds', () =>
    visit({ path: '/map?project=2' }, async (page) => {
      await page.getByText('Nearby projects').waitFor();
      await page.waitForLoadState('networkidle');
      assert.equal(await page.getByText('What restricts this place').count(), 0);
    }));
});
