/** The pages of a search, one after the other, as far as they are free or their price was agreed to. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Input } from '../../../clients/client/prepare.ts';
import { randomKey } from '../../../clients/client/transport.ts';
import { call, callCached, forgetAnswers, type SendOptions } from '../shared/api.ts';
import { useRepetition } from '../shared/hooks.ts';
import { asProblem, type FailedRequest } from '../shared/problems.ts';
import { readUnconfirmed } from '../shared/unconfirmed.tsx';
import type { TableRecord } from './recordFields.ts';

export const PAGE_RECORDS = 50;
/** Rows that are read one page after the other on demand, in as large pages as there are: at most a minute's requests. */
export const ALL_MAX = 5_000;
const LARGE_PAGE_RECORDS = 100;
/** The farthest that a search reaches. */
export const REACH_RECORDS = 10_000;

/** What a table asks for: an operation and its input without that of pages. */
export type RowsQuery = { of: 'searchProjects'; input: Input<'searchProjects'> } | { of: 'getListResults'; input: Input<'getListResults'> };

interface ReadPage {
  data: TableRecord[];
  meta: { hasMore?: boolean; matchCount?: number | null; creditsUsed?: number; warnings?: { code: string; params?: unknown }[] };
}

interface ReadPages {
  records: readonly TableRecord[];
  /** where the next page begins */
  offset: number;
  hasMore: boolean;
  /** as the newest page says; null before the first */
  matchCount: number | null;
  /** filters that a row may match by an earlier reading alone, so that its own cell is empty */
  unconfirmed: readonly string[];
  /** credits that the next page costs; it is not read before they are agreed to */
  offer: number | null;
  /** whether the credits are used up, so that nothing more can be read */
  exhausted: boolean;
  loading: boolean;
  problem: FailedRequest | null;
}

export interface RecordPages extends ReadPages {
  /** Reads the next page if it is free; one that costs becomes an offer. */
  readNext: () => void;
  /** Reads all further pages that are free. */
  readAll: () => void;
  /** Reads the next page, of so many rows at most, for at most so many credits. */
  buy: (credits: number, rows: number) => void;
  /** Reads the page again that failed. */
  retry: () => void;
  /** Reads everything again. */
  again: () => void;
}

const UNREAD: ReadPages = {
  records: [],
  offset: 0,
  hasMore: true,
  matchCount: null,
  unconfirmed: [],
  offer: null,
  exhausted: false,
  loading: false,
  problem: null,
};

/** The price of a page that was refused because it exceeds what may be spent, or the balance; null for any other refusal. */
function priceOf({ code, status, details }: FailedRequest): number | null {
  if (code === 'insufficient_credits') return details?.quote?.creditsRequired ?? null;
  return status === 400 ? (details?.creditsRequired ?? null) : null;
}

function joinPage(before: ReadPages, { data, meta }: ReadPage): ReadPages {
  // Records that moved between two pages come twice.
  const held = new Set(before.records.map(({ id }) => id));
  const offset = before.offset + data.length;
  return {
    ...UNREAD,
    records: [...before.records, ...data.filter(({ id }) => !held.has(id))],
    offset,
    hasMore: Boolean(meta.hasMore) && data.length > 0 && offset < REACH_RECORDS,
    matchCount: meta.matchCount ?? before.matchCount,
    unconfirmed: [...new Set([...before.unconfirmed, ...readUnconfirmed(meta.warnings).filters])],
  };
}

/**
 * Reads the pages of a query.
 * @param query null while it is not known
 * @param onSpent called when a page cost credits
 */
export function useRecordPages(query: RowsQuery | null, onSpent: () => void): RecordPages {
  const [pages, setPages] = useState(UNREAD);
  const [turn, setTurn] = useState(0);
  const [wantsAll, setWantsAll] = useState(false);
  const latest = useRef({ pages, query, stop: new AbortController(), busy: false });
  const keep = (next: ReadPages) => {
    latest.current.pages = next;
    setPages(next);
  };
  const read = async (credits: number, rows = PAGE_RECORDS) => {
    const { query: asked, stop, busy, pages: before } = latest.current;
    if (!asked || busy) return;
    latest.current.busy = true;
    keep({ ...before, loading: true, problem: null });
    try {
      const page = await readPage(asked, { offset: before.offset, rows, credits }, stop.signal);
      if (stop.signal.aborted) return;
      latest.current.busy = false;
      keep(joinPage(before, page));
      if (page.meta.creditsUsed) {
        forgetAnswers();
        onSpent();
      }
    } catch (error) {
      if (stop.signal.aborted) return;
      latest.current.busy = false;
      const problem = asProblem(error);
      const offer = priceOf(problem);
      const exhausted = problem.code === 'credits_exhausted';
      keep({ ...before, loading: false, offer, exhausted, problem: offer === null && !exhausted ? problem : null });
    }
  };
  useEffect(() => {
    const stop = new AbortController();
    latest.current = { pages: UNREAD, query, stop, busy: false };
    setPages(UNREAD);
    setWantsAll(false);
    read(0);
    return () => stop.abort();
  }, [JSON.stringify(query), turn]);
  const readNext = useCallback((rows?: number) => {
    const { hasMore, offer, exhausted, problem } = latest.current.pages;
    if (hasMore && offer === null && !exhausted && !problem) read(0, rows);
  }, []);
  useEffect(() => {
    if (wantsAll) readNext(LARGE_PAGE_RECORDS);
  }, [wantsAll, pages]);
  const buy = useCallback((credits: number, rows: number) => void read(credits, rows), []);
  const again = useCallback(() => {
    forgetAnswers();
    setTurn((n) => n + 1);
  }, []);
  const retry = useCallback(() => void read(0), []);
  useRepetition(pages.problem, retry);
  return { ...pages, readNext, readAll: useCallback(() => setWantsAll(true), []), buy, retry, again };
}

interface AskedPage {
  offset: number;
  /** at most */
  rows: number;
  /** that it may cost at most */
  credits: number;
}

async function readPage(query: RowsQuery, { offset, rows, credits }: AskedPage, signal: AbortSignal): Promise<ReadPage> {
  // Only the first page of new records exists: delivered ones have left the set.
  const isNew = query.of === 'searchProjects' && query.input.deliveryMode === 'new';
  const page = { limit: Math.min(rows, REACH_RECORDS - offset), ...(isNew || offset === 0 ? {} : { offset }) };
  const isFree = credits === 0 && !isNew;
  const options: SendOptions = { signal, maxCredits: credits, ...(isFree ? {} : { idempotencyKey: randomKey() }) };
  const read = isFree ? callCached : call;
  const answer =
    query.of === 'searchProjects'
      ? await read(query.of, { ...query.input, ...page }, options)
      : await read(query.of, { ...query.input, ...page }, options);
  // Records, since no file was asked for, and lists of filters are searched.
  return answer as unknown as ReadPage;
}
