/** An open alert: what it watches and when, what the next run brings, what earlier ones brought. */
import { useState } from 'preact/hooks';
import type { AlertDelivery, SavedAlert } from '../shared/answers.ts';
import { call, forgetAnswers } from '../shared/api.ts';
import { restoreEntry } from '../shared/deletion.ts';
import { useAnswer } from '../shared/hooks.ts';
import { Action, Badge, Empty, Notice, PrimaryAction, ProblemNotice, Problems, SmallButton, Table } from '../shared/ui.tsx';
import { countInWords, joinParts, moment, nameInWords, number } from '../shared/words.ts';
import { type AlertChange, describeCadence } from './alertDraft.ts';
import { AlertFeeds } from './alertFeeds.tsx';
import { AlertMatches } from './alertMatches.tsx';
import { AlertSettings } from './alertSettings.tsx';
import { EntryLoading, OpenHeading, useDeletion } from './heading.tsx';
import { Sharing } from './sharing.tsx';

const STATUS_TONES: Readonly<Partial<Record<AlertDelivery['status'], string>>> = {
  completed: 'active',
  refused: 'failed',
  failed: 'failed',
};

interface AlertRunsProps {
  /** the latest */
  runs: readonly AlertDelivery[];
  /** how many there were */
  total: number;
  /** shows the matches of one run */
  onShow: (deliveryId: string) => void;
}

const AlertRuns = ({ runs, total, onShow }: AlertRunsProps) => (
  <section class="part-card" aria-labelledby="runs">
    <h2 id="runs">Runs</h2>
    {total > runs.length && (
      <p class="note">
        The latest {number(runs.length)} of {number(total)}.
      </p>
    )}
    {!runs.length && <Empty>It has not run yet.</Empty>}
    {runs.length > 0 && (
      <Table
        label="Runs"
        heads={['When', 'Started', 'Status', 'New', 'Changed', 'Left', 'Credits', 'Matches']}
        numbers={[3, 4, 5, 6]}
        rows={runs.map((run) => [
          moment(run.startedAt),
          run.trigger === 'manual' ? 'by hand' : 'by its rhythm',
          <>
            <Badge token={STATUS_TONES[run.status] ?? null} label={nameInWords(run.status)} />
            {run.reason && <span class="note"> {run.reason.replaceAll('_', ' ')}</span>}
          </>,
          number(run.newRecords),
          number(run.changedRecords),
          number(run.moreMatched),
          number(run.creditsCharged),
          run.records > 0 && (
            <SmallButton onClick={() => onShow(run.deliveryId)}>Show {countInWords(run.records, 'match', 'matches')}</SmallButton>
          ),
        ])}
      />
    )}
  </section>
);

const RUNS_SHOWN = 20;

/** The alert with its last runs, and how many there were. */
async function readAlert(id: string, signal: AbortSignal) {
  const [alert, runs] = await Promise.all([
    call('getAlert', { id }, { signal }),
    call('listAlertDeliveries', { id, limit: RUNS_SHOWN }, { signal }),
  ]);
  return { alert: alert.data, runs: runs.data, runCount: runs.meta.total };
}

const timesOf = ({ cadence, nextRunAt, lastRunAt }: SavedAlert) =>
  joinParts(
    `Runs ${describeCadence(cadence)}`,
    nextRunAt && `${cadence.beforeHearings ? 'looks next' : 'next'} ${moment(nextRunAt)}`,
    lastRunAt && `last ${moment(lastRunAt)}`,
  );

interface StatusButtonsProps {
  alert: SavedAlert;
  onChange: (change: AlertChange) => Promise<void>;
  again: () => void;
}

/** Pause or resume, delete, or restore what was deleted. */
function StatusButtons({ alert, onChange, again }: StatusButtonsProps) {
  const remove = useDeletion('alerts', alert);
  const restore = async () => {
    await restoreEntry('alerts', alert.id);
    again();
  };
  if (alert.status === 'archived') return <PrimaryAction work={restore}>Restore</PrimaryAction>;
  return (
    <>
      <Action work={() => onChange({ status: alert.status === 'active' ? 'paused' : 'active' })}>
        {alert.status === 'active' ? 'Pause' : 'Resume'}
      </Action>
      <Action kind="danger" work={remove}>
        Delete
      </Action>
    </>
  );
}

export function OpenAlert({ id }: { id: string }) {
  const [shownRun, setShownRun] = useState<string | null>(null);
  const opened = useAnswer((signal) => readAlert(id, signal), [id]);
  const { answer, problem, again } = opened;
  const change = async (body: AlertChange) => {
    await call('changeAlert', { id, body });
    forgetAnswers();
    again();
  };
  if (!answer) return <EntryLoading title="Alert" asked={opened} />;
  const { alert, runs, runCount } = answer;
  const lastRun = runs[0]?.deliveryId ?? '';
  const isKept = alert.status !== 'archived';
  const showRun = (deliveryId: string | null) => {
    setShownRun(deliveryId);
    document.getElementById('matches')?.scrollIntoView({ block: 'start' });
  };
  return (
    <Problems>
      <div class="sheet">
        <OpenHeading
          back="All alerts"
          name={alert.name}
          badges={<Badge token={alert.status} label={isKept ? nameInWords(alert.status) : 'Deleted'} />}
          onRename={isKept ? (name) => change({ name }) : undefined}
        >
          <StatusButtons {...{ alert, again }} onChange={change} />
          <span class="note">{timesOf(alert)}</span>
        </OpenHeading>
        <ProblemNotice />
        {problem && <Notice problem={problem} />}
        {alert.problems?.map(({ message }) => (
          <p class="notice" key={message}>
            {message}
          </p>
        ))}
        {isKept && <AlertSettings key={id} {...{ alert, lastRun }} onChange={change} onRun={again} />}
        <AlertMatches {...{ id, runs, shownRun }} listId={alert.listId} onShowRun={showRun} version={lastRun} />
        <AlertRuns runs={runs} total={runCount} onShow={showRun} />
        {isKept && (
          <div class="grid">
            <AlertFeeds id={id} />
            <Sharing share={alert.share} createdBy={alert.createdBy} what="alert" onChange={(share) => change({ share })} />
          </div>
        )}
      </div>
    </Problems>
  );
}
