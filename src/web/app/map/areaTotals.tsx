/** Several areas beside each other and all together: projects, dwelling units and acres. */
import { aggregateAll } from '../shared/aggregates.ts';
import { useShapeNames } from '../shared/areaNames.ts';
import { figureText } from '../shared/facets.ts';
import { useAnswer } from '../shared/hooks.ts';
import { StateLink } from '../shared/links.tsx';
import { usePage } from '../shared/page.ts';
import { type DrawnShape, filtersOfShapes, nameOfShape } from '../shared/shapes.ts';
import { toFilters } from '../shared/state.ts';
import { Notice, Table } from '../shared/ui.tsx';
import { number } from '../shared/words.ts';

const TOO_FEW = 'too few';
const MEASUREMENTS = ['totalUnitCount', 'acreage'] as const;

/** @returns a cell for each measurement of each area, then of all together */
function useSums(areas: readonly DrawnShape[]) {
  const { filters } = usePage().state;
  const metrics = MEASUREMENTS.map((field) => ({ op: 'sum' as const, field }));
  const queries = [...areas.map((area) => [area]), areas].map((some) => ({
    filters: toFilters({ ...filters, areas: filtersOfShapes(some).areas ?? '' }),
    metrics,
  }));
  const asked = JSON.stringify(queries);
  const { answer, problem, again } = useAnswer(async (signal) => ({ asked, results: await aggregateAll(queries, signal) }), [asked]);
  const results = answer?.asked === asked ? answer.results : null;
  const cellsAt = (row: number) =>
    MEASUREMENTS.map((field) => {
      const sum = (results?.[row]?.totals?.metrics[`sum_${field}`] ?? null) as number | null;
      return results ? (sum === null ? TOO_FEW : figureText(sum)) : '…';
    });
  return { cellsAt, problem, again };
}

interface AreaTotalsProps {
  /** areas of the search, two or more */
  areas: readonly DrawnShape[];
  /** matches in each of them */
  counts: readonly number[];
  /** matches in all of them together */
  matchCount: number;
}

export function AreaTotals({ areas, counts, matchCount }: AreaTotalsProps) {
  const names = useShapeNames(areas);
  const { cellsAt, problem, again } = useSums(areas);
  const rowOf = (called: string, count: number, row: number) => [called, number(count), ...cellsAt(row)];
  const rows = [...areas.map((area, i) => rowOf(nameOfShape(area, names), counts[i] ?? 0, i)), rowOf('Together', matchCount, areas.length)];
  const isCountedTwice = counts.reduce((sum, count) => sum + count, 0) > matchCount;
  return (
    <section class="area-totals" aria-label="Areas and their sums">
      <Table label="Areas and their sums" heads={['Area', 'Projects', 'Units', 'Acres']} numbers={[1, 2, 3]} rows={rows} />
      {isCountedTwice && <p class="note">A project in more than one area counts once together.</p>}
      {rows.flat().includes(TOO_FEW) && (
        <p class="note">
          Too few: fewer than 5 projects state it. <StateLink to={{ tab: 'table' }}>The table</StateLink> adds up the rows that it shows.
        </p>
      )}
      {problem && <Notice problem={problem} again={again} />}
    </section>
  );
}
