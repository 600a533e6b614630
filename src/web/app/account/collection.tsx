/** A tab that lists entries of the account, with actions for each. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { CountPrice } from '../shared/answers.ts';
import { describeFilters } from '../shared/filterWords.ts';
import { usePage } from '../shared/page.ts';
import { toFilters } from '../shared/state.ts';
import { Empty, Loading, Notice, Pending, ProblemNotice, Problems, Table } from '../shared/ui.tsx';
import { useAnswer, useCall } from '../shared/useAnswer.ts';

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
  const { title, lead, load, none, heads, numbers = [], row, start, end, unfinished } = given;
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
  const entries = answer?.entries ?? [];
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
            <button type="button" onClick={() => setPages(pages + 1)}>
              Show more
            </button>
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
    <p class="note">{describeFilters(usePage().state.filters)}</p>
    {children}
  </section>
);

/** The price of the page's filters, which a reader asks for before they are used; asked for again where the balance differs. */
export function Quote({ children }: { children: (price: CountPrice, again: () => void) => ComponentChildren }) {
  const { state, account } = usePage();
  const [isAsked, setAsked] = useState(false);
  const { answer, problem, again } = useCall('countProjects', isAsked ? toFilters(state.filters) : null, account.balance);
  return (
    <FromFilters>
      {!isAsked && (
        <button type="button" onClick={() => setAsked(true)}>
          Count the rows and their price
        </button>
      )}
      {isAsked && (problem ? <Notice problem={problem} again={again} /> : answer ? children(answer.data, again) : <Loading />)}
    </FromFilters>
  );
}
