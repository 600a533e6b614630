import { CANONICAL } from '../../core/filter/names.ts';
import type { AiSearchPayload } from './types.ts';

/** Whether the question selects among ids of records that cost credits. Until they are paid for, nothing says how many of them match. */
export const asksOfIds = ({ filters, rate }: Pick<AiSearchPayload, 'filters' | 'rate'>): boolean =>
  rate > 0 && Object.keys(filters).some((name) => CANONICAL.get(name) === 'projectIds');
