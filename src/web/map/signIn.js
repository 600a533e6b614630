// Sign-in with an API key, which is stored for this browser session.
import { useState } from 'preact/hooks';
import { askStart, keepKey } from './api.js';
import { html } from './html.js';
import { asProblem, Notice } from './ui.js';

/** @param {{problem: import('./api.js').FailedRequest | null, onSignedIn: (account: any) => void}} given */
export function SignIn({ problem: before, onSignedIn }) {
  const [key, setKey] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(before);
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      const account = await askStart({ key: key.trim() });
      keepKey(key.trim());
      onSignedIn(account);
    } catch (error) {
      setProblem(asProblem(error));
      setBusy(false);
    }
  };
  return html`<main class="sign-in" id="main">
    <form onSubmit=${submit} class="card">
      <h1>Land-use projects on a map</h1>
      <p class="lead">Rezonings, site plans and permits, read from the minutes of city and county meetings.</p>
      <label for="key">API key</label>
      <input id="key" name="key" type="password" autocomplete="off" spellcheck=${false} required placeholder="svc_live_…" value=${key}
        aria-describedby="key-note" onInput=${(/** @type {any} */ event) => setKey(event.target.value)} />
      <p class="note" id="key-note">It is kept for this browser tab only, and sent to this service alone.</p>
      ${problem && html`<${Notice} problem=${problem} />`}
      <button class="primary" disabled=${busy} aria-busy=${busy}>${busy ? 'Signing in …' : 'Sign in'}</button>
      <p class="note">No key yet? <a href="/docs/guides/keys">How keys are made</a>. Rather a program? <a href="/docs/guides/first-call">The first call</a>.</p>
    </form>
  </main>`;
}
