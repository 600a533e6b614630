/** A moratorium on data centers in Boulder County that is in force on 2026-11-20 until 2027-06-01. */
export const restrictionLine = (id: number, more: Record<string, unknown> = {}) => ({
  kind: 'restriction',
  id,
  source: 'inventory',
  restrictionKind: 'moratorium',
  title: `Moratorium ${id}`,
  state: 'CO',
  county: 'Boulder County',
  jurisdiction: 'Boulder County',
  jurisdictionType: 'county',
  latitude: 40.09,
  longitude: -105.36,
  uses: [{ type: 'industrial', subtype: 'data_center' }],
  usesText: 'data centers',
  status: 'in_force',
  statedOn: '2026-11-01',
  adoptedOn: '2026-06-01',
  effectiveTo: '2027-06-01',
  ...more,
});

/** The header of a file with such lines. */
export const SOURCES = { restrictionSources: ['inventory'] };
