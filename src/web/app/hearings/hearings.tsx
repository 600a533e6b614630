/** The tab of hearings: which body meets in the next 30 days, how many selected projects are on the agenda, and whether the body still reports. */
import { useState } from 'preact/hooks';
import { ask, type DataOf, type FailedRequest, saveFile, send } from '../api.ts';
import { settings } from '../settings.ts';
import { type PageState, queryOf, toAddress, withFilters } from '../state.ts';
import type { TabProps } from '../tabs.tsx';
import { Action, Empty, Loading, Notice, Table, useAnswer } from '../ui.tsx';
import { countInWords, date as dayText, number } from '../words.ts';

type Hearing = DataOf<'listHearings'>[number];
type Body = DataOf<'getCoverage'>['groups'][number];

/** Filters of places and bodies. */
const BODY_FILTERS = ['states', 'counties', 'cities', 'decisionBodies'] as const;

/** Reads hearings with the freshness of their bodies; without it if that cannot be read. */
async function readHearings(filters: PageState['filters'], signal: AbortSignal) {
  const where = Object.fromEntries(BODY_FILTERS.flatMap((name) => (filters[name] ? [[name, filters[name]]] : [])));
  const [hearings, coverage] = await Promise.all([
    ask(`/hearings${queryOf(filters)}`, { signal }),
    ask(`/coverage${queryOf({ by: 'body', ...where })}`, { signal }).catch(() => null),
  ]);
  const bodies = (coverage?.data.groups ?? []) as Body[];
  return {
    hearings: hearings.data as Hearing[],
    truncated: hearings.meta.truncated as boolean,
    suppressed: hearings.meta.suppressed as boolean,
    bodies: new Map(bodies.map((body) => [body.bodyKey, body])),
  };
}

const keyOf = ({ place: { stateId, countyId, cityId }, body }: Hearing) => `${stateId}.${countyId ?? 0}.${cityId ?? 0}.${body ?? ''}`;

function describeSource(body: Body | undefined): string {
  if (!body?.lastMeetingDate) return '';
  if (body.staleSince) return `silent since ${dayText(body.staleSince)}`;
  return `read to ${dayText(body.lastMeetingDate)}`;
}

async function saveCalendar(filters: PageState['filters']): Promise<void> {
  const response = await send(`${settings.apiRoot}/hearings.ics${queryOf(filters)}`);
  saveFile(await response.blob(), 'hearings.ics');
}

/** The projects that are on at a hearing, as a table: by their ids, or, where not all are named, those of its place that state its day as their next. */
function selectHearing(state: PageState, { date, place: { stateId, countyId, cityId }, projectCount, projectIds }: Hearing): PageState {
  if (projectIds.length === projectCount)
    return { ...state, filters: { projectIds: projectIds.join() }, view: null, project: null, tab: 'table' };
  const [name, id] = cityId ? ['cities', cityId] : countyId ? ['counties', countyId] : ['states', stateId];
  const place = { states: null, counties: null, cities: null, [name as string]: String(id) };
  return { ...withFilters(state, { ...place, nextMeetingDateFrom: date, nextMeetingDateTo: date }), tab: 'table' };
}

export function Hearings({ state, go }: TabProps) {
  const [failed, setFailed] = useState<FailedRequest | null>(null);
  const { answer, problem, again } = useAnswer((signal) => readHearings(state.filters, signal), [JSON.stringify(state.filters)]);
  const rows = (answer?.hearings ?? []).map((hearing) => {
    const next = selectHearing(state, hearing);
    const follow = (event: MouseEvent) => {
      if (event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      go(next);
    };
    return [
      dayText(hearing.date),
      hearing.bodyLabel ?? 'Meeting',
      hearing.place.label,
      <a href={toAddress(next)} onClick={follow} key="projects">
        {number(hearing.projectCount)}
      </a>,
      describeSource(answer?.bodies.get(keyOf(hearing))),
    ];
  });
  return (
    <div class="sheet">
      <h1>Hearings</h1>
      <p class="lead">
        Which body meets when in the next 30 days, and how many projects that match the filters are on, whenever they were heard before.
        Free of charge.
      </p>
      {(problem ?? failed) && <Notice problem={(problem ?? failed) as FailedRequest} again={again} />}
      {!answer && !problem && <Loading />}
      {answer?.suppressed && (
        <p>Fewer than five of these projects are not yours yet, or they are named by id: only hearings of your own are shown.</p>
      )}
      {answer && rows.length === 0 && <Empty>No hearing of a matching project is known for the next 30 days.</Empty>}
      {answer && rows.length > 0 && (
        <>
          <p>
            {countInWords(rows.length, 'hearing')}
            {answer.truncated ? ', the first of more: choose further filters. ' : '. '}
            <Action kind="small" onProblem={setFailed} work={() => saveCalendar(state.filters)}>
              Download as a calendar
            </Action>
          </p>
          <Table label="Hearings" heads={['Date', 'Body', 'Place', 'Projects', 'Source']} numbers={[3]} rows={rows} />
        </>
      )}
    </div>
  );
}
