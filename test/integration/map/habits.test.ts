/** Habits of readers and browsers at the page of the map: links opened elsewhere, no storage, quick hands, a record far away. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { project, TODAY } from '../../support/fixtures.ts';
import { eventually } from '../../support/jobs.ts';
import { clickTab, provideVisits } from '../../support/pageVisits.ts';
import { provideService } from '../../support/service.ts';

const WIDE = { width: 1440, height: 800 };
const MANY = 40;
/** As browsers do that keep nothing for pages. */
const NO_STORAGE = `for (const kind of ['localStorage', 'sessionStorage'])
  Object.defineProperty(window, kind, { get() { throw new DOMException('The document keeps nothing', 'SecurityError') } });`;
/** Where the browser would go is noted, and not gone to. */
const NOTE_CLICKS = `addEventListener('click', (event) => { window.isTaken = event.defaultPrevented; event.preventDefault() });`;

/** Contrast of two colours as computed styles have them (WCAG 2.2). */
function contrastOf(one: string, other: string): number {
  const luminance = (colour: string) => {
    const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
      const value = Number(part) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

describe('habits at the map', () => {
  const visit = provideVisits(() => ({ url: api.url, key, viewport: WIDE }));
  const api = provideService({ today: TODAY });
  let key = '';

  before(async () => {
    await api.index.load([
      ...Array.from({ length: MANY }, (_, i) =>
        project(100 + i, {
          ...{ latitude: 40 + i / 500, longitude: -105.3 + i / 500, status: i % 2 ? 'approved' : 'denied' },
          propertyType: i % 4 < 2 ? 'residential' : 'commercial',
          ...(i ? {} : { nextMeetingDate: '2026-12-01' }),
        }),
      ),
      project(1, { latitude: 21.3, longitude: -157.8, state: 'HI', county: 'Honolulu County', city: 'Honolulu', status: 'approved' }),
    ]);
    key = await api.key('national');
  });

  const shoot = async (page: Page, name: string) => {
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png` });
  };

  for (const [kind, path, link] of [
    ['a tab', '/map?states=CO', 'nav a:text-is("Saved")'],
    ['another state of the page', '/map?tab=table&dateRange=all', 'a:text-is("Alert on these filters")'],
    ['a bar', '/map?tab=charts&dateRange=all', '.chart a.mark >> nth=0'],
    ['a row of odds', '/map?tab=odds&dateRange=all&by=propertyType', 'svg a.mark >> nth=0'],
    ['a hearing', '/map?tab=hearings', 'main td a:text-is("1")'],
  ] as const)
    it(`leave a link to ${kind} to the browser where it is clicked with Shift, Ctrl or Alt, and follow it otherwise`, () =>
      visit({ path }, async (page) => {
        await page.waitForSelector(link);
        await page.evaluate(NOTE_CLICKS);
        const before = page.url();
        for (const modifier of ['Shift', 'Control', 'Alt'] as const) {
          await page.click(link, { modifiers: [modifier] });
          assert.deepEqual([await page.evaluate('isTaken'), page.url()], [false, before], modifier);
        }
        const href = await page.$eval(link, (found) => found.getAttribute('href') ?? '');
        await page.click(link);
        assert.equal(await page.evaluate('isTaken'), true);
        const { pathname, search } = new URL(page.url());
        assert.equal(pathname + search, href, 'a new tab shows the same');
      }));

  it('sign a reader in whose browser keeps nothing for pages, and say for how long', () =>
    visit({ path: '/map?dateRange=all', key: '', script: NO_STORAGE }, async (page) => {
      await page.waitForSelector('#key-note:has-text("This browser lets the page keep nothing")');
      await page.fill('#key', key);
      await page.keyboard.press('Enter');
      await page.waitForSelector(`.total strong:text-is("${MANY + 1}")`);
      await clickTab(page, 'Table');
      await page.waitForSelector('.record-row .open');
      await page.goto(`${api.url}/docs/reference/searchProjects`);
      await page.click('.tabs [role=tab] >> nth=1');
      await page.waitForSelector('.tabs [role=tabpanel]:visible');
    }));

  for (const [renderer, isSoftware] of [
    ['SwiftShader', true],
    ['ANGLE (a graphics card)', false],
  ] as const)
    it(`${isSoftware ? 'shift the last drawing between drawings' : 'draw every frame'} while ${renderer} moves the map, and draw it once it rests; one search follows`, () => {
      const script = `const read = WebGL2RenderingContext.prototype.getParameter;
        WebGL2RenderingContext.prototype.getParameter = function (name) { return name === 0x9246 ? '${renderer}' : read.call(this, name) }`;
      return visit({ path: '/map?view=-105.4,39.9,-105.1,40.1', isDrawn: true, script }, async (page) => {
        await page.waitForSelector('.tools button:enabled');
        await page.waitForLoadState('networkidle');
        const readShift = () => page.evaluate<string>('document.querySelector(".map canvas").style.transform');
        const asked: string[] = [];
        page.on('request', (request) => request.url().includes('/projects/map') && asked.push(request.url()));
        await page.mouse.move(700, 400);
        await page.mouse.down();
        const shifts: string[] = [];
        for (let i = 1; i <= 40; i++) {
          await page.mouse.move(700 + i * 4, 400);
          shifts.push(await readShift());
        }
        const shifted = shifts.filter((shift) => Number.parseFloat(shift.replace('translate(', '')) > 1);
        assert.equal(shifted.length > 5, isSoftware, shifts.join('; '));
        assert.deepEqual(asked, []);
        const before = page.url();
        await page.mouse.up();
        await page.waitForURL((url) => url.href !== before);
        await eventually('the search', () => asked.length > 0 || undefined);
        assert.equal(asked.length, 1);
        assert.equal(await readShift(), '');
      });
    });

  for (const dark of [false, true])
    it(`keep the words of a pressed tool readable under the pointer, ${dark ? 'dark' : 'light'}`, () =>
      visit({ path: '/map?view=-105.4,39.9,-105.1,40.1', isDrawn: true, dark }, async (page) => {
        const tool = '.tools button:text-is("Polygon")';
        await page.waitForSelector(`${tool}:enabled`);
        await page.click(tool);
        await page.hover(tool);
        const [words = '', ground = ''] = await page.evaluate<string[]>(
          `(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.querySelector('.tools [aria-pressed=true]')))`,
        );
        assert(contrastOf(words, ground) >= 4.5, `${words} on ${ground}`);
        await shoot(page, `pressed-${dark ? 'dark' : 'light'}`);
      }));

  it('take a place to compare that is typed fast, and one on Enter, misspelt too; say where there is none', () =>
    visit({ path: '/map?tab=compare&dateRange=all' }, async (page) => {
      const places = (found: RegExp) => page.waitForURL(found, { waitUntil: 'commit' });
      await page.waitForSelector('#compared');
      await page.type('#compared', 'Boulder County, CO');
      await places(/places=counties:8013$/);
      await page.type('#compared', 'colorado');
      await page.keyboard.press('Enter');
      await places(/places=counties:8013,states:8$/);
      await page.type('#compared', 'honolulo county');
      await page.keyboard.press('Enter');
      await places(/places=counties:8013,states:8,counties:15003$/);
      await page.waitForSelector('th:text-is("Honolulu County, HI")');
      await page.type('#compared', 'qqqqqqqq');
      await page.keyboard.press('Enter');
      await page.waitForSelector('text=No place is called “qqqqqqqq”.');
      await shoot(page, 'compare');
    }));

  it('are shown where most projects lie at first, with those that are far away at a click', () =>
    visit({ path: '/map?dateRange=all', isDrawn: true }, async (page) => {
      await page.waitForSelector(`.total .note:text-is("${MANY} in view")`);
      await page.waitForSelector('.tools button:text-is("Circle in view"):enabled');
      await page.waitForTimeout(process.env.SCREENSHOTS ? 10_000 : 0);
      await shoot(page, 'most');
      await page.click('.tools button:text-is("Circle in view")');
      await page.waitForURL(/areas=/);
      const [area] = JSON.parse(new URL(page.url()).searchParams.get('areas') ?? '[]');
      const { lat, lng, radiusMeters } = area.circle;
      assert(Math.abs(lat - 40.04) < 0.05 && Math.abs(lng + 105.26) < 0.05 && radiusMeters < 20_000, page.url());
      await page.goBack();
      await page.click('text="Show all of them"');
      await page.waitForSelector('.total .note:text-is("all in view")');
    }));

  it('keep the map at what is found when the window changes its size, until the reader moves the map', () =>
    visit({ path: '/map?dateRange=all', isDrawn: true }, async (page) => {
      await page.waitForSelector('.tools button:text-is("Circle in view"):enabled');
      await page.waitForTimeout(1_000);
      await page.setViewportSize({ width: 1240, height: 700 });
      await page.waitForTimeout(1_500);
      assert.equal(new URL(page.url()).searchParams.get('view'), null);
      await page.click('[aria-label="Zoom in"]');
      await page.waitForURL(/view=/);
    }));

  it('draw nothing before the map shows what was found, so that a quick click searches no whole country', () =>
    visit({ path: '/map?tab=receipts', isDrawn: true }, async (page) => {
      let answer: () => void = () => undefined;
      const held = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await page.route('**/projects/map*', (route) => held.then(() => route.continue()));
      await clickTab(page, 'Map');
      const tool = '.tools button:text-is("Circle in view")';
      await page.waitForSelector(tool);
      assert.equal(await page.isDisabled(tool), true);
      answer();
      await page.waitForSelector(`${tool}:enabled`);
      await page.click(tool);
      await page.waitForURL(/areas=/);
      const [area] = JSON.parse(new URL(page.url()).searchParams.get('areas') ?? '[]');
      assert(area.circle.radiusMeters < 20_000, page.url());
    }));
});
