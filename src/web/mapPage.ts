/** The page of the map: a frame that its modules fill. Without scripts it says that it needs them. */
import { ERRORS } from '../core/domain/errorTable.ts';
import { escapeHtml } from '../core/domain/escapeHtml.ts';
import type { Bundle } from './bundle.ts';

const TITLE = 'Map of land-use projects';

/** Settings that the page passes to its modules. */
export interface MapSettings {
  publicUrl: string;
  /** whom readers ask for help or more; null if nobody is named */
  contactUrl: string | null;
  /** where a plan is changed; null if nowhere */
  upgradeUrl: string | null;
  /** paths of the map's base layers */
  outlines: Readonly<Record<'states' | 'counties' | 'ground' | 'names' | 'areas', string>>;
  /** paths of the names of places by their numbers */
  placeNames: Readonly<Record<'counties' | 'cities', string>>;
  /** path of the file with every filter */
  filters: string;
  /** path of the record table */
  recordFields: string;
  /** null for the map's own layers alone */
  background: MapBackgroundSetting | null;
}

/** What is drawn below the map's own layers: a style elsewhere, or an archive of tiles at our origin. */
export type MapBackgroundSetting = { kind: 'style' | 'tiles'; url: string };

const REMEDIES = Object.fromEntries(Object.entries(ERRORS).map(([code, { remedy }]) => [code, remedy]));

/**
 * The Content-Security-Policy: scripts and styles of this origin only; trusted types.
 * @param elsewhere an origin whose style of the map is drawn, with what it names there
 */
export function mapPolicy(elsewhere: string | null): readonly string[] {
  const origins = ["'self'", ...(elsewhere ? [elsewhere] : [])].join(' ');
  return [
    "script-src 'self'",
    "style-src 'self'",
    `connect-src ${origins}`,
    "worker-src 'self'",
    `img-src ${origins} data: blob:`,
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ];
}

/** JSON that is safe inside an HTML element. */
const embedded = (value: object) => JSON.stringify(value).replaceAll('<', '\\u003c');

/** @param icon path of the page's icon */
export function mapPage({ paths }: Bundle, icon: string, settings: MapSettings): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${TITLE}</title>
<link rel="icon" href="${icon}"><link rel="stylesheet" href="${paths.style}">
<script type="application/json" id="settings">${embedded({ ...settings, worker: paths.worker, remedies: REMEDIES })}</script>
<script type="module" src="${paths.app}"></script></head>
<body><div id="app"><noscript><p class="noscript">The map needs JavaScript. Without it, the same answers come from the API: <a href="${escapeHtml(settings.publicUrl)}/docs">reference and guides</a>.</p></noscript></div></body></html>
`;
}
