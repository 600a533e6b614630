/** API processes on the same backends, of which one after the other is restarted, in order or by a kill. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Api } from '../lib/programs.ts';
import type { Environment } from '../lib/sandbox.ts';
import type { Random } from '../sample/random.ts';

/** As long as a killed Elasticsearch node may take to come back on a busy machine. */
const READY_AFTER_OUTAGE_MS = 240_000;
const RESTART_EVERY_MS = { least: 4_000, most: 25_000 };

export class Apis {
  readonly counts = { restarts: 0, kills: 0 };
  readonly #apis: Api[] = [];

  /** One process for each environment. @param outages true where servers that they need are killed */
  static async start(environments: readonly Environment[], outages: boolean, signal: AbortSignal): Promise<Apis> {
    const apis = new Apis();
    const options = outages ? { readyMs: READY_AFTER_OUTAGE_MS } : {};
    try {
      for (const environment of environments) apis.#apis.push(await Api.start(environment, signal, options));
      return apis;
    } catch (error) {
      await apis.stop();
      throw error;
    }
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
    await Promise.all(this.#apis.map((api) => api.end()));
  }
}
