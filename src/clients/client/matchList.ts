/** Matches the lines of a list with projects, some at a time, and says which cannot be read. Runs in browsers. */
import type { Refusal } from './errors.ts';
import type { Operations } from './generated.ts';
import type { ListFile, ListLine } from './listFile.ts';

const ROWS_A_REQUEST = 1_000;
/** A request takes 1 MiB. */
const CHARACTERS_A_REQUEST = 300_000;
/** Longer cells are cut; the service refuses them with their row. */
const CELL_CHARACTERS_MAX = 1_000;

/** Headers by which columns are recognised, in lower case without blanks and punctuation; the first ones count before others. */
const HEADERS = {
  ref: 'ref reference id rowid key',
  parcelNumber: 'parcelnumber parcel parcelno parcelid apn pin taxid taxparcel taxparcelid taxparcelnumber folio folionumber',
  caseNumber:
    'casenumber case caseno caseid permit permitnumber permitno docket docketnumber filenumber fileno application applicationnumber applicationno',
  houseNumber: 'housenumber houseno housenum streetnumber streetno streetnum addressnumber addressno stnumber stno stnum num',
  direction: 'streetdirection streetdir predirection predir stdirection stdir',
  address: 'address streetaddress fulladdress address1 addressline1 streetname street stname',
  suffix: 'streetsuffix streettype suffix stsuffix sttype',
  zip: 'zip zipcode zip5 postalcode',
  city: 'city cityname town municipality',
  county: 'county countyname',
  state: 'state st stateabbreviation statecode',
  latitude: 'latitude lat y',
  longitude: 'longitude lng lon long x',
} as const;
type ListField = keyof typeof HEADERS;
const FIELDS = Object.keys(HEADERS) as ListField[];
/** Words before a header that do not change its meaning, and behind it. */
const HEADER_WORDS = /^(?:property|site|situs|project|subject|physical|location)(?=.)|(?<=.)(?:dd|deg|degrees|wgs84)$/g;
const NAMING: readonly ListField[] = ['parcelNumber', 'caseNumber', 'address', 'latitude', 'longitude'];

type SentRow = { [field in ListField]?: string | number };
const foldHeader = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
/** The ways to read a header: `Parcel Number (APN)`, `City/Town` and `SITUS_CITY` are of two columns and of one. */
const listHeaderReadings = (header: string): string[] =>
  [header, header.replace(/\(.*/, ''), ...header.split(/[(/]/)].map(foldHeader).flatMap((name) => [name, name.replace(HEADER_WORDS, '')]);

/** The columns of each field, as places in the line; the first filled one counts. */
export type ListColumns = ReadonlyMap<ListField, readonly number[]>;

/** @returns undefined if no column identifies a project */
export function findListColumns(headers: readonly string[]): ListColumns | undefined {
  const readings = headers.map(listHeaderReadings);
  const columns = new Map<ListField, readonly number[]>();
  for (const field of FIELDS) {
    const names = HEADERS[field].split(' ');
    const found = names.flatMap((name) => readings.flatMap((some, at) => (some.includes(name) ? [at] : [])));
    if (found.length) columns.set(field, [...new Set(found)]);
  }
  return NAMING.some((field) => columns.has(field)) ? columns : undefined;
}

/** `APN as parcelNumber, Address or Street as address` */
export const describeColumns = (headers: readonly string[], columns: ListColumns): string =>
  [...columns].map(([field, places]) => `${places.map((at) => headers[at]).join(' or ')} as ${field}`).join(', ');

const DECIMAL = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)$/;

/** Degrees, also with a decimal comma. Any other text is sent unchanged, so that the service reports it with its row. */
const readDegrees = (text: string): number | string => (DECIMAL.test(text) ? Number(text.replace(',', '.')) : text);

/** The address of a line in one text, though its number, direction, suffix or ZIP code have columns of their own. */
function joinAddress({ houseNumber, direction, address, suffix, zip, ...row }: SentRow): SentRow {
  if (!address) return row;
  const street = houseNumber && !/^\d/.test(`${address}`) ? [houseNumber, direction, address, suffix].filter(Boolean).join(' ') : address;
  // Spreadsheets take the zeros off 02108.
  const code =
    /^\d{3,5}(?:-\d{4})?$/.test(`${zip ?? ''}`) && !/\d{5}(?:-\d{4})?$/.test(`${street}`) ? `, ${`${zip}`.padStart(5, '0')}` : '';
  return { ...row, address: `${street}${code}` };
}

function makeRow({ cells }: ListLine, columns: ListColumns): SentRow {
  const fields = [...columns].flatMap(([field, places]) => {
    const text = places.map((at) => (cells[at] ?? '').trim()).find(Boolean);
    if (!text) return [];
    return [[field, field === 'latitude' || field === 'longitude' ? readDegrees(text) : text.slice(0, CELL_CHARACTERS_MAX)]];
  });
  return joinAddress(Object.fromEntries(fields));
}

/** What was found for a line. */
export interface MatchedLine {
  matchId: number | null;
  matchScore: number | null;
  matchReasons: string | null;
  matchCount: number;
  matchProblem: string | null;
}

const UNMATCHED: MatchedLine = { matchId: null, matchScore: null, matchReasons: null, matchCount: 0, matchProblem: null };
const withProblem = (matchProblem: string): MatchedLine => ({ ...UNMATCHED, matchProblem });
const ROW_PLACE = /^rows\.(\d+)/;
/** How a message names the row, by its place in the request. */
const ROW_NAME = /^rows\[\d+\]\.?\s*/;

/** The problems of an error by row; undefined if any other problem is among them. */
function findRowProblems(error: unknown): Map<number, string> | undefined {
  // Of whichever client: the page has errors of its own.
  const { code = '', details, param = null, message } = error as Partial<Refusal> & Error;
  if (!['invalid_request', 'geographic_access_denied'].includes(code)) return undefined;
  const problems = (details as { problems?: { param: string | null; message: string }[] } | null)?.problems ?? [{ param, message }];
  const places = problems.map(({ param, message }) => ({ at: ROW_PLACE.exec(param ?? '')?.[1], message }));
  if (!places.length || places.some(({ at }) => at === undefined)) return undefined;
  return new Map(places.map(({ at, message }) => [Number(at), message.replace(ROW_NAME, '')]));
}

/** Asks the service to match rows. */
export type AskMatch = (body: { rows: readonly SentRow[] }) => Promise<Pick<Operations['matchProjects']['answer'], 'data'>>;

/** Matches a batch. Refused rows are reported and left out, and the others are sent again. */
async function matchBatch(ask: AskMatch, rows: readonly SentRow[]): Promise<MatchedLine[]> {
  const matched = rows.map(() => UNMATCHED);
  let left = rows.map((_, i) => i);
  while (left.length) {
    try {
      const { data } = await ask({ rows: left.map((i) => rows[i] as SentRow) });
      for (const { index, candidates, candidateCount } of data) {
        const [best] = candidates;
        const found = best && { matchId: best.id, matchScore: best.score, matchReasons: best.reasons.join(' ') };
        matched[left[index] as number] = { ...UNMATCHED, ...found, matchCount: candidateCount };
      }
      return matched;
    } catch (error) {
      const problems = findRowProblems(error);
      if (!problems) throw error;
      for (const [at, message] of problems) matched[left[at] as number] = withProblem(message);
      left = left.filter((_, at) => !problems.has(at));
    }
  }
  return matched;
}

interface PlacedRow {
  row: SentRow;
  /** of its line */
  at: number;
}

function makeBatches(rows: readonly PlacedRow[]): PlacedRow[][] {
  const batches: PlacedRow[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const placed of rows) {
    const { length } = JSON.stringify(placed.row);
    characters += length;
    const last = batches.at(-1);
    if (last && last.length < ROWS_A_REQUEST && characters <= CHARACTERS_A_REQUEST) last.push(placed);
    else {
      batches.push([placed]);
      characters = length;
    }
  }
  return batches;
}

/**
 * Matches every line, in the order of the file. A line without any cell, or a header line once more, is neither sent nor a problem.
 * @param onProgress with the number of lines that are done
 * @throws what `ask` throws, but for problems of rows
 */
export async function matchList(
  { headers, lines }: ListFile,
  columns: ListColumns,
  ask: AskMatch,
  onProgress: (done: number) => void = () => {},
): Promise<MatchedLine[]> {
  const matched = lines.map(({ problem }) => (problem ? withProblem(problem) : UNMATCHED));
  const rows: PlacedRow[] = [];
  for (const [at, line] of lines.entries()) {
    if (line.problem || line.cells.every((cell, i) => !cell.trim() || cell === headers[i])) continue;
    const row = makeRow(line, columns);
    if (NAMING.some((field) => row[field] !== undefined)) rows.push({ row, at });
    else matched[at] = withProblem('The line names nothing: it has no parcel, case, address, or latitude and longitude');
  }
  for (const batch of makeBatches(rows)) {
    const found = await matchBatch(
      ask,
      batch.map(({ row }) => row),
    );
    for (const [i, { at }] of batch.entries()) matched[at] = found[i] as MatchedLine;
    onProgress((batch.at(-1)?.at ?? 0) + 1);
  }
  onProgress(lines.length);
  return matched;
}
