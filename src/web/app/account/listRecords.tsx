/** The records of an open list: priced before they are read, removed with an undo, added by id. */
import { useRef, useState } from 'preact/hooks';
import type { AddedProjects, ListedRecord, SavedList } from '../shared/answers.ts';
import { ask, type FailedRequest, isDearer, spendHeaders } from '../shared/api.ts';
import type { TabProps } from '../shared/tabs.tsx';
import { showToast } from '../shared/toasts.tsx';
import { Action, Empty, Loading, Notice, Table, useAnswer } from '../shared/ui.tsx';
import { countInWords, number } from '../shared/words.ts';
import { NameField } from './collection.tsx';
import { nameOfRecord, RECORD_HEADS, recordCells } from './records.tsx';

const PAGE_SIZE = 100;

interface ListRecordsProps extends Pick<TabProps, 'state' | 'go' | 'account' | 'onSpent'> {
  list: SavedList;
  /** after records were added, removed or bought */
  onChanged: () => void;
}

/** Ids that were typed, separated by commas or blanks; null if anything else was typed. */
export function typedIds(text: string): number[] | null {
  const parts = text.split(/[\s,;]+/).filter(Boolean);
  return parts.length && parts.every((part) => /^\d+$/.test(part) && Number(part) > 0) ? [...new Set(parts.map(Number))] : null;
}

/** The result for each id, in a sentence. */
function describeAdded({ added, alreadyPresent, notFound }: AddedProjects): string {
  const parts = [
    `${countInWords(added.length, 'project')} added.`,
    alreadyPresent.length && `${alreadyPresent.join(', ')} ${alreadyPresent.length === 1 ? 'was' : 'were'} there already.`,
    notFound.length && `Not found, or outside the licence: ${notFound.join(', ')}.`,
  ];
  return parts.filter(Boolean).join(' ');
}

interface AddFormProps {
  onAdd: (ids: number[]) => Promise<void>;
  onProblem: (problem: FailedRequest | null) => void;
}

function AddForm({ onAdd, onProblem }: AddFormProps) {
  const [text, setText] = useState('');
  const ids = typedIds(text);
  const add = async () => {
    if (ids) await onAdd(ids);
    setText('');
  };
  return (
    <div class="row">
      <NameField id="add-ids" label="Add projects by their ids" value={text} onChange={setText} maxLength={1000} placeholder="1001, 1002" />
      <Action disabled={!ids} onProblem={onProblem} work={add}>
        Add
      </Action>
    </div>
  );
}

export function ListRecords({ list, onChanged, state, go, account, onSpent }: ListRecordsProps) {
  const { records = 0, credits = 0 } = list.results?.billable ?? {};
  const [isAgreed, setAgreed] = useState(credits === 0);
  /** credits that the reader agreed to and that are not spent yet */
  const agreedTo = useRef(0);
  const [problem, setProblem] = useState<FailedRequest | null>(null);
  const [pages, setPages] = useState(1);
  const showPriceIfDearer = (error: unknown): null => {
    if (!isDearer(error)) throw error;
    setAgreed(false);
    onChanged();
    return null;
  };
  const agree = () => {
    agreedTo.current = credits;
    setAgreed(true);
  };
  const {
    answer,
    problem: refused,
    again,
  } = useAnswer(
    async (signal) => {
      const found: ListedRecord[] = [];
      for (let page = 0; isAgreed && page < pages; page++) {
        const query = `representation=compact&limit=${PAGE_SIZE}&offset=${page * PAGE_SIZE}`;
        const asked = ask(`/lists/${list.id}/results?${query}`, { signal, headers: spendHeaders(agreedTo.current) });
        const read = await asked.catch(showPriceIfDearer);
        if (!read) break;
        found.push(...read.data);
        agreedTo.current -= read.meta.creditsUsed;
        if (read.meta.creditsUsed > 0) onSpent();
        if (!read.meta.hasMore) break;
      }
      return found;
    },
    [list.id, isAgreed, pages],
  );
  const refresh = () => {
    again();
    onChanged();
  };
  const send = async (method: string, path: string, body?: object) => {
    const { data } = await ask(`/lists/${list.id}/projects${path}`, { method, ...(body ? { body } : {}) });
    refresh();
    return data;
  };
  const remove = async (record: ListedRecord) => {
    await send('DELETE', `/${record.id}`);
    showToast(`${nameOfRecord(record)} is no longer in the list.`, () => send('POST', '', { projectIds: [record.id] }));
  };
  const add = async (projectIds: number[]) => {
    const outcome: AddedProjects = await send('POST', '', { projectIds });
    const takeBack = async () => {
      for (const id of outcome.added) await send('DELETE', `/${id}`);
    };
    showToast(describeAdded(outcome), outcome.added.length ? takeBack : undefined);
  };
  const canChange = list.kind === 'membership';
  const total = list.projectCount ?? 0;
  const rows = (answer ?? []).map((record) => [
    ...recordCells(record, { state, go }),
    ...(canChange
      ? [
          <Action kind="small" onProblem={setProblem} work={() => remove(record)}>
            Remove<span class="hidden"> {nameOfRecord(record)}</span>
          </Action>,
        ]
      : []),
  ]);
  return (
    <section class="part-card">
      <h2>{countInWords(total, 'project')}</h2>
      {problem && <Notice problem={problem} />}
      {refused && <Notice problem={refused} again={again} />}
      {!isAgreed && total > 0 && (
        <div class="price">
          <p>
            Reading them costs <strong>{countInWords(credits, 'credit')}</strong>, for {countInWords(records, 'record')} that your team does
            not hold as they are. Your balance is {number(account.balance)}.
          </p>
          <button type="button" class="primary" onClick={agree}>
            Read for {countInWords(credits, 'credit')}
          </button>
        </div>
      )}
      {isAgreed && !answer && !refused && <Loading />}
      {isAgreed && answer && rows.length > 0 && (
        <Table label="Projects of the list" heads={[...RECORD_HEADS, ...(canChange ? ['Actions'] : [])]} rows={rows} />
      )}
      {answer && total === 0 && <Empty>No project is in it.</Empty>}
      {isAgreed && answer && answer.length < total && answer.length === pages * PAGE_SIZE && (
        <button type="button" onClick={() => setPages(pages + 1)}>
          Show {number(Math.min(PAGE_SIZE, total - answer.length))} more of {number(total)}
        </button>
      )}
      {canChange && <AddForm onAdd={add} onProblem={setProblem} />}
    </section>
  );
}
