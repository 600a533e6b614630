/** The common parts of commands: client, output, errors. */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { printableLines } from '../../terminal/printable.ts';
import { actionsBy, addCommand, UserError } from '../../terminal/program.ts';
import { type Bar, NO_BAR, startBar, startPacedBar, writeLines } from '../../terminal/progress.ts';
import { type ExportJob, LandUseClient, type Operations, type Retry, type SettledJob, type Snapshot } from '../client/index.ts';
import { Cancelled, EXITS, failureOf, NoKey } from './failures.ts';
import { formatOutput, type OutputOptions, type Row } from './output.ts';
import { type Settings, settingsOf } from './settings.ts';

/** The options of every command. */
interface GlobalOptions {
  url?: string;
  json?: boolean;
  csv?: boolean;
  fields?: string[];
  quiet?: boolean;
}

/** Longer waits before a retry are reported, so that the command does not seem to hang. */
const REPORTED_WAIT_MS = 2_000;
const USUAL_WIDTH = 80;

export interface Cli {
  settings: Settings;
  client: LandUseClient;
  /** aborted by Ctrl-C */
  signal: AbortSignal;
  /** calls any operation with typed input, which the service validates */
  ask<Id extends keyof Operations>(id: Id, input?: object, options?: { maxCredits?: number }): Promise<Operations[Id]['answer']>;
  /** prints JSON if the output is piped or with --json, CSV with --csv (columns under `titles`), otherwise `rows` as a table */
  print(value: unknown, rows: readonly Row[], none?: string, titles?: ReadonlyMap<string, string>): void;
  /** whether a person reads the whole answer on a terminal, without chosen form or fields */
  readonly isForPeople: boolean;
  /** characters per line */
  readonly width: number;
  /** prints a line for people on standard error, except with --quiet */
  note(line: string): void;
  /** shows the progress of a step, except with --quiet */
  startBar(title: string, total: number): Bar;
  /** the same with rate and remaining time, and with lines in a log, for steps of minutes or hours @param show formats a figure */
  startPacedBar(title: string, total: number, show?: (figure: number) => string): Bar;
}

/** The form of the output. @throws UserError for two forms */
function outputOf({ json, csv, fields }: GlobalOptions): OutputOptions {
  if (json && csv) throw new UserError('--json and --csv are two forms of one answer: choose one.');
  const form = csv ? 'csv' : json || !process.stdout.isTTY ? 'json' : 'table';
  return { form, fields, width: process.stdout.columns ?? (Number(process.env.COLUMNS) || USUAL_WIDTH) };
}

const cancelled = () => new Cancelled('Stopped.');

function makeCli(settings: Settings, options: GlobalOptions, signal: AbortSignal): Cli {
  const output = outputOf(options);
  const note = (line: string) => {
    if (!options.quiet) writeLines(process.stderr, printableLines(line));
  };
  const onRetry = ({ waitMs, error }: Retry) => {
    if (waitMs >= REPORTED_WAIT_MS) note(`${error.message.replace(/\.?$/, '.')} Trying again in ${Math.round(waitMs / 1000)} s.`);
  };
  let client: LandUseClient | undefined;
  return {
    settings,
    get client() {
      if (!settings.key) throw new NoKey(`There is no key for ${settings.url}.`);
      client ??= new LandUseClient({ key: settings.key, url: settings.url, onRetry });
      return client;
    },
    signal,
    // Typed values are texts; the service validates them.
    ask(id, input = {}, bound = {}) {
      return this.client.call(id, input as never, { signal, ...bound });
    },
    print: (value, rows, none = 'None.', titles) => {
      process.stdout.write(`${formatOutput(value, rows, none, output, titles)}\n`);
    },
    isForPeople: output.form === 'table' && !output.fields,
    width: output.width,
    note,
    startBar: (title, total) => (options.quiet ? NO_BAR : startBar(title, total)),
    startPacedBar: (title, total, show) => (options.quiet ? NO_BAR : startPacedBar(title, total, show)),
  };
}

/** Runs one command; a failure becomes a sentence on standard error and an exit code. */
async function run(command: Command, work: (cli: Cli) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const onSignal = () => stop.abort(cancelled());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal);
  try {
    const options = command.optsWithGlobals<GlobalOptions>();
    const { url } = options;
    await work(makeCli(settingsOf(url === undefined ? {} : { url }, process.env), options, stop.signal));
  } catch (error) {
    const hasLimit = command.options.some(({ long }) => long === '--limit');
    const failure = failureOf(error, hasLimit);
    if (!failure) throw error;
    writeLines(process.stderr, printableLines(failure.message));
    process.exitCode = failure.exit ?? EXITS.failed;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal);
  }
}

export const act = actionsBy(run);

export const addPlainCommand = (parent: Command, name: string, description: string, work: (cli: Cli) => Promise<void>, isDefault = false) =>
  parent.command(name, { isDefault }).description(description).action(act(work));

/** Adds a command whose only argument is an id. @param meaning of the id */
export const addById = (
  parent: Command,
  name: string,
  description: string,
  meaning: string,
  work: (cli: Cli, id: string) => Promise<void>,
) => addCommand(parent, name, description).argument('<id>', meaning).action(act(work));

/** All entries of a collection, read page by page. */
export async function readAllPages<T>(
  ask: (page: { offset: number }) => Promise<{ data: readonly T[]; meta: { hasMore: boolean } }>,
): Promise<T[]> {
  for (const all: T[] = []; ; ) {
    const { data, meta } = await ask({ offset: all.length });
    all.push(...data);
    if (!meta.hasMore || !data.length) return all;
  }
}

/** Refuses a file that cannot be written, before credits are spent. @throws UserError */
export function checkFolder(file: string): void {
  const folder = path.dirname(path.resolve(file));
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw new UserError(`${folder} is no folder that can be written to.`);
  }
}

/** The OpenAPI document of the service; needs no key. @throws UserError if the service cannot be reached */
export async function readDescription<D>(cli: Cli): Promise<D> {
  const response = await fetch(`${cli.settings.url}/openapi.json`, { signal: cli.signal }).catch((error: unknown) => {
    throw new UserError(`${cli.settings.url} cannot be reached (${(error as Error).message}): is its address right (--url, LANDUSE_URL)?`);
  });
  return (await response.json()) as D;
}

interface Warned {
  warnings?: readonly { code: string; message: string }[];
}

/** Prints the warnings of an answer, each one once. */
export function showWarnings(cli: Cli, meta: Warned, seen = new Set<string>()): void {
  for (const { code, message } of meta.warnings ?? []) {
    if (!seen.has(code)) cli.note(`Note: ${message}`);
    seen.add(code);
  }
}

/** Waits for a job, and shows its progress. @param progressOf what is done of it, and of how much @throws JobFailure */
export async function waitForJob<J extends { id: string }>(
  cli: Cli,
  title: string,
  job: J,
  progressOf: (job: J | SettledJob<J>) => [done: number, total: number],
): Promise<SettledJob<J>> {
  const bar = cli.startBar(title, progressOf(job)[1]);
  try {
    return await cli.client.waitFor<J>(job, { signal: cli.signal, onProgress: (state) => bar.update(...progressOf(state)) });
  } finally {
    bar.stop();
  }
}

/** Waits for an export or a snapshot, and shows its progress. @throws JobFailure */
export const waitForFiles = <J extends ExportJob | Snapshot>(cli: Cli, title: string, job: J): Promise<SettledJob<J>> =>
  waitForJob<J>(cli, title, job, ({ progress }) => [progress.processed, progress.total]);
