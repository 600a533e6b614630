// The panel that shows the state of the page as a call, to copy.
import { useState } from 'preact/hooks';
import { CALLS, codeOf, LANGUAGES } from './code.ts';
import { html } from './html.js';
import { settings } from './settings.ts';

/** @param {{filters: Record<string, string>, view: string | null, onClose: () => void}} given */
export function Share({ filters, view, onClose }) {
  const [language, setLanguage] = useState(/** @type {keyof typeof LANGUAGES} */ ('curl'));
  const [call, setCall] = useState(/** @type {keyof typeof CALLS} */ ('count'));
  const [copied, setCopied] = useState(false);
  const asked = call === 'map' && view ? { ...filters, view } : filters;
  const code = codeOf(language, { publicUrl: settings.publicUrl, apiRoot: settings.apiRoot, call, filters: asked });
  const copy = async () => {
    await navigator.clipboard.writeText(code);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return html`<section class="panel share" aria-labelledby="share-title"><header><h2 id="share-title" tabindex="-1">This search as a call</h2>
      <button type="button" class="quiet" onClick=${onClose} aria-label="Close">✕</button></header>
    <div class="segments" role="group" aria-label="What to ask for">${Object.entries(CALLS).map(([name, { title }]) => html`<button type="button" aria-pressed=${call === name} onClick=${() => setCall(/** @type {any} */ (name))}>${title}</button>`)}</div>
    <div class="segments" role="group" aria-label="Language">${Object.entries(LANGUAGES).map(([name, title]) => html`<button type="button" aria-pressed=${language === name} onClick=${() => setLanguage(/** @type {any} */ (name))}>${title}</button>`)}</div>
    <pre class="code" tabindex="0" role="group" aria-label="Code">${code}</pre>
    <p class="actions"><button type="button" class="primary" onClick=${copy}>${copied ? 'Copied' : 'Copy'}</button> <span class="note" role="status">${copied ? 'Copied.' : 'The key is read from the environment; it is not in the text.'}</span></p>
  </section>`;
}
