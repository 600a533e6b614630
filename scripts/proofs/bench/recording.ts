/** Records the requests of both sides of cells: those to the API, and those that the API then sends to Elasticsearch. */
import { UserError } from '../../../src/terminal/program.ts';
import { ApiProcess } from '../../lib/programs.ts';
import type { SandboxEnvironment } from '../../lib/sandbox.ts';
import { makeTarget, sendAndRead, type Target } from './loadGenerator.ts';
import type { Cell } from './measure.ts';
import { type Recorder, type Request, startRecorder } from './recorder.ts';

async function searchesOf(target: Target, recorder: Recorder, request: Request): Promise<Request[]> {
  recorder.take();
  await sendAndRead(target, request);
  return recorder.take();
}

/** The API's search for each of these requests; repeated if the API also looked up data that it caches for some seconds. */
async function recordCell(api: ApiProcess, recorder: Recorder, requests: readonly Request[]): Promise<Request[]> {
  const target = makeTarget(api.url, requests, 1);
  const raw: Request[] = [];
  for (const request of requests) {
    const first = await searchesOf(target, recorder, request);
    const [sent, ...others] = first.length > 1 ? await searchesOf(target, recorder, request) : first;
    if (!sent || others.length) throw new UserError(`${request.path} became ${first.length} searches, not one.`);
    raw.push(sent);
  }
  target.agent.destroy();
  return raw;
}

/** @param env of an API that takes this address for Elasticsearch */
export async function recordCells(
  cells: readonly Omit<Cell, 'raw'>[],
  { elasticsearchUrl, env, signal }: { elasticsearchUrl: string; env: (url: string) => SandboxEnvironment; signal: AbortSignal },
): Promise<Cell[]> {
  const recorder = await startRecorder(elasticsearchUrl);
  let api: ApiProcess | undefined;
  try {
    api = await ApiProcess.start(env(recorder.url), signal);
    const recorded: Cell[] = [];
    for (const cell of cells) recorded.push({ ...cell, raw: await recordCell(api, recorder, cell.api) });
    return recorded;
  } finally {
    await api?.end();
    await recorder.close();
  }
}
