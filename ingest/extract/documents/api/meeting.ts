/** A meeting as the JSON of an API gives it becomes a text like minutes: only labels are ours. Pure. */
import type { DocumentFormat, ReadDocument } from '../../types.ts';
import { readHtml } from '../html.ts';
import type { ReadPart } from '../pages.ts';
import { tidyCharacters } from '../tidyCharacters.ts';

export type ApiObject = Record<string, unknown>;

export interface ApiMotion {
  /** what was moved or done, in the API's words */
  action: string | null;
  mover: string | null;
  seconder: string | null;
  result: string | null;
  tally: string | null;
  /** names by the word of their vote */
  votes: Map<string, string[]>;
}

export interface ApiItem {
  number: string | null;
  title: string;
  /** further lines, e.g. `File: LU 0158-2014` */
  lines: string[];
  motions: ApiMotion[];
}

export interface ApiMeeting {
  format: DocumentFormat;
  title: string | null;
  date: string | null;
  place: string | null;
  url: string | null;
  kind: ReadDocument['stated']['kind'];
  items: ApiItem[];
  lines: string[];
}

export const isObject = (value: unknown): value is ApiObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value as text without markup; null where there is none. */
export function textOfValue(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const plain = typeof value === 'string' && /<\w|&\w+;/.test(value) ? readHtml(value).text : String(value);
  return (
    tidyCharacters(plain)
      .replaceAll(/\n{2,}/g, '\n')
      .trim() || null
  );
}

export const dayOf = (value: unknown): string | null => (typeof value === 'string' ? (/^\d{4}-\d\d-\d\d/.exec(value)?.[0] ?? null) : null);

/** `Label: value`, where there is a value. */
export const labelled = (label: string, value: unknown): string[] => {
  const text = textOfValue(value);
  return text === null ? [] : [`${label}: ${text}`];
};

/** An ISO day as minutes print it: `June 12, 2024`. */
const printedDay = (day: string) => new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });

function motionLines({ action, mover, seconder, result, tally, votes }: ApiMotion): string[] {
  const moved = [mover && `Moved by ${mover}`, seconder && `seconded by ${seconder}`].filter((part) => part !== null).join(', ');
  return [
    ...labelled('Action', action),
    ...(moved === '' ? [] : [`${moved}.`]),
    ...labelled('Result', result),
    ...labelled('Vote', tally),
    ...[...votes].map(([word, names]) => `${word}: ${names.join(', ')}`),
  ];
}

const itemLines = ({ number, title, lines, motions }: ApiItem): string[] => [
  number ? `${number.replace(/\.$/, '')}. ${title}` : title,
  ...lines,
  ...motions.flatMap(motionLines),
];

export function writeMeeting({ format, title, date, place, url, kind, items, lines }: ApiMeeting): ReadPart {
  const head = [title, date && printedDay(date), place].filter((line) => line !== null);
  let text = [...head, ...lines].join('\n');
  const itemStarts: number[] = [];
  for (const item of items) {
    text += text ? '\n\n' : '';
    itemStarts.push(text.length);
    text += itemLines(item).join('\n');
  }
  const unread = items.length === 0 && lines.length === 0 && title === null ? 'empty' : null;
  return { format, text: unread ? '' : `${text}\n`, pageStarts: [0], itemStarts, stated: { kind, date, title, url }, unread };
}
