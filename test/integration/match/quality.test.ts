/** How well rows that are typed from records with a slip name them, on the made-up sample; `npm run bench -- match` measures it on real records. */
import assert from 'node:assert/strict';
import { isRightMatch, qualityOf, type RowOutcome } from '../../../scripts/lib/matchQuality.ts';
import { type TypedFrom, typeRow } from '../../../scripts/lib/typedRows.ts';
import { sampleLines } from '../../../scripts/sample/generate.ts';
import { Random } from '../../../scripts/sample/random.ts';
import { TODAY } from '../../support/fixtures.ts';
import { places } from '../../support/index.ts';
import { lengthOf } from '../../support/lengths.ts';
import { makeAddresses } from '../../support/madeAddresses.ts';
import { projectLine } from '../../support/projectLine.ts';
import { provideWorld } from '../../support/world.ts';

const PROJECTS = 500;
/** One record of every so many is typed but left out of the index. */
const LEFT_OUT = 5;

describe('rows typed with a slip', () => {
  const world = provideWorld({ today: TODAY, plan: 'national' });

  it('name the right records: precision .98, recall .97', async () => {
    const lines = [...sampleLines({ seed: 7, projects: PROJECTS, today: TODAY, texts: 'short', places, generation: 1 })];
    const projects = lines.flatMap((line) => (line.kind === 'project' ? [line as unknown as TypedFrom] : []));
    const isPresent = (_: unknown, i: number) => i % LEFT_OUT !== 0;
    await world.api.index.load(projects.filter(isPresent));
    const byId = new Map(projects.map((project) => [project.id, project]));
    const random = new Random('slips', 1);
    const typed = projects.flatMap((record, i) => {
      const made = typeRow(record, random);
      return made ? [{ record, row: made.row, present: isPresent(record, i) }] : [];
    });
    const { status, body } = await world.send('POST', '/projects/match', { rows: typed.map(({ row }) => row) });
    assert.equal(status, 200, JSON.stringify(body).slice(0, 500));
    const answers = body.data as unknown as { candidates: { id: number }[] }[];
    const outcomes = typed.map(({ record, present }, i): RowOutcome => {
      const found = byId.get(answers[i]?.candidates[0]?.id ?? 0);
      return { present, right: found ? isRightMatch(record, found) : null };
    });
    const { rows, precision, recall } = qualityOf(outcomes);
    assert(rows > 450 && precision >= 0.98 && recall >= 0.97, JSON.stringify({ rows, precision, recall }));
  });
});

interface ScoredRow {
  candidates: { id: number; score: number }[];
}

describe('addresses among neighbours that are easily taken for them', () => {
  const world = provideWorld({ today: TODAY, plan: 'national' });
  const ROWS_A_REQUEST = 1_000;

  it('are sure of the building: of rows from .95 at most 1 of 1,000 is wrong, from .8 1 of 200, and .90 of those with an answer reach .95', async () => {
    const { records, buildings, rows } = makeAddresses(lengthOf('MATCHED_ROWS'), new Random('buildings', 1));
    await world.api.index.load(records.map(({ id, ...more }) => projectLine(id, more)));
    const answers: ScoredRow[] = [];
    for (let start = 0; start < rows.length; start += ROWS_A_REQUEST) {
      const sent = rows.slice(start, start + ROWS_A_REQUEST).map(({ row }) => row);
      const { status, body } = await world.send('POST', '/projects/match', { rows: sent });
      assert.equal(status, 200, JSON.stringify(body).slice(0, 500));
      answers.push(...(body.data as unknown as ScoredRow[]));
    }
    const outcomes = rows.map(({ means, hasAnswer }, i): RowOutcome => {
      const [best] = answers[i]?.candidates ?? [];
      return { present: hasAnswer, right: best ? buildings.get(best.id) === means : null, score: best?.score ?? 0 };
    });
    const [sure, certain] = [qualityOf(outcomes), qualityOf(outcomes, 0.95)];
    const figures = JSON.stringify({ sure, certain });
    assert(certain.named > 0.6 * rows.length && certain.precision >= 0.999 && certain.recall >= 0.9, figures);
    assert(sure.precision >= 0.995, figures);
  });
});
