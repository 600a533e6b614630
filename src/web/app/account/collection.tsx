/** A tab that lists entries of the account, with actions for each. */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { CriteriaWords } from '../shared/criteria.tsx';
import { type RestorableKind, readDeleted, restoreEntry } from '../shared/deletion.ts';
import { useAnswer } from '../shared/hooks.ts';
import { usePage } from '../shared/page.ts';
import { showToast } from '../shared/toasts.tsx';
import { Button, Empty, Pending, ProblemNotice, Problems, SmallAction, Table } from '../shared/ui.tsx';
import { date } from '../shared/words.ts';

interface DeletedProps {
  kind: RestorableKind;
  onRestored: () => void;
}

function DeletedTable({ kind, onRestored }: DeletedProps) {
  const deleted = useAnswer((signal) => readDeleted(kind, signal), [kind]);
  const entries = deleted.answer ?? [];
  const restore = async ({ id, name }: { id: string; name: string }) => {
    await restoreEntry(kind, id);
    deleted.again();
    onRestored();
    showToast(`“${name}” is back.`);
  };
  if (deleted.problem || !deleted.answer) return <Pending asked={deleted} />;
  return (
    <Problems>
      <ProblemNotice />
      {!entries.length && <Empty>Nothing was deleted in the last 30 days.</Empty>}
      {entries.length > 0 && (
        <Table
          label={`Deleted ${kind}`}
          heads={['Name', 'Can be restored until', 'Actions']}
          rows={entries.map((entry) => [
            entry.name,
            date(entry.restorableUntil),
            <SmallAction work={() => restore(entry)}>Restore</SmallAction>,
          ])}
        />
      )}
    </Problems>
  );
}

/** A collapsed section that is loaded when it is opened. */
export function DeletedEntries({ kind, onRestored }: DeletedProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Deleted {kind}</summary>
      {isOpen && <DeletedTable kind={kind} onRestored={onRestored} />}
    </details>
  );
}

const POLL_MS = 3000;
export const NAME_CHARACTERS_MAX = 100;

/** How rows of a collection run their actions. */
interface CollectionWork {
  /** runs work, after which the collection is read again */
  act: (work: () => Promise<unknown>) => () => Promise<void>;
  /** reads the collection again */
  again: () => void;
}

/** Where a page of a collection begins; nothing for the first. */
export interface PageStart {
  offset?: number;
  before?: number;
}

interface CollectionPage<Entry> {
  data: Entry[];
  meta: { requestId: string; hasMore?: boolean; nextBefore?: number | null };
}

interface CollectionProps<Entry> {
  title: string;
  lead: ComponentChildren;
  load: (signal: AbortSignal, page: PageStart) => Promise<CollectionPage<Entry>>;
  /** shown if there are no entries */
  none: ComponentChildren;
  heads: string[];
  numbers?: number[];
  /** whether an entry has a row; every one by default */
  isShown?: (entry: Entry) => boolean;
  row: (entry: Entry, work: CollectionWork) => ComponentChildren[];
  /** content above the rows */
  start?: (work: CollectionWork) => ComponentChildren;
  /** content below the rows */
  end?: (work: CollectionWork) => ComponentChildren;
  /** whether an entry will change by itself, so that the collection is read again */
  unfinished?: (entry: Entry) => boolean;
}

/** The first pages of a collection in one. */
async function loadPages<Entry>(load: CollectionProps<Entry>['load'], pages: number, signal: AbortSignal) {
  const entries: Entry[] = [];
  let next: PageStart | null = {};
  for (let page = 0; page < pages && next; page++) {
    const { data, meta }: CollectionPage<Entry> = await load(signal, next);
    entries.push(...data);
    next = !meta.hasMore ? null : meta.nextBefore ? { before: meta.nextBefore } : { offset: entries.length };
  }
  return { entries, hasMore: next !== null };
}

export function Collection<Entry>(given: CollectionProps<Entry>) {
  const { title, lead, load, none, heads, numbers = [], isShown = () => true, row, start, end, unfinished } = given;
  const [pages, setPages] = useState(1);
  const loading = useAnswer(
    async (signal) => {
      const loaded = await loadPages(load, pages, signal);
      if (unfinished && loaded.entries.some(unfinished)) {
        const wait = setTimeout(again, POLL_MS);
        signal.addEventListener('abort', () => clearTimeout(wait), { once: true });
      }
      return loaded;
    },
    [title, pages],
  );
  const { answer, again } = loading;
  const act = (work: () => Promise<unknown>) => async () => {
    await work();
    again();
  };
  const work = { act, again };
  const entries = (answer?.entries ?? []).filter(isShown);
  return (
    <Problems>
      <div class="sheet">
        <h1>{title}</h1>
        <p class="lead">{lead}</p>
        {start?.(work)}
        <ProblemNotice />
        <Pending asked={loading} />
        {entries.length > 0 && <Table label={title} heads={heads} numbers={numbers} rows={entries.map((entry) => row(entry, work))} />}
        {answer && !entries.length && <Empty>{none}</Empty>}
        {answer?.hasMore && (
          <p>
            <Button onClick={() => setPages(pages + 1)}>Show more</Button>
          </p>
        )}
        {end?.(work)}
      </div>
    </Problems>
  );
}

/** What can be made of the page's filters. */
export const FromFilters = ({ children }: { children: ComponentChildren }) => (
  <section class="card quote">
    <h2>From the filters of the map</h2>
    <p class="note">
      <CriteriaWords filters={usePage().state.filters} />
    </p>
    {children}
  </section>
);
