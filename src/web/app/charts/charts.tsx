/** The tab of charts: the selection by month, use, status and place, measured as the reader chooses. */
import { ask } from '../api.ts';
import { type PageState, toAddress, withFilters } from '../state.ts';
import type { TabProps } from '../tabs.tsx';
import { Empty, Loading, Notice, useAnswer } from '../ui.tsx';
import { ChartFrame } from './chartFrame.tsx';
import type { LinkOfPoint } from './drawing.tsx';
import { type ChartFacet, chartFacets, chartPoints, drillChange, requestOf, windowNote } from './facets.ts';
import { type ChartMeasure, MEASURES, measureOf } from './measures.ts';

const HIDES = 'Groups of fewer than 5 projects are not shown, nor those that would give them away.';

interface ChartProps {
  facet: ChartFacet;
  measure: ChartMeasure;
  state: PageState;
  go: TabProps['go'];
}

function Chart({ facet, measure, state, go }: ChartProps) {
  const { dimension, interval, title: of, head, note, cut } = facet;
  const asked = { facet, measure, filters: state.filters };
  const body = requestOf(asked);
  const { answer, problem, again } = useAnswer(
    async (signal) => ({ ...(await ask('/analytics/aggregate', { method: 'POST', body, signal })), asked }),
    [JSON.stringify(body)],
  );
  const title = `${measure.label} by ${of}`;
  const hides = answer?.meta.suppressedGroups;
  // While another measure is loading, the answer of the one before has no values for it.
  const isCurrent =
    answer?.asked.measure === measure && answer.asked.facet.dimension === dimension && answer.asked.facet.interval === interval;
  const groups = isCurrent ? answer.data.groups : [];
  if (isCurrent && groups.length > 0 && !problem) {
    const linkOf: LinkOfPoint = ({ key }) => {
      const change = drillChange(facet, key, state.filters);
      if (!change) return null;
      const next = withFilters(state, change);
      return { href: toAddress(next), follow: () => go(next) };
    };
    const notes = [note, hides && HIDES, answer.meta.truncated && cut].filter((one) => typeof one === 'string');
    return (
      <ChartFrame
        title={title}
        heads={[head, measure.label]}
        points={chartPoints(answer.asked, groups, hides)}
        {...{ linkOf, interval, notes }}
      />
    );
  }
  return (
    <section class="card chart">
      <h2>{title}</h2>
      {problem && <Notice problem={problem} again={again} />}
      {!isCurrent && !problem && <Loading />}
      {isCurrent && !problem && (
        <Empty>{hides ? 'Too few projects to show any group: each needs 5.' : 'Nothing matches the filters.'}</Empty>
      )}
    </section>
  );
}

function MeasureChoice({ measure, onChange }: { measure: ChartMeasure; onChange: (name: string) => void }) {
  return (
    <div class="field chart-measure">
      <label for="measure">Show</label>
      <select id="measure" value={measure.name} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {MEASURES.map(({ name, label }) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}

export function Charts({ state, go }: TabProps) {
  const measure = measureOf(state.metric);
  const statistics = measure.metric ? 'A figure rests on the projects that state it, and on at least 5. ' : '';
  return (
    <div class="sheet">
      <h1>Charts</h1>
      <p class="lead">
        What matches the filters. {windowNote(state.filters)}
        {statistics}Choose a bar to see only its projects. Free of charge.
      </p>
      <MeasureChoice measure={measure} onChange={(name) => go({ ...state, metric: name === 'count' ? null : name })} />
      <div class="grid">
        {chartFacets(state.filters).map((facet) => (
          <Chart key={facet.title} {...{ facet, measure, state, go }} />
        ))}
      </div>
    </div>
  );
}
