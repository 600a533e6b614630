/** A list as answers show it. Pure. */

import type { Places } from '../../core/domain/places.ts';
import { restorableUntil } from '../../core/domain/restoring.ts';
import { mendStored } from '../../core/filter/stored.ts';
import { type Member, membersOf } from '../../core/identity/share.ts';
import { searchUrlOf } from '../../core/search/countUrl.ts';
import { criteriaOf } from './request.ts';
import type { StoredList } from './types.ts';

/** What reading all results would cost now. */
interface ListPrice {
  billable: { records: number; credits: number };
}

interface Services {
  /** root of the service, without a trailing slash */
  publicUrl: string;
  places: Places;
}

export type ListView = ReturnType<typeof listView>;

/** URL of the search for a list's criteria; null for a list of projects. */
export const searchUrlOfList = (list: StoredList, { publicUrl, places }: Services): string | null =>
  list.filters || list.polygon ? searchUrlOf(publicUrl, mendStored(criteriaOf(list), places)) : null;

/** The list as answers show it. @param results null when not priced */
export function listView(list: StoredList, roster: readonly Member[], results: ListPrice | null, services: Services) {
  const { id, name, description, kind, alertId, filters, polygon, columns, projectCount, share, createdBy } = list;
  return {
    id,
    name,
    description,
    kind,
    alertId,
    filters,
    polygon,
    columns,
    projectCount,
    createdBy,
    results,
    searchUrl: searchUrlOfList(list, services),
    share: { ...share, members: membersOf(share, createdBy, roster) },
    createdAt: list.createdAt.toISOString(),
    updatedAt: list.updatedAt.toISOString(),
    ...restorableUntil(list.deletedAt),
  };
}
