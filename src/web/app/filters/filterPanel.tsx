/** All filters, by subject, in a drawer beside the results. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { FilterField } from './fields.tsx';
import { fieldsOf } from './filterRows.ts';
import type { FilterUse } from './useFilters.ts';

interface PanelProps {
  use: FilterUse;
  onClear: () => void;
  onClose: () => void;
}

export function FilterPanel({ use, onClear, onClose }: PanelProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const subjects = Map.groupBy(fieldsOf(use.catalogue), ({ subject }) => subject);
  return (
    <dialog ref={dialog} class="filter-panel" aria-label="All filters" onClose={onClose}>
      <header>
        <h2>All filters</h2>
        <button type="button" disabled={Object.keys(use.filters).length === 0} onClick={onClear}>
          Clear every filter
        </button>
        <button type="button" class="primary" onClick={() => dialog.current?.close()}>
          Done
        </button>
      </header>
      <form class="subjects" onSubmit={(event) => event.preventDefault()}>
        {[...subjects].map(([subject, fields]) => (
          <section key={subject} aria-label={subject}>
            <h3>{subject}</h3>
            {fields.map((field) => (
              <FilterField key={field.key} field={field} use={use} />
            ))}
          </section>
        ))}
      </form>
    </dialog>
  );
}
