/** Made-up restrictions of the sample: one that binds, one whose end is an event, one that is only proposed. */
import type { RestrictionLine } from '../../src/core/domain/restriction/schemas.ts';
import { dateOf } from './days.ts';

/** The source that the header of a sample file names. */
export const SAMPLE_SOURCE = 'sample';
export const FIRST_RESTRICTION_ID = 9001;

const DATA_CENTER = { type: 'industrial', subtype: 'data_center' };
const BOULDER = { state: 'CO', county: 'Boulder County', jurisdiction: 'Boulder County', jurisdictionType: 'county' } as const;

/** @param today days since 1970 */
export function makeRestrictions(today: number): RestrictionLine[] {
  const common = { kind: 'restriction', source: SAMPLE_SOURCE, statedOn: dateOf(today) } as const;
  return [
    {
      ...common,
      ...BOULDER,
      id: FIRST_RESTRICTION_ID,
      restrictionKind: 'moratorium',
      title: 'Moratorium on data centers, Boulder County, CO',
      latitude: 40.09,
      longitude: -105.36,
      uses: [DATA_CENTER],
      usesText: 'data centers',
      status: 'in_force',
      adoptedOn: dateOf(today - 90),
      effectiveTo: dateOf(today + 275),
      authority: 'Resolution 2026-112 (made-up)',
    },
    {
      ...common,
      id: FIRST_RESTRICTION_ID + 1,
      restrictionKind: 'interim_ordinance',
      title: 'Interim ordinance on battery storage, Longmont, CO',
      state: 'CO',
      city: 'Longmont',
      jurisdiction: 'City of Longmont',
      jurisdictionType: 'city',
      latitude: 40.17,
      longitude: -105.1,
      uses: [{ type: 'infrastructure', subtype: 'energy_storage', assetClass: 'battery_energy_storage' }],
      usesText: 'battery energy storage systems',
      status: 'in_force',
      adoptedOn: dateOf(today - 200),
      endBasis: 'event',
      endEvent: 'until the land development code is amended',
      exempts: 'Applications that were complete on the day of adoption are exempt.',
    },
    {
      ...common,
      id: FIRST_RESTRICTION_ID + 2,
      restrictionKind: 'moratorium',
      title: 'Moratorium on solar energy, Dallas County, TX',
      state: 'TX',
      county: 'Dallas County',
      jurisdiction: 'Dallas County',
      jurisdictionType: 'county',
      latitude: 32.77,
      longitude: -96.78,
      uses: [{ type: 'infrastructure', subtype: 'solar_energy' }],
      usesText: 'solar energy above 20 acres',
      threshold: 'above 20 acres',
      status: 'proposed',
    },
  ];
}
