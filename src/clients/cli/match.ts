/** match: which projects the rows of a CSV file are. */
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { parse } from 'csv-parse/sync';
import { UserError } from '../../terminal/program.ts';
import { isRefusal } from '../client/index.ts';
import { act, type Cli } from './context.ts';

const ROWS_A_REQUEST = 1_000;
/** A request takes 1 MiB. */
const CHARACTERS_A_REQUEST = 300_000;

/** Headers by which columns are recognised, in lower case without blanks and punctuation. */
const HEADERS = {
  ref: ['ref', 'reference', 'id', 'rowid', 'key'],
  parcelNumber: ['parcelnumber', 'parcel', 'parcelno', 'parcelid', 'apn', 'pin', 'taxid'],
  caseNumber: ['casenumber', 'case', 'caseno', 'caseid', 'permit', 'permitnumber', 'permitno', 'docket', 'filenumber'],
  address: ['address', 'streetaddress', 'siteaddress', 'propertyaddress', 'address1', 'street'],
  city: ['city', 'town', 'municipality'],
  county: ['county', 'countyname'],
  state: ['state', 'st', 'stateabbreviation', 'statecode'],
  latitude: ['latitude', 'lat', 'y'],
  longitude: ['longitude', 'lng', 'lon', 'long', 'x'],
} as const;
type Field = keyof typeof HEADERS;
const FIELDS = Object.keys(HEADERS) as Field[];
const NAMING: readonly Field[] = ['parcelNumber', 'caseNumber', 'address', 'latitude'];

type TypedLine = Readonly<Record<string, string>>;
type RequestRow = { [field in Field]?: string | number };

/** The column of each field. @throws UserError if no column identifies a project */
export function columnsOf(headers: readonly string[]): Map<Field, string> {
  const folded = headers.map((header) => ({ header, name: header.toLowerCase().replace(/[^a-z0-9]/g, '') }));
  const columns = new Map<Field, string>();
  for (const field of FIELDS) {
    const names: readonly string[] = HEADERS[field];
    const found = names.flatMap((name) => folded.find((one) => one.name === name) ?? [])[0];
    if (found) columns.set(field, found.header);
  }
  if (NAMING.some((field) => columns.has(field))) return columns;
  throw new UserError(
    `No column of the file names anything. Call one of them parcel, case, address, or two latitude and longitude; it has ${headers.join(', ')}.`,
  );
}

const isCoordinate = (field: Field) => field === 'latitude' || field === 'longitude';

/** The row that is sent for a line. An invalid coordinate is sent unchanged, so that the service reports it with its row. */
function rowOf(line: TypedLine, columns: ReadonlyMap<Field, string>): RequestRow {
  const fields = [...columns].flatMap(([field, column]) => {
    const text = (line[column] ?? '').trim();
    if (!text) return [];
    const number = isCoordinate(field) ? Number(text) : Number.NaN;
    return [[field, Number.isFinite(number) ? number : text]];
  });
  return Object.fromEntries(fields);
}

/** The result columns that are added to a line. */
interface Matched {
  matchId: number | null;
  matchScore: number | null;
  matchReasons: string | null;
  matchCount: number;
  matchProblem: string | null;
}

const UNMATCHED: Matched = { matchId: null, matchScore: null, matchReasons: null, matchCount: 0, matchProblem: null };
const ROW_PLACE = /^rows\.(\d+)/;

/** The problems of an error by row; undefined if any other problem is among them. */
function rowProblems(error: unknown): Map<number, string> | undefined {
  if (!isRefusal(error, 'invalid_request', 'geographic_access_denied')) return undefined;
  const problems = (error.details as { problems?: { param: string | null; message: string }[] } | null)?.problems ?? [
    { param: error.param, message: error.message },
  ];
  const places = problems.map(({ param, message }) => ({ at: ROW_PLACE.exec(param ?? '')?.[1], message }));
  if (!places.length || places.some(({ at }) => at === undefined)) return undefined;
  return new Map(places.map(({ at, message }) => [Number(at), message]));
}

interface Options {
  minScore?: string;
}

/** Matches a batch. Refused rows are reported and left out, and the others are sent again. */
async function matchBatch(cli: Cli, rows: readonly RequestRow[], { minScore }: Options): Promise<Matched[]> {
  const matched: Matched[] = rows.map(() => UNMATCHED);
  let left = rows.map((_, i) => i);
  while (left.length) {
    try {
      const body = { rows: left.map((i) => rows[i]), ...(minScore === undefined ? {} : { minScore: Number(minScore) }) };
      const { data } = await cli.ask('matchProjects', { body });
      for (const { index, candidates, candidateCount } of data) {
        const [best] = candidates;
        matched[left[index] as number] = {
          ...UNMATCHED,
          matchId: best?.id ?? null,
          matchScore: best?.score ?? null,
          matchReasons: best?.reasons.join(' ') ?? null,
          matchCount: candidateCount,
        };
      }
      return matched;
    } catch (error) {
      const problems = rowProblems(error);
      if (!problems) throw error;
      for (const [at, matchProblem] of problems) matched[left[at] as number] = { ...UNMATCHED, matchProblem };
      left = left.filter((_, at) => !problems.has(at));
    }
  }
  return matched;
}

function batchesOf(rows: readonly RequestRow[]): RequestRow[][] {
  const batches: RequestRow[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    const length = JSON.stringify(row).length;
    const last = batches.at(-1);
    if (!last || last.length >= ROWS_A_REQUEST || characters + length > CHARACTERS_A_REQUEST) {
      batches.push([row]);
      characters = length;
    } else {
      last.push(row);
      characters += length;
    }
  }
  return batches;
}

/** A line of the file by header, and its cells beyond the last header. */
interface FileLine {
  cells: TypedLine;
  surplus: string[];
}

/** The delimiter of the file: a header without commas has semicolons, as spreadsheets write in many languages, or tabs. */
function delimiterOf(text: string): string {
  const [header = ''] = text.split(/[\r\n]/, 1);
  return [',', ';', '\t'].find((delimiter) => header.includes(delimiter)) ?? ',';
}

/** @throws UserError */
async function readLines(file: string): Promise<{ headers: string[]; lines: FileLine[] }> {
  try {
    const text = await readFile(file, 'utf8');
    const options = { bom: true, skip_empty_lines: true, trim: true, relax_column_count: true, delimiter: delimiterOf(text) };
    const [headers = [], ...lines]: string[][] = parse(text, options);
    const cellsOf = (line: string[]) => Object.fromEntries(headers.map((header, i) => [header, line[i] ?? '']));
    return { headers, lines: lines.map((line) => ({ cells: cellsOf(line), surplus: line.slice(headers.length).filter(Boolean) })) };
  } catch (error) {
    throw new UserError(`${file} cannot be read as CSV with a header line: ${(error as Error).message}`, { cause: error });
  }
}

const surplusProblem = ({ surplus }: FileLine, headers: readonly string[]): Matched => ({
  ...UNMATCHED,
  matchProblem: `The line has more cells than the header line has names (${headers.length}), the last of them '${surplus.at(-1)}'; put cells with a separator in them in quotes`,
});

async function matchFile(cli: Cli, file: string, options: Options): Promise<void> {
  const { headers, lines } = await readLines(file);
  if (!lines.length) throw new UserError(`${file} holds no rows below its header line.`);
  const columns = columnsOf(headers);
  cli.note(`Columns: ${[...columns].map(([field, column]) => `${column} as ${field}`).join(', ')}.`);
  const matched = lines.map((line) => (line.surplus.length ? surplusProblem(line, headers) : UNMATCHED));
  const readable = lines.flatMap(({ surplus }, at) => (surplus.length ? [] : [at]));
  const bar = cli.startPacedBar('match', readable.length);
  let done = 0;
  try {
    for (const batch of batchesOf(readable.map((at) => rowOf((lines[at] as FileLine).cells, columns)))) {
      for (const one of await matchBatch(cli, batch, options)) matched[readable[done++] as number] = one;
      bar.update(done);
    }
  } finally {
    bar.stop();
  }
  const shown = lines.map(({ cells }, i) => ({ ...cells, ...(matched[i] as Matched) }));
  cli.print(shown, shown, 'No rows.');
  const count = (is: (one: Matched) => boolean) => matched.filter(is).length;
  cli.note(
    `${count(({ matchCount }) => matchCount > 0)} of ${lines.length} rows match, ${count(({ matchProblem }) => matchProblem !== null)} could not be read.`,
  );
}

export function addMatchCommand(program: Command): void {
  program
    .command('match')
    .description('which projects the rows of a CSV file are: parcel and case numbers, addresses, points; free')
    .argument('<file>', 'CSV with a header line: parcel, case, address, city, county, state, latitude, longitude, id')
    .option('--min-score <score>', 'from 0 to 1, 0.8 by default: how sure a match must be')
    .action(act(matchFile));
}
