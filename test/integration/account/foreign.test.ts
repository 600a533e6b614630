/** What another team has looks to a key exactly like what nobody has. */
import assert from 'node:assert/strict';
import { ConnectionStore } from '../../../src/core/identity/connections.ts';
import { project, TODAY } from '../../support/fixtures.ts';
import { restrictionLine, SOURCES } from '../../support/restrictionLine.ts';
import { routesOf } from '../../support/routes.ts';
import { provideService } from '../../support/service.ts';

const MISSING_ID = 987_654_321;
const missingOf = (prefix: string) => `${prefix}_${'0'.repeat(22)}`;
const MISSING_UUID = '00000000-0000-4000-8000-000000000000';

/** Catalogues of the country, the same for every team, and tiles of its map. */
const PUBLIC = /^\/v1\/(locations|tiles)\//;

/** What the paths of the cases begin behind. */
const ROOTS = ['/v1', '/ogc/collections/projects', '/api/user/api-keys'];

type Asked = [path: string, body?: object | undefined];

interface Case {
  /** the same request about something foreign and about something missing, as path and body */
  foreign: Asked;
  missing: Asked;
}

describe('Ids of another team', () => {
  const api = provideService({ today: TODAY });
  const keys = { owner: '', member: '' };
  let cases: Record<string, Case[]>;
  before(async () => {
    const lines = [
      project(1),
      project(2, { state: 'TX', county: 'Travis County', city: 'Austin', mergedFrom: [3] }),
      project(4, { county: 'Larimer County', city: 'Fort Collins' }),
      { kind: 'document', id: 501, state: 'TX', title: 'Minutes', text: 'Minutes' },
      restrictionLine(902, { state: 'TX', county: 'Travis County', jurisdiction: 'Travis County' }),
    ];
    await api.index.load(lines, SOURCES);
    keys.owner = await api.key('county', { stateIds: [], countyIds: [8013] });
    const [team] = (await api.accounts.teams()).slice(-1);
    const teammate = await api.accounts.createUser({ teamId: team?.id ?? 0, name: 'Member' });
    keys.member = (await api.keys.mint(teammate.id)).secret;
    const [ownKey] = await api.keys.list({ teamId: team?.id ?? 0, userId: null });
    const foreignSecret = await api.key('national');
    const foreignKey = await foreignKeyOf();
    /** Cases about what the other team makes by a POST to the path, whose ids have the prefix. */
    const aboutMade = async (path: string, prefix: string, made: object) => {
      const id = await madeBy(foreignSecret, path, made);
      return (below = '', body?: object): Case => ({
        foreign: [`${path}/${id}${below}`, body],
        missing: [`${path}/${missingOf(prefix)}${below}`, body],
      });
    };
    const shared = { share: { mode: 'team' } };
    const aboutExport = await aboutMade('/exports', 'exp', { filters: {} });
    const aboutEnrichment = await aboutMade('/enrichments', 'enr', { projectIds: [2] });
    const aboutList = await aboutMade('/lists', 'lst', { name: 'Theirs', projectIds: [2], ...shared });
    const aboutSearch = await aboutMade('/projects/ai-search/jobs', 'ais', { query: 'a pond' });
    const aboutSnapshot = await aboutMade('/snapshots', 'snp', { filters: {} });
    const aboutAlert = await aboutMade('/alerts', 'alr', { name: 'Theirs', ...shared });
    const aboutBrief = await aboutMade('/briefs', 'brf', { place: { county: 'Boulder County, CO' }, maxPrecedents: 0 });
    const aboutHearings = await aboutMade('/hearings/feeds', 'hfd', { filters: {} });
    const aboutRestrictions = await aboutMade('/restrictions/feeds', 'rfd', { filters: {} });
    const aboutWebhook = await aboutMade('/webhooks', 'whk', { url: 'https://hooks.example.com/', types: ['export.ready'] });
    const aboutKey = (suffix: string, body?: object): Case => ({
      foreign: [`/${foreignKey.id}${suffix}`, body],
      missing: [`/${MISSING_UUID}${suffix}`, body],
    });
    const about = (resource: string, id: number, below = ''): Case => ({
      foreign: [`/${resource}/${id}${below}`],
      missing: [`/${resource}/${MISSING_ID}${below}`],
    });
    const connectionId = await new ConnectionStore(api.database, () => new Date()).create({
      ...{ keyId: foreignKey.id, clientId: 'https://client.example/', clientName: null, returnsTo: 'https://client.example' },
      monthlyCredits: 0,
    });
    cases = {
      'DELETE /v1/account/connections/:id': [
        { foreign: [`/account/connections/${connectionId}`], missing: [`/account/connections/${missingOf('con')}`] },
      ],
      'GET /v1/webhooks/:id': [aboutWebhook()],
      'PATCH /v1/webhooks/:id': [aboutWebhook('', { status: 'disabled' })],
      'DELETE /v1/webhooks/:id': [aboutWebhook()],
      'POST /v1/webhooks/:id/rotate': [aboutWebhook('/rotate')],
      'POST /v1/webhooks/:id/test': [aboutWebhook('/test')],
      'POST /v1/webhooks/:id/recover': [aboutWebhook('/recover', { since: '2026-01-01T00:00:00Z' })],
      'GET /v1/webhooks/:id/attempts': [aboutWebhook('/attempts')],
      'POST /v1/webhooks/:id/attempts/:messageId/replay': [aboutWebhook(`/attempts/${missingOf('msg')}/replay`)],
      'GET /v1/alerts/:id': [aboutAlert()],
      'PATCH /v1/alerts/:id': [aboutAlert('', { name: 'Ours' })],
      'DELETE /v1/alerts/:id': [aboutAlert()],
      'GET /v1/alerts/:id/preview': [aboutAlert('/preview')],
      'POST /v1/alerts/:id/preview': [aboutAlert('/preview', { maxCredits: 5 })],
      'POST /v1/alerts/:id/restore': [aboutAlert('/restore')],
      'POST /v1/alerts/:id/run': [aboutAlert('/run')],
      'GET /v1/alerts/:id/deliveries': [aboutAlert('/deliveries')],
      'GET /v1/alerts/:id/deliveries/:deliveryId': [aboutAlert(`/deliveries/${missingOf('del')}`)],
      'GET /v1/alerts/:id/matches': [aboutAlert('/matches')],
      'POST /v1/alerts/:id/dismissals/:projectId': [aboutAlert('/dismissals/2')],
      'DELETE /v1/alerts/:id/dismissals/:projectId': [aboutAlert('/dismissals/2')],
      'POST /v1/alerts/:id/feeds': [aboutAlert('/feeds')],
      'GET /v1/alerts/:id/feeds': [aboutAlert('/feeds')],
      'DELETE /v1/alerts/:id/feeds/:feedId': [aboutAlert(`/feeds/${missingOf('fed')}`)],
      'GET /v1/projects/:id': [2, 3, 4].map((id) => about('projects', id)),
      'GET /v1/projects/:id/changes': [2, 3, 4].map((id) => about('projects', id, '/changes')),
      'GET /v1/projects/:id/evidence': [2, 3, 4].map((id) => about('projects', id, '/evidence')),
      'GET /ogc/collections/projects/items/:id': [2, 3, 4].map((id) => about('items', id)),
      'GET /v1/documents/:id': [about('documents', 501)],
      'GET /v1/projects/ai-search/jobs/:id': [aboutSearch()],
      'DELETE /v1/projects/ai-search/jobs/:id': [aboutSearch()],
      'POST /v1/projects/ai-search/jobs/:id/feedback': [aboutSearch('/feedback', { confirm: [2] })],
      'GET /v1/restrictions/:id': [about('restrictions', 902)],
      'GET /v1/exports/:id': [aboutExport()],
      'GET /v1/exports/:id/download': [aboutExport('/download')],
      'HEAD /v1/exports/:id/download': [aboutExport('/download')],
      'GET /v1/snapshots/:id': [aboutSnapshot()],
      'DELETE /v1/snapshots/:id': [aboutSnapshot()],
      'GET /v1/snapshots/:id/manifest': [aboutSnapshot('/manifest')],
      'HEAD /v1/snapshots/:id/manifest': [aboutSnapshot('/manifest')],
      'GET /v1/snapshots/:id/files/:name': [aboutSnapshot('/files/part-00001.ndjson.gz')],
      'HEAD /v1/snapshots/:id/files/:name': [aboutSnapshot('/files/part-00001.ndjson.gz')],
      'GET /v1/enrichments/:id': [aboutEnrichment()],
      'GET /v1/lists/:id': [aboutList()],
      'PATCH /v1/lists/:id': [aboutList('', { name: 'Ours' })],
      'DELETE /v1/lists/:id': [aboutList()],
      'POST /v1/lists/:id/restore': [aboutList('/restore')],
      'POST /v1/lists/:id/projects': [aboutList('/projects', { projectIds: [1] })],
      'PATCH /v1/lists/:id/projects/:projectId': [aboutList('/projects/2', { note: 'Ours' })],
      'DELETE /v1/lists/:id/projects/:projectId': [aboutList('/projects/2')],
      'GET /v1/briefs/:id': [aboutBrief()],
      'DELETE /v1/briefs/:id': [aboutBrief()],
      'GET /v1/hearings/feeds/:id': [aboutHearings()],
      'DELETE /v1/hearings/feeds/:id': [aboutHearings()],
      'GET /v1/restrictions/feeds/:id': [aboutRestrictions()],
      'DELETE /v1/restrictions/feeds/:id': [aboutRestrictions()],
      'GET /v1/lists/:id/results': [aboutList('/results')],
      'DELETE /api/user/api-keys/:id': [aboutKey('')],
      'POST /api/user/api-keys/:id/rotate': [aboutKey('/rotate', { graceHours: 1 })],
      'POST /api/user/api-keys/:id/reassign': [
        aboutKey('/reassign', { userId: teammate.id }),
        {
          foreign: [`/${ownKey?.id}/reassign`, { userId: foreignKey.userId }],
          missing: [`/${ownKey?.id}/reassign`, { userId: MISSING_ID }],
        },
      ],
    };
  });

  async function foreignKeyOf() {
    const [team] = (await api.accounts.teams()).slice(-1);
    const [key] = await api.keys.list({ teamId: team?.id ?? 0, userId: null });
    assert.ok(key);
    return key;
  }

  /** The id of what another team made. */
  async function madeBy(key: string, path: string, body: object): Promise<string> {
    const response = await fetch(`${api.url}/v1${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Idempotency-Key': 'made' },
      body: JSON.stringify(body),
    });
    assert.ok(response.ok);
    return ((await response.json()) as { data: { id: string } }).data.id;
  }

  async function ask(route: string, [path, body]: Asked, key: string, headers: Record<string, string>) {
    const [method, pattern] = route.split(' ') as [string, string];
    const root = ROOTS.find((one) => pattern.startsWith(one));
    const response = await fetch(`${api.url}${root}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        'X-Request-Id': 'foreign',
        ...headers,
        ...(body ? { 'Content-Type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const answered = [...response.headers.keys()].sort();
    const text = await response.text();
    const ids = [...path.split('/'), ...Object.values(body ?? {})].filter((part) => /\d/.test(String(part)));
    const masked = ids.reduce((shown, id) => shown.replaceAll(new RegExp(`\\b${id}\\b`, 'g'), 'ID'), text);
    // HEAD says it by its status alone.
    const code = method === 'HEAD' ? { 404: 'resource_not_found' }[response.status] : JSON.parse(text).error?.code;
    return { status: response.status, headers: answered, text: masked, code };
  }

  it('are asked for on every route that takes an id', () => {
    const withIds = [...routesOf(api.service.app)]
      .filter(([path]) => path.includes(':') && !PUBLIC.test(path))
      .flatMap(([path, methods]) => [...methods].map((method) => `${method} ${path}`));
    assert.deepEqual(withIds.sort(), Object.keys(cases).sort(), 'a new route with an id needs its case here, or a reason to be public');
  });

  it('answer as ids that do not exist, to owners and members, and change nothing', async () => {
    const before = await api.database.query('select id, user_id, revoked_at, expires_at from api_key order by id');
    const claimed = await api.database.query('select * from idempotency');
    for (const [route, list] of Object.entries(cases))
      for (const { foreign, missing } of list)
        for (const key of Object.values(keys))
          for (const headers of [...(route.endsWith('/run') ? [] : [{}]), { 'Idempotency-Key': 'same' }] as Record<string, string>[]) {
            const [other, none] = [await ask(route, foreign, key, headers), await ask(route, missing, key, headers)];
            assert.deepEqual(other, none, `${route} ${foreign[0]}`);
            const expected = key === keys.member && route.endsWith('reassign') ? 'forbidden' : 'resource_not_found';
            assert.equal(other.code, expected, `${route} ${foreign[0]}: ${other.text}`);
          }
    assert.deepEqual(await api.database.query('select id, user_id, revoked_at, expires_at from api_key order by id'), before);
    assert.deepEqual(await api.database.query('select * from delivery'), []);
    assert.deepEqual(await api.database.query('select * from idempotency'), claimed);
  });

  it('are there for their own team', async () => {
    const { body } = await api.get('/projects/3', {});
    assert.equal(body.data.id, 2);
    assert.equal((await api.get('/documents/501', {})).status, 200);
    assert.equal((await api.get('/projects/1', {}, { key: keys.owner })).status, 200);
  });
});
