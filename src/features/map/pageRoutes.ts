/** The page `/map` (`/exports` is the same page, opened at its exports) and the files that it loads. */
import type { Places } from '../../core/domain/places.ts';
import { assetRoutes } from '../../http/assetRoutes.ts';
import { file } from '../../http/declaration.ts';
import type { OpenRoute } from '../../http/openRoutes.ts';
import { policyOf } from '../../http/securityHeaders.ts';
import { readAssets } from '../../web/assets.ts';
import { type MapSettings, mapPage, mapPolicy } from '../../web/mapPage.ts';
import { outlineAssets } from '../../web/outlines.ts';

/** Names of files change with their content, so the page is always revalidated. */
const PAGE_LIFETIME = { seconds: 0, scope: 'shared' } as const;

/** The worker of the renderer fetches the outlines under a policy of its own. */
const WORKER_POLICY = policyOf("form-action 'none'", "connect-src 'self'");

export function mapRoutes(settings: Omit<MapSettings, 'outlines'>, places: Places): OpenRoute[] {
  const assets = readAssets();
  const outlines = outlineAssets(places);
  const paths = { states: outlines.states.path, counties: outlines.counties.path, names: outlines.names.path };
  const html = mapPage(assets, { ...settings, outlines: paths });
  const files = assets.all.map((asset) => (asset.path === assets.worker ? { ...asset, headers: WORKER_POLICY } : asset));
  return [
    {
      paths: ['/map', '/exports'],
      type: 'text/html; charset=utf-8',
      headers: policyOf("form-action 'none'", ...mapPolicy(assets)),
      lifetime: PAGE_LIFETIME,
      handle: () => html,
      reference: {
        id: 'getMap',
        summary: 'The map: every search, count and record as a page, for people with a key',
        answers: [file('text/html')],
      },
    },
    ...assetRoutes([...files, ...Object.values(outlines)]),
  ];
}
