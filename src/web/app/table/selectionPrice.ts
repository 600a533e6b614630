/** The price of the selected records, by a count of their ids. */
import type { CountPrice } from '../shared/answers.ts';
import { ask } from '../shared/api.ts';
import { queryOf } from '../shared/state.ts';

/** Most ids of a count, an export or a look-up. */
export const SELECTION_MAX = 100;

/** @param include `contacts` prices what a look-up of their contacts costs, too */
export async function askPrice(ids: readonly number[], signal: AbortSignal, include: 'contacts' | null = null): Promise<CountPrice> {
  const query = queryOf({ projectIds: ids.join(), include });
  return (await ask(`/projects/count${query}`, { signal })).data;
}
