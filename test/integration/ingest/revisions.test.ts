/** What is a change and what is none: nobody pays for a difference that no answer shows, and what was paid before stays paid. */
import assert from 'node:assert/strict';
import { loadFile } from '../../../ingest/load.ts';
import { activateGeneration } from '../../../ingest/publish/activate.ts';
import { Places } from '../../../src/core/domain/places.ts';
import { project, TODAY, use } from '../../support/fixtures.ts';
import { places } from '../../support/index.ts';
import type { Json } from '../../support/json.ts';
import { pluck } from '../../support/lists.ts';
import { provideService } from '../../support/service.ts';

const increment = { mode: 'increment', generation: 1 } as const;

const api = provideService({ today: TODAY });

describe('a revision', () => {
  const person = { name: 'Ann Lee', role: 'applicant', company: 'Cedar', title: 'Owner' };
  const locked = { email: 'ann@example.com', phone: '303 555 0100', linkedin: 'https://example.com/in/ann', isGovernmentStaff: false };
  const uses = [use('multifamily'), use('office', 'secondary'), use('billboard', 'other'), use('retail', 'other')];
  const base = { propertyType: undefined, landUses: uses, contacts: [{ ...person, ...locked }], acreage: 5, summary: 'Homes' };
  const contact = (more: object) => ({ contacts: [{ ...person, ...locked, ...more }] });
  const inRoles = (...roles: ('primary' | 'secondary' | 'other')[]) => ({
    landUses: uses.map((one, i) => ({ ...one, role: roles[i] ?? one.role })),
  });

  const DIRECTORY = 'a line of the contact directory';
  const HIDDEN = {
    email: contact({ email: 'lee@example.com' }),
    phone: contact({ phone: null }),
    linkedin: contact({ linkedin: null }),
    'whether a contact is staff': contact({ isGovernmentStaff: true }),
    'the role of one land use': inRoles('primary', 'secondary', 'secondary', 'other'),
    'the meeting date': { meetingDate: '2026-10-05' },
    'an unknown status that is stated': { status: 'unknown' },
    [DIRECTORY]: {},
  };
  const SHOWN = {
    ...Object.fromEntries(['name', 'role', 'title', 'company'].map((field) => [`a contact's ${field}`, contact({ [field]: 'Other' })])),
    'the role of a classification': inRoles('primary', 'other'),
    'a land use': { landUses: uses.slice(0, 3) },
    'a company that paid plans see': { companyEnrichment: [{ name: 'Cedar', website: null, mainPhone: '1' }] },
    'a field of the full representation': { staffRecommendation: 'Approve' },
  };
  /** Each change is of a record of its own. */
  const changes = Object.entries<object>({ ...HIDDEN, ...SHOWN });
  const idOf = (what: string) => changes.findIndex(([name]) => name === what) + 1;
  const NAMED = changes.length + 1;
  const lines = (isChanged: boolean) => changes.map(([what, more]) => project(idOf(what), { ...base, ...(isChanged ? more : {}) }));
  let key: string;
  /** each record as it is read at first, changed, and as at first again */
  const reads = new Map<string, { data: Json; credits: number }[]>();

  before(async () => {
    key = await api.key('api_only');
    const bo = { kind: 'contact', projectId: idOf(DIRECTORY), name: 'Bo Ray', email: 'bo@example.com', emailConfidence: 0.9 };
    await api.index.load([...lines(false), project(NAMED, base)]);
    await readAll();
    await api.index.load([...lines(true), bo], increment);
    await readAll();
    await api.index.load(lines(false), increment);
    await readAll();
  });

  async function readAll(): Promise<void> {
    for (const [what] of changes) {
      const { data, meta } = (await api.get(`/projects/${idOf(what)}`, { representation: 'full' }, { key })).body;
      reads.set(what, [...(reads.get(what) ?? []), { data, credits: meta.creditsUsed }]);
    }
  }
  const readsOf = (what: string) => {
    const [before, changed, back] = reads.get(what) ?? [];
    assert(before && changed && back);
    return { before: before.data, changed: changed.data, credits: changed.credits, back };
  };

  for (const what of Object.keys(HIDDEN))
    it(`stays for a change that no answer shows: ${what}`, () => {
      const { before, changed, credits } = readsOf(what);
      assert.deepEqual([changed.contentRevision, changed.lastUpdated, credits], [before.contentRevision, before.lastUpdated, 0]);
    });

  for (const what of Object.keys(SHOWN))
    it(`moves, with lastUpdated, and bills once: ${what}`, () => {
      const { before, changed, credits, back } = readsOf(what);
      assert.notEqual(changed.contentRevision, before.contentRevision);
      assert.ok(changed.lastUpdated > before.lastUpdated);
      assert.equal(credits, 1);
      assert.deepEqual([back.data.contentRevision, back.credits], [before.contentRevision, 0], 'the way back is paid');
    });

  it('does not name fields as changed of which no answer shows the change', async () => {
    await api.get(`/projects/${NAMED}`, {}, { key });
    await api.index.load([project(NAMED, { ...base, ...contact({ email: null }), acreage: 6 })], increment);
    const { body } = await api.get(`/projects/${NAMED}/changes`, {}, { key });
    assert.deepEqual(body.data.fields, ['acreage']);
  });
});

describe('a generation that does not cover a record', () => {
  before(() => api.index.startOver());

  it('bills for it where it stated more before, and then no more', async () => {
    const lines = [project(1, { acreage: 5 }), project(2, { acreage: 7 }), project(3)];
    const key = await api.key('api_only');
    const page = { projectIds: [1, 2, 3], representation: 'full', limit: 100 };
    const creditsUsed = async () => (await api.get('/projects/search', page, { key })).body.meta.creditsUsed;
    const without = (id: number, generation: number) =>
      api.index.load(
        lines.filter((line) => line.id !== id),
        { generation },
      );
    await api.index.load(lines);
    assert.equal(await creditsUsed(), 3);
    await without(3, 2);
    assert.equal(await creditsUsed(), 0);
    await without(2, 3);
    assert.equal(await creditsUsed(), 1, 'project 2 serves null now');
    await without(2, 4);
    assert.equal(await creditsUsed(), 0);
  });
});

describe('a newer catalogue of places', () => {
  before(() => api.index.startOver());

  it('gives the same lines what it knows more, reports that by sync, and bills nobody', async () => {
    const { index } = api;
    const withoutCounty = [project(3, { county: null }), project(4, { state: 'SD', county: 'Shannon', city: null })];
    const fewer = new Places(
      places.states,
      places.counties,
      places.cities.filter(({ name }) => name !== 'Boulder'),
    );
    await loadFile(
      { client: index.client, names: index.names, ...index.clock, places: fewer },
      await index.file([project(1), project(2), ...withoutCounty]),
      false,
    );
    await activateGeneration(index.store, 1, index.clock);
    const key = await api.key('api_only');
    const sync = async (from: { cursor?: string } = {}) => (await api.get('/projects/sync', { dateRange: 'all', ...from }, { key })).body;
    const first = await sync();
    assert.deepEqual([first.meta.creditsUsed, first.data[0].cityId], [4, null]);
    assert.deepEqual(pluck(first.data.slice(2), 'countyId'), [null, null]);
    await index.load([project(1), project(2, { acreage: 3 }), ...withoutCounty], { generation: 2 });
    const count = (await api.get('/projects/count', { dateRange: 'all' }, { key })).body.data.creditsRequired;
    const next = await sync({ cursor: first.meta.sync.cursor });
    const one = next.data.find(({ id }: { id: number }) => id === 1);
    assert.deepEqual([count, next.meta.creditsUsed, next.meta.pageCount], [1, 1, 4], 'what a line states otherwise bills as ever');
    const placed = next.data.filter(({ id }: { id: number }) => id > 2);
    assert.deepEqual(
      placed.map(({ id, countyId, delivery }: Json) => [id, countyId, delivery.billed]),
      [
        [3, 8013, false],
        [4, 46102, false],
      ],
    );
    assert.deepEqual(pluck(placed, 'contentRevision'), pluck(first.data.slice(2), 'contentRevision'));
    assert.deepEqual([typeof one.cityId, one.delivery.billed, one.contentRevision], ['number', false, first.data[0].contentRevision]);
  });
});
