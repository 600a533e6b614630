/** Suite `match`: precision and recall of rows typed from real records with a slip each. */
import { whole } from '../../../../src/terminal/textTable.ts';
import type { ApiClient } from '../../../lib/apiClient.ts';
import { isRightMatch, type MatchQuality, qualityOf, type RowOutcome } from '../../../lib/matchQuality.ts';
import { type PublicLine, requirePublicData } from '../../../lib/publicData.ts';
import { type FiguresRow, type ReportSection, tableOfFigures } from '../../../lib/report.ts';
import { type Slip, type TypedFrom, typeRow } from '../../../lib/typedRows.ts';
import { Random } from '../../../sample/random.ts';
import { withPublicRecords } from '../publicRecords.ts';
import { type Bench, type Suite, seedOption } from '../suite.ts';

const ROWS = 1_000;
/** Rows of records that are there, and of such that were left out. */
const PRESENT_ROWS = 2_000;
const ABSENT_ROWS = 500;
const LEFT_OUT = 8;

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
  candidates: { id: number; score: number }[];
}

async function outcomesOf(client: ApiClient, typed: readonly Typed[], kept: readonly TypedFrom[]): Promise<RowOutcome[]> {
  const byId = new Map(kept.map((record) => [record.id, record]));
  const outcomes: RowOutcome[] = [];
  for (let i = 0; i < typed.length; i += ROWS) {
    const some = typed.slice(i, i + ROWS);
    const answers = await client.post<RowAnswer[]>('/projects/match', { rows: some.map(({ row }) => row) });
    for (const [at, { record, present }] of some.entries()) {
      const [best] = answers[at]?.candidates ?? [];
      const found = best && byId.get(best.id);
      outcomes.push({ present, right: found ? isRightMatch(record, found) : null, score: best?.score ?? 0 });
    }
  }
  return outcomes;
}

const CERTAIN_SCORE = 0.95;

function qualityRow(title: string, outcomes: readonly RowOutcome[]): FiguresRow {
  const shown = ({ precision, recall }: MatchQuality) => [precision.toFixed(3), recall.toFixed(3)] as const;
  const sure = qualityOf(outcomes);
  const [precision, recall] = shown(sure);
  const [certainPrecision, certainRecall] = shown(qualityOf(outcomes, CERTAIN_SCORE));
  const atCertain = { [`precision from ${CERTAIN_SCORE}`]: certainPrecision, [`recall from ${CERTAIN_SCORE}`]: certainRecall };
  return { rows: title, number: sure.rows, named: sure.named, precision, recall, ...atCertain };
}

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
    const groupsBy = (title: (one: Typed) => string): FiguresRow[] =>
      [...new Set(typed.map(title))].sort().map((name) =>
        qualityRow(
          name,
          outcomes.filter((_, i) => title(typed[i] as Typed) === name),
        ),
      );
    const figures = qualityOf(outcomes);
    const rows = [
      qualityRow('all', outcomes),
      ...groupsBy(({ slip }) => slip),
      ...groupsBy(({ record }) => record.state ?? ''),
      ...groupsBy(({ present }) => (present ? 'record present' : 'record left out')),
    ];
    const text = `${whole(kept.length)} records; ${PRESENT_ROWS} rows are typed from them and ${ABSENT_ROWS} from ${whole(leftOut.length)} that were left out, as many from each state (seed ${seed}), each with one slip and spellings of its own. *Named* rows reach 0.8. The aims are a precision of 0.98 and a recall of 0.90.`;
    return { ...tableOfFigures('Rows typed from real records', text, rows), figures };
  });
}

export const match: Suite<{ seed: number }> = {
  name: 'match',
  summary: 'rows typed from real records: precision and recall; growth has the time of 1,000 rows',
  options: [seedOption],
  async run(bench, { seed }) {
    requirePublicData();
    const { figures, ...quality } = await measureQuality(bench, seed);
    const about = 'Through the API, for a team on the National plan.';
    return { title: 'Matching of rows', about, sections: [quality], figures };
  },
};
