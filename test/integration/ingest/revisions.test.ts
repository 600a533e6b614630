/** What is a change and what is none: nobody pays for a difference that no answer shows, and what was paid before stays paid. */
import assert from 'node:assert/strict';
import { loadFile } from '../../../ingest/load.ts';
import { LoadRefused } from '../../../ingest/loadRefused.ts';
import { activateGeneration, rollBackGeneration } from '../../../ingest/publish/activate.ts';
import { readGenerationStatus } from '../../../ingest/publish/status.ts';
import { Places } from '../../../src/core/domain/places.ts';
import { project, searcher, TODAY, use } from '../../support/fixtures.ts';
import { places } from '../../support/index.ts';
import { servedProjects } from '../../support/ingest.ts';
import { asOlderVersion } from '../../support/olderVersion.ts';
import { type TestService, testService } from '../../support/service.ts';

const TIMEOUT_MS = 120_000;
const increment = (generation = 1) => ({ mode: 'increment', generation }) as const;

describe('a revision', () => {
  let api: TestService;
  let key: string;
  const person = { name: 'Ann Lee', role: 'applicant', company: 'Cedar', title: 'Owner' };
  const locked = { email: 'ann@example.com', phone: '303 555 0100', linkedin: 'https://example.com/in/ann', isGovernmentStaff: false };
  const uses = [use('multifamily'), use('office', 'secondary'), use('billboard', 'other'), use('retail', 'other')];
  const base = { propertyType: undefined, landUses: uses, contacts: [{ ...person, ...locked }], acreage: 5, summary: 'Homes' };

  before(async function () {
    this.timeout(TIMEOUT_MS);
    api = await testService({ today: TODAY });
    key = await api.key('api_only');
    await api.index.load([project(1, base)]);
    await read();
  });
  after(() => api.stop());

  const read = async () => (await api.get('/projects/1', { representation: 'full' }, { key })).body;
  const stated = async (more: Record<string, unknown>) => {
    await api.index.load([project(1, { ...base, ...more })], increment());
    const { data, meta } = await read();
    return { data, credits: meta.creditsUsed as number };
  };
  const contact = (more: object) => ({ contacts: [{ ...person, ...locked, ...more }] });
  const inRoles = (...roles: ('primary' | 'secondary' | 'other')[]) => ({
    landUses: uses.map((one, i) => ({ ...one, role: roles[i] ?? one.role })),
  });

  const HIDDEN = {
    email: contact({ email: 'lee@example.com' }),
    phone: contact({ phone: null }),
    linkedin: contact({ linkedin: null }),
    'whether a contact is staff': contact({ isGovernmentStaff: true }),
    'the role of one land use': inRoles('primary', 'secondary', 'secondary', 'other'),
    'the meeting date': { meetingDate: '2026-10-05' },
    'an unknown status that is stated': { status: 'unknown' },
  };
  for (const [what, more] of Object.entries(HIDDEN))
    it(`stays for a change that no answer shows: ${what}`, async function () {
      this.timeout(TIMEOUT_MS);
      const { data: before } = await stated({});
      const { data, credits } = await stated(more);
      assert.deepEqual([data.contentRevision, data.lastUpdated, credits], [before.contentRevision, before.lastUpdated, 0]);
    });

  it('stays for a line of the contact directory', async function () {
    this.timeout(TIMEOUT_MS);
    const { data: before } = await stated({});
    await api.index.load([{ kind: 'contact', projectId: 1, name: 'Bo Ray', email: 'bo@example.com', emailConfidence: 0.9 }], increment());
    const { data, meta } = await read();
    assert.deepEqual([data.contentRevision, data.lastUpdated, meta.creditsUsed], [before.contentRevision, before.lastUpdated, 0]);
  });

  const SHOWN = {
    ...Object.fromEntries(['name', 'role', 'title', 'company'].map((field) => [`a contact's ${field}`, contact({ [field]: 'Other' })])),
    'the role of a classification': inRoles('primary', 'other'),
    'a land use': { landUses: uses.slice(0, 3) },
    'a company that paid plans see': { companyEnrichment: [{ name: 'Cedar', website: null, mainPhone: '1' }] },
    'a field of the full representation': { staffRecommendation: 'Approve' },
  };
  for (const [what, more] of Object.entries(SHOWN))
    it(`moves, with lastUpdated, and bills once: ${what}`, async function () {
      this.timeout(TIMEOUT_MS);
      const { data: before } = await stated({});
      const { data, credits } = await stated(more);
      assert.notEqual(data.contentRevision, before.contentRevision);
      assert.ok(data.lastUpdated > before.lastUpdated);
      assert.equal(credits, 1);
      const { data: back, credits: again } = await stated({});
      assert.deepEqual([back.contentRevision, again], [before.contentRevision, 0], 'the way back is paid');
    });

  it('does not name fields as changed of which no answer shows the change', async function () {
    this.timeout(TIMEOUT_MS);
    await stated({});
    await api.index.load([project(1, { ...base, ...contact({ email: null }), acreage: 6 })], increment());
    const { body } = await api.get('/projects/1/changes', {}, { key });
    assert.deepEqual(body.data.fields, ['acreage']);
  });
});

describe('an index and a ledger that the version before made', () => {
  let api: TestService;
  let key: string;
  const search = searcher(() => api);
  const person = { name: 'Ann Lee', role: 'applicant', company: 'Cedar', title: 'Owner', email: 'ann@example.com' };
  const LINES = [
    project(1, { acreage: 5, contacts: [person], status: 'approved' }),
    project(2, { acreage: 6 }),
    project(3, { acreage: 7 }),
    project(4),
    project(5, { mergedFrom: [50], acreage: 8 }),
    project(50),
    project(6, { acreage: 41 }),
  ];
  const changed = (id: number, more: object) => LINES.map((line) => (line.id === id ? { ...line, ...more } : line));
  const IDS = [1, 2, 3, 4, 5, 6];

  beforeEach(async function () {
    this.timeout(TIMEOUT_MS);
    api = await testService({ today: TODAY });
    key = await api.key('api_only');
    await api.index.load(LINES);
    await asOlderVersion(api.index);
    assert.equal(await paid(), IDS.length);
    assert.match((await stamps())[0]?.[1] ?? '', /^[0-9a-f]{32}$/, 'bought under a name of the version before');
  });
  afterEach(() => api.stop());

  const page = () => api.get('/projects/search', { projectIds: IDS, representation: 'full', limit: 100 }, { key });
  const paid = async () => (await page()).body.meta.creditsUsed as number;
  const stamps = async () =>
    [...(await servedProjects(api.index)).values()].map((stored) => [stored.id, stored.contentRevision, stored.lastUpdated] as const);

  it('keeps names and times, and bills nothing, when the same file is loaded: as a generation and as an increment', async () => {
    const before = await stamps();
    for (const load of [{ generation: 2 }, increment(2), { generation: 3 }]) {
      const { unchanged, changed: altered } = await api.index.load(LINES, load);
      assert.deepEqual([altered, unchanged >= IDS.length], [0, true]);
      assert.deepEqual([await stamps(), await paid()], [before, 0]);
    }
    await assert.rejects(rollBackGeneration(api.index.store, api.index.clock), LoadRefused);
    assert.deepEqual([await stamps(), await paid()], [before, 0]);
  }).timeout(TIMEOUT_MS);

  it('bills what changes once, and nothing for the way back', async () => {
    const before = await stamps();
    await api.index.load(changed(1, { contacts: [{ ...person, email: null }] }), { generation: 2 });
    assert.deepEqual([await stamps(), await paid()], [before, 0], 'no answer shows it');
    await api.index.load(changed(1, { acreage: 50 }), { generation: 3 });
    assert.equal(await paid(), 1);
    await api.index.load(LINES, { generation: 4 });
    assert.equal(await paid(), 0);
    assert.deepEqual((await stamps())[0]?.slice(0, 2), before[0]?.slice(0, 2));
  }).timeout(TIMEOUT_MS);

  it('finds a content that the version before had named and replaced', async () => {
    await api.index.load(changed(1, { acreage: 50 }), increment());
    await asOlderVersion(api.index);
    assert.equal(await paid(), 1);
    await api.index.load(LINES, { generation: 2 });
    assert.equal(await paid(), 0);
  }).timeout(TIMEOUT_MS);

  it('bills nothing for records that generations do not cover and that stated no more before', async () => {
    await api.index.load(
      LINES.filter(({ id }) => id !== 4),
      { generation: 2 },
    );
    assert.equal(await paid(), 0);
    await api.index.load(
      LINES.filter(({ id }) => id !== 3),
      { generation: 3 },
    );
    assert.equal(await paid(), 1, 'project 3 serves null now');
    await api.index.load(
      LINES.filter(({ id }) => id !== 3),
      { generation: 4 },
    );
    assert.equal(await paid(), 0);
  }).timeout(TIMEOUT_MS);

  it('is not served again as it stands; loading its file again costs nothing', async () => {
    await api.index.load(changed(1, { contacts: [{ ...person, email: 'lee@example.com' }], acreage: 50 }), { generation: 2 });
    assert.equal(await paid(), 1);
    await assert.rejects(
      rollBackGeneration(api.index.store, api.index.clock),
      /Load its file as a generation with a higher number.*Nothing was changed/,
    );
    await assert.rejects(activateGeneration(api.index.store, 1, api.index.clock), /Load its file as a generation with a higher number/);
    assert.equal((await readGenerationStatus(api.index.store)).generation, 2);
    await api.index.load(LINES, { generation: 3 });
    assert.equal(await paid(), 0);
  }).timeout(TIMEOUT_MS);

  it('is no base for a load if it holds evidence in an older form: the refusal says what to do', async () => {
    await asOlderVersion(api.index, { 6: { values: { acreage: [40] }, text: ['words of an older summary'], names: ['older name'] } });
    for (const load of [increment(), { generation: 2 }])
      await assert.rejects(
        api.index.load([project(6), project(2)], load),
        /Project 6 .*Load the newest full generation once with the version before/,
      );
    assert.deepEqual((await search({ projectIds: 6 })).ids, [6]);
  }).timeout(TIMEOUT_MS);
});

describe('a newer catalogue of places', () => {
  it('gives the same lines what it knows more, reports that by sync, and bills nobody', async function () {
    this.timeout(TIMEOUT_MS);
    const api = await testService({ today: TODAY });
    try {
      const { index } = api;
      const fewer = new Places(
        places.states,
        places.counties,
        places.cities.filter(({ name }) => name !== 'Boulder'),
      );
      await loadFile(
        { client: index.client, names: index.names, places: fewer, ...index.clock },
        await index.file([project(1), project(2)]),
        false,
      );
      await activateGeneration(index.store, 1, index.clock, { acceptLoss: true });
      const key = await api.key('api_only');
      const sync = async (from: { cursor?: string } = {}) => (await api.get('/projects/sync', { dateRange: 'all', ...from }, { key })).body;
      const first = await sync();
      assert.deepEqual([first.meta.creditsUsed, first.data[0].cityId], [2, null]);
      await index.load([project(1), project(2, { acreage: 3 })], { generation: 2 });
      const count = (await api.get('/projects/count', { dateRange: 'all' }, { key })).body.data.creditsRequired;
      const next = await sync({ cursor: first.meta.sync.cursor });
      const one = next.data.find(({ id }: { id: number }) => id === 1);
      assert.deepEqual([count, next.meta.creditsUsed, next.meta.pageCount], [1, 1, 2], 'what a line states otherwise bills as ever');
      assert.deepEqual([typeof one.cityId, one.delivery.billed, one.contentRevision], ['number', false, first.data[0].contentRevision]);
    } finally {
      await api.stop();
    }
  });
});
