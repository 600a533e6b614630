/** A contact provider over HTTP that misbehaves in every way: what is delivered, tried again, and refunded. */

import assert from 'node:assert/strict';
import { pino } from 'pino';
import { composeWorker, type Worker } from '../../../src/core/jobs/worker.ts';
import { IdempotencyStore } from '../../../src/core/ledger/idempotencyStore.ts';
import type { LookUp } from '../../../src/core/people/enrichment.ts';
import { Suppressions } from '../../../src/core/people/suppressions.ts';
import { UnlockStore } from '../../../src/core/people/unlocks.ts';
import type { CallSettings } from '../../../src/core/providers/providerCalls.ts';
import { ProjectStore } from '../../../src/core/store/elastic/projects.ts';
import { FinderUnavailable, MalformedFinderAnswer } from '../../../src/features/contacts/finder.ts';
import { enrichmentJob } from '../../../src/features/contacts/job.ts';
import { ContactProvider } from '../../../src/features/contacts/provider.ts';
import { EnrichmentStore } from '../../../src/features/contacts/store.ts';
import { type Reply, type TestProvider, testProvider } from '../../support/contactProvider.ts';
import { project, TODAY } from '../../support/fixtures.ts';
import { eventually, QUICK as QUICK_WORK } from '../../support/jobs.ts';
import { provide } from '../../support/provide.ts';
import { testWorld } from '../../support/world.ts';

const QUICK: CallSettings = { timeoutMs: 150, retries: 2, pauseMs: 10, patienceMs: 300, failures: 6, restMs: 400 };

const lookUp: LookUp = {
  ...{ projectId: 7, ids: [7], projectName: 'Seven', address: null, city: 'Boulder', county: null, state: 'CO' },
  parties: [{ role: 'developer', name: 'Fork Homes, LLC' }],
  contacts: [{ name: 'Ann Lee', role: 'applicant', company: null, title: null }],
  companies: [],
};
const ann = { name: 'Ann Lee', email: 'ann@fork.example', emailConfidence: 0.9 };
const bob = { name: 'Bob Roe', company: 'FORK HOMES LLC', phone: '303-555-0102', phoneConfidence: 0.9 };
const stranger = { name: 'Eve Foe', company: 'Other Corp', email: 'eve@other.example', emailConfidence: 1 };
const signal = () => new AbortController().signal;

describe('A contact provider', () => {
  let provider: TestProvider;
  beforeEach(async () => {
    provider = await testProvider();
  });
  afterEach(() => provider.stop());
  const finder = (settings: Partial<CallSettings> = {}) =>
    new ContactProvider({ url: provider.url, key: 'a key', settings: { ...QUICK, ...settings } });

  it('is asked for a project with what the filing names, and answers with people of it', async () => {
    provider.reply = ({ projectId }) => ({
      json: { projectId, people: [ann, bob], companies: [{ name: 'Fork Homes LLC', website: 'https://fork.example' }], cost: 3 },
    });
    const { people, companies } = await finder().find(lookUp, signal());
    assert.deepEqual([people, companies.length], [[ann, bob], 1]);
    const [asked] = provider.asked;
    const { ids: _, ...told } = lookUp;
    assert.deepEqual([asked?.body, asked?.authorization], [told, 'Bearer a key']);
  });

  it('does not pass another person, or another company, for one of the project', async () => {
    const sameName = { ...ann, company: 'Other Corp', email: 'ann@other.example' };
    provider.reply = ({ projectId }) => ({ json: { projectId, people: [stranger, sameName, bob], companies: [{ name: 'Other Corp' }] } });
    const { people, companies } = await finder().find(lookUp, signal());
    assert.deepEqual([people, companies], [[bob], []]);
  });

  for (const [what, reply] of Object.entries({
    'about another project': { json: { projectId: 8, people: [bob] } },
    'that is no JSON': { text: '<html>' },
    'of another shape': { json: { projectId: 7, people: [{ ...bob, phone: 303 }] } },
    'with a null byte': { json: { projectId: 7, people: [{ ...bob, title: 'VP\0' }] } },
    'with half a character': { json: { projectId: 7, people: [{ ...bob, name: 'Bob \ud83c' }] } },
    'with a confidence beyond 1': { json: { projectId: 7, people: [{ ...bob, phoneConfidence: 90 }] } },
    'that does not end': { text: `"${'x'.repeat(2_000_000)}"` },
  }))
    it(`makes no sense with an answer ${what}, and is not asked again for it`, async () => {
      provider.reply = () => reply;
      await assert.rejects(finder().find(lookUp, signal()), MalformedFinderAnswer);
      assert.equal(provider.asked.length, 1);
    });

  for (const [what, reply] of Object.entries({ hangs: 'hang', cuts: 'cut', fails: { status: 500 }, 'is busy': { status: 429 } } as const))
    it(`is asked again where it ${what}, and given up without naming anybody`, async () => {
      provider.reply = (_, nth) => (nth < 3 ? reply : { json: { projectId: 7, people: [bob] } });
      assert.deepEqual((await finder().find(lookUp, signal())).people, [bob]);
      provider.reply = () => reply;
      const started = performance.now();
      await assert.rejects(finder().find(lookUp, signal()), (error: Error) => {
        assert(error instanceof FinderUnavailable && !(error instanceof MalformedFinderAnswer));
        assert(!/Ann|Fork|Seven/.test(error.message), error.message);
        return true;
      });
      assert(performance.now() - started < 3_000);
      assert.equal(provider.asked.length, 6);
    });

  it('is waited for as long as it asks, within reason', async () => {
    provider.reply = (_, nth) =>
      nth === 1 ? { status: 429, headers: { 'Retry-After': '3600' } } : { json: { projectId: 7, people: [bob] } };
    const started = performance.now();
    await finder().find(lookUp, signal());
    const waited = performance.now() - started;
    assert(waited >= QUICK.patienceMs - 20 && waited < 3_000, String(waited));
  });

  it('is left alone for a while after failing again and again', async () => {
    provider.reply = () => ({ status: 503 });
    const one = finder();
    for (let i = 0; i < 3; i++) await assert.rejects(one.find(lookUp, signal()), FinderUnavailable);
    const calls = provider.asked.length;
    assert.equal(calls, QUICK.failures);
    await assert.rejects(one.find(lookUp, signal()), /left alone/);
    assert.equal(provider.asked.length, calls);
    provider.reply = ({ projectId }) => ({ json: { projectId, people: [bob] } });
    await new Promise((resolve) => setTimeout(resolve, QUICK.restMs + 50));
    assert.deepEqual((await one.find(lookUp, signal())).people, [bob]);
  });

  it('finds nobody if it answers 404, is not asked again after refusing the key, and is not followed to other addresses', async () => {
    provider.reply = () => ({ status: 404 });
    assert.deepEqual(await finder().find(lookUp, signal()), { people: [], companies: [] });
    provider.reply = () => ({ status: 401 });
    await assert.rejects(finder().find(lookUp, signal()), /401/);
    assert.equal(provider.asked.length, 2);
    provider.reply = () => ({ status: 302, headers: { Location: 'http://127.0.0.1:1/' } });
    await assert.rejects(finder({ retries: 0 }).find(lookUp, signal()), FinderUnavailable);
  });

  it('stops waiting at once when the job ends', async () => {
    provider.reply = () => 'hang';
    const stop = new AbortController();
    const reason = new Error('over');
    setTimeout(() => stop.abort(reason), 50);
    const started = performance.now();
    await assert.rejects(finder({ timeoutMs: 10_000 }).find(lookUp, stop.signal), reason);
    assert(performance.now() - started < 2_000);
  });
});

describe('Enrichment by a provider', () => {
  let provider: TestProvider;
  const world = provide(() => testWorld({ today: TODAY }));
  let worker: Worker;
  const parties = [{ role: 'developer', name: 'Fork Homes LLC' }];
  const quiet = { name: 'Sue Quiet', role: 'applicant', company: 'Fork Homes LLC', title: null };
  before(async () => {
    provider = await testProvider();
    await world.api.index.load([1, 2, 3, 4, 5, 6, 7].map((id) => project(id, { parties, ...(id === 7 ? { contacts: [quiet] } : {}) })));
    const { config, index } = world.api;
    worker = composeWorker({
      databaseUrl: config.databaseUrl,
      databaseSchema: config.databaseSchema,
      log: pino({ level: 'silent' }),
      settings: QUICK_WORK,
      definitions: (database, jobs) => {
        const suppressions = new Suppressions(database, config.keyPepper);
        const services = { idempotency: new IdempotencyStore(database), unlocks: new UnlockStore(database), suppressions };
        const job = enrichmentJob.with({
          store: new ProjectStore(index.client, index.names, 5_000),
          enrichments: new EnrichmentStore(jobs, services),
          suppressions,
          finder: new ContactProvider({ url: provider.url, key: null, settings: { ...QUICK, failures: 1_000 } }),
        });
        return [{ ...job, backoff: { backoffMs: 10, backoffMaxMs: 50 } }];
      },
    });
    await worker.start();
  });
  after(async () => {
    await worker.stop(0);
    await provider.stop();
  });
  afterEach(() => world.api.checkLedger());

  it('delivers what it found, and gives back what made no sense', async () => {
    const replies: Record<number, Reply> = {
      2: { text: 'nonsense' },
      3: { json: { projectId: 3, people: [stranger] } },
      4: { json: { projectId: 4, people: [{ ...bob, title: 'VP\0' }] } },
    };
    provider.reply = ({ projectId }) => replies[projectId] ?? { json: { projectId, people: [bob, stranger] } };
    const key = await world.api.key('national');
    const job = await world.enrichments.completed({ projectIds: [1, 2, 3, 4] }, key);
    assert.deepEqual([job.status, job.processed, job.found, job.notAttempted], ['completed', 2, 1, [2, 4]]);
    assert.deepEqual([job.creditsReserved, job.creditsCharged, job.creditsRefunded], [4, 1, 3]);
    const { contacts } = await world.record(1, key);
    assert.deepEqual([contacts.length, contacts[0].phone, contacts[0].phoneSource], [1, '303-555-0102', 'provider']);
  });

  it('delivers what was found before the provider went away, asks nobody twice, and gives the rest back', async () => {
    const key = await world.api.key('api_only');
    await world.read('/projects/search', { projectIds: '1,2,3,4,5,6' }, key);
    provider.asked.length = 0;
    provider.reply = ({ projectId }) => (projectId < 5 ? { json: { projectId, people: [bob] } } : 'cut');
    const job = await world.enrichments.completed({ projectIds: [1, 2, 3, 4, 5, 6] }, key);
    assert.deepEqual([job.status, job.processed, job.found, job.notAttempted], ['completed', 4, 4, [5, 6]]);
    assert.equal((await world.allowance(key)).used, 4);
    const times = (id: number) => provider.asked.filter(({ body }) => body.projectId === id).length;
    assert.deepEqual([1, 2, 3, 4].map(times), [1, 1, 1, 1]);
    assert(times(5) > 6);
  });

  it('fails where the provider hangs all the time, and gives everything back', async () => {
    provider.reply = () => 'hang';
    const key = await world.api.key('national');
    const job = await world.enrichments.completed({ projectIds: [1] }, key);
    assert.deepEqual([job.status, job.error.code, job.creditsCharged, job.creditsRefunded], ['failed', 'service_unavailable', 0, 1]);
    assert.deepEqual([job.notAttempted, await world.balance(key)], [[1], 1_500]);
  });

  it('asks for nobody who is suppressed, and delivers nobody who was meanwhile', async () => {
    provider.asked.length = 0;
    const list = new Suppressions(world.api.database, world.api.config.keyPepper);
    const said = { ...quiet, email: 'sue@fork.example', emailConfidence: 1 };
    provider.reply = ({ projectId }) => ({ json: { projectId, people: [said] } });
    const first = await world.api.key('national');
    assert.equal((await world.enrichments.completed({ projectIds: [7] }, first)).creditsCharged, 1);
    const { clearedUnlocks } = await list.add([{ kind: 'email', text: 'sue@fork.example' }], []);
    assert.equal(clearedUnlocks, 1);
    const kept = await world.api.database.query('select people from contact_unlock where project_id = 7');
    assert.deepEqual(kept, [{ people: [] }]);
    await list.add([{ kind: 'person', text: 'quiet sue @ fork homes' }], []);
    const second = await world.api.key('national');
    const job = await world.enrichments.completed({ projectIds: [7] }, second);
    assert.deepEqual([job.status, job.found, job.creditsCharged], ['completed', 0, 0]);
    await eventually('Sue to be forgotten', async () => {
      await world.enrichments.completed({ projectIds: [7] }, second);
      return provider.asked.at(-1)?.body.contacts.length === 0 ? true : undefined;
    });
  });
});
