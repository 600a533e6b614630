/** Elasticsearch clauses as pure functions of plain values; the names of mapped fields appear here and in the filter table only. */

import type { Scope } from '../domain/principal.ts';
import { type ReadonlyRing, splitAtAntimeridian } from '../domain/ring.ts';

export type Clause = Record<string, unknown>;

/** How far outside an edge still counts as inside, in degrees and metres: the index keeps points to about one centimetre. */
const EDGE_DEGREES = 1e-7;
const EDGE_METERS = 0.02;

export const terms = (field: string, values: readonly (string | number | boolean)[]): Clause =>
  values.length === 1 ? { term: { [field]: values[0] } } : { terms: { [field]: [...values] } };

export const range = (field: string, bounds: { gte?: unknown; lte?: unknown; lt?: unknown; gt?: unknown }): Clause => ({
  range: { [field]: bounds },
});

export const nested = (path: string, filter: readonly Clause[]): Clause => ({ nested: { path, query: { bool: { filter: [...filter] } } } });

export const anyOf = (clauses: readonly Clause[]): Clause =>
  clauses.length === 1 ? (clauses[0] as Clause) : { bool: { should: [...clauses], minimum_should_match: 1 } };

export const allOf = (clauses: readonly Clause[]): Clause =>
  clauses.length === 1 ? (clauses[0] as Clause) : { bool: { filter: [...clauses] } };

/**
 * Clauses that keep the records that a licence covers.
 * @param fields mapped fields that hold the state and the county of a document
 */
export const scopeClauses = (scope: Scope, fields = { state: 'derived.stateId', county: 'derived.countyId' }): Clause[] => {
  if (!scope) return [];
  const clauses = [
    ...(scope.stateIds.length ? [terms(fields.state, scope.stateIds.map(String))] : []),
    ...(scope.countyIds.length ? [terms(fields.county, scope.countyIds.map(String))] : []),
  ];
  return clauses.length ? [anyOf(clauses)] : [{ match_none: {} }];
};

/**
 * Matches any of the phrases in the current statement or in earlier ones. The clause on the current field is named, so that a hit reports
 * whether the served text confirms the filter.
 */
export function phrasesClause(name: string, field: { current: string; past: string }, alternatives: readonly string[]): Clause {
  return anyOf([{ bool: { filter: [phraseIn(field.current, alternatives)], _name: name } }, phraseIn(field.past, alternatives)]);
}

const phraseIn = (field: string, alternatives: readonly string[]): Clause =>
  anyOf(alternatives.map((text) => ({ match_phrase: { [field]: { query: text } } })));

/** Matches records that hold none of the phrases. */
export const withoutPhrasesClause = (field: string, alternatives: readonly string[]): Clause => ({
  bool: { must_not: [phraseIn(field, alternatives)] },
});

export interface Box {
  north: number;
  south: number;
  east: number;
  west: number;
}

/** Matches points inside the box, edges included. A west greater than east crosses the antimeridian. */
export function boxClause(field: string, { north, south, east, west }: Box): Clause {
  const box = {
    top_left: { lat: Math.min(90, north + EDGE_DEGREES), lon: Math.max(-180, west - EDGE_DEGREES) },
    bottom_right: { lat: Math.max(-90, south - EDGE_DEGREES), lon: Math.min(180, east + EDGE_DEGREES) },
  };
  return { geo_bounding_box: { [field]: box } };
}

export interface Circle {
  lat: number;
  lng: number;
  radiusMeters: number;
}

export const circleClause = (field: string, { lat, lng, radiusMeters }: Circle): Clause => ({
  geo_distance: { distance: `${radiusMeters + EDGE_METERS}m`, [field]: { lat, lon: lng } },
});

function widthDegrees(ring: ReadonlyRing): number {
  const longitudes = ring.map(([longitude]) => longitude);
  return Math.max(...longitudes) - Math.min(...longitudes);
}

/** Matches points inside a closed ring on a flat map, each edge the short way around the Earth. */
export function polygonClause(field: string, ring: ReadonlyRing): Clause {
  const parts = splitAtAntimeridian(ring);
  const [whole] = parts;
  // `geo_shape` inverts a ring wider than 180 degrees and refuses parts with edges that lie on each other; the older `geo_polygon` takes both.
  if (whole && parts.length === 1 && widthDegrees(whole) <= 180)
    return { geo_shape: { [field]: { shape: { type: 'Polygon', coordinates: [whole] }, relation: 'intersects' } } };
  return anyOf(parts.map((part) => ({ geo_polygon: { [field]: { points: part.map(([lon, lat]) => ({ lat, lon })) } } })));
}
