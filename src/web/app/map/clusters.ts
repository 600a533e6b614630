/** Merges counted tiles into circles that do not overlap on the screen. Pure. */
import type { Cell } from '../../../clients/client/generated.ts';
import { boxOfTile, type TileBox } from '../shared/state.ts';

/** A circle on the map: one tile, or several whose circles would overlap. */
export interface MapCluster extends Cell {
  /** the tile with most of its projects */
  tile: string;
  /** every tile that it counts */
  tiles: readonly string[];
}

/** Counts from which a circle has the next size and colour. */
export const COUNT_STEPS = [10, 100, 1000] as const;
/** Radius in pixels below the first step, from the first, from the second, from the third. */
export const RADII = [11, 14, 18, 23] as const;
/** Width in pixels of the line around a circle, of which half lies outside its radius. */
export const EDGE_PIXELS = 1.5;
/** Pixels that stay free between two circles. */
const GAP_PIXELS = 1;
/** Width and height of the world at zoom 0. */
const WORLD_PIXELS = 512;

interface Circle {
  cluster: MapCluster;
  /** pixels from the north-western corner of the world */
  x: number;
  y: number;
  /** what the circle covers, its edge included */
  radius: number;
}

export const radiusOf = (count: number): number => RADII[COUNT_STEPS.filter((step) => count >= step).length] ?? RADII[0];

const LATITUDE_MAX = 85.05;

/** A point of a web map in pixels. @param zoom may have a fraction */
export function pixelOf({ longitude, latitude }: { longitude: number; latitude: number }, zoom: number): { x: number; y: number } {
  const world = WORLD_PIXELS * 2 ** zoom;
  const sine = Math.sin((Math.max(-LATITUDE_MAX, Math.min(LATITUDE_MAX, latitude)) * Math.PI) / 180);
  return { x: ((longitude + 180) / 360) * world, y: (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * world };
}

const circleOf = (cluster: MapCluster, zoom: number): Circle => ({
  cluster,
  ...pixelOf(cluster, zoom),
  radius: radiusOf(cluster.count) + EDGE_PIXELS,
});

/** Pixels by which two circles overlap; 0 or less where they do not. */
const overlapOf = (a: Circle, b: Circle) => a.radius + b.radius + GAP_PIXELS - Math.hypot(a.x - b.x, a.y - b.y);

function sumStates(a: Cell['states'], b: Cell['states']): Cell['states'] {
  const sums = new Map(a.map((state) => [state.stateId, state]));
  for (const state of b) sums.set(state.stateId, { ...state, count: state.count + (sums.get(state.stateId)?.count ?? 0) });
  return [...sums.values()].sort((one, other) => other.count - one.count);
}

/** Merges two clusters, at the mean position of their projects. The county is kept if both have the same. */
function mergeClusters(a: MapCluster, b: MapCluster): MapCluster {
  const count = a.count + b.count;
  const middleOf = (one: number, other: number) => (one * a.count + other * b.count) / count;
  return {
    tile: a.count >= b.count ? a.tile : b.tile,
    tiles: [...a.tiles, ...b.tiles],
    latitude: middleOf(a.latitude, b.latitude),
    longitude: middleOf(a.longitude, b.longitude),
    count,
    county: a.county === b.county ? a.county : null,
    states: sumStates(a.states, b.states),
  };
}

/**
 * Clusters of which no two overlap at a zoom, largest first. Every cell is in exactly one of them.
 * @param zoom of the map, in which the world is 512 pixels wide at 0
 */
export function clustersOf(cells: readonly Cell[], zoom: number): MapCluster[] {
  const placed: Circle[] = [];
  for (const cell of cells) {
    let circle = circleOf({ ...cell, tiles: [cell.tile] }, zoom);
    for (;;) {
      const overlaps = placed.map((other) => overlapOf(circle, other));
      const most = overlaps.length ? Math.max(...overlaps) : 0;
      if (most <= 0) break;
      const [taken] = placed.splice(overlaps.indexOf(most), 1);
      if (taken) circle = circleOf(mergeClusters(taken.cluster, circle.cluster), zoom);
    }
    placed.push(circle);
  }
  return placed.map(({ cluster }) => cluster).sort((a, b) => b.count - a.count);
}

/** The rectangle around every tile of a cluster. */
export function boxOfTiles(tiles: readonly string[]): TileBox {
  const boxes = tiles.map(boxOfTile);
  return {
    north: Math.max(...boxes.map(({ north }) => north)),
    south: Math.min(...boxes.map(({ south }) => south)),
    east: Math.max(...boxes.map(({ east }) => east)),
    west: Math.min(...boxes.map(({ west }) => west)),
  };
}

interface TileSpan {
  zoom: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const boxOfSpan = ({ zoom, left, right, top, bottom }: TileSpan) => boxOfTiles([`${zoom}/${left}/${top}`, `${zoom}/${right}/${bottom}`]);

/** The union of two spans; undefined unless it is a rectangle. */
function joinSpans(a: TileSpan, b: TileSpan): TileSpan | undefined {
  if (a.zoom !== b.zoom) return undefined;
  if (a.top === b.top && a.bottom === b.bottom && a.right + 1 === b.left) return { ...a, right: b.right };
  if (a.left === b.left && a.right === b.right && a.bottom + 1 === b.top) return { ...a, bottom: b.bottom };
  return undefined;
}

/** Rectangles that cover exactly these tiles, few where tiles are neighbours. */
export function rectanglesOf(tiles: readonly string[]): TileBox[] {
  const spans = tiles.map((tile): TileSpan => {
    const [zoom = 0, x = 0, y = 0] = tile.split('/').map(Number);
    return { zoom, left: x, right: x, top: y, bottom: y };
  });
  const joinOnce = (): boolean => {
    for (const [i, a] of spans.entries())
      for (const [j, b] of spans.entries()) {
        const joined = joinSpans(a, b);
        if (!joined) continue;
        spans.splice(Math.max(i, j), 1);
        spans.splice(Math.min(i, j), 1, joined);
        return true;
      }
    return false;
  };
  while (joinOnce());
  return spans.map(boxOfSpan);
}

/**
 * The parts of rectangles that lie in another one.
 * @param bbox the filter of that name, if there is one; a west greater than east crosses the antimeridian
 */
export function boxesWithin(boxes: readonly TileBox[], bbox: string | undefined): TileBox[] {
  if (!bbox) return [...boxes];
  const asked: TileBox = JSON.parse(bbox);
  const parts =
    asked.west <= asked.east
      ? [asked]
      : [
          { ...asked, east: 180 },
          { ...asked, west: -180 },
        ];
  return boxes.flatMap((box) =>
    parts.flatMap((part) => {
      const north = Math.min(box.north, part.north);
      const south = Math.max(box.south, part.south);
      const east = Math.min(box.east, part.east);
      const west = Math.max(box.west, part.west);
      return south < north && west < east ? [{ north, south, east, west }] : [];
    }),
  );
}
