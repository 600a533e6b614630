/** A page that is delivered to a pool, and what the ledger answers. */

/** A record as it is served. */
export interface ServedItem {
  id: number;
  revision: string;
}

export interface PageItem extends ServedItem {
  /** signed 64-bit number of (id, revision), as decimal text */
  revisionHash: string;
}

export interface PageTerms {
  /** credits for a new or changed record */
  rate: number;
  /** cut the page to what the balance pays for, in place of refusing it */
  truncate: boolean;
}

export interface PageOutcome {
  outcome: 'delivered' | 'insufficient' | 'exhausted';
  /** after the page */
  balance: number;
  /** credits of the page, or of its delivered beginning */
  cost: number;
  /** records of the page's beginning that were delivered */
  served: number;
  /** records of the page's beginning that the balance can pay for */
  affordable: number;
  /** what the pool held before, a record each: the revision, and when it was last delivered */
  knownRevisions: (string | null)[];
  lastDeliveries: (Date | null)[];
  /** credits, a record each */
  costs: number[];
}
