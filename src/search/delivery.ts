/**
 * The one function through which every served record passes on its way to a client: what the pool owns, what is billed, what is left.
 * Plans are not metered yet: nothing is charged, and `ledgerApplied` says so.
 */
import type { Principal } from '../domain/principal.ts';
import type { Delivery, FetchedProject } from '../domain/representation.ts';

export interface PageDelivery {
  /** one entry a record, in their order */
  deliveries: Delivery[];
  creditsUsed: number;
  creditsRemaining: number | null;
  meta: {
    mode: 'all' | 'new';
    notPreviouslyExported: number;
    previouslyExported: number;
    updatedSinceExport: number;
    billed: number;
    notRebilled: number;
    ledgerApplied: boolean;
  };
}

export async function deliver(_principal: Principal, records: readonly FetchedProject[]): Promise<PageDelivery> {
  return {
    deliveries: records.map(() => ({ alreadyExported: false, updatedSinceExport: null, lastExportedAt: null, billed: false })),
    creditsUsed: 0,
    creditsRemaining: null,
    meta: {
      mode: 'all',
      notPreviouslyExported: 0,
      previouslyExported: 0,
      updatedSinceExport: 0,
      billed: 0,
      notRebilled: 0,
      ledgerApplied: false,
    },
  };
}
