/** What every part of the page is given: its state and how to change it, the reader's account, the vocabularies. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Account } from '../../../clients/client/generated.ts';
import type { DataOf } from './answers.ts';
import { call, readFile, type SendOptions } from './api.ts';
import type { PageState } from './state.ts';

type Start = DataOf<'getStart'>;

/** The caller's account, as the start of the API describes it, with its credits and rates. */
export interface ReaderAccount extends Account, Omit<Start['credits'], 'remaining'>, Pick<Start, 'limits' | 'vocabularies' | 'release'> {
  /** credits left in the pool */
  balance: number;
}

interface Word {
  token: string;
  label: string;
}
export interface KnownState {
  id: number;
  abbreviation: string;
  name: string;
}
/** The vocabularies of filters. */
export interface Words {
  /** Building Types */
  taxonomy: (Word & { subtypes: Word[] })[];
  states: KnownState[];
}

/** Reads the account, with its credits and the address of the vocabularies; free, and with its own rate limit. */
export async function readAccount(options?: SendOptions): Promise<ReaderAccount> {
  const { account, credits, vocabularies, limits, release } = (await call('getStart', {}, options)).data;
  const { remaining: balance, ...rates } = credits;
  return { ...account, ...rates, balance, limits, vocabularies, release };
}

/** Reads the vocabularies. The browser caches the file, which never changes under its name. */
export const fetchVocabularies = ({ vocabularies }: ReaderAccount, signal: AbortSignal): Promise<Words> =>
  readFile(new URL(vocabularies.url).pathname, signal);

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
