/** The page: sign-in, tabs, and the address that holds its state. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { forgetKey, storedKey } from '../shared/storedKey.ts';
import { OpenReminder } from './account/openReminder.tsx';
import { BriefPage } from './brief/brief.tsx';
import { FilterBar } from './filters/filterBar.tsx';
import { Share } from './map/share.tsx';
import { forgetAnswers, observeAllowance, observeWaits } from './shared/api.ts';
import { useAnswer, useListener } from './shared/hooks.ts';
import { optionsOf, Select } from './shared/inputs.tsx';
import { Link, linkTo } from './shared/links.tsx';
import { fetchVocabularies, PageProvider, type ReaderAccount, readAccount, usePage } from './shared/page.ts';
import { type FailedRequest, needsKey } from './shared/problems.ts';
import { type PageState, readAddress, TABS, type TabName, toAddress } from './shared/state.ts';
import { chooseTheme, chosenTheme, type Theme, useTheme } from './shared/theme.ts';
import { Toasts } from './shared/toasts.tsx';
import { Button, MoreLink, Notice, Pending } from './shared/ui.tsx';
import { countInWords, number } from './shared/words.ts';
import { SignIn } from './signIn.tsx';
import { ACCOUNT_TABS, TAB_GROUPS, TAB_ROWS } from './tabRows.ts';

const TITLE = 'Map of land-use projects';

/** Shows how long requests still wait for the key's allowance. */
function Waiting({ limit }: { limit: number }) {
  const [until, setUntil] = useState(0);
  const [now, setNow] = useState(0);
  const wait = (next: number) => {
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
  return (
    <p class="waiting">
      <span role="status">Your key has used up its {countInWords(limit, 'request')} of this minute. The page goes on by itself</span>{' '}
      <span class="seconds">in {seconds} s</span>.
    </p>
  );
}

/** The requests that the key has left in this minute, once few are. */
function RequestsLeft({ limit }: { limit: number }) {
  const [left, setLeft] = useState(limit);
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const stop = observeAllowance((now, resetsAfterSeconds) => {
      setLeft(now);
      clearTimeout(waiting);
      waiting = setTimeout(() => setLeft(limit), resetsAfterSeconds * 1000);
    });
    return () => {
      stop();
      clearTimeout(waiting);
    };
  }, [limit]);
  if (left > limit / 2) return null;
  return (
    <span class="requests">
      · {left} of {countInWords(limit, 'request')} left
    </span>
  );
}

const Brand = () => (
  <a class="brand" href="/map">
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d="M12 2a7 7 0 0 0-7 7c0 5 7 13 7 13s7-8 7-13a7 7 0 0 0-7-7zm0 10a3 3 0 1 1 0-6 3 3 0 0 1 0 6z" />
    </svg>
    <span>Land Use Intelligence</span>
  </a>
);

/** The state that a tab opens with: filters stay, what is open does not. */
const stateOfTab = (state: PageState, tab: TabName): PageState => ({
  ...state,
  tab,
  brief: null,
  project: null,
  open: ['alerts', 'lists'].includes(state.tab) ? null : state.open,
});

/** Links to tabs, of which the open one or the group that it is in is marked. */
function TabLinks({ tabs, label }: { tabs: readonly (readonly [label: string, ...tabs: TabName[]])[]; label: string }) {
  const { state, go } = usePage();
  return (
    <nav aria-label={label}>
      <ul>
        {tabs.map(([name, first = 'map', ...others]) => (
          <li key={name}>
            <Link {...linkTo(go, stateOfTab(state, first))} aria-current={[first, ...others].includes(state.tab) ? 'page' : undefined}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function GroupTabs() {
  const { tab } = usePage().state;
  const group = TAB_GROUPS.find(({ tabs }) => tabs.includes(tab));
  if (!group || group.tabs.length < 2) return null;
  return (
    <div class="group-tabs">
      <TabLinks label={group.label} tabs={group.tabs.map((name) => [TAB_ROWS[name].label, name] as const)} />
    </div>
  );
}

const THEME_LABELS = { '': 'As the system', light: 'Light', dark: 'Dark' } as const;

const MENU_ID = 'account-menu';

function AccountMenu({ onSignOut }: { onSignOut: () => void }) {
  const { account } = usePage();
  const [isCodeOpen, setIsCodeOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  useTheme();
  const close = () => menu.current?.hidePopover();
  const closeCode = () => {
    setIsCodeOpen(false);
    // The button that opened it is hidden with the menu.
    document.querySelector<HTMLElement>('.menu-button')?.focus();
  };
  return (
    <>
      <Button kind="quiet menu-button" popovertarget={MENU_ID}>
        Menu
      </Button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click, too */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it closes behind its links */}
      <div
        id={MENU_ID}
        class="menu"
        popover="auto"
        ref={menu}
        onClick={({ target }) => (target as Element).matches('a, button') && close()}
      >
        <p class="note">
          {account.teamName} · {account.plan.label}
        </p>
        <TabLinks label="Account" tabs={ACCOUNT_TABS.map((name) => [TAB_ROWS[name].label, name] as const)} />
        <Button kind="quiet" onClick={() => setIsCodeOpen(true)}>
          This search as code
        </Button>
        <a href="/docs">Guides and API</a>
        <Select
          id="theme"
          label="Colours"
          value={chosenTheme() ?? ''}
          options={optionsOf(THEME_LABELS)}
          onChange={(theme) => chooseTheme((theme || null) as Theme | null)}
        />
        <Button kind="quiet" onClick={onSignOut}>
          Sign out
        </Button>
      </div>
      {isCodeOpen && <Share onClose={closeCode} />}
    </>
  );
}

function Bar({ onSignOut }: { onSignOut: () => void }) {
  const { account } = usePage();
  return (
    <header class="bar">
      <Brand />
      <TabLinks label="Parts of the page" tabs={TAB_GROUPS.map(({ label, tabs }) => [label, ...tabs] as const)} />
      <p class="account">
        <span title={`Plan: ${account.plan.label}`}>
          <strong>{number(account.balance)}</strong> credits
        </span>{' '}
        {account.balance === 0 && <MoreLink />} <RequestsLeft limit={account.limits.requestsPerMinute} />
      </p>
      <AccountMenu onSignOut={onSignOut} />
    </header>
  );
}

/** The state that the address holds, and a function that changes both. */
function useAddress(): [PageState, (next: PageState, replace?: boolean) => void] {
  const [state, setState] = useState(() => readAddress(location));
  const go = useCallback((next: PageState, replace = false) => {
    const address = toAddress(next);
    if (address !== location.pathname + location.search) {
      if (replace) history.replaceState(null, '', address);
      else history.pushState(null, '', address);
    }
    setState(next);
  }, []);
  useListener('popstate', () => setState(readAddress(location)));
  return [state, go];
}

interface SignedProps {
  account: ReaderAccount;
  onSignOut: (problem?: FailedRequest) => void;
  onSpent: () => void;
}

const TABS_BY_LABEL = new Map(TABS.map((name) => [TAB_ROWS[name].label, name]));

function Signed({ account, onSignOut, onSpent }: SignedProps) {
  const [state, go] = useAddress();
  const [isSought, setIsSought] = useState(false);
  const isOpened = useRef(false);
  const words = useAnswer((signal) => fetchVocabularies(account, signal), [account.vocabularies.version]);
  const { label, isWide, hasFilters, dateRange, Content } = TAB_ROWS[state.tab];
  useEffect(() => {
    document.title = `${state.tab === 'map' ? TITLE : label} - Land Use Intelligence`;
    // What had the focus is gone with the tab before; at first, the page begins at its top.
    if (isOpened.current && document.activeElement === document.body) document.getElementById('main')?.focus();
    isOpened.current = true;
  }, [state.tab]);
  // Tabs with a box focus it themselves.
  useListener('keydown', (event) => {
    if (hasFilters || event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    setIsSought(true);
    go(stateOfTab(state, 'map'));
  });
  useEffect(() => {
    if (needsKey(words.problem)) onSignOut(words.problem);
  }, [words.problem]);
  return (
    <PageProvider value={{ state, go, account, words: words.answer, onSpent }}>
      <Button kind="skip" onClick={() => document.getElementById('main')?.focus()}>
        To the contents
      </Button>
      <Bar onSignOut={() => onSignOut()} />
      <GroupTabs />
      <Waiting limit={account.limits.requestsPerMinute} />
      <OpenReminder />
      {hasFilters && !state.brief && <FilterBar dateRange={dateRange} tabs={TABS_BY_LABEL} isSought={isSought} />}
      <main id="main" tabIndex={-1} class={isWide && !state.brief ? 'wide' : ''}>
        {words.problem && !needsKey(words.problem) && <Notice problem={words.problem} again={words.again} />}
        {state.brief ? <BriefPage id={state.brief} /> : <Content />}
      </main>
      <Toasts />
    </PageProvider>
  );
}

/** Reads the account if a key is stored; asks for a key if there is none or it no longer works. */
export function App() {
  const [signedOut, setSignedOut] = useState(!storedKey());
  const [account, setAccount] = useState<ReaderAccount | null>(null);
  const [problem, setProblem] = useState<FailedRequest | null>(null);
  const known = useAnswer(
    async (signal) => {
      if (!signedOut && !account) setAccount(await readAccount({ signal }));
    },
    [signedOut],
  );
  const signOut = (why: FailedRequest | null = null) => {
    forgetKey();
    forgetAnswers();
    setAccount(null);
    setProblem(why);
    setSignedOut(true);
  };
  const signIn = (found: ReaderAccount) => {
    setAccount(found);
    setSignedOut(false);
    known.again();
  };
  const refresh = () => {
    forgetAnswers();
    readAccount().then(setAccount, () => undefined);
  };
  if (signedOut) return <SignIn problem={problem} onSignedIn={signIn} />;
  if (needsKey(known.problem)) return <SignIn problem={known.problem} onSignedIn={signIn} />;
  if (account) return <Signed account={account} onSignOut={signOut} onSpent={refresh} />;
  return (
    <main class="sign-in" id="main">
      <h1 class="hidden">{TITLE}</h1>
      <Pending asked={{ ...known, answer: null }} what="Signing in" />
    </main>
  );
}
