/** Jobs that are accepted: nothing is by an answer that failed, and afterwards their answers fail no more. */
import assert from 'node:assert/strict';
import type http from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { project, TODAY } from '../../support/fixtures.ts';
import { HttpProxy } from '../../support/httpProxy.ts';
import { provide } from '../../support/provide.ts';
import { serverUrl } from '../../support/servers.ts';
import { testWorld } from '../../support/world.ts';

/** In front of Elasticsearch; while it is told to, it refuses to look for government items among ids. */
class RefusingProxy extends HttpProxy {
  isRefusing = false;

  constructor() {
    super(serverUrl('ELASTICSEARCH_URL'), ({ status, headers, body }, response) => response.writeHead(status, headers).end(body));
  }

  protected override async forward(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const { method, url, headers } = request;
    const body = await buffer(request);
    if (this.isRefusing && body.includes('mergedFrom') && body.includes('isGovernmentDecision'))
      return void response.writeHead(503).end('{}');
    super.forward(Object.assign(Readable.from([body]), { method, url, headers }) as http.IncomingMessage, response);
  }
}

describe('An accepted job', () => {
  const elastic = new RefusingProxy();
  const world = provide(async () => testWorld({ today: TODAY, env: { ELASTICSEARCH_URL: await elastic.start() } }));
  before(async () => {
    await world.api.index.load([project(1), project(2, { propertyType: 'govt_decisions' })]);
  });
  after(() => elastic.stop());

  afterEach(() => {
    elastic.isRefusing = false;
  });

  const BODIES = {
    exports: { projectIds: [1, 2] },
    snapshots: { filters: { projectIds: [1, 2] } },
    enrichments: { projectIds: [1] },
    aiSearch: { query: 'warehouses' },
  };

  for (const kind of ['exports', 'snapshots'] as const)
    it(`of ${kind} says what is left out, or is not accepted; repeated, it is answered without that`, async () => {
      const key = await world.api.key('api_only');
      const submit = () => world[kind].submit(BODIES[kind], key, { 'Idempotency-Key': 'left-out' });
      const reservations = await world.api.database.query('select from reservation');
      elastic.isRefusing = true;
      const refused = await submit();
      assert.deepEqual([refused.status, refused.body.error.code], [503, 'search_unavailable']);
      assert.deepEqual(await world.api.database.query('select from reservation'), reservations);
      elastic.isRefusing = false;
      const accepted = await submit();
      assert.deepEqual([accepted.status, accepted.body.meta.warnings[0]?.code], [202, 'government_decisions_excluded']);
      elastic.isRefusing = true;
      const again = await submit();
      assert.deepEqual([again.status, again.body.data?.id, again.body.meta.warnings], [202, accepted.body.data.id, []]);
    });

  for (const kind of ['exports', 'snapshots', 'enrichments', 'aiSearch'] as const)
    it(`of ${kind} is answered as it was accepted, also where a worker starts it at once`, async () => {
      await world.api.database.query(`
        create function start_at_once() returns trigger language plpgsql as $$
          begin update job set status = 'running', attempt = 1, started_at = now(), lease_until = now() where id = new.id; return null; end $$;
        create constraint trigger start_at_once after insert on job deferrable initially deferred for each row execute function start_at_once()`);
      try {
        const { status, body } = await world[kind].submit(BODIES[kind], await world.api.key('national'));
        assert.deepEqual([status, body.data?.status, body.data?.startedAt ?? null], [202, 'queued', null]);
      } finally {
        await world.api.database.query('drop trigger start_at_once on job; drop function start_at_once()');
      }
    });
});
