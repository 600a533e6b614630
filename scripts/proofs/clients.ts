/** The kinds of clients that the proof has, and the truth that each one's copy has to equal. */

import type { LicencePlaces, PlanId } from '../../src/core/domain/plans.ts';
import type { ProjectContent } from '../../src/core/domain/record/storedProject.ts';
import type { Elastic } from '../lib/sandbox.ts';
import type { Difference, Records } from './compare.ts';
import type { Record_ } from './copy.ts';

type Statement = Record<string, unknown>;

export interface ClientKind {
  name: string;
  plan: PlanId;
  licence?: LicencePlaces;
  /** takes the pool of the first client */
  sharesPool?: boolean;
  parameters: Record<string, string>;
  /** the filters again, in plain words of this program */
  wants: (record: Statement) => boolean;
}

const COLORADO = 8;
const RING = [
  [-105.4, 39.9],
  [-105.1, 39.9],
  [-105.1, 40.1],
  [-105.4, 40.1],
  [-105.4, 39.9],
];
const isDevelopment = ({ propertyType }: Statement) => propertyType !== 'govt_decisions';

function isInRing({ latitude, longitude }: Statement): boolean {
  return Number(latitude) > 39.9 && Number(latitude) < 40.1 && Number(longitude) > -105.4 && Number(longitude) < -105.1;
}

export const KINDS: readonly ClientKind[] = [
  {
    name: 'everything, full, metered',
    plan: 'api_only',
    parameters: { dateRange: 'all', includeGovernmentDecisions: 'true', representation: 'full' },
    wants: () => true,
  },
  {
    name: 'one state, standard, metered',
    plan: 'api_only',
    parameters: { dateRange: 'all', states: 'CO', representation: 'standard' },
    wants: (record) => record.state === 'CO' && isDevelopment(record),
  },
  {
    name: 'a polygon, compact',
    plan: 'national',
    parameters: { dateRange: 'all', polygon: JSON.stringify(RING), representation: 'compact' },
    wants: (record) => isInRing(record) && isDevelopment(record),
  },
  {
    name: "a county, standard, the first one's pool",
    plan: 'api_only',
    sharesPool: true,
    parameters: { dateRange: 'all', states: 'TX', counties: 'Travis County', includeGovernmentDecisions: 'true' },
    wants: (record) => record.state === 'TX' && record.county === 'Travis County',
  },
  {
    name: 'a licence of one state, standard',
    plan: 'state',
    licence: { stateIds: [COLORADO], countyIds: [] },
    parameters: { dateRange: 'all', includeGovernmentDecisions: 'true' },
    wants: (record) => record.state === 'CO',
  },
];

interface Stored extends ProjectContent {
  id: number;
  lastUpdated: string;
  contentRevision: string;
}

/** Fields that are served as they are stored. */
const PLAIN = [
  'lastUpdated',
  'contentRevision',
  'projectName',
  'state',
  'county',
  'latitude',
  'longitude',
  'propertyType',
  'status',
].concat(['acreage', 'summary', 'mergedFrom']);
const PAGE = 2000;

/** Every served record, read past the API. */
export async function readIndex(client: Elastic, alias: string): Promise<Map<number, Statement>> {
  const records = new Map<number, Statement>();
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

/** A copy against the index itself: the right records, each with what the index holds. */
export function againstIndex(kind: ClientKind, name: string, copy: Records, index: ReadonlyMap<number, Statement>): Difference[] {
  const found: Difference[] = [];
  for (const [id, stored] of index) {
    const held = copy.get(id);
    if (!kind.wants(stored)) continue;
    if (!held) found.push({ client: name, id, kind: 'missing', what: `the index has it, changed ${stored.lastUpdated}` });
    else {
      const wrong = wrongField(held, stored);
      if (wrong) found.push({ client: name, id, kind: 'stale', what: `${wrong} is not what the index holds` });
    }
  }
  for (const id of copy.keys()) {
    const stored = index.get(id);
    if (!stored || !kind.wants(stored))
      found.push({ client: name, id, kind: 'stale', what: 'the index has no such record for these filters' });
  }
  return found;
}

/** What is served of a field that the index does not hold. */
export const SILENT: Readonly<Record<string, string>> = { status: 'unknown' };

function wrongField(held: Record_, stored: Statement): string | undefined {
  return PLAIN.find((field) => field in held && JSON.stringify(held[field]) !== JSON.stringify(stored[field] ?? SILENT[field] ?? null));
}
