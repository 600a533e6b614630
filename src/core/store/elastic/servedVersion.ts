import type { Client } from '@elastic/elasticsearch';
import { limitToDeadline } from './client.ts';
import type { IndexNames } from './indices.ts';

/** Identifies what readers see now: differs after every load, switch and rollback. */
export class ServedVersion {
  readonly #client: Client;
  readonly #alias: string;
  readonly #timeoutMs: number;

  constructor(client: Client, names: IndexNames, timeoutMs: number) {
    this.#client = client;
    this.#alias = names.readAlias('projects');
    this.#timeoutMs = timeoutMs;
  }

  /**
   * The served index and its alias filter, which defines the commit.
   * @throws ApiError `search_unavailable`
   */
  async current(signal: AbortSignal | undefined): Promise<string> {
    const ask = (options: object) => this.#client.indices.getAlias({ name: this.#alias }, options);
    return JSON.stringify(await limitToDeadline(ask, this.#timeoutMs, signal));
  }
}
