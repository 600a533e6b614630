/** The tab of hearings: which body meets in the next 30 days, how many selected projects are on the agenda, and whether the body still reports. */
import { useState } from 'preact/hooks';
import type { GetCoverageGroup, ListHearingsData } from '../../../clients/client/generated.ts';
import type { FieldAccuracy } from '../../../core/domain/accuracy.ts';
import { download } from '../shared/api.ts';
import { useCall } from '../shared/hooks.ts';
import { StateLink } from '../shared/links.tsx';
import { usePage } from '../shared/page.ts';
import { type FilterChange, type PageState, toFilters, withFilters } from '../shared/state.ts';
import { showToast } from '../shared/toasts.tsx';
import { Empty, Notice, Pending, ProblemNotice, Problems, SmallAction, SmallButton, Table } from '../shared/ui.tsx';
import { countInWords, date as dayText, number } from '../shared/words.ts';
import { Subscription } from './subscription.tsx';

const BODY_FILTERS = ['states', 'counties', 'cities', 'decisionBodies'] as const;

const keyOf = ({ place: { stateId, countyId, cityId }, body }: ListHearingsData) =>
  `${stateId}.${countyId ?? 0}.${cityId ?? 0}.${body ?? ''}`;

function describeSource(body: GetCoverageGroup | undefined): string {
  if (!body?.lastMeetingDate) return '';
  const read = body.staleSince ? `silent since ${dayText(body.staleSince)}` : `read to ${dayText(body.lastMeetingDate)}`;
  const { checked, fields } = body.accuracy ?? { checked: 0, fields: {} };
  const right = Object.values(fields as Record<string, FieldAccuracy>).reduce((sum, one) => sum + one.right, 0);
  return checked ? `${read}; ${number(right)} of ${countInWords(checked, 'checked value')} right` : read;
}

function selectPlace({ place: { stateId, countyId, cityId } }: ListHearingsData): FilterChange {
  const [name, id] = cityId ? ['cities', cityId] : countyId ? ['counties', countyId] : ['states', stateId];
  return { states: null, counties: null, cities: null, [name as string]: String(id) };
}

/** The projects that are on at a hearing, as a table: by their ids, or, where not all are named, those of its place that state its day as their next. */
function selectHearing(state: PageState, hearing: ListHearingsData): PageState {
  const { date, projectCount, projectIds } = hearing;
  if (projectIds.length === projectCount)
    return { ...state, filters: { projectIds: projectIds.join() }, view: null, project: null, tab: 'table' };
  return { ...withFilters(state, { ...selectPlace(hearing), nextMeetingDateFrom: date, nextMeetingDateTo: date }), tab: 'table' };
}

/** The body of a hearing, as a link to its hearings alone, for a calendar of them. */
function BodyLink({ hearing }: { hearing: ListHearingsData }) {
  const { state } = usePage();
  const { body, bodyLabel } = hearing;
  if (!body) return <>Meeting</>;
  return <StateLink to={withFilters(state, { ...selectPlace(hearing), decisionBodies: body })}>{bodyLabel ?? body}</StateLink>;
}

/** The projects of a hearing that are free or held, by name; the others are counted. */
function NamedProjects({ hearing: { projects, projectCount } }: { hearing: ListHearingsData }) {
  const others = projectCount - projects.length;
  return (
    <>
      {projects.map(({ id, projectName }, i) => (
        <span key={id}>
          {i > 0 && '; '}
          <StateLink to={{ tab: 'map', project: id }}>{projectName ?? `Project ${id}`}</StateLink>
        </span>
      ))}
      {others > 0 && ` ${projects.length ? 'and ' : ''}${number(others)} ${projects.length ? 'more' : 'not named'}`}
    </>
  );
}

export function Hearings() {
  const { state } = usePage();
  const filters = toFilters(state.filters);
  const asked = useCall('listHearings', filters);
  // Only where a reader wants to know: it is a request of its own.
  const [hasSources, setSources] = useState(false);
  const [isSubscribing, setSubscribing] = useState(false);
  const where = Object.fromEntries(BODY_FILTERS.flatMap((name) => (filters[name] ? [[name, filters[name]]] : [])));
  const bodies = useCall('getCoverage', hasSources ? { by: 'body', ...where } : null);
  const sources = bodies.answer && new Map(bodies.answer.data.groups.map((body) => [body.bodyKey, body]));
  const { data: hearings = [], meta } = asked.answer ?? {};
  const saveCalendar = async () => {
    await download('readHearingsCalendar', filters, 'hearings.ics');
    showToast('The calendar is downloaded. Open the file to take its hearings over as they are today; a subscription follows changes.');
  };
  const rows = hearings.map((hearing) => [
    dayText(hearing.date),
    <BodyLink key="body" hearing={hearing} />,
    hearing.place.label,
    <StateLink to={selectHearing(state, hearing)} key="projects">
      {number(hearing.projectCount)}
    </StateLink>,
    <NamedProjects key="names" hearing={hearing} />,
    ...(sources ? [describeSource(sources.get(keyOf(hearing)))] : []),
  ]);
  return (
    <Problems>
      <div class="sheet">
        <h1>Hearings</h1>
        <p class="lead">
          Which body meets when in the next 30 days, and how many projects that match the filters are on, whenever they were heard before.
          Free of charge. Choose a body to see its hearings alone.
        </p>
        <Pending asked={asked} />
        <ProblemNotice />
        {meta?.suppressed && (
          <p>Fewer than five of these projects are not yours yet, or they are named by id: only hearings of your own are shown.</p>
        )}
        {meta && rows.length === 0 && <Empty>No hearing of a matching project is known for the next 30 days.</Empty>}
        {meta && rows.length > 0 && (
          <>
            <p class="actions">
              <span>
                {countInWords(rows.length, 'hearing')}
                {meta.truncated ? ', the first of more: choose further filters. ' : '.'}
              </span>
              {!isSubscribing && <SmallButton onClick={() => setSubscribing(true)}>Subscribe in a calendar</SmallButton>}
              <SmallAction work={saveCalendar}>Download as a calendar</SmallAction>
              {!hasSources && <SmallButton onClick={() => setSources(true)}>Show how far and how well each body was read</SmallButton>}
            </p>
            {isSubscribing && <Subscription filters={filters} />}
            {bodies.problem && <Notice problem={bodies.problem} again={bodies.again} />}
            <Table
              label="Hearings"
              heads={['Date', 'Body', 'Place', 'Projects', 'Which', ...(sources ? ['Source'] : [])]}
              numbers={[3]}
              rows={rows}
            />
          </>
        )}
      </div>
    </Problems>
  );
}
