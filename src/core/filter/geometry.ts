/** Shapes that clients send as JSON: a box, a circle, a polygon. Longitudes -180 to 180, latitudes -90 to 90, in degrees. */

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { type TSchema, Type } from 'typebox';
import { unwrapRing } from '../domain/ring.ts';
import type { Box, Circle } from '../query/clauses.ts';
import { type PlainKind, scalarKind } from './kinds.ts';
import { andThen, describeValue, invalidValue, type ParsedValue, parseJson, parseSingle, type Raw, type ValueProblem } from './raw.ts';

/** WGS 84, longitude first: the only coordinate system of GeoJSON. */
export const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';

const VERTICES_MIN = 4;
export const VERTICES_MAX = 1000;
const RADIUS_MIN_METERS = 100;
const RADIUS_MAX_METERS = 500_000;

const ajv = new Ajv2020({ allErrors: false });
const latitude = Type.Number({ minimum: -90, maximum: 90 });
const longitude = Type.Number({ minimum: -180, maximum: 180 });

/** Why a shape cannot be used, and in which part of it. */
interface ShapeProblem {
  /** JSON pointer of the part; empty for the whole shape */
  pointer: string;
  message: string;
}

/** A kind of one shape, which is also one form of an area. */
interface ShapeKind<T> extends PlainKind<T> {
  findProblem: (value: unknown) => ShapeProblem | undefined;
}

/**
 * A kind whose value is a JSON object or array.
 * @param form the shape in words, for the message of a problem
 * @param problemOf what is wrong with a shape that matches its schema; undefined if nothing
 */
function jsonShape<T>(schema: TSchema, form: string, problemOf: (shape: T) => string | undefined = () => undefined): ShapeKind<T> {
  let validate: ValidateFunction<T> | undefined; // compiled at first use, so that a process starts sooner
  const findProblem = (value: unknown): ShapeProblem | undefined => {
    validate ??= ajv.compile<T>(schema);
    if (!validate(value)) {
      const [error] = validate.errors ?? [];
      return { pointer: error?.instancePath ?? '', message: `${error?.message ?? 'is unusable'}; send ${form}` };
    }
    const message = problemOf(value);
    return message === undefined ? undefined : { pointer: '', message };
  };
  const checkShape = (value: unknown): ParsedValue<T> => {
    const problem = findProblem(value);
    if (!problem) return { value: value as T };
    const place = problem.pointer.slice(1).replaceAll('/', '.');
    return invalidValue('invalid_geometry', `${place ? `${place} ` : ''}${problem.message}`);
  };
  return { schema: { ...schema }, parse: (raw) => andThen(parseShapeJson(raw), checkShape), echo: (value) => value, findProblem };
}

/** A list or object that was sent as parsed JSON is used unchanged; of texts, at most one is allowed. */
const parseShape = (raw: Raw): ParsedValue<unknown> => (typeof raw[0] === 'object' ? { value: raw[0] } : parseSingle(raw));

const parseShapeJson = (raw: Raw): ParsedValue<unknown> =>
  andThen(parseShape(raw), (sent) => (typeof sent === 'string' ? parseJson(sent) : { value: sent }));

const findLatitudeProblem = (north: number, south: number) => (north < south ? `north (${north}) lies below south (${south})` : undefined);

export const box = jsonShape<Box>(
  Type.Object({ north: latitude, south: latitude, east: longitude, west: longitude }, { additionalProperties: false }),
  '{"north":…,"south":…,"east":…,"west":…} in degrees',
  ({ north, south }) => findLatitudeProblem(north, south),
);

const VIEW_FORM = 'west,south,east,north in degrees';

/** A box from its edges. @param numbers west, south, east, north */
function makeBox(numbers: readonly number[], form: string): ParsedValue<Box> {
  const [west = Number.NaN, south = Number.NaN, east = Number.NaN, north = Number.NaN] = numbers;
  const isUsable = [west, east].every((one) => Math.abs(one) <= 180) && [south, north].every((one) => Math.abs(one) <= 90);
  if (!isUsable) return invalidValue('invalid_geometry', `is no rectangle; send ${form}`);
  const problem = findLatitudeProblem(north, south);
  return problem === undefined ? { value: { north, south, east, west } } : invalidValue('invalid_geometry', `${problem}; send ${form}`);
}

const sidesOf = ({ north, south, east, west }: Box) => [west, south, east, north].join(',');

/**
 * The rectangle that a map shows, `west,south,east,north` in the order of a GeoJSON bbox. A west greater than east crosses the
 * antimeridian.
 */
export const view: PlainKind<Box> = {
  ...scalarKind({ type: 'string', pattern: '^-?[0-9.]+(,-?[0-9.]+){3}$', description: VIEW_FORM }, (sent) => {
    const numbers = String(sent).split(',').map(Number);
    return makeBox(numbers.length === 4 ? numbers : [], VIEW_FORM);
  }),
  echo: sidesOf,
};

const BBOX_FORM = `${VIEW_FORM}, or with heights west,south,lowest,east,north,highest`;
const DECIMAL = /^\s*[-+]?(\d+(?:\.\d*)?|\.\d+)(e[-+]?\d+)?\s*$/i;

/** The parameter `bbox` of OGC API - Features (17-069r4, 7.15.3): four numbers, or six, of which the two heights are ignored. */
export const ogcBox: PlainKind<Box> = {
  schema: {
    type: 'array',
    items: { type: 'number' },
    oneOf: [
      { minItems: 4, maxItems: 4 },
      { minItems: 6, maxItems: 6 },
    ],
    description: BBOX_FORM,
  },
  parse: (raw) =>
    andThen(parseSingle(raw), (sent) => {
      const texts = String(sent).split(',');
      const numbers = texts.map((text) => (DECIMAL.test(text) ? Number(text) : Number.NaN));
      if ((texts.length !== 4 && texts.length !== 6) || numbers.some(Number.isNaN))
        return invalidValue('invalid_geometry', `is no rectangle; send ${BBOX_FORM}`);
      return makeBox(numbers.length === 6 ? [0, 1, 3, 4].map((i) => numbers[i] as number) : numbers, BBOX_FORM);
    }),
  echo: sidesOf,
};

export const circle = jsonShape<Circle>(
  Type.Object(
    { lat: latitude, lng: longitude, radiusMeters: Type.Number({ minimum: RADIUS_MIN_METERS, maximum: RADIUS_MAX_METERS }) },
    { additionalProperties: false },
  ),
  '{"lat":…,"lng":…,"radiusMeters":100…500000}',
);

export type Ring = [number, number][];

export const polygon = jsonShape<Ring>(
  {
    type: 'array',
    minItems: VERTICES_MIN,
    maxItems: VERTICES_MAX,
    items: { type: 'array', items: { type: 'number', minimum: -180, maximum: 180 }, minItems: 2, maxItems: 2 },
  } as unknown as TSchema,
  'a closed ring [[lng,lat],…] of 4 to 1000 vertices whose last equals the first; behind the 180th meridian it goes on at -180',
  findRingProblem,
);

const AREAS_MAX = 10;
const AREA_NAME_MAX = 100;
const AREA_FORMS = { bbox: box, circle, polygon } as const;
const FORM_NAMES = Object.keys(AREA_FORMS) as (keyof typeof AREA_FORMS)[];
const AREA_KEYS: readonly string[] = ['name', ...FORM_NAMES];

/** One of several shapes: a name for people, and exactly one of the forms. */
export interface Area {
  name?: string;
  bbox?: Box;
  circle?: Circle;
  polygon?: Ring;
}

const areaProblem = (path: string, message: string): ValueProblem => ({ code: 'invalid_geometry', path, message });

/** `/polygon/3/1` as `.polygon[3][1]`. */
const toPath = (pointer: string) =>
  pointer
    .slice(1)
    .split('/')
    .map((key) => (/^\d+$/.test(key) ? `[${key}]` : `.${key}`))
    .join('');

function findAreaProblems(area: unknown, path: string): ValueProblem[] {
  if (typeof area !== 'object' || area === null || Array.isArray(area))
    return [areaProblem(path, `must be an object with one of ${FORM_NAMES.join(', ')}, and optionally a name`)];
  const { name } = area as Area;
  const [form, ...others] = FORM_NAMES.filter((key) => Object.hasOwn(area, key));
  const unknown = Object.keys(area).find((key) => !AREA_KEYS.includes(key));
  const isNamed = typeof name === 'string' && name.trim() && name.length <= AREA_NAME_MAX && !name.includes('\0');
  const problems = [
    ...(unknown === undefined ? [] : [areaProblem(path, `has no '${describeValue(unknown)}'; it takes ${AREA_KEYS.join(', ')}`)]),
    ...(name === undefined || isNamed ? [] : [areaProblem(`${path}.name`, `must be a text of 1 to ${AREA_NAME_MAX} characters`)]),
  ];
  if (!form || others.length) return [...problems, areaProblem(path, `must have exactly one of ${FORM_NAMES.join(', ')}`)];
  const found = AREA_FORMS[form].findProblem((area as Area)[form]);
  return found ? [...problems, areaProblem(`${path}${toPath(`/${form}${found.pointer}`)}`, found.message)] : problems;
}

function checkAreas(value: unknown): ParsedValue<Area[]> {
  const message = `must be a list of 1 to ${AREAS_MAX} areas {name?, ${FORM_NAMES.join(' | ')}}`;
  if (!Array.isArray(value) || !value.length || value.length > AREAS_MAX) return invalidValue('invalid_geometry', message);
  const problems = value.flatMap((area, i) => findAreaProblems(area, `[${i}]`));
  return problems.length ? { problems } : { value };
}

/** Shapes of which a record has to lie in any. */
export const areaList: PlainKind<Area[]> = {
  schema: {
    type: 'array',
    minItems: 1,
    maxItems: AREAS_MAX,
    items: {
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, maxLength: AREA_NAME_MAX },
        ...Object.fromEntries(FORM_NAMES.map((form) => [form, AREA_FORMS[form].schema])),
      },
      additionalProperties: false,
    },
  },
  parse: (raw) => andThen(parseShapeJson(raw), checkAreas),
  echo: (value) => value,
};

/** Why a ring is invalid: it is not closed, has no area, goes around a pole, or crosses or touches itself; undefined if it is valid. */
function findRingProblem(ring: Ring): string | undefined {
  const first = ring[0] as [number, number];
  const last = ring.at(-1) as [number, number];
  if (first[0] !== last[0] || first[1] !== last[1]) return 'is not closed; its last vertex must equal its first';
  if (ring.some(([, lat]) => Math.abs(lat) > 90)) return 'has a latitude beyond 90; a vertex is [lng, lat]';
  const unwrapped = unwrapRing(ring);
  if (unwrapped.at(-1)?.[0] !== first[0])
    return 'goes around a pole: each edge goes the short way around the Earth; send bbox, or edges along the antimeridian';
  const vertices = unwrapped.slice(0, -1).filter(([x, y], i, all) => x !== all.at(i - 1)?.[0] || y !== all.at(i - 1)?.[1]);
  if (vertices.length < 3 || Math.abs(signedArea(vertices)) < 1e-14) return 'encloses no area';
  const spike = findSpike(vertices);
  if (spike) return `folds back on itself at [${spike.join(', ')}]`;
  const crossing = findCrossing(vertices);
  return crossing && `crosses itself near [${crossing.join(', ')}]`;
}

/** The signed area, relative to the first vertex so that a small ring far from the origin keeps its precision. */
function signedArea(v: Ring): number {
  const [ox, oy] = v[0] as [number, number];
  return v.reduce((sum, [x, y], i) => {
    const [nx, ny] = v[(i + 1) % v.length] as [number, number];
    return sum + ((x - ox) * (ny - oy) - (nx - ox) * (y - oy)) / 2;
  }, 0);
}

const turn = (a: number[], b: number[], c: number[]) =>
  Math.sign(
    ((b[0] as number) - (a[0] as number)) * ((c[1] as number) - (a[1] as number)) -
      ((b[1] as number) - (a[1] as number)) * ((c[0] as number) - (a[0] as number)),
  );

const isBetween = (a: number[], b: number[], p: number[]) =>
  [0, 1].every(
    (i) => Math.min(a[i] as number, b[i] as number) <= (p[i] as number) && (p[i] as number) <= Math.max(a[i] as number, b[i] as number),
  );

function doEdgesMeet(a: number[], b: number[], c: number[], d: number[]): boolean {
  const [t1, t2, t3, t4] = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)];
  if (t1 !== t2 && t3 !== t4) return true;
  return (
    (t1 === 0 && isBetween(a, b, c)) ||
    (t2 === 0 && isBetween(a, b, d)) ||
    (t3 === 0 && isBetween(c, d, a)) ||
    (t4 === 0 && isBetween(c, d, b))
  );
}

/** The first vertex at which the ring turns back along the same line. */
function findSpike(v: Ring): [number, number] | undefined {
  return v.find((tip, i) => {
    const [before, after] = [v.at(i - 1) as number[], v[(i + 1) % v.length] as number[]];
    return turn(before, tip, after) === 0 && (isBetween(before, tip, after) || isBetween(tip, after, before));
  });
}

interface Edge {
  place: number;
  from: [number, number];
  to: [number, number];
  west: number;
  east: number;
}

/** A vertex of an edge that meets an edge that is not adjacent. The edges are swept from west to east, so that few pairs are compared. */
function findCrossing(v: Ring): [number, number] | undefined {
  const edges = v.map((from, place): Edge => {
    const to = v[(place + 1) % v.length] as [number, number];
    return { place, from, to, west: Math.min(from[0], to[0]), east: Math.max(from[0], to[0]) };
  });
  edges.sort((a, b) => a.west - b.west);
  const areAdjacent = (a: Edge, b: Edge) => [1, v.length - 1].includes(Math.abs(a.place - b.place));
  for (const [i, edge] of edges.entries()) {
    for (let j = i + 1; j < edges.length; j++) {
      const other = edges[j] as Edge;
      if (other.west > edge.east) break;
      if (!areAdjacent(edge, other) && doEdgesMeet(edge.from, edge.to, other.from, other.to))
        return (edge.place > other.place ? edge : other).from;
    }
  }
  return undefined;
}
