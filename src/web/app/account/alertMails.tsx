/** Whom an alert mails to, and in which state each address is. */
import type { SavedAlert } from '../shared/answers.ts';
import { TextField } from '../shared/inputs.tsx';
import { Action, Badge, PartCard } from '../shared/ui.tsx';
import { date } from '../shared/words.ts';
import type { AlertPartProps } from './alertFields.tsx';

const STATES = { active: 'Gets mails', unconfirmed: 'Asked, has not answered yet', stopped: 'Stopped the mails' } as const;

interface AlertMailsProps extends AlertPartProps {
  alert: SavedAlert;
  /** resumes the mails to the reader, who stopped them */
  onResume: () => Promise<void>;
}

export function AlertMails({ alert, draft, edit, onResume }: AlertMailsProps) {
  const recipients = alert.notify.recipients ?? [];
  return (
    <PartCard title="Mails">
      <label class="check">
        <input type="checkbox" checked={draft.email} onChange={() => edit({ email: !draft.email })} /> A digest of each run to whoever sees
        the alert
      </label>
      <TextField
        id="mail-to"
        label="Also to these addresses, one a line"
        rows={2}
        value={draft.emailTo}
        onChange={(emailTo) => edit({ emailTo })}
      />
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
          <Action kind="small" work={onResume}>
            Resume the mails to me
          </Action>
        </p>
      )}
    </PartCard>
  );
}
