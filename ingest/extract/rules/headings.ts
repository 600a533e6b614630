/**
 * The headings of a document, by what it repeats: it heads its items in one form, whichever that is. Two kinds are known: paragraphs that begin
 * alike (`◆ Suplee Tract …`, `#24-08 SE …`, `APPLICANT: …`), and marks that count on (`1.` `2.` `3.`), over lists within an item. Pure.
 */
import { readMarkKind, readMarkPlace } from './numbers.ts';
import type { Paragraph } from './text.ts';

/** A sign, or a number in the form of a case's, with which a paragraph begins. */
const BEGINNING = /^(?:[^\w\s"'“‘([$#-]|#?(?:[A-Z]{1,5}[ .-]?)?\d{2,4}[-.]\d{1,5}\b)/;
/** A number in the form of a case's with which a heading ends: `Corner Auto - 9 Elm Street - Project # 24-074` */
const ENDING = /[-(,:;|] ?(?:[A-Z][a-z]{2,12} )?(?:No\. ?|# ?)?(?:[A-Z]{1,5}[ -]?)?\d{2,4}[-.]\d{1,5}\)?$/;
const [ENDING_LENGTH, HEADING_LENGTH] = [40, 200];
const REPEATED_LEAST = 3;
/** Shares of them that name a request: a number says more than a sign. */
const [OF_SIGNS, OF_NUMBERS] = [0.4, 0.25];

/** What words are without their counts and letters: `A-9-9` of `CU-20-02`. */
export const foldForm = (words: string) => words.replace(/\d+/g, '9').replace(/[A-Z]+/g, 'A');

/** Whether a paragraph names a request as a heading does; whether it tells what somebody did. */
export interface HeadingSigns {
  asks(paragraph: Pick<Paragraph, 'text'>): boolean;
  tells(paragraph: Paragraph): boolean;
  mark(paragraph: Paragraph): string;
  /** whether a paragraph is the heading of a section, or other business */
  isOther(paragraph: Paragraph): boolean;
  /** whether a list within an item follows the words */
  opensList(words: string): boolean;
  /** whether words say what somebody has to do */
  obliges(words: string): boolean;
}

/** Forms that say less: a time of day, words in capitals, one first word; such paragraphs are headings where something comes of what follows them. */
const LEADS = [
  /^\d{1,2}:\d\d/,
  /^[A-Z]{2}[A-Z' ,&/]{0,80}[-(]/,
  /^(?:In re|In the matter|Next|[A-Z][A-Za-z]{2,14}(?= (?:[Nn]o\.? ?)?[#\dA-Z]{0,5}[-.\d:,)])|[A-Z][A-Za-z]{2,14}(?=:))/,
];
const OF_LEADS = 0.5;

/** The paragraphs that head items. */
export function findHeadings(paragraphs: readonly Paragraph[], reading: HeadingSigns): ReadonlySet<Paragraph> {
  const group = (formOf: (paragraph: Paragraph) => string) =>
    [...Map.groupBy(paragraphs, formOf)].filter(([form, all]) => form && all.length >= REPEATED_LEAST);
  const share = (all: readonly Paragraph[], holds: (paragraph: Paragraph) => boolean) => all.filter(holds).length / all.length;
  const begins = group(({ text }) => foldForm(BEGINNING.exec(text)?.[0] ?? ''));
  const ends = group(({ text }) => (text.length < HEADING_LENGTH ? foldForm(ENDING.exec(text.slice(-ENDING_LENGTH))?.[0] ?? '') : ''));
  const alike = [...begins, ...ends.filter(([, all]) => share(all, reading.tells) <= TELLING_MOST)].filter(
    ([form, all]) => share(all, reading.asks) >= (/\d/.test(form) ? OF_NUMBERS : OF_SIGNS),
  );
  const led = LEADS.flatMap((pattern, i) =>
    group(({ text }) => (i === 2 ? (pattern.exec(text)?.[0] ?? '') : pattern.test(text) ? `${i}` : '')).filter(
      ([, all]) => share(all, reading.tells) <= TELLING_MOST && share(all, reading.asks) >= OF_LEADS,
    ),
  );
  return new Set([...alike, ...led].flatMap(([, all]) => all));
}

/** `9.`, `(a)`, `A)`: what a mark is without its count */
const formOf = (mark: string): string => `${readMarkKind(mark)}${mark.replace(/[A-Za-z\d\s]/g, '')}`;

/** As many requests, and such a share, behind marks of one form say that the others of it are requests as well. */
const [ASKED_LEAST, OF_FORMS] = [4, 0.6];

/** The forms of marks that most often stand before a request: `A.`, `6.1` */
export function findMarkForms(
  paragraphs: readonly Paragraph[],
  { asks, tells, isOther, mark: markOf, opensList }: HeadingSigns,
): ReadonlySet<string> {
  const asked = new Map<string, { all: number; asking: number }>();
  let inner = '';
  for (const [at, paragraph] of paragraphs.entries()) {
    const mark = foldForm(markOf(paragraph));
    if (!mark || mark.includes(':')) continue;
    if (opensList(paragraphs[at - 1]?.text ?? '')) inner = mark;
    if (mark === inner || tells(paragraph) || isOther(paragraph)) continue;
    inner = '';
    const counts = asked.get(mark) ?? { all: 0, asking: 0 };
    asked.set(mark, counts);
    counts.all += 1;
    if (asks(paragraph) || asks(paragraphs[at + 1] ?? paragraph)) counts.asking += 1;
  }
  return new Set([...asked].flatMap(([form, { all, asking }]) => (asking >= Math.max(ASKED_LEAST, OF_FORMS * all) ? [form] : [])));
}

interface Series {
  form: string;
  members: { paragraph: Paragraph; at: number; count: number }[];
  within: boolean;
}
/** lists that may be open at once, so that time stays linear */
const OPEN_MOST = 60;
/** paragraphs from a mark on in which the request may be named */
const BLOCK = 3;
const [SERIES_LEAST, OF_SERIES, TELLING_MOST] = [3, 0.4, 0.34];

/** Marks that count on, where many of them name a request: the items of a list; true for those below which one is named. */
export function findSeries(
  paragraphs: readonly Paragraph[],
  { asks, tells, mark: markOf, opensList }: HeadingSigns,
): ReadonlyMap<Paragraph, boolean> {
  const all: Series[] = [];
  for (const [at, paragraph] of paragraphs.entries()) {
    const mark = markOf(paragraph);
    if (!mark) continue;
    const [form, count] = [formOf(mark), readMarkPlace(mark)];
    const begins = count === 1 || opensList(paragraphs[at - 1]?.text ?? '');
    const fits = begins
      ? []
      : all.slice(-OPEN_MOST).filter((one) => {
          const last = one.members.at(-1)?.count ?? 0;
          return one.form === form && (count === last + 1 || (count === last + 2 && !one.within));
        });
    // A list goes on in the next paragraph; else the one that was open longest.
    const series = fits.find(({ members }) => members.at(-1)?.at === at - 1 && fits.length > 1) ?? fits.at(-1);
    if (series) series.members.push({ paragraph, at, count });
    else all.push({ form, members: [{ paragraph, at, count }], within: opensList(paragraphs[at - 1]?.text ?? '') });
  }
  const asksBelow = (at: number) => paragraphs.slice(at, at + BLOCK).some((one, i) => (i === 0 || !markOf(one)) && asks(one));
  const items = all.filter(({ members, within }) => {
    const own = members.map(({ paragraph }) => paragraph);
    return (
      !within &&
      own.length >= SERIES_LEAST &&
      members.filter(({ at }) => asksBelow(at)).length >= OF_SERIES * own.length &&
      own.filter(tells).length <= TELLING_MOST * own.length
    );
  });
  return new Map(items.flatMap(({ members }) => members.map(({ paragraph, at }) => [paragraph, asksBelow(at)] as const)));
}

/** A mark within a paragraph: `… May 24. B. Claims. C. Plat of …`, `(1) Land of Paquette …` */
const MARK_WITHIN = /(?<=[\w.,:;!?)"'] )(\(?)(\d{1,2}|[A-Za-z])([.)])(?= ?["'#A-Z(\d])/g;

/** Where the items of a list begin that stands in one paragraph: marks that count on, of which one names a request. */
export function findListed(words: string, { asks, opensList, obliges }: HeadingSigns): number[] {
  const open = new Map<string, { at: number; place: number }[]>();
  const all: { at: number; place: number }[][] = [];
  for (const { index, 1: before, 2: count = '', 3: behind } of words.matchAll(MARK_WITHIN)) {
    const form = `${before}${readMarkKind(count)}${behind}`;
    const mark = { at: index, place: readMarkPlace(count) };
    const listed = open.get(form);
    if (listed && mark.place === (listed.at(-1)?.place ?? 0) + 1) listed.push(mark);
    else if (mark.place === 1) {
      const begun = [mark];
      all.push(begun);
      open.set(form, begun);
    }
  }
  const items = all.filter((listed) => {
    const before = words.slice(0, listed[0]?.at);
    const parts = listed.map(({ at }, i) => words.slice(at, listed[i + 1]?.at));
    return (
      listed.length >= SERIES_LEAST &&
      (!opensList(before) || /\bconsent\b/i.test(before.slice(-200))) &&
      parts.some((text) => asks({ text })) &&
      parts.filter(obliges).length <= TELLING_MOST * parts.length
    );
  });
  return items.flatMap((listed) => listed.map(({ at }) => at)).sort((a, b) => a - b);
}
