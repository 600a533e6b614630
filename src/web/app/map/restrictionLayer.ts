/** Restrictions in force as the map draws them: the county or state of a jurisdiction as an area, any other as a point. Pure. */
import type { LayerSpecification } from 'maplibre-gl';
import { feature } from 'topojson-client';
import type { DataOf } from '../shared/answers.ts';
import type { Theme } from '../shared/theme.ts';
import { type AreaGeometry, collectionOf, type DrawnFeatures, featureOf, pointAt } from './geoJson.ts';
import { THEMES } from './palette.ts';

export type ListedRestriction = DataOf<'listRestrictions'>[number];
/** As `topojson-client` takes it, with states and counties. */
export type AreaTopology = Parameters<typeof feature>[0];

/** The layers that a click looks at. */
export const RESTRICTION_LAYERS = ['restriction-points', 'restriction-areas'];

export function restrictionLayers(theme: Theme): LayerSpecification[] {
  const { mark, edge } = THEMES[theme];
  const source = 'restrictions';
  return [
    {
      id: 'restriction-areas',
      type: 'fill',
      source,
      filter: ['!=', ['geometry-type'], 'Point'],
      paint: { 'fill-color': mark, 'fill-opacity': 0.16, 'fill-outline-color': mark },
    },
    {
      id: 'restriction-points',
      type: 'circle',
      source,
      filter: ['==', ['geometry-type'], 'Point'],
      paint: { 'circle-color': mark, 'circle-radius': 6, 'circle-opacity': 0.75, 'circle-stroke-color': edge, 'circle-stroke-width': 1.5 },
    },
  ];
}

/** The outline that a restriction covers; undefined where its jurisdiction is no county or state of the outlines. */
function findArea(
  { place }: ListedRestriction,
  areas: Record<'state' | 'county', ReadonlyMap<number, AreaGeometry>>,
): AreaGeometry | undefined {
  const { jurisdictionType, stateId, countyId } = place;
  if (jurisdictionType === 'state') return areas.state.get(stateId);
  return jurisdictionType === 'county' && countyId !== null ? areas.county.get(countyId) : undefined;
}

/** Those with an area or a point; the others stand in the list only. */
export function drawRestrictions(restrictions: readonly ListedRestriction[], topology: AreaTopology): DrawnFeatures {
  const geometriesOf = (layer: 'states' | 'counties') => {
    const { features } = feature(topology, topology.objects[layer] as never) as unknown as {
      features: { id: string; geometry: AreaGeometry }[];
    };
    return new Map(features.map(({ id, geometry }) => [Number(id), geometry]));
  };
  const areas = { state: geometriesOf('states'), county: geometriesOf('counties') };
  return collectionOf(
    restrictions.flatMap((one) => {
      const geometry = findArea(one, areas) ?? (one.point && pointAt(one.point.lng, one.point.lat));
      return geometry ? [featureOf(geometry, { restriction: one.id })] : [];
    }),
  );
}
