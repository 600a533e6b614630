/**
 * The made-up sample that `npm run demo` loads: real cities, invented projects, people, companies and meetings, as the lines of two
 * full generation files. The same seed and day give the same bytes. Everything streams, so that a benchmark can ask for a million projects.
 */
import { createWriteStream } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { GenerationHeader } from '../../ingest/read/parseLine.ts';
import type { Places } from '../../src/core/domain/places.ts';
import type { RestrictionLine } from '../../src/core/domain/restriction/schemas.ts';
import { loadPlaces } from '../../src/core/store/files/loadPlaces.ts';
import { contactsOf } from './contacts.ts';
import { dateOf, dayOf } from './days.ts';
import { type Docket, dockets } from './dockets.ts';
import { documentLine } from './documents.ts';
import { DAYS_BETWEEN_GENERATIONS } from './fixtures.ts';
import type { Generation, SampleCorpus, SampleLine, TextLength } from './model.ts';
import { makeRestrictions, SAMPLE_SOURCE } from './restrictions.ts';
import { hearingsIn, isCovered, statement } from './statements.ts';

interface SampleOptions {
  seed: number;
  /** projects of generation 1; generation 2 adds 8 % and leaves out some 15 % */
  projects: number;
  /** 'YYYY-MM-DD'; every meeting is within the year before it */
  today: string;
  /** `short` leaves out the minutes' discussion, earlier documents and `originalRawText`; default `long` */
  texts?: TextLength;
}

const CHUNK_CHARACTERS = 64 * 1024;
const GZIP_LEVEL = 4;

/** The lines of one generation file, header first; of every docket its documents, its projects, then their contacts. */
export function* sampleLines(options: SampleOptions & { places: Places; generation: Generation }): Generator<SampleLine> {
  const { seed, projects, places, generation, texts = 'long' } = options;
  const corpus: SampleCorpus = { seed, projects, today: dayOf(options.today), texts };
  yield header(generation, corpus);
  for (const docket of dockets(corpus, places)) yield* docketLines(docket, generation, corpus);
}

function header(generation: Generation, corpus: SampleCorpus): GenerationHeader {
  const day = generation === 1 ? corpus.today - DAYS_BETWEEN_GENERATIONS : corpus.today;
  return { kind: 'generation', generation, mode: 'full', extractedAt: `${dateOf(day)}T00:00:00.000Z` };
}

function* docketLines({ city, projects }: Docket, generation: Generation, corpus: SampleCorpus): Generator<SampleLine> {
  const covered = projects.filter((project) => isCovered(project, generation));
  const documents = new Set(
    covered.flatMap((project) => hearingsIn(project, generation)).flatMap((hearing) => hearing.minutes?.document ?? []),
  );
  for (const document of documents) yield documentLine(document, city, corpus);
  for (const project of covered) yield statement(project, generation, corpus);
  for (const project of covered) yield* contactsOf(project, corpus);
  if (generation === 1) return;
  for (const { id, fate } of projects) if (fate === 'deleted') yield { kind: 'project', id, deleted: true };
}

/** The lines of a file with the made-up restrictions, which the header names. */
function* withRestrictions(lines: Iterable<SampleLine>, today: number): Generator<SampleLine | RestrictionLine> {
  for (const line of lines) yield line.kind === 'generation' ? { ...line, restrictionSources: [SAMPLE_SOURCE] } : line;
  yield* makeRestrictions(today);
}

function* chunks(lines: Iterable<SampleLine | RestrictionLine>): Generator<string> {
  let chunk = '';
  for (const line of lines) {
    chunk += `${JSON.stringify(line)}\n`;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk) yield chunk;
}

/** Writes `sample-1.ndjson.gz` and `sample-2.ndjson.gz` and returns their paths. A file appears only once it is complete. */
export async function writeSample(options: SampleOptions & { folder: string; places?: Places }): Promise<[string, string]> {
  const { folder, places = loadPlaces(), ...rest } = options;
  await mkdir(folder, { recursive: true });
  const write = async (generation: Generation) => {
    const path = join(folder, `sample-${generation}.ndjson.gz`);
    const lines = sampleLines({ ...rest, places, generation });
    await pipeline(
      Readable.from(chunks(withRestrictions(lines, dayOf(rest.today)))),
      createGzip({ level: GZIP_LEVEL }),
      createWriteStream(`${path}.part`),
    );
    await rename(`${path}.part`, path);
    return path;
  };
  return Promise.all([write(1), write(2)]);
}
