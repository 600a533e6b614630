/** Suite `restrictions`: lists, checks, and searches by what restrictions bind, next to the same search without it. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { sendRequest } from '../../../lib/apiClient.ts';
import { withTimedStep } from '../../../lib/progress.ts';
import { type FiguresRow, median, p99, ratio, tableOfFigures } from '../../../lib/report.ts';
import { Random } from '../../../sample/random.ts';
import { loadWithLoader } from '../corpus.ts';
import { type CorpusOptions, type CorpusRun, corpusOptions, corpusText, roundsOption, type Suite, serveCorpus } from '../suite.ts';

const USUAL_SIZE = 200_000;
/** As many as the inventory of the adapter `moratoria` has. */
const RESTRICTIONS = 156;
/** Requests of each kind and round; those of a first round are not counted. */
const REQUESTS = 50;
const SOURCE = 'bench';
const USES = [
  { type: 'industrial', subtype: 'data_center' },
  { type: 'infrastructure', subtype: 'solar_energy' },
  { type: 'infrastructure', subtype: 'wind_energy' },
  { type: 'residential' },
  { type: 'commercial' },
];

interface Options extends CorpusOptions {
  rounds: number;
}

/** A county or city, by its name with that of its state. */
interface Place {
  level: 'county' | 'city';
  name: string;
  state: string;
}

const day = (today: string, days: number) => new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);

/** Moratoria of a year in places of the corpus, of which some have no certain end. */
function makeLines(places: readonly Place[], today: string, seed: number): object[] {
  const random = new Random('restrictions', seed);
  const lines = Array.from({ length: RESTRICTIONS }, (_, i) => {
    const { level, name, state } = random.pick(places);
    return {
      kind: 'restriction',
      id: i + 1,
      source: SOURCE,
      restrictionKind: 'moratorium',
      title: `Moratorium ${i + 1}`,
      state,
      [level]: name,
      jurisdiction: name,
      jurisdictionType: level,
      uses: [random.pick(USES)],
      usesText: 'a use',
      status: 'in_force',
      adoptedOn: day(today, -90),
      ...(i % 4 ? { effectiveTo: day(today, 275) } : { endEvent: 'until the code is changed' }),
    };
  });
  const header = { kind: 'generation', generation: 1, mode: 'increment', extractedAt: `${today}T00:00:00Z` };
  return [{ ...header, restrictionSources: [SOURCE] }, ...lines];
}

async function listPlaces({ api }: CorpusRun<Options>, key: string, level: Place['level']): Promise<Place[]> {
  const body = { filters: { dateRange: 'all' }, groupBy: [level], limit: 200 };
  const { body: answer } = await sendRequest(api.url, key, { method: 'POST', path: '/v1/analytics/aggregate', body });
  return answer.data.groups.flatMap(({ labels }: { labels: Record<string, string | null> }) => {
    // A name that its state has twice brings its county, too.
    const [name = '', state = '', ...more] = (labels[level] ?? '').split(', ');
    return state && !more.length ? [{ level, name, state }] : [];
  });
}

const SEARCH = '/v1/projects/search?dateRange=all&limit=50';
const COUNT = '/v1/projects/count?dateRange=all';

/** What is measured, and which row a ratio compares it with. */
const CELLS: Record<string, { request: (at: number, counties: readonly Place[]) => Parameters<typeof sendRequest>[2]; against?: string }> =
  {
    list: { request: () => ({ path: '/v1/restrictions?limit=100&sort=ends' }) },
    'check of a county': {
      request: (at, counties) => {
        const { name, state } = counties[at % counties.length] as Place;
        return { method: 'POST', path: '/v1/restrictions/check', body: { county: `${name}, ${state}`, uses: [USES[at % USES.length]] } };
      },
    },
    'refused check': { request: () => ({ method: 'POST', path: '/v1/restrictions/check', body: { county: 'No Such County' } }) },
    search: { request: () => ({ path: SEARCH }) },
    'search, bound': { request: () => ({ path: `${SEARCH}&underRestriction=true` }), against: 'search' },
    'search, not bound': { request: () => ({ path: `${SEARCH}&underRestriction=false` }), against: 'search' },
    count: { request: () => ({ path: COUNT }) },
    'count, bound': { request: () => ({ path: `${COUNT}&underRestriction=true` }), against: 'count' },
    'count, not bound': { request: () => ({ path: `${COUNT}&underRestriction=false` }), against: 'count' },
  };

async function measureCell({ api, options }: CorpusRun<Options>, key: string, counties: readonly Place[], name: string): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round <= options.rounds; round++)
    for (let at = 0; at < REQUESTS; at++) {
      const { status, milliseconds, text } = await sendRequest(api.url, key, (CELLS[name] as (typeof CELLS)[string]).request(at, counties));
      if (status !== (name.startsWith('refused') ? 400 : 200)) throw new Error(`${name} answered ${status}: ${text.slice(0, 300)}`);
      if (round) times.push(milliseconds);
    }
  return times;
}

export const restrictions: Suite<Options> = {
  name: 'restrictions',
  summary: 'lists and checks of restrictions, and searches by what they bind',
  options: [...corpusOptions, roundsOption],
  async run(bench, options) {
    await using run = await serveCorpus(bench, options, USUAL_SIZE);
    const { key } = await bench.sandbox.account('national');
    const [counties, cities] = [await listPlaces(run, key, 'county'), await listPlaces(run, key, 'city')];
    const file = path.join(bench.sandbox.folder, 'restrictions.ndjson');
    const lines = makeLines([...counties, ...cities], run.corpus.today, options.seed);
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await withTimedStep('Loaded the restrictions', () => loadWithLoader(run.env, file, bench.signal));
    const { body } = await sendRequest(run.api.url, key, { path: `${COUNT}&underRestriction=true` });
    const figures: Record<string, number[]> = {};
    for (const name of Object.keys(CELLS))
      figures[name] = await withTimedStep(`Asked: ${name}`, () => measureCell(run, key, counties, name));
    const rows = Object.entries(figures).map(([name, times]): FiguresRow => {
      const against = figures[CELLS[name]?.against ?? ''];
      return {
        '': name,
        requests: times.length,
        'p50, ms': median(times),
        'p99, ms': p99(times),
        'p50 to without': against ? ratio(median(times), median(against)) : '',
      };
    });
    return {
      title: 'Restrictions',
      about: `${corpusText(run.corpus)} and ${RESTRICTIONS} restrictions, which bind ${body.data.matchCount} projects. One request after the other; a first round is not counted.`,
      sections: [tableOfFigures('Times', undefined, rows)],
      figures,
    };
  },
};
