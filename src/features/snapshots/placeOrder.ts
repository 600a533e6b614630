/** An order of counties in which neighbours stand near each other, so that a row group covers a small area. Pure. */

/** Squares of the curve along each side of the map; a power of two. */
const SIDE = 2 ** 16;

interface Point {
  latitude: number;
  longitude: number;
}

/** Place of a point along the Hilbert curve over the map of longitude and latitude. */
export function placeOnCurve({ latitude, longitude }: Point): number {
  let x = Math.floor(((longitude + 180) / 360) * (SIDE - 1));
  let y = Math.floor(((latitude + 90) / 180) * (SIDE - 1));
  let place = 0;
  for (let square = SIDE / 2; square >= 1; square /= 2) {
    const [right, upper] = [x & square ? 1 : 0, y & square ? 1 : 0];
    place += square * square * ((3 * right) ^ upper);
    if (!upper) [x, y] = right ? [SIDE - 1 - y, SIDE - 1 - x] : [y, x];
  }
  return place;
}

/**
 * Groups of neighbouring counties, in the order of the curve.
 * @param counts records by `countyId` as it is indexed, null for those of no county; what has no known place stands last
 * @param least records of a group, except the last
 */
export function groupCounties(
  counts: ReadonlyMap<string | null, number>,
  pointOf: (countyId: string | null) => Point | undefined,
  least: number,
): (string | null)[][] {
  const placed = [...counts.keys()].map((id): [string | null, number] => {
    const point = pointOf(id);
    return [id, point ? placeOnCurve(point) : Number.POSITIVE_INFINITY];
  });
  const groups: (string | null)[][] = [];
  let records = least;
  for (const [id] of placed.sort(([, a], [, b]) => (a === b ? 0 : a - b))) {
    if (records >= least) {
      groups.push([]);
      records = 0;
    }
    groups.at(-1)?.push(id);
    records += counts.get(id) ?? 0;
  }
  return groups;
}
