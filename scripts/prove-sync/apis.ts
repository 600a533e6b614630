/** Two API processes on the same backends. Each keeps its address through restarts, orderly ones and kills. */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../src/terminal/program.ts';
import type { Random } from '../sample/random.ts';
import { freePort, HOST } from '../stack/ports.ts';

export const root = path.resolve(import.meta.dirname, '../..');
const READY_MS = 120_000;
/** As long as a killed Elasticsearch node may take to come back on a busy machine. */
const READY_AFTER_OUTAGE_MS = 240_000;
const POLL_MS = 50;
const PROBE_MS = 5_000;
const RESTART_EVERY_MS = { least: 4_000, most: 25_000 };

export type Environment = Record<string, string>;

const NO_LIMIT = '1000000000';
const UNLIMITED: Environment = {
  RATE_LIMIT_PAID: NO_LIMIT,
  RATE_LIMIT_TRIAL: NO_LIMIT,
  RATE_LIMIT_ANONYMOUS: NO_LIMIT,
  RATE_LIMIT_REFUSED: NO_LIMIT,
  RATE_LIMIT_HEALTH: NO_LIMIT,
};

export interface ApiCounts {
  restarts: number;
  kills: number;
}

class Api {
  readonly url: string;
  readonly #env: Environment;
  readonly #readyMs: number;
  #child: ChildProcess | undefined;
  #problem = '';

  constructor(port: number, env: Environment, outages: boolean) {
    this.#readyMs = outages ? READY_AFTER_OUTAGE_MS : READY_MS;
    this.url = `http://${HOST}:${port}`;
    this.#env = {
      ...env,
      PORT: String(port),
      PUBLIC_URL: 'https://api.example.com',
      LOG_LEVEL: 'silent',
      SHUTDOWN_GRACE_MS: '0',
      ...UNLIMITED,
    };
  }

  /** Tries until it serves: a server that it needs may be away. */
  async start(signal: AbortSignal): Promise<void> {
    const until = Date.now() + this.#readyMs;
    let probe = '';
    while (Date.now() < until) {
      signal.throwIfAborted();
      if (!this.#runs()) this.#spawn();
      const health = await fetch(`${this.url}/health`, { signal: AbortSignal.timeout(PROBE_MS) }).catch((error: Error) => error);
      if (health instanceof Response && health.ok) return;
      probe = health instanceof Response ? `status ${health.status}` : String(health.cause ?? health);
      await sleep(POLL_MS);
    }
    throw new UserError(`An API process does not answer on ${this.url} (${probe}). ${this.#problem}`);
  }

  async end(how: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (!child || !this.#runs()) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(how);
    await gone;
  }

  #runs(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  #spawn(): void {
    const env = { PATH: process.env.PATH ?? '', ...this.#env };
    this.#child = spawn(process.execPath, ['src/main.ts'], { cwd: root, env, stdio: ['ignore', 'ignore', 'pipe'] });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#problem = text.trim().slice(0, 500);
    });
  }
}

export class Apis {
  readonly counts: ApiCounts = { restarts: 0, kills: 0 };
  readonly #apis: readonly Api[];

  private constructor(apis: readonly Api[]) {
    this.#apis = apis;
  }

  /** One process for each environment. @param outages true where servers that they need are killed */
  static async start(environments: readonly Environment[], outages: boolean, signal: AbortSignal): Promise<Apis> {
    const ports = new Set<number>();
    while (ports.size < environments.length) ports.add(await freePort());
    const apis = new Apis([...ports].map((port, at) => new Api(port, environments[at] as Environment, outages)));
    await Promise.all(apis.#apis.map((api) => api.start(signal))).catch(async (error) => {
      await apis.stop();
      throw error;
    });
    return apis;
  }

  get urls(): string[] {
    return this.#apis.map(({ url }) => url);
  }

  /** Restarts one process after the other, in order or by SIGKILL, until `until` aborts. */
  async disturb(random: Random, until: AbortSignal, signal: AbortSignal): Promise<void> {
    for (;;) {
      await sleep(random.int(RESTART_EVERY_MS.least, RESTART_EVERY_MS.most), undefined, { signal: until }).catch(() => undefined);
      if (until.aborted) return;
      const api = random.pick(this.#apis);
      const how = random.chance(0.5) ? 'SIGTERM' : 'SIGKILL';
      this.counts[how === 'SIGTERM' ? 'restarts' : 'kills'] += 1;
      await api.end(how);
      await api.start(signal);
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.#apis.map((api) => api.end('SIGTERM')));
  }
}
