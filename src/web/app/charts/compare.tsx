/** The tab that compares places under the same filters. */
import type { AggregateProjectsResult, Query } from '../../../clients/client/generated.ts';
import { aggregateAll } from '../shared/aggregates.ts';
import { type AnalyticsGroup, type ChartPoint, HIDDEN } from '../shared/facets.ts';
import { csvOf, saveText } from '../shared/files.ts';
import { useAnswer } from '../shared/hooks.ts';
import { linkTo } from '../shared/links.tsx';
import { type KnownState, usePage } from '../shared/page.ts';
import { namePlaces } from '../shared/placeNames.ts';
import { toFilters } from '../shared/state.ts';
import { Empty, Loading, Notice, ProblemNotice, Problems, SmallAction, Table } from '../shared/ui.tsx';
import { windowNote } from '../shared/words.ts';
import { ChartFrame } from './chartFrame.tsx';
import {
  COMPARED_METRICS,
  type ComparedCell,
  type ComparedRow,
  comparedRows,
  comparedStatuses,
  type PlaceFigures,
  placeFilter,
  withoutPlaces,
} from './comparison.ts';
import type { LinkOfPoint } from './drawing.tsx';
import { ChosenPlaces, PlaceAdder } from './placeAdder.tsx';

const NOT_STATED = 'Not stated';

/** Names of places such as `Boulder County, CO`, by `counties:8013`. */
async function readNames(places: readonly string[], states: readonly KnownState[]): Promise<Map<string, string>> {
  const idsOf = (kind: string) => places.flatMap((place) => (place.startsWith(`${kind}:`) ? place.slice(kind.length + 1) : []));
  const named = await namePlaces({ counties: idsOf('counties'), cities: idsOf('cities') });
  for (const { id, name } of states) named.set(`states ${id}`, name);
  return new Map(places.map((place) => [place, named.get(place.replace(':', ' ')) ?? place]));
}

function figuresOf(place: string, { groups, totals, meta }: AggregateProjectsResult): Omit<PlaceFigures, 'name'> {
  const statuses = (groups as AnalyticsGroup[]).map(
    ({ keys, labels, count }) => [labels.status || NOT_STATED, { token: (keys.status as string) ?? null, count }] as const,
  );
  return { place, totals: totals as PlaceFigures['totals'], statuses: new Map(statuses), hides: meta.suppressedGroups };
}

async function readFigures(places: readonly string[], filters: Record<string, string>, signal: AbortSignal) {
  const queryFor = (texts: Record<string, string>, groupBy: Query['groupBy']): Query => ({
    filters: toFilters(texts),
    groupBy,
    metrics: COMPARED_METRICS,
  });
  const ofPlaces = places.map((place) => queryFor({ ...filters, ...placeFilter(place) }, ['status']));
  const queries = [queryFor(filters, []), ...ofPlaces];
  const [all, ...each] = await aggregateAll(queries, signal);
  return {
    all: (all?.totals ?? null) as PlaceFigures['totals'],
    each: places.flatMap((place, i) => (each[i] ? [figuresOf(place, each[i])] : [])),
  };
}

const Cell = ({ cell: { value, share, difference } }: { cell: ComparedCell }) => (
  <>
    {value}
    {share && <span class="note"> · {share}</span>}
    {difference && <span class="note difference">{difference}</span>}
  </>
);

const csvRows = (rows: readonly ComparedRow[], names: readonly string[]): string[][] => [
  ['Figure', ...names.flatMap((name, i) => [name, `${name}: share`, ...(i ? [`${name}: difference to ${names[0]}`] : [])])],
  ...rows.map(({ label, cells }) => [
    label,
    ...cells.flatMap(({ value, share, difference }, i) => [
      value.replaceAll(',', ''),
      share,
      ...(i ? [difference.replaceAll(',', '')] : []),
    ]),
  ]),
];

function Statuses({ figures, statuses, most }: { figures: PlaceFigures; statuses: string[]; most: number }) {
  const { state, go } = usePage();
  const title = `${figures.name}: projects by status`;
  if (!figures.statuses.size)
    return (
      <section class="card chart">
        <h2>{title}</h2>
        <Empty>No status has 5 projects or more here.</Empty>
      </section>
    );
  const points = statuses.map((label): ChartPoint => {
    const known = figures.statuses.get(label);
    if (known) return { key: known.token, label, value: known.count, isHidden: false };
    return figures.hides
      ? { key: null, label, value: null, words: HIDDEN, isHidden: true }
      : { key: null, label, value: 0, isHidden: false };
  });
  const linkOf: LinkOfPoint = ({ key }) => {
    if (key === null) return null;
    const filters = { ...withoutPlaces(state.filters), ...placeFilter(figures.place), status: String(key) };
    return linkTo(go, { ...state, tab: 'charts', filters, view: null });
  };
  return <ChartFrame title={title} heads={['Status', 'Projects']} points={points} most={most} linkOf={linkOf} />;
}

function Figures({ all, each }: { all: PlaceFigures['totals']; each: PlaceFigures[] }) {
  const statuses = comparedStatuses(each);
  const rows = comparedRows(each, all);
  const names = each.map(({ name }) => name);
  const most = Math.max(1, ...each.flatMap((figures) => [...figures.statuses.values()].map(({ count }) => count)));
  const save = async () => saveText(csvOf(csvRows(rows, names)), 'text/csv', 'comparison.csv');
  return (
    <>
      <div class="compared-figures">
        <Table
          label="Figures of the places"
          heads={['Figure', ...names]}
          numbers={names.map((_, i) => i + 1)}
          rows={rows.map(({ label, cells }) => [label, ...cells.map((cell) => <Cell key={label} cell={cell} />)])}
        />
      </div>
      <p class="note">
        Differences are to {names[0]}. “Of all” is the share of everything that matches the other filters in your licence. Units and acres
        rest on the projects that state them.
      </p>
      <Problems>
        <p class="chart-files">
          <SmallAction work={save}>Figures as CSV</SmallAction>
        </p>
        <ProblemNotice />
      </Problems>
      <div class="grid">
        {each.map((figures) => (
          <Statuses key={figures.place} {...{ figures, statuses, most }} />
        ))}
      </div>
    </>
  );
}

export function Compare() {
  const { state, go, words } = usePage();
  const { places } = state;
  const states = words?.states ?? [];
  const filters = withoutPlaces(state.filters);
  const isReady = places.length > 1;
  const { answer, problem, loading, again } = useAnswer(
    async (signal) => (isReady ? readFigures(places, filters, signal) : null),
    [places.join(','), JSON.stringify(filters)],
  );
  const known = useAnswer(() => readNames(places, states), [places.join(','), states.length]);
  const names = known.answer ?? new Map<string, string>();
  const change = (next: string[]) => go({ ...state, places: next });
  return (
    <div class="sheet">
      <h1>Compare places</h1>
      <p class="lead">
        The other filters apply to all of them. {windowNote(filters)}Free of charge; a figure that would rest on fewer than 5 projects is
        not shown.
      </p>
      <PlaceAdder onAdd={(place) => change([...places.filter((one) => one !== place), place])} />
      {places.length > 0 && <ChosenPlaces places={places} names={names} onChange={change} />}
      {problem && <Notice problem={problem} again={again} />}
      {isReady && loading && !answer && <Loading />}
      {!isReady && <Empty>Choose two places or more to see them side by side.</Empty>}
      {isReady && answer && !problem && (
        <Figures all={answer.all} each={answer.each.map((figures) => ({ ...figures, name: names.get(figures.place) ?? figures.place }))} />
      )}
    </div>
  );
}
