/** Well-known documents for programs and agents that know only the host: the catalogue of its APIs (RFC 9727), and a description of its MCP server. */
import { createRequire } from 'node:module';
import { file } from '../../http/declaration.ts';
import { MCP_PATH } from '../../http/mcpEndpoint.ts';
import type { OpenRoute } from '../../http/openRoutes.ts';
import { OGC_ROOT } from '../../http/roots.ts';
import { guidePath } from '../../web/docsFrame.ts';
import { LIFETIME } from './referenceRoutes.ts';

const { version: VERSION } = createRequire(import.meta.url)('../../../package.json') as { version: string };
const CATALOG_PATH = '/.well-known/api-catalog';
const SERVER_PATH = '/server.json';
const LINKSET = 'application/linkset+json';
/** The profile of the link set (RFC 9727 section 7.3). */
const CATALOG_TYPE = `${LINKSET}; profile="https://www.rfc-editor.org/info/rfc9727"`;
const SERVER_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';
const JSON_TYPE = 'application/json';

/** The addresses of a service. */
interface Addresses {
  /** of the service, without a trailing slash */
  publicUrl: string;
  /** path of the API */
  apiRoot: string;
  /** of the file of all words */
  vocabulariesUrl: string;
}

/** The `Link` header of answers, which leads to the catalogue. */
export const catalogLink = (publicUrl: string) => ({ Link: `<${publicUrl}${CATALOG_PATH}>; rel="api-catalog"` });

function makeApiCatalog({ publicUrl, apiRoot, vocabulariesUrl }: Addresses) {
  const link = (path: string, type: string, title: string) => ({ href: `${publicUrl}${path}`, type, title });
  const guide = (name: string, title: string) => [
    link(guidePath(name), 'text/html', title),
    link(`${guidePath(name)}.md`, 'text/markdown', title),
  ];
  const status = [link('/health', JSON_TYPE, 'Whether the process answers')];
  return {
    linkset: [
      {
        anchor: `${publicUrl}${apiRoot}`,
        'service-desc': [link('/openapi.json', JSON_TYPE, 'OpenAPI document')],
        'service-doc': [
          link('/docs', 'text/html', 'Reference and guides'),
          link('/llms.txt', 'text/plain', 'List of the guides'),
          link('/llms-full.txt', 'text/plain', 'All guides in one text'),
        ],
        'service-meta': [
          { href: vocabulariesUrl, type: JSON_TYPE, title: 'Words that records carry and filters take' },
          link('/changelog.json', JSON_TYPE, 'Changelog'),
        ],
        status,
      },
      {
        anchor: `${publicUrl}${MCP_PATH}`,
        'service-desc': [link(SERVER_PATH, JSON_TYPE, 'MCP server, as registries describe one')],
        'service-doc': guide('mcp', 'Tools for agents'),
        status,
      },
      {
        anchor: `${publicUrl}${OGC_ROOT}`,
        'service-desc': [link('/openapi.json', JSON_TYPE, 'OpenAPI document')],
        'service-doc': guide('gis', 'Projects in GIS programs'),
        status,
      },
    ],
  };
}

/** A name derived from the host of the service: `example.acme.api/land-use-intelligence` for https://api.acme.example. */
function makeServerName(publicUrl: string): string {
  const labels = new URL(publicUrl).hostname.split('.').reverse();
  return `${labels.join('.').replaceAll(/[^a-zA-Z0-9.-]/g, '')}/land-use-intelligence`;
}

const describeMcpServer = (publicUrl: string) => ({
  $schema: SERVER_SCHEMA,
  name: makeServerName(publicUrl),
  title: 'Land Use Intelligence',
  description: 'US land-use projects from the minutes of city and county meetings: search, count, read, export.',
  version: VERSION,
  websiteUrl: `${publicUrl}${guidePath('mcp')}`,
  remotes: [
    {
      type: 'streamable-http',
      url: `${publicUrl}${MCP_PATH}`,
      headers: [
        {
          name: 'Authorization',
          description: `Your API key, as "Bearer svc_live_…": ${publicUrl}${guidePath('keys')} says where keys come from`,
          value: 'Bearer {api_key}',
          isRequired: true,
          isSecret: true,
          variables: {
            api_key: { description: 'An API key of this service', placeholder: 'svc_live_…', isRequired: true, isSecret: true },
          },
        },
      ],
    },
  ],
});

export function discoveryRoutes(addresses: Addresses): OpenRoute[] {
  const { publicUrl } = addresses;
  const catalog = makeApiCatalog(addresses);
  const server = describeMcpServer(publicUrl);
  return [
    {
      paths: [CATALOG_PATH],
      type: CATALOG_TYPE,
      headers: catalogLink(publicUrl),
      lifetime: LIFETIME,
      handle: () => catalog,
      reference: {
        id: 'getApiCatalog',
        summary: 'The APIs of this host with their descriptions, guides and status, as a link set (RFC 9727)',
        answers: [file(LINKSET, { schema: { type: 'object' } })],
      },
    },
    {
      paths: [SERVER_PATH],
      lifetime: LIFETIME,
      handle: () => server,
      reference: {
        id: 'getMcpServer',
        summary: 'Where the MCP server is and which header it needs, as the registry of MCP servers describes one',
        answers: [file(JSON_TYPE, { schema: { type: 'object' } })],
      },
    },
  ];
}
