/** The tab of hearings: which body meets in the next 30 days, how many selected projects are on the agenda, and whether the body still reports. */
import { useState } from 'preact/hooks';
import { ask, type DataOf, type FailedRequest, saveFile, send } from '../shared/api.ts';
import { Link } from '../shared/link.tsx';
import { settings } from '../shared/settings.ts';
import { type PageState, queryOf, toAddress, withFilters } from '../shared/state.ts';
import type { TabProps } from '../shared/tabs.tsx';
import { Action, Empty, Loading, Notice, Table, useAnswer } from '../shared/ui.tsx';
import { countInWords, date as dayText, number } from '../shared/words.ts';

type Hearing = DataOf<'listHearings'>[number];
type Body = DataOf<'getCoverage'>['groups'][number];

/** Filters of places and bodies. */
const BODY_FILTERS = ['states', 'counties', 'cities', 'decisionBodies'] as const;

async function readHearings(filters: PageState['filters'], signal: AbortSignal) {
  const { data, meta } = await ask(`/hearings${queryOf(filters)}`, { signal });
  return { hearings: data as Hearing[], truncated: meta.truncated as boolean, suppressed: meta.suppressed as boolean };
}

/** Reads how far the minutes of each body were read. */
async function readBodies(filters: PageState['filters'], signal: AbortSignal): Promise<Map<unknown, Body>> {
  const where = Object.fromEntries(BODY_FILTERS.flatMap((name) => (filters[name] ? [[name, filters[name]]] : [])));
  const { data } = await ask(`/coverage${queryOf({ by: 'body', ...where })}`, { signal });
  return new Map((data.groups as Body[]).map((body) => [body.bodyKey, body]));
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
  // Only where a reader wants to know: it is a request of its own.
  const [hasSources, setSources] = useState(false);
  const bodies = useAnswer(
    async (signal) => (hasSources ? readBodies(state.filters, signal) : null),
    [JSON.stringify(state.filters), hasSources],
  );
  const rows = (answer?.hearings ?? []).map((hearing) => {
    const next = selectHearing(state, hearing);
    return [
      dayText(hearing.date),
      hearing.bodyLabel ?? 'Meeting',
      hearing.place.label,
      <Link href={toAddress(next)} follow={() => go(next)} key="projects">
        {number(hearing.projectCount)}
      </Link>,
      ...(bodies.answer ? [describeSource(bodies.answer.get(keyOf(hearing)))] : []),
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
            </Action>{' '}
            {!hasSources && (
              <button type="button" class="small" onClick={() => setSources(true)}>
                Show how far each body was read
              </button>
            )}
          </p>
          {bodies.problem && <Notice problem={bodies.problem} again={bodies.again} />}
          <Table
            label="Hearings"
            heads={['Date', 'Body', 'Place', 'Projects', ...(bodies.answer ? ['Source'] : [])]}
            numbers={[3]}
            rows={rows}
          />
        </>
      )}
    </div>
  );
}
