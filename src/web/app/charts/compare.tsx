/** The tab that compares places under the same filters. */
import { useState } from 'preact/hooks';
import { ask, askCached, type FailedRequest } from '../api.ts';
import { type PageState, toAddress } from '../state.ts';
import type { TabProps } from '../tabs.tsx';
import { Action, Empty, Loading, Notice, Table, useAnswer } from '../ui.tsx';
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
import { type AnalyticsGroup, type ChartPoint, HIDDEN, windowNote } from './facets.ts';
import { csvOf, saveText } from './files.ts';
import { ChosenPlaces, PlaceAdder } from './placeAdder.tsx';

const NOT_STATED = 'Not stated';

/** `Colorado`, `Boulder County, CO`. */
async function nameOf(place: string, signal: AbortSignal): Promise<string> {
  const [kind, id] = place.split(':');
  const { name, state } = (await askCached(`/locations/${kind}/${id}`, { signal })).data;
  return state ? `${name}, ${state}` : name;
}

const aggregate = (filters: Record<string, string>, groupBy: string[], signal: AbortSignal) =>
  ask('/analytics/aggregate', { method: 'POST', body: { filters, groupBy, metrics: COMPARED_METRICS }, signal });

async function figuresOf(place: string, filters: Record<string, string>, signal: AbortSignal): Promise<PlaceFigures> {
  const [{ data, meta }, name] = await Promise.all([
    aggregate({ ...filters, ...placeFilter(place) }, ['status'], signal),
    nameOf(place, signal),
  ]);
  const statuses = data.groups.map(({ keys, labels, count }: AnalyticsGroup) => [
    labels.status || NOT_STATED,
    { token: keys.status ?? null, count },
  ]);
  return { place, name, totals: data.totals, statuses: new Map(statuses), hides: meta.suppressedGroups };
}

/** Figures of each place, and of all places. */
async function readFigures(places: readonly string[], filters: Record<string, string>, signal: AbortSignal) {
  const [all, ...each] = await Promise.all([
    aggregate(filters, [], signal),
    ...places.map((place) => figuresOf(place, filters, signal)),
  ] as const);
  return { all: all.data.totals as PlaceFigures['totals'], each };
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

function Statuses({ figures, statuses, most, state, go }: { figures: PlaceFigures; statuses: string[]; most: number } & ChartLinks) {
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
    const next: PageState = { ...state, tab: 'charts', filters, view: null };
    return { href: toAddress(next), follow: () => go(next) };
  };
  return <ChartFrame title={title} heads={['Status', 'Projects']} points={points} most={most} linkOf={linkOf} />;
}

type ChartLinks = Pick<TabProps, 'state' | 'go'>;

function Figures({ all, each, state, go }: { all: PlaceFigures['totals']; each: PlaceFigures[] } & ChartLinks) {
  const [problem, setProblem] = useState<FailedRequest | null>(null);
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
      <p class="chart-files">
        <Action kind="small" work={save} onProblem={setProblem}>
          Figures as CSV
        </Action>
      </p>
      {problem && <Notice problem={problem} />}
      <div class="grid">
        {each.map((figures) => (
          <Statuses key={figures.place} {...{ figures, statuses, most, state, go }} />
        ))}
      </div>
    </>
  );
}

export function Compare({ state, go }: TabProps) {
  const { places } = state;
  const filters = withoutPlaces(state.filters);
  const isReady = places.length > 1;
  const { answer, problem, loading, again } = useAnswer(
    async (signal) => (isReady ? readFigures(places, filters, signal) : null),
    [places.join(','), JSON.stringify(filters)],
  );
  const known = useAnswer(
    async (signal) => new Map(await Promise.all(places.map(async (place) => [place, await nameOf(place, signal)] as const))),
    [places.join(',')],
  );
  const change = (next: string[]) => go({ ...state, places: next });
  return (
    <div class="sheet">
      <h1>Compare places</h1>
      <p class="lead">
        The other filters apply to all of them. {windowNote(filters)}Free of charge; a figure that would rest on fewer than 5 projects is
        not shown.
      </p>
      <PlaceAdder onAdd={(place) => change([...places.filter((one) => one !== place), place])} />
      {places.length > 0 && <ChosenPlaces places={places} names={known.answer ?? new Map()} onChange={change} />}
      {problem && <Notice problem={problem} again={again} />}
      {isReady && loading && !answer && <Loading />}
      {!isReady && <Empty>Choose two places or more to see them side by side.</Empty>}
      {isReady && answer && !problem && <Figures {...answer} state={state} go={go} />}
    </div>
  );
}
