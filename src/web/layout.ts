/** The common parts of every page: frame, navigation and stylesheet. All pages can be read without a script. */
import { escapeHtml } from '../core/domain/escapeHtml.ts';
import { STYLE } from './style.ts';

export interface Link {
  title: string;
  href: string;
}

/** A section of the navigation, with its heading. */
export interface LinkGroup {
  heading: string;
  links: readonly Link[];
}

const linkItem = ({ title, href }: Link, path: string) =>
  `<li><a href="${escapeHtml(href)}"${href === path ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a></li>`;

const groupList = ({ heading, links }: LinkGroup, path: string) =>
  `<h2>${escapeHtml(heading)}</h2><ul>${links.map((link) => linkItem(link, path)).join('')}</ul>`;

const NAME = 'Land Use Intelligence API';

/** The navigation. On a narrow screen it comes after the text, with a link to it at the top. */
function contents(navigation: readonly LinkGroup[], path: string): string {
  if (!navigation.length) return '';
  const groups = navigation.map((group) => groupList(group, path)).join('\n');
  return `<nav class="side" id="contents" aria-label="Contents" tabindex="-1">${groups}</nav>`;
}

export interface Page {
  title: string;
  /** the page's path */
  path: string;
  navigation: readonly LinkGroup[];
  /** HTML */
  main: string;
  /** HTML of the head in addition to title and stylesheet */
  head?: string;
  /** HTML at the top, between the name of the service and the link to the contents */
  bar?: string;
}

export function page({ title, path, navigation, main, head = '', bar = '' }: Page): string {
  const toContents = navigation.length ? '<a class="to-contents" href="#contents">Contents</a>' : '';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(title)} - ${NAME}</title><style>${STYLE}</style>${head}</head>
<body><a class="skip" href="#main">Skip to the text</a>
<header class="top${bar ? ' bar' : ''}"><a class="home" href="/docs">${NAME}</a>${bar}${toContents}</header>
<div class="frame"><main id="main" tabindex="-1">${main}</main>${contents(navigation, path)}</div></body></html>
`;
}

/** A command or an answer. @param wrap whether long lines wrap instead of scrolling */
export const codeBlock = (text: string, label: string, wrap = false) =>
  `<pre tabindex="0" role="group" aria-label="${escapeHtml(label)}"${wrap ? ' class="wrap"' : ''}><code>${escapeHtml(text)}</code></pre>\n`;

const bodyRow = (cells: readonly string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;

/**
 * A table.
 * @param cells HTML
 * @param kind `stack`: on a narrow screen the cells of a row are shown below each other; `parameters`: the third column is widest
 */
export function table(
  heads: readonly string[],
  cells: readonly (readonly string[])[],
  label: string,
  kind: 'plain' | 'stack' | 'stack parameters' = 'stack',
): string {
  const head = heads.map((text) => `<th scope="col">${escapeHtml(text)}</th>`).join('');
  return `<div class="scroll ${kind}" tabindex="0" role="group" aria-label="${escapeHtml(label)}"><table><thead><tr>${head}</tr></thead><tbody>${cells
    .map(bodyRow)
    .join('\n')}</tbody></table></div>`;
}
