/** The tab of exports: CSV files of whole match sets. */
import { useRef, useState } from 'preact/hooks';
import type { QueuedExport } from '../shared/answers.ts';
import { call } from '../shared/api.ts';
import { CriteriaWords } from '../shared/criteria.tsx';
import { ExportForm } from '../shared/exportForm.tsx';
import { downloadExport, isUnfinished } from '../shared/jobs.ts';
import { StateLink } from '../shared/links.tsx';
import { usePage } from '../shared/page.ts';
import { toFilters } from '../shared/state.ts';
import { Badge, Button, SmallAction } from '../shared/ui.tsx';
import { countInWords, moment, number } from '../shared/words.ts';
import { Collection, FromFilters, type PageStart } from './collection.tsx';

function NewExport({ onMade }: { onMade: () => void }) {
  const { filters } = usePage().state;
  const [isAsked, setAsked] = useState(false);
  const done = () => {
    setAsked(false);
    onMade();
  };
  return (
    <FromFilters>
      {isAsked ? (
        <ExportForm source={{ filters: toFilters(filters) }} onDone={done} />
      ) : (
        <Button onClick={() => setAsked(true)}>Count the rows and their price</Button>
      )}
    </FromFilters>
  );
}

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
    start={({ again }) => <NewExport onMade={again} />}
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
