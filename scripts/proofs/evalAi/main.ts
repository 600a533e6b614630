/**
 * `npm run eval-ai`: asks the service the labelled questions as a client does, and compares confirmed answers with plain BM25 over the same
 * index. Writes scripts/proofs/bench/results/ai.md, and ai-model.md for questions that a language model answered.
 */
import { writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Option } from 'commander';
import { loadPlaces } from '../../../src/core/store/files/loadPlaces.ts';
import { makeProgram } from '../../../src/terminal/program.ts';
import { DATA_FOLDER, hasPublicData } from '../../lib/publicData.ts';
import { root } from '../../lib/sandbox.ts';
import { findOrStartServers, runScript, type ServerUrls } from '../../stack/index.ts';
import {
  CORPORA,
  type CorpusName,
  corpusLines,
  type EvalQuestion,
  isTextSet,
  permitLines,
  realLines,
  type TextSet,
  TODAY,
  textSetLines,
  textSetQuestions,
} from './corpus.ts';
import further from './further.json' with { type: 'json' };
import { FIRST, recallWithRelated, scoreOf } from './measure.ts';
import { chooseModel, type EvalModel, type ModelOptions } from './model.ts';
import { evaluationPage, type MeasuredQuestion, printDetails } from './page.ts';
import permits from './permits.json' with { type: 'json' };
import questions from './questions.json' with { type: 'json' };
import { readSentences, sentencesTable } from './sentences.ts';
import { type QuestionAnswerer, startEvaluatedService } from './service.ts';
import unseen from './unseen.json' with { type: 'json' };

const RESULTS = path.join(root, 'scripts/proofs/bench/results');

const EXAMPLES = `
Examples:
  npm run eval-ai                      every question, through the service; writes scripts/proofs/bench/results/ai.md
  npm run eval-ai -- --questions build --verbose --no-write
  npm run eval-ai -- --questions weekly
  npm run eval-ai -- --sentences       how many sentences are read as the filters that they mean
  LANGUAGE_MODEL_URL=https://host/v1 LANGUAGE_MODEL_NAME=… LANGUAGE_MODEL_KEY=… npm run eval-ai -- --model --questions permits
  npm run eval-ai -- --record calls.ndjson --questions permits    the same, and keeps every answer
  npm run eval-ai -- --replay calls.ndjson --questions permits    with the kept answers; calls that are not among them are
                                       written to calls.ndjson.open, and the figures then do not count

Uses ELASTICSEARCH_URL, DATABASE_URL and REDIS_URL when set, else the stack that runs here, else servers of its own. Indices,
schema and Redis keys are its own and are removed at the end. REAL_DATA names the folder of the public data sets; where ${path.relative(root, DATA_FOLDER)} is
absent, only the questions on the made-up sample are asked.`;

type QuestionSet = 'build' | 'unseen' | 'further' | 'permits';

interface Options extends ModelOptions {
  questions: QuestionSet | TextSet | 'all';
  only?: string;
  verbose: boolean;
  sentences: boolean;
  write: boolean;
}

const options = makeProgram('npm run eval-ai --', 'Asks labelled questions of AI search and measures the answers.', EXAMPLES)
  .addOption(
    new Option(
      '--questions <which>',
      'those to build on, the unseen ones, those written after the rules, all of these, those over permits, or a set over minutes of its own (to build on, asked weekly, or sealed until it was asked once: `weekly` shows sums only)',
    )
      .choices([
        'build',
        'unseen',
        'further',
        'all',
        'permits',
        'sets-build',
        'weekly',
        'sealed-1',
        'sealed-2',
        'sealed-3',
        'sealed-4',
        'sealed-5',
        'sealed-6',
        'sealed-7',
        'sealed-8',
        'sealed-9',
        'sealed-10',
      ])
      .default('all'),
  )
  .option('--only <class>', 'ask those of a class alone, such as structured; writes no page')
  .option('--sentences', 'read sentences that filters answer whole, without servers; with --verbose those that are misread', false)
  .option('--model', 'ask the language model of LANGUAGE_MODEL_URL', false)
  .option('--record <file>', 'ask it, and keep its answers in this file')
  .option('--replay <file>', 'take its answers from this file')
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
/** Nobody builds on the questions of this set, and so none of them is printed. */
const SUMS_ONLY = options.questions === 'weekly';

function questionsOf(wanted: Options['questions']): readonly EvalQuestion[] {
  if (wanted === 'all') return [...SETS.build, ...SETS.unseen, ...SETS.further];
  return isTextSet(wanted) ? textSetQuestions(wanted) : [...SETS[wanted]];
}

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
    withRelated: recallWithRelated(question, [...first.answers.map(({ id }) => id), ...first.related]),
    plain: scoreOf(question, await by.plain(question.query, FIRST)),
    asked: first,
    repeated,
    callsAgain: again.calls,
  };
}

/** Starts a service with the corpus. */
async function startAnswerer(
  name: CorpusName,
  servers: ServerUrls,
  model: EvalModel | undefined,
  signal: AbortSignal,
): Promise<QuestionAnswerer> {
  const how = { today: TODAY, settings: model?.settings ?? {} };
  if (name === 'sample') return startEvaluatedService(servers, corpusLines(loadPlaces()), how, signal);
  if (isTextSet(name)) return startEvaluatedService(servers, textSetLines(name), how, signal);
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'eval-ai-'));
  const lines = (name === 'real' ? realLines : permitLines)(folder.path);
  return await startEvaluatedService(servers, lines, how, signal);
}

async function evaluate(servers: ServerUrls, model: EvalModel | undefined, signal: AbortSignal): Promise<string> {
  const measured: MeasuredQuestion[] = [];
  const absent: CorpusName[] = [];
  const asked = questionsOf(options.questions).filter((question) => !options.only || question.class === options.only);
  for (const name of CORPORA) {
    const wanted = asked.filter((question) => question.corpus === name);
    if (!wanted.length) continue;
    if ((name === 'real' || name === 'permits') && !hasPublicData()) {
      absent.push(name);
      continue;
    }
    await using by = await startAnswerer(name, servers, model, signal);
    for (const [i, question] of wanted.entries()) {
      signal.throwIfAborted();
      measured.push(await measure(question, by));
      if (i % 20 === 19) console.error(`${name}: ${i + 1} of ${wanted.length} questions`);
    }
  }
  if (options.verbose && !SUMS_ONLY) printDetails(measured);
  const open = model?.recorded?.open.size ?? 0;
  const page = evaluationPage({
    ...titles(model, absent),
    sections: sectionsOf(measured),
    hasModel: model !== undefined,
    listed: SUMS_ONLY ? [] : worstOf(measured),
  });
  const file = resultsFile(model);
  if (options.write && !options.only && file && !absent.length && !open) writeFileSync(path.join(RESULTS, file), `${page}\n`);
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
  const answersTo = (set: QuestionSet) => measured.filter(({ question }) => SETS[set].has(question));
  return [
    ['The unseen questions', answersTo('unseen')],
    ['Further questions, written after the rules', answersTo('further')],
    ['The questions to build on', answersTo('build')],
    ['The questions over building permits', answersTo('permits')],
    ['The questions over minutes of their own', measured.filter(({ question }) => isTextSet(question.corpus))],
  ];
}

const worstOf = (measured: readonly MeasuredQuestion[]) => {
  const fresh = measured.filter(({ question }) => !SETS.build.has(question));
  return fresh.length ? fresh : measured;
};

await runScript(async (signal) => {
  if (options.sentences) {
    console.log(sentencesTable(readSentences(loadPlaces()), options.verbose));
    return 0;
  }
  await using closing = new AsyncDisposableStack();
  const model = closing.adopt(await chooseModel(options, process.env), (chosen) => chosen?.recorded?.stop());
  const servers = closing.use(await findOrStartServers(root, process.env, { signal }));
  console.log(await evaluate(servers, model, signal));
  return model?.recorded?.open.size ? 1 : 0;
});
