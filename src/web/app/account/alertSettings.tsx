/** The settings of an open alert: edited, previewed with figures, and only then saved. */
import { useEffect, useState } from 'preact/hooks';
import type { PreviewAlertData } from '../../../clients/client/generated.ts';
import type { Input } from '../../../clients/client/prepare.ts';
import { randomKey } from '../../../clients/client/transport.ts';
import type { AlertDelivery, SavedAlert } from '../shared/answers.ts';
import { call, spend } from '../shared/api.ts';
import { useCall, usePaused } from '../shared/hooks.ts';
import { usePage } from '../shared/page.ts';
import { requoteIfDearer } from '../shared/problems.ts';
import { showToast } from '../shared/toasts.tsx';
import { Action, Button, Loading, Notes, Notice, ProblemNotice, Problems } from '../shared/ui.tsx';
import { countInWords, number } from '../shared/words.ts';
import { type AlertChange, type AlertDraft, changeOf, draftOf, previewOf } from './alertDraft.ts';
import { AlertMails, RhythmFields, WatchFields } from './alertFields.tsx';

const TYPED_MS = 400;

function describePreview(preview: PreviewAlertData): string {
  const { matchCount, matchCountIsExact, wouldDeliver, creditRate, creditsRequired, creditsRemaining } = preview;
  if (!matchCount) return 'The next run would deliver nothing: no record is new to the alert or has changed since it ran.';
  const most = matchCountIsExact ? '' : 'at most ';
  const rest = matchCount > wouldDeliver ? ` of ${number(matchCount)}; the rest waits for the run after` : '';
  const price = creditRate
    ? ` That costs ${most}${countInWords(creditsRequired, 'credit')}; your balance is ${number(creditsRemaining ?? 0)}.`
    : ' Records are free on your plan.';
  return `The next run would deliver ${most}${countInWords(wouldDeliver, 'record')}${rest}.${price}`;
}

/** Warnings in words for a person; null for what the page itself causes. */
const WARNING_WORDS: Readonly<Record<string, string | null>> = {
  default_date_window_applied: 'It watches meetings of the last year; choose other dates on the map.',
  geography_narrowed_to_smallest_scope: null,
};

interface PreviewFiguresProps {
  id: string;
  /** keys of the alert in place of stored ones */
  body: NonNullable<Input<'previewAlertWith'>['body']>;
  /** changes when the alert has run */
  version: string;
  /** called with the credits that are shown, and with null while none are shown */
  onPrice: (credits: number | null) => void;
}

function PreviewFigures({ id, body, version, onPrice }: PreviewFiguresProps) {
  const settled = usePaused(body, TYPED_MS);
  const { answer, problem, loading, again } = useCall('previewAlertWith', { id, body: settled }, version);
  const isCurrent = !loading && !problem && JSON.stringify(settled) === JSON.stringify(body);
  useEffect(() => onPrice(isCurrent && answer ? answer.data.creditsRequired : null), [isCurrent, answer]);
  if (problem) return <Notice problem={problem} again={again} />;
  if (!answer) return <Loading what="Working out the next run" />;
  const { data: preview, meta } = answer;
  const notes = meta.warnings.flatMap(({ code, message }) => (code in WARNING_WORDS ? WARNING_WORDS[code] : message) ?? []);
  return (
    <div role="status" aria-busy={loading}>
      <p class="figures">{describePreview(preview)}</p>
      {!preview.affordability.affordable && (
        <p class="note">
          The balance pays for {countInWords(preview.affordability.maxAffordableRecords, 'record')}: a run is refused, and charges nothing.
        </p>
      )}
      <Notes notes={notes} />
    </div>
  );
}

/** What a run by hand did, in a sentence. */
function describeRun({ status, records, newRecords, changedRecords, newlyReadRecords, creditsCharged, reason }: AlertDelivery): string {
  if (status === 'already_running') return 'A run of this alert is going on.';
  if (status !== 'completed') return `The run was ${status}: ${(reason ?? '').replaceAll('_', ' ')}. Nothing was charged.`;
  if (!records) return 'The run found nothing new.';
  const old = newlyReadRecords ? ` and ${countInWords(newlyReadRecords, 'old case')}, newly read` : '';
  return `The run delivered ${countInWords(newRecords, 'new record')} and ${countInWords(changedRecords, 'changed one')}${old}, for ${countInWords(creditsCharged, 'credit')}.`;
}

/** Edits that are not saved yet, by alert: they outlive a way to the map and back. */
const drafts = new Map<string, AlertDraft>();

interface AlertSettingsProps {
  alert: SavedAlert;
  /** id of the latest run */
  lastRun: string;
  onChange: (change: AlertChange) => Promise<void>;
  onRun: () => void;
}

export function AlertSettings({ alert, lastRun, onChange, onRun }: AlertSettingsProps) {
  const { account, onSpent } = usePage();
  const stored = draftOf(alert);
  const [draft, setDraft] = useState(() => drafts.get(alert.id) ?? stored);
  const edit = (change: Partial<AlertDraft>) => setDraft((before) => ({ ...before, ...change }));
  const isChanged = JSON.stringify(changeOf(draft)) !== JSON.stringify(changeOf(stored));
  useEffect(() => {
    if (isChanged) drafts.set(alert.id, draft);
    else drafts.delete(alert.id);
  }, [draft, isChanged]);
  const isMetered = account.creditRate > 0;
  const [price, setPrice] = useState<number | null>(null);
  const [priced, setPriced] = useState(0);
  const save = async () => {
    await onChange(changeOf(draft));
    showToast('The alert is saved.', async () => {
      await onChange(changeOf(stored));
      setDraft(stored);
    });
  };
  const run = async () => {
    // What a preview cannot price is bounded by the alert's own limit.
    const options = isMetered && price !== null ? spend(price) : { idempotencyKey: randomKey() };
    const sent = call('runAlert', { id: alert.id, body: {} }, options);
    const { data, meta } = await sent.catch(requoteIfDearer(() => setPriced((n) => n + 1)));
    const { limit, used } = meta.manualRuns;
    showToast(`${describeRun(data)} ${countInWords(limit - used, 'run')} by hand left today.`);
    if (data.creditsCharged > 0) onSpent();
    onRun();
  };
  const part = { draft, edit };
  return (
    <div class="grid settings">
      <div class="stack">
        <WatchFields {...part} />
        <section class="card part-card next-run">
          <h2>{isChanged ? 'With these changes' : 'The next run'}</h2>
          <PreviewFigures id={alert.id} body={previewOf(draft)} version={`${lastRun} ${priced}`} onPrice={setPrice} />
          <Problems>
            <ProblemNotice />
            <p class="actions">
              <Action kind="primary" disabled={!isChanged} work={save}>
                Save the changes
              </Action>
              {isChanged && <Button onClick={() => setDraft(stored)}>Discard them</Button>}
              <Action disabled={isChanged || (isMetered && price === null && !stored.maxCredits)} work={run}>
                Run now
              </Action>
            </p>
          </Problems>
        </section>
      </div>
      <div class="stack">
        <RhythmFields {...part} />
        <AlertMails {...part} alert={alert} onResume={() => onChange({ notify: { resume: true } })} />
      </div>
    </div>
  );
}
