/** One project of the hearings of a case: what a later hearing states goes before what an earlier one did. Pure. */
import type { DocumentQuote } from '../../../src/core/domain/record/quotes.ts';
import { distinctUses } from '../../read/normalise.ts';
import { useFields } from '../../sources/rules.ts';
import type { ProjectDraft } from '../../sources/types.ts';
import { joinUpTo } from '../../sources/values.ts';
import { isAhead } from './caseHearing.ts';
import type { CaseHearing } from './types.ts';

const QUOTES_MAX = 500;
const TEXT_CHARACTERS_MAX = 1_000_000;

/** Fields of the last hearing that decided; one that only announces or discusses the case does not change them. */
const OF_DECISION = [
  'status',
  'decisionBody',
  'decisionType',
  'voteTotals',
  'conditionsOfApproval',
  'actionType',
  'actionCategory',
] as const satisfies (keyof ProjectDraft)[];

/** Fields that are made of all hearings. */
const OF_ALL = [
  'caseNumbers',
  'parcelNumbers',
  'landUses',
  'propertyType',
  'propertySubtype',
  'assetClass',
  'parties',
  'contacts',
  'decisions',
  'statusHistory',
  'meetingDocuments',
  'rawText',
  'meetingDate',
  'firstMeetingDate',
  'nextMeetingDate',
  'appearanceCount',
] as const satisfies (keyof ProjectDraft)[];
const APART: ReadonlySet<string> = new Set([...OF_DECISION, ...OF_ALL]);

export interface MergedProject {
  statement: ProjectDraft;
  quotes: DocumentQuote[];
}

const isStated = (value: unknown) => value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && !value.length);

/** Of objects with one key the later; in the order of their first ones. */
function uniteBy<T>(keyOf: (one: T) => string, lists: readonly (readonly T[] | null | undefined)[]): T[] {
  const united = new Map<string, T>();
  for (const list of lists) for (const one of list ?? []) united.set(keyOf(one), { ...united.get(keyOf(one)), ...one });
  return [...united.values()];
}

/** Decisions in order; a later document of the same meeting replaces what an earlier one stated of it. */
function uniteDecisions(hearings: readonly CaseHearing[]) {
  const byMeeting = new Map<string, NonNullable<ProjectDraft['decisions']>>();
  for (const { statement } of hearings) {
    const own = Map.groupBy(statement.decisions ?? [], (one) => `${one.meetingDate}|${one.decisionBody}`);
    for (const [meeting, decisions] of own) byMeeting.set(meeting, decisions);
  }
  return [...byMeeting.values()].flat().sort((a, b) => a.meetingDate.localeCompare(b.meetingDate));
}

const uniteValues = (lists: readonly (readonly string[] | null | undefined)[]) => [...new Set(lists.flatMap((list) => list ?? []))];

/** Days on which the case was heard, and the newest one that is announced behind them. */
function findDays(hearings: readonly CaseHearing[], documents: NonNullable<ProjectDraft['meetingDocuments']>) {
  const held = hearings.flatMap((one) => (!isAhead(one) && one.date ? [one.date] : []));
  const ahead = hearings.flatMap((one) => (isAhead(one) && one.date ? [one.date] : [])).sort();
  const last = held.at(-1) ?? '';
  const putOffTo = hearings.findLast((one) => !isAhead(one) && one.date === last)?.statement.nextMeetingDate ?? '';
  const next = [ahead.at(-1) ?? '', putOffTo].find((date) => date > last) ?? null;
  const listed = documents.flatMap(({ meetingDate }) => meetingDate ?? []);
  const all = [...new Set([...held, ...ahead, ...listed])].sort();
  return { meetingDate: last || next, firstMeetingDate: all[0] ?? null, nextMeetingDate: next, appearanceCount: all.length || null };
}

/** Passages in their order, each once. */
const uniteTexts = (texts: readonly string[]) =>
  texts.filter((text, i) => !texts.some((other, j) => (j < i || (j > i && other.length > text.length)) && other.includes(text)));

/** @param hearings in their order, at least one */
export function mergeHearings(hearings: readonly CaseHearing[]): MergedProject {
  const statement: Record<string, unknown> = {};
  const source = new Map<string, CaseHearing>();
  for (const hearing of hearings)
    for (const [field, value] of Object.entries(hearing.statement)) {
      if (APART.has(field) || !isStated(value)) continue;
      statement[field] = value;
      source.set(field, hearing);
    }
  const decided = hearings.findLast((one) => one.statement.status && one.statement.status !== 'pending') ?? null;
  const deciding = decided ?? (hearings.at(-1) as CaseHearing);
  for (const field of OF_DECISION) {
    if (isStated(deciding.statement[field])) statement[field] = deciding.statement[field];
    source.set(field, deciding);
  }
  if (!decided && hearings.every(isAhead)) statement.status = 'pending';
  const all = <K extends keyof ProjectDraft>(field: K) => hearings.map((one) => one.statement[field]);
  const meetingDocuments = uniteBy(({ meetingDocumentId }) => String(meetingDocumentId), all('meetingDocuments'));
  const merged: ProjectDraft = {
    recordType: 'project',
    ...statement,
    displayName: statement.projectName ? null : (statement.displayName as string | null),
    ...useFields(distinctUses(all('landUses').flatMap((uses) => uses ?? []))),
    caseNumbers: uniteValues(all('caseNumbers')),
    parcelNumbers: uniteValues(all('parcelNumbers')),
    parties: uniteBy(({ role, name }) => `${role}|${name.toLowerCase()}`, all('parties')),
    contacts: uniteBy(({ role, name }) => `${role}|${name?.toLowerCase()}`, all('contacts')),
    decisions: uniteDecisions(hearings),
    statusHistory: uniteBy(({ date, decisionBody }) => `${date}|${decisionBody}`, all('statusHistory')),
    meetingDocuments,
    rawText: joinUpTo(uniteTexts(all('rawText').flatMap((text) => text ?? [])), '\n\n', TEXT_CHARACTERS_MAX),
    ...findDays(hearings, meetingDocuments),
  };
  return { statement: merged, quotes: selectQuotes(hearings, merged, source) };
}

/** The quotes of what the project states: of a field that has one value those of the hearing that it is from. */
function selectQuotes(hearings: readonly CaseHearing[], merged: ProjectDraft, source: ReadonlyMap<string, CaseHearing>): DocumentQuote[] {
  const quotes = hearings.flatMap((hearing) =>
    hearing.quotes.filter(({ field }) => {
      if (!isStated(merged[field as keyof ProjectDraft])) return false;
      if (field === 'meetingDate') return hearing.date === merged.meetingDate;
      if (field === 'nextMeetingDate')
        return [hearing.statement.nextMeetingDate, isAhead(hearing) && hearing.date].includes(merged.nextMeetingDate);
      return !source.has(field) || source.get(field) === hearing;
    }),
  );
  const distinct = [...new Map(quotes.map((one) => [JSON.stringify([one.field, one.quote, one.documentId]), one])).values()];
  return distinct.slice(-QUOTES_MAX).sort((a, b) => (a.field < b.field ? -1 : Number(a.field > b.field)));
}
