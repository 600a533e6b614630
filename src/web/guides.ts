/** The guides of `src/docs`, in reading order, as Markdown and as HTML. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Marked, type Tokens } from 'marked';
import { DEMO_URL } from '../core/domain/errorTable.ts';
import { escapeHtml } from '../core/domain/escapeHtml.ts';
import guides from './guides.json' with { type: 'json' };
import { codeBlock, table } from './layout.ts';

const FOLDER = path.resolve(import.meta.dirname, '../docs');

/** Summaries of what each guide answers, in reading order. */
const GUIDES = { ...guides.customers, ...guides.operators };
export type GuideName = keyof typeof GUIDES;

export interface GuidePage {
  name: GuideName;
  title: string;
  /** one line, text */
  summary: string;
  readers: 'customers' | 'operators';
  markdown: string;
  /** the text and anchor of each `##` heading */
  headings: readonly { title: string; anchor: string }[];
}

/** The anchor of a heading. */
const slug = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/<[^<>]+>|&[#\w]+;/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');

/** Links such as `keys.md#x` become links to that guide's page. */
const pageLink = (href: string) => href.replace(/^([\w-]+)\.md(?=#|$)/, '/docs/guides/$1');

/** In the source, the language of a block is followed by the expectations of a test; readers see only the expected status. */
function guideBlock({ text, lang = '' }: Tokens.Code): string {
  const [language = '', status, code] = lang.split(/\s+/);
  const note = status ? `<p class="note">Answers ${escapeHtml(status)}${code ? ` <code>${escapeHtml(code)}</code>` : ''}:</p>` : '';
  const label = language === 'json' ? 'Answer' : language === 'http' ? 'Headers' : 'Command';
  return note + codeBlock(text, label, language === 'sh');
}

const marked = new Marked({
  gfm: true,
  renderer: {
    code: guideBlock,
    heading({ tokens, depth }) {
      const html = this.parser.parseInline(tokens);
      return `<h${depth} id="${slug(html)}">${html}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      // Links to files of the repository, which the service does not serve, become plain text.
      if (href.startsWith('../')) return this.parser.parseInline(tokens);
      return `<a href="${escapeHtml(pageLink(href))}">${this.parser.parseInline(tokens)}</a>`;
    },
    table({ header, rows }) {
      const cells = (row: Tokens.TableCell[]) => row.map(({ tokens }) => this.parser.parseInline(tokens));
      return table(
        header.map(({ text }) => text.replaceAll('`', '')),
        rows.map(cells),
        `Table: ${header.map(({ text }) => text.replaceAll('`', '')).join(', ')}`,
        'plain',
      );
    },
    html: ({ text }) => escapeHtml(text),
  },
  // A bare URL in a sentence is an example, not a link.
  tokenizer: { url: () => undefined },
});

export const markdownToHtml = (markdown: string): string => marked.parse(markdown, { async: false });

/** Bold, code and links within a line, as HTML. */
export const inlineToHtml = (markdown: string): string => marked.parseInline(markdown, { async: false });

/** Reads a guide, with the address of this service in place of that of the demo. */
function readGuide(name: GuideName, publicUrl: string): GuidePage {
  const written = readFileSync(path.join(FOLDER, `${name}.md`), 'utf8');
  const readers = name in guides.customers ? 'customers' : 'operators';
  const markdown = readers === 'customers' ? written.replaceAll(DEMO_URL, publicUrl) : written;
  const [, title = name] = /^# (.+)$/m.exec(markdown) ?? [];
  const headings = [...markdown.matchAll(/^## (.+)$/gm)].map(([, text = '']) => {
    const html = inlineToHtml(text);
    return { title: html.replaceAll(/<[^<>]+>/g, ''), anchor: slug(html) };
  });
  return { name, title, summary: GUIDES[name], readers, markdown, headings };
}

export const readGuides = (publicUrl: string): GuidePage[] =>
  (Object.keys(GUIDES) as GuideName[]).map((name) => readGuide(name, publicUrl));
