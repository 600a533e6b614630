/** Web pages become lines: a line for each paragraph, heading, item of a list and row of a table. Pure. */
import { type DefaultTreeAdapterTypes, parse, defaultTreeAdapter as tree } from 'parse5';
import { joinPages, type PagedText } from './pages.ts';
import { tidyCharacters } from './tidyCharacters.ts';
import { UnreadError } from './unread.ts';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

const names = (list: string) => new Set(list.split(' '));
/** What is not shown, or not of the meeting. */
const LEFT_OUT = names(
  'script style noscript template head nav aside iframe object svg math canvas audio video button select textarea input dialog menu footer',
);
const ROLES_LEFT_OUT = names('navigation banner contentinfo search dialog alertdialog complementary menu menubar tooltip');
/** Names (`id`, `class`) of what stands around the text; a consent agenda is no consent banner. */
const NAME_LEFT_OUT =
  /^(?:(?:cookies?|gdpr|onetrust)(?:[-_]\S*)?|\S{0,20}(?:cookie|consent)[-_]?(?:banner|bar|notice|popup|manager|overlay|message)\S{0,20}|breadcrumbs?|skip-?(?:link|nav|to-?(?:main|content))\S{0,20}|social(?:-(?:links|media|share|icons))?|share(?:-(?:buttons|links))?|sidebar|menu|nav(?:bar|igation)?|(?:main|site|primary|top|side)-(?:menu|nav|navigation|header|footer)|sr-only|visually-?hidden|screen-reader-text)$/i;
/** Elements that stand on lines of their own; those of the second list with a blank line before and after. */
const BLOCKS = names(
  'address article blockquote body center dd details div dt fieldset figure figcaption footer header hr li main section summary tr',
);
const PARAGRAPHS = names('h1 h2 h3 h4 h5 h6 p ul ol dl table pre');
const TABLE_PARTS = names('thead tbody tfoot');
const MAIN_CHARACTERS = 200;
/** A cell with more is a part of the page's layout, not of a table. */
const CELL_CHARACTERS = 600;
const DEPTH_MAX = 400;

const attribute = (element: Element, name: string) => element.attrs.find((one) => one.name === name)?.value ?? '';

function isLeftOut(element: Element): boolean {
  const { tagName } = element;
  if (LEFT_OUT.has(tagName)) return true;
  if (element.attrs.some(({ name, value }) => name === 'hidden' || (name === 'aria-hidden' && value === 'true'))) return true;
  if (/display: ?none|visibility: ?hidden/i.test(attribute(element, 'style'))) return true;
  const given = `${attribute(element, 'id')} ${attribute(element, 'class')}`.split(/\s+/);
  return ROLES_LEFT_OUT.has(attribute(element, 'role')) || given.some((name) => NAME_LEFT_OUT.test(name));
}

/** Gathers lines; blanks are folded as a browser folds them. */
class LineWriter {
  readonly lines: string[] = [];
  readonly listsNumbered: boolean;
  readonly #counted = new WeakMap<Element, number>();
  #line = '';

  constructor(listsNumbered: boolean) {
    this.listsNumbered = listsNumbered;
  }

  /** The mark that a browser shows before an item of a list; letters and Roman numbers are left to the text. */
  addMark({ parentNode: list }: Element): void {
    if (!list || !tree.isElementNode(list) || list.tagName !== 'ol') {
      this.addText('- ');
      return;
    }
    const number = this.#counted.get(list) ?? Number(attribute(list, 'start') || 1);
    this.#counted.set(list, number + 1);
    const isDecimal = attribute(list, 'type') === '' || attribute(list, 'type') === '1';
    if (this.listsNumbered && isDecimal && Number.isInteger(number)) this.addText(`${number}. `);
  }

  addText(text: string): void {
    const folded = text.replaceAll(/\s+/g, ' ');
    this.#line += this.#line === '' || this.#line.endsWith(' ') ? folded.trimStart() : folded;
  }

  endLine(): void {
    if (this.#line.trim() !== '') this.lines.push(this.#line.trim());
    this.#line = '';
  }

  endParagraph(): void {
    this.endLine();
    if (this.lines.length > 0 && this.lines.at(-1) !== '') this.lines.push('');
  }
}

const childrenOf = (node: Node): Node[] => ('childNodes' in node ? node.childNodes : []);

function writeNode(node: Node, writer: LineWriter, depth: number): void {
  if (depth > DEPTH_MAX) throw new UnreadError('broken');
  if (tree.isTextNode(node)) writer.addText(node.value);
  else if (tree.isElementNode(node)) writeElement(node, writer, depth);
  else for (const child of childrenOf(node)) writeNode(child, writer, depth + 1);
}

function writeElement(element: Element, writer: LineWriter, depth: number): void {
  const { tagName } = element;
  if (isLeftOut(element)) return;
  if (tagName === 'br') writer.endLine();
  else if (tagName === 'table') writeTable(element, writer, depth);
  else if (tagName === 'pre') writePre(element, writer);
  else {
    const isParagraph = PARAGRAPHS.has(tagName);
    const end = () => (isParagraph ? writer.endParagraph() : BLOCKS.has(tagName) && writer.endLine());
    end();
    if (tagName === 'li') writer.addMark(element);
    for (const child of element.childNodes) writeNode(child, writer, depth + 1);
    end();
  }
}

function writePre(node: Element, writer: LineWriter): void {
  writer.endParagraph();
  for (const line of textOf(node).split('\n')) writer.lines.push(line.trimEnd());
  writer.endParagraph();
}

/** All text below a node; parse5 bounds no depth, so it is walked without recursion. */
function textOf(node: Node): string {
  const texts: string[] = [];
  const waiting: Node[] = [node];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (tree.isTextNode(next)) texts.push(next.value);
    else if (!tree.isElementNode(next) || !isLeftOut(next)) waiting.push(...childrenOf(next).toReversed());
  }
  return texts.join('');
}

const elementsOf = (node: Element, isWanted: (name: string) => boolean): Element[] =>
  node.childNodes.filter((child): child is Element => tree.isElementNode(child) && isWanted(child.tagName));

function linesOf(node: Node, { listsNumbered }: LineWriter, depth: number): string[] {
  const writer = new LineWriter(listsNumbered);
  for (const child of childrenOf(node)) writeNode(child, writer, depth);
  writer.endLine();
  return writer.lines.filter((line) => line !== '');
}

/** A row is a line with ` | ` between its cells; where a page uses the table to place its parts, the lines of each cell. */
function writeTable(table: Element, writer: LineWriter, depth: number): void {
  writer.endParagraph();
  for (const caption of elementsOf(table, (name) => name === 'caption')) writer.lines.push(...linesOf(caption, writer, depth + 1));
  const parts = elementsOf(table, (name) => TABLE_PARTS.has(name));
  for (const row of [table, ...parts].flatMap((part) => elementsOf(part, (name) => name === 'tr'))) {
    if (isLeftOut(row)) continue;
    const cells = elementsOf(row, (name) => name === 'td' || name === 'th').filter((cell) => !isLeftOut(cell));
    const texts = cells.map((cell) => linesOf(cell, writer, depth + 2)).filter((lines) => lines.length > 0);
    const isLayout = texts.length === 1 || texts.some((lines) => lines.join(' ').length > CELL_CHARACTERS);
    if (isLayout) writer.lines.push(...texts.flat());
    else if (texts.length > 0) writer.lines.push(texts.map((lines) => lines.join(' ')).join(' | '));
  }
  writer.endParagraph();
}

/** The first element that a test names, in the order of the document. */
function findElement(root: Node, isWanted: (element: Element) => boolean): Element | undefined {
  const waiting: Node[] = [root];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (tree.isElementNode(next) && isWanted(next)) return next;
    waiting.push(...childrenOf(next).toReversed());
  }
  return undefined;
}

const isMain = (element: Element) => element.tagName === 'main' || attribute(element, 'role') === 'main';

/** The page's main part if it marks one that holds a text, else all of it without its head and menus. */
function findContent(root: Node): Node {
  for (const isWanted of [isMain, (element: Element) => element.tagName === 'article']) {
    const element = findElement(root, isWanted);
    if (element && textOf(element).replaceAll(/\s+/g, ' ').length >= MAIN_CHARACTERS) return element;
  }
  return root;
}

/**
 * @param listsNumbered whether an ordered list's items have the numbers that a browser shows
 * @throws UnreadError if the page is nested too deeply
 */
export function readHtml(html: string, { listsNumbered = true } = {}): PagedText & { title: string | null; url: string | null } {
  const root = parse(html);
  const writer = new LineWriter(listsNumbered);
  writeNode(findContent(root), writer, 0);
  writer.endLine();
  const title = findElement(root, (element) => element.tagName === 'title');
  const canonical = findElement(root, (element) => element.tagName === 'link' && attribute(element, 'rel') === 'canonical');
  const url = canonical && attribute(canonical, 'href');
  return {
    ...joinPages([writer.lines.map(tidyCharacters)], { cutWords: false }),
    title: (title && tidyCharacters(textOf(title)).replaceAll(/\s+/g, ' ').trim()) || null,
    url: url && /^https?:/.test(url) && URL.canParse(url) ? url : null,
  };
}
