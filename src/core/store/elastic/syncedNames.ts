/**
 * What sync and alerts read. Where a loader of an earlier version loaded the index, which knows of no aliases for them, they read what is
 * served: there sync and searches have never shown two states.
 */
import type { Client } from '@elastic/elasticsearch';
import { ApiError } from '../../domain/errors.ts';
import { answerable, ONE_RETRY } from './client.ts';
import { IndexNames, type Kind } from './indices.ts';

const STATUS_ABSENT = 404;

/** Names for stores that read what sync shows: to them it is what is served. */
export class SyncedNames extends IndexNames {
  /** undefined until it is looked up */
  #areThere: boolean | undefined;

  override served(kind: Kind): string {
    return this.#areThere ? this.synced(kind) : super.served(kind);
  }

  /**
   * Reads by these names, and again where the aliases came or went meanwhile: what was served by then need not be what sync shows.
   * @throws ApiError as `work` does, `search_unavailable`
   */
  override async read<T>(client: Client, work: () => Promise<T>): Promise<T> {
    this.#areThere ??= await this.#look(client);
    if (this.#areThere) {
      try {
        return await work();
      } catch (error) {
        if (!isAbsent(error)) throw error;
        this.#areThere = false;
      }
    }
    const found = await work().then(
      (value) => () => value,
      (error) => () => {
        throw error;
      },
    );
    this.#areThere = await this.#look(client);
    return this.#areThere ? work() : found();
  }

  async #look(client: Client): Promise<boolean> {
    try {
      return await client.indices.existsAlias({ name: this.synced('projects') }, ONE_RETRY);
    } catch (error) {
      throw answerable(error);
    }
  }
}

const isAbsent = (error: unknown) =>
  error instanceof ApiError && (error.cause as { statusCode?: number } | undefined)?.statusCode === STATUS_ABSENT;
