/** What the ledger needs to know of a record to charge for it. Pure. */

import type { FetchedProject } from './represent.ts';
import { revisionHash } from './revisionHash.ts';

export interface ServedItem {
  id: number;
  revision: string;
  /** revisions that were served before this one: who is delivered it pays for none of them, where a rollback serves them again */
  supersedes?: readonly string[];
}

export const toServedItem = ({ id, contentRevision: revision, servedRevisions, supersedes }: FetchedProject): ServedItem => ({
  id,
  revision,
  supersedes: supersedes ?? listSuperseded(revision, servedRevisions),
});

/**
 * The revisions that were served before another one was for the first time. A record that is served again after a rollback remembers later ones, too.
 * @param served in the order in which they first were; without the given one if it never was
 */
export function listSuperseded(revision: string, served: readonly string[] = []): readonly string[] {
  const first = served.indexOf(revision);
  return first < 0 ? served : served.slice(0, first);
}

/** Hashes of the superseded revisions, as the text of a list in Postgres; null for none. */
export function supersededHashes({ id, supersedes = [] }: ServedItem): string | null {
  return supersedes.length ? `{${supersedes.map((name) => revisionHash(id, name)).join()}}` : null;
}
