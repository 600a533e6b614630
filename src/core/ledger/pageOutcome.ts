/** A page to be delivered to a pool, and the outcome. */

import type { FetchedProject } from '../domain/record/represent.ts';
import { revisionHash } from '../domain/record/revisionHash.ts';
import { type ServedItem, toServedItem } from '../domain/record/servedItem.ts';

export interface PageItem extends ServedItem {
  /** signed 64-bit hash of (id, revision), as decimal text */
  revisionHash: string;
}

/** A project as a delivery to a pool records it. */
export function toPageItem(project: FetchedProject): PageItem {
  const item = toServedItem(project);
  return { ...item, revisionHash: revisionHash(item.id, item.revision) };
}

export interface PageTerms {
  /** credits for each new or changed record */
  rate: number;
  /** true cuts the page to what the balance pays for; false refuses it */
  truncate: boolean;
}

export interface PageOutcome {
  outcome: 'delivered' | 'insufficient' | 'exhausted';
  /** the balance after the page */
  balance: number;
  /** credits charged for the page, or for its delivered beginning */
  cost: number;
  /** number of records delivered, from the beginning of the page */
  served: number;
  /** number of records that the balance can pay for, from the beginning of the page */
  affordable: number;
  /** for each record, the revision that the pool held before, and when it was last delivered */
  knownRevisions: (string | null)[];
  lastDeliveries: (Date | null)[];
  /** for each record, its credits */
  costs: number[];
}
