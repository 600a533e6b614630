import { makeNpmPackage } from '../../clients/packages/npmPackage.ts';
import { makePythonWheel, pythonWheelName } from '../../clients/packages/pythonWheel.ts';
import { escapeHtml } from '../../core/domain/escapeHtml.ts';
import { lazily } from '../../core/domain/lazily.ts';
import { entryOf, NAMED_FILE_ERRORS, type OpenRoute } from '../../http/openRoutes.ts';
import { contentSecurityPolicy } from '../../http/securityHeaders.ts';
import { docsPage, makeFrame } from '../../web/docsFrame.ts';
import { readGuides } from '../../web/guides.ts';
import { codeBlock } from '../../web/layout.ts';
import { STYLE } from '../../web/style.ts';

const LIFETIME = { seconds: 300, scope: 'shared' } as const;
const NPM_PATH = '/clients/landuse-api.tgz';
const GZIP = 'application/gzip';
const ZIP = 'application/zip';
const WHEEL_VERSION = {
  schema: { type: 'string' },
  summary: 'Version of the service',
  example: '1.0.0',
  names: 'version',
  parse: String,
};

/** @param publicUrl root of the service, without a trailing slash: the default address in the packages */
export function clientRoutes(publicUrl: string): OpenRoute[] {
  const npmPackage = lazily(() => makeNpmPackage({ serviceUrl: publicUrl }).then((bytes) => Buffer.from(bytes)));
  const frame = makeFrame(readGuides(publicUrl), STYLE);
  return [
    {
      paths: ['/clients', '/clients/'],
      type: 'text/html; charset=utf-8',
      headers: contentSecurityPolicy("form-action 'none'", ...frame.policy),
      lifetime: LIFETIME,
      handle: lazily(() => docsPage(frame, { title: 'Install a client', path: '/clients', main: clientsText(publicUrl) })),
      reference: { ...entryOf('getClients', 'How to install the clients, as a page', 'text/html'), path: '/clients' },
    },
    {
      rate: 'file',
      paths: [NPM_PATH],
      type: GZIP,
      lifetime: LIFETIME,
      handle: npmPackage,
      reference: entryOf('getNpmPackage', 'The client for TypeScript and JavaScript with the command landuse, to install with npm', GZIP),
    },
    {
      rate: 'file',
      paths: [wheelPath()],
      type: ZIP,
      lifetime: LIFETIME,
      handle: lazily(() => Buffer.from(makePythonWheel({ serviceUrl: publicUrl }))),
      reference: {
        ...entryOf('getPythonWheel', 'The client for Python, to install with pip; /clients names it whole', ZIP),
        path: '/clients/landuse_api-{version}-py3-none-any.whl',
        params: { version: WHEEL_VERSION },
        errors: NAMED_FILE_ERRORS,
      },
    },
  ];
}

const wheelPath = () => `/clients/${pythonWheelName()}`;

function clientsText(publicUrl: string): string {
  const npmUrl = publicUrl + NPM_PATH;
  return `<h1>Install a client</h1>
<p class="lead">This service hands out its own clients: they are made of the same declarations as its answers, and ask ${escapeHtml(publicUrl)} unless told otherwise.</p>
<h2 id="typescript">TypeScript and JavaScript</h2>
<p>For Node 20 and newer, and for browsers. Typed, with retries, prices, walks and waiting for jobs.</p>
${codeBlock(`npm install ${npmUrl}`, 'Installing the client')}
${codeBlock(
  `import { LandUseClient } from 'landuse-api';

const api = new LandUseClient({ key: process.env.LANDUSE_KEY ?? '' });
console.log((await api.count({ states: ['CO'] })).matchCount);`,
  'A first call in TypeScript',
)}
<h2 id="command-line">Command line</h2>
<p>The same package has the command <code>landuse</code>. Without installing anything:</p>
${codeBlock(`npx ${npmUrl} count states=CO`, 'A count from the command line')}
<p>Installed for good:</p>
${codeBlock(`npm install --global ${npmUrl}\nlanduse login`, 'Installing the command')}
<h2 id="python">Python</h2>
<p>For Python 3.10 and newer, on httpx: blocking and asyncio, typed, with copies into NDJSON or SQLite. The extra <code>pandas</code> makes data frames.</p>
${codeBlock(`pip install ${publicUrl}${wheelPath()}`, 'Installing the Python client')}
${codeBlock(
  `import os
from landuse_api import LandUse

api = LandUse(os.environ["LANDUSE_KEY"])
print(api.count(states=["CO"])["matchCount"])`,
  'A first call in Python',
)}
<p>What they do is in the guides: <a href="/docs/guides/clients">TypeScript</a>, <a href="/docs/guides/python">Python</a> and the <a href="/docs/guides/command-line">command line</a>.</p>`;
}
