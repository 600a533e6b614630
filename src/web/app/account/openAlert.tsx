/** An open alert: what it watches and when, what the next run brings, what earlier ones brought. */
import { useState } from 'preact/hooks';
import type { AlertDelivery, SavedAlert } from '../shared/answers.ts';
import { ask, type FailedRequest, forgetAnswers } from '../shared/api.ts';
import { deleteWithUndo, restoreEntry } from '../shared/deletion.ts';
import { readAddress } from '../shared/state.ts';
import type { TabProps } from '../shared/tabs.tsx';
import { Action, Badge, Loading, Notice, useAnswer } from '../shared/ui.tsx';
import { joinParts, moment, nameInWords } from '../shared/words.ts';
import { describeCadence } from './alertDraft.ts';
import { AlertFeeds } from './alertFeeds.tsx';
import { AlertMatches } from './alertMatches.tsx';
import { AlertRuns } from './alertRuns.tsx';
import { AlertSettings } from './alertSettings.tsx';
import { OpenHeading } from './heading.tsx';
import { Sharing } from './sharing.tsx';

const RUNS_SHOWN = 20;

/** The alert with its last runs, and how many there were. */
async function askAlert(id: string, signal: AbortSignal): Promise<{ alert: SavedAlert; runs: AlertDelivery[]; runCount: number }> {
  const [alert, runs] = await Promise.all([
    ask(`/alerts/${id}`, { signal }),
    ask(`/alerts/${id}/deliveries?limit=${RUNS_SHOWN}`, { signal }),
  ]);
  return { alert: alert.data, runs: runs.data, runCount: runs.meta.total };
}

const timesOf = ({ cadence, nextRunAt, lastRunAt }: SavedAlert) =>
  joinParts(
    `Runs ${describeCadence(cadence)}`,
    nextRunAt && `${cadence.beforeHearings ? 'looks next' : 'next'} ${moment(nextRunAt)}`,
    lastRunAt && `last ${moment(lastRunAt)}`,
  );

interface StatusButtonsProps extends Pick<TabProps, 'state' | 'go'> {
  alert: SavedAlert;
  onProblem: (problem: FailedRequest | null) => void;
  onChange: (body: object) => Promise<void>;
  again: () => void;
}

/** Pause or resume, delete, or restore what was deleted. */
function StatusButtons({ alert, onProblem, onChange, again, state, go }: StatusButtonsProps) {
  const { id, status } = alert;
  const restore = async () => {
    await restoreEntry('alerts', id);
    again();
  };
  const remove = async () => {
    await deleteWithUndo('alerts', alert, () => go({ ...readAddress(location), tab: 'alerts', open: id, project: null }));
    go({ ...state, open: null });
  };
  if (status === 'archived')
    return (
      <Action kind="primary" onProblem={onProblem} work={restore}>
        Restore
      </Action>
    );
  return (
    <>
      <Action onProblem={onProblem} work={() => onChange({ status: status === 'active' ? 'paused' : 'active' })}>
        {status === 'active' ? 'Pause' : 'Resume'}
      </Action>
      <Action kind="danger" onProblem={onProblem} work={remove}>
        Delete
      </Action>
    </>
  );
}

export function OpenAlert({ id, ...tab }: TabProps & { id: string }) {
  const { state, go, account, words, onSpent } = tab;
  const [problem, setProblem] = useState<FailedRequest | null>(null);
  const [shownRun, setShownRun] = useState<string | null>(null);
  const { answer, problem: refused, again } = useAnswer((signal) => askAlert(id, signal), [id]);
  const change = async (body: object) => {
    await ask(`/alerts/${id}`, { method: 'PATCH', body });
    forgetAnswers();
    again();
  };
  if (!answer)
    return (
      <div class="sheet">
        <h1>Alert</h1>
        {refused ? <Notice problem={refused} again={again} /> : <Loading />}
      </div>
    );
  const { alert, runs, runCount } = answer;
  const lastRun = runs[0]?.deliveryId ?? '';
  const isKept = alert.status !== 'archived';
  const showRun = (deliveryId: string | null) => {
    setShownRun(deliveryId);
    document.getElementById('matches')?.scrollIntoView({ block: 'start' });
  };
  return (
    <div class="sheet">
      <OpenHeading
        {...{ state, go }}
        back="All alerts"
        name={alert.name}
        badges={<Badge token={alert.status} label={isKept ? nameInWords(alert.status) : 'Deleted'} />}
        onRename={isKept ? (name) => change({ name }) : undefined}
        onProblem={setProblem}
      >
        <StatusButtons {...{ alert, again, state, go }} onProblem={setProblem} onChange={change} />
        <span class="note">{timesOf(alert)}</span>
      </OpenHeading>
      {[problem, refused].map((shown) => shown && <Notice key={shown.message} problem={shown} />)}
      {alert.problems?.map(({ message }) => (
        <p class="notice" key={message}>
          {message}
        </p>
      ))}
      {isKept && <AlertSettings key={id} {...{ alert, lastRun, state, go, account, words, onSpent }} onChange={change} onRun={again} />}
      <AlertMatches {...{ id, runs, shownRun, state, go }} onShowRun={showRun} version={lastRun} />
      <AlertRuns runs={runs} total={runCount} onShow={showRun} />
      {isKept && (
        <div class="grid">
          <AlertFeeds id={id} />
          <Sharing share={alert.share} createdBy={alert.createdBy} account={account} what="alert" onChange={(share) => change({ share })} />
        </div>
      )}
    </div>
  );
}
