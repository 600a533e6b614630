/** The page of a site brief: its price first, every sentence with its proof, and four sheets at most. */
import assert from 'node:assert/strict';
import { TODAY } from '../../support/fixtures.ts';
import { assertAccessible, bothScreens, provideVisits, REFUSALS, WIDE } from '../../support/pageVisits.ts';
import { bodyOf, provideService } from '../../support/service.ts';
import { makeRecords, minutes, restriction, SITE } from '../briefs/world.ts';

const SHEETS_MAX = 4;

describe('the page of a site brief', () => {
  const api = provideService({ today: TODAY });
  const visit = provideVisits(() => ({ url: api.url, key, viewport: WIDE, expected: REFUSALS }));
  const keys = { free: '', metered: '' };
  let key = '';
  before(async () => {
    await api.index.load([minutes, ...makeRecords(58, 160, TODAY), restriction], { restrictionSources: ['inventory'] });
    Object.assign(keys, { free: await api.key(), metered: await api.key('api_only', undefined, { monthlyCredits: 9 }) });
    key = keys.free;
  });
  const make = async (body: object) => bodyOf(await api.post('/briefs', body, { key: keys.free }), 201).data;

  it('shows what is known with quotes and proofs, is accessible on every screen, and prints on four sheets at most', async () => {
    const brief = await make({ place: { point: SITE }, use: { type: 'industrial', subtype: 'data_center' }, maxPrecedents: 20 });
    for (const [viewport, dark] of bothScreens(WIDE))
      await visit({ path: `/map?brief=${brief.id}`, viewport, dark }, async (page) => {
        await page.getByRole('heading', { name: /^Site brief: 40\.0150/ }).waitFor();
        const sections = await page.locator('.brief-section').count();
        assert.equal(sections, 9);
        assert.ok((await page.locator('.brief blockquote').count()) >= 2);
        assert.match(await page.innerText('.brief > .note'), /Kept until [A-Z][a-z]+ \d+, \d{4}\.\s*$/);
        const told = await page.$$eval('.brief-section li', (all) => all.map((one) => one.firstChild?.textContent ?? ''));
        assert.doesNotMatch(told.join('\n'), /\d{4}-\d{2}-\d{2}/, 'days are written in one form');
        await page.locator('.precedents .brief-call summary').first().click();
        await page.locator('.precedents code').first().waitFor();
        await assertAccessible(page, 'the brief');
        if (dark) return;
        await page.emulateMedia({ media: 'print' });
        assert.ok(!(await page.getByRole('button', { name: 'Print' }).isVisible()), 'no buttons on paper');
        const pdf = await page.pdf({ format: 'Letter' });
        const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;
        assert.ok(pages >= 1 && pages <= SHEETS_MAX, `${pages} sheets`);
      });
  });

  it('is made from a record at the price that the button says, and deleted', async () => {
    await api.get('/projects/1003', {}, { key: keys.metered });
    await visit({ path: '/map?project=1003', key: keys.metered }, async (page) => {
      await page.getByRole('button', { name: 'Site brief' }).click();
      await page.getByRole('button', { name: 'Make the brief for 5 credits' }).waitFor();
      await page.getByLabel('Precedents').selectOption('20');
      await page
        .getByText(/credits come on|Ask for more|credits of the/)
        .first()
        .waitFor();
      assert.ok(await page.getByRole('button', { name: /Make the brief for \d+ credits/ }).isDisabled());
      await page.getByLabel('Precedents').selectOption('5');
      await page.getByRole('button', { name: 'Make the brief for 5 credits' }).click();
      await page.getByRole('heading', { name: /^Site brief: / }).waitFor();
      assert.match(page.url(), /brief=brf_/);
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('heading', { name: /^Site brief: / }).waitFor({ state: 'detached' });
    });
    assert.equal(await api.balance(keys.metered), 3);
    assert.equal(bodyOf(await api.get('/briefs', {}, { key: keys.metered })).meta.total, 0);
  });

  it('says plainly that a brief is gone', () =>
    visit({ path: `/map?brief=brf_${'0'.repeat(22)}` }, async (page) => {
      await page.getByText('There is no brief').first().waitFor();
    }));
});
