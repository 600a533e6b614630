/** The reader's account, and the vocabularies of filters. */
import type { Account } from '../../../clients/client/generated.ts';
import type { DataOf } from './answers.ts';
import { type CallOptions, call, readFile } from './api.ts';

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
  /** whether the licence has any of it */
  entitled: boolean;
}
/** The vocabularies of filters. */
export interface Words {
  /** Building Types */
  taxonomy: (Word & { subtypes: Word[] })[];
  statuses: Word[];
  states: KnownState[];
}

/** Reads the account, with its credits and the address of the vocabularies; free, and with its own rate limit. */
export async function readAccount(options?: CallOptions): Promise<ReaderAccount> {
  const { account, credits, vocabularies, limits, release } = (await call('getStart', {}, options)).data;
  const { remaining: balance, ...rates } = credits;
  return { ...account, ...rates, balance, limits, vocabularies, release };
}

/** Reads the vocabularies, and the states with what the licence covers. The browser caches the file, which never changes under its name. */
export async function fetchVocabularies({ vocabularies, licence }: ReaderAccount, signal: AbortSignal): Promise<Words> {
  const { taxonomy, statuses, states } = await readFile<Words>(new URL(vocabularies.url).pathname, signal);
  const licensed = new Set([...(licence.stateIds ?? []), ...(licence.countyIds ?? []).map((id) => Math.floor(id / 1000))]);
  return { taxonomy, statuses, states: states.map((state) => ({ ...state, entitled: licence.nationwide || licensed.has(state.id) })) };
}
