/**
 * In which counties besides that of its centre a city may be, from public tables of outlines and land areas. Pure.
 *
 * The rule: a county of the same state whose outline comes within `REACH` radii of the city, and 300 m, of the city's centre; the
 * radius is that of a disc of the city's land area. It is generous, since cities are no discs: what a record states is what counts, and
 * this table says only which statements and requests are possible.
 */

/** longitude, latitude */
export type Point = readonly [number, number];

export interface PlacedCity {
  id: number;
  stateId: number;
  countyId: number;
  /** the centres that catalogues give it: one, or two that may be apart in a sprawling city */
  centres: readonly { point: Point; countyId: number }[];
  /** 0 where unknown: the city is then in one county */
  landSqkm: number;
}

export interface CountyOutline {
  id: number;
  stateId: number;
  lines: readonly (readonly Point[])[];
}

/** How far a city may sprawl, in radii of a disc of its land area: Houston reaches Montgomery County at 1.3, Thornton Weld County at 1.71. */
const REACH = 1.8;
const SLACK_KM = 0.3;
const KM_PER_DEGREE = 111.32;

export const NEW_YORK_CITY = 5128581;
const NEW_YORK_BOROUGHS = [36005, 36047, 36061, 36081, 36085];

/** Counties that are one city, which neither leaves them nor shares them: Denver, Broomfield, San Francisco, Philadelphia, New Orleans, … */
const ONE_CITY_COUNTIES = new Set([2020, 2110, 6075, 8014, 8031, 11001, 22071, 24510, 25019, 29510, 32510, 42101, ...NEW_YORK_BOROUGHS]);
/** Cities that are one with their county, in which others may lie too: Jacksonville, Athens, Augusta, Columbus, Macon, Indianapolis, … */
const CONSOLIDATED_CITIES = new Set([4160021, 4180386, 4180531, 4188985, 4207400, 4259418, 4297983, 4299276, 4644585, 5637146, 5642934]);
const VIRGINIA_CITIES = { from: 51500, to: 51999 };
const isOneCity = (county: number) => ONE_CITY_COUNTIES.has(county) || (county >= VIRGINIA_CITIES.from && county <= VIRGINIA_CITIES.to);

/** Kilometres from a point to a segment, on a plane that is true around the point. */
function kilometresToSegment([lng, lat]: Point, a: Point, b: Point): number {
  const perLongitude = KM_PER_DEGREE * Math.cos((lat * Math.PI) / 180);
  const [ax, ay] = [(a[0] - lng) * perLongitude, (a[1] - lat) * KM_PER_DEGREE];
  const [dx, dy] = [(b[0] - a[0]) * perLongitude, (b[1] - a[1]) * KM_PER_DEGREE];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / length));
  return Math.hypot(ax + along * dx, ay + along * dy);
}

function kilometresToOutline(point: Point, { lines }: CountyOutline): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (const line of lines)
    line.forEach((end, i) => {
      const start = line[i - 1];
      if (start) nearest = Math.min(nearest, kilometresToSegment(point, start, end));
    });
  return nearest;
}

/** FIPS numbers, ascending, of the counties that the city may be in besides that of its centre. @param outlines those of its state */
export function furtherCounties(city: PlacedCity, outlines: readonly CountyOutline[]): number[] {
  if (city.id === NEW_YORK_CITY) return NEW_YORK_BOROUGHS.filter((id) => id !== city.countyId);
  if (isOneCity(city.countyId) || CONSOLIDATED_CITIES.has(city.id) || city.landSqkm === 0) return [];
  const reach = REACH * Math.sqrt(city.landSqkm / Math.PI) + SLACK_KM;
  const reaches = (outline: CountyOutline) =>
    city.centres.some(({ point, countyId }) => countyId === outline.id || kilometresToOutline(point, outline) <= reach);
  return outlines
    .filter((o) => o.stateId === city.stateId && o.id !== city.countyId && !isOneCity(o.id) && reaches(o))
    .map(({ id }) => id)
    .sort((a, b) => a - b);
}
