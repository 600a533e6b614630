/** Suite `brief`: how long site briefs, their prices and refusals take, by the kind of their place. */
import { findCountyAt } from '../../../../src/core/store/files/outlines.ts';
import { type JsonBody, sendRequest } from '../../../lib/apiClient.ts';
import { withTimedStep } from '../../../lib/progress.ts';
import { type FiguresRow, median, p99, tableOfFigures } from '../../../lib/report.ts';
import { Random } from '../../../sample/random.ts';
import { type CorpusOptions, type CorpusRun, corpusOptions, corpusText, roundsOption, type Suite, serveCorpus } from '../suite.ts';

const USUAL_SIZE = 1_000_000;
/** Sites of each kind and round; those of a first round are not counted. */
const SITES = 10;
/** Half the side of a square around a site, in degrees: some four miles. */
const HALF_SIDE = 0.06;
const TOO_WIDE = 8;

interface Options extends CorpusOptions {
  rounds: number;
}

const ringAround = ({ latitude, longitude }: JsonBody, half: number) =>
  [
    [-half, -half],
    [half, -half],
    [half, half],
    [-half, half],
    [-half, -half],
  ].map(([east = 0, north = 0]) => [longitude + east, latitude + north]);

type MakeRequest = (record: JsonBody) => { method?: string; path: string; body?: JsonBody };

const useOf = ({ landUses: [{ type, subtype }] }: JsonBody) => ({ type, ...(subtype ? { subtype } : {}) });
const brief = (place: (record: JsonBody) => object, path = '/v1/briefs', more: object = {}): MakeRequest => {
  return (record) => ({ method: 'POST', path, body: { place: place(record), use: useOf(record), ...more } });
};
const pointOf = ({ latitude: lat, longitude: lng }: JsonBody) => ({ point: { lat, lng } });
const countyOf = ({ countyId }: JsonBody) => ({ county: String(countyId) });

const CELLS: Record<string, MakeRequest> = {
  point: brief(pointOf),
  'point, 20 precedents': brief(pointOf, '/v1/briefs', { maxPrecedents: 20 }),
  polygon: brief((record) => ({ polygon: ringAround(record, HALF_SIDE) })),
  project: brief(({ id: projectId }) => ({ projectId })),
  city: brief(({ cityId, countyId }) => (cityId ? { city: String(cityId) } : { county: String(countyId) })),
  county: brief(countyOf),
  'price of a county': brief(countyOf, '/v1/briefs/price'),
  'what a state can answer': ({ stateId }) => ({ path: `/v1/coverage/answerable?states=${stateId}&dateRange=all` }),
  'refused: a shape over states': brief((record) => ({ polygon: ringAround(record, TOO_WIDE) })),
};

/** A made-up point may lie in the sea, where no brief is about. */
const hasSite = ({ latitude, longitude, countyId, landUses }: JsonBody) =>
  latitude && longitude && countyId && landUses.length && findCountyAt({ latitude, longitude }) !== undefined;

/** Records that state a point and a county, from all over the corpus. */
async function pickSites({ api, options }: CorpusRun<Options>, key: string): Promise<JsonBody[]> {
  const sites: JsonBody[] = [];
  const random = new Random('briefs', options.seed);
  while (sites.length < SITES) {
    const offset = Math.floor(900 * random.next());
    const path = `/v1/projects/search?dateRange=all&limit=20&offset=${offset}&sort=${random.pick(['acreage', 'totalUnitCount', 'lastUpdated'])}`;
    const { body } = await sendRequest(api.url, key, { path });
    const found = body.data.filter(hasSite);
    if (found.length) sites.push(random.pick(found));
  }
  return sites;
}

async function measureCell({ api, options }: CorpusRun<Options>, key: string, sites: readonly JsonBody[], name: string) {
  const times: number[] = [];
  for (let round = 0; round <= options.rounds; round++)
    for (const site of sites) {
      const { status, milliseconds, text } = await sendRequest(api.url, key, (CELLS[name] as MakeRequest)(site));
      const isRefused = name.startsWith('refused');
      if (isRefused !== (status === 400) || status >= 500) throw new Error(`${name} answered ${status}: ${text.slice(0, 300)}`);
      if (round) times.push(milliseconds);
    }
  return times;
}

export const briefs: Suite<Options> = {
  name: 'brief',
  summary: 'site briefs by the kind of their place, their price, and a refusal',
  options: [...corpusOptions, roundsOption],
  async run(bench, options) {
    await using run = await serveCorpus(bench, options, USUAL_SIZE);
    const { key } = await bench.sandbox.account('national');
    const sites = await pickSites(run, key);
    const figures: Record<string, number[]> = {};
    for (const name of Object.keys(CELLS)) figures[name] = await withTimedStep(`Asked: ${name}`, () => measureCell(run, key, sites, name));
    const rows = Object.entries(figures).map(
      ([name, times]): FiguresRow => ({
        '': name,
        requests: times.length,
        'p50, ms': median(times),
        'p99, ms': p99(times),
        'longest, ms': Math.max(...times),
      }),
    );
    return {
      title: 'Site briefs',
      about: `${corpusText(run.corpus)}. One request after the other about ${SITES} sites, of which each is the place of a record; a first round is not counted.`,
      sections: [tableOfFigures('Times', undefined, rows)],
      figures,
    };
  },
};
