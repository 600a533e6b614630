/** The answer at the root: what this service is, with links. */
import { escapeHtml } from '../../core/domain/escapeHtml.ts';
import { file } from '../../http/declaration.ts';
import type { OpenRoute } from '../../http/openRoutes.ts';
import { styledPagePolicy } from '../../http/securityHeaders.ts';
import { SCHEMA_VERSION } from '../../http/versioning.ts';
import { page } from '../../web/layout.ts';
import { STYLE } from '../../web/style.ts';
import { catalogLink } from './discoveryRoutes.ts';

const NAME = 'Land Use Intelligence API';
const DESCRIPTION =
  'US land-use projects (rezonings, site plans, permits), read from the minutes of city and county meetings: search, count, sync and read them.';
const AUTHENTICATION = 'Send your API key as "Authorization: Bearer <API_KEY>" or in the header X-API-Key.';

/** Links in reading order; only paths that are served are shown. */
const PLACES = {
  map: { path: '/map', title: 'The map' },
  reference: { path: '/docs', title: 'Reference and guides' },
  firstCall: { path: '/docs/guides/first-call', title: 'The first call' },
  errors: { path: '/docs/errors', title: 'Every error, with its remedy' },
  openapi: { path: '/openapi.json', title: 'OpenAPI document' },
  llms: { path: '/llms.txt', title: 'Guides as Markdown' },
  llmsFull: { path: '/llms-full.txt', title: 'All guides in one text' },
  apiCatalog: { path: '/.well-known/api-catalog', title: 'Catalogue of the APIs of this host' },
  mcpServer: { path: '/server.json', title: 'MCP server, for agents' },
  changelog: { path: '/changelog.json', title: 'Changelog' },
  plans: { path: '/docs/plans', title: 'Plans and prices' },
  health: { path: '/health', title: 'Whether the process answers' },
  ready: { path: '/ready', title: 'Whether its servers answer' },
};

const ANSWERS = [file('application/json', { schema: { type: 'object' } }), file('text/html')];

/** @param others the other open routes */
export function greetingRoutes(publicUrl: string, apiRoot: string, others: readonly OpenRoute[]): OpenRoute[] {
  const served = new Set(others.flatMap(({ paths }) => paths));
  const places = Object.entries(PLACES).filter(([, { path }]) => served.has(path));
  const links = Object.fromEntries(places.map(([name, { path }]) => [name, `${publicUrl}${path}`]));
  const greeting = {
    name: NAME,
    description: DESCRIPTION,
    schemaVersion: SCHEMA_VERSION,
    apiRoot: `${publicUrl}${apiRoot}`,
    authentication: AUTHENTICATION,
    links,
  };
  const items = places.map(([, { path, title }]) => `<li><a href="${escapeHtml(publicUrl + path)}">${title}</a></li>`);
  const main = `<h1>${NAME}</h1><p class="lead">${escapeHtml(DESCRIPTION)}</p>
<p>The API root is <code>${escapeHtml(greeting.apiRoot)}</code>. ${escapeHtml(AUTHENTICATION)}</p><ul>${items.join('')}</ul>`;
  const html = page({ title: 'Welcome', path: '/', navigation: [], main });
  return [
    {
      paths: ['/', apiRoot, `${apiRoot}/`],
      headers: { ...styledPagePolicy(STYLE), ...catalogLink(publicUrl) },
      lifetime: { seconds: 300, scope: 'shared' },
      handle: () => greeting,
      html: () => html,
      reference: { id: 'greet', summary: 'What this is, and where to go on; JSON, or a page where that is preferred', answers: ANSWERS },
    },
  ];
}
