/** `npm run eval-ai`: asks the labelled questions and compares confirmed answers with plain BM25. Writes scripts/bench/results/ai.md. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { SCREENER_VERSION } from '../src/domain/question/index.ts';
import { loadPlaces } from '../src/store/files/places.ts';
import { makeProgram } from '../src/terminal/program.ts';
import { markdownTable } from '../src/terminal/table.ts';
import { type CorpusName, type EvaluatedRecord, loadCorpus, REAL_FOLDER } from './eval-ai/corpus.ts';
import { FIRST, interval, isUnseen, mean, type Question, type Score, scoreOf } from './eval-ai/measure.ts';
import questions from './eval-ai/questions.json' with { type: 'json' };
import { type Answer, Search } from './eval-ai/search.ts';
import { quantile } from './lib/quantile.ts';
import { root } from './lib/sandbox.ts';

const WORST_LISTED = 10;
/** Questions that took longer are not asked a second time. */
const REPEATED_BELOW_SECONDS = 3;
const RESULTS = path.join(root, 'scripts/bench/results/ai.md');

interface Asked {
  question: Question;
  score: Score;
  plain: Score;
  found: readonly Answer[];
  seconds: number;
  /** whether asking once more gave the same; null where it was not asked once more */
  repeated: boolean | null;
  quotes: number;
  verbatim: number;
}

const EXAMPLES = `
Examples:
  npm run eval-ai                      both halves; writes scripts/bench/results/ai.md
  npm run eval-ai -- --half build --verbose --no-write

Needs no servers. REAL_DATA names the folder of the public data sets; where ${path.relative(root, REAL_FOLDER)} is absent, only the questions on the made-up sample are asked.`;

const options = makeProgram('npm run eval-ai --', 'Asks labelled questions of AI search and measures the answers.', EXAMPLES)
  .option('--half <half>', 'build, unseen or both', 'both')
  .option('--verbose', 'list each question that is not answered in full', false)
  .option('--no-write', 'leave the page of results as it is')
  .parse()
  .opts<{ half: string; verbose: boolean; write: boolean }>();

function ask(question: Question, search: Search, records: ReadonlyMap<number, EvaluatedRecord>): Asked {
  const started = performance.now();
  const found = search.confirmed(question.query, FIRST);
  const seconds = (performance.now() - started) / 1000;
  const again = seconds < REPEATED_BELOW_SECONDS;
  const repeated = again ? JSON.stringify(search.confirmed(question.query, FIRST)) === JSON.stringify(found) : null;
  const evidence = found.flatMap(({ id, evidence }) => evidence.map((one) => ({ id, ...one })));
  const verbatim = evidence.filter(({ id, quote, source, documentId }) =>
    records.get(id)?.candidate.texts.some((text) => text.source === source && text.documentId === documentId && text.text.includes(quote)),
  ).length;
  const ids = (answers: readonly Answer[]) => answers.map(({ id }) => id);
  const plain = scoreOf(question, ids(search.plain(question.query, FIRST)));
  return { question, score: scoreOf(question, ids(found)), plain, found, seconds, repeated, quotes: evidence.length, verbatim };
}

const share = (value: number) => (Number.isNaN(value) ? '-' : value.toFixed(2));
const withInterval = (values: readonly (number | null)[]) => {
  const [low, high] = interval(values);
  return Number.isNaN(low) ? '-' : `${share(mean(values))} (${share(low)}–${share(high)})`;
};

const row = (title: string, asked: readonly Asked[]): string[] => [
  title,
  String(asked.length),
  withInterval(asked.map(({ score }) => score.precision)),
  withInterval(asked.map(({ score }) => score.recall)),
  share(mean(asked.map(({ plain }) => plain.precision))),
  share(mean(asked.map(({ plain }) => plain.recall))),
  String(asked.filter(({ score, question }) => !score.precision && question.answers.length > 0).length),
];

const HEAD = [
  'Class',
  'Questions',
  `Precision at ${FIRST}`,
  `Recall at ${FIRST}`,
  'BM25 precision',
  'BM25 recall',
  'Without a right answer',
];

function tableOf(asked: readonly Asked[]): string {
  const classes = [...new Set(asked.map(({ question }) => question.class))];
  return markdownTable(HEAD, [
    ...classes.map((name) =>
      row(
        name,
        asked.filter(({ question }) => question.class === name),
      ),
    ),
    row('all', asked),
  ]);
}

function checks(asked: readonly Asked[]): string {
  const quotes = asked.reduce((sum, one) => sum + one.quotes, 0);
  const injections = asked.filter(({ question }) => question.class === 'injection');
  const again = asked.filter(({ repeated }) => repeated !== null);
  const seconds = asked.map((one) => one.seconds).sort((a, b) => a - b);
  return [
    `Quotes: ${quotes}, verbatim ${share(asked.reduce((sum, one) => sum + one.verbatim, 0) / Math.max(1, quotes))}.`,
    `Repeats identical: ${share(mean(again.map(({ repeated }) => Number(repeated))))} of ${again.length}.`,
    `Injections obeyed: ${injections.filter(({ found }) => found.length).length} of ${injections.length}.`,
    `Seconds a question, in memory: p50 ${quantile(seconds, 0.5).toFixed(2)}, p95 ${quantile(seconds, 0.95).toFixed(2)}.`,
  ].join(' ');
}

const worth = ({ score: { precision, recall } }: Asked) => (precision ?? 0) + (recall ?? 1);

const shown = ({ question, score, found }: Asked) =>
  `- ${question.query} (${question.class}, ${question.corpus}): precision ${score.precision === null ? '-' : share(score.precision)}, recall ${score.recall === null ? '-' : share(score.recall)}, ${found.length} found, ${question.answers.length} right`;

const worst = (asked: readonly Asked[]) =>
  [...asked]
    .sort((a, b) => worth(a) - worth(b))
    .slice(0, WORST_LISTED)
    .map(shown)
    .join('\n');

function detail(asked: readonly Asked[]): void {
  for (const one of asked.filter((each) => worth(each) < 2)) {
    const { question, found } = one;
    console.log(shown(one));
    for (const { id, evidence } of found.filter((answer) => !question.answers.includes(answer.id)).slice(0, 3))
      console.log(
        `    wrong ${id}: ${evidence.map(({ criterion, quote }) => `[${criterion}] ${quote.slice(0, 120).replace(/\s+/g, ' ')}`).join(' | ')}`,
      );
    const missed = question.answers.filter((id) => !found.some((answer) => answer.id === id)).slice(0, 5);
    if (missed.length && found.length < FIRST) console.log(`    missed ${missed.join(' ')}`);
  }
}

const places = loadPlaces();
const asked: Asked[] = [];
const absent: CorpusName[] = [];
for (const name of ['sample', 'real'] as const) {
  const corpus = await loadCorpus(name, places);
  if (!corpus) {
    absent.push(name);
    continue;
  }
  const search = new Search(corpus, places);
  const records = new Map(corpus.map((record) => [record.statement.id, record]));
  console.error(`${name}: ${corpus.length} records`);
  for (const question of questions as Question[])
    if (question.corpus === name && (options.half === 'both' || (options.half === 'unseen') === isUnseen(question)))
      asked.push(ask(question, search, records));
}
const build = asked.filter(({ question }) => !isUnseen(question));
const unseen = asked.filter(({ question }) => isUnseen(question));
if (options.verbose) detail(asked);
const halves = [['The unseen half', unseen] as const, ['The half to build on', build] as const].filter(([, half]) => half.length);
const page = [
  '# AI search: precision and recall',
  `\`npm run eval-ai\`, screener ${SCREENER_VERSION}. Questions were labelled by reading the records; a hash of the question splits them. 95 % intervals by resampling questions.${
    absent.length ? ` The public data sets are absent: only the questions on the made-up sample were asked.` : ''
  }`,
  'Filters, BM25 and confirming run in this process over all records, not through the service; seconds include whatever else the machine does.',
  'An empty answer to a question without answers has precision 1; one that misses every right answer has recall 0 and no precision.',
  ...halves.flatMap(([title, half]) => [`## ${title}`, tableOf(half), checks(half)]),
  ...(unseen.length ? ['## The ten worst questions of the unseen half', worst(unseen)] : []),
].join('\n\n');
console.log(page);
if (options.write && options.half === 'both' && !absent.length) writeFileSync(RESULTS, `${page}\n`);
