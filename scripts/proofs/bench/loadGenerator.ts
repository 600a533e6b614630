/** The load generator: the same tight loop for both sides, over kept-alive connections. */
import { Agent, request as send } from 'node:http';

/** One request, ready to be sent as often as wanted. */
export interface Request {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** @param of path and query below `/v1` */
export const apiRequest = (of: string, key: string): Request => ({
  method: 'GET',
  path: `/v1${of}`,
  headers: { authorization: `Bearer ${key}` },
  body: '',
});

export interface Target {
  origin: URL;
  agent: Agent;
  /** rotated */
  requests: readonly Request[];
  /** whether answers are parsed; otherwise their bytes are read and dropped */
  parse: boolean;
  /** of the next request */
  cursor: number;
}

/** The results of one side, over all of its slices. */
export interface LoadTally {
  milliseconds: number[];
  seconds: number;
  bytes: number;
  failures: number;
  /** processor time of the generator itself */
  cpuMilliseconds: number;
}

export const newTally = (): LoadTally => ({ milliseconds: [], seconds: 0, bytes: 0, failures: 0, cpuMilliseconds: 0 });

export function makeTarget(url: string, requests: readonly Request[], concurrency: number, parse = false, cursor = 0): Target {
  return { origin: new URL(url), agent: new Agent({ keepAlive: true, maxSockets: concurrency }), requests, parse, cursor };
}

interface Answer {
  status: number;
  bytes: number;
  retryAfter: string | undefined;
  /** only where the target parses */
  body?: unknown;
  /** the text of an answer other than 200 */
  refusal?: string;
}

export function sendAndRead({ origin, agent, parse }: Target, { method, path, headers, body }: Request): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body ? { 'content-length': Buffer.byteLength(body) } : {};
    const outgoing = send(
      { agent, host: origin.hostname, port: origin.port, method, path, headers: { ...headers, ...length } },
      (answer) => {
        const chunks: Buffer[] = [];
        const { statusCode: status = 0 } = answer;
        let bytes = 0;
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (parse || status !== 200) chunks.push(chunk);
        });
        answer.on('error', reject);
        answer.on('end', () => {
          const read = Buffer.concat(chunks).toString('utf8');
          const parsed = parse ? { body: JSON.parse(read) } : {};
          const refused = status === 200 ? {} : { refusal: read };
          resolve({ status, bytes, retryAfter: answer.headers['retry-after'], ...parsed, ...refused });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body || undefined);
  });
}

/** Keeps `concurrency` requests in flight for a while and adds the results to the tally. */
export async function generateLoad(target: Target, concurrency: number, milliseconds: number, tally: LoadTally): Promise<void> {
  const cpuBefore = process.cpuUsage();
  const started = performance.now();
  const end = started + milliseconds;
  const worker = async () => {
    while (performance.now() < end) {
      const request = target.requests[target.cursor++ % target.requests.length] as Request;
      const sent = performance.now();
      const answer = await sendAndRead(target, request);
      tally.milliseconds.push(performance.now() - sent);
      tally.bytes += answer.bytes;
      if (answer.status !== 200) tally.failures += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  tally.seconds += (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  tally.cpuMilliseconds += (user + system) / 1000;
}
