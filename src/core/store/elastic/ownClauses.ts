/** Replaces clauses of ours in what is sent to Elasticsearch. What they select by is read when it is sent, so that compiling filters stays pure. */
import type { Clause } from '../../query/clauses.ts';
import { UNDER_RESTRICTION, type UnderRestriction } from '../../query/restrictions.ts';

/** Makes the clause that Elasticsearch knows. */
export type ExpandClause = (asked: UnderRestriction) => Promise<Clause>;

/** The clause in JSON. No text of a client contains it: there its quotes are escaped. */
const IN_JSON = new RegExp(`\\{"${UNDER_RESTRICTION}":(\\{[^{}]*\\})\\}`, 'g');

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Whether a clause of ours is anywhere in a body. Lists of plain values, which may be long, are not looked through. */
function hasOwnClause(value: unknown): boolean {
  if (!isObject(value)) return false;
  if (UNDER_RESTRICTION in value) return true;
  return Array.isArray(value) && !isObject(value[0]) ? false : Object.values(value).some(hasOwnClause);
}

async function expandText(text: string, expand: ExpandClause): Promise<string> {
  const found = [...text.matchAll(IN_JSON)];
  const made = await Promise.all(found.map(async ([, asked]) => JSON.stringify(await expand(JSON.parse(asked as string)))));
  return made.length ? text.replace(IN_JSON, () => made.shift() as string) : text;
}

/** A body: an object, its JSON, or several of either. Its own clauses are replaced; it is the same body where it has none. @throws ApiError `service_unavailable` */
export async function expandBody<T>(body: T, expand: ExpandClause): Promise<T> {
  if (Array.isArray(body)) return (await Promise.all(body.map((line) => expandBody(line, expand)))) as T;
  if (typeof body === 'string') return (await expandText(body, expand)) as T;
  return hasOwnClause(body) ? JSON.parse(await expandText(JSON.stringify(body), expand)) : body;
}
