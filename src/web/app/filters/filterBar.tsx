/** The bar above every tab that shows records: a box that completes filters, a chip for each, and all of them in a panel. */
import { useState } from 'preact/hooks';
import { copyText } from '../shared/clipboard.ts';
import { useCatalogue, usePlaceNames } from '../shared/criteria.tsx';
import { type FilterCatalogue, type FilterTexts, fieldsOf, listText, rowOf, valuesOf, withOwnNames } from '../shared/filterRows.ts';
import { forgetShapes } from '../shared/keptShapes.ts';
import { usePage } from '../shared/page.ts';
import { type FilterChange, NEW_LIST, type TabName, withFilters } from '../shared/state.ts';
import { showToast } from '../shared/toasts.tsx';
import { Action, Button, Dialog, Notice, PrimaryButton, ProblemNotice, Problems, QuietButton, SmallButton } from '../shared/ui.tsx';
import { FilterField } from './fields.tsx';
import { FilterChips } from './filterChips.tsx';
import type { FilterOffer, UnreadWords } from './offers.ts';
import { SearchBox } from './searchBox.tsx';
import { type FilterProblem, type FilterUse, useProblems } from './useFilters.ts';

function FilterPanel({ use, onClear, onClose }: { use: FilterUse; onClear: () => void; onClose: () => void }) {
  const subjects = Map.groupBy(fieldsOf(use.catalogue), ({ subject }) => subject);
  return (
    <Dialog class="filter-panel" aria-label="All filters" onClose={onClose}>
      {(close) => (
        <>
          <header>
            <h2>All filters</h2>
            <Button disabled={Object.keys(use.filters).length === 0} onClick={onClear}>
              Clear every filter
            </Button>
            <PrimaryButton onClick={close}>Done</PrimaryButton>
          </header>
          <form class="subjects" onSubmit={(event) => event.preventDefault()}>
            {[...subjects].map(([subject, fields]) => (
              <section key={subject} aria-label={subject}>
                <h3>{subject}</h3>
                {fields.map((field) => (
                  <FilterField key={field.key} field={field} use={use} />
                ))}
              </section>
            ))}
          </form>
        </>
      )}
    </Dialog>
  );
}

function FilterProblems({ use: { catalogue, filters, problems, onChange } }: { use: FilterUse }) {
  if (!problems.length) return null;
  const put = ({ name, value }: FilterProblem, instead: string) => {
    // Replaces an unknown filter by a suggested one with the same value.
    if (!rowOf(catalogue, name)) return onChange({ [name]: null, [instead]: filters[name] ?? null });
    const values = valuesOf(filters[name]);
    const isOfList = value !== undefined && values.length > 1;
    return onChange({ [name]: isOfList ? listText(values.map((one) => (one === value ? instead : one))) : instead });
  };
  return (
    <ul class="filter-problems" aria-label="What is wrong with the filters">
      {problems.map((problem) => (
        <li key={problem.message}>
          <strong>{rowOf(catalogue, problem.name)?.label ?? problem.name}</strong>: {problem.message}{' '}
          {problem.instead.map(({ value, label }) => (
            <SmallButton key={value} onClick={() => put(problem, value)}>
              Use {label}
            </SmallButton>
          ))}
          <SmallButton onClick={() => onChange({ [problem.name]: null })}>Remove it</SmallButton>
        </li>
      ))}
    </ul>
  );
}

interface UnreadProps {
  unread: UnreadWords;
  onSearch: () => void;
  onAsk: () => void;
  onDrop: () => void;
}

/** The words of a sentence that no filter says, with what can be done about them. */
const UnreadChip = ({ unread: { words }, onSearch, onAsk, onDrop }: UnreadProps) => (
  <li class="filter-chip unread">
    <span class="edit">
      <span class="chip-label">Not understood:</span> “{words}”
    </span>
    <Button onClick={onSearch}>Search these words</Button>
    <Button onClick={onAsk}>Ask</Button>
    <Button kind="remove" aria-label={`Drop “${words}”`} onClick={onDrop}>
      ×
    </Button>
  </li>
);

/** The change of the address: filters that it has under other names get their own. */
function changeOfAddress(catalogue: FilterCatalogue, sent: FilterTexts, own: FilterTexts, change: FilterChange): FilterChange {
  const renamed = Object.keys(sent).filter((name) => (rowOf(catalogue, name)?.name ?? name) !== name);
  const names = renamed.map((name) => rowOf(catalogue, name)?.name ?? name);
  return {
    ...Object.fromEntries(renamed.map((name) => [name, null])),
    ...Object.fromEntries(names.map((name) => [name, own[name] ?? null])),
    ...change,
  };
}

/** Saves the filters under a name, and copies their address, which holds no key. */
function SearchActions() {
  const { state, go } = usePage();
  const copyAddress = async () => {
    await copyText(location.href);
    showToast('The link is copied. It opens this search for everybody who has a key.');
  };
  return (
    <Problems>
      <QuietButton onClick={() => go({ ...state, tab: 'lists', project: null, open: NEW_LIST })}>Save as list</QuietButton>
      <Action kind="quiet small" work={copyAddress}>
        Share
      </Action>
      <ProblemNotice />
    </Problems>
  );
}

interface BarProps {
  /** the period of meetings that counts in this tab unless one is chosen; that of a search where it is not given */
  dateRange?: string | undefined;
  /** parts of the page by their names */
  tabs: ReadonlyMap<string, TabName>;
  /** whether the box is focused when it appears */
  isSought: boolean;
}

export function FilterBar({ dateRange, tabs, isSought }: BarProps) {
  const { state, go, words } = usePage();
  const [edited, setEdited] = useState<string | null>(null);
  const [unread, setUnread] = useState<UnreadWords | null>(null);
  const [doubt, setDoubt] = useState('');
  const [isPanelOpen, setIsPanelOpen] = useState(false);
  const { answer: catalogue, problem, again } = useCatalogue();
  const filters = catalogue ? withOwnNames(catalogue, state.filters) : state.filters;
  const states = words?.states ?? [];
  const places = usePlaceNames(filters);
  const problems = useProblems(catalogue, state.filters);
  if (problem) return <Notice problem={problem} again={again} />;
  if (!catalogue) return <div class="filter-bar" />;
  const changed = (change: FilterChange) => withFilters(state, changeOfAddress(catalogue, state.filters, filters, change));
  const onChange = (change: FilterChange) => go(changed(change));
  const use: FilterUse = {
    catalogue,
    filters,
    places,
    states,
    problems,
    onChange,
    dateRange: dateRange ?? catalogue.defaultDateRange,
  };
  /** Follows an offer; words that it leaves unread, and what it read into a name, stay to be seen. */
  const take = ({ change, opens, to, isPlace, unread: left, doubt: doubtful = '', added }: Partial<FilterOffer>) => {
    setUnread(left ?? null);
    setDoubt(doubtful);
    if (opens) setEdited(opens);
    else if (change || to) go({ ...changed(change ?? {}), ...(isPlace ? { view: null } : {}), ...to });
    if (added) showToast(added, async () => go(state));
  };
  const clear = () => {
    setUnread(null);
    setDoubt('');
    const restoreShapes = forgetShapes();
    go({ ...state, filters: {}, view: null, project: null });
    if (!restoreShapes) return;
    showToast('The search and the drawn areas are cleared.', async () => {
      restoreShapes();
      go(state);
    });
  };
  const count = Object.keys(filters).length;
  return (
    <section class="filter-bar" aria-label="Filters">
      <SearchBox use={use} tabs={tabs} isSought={isSought} onTake={take} />
      <FilterChips use={use} edited={edited} onEdit={setEdited}>
        {unread && (
          <UnreadChip
            unread={unread}
            onSearch={() => take({ change: { q: unread.words } })}
            onAsk={() => take({ to: { tab: 'ask', question: unread.sentence, job: null } })}
            onDrop={() => setUnread(null)}
          />
        )}
      </FilterChips>
      <div class="filter-actions">
        {count > 0 && (
          <>
            <SearchActions />
            <QuietButton onClick={clear}>Clear</QuietButton>
          </>
        )}
        <SmallButton
          aria-haspopup="dialog"
          onClick={() => {
            setEdited(null);
            setIsPanelOpen(true);
          }}
        >
          All filters
        </SmallButton>
      </div>
      {doubt && <p class="note doubt">{doubt}</p>}
      <FilterProblems use={use} />
      {isPanelOpen && <FilterPanel use={use} onClear={clear} onClose={() => setIsPanelOpen(false)} />}
    </section>
  );
}
