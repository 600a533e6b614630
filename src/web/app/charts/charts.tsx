/** The tab of charts: the selection by month, use, status and place, measured as the reader chooses. */
import type { AggregateProjectsResult } from '../../../clients/client/generated.ts';
import { useAnswer } from '../shared/hooks.ts';
import { Select } from '../shared/inputs.tsx';
import { linkTo } from '../shared/links.tsx';
import { usePage } from '../shared/page.ts';
import { withFilters } from '../shared/state.ts';
import { Empty, Loading, Notice } from '../shared/ui.tsx';
import { windowNote } from '../shared/words.ts';
import { aggregateAll } from './aggregates.ts';
import { ChartFrame } from './chartFrame.tsx';
import type { LinkOfPoint } from './drawing.tsx';
import { type AnalyticsGroup, type AskedChart, chartFacets, chartPoints, drillChange, MEASURES, measureOf, requestOf } from './facets.ts';

const HIDES = 'Groups of fewer than 5 projects are not shown, nor those that would give them away.';

function Chart({ asked, answer: { groups, meta } }: { asked: AskedChart; answer: AggregateProjectsResult }) {
  const { state, go } = usePage();
  const { facet, measure } = asked;
  const { interval, title: of, head, note, cut } = facet;
  const title = `${measure.label} by ${of}`;
  const hides = meta.suppressedGroups;
  if (groups.length > 0) {
    const linkOf: LinkOfPoint = ({ key }) => {
      const change = drillChange(facet, key, state.filters);
      return change && linkTo(go, withFilters(state, change));
    };
    const notes = [note, hides && HIDES, meta.truncated && cut].filter((one) => typeof one === 'string');
    return (
      <ChartFrame
        title={title}
        heads={[head, measure.label]}
        points={chartPoints(asked, groups as AnalyticsGroup[], hides)}
        {...{ linkOf, interval, notes }}
      />
    );
  }
  return (
    <section class="card chart">
      <h2>{title}</h2>
      <Empty>{hides ? 'Too few projects to show any group: each needs 5.' : 'Nothing matches the filters.'}</Empty>
    </section>
  );
}

export function Charts() {
  const { state, go } = usePage();
  const measure = measureOf(state.metric);
  const charts = chartFacets(state.filters).map((facet): AskedChart => ({ facet, measure, filters: state.filters }));
  const queries = charts.map(requestOf);
  const { answer, problem, loading, again } = useAnswer(
    async (signal) => ({ charts, results: await aggregateAll(queries, signal) }),
    [JSON.stringify(queries)],
  );
  // While another measure is loading, the answer of the one before has no values for it.
  const isCurrent = answer !== null && JSON.stringify(answer.charts) === JSON.stringify(charts);
  const statistics = measure.metric ? 'A figure rests on the projects that state it, and on at least 5. ' : '';
  return (
    <div class="sheet">
      <h1>Charts</h1>
      <p class="lead">
        What matches the filters. {windowNote(state.filters)}
        {statistics}Choose a bar to see only its projects. Free of charge.
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
          {answer.charts.map((asked, i) => {
            const result = answer.results[i];
            return result && <Chart key={asked.facet.title} asked={asked} answer={result} />;
          })}
        </div>
      )}
    </div>
  );
}
