/** Calls operations of the API, and reads files of this origin, with the reader's key. */
import { type Answer, type Input, type OperationId, prepare } from '../../../clients/client/prepare.ts';
import { type CallOptions as ClientOptions, type Prepared, randomKey, sleep } from '../../../clients/client/transport.ts';
import { storedKey } from '../../shared/storedKey.ts';
import { saveFile } from './files.ts';
import { FailedRequest, noAnswer } from './problems.ts';
import { settings } from './settings.ts';

export interface SendOptions extends Pick<ClientOptions, 'idempotencyKey' | 'maxCredits' | 'signal'> {
  key?: string | null;
}

type SentRequest = Pick<Prepared, 'path'> & Partial<Prepared>;

/** A function that takes what is reported, and one that reports it to all that observe. */
function makeObservers<Args extends unknown[]>() {
  const observers = new Set<(...args: Args) => void>();
  /** @returns a function that stops this */
  const observe = (observer: (...args: Args) => void): (() => void) => {
    observers.add(observer);
    return () => void observers.delete(observer);
  };
  const report = (...args: Args) => {
    for (const observer of observers) observer(...args);
  };
  return [observe, report] as const;
}

/** The time (milliseconds since 1970) until which a request waits for the key's allowance. */
const [observeWaits, reportWait] = makeObservers<[until: number]>();
/** What each answer says of the key's allowance of requests. */
const [observeAllowance, reportAllowance] = makeObservers<[left: number, resetsAfterSeconds: number]>();
/** Every refused request: its path from the root of this origin, and why. */
const [observeRefusals, reportRefusal] = makeObservers<[path: string, problem: FailedRequest]>();

export { observeAllowance, observeRefusals, observeWaits };

/** The header is that of draft-ietf-httpapi-ratelimit-headers; routes with an allowance of their own name another policy. */
function readAllowance({ headers }: Response): void {
  const [, left, seconds] = /^"key";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? [];
  if (left !== undefined) reportAllowance(Number(left), Number(seconds));
}

/** Whether the answer of a request can be lost after it was charged. */
const maySpend = ({ idempotencyKey, maxCredits }: SendOptions) => idempotencyKey !== undefined && maxCredits !== 0;

async function problemOf(response: Response, options: SendOptions): Promise<FailedRequest> {
  const body = await response.json().catch(() => null);
  const error = body?.error;
  if (!error) return noAnswer(maySpend(options), response.status);
  return new FailedRequest({
    ...error,
    remedy: settings.remedies[error.code] ?? '',
    status: response.status,
    waitSeconds: Number(response.headers.get('retry-after') ?? 0),
  });
}

async function sendOnce({ path, method = 'GET', headers, body }: SentRequest, options: SendOptions): Promise<Response> {
  const { key = storedKey(), signal = null } = options;
  let response: Response;
  try {
    response = await fetch(path, { method, headers: { Authorization: `Bearer ${key}`, ...headers }, body: body ?? null, signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw noAnswer(maySpend(options));
  }
  readAllowance(response);
  if (response.ok) return response;
  const problem = await problemOf(response, options);
  reportRefusal(path, problem);
  throw problem;
}

/** A longer wait is reported as an error. */
const WAIT_MAX_SECONDS = 65;

/** Sends a request. One that exceeded the allowance had no effect: it is repeated when there is room, and the page counts down the seconds. */
async function send(request: SentRequest, options: SendOptions): Promise<Response> {
  for (;;) {
    try {
      return await sendOnce(request, options);
    } catch (error) {
      const seconds = error instanceof FailedRequest && error.code === 'rate_limit_exceeded' ? error.waitSeconds : 0;
      if (seconds <= 0 || seconds > WAIT_MAX_SECONDS) throw error;
      reportWait(Date.now() + seconds * 1000);
      await sleep(seconds * 1000, options.signal);
    }
  }
}

/** Calls an operation. Path values, query parameters and `body` are in one object. @throws FailedRequest, and the reason of the signal */
export async function call<Id extends OperationId>(id: Id, input: Input<Id>, options: SendOptions = {}): Promise<Answer<Id>> {
  const response = await send(prepare(id, input as Record<string, unknown>, options), options);
  try {
    return await response.json();
  } catch (error) {
    // A body that breaks off is a TypeError.
    if (options.signal?.aborted || !(error instanceof TypeError)) throw error;
    throw noAnswer(maySpend(options));
  }
}

const KEPT_MS = 60_000;
const KEPT_MAX = 50;
const keptAnswers = new Map<string, { until: number; answer: unknown }>();

/** Calls an operation that reads, or returns an answer cached for up to a minute, so that going back and forth does not use the allowance. */
export async function callCached<Id extends OperationId>(id: Id, input: Input<Id>, options?: SendOptions): Promise<Answer<Id>> {
  const { path, body = '' } = prepare(id, input as Record<string, unknown>);
  const asked = `${path} ${body}`;
  const kept = keptAnswers.get(asked);
  if (kept && kept.until > Date.now()) return kept.answer as Answer<Id>;
  const answer = await call(id, input, options);
  keptAnswers.delete(asked);
  keptAnswers.set(asked, { until: Date.now() + KEPT_MS, answer });
  for (const oldest of [...keptAnswers.keys()].slice(0, -KEPT_MAX)) keptAnswers.delete(oldest);
  return answer;
}

/** Clears cached answers, which differ after a purchase and for another key. */
export const forgetAnswers = () => keptAnswers.clear();

/** Reads a JSON file of this origin. @param path from its root */
export const readFile = async <T>(path: string, signal?: AbortSignal): Promise<T> =>
  (await send({ path }, signal ? { signal } : {})).json();

/** A reader of a file that never changes under its name: it is read once, and again after a failure. */
export function onceRead<T>(path: string): () => Promise<T> {
  let read: Promise<T> | undefined;
  return () => {
    read ??= readFile<T>(path);
    read.catch(() => {
      read = undefined;
    });
    return read;
  };
}

/** Calls an operation that answers a file, and saves it. @param name unless the answer names the file */
export async function download<Id extends OperationId>(id: Id, input: Input<Id>, name: string): Promise<void> {
  const { path } = prepare(id, input as Record<string, unknown>);
  const response = await send({ path }, {});
  const [, named = name] = /filename="?([^";]+)/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  saveFile(await response.blob(), named);
}

/** Options of a call that may spend: it is charged once, and refused where it costs more than the reader was told. */
export const spend = (maxCredits: number) => ({ idempotencyKey: randomKey(), maxCredits });
