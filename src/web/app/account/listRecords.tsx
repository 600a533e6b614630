/** The records of an open list: priced before they are read, removed with an undo, added by id. */
import { useRef, useState } from 'preact/hooks';
import type { AddedProjects, ListedRecord, SavedList } from '../shared/answers.ts';
import { call, spend } from '../shared/api.ts';
import { nameOfRecord } from '../shared/facts.ts';
import { useAnswer } from '../shared/hooks.ts';
import { Field } from '../shared/inputs.tsx';
import { usePage } from '../shared/page.ts';
import { isDearer } from '../shared/problems.ts';
import { showToast } from '../shared/toasts.tsx';
import {
  Action,
  Button,
  Empty,
  Loading,
  Notice,
  PrimaryButton,
  ProblemNotice,
  Problems,
  SmallAction,
  SmallButton,
  Table,
} from '../shared/ui.tsx';
import { countInWords, number } from '../shared/words.ts';
import { RECORD_HEADS, recordCells } from './records.tsx';

const PAGE_SIZE = 100;

/** Ids that were typed, separated by commas or blanks; null if anything else was typed. */
function typedIds(text: string): number[] | null {
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

/** The note of a record, which a member changes in place. */
function NoteCell({ record, save }: { record: ListedRecord; save: (note: string) => Promise<void> }) {
  const [text, setText] = useState<string | null>(null);
  if (text === null)
    return (
      <>
        {record.note}{' '}
        <SmallButton onClick={() => setText(record.note ?? '')}>
          {record.note ? 'Edit' : 'Add a note'}
          <span class="hidden"> about {nameOfRecord(record)}</span>
        </SmallButton>
      </>
    );
  const submit = async () => {
    await save(text);
    setText(null);
  };
  return (
    <div class="row">
      <Field id={`note-${record.id}`} label="Why it is here" value={text} onChange={setText} maxLength={500} />
      <SmallAction work={submit}>Save</SmallAction>
    </div>
  );
}

function AddForm({ onAdd }: { onAdd: (ids: number[]) => Promise<void> }) {
  const [text, setText] = useState('');
  const ids = typedIds(text);
  const add = async () => {
    if (ids) await onAdd(ids);
    setText('');
  };
  return (
    <div class="row">
      <Field id="add-ids" label="Add projects by their ids" value={text} onChange={setText} maxLength={1000} placeholder="1001, 1002" />
      <Action disabled={!ids} work={add}>
        Add
      </Action>
    </div>
  );
}

/** @param given `onChanged`: called after records were added, removed or bought */
export function ListRecords({ list, onChanged }: { list: SavedList; onChanged: () => void }) {
  const { account, onSpent } = usePage();
  const { records = 0, credits = 0 } = list.results?.billable ?? {};
  const [isAgreed, setAgreed] = useState(credits === 0);
  /** credits that the reader agreed to and that are not spent yet */
  const agreedTo = useRef(0);
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
        const asked = { id: list.id, representation: 'compact', limit: PAGE_SIZE, offset: page * PAGE_SIZE };
        const read = await call('getListResults', asked, { signal, ...spend(agreedTo.current) }).catch(showPriceIfDearer);
        if (!read || !Array.isArray(read.data)) break;
        found.push(...read.data);
        const { creditsUsed = 0, hasMore } = read.meta;
        agreedTo.current -= creditsUsed;
        if (creditsUsed > 0) onSpent();
        if (!hasMore) break;
      }
      return found;
    },
    [list.id, isAgreed, pages],
  );
  const refresh = () => {
    again();
    onChanged();
  };
  const addIds = async (projectIds: number[]): Promise<AddedProjects> => {
    const { data } = await call('addListProjects', { id: list.id, body: { projectIds } });
    refresh();
    return data;
  };
  const removeIds = async (ids: readonly number[]) => {
    for (const projectId of ids) {
      await call('removeListProject', { id: list.id, projectId });
      refresh();
    }
  };
  const remove = async (record: ListedRecord) => {
    await removeIds([record.id]);
    showToast(`${nameOfRecord(record)} is no longer in the list.`, async () => {
      await addIds([record.id]);
      if (record.note) await saveNote(record, record.note);
    });
  };
  const saveNote = async ({ id: projectId }: ListedRecord, note: string) => {
    await call('noteListProject', { id: list.id, projectId, body: { note } });
    refresh();
  };
  const add = async (projectIds: number[]) => {
    const outcome = await addIds(projectIds);
    showToast(describeAdded(outcome), outcome.added.length ? () => removeIds(outcome.added) : undefined);
  };
  const canChange = list.kind === 'membership';
  const total = list.projectCount ?? 0;
  const rows = (answer ?? []).map((record) => [
    ...recordCells(record),
    ...(canChange
      ? [
          <NoteCell record={record} save={(note) => saveNote(record, note)} />,
          <SmallAction work={() => remove(record)}>
            Remove<span class="hidden"> {nameOfRecord(record)}</span>
          </SmallAction>,
        ]
      : []),
  ]);
  return (
    <section class="part-card">
      <h2>{countInWords(total, 'project')}</h2>
      <Problems>
        <ProblemNotice />
        {refused && <Notice problem={refused} again={again} />}
        {!isAgreed && total > 0 && (
          <div class="price">
            <p>
              Reading them costs <strong>{countInWords(credits, 'credit')}</strong>, for {countInWords(records, 'record')} that your team
              does not hold as they are. Your balance is {number(account.balance)}.
            </p>
            <PrimaryButton onClick={agree}>Read for {countInWords(credits, 'credit')}</PrimaryButton>
          </div>
        )}
        {isAgreed && !answer && !refused && <Loading />}
        {isAgreed && answer && rows.length > 0 && (
          <Table label="Projects of the list" heads={[...RECORD_HEADS, ...(canChange ? ['Note', 'Actions'] : [])]} rows={rows} />
        )}
        {answer && total === 0 && <Empty>No project is in it.</Empty>}
        {isAgreed && answer && answer.length < total && answer.length === pages * PAGE_SIZE && (
          <Button onClick={() => setPages(pages + 1)}>
            Show {number(Math.min(PAGE_SIZE, total - answer.length))} more of {number(total)}
          </Button>
        )}
        {canChange && <AddForm onAdd={add} />}
      </Problems>
    </section>
  );
}
