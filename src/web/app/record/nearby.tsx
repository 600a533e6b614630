/** Other projects near a record: named where they are free or held, counted otherwise. Asked for once the part is opened, free. */
import { useState } from 'preact/hooks';
import { metersBetween } from '../../../core/domain/distance.ts';
import type { ReadRecord } from '../shared/facts.ts';
import { useCall } from '../shared/hooks.ts';
import { StateLink } from '../shared/links.tsx';
import { circleShape, filtersOfShapes, wordsOfLength } from '../shared/shapes.ts';
import { Badge, Pending } from '../shared/ui.tsx';
import { countInWords, date, joinParts } from '../shared/words.ts';

const RADIUS_METERS = 2_000;
const LISTED_MAX = 10;

type Place = { latitude: number; longitude: number };

function NearbyList({ id, place }: { id: number; place: Place }) {
  const area = circleShape({ lat: place.latitude, lng: place.longitude, radiusMeters: RADIUS_METERS });
  const asked = useCall('mapProjects', { circle: JSON.parse(area.text), dateRange: 'all' });
  const { matchCount = 0, projects = [] } = asked.answer?.data ?? {};
  const near = projects
    .filter((project) => project.id !== id)
    .flatMap((project) => {
      const { latitude, longitude } = project;
      return latitude === null || longitude === null ? [] : [{ project, meters: metersBetween(place, { latitude, longitude }) }];
    })
    .sort((a, b) => a.meters - b.meters)
    .slice(0, LISTED_MAX);
  const others = matchCount - 1 - near.length;
  const filters = { dateRange: 'all', ...filtersOfShapes([{ ...area, name: `${wordsOfLength(RADIUS_METERS)} around project ${id}` }]) };
  const kept = Object.fromEntries(Object.entries(filters).flatMap(([name, text]) => (text ? [[name, text]] : [])));
  return (
    <>
      <Pending asked={asked} what="Looking around" />
      {asked.answer && matchCount <= 1 && <p class="note">None within {wordsOfLength(RADIUS_METERS)}.</p>}
      <ul class="nearby">
        {near.map(({ project, meters }) => (
          <li key={project.id}>
            <StateLink to={{ project: project.id }}>{project.projectName ?? `Project ${project.id}`}</StateLink>{' '}
            <Badge token={project.status} label={project.statusLabel} />
            <span class="note">{joinParts(wordsOfLength(meters), project.propertyTypeLabel, date(project.meetingDate))}</span>
          </li>
        ))}
      </ul>
      {others > 0 && (
        <p>
          {near.length ? `And ${countInWords(others, 'other')}` : countInWords(others, 'project')} within {wordsOfLength(RADIUS_METERS)}:{' '}
          <StateLink to={{ tab: 'map', filters: kept, project: null, view: null }}>show on the map</StateLink>
        </p>
      )}
    </>
  );
}

/** Nothing where a record has no certain place. */
export function Nearby({ record: { id, latitude, longitude, derived } }: { record: ReadRecord }) {
  const [isOpen, setOpen] = useState(false);
  if (latitude === null || longitude === null || derived.locationDoubtful) return null;
  return (
    <details class="part nearby-part" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Nearby projects</summary>
      {isOpen && <NearbyList id={id} place={{ latitude, longitude }} />}
    </details>
  );
}
