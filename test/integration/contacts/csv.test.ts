/** Contacts that a CSV looks up before it is built: reserved, delivered and charged with the file. */

import assert from 'node:assert/strict';
import { project, TODAY } from '../../support/fixtures.ts';
import type { Json } from '../../support/json.ts';
import { assertRefused, bodyOf } from '../../support/service.ts';
import { provideWorld } from '../../support/world.ts';

const person = (projectId: number, more: Record<string, unknown> = {}) => ({
  ...{ kind: 'contact', projectId, name: `Person ${projectId}`, role: 'engineer', company: 'Spoon LLC', title: 'PE' },
  ...{ email: `p${projectId}@spoon.example`, emailConfidence: 0.9, companyName: 'Spoon LLC', companyWebsite: 'https://spoon.example' },
  isGovernmentStaff: false,
  ...more,
});
/** Newest first: 1 to 8. Somebody is found for all but 3, and not surely for 4. */
const lines = [
  ...Array.from({ length: 8 }, (_, i) => project(i + 1, { meetingDate: `2026-10-${String(20 - i).padStart(2, '0')}` })),
  ...[1, 2, 5, 6, 7, 8].map((id) => person(id)),
  person(4, { emailConfidence: 0.7 }),
];
const ALL = { filters: { dateRange: 'all' }, include: 'contacts' };

describe('Contacts on a CSV', () => {
  const world = provideWorld({ today: TODAY }, lines);

  afterEach(() => world.api.checkLedger());
  const emails = async (id: unknown, key: string) => {
    const { status, text } = await world.download(String(id), key);
    assert.equal(status, 200, text);
    return [...text.matchAll(/p(\d)@spoon\.example/g)].map(([, n]) => Number(n));
  };

  it('come without look-ups, which are given back, where contact finding was switched off meanwhile', async () => {
    const key = await world.api.key('national');
    const { status, body } = await world.exports.submit(ALL, key);
    assert.deepEqual([status, body.data.contactCreditsReserved, await world.balance(key)], [202, 8, 1_492]);
    const worker = await world.work({ CONTACT_PROVIDER_URL: 'off' });
    const done = await world.exports.settled(body.data.id, key);
    assert.deepEqual([done.status, done.contactCreditsCharged, await world.balance(key)], ['ready', 0, 1_500]);
    assert.deepEqual(await emails(done.id, key), []);
    await world.api.checkLedger();
    await worker.stop();
    await world.work();
  });

  it('are bounded by maxContactCredits, as records are by maxCredits; both refusals reserve nothing', async () => {
    const key = await world.api.key('national');
    const refused = async (sent: { status: number; body: Json }) => {
      const { code, param, details } = sent.body.error;
      assert.deepEqual([sent.status, code, param], [400, 'invalid_request', 'maxContactCredits']);
      const { creditsRequired, maxContactCredits } = details;
      assert.deepEqual([creditsRequired, maxContactCredits, await world.balance(key)], [8, 5, 1_500]);
    };
    await refused((await world.exports.submit({ ...ALL, maxCredits: 1, maxContactCredits: 5 }, key)) as Json);
    const csv = { dateRange: 'all', format: 'csv', include: 'contacts' };
    await refused((await world.api.get('/projects/search', { ...csv, maxContactCredits: 5 }, { key })) as Json);
    const job = { query: 'approved sheds', limit: 8, include: 'contacts', maxContactCredits: 5 };
    await refused((await world.api.post('/projects/ai-search/jobs', job, { key })) as Json);
    const page = await world.api.get('/projects/search', { maxContactCredits: 5 }, { key });
    assert.deepEqual([page.status, page.body.error.param], [400, 'maxContactCredits']);
    const { body } = await world.exports.submit({ ...ALL, maxContactCredits: 8 }, key);
    assert.equal((await world.exports.settled(body.data.id, key)).contactCreditsReserved, 8);
  });

  it('are reserved apart from the records, charged for those that were found, and unlocked for every route', async () => {
    const key = await world.api.key('national');
    const body = bodyOf(await world.exports.submit(ALL, key), 202);
    const { creditsReserved, contactCreditsReserved, contactCreditsCharged } = body.data;
    assert.deepEqual([creditsReserved, contactCreditsReserved, contactCreditsCharged], [0, 8, null]);
    const done = await world.exports.settled(body.data.id, key);
    assert.deepEqual([done.creditsCharged, done.contactCreditsCharged, await world.balance(key)], [0, 7, 1_493]);
    assert.deepEqual(await emails(done.id, key), [1, 2, 4, 5, 6, 7, 8]);
    assert.equal((await world.record(1, key)).contacts[0].email, 'p1@spoon.example');
    assert.deepEqual((await world.enrichments.submit({ projectIds: [1, 3] }, key)).body.data.accepted, [3]);
    // Only what found nothing is looked up again.
    const again = (await world.exports.submit(ALL, key)).body.data;
    assert.equal(again.contactCreditsReserved, 1);
    assert.deepEqual([(await world.exports.settled(again.id, key)).contactCreditsCharged, await world.balance(key)], [0, 1_493]);
    assert.deepEqual(await emails(again.id, key), [1, 2, 4, 5, 6, 7, 8]);
  });

  it('honour maxProjects, minConfidence and companyOnly, on a search as CSV too', async () => {
    const search = async (options: object, key: string) => {
      const parameters = { dateRange: 'all', format: 'csv', include: 'contacts', contactOptions: options };
      const body = bodyOf(await world.read('/projects/search', parameters, key), 202);
      return { reserved: body.data.contactCreditsReserved, ...(await world.exports.settled((body as Json).data.id, key)) } as Json;
    };
    const first = await world.api.key('national');
    const few = await search({ maxProjects: 3 }, first);
    assert.deepEqual([few.reserved, few.contactCreditsCharged, await emails(few.id, first)], [3, 2, [1, 2]]);
    const second = await world.api.key('national');
    const sure = await search({ minConfidence: 0.8 }, second);
    assert.deepEqual([sure.contactCreditsCharged, await emails(sure.id, second)], [6, [1, 2, 5, 6, 7, 8]]);
    const third = await world.api.key('national');
    const companies = await search({ companyOnly: true }, third);
    assert.deepEqual([companies.reserved, companies.contactCreditsCharged, await emails(companies.id, third)], [0, 0, []]);
    assert((await world.download(companies.id, third)).text.includes('https://spoon.example'));
    assertRefused(
      await world.read('/projects/search', { format: 'csv', include: 'contacts', contactOptions: { cachedOnly: true } }, third),
      'invalid_request',
    );
  });

  it('count against the allowance, or refuse the export whole', async () => {
    const key = await world.api.key('api_only');
    const done = await world.exports.completed(ALL, key);
    assert.deepEqual([done.creditsCharged, done.contactCreditsReserved, done.contactCreditsCharged], [8, 0, 0]);
    assert.deepEqual([(await world.allowance(key)).used, (await emails(done.id, key)).length], [8, 7]);
    const trial = await world.api.key('trial', { stateIds: [8], countyIds: [] });
    const refused = await world.exports.submit(ALL, trial);
    assertRefused(refused, 'enrichment_allowance_exceeded');
    assert.deepEqual(refused.body.error.details, { requested: 8, allowance: { used: 0, limit: 5, remaining: 5, resetsAt: null } });
    assert.equal(await world.balance(trial), 50);
    const few = await world.exports.completed({ ...ALL, contactOptions: { maxProjects: 5 } }, trial);
    assert.deepEqual([few.creditsCharged, (await world.allowance(trial)).remaining], [8, 0]);
    const searching = await world.api.key('trial', { stateIds: [8], countyIds: [] });
    const csv = { dateRange: 'all', format: 'csv', include: 'contacts', contactOptions: { maxProjects: 5 } };
    const body = bodyOf(await world.read('/projects/search', csv, searching), 202);
    const searched = await world.exports.settled((body as Json).data.id, searching);
    assert.deepEqual([await emails(searched.id, searching), (await world.allowance(searching)).remaining], [[1, 2, 4, 5], 0]);
  });

  it('refuse an export whose contacts the balance does not pay, and hold nothing', async () => {
    const key = await world.api.key('county', { stateIds: [], countyIds: [8013] }, { monthlyCredits: 4 });
    const { status, body } = await world.exports.submit(ALL, key);
    assert.deepEqual([status, body.error.code], [402, 'insufficient_credits']);
    const { creditRate, creditsRequired, creditsRemaining } = body.error.details.quote;
    assert.deepEqual([creditRate, creditsRequired, creditsRemaining, await world.balance(key)], [1, 8, 4, 4]);
    const few = await world.exports.completed({ ...ALL, include: ['contacts'], contactOptions: { maxProjects: 4 } }, key);
    assert.deepEqual([few.contactCreditsCharged, await world.balance(key)], [3, 1]);
  });
});
