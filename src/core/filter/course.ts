/** Filters on the course of a case: its numbers, zoning, votes, hearings and outcome. Most match what is read from statements. */
import { outcomeOn } from '../domain/process/outcome.ts';
import type { ProjectOutcome } from '../domain/process/tokens.ts';
import { normalizeZoning } from '../domain/process/zoning.ts';
import { type ReadingName, readingOf, readOutcomeFacts } from '../domain/record/readings.ts';
import { normalizeReferenceNumber } from '../domain/referenceNumbers.ts';
import * as vocabulary from '../domain/vocabulary.ts';
import { anyOf, range, terms } from '../query/clauses.ts';
import { outcomeClauses } from '../query/facets.ts';
import { type Period, period } from './dates.ts';
import { type Filter, filter, type Served } from './entry.ts';
import { comparedTexts, number, type PlainKind, tokens } from './kinds.ts';

const evidence = (name: ReadingName) => `derived.evidence.${name}`;

const readFrom = (name: ReadingName, served: Served) => readingOf(name).read({ statement: served, hearings: served.hearings }) ?? [];

type Said = Pick<Filter<never>, 'label' | 'summary' | 'example'>;

/** A filter on any of the values of one reading or of several that are read from the same fields. */
const anyValueFilter = (names: readonly [ReadingName, ...ReadingName[]], kind: PlainKind<string[]>, said: Said): Filter<string[]> =>
  filter<string[]>({
    ...said,
    kind,
    fields: names.map(evidence),
    must: (values) => [anyOf(names.map((name) => terms(evidence(name), values)))],
    confirms: (values) => (served) => names.some((name) => readFrom(name, served).some((value) => values.includes(String(value)))),
    reads: readingOf(names[0]).from,
  });

const caseNumberFilter = (said: Said, name: ReadingName) =>
  anyValueFilter([name], comparedTexts('Compared without case, blanks, dots and dashes', normalizeReferenceNumber), said);

/** The whole zoning is named first: a filter on its code alone would make groups of the codes that it names. */
const zoningFilter = (said: Said, value: ReadingName, code: ReadingName) =>
  filter<string[]>({
    ...anyValueFilter([value, code], comparedTexts('The whole zoning or its first code, without case and blanks', normalizeZoning), said),
    queryable: { names: readingOf(value).from, by: 'value' },
  });

type Side = 'Min' | 'Max';

/** One end of a range of numbers. */
const boundFilter = (name: ReadingName, side: Side, label: string, unit: string, property: string = name): Filter<number> =>
  filter<number>({
    label,
    summary: `${side === 'Min' ? 'At least' : 'At most'} so many ${unit}`,
    example: side === 'Min' ? '1' : '30',
    queryable: { names: [property], by: side === 'Min' ? 'gte' : 'lte' },
    kind: number(unit),
    fields: [evidence(name)],
    must: (value) => [range(evidence(name), { [side === 'Min' ? 'gte' : 'lte']: value })],
    confirms: (value) => (served) =>
      readFrom(name, served).some((read) => (side === 'Min' ? Number(read) >= value : Number(read) <= value)),
    reads: readingOf(name).from,
  });

/** One end of a range of days. */
const dayBoundFilter = (name: ReadingName, side: 'From' | 'To', said: Said): Filter<Period> =>
  filter<Period>({
    ...said,
    kind: period,
    queryable: { names: [name], by: side === 'From' ? 'gte' : 'lte' },
    fields: [evidence(name)],
    meaning: ({ firstDay, lastDay }) => (side === 'From' ? firstDay : lastDay),
    must: ({ firstDay, lastDay }) => [range(evidence(name), side === 'From' ? { gte: firstDay } : { lte: lastDay })],
    confirms:
      ({ firstDay, lastDay }) =>
      (served) =>
        readFrom(name, served).some((day) => (side === 'From' ? String(day) >= firstDay : String(day) <= lastDay)),
    reads: readingOf(name).from,
  });

const OUTCOME = evidence('outcome');

export const courseFilters = {
  caseNumbers: caseNumberFilter(
    {
      label: 'Case numbers',
      summary: 'Case numbers, any of them, at most 100; case, blanks, dots and dashes do not count, leading zeros do',
      example: 'RZ-2024-017',
    },
    'caseNumber',
  ),
  parcelNumbers: caseNumberFilter(
    {
      label: 'Parcel numbers',
      summary: 'Parcel numbers, any of them, at most 100; case, blanks, dots and dashes do not count, leading zeros do',
      example: '0123-45-678',
    },
    'parcelNumber',
  ),
  existingZonings: zoningFilter(
    {
      label: 'Zoning today',
      summary: 'Zoning today, any of them, at most 100: the whole value or its first code, in any case and with any blanks',
      example: 'R-3,I-1(CD)',
    },
    'existingZoningValue',
    'existingZoningCode',
  ),
  proposedZonings: zoningFilter(
    {
      label: 'Zoning asked for',
      summary: 'Zoning asked for, any of them, at most 100: the whole value or its first code, in any case and with any blanks',
      example: 'PUD',
    },
    'proposedZoningValue',
    'proposedZoningCode',
  ),
  staffRecommendations: anyValueFilter(['staffRecommendation'], tokens(vocabulary.staffRecommendations), {
    label: 'Staff recommends',
    summary: "What staff's words recommend; `none` where they recommend nothing of these. A record without staff's words never matches",
    example: 'denial,continuance',
  }),
  voteResults: anyValueFilter(['voteResult'], tokens(vocabulary.voteResults), {
    label: 'Latest vote',
    summary: 'How the latest vote went: unanimous, split or tie',
    example: 'split',
  }),
  voteAgainstMin: boundFilter('voteAgainst', 'Min', 'Votes against', 'votes against at the latest decision'),
  voteAgainstMax: boundFilter('voteAgainst', 'Max', 'Votes against', 'votes against at the latest decision'),
  hearingCountMin: boundFilter('hearingCount', 'Min', 'Hearings', 'meetings at which it appeared', 'appearanceCount'),
  hearingCountMax: boundFilter('hearingCount', 'Max', 'Hearings', 'meetings at which it appeared', 'appearanceCount'),
  daysInProcessMin: boundFilter('daysInProcess', 'Min', 'Days in process', 'days from the first hearing to the latest'),
  daysInProcessMax: boundFilter('daysInProcess', 'Max', 'Days in process', 'days from the first hearing to the latest'),
  firstMeetingDateFrom: dayBoundFilter('firstMeetingDate', 'From', {
    label: 'First meeting',
    summary: 'First meeting on or after the first day of this period',
    example: '2025-03',
  }),
  firstMeetingDateTo: dayBoundFilter('firstMeetingDate', 'To', {
    label: 'First meeting',
    summary: 'First meeting on or before the last day of this period',
    example: '2025-03',
  }),
  nextMeetingDateFrom: dayBoundFilter('nextMeetingDate', 'From', {
    label: 'Next meeting',
    summary: 'Next meeting on or after the first day of this period; turns the default dates off',
    example: '2026-12',
  }),
  nextMeetingDateTo: dayBoundFilter('nextMeetingDate', 'To', {
    label: 'Next meeting',
    summary: 'Next meeting on or before the last day of this period; turns the default dates off',
    example: '2026-12',
  }),
  outcomes: filter<string[]>({
    label: 'Outcome',
    summary: 'What has become of it, as of today: approved, denied, withdrawn, pending, stalled or soft_denial, any of them',
    example: 'stalled,soft_denial',
    kind: tokens(vocabulary.outcomes),
    queryable: { names: ['outcome'], by: 'value' },
    fields: [OUTCOME],
    must: (values, { today }) => [anyOf(values.flatMap((value) => outcomeClauses(OUTCOME, value as ProjectOutcome, today)))],
    confirms:
      (values, { today }) =>
      (served) =>
        values.includes(String(outcomeOn(readOutcomeFacts({ statement: served, hearings: served.hearings }), today).outcome)),
    reads: readingOf('outcome').from,
  }),
};
