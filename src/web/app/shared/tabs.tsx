import type { ReaderAccount, Words } from './api.ts';
import type { PageState } from './state.ts';

/** What every tab is given. */
export interface TabProps {
  state: PageState;
  /** Changes the state of the page, and with it its address. @param replace without an entry in the browser's history */
  go: (next: PageState, replace?: boolean) => void;
  account: ReaderAccount;
  words: Words | null;
  /** Reads the balance again, after a purchase. */
  onSpent: () => void;
}
