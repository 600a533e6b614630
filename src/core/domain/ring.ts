/** Rings of `[longitude, latitude]` pairs on a flat map, each edge the short way around the Earth. Pure. */

export type ReadonlyRing = readonly (readonly [number, number])[];

type Vertex = readonly [number, number];

/** How far west (negative) or east the world is turned so that an edge goes the short way, in degrees. One from -180 to 180 is a side of the whole map. */
const turnAt = (from: number, to: number): number =>
  Math.abs(to - from) > 180 && Math.abs(to - from) < 360 ? -360 * Math.sign(to - from) : 0;

/** The ring without jumps at the antimeridian: its longitudes may lie beyond ±180, and no edge spans more than 180 degrees. */
export function unwrapRing(ring: ReadonlyRing): [number, number][] {
  let turned = 0;
  return ring.map(([longitude, latitude], i) => {
    turned += i === 0 ? 0 : turnAt((ring[i - 1] as Vertex)[0], longitude);
    return [longitude + turned, latitude];
  });
}

/** The part of a closed ring on one side of a meridian (Sutherland and Hodgman): what lies beyond is drawn onto the meridian. */
function clipAt(meridian: number, side: 'west' | 'east', ring: ReadonlyRing): Vertex[] {
  const isInside = ([longitude]: Vertex) => (side === 'west' ? longitude <= meridian : longitude >= meridian);
  return ring.flatMap((to, i) => {
    const from = ring.at(i - 1) as Vertex;
    const kept = isInside(to) ? [to] : [];
    if (isInside(from) === isInside(to)) return kept;
    const share = (meridian - from[0]) / (to[0] - from[0]);
    return [[meridian, from[1] + share * (to[1] - from[1])] as const, ...kept];
  });
}

/** The parts of a closed ring between one antimeridian and the next, each closed and within -180 to 180 degrees; the ring itself where it crosses none. */
export function splitAtAntimeridian(ring: ReadonlyRing): ReadonlyRing[] {
  const unwrapped = unwrapRing(ring);
  const longitudes = unwrapped.map(([longitude]) => longitude);
  const [west, east] = [Math.min(...longitudes), Math.max(...longitudes)];
  if (west >= -180 && east <= 180) return [unwrapped];
  const parts: ReadonlyRing[] = [];
  for (let world = Math.floor((west + 180) / 360); world * 360 - 180 < east; world++) {
    const clipped = clipAt(world * 360 + 180, 'west', clipAt(world * 360 - 180, 'east', unwrapped.slice(1)));
    const part = clipped.map(([longitude, latitude]): Vertex => [longitude - world * 360, latitude]);
    if (part.length >= 3) parts.push([...part, part[0] as Vertex]);
  }
  return parts;
}

/** Whether a point lies inside a closed ring. */
export function isInsideRing(ring: ReadonlyRing, longitude: number, latitude: number): boolean {
  const unwrapped = unwrapRing(ring);
  const isInside = (x: number) =>
    unwrapped.filter(([toX, toY], i) => {
      const [fromX, fromY] = unwrapped.at(i - 1) as Vertex;
      return i > 0 && fromY > latitude !== toY > latitude && x < fromX + ((toX - fromX) * (latitude - fromY)) / (toY - fromY);
    }).length %
      2 ===
    1;
  return [longitude - 360, longitude, longitude + 360].some(isInside);
}
