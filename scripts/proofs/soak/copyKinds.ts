/** The kinds of customers who keep copies, and the comparison of their copies with the index. */

import type { LicencePlaces, PlanId } from '../../../src/core/domain/plans.ts';
import type { ProjectContent } from '../../../src/core/domain/record/storedProject.ts';
import type { Elastic } from '../../lib/sandbox.ts';
import type { CopiedRecord } from '../../lib/syncCopy.ts';
import { type CopiedRecords, type CopyDifference, findDifferences } from './compare.ts';

/** A record as the index holds it, its parts in one object. */
type IndexedRecord = Record<string, unknown>;

export interface CopyKind {
  name: string;
  plan: PlanId;
  licence?: LicencePlaces;
  /** whether it shares the pool of the first customer */
  sharesPool?: boolean;
  parameters: Record<string, string>;
  /** the same filters, implemented without code of the product */
  selects: (record: IndexedRecord) => boolean;
}

const COLORADO = 8;
const RING = [
  [-105.4, 39.9],
  [-105.1, 39.9],
  [-105.1, 40.1],
  [-105.4, 40.1],
  [-105.4, 39.9],
];
const isDevelopment = ({ propertyType }: IndexedRecord) => propertyType !== 'govt_decisions';

function isInRing({ latitude, longitude }: IndexedRecord): boolean {
  return Number(latitude) > 39.9 && Number(latitude) < 40.1 && Number(longitude) > -105.4 && Number(longitude) < -105.1;
}

export const COPY_KINDS: readonly CopyKind[] = [
  {
    name: 'everything, full, metered',
    plan: 'api_only',
    parameters: { dateRange: 'all', includeGovernmentDecisions: 'true', representation: 'full' },
    selects: () => true,
  },
  {
    name: 'one state, standard, metered',
    plan: 'api_only',
    parameters: { dateRange: 'all', states: 'CO', representation: 'standard' },
    selects: (record) => record.state === 'CO' && isDevelopment(record),
  },
  {
    name: 'a polygon, compact',
    plan: 'national',
    parameters: { dateRange: 'all', polygon: JSON.stringify(RING), representation: 'compact' },
    selects: (record) => isInRing(record) && isDevelopment(record),
  },
  {
    name: "a county, standard, the first one's pool",
    plan: 'api_only',
    sharesPool: true,
    parameters: { dateRange: 'all', states: 'TX', counties: 'Travis County', includeGovernmentDecisions: 'true' },
    selects: (record) => record.state === 'TX' && record.county === 'Travis County',
  },
  {
    name: 'a licence of one state, standard',
    plan: 'state',
    licence: { stateIds: [COLORADO], countyIds: [] },
    parameters: { dateRange: 'all', includeGovernmentDecisions: 'true' },
    selects: (record) => record.state === 'CO',
  },
];

interface Stored extends ProjectContent {
  id: number;
  lastUpdated: string;
  contentRevision: string;
}

/** Fields that are served as they are stored. */
const COMPARED = [
  'lastUpdated',
  'contentRevision',
  'projectName',
  'state',
  'county',
  'latitude',
  'longitude',
  'propertyType',
  'status',
  'acreage',
  'summary',
  'mergedFrom',
];
const PAGE = 2000;

/** Reads every served record from Elasticsearch, without the API. */
export async function readIndex(client: Elastic, alias: string): Promise<Map<number, IndexedRecord>> {
  const records = new Map<number, IndexedRecord>();
  for (let after: number | undefined; ; ) {
    const { hits } = await client.search<Stored>({
      index: alias,
      size: PAGE,
      sort: [{ id: 'asc' }],
      track_total_hits: false,
      allow_partial_search_results: false,
      ...(after === undefined ? {} : { search_after: [after] }),
    });
    for (const { _source } of hits.hits) {
      const { id, lastUpdated, contentRevision, compact, standard, full } = _source as Stored;
      records.set(id, { ...standard, ...full, ...compact, id, lastUpdated, contentRevision });
      after = id;
    }
    if (hits.hits.length < PAGE) return records;
  }
}

/** Compares a copy with the index: whether it has the right records with the right values in those of its fields that are served as stored. */
export function compareWithIndex(
  { selects }: CopyKind,
  client: string,
  copy: CopiedRecords,
  index: ReadonlyMap<number, IndexedRecord>,
): CopyDifference[] {
  const pick = (id: number, value: (field: string) => unknown): CopiedRecord => {
    const fields = COMPARED.filter((field) => field in (copy.get(id) ?? { lastUpdated: null }));
    return { id, ...Object.fromEntries(fields.map((field) => [field, value(field)])) };
  };
  const stated = [...index].filter(([, stored]) => selects(stored));
  const served = stated.map(([id, stored]) => [id, pick(id, (field) => stored[field] ?? SERVED_FOR_MISSING[field] ?? null)] as const);
  const held = [...copy].map(([id, record]) => [id, pick(id, (field) => record[field])] as const);
  return findDifferences(client, new Map(held), new Map(served));
}

/** Values other than null that are served for fields which the index lacks. */
export const SERVED_FOR_MISSING: Readonly<Record<string, string>> = { status: 'unknown' };
