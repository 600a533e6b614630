/** The first page of the documentation, the page for an unknown address, and the list of everything that the search finds. */
import { ERRORS } from '../core/domain/errorTable.ts';
import { escapeHtml } from '../core/domain/escapeHtml.ts';
import { type DocsFrame, errorPath, guidePath, operationPath } from './docsFrame.ts';
import type { GuidePage } from './guides.ts';
import { codeBlock } from './layout.ts';
import { type Document, type Placed, parametersOf } from './openapiView.ts';
import { anchorOf } from './operationPage.ts';
import { partsOf, TABLES } from './referenceIndex.ts';

/** A search result: title, kind, address, and further words that find it. */
export interface SearchEntry {
  title: string;
  kind: 'operation' | 'parameter' | 'filter' | 'error' | 'guide' | 'page';
  href: string;
  words: string;
}

const guideItem = ({ name, title, summary }: GuidePage) =>
  `<li><a href="${guidePath(name)}">${escapeHtml(title)}</a><br><span class="type">${escapeHtml(summary)}</span></li>`;

const guideList = (guides: readonly GuidePage[], readers: GuidePage['readers']) =>
  `<ul class="cards">${guides
    .filter((guide) => guide.readers === readers)
    .map(guideItem)
    .join('')}</ul>`;

/** The first page. @param apiRoot including the public address of the service */
export function docsIndex({ guides }: DocsFrame, operations: readonly Placed[], apiRoot: string): string {
  const command = `curl -sg -H "Authorization: Bearer $KEY" "${apiRoot}/projects/count?states=CO&propertyTypes=residential"`;
  const parts = partsOf(operations).map(
    ([part, listed]) =>
      `<li><a href="/docs/reference#${anchorOf(part)}">${part}</a> <span class="type">${listed.length} operations</span></li>`,
  );
  return `<h1>Documentation</h1>
<p class="lead">US land-use projects (rezonings, site plans, permits), read from the minutes of city and county meetings: search, count, sync and read them.</p>
<p>How many residential projects had a meeting in Colorado in the last year? A count is free on every plan:</p>
${codeBlock(command, 'The first request', true)}
<p><a href="/docs/guides/first-call">The first call</a> goes on from there; <a href="/docs/plans">plans and prices</a> say what is free, and <a href="/map">the map</a> is the same for people.</p>
<section id="guides"><h2>Guides</h2>${guideList(guides, 'customers')}</section>
<section id="reference"><h2>Reference</h2><ul class="cards">${parts.join('')}
<li><a href="/docs/errors">Errors</a> <span class="type">every code, with its remedy</span></li>
<li><a href="/docs/changelog">Changelog</a> <span class="type">what changed, and the policy</span></li></ul></section>
<section id="operators"><h2>For operators</h2><p>For who runs the service: nothing here is needed to use it.</p>${guideList(guides, 'operators')}</section>`;
}

/** Everything that the search finds. A parameter is listed once, at the first operation that has it. */
export function searchEntries(
  { guides }: DocsFrame,
  document: Document,
  operations: readonly Placed[],
  filters: readonly string[],
): SearchEntry[] {
  const parameters = new Map<string, SearchEntry>();
  for (const operation of operations)
    for (const { name, description = '', ...rest } of parametersOf(operation, document)) {
      const isFilter = filters.includes(name);
      const href = isFilter ? '/docs/reference/filters' : `${operationPath(operation.operationId)}#parameters`;
      const words = [description, ...((rest['x-aliases'] ?? []) as string[])].join(' ');
      if (!parameters.has(name)) parameters.set(name, { title: name, kind: isFilter ? 'filter' : 'parameter', href, words });
    }
  return [
    { title: 'Plans and prices', kind: 'page', href: '/docs/plans', words: 'credits price cost trial allowance limits' },
    { title: 'Changelog', kind: 'page', href: '/docs/changelog', words: 'versions breaking changes' },
    { title: 'Errors', kind: 'page', href: '/docs/errors', words: 'codes refusals' },
    ...Object.entries(TABLES).map(
      ([name, { title }]): SearchEntry => ({ title, kind: 'page', href: `/docs/reference/${name}`, words: '' }),
    ),
    ...operations.map(
      ({ operationId, summary, method, path }): SearchEntry => ({
        title: summary,
        kind: 'operation',
        href: operationPath(operationId),
        words: `${operationId} ${method} ${path}`,
      }),
    ),
    ...guides.flatMap(({ name, title, summary, headings, readers }): SearchEntry[] => [
      { title, kind: 'guide', href: guidePath(name), words: `${summary}${readers === 'operators' ? ' operators' : ''}` },
      ...headings.map((one): SearchEntry => ({ title: one.title, kind: 'guide', href: `${guidePath(name)}#${one.anchor}`, words: title })),
    ]),
    ...parameters.values(),
    ...Object.entries(ERRORS).map(
      ([code, { meaning, status }]): SearchEntry => ({ title: code, kind: 'error', href: errorPath(code), words: `${status} ${meaning}` }),
    ),
  ];
}

/**
 * The page for an unknown address.
 * @param path the unknown address
 * @param meant the most similar existing ones
 */
export function notFoundPage(path: string, meant: readonly { title: string; href: string }[]): string {
  const items = meant.map(
    ({ title, href }) => `<li><a href="${escapeHtml(href)}">${escapeHtml(title)}</a> <span class="type">${escapeHtml(href)}</span></li>`,
  );
  return `<h1>There is no such page</h1><p class="lead">Nothing is served at <code>${escapeHtml(path.slice(0, 200))}</code>.</p>
${items.length ? `<p>Perhaps you meant:</p><ul class="cards">${items.join('')}</ul>` : ''}
<p>Everything else: <a href="/docs">the documentation</a>, <a href="/docs/reference">the reference</a>, <a href="/docs/errors">errors</a>.</p>`;
}
