/** `npm run ingest`: loads generation files, switches what is served, reports what is there. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errors } from '@elastic/elasticsearch';
import { ConstantBackoff, handleType, retry } from 'cockatiel';
import { type Command, InvalidArgumentError } from 'commander';
import { ConfigError, readConfig } from '../src/config.ts';
import { describeChangedFields } from '../src/core/store/elastic/mappedFields.ts';
import { FileStoreError } from '../src/core/store/files/fileStore.ts';
import { loadPlaces } from '../src/core/store/files/loadPlaces.ts';
import { stackVariables } from '../src/core/store/files/localStack.ts';
import { LoadLockLost, LoadLockTaken } from '../src/core/store/postgres/loadLock.ts';
import { printableLines } from '../src/terminal/printable.ts';
import { addCommand, makeProgram, wholeNumber } from '../src/terminal/program.ts';
import { connectLoader, LOADER_SETTINGS, type Loader } from './connection.ts';
import { type Acceptance, parseAcceptance, REFUSING_CODES } from './findings/acceptance.ts';
import type { LoadReport } from './findings/types.ts';
import { loadFile } from './load.ts';
import { LoadRefused, toRefusalIfBlocked } from './loadRefused.ts';
import { isReviewFile, loadReviews } from './loadReviews.ts';
import { activateGeneration, rollBackGeneration, type ServedNow } from './publish/activate.ts';
import { discardGeneration } from './publish/discard.ts';
import { adoptServed } from './publish/repair.ts';
import { describeStatus, describeUnfilledFields, findIndexProblem, readGenerationStatus } from './publish/status.ts';
import { PRUNED_AFTER_DAYS, pruneFiles, pruneText } from './recover/prune.ts';
import { rebuildIndex } from './recover/rebuild.ts';
import { renewServedSet } from './recover/renew.ts';
import {
  describeReport,
  describeSummary,
  loadProgress,
  rebuildProgress,
  renewProgress,
  stampProgress,
  switchText,
  writeReportFile,
} from './report.ts';
import { makeReportPage } from './reportPage.ts';
import type { LoadSummary } from './write/loadContext.ts';
import { findReport } from './write/loadReport.ts';

const EXIT_REFUSED = 1;
const EXIT_UNREACHABLE = 3;

const EXAMPLES = `
Examples:
  npm run ingest -- load generation-7.ndjson.gz --activate   load a full generation and serve it
  npm run ingest -- load monday.ndjson                       an increment is served as soon as it is loaded
  npm run ingest -- load big.ndjson --skip-invalid           load the good lines; the bad ones are in big.ndjson.rejects.ndjson
  npm run ingest -- load reviews.ndjson                      what people found with: npm run extract -- review
  npm run ingest -- activate 7 --accept records_lost         serve it though it states a tenth less than what is served
  npm run ingest -- load monday.ndjson --accept 'place_lost:Fairfax County, VA'
  npm run ingest -- report 7 --html report.html              what was found in it, with a map of what it lost
  npm run ingest -- discard 7                                drop it, where it is not served yet
  npm run ingest -- status --json
  npm run ingest -- rollback
  npm run ingest -- prune --dry-run                          which kept files nothing needs any more

Exit codes: 0 done, 1 refused (nothing that is served has changed, or a rollback is served that sync does not follow yet: it says so), 2 wrong use, 3 a server cannot be reached.`;

const root = path.resolve(import.meta.dirname, '..');
const LOCK_POLL_MS = 1_000;

interface Output {
  json?: boolean;
}

/** Reads the settings: servers of the environment, or if it names none, those of the project's own stack. The two are never mixed, since the load lock would be taken on another server. */
function readSettings() {
  const named = process.env.ELASTICSEARCH_URL || process.env.DATABASE_URL;
  return readConfig({ ...(named ? {} : stackVariables(root)), ...process.env }, LOADER_SETTINGS);
}

let open: Loader | undefined;

/** Connects, and closes the connections when the program ends. A server that does not answer is reported immediately, without retries. */
async function connect() {
  open = await connectLoader(readSettings());
  await open.client.indices.existsAlias({ name: open.names.readAlias('projects') }, { maxRetries: 0 });
  return { ...open, clock: { ...open.clock, onStamping: stampProgress(process.stderr) } };
}

function print(output: Output, value: unknown, text: string): void {
  process.stdout.write(output.json ? `${JSON.stringify(value)}\n` : `${printableLines(text)}\n`);
}

interface AcceptOption {
  accept?: Acceptance[];
}

interface LoadOptions extends Output, AcceptOption {
  activate?: boolean;
  skipInvalid?: boolean;
}

async function loadFiles(files: string[], options: LoadOptions): Promise<void> {
  const { client, names, store, layout, locked, clock, thresholds } = await connect();
  const { accept = [], skipInvalid = false } = options;
  const rules = { places: loadPlaces(), thresholds, accept };
  await locked(async (assertLocked) => {
    for (const file of files) {
      if (await isReviewFile(file)) {
        const { generation, reviews, leftOut, ...rest } = await loadReviews({ client, names, layout, lineage: clock.lineage }, file);
        const text = `${file}: ${reviews} reviews of values of generation ${generation}; ${leftOut} were left out, since their records are not served`;
        print(options, { ...rest, generation, reviews, leftOut }, text);
        continue;
      }
      const progress = loadProgress(file, process.stderr);
      const onReport = async (report: LoadReport) => {
        progress.stop();
        const written = await writeReportFile(file, report);
        if (!options.json) process.stdout.write(`${printableLines(describeReport(report, written))}\n`);
      };
      const context = { client, names, layout, ...clock, ...rules, assertLocked, onProgress: progress.update, onReport };
      const summary: LoadSummary = await loadFile(context, file, skipInvalid).finally(progress.stop);
      if (options.activate && summary.mode === 'full' && !summary.served) {
        await serveLoaded(summary, options, activateGeneration(store, summary.generation, { ...clock, ...rules, assertLocked }));
        summary.served = true;
      }
      print(options, summary, describeSummary(summary));
    }
  });
}

/** Serves a loaded generation, and reports what was loaded even if serving it fails. */
async function serveLoaded(summary: LoadSummary, output: Output, activation: Promise<unknown>): Promise<void> {
  try {
    await activation;
  } catch (error) {
    if (!(error instanceof LoadRefused)) throw error;
    if (!output.json) print(output, summary, describeSummary(summary));
    throw new LoadRefused(error.message, error.problems, { ...summary, ...error.details });
  }
}

/** Prints a refusal as JSON, if JSON output was requested. */
async function printRefusalAsJson<T>(output: Output, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (failure) {
    const error = toRefusalIfBlocked(failure);
    if (error instanceof LoadRefused && output.json) {
      const { message, problems, details } = error;
      process.stdout.write(`${JSON.stringify({ ...details, refused: message, problems })}\n`);
    }
    throw error;
  }
}

async function switchServed(output: Output & AcceptOption, generation: number | undefined): Promise<void> {
  const { store, locked, clock, thresholds } = await connect();
  let isFollowing = false;
  const onServed = (now: ServedNow) => {
    isFollowing = now.syncFollows;
    if (!output.json) process.stdout.write(`${switchText(now)}\n`);
  };
  const done = await locked((assertLocked) => {
    const guarded = { ...clock, assertLocked, onServed };
    if (generation === undefined) return rollBackGeneration(store, guarded);
    return activateGeneration(store, generation, { ...guarded, places: loadPlaces(), thresholds, accept: output.accept ?? [] });
  });
  if (output.json) process.stdout.write(`${JSON.stringify(done)}\n`);
  else if (isFollowing) process.stdout.write(`Sync shows it, too, ${done.syncedSeconds} s later.\n`);
}

interface ReportOptions extends Output {
  html?: string;
}

async function showReport(generation: number | undefined, { json = false, html }: ReportOptions): Promise<void> {
  const { store, recorded } = await connect();
  const report = await findReport(store, recorded, generation);
  if (html) await writeFile(html, makeReportPage(report, loadPlaces()));
  print({ json }, report, describeReport(report, html ?? null));
}

async function discardWaiting(generation: number, output: Output): Promise<void> {
  const { store, locked, clock } = await connect();
  const discarded = await locked(() => discardGeneration(store, generation, clock));
  print(output, discarded, `Generation ${generation}, which waited to be served, is gone (${discarded.records} projects).`);
}

async function runRebuild(given: string[], output: Output): Promise<void> {
  const { store, locked, clock } = await connect();
  const progress = rebuildProgress(process.stderr);
  const done = await locked((assertLocked) => rebuildIndex({ store, ...clock, assertLocked, onProgress: progress }, given));
  const text = done.rebuilt
    ? `Generation ${done.generation} is served again as it was recorded (${done.records} projects), built from ${done.files} files in ${done.seconds} s.`
    : `Elasticsearch serves what was recorded (generation ${done.generation}, ${done.records} projects); nothing was built.`;
  print(output, done, text);
}

async function runRenew(output: Output): Promise<void> {
  const { store, locked, alone, clock } = await connect();
  const free = retry(handleType(LoadLockTaken), { maxAttempts: Number.POSITIVE_INFINITY, backoff: new ConstantBackoff(LOCK_POLL_MS) });
  const runWhenFree = <T>(work: (assertLocked: () => void) => Promise<T>) => free.execute(() => locked(work));
  const done = await alone(() => renewServedSet({ store, locked: runWhenFree, ...clock, onProgress: renewProgress(process.stderr) }));
  print(
    output,
    done,
    `Generation ${done.generation} is served as this version makes it (${done.records} projects), after ${done.seconds} s, in ${done.lockedSeconds} s of which no load could run. ` +
      'The set before goes with the next load.',
  );
}

async function runAdopt(output: Output): Promise<void> {
  const { store, locked, clock } = await connect();
  const adopted = await locked(() => adoptServed(clock.lineage, store));
  print(
    output,
    adopted,
    `What is served is accepted, and begins the lineage ${adopted.lineage}. Cursors of sync made before are refused; their copies are built again.`,
  );
}

async function runPrune(options: Output & { olderThan: number; dryRun?: boolean }): Promise<void> {
  const { store, locked, clock } = await connect();
  const { olderThan: olderThanDays, dryRun = false } = options;
  const pruned = await locked((assertLocked) => pruneFiles({ store, ...clock, assertLocked }, { olderThanDays, dryRun }));
  print(options, pruned, pruneText(pruned));
}

async function printStatus(output: Output): Promise<void> {
  const { store, recorded } = await connect();
  const report = await readGenerationStatus(store);
  const problem = await findIndexProblem(store, recorded);
  print(output, { ...report, problem }, describeStatus(report, problem));
}

/** Adds the fields of this version to everything that is loaded. */
async function addFields(output: Output): Promise<void> {
  const { store, locked } = await connect();
  const report = await locked(async () => {
    const { sets, served } = await store.read();
    const changes = [];
    for (const set of sets) changes.push(await store.addMissingFields(set));
    const [added, changed] = [changes.flatMap((each) => each.added), changes.flatMap((each) => each.changed)];
    return { added: [...new Set(added)], changed, unfilledFields: served ? await store.findUnfilledFields(served) : [] };
  });
  const texts = [
    report.added.length ? `Added ${report.added.join(', ')}.` : 'Every field of this version is there.',
    ...(report.changed.length ? [describeChangedFields(report.changed)] : []),
    ...(report.unfilledFields.length ? [describeUnfilledFields(report.unfilledFields)] : []),
  ];
  print(output, report, texts.join('\n'));
}

function parsePositiveInteger(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('a generation is a whole number from 1');
  return Number(text);
}

/** Collects the values of `--accept`. */
function collectAcceptance(text: string, before: Acceptance[] = []): Acceptance[] {
  const acceptance = parseAcceptance(text);
  if (!acceptance) throw new InvalidArgumentError(`it has to be one of ${REFUSING_CODES.join(', ')}, with :PLACE or without`);
  return [...before, acceptance];
}

const ACCEPT = ['--accept <code[:place]>', 'serve it also with this finding of its report; may be repeated', collectAcceptance] as const;

function loaderProgram(): Command {
  const root = makeProgram('ingest', 'Load generation files and choose which generation is served.', EXAMPLES);
  addCommand(root, 'load', 'load generation files: a full one aside, an increment into the generation that it names')
    .argument('<file...>', 'generation files: newline-delimited JSON, plain or gzip')
    .option('--activate', 'serve a full generation once it is loaded')
    .option(...ACCEPT)
    .option('--skip-invalid', 'load the rest of a file with bad lines, which are written next to it in any case')
    .option('--json', 'print one JSON object a file')
    .action((files: string[], options: LoadOptions) => printRefusalAsJson(options, loadFiles(files, options)));
  addCommand(root, 'activate', 'serve a loaded generation, in one atomic step')
    .argument('<generation>', 'number of a loaded generation', parsePositiveInteger)
    .option(...ACCEPT)
    .option('--json', 'print JSON')
    .action((generation: number, output: Output & AcceptOption) => printRefusalAsJson(output, switchServed(output, generation)));
  addCommand(root, 'rollback', 'serve what was served before')
    .option('--json', 'print JSON')
    .action((output: Output) => printRefusalAsJson(output, switchServed(output, undefined)));
  addCommand(root, 'report', 'show the report of a load again: what was found, and figures by place against what was served')
    .argument('[generation]', 'number of a generation; the newest that is loaded by default', parsePositiveInteger)
    .option('--json', 'print the whole report as JSON')
    .option('--html <file>', 'write it as a page, with a map of what went')
    .action((generation: number | undefined, options: ReportOptions) => printRefusalAsJson(options, showReport(generation, options)));
  addCommand(root, 'discard', 'drop a loaded generation that waits to be served')
    .argument('<generation>', 'number of a loaded generation', parsePositiveInteger)
    .option('--json', 'print JSON')
    .action((generation: number, output: Output) => printRefusalAsJson(output, discardWaiting(generation, output)));
  addCommand(root, 'rebuild', 'build the index again as it was last recorded, from what loads kept, and serve it once it is whole')
    .argument('[file...]', 'state files (….state.zst), where they are not in GENERATIONS_DIR or its bucket any more')
    .option('--json', 'print JSON')
    .action((files: string[], output: Output) => printRefusalAsJson(output, runRebuild(files, output)));
  root
    .command('renew')
    .description(
      'make what is served again, as this version and INDEX_SHARDS have it, while searches and loads go on; nobody pays again, cursors go on',
    )
    .option('--json', 'print JSON')
    .action((output: Output) => printRefusalAsJson(output, runRenew(output)));
  root
    .command('adopt')
    .description('accept what is served as it is, though it is not what was recorded: every copy kept by sync has to be built again')
    .option('--json', 'print JSON')
    .action((output: Output) => printRefusalAsJson(output, runAdopt(output)));
  addCommand(root, 'fields', 'add the fields of this version to what is loaded, and say which filters need a load')
    .option('--json', 'print JSON')
    .action((output: Output) => printRefusalAsJson(output, addFields(output)));
  root
    .command('prune')
    .description('delete kept files that no rebuild of the index needs: of lineages that have ended, and of loads that nothing names')
    .option('--older-than <days>', 'only what has been needless, and unwritten, for so many days', wholeNumber(1, 3650), PRUNED_AFTER_DAYS)
    .option('--dry-run', 'show what would go, and delete nothing')
    .option('--json', 'print JSON')
    .action((options: Output & { olderThan: number; dryRun?: boolean }) => printRefusalAsJson(options, runPrune(options)));
  addCommand(root, 'status', 'what is loaded and served').option('--json', 'print JSON').action(printStatus);
  return root.configureHelp({ showGlobalOptions: true });
}

function explainError(thrown: unknown): { message: string; code: number } {
  const error = toRefusalIfBlocked(thrown);
  if (error instanceof LoadRefused) return { message: [error.message, ...error.problems].join('\n  '), code: EXIT_REFUSED };
  if (error instanceof LoadLockTaken || error instanceof LoadLockLost) return { message: error.message, code: EXIT_REFUSED };
  if (error instanceof FileStoreError) return { message: `${error.message}; nothing that is served has changed`, code: EXIT_REFUSED };
  if (error instanceof ConfigError) return { message: error.message, code: error.exitCode };
  if (error instanceof errors.ConnectionError || error instanceof errors.TimeoutError || error instanceof errors.NoLivingConnectionsError)
    return {
      message: `Elasticsearch cannot be reached (${error.message}); is ELASTICSEARCH_URL right and the server up?`,
      code: EXIT_UNREACHABLE,
    };
  if (error instanceof AggregateError || (error as NodeJS.ErrnoException)?.code === 'ECONNREFUSED')
    return { message: 'Postgres cannot be reached; is DATABASE_URL right and the server up?', code: EXIT_UNREACHABLE };
  return { message: `Failed: ${(error as Error)?.message ?? error}`, code: EXIT_REFUSED };
}

try {
  await loaderProgram().parseAsync();
} catch (error) {
  const { message, code } = explainError(error);
  process.stderr.write(`${printableLines(message)}\n`);
  process.exitCode = code;
} finally {
  await open?.close();
}
