/** Writes a text as the documents in which bodies publish their minutes: a printed page, a web page, a Word file. */
import { strToU8, zipSync } from 'fflate';

/** Lines of one paragraph, or rows of cells. */
type Block = { lines: string[] } | { rows: string[][] };

/** From here on the lines of a paragraph are as the page's width broke them, and may be broken anew. */
const FULL_LINE = 60;
/** The number of a line is no cell. */
const LINE_NUMBER = /^(\d{1,3}) {3,}/;
/** A longer paragraph is that of a scan whose lines were joined; a browser lays out its columns in hours. */
const LONG_PARAGRAPH = /.{1,3000}(?:[.;:] |$)|.{1,3000} |.{1,3000}/g;
/** A table of more cells goes across both columns of a page. */
const NARROW_CELLS = 3;
/** A word of its own; an address is not cut. */
const LONG_WORD = /(?<![\w/.@%-])\p{L}{8,}(?![\w/@%-]|\.\w)/gu;

/** @param text whose columns are parted by three blanks or ` | `, and whose paragraphs by an empty line */
export function listBlocks(text: string): Block[] {
  const parts = text.split(/\n\s*\n/).flatMap((part) => (part.includes('\n') ? part : (part.match(LONG_PARAGRAPH) ?? part)));
  return parts.flatMap((part): Block[] => {
    const lines = part
      .split('\n')
      .map((line) => line.trim().replace(LINE_NUMBER, '$1 '))
      .filter((line) => line !== '');
    const rows = lines.map((line) => line.split(/ {3,}| \| /));
    if (lines.length === 0) return [];
    if (lines.length > 1 && rows.filter((row) => row.length > 1).length > lines.length / 2) return [{ rows }];
    const isBrokenByWidth = lines.slice(0, -1).every((line) => line.length >= FULL_LINE);
    return [{ lines: isBrokenByWidth ? [lines.join(' ')] : lines }];
  });
}

const escapeMarkup = (text: string) =>
  text.replaceAll(/ {3,}/g, ' ').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Offers the end of a line after every third letter of a long word. */
const offerHyphens = (text: string) => text.replaceAll(LONG_WORD, (word) => word.replaceAll(/(?<=^(?:\p{L}{3})+)(?=\p{L}{3})/gu, '\u00ad'));

function blockMarkup(block: Block, write: (text: string) => string): string {
  if ('rows' in block) {
    const rows = block.rows.map((row) => `<tr>${row.map((cell) => `<td>${write(cell)}</td>`).join('')}</tr>`);
    const isWide = block.rows.some((row) => row.length > NARROW_CELLS);
    return `<table${isWide ? ' class="wide"' : ''}>${rows.join('\n')}</table>`;
  }
  return `<p>${block.lines.map(write).join('<br>\n')}</p>`;
}

export interface PrintForm {
  columns: 1 | 2;
  /** printed on every page but the first, and page numbers below */
  head: string;
}

export function writePrintPage(text: string, { columns, head }: PrintForm): string {
  const body = listBlocks(text).map((block) => blockMarkup(block, (line) => offerHyphens(escapeMarkup(line))));
  return `<!doctype html><html lang="en"><meta charset="utf-8"><style>
@page { size: letter; margin: 1in; @top-left { content: "${head.replaceAll('"', '')}"; font-size: 9pt } @bottom-center { content: "Page " counter(page) " of " counter(pages); font-size: 9pt } }
@page :first { @top-left { content: none } }
body { font: 11pt/1.3 serif; margin: 0; text-align: justify; columns: ${columns}; column-gap: 30pt }
p { margin: 0 0 9pt; overflow-wrap: anywhere } table.wide { column-span: all } td { padding: 2pt 14pt 2pt 0; vertical-align: top; text-align: left }
</style><body>${body.join('\n')}</body></html>`;
}

/** A page of a city's site, with what stands around the minutes there. */
export function writeWebPage(text: string, title: string): string {
  const body = listBlocks(text).map((block) => blockMarkup(block, escapeMarkup));
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeMarkup(title)}</title><script>let shown = "<p>x</p>";</script></head>
<body class="page no-sidebar"><a class="skip-link" href="#main">Skip to content</a>
<header class="site-header"><nav><ul><li><a href="/">Home</a></li><li>Departments</li></ul></nav></header>
<div id="cookie-banner">We use cookies. <button>Accept all</button></div>
<main id="main">${body.join('\n')}</main>
<aside>Related news</aside><footer>Contact the clerk</footer></body></html>`;
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const SCHEMAS = 'http://schemas.openxmlformats.org';
const TYPES = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
const WORDS = `xmlns:w="${SCHEMAS}/wordprocessingml/2006/main" xmlns:r="${SCHEMAS}/officeDocument/2006/relationships"`;

const run = (line: string) => `<w:r><w:t xml:space="preserve">${escapeMarkup(line)}</w:t></w:r>`;
const paragraph = (lines: readonly string[]) => `<w:p>${lines.map(run).join('<w:r><w:br/></w:r>')}</w:p>`;
const wordBlock = (block: Block) =>
  'lines' in block
    ? paragraph(block.lines)
    : `<w:tbl>${block.rows.map((row) => `<w:tr>${row.map((cell) => `<w:tc>${paragraph([cell])}</w:tc>`).join('')}</w:tr>`).join('')}</w:tbl>`;

/** A Word file, with a head on every page. */
export function writeWordFile(text: string, head: string): Uint8Array {
  const relation = (id: string, kind: string, target: string) =>
    `<Relationship Id="${id}" Type="${SCHEMAS}/officeDocument/2006/relationships/${kind}" Target="${target}"/>`;
  const relations = (inside: string) => `${XML}<Relationships xmlns="${SCHEMAS}/package/2006/relationships">${inside}</Relationships>`;
  const override = (part: string, type: string) => `<Override PartName="/word/${part}.xml" ContentType="${TYPES}.${type}+xml"/>`;
  const section = '<w:sectPr><w:headerReference w:type="default" r:id="head"/></w:sectPr>';
  const parts: Record<string, string> = {
    '[Content_Types].xml': `${XML}<Types xmlns="${SCHEMAS}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${override('document', 'document.main')}${override('header1', 'header')}</Types>`,
    '_rels/.rels': relations(relation('document', 'officeDocument', 'word/document.xml')),
    'word/_rels/document.xml.rels': relations(relation('head', 'header', 'header1.xml')),
    'word/document.xml': `${XML}<w:document ${WORDS}><w:body>${listBlocks(text).map(wordBlock).join('')}${section}</w:body></w:document>`,
    'word/header1.xml': `${XML}<w:hdr ${WORDS}>${paragraph([head])}</w:hdr>`,
  };
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, strToU8(part)])));
}

/** A meeting of `ny_council` as Legistar's Web API gives it. */
// biome-ignore lint/suspicious/noExplicitAny: lines of the data set, field by field
export const writeLegistarEvent = (meeting: any) => ({
  EventId: meeting.ID,
  EventGuid: meeting.GUID,
  EventBodyId: meeting.BodyID,
  EventBodyName: meeting.BodyName,
  EventDate: `${meeting.Date.slice(0, 10)}T00:00:00`,
  EventLocation: meeting.Location,
  EventInSiteURL: meeting.InSiteURL,
  EventMinutesStatusName: meeting.MinutesStatusName,
  // biome-ignore lint/suspicious/noExplicitAny: as above
  EventItems: (meeting.Items ?? []).map((item: any, at: number) => ({
    EventItemId: meeting.ID * 1000 + at,
    EventItemEventId: meeting.ID,
    EventItemAgendaSequence: item.AgendaSequence ?? null,
    EventItemMinutesSequence: item.MinutesSequence ?? null,
    EventItemAgendaNumber: item.AgendaNumber ?? null,
    EventItemTitle: item.Title ?? '',
    EventItemActionName: item.ActionName ?? null,
    EventItemActionText: item.ActionText ?? null,
    EventItemPassedFlagName: item.PassedFlagName ?? null,
    EventItemMatterFile: item.MatterFile ?? null,
    EventItemMatterName: item.MatterName ?? null,
    EventItemMatterType: item.MatterType ?? null,
    EventItemMatterStatus: item.MatterStatus ?? null,
  })),
});
