/** The tab that matches a list of one's own with projects: the file is read here, and its rows are sent some at a time. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { MatchProjectsBody } from '../../../clients/client/generated.ts';
import { type ListFile, nameColumns } from '../../../clients/client/listFile.ts';
import {
  type AskMatch,
  describeColumns,
  findListColumns,
  type ListColumns,
  type MatchedLine,
  matchList,
} from '../../../clients/client/matchList.ts';
import { AddToList } from '../shared/addToList.tsx';
import { call } from '../shared/api.ts';
import { nameOfRecord } from '../shared/facts.ts';
import { saveText } from '../shared/files.ts';
import { useCall } from '../shared/hooks.ts';
import { Check, Field, Select, TextField } from '../shared/inputs.tsx';
import { usePage } from '../shared/page.ts';
import { asProblem } from '../shared/problems.ts';
import { toAddress } from '../shared/state.ts';
import { Button, Definitions, PrimaryAction, PrimaryButton, ProblemNotice, Problems, Table, useProblems } from '../shared/ui.tsx';
import { countInWords, number } from '../shared/words.ts';
import {
  CERTAINTIES,
  type Certainty,
  certaintyOf,
  readList,
  readTyped,
  SCORE_POSSIBLE,
  TYPED_HEADERS,
  type UsualPlace,
  unreadLines,
  writeMatchedCsv,
} from './matchedLines.ts';

interface OpenList {
  /** tells it from a file of the same name */
  turn: number;
  isTyped: boolean;
  name: string;
  list: ListFile;
  columns: ListColumns;
}

type ReadList = Pick<OpenList, 'name' | 'list' | 'columns'>;

/** A list that was read, or why it is none. @param name of the file */
function openList(name: string, list: ListFile | string): ReadList | string {
  if (typeof list === 'string') return `${name} cannot be read: ${list}.`;
  const columns = findListColumns(list.headers);
  if (columns) return { name, list, columns };
  return `No column of ${name} names anything. Call one of them parcel, case, address, or two latitude and longitude; it has ${list.headers.join(', ')}.`;
}

/** A place to drop a file on, with the button that chooses one. */
function FileInput({ onFile }: { onFile: (file: File) => void }) {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer?.files ?? [];
    if (file) onFile(file);
  };
  const dragOver = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field in it does the same by keyboard
    <div class={`drop ${isOver ? 'over' : ''}`} onDragOver={dragOver} onDragLeave={() => setOver(false)} onDrop={drop}>
      <label for="match-file">Or drop a CSV file here, or choose one</label>
      <input
        id="match-file"
        type="file"
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        onChange={({ currentTarget: input }) => {
          const [file] = input.files ?? [];
          if (file) onFile(file);
          input.value = '';
        }}
      />
    </div>
  );
}

/** Rows of a table that are drawn; the file has all. */
const ROWS_SHOWN = 200;

const UnreadRows = ({ rows }: { rows: readonly (readonly [line: number, why: string])[] }) => (
  <details>
    <summary>{countInWords(rows.length, 'row')} not read, and why</summary>
    <Table
      label="Rows not read"
      heads={['Row', 'Why']}
      numbers={[0]}
      rows={rows.slice(0, ROWS_SHOWN).map(([at, why]) => [number(at), why])}
    />
  </details>
);

function ReadFile({ name, list, columns }: OpenList) {
  const { creditRate } = usePage().account;
  const used = new Set([...columns.values()].flat());
  const others = list.headers.filter((header, at) => header && !used.has(at));
  const unread = unreadLines(list);
  return (
    <>
      <Definitions
        class="match-read"
        rows={[
          ['File', name],
          ['Encoding', list.notices.join(' ') || 'UTF-8'],
          ['Rows', number(list.lines.length)],
          ['Columns that are sent', describeColumns(list.headers, columns)],
          ['Columns that stay here', others.join(', ') || 'none'],
          ['Price', creditRate ? 'Free of charge: records that your team does not hold are counted, not named' : 'Free of charge'],
        ]}
      />
      {unread.length > 0 && <UnreadRows rows={unread} />}
    </>
  );
}

const RecordLink = ({ id, name }: { id: number; name: string | undefined }) => {
  const { state } = usePage();
  const href = toAddress({ ...state, filters: {}, view: null, tab: 'map', project: id });
  return (
    <a href={href} target="_blank" rel="noreferrer" aria-label={`${name ?? `Record ${id}`}, opens in a new tab`}>
      {name ?? id}
    </a>
  );
};

const NAMES_MAX = 100;

/** Names of the records that were found, where reading them is free. */
function useNames(ids: readonly number[]): ReadonlyMap<number, string> {
  const isFree = usePage().account.creditRate === 0;
  const asked = isFree && ids.length ? { projectIds: ids.slice(0, NAMES_MAX), representation: 'compact' as const, limit: NAMES_MAX } : null;
  const { answer } = useCall('searchProjects', asked);
  const records = Array.isArray(answer?.data) ? answer.data : [];
  return new Map(records.map((record) => [record.id, nameOfRecord(record)]));
}

/** The rows of a list in three groups, with what each holds. */
const GROUPS: readonly (readonly [title: string, certainties: readonly Certainty[]])[] = [
  ['Sure', ['sure']],
  ['Unsure', ['possible']],
  ['None', ['none', 'counted', 'unread']],
];

interface FoundLine {
  line: MatchedLine;
  /** its place in the file */
  at: number;
}

interface GroupProps {
  title: string;
  lines: readonly FoundLine[];
  list: ListFile;
  names: ReadonlyMap<number, string>;
  kept: ReadonlySet<number>;
  /** columns of the list that are shown beside what was found */
  shownColumns: number;
  onToggle: (at: number) => void;
}

/** The rows of a group, each with the file's own columns behind what was found. */
function Group({ title, lines, list, names, kept, shownColumns, onToggle }: GroupProps) {
  const certainties = [...new Set(lines.map(({ line }) => certaintyOf(line)))];
  const isFound = lines.some(({ line }) => line.matchId !== null);
  const cellsOf = ({ line, at }: FoundLine) => [
    ...(isFound
      ? [<Check label={<span class="hidden">Keep row {at + 1}</span>} checked={kept.has(at)} onChange={() => onToggle(at)} />]
      : []),
    number(at + 1),
    line.matchId === null ? foundWords(line) : <RecordLink id={line.matchId} name={names.get(line.matchId)} />,
    ...(isFound ? [line.matchScore?.toFixed(3) ?? '', line.matchReasons?.replaceAll('_', ' ').replaceAll(' point', ', point') ?? ''] : []),
    ...(list.lines[at]?.cells ?? []).slice(0, shownColumns),
  ];
  return (
    <section class="part-card" aria-label={title}>
      <h3>
        {title}: {number(lines.length)}
      </h3>
      {certainties.map((certainty) => (
        <p class="note" key={certainty}>
          {certainties.length > 1 && <strong>{CERTAINTIES[certainty].label}: </strong>}
          {CERTAINTIES[certainty].about}
        </p>
      ))}
      <Table
        label={`${title}, rows`}
        heads={[
          ...(isFound ? ['Keep'] : []),
          'Row',
          'Project',
          ...(isFound ? ['Score', 'Agrees in'] : []),
          ...nameColumns(list.headers).slice(0, shownColumns),
        ]}
        numbers={isFound ? [1, 3] : [0]}
        rows={lines.slice(0, ROWS_SHOWN).map(cellsOf)}
      />
      {lines.length > ROWS_SHOWN && <p class="note">The first {ROWS_SHOWN} are shown; the file has all.</p>}
    </section>
  );
}

/** What stands for a project that is not named. */
const foundWords = ({ matchProblem, matchCount }: MatchedLine) =>
  matchProblem ?? (matchCount ? `${countInWords(matchCount, 'record')} that your team does not hold` : 'none found');

function Result({ name, list, isTyped, matched }: OpenList & { matched: readonly MatchedLine[] }) {
  const found = matched.map((line, at) => ({ line, at }));
  const [kept, setKept] = useState(() => new Set(found.flatMap(({ line, at }) => (certaintyOf(line) === 'sure' ? [at] : []))));
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [matched]);
  const toggle = (at: number) => setKept(new Set(kept.has(at) ? [...kept].filter((one) => one !== at) : [...kept, at]));
  const idsOf = (lines: readonly FoundLine[]) => [...new Set(lines.flatMap(({ line }) => line.matchId ?? []))];
  const names = useNames(idsOf(found));
  const ids = idsOf(found.filter(({ at }) => kept.has(at)));
  const groups = GROUPS.map(([title, certainties]) => ({
    title,
    lines: found.filter(({ line }) => certainties.includes(certaintyOf(line))),
  }));
  // What a typed line was taken for is seen in the line itself.
  const shownColumns = isTyped && list.headers[0] === TYPED_HEADERS[0] ? 1 : list.headers.length;
  const download = () => saveText(writeMatchedCsv(list, matched), 'text/csv', `${name.replace(/\.\w+$/, '')}-matched.csv`);
  return (
    <section class="card">
      <h2 tabIndex={-1} ref={heading}>
        {groups.map(({ title, lines }) => `${title}: ${number(lines.length)}`).join(' · ')}
      </h2>
      <Button onClick={download}>Download your list with the matches</Button>
      {groups.map(
        ({ title, lines }) =>
          lines.length > 0 && <Group key={title} {...{ title, lines, list, names, kept, shownColumns }} onToggle={toggle} />,
      )}
      {ids.length > 0 && (
        <Problems>
          <h3>Keep {countInWords(ids.length, 'project')} as a list</h3>
          <p class="note">The rows that are ticked: the sure ones, and those of the unsure ones that you tick.</p>
          <ProblemNotice />
          <AddToList key={ids.join()} ids={ids} onDone={() => undefined} />
        </Problems>
      )}
    </section>
  );
}

interface RunProps {
  open: OpenList;
  onMatched: (matched: MatchedLine[]) => void;
}

/** Matches the open list, with a button that stops it; typed lines at once. */
function Running({ open, onMatched }: RunProps) {
  const { report } = useProblems();
  const [done, setDone] = useState<number | null>(null);
  const stop = useRef(new AbortController());
  useEffect(() => {
    if (open.isTyped) run().catch((error) => report(asProblem(error)));
    return () => stop.current.abort();
  }, []);
  const total = open.list.lines.length;
  const run = async () => {
    stop.current = new AbortController();
    const { signal } = stop.current;
    setDone(0);
    try {
      const ask: AskMatch = ({ rows }) =>
        call('matchProjects', { body: { rows: [...rows] as MatchProjectsBody['rows'], minScore: SCORE_POSSIBLE } }, { signal });
      onMatched(await matchList(open.list, open.columns, ask, setDone));
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      setDone(null);
    }
  };
  return (
    <>
      <ProblemNotice />
      <p class="actions">
        {done === null && <PrimaryAction work={run}>Match {countInWords(total, 'row')}</PrimaryAction>}
        {done !== null && <Button onClick={() => stop.current.abort()}>Stop</Button>}
      </p>
      {done !== null && (
        <p class="match-progress">
          <progress aria-label="Rows done" max={total} value={done} />{' '}
          <span role="status">
            {number(done)} of {countInWords(total, 'row')}
          </span>
        </p>
      )}
    </>
  );
}

const Run = (given: RunProps) => (
  <Problems>
    <Running {...given} />
  </Problems>
);

const TYPED_CHARACTERS_MAX = 200_000;

/** Lines that are typed or pasted, and where they are if they do not say it. */
function TypedLines({ onRead }: { onRead: (read: string | ListFile) => void }) {
  const { words } = usePage();
  const [text, setText] = useState('');
  const [usual, setUsual] = useState<UsualPlace>({ city: '', state: '' });
  const count = text.split('\n').filter((line) => line.trim()).length;
  const states = (words?.states ?? []).map(({ abbreviation, name }) => ({ value: abbreviation, label: name }));
  return (
    <section class="card">
      <TextField
        id="match-text"
        label="Type or paste addresses, parcel numbers or case numbers, one a line"
        rows={6}
        maxLength={TYPED_CHARACTERS_MAX}
        placeholder={'1801 Pearl St, Boulder, CO\nZ-2026-014\n524375029'}
        value={text}
        onChange={setText}
      />
      <div class="row">
        <Field id="match-city" label="City, of lines that name none" value={usual.city} onChange={(city) => setUsual({ ...usual, city })} />
        <Select
          id="match-state"
          label="State, of lines that name none"
          value={usual.state}
          options={[{ value: '', label: 'Any state' }, ...states]}
          onChange={(state) => setUsual({ ...usual, state })}
        />
        <PrimaryButton disabled={!count} onClick={() => onRead(readTyped(text, usual))}>
          Find {countInWords(count, 'line')}
        </PrimaryButton>
      </div>
    </section>
  );
}

export function Match() {
  const [open, setOpen] = useState<OpenList | null>(null);
  const [problem, setProblem] = useState('');
  const [matched, setMatched] = useState<MatchedLine[] | null>(null);
  const take = (read: ReadList | string, isTyped: boolean) => {
    setMatched(null);
    setOpen((before) => (typeof read === 'string' ? null : { ...read, isTyped, turn: (before?.turn ?? 0) + 1 }));
    setProblem(typeof read === 'string' ? read : '');
  };
  return (
    <div class="sheet match">
      <h1>Match</h1>
      <p class="lead">
        Which projects the parcels, cases, addresses or points of your own list are. It is read in this browser, and only the columns that
        name a place or a project are sent. <a href="/docs/matching">How rows are matched</a>
      </p>
      <TypedLines onRead={(read) => take(openList('typed list', read), true)} />
      <FileInput onFile={async (file) => take(openList(file.name, readList(new Uint8Array(await file.arrayBuffer()))), false)} />
      {problem && (
        <p class="notice" role="alert">
          {problem}
        </p>
      )}
      {open && !open.isTyped && <ReadFile {...open} />}
      {open && <Run key={open.turn} open={open} onMatched={setMatched} />}
      {open && matched && <Result key={open.turn} {...open} matched={matched} />}
    </div>
  );
}
