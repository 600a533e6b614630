/** Questions to the AI search, from the tab Ask and from the start of the map. */
import { randomKey } from '../../../clients/client/transport.ts';
import { call } from './api.ts';
import { toFilters } from './state.ts';

/** Answers of a question unless another number is chosen. */
export const USUAL_LIMIT = 10;

/** Submits a question; a repeated request is charged once. @returns its id */
export async function submitQuestion(asked: { query: string; filters: Readonly<Record<string, string>>; limit: number }): Promise<string> {
  const body = { ...asked, filters: toFilters(asked.filters), notify: { email: false } };
  return (await call('createAiSearch', { body }, { idempotencyKey: randomKey() })).data.id;
}
