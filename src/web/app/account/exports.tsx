/** The tab of exports: CSV files of whole match sets. */
import { useRef } from 'preact/hooks';
import type { QueuedExport } from '../shared/answers.ts';
import { call } from '../shared/api.ts';
import { CriteriaWords } from '../shared/criteria.tsx';
import { downloadExport, EXPORT_ROWS_MAX, isUnfinished, queueExport } from '../shared/jobs.ts';
import { StateLink } from '../shared/links.tsx';
import { usePage } from '../shared/page.ts';
import { requoteIfDearer } from '../shared/problems.ts';
import { toFilters } from '../shared/state.ts';
import { Action, Badge, MoreCredits, SmallAction } from '../shared/ui.tsx';
import { countInWords, moment, number } from '../shared/words.ts';
import { Collection, type PageStart, Quote } from './collection.tsx';

/** @param given `act`: runs work, after which the exports are read again */
function NewExport({ act }: { act: (work: () => Promise<void>) => () => Promise<void> }) {
  const { state, onSpent } = usePage();
  const queue = async (credits: number, quoteAgain: () => void) => {
    const queued = await queueExport({ filters: toFilters(state.filters) }, credits).catch(requoteIfDearer(quoteAgain));
    if (queued && queued.creditsReserved > 0) onSpent();
  };
  return (
    <Quote>
      {({ matchCount, creditsRequired, creditsRemaining }, quoteAgain) => (
        <>
          <p>
            <strong>{countInWords(Math.min(matchCount, EXPORT_ROWS_MAX), 'row')}</strong>
            {matchCount > EXPORT_ROWS_MAX && ` of ${number(matchCount)}: a file holds ${number(EXPORT_ROWS_MAX)}`}, for{' '}
            <strong>{countInWords(creditsRequired, 'credit')}</strong> at most. Your balance is {number(creditsRemaining ?? 0)}.{' '}
            {creditsRequired > (creditsRemaining ?? 0) && <MoreCredits />}
          </p>
          <Action
            kind="primary"
            disabled={!matchCount || creditsRequired > (creditsRemaining ?? 0)}
            work={act(() => queue(creditsRequired, quoteAgain))}
          >
            Queue the export
          </Action>
        </>
      )}
    </Quote>
  );
}

/** What an export was made of: an alert, a list, chosen projects or filters. */
function ExportSource({ source: { alertId, listId, projectIds, filters } }: Pick<QueuedExport, 'source'>) {
  if (alertId) return <StateLink to={{ tab: 'alerts', open: alertId }}>Matches of an alert</StateLink>;
  if (listId) return <StateLink to={{ tab: 'lists', open: listId }}>Projects of a list</StateLink>;
  if (projectIds) return countInWords(projectIds.length, 'chosen project');
  return <CriteriaWords filters={filters} />;
}

/** Reads exports, and the balance again once the last of them is settled: what was reserved and not charged is given back. */
function useExports() {
  const { onSpent } = usePage();
  const wasUnfinished = useRef(false);
  return async (signal: AbortSignal, page: PageStart) => {
    const answer = await call('listExports', page, { signal });
    if (page.offset) return answer;
    const isBusy = answer.data.some(isUnfinished);
    if (wasUnfinished.current && !isBusy) onSpent();
    wasUnfinished.current = isBusy;
    return answer;
  };
}

export const Exports = () => (
  <Collection
    title="Exports"
    lead="CSV files of whole match sets, kept for 7 days. A download may be repeated, free."
    load={useExports()}
    none="No export yet. Queue one from the filters above."
    heads={['Made', 'Of', 'Status', 'Rows', 'Credits', 'Actions']}
    numbers={[3, 4]}
    unfinished={isUnfinished}
    start={({ act }) => <NewExport act={act} />}
    row={(one) => [
      moment(one.createdAt),
      <ExportSource source={one.source} />,
      <>
        <Badge token={one.status} />
        {one.error && <span class="note"> {one.error.message}</span>}
      </>,
      one.rowCount === null ? '' : number(one.rowCount),
      one.creditsCharged ?? '',
      one.status === 'ready' && <SmallAction work={() => downloadExport(one)}>Download</SmallAction>,
    ]}
  />
);
