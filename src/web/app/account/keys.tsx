/** The tab of keys: made, replaced, revoked. */
import { useState } from 'preact/hooks';
import { storedKey, storeKey } from '../../shared/storedKey.ts';
import type { AccountKey, MintedKey } from '../shared/answers.ts';
import { call } from '../shared/api.ts';
import { copyText } from '../shared/clipboard.ts';
import { Field } from '../shared/inputs.tsx';
import { Action, Badge, Button, PrimaryAction, PrimaryButton, SmallAction } from '../shared/ui.tsx';
import { date, moment, nameInWords } from '../shared/words.ts';
import { Collection } from './collection.tsx';

/** A new key with its secret, which is not shown again. */
function NewKey({ made, onClose }: { made: MintedKey; onClose: () => void }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await copyText(made.secret ?? '');
    setCopied(true);
  };
  return (
    <section class="card" role="status">
      <h2>The new key{made.name && `, ${made.name}`}</h2>
      <p>Keep it now: it is shown this once. The service keeps a hash of it, and nothing that it could show again.</p>
      <p>
        <code class="secret">{made.secret}</code>
      </p>
      <p class="actions">
        <PrimaryButton onClick={copy}>{copied ? 'Copied' : 'Copy'}</PrimaryButton>
        <Button onClick={onClose}>I have kept it</Button>
      </p>
    </section>
  );
}

/** Whether a key is the one in use. Prefix and last characters suffice, since a team has few keys. */
const isOfThisSession = ({ prefix, lastFour }: AccountKey) =>
  Boolean(storedKey()?.startsWith(prefix) && storedKey()?.endsWith(lastFour ?? ''));

const GRACE_HOURS = 24;

/** Replaces a key, once the reader has confirmed; null without. */
async function rotateKey(key: AccountKey): Promise<MintedKey | null> {
  if (!confirm(`Replace ${key.prefix}…${key.lastFour}? The new key works at once, the old one for ${GRACE_HOURS} hours more.`)) return null;
  const { data } = await call('rotateKey', { id: key.id, body: { graceHours: GRACE_HOURS } });
  if (isOfThisSession(key) && data.secret) storeKey(data.secret);
  return data;
}

/** Revokes a key, which nothing takes back, once the reader has confirmed. */
async function revokeKey(key: AccountKey): Promise<void> {
  const own = isOfThisSession(key) ? ' This page uses it, too.' : '';
  if (confirm(`Revoke ${key.prefix}…${key.lastFour}? Programs that use it stop at once.${own}`)) await call('revokeKey', { id: key.id });
}

export function Keys() {
  const [name, setName] = useState('');
  const [made, setMade] = useState<MintedKey | null>(null);
  const mint = async () => {
    setMade((await call('mintKey', { body: name.trim() ? { name: name.trim() } : {} })).data);
    setName('');
  };
  const rotate = async (key: AccountKey) => {
    const replacement = await rotateKey(key);
    if (replacement) setMade(replacement);
  };
  return (
    <Collection
      title="Keys"
      lead={
        <>
          Your keys; an owner of the team sees all of its keys. A person may hold two active ones:{' '}
          <a href="/docs/guides/keys">how keys are used</a>.
        </>
      }
      load={(signal) => call('listKeys', {}, { signal })}
      none="No key."
      heads={['Name', 'Key', 'Made', 'Ends', 'Status', 'Actions']}
      start={({ act }) => (
        <>
          {made && <NewKey made={made} onClose={() => setMade(null)} />}
          <section class="card quote">
            <h2>A new key</h2>
            <div class="row">
              <Field id="key-name" label="What it is for" value={name} onChange={setName} maxLength={200} placeholder="nightly sync" />
              <PrimaryAction work={act(mint)}>Make a key</PrimaryAction>
            </div>
          </section>
        </>
      )}
      row={(one, { act }) => [
        one.name ?? '',
        <>
          <code>
            {one.prefix}…{one.lastFour}
          </code>
          {isOfThisSession(one) && <span class="note"> this page</span>}
        </>,
        date(one.createdAt),
        one.expiresAt ? moment(one.expiresAt) : 'never',
        <Badge token={one.state} label={nameInWords(one.state)} />,
        <>
          {one.state === 'active' && <SmallAction work={act(() => rotate(one))}>Replace</SmallAction>}
          {['active', 'rotating'].includes(one.state) && (
            <Action kind="small danger" work={act(() => revokeKey(one))}>
              Revoke
            </Action>
          )}
        </>,
      ]}
    />
  );
}
