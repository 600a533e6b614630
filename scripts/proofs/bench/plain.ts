/**
 * What a user would have instead of the service: an index for each representation that holds the fields of its answers alone, asked in the ordinary way.
 */
import { createReadStream } from 'node:fs';
import { type PublicRecord, representRecord } from '../../../src/core/domain/record/represent.ts';
import { FIELDS_OF, REPRESENTATIONS, type Representation } from '../../../src/core/domain/record/schemas.ts';
import type { StoredProject } from '../../../src/core/domain/record/storedProject.ts';
import { GOVERNMENT_DECISIONS } from '../../../src/core/domain/vocabulary.ts';
import { type Box, boxClause, polygonClause } from '../../../src/core/query/clauses.ts';
import { splitLines } from '../../../src/terminal/splitLines.ts';
import type { Elastic } from '../../lib/sandbox.ts';
import { type Corpus, loadLines } from './corpus.ts';
import type { Request } from './loadGenerator.ts';

/** What is asked for and is no field of a compact answer. */
interface AskedFields {
  location?: { lat: number; lon: number };
  cityId?: string;
  subtypes: string[];
  acreage?: number[];
  text: string[];
}

export type FinalDocument = StoredProject & {
  derived: Pick<AskedFields, 'location' | 'cityId' | 'text'> & {
    landUses?: { subtype?: string; role?: string }[] | null;
    evidence: Pick<AskedFields, 'acreage'>;
  };
};

const [LONG, DATE, KEYWORD] = [{ type: 'long' }, { type: 'date' }, { type: 'keyword' }];
const ASKED = { location: { type: 'geo_point' }, cityId: KEYWORD, subtypes: KEYWORD, acreage: { type: 'double' }, text: { type: 'text' } };
const MAPPING = {
  dynamic: false,
  _source: { excludes: ['asked'] },
  properties: { id: LONG, lastUpdated: DATE, meetingDate: DATE, propertyType: KEYWORD, status: KEYWORD, asked: { properties: ASKED } },
};

export function readDocument({ derived, ...stored }: FinalDocument, today: string): { record: PublicRecord; asked: AskedFields } {
  const people = { hides: () => false, unlockOf: () => null };
  const view = { meetingCap: today, today, matchedOn: () => [], companyDetails: true, people };
  const record = representRecord(stored, { representation: 'full', publicUrl: 'https://api.example.com', ...view });
  const uses = derived.landUses?.filter(({ role }) => role === 'primary' || role === 'secondary') ?? [];
  const { location, cityId, text, evidence } = derived;
  const known = { ...(location && { location }), ...(cityId && { cityId }), ...(evidence.acreage && { acreage: evidence.acreage }) };
  return { record, asked: { ...known, subtypes: uses.flatMap(({ subtype }) => subtype ?? []), text } };
}

const pickFields = (record: PublicRecord, representation: Representation): PublicRecord =>
  Object.fromEntries(FIELDS_OF[representation].map((name) => [name, record[name]]));

const indexOf = (prefix: string, representation: Representation) => `${prefix}-plain-${representation}`;

export const plainIndices = (prefix: string): string[] => REPRESENTATIONS.map((one) => indexOf(prefix, one));

export async function loadPlainIndices(client: Elastic, prefix: string, file: string, { today }: Corpus): Promise<void> {
  const lines = async function* () {
    for await (const line of splitLines(createReadStream(file))) {
      const { record, asked } = readDocument(JSON.parse(line) as FinalDocument, today);
      for (const representation of REPRESENTATIONS) {
        const document = { ...pickFields(record, representation), ...(representation === 'compact' ? { asked } : {}) };
        yield { index: indexOf(prefix, representation), id: String(record.id), text: JSON.stringify(document) };
      }
    }
  };
  await loadLines(client, plainIndices(prefix), MAPPING, lines());
}

/** The window of a search, the last year unless it names another; undefined if it has none. */
export function windowOf(asked: URLSearchParams, today: string): { from: string; to: string } | undefined {
  const [from, to] = [asked.get('meetingDateFrom'), asked.get('meetingDateTo')];
  if (from && to) return { from, to };
  return asked.get('dateRange') === 'all' ? undefined : { from: `${Number(today.slice(0, 4)) - 1}${today.slice(4)}`, to: today };
}

const CLAUSES: Readonly<Record<string, (value: string) => object>> = {
  bbox: (box) => boxClause('asked.location', JSON.parse(box) as Box),
  polygon: (ring) => polygonClause('asked.location', JSON.parse(ring) as [number, number][]),
  propertySubtypes: (subtype) => ({ term: { 'asked.subtypes': subtype } }),
  cityIds: (city) => ({ term: { 'asked.cityId': city } }),
  acreageMin: (acres) => ({ range: { 'asked.acreage': { gte: acres } } }),
  status: (status) => ({ term: { status } }),
  q: (words) => ({ match_phrase: { 'asked.text': words } }),
};

const NO_DECISIONS = { term: { propertyType: GOVERNMENT_DECISIONS } };
const SORT = [{ meetingDate: 'desc' }, { lastUpdated: 'desc' }, { id: 'desc' }];
const PAGE = 100;

/** The same question to the plain indices. @param path of the API, below its root */
export function plainRequest(prefix: string, path: string, today: string): Request {
  const { pathname, searchParams: asked } = new URL(path, 'http://host');
  const representation = (asked.get('representation') ?? 'compact') as Representation;
  const post = (what: string, body: object) => ({
    method: 'POST',
    path: `/${indexOf(prefix, representation)}/${what}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const [, id] = /^\/projects\/(\d+)$/.exec(pathname) ?? [];
  if (id) return { method: 'GET', path: `/${indexOf(prefix, 'standard')}/_doc/${id}`, headers: {}, body: '' };
  const window = windowOf(asked, today);
  const filter = [
    ...(window ? [{ range: { meetingDate: { gte: window.from, lte: window.to } } }] : []),
    ...[...asked].flatMap(([name, value]) => CLAUSES[name]?.(value) ?? []),
  ];
  const query = { bool: { filter, must_not: [NO_DECISIONS] } };
  if (pathname === '/projects/count') return post('_count', { query });
  return post('_search', { query, sort: SORT, size: PAGE, from: (Number(asked.get('page') ?? 1) - 1) * PAGE });
}
