import { makeNpmPackage } from '../../clients/packages/npmPackage.ts';
import { escapeHtml } from '../../core/domain/escapeHtml.ts';
import { lazily } from '../../core/domain/lazily.ts';
import { file } from '../../http/declaration.ts';
import type { OpenRoute } from '../../http/openRoutes.ts';
import { policyOfPage } from '../../http/securityHeaders.ts';
import { codeBlock, page } from '../../web/layout.ts';
import { STYLE } from '../../web/style.ts';

const LIFETIME = { seconds: 300, scope: 'shared' } as const;
const NPM_PATH = '/clients/landuse-api.tgz';
const GZIP = 'application/gzip';

/** @param publicUrl root of the service, without a trailing slash: what the packages ask unless told otherwise */
export function clientRoutes(publicUrl: string): OpenRoute[] {
  const npmPackage = lazily(() => makeNpmPackage({ serviceUrl: publicUrl }).then((bytes) => Buffer.from(bytes)));
  return [
    {
      paths: ['/clients'],
      type: 'text/html; charset=utf-8',
      headers: policyOfPage(STYLE),
      lifetime: LIFETIME,
      handle: lazily(() => clientsPage(publicUrl)),
      reference: { id: 'getClients', summary: 'How to install the clients, as a page', answers: [file('text/html')] },
    },
    {
      rate: 'file',
      paths: [NPM_PATH],
      type: GZIP,
      lifetime: LIFETIME,
      handle: npmPackage,
      reference: {
        id: 'getNpmPackage',
        summary: 'The client for TypeScript and JavaScript with the command landuse, to install with npm',
        answers: [file(GZIP)],
      },
    },
  ];
}

function clientsPage(publicUrl: string): string {
  const npmUrl = publicUrl + NPM_PATH;
  const main = `<h1>Clients</h1>
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
<p>For good, under its own name:</p>
${codeBlock(`npm install --global ${npmUrl}\nlanduse login`, 'Installing the command')}
<p>What the clients do is in the guides: <a href="/docs/guides/clients">clients</a> and <a href="/docs/guides/command-line">command line</a>.</p>`;
  return page({ title: 'Clients', path: '/clients', navigation: [], main });
}
