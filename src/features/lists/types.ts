/** Saved lists: of projects by their ids, or of criteria that are searched when the list is read (src/docs/lists.md). Pure. */
import type { FieldName } from '../../core/domain/record/fields.ts';
import type { PartyColumn } from '../../core/domain/record/nested.ts';
import type { Share } from '../../core/identity/share.ts';

/** membership: project ids; filter, polygon: criteria; alert: the matches of its alert. */
export type ListKind = 'membership' | 'filter' | 'polygon' | 'alert';

export interface StoredList {
  id: string;
  kind: ListKind;
  name: string;
  description: string | null;
  alertId: string | null;
  /** as sent, including `sort` and `order` */
  filters: Readonly<Record<string, unknown>> | null;
  /** vertices, each longitude and latitude in degrees */
  polygon: readonly (readonly number[])[] | null;
  /** names of the record's fields, in order, for a table that shows the list; null if nobody chose */
  columns: (FieldName | PartyColumn)[] | null;
  share: Share;
  createdBy: number;
  createdAt: Date;
  updatedAt: Date;
  /** null while it is kept */
  deletedAt: Date | null;
  /** null for a list of criteria */
  projectCount: number | null;
}
