/** Several processes that serve the API behind one port, as one service: they are started, replaced and stopped together. */
import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { findPort } from '../../http/listeners.ts';
import { readTogether } from './allMetrics.ts';
import { CHILD, type ChildMessage } from './child.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const PROGRAM = path.join(ROOT, 'scripts/run.mjs');
/** A process that ended is replaced after the first wait, then after twice that, and so on. */
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 10_000;
/** One that served for so long is replaced after the first wait again. */
const SETTLED_MS = 60_000;

/** Serves until a signal. @throws Error with the first reason for which a process cannot serve at the start */
export async function serveInProcesses(config: Config, log: Logger): Promise<void> {
  const port = await findPort(config.port, config.host ?? undefined);
  const count = Math.min(config.apiProcesses, config.databaseConnections);
  const children = Array.from({ length: count }, (_, place) => new ServingChild(settingsOf(config, port, count, place), log));
  const stopping = new AbortController();
  const stop = (signal: NodeJS.Signals) => {
    if (stopping.signal.aborted) return; // Ctrl-C arrives twice, from the terminal and from npm
    stopping.abort();
    for (const child of children) child.stop(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  const ended = Promise.all(children.map((child) => child.ended));
  try {
    await Promise.all(children.map((child) => child.start()));
    const metrics = await readTogether(config, children);
    void ended.then(() => metrics?.close());
    if (metrics) log.info(`Metrics at http://${config.metricsAddress?.host}:${metrics.port}/metrics`);
  } catch (error) {
    const isMeant = stopping.signal.aborted;
    stop('SIGINT');
    await ended;
    if (!isMeant) throw error;
    process.exitCode = 1;
    return;
  }
  log.info(`Serving ${config.publicUrl}/v1 on port ${port} in ${count} processes`);
}

/** Settings of one of the processes: the common port, and its part of the connections. */
function settingsOf({ databaseConnections: all }: Config, port: number, count: number, place: number): Record<string, string> {
  const connections = Math.floor(all / count) + (place < all % count ? 1 : 0);
  return { PORT: String(port), DATABASE_CONNECTIONS: String(connections), API_PROCESSES: '1' };
}

/** A process that serves, and its successors. */
export class ServingChild {
  readonly #settings: Record<string, string>;
  readonly #log: Logger;
  readonly #stopping = new AbortController();
  readonly #end = Promise.withResolvers<void>();
  #process: ChildProcess | undefined;
  #isServing = false;
  #servingSince = 0;
  #waitMs = FIRST_WAIT_MS;

  constructor(settings: Record<string, string>, log: Logger) {
    this.#settings = settings;
    this.#log = log;
  }

  /** Resolves when it has ended for good. */
  readonly ended = this.#end.promise;

  /** The process, while it serves. */
  get serving(): ChildProcess | undefined {
    return this.#isServing ? this.#process : undefined;
  }

  /** Resolves when it serves. @throws Error that says why it cannot */
  async start(): Promise<void> {
    const child = fork(PROGRAM, ['src/main.ts', CHILD], {
      env: { ...process.env, ...this.#settings },
      serialization: 'advanced', // metrics may be infinite
    });
    this.#process = child;
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    let problem = 'A process of the API ended before it served';
    const isServing = await new Promise<boolean>((resolve) => {
      child.on('message', (message: ChildMessage) => {
        if (message.is === 'failed') problem = message.message;
        if (message.is === 'serving') resolve(true);
      });
      void exited.then(() => resolve(false));
    });
    if (!isServing) {
      if (this.#stopping.signal.aborted) this.#end.resolve();
      throw new Error(problem);
    }
    this.#isServing = true;
    this.#servingSince = performance.now();
    void exited.then(() => this.#replace());
  }

  async #replace(): Promise<void> {
    this.#isServing = false;
    if (performance.now() - this.#servingSince > SETTLED_MS) this.#waitMs = FIRST_WAIT_MS;
    while (!this.#stopping.signal.aborted) {
      const { exitCode, signalCode } = this.#process ?? {};
      this.#log.error({ exitCode, signal: signalCode, waitMs: this.#waitMs }, 'A process of the API ended; it is replaced');
      await sleep(this.#waitMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      if (this.#stopping.signal.aborted) break;
      this.#waitMs = Math.min(2 * this.#waitMs, LONGEST_WAIT_MS);
      const problem = await this.start().catch((error: Error) => error);
      if (!problem) return;
      this.#log.error({ err: problem }, 'A process of the API cannot serve');
    }
    this.#end.resolve();
  }

  /** Passes the signal on; from now on the process is not replaced. */
  stop(signal: NodeJS.Signals): void {
    this.#stopping.abort();
    const isGone = !this.#process || this.#process.exitCode !== null || this.#process.signalCode !== null;
    if (!isGone) this.#process?.kill(signal);
    else if (!this.#isServing) this.#end.resolve();
  }
}
