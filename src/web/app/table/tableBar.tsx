/** What is above the table: how many projects there are, the open view, and what can be chosen beside the table. */
import { StateLink } from '../shared/links.tsx';
import { usePage } from '../shared/page.ts';
import { isUnchanged } from '../shared/savedView.ts';
import { number } from '../shared/words.ts';
import type { TableRows } from './tableRows.tsx';

/** What is beside the table. */
export type SidePanel = 'columns' | 'views';

interface TableBarProps {
  rows: TableRows;
  panel: SidePanel | null;
  onPanel: (panel: SidePanel) => void;
}

export function TableBar({ rows: { matchCount, count, pages, list, areOfList }, panel, onPanel }: TableBarProps) {
  const { state } = usePage();
  return (
    <div class="table-bar">
      <p class="total">
        {matchCount === null && pages.offer !== null ? (
          <button type="button" onClick={count}>
            Count the projects
          </button>
        ) : (
          <>
            <strong>{matchCount === null ? '…' : number(matchCount)}</strong> {matchCount === 1 ? 'project' : 'projects'}
          </>
        )}
        {list && (
          <span class="note">
            {' '}
            of “{list.name}”{!isUnchanged(list, state) && ', changed'}
          </span>
        )}
      </p>
      <button type="button" aria-expanded={panel === 'views'} onClick={() => onPanel('views')}>
        Views
      </button>
      <button type="button" aria-expanded={panel === 'columns'} onClick={() => onPanel('columns')}>
        Columns
      </button>
      {areOfList ? (
        <StateLink to={{ open: null }}>Close the list</StateLink>
      ) : (
        <StateLink to={{ tab: 'alerts', project: null, open: null }}>Alert on these filters</StateLink>
      )}
    </div>
  );
}
