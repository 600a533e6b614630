/** A record as the ledger is told of it. Pure. */

import type { FetchedProject } from './represent.ts';
import { revisionHash } from './revisionHash.ts';
import type { EarlierRevision } from './storedProject.ts';

export interface ServedItem {
  id: number;
  revision: string;
  /** revisions that were served before this one: who is delivered it pays for none of them, where a rollback serves them again */
  supersedes?: readonly string[];
}

export const toServedItem = ({ id, contentRevision: revision, earlierRevisions = [], supersedes }: FetchedProject): ServedItem => ({
  id,
  revision,
  supersedes: supersedes ?? supersededBy(revision, earlierRevisions),
});

/**
 * The revisions that were served before another one was for the first time. A record that was served again after a rollback remembers later ones, too.
 * @param earlier replaced revisions, oldest first
 */
export function supersededBy(revision: string, earlier: readonly Pick<EarlierRevision, 'revision'>[]): string[] {
  const names = earlier.map((one) => one.revision);
  const first = names.indexOf(revision);
  return [...new Set(first < 0 ? names : names.slice(0, first))];
}

/** Hashes of the superseded revisions, as the text of a list in Postgres; null for none. */
export function supersededHashes({ id, supersedes = [] }: ServedItem): string | null {
  return supersedes.length ? `{${supersedes.map((name) => revisionHash(id, name)).join()}}` : null;
}
