import type { Client } from '@elastic/elasticsearch';
import { answerable } from './client.ts';
import type { IndexNames } from './indices.ts';

/** What readers see now, named: another text after every load, switch and rollback. */
export class ServedVersion {
  readonly #client: Client;
  readonly #alias: string;

  constructor(client: Client, names: IndexNames) {
    this.#client = client;
    this.#alias = names.served('projects');
  }

  /** The served index with the filter of its alias, which says what is committed. @throws ApiError `search_unavailable` */
  async current(signal: AbortSignal | undefined): Promise<string> {
    try {
      return JSON.stringify(await this.#client.indices.getAlias({ name: this.#alias }, signal ? { signal } : {}));
    } catch (error) {
      throw answerable(error);
    }
  }
}
