/** Saved lists: of projects named one by one, or of criteria that are searched when they are wanted (src/docs/lists.md). Pure. */
import type { Share } from '../../core/identity/share.ts';

export const LISTS_MAX = 1_000;
export const LIST_PROJECTS_MAX = 10_000;

/** membership: project ids; filter, polygon: criteria; alert: what its alert has matched. */
export const LIST_KINDS = ['membership', 'filter', 'polygon', 'alert'] as const;
export type ListKind = (typeof LIST_KINDS)[number];

/** A list as it is stored. */
export interface StoredList {
  id: string;
  kind: ListKind;
  name: string;
  description: string | null;
  alertId: string | null;
  /** as they were sent, `sort` and `order` among them */
  filters: Readonly<Record<string, unknown>> | null;
  /** vertices, each longitude and latitude in degrees */
  polygon: readonly (readonly number[])[] | null;
  share: Share;
  createdBy: number;
  createdAt: Date;
  updatedAt: Date;
  /** projects of a list that names them; null for criteria */
  projectCount: number | null;
}
