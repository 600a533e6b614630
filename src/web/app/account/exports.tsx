/** The tab of exports: CSV files of whole match sets. */
import { ask, download, onceKey } from '../api.ts';
import type { TabProps } from '../tabs.tsx';
import { Action, Badge } from '../ui.tsx';
import { counted, moment, number } from '../words.ts';
import { Collection, type CollectionWork, Quote } from './collection.tsx';
import { describeFilters } from './filterWords.ts';
import type { QueuedExport } from './types.ts';

const FILE_ROWS_MAX = 10_000;

type NewExportProps = Pick<CollectionWork, 'act' | 'onProblem'> & Pick<TabProps['state'], 'filters'>;

const NewExport = ({ filters, act, onProblem }: NewExportProps) => {
  const queue = () => ask('/exports', { method: 'POST', body: { filters }, headers: { 'Idempotency-Key': onceKey() } });
  return (
    <Quote filters={filters}>
      {({ matchCount, creditsRequired, creditsRemaining }) => (
        <>
          <p>
            <strong>{counted(Math.min(matchCount, FILE_ROWS_MAX), 'row')}</strong>
            {matchCount > FILE_ROWS_MAX && ` of ${number(matchCount)}: a file holds ${number(FILE_ROWS_MAX)}`}, for{' '}
            <strong>{counted(creditsRequired, 'credit')}</strong> at most. Your balance is {number(creditsRemaining ?? 0)}.
          </p>
          <Action kind="primary" disabled={!matchCount} onProblem={onProblem} work={act(queue)}>
            Queue the export
          </Action>
        </>
      )}
    </Quote>
  );
};

export const Exports = ({ state: { filters } }: TabProps) => (
  <Collection<QueuedExport>
    title="Exports"
    lead="CSV files of whole match sets, kept for 7 days. A download may be repeated, free."
    load={(signal) => ask('/exports', { signal })}
    none="No export yet. Queue one from the filters above."
    heads={['Made', 'Of', 'Status', 'Rows', 'Credits', 'Actions']}
    numbers={[3, 4]}
    unfinished={({ status }) => status === 'queued' || status === 'building'}
    start={(work) => <NewExport filters={filters} {...work} />}
    row={(one, { onProblem }) => [
      moment(one.createdAt),
      describeFilters(one.source.filters),
      <>
        <Badge token={one.status} />
        {one.error && <span class="note"> {one.error.message}</span>}
      </>,
      one.rowCount === null ? '' : number(one.rowCount),
      one.creditsCharged ?? '',
      one.status === 'ready' && (
        <Action kind="small" onProblem={onProblem} work={() => download(`/exports/${one.id}/download?bom=1`)}>
          Download
        </Action>
      ),
    ]}
  />
);
