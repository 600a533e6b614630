/** Calm layers for the vector tiles of any archive, by what their layers are called (Protomaps, OpenMapTiles, Shortbread). Pure. */
import type { LayerSpecification } from 'maplibre-gl';
import type { Theme } from '../shared/theme.ts';

type GroundColours = Readonly<Record<'earth' | 'green' | 'water' | 'building' | 'road' | 'edge', string>>;

const COLOURS: Readonly<Record<Theme, GroundColours>> = {
  light: { earth: '#f6f7f5', green: '#e8eee2', water: '#d3e2e9', building: '#e6e5e0', road: '#d9d8d2', edge: '#c3c9cb' },
  dark: { earth: '#14191d', green: '#18211c', water: '#1a2a34', building: '#20272c', road: '#2b343a', edge: '#3a454d' },
};

/** Kinds of layers from the bottom to the top; the first whose pattern a name matches counts. Names of places are drawn by the map itself. */
const KINDS: readonly { kind: keyof GroundColours; names: RegExp; lines?: boolean; areas?: boolean }[] = [
  { kind: 'earth', names: /^(earth|land|ocean_land)$/i, areas: true },
  { kind: 'green', names: /land_?cover|land_?use|park|wood|forest|green|^land$|sites?$/i, areas: true },
  { kind: 'water', names: /water|ocean|river|lake/i, areas: true, lines: true },
  { kind: 'building', names: /building/i, areas: true },
  { kind: 'road', names: /road|street|transport|highway|rail|path|bridge/i, lines: true },
  { kind: 'edge', names: /boundar|border|admin/i, lines: true },
];
const UNDRAWN = /name|label|place|poi|housenum|address|peak/i;

/** @param source of the tiles @param names of the layers in them */
export function tileLayers(source: string, names: readonly string[], theme: Theme): LayerSpecification[] {
  const colours = COLOURS[theme];
  const kindOf = (name: string) => (UNDRAWN.test(name) ? undefined : KINDS.find((row) => row.names.test(name)));
  return KINDS.flatMap((row) =>
    names
      .filter((name) => kindOf(name) === row)
      .flatMap((name): LayerSpecification[] => {
        const common = { source, 'source-layer': name };
        const colour = colours[row.kind];
        const area: LayerSpecification = {
          ...common,
          id: `base:${name}`,
          type: 'fill',
          filter: ['==', ['geometry-type'], 'Polygon'],
          paint: { 'fill-color': colour },
        };
        const line: LayerSpecification = {
          ...common,
          id: `base:${name}-line`,
          type: 'line',
          filter: ['==', ['geometry-type'], 'LineString'],
          layout: { 'line-join': 'round', 'line-cap': 'round' },
          paint: { 'line-color': colour, 'line-width': ['interpolate', ['exponential', 1.6], ['zoom'], 6, 0.4, 12, 1, 16, 5] },
        };
        return [...(row.areas ? [area] : []), ...(row.lines ? [line] : [])];
      }),
  );
}
