/** The tab Ask of the page, in a real browser: a question, its price, its progress, its answers with their quotes, and its address. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { project, TODAY } from '../../support/fixtures.ts';
import { assertAccessible, bothScreens, provideVisits, WIDE } from '../../support/pageVisits.ts';
import { provideWorld } from '../../support/world.ts';

const POND = 'The applicant proposed a retention pond behind the warehouse.';
const QUESTION = 'denied warehouses with a retention pond';

describe('the tab Ask', () => {
  const visit = provideVisits(() => ({ url: world.api.url, path: '/map?tab=ask', key: keys.national, expected: /status of 4/ }));
  const world = provideWorld({ today: TODAY });
  const keys = { national: '', metered: '', judging: '' };

  before(async () => {
    await world.api.index.load([
      ...[1, 2, 3].map((id) =>
        project(id, {
          projectName: `Alder Yard ${id}`,
          latitude: 40 + id / 100,
          longitude: -105.2,
          status: 'denied',
          rawText: `Warehouse. ${POND}`,
        }),
      ),
      project(4, { projectName: 'Cedar Yard', status: 'approved', rawText: `Warehouse. ${POND}`, latitude: 40.1, longitude: -105.2 }),
      project(5, { status: 'denied', rawText: 'The warehouse has no pond.' }),
    ]);
    keys.national = await world.api.key();
    keys.metered = await world.api.key('api_only');
    keys.judging = await world.api.key();
  });

  const working = async (work: () => Promise<void>, env: Record<string, string> = {}) => {
    await using _worker = await world.work(env);
    await work();
  };
  const parameters = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
  async function askQuestion(page: Page, question: string) {
    await page.fill('#question', question);
    await page.click('button:text-is("Ask")');
  }
  const asked = async () => (await world.api.database.query<{ n: number }>('select count(*)::int n from ai_search'))[0]?.n;
  const names = (page: Page) => page.$$eval('.answer h3', (found) => found.map((one) => one.textContent).sort());

  it('says before it asks which part of a question no record states', () =>
    visit({}, async (page) => {
      const before = await asked();
      await page.fill('#question', 'projects in Boulder County, CO over 20 acres');
      await page.getByText('states acreage as a value: only the words of minutes may answer that').waitFor();
      await page.fill('#question', 'denied projects in Boulder County, CO');
      await page.getByText('states acreage').waitFor({ state: 'detached' });
      assert.equal(await asked(), before);
    }));

  it('answers with records and their quotes; the address repeats the answer without asking, and a card opens its record', () =>
    working(() =>
      visit({}, async (page) => {
        assert.equal(await page.innerText('.question-price'), 'Free on your plan.');
        await askQuestion(page, QUESTION);
        await page.waitForSelector('.answer');
        assert.deepEqual(await names(page), ['Alder Yard 1', 'Alder Yard 2', 'Alder Yard 3']);
        assert.equal(await page.innerText('.outcome'), '3 records answer the question.');
        const related = await page.$$eval('.related-record h3', (found) => found.map((one) => one.textContent).sort());
        assert.deepEqual(related, ['Cedar Yard', 'Project 5']);
        assert.match(await page.innerText('.related'), /2 other records may be related: .* They cost nothing\./);
        assert.match(await page.innerText('.related-record:has-text("Cedar Yard")'), /Says .*“retention pond”; may not say “denied”/);
        assert.equal(await page.locator('.answer >> nth=0 >> blockquote').filter({ hasText: POND }).count(), 1);
        const { ask, job } = parameters(page);
        assert.equal(ask, QUESTION);
        const before = await asked();
        await page.reload();
        await page.waitForSelector('.answer');
        assert.deepEqual([parameters(page).job, await page.inputValue('#question'), await asked()], [job, QUESTION, before]);
        await page.click('text=Alder Yard 2');
        await page.waitForSelector('.panel h2:text-is("Alder Yard 2")');
        assert.deepEqual([parameters(page).project, parameters(page).tab], ['2', undefined]);
        await page.goBack();
        await page.click('text=Show them on the map');
        await page.waitForSelector('.total strong:text-is("3")');
        await page.goBack();
        await page.click('text=Show them as a table');
        await page.waitForURL(/tab=table/);
        await page.waitForSelector('text=Alder Yard 3');
      }),
    ));

  it('shows how it read the question; a chip that is taken away or changed asks again', () =>
    working(() =>
      visit({}, async (page) => {
        await askQuestion(page, QUESTION);
        await page.waitForSelector('.reading li:has-text("“denied” Status: Denied")');
        await page.waitForSelector('.reading >> text=“retention pond”');
        await page.click('button[aria-label="Remove “denied”"]');
        await page.waitForSelector('.answer >> text=Cedar Yard');
        assert.equal((await names(page)).length, 4);
        assert.equal(parameters(page).ask, 'warehouses with a retention pond');
        await page.click('.reading button:has-text("“retention pond”")');
        await page.fill('.reading-edit input', 'detention pond');
        await page.keyboard.press('Enter');
        await page.waitForSelector('.reading >> text=“detention pond”');
        assert.equal(parameters(page).ask, 'warehouses with a detention pond');
        await page.goBack();
        await page.waitForSelector('.answer >> text=Cedar Yard');
      }),
    ));

  it('takes the word of its reader that an answer is right or wrong, shows it again, and asks accordingly the next time', () =>
    working(() =>
      visit({ key: keys.judging }, async (page) => {
        await askQuestion(page, QUESTION);
        await page.waitForSelector('.answer');
        const card = (name: string) => page.locator('.answer', { hasText: name });
        await card('Alder Yard 3').getByRole('button', { name: 'Right' }).click();
        await card('Alder Yard 3').getByText('looks for more like it').waitFor();
        await card('Alder Yard 2').getByRole('button', { name: 'Wrong' }).click();
        await card('Alder Yard 2').getByText('leaves it out').waitFor();
        await assertAccessible(page, 'judged answers');
        await page.reload();
        await page.waitForSelector('.answer');
        const pressed = await page.$$eval('.answer button[aria-pressed=true]', (found) =>
          found.map((one) => `${one.closest('.answer')?.querySelector('h3')?.textContent}: ${one.textContent}`).sort(),
        );
        assert.deepEqual(pressed, ['Alder Yard 2: Wrong', 'Alder Yard 3: Right']);
        if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT, fullPage: true });
        await page.click('button:text-is("Ask")');
        await page.waitForSelector('.outcome:text-is("2 records answer the question.")');
        assert.deepEqual(await page.$$eval('.answer h3', (found) => found.map((one) => one.textContent)), ['Alder Yard 3', 'Alder Yard 1']);
      }),
    ));

  it('names the price before it asks where records cost a credit, and charges for new answers alone', () =>
    working(() =>
      visit({ key: keys.metered }, async (page) => {
        assert.match(
          await page.innerText('.question-price'),
          /^Costs at most 10 credits: 1 for each answer .* 10 of your 5,000 are set aside/,
        );
        assert.equal(await world.balance(keys.metered), 5_000);
        await askQuestion(page, QUESTION);
        await page.waitForSelector('.outcome:text-is("3 records answer the question. 3 credits charged.")');
        await page.waitForSelector('.account >> text=4,997');
        const before = await asked();
        await page.click('button[aria-label="Remove “denied”"]');
        await page.waitForSelector('.answer', { state: 'detached' });
        assert.equal(await page.inputValue('#question'), 'warehouses with a retention pond');
        assert.equal(await asked(), before, 'a change spends nothing by itself');
        await page.click('button:text-is("Ask")');
        await page.waitForSelector('.outcome:text-is("4 records answer the question. 1 credit charged.")');
      }),
    ));

  it('offers as many answers as the balance covers', async () => {
    const key = await world.api.key('api_only', undefined, { monthlyCredits: 2 });
    await working(() =>
      visit({ key }, async (page) => {
        await askQuestion(page, QUESTION);
        assert.match(await (await page.waitForSelector('[role=alert]')).innerText(), /reserves 10 credits and 2 are left/);
        await page.click('text=Ask for 2 at most');
        await page.waitForSelector('.outcome:has-text("2 records answer the question, of 3 that do. 2 credits charged.")');
        assert.equal((await names(page)).length, 2);
      }),
    );
  });

  it('can be stopped, and says in plain words that nothing was found, that not all was looked at, or that answers are gone', async () => {
    await visit({ key: keys.metered }, async (page) => {
      await askQuestion(page, QUESTION);
      await page.waitForSelector('.asking >> text=Waiting for its turn');
      await page.click('button:text-is("Stop")');
      await page.waitForSelector('.outcome:text-is("Stopped before it began. Nothing was charged.")');
    });
    await working(() =>
      visit({}, async (page) => {
        await askQuestion(page, 'denied projects with a heliport');
        await page.waitForSelector('.empty >> text=proves every part of the question');
        assert.match(await page.innerText('.outcome'), /^No record has all the words that the question asks for\.$/);
        await page.click('text=Show all records of these filters instead');
        await page.waitForSelector('.total strong:text-is("4")');
      }),
    );
    await working(
      () =>
        visit({}, async (page) => {
          await askQuestion(page, 'warehouses with a retention pond in Boulder');
          await page.waitForSelector('.outcome:has-text("has judged as many records as one search may")');
        }),
      { AI_JOB_REVIEWED: '1' },
    );
    await visit({ path: '/map?tab=ask&ask=ponds&job=ais_4gTqBv3s0ZyqY2m1Lr8KdA' }, async (page) => {
      await page.waitForSelector('.empty >> text=no longer kept');
      assert.equal(await page.inputValue('#question'), 'ponds');
    });
  });

  for (const [viewport, dark] of bothScreens(WIDE))
    it(`has no violation of accessibility and no sideways scrolling at ${viewport.width} pixels, ${dark ? 'dark' : 'light'}, and works by keyboard alone`, () =>
      working(() =>
        visit({ viewport, dark }, async (page) => {
          await page.focus('#question');
          await page.keyboard.type(QUESTION);
          await page.keyboard.press('Enter');
          await page.waitForSelector('.answer');
          await assertAccessible(page, 'the tab');
        }),
      ));
});
