/** Plain text and Markdown. Pure. */
import { joinPages, type PagedText, removeMarkedPages, removeRunningLines } from './pages.ts';

/** @param text whose form feeds part pages */
export function readPlainText(text: string): PagedText {
  const pages = text.split('\f').map((page) => page.split('\n'));
  if (pages.at(-1)?.every((line) => line.trim() === '')) pages.pop();
  return joinPages(pages.length > 1 ? removeRunningLines(pages) : pages.map(removeMarkedPages));
}

/** The line below the head of a table. */
const isTableRule = (line: string) => line.includes('|') && line.includes('-') && /^[|:\s-]+$/.test(line);

/** A line of Markdown without its marks; a table's row has ` | ` between its cells. */
function removeMarks(line: string): string {
  const row = /^\s*\|(.*)\|\s*$/.exec(line)?.[1];
  const cells = row?.split(/(?<!\\)\|/).map((cell) => cell.trim());
  return (cells ? cells.join(' | ') : line)
    .replace(/^ {0,3}#{1,6} +/, '')
    .replaceAll(/!?\[([^\][]*)\]\([^()\s]*\)/g, '$1')
    .replaceAll(/(\*\*|__)(?=\S)(.*?\S)\1/g, '$2')
    .replaceAll(/(?<![\w*])([*_])(?=[^\s*_])([^*_]*[^\s*_])\1(?![\w*])/g, '$2')
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll(/<br\s*\/?>/gi, ' ');
}

/** Markdown keeps its lines, since minutes that are converted to it break them as their pages do. */
export function readMarkdown(text: string): PagedText {
  const lines = text.split('\n').filter((line) => !isTableRule(line));
  return readPlainText(lines.map(removeMarks).join('\n'));
}

const HEAD_CHARACTERS = 2000;

/** What the head of a Markdown file states: its front matter, or its first lines `> Name: value`. */
export function readFrontMatter(text: string): { date: string | null; title: string | null; url: string | null } {
  const head = text.trimStart().slice(0, HEAD_CHARACTERS);
  const isFrontMatter = head.startsWith('---\n');
  const lines = isFrontMatter ? head.slice(4).split('\n---')[0]?.split('\n') : head.split('\n').filter((line) => line.startsWith('>'));
  const stated = new Map<string, string>();
  for (const line of lines ?? []) {
    const [name = '', ...value] = line.replace(/^> ?/, '').split(':');
    stated.set(name.trim().toLowerCase().replaceAll(' ', '_'), value.join(':').replaceAll(/["']/g, '').trim());
  }
  const url = stated.get('source_url') ?? stated.get('source') ?? stated.get('url');
  const date = /\b\d{4}-\d\d-\d\d\b/.exec(stated.get('meeting_date') ?? stated.get('date') ?? '')?.[0];
  return { date: date ?? null, title: stated.get('title') || null, url: url && URL.canParse(url) ? url : null };
}
