/** What analytics can use: fields of the record table and readings that have a facet. Dimensions to group by, and measurements to aggregate. Pure. */
import type { Places } from '../domain/places.ts';
import type { FacetKind } from '../domain/record/field.ts';
import { FIELD_NAMES, type FieldName, fieldOf } from '../domain/record/fields.ts';
import { READING_NAMES, type ReadingFacet, type ReadingName, readingOf } from '../domain/record/readings.ts';
import { assetClasses, GOVERNMENT_DECISIONS, propertySubtypes, propertyTypes, type Vocabulary } from '../domain/vocabulary.ts';
import { type Interval, intervalLabel } from './intervals.ts';

/** The name of a dimension or a measurement. */
export type FacetName = FieldName | ReadingFacet;

/** What analytics knows of a field or a reading. */
interface FacetDefinition {
  kind: FacetKind | 'outcome';
  /** one line for the reference */
  summary: string;
  vocabulary?: Vocabulary | undefined;
  /** the reading that it is, if it is one */
  reading?: ReadingName;
}

const ofFields = FIELD_NAMES.flatMap((name): [FacetName, FacetDefinition][] => {
  const { facet, summary, vocabulary } = fieldOf(name);
  return facet ? [[name, { kind: facet, summary, vocabulary }]] : [];
});
const ofReadings = READING_NAMES.flatMap((reading): [FacetName, FacetDefinition][] => {
  const { facet } = readingOf(reading);
  if (!facet) return [];
  const { kind, name = reading, label, vocabulary } = facet;
  return [[name as FacetName, { kind, summary: label, vocabulary, reading }]];
});
const FACETS: ReadonlyMap<string, FacetDefinition> = new Map([...ofFields, ...ofReadings]);

/** @throws Error for a field without a facet */
export function facetOf(name: FacetName): FacetDefinition {
  const found = FACETS.get(name);
  if (!found) throw new Error(`${name} is no dimension or measurement`);
  return found;
}

const namesOf = (isOne: (kind: FacetDefinition['kind']) => boolean) =>
  [...FACETS].flatMap(([name, { kind }]) => (isOne(kind) ? [name as FacetName] : []));

export const DIMENSIONS = namesOf((kind) => kind !== 'measurement');
export const MEASUREMENTS = namesOf((kind) => kind === 'measurement');

export const OPERATIONS = ['count', 'sum', 'avg', 'median', 'min', 'max'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** A dimension, as a request groups by it. */
export interface Grouping {
  dimension: FacetName;
  /** only for a date */
  interval?: Interval;
}

export const isDate = (dimension: FacetName) => ['day', 'moment'].includes(facetOf(dimension).kind);

/** Whether a project counts in one group of a dimension only. It may count in several by land use, hearing or earlier statement. */
export const liesInOneGroup = (dimension: FacetName) => ['place', 'moment'].includes(facetOf(dimension).kind);

/** The words of a camel-case name, such as `Property type`. */
export const nameInWords = (name: FacetName): string => {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};

/** A token, the id of a place, or the first day of an interval; null for the group of projects that state nothing. */
export type GroupKey = string | number | null;

const NOT_STATED = 'Not stated';

function placeLabel(dimension: FacetName, id: number, places: Places): string {
  if (dimension === 'state') return places.state(id)?.name ?? String(id);
  const place = dimension === 'county' ? places.county(id) : places.city(id);
  return place ? places.labelOf(place) : String(id);
}

export function groupLabel({ dimension, interval }: Grouping, key: GroupKey, places: Places): string {
  if (key === null) return NOT_STATED;
  if (interval) return intervalLabel(interval, String(key));
  const { kind, vocabulary } = facetOf(dimension);
  return kind === 'place' ? placeLabel(dimension, Number(key), places) : (vocabulary?.label(String(key)) ?? String(key));
}

/** Tokens under Government Decisions, which no answer shows without `includeGovernmentDecisions`. */
export function governmentTokens(dimension: FacetName): string[] {
  if (dimension === 'propertyType') return propertyTypes.terms.map(({ token }) => token).filter((token) => token === GOVERNMENT_DECISIONS);
  const terms = dimension === 'propertySubtype' ? propertySubtypes.terms : assetClasses.terms;
  return terms.filter(({ type }) => type === GOVERNMENT_DECISIONS).map(({ token }) => token);
}
