/** The type of a suite of the benchmark; each is a file of `suites/` and listed in `main.ts`. */
import path from 'node:path';
import { Option } from 'commander';
import type { PlanId } from '../../../src/core/domain/plans.ts';
import { REPRESENTATIONS } from '../../../src/core/domain/record/schemas.ts';
import { listOf, someOf, wholeNumber } from '../../../src/terminal/program.ts';
import { whole } from '../../../src/terminal/textTable.ts';
import { ApiClient } from '../../lib/apiClient.ts';
import { ApiProcess } from '../../lib/programs.ts';
import type { SuiteReport } from '../../lib/report.ts';
import type { Elastic, Sandbox, SandboxEnvironment } from '../../lib/sandbox.ts';
import type { ServerUrls } from '../../stack/index.ts';
import type { Corpus } from './corpus.ts';
import { type CorpusPlace, keepOption, type LoadedCorpora, reuseOption, type WantedCorpus } from './loaded.ts';

/** The environment of a suite. Its sandbox is removed at its end; corpora are shared by the suites of the command. */
export interface Bench {
  corpora: LoadedCorpora;
  servers: ServerUrls;
  client: Elastic;
  sandbox: Sandbox;
  signal: AbortSignal;
}

export interface Suite<Options> {
  name: string;
  summary: string;
  options: readonly Option[];
  run(bench: Bench, options: Options): Promise<SuiteReport>;
}

/** What suites that measure a made-up corpus are asked for. */
export interface CorpusOptions extends Omit<WantedCorpus, 'n'> {
  n?: number[];
  /** a folder */
  cpuProf?: string;
}

/** What suites that measure under load are asked for. */
export interface LoadOptions extends CorpusOptions {
  /** of load per cell, concurrency and side */
  seconds: number;
  concurrency: number[];
}

/** Options that several suites share are one object, so that the command has them once. */
export const sizesOption = new Option(
  '--n <projects>',
  'sizes of the made-up corpus, comma-separated; pages and analytics take the first',
).argParser(listOf(wholeNumber(1000, 9_999_999)));
export const seedOption = new Option('--seed <number>', 'the same seed gives the same projects and requests')
  .argParser(wholeNumber(0, 999_999_999))
  .default(1);

export const corpusOptions: readonly Option[] = [sizesOption, seedOption, keepOption, reuseOption];

export const roundsOption = new Option('--rounds <rounds>', 'rounds of each measurement').argParser(wholeNumber(1, 100)).default(3);

const secondsOption = new Option('--seconds <seconds>', 'load per cell, concurrency and side').argParser(wholeNumber(1, 600)).default(5);
const concurrencyOption = new Option('--concurrency <numbers>', 'requests in flight, comma-separated')
  .argParser(listOf(wholeNumber(1, 1000)))
  .default([1, 16]);

export const cpuProfOption = new Option('--cpu-prof <folder>', 'also write a CPU profile of the API process into this folder');

export const loadOptions: readonly Option[] = [...corpusOptions, secondsOption, concurrencyOption, cpuProfOption];

export const nodeOptionsOf = ({ cpuProf }: { cpuProf?: string }): string[] =>
  cpuProf ? ['--cpu-prof', `--cpu-prof-dir=${path.resolve(cpuProf)}`] : [];

export const representationsOption = new Option(
  '--representations <names>',
  `some of ${REPRESENTATIONS.join(', ')}; sync walks further sizes with the first alone`,
)
  .argParser(someOf(REPRESENTATIONS))
  .default(REPRESENTATIONS, 'all');

/** An API process over a corpus. */
export interface CorpusRun<Options = unknown> extends Bench, CorpusPlace {
  options: Options;
  env: SandboxEnvironment;
  api: ApiProcess;
}

/** Serves a corpus of the first size that is asked for, until the run is over. @param settings further ones of the service */
export async function serveCorpus<Options extends CorpusOptions>(
  bench: Bench,
  options: Options,
  usualSize: number,
  settings: SandboxEnvironment = {},
): Promise<CorpusRun<Options> & AsyncDisposable> {
  const place = await bench.corpora.load(bench.sandbox, { ...options, n: options.n?.[0] ?? usualSize });
  const env = { ...bench.sandbox.environment(undefined, place.prefix), ...settings };
  const api = await ApiProcess.start(env, bench.signal, { nodeOptions: nodeOptionsOf(options) });
  return { ...bench, ...place, options, env, api, [Symbol.asyncDispose]: () => api.end() };
}

/** A client of the API with an account of its own, which holds nothing yet. */
export const newClient = async ({ sandbox, api }: Pick<CorpusRun, 'sandbox' | 'api'>, plan: PlanId = 'national') =>
  new ApiClient(api.url, (await sandbox.account(plan)).key);

export const corpusText = ({ n, seed }: Pick<Corpus, 'n' | 'seed'>): string => `${whole(n)} made-up projects (seed ${seed})`;
