// The contents of the map as a list, from which projects and clusters can be opened.
import { html } from './html.js';
import { colourOf } from './map/palette.ts';
import { Badge, Empty } from './ui.tsx';
import { counted, date, joined, placeOfCell } from './words.ts';

/** @param {{project: any, theme: 'light' | 'dark', isOpen: boolean, onOpen: () => void}} given */
const ProjectItem = ({
  project,
  theme,
  isOpen,
  onOpen,
}) => html`<li><button type="button" class="item" aria-current=${isOpen ? 'true' : undefined} onClick=${onOpen}>
  <svg class="dot" viewBox="0 0 10 10" aria-hidden="true"><circle cx="5" cy="5" r="4.5" fill=${colourOf(project.propertyType, theme)} /></svg>
  <span class="what"><strong>${project.projectName ?? `Project ${project.id}`}</strong>
    <span class="note">${joined(project.propertyTypeLabel, joined(project.city ?? project.county, project.state).replace(' · ', ', '), date(project.meetingDate))}</span>
    <span><${Badge} token=${project.status} label=${project.statusLabel} /></span></span>
</button></li>`;

/** @param {{cell: any, onEnter: () => void}} given */
const CellItem = ({ cell, onEnter }) => html`<li><button type="button" class="item middle" onClick=${onEnter}>
  <span class="many">${counted(cell.count, 'project')}</span><span class="what note">${placeOfCell(cell)}</span>
  <span aria-hidden="true">→</span></button></li>`;

const CELLS_LISTED = 60;

/** @param {any} answer @returns {string} a summary for screen readers */
export function spoken(answer) {
  if (!answer) return '';
  const { matchCount, inView, cells, projects } = answer;
  if (!matchCount) return 'No project matches.';
  return `${counted(matchCount, 'project')} ${matchCount === 1 ? 'matches' : 'match'}. In view: ${counted(inView, 'project')}, ${cells.length ? `in ${counted(cells.length, 'cluster')}` : 'each by itself'}${projects.length && cells.length ? ` and ${counted(projects.length, 'project')} of your pool` : ''}.`;
}

/**
 * @param {{answer: any, theme: 'light' | 'dark', open: number | null, onOpen: (id: number) => void, onEnter: (cell: any) => void, onShowAll: () => void}} given
 */
export function Results({ answer, theme, open, onOpen, onEnter, onShowAll }) {
  const { matchCount, inView, unlocated, cells, projects } = answer;
  if (!matchCount) return html`<${Empty}>No project matches these filters. Take one away, or choose <em>All dates</em> under Meetings.<//>`;
  return html`
    ${inView === 0 && matchCount > unlocated && html`<div class="notice calm"><p>None of them lies in this view.</p><p class="actions"><button type="button" onClick=${onShowAll}>Show all of them</button></p></div>`}
    <ul class="items">
      ${projects.map((/** @type {any} */ project) => html`<${ProjectItem} key=${project.id} project=${project} theme=${theme} isOpen=${project.id === open} onOpen=${() => onOpen(project.id)} />`)}
      ${cells.slice(0, CELLS_LISTED).map((/** @type {any} */ cell) => html`<${CellItem} key=${cell.tile} cell=${cell} onEnter=${() => onEnter(cell)} />`)}
    </ul>
    ${cells.length > CELLS_LISTED && html`<p class="note">And ${counted(cells.length - CELLS_LISTED, 'smaller cluster')}: zoom in for them.</p>`}
    ${unlocated > 0 && html`<p class="note">${counted(unlocated, 'match', 'matches')} ${unlocated === 1 ? 'states' : 'state'} no location and ${unlocated === 1 ? 'is' : 'are'} on no map; searches and exports have them.</p>`}`;
}
