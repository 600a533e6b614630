/**
 * Made-up documents of meetings and an extractor of them, for tests of what becomes of cases: the first line has kind, day and body, a case begins with
 * `CASE`, and each further line states one field: `address: 12 Oak Street`.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Extractor } from '../../ingest/extract/generation/extractedFiles.ts';
import type { DocumentKind, ExtractedCase, ExtractedDocument, MotionResult, ReadDocument, Stated } from '../../ingest/extract/types.ts';

const HEAD = /^(\w+) (\d{4}-\d\d-\d\d)?(?: of the (.+))?$/m;
const VOTE = /(\S+) (yes|no|abstain|absent|recused)/g;

/** A document of such lines. @param cases each an object of fields */
export function writeMinutes(kind: DocumentKind, date: string, cases: readonly Readonly<Record<string, string | number>>[]): string {
  const blocks = cases.map((one) => ['CASE', ...Object.entries(one).map(([field, value]) => `${field}: ${value}`)].join('\n'));
  return `${[`${kind} ${date}`, 'Boulder', ...blocks].join('\n\n')}\n`;
}

/** The values of lines `field: value` between two places. */
function readLines(text: string, start: number, end: number) {
  const found = [...text.slice(start, end).matchAll(/^(\w+): (.+)$/gm)].map(({ index, 1: field = '', 2: value = '' }) => {
    const from = start + index + field.length + 2;
    return { field, stated: { value, start: from, end: from + value.length } };
  });
  const all = (field: string): Stated<string>[] => found.flatMap((one) => (one.field === field ? [one.stated] : []));
  const one = (field: string): Stated<string> | null => all(field)[0] ?? null;
  const number = (field: string): Stated<number> | null => {
    const stated = one(field);
    return stated && { ...stated, value: Number(stated.value) };
  };
  return { all, one, number };
}

function readCase(text: string, start: number, end: number): ExtractedCase {
  const { all, one, number } = readLines(text, start, end);
  const motions = all('motion').map(({ value, start: from, end: to }) => {
    const [, result = '', yes = '0', no = '0'] = /^(\w+)(?: (\d+)-(\d+))?/.exec(value) ?? [];
    const votes = [...value.matchAll(VOTE)].map(({ index, 0: words, 1: name = '', 2: vote }) => ({
      name,
      vote: vote as 'yes',
      start: from + index,
      end: from + index + words.length,
    }));
    const tally = yes + no === '00' ? null : { value: { yes: Number(yes), no: Number(no), abstain: null }, start: from, end: to };
    return { start: from, end: to, result: result as MotionResult, mover: null, seconder: null, votes, tally, unanimous: null };
  });
  const last = motions.at(-1);
  const people = (['applicant', 'owner', 'representative'] as const).flatMap((role) =>
    all(role).map(({ value, ...span }) => ({ ...span, role, name: value, company: null })),
  );
  return {
    start,
    end,
    caseNumbers: all('number'),
    parcelNumbers: all('parcel'),
    title: one('title'),
    address: one('address'),
    contacts: people,
    request: one('request'),
    requestType: one('type')?.value ?? null,
    existingZoning: one('from'),
    proposedZoning: one('to'),
    acreage: number('acres'),
    units: number('units'),
    lots: number('lots'),
    squareFootage: null,
    stories: null,
    landUses: all('use').map(({ value, ...span }) => ({ ...span, type: value, role: 'primary' as const })),
    staffRecommendation: null,
    decision: last ? { value: last.result as MotionResult, start: last.start, end: last.end } : null,
    conditions: all('condition'),
    conditionCount: null,
    motions,
    nextHearing: one('next'),
    doubts: all('doubt').map(({ value }) => ({ field: value, reasons: ['said twice'] })),
  };
}

function readMade(text: string): ExtractedDocument {
  const [head = '', kind = 'other', day, body] = HEAD.exec(text) ?? [];
  const stated = (value: string | undefined) => {
    const start = value ? head.indexOf(value) : -1;
    return value ? { value, start, end: start + value.length } : null;
  };
  const starts = [...text.matchAll(/^CASE$/gm)].map(({ index }) => index);
  return {
    kind: kind as DocumentKind,
    meetingDate: stated(day),
    body: stated(body),
    cases: starts.map((start, i) => readCase(text, start, starts[i + 1] ?? text.length)),
    doubts: [],
  };
}

/** Counts what is read again. */
export function makeExtractor(): Extractor & { reads: string[] } {
  const reads: string[] = [];
  const open = async (file: string, name: string) => {
    const text = await readFile(file, 'utf8');
    const sha256 = createHash('sha256').update(text).digest('hex');
    const read = async (): Promise<ReadDocument[]> => {
      reads.push(name);
      const stated = { kind: null, date: null, title: null, url: null };
      return [{ file: name, sha256, format: 'text', text, pageStarts: [0], stated, unread: text.trim() ? null : 'empty' }];
    };
    return { sha256, read };
  };
  return { digest: 'made', reads, open, extract: (document: ReadDocument) => readMade(document.text) };
}
