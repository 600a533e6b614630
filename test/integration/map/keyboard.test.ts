/** The page of the map by the keyboard alone, with real key presses: every part is reached, seen to have the focus, and left again. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { project, TODAY } from '../../support/fixtures.ts';
import { provideVisits } from '../../support/pageVisits.ts';
import { provideService } from '../../support/service.ts';

/** More presses than any tab of this test has stops. */
const PRESSES_MAX = 200;

/** What has the focus: whether it is drawn around, and whether it is in view. */
const FOCUS = `(() => {
  const element = document.activeElement;
  const { outlineStyle, boxShadow } = getComputedStyle(element);
  const reach = element.querySelector('.reach');
  const { top, bottom, left, right } = element.getBoundingClientRect();
  return {
    tag: element.outerHTML.slice(0, 120),
    isBody: element === document.body,
    isFirst: element.matches('.skip'),
    isRinged: outlineStyle !== 'none' || boxShadow !== 'none' || Boolean(reach && getComputedStyle(reach).stroke !== 'none'),
    isInView: bottom > 0 && right > 0 && top < innerHeight && left < innerWidth,
  };
})()`;

interface Focus {
  tag: string;
  isBody: boolean;
  isFirst: boolean;
  isRinged: boolean;
  isInView: boolean;
}

describe('the page by the keyboard alone', () => {
  const visit = provideVisits(() => ({ url: api.url }));
  const api = provideService({ today: TODAY });
  let key = '';

  before(async () => {
    await api.index.load(
      Array.from({ length: 8 }, (_, i) =>
        project(1 + i, {
          ...{ projectName: `Project ${1 + i}`, latitude: 40 + i / 100, longitude: -105.2, acreage: i + 1 },
          ...{ status: i % 2 ? 'denied' : 'approved', nextMeetingDate: '2026-12-08' },
        }),
      ),
    );
    key = await api.key();
  });

  const seen = async (page: Page): Promise<Focus> => {
    const focus = await page.evaluate<Focus>(FOCUS);
    if (!focus.isBody) assert.deepEqual([focus.isRinged, focus.isInView], [true, true], `is drawn around and in view: ${focus.tag}`);
    return focus;
  };
  const has = (page: Page, selector: string) => page.evaluate<boolean>(`document.activeElement.matches(${JSON.stringify(selector)})`);

  /** Presses Tab until an element has the focus. */
  async function reach(page: Page, selector: string, key = 'Tab'): Promise<void> {
    for (let press = 0; press < PRESSES_MAX; press++) {
      await page.keyboard.press(key);
      await seen(page);
      if (await has(page, selector)) return;
    }
    assert.fail(`${selector} is not reached`);
  }
  const focused = (page: Page, selector: string) => page.waitForSelector(`${selector}:focus`);

  /** Presses Tab until the focus is where it was at first: nothing holds it. */
  async function goRound(page: Page): Promise<number> {
    await page.evaluate('document.activeElement.blur()');
    let stops = 0;
    for (let press = 0; press < PRESSES_MAX; press++) {
      await page.keyboard.press('Tab');
      const { isFirst, isBody } = await seen(page);
      if (isFirst && stops > 1) return stops;
      if (!isBody) stops += 1;
    }
    return assert.fail('the focus does not come round');
  }

  /** Goes to a tab by its name. */
  async function goTo(page: Page, name: string): Promise<void> {
    await page.keyboard.press('Control+k');
    await focused(page, '#filter-search');
    await page.keyboard.type(name);
    await page.waitForSelector('[aria-selected=true]:has-text("Go to")');
    await page.keyboard.press('Enter');
  }

  it('signs in, filters, opens a record from the map and from the table, and comes back to where it was', () =>
    visit({ isDrawn: true }, async (page) => {
      await focused(page, '#key');
      await page.keyboard.type(key);
      await page.keyboard.press('Enter');
      await page.waitForSelector('.item >> nth=7');
      await page.keyboard.press('Tab');
      await focused(page, '.skip');
      await page.keyboard.press('Enter');
      await focused(page, 'main');
      await reach(page, '.item');
      await page.keyboard.press('Enter');
      await focused(page, '#record-title');
      await seen(page);
      await page.waitForSelector('.record-actions');
      await reach(page, '.record-actions button');
      await page.keyboard.press('Escape');
      await focused(page, '.item');
      await reach(page, '.tools button[aria-expanded]', 'Shift+Tab');
      await page.keyboard.press('Enter');
      await focused(page, '#shapes-title');
      await page.keyboard.press('Escape');
      await focused(page, '.tools button[aria-expanded]');

      await page.keyboard.press('/');
      await page.keyboard.type('denied');
      await page.waitForSelector('[aria-selected=true]:has-text("Denied")');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.total strong:text-is("4")');
      await reach(page, '.filter-chip .edit');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.filter-editor :focus');
      await page.keyboard.press('Escape');
      await focused(page, '.filter-chip .edit');
      await reach(page, 'button[aria-haspopup=dialog]');
      await page.keyboard.press('Enter');
      await page.waitForSelector('dialog[open] :focus');
      await reach(page, '#field-states');
      await page.keyboard.press('Escape');
      await focused(page, 'button[aria-haspopup=dialog]');

      await goTo(page, 'table');
      await page.waitForSelector('.record-row >> nth=4');
      await reach(page, '.records');
      await page.keyboard.press('j');
      await page.keyboard.press('x');
      await page.waitForSelector('.selection:has-text("1 row selected")');
      await page.keyboard.press('Enter');
      await focused(page, '#record-title');
      await page.keyboard.press('Escape');
      await focused(page, '.records');
      await page.keyboard.press('?');
      await page.waitForSelector('dialog.keys :focus');
      await page.keyboard.press('Escape');
      await focused(page, '.records');
      await reach(page, '.selection button');
      await page.keyboard.press('Enter');
      await reach(page, '#selection-list-name');
    }));

  it('asks, charts, compares, saves and undoes, opens the menu and its dialog, and signs out', () =>
    visit({ key, path: '/map?tab=table' }, async (page) => {
      await page.waitForSelector('.record-row >> nth=4');
      await goTo(page, 'ask');
      await focused(page, 'main');
      await page.keyboard.press('Tab');
      await focused(page, '#question');
      await page.keyboard.type('homes that were denied because of traffic');
      await reach(page, 'main button.primary');
      await page.keyboard.press('Enter');
      await page.waitForURL(/ask=/);
      await goTo(page, 'charts');
      await page.waitForSelector('.chart a.mark');
      await reach(page, '.chart a.mark');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.filter-chip .remove');
      await goTo(page, 'compare');
      await reach(page, '#compared');
      await page.keyboard.type('Colorado');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.place-chips >> text=Colorado');
      await goTo(page, 'hearings');
      await reach(page, 'main td a');
      await goTo(page, 'lists');
      await reach(page, '#list-name');
      await page.keyboard.type('Denied');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      const row = 'main td a:text-is("Denied")';
      await page.waitForSelector(row);
      await reach(page, 'main td button.danger');
      await page.keyboard.press('Enter');
      await page.waitForSelector(row, { state: 'detached' });
      await page.waitForSelector('.toast');
      await page.keyboard.press('Control+z');
      await page.waitForSelector(row);
      await page.keyboard.press('Shift+Tab');
      await reach(page, '.menu-button', 'Shift+Tab');
      await page.keyboard.press('Enter');
      await reach(page, '.menu > button');
      await page.keyboard.press('Enter');
      await page.waitForSelector('dialog.share');
      await page.keyboard.press('Escape');
      await focused(page, '.menu-button');
      await page.keyboard.press('Enter');
      await reach(page, '.menu > button:last-child');
      await page.keyboard.press('Enter');
      await focused(page, '#key');
    }));

  it('goes round every tab, seen at each stop, and is held by nothing', () =>
    visit({ key, path: '/map?tab=charts' }, async (page) => {
      for (const tab of [
        'map',
        'table',
        'ask',
        'charts',
        'odds',
        'compare',
        'hearings',
        'match',
        'exports',
        'alerts',
        'lists',
        'webhooks',
        'keys',
        'connections',
        'receipts',
      ]) {
        await page.goto(`${api.url}/map?tab=${tab}`);
        await page.waitForLoadState('networkidle');
        const stops = await goRound(page);
        assert(stops > 8, `${tab}: ${stops} stops`);
      }
    }));
});
