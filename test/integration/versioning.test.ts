import assert from 'node:assert/strict';
import { type TestService, testService } from '../support/service.ts';

describe('Versioning', () => {
  let api: TestService;
  before(async () => {
    api = await testService({ today: '2026-11-20' });
    await api.index.load([{ kind: 'project', id: 1, state: 'CO', meetingDate: '2026-10-01', propertyType: 'residential' }]);
  });
  after(() => api.stop());

  it('answers a deprecated name with its headers, and others without', async () => {
    const old = await api.get('/projects/count', { includeCivic: true });
    assert.equal(old.status, 200);
    assert.match(old.headers.get('Deprecation') ?? '', /^@\d+$/);
    assert.ok(Date.parse(old.headers.get('Sunset') ?? '') > Date.UTC(2026, 10, 25), 'at least 90 days after the announcement');
    assert.equal(old.headers.get('Link'), '</changelog.json>; rel="deprecation"; type="application/json"');
    const current = await api.get('/projects/count', { includeGovernmentDecisions: true });
    assert.deepEqual([current.headers.get('Deprecation'), current.headers.get('Sunset'), current.headers.get('Link')], [null, null, null]);
  });

  it('publishes the changelog and the error reference without a key', async () => {
    const changelog = (await (await fetch(`${api.url}/changelog.json`)).json()) as { schemaVersion: string; entries: unknown[] };
    assert.equal(changelog.schemaVersion, '2026-08-27');
    assert.ok(changelog.entries.length > 0);
    const page = await fetch(`${api.url}/docs/errors`);
    assert.match(page.headers.get('Content-Type') ?? '', /text\/html/);
    const html = await page.text();
    assert.match(html, /<section id="invalid_filter">/);
    assert.match(html, /<section id="sync_tie_unresolved">/);
  });
});
