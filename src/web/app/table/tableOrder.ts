/** The order of the table, by the API's own values of `sort` and `order`. Pure. */
import type { PageState } from '../shared/state.ts';
import type { RecordFields } from './recordFields.ts';

type Direction = 'asc' | 'desc';

export interface TableOrder {
  field: string;
  direction: Direction;
  /** Whether the API orders by a field. */
  canSort: (name: string) => boolean;
  /** Orders by a field: descending first, then ascending, then the default order. */
  toggle: (name: string) => void;
}

const USUAL_FIELD = 'meetingDate';

/** @param change called with the next values of `sort` and `order`; null for the usual ones */
export function tableOrder(
  { sorts }: RecordFields,
  { sort, order }: Pick<PageState, 'sort' | 'order'>,
  change: (next: Pick<PageState, 'sort' | 'order'>) => void,
): TableOrder {
  const known = sorts[sort ?? USUAL_FIELD];
  const field = known?.field ?? USUAL_FIELD;
  const direction: Direction = known?.direction ?? (order === 'asc' ? 'asc' : 'desc');
  const sortable = new Set(Object.values(sorts).map((one) => one.field));
  return {
    field,
    direction,
    canSort: (name) => sortable.has(name),
    toggle: (name) => {
      if (name !== field) change({ sort: name, order: null });
      else if (direction === 'desc') change({ sort: name, order: 'asc' });
      else change({ sort: null, order: null });
    },
  };
}
