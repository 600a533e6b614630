/** The guides of `src/docs`, in reading order, as Markdown and as HTML. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Marked, type Tokens } from 'marked';
import { DEMO_URL } from '../core/domain/errorTable.ts';
import { escapeHtml } from '../core/domain/escapeHtml.ts';
import { codeBlock, table } from './layout.ts';

const FOLDER = path.resolve(import.meta.dirname, '../docs');

/** Guides for customers in reading order, each with a summary of what it answers. */
const CUSTOMER_SETTINGS = {
  overview: 'Everything that the service does, in one list',
  'first-call': 'The first count, the first search and what an answer says',
  clients: 'The client for TypeScript and JavaScript',
  python: 'The client for Python: prices, copies that survive being killed, files, webhooks, pandas',
  'command-line': 'The service in a terminal and in scripts, and a copy in a file',
  mcp: 'Tools for agents: quotes before anything is spent',
  keys: 'Sending, minting, rotating and revoking keys; rate limits; browsers',
  filters: 'Lists, places, the Building Type tree, the course of a case, dates, sizes and text',
  evidence: 'Which value of a record a filter matches, the words that it was read from, and what moves its revision',
  completeness: 'Generations, what null means, what is always there and what is withheld',
  outcomes: 'What has become of a case, what staff recommend, how the vote went: the rules of derived',
  credits: 'Plans, what bills, the price beforehand, receipts, idempotency',
  'paging-and-sync': 'Pages of a search, and a copy that stays up to date',
  releases: 'What each generation of the records brought, and how to be told of the next',
  analytics: 'Counts and statistics of a selection, and what they hide',
  odds: 'What becomes of projects and how many days it takes, by body, use or request; what is hidden',
  coverage: 'How much the data holds, how fresh and how full it is, and which sources are silent',
  hearings: 'Which body meets when in the weeks ahead, and how many of your projects are on',
  'ai-search': 'Questions in plain words: confirmed records, quotes, what they cost',
  map: 'The page for people: search, draw, read, compare; and counts and vector tiles for maps of your own',
  gis: 'Projects in QGIS, GDAL and GeoPandas: OGC API - Features, GeoJSON, what they cost',
  exports: 'CSV files of whole match sets: queueing, what they cost, the file',
  snapshots: 'Everything that matches as files of one moment, and the cursor from which sync goes on',
  matching: 'Which projects the rows of your own list are: what agrees, how sure it is',
  connectors: 'dlt, Singer, DuckDB, pandas and GeoPandas: a table that follows, and files that are read',
  lists: 'Projects or criteria saved under a name, and shared',
  alerts: 'Standing searches: runs, matches, mails, what they cost',
  webhooks: 'Events sent to addresses of yours: types, signatures, retries, recovery',
  enrichment: 'Contact look-ups: what they cost, reading back, a provider of your own',
  documents: 'The minutes that records come from',
  licences: 'Which places a key may ask for',
  errors: 'The shape of an error, the codes of problems, what to repeat',
  versions: 'What may change and with what notice',
  glossary: 'The words of the service, each with one meaning',
} as const;

/** Guides for operators. */
const FOR_OPERATORS = {
  install: 'What it needs, sizes, a trial on one machine, Docker, systemd, servers of your own',
  settings: 'Every environment variable, its default and what it bounds',
  'loading-data': 'Generation files, checks, activation and rollback',
  operate: 'Workers, mail, accounts, keys, people who ask not to be found',
  recover: 'Backup, restore, a lost index, what to do when',
  observe: 'Probes, metrics, traces, alert rules and what to do',
  proofs: 'Commands that show what the service promises, and the last figures',
  architecture: 'The tree, its shapes, and the ways of a filter, a credit and a line of a generation',
  contributing: 'What to edit for each kind of change; tests, debugging, profiles, pull requests',
} as const;

const GUIDES = { ...CUSTOMER_SETTINGS, ...FOR_OPERATORS };
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
  const readers = name in CUSTOMER_SETTINGS ? 'customers' : 'operators';
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
