/** The contents of the map as a list, from which projects and clusters can be opened. */
import type { VNode } from 'preact';
import type { MapProjectsData, Project } from '../../../clients/client/generated.ts';
import type { Theme } from '../shared/theme.ts';
import { Badge, Button } from '../shared/ui.tsx';
import { countInWords, date, joinParts, placeOfCell } from '../shared/words.ts';
import type { MapCluster } from './clusters.ts';
import { colourOf } from './palette.ts';

const placeOf = ({ city, county, state }: Project) => [city ?? county, state].filter(Boolean).join(', ');

const ProjectItem = ({ project, theme, isOpen, onOpen }: { project: Project; theme: Theme; isOpen: boolean; onOpen: () => void }) => (
  <li>
    <Button kind="item" aria-current={isOpen ? 'true' : undefined} onClick={onOpen}>
      <svg class="dot" viewBox="0 0 10 10" aria-hidden="true">
        <circle cx="5" cy="5" r="4.5" fill={colourOf(project.propertyType, theme)} />
      </svg>
      <span class="what">
        <strong>{project.projectName ?? `Project ${project.id}`}</strong>
        <span class="note">{joinParts(project.propertyTypeLabel, placeOf(project), date(project.meetingDate))}</span>
        <span>
          <Badge token={project.status} label={project.statusLabel} />
        </span>
      </span>
    </Button>
  </li>
);

const CellItem = ({ cell, onEnter }: { cell: MapCluster; onEnter: () => void }) => (
  <li>
    <Button kind="item middle" onClick={onEnter}>
      <span class="many">{countInWords(cell.count, 'project')}</span>
      <span class="what note">{placeOfCell(cell)}</span>
      <span aria-hidden="true">→</span>
    </Button>
  </li>
);

const CELLS_LISTED = 60;

/** What the map shows, its tiles as clusters. */
interface ShownAnswer extends Omit<MapProjectsData, 'cells'> {
  cells: readonly MapCluster[];
}

/** A summary for screen readers. */
export function spoken(answer: ShownAnswer | null | undefined): string {
  if (!answer) return '';
  const { matchCount, inView, cells, projects } = answer;
  if (!matchCount) return 'No project matches.';
  const how = cells.length ? `in ${countInWords(cells.length, 'cluster')}` : 'each by itself';
  const pool = projects.length && cells.length ? ` and ${countInWords(projects.length, 'project')} of your pool` : '';
  return `${countInWords(matchCount, 'project')} ${matchCount === 1 ? 'matches' : 'match'}. In view: ${countInWords(inView, 'project')}, ${how}${pool}.`;
}

interface ResultsProps {
  answer: ShownAnswer;
  theme: Theme;
  open: number | null;
  onOpen: (id: number) => void;
  onEnter: (cell: MapCluster) => void;
  onShowAll: () => void;
  /** whether the view was chosen without a few that lie far away */
  areSomeFar: boolean;
  /** shown where nothing matches */
  nothing: VNode;
}

export function Results({ answer, theme, open, onOpen, onEnter, onShowAll, areSomeFar, nothing }: ResultsProps) {
  const { matchCount, inView, unlocated, cells, projects } = answer;
  if (!matchCount) return nothing;
  const elsewhere = matchCount - unlocated - inView;
  return (
    <>
      {(inView === 0 || areSomeFar) && elsewhere > 0 && (
        <div class="notice calm">
          <p>
            {inView === 0
              ? 'None of them lies in this view.'
              : `${countInWords(elsewhere, 'project')} far from these ${elsewhere === 1 ? 'is' : 'are'} not in view.`}
          </p>
          <p class="actions">
            <Button onClick={onShowAll}>Show all of them</Button>
          </p>
        </div>
      )}
      <ul class="items">
        {projects.map((project) => (
          <ProjectItem key={project.id} project={project} theme={theme} isOpen={project.id === open} onOpen={() => onOpen(project.id)} />
        ))}
        {cells.slice(0, CELLS_LISTED).map((cell) => (
          <CellItem key={cell.tile} cell={cell} onEnter={() => onEnter(cell)} />
        ))}
      </ul>
      {cells.length > CELLS_LISTED && (
        <p class="note">And {countInWords(cells.length - CELLS_LISTED, 'smaller cluster')}: zoom in for them.</p>
      )}
      {unlocated > 0 && (
        <p class="note">
          {countInWords(unlocated, 'match', 'matches')} {unlocated === 1 ? 'states' : 'state'} no location and{' '}
          {unlocated === 1 ? 'is' : 'are'} on no map; searches and exports have them.
        </p>
      )}
    </>
  );
}
