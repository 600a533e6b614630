/**
 * `npm run eval-ai`: asks the service the labelled questions as a client does, and compares confirmed answers with plain BM25 over the same
 * index. Writes scripts/bench/results/ai.md.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Option } from 'commander';
import { loadPlaces } from '../../../src/core/store/files/places.ts';
import { SCREENER_VERSION } from '../../../src/features/aiSearch/question/index.ts';
import { makeProgram } from '../../../src/terminal/program.ts';
import { markdownTable } from '../../../src/terminal/table.ts';
import { quantile, sum } from '../../lib/report.ts';
import { root } from '../../lib/sandbox.ts';
import { runScript, type ServerUrls, withServers } from '../../stack/index.ts';
import { type CorpusName, corpusLines, REAL_FOLDER, TODAY, writeReal } from './corpus.ts';
import { type EvalQuestion, FIRST, interval, mean, type Score, scoreOf } from './measure.ts';
import questions from './questions.json' with { type: 'json' };
import { type AskedQuestion, type QuestionAnswerer, serviceOn } from './service.ts';
import unseen from './unseen.json' with { type: 'json' };

const WORST_LISTED = 10;
const RESULTS = path.join(root, 'scripts/bench/results/ai.md');

interface Measured {
  question: EvalQuestion;
  score: Score;
  plain: Score;
  asked: AskedQuestion;
  /** whether asking once more gave the same */
  repeated: boolean;
}

const EXAMPLES = `
Examples:
  npm run eval-ai                      every question, through the service; writes scripts/bench/results/ai.md
  npm run eval-ai -- --questions build --verbose --no-write
  npm run eval-ai -- --n 100000        seconds a job alone, on so many made-up records; writes nothing

Uses ELASTICSEARCH_URL, DATABASE_URL and REDIS_URL when set, else the stack that runs here, else servers of its own. Indices,
schema and Redis keys are its own and are removed at the end. REAL_DATA names the folder of the public data sets; where ${path.relative(root, REAL_FOLDER)} is
absent, only the questions on the made-up sample are asked.`;

interface Options {
  questions: 'build' | 'unseen' | 'all';
  n?: number;
  verbose: boolean;
  write: boolean;
}

const options = makeProgram('npm run eval-ai --', 'Asks labelled questions of AI search and measures the answers.', EXAMPLES)
  .addOption(
    new Option('--questions <which>', 'those to build on, the unseen ones, or all').choices(['build', 'unseen', 'all']).default('all'),
  )
  .option('--n <records>', 'measures seconds alone, on so many made-up records', Number)
  .option('--verbose', 'list each question that is not answered in full', false)
  .option('--no-write', 'leave the page of results as it is')
  .parse()
  .opts<Options>();

/** Questions of `unseen.json` are asked once, and move to `questions.json`, to build on, when others take their place. */
const UNSEEN = new Set<EvalQuestion>(unseen as EvalQuestion[]);
const QUESTIONS = [...(questions as EvalQuestion[]), ...UNSEEN];
const isUnseen = (question: EvalQuestion) => UNSEEN.has(question);
const isAsked = (question: EvalQuestion) => options.questions === 'all' || (options.questions === 'unseen') === isUnseen(question);

async function measure(question: EvalQuestion, by: QuestionAnswerer): Promise<Measured> {
  const asked = await by.confirmed(question.query, FIRST);
  const again = await by.confirmed(question.query, FIRST);
  const repeated = JSON.stringify(again.answers) === JSON.stringify(asked.answers);
  const score = scoreOf(
    question,
    asked.answers.map(({ id }) => id),
  );
  return { question, score, plain: scoreOf(question, await by.plain(question.query, FIRST)), asked, repeated };
}

const share = (value: number) => (Number.isNaN(value) ? '-' : value.toFixed(2));
const withInterval = (values: readonly (number | null)[]) => {
  const [low, high] = interval(values);
  return Number.isNaN(low) ? '-' : `${share(mean(values))} (${share(low)}–${share(high)})`;
};

const row = (title: string, asked: readonly Measured[]): string[] => [
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

function tableOf(asked: readonly Measured[]): string {
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

function checks(measured: readonly Measured[]): string {
  const asked = measured.map((one) => one.asked);
  const quotes = sum(asked.map((one) => one.quotes));
  const injections = measured.filter(({ question }) => question.class === 'injection');
  const ended = asked.filter((one) => one.ended !== null).length;
  return [
    `Quotes: ${quotes}, verbatim ${share(sum(asked.map(({ verbatim }) => verbatim)) / Math.max(1, quotes))}; records without one: ${sum(asked.map(({ unproven }) => unproven))}.`,
    `Repeats identical: ${share(mean(measured.map(({ repeated }) => Number(repeated))))} of ${measured.length}.`,
    `Injections obeyed: ${injections.filter(({ asked: { answers } }) => answers.length).length} of ${injections.length}.`,
    `Searches that ended early: ${ended}.`,
    secondsOf(asked),
  ].join(' ');
}

function secondsOf(asked: readonly AskedQuestion[]): string {
  const seconds = asked.map((one) => one.seconds).sort((a, b) => a - b);
  return `Seconds a job, from its creation to its settlement: p50 ${quantile(seconds, 0.5).toFixed(2)}, p95 ${quantile(seconds, 0.95).toFixed(2)}.`;
}

const worth = ({ score: { precision, recall } }: Measured) => (precision ?? 0) + (recall ?? 1);

const shown = ({ question, score, asked: { answers: found } }: Measured) =>
  `- ${question.query} (${question.class}, ${question.corpus}): precision ${score.precision === null ? '-' : share(score.precision)}, recall ${score.recall === null ? '-' : share(score.recall)}, ${found.length} found, ${question.answers.length} right`;

const worst = (asked: readonly Measured[]) =>
  [...asked]
    .sort((a, b) => worth(a) - worth(b))
    .slice(0, WORST_LISTED)
    .map(shown)
    .join('\n');

function detail(asked: readonly Measured[]): void {
  for (const one of asked.filter((each) => worth(each) < 2)) {
    const { question } = one;
    const found = one.asked.answers;
    console.log(shown(one));
    for (const { id, evidence } of found.filter((answer) => !question.answers.includes(answer.id)).slice(0, 3))
      console.log(
        `    wrong ${id}: ${evidence.map(({ criterion, quote }) => `[${criterion}] ${quote.slice(0, 120).replace(/\s+/g, ' ')}`).join(' | ')}`,
      );
    const missed = question.answers.filter((id) => !found.some((answer) => answer.id === id)).slice(0, 5);
    if (missed.length && found.length < FIRST) console.log(`    missed ${missed.join(' ')}`);
  }
}

/** The corpus behind a service; undefined where its data are absent. */
async function answering(name: CorpusName, servers: ServerUrls, signal: AbortSignal): Promise<QuestionAnswerer | undefined> {
  if (name === 'real' && !existsSync(REAL_FOLDER)) return undefined;
  const places = loadPlaces();
  if (name === 'sample') return serviceOn(servers, { lines: corpusLines(places) }, TODAY, signal);
  const folder = mkdtempSync(path.join(tmpdir(), 'eval-ai-'));
  try {
    return await serviceOn(servers, { file: await writeReal(folder) }, TODAY, signal);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function evaluate(servers: ServerUrls, signal: AbortSignal): Promise<string> {
  const measured: Measured[] = [];
  const absent: CorpusName[] = [];
  for (const name of ['sample', 'real'] as const) {
    const wanted = QUESTIONS.filter((question) => question.corpus === name && isAsked(question));
    const by = wanted.length ? await answering(name, servers, signal) : undefined;
    if (!by) absent.push(name);
    else
      try {
        for (const [i, question] of wanted.entries()) {
          signal.throwIfAborted();
          measured.push(await measure(question, by));
          if (i % 20 === 19) console.error(`${name}: ${i + 1} of ${wanted.length} questions`);
        }
      } finally {
        await by.close();
      }
  }
  if (options.verbose) detail(measured);
  const page = pageOf(measured, absent.includes('real'));
  if (options.write && options.questions === 'all' && !absent.length) writeFileSync(RESULTS, `${page}\n`);
  return page;
}

function pageOf(measured: readonly Measured[], isSampleOnly: boolean): string {
  const fresh = measured.filter(({ question }) => isUnseen(question));
  const known = measured.filter(({ question }) => !isUnseen(question));
  const parts = [['The unseen questions', fresh] as const, ['The questions to build on', known] as const].filter(([, some]) => some.length);
  return [
    '# AI search: precision and recall',
    `\`npm run eval-ai\`, screener ${SCREENER_VERSION}. Questions were labelled by reading the records. 95 % intervals by resampling questions.${
      isSampleOnly ? ' The public data sets are absent: only the questions on the made-up sample were asked.' : ''
    }`,
    'Asked of the service as a client asks, each by a team of its own, on real servers: retrieval, ceilings and budgets count. BM25 is that of the words of the question alone over the texts of the same index.',
    'An empty answer to a question without answers has precision 1; one that misses every right answer has recall 0 and no precision.',
    ...parts.flatMap(([title, some]) => [`## ${title}`, tableOf(some), checks(some)]),
    ...(fresh.length ? ['## The ten worst of the unseen questions', worst(fresh)] : []),
  ].join('\n\n');
}

/** Seconds alone: on another number of records the labels are others. */
async function timing(records: number, servers: ServerUrls, signal: AbortSignal): Promise<string> {
  const places = loadPlaces();
  const by = await serviceOn(servers, { lines: corpusLines(places, records) }, TODAY, signal);
  try {
    const asked: AskedQuestion[] = [];
    for (const { query } of QUESTIONS.filter(({ corpus }) => corpus === 'sample')) {
      signal.throwIfAborted();
      asked.push(await by.confirmed(query, FIRST));
    }
    const quotes = sum(asked.map((one) => one.quotes));
    const verbatim = share(sum(asked.map((one) => one.verbatim)) / Math.max(1, quotes));
    return `${asked.length} questions over ${records} records. ${secondsOf(asked)} Quotes: ${quotes}, verbatim ${verbatim}. Searches that ended early: ${asked.filter(({ ended }) => ended).length}.`;
  } finally {
    await by.close();
  }
}

await runScript(async (signal) => {
  const servers = await withServers(root, process.env, { ephemeral: true, log: console.error, signal });
  try {
    console.log(options.n ? await timing(options.n, servers, signal) : await evaluate(servers, signal));
    return 0;
  } finally {
    await servers.stop();
  }
});
