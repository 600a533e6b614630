/** Whom an alert mails to, and in which state each address is. */
import { useState } from 'preact/hooks';
import type { SavedAlert } from '../shared/answers.ts';
import type { FailedRequest } from '../shared/api.ts';
import { Action, Badge, Notice } from '../shared/ui.tsx';
import { date } from '../shared/words.ts';
import type { AlertDraft } from './alertDraft.ts';

const STATES = { active: 'Gets mails', unconfirmed: 'Asked, has not answered yet', stopped: 'Stopped the mails' } as const;

interface AlertMailsProps {
  alert: SavedAlert;
  draft: AlertDraft;
  edit: (change: Partial<AlertDraft>) => void;
  /** resumes the mails to the reader, who stopped them */
  onResume: () => Promise<void>;
}

export function AlertMails({ alert, draft, edit, onResume }: AlertMailsProps) {
  const [problem, setProblem] = useState<FailedRequest | null>(null);
  const recipients = alert.notify.recipients ?? [];
  return (
    <section class="card part-card">
      <h2>Mails</h2>
      {problem && <Notice problem={problem} />}
      <label class="check">
        <input type="checkbox" checked={draft.email} onChange={() => edit({ email: !draft.email })} /> A digest of each run to whoever sees
        the alert
      </label>
      <div class="field">
        <label for="mail-to">Also to these addresses, one a line</label>
        <textarea id="mail-to" rows={2} value={draft.emailTo} onInput={(event) => edit({ emailTo: event.currentTarget.value })} />
      </div>
      <p class="note">An address outside the team is asked once whether it wants them.</p>
      {recipients.length > 0 && (
        <ul class="recipients">
          {recipients.map(({ address, state, since }) => (
            <li key={address}>
              {address} <Badge token={state} label={STATES[state]} /> <span class="note">since {date(since)}</span>
            </li>
          ))}
        </ul>
      )}
      {recipients.some(({ state }) => state === 'stopped') && (
        <p class="actions">
          <Action kind="small" onProblem={setProblem} work={onResume}>
            Resume the mails to me
          </Action>
        </p>
      )}
    </section>
  );
}
