/** Notes about a set of indices, stored in the mapping of its projects: the commit with which it was compared, and the version that made it. */
import type { Client } from '@elastic/elasticsearch';
import { SEARCHED_FIELDS } from '../../src/core/store/elastic/mappedFields.ts';

interface Notes {
  /** commit of the set with which its records were compared when it was loaded; null for the first set */
  base?: number | null;
  /** `SEARCHED_FIELDS` of the program that made it */
  fields?: string;
}

export class SetNotes {
  readonly #client: Client;
  readonly #index: string;

  /** @param index of the set's projects */
  constructor(client: Client, index: string) {
    this.#client = client;
    this.#index = index;
  }

  /** The notes of a new set. */
  static makeInitial(base: number | null): Notes {
    return { base, fields: SEARCHED_FIELDS };
  }

  /** Replaces the notes of a copy, which are those of its original. */
  async begin(base: number): Promise<void> {
    await this.#client.indices.putMapping({ index: this.#index, _meta: { ...SetNotes.makeInitial(base) } });
  }

  async readBase(): Promise<number | undefined> {
    return (await this.#read()).base ?? undefined;
  }

  async isOfThisVersion(): Promise<boolean> {
    return (await this.#read()).fields === SEARCHED_FIELDS;
  }

  async #read(): Promise<Notes> {
    const found = await this.#client.indices.getMapping({ index: this.#index, filter_path: '*.mappings._meta' });
    return (found[this.#index]?.mappings?._meta as Notes | undefined) ?? {};
  }
}
