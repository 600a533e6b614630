/** The panel of a record: its price before it is read, then what the minutes say, with the words that prove it. */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { RecordChanges } from '../shared/answers.ts';
import { call, spend } from '../shared/api.ts';
import { nameOfRecord, type ReadRecord } from '../shared/facts.ts';
import { useAnswer } from '../shared/hooks.ts';
import { areKeysOff, isTyping } from '../shared/singleKeys.ts';
import { Badge, Button, Loading, Notice, PanelHead, PrimaryAction, ProblemNotice, Problems, QuietButton } from '../shared/ui.tsx';
import { countInWords, date, joinParts, number } from '../shared/words.ts';
import { RecordActions } from './actions.tsx';
import { Changes, changedFields } from './changes.tsx';
import { KeyFacts, ProofLegend } from './keyFacts.tsx';
import { WithProofs } from './proofs.tsx';
import { RecordView } from './recordView.tsx';

interface RecordResults {
  /** ids in the order in which they are shown */
  ids: readonly number[];
  open: (id: number) => void;
}

/** The keys of the steps, as in the table of records. */
const STEP_KEYS: Readonly<Record<string, number>> = { j: 1, k: -1 };

/** Steps by keys that are pressed within the panel. */
function useStepKeys(panel: RefObject<HTMLElement | null>, id: number, results: RecordResults | undefined) {
  useEffect(() => {
    const step = (event: KeyboardEvent) => {
      const by =
        event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || areKeysOff() ? undefined : STEP_KEYS[event.key];
      const to = by && results?.ids[results.ids.indexOf(id) + by];
      if (!results || !to || !results.ids.includes(id)) return;
      event.stopPropagation();
      results.open(to);
    };
    panel.current?.addEventListener('keydown', step);
    return () => panel.current?.removeEventListener('keydown', step);
  });
}

/** Nothing where the record is not among the results. */
function Steps({ id, results: { ids, open } }: { id: number; results: RecordResults }) {
  const at = ids.indexOf(id);
  if (at < 0 || ids.length < 2) return null;
  const step = (to: number | undefined, label: string, arrow: string) => (
    <QuietButton disabled={to === undefined} aria-label={label} onClick={() => to && open(to)}>
      {arrow}
    </QuietButton>
  );
  return (
    <nav class="steps" aria-label="Records of the results">
      {step(ids[at - 1], 'Previous record (k)', '←')}
      <span class="note">
        {number(at + 1)} of {number(ids.length)}
      </span>
      {step(ids[at + 1], 'Next record (j)', '→')}
    </nav>
  );
}

interface RecordPanelProps {
  id: number;
  /** what the panel was opened from, for steps to the previous and the next record */
  results?: RecordResults | undefined;
  onClose: () => void;
  onRead?: (record: ReadRecord) => void;
  /** Called after a purchase. */
  onSpent: () => void;
}

/** What the record costs, and the button that spends it. */
function Price({ changes, onBuy }: { changes: RecordChanges; onBuy: () => Promise<void> }) {
  const credits = countInWords(changes.nextRead.credits, 'credit');
  return (
    <Problems>
      <ProblemNotice />
      <div class="price">
        <p>
          Your team does not hold this record as it is now. Reading it costs <strong>{credits}</strong>; reading it again is free until it
          changes.
        </p>
        <PrimaryAction work={onBuy}>Read it for {credits}</PrimaryAction>
      </div>
    </Problems>
  );
}

const Heading = ({ record }: { record: ReadRecord }) => (
  <>
    <p class="badges">
      <Badge token={record.status} label={record.statusLabel} />{' '}
      <span class="badge">{record.assetClassLabel ?? record.propertySubtypeLabel ?? record.propertyTypeLabel}</span>
    </p>
    <p class="note">{joinParts(record.address, record.city, record.county, record.state)}</p>
    {record.meetingDate && <p class="note">Meeting of {date(record.meetingDate)}</p>}
  </>
);

/** Reads what changed, then the record if that costs nothing; otherwise `buy` reads it. */
function useRecord({ id, onRead, onSpent }: Pick<RecordPanelProps, 'id' | 'onRead' | 'onSpent'>) {
  const [bought, setBought] = useState<{ record: ReadRecord; since: RecordChanges } | null>(null);
  /** @param credits that the reader was told */
  const read = async (credits: number, signal?: AbortSignal): Promise<ReadRecord> => {
    const asked = { id, representation: 'full', include: 'derived' };
    const { data, meta } = await call('getProject', asked, { ...spend(credits), ...(signal ? { signal } : {}) });
    // In the representation that was asked for; null only where a key is repeated, and this one is new.
    const record = data as ReadRecord;
    onRead?.(record);
    if (meta.creditsUsed) onSpent();
    return record;
  };
  const { answer, problem, again } = useAnswer(
    async (signal) => {
      const changes = (await call('getProjectChanges', { id }, { signal })).data;
      return { changes, record: changes.nextRead.billed ? null : await read(0, signal) };
    },
    [id],
  );
  const changes = answer?.changes ?? null;
  const buy = async () => {
    if (changes) setBought({ record: await read(changes.nextRead.credits), since: changes });
  };
  // What was bought is out of date once the changes were read again.
  const record = bought && bought.since === changes ? bought.record : (answer?.record ?? null);
  return { changes, record, problem, again, buy };
}

/** The window's title, which a printed record has as its heading and a file of it as its name. */
function useTitle(title: string | null) {
  useEffect(() => {
    if (!title) return undefined;
    const before = document.title;
    document.title = `${title} - Land Use Intelligence`;
    return () => {
      document.title = before;
    };
  }, [title]);
}

/** The panel. If records cost a credit, it shows the price and a button that spends, before the record. */
export function RecordPanel({ id, results, onClose, onRead, onSpent }: RecordPanelProps) {
  const panel = useRef<HTMLElement>(null);
  const { changes, record, problem, again, buy } = useRecord({ id, onRead, onSpent });
  useStepKeys(panel, id, results);
  useTitle(record && nameOfRecord(record));
  return (
    <article class="panel record" aria-labelledby="record-title" ref={panel}>
      <Button kind="back" onClick={onClose}>
        ← Back
      </Button>
      <PanelHead
        id="record-title"
        title={record ? nameOfRecord(record) : `Project ${id}`}
        close="Close the record"
        onClose={onClose}
        start={results && <Steps id={id} results={results} />}
      />
      {problem && <Notice problem={problem} again={again} />}
      {!changes && !problem && <Loading what="Reading the record" />}
      {record && <Heading record={record} />}
      {changes && !record && (
        <>
          <Price changes={changes} onBuy={buy} />
          <Changes changes={changes} />
        </>
      )}
      {changes && record && (
        <WithProofs key={record.contentRevision} record={record} changed={changedFields(changes)} readAgain={again}>
          <KeyFacts record={record} />
          <Changes changes={changes} />
          <RecordActions record={record} />
          <ProofLegend />
          <RecordView record={record} />
        </WithProofs>
      )}
    </article>
  );
}
