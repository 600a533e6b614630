/** Copies against the truth. Pure. */
import { isDeepStrictEqual } from 'node:util';
import type { Record_ } from './copy.ts';

export type Records = ReadonlyMap<number, Record_>;

export interface Difference {
  client: string;
  id: number;
  kind: 'missing' | 'stale';
  /** what is wrong, in words */
  what: string;
}

/** Fields of a copy that say how its own pool stands, not of the record. */
const OWN = new Set(['delivery']);

/** Records of the truth that the copy lacks are missing; ones that it has besides, or in another state, are stale. */
export function differences(client: string, copy: Records, truth: Records): Difference[] {
  const found: Difference[] = [];
  for (const [id, record] of truth) {
    const held = copy.get(id);
    if (!held) {
      found.push({ client, id, kind: 'missing', what: `not in the copy; changed ${record.lastUpdated}` });
      continue;
    }
    const fields = [...new Set([...Object.keys(held), ...Object.keys(record)])].filter(
      (field) => !OWN.has(field) && !isDeepStrictEqual(held[field], record[field]),
    );
    if (fields.length) found.push({ client, id, kind: 'stale', what: fieldsText(fields, held, record) });
  }
  for (const [id, held] of copy)
    if (!truth.has(id)) found.push({ client, id, kind: 'stale', what: `still in the copy, as changed ${held.lastUpdated}` });
  return found;
}

const fieldsText = (fields: readonly string[], held: Record_, record: Record_) =>
  fields
    .slice(0, 4)
    .map((field) => `${field} ${JSON.stringify(held[field])} instead of ${JSON.stringify(record[field])}`)
    .join(', ');

/** Spoils a copy in each way there is and expects `differences` to report it. @throws Error when one goes unseen */
export function selfCheck(copy: Records): number {
  const [first] = copy.values();
  if (!first) return 0;
  const spoilt: Map<number, Record_>[] = [];
  for (const field of Object.keys(first)) if (!OWN.has(field)) spoilt.push(new Map(copy).set(first.id, { ...first, [field]: 'spoilt' }));
  const without = new Map(copy);
  without.delete(first.id);
  spoilt.push(without, new Map(copy).set(-1, { ...first, id: -1 }));
  for (const one of spoilt) if (differences('', one, copy).length !== 1) throw new Error('The comparison does not see a spoilt copy');
  return spoilt.length;
}
