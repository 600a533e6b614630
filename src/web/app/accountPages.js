// The account's pages: exports, alerts, lists, keys, receipts, each with its simple actions.
import { useState } from 'preact/hooks';
import { keepKey, keptKey } from '../shared/keptKey.ts';
import { ask, askKeys, download, onceKey } from './api.ts';
import { html } from './html.js';
import { queryOf } from './state.ts';
import { Action, Badge, Empty, Loading, Notice, Table, useAnswer } from './ui.tsx';
import { counted, date, moment, number, spaced } from './words.ts';

const POLL_MS = 3000;

/** @param {unknown} value of a filter */
const valueInWords = (value) => {
  const isShape = typeof value === 'object' && value !== null && (!Array.isArray(value) || typeof value[0] === 'object');
  return isShape ? 'drawn on the map' : [value].flat().join(', ').replaceAll('_', ' ');
};

/** @param {Record<string, unknown>} filters */
const describeFilters = (filters) =>
  Object.entries(filters ?? {})
    .map(([name, value]) => `${spaced(name)}: ${valueInWords(value)}`)
    .join('; ') || 'everything of the licence';

/**
 * A collection with what can be done to it.
 * @param {{title: string, lead: any, load: (signal: AbortSignal) => Promise<{data: any[], meta: any}>, none: any, heads: string[], numbers?: number[],
 *   row: (entry: any, act: (work: () => Promise<unknown>) => () => Promise<void>, onProblem: (problem: any) => void) => any[], start?: (act: (work: () => Promise<unknown>) => () => Promise<void>, onProblem: (problem: any) => void) => any,
 *   unfinished?: (entry: any) => boolean}} given
 */
function Collection({ title, lead, load, none, heads, numbers = [], row, start, unfinished }) {
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const {
    answer,
    problem: refused,
    again,
  } = useAnswer(
    async (signal) => {
      const loaded = await load(signal);
      if (unfinished && loaded.data.some(unfinished)) {
        const wait = setTimeout(again, POLL_MS);
        signal.addEventListener('abort', () => clearTimeout(wait), { once: true });
      }
      return loaded;
    },
    [title],
  );
  const act = (/** @type {() => Promise<unknown>} */ work) => async () => {
    await work();
    again();
  };
  return html`<div class="sheet"><h1>${title}</h1><p class="lead">${lead}</p>
    ${start?.(act, setProblem)}
    ${problem && html`<${Notice} problem=${problem} />`}
    ${refused && html`<${Notice} problem=${refused} again=${again} />`}
    ${!answer && !refused && html`<${Loading} />`}
    ${answer && (answer.data.length ? html`<${Table} label=${title} heads=${heads} numbers=${numbers} rows=${answer.data.map((entry) => row(entry, act, setProblem))} />` : html`<${Empty}>${none}<//>`)}
  </div>`;
}

/** The price of the page's filters, before they are used. @param {{filters: Record<string, string>, children?: any}} given */
function Quote({ filters, children }) {
  const { answer, problem, again } = useAnswer(
    (signal) => ask(`/projects/count${queryOf(filters)}`, { signal }),
    [JSON.stringify(filters)],
  );
  return html`<section class="card quote"><h2>From the filters of the map</h2><p class="note">${describeFilters(filters)}</p>
    ${problem ? html`<${Notice} problem=${problem} again=${again} />` : !answer ? html`<${Loading} />` : children(answer.data)}</section>`;
}

/** @param {import('./tabs.tsx').TabProps} given */
export const Exports = ({
  state: { filters },
}) => html`<${Collection} title="Exports" lead="CSV files of whole match sets, kept for 7 days. A download may be repeated, free."
  load=${(/** @type {AbortSignal} */ signal) => ask('/exports', { signal })} none="No export yet. Queue one from the filters above."
  heads=${['Made', 'Of', 'Status', 'Rows', 'Credits', 'Actions']} numbers=${[3, 4]}
  unfinished=${(/** @type {any} */ { status }) => status === 'queued' || status === 'building'}
  start=${(/** @type {any} */ act, /** @type {any} */ onProblem) =>
    html`<${Quote} filters=${filters}>${(/** @type {any} */ price) => html`
    <p><strong>${counted(Math.min(price.matchCount, 10_000), 'row')}</strong>${price.matchCount > 10_000 && ` of ${number(price.matchCount)}: a file holds 10,000`}, for <strong>${counted(price.creditsRequired, 'credit')}</strong> at most. Your balance is ${number(price.creditsRemaining ?? 0)}.</p>
    <${Action} kind="primary" disabled=${!price.matchCount} onProblem=${onProblem} work=${act(() => ask('/exports', { method: 'POST', body: { filters }, headers: { 'Idempotency-Key': onceKey() } }))}>Queue the export<//>`}<//>`}
  row=${(/** @type {any} */ one, /** @type {any} */ _act, /** @type {any} */ onProblem) => [
    moment(one.createdAt),
    describeFilters(one.source.filters),
    html`<${Badge} token=${one.status} />${one.error && html` <span class="note">${one.error.message}</span>`}`,
    one.rowCount === null ? '' : number(one.rowCount),
    one.creditsCharged ?? '',
    one.status === 'ready' &&
      html`<${Action} kind="small" onProblem=${onProblem} work=${() => download(`/exports/${one.id}/download?bom=1`)}>Download<//>`,
  ]} />`;

/** @param {import('./tabs.tsx').TabProps} given */
export function Alerts({ state: { filters } }) {
  const [name, setName] = useState('');
  return html`<${Collection} title="Alerts" lead="Standing searches: each run brings what is new or has changed."
    load=${(/** @type {AbortSignal} */ signal) => ask('/alerts', { signal })} none="No alert yet. Name one above: it watches the filters of the map."
    heads=${['Name', 'Watches', 'Status', 'Next run', 'Actions']}
    start=${(/** @type {any} */ act, /** @type {any} */ onProblem) =>
      html`<${Quote} filters=${filters}>${(/** @type {any} */ price) => html`
      <p>${counted(price.matchCount, 'project')} ${price.matchCount === 1 ? 'matches' : 'match'} now. Saving is free; a run ${price.creditRate ? 'charges a credit for each record that is new to your team or has changed' : 'charges nothing on your plan'}.</p>
      <div class="row"><div class="field"><label for="alert-name">Name of the alert</label><input id="alert-name" value=${name} maxlength="100" onInput=${(/** @type {any} */ event) => setName(event.target.value)} /></div>
      <${Action} kind="primary" disabled=${!name.trim()} onProblem=${onProblem} work=${act(() => ask('/alerts', { method: 'POST', body: { name: name.trim(), filters }, headers: { 'Idempotency-Key': onceKey() } }))}>Save the alert<//></div>`}<//>`}
    row=${(/** @type {any} */ one, /** @type {any} */ act, /** @type {any} */ onProblem) => [
      html`<a href=${`/map${queryOf(plain(one.filters))}`}>${one.name}</a>`,
      describeFilters(one.filters),
      html`<${Badge} token=${one.status} label=${spaced(one.status)} />`,
      moment(one.nextRunAt),
      html`<${Action} kind="small" onProblem=${onProblem} work=${act(() => ask(`/alerts/${one.id}`, { method: 'PATCH', body: { status: one.status === 'active' ? 'paused' : 'active' } }))}>${one.status === 'active' ? 'Pause' : 'Resume'}<//>
        <${Action} kind="small danger" onProblem=${onProblem} work=${act(() => ask(`/alerts/${one.id}`, { method: 'DELETE' }))}>Delete<//>`,
    ]} />`;
}

/** Filters of a saved search as parameters of the address. @param {Record<string, any>} filters */
const plain = (filters) =>
  Object.fromEntries(
    Object.entries(filters ?? {}).map(([name, value]) => [
      name,
      Array.isArray(value) && !Array.isArray(value[0]) ? value.join(',') : typeof value === 'object' ? JSON.stringify(value) : value,
    ]),
  );

/** @param {import('./tabs.tsx').TabProps} given */
export function Lists({ state: { filters } }) {
  const [name, setName] = useState('');
  return html`<${Collection} title="Lists" lead="Projects or filters saved under a name, and shared with the team."
    load=${(/** @type {AbortSignal} */ signal) => ask('/lists', { signal })} none="No list yet. Save the filters of the map under a name."
    heads=${['Name', 'Holds', 'Made', 'Actions']}
    start=${(/** @type {any} */ act, /** @type {any} */ onProblem) =>
      html`<${Quote} filters=${filters}>${() => html`
      <div class="row"><div class="field"><label for="list-name">Name of the list</label><input id="list-name" value=${name} maxlength="100" onInput=${(/** @type {any} */ event) => setName(event.target.value)} /></div>
      <${Action} kind="primary" disabled=${!name.trim()} onProblem=${onProblem} work=${act(() => ask('/lists', { method: 'POST', body: { name: name.trim(), filters }, headers: { 'Idempotency-Key': onceKey() } }))}>Save these filters<//></div>`}<//>`}
    row=${(/** @type {any} */ one, /** @type {any} */ act, /** @type {any} */ onProblem) => [
      one.filters ? html`<a href=${`/map${queryOf(plain(one.filters))}`}>${one.name}</a>` : one.name,
      one.projectCount === null ? describeFilters(one.filters) : counted(one.projectCount, 'project'),
      date(one.createdAt),
      html`<${Action} kind="small danger" onProblem=${onProblem} work=${act(() => ask(`/lists/${one.id}`, { method: 'DELETE' }))}>Delete<//>`,
    ]} />`;
}

/**
 * A new key with its secret, which is not shown again.
 * @param {{made: {secret: string, name: string | null}, onClose: () => void}} given
 */
function NewKey({ made, onClose }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(made.secret);
    setCopied(true);
  };
  return html`<section class="card" role="status"><h2>The new key${made.name && `, ${made.name}`}</h2>
    <p>Keep it now: it is shown this once. The service keeps a hash of it, and nothing that it could show again.</p>
    <p><code class="secret">${made.secret}</code></p>
    <p class="actions"><button type="button" class="primary" onClick=${copy}>${copied ? 'Copied' : 'Copy'}</button>
      <button type="button" onClick=${onClose}>I have kept it</button></p></section>`;
}

/**
 * Whether a key is the one in use. Prefix and last characters suffice, since a team has few keys.
 * @param {{prefix: string, lastFour: string}} key
 */
const isOfThisSession = ({ prefix, lastFour }) => Boolean(keptKey()?.startsWith(prefix) && keptKey()?.endsWith(lastFour));

const GRACE_HOURS = 24;

export function Keys() {
  const [name, setName] = useState('');
  const [made, setMade] = useState(/** @type {any} */ (null));
  const mint = async () => {
    const { data } = await askKeys('', {
      method: 'POST',
      body: name.trim() ? { name: name.trim() } : {},
      headers: { 'Idempotency-Key': onceKey() },
    });
    setMade(data);
    setName('');
  };
  const rotate = async (/** @type {any} */ key) => {
    if (!confirm(`Replace ${key.prefix}…${key.lastFour}? The new key works at once, the old one for ${GRACE_HOURS} hours more.`)) return;
    const body = { graceHours: GRACE_HOURS };
    const { data } = await askKeys(`/${key.id}/rotate`, { method: 'POST', body, headers: { 'Idempotency-Key': onceKey() } });
    if (isOfThisSession(key)) keepKey(data.secret);
    setMade(data);
  };
  const revoke = async (/** @type {any} */ key) => {
    const own = isOfThisSession(key) ? ' This page uses it, too.' : '';
    if (confirm(`Revoke ${key.prefix}…${key.lastFour}? Programs that use it stop at once.${own}`))
      await askKeys(`/${key.id}`, { method: 'DELETE' });
  };
  return html`<${Collection} title="Keys" lead=${html`Your keys; an owner of the team sees all of its keys. A person may hold two active ones: <a href="/docs/guides/keys">how keys are used</a>.`}
    load=${(/** @type {AbortSignal} */ signal) => askKeys('', { signal })} none="No key."
    heads=${['Name', 'Key', 'Made', 'Ends', 'Status', 'Actions']}
    start=${(
      /** @type {any} */ act,
      /** @type {any} */ onProblem,
    ) => html`${made && html`<${NewKey} made=${made} onClose=${() => setMade(null)} />`}
      <section class="card quote"><h2>A new key</h2>
      <div class="row"><div class="field"><label for="key-name">What it is for</label><input id="key-name" value=${name} maxlength="200" placeholder="nightly sync" onInput=${(/** @type {any} */ event) => setName(event.target.value)} /></div>
      <${Action} kind="primary" onProblem=${onProblem} work=${act(mint)}>Make a key<//></div></section>`}
    row=${(/** @type {any} */ one, /** @type {any} */ act, /** @type {any} */ onProblem) => [
      one.name ?? '',
      html`<code>${one.prefix}…${one.lastFour}</code>${isOfThisSession(one) && html` <span class="note">this page</span>`}`,
      date(one.createdAt),
      one.expiresAt ? moment(one.expiresAt) : 'never',
      html`<${Badge} token=${one.state} label=${spaced(one.state)} />`,
      html`${one.state === 'active' && html`<${Action} kind="small" onProblem=${onProblem} work=${act(() => rotate(one))}>Replace<//>`}
        ${['active', 'rotating'].includes(one.state) && html`<${Action} kind="small danger" onProblem=${onProblem} work=${act(() => revoke(one))}>Revoke<//>`}`,
    ]} />`;
}

export const Webhooks =
  () => html`<${Collection} title="Webhooks" lead=${html`Addresses that are called when something has happened: <a href="/docs/guides/webhooks">how to make one and check what it is sent</a>.`}
  load=${(/** @type {AbortSignal} */ signal) => ask('/webhooks', { signal })} none="No webhook. The guide shows how to make one."
  heads=${['Address', 'Events', 'Status', 'Made', 'Actions']}
  row=${(/** @type {any} */ one, /** @type {any} */ act, /** @type {any} */ onProblem) => [
    html`<code>${one.url}</code>`,
    one.types.join(', '),
    html`<${Badge} token=${one.status} label=${spaced(one.status)} />`,
    date(one.createdAt),
    html`<${Action} kind="small" onProblem=${onProblem} work=${act(() => ask(`/webhooks/${one.id}/test`, { method: 'POST' }))}>Send a ping<//>
      <${Action} kind="small danger" onProblem=${onProblem} work=${act(() => ask(`/webhooks/${one.id}`, { method: 'DELETE' }))}>Delete<//>`,
  ]} />`;

export const Receipts = () => html`<${Collection} title="Receipts" lead="Every charge, grant and refund with its cause, newest first."
  load=${(/** @type {AbortSignal} */ signal) => ask('/account/ledger', { signal })} none="Nothing was charged or granted yet."
  heads=${['When', 'What', 'Credits', 'Balance', 'Items', 'Cause']} numbers=${[2, 3, 4]}
  row=${(/** @type {any} */ one) => [moment(one.at), spaced(`${one.kind} ${one.subject}`.replaceAll('_', ' ')), number(one.amount), number(one.balance), number(one.items), one.cause.route ?? one.cause.note ?? one.cause.jobId ?? '']} />`;
