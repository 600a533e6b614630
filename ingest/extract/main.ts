/** `npm run extract`: minutes and agendas become a generation file, and people judge how right it is. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { DateTime } from 'luxon';
import { ConfigError, readConfig } from '../../src/config.ts';
import { Geocoder } from '../../src/core/providers/geocoder.ts';
import { LanguageModel, MODEL_SETTINGS } from '../../src/core/providers/languageModel.ts';
import { loadPlaces } from '../../src/core/store/files/loadPlaces.ts';
import { printableJson, printableLines } from '../../src/terminal/printable.ts';
import { addCommand, EXIT_FAILED, EXIT_USAGE, makeProgram, UserError, wholeNumber } from '../../src/terminal/program.ts';
import { startPacedBar } from '../../src/terminal/progress.ts';
import { whole } from '../../src/terminal/textTable.ts';
import { UnreadableFile } from '../read/openLines.ts';
import { SourceError } from '../sources/generation.ts';
import { endReading, openDocument } from './documents/index.ts';
import { digestRules } from './generation/extractedFiles.ts';
import { type Extraction, writeExtraction } from './generation/writeExtraction.ts';
import { ReviewFile } from './review/reviewFile.ts';
import { startReview } from './review/reviewServer.ts';
import { drawValues } from './review/sample.ts';
import { extractCases } from './rules/index.ts';

const EXAMPLES = `
Examples:
  npm run extract -- minutes --bodies bodies.json --out generation-1.ndjson.gz --generation 1
  npm run extract -- minutes --bodies bodies.json --out generation-2.ndjson.gz --generation 2 --previous generation-1.ndjson.gz
  npm run extract -- new --bodies bodies.json --out monday.ndjson.gz --generation 2 --mode increment --previous generation-2.ndjson.gz
  npm run extract -- newer --bodies bodies.json --out tuesday.ndjson.gz --generation 2 --mode increment --previous generation-2.ndjson.gz --previous monday.ndjson.gz

  npm run extract -- review generation-1.ndjson.gz   judge 200 values beside their words; answers go to reviews.ndjson

bodies.json says whose documents they are:
  [{"files": "provo/*.pdf", "state": "UT", "city": "Provo", "body": "Planning Commission"}]

The generation file is then loaded with: npm run ingest -- load generation-1.ndjson.gz --activate
The guide is src/docs/minutes-to-records.md.`;

const REQUIRED = ['bodies', 'out', 'generation'] as const;

const VALUES = 200;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

interface ReviewOptions {
  values: number;
  seed: string;
  reviews: string;
  port: number;
}

interface ExtractOptions {
  bodies: string;
  out: string;
  generation: number;
  previous?: string[];
  mode: 'full' | 'increment';
  extractedAt?: string;
  json?: boolean;
  model?: boolean;
}

function describeExtraction({ file, report, files, kept, unread, records, documents, doubts }: Extraction): string {
  return [
    `${whole(files)} files, ${whole(kept)} of them as they were read before; ${whole(unread)} documents could not be read.`,
    `${whole(records)} records of ${whole(documents)} documents, ${whole(doubts)} doubts.`,
    file,
    report,
  ].join('\n');
}

/** Longer than for a search, since a model reads whole minutes. */
const MODEL_TIMEOUT_MS = 180_000;

/** @throws UserError if no language model is configured */
function readModel(): { model: { url: string; model: LanguageModel } } {
  const {
    languageModelUrl: url,
    languageModelKey: key,
    languageModelName: name,
  } = readConfig(process.env, ['languageModelUrl', 'languageModelKey', 'languageModelName']);
  if (!url || !name)
    throw new UserError('--model needs LANGUAGE_MODEL_URL and LANGUAGE_MODEL_NAME; src/docs/settings.md says what they are.');
  const settings = { ...MODEL_SETTINGS, timeoutMs: MODEL_TIMEOUT_MS };
  return { model: { url, model: new LanguageModel({ url, key, name, settings }) } };
}

async function runExtraction(folder: string, { json, model, ...options }: ExtractOptions): Promise<void> {
  const bar = startPacedBar('files', 1);
  const extractor = { digest: digestRules(), open: openDocument, extract: extractCases };
  const { geocoderUrl: url } = readConfig(process.env, ['geocoderUrl']);
  const languageModel = model ? readModel() : {};
  const stopped = new AbortController();
  const stop = () => stopped.abort(new UserError('Stopped; no generation was written.'));
  for (const signal of SIGNALS) process.once(signal, stop);
  const onProgress = (done: number, total: number) => bar.update(done, total);
  const written = await writeExtraction({
    folder,
    ...options,
    ...languageModel,
    ...(url ? { geocoder: { url, geocoder: new Geocoder({ url }) } } : {}),
    places: loadPlaces(),
    extractor,
    onProgress,
    signal: stopped.signal,
  }).finally(async () => {
    for (const signal of SIGNALS) process.off(signal, stop);
    bar.stop();
    await endReading();
  });
  process.stdout.write(json ? `${printableJson(written)}\n` : `${printableLines(describeExtraction(written))}\n`);
}

async function runReview(generation: string, { values, seed, reviews, port }: ReviewOptions): Promise<void> {
  const onRefused = (reason: string) => process.stderr.write(`${printableLines(reason)}: a load refuses this line, it is left out\n`);
  const drawn = await drawValues(generation, { number: values, seed, onRefused });
  const file = new ReviewFile(reviews);
  const server = await startReview(drawn, file, port);
  process.stdout.write(
    `${whole(drawn.length)} values, drawn with the seed '${seed}': ${server.url}\nAnswers go to ${reviews}. Ctrl-C ends the review; the same command goes on with it.\n`,
  );
  for (const signal of SIGNALS)
    process.once(signal, () => {
      server.stop().then(() => file.close());
    });
}

const addTo = (file: string, before: readonly string[] = []): string[] => [...before, file];

function parseInstant(text: string): string {
  const time = DateTime.fromISO(text, { zone: 'utc' });
  // A day that its month lacks is no time.
  if (!/^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(text) || !time.isValid)
    throw new InvalidArgumentError('It has to be a time such as 2026-11-29T06:00:00Z.');
  return time.toISO();
}

function addExtract(program: Command): Command {
  return program
    .argument('<folder>', 'folder with the documents: PDF with text, HTML, DOCX, Markdown, text; JSON of Legistar, PrimeGov and CivicClerk')
    .option('--bodies <file>', 'JSON list of bodies with a pattern of their files each')
    .option('--out <file>', 'generation file to write; extract-report.json stands beside it')
    .option('--generation <number>', 'number of the generation', wholeNumber(1, 1_000_000))
    .option('--previous <file>', 'full generation file whose ids are kept; again for each increment of it since', addTo)
    .addOption(new Option('--mode <mode>', 'increment changes the generation that it names').choices(['full', 'increment']).default('full'))
    .option('--extracted-at <time>', 'time of the header; by default that of the newest document', parseInstant)
    .option('--model', 'ask the language model of LANGUAGE_MODEL_URL for fields that the rules leave open')
    .option('--json', 'print the result as JSON')
    .action((folder: string, options: ExtractOptions) => {
      // They are not required of the command below.
      const missing = REQUIRED.find((name) => options[name] === undefined);
      if (missing) program.error(`error: required option '--${missing}' not specified`);
      return runExtraction(folder, options);
    });
}

function addReview(program: Command): Command {
  addCommand(program, 'review', 'serve a page on this machine on which values of a generation are judged beside their words')
    .argument('<generation>', 'generation file that this command wrote')
    .option('--values <number>', 'how many values are drawn', wholeNumber(1, 10_000), VALUES)
    .option('--seed <text>', 'which are drawn', '1')
    .option('--reviews <file>', 'where answers go', 'reviews.ndjson')
    .option('--port <number>', 'port on loopback; 0 takes any free one', wholeNumber(0, 65_535), 0)
    .action(runReview);
  return program;
}

try {
  await addReview(addExtract(makeProgram('extract', 'Turn minutes and agendas into a generation file.', EXAMPLES))).parseAsync();
} catch (error) {
  const isExpected = [UserError, ConfigError, SourceError, UnreadableFile].some((one) => error instanceof one);
  // Of the system: no space left, no permission, a port that is taken.
  const { message, stack, syscall } = error as NodeJS.ErrnoException;
  process.stderr.write(`${printableLines(isExpected ? message : `Failed: ${syscall ? message : stack}`)}\n`);
  process.exitCode = isExpected ? EXIT_USAGE : EXIT_FAILED;
}
