// The page: sign-in, tabs, and the address that holds its state.
import { useCallback, useEffect, useState } from 'preact/hooks';
import { forgetKey, keptKey } from '../shared/keptKey.js';
import { Alerts, Exports, Keys, Lists, Receipts, Webhooks } from './accountPages.js';
import { askStart, forgetAnswers, needsKey, observeWaits, readWords } from './api.js';
import { Charts } from './charts.js';
import { Compare } from './compare.js';
import { html } from './html.js';
import { MapTab } from './mapTab.js';
import { SignIn } from './signIn.js';
import { queryOf, readAddress, TABS, toAddress } from './state.js';
import { asProblem, Loading, Notice, useAnswer } from './ui.js';
import { number, spaced } from './words.js';

/** Shows how long requests still wait for the key's allowance. */
function Waiting() {
  const [until, setUntil] = useState(0);
  const [now, setNow] = useState(0);
  const wait = (/** @type {number} */ next) => {
    setNow(Date.now());
    setUntil((before) => Math.max(before, next));
  };
  useEffect(() => observeWaits(wait), []);
  useEffect(() => {
    if (!until) return undefined;
    const tick = () => (Date.now() >= until ? setUntil(0) : setNow(Date.now()));
    tick();
    const ticking = setInterval(tick, 250);
    return () => clearInterval(ticking);
  }, [until]);
  if (!until) return null;
  const seconds = Math.max(1, Math.ceil((until - now) / 1000));
  return html`<p class="waiting"><span role="status">Your key has used up its requests of this minute. The page goes on by itself</span> <span class="seconds">in ${seconds} s</span>.</p>`;
}

/** @param {{tab: string, go: (tab: string) => void, account: any, onSignOut: () => void}} given */
const Bar = ({ tab, go, account, onSignOut }) => html`<header class="bar">
  <a class="brand" href="/map"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 2a7 7 0 0 0-7 7c0 5 7 13 7 13s7-8 7-13a7 7 0 0 0-7-7zm0 10a3 3 0 1 1 0-6 3 3 0 0 1 0 6z" /></svg><span>Land Use Intelligence</span></a>
  <nav aria-label="Parts of the page"><ul>${TABS.map(
    (name) => html`<li><a href=${name === 'map' ? '/map' : `/map?tab=${name}`} aria-current=${name === tab ? 'page' : undefined}
    onClick=${(/** @type {MouseEvent} */ event) => {
      if (!event.ctrlKey && !event.metaKey) {
        event.preventDefault();
        go(name);
      }
    }}>${spaced(name)}</a></li>`,
  )}</ul></nav>
  <p class="account"><span title="Plan and credits"><span class="plan">${account.plan.label} · </span><strong>${number(account.balance)}</strong> credits</span> <a href="/docs">API</a> <button type="button" class="quiet" onClick=${onSignOut}>Sign out</button></p>
</header>`;

/** @param {{account: any, onSignOut: (problem?: any) => void, onSpent: () => void}} given */
function Signed({ account, onSignOut, onSpent }) {
  const [state, setState] = useState(() => readAddress(location));
  const [matchCount, setMatchCount] = useState(/** @type {number | null} */ (null));
  const words = useAnswer((signal) => readWords(account, signal), [account.vocabularies.version]);
  const go = useCallback((/** @type {import('./state.js').State} */ next, replace = false) => {
    const address = toAddress(next);
    if (address === location.pathname + location.search) return setState(next);
    if (replace) history.replaceState(null, '', address);
    else history.pushState(null, '', address);
    return setState(next);
  }, []);
  useEffect(() => {
    const back = () => setState(readAddress(location));
    addEventListener('popstate', back);
    return () => removeEventListener('popstate', back);
  }, []);
  useEffect(() => {
    document.title = `${state.tab === 'map' ? 'Map of land-use projects' : spaced(state.tab)} - Land Use Intelligence`;
  }, [state.tab]);
  useEffect(() => {
    if (needsKey(words.problem)) onSignOut(words.problem);
  }, [words.problem]);
  const { tab, filters } = state;
  const states = words.answer?.[2] ?? [];
  return html`<${Bar} tab=${tab} account=${account} onSignOut=${() => onSignOut()} go=${(/** @type {string} */ name) => go({ ...state, tab: name, project: null })} />
    <${Waiting} />
    <main id="main" class=${tab === 'map' ? 'wide' : ''}>
      ${words.problem && !needsKey(words.problem) && html`<${Notice} problem=${words.problem} again=${words.again} />`}
      ${tab === 'map' && html`<h1 class="hidden">Map of land-use projects</h1><${MapTab} state=${state} go=${go} account=${account} words=${words.answer} onSpent=${onSpent} onCount=${setMatchCount} />`}
      ${tab === 'charts' && html`<${Charts} key=${queryOf(filters)} filters=${filters} matchCount=${matchCount} />`}
      ${tab === 'compare' && html`<${Compare} filters=${filters} a=${state.a} b=${state.b} states=${states} onChange=${(/** @type {object} */ change) => go({ ...state, ...change })} />`}
      ${tab === 'exports' && html`<${Exports} filters=${filters} />`}
      ${tab === 'alerts' && html`<${Alerts} filters=${filters} />`}
      ${tab === 'lists' && html`<${Lists} filters=${filters} />`}
      ${tab === 'webhooks' && html`<${Webhooks} />`}
      ${tab === 'keys' && html`<${Keys} />`}
      ${tab === 'receipts' && html`<${Receipts} />`}
    </main>`;
}

/** Reads the account if a key is stored; asks for a key if there is none or it no longer works. */
export function App() {
  const [signedOut, setSignedOut] = useState(!keptKey());
  const [account, setAccount] = useState(/** @type {any} */ (null));
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const known = useAnswer(
    async (signal) => {
      if (signedOut || account) return null;
      setAccount(await askStart({ signal }));
      return null;
    },
    [signedOut],
  );
  const signOut = (/** @type {any} */ why = null) => {
    forgetKey();
    forgetAnswers();
    setAccount(null);
    setProblem(why);
    setSignedOut(true);
  };
  const refresh = () => {
    forgetAnswers();
    return askStart().then(setAccount, () => undefined);
  };
  if (signedOut)
    return html`<${SignIn} problem=${problem} onSignedIn=${(/** @type {any} */ found) => {
      setAccount(found);
      setSignedOut(false);
    }} />`;
  if (known.problem && needsKey(known.problem))
    return html`<${SignIn} problem=${asProblem(known.problem)} onSignedIn=${(/** @type {any} */ found) => {
      setAccount(found);
      setSignedOut(false);
      known.again();
    }} />`;
  if (known.problem)
    return html`<main class="sign-in" id="main"><h1 class="hidden">Map of land-use projects</h1><${Notice} problem=${known.problem} again=${known.again} /></main>`;
  if (!account)
    return html`<main class="sign-in" id="main"><h1 class="hidden">Map of land-use projects</h1><${Loading} what="Signing in" /></main>`;
  return html`<${Signed} account=${account} onSignOut=${signOut} onSpent=${refresh} />`;
}
