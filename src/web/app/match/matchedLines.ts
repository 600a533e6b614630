/** The lines of a list, from a file or typed, and what they say when they are matched: how sure each is, why one was not read, the file with both. Pure. */
import { type ListFile, nameColumns, readListFile, UnreadableList } from '../../../clients/client/listFile.ts';
import { findListColumns, type MatchedLine } from '../../../clients/client/matchList.ts';

/** From this score on a match is shown, and from this one on it means the same building (`src/docs/matching.md`). */
export const SCORE_POSSIBLE = 0.5;
const SCORE_SURE = 0.8;

/** No word claims more than the score: the shares are those of the guide on matching. */
export const CERTAINTIES = {
  sure: {
    label: 'Sure',
    about:
      'a score from 0.8 on: the same building, parcel or case. Of made-up addresses 1 of 200 was wrong at most, from 0.95 on 1 of 1,000.',
  },
  possible: { label: 'Unsure', about: 'a score from 0.5 to 0.8: something agrees, and another record may be meant as well. Look at it.' },
  counted: { label: 'Not held', about: 'records of a score from 0.5 on that your team does not hold: they are counted, and not named.' },
  none: { label: 'None found', about: 'no record of your licence reaches 0.5. That does not say that there is no project.' },
  unread: { label: 'Not read', about: 'the row was not looked up; it says why.' },
} as const;
export type Certainty = keyof typeof CERTAINTIES;

export function certaintyOf({ matchScore, matchCount, matchProblem }: MatchedLine): Certainty {
  if (matchProblem !== null) return 'unread';
  if (!matchCount) return 'none';
  if (matchScore === null) return 'counted';
  return matchScore >= SCORE_SURE ? 'sure' : 'possible';
}

export function readList(bytes: Uint8Array): ListFile | string {
  try {
    const list = readListFile(bytes);
    return list.lines.length ? list : 'it holds no rows below its header line';
  } catch (error) {
    if (error instanceof UnreadableList) return error.message;
    throw error;
  }
}

/** Where typed lines are that do not say it. */
export interface UsualPlace {
  city: string;
  state: string;
}

const PLACE =
  /^([^,]{1,200}(?:,[^,]{1,100}){0,3}?),\s{0,3}([^,]{1,100}?)(?:,?\s{1,3}([a-z]{2})|,\s{0,3}([a-z][a-z ]{3,30}?)(?=,?\s{1,3}\d{5}))\.?(?:,?\s{1,3}(\d{5}(?:-\d{4})?))?(?:,\s{0,3}USA?)?$/i;
/** A house number, and after it a word. */
const isStreet = (line: string) => /^\d[\w/-]*\s/.test(line) && /[a-z]{2}/i.test(line.slice(line.search(/\s/)));
/** Columns of a list without a header line: the line, and what was read in it. */
export const TYPED_HEADERS = ['line', 'address', 'city', 'state', 'zip', 'parcel', 'case'];

/** A typed line as cells below `TYPED_HEADERS`: a number with words is an address, one with letters a case, any other a parcel. */
function cellsOfTyped(line: string, usual: UsualPlace): string[] {
  const [, street = line, city = usual.city, abbreviation, state = usual.state, zip = ''] = PLACE.exec(line) ?? [];
  if (PLACE.test(line) || isStreet(line)) return [line, street, city, abbreviation ?? state, zip, '', ''];
  const isCase = /[a-z]/i.test(line);
  return [line, '', usual.city, usual.state, '', isCase ? '' : line, isCase ? line : ''];
}

/** A pasted row of a spreadsheet, as a line. */
const joinCells = (line: string) =>
  line
    .split('\t')
    .map((cell) => cell.trim())
    .join(', ')
    .trim();

/** The list of typed or pasted lines: with a header line as a file, else each line by what it looks like. */
export function readTyped(text: string, usual: UsualPlace): ListFile | string {
  const lines = text.split(/\r?\n/).flatMap((line) => joinCells(line) || []);
  if (!lines.length) return 'there is no line in it';
  const headed = /\d/.test(lines[0] ?? '') ? null : readList(new TextEncoder().encode(text));
  if (headed && typeof headed !== 'string' && findListColumns(headed.headers)) return headed;
  return { headers: TYPED_HEADERS, lines: lines.map((line) => ({ cells: cellsOfTyped(line, usual) })), notices: [] };
}

/** Lines that cannot be read, by their number below the header line, and why. */
export const unreadLines = ({ lines }: ListFile): (readonly [number, string])[] =>
  lines.flatMap(({ problem }, at) => (problem ? [[at + 1, problem] as const] : []));

/** The file as it is, with the columns of its matches; a mark in front, by which spreadsheets know UTF-8. */
export function writeMatchedCsv({ headers, lines }: ListFile, matched: readonly MatchedLine[]): string {
  const added = Object.keys(matched[0] ?? {});
  const header = [...headers, ...nameColumns([...headers, ...added]).slice(headers.length)];
  const rows = lines.map(({ cells }, at) => [...cells, ...Object.values(matched[at] ?? {})]);
  const quote = (cell: unknown) => {
    const text = String(cell ?? '');
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return `\ufeff${[header, ...rows].map((cells) => `${cells.map(quote).join(',')}\r\n`).join('')}`;
}
