/** Counts of analytics, in an index of several shards, against `GET /projects/count` of each group, and what is hidden against the rule. */
import assert from 'node:assert/strict';
import { DIMENSIONS, type FacetName, type GroupKey, isDate } from '../../../src/core/query/dimensions.ts';
import { INTERVALS, type Interval, startOfNext } from '../../../src/core/query/intervals.ts';
import { Random } from '../../support/random.ts';
import { laterLine, randomLine } from '../../support/randomProjects.ts';
import { bodyOf, provideService } from '../../support/service.ts';
import { splitProjects } from '../../support/shards.ts';

const TODAY = '2026-11-20';
const PROJECTS = 400;
const REQUESTS = 30;
const SEED = Number(process.env.ANALYTICS_SEED ?? 5);

/** The filter that selects a group. */
const FILTER_OF: Partial<Record<FacetName, string>> = {
  state: 'states',
  county: 'counties',
  city: 'cities',
  propertyType: 'propertyTypes',
  propertySubtype: 'propertySubtypes',
  assetClass: 'assetClasses',
  status: 'status',
  decisionBody: 'decisionBodies',
  decisionType: 'decisionTypes',
  requestType: 'requestTypes',
  constructionType: 'constructionTypes',
  projectSize: 'projectSizes',
  staffRecommendation: 'staffRecommendations',
  voteResult: 'voteResults',
  existingZoning: 'existingZonings',
  proposedZoning: 'proposedZonings',
  outcome: 'outcomes',
};

const lastDayOf = (interval: Interval, start: string) =>
  new Date(Date.parse(startOfNext(interval, start)) - 86_400_000).toISOString().slice(0, 10);

interface Group {
  keys: Record<string, GroupKey>;
  labels: Record<string, string>;
  count: number;
}

describe(`Analytics counts (ANALYTICS_SEED=${SEED})`, () => {
  const random = new Random(SEED);
  const api = provideService({ today: TODAY });

  before(async () => {
    const first = Array.from({ length: PROJECTS }, (_, i) => randomLine(random, i + 1, TODAY));
    for (let i = 0; i < 30; i++) Object.assign(first[i] ?? {}, { mergedFrom: [350 + i] });
    await api.index.load(first);
    const later = first.slice(0, PROJECTS / 2).map((line) => laterLine(random, line, TODAY));
    await api.index.load(later, { generation: 2 });
    await splitProjects(api.index, 4);
  });

  const randomFilters = (): Record<string, unknown> => ({
    dateRange: random.pick(['all', 'last_1_year', 'since_jan_2025']),
    ...(random.chance(0.3) ? { meetingDateFrom: random.pick(['2025-01-10', '2026-01', '2026-03-17']) } : {}),
    ...(random.chance(0.3) ? { meetingDateTo: random.pick(['2026-10-15', '2026-06', '2026-01-14']) } : {}),
    ...(random.chance(0.3) ? { taxonomyMatchMode: random.pick(['primary_only', 'any']) } : {}),
    ...(random.chance(0.3) ? { includeGovernmentDecisions: true } : {}),
    ...(random.chance(0.3) ? { states: ['CO', 'TX'] } : {}),
    ...(random.chance(0.2) ? { status: ['approved', 'denied', 'unknown'] } : {}),
    ...(random.chance(0.2) ? { propertyTypes: random.pick([['residential'], ['industrial', 'mixed_use']]) } : {}),
    ...(random.chance(0.2) ? { acreageMin: 10 } : {}),
    ...(random.chance(0.2) ? { outcomes: ['pending', 'stalled'] } : {}),
  });

  /** The filters that select one group; undefined if no filter can. */
  function filtersOf(
    filters: Record<string, unknown>,
    keys: Record<string, GroupKey>,
    interval: Interval,
  ): Record<string, unknown> | undefined {
    const all = { ...filters };
    const levels = ['propertyType', 'propertySubtype', 'assetClass'].filter((name) => name in keys);
    for (const [name, key] of Object.entries(keys)) {
      if (key === null || name === 'lastUpdated') return undefined;
      // A type sent with a subtype of its own supersedes it; the subtype says it already.
      if (levels.length > 1 && name !== levels.at(-1)) return undefined;
      const filter = FILTER_OF[name as FacetName];
      if (filter) all[filter] = [String(key)];
      else {
        const [from, to] = [String(key), lastDayOf(interval, String(key))];
        all.meetingDateFrom = [all.meetingDateFrom as string | undefined, from]
          .filter(Boolean)
          .map((day) => (String(day).length === 7 ? `${day}-01` : String(day)))
          .sort()
          .at(-1);
        all.meetingDateTo = [all.meetingDateTo === '2026-06' ? '2026-06-30' : (all.meetingDateTo as string | undefined), to]
          .filter(Boolean)
          .sort()[0];
      }
    }
    if (all.propertyTypes && all.propertySubtypes) return undefined;
    if (all.propertyTypes && all.assetClasses) return undefined;
    return all;
  }

  const count = async (filters: Record<string, unknown>) => {
    const body = bodyOf(await api.get('/projects/count', filters));
    return body.data.matchCount as number;
  };

  it(`equal those of GET /projects/count for every group of ${REQUESTS} random requests`, async () => {
    let compared = 0;
    for (let i = 0; i < REQUESTS; i++) {
      const filters = randomFilters();
      const groupBy = random.some(DIMENSIONS, random.integer(1, 2));
      const interval = random.pick(INTERVALS);
      const asked = { filters, groupBy, ...(groupBy.some(isDate) ? { interval } : {}), limit: 1000 };
      const { status, body } = await api.post('/analytics/aggregate', asked);
      assert.equal(status, 200, JSON.stringify({ asked, body }));
      const { groups, totals } = body.data as { groups: Group[]; totals: { count: number } | null };
      if (totals) assert.equal(totals.count, await count(filters), JSON.stringify(asked));
      for (const group of random.some(groups, 6)) {
        assert.ok(group.count >= 5, JSON.stringify(group));
        const one = filtersOf(filters, group.keys, interval);
        if (!one) continue;
        compared++;
        assert.equal(group.count, await count(one), JSON.stringify({ asked, group, one }));
      }
    }
    assert.ok(compared > REQUESTS, `only ${compared} groups were compared`);
  });
});
