/** The tab of exports: CSV files of whole match sets. */
import { useRef } from 'preact/hooks';
import type { QueuedExport } from '../shared/answers.ts';
import { ask, download, requoteIfDearer, spendHeaders } from '../shared/api.ts';
import { StateLink } from '../shared/links.tsx';
import { MoreCredits } from '../shared/moreCredits.tsx';
import type { TabProps } from '../shared/tabs.tsx';
import { Action, Badge } from '../shared/ui.tsx';
import { countInWords, moment, number } from '../shared/words.ts';
import { Collection, type CollectionWork, Quote } from './collection.tsx';
import { CriteriaWords } from './criteria.tsx';

const FILE_ROWS_MAX = 10_000;

type NewExportProps = Pick<CollectionWork, 'act' | 'onProblem'> &
  Pick<TabProps['state'], 'filters'> &
  Pick<TabProps, 'onSpent' | 'account'>;

const NewExport = ({ filters, account, act, onProblem, onSpent }: NewExportProps) => {
  const queue = async (credits: number, quoteAgain: () => void) => {
    const sent = ask('/exports', { method: 'POST', body: { filters }, headers: spendHeaders(credits) });
    const { data } = await sent.catch(requoteIfDearer(quoteAgain));
    if (data.creditsReserved > 0) onSpent();
  };
  return (
    <Quote filters={filters} balance={account.balance}>
      {({ matchCount, creditsRequired, creditsRemaining }, quoteAgain) => (
        <>
          <p>
            <strong>{countInWords(Math.min(matchCount, FILE_ROWS_MAX), 'row')}</strong>
            {matchCount > FILE_ROWS_MAX && ` of ${number(matchCount)}: a file holds ${number(FILE_ROWS_MAX)}`}, for{' '}
            <strong>{countInWords(creditsRequired, 'credit')}</strong> at most. Your balance is {number(creditsRemaining ?? 0)}.{' '}
            {creditsRequired > (creditsRemaining ?? 0) && <MoreCredits account={account} />}
          </p>
          <Action
            kind="primary"
            disabled={!matchCount || creditsRequired > (creditsRemaining ?? 0)}
            onProblem={onProblem}
            work={act(() => queue(creditsRequired, quoteAgain))}
          >
            Queue the export
          </Action>
        </>
      )}
    </Quote>
  );
};

interface ExportSourceProps extends Pick<TabProps, 'state' | 'go' | 'words'> {
  source: QueuedExport['source'];
}

/** What an export was made of: an alert, a list, chosen projects or filters. */
function ExportSource({ source: { alertId, listId, projectIds, filters }, state, go, words }: ExportSourceProps) {
  const page = { state, go };
  if (alertId)
    return (
      <StateLink {...page} to={{ tab: 'alerts', open: alertId }}>
        Matches of an alert
      </StateLink>
    );
  if (listId)
    return (
      <StateLink {...page} to={{ tab: 'lists', open: listId }}>
        Projects of a list
      </StateLink>
    );
  if (projectIds) return countInWords(projectIds.length, 'chosen project');
  return <CriteriaWords {...{ filters, words }} />;
}

const isUnfinished = ({ status }: QueuedExport) => status === 'queued' || status === 'building';

/** Reads exports, and the balance again once the last of them is settled: what was reserved and not charged is given back. */
function useExports(onSpent: TabProps['onSpent']) {
  const wasUnfinished = useRef(false);
  return async (signal: AbortSignal, query: string) => {
    const answer = await ask(`/exports${query}`, { signal });
    if (query) return answer;
    const isBusy = (answer.data as QueuedExport[]).some(isUnfinished);
    if (wasUnfinished.current && !isBusy) onSpent();
    wasUnfinished.current = isBusy;
    return answer;
  };
}

export const Exports = ({ state, go, words, account, onSpent }: TabProps) => (
  <Collection<QueuedExport>
    title="Exports"
    lead="CSV files of whole match sets, kept for 7 days. A download may be repeated, free."
    load={useExports(onSpent)}
    none="No export yet. Queue one from the filters above."
    heads={['Made', 'Of', 'Status', 'Rows', 'Credits', 'Actions']}
    numbers={[3, 4]}
    unfinished={isUnfinished}
    start={(work) => <NewExport filters={state.filters} {...work} {...{ account, onSpent }} />}
    row={(one, { onProblem }) => [
      moment(one.createdAt),
      <ExportSource source={one.source} {...{ state, go, words }} />,
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
