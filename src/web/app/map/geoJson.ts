/** GeoJSON (RFC 7946) as the map draws it. Pure. */
import type { Corner } from '../shared/shapes.ts';

interface PointGeometry {
  type: 'Point';
  coordinates: Corner;
}
interface LineGeometry {
  type: 'LineString';
  coordinates: Corner[];
}
interface PolygonGeometry {
  type: 'Polygon';
  coordinates: Corner[][];
}

interface MultiPolygonGeometry {
  type: 'MultiPolygon';
  coordinates: Corner[][][];
}
export type AreaGeometry = PolygonGeometry | MultiPolygonGeometry;

interface DrawnFeature {
  type: 'Feature';
  geometry: PointGeometry | LineGeometry | AreaGeometry;
  properties: Record<string, string | number | boolean | null>;
}
export interface DrawnFeatures {
  type: 'FeatureCollection';
  features: DrawnFeature[];
}

export const NOTHING_DRAWN: DrawnFeatures = { type: 'FeatureCollection', features: [] };

export const featureOf = (geometry: DrawnFeature['geometry'], properties: DrawnFeature['properties'] = {}): DrawnFeature => ({
  type: 'Feature',
  geometry,
  properties,
});
export const collectionOf = (features: DrawnFeature[]): DrawnFeatures => ({ type: 'FeatureCollection', features });
export const pointAt = (longitude: number, latitude: number): PointGeometry => ({ type: 'Point', coordinates: [longitude, latitude] });
