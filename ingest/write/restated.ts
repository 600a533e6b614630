/** Records that an increment states exactly as they are served: they are not written again, so that a load costs what it changes. */
import { isDeepStrictEqual } from 'node:util';
import type { Kind } from '../../src/store/elastic/indices.ts';
import type { StoredVersion } from '../sets/versions.ts';

/** Keys remembered, so that memory is bounded; a record beyond that is written like a changed one. */
const REMEMBERED_MAX = 200_000;

const withoutLoad = <T extends StoredVersion>({ loadedIn: _, ...rest }: T) => rest;

export class RestatedRecords {
  /** keys that stay as they are; remembered to find out a file that states one of them twice */
  readonly keys: Record<Exclude<Kind, 'removals'>, Set<string>> = { projects: new Set(), documents: new Set(), contacts: new Set() };
  /** keys that were restated more than once */
  readonly twice: string[] = [];

  readonly #enabled: boolean;

  /** @param enabled false where records have to be written again, to get fields that they lack */
  constructor(enabled: boolean) {
    this.#enabled = enabled;
  }

  /** True where the stated version is the one that is there, so that nothing has to be written. */
  keeps(kind: keyof RestatedRecords['keys'], stated: StoredVersion, before: StoredVersion): boolean {
    const keys = this.keys[kind];
    if (!this.#enabled || keys.size >= REMEMBERED_MAX || !isDeepStrictEqual(withoutLoad(stated), withoutLoad(before))) return false;
    if (keys.has(stated.key)) this.twice.push(stated.key);
    keys.add(stated.key);
    return true;
  }
}
