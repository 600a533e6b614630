/** Compares copies with what they should hold. Pure. */
import { isDeepStrictEqual } from 'node:util';
import type { CopiedRecord } from '../../lib/syncCopy.ts';

export type CopiedRecords = ReadonlyMap<number, CopiedRecord>;

export interface CopyDifference {
  /** name of the owner of the copy */
  client: string;
  id: number;
  kind: 'missing' | 'stale';
  /** what is wrong, in words */
  what: string;
}

/** Fields about the pool of the copy's owner, not about the record. */
const OWN = new Set(['delivery']);
const FIELDS_SHOWN = 4;

/** Differences of a copy: records that it lacks are missing; records that it has in addition, or in another state, are stale. */
export function findDifferences(client: string, copy: CopiedRecords, truth: CopiedRecords): CopyDifference[] {
  const found: CopyDifference[] = [];
  for (const [id, record] of truth) {
    const held = copy.get(id);
    if (!held) {
      found.push({ client, id, kind: 'missing', what: `not in the copy; changed ${record.lastUpdated}` });
      continue;
    }
    const fields = [...new Set([...Object.keys(held), ...Object.keys(record)])].filter(
      (field) => !OWN.has(field) && !isDeepStrictEqual(held[field], record[field]),
    );
    if (fields.length) found.push({ client, id, kind: 'stale', what: describeFields(fields, held, record) });
  }
  for (const [id, held] of copy)
    if (!truth.has(id)) found.push({ client, id, kind: 'stale', what: `still in the copy, as changed ${held.lastUpdated}` });
  return found;
}

const describeFields = (fields: readonly string[], held: CopiedRecord, record: CopiedRecord) =>
  fields
    .slice(0, FIELDS_SHOWN)
    .map((field) => `${field} ${JSON.stringify(held[field])} instead of ${JSON.stringify(record[field])}`)
    .join(', ');

/** Spoils a copy in every possible way and checks that `findDifferences` reports it. @throws Error if it does not */
export function checkDetection(copy: CopiedRecords): number {
  const [first] = copy.values();
  if (!first) return 0;
  const spoilt: Map<number, CopiedRecord>[] = [];
  for (const field of Object.keys(first)) if (!OWN.has(field)) spoilt.push(new Map(copy).set(first.id, { ...first, [field]: 'spoilt' }));
  const without = new Map(copy);
  without.delete(first.id);
  spoilt.push(without, new Map(copy).set(-1, { ...first, id: -1 }));
  for (const one of spoilt) if (findDifferences('', one, copy).length !== 1) throw new Error('The comparison does not see a spoilt copy');
  return spoilt.length;
}
