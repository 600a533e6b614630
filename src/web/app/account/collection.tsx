/** A tab that lists entries of the account, with actions for each. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { CountPrice } from '../shared/answers.ts';
import { type ApiAnswer, ask, type FailedRequest } from '../shared/api.ts';
import { describeFilters } from '../shared/filterWords.ts';
import { queryOf } from '../shared/state.ts';
import { Empty, Loading, Notice, Table, useAnswer } from '../shared/ui.tsx';

const POLL_MS = 3000;

/** How rows of a collection run their actions. */
export interface CollectionWork {
  /** runs work, after which the collection is read again */
  act: (work: () => Promise<unknown>) => () => Promise<void>;
  onProblem: (problem: FailedRequest | null) => void;
  /** reads the collection again */
  again: () => void;
}

interface CollectionProps<Entry> {
  title: string;
  lead: ComponentChildren;
  /** reads a page @param query where it begins; '' for the first */
  load: (signal: AbortSignal, query: string) => Promise<ApiAnswer>;
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

/** The query of the next page; null after the last. */
function nextPageOf({ meta }: ApiAnswer, read: number): string | null {
  if (!meta?.hasMore) return null;
  return meta.nextBefore ? `?before=${meta.nextBefore}` : `?offset=${read}`;
}

/** The first pages of a collection in one. */
async function loadPages<Entry>(load: CollectionProps<Entry>['load'], pages: number, signal: AbortSignal) {
  const entries: Entry[] = [];
  let query: string | null = '';
  for (let page = 0; page < pages && query !== null; page++) {
    const answer: ApiAnswer = await load(signal, query);
    entries.push(...answer.data);
    query = nextPageOf(answer, entries.length);
  }
  return { entries, hasMore: query !== null };
}

export function Collection<Entry>(given: CollectionProps<Entry>) {
  const { title, lead, load, none, heads, numbers = [], row, start, end, unfinished } = given;
  const [problem, setProblem] = useState<FailedRequest | null>(null);
  const [pages, setPages] = useState(1);
  const {
    answer,
    problem: refused,
    again,
  } = useAnswer(
    async (signal) => {
      const loaded = await loadPages<Entry>(load, pages, signal);
      if (unfinished && loaded.entries.some(unfinished)) {
        const wait = setTimeout(again, POLL_MS);
        signal.addEventListener('abort', () => clearTimeout(wait), { once: true });
      }
      return loaded;
    },
    [title, pages],
  );
  const act = (work: () => Promise<unknown>) => async () => {
    await work();
    again();
  };
  const work = { act, onProblem: setProblem, again };
  const entries = answer?.entries ?? [];
  return (
    <div class="sheet">
      <h1>{title}</h1>
      <p class="lead">{lead}</p>
      {start?.(work)}
      {problem && <Notice problem={problem} />}
      {refused && <Notice problem={refused} again={again} />}
      {!answer && !refused && <Loading />}
      {answer && entries.length > 0 && (
        <Table label={title} heads={heads} numbers={numbers} rows={entries.map((entry) => row(entry, work))} />
      )}
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
  );
}

interface FromFiltersProps {
  filters: Readonly<Record<string, string>>;
  children: ComponentChildren;
}

/** What can be made of the page's filters. */
export const FromFilters = ({ filters, children }: FromFiltersProps) => (
  <section class="card quote">
    <h2>From the filters of the map</h2>
    <p class="note">{describeFilters(filters)}</p>
    {children}
  </section>
);

interface QuoteProps {
  filters: Readonly<Record<string, string>>;
  /** the price is asked for again where it differs */
  balance: number;
  children: (price: CountPrice, again: () => void) => ComponentChildren;
}

/** The price of the page's filters, which a reader asks for before they are used. */
export function Quote({ filters, balance, children }: QuoteProps) {
  const [isAsked, setAsked] = useState(false);
  const { answer, problem, again } = useAnswer(
    async (signal): Promise<CountPrice | null> => (isAsked ? (await ask(`/projects/count${queryOf(filters)}`, { signal })).data : null),
    [JSON.stringify(filters), balance, isAsked],
  );
  return (
    <FromFilters filters={filters}>
      {!isAsked && (
        <button type="button" onClick={() => setAsked(true)}>
          Count the rows and their price
        </button>
      )}
      {isAsked && (problem ? <Notice problem={problem} again={again} /> : answer ? children(answer, again) : <Loading />)}
    </FromFilters>
  );
}

interface NameFieldProps {
  id: string;
  label: string;
  value: string;
  onChange: (name: string) => void;
  maxLength?: number;
  placeholder?: string;
}

export const NameField = ({ id, label, value, onChange, maxLength = 100, placeholder }: NameFieldProps) => (
  <div class="field">
    <label for={id}>{label}</label>
    <input id={id} value={value} maxLength={maxLength} placeholder={placeholder} onInput={(event) => onChange(event.currentTarget.value)} />
  </div>
);
