/** Sign-in with an API key, which is stored for this tab, or in this browser if the reader asks for it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { isKeptInTab } from '../shared/storage.ts';
import { storeKey } from '../shared/storedKey.ts';
import { Check } from './shared/inputs.tsx';
import { type ReaderAccount, readAccount } from './shared/page.ts';
import { asProblem, type FailedRequest } from './shared/problems.ts';
import { Notice, WhomToAsk } from './shared/ui.tsx';

export function SignIn({ problem: before, onSignedIn }: { problem: FailedRequest | null; onSignedIn: (account: ReaderAccount) => void }) {
  const [key, setKey] = useState('');
  const [remember, setRemember] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(before);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      const account = await readAccount({ key: key.trim() });
      storeKey(key.trim(), { remember });
      onSignedIn(account);
    } catch (error) {
      setProblem(asProblem(error));
      setBusy(false);
    }
  };
  return (
    <main class="sign-in" id="main">
      <form onSubmit={submit} class="card">
        <h1>Land-use projects on a map</h1>
        <p class="lead">Rezonings, site plans and permits, read from the minutes of city and county meetings.</p>
        <label for="key">API key</label>
        <input
          id="key"
          ref={field}
          name="key"
          type="password"
          autocomplete="off"
          spellcheck={false}
          required
          placeholder="svc_live_…"
          value={key}
          aria-describedby="key-note"
          onInput={(event) => setKey(event.currentTarget.value)}
        />
        <Check checked={remember} onChange={() => setRemember(!remember)} label="Stay signed in on this browser" />
        <p class="note" id="key-note">
          {isKeptInTab
            ? remember
              ? 'It is kept in this browser until you sign out: leave this off on a computer that others use.'
              : 'It is kept for this browser tab only.'
            : 'This browser lets the page keep nothing: you sign in again whenever it is loaded.'}{' '}
          It is sent to this service alone.
        </p>
        {problem && <Notice problem={problem} />}
        <button type="submit" class="primary" disabled={busy} aria-busy={busy}>
          {busy ? 'Signing in …' : 'Sign in'}
        </button>
        <p class="note">
          No key yet? <a href="/docs/guides/keys">How keys are made</a>. <WhomToAsk /> Rather a program?{' '}
          <a href="/docs/guides/first-call">The first call</a>.
        </p>
      </form>
    </main>
  );
}
