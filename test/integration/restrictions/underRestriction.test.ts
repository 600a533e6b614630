/** The filter on what restrictions bind: its results are those of `POST /restrictions/check` for each project. */
import assert from 'node:assert/strict';
import type { Json } from '../../support/json.ts';
import { projectLine } from '../../support/projectLine.ts';
import { Random } from '../../support/random.ts';
import { restrictionLine, SOURCES } from '../../support/restrictionLine.ts';
import { assertRefused, bodyOf, provideService } from '../../support/service.ts';

const SEED = 58;
const PROJECTS = 120;
const PLACES = [
  { state: 'CO' },
  { state: 'CO', county: 'Boulder County' },
  { state: 'CO', county: 'Boulder County', city: 'Lafayette' },
  { state: 'CO', county: 'Boulder County', city: 'No Such City' },
  { state: 'CO', county: 'Larimer County' },
  { state: 'CO', county: 'Larimer County', city: 'Fort Collins' },
  { state: 'CO', county: 'Weld County' },
  { state: 'CO', city: 'No Such City' },
  { state: 'WY', county: 'Laramie County' },
];
const USES = [
  { type: 'industrial' },
  { type: 'industrial', subtype: 'data_center' },
  { type: 'industrial', subtype: 'data_center', assetClass: 'hyperscale_data_center' },
  { type: 'infrastructure', subtype: 'solar_energy' },
  { type: 'residential' },
];
const JURISDICTIONS = [
  { jurisdictionType: 'state' },
  { jurisdictionType: 'county', county: 'Boulder County' },
  { jurisdictionType: 'county', county: 'Larimer County' },
  { jurisdictionType: 'county' },
  { jurisdictionType: 'city', city: 'Lafayette' },
  { jurisdictionType: 'city', city: 'Fort Collins' },
  // in Boulder and Weld County
  { jurisdictionType: 'city', city: 'Longmont' },
  { jurisdictionType: 'township', county: 'Boulder County', city: 'Nameless Township' },
  { jurisdictionType: 'township', city: 'Nowhere Township' },
];
const STATES = [{ state: 'CO' }, { state: 'CO' }, { state: 'WY' }];
const TERMS = [
  {},
  {},
  {},
  { effectiveTo: '2026-11-20' },
  { effectiveTo: '2026-11-19' },
  { effectiveTo: null, endEvent: 'until the code is changed' },
  { exempts: 'Applications that were filed' },
  { threshold: 'above 20 MW' },
  { status: 'proposed' },
];

const makeRestriction = (random: Random, id: number) => {
  const jurisdiction = random.pick(JURISDICTIONS);
  return {
    ...restrictionLine(id, { county: undefined, usesText: 'some uses' }),
    ...('city' in jurisdiction || 'county' in jurisdiction ? { state: 'CO' } : random.pick(STATES)),
    ...jurisdiction,
    jurisdiction: `Jurisdiction ${id}`,
    uses: random.some(USES, random.integer(0, 2)),
    ...random.pick(TERMS),
  };
};

const makeProject = (random: Random, id: number) => {
  const { propertyType: _, ...line } = projectLine(id);
  const landUses = random.some(USES, random.integer(1, 2)).map((use) => ({ ...use, role: random.pick(['primary', 'secondary', 'other']) }));
  return { ...line, county: undefined, ...random.pick(PLACES), landUses };
};

describe('the filter underRestriction', () => {
  const service = provideService({ today: '2026-11-20' });
  const random = new Random(SEED);
  const ids = Array.from({ length: PROJECTS }, (_, i) => i + 1);
  const all = { dateRange: 'all', includeGovernmentDecisions: true };

  const searchIds = async (parameters: object): Promise<number[]> => {
    const pages = [0, 100].map((offset) => service.get('/projects/search', { ...all, limit: 100, offset, ...parameters }));
    const found = (await Promise.all(pages)).flatMap((answer) => bodyOf(answer).data as Json[]);
    return found.map(({ id }) => id).sort((a: number, b: number) => a - b);
  };
  const check = async (projectId: number): Promise<string> => bodyOf(await service.post('/restrictions/check', { projectId })).data.binds;

  before(() => service.index.load(ids.map((id) => makeProject(random, id))));

  it('selects what the check answers yes or no for, whatever is in force', async () => {
    const seen = new Set<string>();
    for (let round = 0; round < 6; round++) {
      const restrictions = Array.from({ length: random.integer(round && 1, round < 3 ? 2 : 8) }, (_, i) =>
        makeRestriction(random, 900 + i),
      );
      await service.index.load(restrictions, { mode: 'increment', ...SOURCES });
      const answers = new Map<number, string>();
      for (const id of ids) answers.set(id, await check(id));
      for (const answer of answers.values()) seen.add(answer);
      const answered = (wanted: string) => ids.filter((id) => answers.get(id) === wanted);
      const context = `seed ${SEED}, round ${round}: ${JSON.stringify(restrictions)}`;
      assert.deepEqual(await searchIds({ underRestriction: true }), answered('yes'), context);
      assert.deepEqual(await searchIds({ underRestriction: false }), answered('no'), context);
    }
    assert.deepEqual([...seen].sort(), ['no', 'unclear', 'yes']);
  });

  it('works wherever filters do', async () => {
    const restriction = { ...makeRestriction(random, 950), ...JURISDICTIONS[0], state: 'CO', uses: [USES[1]], status: 'in_force' };
    await service.index.load([{ ...restriction, effectiveTo: '2027-06-01', endEvent: null, exempts: null, threshold: null }], {
      mode: 'increment',
      ...SOURCES,
    });
    const bound = await searchIds({ underRestriction: true });
    assert(bound.length > 0);
    const filters = { ...all, underRestriction: true };
    assert.equal(bodyOf(await service.get('/projects/count', filters)).data.matchCount, bound.length);
    const [total] = bodyOf(await service.post('/analytics/aggregate', { filters, groupBy: ['state'] })).data.groups;
    assert.equal(total.count, bound.length);
    const alert = bodyOf(await service.post('/alerts', { name: 'Bound', filters }), 201).data;
    assert.equal(bodyOf(await service.get(`/alerts/${alert.id}/preview`)).data.matchCount, bound.length);
  });

  it('makes a walk bring and remove what newly loaded restrictions bind', async () => {
    const walk = async (cursor?: string): Promise<{ ids: number[]; removed: number[]; cursor: string }> => {
      const { data, meta } = bodyOf(await service.get('/projects/sync', { ...all, underRestriction: true, ...(cursor ? { cursor } : {}) }));
      const here = {
        ids: data.map(({ id }: Json) => id),
        removed: meta.sync.removed.map(({ id }: Json) => id ?? 0),
        cursor: meta.sync.cursor,
      };
      if (!meta.sync.hasMore) return here;
      const rest = await walk(here.cursor);
      return { ids: [...here.ids, ...rest.ids], removed: [...here.removed, ...rest.removed], cursor: rest.cursor };
    };
    const sorted = (list: number[]) => [...list].sort((a, b) => a - b);
    const first = await walk();
    assert.deepEqual(sorted(first.ids), await searchIds({ underRestriction: true }));
    assert.deepEqual((await walk(first.cursor)).ids, []);
    const solar = { ...makeRestriction(random, 951), ...JURISDICTIONS[0], state: 'CO', uses: [USES[3]], status: 'in_force' };
    await service.index.load([{ ...solar, effectiveTo: '2027-06-01', endEvent: null, exempts: null, threshold: null }], {
      mode: 'increment',
      ...SOURCES,
    });
    const second = await walk(first.cursor);
    const now = await searchIds({ underRestriction: true });
    assert.deepEqual(
      sorted(second.ids),
      now.filter((id) => !first.ids.includes(id)),
    );
    assert.deepEqual(sorted(second.removed), sorted(first.ids.filter((id) => !now.includes(id))));
    assert(second.ids.length && second.removed.length);
    await service.index.load([], { mode: 'increment', ...SOURCES });
    const third = await walk(second.cursor);
    assert.deepEqual([third.ids, sorted(third.removed)], [[], now]);
  });

  it('takes true or false only', async () => {
    assertRefused(await service.get('/projects/search', { underRestriction: 'maybe' }), 'invalid_filter', 'underRestriction');
    assertRefused(await service.get('/restrictions', { underRestriction: true }), 'invalid_request', 'underRestriction');
  });
});
