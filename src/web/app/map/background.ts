/** The operator's base map below the map's own layers: a style, or an archive of tiles. */
import type { LayerSpecification, SourceSpecification, StyleSpecification } from 'maplibre-gl';
import { settings } from '../shared/settings.ts';
import type { Theme } from '../shared/theme.ts';
import { tileLayers } from './tileLayers.ts';

export interface MapBackground {
  sources: Record<string, SourceSpecification>;
  layersIn: (theme: Theme) => LayerSpecification[];
  more: Pick<StyleSpecification, 'glyphs' | 'sprite'>;
  /** fonts that the style's glyphs have; undefined if the browser's own fonts are used */
  font?: string[] | undefined;
  /** whether it names places itself */
  hasNames: boolean;
}

type MapRenderer = Pick<typeof import('maplibre-gl'), 'addProtocol'>;

/** Prefix of names of the base map's sources and layers. */
const BASE = 'base:';

/** An address in a style, which may be relative to it and have `{z}` in it. */
const absolute = (url: string, base: string) => decodeURI(new URL(url, base).href).replaceAll('%7B', '{').replaceAll('%7D', '}');

function absoluteSource(source: SourceSpecification, base: string): SourceSpecification {
  const found: Record<string, unknown> = { ...source };
  if (typeof found.url === 'string') found.url = absolute(found.url, base);
  if (Array.isArray(found.tiles)) found.tiles = found.tiles.map((url: string) => absolute(url, base));
  if (typeof found.data === 'string') found.data = absolute(found.data, base);
  return found as unknown as SourceSpecification;
}

const renamed = (layer: LayerSpecification): LayerSpecification =>
  ({
    ...layer,
    id: `${BASE}${layer.id}`,
    ...('source' in layer && typeof layer.source === 'string' ? { source: `${BASE}${layer.source}` } : {}),
  }) as LayerSpecification;

/** The first list of fonts that a style names; our numbers are written with it, since a map has one source of glyphs. */
function fontOf(layers: readonly LayerSpecification[]): string[] | undefined {
  for (const layer of layers) {
    const font = layer.type === 'symbol' ? layer.layout?.['text-font'] : undefined;
    if (Array.isArray(font) && font.every((one) => typeof one === 'string')) return font as string[];
  }
  return undefined;
}

/** @throws Error that says what went wrong */
async function readStyle(url: string): Promise<MapBackground> {
  const answer = await fetch(url, { credentials: 'omit' });
  if (!answer.ok) throw new Error(`its style answers ${answer.status}`);
  const { sources = {}, layers = [], glyphs, sprite }: Partial<StyleSpecification> = await answer.json();
  const named = Object.entries(sources).map(([name, source]) => [`${BASE}${name}`, absoluteSource(source, url)] as const);
  const font = glyphs ? fontOf(layers) : undefined;
  return {
    sources: Object.fromEntries(named),
    layersIn: () => layers.map(renamed),
    more: {
      ...(glyphs ? { glyphs: absolute(glyphs, url) } : {}),
      ...(typeof sprite === 'string' ? { sprite: absolute(sprite, url) } : {}),
    },
    font,
    hasNames: layers.some(({ type }) => type === 'symbol'),
  };
}

/** The metadata of an archive of vector tiles that is used here. */
interface ArchiveMetadata {
  attribution?: string;
  vector_layers?: { id: string }[];
}

/** @throws Error that says what went wrong */
async function readArchive(path: string, { addProtocol }: MapRenderer): Promise<MapBackground> {
  const { PMTiles, Protocol, TileType } = await import('pmtiles');
  const url = new URL(path, location.origin).href;
  const archive = new PMTiles(url);
  const protocol = new Protocol({ metadata: true });
  protocol.add(archive);
  addProtocol('pmtiles', protocol.tile);
  const { tileType, maxZoom } = await archive.getHeader();
  const { attribution, vector_layers: layers = [] } = (await archive.getMetadata()) as ArchiveMetadata;
  const source = `${BASE}tiles`;
  const address = { url: `pmtiles://${url}`, ...(attribution ? { attribution } : {}) };
  const isVector = tileType === TileType.Mvt;
  if (!isVector && !layers.length && maxZoom < 0) throw new Error('its archive has no tiles');
  return {
    sources: { [source]: isVector ? { type: 'vector', ...address } : { type: 'raster', tileSize: 256, ...address } },
    layersIn: (theme) =>
      isVector
        ? tileLayers(
            source,
            layers.map(({ id }) => id),
            theme,
          )
        : [{ id: `${BASE}raster`, type: 'raster', source }],
    more: {},
    hasNames: false,
  };
}

/** The base map; null if there is none. @throws Error that says what went wrong */
export function readBackground(renderer: MapRenderer): Promise<MapBackground | null> {
  const { background } = settings;
  if (!background) return Promise.resolve(null);
  return background.kind === 'style' ? readStyle(background.url) : readArchive(background.url, renderer);
}
