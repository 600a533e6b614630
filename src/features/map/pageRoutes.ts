/** The page `/map` (`/exports` is the same page, opened at its exports) and the files that it loads. */
import { readFileSync } from 'node:fs';
import type { Places } from '../../core/domain/places.ts';
import { SORTS } from '../../core/filter/controls.ts';
import { assetRoutes, folderRoutes } from '../../http/assetRoutes.ts';
import { file } from '../../http/declaration.ts';
import type { OpenRoute } from '../../http/openRoutes.ts';
import { policyOf } from '../../http/securityHeaders.ts';
import { assetOf } from '../../web/assets.ts';
import { pageBundle } from '../../web/bundle.ts';
import { MAP_POLICY, type MapSettings, mapPage } from '../../web/mapPage.ts';
import { outlineAssets } from '../../web/outlines.ts';
import { recordFieldsAsset } from '../../web/recordFields.ts';
import { filterAsset } from './filterAsset.ts';

const ICON_FILE = new URL('../../web/app/icon.svg', import.meta.url);

/** Names of files change with their content, so the page is always revalidated. */
const PAGE_LIFETIME = { seconds: 0, scope: 'shared' } as const;

/** The worker of the renderer fetches the outlines under a policy of its own. */
const WORKER_POLICY = policyOf("form-action 'none'", "connect-src 'self'");

export function mapRoutes(settings: Omit<MapSettings, 'outlines' | 'filters' | 'recordFields'>, places: Places): OpenRoute[] {
  const bundle = pageBundle();
  const icon = assetOf('icon.svg', readFileSync(ICON_FILE, 'utf8'));
  const outlines = outlineAssets(places);
  const paths = { states: outlines.states.path, counties: outlines.counties.path, names: outlines.names.path };
  const filters = filterAsset();
  const recordFields = recordFieldsAsset(SORTS);
  const html = mapPage(bundle, icon.path, { ...settings, outlines: paths, filters: filters.path, recordFields: recordFields.path });
  const data = [...Object.values(outlines), filters, recordFields].map((asset) => ({ ...asset, type: 'application/json' }));
  return [
    {
      paths: ['/map', '/exports'],
      type: 'text/html; charset=utf-8',
      headers: policyOf("form-action 'none'", ...MAP_POLICY),
      lifetime: PAGE_LIFETIME,
      handle: () => html,
      reference: {
        id: 'getMap',
        summary: 'The map: every search, count and record as a page, for people with a key',
        answers: [file('text/html')],
      },
    },
    ...assetRoutes([{ ...icon, type: 'image/svg+xml' }, ...data]),
    ...folderRoutes(bundle.root, bundle.read, { style: bundle.paths.style, headers: { [bundle.paths.worker]: WORKER_POLICY } }),
  ];
}
