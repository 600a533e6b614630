/** Well-known documents for programs and agents that know only the host: the catalogue of its APIs (RFC 9727), and a description of its MCP server. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { entryOf, type OpenRoute } from '../../http/openRoutes.ts';
import { MCP_PATH, OGC_ROOT } from '../../http/roots.ts';
import { guidePath } from '../../web/docsFrame.ts';
import { LIFETIME } from './referenceRoutes.ts';

const { version: VERSION } = createRequire(import.meta.url)('../../../package.json') as { version: string };
const CATALOG_PATH = '/.well-known/api-catalog';
const SERVER_PATH = '/server.json';
const CARD_PATH = '/.well-known/mcp/server-card.json';
const SKILL_PATH = '/skill.md';
const LINKSET = 'application/linkset+json';
/** The profile of the link set (RFC 9727 section 7.3). */
const CATALOG_TYPE = `${LINKSET}; profile="https://www.rfc-editor.org/info/rfc9727"`;
const SERVER_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';
/** The draft of server cards (SEP-2127). */
const CARD_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json';
const PROTOCOL_VERSIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'];
const JSON_TYPE = 'application/json';
const MARKDOWN_TYPE = 'text/markdown';

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
          description: `Your API key, as "Bearer svc_live_…", for clients that do not connect by OAuth: ${publicUrl}${guidePath('keys')} says where keys come from`,
          value: 'Bearer {api_key}',
          isRequired: false,
          isSecret: true,
          variables: {
            api_key: { description: 'An API key of this service', placeholder: 'svc_live_…', isRequired: true, isSecret: true },
          },
        },
      ],
    },
  ],
});

/** The server card: what `server.json` says, and the revisions of the protocol. */
function describeServerCard(publicUrl: string) {
  const { remotes, ...server } = describeMcpServer(publicUrl);
  return {
    ...server,
    $schema: CARD_SCHEMA,
    remotes: remotes.map((remote) => ({ ...remote, supportedProtocolVersions: PROTOCOL_VERSIONS })),
  };
}

/** The skill that teaches an agent to use the service, in the form of agent skills: a head of YAML, then Markdown. */
const writeSkill = (publicUrl: string) =>
  readFileSync(new URL('skill.md', import.meta.url), 'utf8')
    .replaceAll('{PUBLIC_URL}', publicUrl)
    .replaceAll('{MCP_PATH}', MCP_PATH);

export function discoveryRoutes(addresses: Addresses): OpenRoute[] {
  const { publicUrl } = addresses;
  const catalog = makeApiCatalog(addresses);
  const server = describeMcpServer(publicUrl);
  const card = describeServerCard(publicUrl);
  const skill = writeSkill(publicUrl);
  return [
    {
      paths: [CATALOG_PATH],
      type: CATALOG_TYPE,
      headers: catalogLink(publicUrl),
      lifetime: LIFETIME,
      handle: () => catalog,
      reference: entryOf(
        'getApiCatalog',
        'The APIs of this host with their descriptions, guides and status, as a link set (RFC 9727)',
        LINKSET,
      ),
    },
    {
      paths: [SERVER_PATH],
      lifetime: LIFETIME,
      handle: () => server,
      reference: entryOf(
        'getMcpServer',
        'Where the MCP server is and which header it needs, as the registry of MCP servers describes one',
        JSON_TYPE,
      ),
    },
    {
      paths: [CARD_PATH],
      lifetime: LIFETIME,
      handle: () => card,
      reference: entryOf(
        'getMcpServerCard',
        'The card of the MCP server (SEP-2127), by which agents find it before they connect',
        JSON_TYPE,
      ),
    },
    {
      paths: [SKILL_PATH],
      type: MARKDOWN_TYPE,
      lifetime: LIFETIME,
      handle: () => skill,
      reference: entryOf('getAgentSkill', 'What an agent has to know to use the service, as an agent skill', MARKDOWN_TYPE),
    },
  ];
}
