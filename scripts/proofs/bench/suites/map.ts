/** Suite `map`: what the map asks for, over a corpus of any size. */
import { whole } from '../../../../src/terminal/textTable.ts';
import { withTimedStep } from '../../../lib/progress.ts';
import { median, milliseconds, tableOf, timesOf } from '../../../lib/report.ts';
import { Random } from '../../../sample/random.ts';
import { type CorpusOptions, type CorpusRun, corpusOptions, corpusText, newClient, type Suite, withCorpus } from '../suite.ts';

const USUAL_SIZE = 1_000_000;
const REPEATS = 20;

/** The south-west corner of a view, and how far east of it another may begin. */
const MIDDLE = { west: -100, south: 30, spread: 20 };
const VIEWS = {
  first: { title: 'The whole country, its extent unknown', degrees: null },
  country: { title: 'The whole country', degrees: { west: -125, south: 24.5, spread: 1, width: 59, height: 25 } },
  state: { title: 'A state', degrees: { ...MIDDLE, width: 8, height: 5 } },
  city: { title: 'A city', degrees: { ...MIDDLE, width: 0.4, height: 0.25 } },
} as const;
const NAMES = Object.keys(VIEWS) as (keyof typeof VIEWS)[];

/** Another view for each request, so that nothing is answered from a cache. */
function pathOf(name: keyof typeof VIEWS, random: Random): string {
  const { degrees } = VIEWS[name];
  const all = '/projects/map?dateRange=all';
  if (!degrees) return `${all}&acreageMin=${random.int(1, 1000) / 1_000_000}`;
  const { west, south, spread, width, height } = degrees;
  const from = { west: west + (random.int(0, 1000) / 1000) * spread, south: south + ((random.int(0, 1000) / 1000) * spread) / 2 };
  return `${all}&view=${[from.west, from.south, from.west + width, from.south + height].map((degree) => degree.toFixed(3)).join(',')}`;
}

interface Looked {
  view: keyof typeof VIEWS;
  plan: string;
  matches: number;
  times: number[];
  kibibytes: number;
}

async function measureViews(run: CorpusRun): Promise<Looked[]> {
  const looked: Looked[] = [];
  for (const plan of ['national', 'api_only'] as const) {
    const client = await newClient(run, plan);
    const random = new Random(run.corpus.seed, 'map', plan);
    for (const view of NAMES) {
      let [matches, bytes] = [0, 0];
      const times = await timesOf(REPEATS, async () => {
        run.signal.throwIfAborted();
        const { body, text } = await client.send({ path: pathOf(view, random) });
        matches += body.data.matchCount / REPEATS;
        bytes += text.length / REPEATS;
      });
      looked.push({ view, plan, matches, times, kibibytes: bytes / 1024 });
    }
  }
  return looked;
}

export const map: Suite<CorpusOptions> = {
  name: 'map',
  summary: 'what the map asks for, from the whole country to a city',
  options: corpusOptions,
  run: (bench, options) =>
    withCorpus(bench, options, USUAL_SIZE, async (run) => {
      const looked = await withTimedStep('Looked at the map', () => measureViews(run));
      return {
        title: 'Map',
        about: `${corpusText(run.corpus)}, one request at a time, ${REPEATS} different ones a row; times are milliseconds. Elasticsearch's cache of whole answers is switched off. The aim is less than 2,000 ms for a million.`,
        sections: [
          tableOf('Views', 'On *api_only* records cost credits, and the team holds none of them.', looked, [
            ['view', ({ view }) => VIEWS[view].title],
            ['plan', ({ plan }) => plan],
            ['matches', ({ matches }) => whole(matches)],
            ['p50', ({ times }) => milliseconds(median(times))],
            ['longest', ({ times }) => milliseconds(Math.max(...times))],
            ['KiB', ({ kibibytes }) => whole(kibibytes)],
          ]),
        ],
        figures: looked,
      };
    }),
};
