/** Suite `match`: precision and recall of rows typed from real records with a slip each, and the time of 1,000 rows over a made-up corpus. */
import { whole } from '../../../../src/terminal/textTable.ts';
import type { ApiClient } from '../../../lib/apiClient.ts';
import { isRightMatch, type MatchQuality, qualityOf, type RowOutcome } from '../../../lib/matchQuality.ts';
import { type PublicLine, requirePublicData } from '../../../lib/publicData.ts';
import { median, milliseconds, type ReportColumn, type ReportSection, tableOf, timesOf } from '../../../lib/report.ts';
import { type Slip, type TypedFrom, typeRow } from '../../../lib/typedRows.ts';
import { Random } from '../../../sample/random.ts';
import { type Corpus, projectLines } from '../corpus.ts';
import { withPublicRecords } from '../publicRecords.ts';
import { type Bench, type CorpusOptions, corpusOptions, newClient, roundsOption, type Suite, withCorpus } from '../suite.ts';

const USUAL_SIZE = 200_000;
const ROWS = 1_000;
/** Rows of records that are there, and of such that were left out. */
const PRESENT_ROWS = 2_000;
const ABSENT_ROWS = 500;
const LEFT_OUT = 8;

interface Options extends CorpusOptions {
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

interface QualityRow extends MatchQuality {
  title: string;
}

const COLUMNS: readonly ReportColumn<QualityRow>[] = [
  ['rows', ({ title }) => title],
  ['number', ({ rows }) => whole(rows)],
  ['named', ({ named }) => whole(named)],
  ['precision', ({ precision }) => share(precision)],
  ['recall', ({ recall }) => share(recall)],
];

/** Rows typed from the public data sets, over all of their records but every eighth. */
async function measureQuality(bench: Bench, seed: number): Promise<ReportSection & { figures: object }> {
  const [kept, leftOut]: [TypedFrom[], TypedFrom[]] = [[], []];
  let at = 0;
  const pick = (line: PublicLine) => {
    const { id, parcelNumbers, caseNumbers, address, city, county, state, latitude, longitude } = line;
    const isKept = at++ % LEFT_OUT !== 0;
    (isKept ? kept : leftOut).push({ id, parcelNumbers, caseNumbers, address, city, county, state, latitude, longitude });
    return isKept ? { ...line, meetingDocuments: null } : undefined;
  };
  return withPublicRecords(bench, 'benchmatch', undefined, pick, async (client) => {
    const random = new Random('match', seed);
    const typed = [...typedRows(kept, PRESENT_ROWS, true, random), ...typedRows(leftOut, ABSENT_ROWS, false, random)];
    const outcomes = await outcomesOf(client, typed, kept);
    const groupsBy = (title: (one: Typed) => string): QualityRow[] =>
      [...new Set(typed.map(title))]
        .sort()
        .map((name) => ({ title: name, ...qualityOf(outcomes.filter((_, i) => title(typed[i] as Typed) === name)) }));
    const figures = qualityOf(outcomes);
    const rows = [
      { title: 'all', ...figures },
      ...groupsBy(({ slip }) => slip),
      ...groupsBy(({ record }) => record.state ?? ''),
      ...groupsBy(({ present }) => (present ? 'record present' : 'record left out')),
    ];
    const text = `${whole(kept.length)} records; ${PRESENT_ROWS} rows are typed from them and ${ABSENT_ROWS} from ${whole(leftOut.length)} that were left out, as many from each state (seed ${seed}), each with one slip and spellings of its own. *Named* rows reach 0.8. The aims are a precision of 0.98 and a recall of 0.90.`;
    return { ...tableOf('Rows typed from real records', text, rows, COLUMNS), figures };
  });
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

/** Milliseconds of the same request; the first warms up. */
const measureTime = (bench: Bench, options: Options) =>
  withCorpus(bench, options, USUAL_SIZE, async (run) => {
    const client = await newClient(run);
    const rows = rowsFrom(run.corpus, options.seed);
    const times = await timesOf(options.rounds, () => client.post('/projects/match', { rows }), 1);
    return { records: run.corpus.n, rows: rows.length, times };
  });

export const match: Suite<Options> = {
  name: 'match',
  summary: 'rows typed from real records: precision and recall; 1,000 rows over a made-up corpus: time',
  options: [...corpusOptions, roundsOption],
  async run(bench, options) {
    requirePublicData();
    const { figures, ...quality } = await measureQuality(bench, options.seed);
    const time = await measureTime(bench, options);
    return {
      title: 'Matching of rows',
      about: 'Through the API, for a team on the National plan.',
      sections: [
        quality,
        tableOf(
          'Time',
          'One request at a time; the aim is 2,000 ms over a million records.',
          [time],
          [
            ['records', ({ records }) => whole(records)],
            ['rows', ({ rows }) => whole(rows)],
            ['requests', ({ times }) => whole(times.length)],
            ['median ms', ({ times }) => milliseconds(median(times))],
            ['slowest ms', ({ times }) => milliseconds(Math.max(...times))],
          ],
        ),
      ],
      figures: { quality: figures, time },
    };
  },
};
