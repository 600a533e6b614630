/** The frame of every page of the reference: navigation, search, the reader's key, and the script. */
import { createHash } from 'node:crypto';
import { type Bundle, pageBundle } from './bundle.ts';
import type { GuidePage } from './guides.ts';
import { type LinkGroup, page } from './layout.ts';

export const guidePath = (name: string) => `/docs/guides/${name}`;
export const operationPath = (id: string) => `/docs/reference/${id}`;
export const errorPath = (code: string) => `/docs/errors#${code}`;

export interface DocsFrame {
  guides: readonly GuidePage[];
  bundle: Bundle;
  /** Content-Security-Policy of these pages: what the browser may load and call */
  policy: readonly string[];
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64');

export function makeFrame(guides: readonly GuidePage[], style: string): DocsFrame {
  const policy = [
    "script-src 'self'",
    `style-src 'sha256-${sha256(style)}'`,
    "connect-src 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return { guides, bundle: pageBundle(), policy };
}

const START: LinkGroup = {
  heading: 'Start',
  links: [
    { title: 'Documentation', href: '/docs' },
    { title: 'Install a client', href: '/clients' },
    { title: 'Plans and prices', href: '/docs/plans' },
    { title: 'Reference', href: '/docs/reference' },
    { title: 'Errors', href: '/docs/errors' },
    { title: 'Changelog', href: '/docs/changelog' },
  ],
};

/** Hidden until the script shows it, since it works only with the script. */
const BAR = `<form class="search" id="search" role="search" hidden><input type="search" name="q" aria-label="Search the documentation" placeholder="Search" autocomplete="off" spellcheck="false"><ul id="found" hidden></ul></form>
<details class="reader" id="reader" hidden><summary>API key</summary><form class="card"><label for="reader-key">Your API key</label>
<input id="reader-key" type="password" autocomplete="off" spellcheck="false" placeholder="svc_live_…">
<p class="note">It is kept for this browser tab only (or as you chose on the map’s page), filled into the examples, and sent to this service alone.</p>
<button type="submit">Use it</button> <button type="button" id="forget-key">Forget it</button></form></details>`;

export interface DocsPage {
  title: string;
  path: string;
  /** HTML */
  main: string;
  /** links of this page, after the first group */
  beside?: readonly LinkGroup[];
  readers?: GuidePage['readers'];
}

const linksTo = (guides: readonly GuidePage[], readers: GuidePage['readers']) =>
  guides.filter((guide) => guide.readers === readers).map(({ name, title }) => ({ title, href: guidePath(name) }));

export function docsPage({ guides, bundle }: DocsFrame, { title, path, main, beside = [], readers = 'customers' }: DocsPage): string {
  const forOperators = { heading: 'For operators', links: linksTo(guides, 'operators') };
  const others = {
    heading: 'More',
    links: [
      { title: 'The map', href: '/map' },
      { title: 'For operators', href: '/docs#operators' },
    ],
  };
  const forCustomers = { heading: 'Guides', links: linksTo(guides, 'customers') };
  const navigation = [START, ...beside, ...(readers === 'operators' ? [forOperators] : [forCustomers, others])];
  const head = `<script type="module" src="${bundle.paths.docs}"></script>`;
  return page({ title, path, navigation, main, head, bar: BAR });
}
