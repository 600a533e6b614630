/** The tab with the table of records: the filters of the page, a row for each match, a column for each field that was chosen. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { NothingFound } from '../filters/nothingFound.tsx';
import { RecordPanel } from '../record/recordPanel.tsx';
import { useAnswer } from '../shared/hooks.ts';
import { StateLink } from '../shared/links.tsx';
import { usePage } from '../shared/page.ts';
import { isUnchanged } from '../shared/savedView.ts';
import { Button, Empty, Notice, Pending } from '../shared/ui.tsx';
import { number } from '../shared/words.ts';
import { ColumnChooser } from './columnChooser.tsx';
import { Grid } from './grid.tsx';
import { useGridModel } from './gridModel.ts';
import { Printed } from './printedTable.tsx';
import { chosenColumns, type RecordFields, readRecordFields, saveRecords } from './recordFields.ts';
import { SelectionBar } from './selection.tsx';
import { Foot } from './tableFoot.tsx';
import { KeysDialog, useTableKeys } from './tableKeys.tsx';
import { tableOrder } from './tableOrder.ts';
import { type TableRows, useTableRows } from './tableRows.tsx';
import { Views } from './views.tsx';

/** What is beside the table. */
type SidePanel = 'columns' | 'views';

interface TableBarProps {
  rows: TableRows;
  panel: SidePanel | null;
  onPanel: (panel: SidePanel) => void;
}

function TableBar({ rows: { matchCount, count, pages, list, areOfList }, panel, onPanel }: TableBarProps) {
  const { state } = usePage();
  return (
    <div class="table-bar">
      <p class="total">
        {matchCount === null && pages.offer !== null ? (
          <Button onClick={count}>Count the projects</Button>
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

export function TableTab() {
  const fields = useAnswer(readRecordFields, []);
  return (
    <>
      <h1 class="hidden">Table of land-use projects</h1>
      <Pending asked={fields} what="Reading the fields of the record" />
      {fields.answer && <Records known={fields.answer} />}
    </>
  );
}

function Records({ known }: { known: RecordFields }) {
  const { state, go, onSpent } = usePage();
  const { filters, project } = state;
  const [panel, setPanel] = useState<SidePanel | null>(null);
  const { columns, unknown, representation } = useMemo(() => chosenColumns(known, state.columns), [known, state.columns]);
  const rows = useTableRows(representation);
  const { pages, matchCount, areOfList, problem } = rows;
  const table = useGridModel(pages.records, columns);
  const order = tableOrder(known, state, (next) => go({ ...state, ...next }));
  const open = (id: number | null) => go({ ...state, project: id });
  const selected = table.getSelectedRowModel().rows.map((row) => row.original);
  useEffect(() => table.resetRowSelection(true), [JSON.stringify(filters), state.open]);
  useEffect(() => {
    if (panel || project) document.querySelector<HTMLElement>('.table-side h2')?.focus();
  }, [panel, project]);
  const [hasKeys, setHasKeys] = useState(false);
  const toRows = () => document.querySelector<HTMLElement>('.records')?.focus();
  useTableKeys({
    toRows,
    toSearch: () => document.getElementById('filter-search')?.focus(),
    showKeys: () => setHasKeys(true),
    close: () => {
      if (panel) setPanel(null);
      else if (project) open(null);
      else table.resetRowSelection(true);
      toRows();
    },
  });
  return (
    <div class={`table-tab ${panel || project ? 'with-panel' : ''}`}>
      <section class="table-main" aria-label="Table">
        <TableBar {...{ rows, panel }} onPanel={(next) => setPanel(panel === next ? null : next)} />
        {unknown.length > 0 && <p class="notice calm">The record has no field {unknown.join(', ')}. Choose columns under Columns.</p>}
        {areOfList && Object.keys(filters).length > 0 && (
          <p class="notice calm">Filters do not narrow a list of projects. Close the list to see what they match.</p>
        )}
        {problem && <Notice problem={problem} again={pages.problem ? pages.retry : rows.readListAgain} />}
        {!pages.hasMore && pages.records.length === 0 && (areOfList ? <Empty>The list has no projects.</Empty> : <NothingFound />)}
        <Grid {...{ table, columns, order, matchCount }} fields={known.fields} open={project} onOpen={open} onNearEnd={pages.readNext} />
        <SelectionBar
          ids={selected.map(({ id }) => id)}
          onReload={pages.again}
          onSave={() => saveRecords(selected, columns)}
          onClear={() => table.resetRowSelection(true)}
        />
        <Foot pages={pages} matchCount={matchCount} onKeys={() => setHasKeys(true)} />
        {hasKeys && <KeysDialog onClose={() => setHasKeys(false)} />}
        <Printed {...{ columns, matchCount }} records={pages.records} fields={known.fields} />
      </section>
      <aside class="table-side" aria-label="Beside the table">
        {panel === 'columns' && (
          <ColumnChooser
            columns={columns}
            fields={known.fields}
            onChange={(names) => go({ ...state, columns: names?.join(',') ?? null }, true)}
            onClose={() => setPanel(null)}
          />
        )}
        {panel === 'views' && <Views current={rows.list} onChanged={rows.readListAgain} onClose={() => setPanel(null)} />}
        {project && (
          <RecordPanel
            key={project}
            id={project}
            results={{ ids: pages.records.map(({ id }) => id), open }}
            onClose={() => open(null)}
            onSpent={onSpent}
          />
        )}
      </aside>
    </div>
  );
}
