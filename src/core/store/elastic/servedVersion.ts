import type { Client } from '@elastic/elasticsearch';
import { limitToDeadline } from './client.ts';
import type { IndexNames } from './indices.ts';

/** What readers see now, named: another text after every load, switch and rollback. */
export class ServedVersion {
  readonly #client: Client;
  readonly #alias: string;
  readonly #timeoutMs: number;

  constructor(client: Client, names: IndexNames, timeoutMs: number) {
    this.#client = client;
    this.#alias = names.served('projects');
    this.#timeoutMs = timeoutMs;
  }

  /** The served index with the filter of its alias, which says what is committed. @throws ApiError `search_unavailable` */
  async current(signal: AbortSignal | undefined): Promise<string> {
    const ask = (options: object) => this.#client.indices.getAlias({ name: this.#alias }, options);
    return JSON.stringify(await limitToDeadline(ask, this.#timeoutMs, signal));
  }
}
