/** The page `/map` (`/exports` is the same page, opened at its exports) and the files that it loads. */
import { readFileSync } from 'node:fs';
import type { Places } from '../../core/domain/places.ts';
import { SORTS } from '../../core/filter/controls.ts';
import { assetRoutes, folderRoutes, PAGE_FILE } from '../../http/assetRoutes.ts';
import { file } from '../../http/declaration.ts';
import type { OpenRoute } from '../../http/openRoutes.ts';
import { contentSecurityPolicy } from '../../http/securityHeaders.ts';
import { fileRoute } from '../../http/servedFile.ts';
import { assetOf } from '../../web/assets.ts';
import { pageBundle } from '../../web/bundle.ts';
import { type MapSettings, mapPage, mapPolicy } from '../../web/mapPage.ts';
import { outlineAssets, placeNameAssets } from '../../web/outlines.ts';
import { recordFieldsAsset } from '../../web/recordFields.ts';
import { filterAsset } from './filterAsset.ts';

const ICON_FILE = new URL('../../web/app/icon.svg', import.meta.url);

/** The page names files whose names change with their content, so it is revalidated each time. */
const PAGE_LIFETIME = { seconds: 0, scope: 'shared' } as const;

/** What of the page the operator configured. */
export interface PageSettings extends Pick<MapSettings, 'contactUrl' | 'upgradeUrl'> {
  /** address of a MapLibre style */
  mapStyleUrl: string | null;
  /** path of a PMTiles archive */
  mapTilesFile: string | null;
}

export function mapRoutes(publicUrl: string, configured: PageSettings, places: Places): OpenRoute[] {
  const { mapStyleUrl, mapTilesFile, contactUrl, upgradeUrl } = configured;
  const tiles = mapTilesFile === null ? undefined : fileRoute('/assets/tiles/', mapTilesFile, 'application/vnd.pmtiles', PAGE_FILE);
  const background =
    mapStyleUrl !== null ? { kind: 'style' as const, url: mapStyleUrl } : tiles ? { kind: 'tiles' as const, url: tiles.path } : null;
  const elsewhere = mapStyleUrl === null ? null : new URL(mapStyleUrl).origin;
  const bundle = pageBundle();
  const icon = assetOf('icon.svg', readFileSync(ICON_FILE, 'utf8'));
  const outlines = outlineAssets(places);
  const placeNames = placeNameAssets(places);
  const filters = filterAsset();
  const recordFields = recordFieldsAsset(SORTS);
  const html = mapPage(bundle, icon.path, {
    publicUrl,
    contactUrl,
    upgradeUrl,
    background,
    outlines: {
      states: outlines.states.path,
      counties: outlines.counties.path,
      ground: outlines.ground.path,
      names: outlines.names.path,
      areas: outlines.areas.path,
    },
    placeNames: { counties: placeNames.counties.path, cities: placeNames.cities.path },
    filters: filters.path,
    recordFields: recordFields.path,
  });
  const data = [...Object.values(outlines), ...Object.values(placeNames), filters, recordFields].map((asset) => ({
    ...asset,
    type: 'application/json',
  }));
  // The worker of the renderer fetches outlines and tiles under a policy of its own.
  const workerPolicy = contentSecurityPolicy("form-action 'none'", `connect-src 'self'${elsewhere ? ` ${elsewhere}` : ''}`);
  return [
    {
      paths: ['/map', '/exports'],
      type: 'text/html; charset=utf-8',
      headers: contentSecurityPolicy("form-action 'none'", ...mapPolicy(elsewhere)),
      lifetime: PAGE_LIFETIME,
      handle: () => html,
      reference: {
        id: 'getMap',
        summary: 'The map: every search, count and record as a page, for people with a key',
        answers: [file('text/html')],
      },
    },
    ...assetRoutes([{ ...icon, type: 'image/svg+xml' }, ...data]),
    ...(tiles ? [tiles] : []),
    ...folderRoutes(bundle.root, bundle.read, { style: bundle.paths.style, headers: { [bundle.paths.worker]: workerPolicy } }),
  ];
}
