/** Inclusive bounds on measurements. A record without the value does not match, and 0 is a bound. */
import type { EvidenceName } from '../domain/record/fields.ts';
import { range } from '../query/clauses.ts';
import { type Filter, filter } from './entry.ts';
import { number } from './kinds.ts';

type Measurement = EvidenceName<'number'>;

const MEASURED: Record<Measurement, { label: string; unit: string }> = {
  totalUnitCount: { label: 'Dwelling units', unit: 'dwelling units' },
  acreage: { label: 'Acres', unit: 'acres' },
  lotSizeSqft: { label: 'Lot size', unit: 'square feet' },
  squareFootage: { label: 'Floor area', unit: 'square feet' },
  parkingSpaces: { label: 'Parking spaces', unit: 'parking spaces' },
  buildingStories: { label: 'Stories', unit: 'stories' },
  buildingHeightFeet: { label: 'Height', unit: 'feet' },
  bedroomCount: { label: 'Bedrooms', unit: 'bedrooms' },
  floorCount: { label: 'Floors', unit: 'floors' },
  lotCount: { label: 'Lots', unit: 'lots' },
};
const MEASUREMENTS = Object.keys(MEASURED) as Measurement[];

/** Deprecated names, without their suffix (src/docs/filters.md). */
const OLDER_NAMES: Partial<Record<Measurement, string>> = {
  totalUnitCount: 'unitCount',
  lotSizeSqft: 'lotSize',
  buildingStories: 'stories',
  buildingHeightFeet: 'buildingHeightFt',
};

type BoundName = `${Measurement}${'Min' | 'Max'}`;

/** The measurement and the end of its range that a filter's name means; undefined for other filters. */
export function boundOf(name: string): { measurement: Measurement; end: 'gte' | 'lte' } | undefined {
  const [, base, side] = /^(.*)(Min|Max)$/.exec(name) ?? [];
  const measurement = MEASUREMENTS.find((m) => m === base);
  return measurement && { measurement, end: side === 'Min' ? 'gte' : 'lte' };
}

function boundFilter(measurement: Measurement, side: 'Min' | 'Max'): Filter<number> {
  const older = OLDER_NAMES[measurement];
  const end = side === 'Min' ? 'gte' : 'lte';
  const { label, unit } = MEASURED[measurement];
  return filter<number>({
    ...(older ? { aliases: [`${older}${side}`] } : {}),
    label,
    summary: `${side === 'Min' ? 'At least' : 'At most'} so many ${unit}`,
    example: side === 'Min' ? '10' : '250.5',
    kind: number(unit),
    textFallback: 'unstated',
    queryable: { names: [measurement], by: end },
    fields: [`derived.evidence.${measurement}`],
    must: (value) => [range(`derived.evidence.${measurement}`, { [end]: value })],
    confirms: (value) => (served) => {
      const stated = served[measurement];
      return typeof stated === 'number' && (side === 'Min' ? stated >= value : stated <= value);
    },
    reads: [measurement],
  });
}

export const sizeFilters = Object.fromEntries(
  MEASUREMENTS.flatMap((m) => (['Min', 'Max'] as const).map((side) => [`${m}${side}`, boundFilter(m, side)])),
) as Record<BoundName, Filter<number>>;
