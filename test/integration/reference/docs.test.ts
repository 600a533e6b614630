/** The documentation of a service as its customers meet it: its own address, their key, a page for each operation, the search, and prices first. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { openBrowser } from '../../../scripts/lib/browser.ts';
import { PLANS } from '../../../src/core/domain/plans.ts';
import { operationsOf } from '../../../src/web/openapiView.ts';
import { READING_ORDER } from '../../../src/web/readingOrder.ts';
import { provide } from '../../support/provide.ts';
import { provideService } from '../../support/service.ts';

const PUBLIC_URL = 'https://api.acme.example';
const OPERATORS = [
  'install',
  'settings',
  'minutes-to-records',
  'loading-data',
  'operate',
  'recover',
  'observe',
  'proofs',
  'architecture',
  'contributing',
];
/** What only who runs the service, or tries it on a machine of their own, has any use for; a reader's own receiver of webhooks listens on theirs. */
const FOREIGN = /localhost(?!:3000\/hooks)|127\.0\.0\.1|\bthe demo\b|\bnpm run\b|\.stack\//i;
const RECORDS = 3;

type Document = Parameters<typeof operationsOf>[0];

describe('the pages of the documentation', () => {
  const api = provideService(
    { env: { PUBLIC_URL } },
    Array.from({ length: RECORDS }, (_, i) => ({
      kind: 'project',
      id: i + 1,
      state: 'CO',
      propertyType: 'residential',
      meetingDate: '2026-10-01',
    })),
  );
  const browser = provide(() => openBrowser({ draws: false }));

  const textOf = async (path: string, accept = 'text/html') => {
    const response = await fetch(`${api.url}${path}`, { headers: { Accept: accept } });
    return { status: response.status, text: await response.text() };
  };

  /** Every address that the pages lead to, from the first one on. */
  async function everyPage(): Promise<Map<string, string>> {
    const pages = new Map<string, string>();
    const waiting = ['/docs', '/llms.txt', '/openapi.json', '/changelog.json', '/docs/search.json'];
    for (const path of waiting) {
      if (pages.has(path)) continue;
      const { status, text } = await textOf(path);
      assert.equal(status, 200, path);
      pages.set(path, text);
      for (const [, href = ''] of text.matchAll(/(?:href="|\]\(https:\/\/api\.acme\.example)(\/(?:docs|llms)[^"#)]*)/g)) waiting.push(href);
    }
    return pages;
  }

  const isForOperators = (path: string) => OPERATORS.some((name) => path.replace(/\.md$/, '') === `/docs/guides/${name}`);

  it('show the address of this service, and nothing that is of operators or of another machine', async () => {
    const pages = await everyPage();
    assert(pages.size > 150, `${pages.size} pages`);
    const offences = [...pages].flatMap(([path, text]) => {
      const found = isForOperators(path) ? /localhost:8080/.exec(text) : FOREIGN.exec(text);
      return found ? [`${path}: ${text.slice(Math.max(0, found.index - 80), found.index + 40)}`] : [];
    });
    assert.deepEqual(offences, []);
    assert(pages.get('/docs/guides/first-call')?.includes(`API=${PUBLIC_URL}/v1`));
    assert(pages.get('/docs/reference/countProjects')?.includes(`${PUBLIC_URL}/v1/projects/count`));
  });

  it('list the guides of operators apart, also for programs', async () => {
    for (const [path, heading] of [
      ['/docs', /<h2>For operators<\/h2>/],
      ['/llms.txt', /^## For operators$/m],
    ] as const) {
      const { text } = await textOf(path);
      const main = /<main[\s\S]*<\/main>/.exec(text)?.[0] ?? text;
      const at = heading.exec(main)?.index ?? -1;
      assert(at > 0, path);
      const listed = (part: string) => [...new Set([...part.matchAll(/\/docs\/guides\/([\w-]+)/g)].map(([, name = '']) => name))];
      assert.deepEqual(listed(main.slice(at)), OPERATORS, path);
      assert.deepEqual(
        listed(main.slice(0, at)).filter((name) => OPERATORS.includes(name)),
        [],
        path,
      );
    }
  });

  it('have one for each operation, in the order of reading', async () => {
    const document = JSON.parse(JSON.stringify(api.service.openApi())) as Document;
    const operations = operationsOf(document, READING_ORDER);
    const ids = operations.map(({ operationId }) => operationId);
    assert.deepEqual([...READING_ORDER].sort(), [...ids].sort(), 'src/web/readingOrder.json names every operation once');
    const { text: index } = await textOf('/docs/reference');
    const listed = [...index.matchAll(/<li id="(\w+)">/g)].map(([, id]) => id);
    assert.deepEqual(listed, ids);
    for (const { operationId, summary, path } of operations) {
      const { status, text } = await textOf(`/docs/reference/${operationId}`);
      assert.equal(status, 200, operationId);
      for (const part of [summary.split(/[’'"&]/)[0] ?? '', path, 'id="answers"', 'id="errors"'])
        assert(text.includes(part), `${operationId}: ${part}`);
    }
  });

  it('show the plans and their prices, from the table of plans', async () => {
    const { text } = await textOf('/docs/plans');
    for (const { label, monthlyCredits } of Object.values(PLANS)) {
      assert(text.includes(`>${label}</th>`), label);
      if (monthlyCredits) assert(text.includes(`${monthlyCredits.toLocaleString('en-US')} a month`), label);
    }
  });

  it('are the same with a slash at the end, and suggest a page for a wrong address', async () => {
    const [bare, slashed] = await Promise.all(['/docs', '/docs/'].map((path) => textOf(path)));
    assert.deepEqual([slashed?.status, slashed?.text], [200, bare?.text]);
    for (const [typed, meant] of [
      ['/docs/guides/filtres', '/docs/guides/filters'],
      ['/docs/reference/searchProject', '/docs/reference/searchProjects'],
      ['/docs/plan', '/docs/plans'],
    ] as const) {
      const page = await textOf(typed);
      assert.equal(page.status, 404, typed);
      assert(page.text.startsWith('<!doctype html>') && page.text.includes(`href="${meant}"`), typed);
      const answer = await textOf(typed, 'application/json');
      const { error } = JSON.parse(answer.text);
      assert.deepEqual([answer.status, error.code], [404, 'resource_not_found']);
      assert(error.message.endsWith(`did you mean ${meant}?`), error.message);
    }
    const hostile = await textOf('/docs/%3Cscript%3Ealert(1)%3C/script%3E');
    assert(hostile.status === 404 && !hostile.text.includes('<script>alert'));
  });

  /** A page that complains of what the policy stops, and keeps what was asked for with a key. */
  async function reader(): Promise<{ page: Page; complaints: string[]; keyed: string[] }> {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const [complaints, keyed]: string[][] = [[], []];
    page.on('pageerror', ({ message }) => complaints?.push(message));
    page.on(
      'console',
      (message) => message.type() === 'error' && !/status of 40\d/.test(message.text()) && complaints?.push(message.text()),
    );
    page.on('request', (request) => request.headers().authorization && keyed?.push(new URL(request.url()).pathname));
    return { page, complaints: complaints ?? [], keyed: keyed ?? [] };
  }

  const giveKey = async (page: Page, key: string) => {
    await page.click('#reader summary');
    await page.fill('#reader-key', key);
    await page.click('#reader button[type=submit]');
  };

  it('fill the key of the reader into every example, keep it in the browser, and forget it', async () => {
    const { page, complaints, keyed } = await reader();
    const key = await api.usualKey();
    await page.goto(`${api.url}/docs/reference/countProjects`);
    const example = () => page.textContent('.tab:not([hidden]) pre');
    assert.match((await example()) ?? '', /Bearer \$KEY"/);
    await giveKey(page, key);
    assert((await example())?.includes(`Authorization: Bearer ${key}`));
    await page.goto(`${api.url}/docs/guides/first-call`);
    assert((await page.textContent('main'))?.includes(`KEY=${key}`));
    await page.click('#reader summary');
    await page.click('#forget-key');
    assert((await page.textContent('main'))?.includes('KEY=svc_live_…'));
    assert.deepEqual([complaints, keyed], [[], []]);
    await page.close();
  });

  it('find operations, parameters, filters, errors and guides by the beginnings of words', async () => {
    const { page, complaints } = await reader();
    await page.goto(`${api.url}/docs`);
    for (const [text, href] of [
      ['export', '/docs/guides/exports'],
      ['createEx', '/docs/reference/createExport'],
      ['acreageM', '/docs/reference/filters'],
      ['credits_ex', '/docs/errors#credits_exhausted'],
      ['idempotency-k', '/docs/reference/'],
      ['rotat', '/docs/reference/rotateKey'],
    ] as const) {
      await page.fill('#search input', text);
      await page.locator(`#found a[href^="${href}"]`).first().waitFor();
    }
    await page.fill('#search input', 'zzzz');
    await page.locator('#found', { hasText: 'Nothing begins with that.' }).waitFor();
    assert.deepEqual(complaints, []);
    await page.close();
  });

  it('send a request with the key of the reader, and one that costs only after its price was agreed to', async () => {
    const { page, complaints, keyed } = await reader();
    const key = await api.key('api_only');
    const credits = async () => (await api.get('/account/credits', {}, { key })).body.data.balance as number;
    const before = await credits();
    await page.goto(`${api.url}/docs/reference/searchProjects`);
    await giveKey(page, key);
    await page.fill('#try-url', '/v1/projects/search?states=CO&dateRange=all&representation=compact');
    await page.click('#try button.primary');
    const agree = page.getByRole('button', { name: `Spend up to ${RECORDS} credits` });
    await agree.waitFor();
    assert.equal(await credits(), before, 'nothing is charged before the price was agreed to');
    await agree.click();
    await page.locator('#try pre', { hasText: '"billed": true' }).waitFor();
    assert.equal(await credits(), before - RECORDS);
    assert.match((await page.textContent('#try [role=status]')) ?? '', /^200, 3 credits charged$/);
    await page.goto(`${api.url}/docs/reference/createEnrichment`);
    const LOST = '**/v1/enrichments';
    await page.route(LOST, (route) => route.abort());
    await page.click('#try button.primary');
    await page.getByRole('button', { name: /^Spend up to/ }).click();
    await page.getByText('The service does not answer. Whether it charged is in GET /v1/account/ledger.').waitFor();
    await page.unroute(LOST);
    assert.deepEqual(complaints.splice(0), ['Failed to load resource: net::ERR_FAILED']);
    const asked = keyed.length;
    await page.click('#try button.primary');
    await page.getByRole('button', { name: /^Spend up to \d credits?$/ }).waitFor();
    assert.equal(keyed.length, asked, 'a look-up is never sent to learn its price');
    assert.deepEqual(complaints, []);
    await page.close();
  });
});
