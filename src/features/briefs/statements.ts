/** Sentences of a brief, and the requests that repeat their numbers. Pure. */
import { countUrlOf } from '../../core/search/countUrl.ts';
import type { Basis, BriefStatement, Call } from './types.ts';

type Parameters = Readonly<Record<string, unknown>>;

/** @param path below /v1 */
export function makeGet(path: string, parameters: Parameters = {}): Call {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    query.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  return { method: 'GET', path: `/v1${path}${query.size ? `?${query}` : ''}`, body: null };
}

export const makeCountCall = (filters: Parameters): Call => ({ method: 'GET', path: countUrlOf('', filters), body: null });

/** @param path below /v1 */
export const makePost = (path: string, body: Parameters): Call => ({ method: 'POST', path: `/v1${path}`, body });

const state = (basis: Basis, text: string, call: Call | null, more: Partial<BriefStatement> = {}): BriefStatement => ({
  text,
  basis,
  call,
  quote: null,
  documentId: null,
  projectId: null,
  ...more,
});

/** A number that the call answers. */
export const stateCount = (text: string, call: Call) => state('count', text, call);
/** What follows from the answer of the call. */
export const stateComputed = (text: string, call: Call, projectId: number | null = null) => state('computed', text, call, { projectId });
/** What is not known. @param call whose answer shows it, if one does */
export const stateUnknown = (text: string, call: Call | null = null) => state('none', text, call);
/** What the words of a document say. */
export const stateQuote = (text: string, call: Call, quote: string, more: Partial<Pick<BriefStatement, 'documentId' | 'projectId'>> = {}) =>
  state('quote', text, call, { quote, ...more });

/** `1,234`. */
export const showNumber = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 2 });

/** `1 project is`, `3 Data Center projects are`. @param use empty for any */
export const countProjects = (count: number, use: string): string =>
  `${count ? showNumber(count) : 'No'} ${use ? `${use} ` : ''}${count === 1 ? 'project is' : 'projects are'}`;
