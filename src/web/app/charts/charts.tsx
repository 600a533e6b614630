/** The tab of charts: the selection by month, use, status and place, measured as the reader chooses. */
import type { AggregateProjectsResult } from '../../../clients/client/generated.ts';
import { aggregateAll } from '../shared/aggregates.ts';
import { call } from '../shared/api.ts';
import {
  type AnalyticsGroup,
  type AskedChart,
  type ChartPoint,
  chartFacets,
  chartPoints,
  DAYS,
  dayPoints,
  drillChange,
  MEASURES,
  measureOf,
  type OddsGroup,
  oddsRequestOf,
  requestOf,
} from '../shared/facets.ts';
import { useAnswer } from '../shared/hooks.ts';
import { Select } from '../shared/inputs.tsx';
import { linkTo } from '../shared/links.tsx';
import { usePage } from '../shared/page.ts';
import { withFilters } from '../shared/state.ts';
import { Empty, Loading, Notice } from '../shared/ui.tsx';
import { windowNote } from '../shared/words.ts';
import { ChartFrame } from './chartFrame.tsx';
import type { LinkOfPoint } from './drawing.tsx';

const HIDES_UNDECIDED = 'Groups of fewer than 5 decided projects are not shown.';
const HIDES = 'Groups of fewer than 5 projects are not shown, nor those that would give them away.';

interface AnsweredChart extends AskedChart {
  points: ChartPoint[];
  /** whether groups are not shown */
  hides: boolean;
  isCut: boolean;
}

/** Reads the charts of days from odds, the others from aggregates: in one counted request. */
async function readCharts(charts: readonly AskedChart[], signal: AbortSignal): Promise<AnsweredChart[]> {
  const pair = <R extends Pick<AggregateProjectsResult, 'meta'>>(
    results: readonly R[],
    pointsOf: (asked: AskedChart, result: R) => ChartPoint[],
  ) =>
    charts.flatMap((asked, i): AnsweredChart[] => {
      const result = results[i];
      if (!result) return [];
      return [{ ...asked, points: pointsOf(asked, result), hides: result.meta.suppressedGroups, isCut: result.meta.truncated }];
    });
  if (charts[0]?.measure === DAYS) {
    const { data } = await call('getOdds', { body: { queries: charts.map(oddsRequestOf) } }, { signal });
    return pair(data.results ?? [], (asked, { groups }) => dayPoints(asked, groups as OddsGroup[]));
  }
  return pair(await aggregateAll(charts.map(requestOf), signal), (asked, { groups, meta }) =>
    groups.length ? chartPoints(asked, groups as AnalyticsGroup[], meta.suppressedGroups) : [],
  );
}

function Chart({ chart: { facet, measure, points, hides, isCut } }: { chart: AnsweredChart }) {
  const { state, go } = usePage();
  const { interval, title: of, head, note, cut } = facet;
  const title = `${measure.label} by ${of}`;
  if (points.length > 0) {
    const linkOf: LinkOfPoint = ({ key }) => {
      const change = drillChange(facet, key, state.filters);
      return change && linkTo(go, withFilters(state, change));
    };
    const notes = [note, hides && (measure === DAYS ? HIDES_UNDECIDED : HIDES), isCut && cut].filter((one) => typeof one === 'string');
    return <ChartFrame title={title} heads={[head, measure.label]} {...{ points, linkOf, interval, notes }} />;
  }
  const few =
    measure === DAYS ? 'Too few decided projects to show any group: each needs 5.' : 'Too few projects to show any group: each needs 5.';
  return (
    <section class="card chart">
      <h2>{title}</h2>
      <Empty>{hides ? few : 'Nothing matches the filters.'}</Empty>
    </section>
  );
}

function explain(measure: AskedChart['measure']): string {
  if (measure === DAYS)
    return 'Days run from the first hearing to the vote; undecided projects count for as long as they are known to be so. ';
  return measure.metric ? 'A figure rests on the projects that state it, and on at least 5. ' : '';
}

export function Charts() {
  const { state, go } = usePage();
  const measure = measureOf(state.metric);
  const charts = chartFacets(state.filters, measure).map((facet): AskedChart => ({ facet, measure, filters: state.filters }));
  const asked = JSON.stringify(charts);
  const { answer, problem, loading, again } = useAnswer(async (signal) => ({ asked, charts: await readCharts(charts, signal) }), [asked]);
  // While another measure is loading, the answer of the one before has no values for it.
  const isCurrent = answer !== null && answer.asked === asked;
  return (
    <div class="sheet">
      <h1>Charts</h1>
      <p class="lead">
        What matches the filters. {windowNote(state.filters)}
        {explain(measure)}Choose a bar to see only its projects. Free of charge.
      </p>
      <Select
        id="measure"
        label="Show"
        class="chart-measure"
        value={measure.name}
        options={MEASURES.map(({ name, label }) => ({ value: name, label }))}
        onChange={(name) => go({ ...state, metric: name === 'count' ? null : name })}
      />
      {problem && <Notice problem={problem} again={again} />}
      {!isCurrent && loading && <Loading />}
      {isCurrent && !problem && (
        <div class="grid">
          {answer.charts.map((chart) => (
            <Chart key={chart.facet.title} chart={chart} />
          ))}
        </div>
      )}
    </div>
  );
}
