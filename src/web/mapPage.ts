/** The page of the map: a frame that its modules fill. Without scripts it says that it needs them. */
import { createHash } from 'node:crypto';
import { ERRORS } from '../core/domain/errorTable.ts';
import { escapeHtml } from '../core/domain/escapeHtml.ts';
import type { PageAssets } from './assets.ts';

const TITLE = 'Map of land-use projects';

/** Settings that the page passes to its modules. */
export interface MapSettings {
  apiRoot: string;
  keysRoot: string;
  publicUrl: string;
  /** paths of the map's base layers */
  outlines: Readonly<Record<'states' | 'counties' | 'names', string>>;
}

/** Remedies by error code. */
const REMEDIES = Object.fromEntries(Object.entries(ERRORS).map(([code, { remedy }]) => [code, remedy]));

const importMap = ({ imports }: PageAssets) => JSON.stringify({ imports });

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64');

/** The Content-Security-Policy: scripts, styles and requests of this origin only; the import map by its digest; trusted types. */
export const mapPolicy = (assets: PageAssets): readonly string[] => [
  `script-src 'self' 'sha256-${sha256(importMap(assets))}'`,
  "style-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "img-src 'self'",
  "require-trusted-types-for 'script'",
  'trusted-types default',
];

/** JSON that is safe inside an HTML element. */
const embedded = (value: object) => JSON.stringify(value).replaceAll('<', '\\u003c');

export function mapPage(assets: PageAssets, settings: MapSettings): string {
  const { entry, style, icon, worker, imports } = assets;
  const preloads = Object.values(imports).map((path) => `<link rel="modulepreload" href="${path}">`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${TITLE}</title>
<link rel="icon" href="${icon}"><link rel="stylesheet" href="${style}">
<script type="importmap">${importMap(assets)}</script>
${preloads.join('\n')}
<script type="application/json" id="settings">${embedded({ ...settings, worker, remedies: REMEDIES })}</script>
<script type="module" src="${entry}"></script></head>
<body><div id="app"><noscript><p class="noscript">The map needs JavaScript. Without it, the same answers come from the API: <a href="${escapeHtml(settings.publicUrl)}/docs">reference and guides</a>.</p></noscript></div></body></html>
`;
}
