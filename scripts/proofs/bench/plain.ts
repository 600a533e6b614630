/** The usual way to ask Elasticsearch: the API's own search with a filtered `_source`, however the API fetches records itself. Frozen. */
import type { Cell } from './measure.ts';
import type { Request } from './recorder.ts';

const IDENTITY = ['id', 'lastUpdated', 'contentRevision', 'hearings'];
const PARTS = ['compact', 'standard', 'full'];

/** By how many parts of a record a row of the table shows: others show compact alone. */
const SHOWN: Readonly<Record<string, number>> = { standard: 2, record: 2, full: 3 };

/** The same cell with those requests as `raw`, and the API's own as `same`; one that fetches no record stays as it is. */
export function withPlainSource(cell: Cell): Cell {
  const source = [...IDENTITY, ...PARTS.slice(0, SHOWN[cell.name] ?? 1)];
  return { ...cell, same: cell.raw, raw: cell.raw.map((request) => plainOf(request, source)) };
}

function plainOf(request: Request, source: readonly string[]): Request {
  if (request.path.includes('/_msearch') || request.body.includes('"size":0')) return request;
  const { stored_fields: _, docvalue_fields: __, _source: ___, ...search } = JSON.parse(request.body) as Record<string, unknown>;
  return { ...request, body: JSON.stringify({ ...search, _source: source }) };
}
