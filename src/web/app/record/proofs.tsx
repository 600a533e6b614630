/** The proof of a record's values: quotes and texts of minutes, each asked for once, and which values show theirs. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { Evidence } from '../../../clients/client/generated.ts';
import type { FieldAccuracy } from '../../../core/domain/accuracy.ts';
import { call, spend } from '../shared/api.ts';
import type { ReadRecord } from '../shared/facts.ts';
import { useCall, useRepetition } from '../shared/hooks.ts';
import { usePage } from '../shared/page.ts';
import { asProblem, FailedRequest } from '../shared/problems.ts';

/** The words of a document that a value was read from. */
export type ValueQuote = Evidence;
export type MinutesReference = ValueQuote['document'];

interface Known<T> {
  value?: T;
  problem?: FailedRequest;
}

interface ProofDesk {
  record: ReadRecord;
  /** fields that show their proof */
  open: ReadonlySet<string>;
  toggle: (field: string) => void;
  /** Shows every quote. @returns how many fields have any @throws FailedRequest */
  showAll: () => Promise<number>;
  hideAll: () => void;
  /** fields that changed since the team held the record */
  changed: ReadonlySet<string>;
  /** undefined until they are asked for */
  quotes: Known<readonly ValueQuote[]> | undefined;
  /** texts of documents by their ids; undefined until they are asked for */
  texts: Readonly<Record<number, Known<string>>>;
  /** How right values of a field are that people compared with the minutes of this record's body; undefined where none was, or before quotes are asked for. */
  accuracyOf: (field: string) => FieldAccuracy | undefined;
  /** Reads the text of a document, which may cost a credit. */
  readText: (documentId: number) => Promise<void>;
  /** Reads the whole record again, price first. */
  readAgain: () => void;
}

const Desk = createContext<ProofDesk | null>(null);

/** The proofs of the record around the component. @throws Error outside of `WithProofs` */
export function useProofs(): ProofDesk {
  const desk = useContext(Desk);
  if (!desk) throw new Error('No record around this component');
  return desk;
}

const CHANGED = new FailedRequest({
  code: 'page',
  message: 'The record has changed since this page read it.',
  remedy: 'Read it again: what that costs is shown first.',
});

/** The quotes of a record that the team holds, so that they are free. @throws FailedRequest if the record has changed meanwhile */
async function readQuotes({ id, contentRevision }: ReadRecord): Promise<readonly ValueQuote[]> {
  try {
    const { data } = await call('getProjectEvidence', { id }, spend(0));
    if (data?.contentRevision !== contentRevision) throw CHANGED;
    return data.evidence;
  } catch (error) {
    throw error instanceof FailedRequest && error.details?.creditsRequired ? CHANGED : error;
  }
}

async function known<T>(work: Promise<T>): Promise<Known<T>> {
  try {
    return { value: await work };
  } catch (error) {
    return { problem: asProblem(error) };
  }
}

interface WithProofsProps {
  record: ReadRecord;
  changed: ReadonlySet<string>;
  readAgain: () => void;
  children: ComponentChildren;
}

/** Gives what is in it the proofs of a record. */
export function WithProofs({ record, changed, readAgain, children }: WithProofsProps) {
  const { account, onSpent } = usePage();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [quotes, setQuotes] = useState<Known<readonly ValueQuote[]>>();
  const asked = useRef<Promise<Known<readonly ValueQuote[]>> | null>(null);
  const [texts, setTexts] = useState<Readonly<Record<number, Known<string>>>>({});

  const load = async (): Promise<Known<readonly ValueQuote[]>> => {
    asked.current ??= known(readQuotes(record));
    const loaded = await asked.current;
    if (loaded.problem) asked.current = null;
    setQuotes(loaded);
    return loaded;
  };
  const { stateId, countyId, cityId, decisionBody } = record;
  const where =
    open.size > 0 && quotes?.value?.length && stateId && decisionBody
      ? { by: 'body' as const, states: [stateId], decisionBodies: [decisionBody] }
      : null;
  const bodies = useCall('getCoverage', where).answer?.data.groups;
  const body = bodies?.find(({ bodyKey }) => bodyKey === `${stateId}.${countyId ?? 0}.${cityId ?? 0}.${decisionBody}`);
  const accuracyOf = (field: string) => (body?.accuracy?.fields as Record<string, FieldAccuracy> | undefined)?.[field];
  useRepetition(quotes?.problem, load);
  // Values with and without words look different from the beginning.
  useEffect(() => void load(), []);
  const toggle = (field: string) => {
    const next = new Set(open);
    if (!next.delete(field)) next.add(field);
    setOpen(next);
    load();
  };
  const showAll = async () => {
    const { value = [], problem } = await load();
    if (problem) throw problem;
    const fields = new Set(value.map(({ field }) => field));
    setOpen(fields);
    return fields.size;
  };
  const hideAll = () => setOpen(new Set<string>());
  const askText = async (documentId: number): Promise<string> => {
    const { data, meta } = await call('getDocument', { id: documentId }, spend(account.creditRate));
    if (meta.creditsUsed) onSpent();
    return data.text ?? '';
  };
  const readText = async (documentId: number) => {
    if (texts[documentId] && !texts[documentId].problem) return;
    setTexts((before) => ({ ...before, [documentId]: {} }));
    const text = await known(askText(documentId));
    setTexts((before) => ({ ...before, [documentId]: text }));
  };
  const desk = { record, open, toggle, showAll, hideAll, changed, quotes, accuracyOf, texts, readText, readAgain };
  return <Desk.Provider value={desk}>{children}</Desk.Provider>;
}
