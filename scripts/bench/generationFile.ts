/** The corpus as the loader reads it (a generation file of project lines) and as Elasticsearch gets it (one final document a line). */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { normaliseProject, withIdentity } from '../../ingest/read/normalise.ts';
import { newVersion } from '../../ingest/write/projectDocument.ts';
import { Stamps } from '../../ingest/write/stamps.ts';
import type { ProjectStatement } from '../../src/domain/record/statement.ts';
import { sampleLines } from '../sample/generate.ts';
import type { Corpus } from './cells.ts';

const CHUNK_CHARACTERS = 256 * 1024;

type Told = (projects: number) => void;

function* projectLines({ n, seed, today, places }: Corpus, generation: 1 | 2) {
  for (const line of sampleLines({ seed, projects: n, today, texts: 'short', places, generation }))
    if (line.kind === 'generation' || line.kind === 'project') yield line;
}

function* documents(corpus: Corpus): Generator<object> {
  const stamps = new Stamps(new Date(), null);
  for (const line of projectLines(corpus, 1)) {
    if (line.kind === 'generation') continue;
    const statement = withIdentity(normaliseProject(line as ProjectStatement, corpus.places), undefined);
    yield newVersion(statement, { opensGeneration: true }, { loadedIn: 1, today: corpus.today, stamp: () => stamps.next() }).document;
  }
}

function* chunks(lines: Iterable<object>, told: Told): Generator<string> {
  let chunk = '';
  let count = 0;
  for (const line of lines) {
    chunk += `${JSON.stringify(line)}\n`;
    count += 1;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    told(count);
    yield chunk;
    chunk = '';
  }
  if (chunk) yield chunk;
}

const write = (lines: Iterable<object>, file: string, told: Told, signal: AbortSignal) =>
  pipeline(Readable.from(chunks(lines, told)), createWriteStream(file), { signal });

export const writeGeneration = (corpus: Corpus, file: string, told: Told, signal: AbortSignal, generation: 1 | 2 = 1) =>
  write(projectLines(corpus, generation), file, told, signal);

export const writeDocuments = (corpus: Corpus, file: string, told: Told, signal: AbortSignal) =>
  write(documents(corpus), file, told, signal);
