/** An open list: its records or criteria, notes, sharing. */
import { useState } from 'preact/hooks';
import type { Input } from '../../../clients/client/prepare.ts';
import type { SavedList } from '../shared/answers.ts';
import { call, forgetAnswers } from '../shared/api.ts';
import { CriteriaChips, isSameSearch } from '../shared/criteria.tsx';
import { useCall, useLatest } from '../shared/hooks.ts';
import { TextField } from '../shared/inputs.tsx';
import { StateLink } from '../shared/links.tsx';
import { usePage } from '../shared/page.ts';
import { asProblem } from '../shared/problems.ts';
import { viewOfList } from '../shared/savedView.ts';
import { toFilters } from '../shared/state.ts';
import { showToast } from '../shared/toasts.tsx';
import { Action, Loading, Notice, ProblemNotice, Problems, useProblems } from '../shared/ui.tsx';
import { type Criteria, countInWords, date, filtersInAddress } from '../shared/words.ts';
import { EntryLoading, OpenHeading, useDeletion } from './heading.tsx';
import { ListRecords } from './listRecords.tsx';
import { Sharing } from './sharing.tsx';

function ListCriteria({ list, onChange }: { list: SavedList; onChange: (filters: Criteria) => Promise<void> }) {
  const { state } = usePage();
  const { report } = useProblems();
  const filters: Criteria = list.filters ?? {};
  const { sort = null, order = null, ...searched } = filtersInAddress({ ...filters, ...(list.polygon ? { polygon: list.polygon } : {}) });
  const { answer, problem, again } = useCall('countProjects', toFilters(searched));
  const latest = useLatest(filters);
  const replace = async (next: Criteria, said: string, back: () => Criteria = () => filters) => {
    await onChange(next);
    showToast(said, () => onChange(back()));
  };
  const removeFilters = (names: readonly string[]) =>
    replace(
      Object.fromEntries(Object.entries(filters).filter(([one]) => !names.includes(one))),
      'The filter is taken away.',
      // Others may have been taken away since.
      () => ({ ...latest.current, ...Object.fromEntries(names.map((name) => [name, filters[name]])) }),
    ).catch((error) => report(asProblem(error)));
  const takeFilters = () =>
    replace({ ...state.filters, ...(sort ? { sort } : {}), ...(order ? { order } : {}) }, 'The list has the filters of the map now.');
  const hasOthers = list.kind === 'filter' && Object.keys(state.filters).length > 0 && !isSameSearch(state.filters, searched);
  return (
    <section class="card part-card">
      <h2>What it finds</h2>
      <CriteriaChips filters={filters} onRemove={removeFilters} />
      {list.polygon && <p class="note">Within a shape drawn on the map.</p>}
      {problem ? (
        <Notice problem={problem} again={again} />
      ) : answer ? (
        <p>{countInWords(answer.data.matchCount, 'project')} now.</p>
      ) : (
        <Loading />
      )}
      <p class="actions">
        <StateLink to={{ tab: 'map', filters: searched, view: null, project: null }}>Show or change on the map</StateLink>
        {hasOthers && <Action work={takeFilters}>Take the filters of the map</Action>}
      </p>
    </section>
  );
}

const NOTES_CHARACTERS_MAX = 2000;

function Notes({ notes, onSave }: { notes: string; onSave: (notes: string) => Promise<void> }) {
  const [text, setText] = useState(notes);
  const save = async () => {
    await onSave(text.trim());
    showToast('The notes are saved.', async () => {
      await onSave(notes);
      setText(notes);
    });
  };
  return (
    <section class="card part-card">
      <h2>Notes</h2>
      <TextField
        id="notes"
        label="For everyone who sees the list"
        rows={4}
        maxLength={NOTES_CHARACTERS_MAX}
        value={text}
        onChange={setText}
      />
      <p class="actions">
        <Action disabled={text.trim() === notes} work={save}>
          Save the notes
        </Action>
      </p>
    </section>
  );
}

function DeleteButton({ list }: { list: { id: string; name: string } }) {
  return (
    <Action kind="danger" work={useDeletion('lists', list)}>
      Delete
    </Action>
  );
}

export function OpenList({ id }: { id: string }) {
  const opened = useCall('getList', { id });
  const { answer, problem, again } = opened;
  const change = async (body: Input<'changeList'>['body']) => {
    await call('changeList', { id, body });
    forgetAnswers();
    again();
  };
  if (!answer) return <EntryLoading title="List" asked={opened} />;
  const list = answer.data;
  const isOwn = list.kind !== 'alert';
  return (
    <Problems>
      <div class="sheet">
        <OpenHeading back="All lists" name={list.name} onRename={isOwn ? (name) => change({ name }) : undefined}>
          {isOwn && <DeleteButton list={list} />}
          <StateLink to={{ ...viewOfList(list), tab: 'table', open: id }}>Open as the table</StateLink>
          <span class="note">Made {date(list.createdAt)}</span>
        </OpenHeading>
        <ProblemNotice />
        {problem && <Notice problem={problem} again={again} />}
        {list.alertId && (
          <p>
            It holds what an alert has matched: <StateLink to={{ tab: 'alerts', open: list.alertId }}>open the alert</StateLink>, to which
            its name and sharing belong.
          </p>
        )}
        {list.projectCount === null ? (
          <ListCriteria list={list} onChange={(filters) => change({ filters })} />
        ) : (
          <ListRecords key={id} list={list} onChanged={again} />
        )}
        {isOwn && (
          <div class="grid">
            <Notes key={id} notes={list.description ?? ''} onSave={(notes) => change({ description: notes || null })} />
            <Sharing share={list.share} createdBy={list.createdBy} what="list" onChange={(share) => change({ share })} />
          </div>
        )}
      </div>
    </Problems>
  );
}
