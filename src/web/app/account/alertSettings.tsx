/** The settings of an open alert: edited, previewed with figures, and only then saved. */
import { useEffect, useState } from 'preact/hooks';
import { randomKey } from '../../../clients/client/transport.ts';
import type { AlertDelivery, SavedAlert } from '../shared/answers.ts';
import { call, spend } from '../shared/api.ts';
import { usePage } from '../shared/page.ts';
import { requoteIfDearer } from '../shared/problems.ts';
import { showToast } from '../shared/toasts.tsx';
import { Action, ProblemNotice, Problems } from '../shared/ui.tsx';
import { countInWords } from '../shared/words.ts';
import { type AlertChange, type AlertDraft, changeOf, draftOf, previewOf } from './alertDraft.ts';
import { RhythmFields, WatchFields } from './alertFields.tsx';
import { AlertMails } from './alertMails.tsx';
import { PreviewFigures } from './alertPreview.tsx';

/** What a run by hand did, in a sentence. */
function describeRun({ status, records, newRecords, changedRecords, creditsCharged, reason }: AlertDelivery): string {
  if (status === 'already_running') return 'A run of this alert is going on.';
  if (status !== 'completed') return `The run was ${status}: ${(reason ?? '').replaceAll('_', ' ')}. Nothing was charged.`;
  if (!records) return 'The run found nothing new.';
  return `The run delivered ${countInWords(newRecords, 'new record')} and ${countInWords(changedRecords, 'changed one')}, for ${countInWords(creditsCharged, 'credit')}.`;
}

/** Edits that are not saved yet, by alert: they outlive a way to the map and back. */
const drafts = new Map<string, AlertDraft>();

interface AlertSettingsProps {
  alert: SavedAlert;
  /** id of the latest run */
  lastRun: string;
  /** saves a change of the alert */
  onChange: (change: AlertChange) => Promise<void>;
  /** after a run */
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
              {isChanged && (
                <button type="button" onClick={() => setDraft(stored)}>
                  Discard them
                </button>
              )}
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
