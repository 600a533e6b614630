/** The page `/map` (`/exports` is the same page, opened at its exports) and the files that it loads. */
import type { Places } from '../../core/domain/places.ts';
import { file } from '../../http/declaration.ts';
import type { OpenRoute } from '../../http/openRoutes.ts';
import { policyOf } from '../../http/securityHeaders.ts';
import { readAssets } from '../../web/assets.ts';
import { type MapSettings, mapPage, mapPolicy } from '../../web/mapPage.ts';
import { outlineAssets } from '../../web/outlines.ts';

/** Files are named by a hash of their content, so the page is always revalidated and its files are cached for a year. */
const PAGE_LIFETIME = { seconds: 0, scope: 'shared' } as const;
const FILE_LIFETIME = { seconds: 31_536_000, scope: 'shared', immutable: true } as const;

/** The worker of the renderer fetches the outlines under a policy of its own. */
const WORKER_POLICY = policyOf("form-action 'none'", "connect-src 'self'");

const FILE_NAME = {
  schema: { type: 'string' },
  summary: 'A name that the page has',
  example: 'map/main.js',
  names: 'file',
  parse: String,
};

export function mapRoutes(settings: Omit<MapSettings, 'outlines'>, places: Places): OpenRoute[] {
  const assets = readAssets();
  const outlines = outlineAssets(places);
  const paths = { states: outlines.states.path, counties: outlines.counties.path, names: outlines.names.path };
  const html = mapPage(assets, { ...settings, outlines: paths });
  const reference = {
    id: 'getMapFile',
    summary: 'A file of the map’s page; its name changes with its content',
    path: '/assets/{file}',
    params: { file: FILE_NAME },
    answers: [file('text/javascript')],
    errors: ['resource_not_found', 'missing_api_key'],
  } as const;
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
    ...[...assets.all, ...Object.values(outlines)].map(
      ({ path, type, content }): OpenRoute => ({
        paths: [path],
        rate: 'file',
        type,
        ...(path === assets.worker ? { headers: WORKER_POLICY } : {}),
        lifetime: FILE_LIFETIME,
        handle: content,
        reference,
      }),
    ),
  ];
}
