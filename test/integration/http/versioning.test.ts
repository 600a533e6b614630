import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { projectLine } from '../../support/projectLine.ts';
import { provideService } from '../../support/service.ts';

const CLOSED = ["base-uri 'none'", "default-src 'none'", "form-action 'none'", "frame-ancestors 'none'"];
const GUARDED = { 'X-Content-Type-Options': 'nosniff', 'X-Frame-Options': 'DENY', 'Referrer-Policy': 'no-referrer' };
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

describe('Versioning', () => {
  const api = provideService({ today: '2026-11-20' }, [projectLine(1)]);

  it('answers a deprecated name with its headers, and others without', async () => {
    const old = await api.get('/projects/count', { includeCivic: true });
    assert.equal(old.status, 200);
    assert.match(old.headers.get('Deprecation') ?? '', /^@\d+$/);
    assert.ok(Date.parse(old.headers.get('Sunset') ?? '') > Date.UTC(2026, 10, 25), 'at least 90 days after the announcement');
    assert.equal(old.headers.get('Link'), '</changelog.json>; rel="deprecation"; type="application/json"');
    const { headers } = await api.get('/projects/count', { includeGovernmentDecisions: true });
    for (const name of ['Deprecation', 'Sunset', 'Link']) assert.equal(headers.get(name), null, name);
  });

  it('answers deprecated names of filters in any body with the same headers', async () => {
    const key = await api.key();
    const ask = (method: string, path: string, body: object) =>
      fetch(`${api.url}/v1${path}`, {
        method,
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    const { body: alert } = await api.post('/alerts', { name: 'Some', filters: { states: ['CO'] } }, { key });
    for (const [method, path, body] of [
      ['POST', '/exports', {}],
      ['POST', '/alerts', { name: 'Zone' }],
      ['PATCH', `/alerts/${alert.data.id}`, {}],
      ['POST', `/alerts/${alert.data.id}/preview`, {}],
      ['POST', '/lists', { name: 'Zone' }],
      ['POST', '/projects/ai-search/jobs', { query: 'townhomes' }],
      ['POST', '/analytics/aggregate', {}],
      ['POST', '/analytics/rankings', { dimension: 'state', metric: { op: 'count' } }],
    ] as const)
      for (const [filters, deprecated] of [
        [{ inSfha: 'inside' }, true],
        [{ includeCivic: true, states: ['CO'] }, true],
        [{ inFemaFloodZone: 'inside' }, false],
      ] as const) {
        const answer = await ask(method, path, { ...body, filters });
        assert(answer.status < 300, `${path}: ${await answer.text()}`);
        const sent = ['Deprecation', 'Sunset', 'Link'].map((name) => answer.headers.get(name) !== null);
        assert.deepEqual(sent, [deprecated, deprecated, deprecated], `${method} ${path} ${JSON.stringify(filters)}`);
      }
  });

  it("lets browsers apply a page's own style and load, run, frame or send on nothing", async () => {
    const page = await openPage('/');
    assert.deepEqual(page.policy, [...CLOSED, `style-src ${page.style}`].sort());
    assert.doesNotMatch(page.html, /<script|<link|<img|\sstyle=|\son\w+=/i, 'what the policy would block');
    const json = await fetch(`${api.url}/changelog.json`);
    assert.doesNotMatch(json.headers.get('Content-Security-Policy') ?? '', /style-src/);
  });

  it('lets browsers run the script of the documentation, and no other, and call this service alone', async () => {
    const page = await openPage('/docs/errors');
    const scripts = ["script-src 'self'", "connect-src 'self'", "require-trusted-types-for 'script'", "trusted-types 'none'"];
    assert.deepEqual(page.policy, [...CLOSED, `style-src ${page.style}`, ...scripts].sort());
    const tags = page.html.match(/<script[^>]*>/g)?.map((tag) => tag.replace(/src="\/assets\/[^"]+"/, 'src'));
    assert.deepEqual(tags, ['<script type="module" src>']);
    assert.doesNotMatch(page.html, /<link|<img|\sstyle=|\son\w+=/i, 'what the policy would block');
  });

  /** A page with the usual headers of a page, its policy, and the hash of its style. */
  async function openPage(path: string): Promise<{ html: string; policy: string[]; style: string }> {
    const page = await fetch(`${api.url}${path}`, { headers: { Accept: 'text/html' } });
    const html = await page.text();
    for (const [name, value] of Object.entries(GUARDED)) assert.equal(page.headers.get(name), value);
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(html) ?? [];
    return { html, policy: (page.headers.get('Content-Security-Policy') ?? '').split('; ').sort(), style: hashOf(style) };
  }
});
