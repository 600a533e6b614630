/** Shapes of the map page: filters, areas, GeoJSON in and out. */
import assert from 'node:assert/strict';
import { polygon as polygonKind } from '../../src/core/filter/geometry.ts';
import { partsOfAttribution } from '../../src/web/app/map/attribution.ts';
import { readGeoJson, writeGeoJson } from '../../src/web/app/map/readGeoJson.ts';
import {
  areaOfShape,
  boxOfRing,
  boxShape,
  circleShape,
  filtersOfShapes,
  polygonShape,
  ringOfShape,
  shapesOf,
  wordsOfArea,
  wordsOfShape,
} from '../../src/web/app/shared/shapes.ts';
import { points } from '../support/shapes.ts';

const RING = points('-105.4 39.9, -105.1 39.9, -105.1 40.1, -105.4 39.9');
const polygon = (rings: unknown) => ({ type: 'Polygon', coordinates: rings });
const refusal = (value: unknown) => {
  try {
    readGeoJson(typeof value === 'string' ? value : JSON.stringify(value));
  } catch (error) {
    return (error as Error).message;
  }
  return 'none';
};

describe('shapes of the map', () => {
  it('are filters that the API takes, closed and rounded to about a metre', () => {
    const shape = polygonShape(points('-105.400000123 39.9, -105.1 39.9, -105.1 40.1'));
    assert.deepEqual(JSON.parse(shape.text), RING);
    assert('value' in polygonKind.parse([shape.text]));
    assert.deepEqual(JSON.parse(circleShape({ lat: 40, lng: -105, radiusMeters: 3 }).text), { lat: 40, lng: -105, radiusMeters: 100 });
    const box = boxShape({ north: 40, south: 39, east: -104, west: -105 });
    assert.deepEqual(shapesOf({ states: 'CO', ...(filtersOfShapes([box]) as { areas: string }) }), [box]);
    const named = { ...box, name: 'Downtown' };
    assert.deepEqual(shapesOf(filtersOfShapes([named, shape]) as { areas: string }), [named, shape]);
    assert.equal(filtersOfShapes([]).areas, null);
    assert.deepEqual(shapesOf({ areas: '7' }), []);
    assert.deepEqual(shapesOf({ areas: '[{"circle":{}},null]' }), []);
    assert.deepEqual(shapesOf({ polygon: 'abc', circle: '{}', bbox: 'null' }), [], 'what cannot be drawn is not');
  });

  it('are measured: a circle, a rectangle and a polygon of known areas', () => {
    // A circle of 1 km has π km²; a degree square at the equator 12,364 km² on a sphere of 6,371.0088 km.
    assert.equal(wordsOfArea(areaOfShape(circleShape({ lat: 40, lng: -105, radiusMeters: 1000 }))), '776 acres, 3.14 km²');
    const square = areaOfShape(boxShape({ north: 0.5, south: -0.5, east: 0.5, west: -0.5 })) / 1e6;
    assert(Math.abs(square - 12_364) < 5, String(square));
    const colorado = areaOfShape(boxShape({ north: 41, south: 37, east: -102.05, west: -109.05 })) / 1e6;
    assert(Math.abs(colorado / 269_600 - 1) < 0.01, String(colorado));
    const half = areaOfShape(polygonShape(points('0 0, 1 0, 1 1')));
    assert(Math.abs(half / areaOfShape(boxShape({ north: 1, south: 0, east: 1, west: 0 })) - 0.5) < 0.001);
    const pacific = areaOfShape(boxShape({ north: 1, south: 0, east: -179, west: 179 }));
    assert(Math.abs(pacific / areaOfShape(boxShape({ north: 1, south: 0, east: 2, west: 0 })) - 1) < 1e-9);
  });

  it('are named', () => {
    assert.equal(wordsOfShape(circleShape({ lat: 40, lng: -105, radiusMeters: 2500 })), 'Circle of 2.5 km');
    assert.equal(wordsOfShape(polygonShape(RING as [number, number][])), 'Polygon of 3 corners');
  });

  it('come back from the GeoJSON that they were written to', () => {
    const shapes = [
      polygonShape(RING as [number, number][]),
      boxShape({ north: 40, south: 39, east: -104, west: -105 }),
      circleShape({ lat: 40, lng: -105, radiusMeters: 2500 }),
    ];
    const written = writeGeoJson(shapes);
    assert.deepEqual(readGeoJson(JSON.stringify(written)), { shapes, notes: [] });
    // Corners that somebody moved are what counts.
    const [, , circle] = written.features;
    assert(circle?.geometry.type === 'Polygon');
    const [ring] = circle.geometry.coordinates;
    if (ring?.[3]) ring[3][0] += 0.01;
    assert.equal(readGeoJson(JSON.stringify(written)).shapes[2]?.filter, 'polygon');
  });

  it('are read from every kind of object that holds areas; holes are named', () => {
    assert.equal(readGeoJson(JSON.stringify(polygon([RING]))).shapes.length, 1);
    const multi = { type: 'MultiPolygon', coordinates: [[RING], [RING]] };
    const whole = { type: 'FeatureCollection', features: [{ type: 'Feature', properties: null, geometry: multi }] };
    assert.equal(readGeoJson(JSON.stringify(whole)).shapes.length, 2);
    const { shapes, notes } = readGeoJson(JSON.stringify({ type: 'GeometryCollection', geometries: [polygon([RING, RING])] }));
    assert.equal(shapes.length, 1);
    assert.deepEqual(notes, ['The text, geometry 1 has holes, which no search can leave out: what lies in them is found too.']);
    const high = RING.map(([lng, lat]) => [lng, lat, 1600]);
    assert.deepEqual(JSON.parse(readGeoJson(JSON.stringify(polygon([high]))).shapes[0]?.text ?? ''), RING);
  });

  it('that cannot be searched are refused by their place, with what helps', () => {
    const feature = (geometry: unknown) => ({ type: 'Feature', properties: {}, geometry });
    const at = (first: unknown) => polygon([[first, ...RING.slice(1)]]);
    assert.match(refusal('{"type":'), /^This is no JSON \(.+\)\. Paste the whole/);
    assert.match(refusal('[1]'), /^The text is no GeoJSON object: it has no "type"/);
    assert.match(
      refusal({ type: 'FeatureCollection', features: [feature(polygon([RING])), feature({ type: 'Point', coordinates: [0, 0] })] }),
      /^Feature 2 is a Point\. A search takes areas/,
    );
    assert.match(refusal({ type: 'FeatureCollection', features: [] }), /^It has no area/);
    assert.match(refusal(feature(null)), /^The Feature has no geometry/);
    assert.match(refusal(at([500_000, 4_400_000])), /corner 1 is \[500000, 4400000\], which is no place in degrees\. .+convert/);
    assert.match(refusal(at(['a'])), /corner 1 is no pair of numbers/);
    assert.match(refusal(polygon([RING.slice(0, 3)])), /has 3 corners/);
    assert.match(refusal(polygon([[...RING.slice(0, 3), [0, 0]]])), /is not closed/);
    assert.match(refusal(polygon([Array.from({ length: 1001 }, () => RING[0])])), /has 1001 corners; a search takes at most 1000/);
    assert.match(refusal({ ...polygon([RING]), crs: { type: 'name', properties: { name: 'EPSG:26913' } } }), /another reference system/);
    assert.match(refusal({ type: 'MultiPolygon', coordinates: Array.from({ length: 101 }, () => [RING]) }), /101 areas/);
  });
});

describe('shapes of the map across the antimeridian', () => {
  const ACROSS = points('179 1, -179 1, -179 2, 179 1');

  it('are read, searched in as they were sent, and drawn in one piece', () => {
    const [shape] = readGeoJson(JSON.stringify(polygon([ACROSS]))).shapes;
    assert(shape);
    assert.deepEqual(JSON.parse(shape.text), ACROSS);
    assert.deepEqual(boxOfRing(ringOfShape(shape)), { north: 2, south: 1, east: 181, west: 179 });
    assert.deepEqual(polygonShape(ringOfShape(shape)), shape, 'drawn and taken back');
    assert.deepEqual(readGeoJson(JSON.stringify(writeGeoJson([shape]))).shapes, [shape]);
    const moved = polygonShape(ringOfShape(shape).map(([lng, lat]) => [lng - 50, lat]));
    assert(Math.abs(areaOfShape(shape) / areaOfShape(moved) - 1) < 1e-9);
  });

  it('of a rectangle keep their place in GeoJSON', () => {
    const box = boxShape({ north: 54, south: 51, east: -175, west: 172 });
    const [read] = readGeoJson(JSON.stringify(writeGeoJson([box]))).shapes;
    assert.deepEqual(read && boxOfRing(ringOfShape(read)), { north: 54, south: 51, east: 185, west: 172 });
  });
});

describe('attributions of the map', () => {
  it('keep their words and their links to pages, and no other markup', () => {
    assert.deepEqual(
      partsOfAttribution('<a href="https://a.example/?x=1&amp;y=2">&copy; A</a> &#38; <b>B</b> <a href=\'javascript:alert(1)\'>C</a>'),
      [{ text: '© A', href: 'https://a.example/?x=1&y=2' }, { text: ' & B ' }, { text: 'C' }],
    );
    assert.deepEqual(partsOfAttribution('plain <script>x</script>'), [{ text: 'plain x' }]);
  });
});
