/**
 * Starts a service in this process on real servers, with its worker, and asks it questions as a client does. Its clock begins at noon of the day of the
 * labels.
 */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pino } from 'pino';
import { composeService, composeServiceWorker } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config.ts';
import { stemText } from '../../../src/core/domain/stems.ts';
import { PROSE } from '../../../src/core/query/relevance.ts';
import { IndexNames } from '../../../src/core/store/elastic/indices.ts';
import type { ShownEvidence } from '../../../src/features/aiSearch/view.ts';
import { serve } from '../../../src/http/serve.ts';
import { ApiClient, type JsonBody } from '../../lib/apiClient.ts';
import { sum } from '../../lib/report.ts';
import { type Elastic, makePatientElastic, Sandbox } from '../../lib/sandbox.ts';
import type { ServerUrls } from '../../stack/index.ts';
import { loadWithLoader } from '../bench/corpus.ts';

const POLL_MS = 20;
const NO_LIMIT = '1000000000';
const NOON = 'T19:00:00Z';

export interface AskedQuestion {
  /** best first */
  answers: readonly { id: number; evidence: readonly { criterion: string; quote: string }[] }[];
  /** records that may be related, best first */
  related: readonly number[];
  seconds: number;
  quotes: number;
  /** quotes that are in their source, letter by letter */
  verbatim: number;
  /** records without a quote */
  unproven: number;
  /** why a search ended before it was through */
  ended: string | null;
  /** records that were judged */
  reviewed: number | null;
  /** calls of the language model */
  calls: number;
}

/** A service that answers the questions of the evaluation. */
export interface QuestionAnswerer extends AsyncDisposable {
  /** Asks a question twice by a new team, so that each question has the whole budget of a day. */
  confirmed(query: string, limit: number): Promise<{ first: AskedQuestion; again: AskedQuestion }>;
  /** plain BM25 over the words of the question */
  plain(query: string, limit: number): Promise<number[]>;
}

type Lines = Iterable<object> | AsyncIterable<object>;

/**
 * A service with a corpus of its own, which is removed at the end.
 * @param corpus lines of a generation file @param settings further ones of the service, such as its language model
 */
export async function startEvaluatedService(
  servers: ServerUrls,
  corpus: Lines,
  { today, settings = {} }: { today: string; settings?: Readonly<Record<string, string>> },
  signal: AbortSignal,
): Promise<QuestionAnswerer> {
  await using starting = new AsyncDisposableStack();
  const sandbox = starting.use(await Sandbox.make(servers, 'evalai'));
  const file = await writeLines(corpus, path.join(sandbox.folder, 'corpus.ndjson'), signal);
  await loadWithLoader(sandbox.environment(), file, signal);
  const url = await serveWithWorker(sandbox, today, settings, starting);
  const elastic = starting.adopt(makePatientElastic(servers.elasticsearchUrl), (client) => client.close());
  const closing = starting.move();
  return {
    plain: (query, limit) => plainHits(elastic, new IndexNames(sandbox.indexPrefix).readAlias('projects'), query, limit),
    confirmed: async (query, limit) => {
      const client = new ApiClient(url, (await sandbox.account('national')).key);
      const first = await ask(client, sandbox, query, limit);
      return { first, again: await ask(client, sandbox, query, limit) };
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

async function writeLines(lines: Lines, file: string, signal: AbortSignal): Promise<string> {
  const text = async function* () {
    for await (const line of lines) yield `${JSON.stringify(line)}\n`;
  };
  await pipeline(Readable.from(text()), createWriteStream(file), { signal });
  return file;
}

/** @param closing gets what ends service and worker @returns the address */
async function serveWithWorker(
  sandbox: Sandbox,
  today: string,
  settings: Readonly<Record<string, string>>,
  closing: AsyncDisposableStack,
): Promise<string> {
  const aheadMs = Date.parse(`${today}${NOON}`) - Date.now();
  const now = () => new Date(Date.now() + aheadMs);
  await sandbox.database.query(
    `create or replace function service_now() returns timestamptz language sql stable as $$ select statement_timestamp() + interval '${Math.round(aheadMs)} milliseconds' $$`,
  );
  const unlimited = { PORT: '0', LOG_LEVEL: 'silent', RATE_LIMIT_PAID: NO_LIMIT, RATE_LIMIT_HEALTH: NO_LIMIT };
  const config = loadConfig({ ...sandbox.environment(), ...unlimited, ...settings });
  const service = closing.adopt(composeService(config, { now }), (made) => made.close());
  await service.ready();
  const server = closing.adopt(await serve(service, 0), (serving) => serving.stop());
  const worker = closing.adopt(composeServiceWorker(config, pino({ level: 'silent' }), now), (made) => made.stop());
  await worker.start();
  return `http://127.0.0.1:${server.port}`;
}

async function ask(client: ApiClient, { database }: Pick<Sandbox, 'database'>, query: string, limit: number): Promise<AskedQuestion> {
  const { id: jobId } = await client.post('/projects/ai-search/jobs', { query, limit }, randomUUID());
  const job = await client.waitForJob(`/projects/ai-search/jobs/${jobId}`, POLL_MS);
  const results: { id: number; matchEvidence: ShownEvidence[] }[] = job.results;
  let verbatim = 0;
  for (const { id, matchEvidence } of results) {
    const record = await client.get(`/projects/${id}?representation=full`);
    for (const evidence of matchEvidence) verbatim += Number(await isVerbatim(evidence, record, client));
  }
  return {
    answers: results.map(({ id, matchEvidence }) => ({ id, evidence: matchEvidence })),
    related: (job.related?.records ?? []).map(({ id }: { id: number }) => id),
    seconds: (Date.parse(job.settledAt) - Date.parse(job.createdAt)) / 1000,
    quotes: sum(results.map(({ matchEvidence }) => matchEvidence.length)),
    unproven: results.filter(({ matchEvidence }) => !matchEvidence.length).length,
    verbatim,
    ended: job.partialReason,
    reviewed: job.progress.reviewed,
    calls: sum(
      (await database.query<{ calls: number }>('select calls from model_calls where subject = $1', [jobId])).map(({ calls }) => calls),
    ),
  };
}

/** Whether a quote is in the source that it names, letter by letter. */
async function isVerbatim({ quote, source, documentId, field }: ShownEvidence, record: JsonBody, client: ApiClient): Promise<boolean> {
  const contains = (...texts: unknown[]) => texts.some((text) => typeof text === 'string' && text.includes(quote));
  if (source === 'document') return contains((await client.get(`/documents/${documentId}`)).text);
  if (source === 'summary') return contains(record.summary, record.statusSummary);
  if (source === 'rawText') return contains(record.rawText, record.originalRawText);
  return field !== null && JSON.stringify(record[field] ?? null).includes(JSON.stringify(quote).slice(1, -1));
}

/** The records that rank first by the words of the question alone. */
async function plainHits(client: Elastic, index: string, query: string, size: number): Promise<number[]> {
  const { hits } = await client.search({
    index,
    size,
    _source: false,
    docvalue_fields: ['id'],
    query: { match: { [PROSE.project]: stemText(query) } },
  });
  return hits.hits.map(({ fields }) => Number((fields as { id: number[] }).id[0]));
}
