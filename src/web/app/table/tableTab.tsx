/** The tab with the table of records: the filters of the page, a row for each match, a column for each field that was chosen. */
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { browserStorage } from '../../shared/storage.ts';
import { NothingFound } from '../filters/nothingFound.tsx';
import { RecordPanel } from '../record/recordPanel.tsx';
import { ExportForm } from '../shared/exportForm.tsx';
import { useAnswer } from '../shared/hooks.ts';
import { StateLink } from '../shared/links.tsx';
import { usePage } from '../shared/page.ts';
import { isUnchanged } from '../shared/savedView.ts';
import { toFilters } from '../shared/state.ts';
import { showToast } from '../shared/toasts.tsx';
import { Action, Button, Empty, Notice, Pending, ProblemNotice, Problems } from '../shared/ui.tsx';
import { UnconfirmedNote } from '../shared/unconfirmed.tsx';
import { countInWords, number } from '../shared/words.ts';
import { ColumnChooser } from './columnChooser.tsx';
import { Grid } from './grid.tsx';
import { useGridModel } from './gridModel.ts';
import { GroupChoice, Groups, groupField } from './groups.tsx';
import { Printed } from './printedTable.tsx';
import { chosenColumns, contactFields, type RecordField, type RecordFields, readRecordFields, type TableRecord } from './recordFields.ts';
import { ALL_MAX } from './recordPages.tsx';
import { SelectionBar } from './selection.tsx';
import { copyRecords, saveRecords } from './tableFiles.ts';
import { Foot, ReadAll } from './tableFoot.tsx';
import { KeysDialog, useTableKeys } from './tableKeys.tsx';
import { tableOrder } from './tableOrder.ts';
import { type TableRows, useTableRows } from './tableRows.tsx';
import { useFigures } from './useFigures.ts';
import { Views } from './views.tsx';

/** What is beside the table. */
type SidePanel = 'columns' | 'views';

/** Where a browser keeps that its reader wants whole texts in the cells. */
const KEPT_WRAPPING = 'landuse-wrapped';

function useWrapping(): [boolean, () => void] {
  const [isWrapped, setWrapped] = useState(browserStorage.getItem(KEPT_WRAPPING) !== null);
  const toggle = () => {
    if (isWrapped) browserStorage.removeItem(KEPT_WRAPPING);
    else browserStorage.setItem(KEPT_WRAPPING, 'yes');
    setWrapped(!isWrapped);
  };
  return [isWrapped, toggle];
}

interface FilesProps {
  /** the selected ones, else all that were read */
  records: readonly TableRecord[];
  columns: readonly RecordField[];
  isSelection: boolean;
  rows: TableRows;
}

/** The rows as a file, after reading those that are missing where that is free, and for the clipboard: the selected ones, else all. */
function Files({ records, columns, isSelection, rows: { pages, matchCount } }: FilesProps) {
  const { creditRate } = usePage().account;
  const [isAwaited, setAwaited] = useState(false);
  const canReadAll = !isSelection && pages.hasMore && creditRate === 0 && matchCount !== null && matchCount <= ALL_MAX;
  useEffect(() => {
    if (!isAwaited || (pages.hasMore && !pages.problem)) return;
    setAwaited(false);
    if (!pages.problem) saveRecords(records, columns);
  }, [isAwaited, pages]);
  if (!records.length) return null;
  const save = () => {
    if (!canReadAll) return saveRecords(records, columns);
    setAwaited(true);
    return pages.readAll();
  };
  const copy = async () => {
    await copyRecords(records, columns);
    showToast(`${countInWords(records.length, 'row')} copied, for a spreadsheet.`);
  };
  const kind = isSelection ? 'selected row' : 'row';
  return (
    <span class="files">
      <Button disabled={isAwaited} aria-busy={isAwaited} onClick={save}>
        {isAwaited ? `Reading ${number(records.length)} of` : 'CSV of'} {countInWords(canReadAll ? matchCount : records.length, kind)}
      </Button>
      <Action work={copy}>Copy {countInWords(records.length, kind)}</Action>
    </span>
  );
}

interface TableBarProps {
  rows: TableRows;
  panel: SidePanel | null;
  onPanel: (panel: SidePanel) => void;
  children?: ComponentChildren;
}

function TableBar({ rows: { matchCount, count, pages, list, areOfList }, panel, onPanel, children }: TableBarProps) {
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
      <Button aria-expanded={panel === 'views'} onClick={() => onPanel('views')}>
        Views
      </Button>
      <Button aria-expanded={panel === 'columns'} onClick={() => onPanel('columns')}>
        Columns
      </Button>
      {children}
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
  const [isExporting, setExporting] = useState(false);
  const [isWrapped, toggleWrapping] = useWrapping();
  const by = groupField(known, state.by);
  const { columns, unknown, representation } = useMemo(() => chosenColumns(known, state.columns), [known, state.columns]);
  const rows = useTableRows(representation);
  const { pages, matchCount, areOfList, problem } = rows;
  const figures = useFigures(rows, columns, by);
  const fields = [...known.fields, ...contactFields(pages.records)];
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
  // A price is no footnote where there is nothing above it.
  const isOffered = pages.offer !== null && pages.records.length === 0;
  const foot = <Foot pages={pages} matchCount={matchCount} onKeys={() => setHasKeys(true)} />;
  return (
    <div class={`table-tab ${panel || project ? 'with-panel' : ''}`}>
      <section class="table-main" aria-label="Table">
        <TableBar {...{ rows, panel }} onPanel={(next) => setPanel(panel === next ? null : next)}>
          <Button aria-pressed={isWrapped} onClick={toggleWrapping}>
            Wrap
          </Button>
          <GroupChoice {...{ known, by }} />
          <Problems>
            <Files {...{ columns, rows }} records={selected.length ? selected : pages.records} isSelection={selected.length > 0} />
            <ProblemNotice />
          </Problems>
          {!areOfList && pages.hasMore && (
            <Button aria-expanded={isExporting} onClick={() => setExporting(!isExporting)}>
              All as a file
            </Button>
          )}
        </TableBar>
        {isExporting && (
          <Problems>
            <section class="selection" aria-label="All as a file">
              <ProblemNotice />
              <ExportForm source={{ filters: toFilters(filters) }} onDone={() => setExporting(false)} />
            </section>
          </Problems>
        )}
        {unknown.length > 0 && <p class="notice calm">The record has no field {unknown.join(', ')}. Choose columns under Columns.</p>}
        {areOfList && Object.keys(filters).length > 0 && (
          <p class="notice calm">Filters do not narrow a list of projects. Close the list to see what they match.</p>
        )}
        <UnconfirmedNote filters={pages.unconfirmed} />
        {problem && <Notice problem={problem} again={pages.problem ? pages.retry : rows.readListAgain} />}
        {!pages.hasMore && pages.records.length === 0 && (areOfList ? <Empty>The list has no projects.</Empty> : <NothingFound />)}
        {isOffered && foot}
        {by && (
          <Groups {...{ by, columns, figures }}>
            <ReadAll {...{ pages, matchCount }} />
          </Groups>
        )}
        <Grid
          {...{ table, columns, order, isWrapped, matchCount }}
          figures={pages.records.length || pages.hasMore ? figures : null}
          open={project}
          onOpen={open}
          onNearEnd={() => pages.readNext()}
        />
        <SelectionBar ids={selected.map(({ id }) => id)} onReload={pages.again} onClear={() => table.resetRowSelection(true)} />
        {!isOffered && foot}
        {hasKeys && <KeysDialog onClose={() => setHasKeys(false)} />}
        <Printed {...{ columns, matchCount }} records={pages.records} />
      </section>
      <aside class="table-side" aria-label="Beside the table">
        {panel === 'columns' && (
          <ColumnChooser
            {...{ columns, fields }}
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
