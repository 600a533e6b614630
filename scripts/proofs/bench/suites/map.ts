/** Suite `map`: what the map asks for, over a corpus of any size. */
import { whole } from '../../../../src/terminal/table.ts';
import { ApiProcess } from '../../../lib/programs.ts';
import { withTimedStep } from '../../../lib/progress.ts';
import { median, milliseconds } from '../../../lib/report.ts';
import { Random } from '../../../sample/random.ts';
import { type KeptFiles, keepOption, type Loaded, reuseOption } from '../loaded.ts';
import { makeTarget, sendAndRead } from '../loadGenerator.ts';
import { apiRequest } from '../recorder.ts';
import { type Bench, type Suite, seedOption, sizesOption } from '../suite.ts';

const USUAL_SIZE = 1_000_000;
const REPEATS = 20;

interface Options extends KeptFiles {
  n?: number[];
  seed: number;
}

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
function pathsOf(name: keyof typeof VIEWS, random: Random): string[] {
  const { degrees } = VIEWS[name];
  const pathOf = (view: string) => `/projects/map?dateRange=all${view}`;
  return Array.from({ length: REPEATS }, () => {
    if (!degrees) return pathOf(`&acreageMin=${random.int(1, 1000) / 1_000_000}`);
    const { west, south, spread, width, height } = degrees;
    const from = { west: west + (random.int(0, 1000) / 1000) * spread, south: south + ((random.int(0, 1000) / 1000) * spread) / 2 };
    return pathOf(`&view=${[from.west, from.south, from.west + width, from.south + height].map((degree) => degree.toFixed(3)).join(',')}`);
  });
}

interface Looked {
  view: keyof typeof VIEWS;
  plan: string;
  matches: number;
  times: number[];
  kibibytes: number;
}

async function measureViews({ sandbox, servers, signal }: Bench, { corpus, prefix }: Loaded): Promise<Looked[]> {
  const api = await ApiProcess.start(sandbox.environment(servers.elasticsearchUrl, prefix), signal);
  const looked: Looked[] = [];
  try {
    for (const plan of ['national', 'api_only'] as const) {
      const { key } = await sandbox.account(plan);
      const random = new Random(corpus.seed, 'map', plan);
      for (const view of NAMES) {
        const requests = pathsOf(view, random).map((of) => apiRequest(of, key));
        const target = makeTarget(api.url, requests, 1, true);
        const times: number[] = [];
        let [matches, bytes] = [0, 0];
        for (const request of requests) {
          signal.throwIfAborted();
          const sent = performance.now();
          const answer = await sendAndRead(target, request);
          times.push(performance.now() - sent);
          if (answer.status !== 200) throw new Error(`${request.path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
          matches += (answer.body as { data: { matchCount: number } }).data.matchCount / REPEATS;
          bytes += answer.bytes / REPEATS;
        }
        target.agent.destroy();
        looked.push({ view, plan, matches, times, kibibytes: bytes / 1024 });
      }
    }
    return looked;
  } finally {
    await api.end();
  }
}

const row = ({ view, plan, matches, times, kibibytes }: Looked) => [
  VIEWS[view].title,
  plan,
  whole(matches),
  milliseconds(median(times)),
  milliseconds(Math.max(...times)),
  whole(kibibytes),
];

export const map: Suite<Options> = {
  name: 'map',
  summary: 'what the map asks for, from the whole country to a city',
  options: [sizesOption, seedOption, keepOption, reuseOption],
  async run(bench, options) {
    const loaded = await bench.corpora.load(bench.sandbox, options.n?.[0] ?? USUAL_SIZE, options.seed, options);
    const looked = await withTimedStep('Looked at the map', () => measureViews(bench, loaded));
    return {
      title: 'Map',
      about: `${whole(loaded.corpus.n)} made-up projects (seed ${options.seed}), one request at a time, ${REPEATS} different ones a row; times are milliseconds. Elasticsearch's cache of whole answers is switched off. The aim is less than 2,000 ms for a million.`,
      sections: [
        {
          title: 'Views',
          text: 'On *api_only* records cost credits, and the team holds none of them.',
          head: ['view', 'plan', 'matches', 'p50', 'longest', 'KiB'],
          rows: looked.map(row),
        },
      ],
      figures: looked,
    };
  },
};
