/** What every part of the page is given: its state and how to change it, the account, the vocabularies. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ReaderAccount, Words } from './account.ts';
import type { PageState } from './state.ts';

export interface SignedPage {
  state: PageState;
  /** Changes the state of the page, and with it its address. @param replace without an entry in the browser's history */
  go: (next: PageState, replace?: boolean) => void;
  account: ReaderAccount;
  words: Words | null;
  /** Reads the balance again, after a purchase. */
  onSpent: () => void;
}

const Page = createContext<SignedPage | null>(null);
export const PageProvider = Page.Provider;

/** @throws Error outside of `PageProvider` */
export function usePage(): SignedPage {
  const page = useContext(Page);
  if (!page) throw new Error('No page around this component');
  return page;
}
