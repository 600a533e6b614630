/** The tab that matches a list of one's own with projects: the file is read here, and its rows are sent some at a time. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { MatchProjectsBody } from '../../../clients/client/generated.ts';
import type { ListFile } from '../../../clients/client/listFile.ts';
import {
  type AskMatch,
  describeColumns,
  findListColumns,
  type ListColumns,
  type MatchedLine,
  matchList,
} from '../../../clients/client/matchList.ts';
import { call } from '../shared/api.ts';
import { saveText } from '../shared/files.ts';
import { Select } from '../shared/inputs.tsx';
import { usePage } from '../shared/page.ts';
import { toAddress } from '../shared/state.ts';
import { Button, Definitions, Empty, PrimaryAction, ProblemNotice, Problems, Table } from '../shared/ui.tsx';
import { countInWords, number } from '../shared/words.ts';
import { CERTAINTIES, certaintyOf, readList, SCORE_POSSIBLE, unreadLines, writeMatchedCsv } from './matchedLines.ts';

interface OpenList {
  /** tells it from a file of the same name */
  turn: number;
  name: string;
  list: ListFile;
  columns: ListColumns;
}

/** Reads a file, and says why where it is no list. */
async function openList(file: File): Promise<Omit<OpenList, 'turn'> | string> {
  const list = readList(new Uint8Array(await file.arrayBuffer()));
  if (typeof list === 'string') return `${file.name} cannot be read: ${list}.`;
  const columns = findListColumns(list.headers);
  if (columns) return { name: file.name, list, columns };
  return `No column of ${file.name} names anything. Call one of them parcel, case, address, or two latitude and longitude; it has ${list.headers.join(', ')}.`;
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
      <label for="match-file">Drop a CSV file here, or choose one</label>
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

const isShown = (line: MatchedLine, shown: string) => shown === 'all' || certaintyOf(line) === shown;

const RecordLink = ({ id }: { id: number }) => {
  const { state } = usePage();
  const href = toAddress({ ...state, filters: {}, view: null, tab: 'map', project: id });
  return (
    <a href={href} target="_blank" rel="noreferrer" aria-label={`Record ${id}, opens in a new tab`}>
      {id}
    </a>
  );
};

const recordCell = ({ matchId, matchCount }: MatchedLine) => {
  if (matchId !== null) return <RecordLink id={matchId} />;
  return matchCount ? `${countInWords(matchCount, 'record')} that your team does not hold` : '';
};

function Result({ name, list, columns, matched }: OpenList & { matched: readonly MatchedLine[] }) {
  const [shown, setShown] = useState('all');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [matched]);
  const counts = Object.entries(CERTAINTIES).flatMap(([token, words]) => {
    const count = matched.filter((line) => certaintyOf(line) === token).length;
    return count ? [{ token, ...words, count }] : [];
  });
  const places = [...columns].filter(([field]) => field !== 'ref').flatMap(([, at]) => at);
  const rows = matched.flatMap((line, at) => (isShown(line, shown) ? [{ line, at }] : []));
  const cells = rows
    .slice(0, ROWS_SHOWN)
    .map(({ line, at }) => [
      number(at + 1),
      places.flatMap((place) => list.lines[at]?.cells[place]?.trim() || []).join(', '),
      line.matchProblem ?? CERTAINTIES[certaintyOf(line)].label,
      line.matchScore === null ? '' : line.matchScore.toFixed(3),
      line.matchReasons?.replaceAll('_', ' ').replaceAll(' point', ', point') ?? '',
      recordCell(line),
    ]);
  const download = () => saveText(writeMatchedCsv(list, matched), 'text/csv', `${name.replace(/\.\w+$/, '')}-matched.csv`);
  return (
    <section class="card">
      <h2 tabIndex={-1} ref={heading}>
        {counts.map(({ label, count }) => `${label}: ${number(count)}`).join(' · ')}
      </h2>
      {counts.map(({ label, about }) => (
        <p class="note" key={label}>
          <strong>{label}:</strong> {about}
        </p>
      ))}
      <div class="row">
        <Select
          id="match-shown"
          label="Show"
          value={shown}
          options={[{ value: 'all', label: 'All rows' }, ...counts.map(({ token, label }) => ({ value: token, label }))]}
          onChange={setShown}
        />
        <Button onClick={download}>Download your file with the matches</Button>
      </div>
      {rows.length > 0 ? (
        <Table
          label="Rows with their matches"
          heads={['Row', 'What it names', 'Match', 'Score', 'Agrees in', 'Record']}
          numbers={[0, 3]}
          rows={cells}
        />
      ) : (
        <Empty>No such row.</Empty>
      )}
      {rows.length > ROWS_SHOWN && <p class="note">The first {ROWS_SHOWN} are shown; the file has all.</p>}
    </section>
  );
}

/** Matches the open list, with a button that stops it. */
function Run({ open, onMatched }: { open: OpenList; onMatched: (matched: MatchedLine[]) => void }) {
  const [done, setDone] = useState<number | null>(null);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
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
    <Problems>
      <ProblemNotice />
      <p class="actions">
        <PrimaryAction work={run}>Match {countInWords(total, 'row')}</PrimaryAction>
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
    </Problems>
  );
}

export function Match() {
  const [open, setOpen] = useState<OpenList | null>(null);
  const [problem, setProblem] = useState('');
  const [matched, setMatched] = useState<MatchedLine[] | null>(null);
  const take = async (file: File) => {
    const read = await openList(file);
    setMatched(null);
    setOpen((before) => (typeof read === 'string' ? null : { ...read, turn: (before?.turn ?? 0) + 1 }));
    setProblem(typeof read === 'string' ? read : '');
  };
  return (
    <div class="sheet match">
      <h1>Match</h1>
      <p class="lead">
        Which projects the parcels, cases, addresses or points of your own list are. The file is read in this browser, and only the columns
        that name a place or a project are sent. <a href="/docs/matching">How rows are matched</a>
      </p>
      <FileInput onFile={take} />
      {problem && (
        <p class="notice" role="alert">
          {problem}
        </p>
      )}
      {open && <ReadFile {...open} />}
      {open && <Run key={open.turn} open={open} onMatched={setMatched} />}
      {open && matched && <Result {...open} matched={matched} />}
    </div>
  );
}
