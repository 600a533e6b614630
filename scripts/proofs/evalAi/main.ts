/**
 * `npm run eval-ai`: asks the service the labelled questions as a client does, and compares confirmed answers with plain BM25 over the same
 * index. Writes scripts/proofs/bench/results/ai.md, and ai-model.md for questions that a language model answered.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Option } from 'commander';
import { loadPlaces } from '../../../src/core/store/files/loadPlaces.ts';
import { makeProgram } from '../../../src/terminal/program.ts';
import { DATA_FOLDER, hasPublicData } from '../../lib/publicData.ts';
import { sum } from '../../lib/report.ts';
import { root } from '../../lib/sandbox.ts';
import { findOrStartServers, runScript, type ServerUrls } from '../../stack/index.ts';
import { type CorpusName, corpusLines, permitLines, TODAY, writeReal } from './corpus.ts';
import further from './further.json' with { type: 'json' };
import { type EvalQuestion, FIRST, scoreOf } from './measure.ts';
import { chooseModel, type EvalModel, type ModelOptions } from './model.ts';
import { evaluationPage, type MeasuredQuestion, printDetails, secondsOf, share } from './page.ts';
import permits from './permits.json' with { type: 'json' };
import questions from './questions.json' with { type: 'json' };
import { type AskedQuestion, type QuestionAnswerer, startEvaluatedService } from './service.ts';
import unseen from './unseen.json' with { type: 'json' };

const RESULTS = path.join(root, 'scripts/proofs/bench/results');

const EXAMPLES = `
Examples:
  npm run eval-ai                      every question, through the service; writes scripts/proofs/bench/results/ai.md
  npm run eval-ai -- --questions build --verbose --no-write
  npm run eval-ai -- --n 100000        seconds a job alone, on so many made-up records; writes nothing
  LANGUAGE_MODEL_URL=https://host/v1 LANGUAGE_MODEL_NAME=… LANGUAGE_MODEL_KEY=… npm run eval-ai -- --model --questions permits
  npm run eval-ai -- --record calls.ndjson --questions permits    the same, and keeps every answer
  npm run eval-ai -- --replay calls.ndjson --questions permits    with the kept answers; calls that are not among them are
                                       written to calls.ndjson.open, and the figures then do not count

Uses ELASTICSEARCH_URL, DATABASE_URL and REDIS_URL when set, else the stack that runs here, else servers of its own. Indices,
schema and Redis keys are its own and are removed at the end. REAL_DATA names the folder of the public data sets; where ${path.relative(root, DATA_FOLDER)} is
absent, only the questions on the made-up sample are asked.`;

type QuestionSet = 'build' | 'unseen' | 'further' | 'permits';

interface Options extends ModelOptions {
  questions: QuestionSet | 'all';
  n?: number;
  verbose: boolean;
  write: boolean;
}

const options = makeProgram('npm run eval-ai --', 'Asks labelled questions of AI search and measures the answers.', EXAMPLES)
  .addOption(
    new Option(
      '--questions <which>',
      'those to build on, the unseen ones, those written after the rules, all of these, or those over permits',
    )
      .choices(['build', 'unseen', 'further', 'all', 'permits'])
      .default('all'),
  )
  .option('--model', 'ask the language model of LANGUAGE_MODEL_URL', false)
  .option('--record <file>', 'ask it, and keep its answers in this file')
  .option('--replay <file>', 'take its answers from this file')
  .option('--n <records>', 'measures seconds alone, on so many made-up records', Number)
  .option('--verbose', 'list each question that is not answered in full', false)
  .option('--no-write', 'leave the page of results as it is')
  .parse()
  .opts<Options>();

/**
 * Questions of `unseen.json` and `further.json` are asked to measure, and move to `questions.json`, to build on, when others take their place.
 * Those over permits are asked of a language model, which was not built on them.
 */
const SETS: Readonly<Record<QuestionSet, ReadonlySet<EvalQuestion>>> = {
  build: new Set(questions as EvalQuestion[]),
  unseen: new Set(unseen as EvalQuestion[]),
  further: new Set(further as EvalQuestion[]),
  permits: new Set(permits as EvalQuestion[]),
};
const ASKED = options.questions === 'all' ? [...SETS.build, ...SETS.unseen, ...SETS.further] : [...SETS[options.questions]];

async function measure(question: EvalQuestion, by: QuestionAnswerer): Promise<MeasuredQuestion> {
  const { first, again } = await by.confirmed(question.query, FIRST);
  const repeated = JSON.stringify(again.answers) === JSON.stringify(first.answers);
  const score = scoreOf(
    question,
    first.answers.map(({ id }) => id),
  );
  return {
    question,
    score,
    plain: scoreOf(question, await by.plain(question.query, FIRST)),
    asked: first,
    repeated,
    callsAgain: again.calls,
  };
}

/** Starts a service with the corpus; undefined if its data are absent. */
async function startAnswerer(
  name: CorpusName,
  servers: ServerUrls,
  model: EvalModel | undefined,
  signal: AbortSignal,
): Promise<QuestionAnswerer | undefined> {
  if (name !== 'sample' && !hasPublicData()) return undefined;
  const how = { today: TODAY, settings: model?.settings ?? {} };
  if (name === 'sample') return startEvaluatedService(servers, { lines: corpusLines(loadPlaces()) }, how, signal);
  const folder = mkdtempSync(path.join(tmpdir(), 'eval-ai-'));
  try {
    const corpus = name === 'real' ? { file: await writeReal(folder) } : { lines: permitLines(folder) };
    return await startEvaluatedService(servers, corpus, how, signal);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function evaluate(servers: ServerUrls, model: EvalModel | undefined, signal: AbortSignal): Promise<string> {
  const measured: MeasuredQuestion[] = [];
  const absent: CorpusName[] = [];
  for (const name of ['sample', 'real', 'permits'] as const) {
    const wanted = ASKED.filter((question) => question.corpus === name);
    if (!wanted.length) continue;
    const by = await startAnswerer(name, servers, model, signal);
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
  if (options.verbose) printDetails(measured);
  const open = model?.recorded?.open.size ?? 0;
  const page = evaluationPage({
    ...titles(model, absent),
    sections: sectionsOf(measured),
    hasModel: model !== undefined,
    listed: worstOf(measured),
  });
  const file = resultsFile(model);
  if (options.write && file && !absent.length && !open) writeFileSync(path.join(RESULTS, file), `${page}\n`);
  return open ? `${page}\n\n${open} calls are not recorded: the figures do not count. Answer those in ${model?.recorded?.openFile}.` : page;
}

const resultsFile = (model: EvalModel | undefined): string | undefined => {
  if (model) return options.questions === 'permits' ? 'ai-model.md' : undefined;
  return options.questions === 'all' ? 'ai.md' : undefined;
};

const titles = (model: EvalModel | undefined, absent: readonly CorpusName[]) => ({
  title: `AI search: precision and recall${model ? ' with a language model' : ''}`,
  about: `\`npm run eval-ai${model ? ` -- --questions ${options.questions}` : ''}\`${model ? `, language model: ${model.name}` : ''}.${
    absent.length ? ` The public data sets are absent: the questions on them were not asked.` : ''
  }`,
});

function sectionsOf(measured: readonly MeasuredQuestion[]): (readonly [string, readonly MeasuredQuestion[]])[] {
  const questionsOf = (set: QuestionSet) => measured.filter(({ question }) => SETS[set].has(question));
  return [
    ['The unseen questions', questionsOf('unseen')],
    ['Further questions, written after the rules', questionsOf('further')],
    ['The questions to build on', questionsOf('build')],
    ['The questions over building permits', questionsOf('permits')],
  ];
}

const worstOf = (measured: readonly MeasuredQuestion[]) => {
  const fresh = measured.filter(({ question }) => !SETS.build.has(question));
  return fresh.length ? fresh : measured;
};

/** Measures only the time: the labels do not apply to another number of records. */
async function timing(records: number, servers: ServerUrls, signal: AbortSignal): Promise<string> {
  const places = loadPlaces();
  const by = await startEvaluatedService(servers, { lines: corpusLines(places, records) }, { today: TODAY }, signal);
  try {
    const asked: AskedQuestion[] = [];
    for (const { query } of Object.values(SETS)
      .flatMap((set) => [...set])
      .filter(({ corpus }) => corpus === 'sample')) {
      signal.throwIfAborted();
      asked.push((await by.confirmed(query, FIRST)).first);
    }
    const quotes = sum(asked.map((one) => one.quotes));
    const verbatim = share(sum(asked.map((one) => one.verbatim)) / Math.max(1, quotes));
    return `${asked.length} questions over ${records} records. ${secondsOf(asked)} Quotes: ${quotes}, verbatim ${verbatim}. Searches that ended early: ${asked.filter(({ ended }) => ended).length}.`;
  } finally {
    await by.close();
  }
}

await runScript(async (signal) => {
  const model = await chooseModel(options, process.env);
  const servers = await findOrStartServers(root, process.env, { ephemeral: true, log: console.error, signal });
  try {
    console.log(options.n ? await timing(options.n, servers, signal) : await evaluate(servers, model, signal));
    return model?.recorded?.open.size ? 1 : 0;
  } finally {
    await model?.recorded?.stop();
    await servers.stop();
  }
});
