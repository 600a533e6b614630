/** The tab with the table of records: the filters of the page, a row for each match, a column for each field that was chosen. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { StateLink } from '../account/links.tsx';
import { askKept } from '../api.ts';
import { Filters } from '../filters/filters.tsx';
import { RecordPanel } from '../record/recordPanel.tsx';
import { queryOf, withFilters } from '../state.ts';
import type { TabProps } from '../tabs.tsx';
import { Empty, Loading, Notice, useAnswer } from '../ui.tsx';
import { number } from '../words.ts';
import { ColumnChooser } from './columnChooser.tsx';
import { Foot } from './foot.tsx';
import { Grid } from './grid.tsx';
import { useGridModel } from './gridModel.ts';
import { chosenColumns, type RecordFields, readRecordFields } from './recordFields.ts';
import { type RowsQuery, useRecordPages } from './recordPages.tsx';
import { SelectionBar } from './selectionBar.tsx';
import { saveRecords } from './selectionFile.ts';
import { tableOrder } from './tableOrder.ts';

type Panel = 'columns' | 'filters' | null;

/** Parameters that the table sets itself. */
const OWN = { page: null, limit: null, offset: null, format: null, representation: null };

export function TableTab(props: TabProps) {
  const { answer, problem, again } = useAnswer(readRecordFields, []);
  return (
    <>
      <h1 class="hidden">Table of land-use projects</h1>
      {problem && <Notice problem={problem} again={again} />}
      {!answer && !problem && <Loading what="Reading the fields of the record" />}
      {answer && <Records {...props} known={answer} />}
    </>
  );
}

function Records({ state, go, account, words, onSpent, known }: TabProps & { known: RecordFields }) {
  const { filters, project, sort, order: direction } = state;
  const [panel, setPanel] = useState<Panel>(null);
  const chosen = useMemo(() => chosenColumns(known, state.columns), [known, state.columns]);
  const { columns, unknown, representation } = chosen;
  const query: RowsQuery = { path: '/projects/search', parameters: { ...filters, ...OWN, sort, order: direction, representation } };
  const pages = useRecordPages(query, onSpent);
  const count = useAnswer((signal) => askKept(`/projects/count${queryOf(filters)}`, { signal }), [JSON.stringify(filters)]);
  const matchCount: number | null = (count.problem ? null : count.answer?.data.matchCount) ?? pages.matchCount;
  const table = useGridModel(pages.records, columns);
  const order = tableOrder(known, state, (next) => go({ ...state, ...next }));
  const open = (id: number | null) => go({ ...state, project: id });
  const selected = table.getSelectedRowModel().rows.map((row) => row.original);
  useEffect(() => table.resetRowSelection(true), [JSON.stringify(filters)]);
  const toggle = (name: Panel) => setPanel(panel === name ? null : name);
  return (
    <div class={`table-tab ${panel || project ? 'with-panel' : ''}`}>
      <section class="table-main" aria-label="Table">
        <div class="table-bar">
          <p class="total">
            <strong>{matchCount === null ? '…' : number(matchCount)}</strong> {matchCount === 1 ? 'project' : 'projects'}
          </p>
          <button type="button" aria-expanded={panel === 'filters'} onClick={() => toggle('filters')}>
            Filters{Object.keys(filters).length > 0 && <span class="badge">{Object.keys(filters).length}</span>}
          </button>
          <button type="button" aria-expanded={panel === 'columns'} onClick={() => toggle('columns')}>
            Columns
          </button>
          <StateLink state={state} go={go} to={{ tab: 'alerts', project: null }}>
            Alert on these filters
          </StateLink>
        </div>
        {unknown.length > 0 && <p class="notice calm">The record has no field {unknown.join(', ')}. Choose columns under Columns.</p>}
        {pages.problem && <Notice problem={pages.problem} again={pages.again} />}
        <Grid
          table={table}
          columns={columns}
          fields={known.fields}
          order={order}
          matchCount={matchCount}
          open={project}
          onOpen={open}
          onNearEnd={pages.readNext}
        />
        {!pages.hasMore && pages.records.length === 0 && <Empty>No project matches these filters. Take one away.</Empty>}
        <SelectionBar
          ids={selected.map(({ id }) => id)}
          onSpent={onSpent}
          onSave={() => saveRecords(selected, columns)}
          onClear={() => table.resetRowSelection(true)}
        />
        <Foot pages={pages} matchCount={matchCount} balance={account.balance} />
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
        {panel === 'filters' && (
          <section class="table-panel" aria-label="Filters">
            <Filters
              filters={filters}
              words={words}
              onChange={(next) => go(withFilters(state, next))}
              onClear={() => go({ ...state, filters: {} })}
            />
          </section>
        )}
        {project && (
          <RecordPanel
            key={project}
            id={project}
            account={account}
            results={{ ids: pages.records.map(({ id }) => id), open }}
            onClose={() => open(null)}
            onRead={() => undefined}
            onSpent={onSpent}
          />
        )}
      </aside>
    </div>
  );
}
