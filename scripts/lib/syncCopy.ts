/** A client's copy of a selection, kept by `GET /projects/sync`: it applies pages in their order and keeps the cursor of the next one. */

/** A record as the service delivers it. */
export type CopiedRecord = Record<string, unknown> & { id: number };

/** The body of a page of sync. */
export interface DeliveredPage {
  data: CopiedRecord[];
  meta: { creditsUsed: number; sync: { cursor: string; hasMore: boolean; removed: { id: number }[] } };
}

export interface CopyCounts {
  pages: number;
  records: number;
  removals: number;
  creditsUsed: number;
}

export class SyncCopy {
  readonly records = new Map<number, CopiedRecord>();
  cursor: string | undefined;
  readonly counts: CopyCounts = { pages: 0, records: 0, removals: 0, creditsUsed: 0 };

  pageParameters(filters: Readonly<Record<string, string>>, limit: number): Record<string, string> {
    return { ...filters, limit: String(limit), ...(this.cursor ? { cursor: this.cursor } : {}) };
  }

  /** Applies a page; a record that is removed and delivered in one page stays. @returns whether further pages follow */
  apply({ data, meta }: DeliveredPage): boolean {
    for (const { id } of meta.sync.removed) this.records.delete(id);
    for (const record of data) this.records.set(record.id, record);
    this.cursor = meta.sync.cursor;
    this.counts.pages += 1;
    this.counts.records += data.length;
    this.counts.removals += meta.sync.removed.length;
    this.counts.creditsUsed += meta.creditsUsed;
    return meta.sync.hasMore;
  }

  /** Replaces the copy with the records of a snapshot, and continues from its cursor. */
  begin(records: Iterable<CopiedRecord>, cursor: string, creditsUsed: number): void {
    this.clear();
    for (const record of records) this.records.set(record.id, record);
    this.cursor = cursor;
    this.counts.creditsUsed += creditsUsed;
  }

  /** Empties the copy: a walk from the beginning does not list earlier removals. */
  clear(): void {
    this.cursor = undefined;
    this.records.clear();
  }
}
