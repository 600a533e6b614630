/** Counts records and their filled fields by place: state, county, and decision body of a county. Pure. */
import type { Places } from '../../src/core/domain/places.ts';
import type { ProjectStatement } from '../../src/core/domain/record/statement.ts';
import { decisionBodies } from '../../src/core/domain/vocabulary.ts';

/** A state, a county, or a decision body of a county; or of a state, for records that name no known county. */
export interface FiguredPlace {
  stateId: number;
  countyId: number | null;
  /** token of the vocabulary */
  decisionBody: string | null;
}

export interface PlaceTally {
  records: number;
  /** number of records with a value, by field */
  fields: Record<string, number>;
}

/** Figures by key of the place (`placeKey`). A record counts in its state, in its county and with its decision body. */
export type FiguresByPlace = ReadonlyMap<string, PlaceTally>;

export const placeKey = ({ stateId, countyId, decisionBody }: FiguredPlace): string => `${stateId}|${countyId ?? ''}|${decisionBody ?? ''}`;

export function parsePlaceKey(key: string): FiguredPlace {
  const [stateId, countyId, decisionBody] = key.split('|');
  return { stateId: Number(stateId), countyId: countyId ? Number(countyId) : null, decisionBody: decisionBody || null };
}

/** The places in which a record counts, largest first; none if its state is not known. */
export function listPlacesOf({ stateId, countyId, decisionBody }: Partial<ProjectStatement>): FiguredPlace[] {
  if (!stateId) return [];
  const county = countyId ?? null;
  return [
    { stateId, countyId: null, decisionBody: null },
    ...(county === null ? [] : [{ stateId, countyId: county, decisionBody: null }]),
    ...(decisionBody ? [{ stateId, countyId: county, decisionBody }] : []),
  ];
}

/** Names a place for people and for `--accept CODE:PLACE`: `VA`, `Fairfax County, VA`, or `Planning Commission, Fairfax County, VA`. */
export function namePlace(places: Places, { stateId, countyId, decisionBody }: FiguredPlace): string {
  const body = decisionBody && (decisionBodies.find(decisionBody)?.label ?? decisionBody);
  const county = countyId === null ? null : (places.county(countyId)?.name ?? String(countyId));
  return [body, county, places.state(stateId)?.abbreviation ?? String(stateId)].filter(Boolean).join(', ');
}
