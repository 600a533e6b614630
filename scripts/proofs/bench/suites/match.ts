/** Suite `match`: precision and recall of rows typed from real records with a slip each, and the time of 1,000 rows over a made-up corpus. */
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import path from 'node:path';
import { createGunzip } from 'node:zlib';
import { writeGeneration } from '../../../../ingest/sources/generation.ts';
import { splitLines } from '../../../../src/terminal/lines.ts';
import { UserError } from '../../../../src/terminal/program.ts';
import { whole } from '../../../../src/terminal/table.ts';
import { ApiClient } from '../../../lib/apiClient.ts';
import { isRightMatch, type MatchQuality, qualityOf, type RowOutcome } from '../../../lib/matchQuality.ts';
import { ApiProcess, runIngestSuccessfully } from '../../../lib/programs.ts';
import { withTimedStep } from '../../../lib/progress.ts';
import { median, milliseconds, type ReportSection } from '../../../lib/report.ts';
import { root, Sandbox } from '../../../lib/sandbox.ts';
import { type Slip, type TypedFrom, typeRow } from '../../../lib/typedRows.ts';
import { Random } from '../../../sample/random.ts';
import { type Corpus, projectLines } from '../corpus.ts';
import { type KeptFiles, keepOption, reuseOption } from '../loaded.ts';
import { type Bench, roundsOption, type Suite, seedOption, sizesOption } from '../suite.ts';

const REAL_FOLDER = path.resolve(process.env.REAL_DATA ?? path.join(root, '../shared/data'));
const USUAL_SIZE = 200_000;
const ROWS = 1_000;
/** Rows of records that are there, and of such that were left out. */
const PRESENT_ROWS = 2_000;
const ABSENT_ROWS = 500;
const LEFT_OUT = 8;

interface Options extends KeptFiles {
  n?: number[];
  seed: number;
  rounds: number;
}

interface Typed {
  record: TypedFrom;
  row: object;
  slip: Slip;
  present: boolean;
}

/** As many rows from each state. */
function typedRows(records: readonly TypedFrom[], count: number, present: boolean, random: Random): Typed[] {
  const byState = new Map<string, TypedFrom[]>();
  for (const record of records) byState.set(record.state ?? '', [...(byState.get(record.state ?? '') ?? []), record].slice(-100_000));
  const states = [...byState.values()];
  const rows: Typed[] = [];
  for (let i = 0; rows.length < count && i < 10 * count; i++) {
    const record = random.pick(states[i % states.length] ?? []);
    const typed = typeRow(record, random);
    if (typed) rows.push({ record, ...typed, present });
  }
  return rows;
}

interface Split {
  file: string;
  kept: TypedFrom[];
  leftOut: TypedFrom[];
}

/** The public data sets as a generation file without every eighth record. */
async function writeSplit(folder: string): Promise<Split> {
  const { file } = await writeGeneration({ from: REAL_FOLDER, to: folder, generation: 1, onProgress: () => {} });
  const split: Split = { file: path.join(folder, 'kept.ndjson'), kept: [], leftOut: [] };
  const out = createWriteStream(split.file);
  let at = 0;
  for await (const text of splitLines(createReadStream(file).pipe(createGunzip()))) {
    const { records: _, sha256: _sha256, ...line } = JSON.parse(text);
    if (line.kind === 'generation') out.write(`${JSON.stringify(line)}\n`);
    if (line.kind !== 'project') continue;
    const { id, parcelNumbers, caseNumbers, address, city, county, state, latitude, longitude } = line;
    const isKept = at++ % LEFT_OUT !== 0;
    split[isKept ? 'kept' : 'leftOut'].push({ id, parcelNumbers, caseNumbers, address, city, county, state, latitude, longitude });
    // What is matched does not depend on texts, which take most of the time of a load.
    if (isKept)
      out.write(
        `${JSON.stringify({ ...line, rawText: null, originalRawText: null, evidence: undefined, meetingDocuments: null, meetingDocumentId: null })}\n`,
      );
  }
  await new Promise((resolve) => out.end(resolve));
  return split;
}

interface RowAnswer {
  candidates: { id: number }[];
}

async function outcomesOf(client: ApiClient, typed: readonly Typed[], kept: readonly TypedFrom[]): Promise<RowOutcome[]> {
  const byId = new Map(kept.map((record) => [record.id, record]));
  const outcomes: RowOutcome[] = [];
  for (let i = 0; i < typed.length; i += ROWS) {
    const some = typed.slice(i, i + ROWS);
    const answers = await client.post<RowAnswer[]>('/projects/match', { rows: some.map(({ row }) => row) });
    for (const [at, { record, present }] of some.entries()) {
      const found = byId.get(answers[at]?.candidates[0]?.id ?? 0);
      outcomes.push({ present, right: found ? isRightMatch(record, found) : null });
    }
  }
  return outcomes;
}

const share = (value: number) => value.toFixed(3);
const qualityRow = (title: string, { rows, named, precision, recall }: MatchQuality) => [
  title,
  whole(rows),
  whole(named),
  share(precision),
  share(recall),
];

/** Loads real records into a sandbox of their own. */
async function measureQuality({ servers, signal }: Bench, seed: number): Promise<ReportSection & { figures: object }> {
  const sandbox = await Sandbox.make(servers, 'benchmatch');
  try {
    const { file, kept, leftOut } = await withTimedStep('Wrote the public data sets', () => writeSplit(sandbox.folder));
    await withTimedStep('Loaded them', () =>
      runIngestSuccessfully(sandbox.environment(), ['load', file, '--activate'], sandbox.folder, signal),
    );
    const random = new Random('match', seed);
    const typed = [...typedRows(kept, PRESENT_ROWS, true, random), ...typedRows(leftOut, ABSENT_ROWS, false, random)];
    const api = await ApiProcess.start(sandbox.environment(), signal);
    try {
      const outcomes = await outcomesOf(new ApiClient(api.url, (await sandbox.account('national')).key), typed, kept);
      const all = qualityOf(outcomes);
      const groupsBy = (title: (one: Typed) => string) =>
        [...new Set(typed.map(title))]
          .sort()
          .map((name) => qualityRow(name, qualityOf(outcomes.filter((_, i) => title(typed[i] as Typed) === name))));
      return {
        title: 'Rows typed from real records',
        text: `${whole(kept.length)} records; ${PRESENT_ROWS} rows are typed from them and ${ABSENT_ROWS} from ${whole(leftOut.length)} that were left out, as many from each state (seed ${seed}), each with one slip and spellings of its own. *Named* rows reach 0.8. The aims are a precision of 0.98 and a recall of 0.90.`,
        head: ['rows', 'number', 'named', 'precision', 'recall'],
        rows: [
          qualityRow('all', all),
          ...groupsBy(({ slip }) => slip),
          ...groupsBy(({ record }) => record.state ?? ''),
          ...groupsBy(({ present }) => (present ? 'record present' : 'record left out')),
        ],
        figures: all,
      };
    } finally {
      await api.end();
    }
  } finally {
    await sandbox.remove();
  }
}

/** A request's rows, typed from projects all over the corpus. */
export function rowsFrom(corpus: Corpus, seed: number): object[] {
  const random = new Random('times', seed);
  const step = Math.max(1, Math.floor(corpus.n / ROWS));
  const rows: object[] = [];
  let at = 0;
  for (const line of projectLines(corpus, 1)) {
    if (line.kind !== 'project' || at++ % step || rows.length === ROWS) continue;
    rows.push(typeRow(line as unknown as TypedFrom, random)?.row ?? { caseNumber: 'none-1' });
  }
  return rows;
}

async function measureTime({ corpora, sandbox, signal }: Bench, { n, seed, rounds, ...keeping }: Options) {
  const { corpus, prefix } = await corpora.load(sandbox, n?.[0] ?? USUAL_SIZE, seed, keeping);
  const rows = rowsFrom(corpus, seed);
  const api = await ApiProcess.start(sandbox.environment(undefined, prefix), signal);
  try {
    const client = new ApiClient(api.url, (await sandbox.account('national')).key);
    const times: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const began = performance.now();
      await client.post('/projects/match', { rows });
      // The first warms up.
      if (round) times.push(performance.now() - began);
    }
    return { records: corpus.n, rows: rows.length, times };
  } finally {
    await api.end();
  }
}

export const match: Suite<Options> = {
  name: 'match',
  summary: 'rows typed from real records: precision and recall; 1,000 rows over a made-up corpus: time',
  options: [sizesOption, seedOption, roundsOption, keepOption, reuseOption],
  async run(bench, options) {
    if (!existsSync(REAL_FOLDER)) throw new UserError(`The public data sets are not in ${REAL_FOLDER}; REAL_DATA names their folder.`);
    const { figures, ...quality } = await measureQuality(bench, options.seed);
    const { records, rows, times } = await measureTime(bench, options);
    return {
      title: 'Matching of rows',
      about: 'Through the API, for a team on the National plan.',
      sections: [
        quality,
        {
          title: 'Time',
          text: 'One request at a time; the aim is 2,000 ms over a million records.',
          head: ['records', 'rows', 'requests', 'median ms', 'slowest ms'],
          rows: [[whole(records), whole(rows), whole(times.length), milliseconds(median(times)), milliseconds(Math.max(...times))]],
        },
      ],
      figures: { quality: figures, time: { records, rows, times } },
    };
  },
};
