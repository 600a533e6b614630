/**
 * The names that sync and alerts read. An index loaded by an earlier version has no aliases for them; they then read the served set, which
 * in that version is always the same.
 */
import type { Client } from '@elastic/elasticsearch';
import { ApiError } from '../../domain/errors.ts';
import { asSearchError, ONE_RETRY } from './client.ts';
import { IndexNames, type Kind } from './indices.ts';

const STATUS_ABSENT = 404;

/** Index names for stores that read what sync shows: `readAlias` names the synced set. */
export class SyncedNames extends IndexNames {
  /** whether the aliases of sync exist; undefined until it is looked up */
  #areThere: boolean | undefined;

  override readAlias(kind: Kind): string {
    return this.#areThere ? this.syncedAlias(kind) : super.readAlias(kind);
  }

  /**
   * Runs reads by these names, and repeats them if the aliases were created or removed meanwhile, since the served set may differ from the
   * synced one.
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
      return await client.indices.existsAlias({ name: this.syncedAlias('projects') }, ONE_RETRY);
    } catch (error) {
      throw asSearchError(error);
    }
  }
}

const isAbsent = (error: unknown) =>
  error instanceof ApiError && (error.cause as { statusCode?: number } | undefined)?.statusCode === STATUS_ABSENT;
