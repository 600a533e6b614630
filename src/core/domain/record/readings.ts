/**
 * The table of readings: what filters match and analytics group by that no generation file states itself, but that follows from what it states.
 * A reading is made when a version is written, by a pure rule; derived from the table are the evidence of earlier generations, dimensions and
 * measurements of analytics, and `derived` of the full representation.
 */
import { daysBetween, findProcessSpan } from '../process/hearings.ts';
import { type OutcomeFacts, outcomeFacts, outcomeOn, statesOutcome, writeOutcomeText } from '../process/outcome.ts';
import { readStaffRecommendation } from '../process/staffWords.ts';
import { decideVoteResult } from '../process/votes.ts';
import { normalizeZoning, readFirstZoningCode } from '../process/zoning.ts';
import { normalizeReferenceNumber } from '../referenceNumbers.ts';
import { outcomes, staffRecommendations, type Vocabulary, voteResults } from '../vocabulary.ts';
import type { StatedName } from './fields.ts';
import type { ProjectStatement } from './statement.ts';

type Statement = Partial<ProjectStatement>;
type Value = string | number;

/** What a reading is made of. */
export interface Readable {
  statement: Statement;
  /** of a merged development: all hearings of the family */
  hearings?: readonly string[] | undefined;
}

interface FieldReading {
  /** how its values are indexed */
  kind: 'keyword' | 'number' | 'day';
  /** stated fields that it is read from */
  from: readonly StatedName[];
  /** its values, none if what is stated holds none; undefined if the generation does not cover it */
  read(from: Readable): Value[] | undefined;
  /** how analytics may use it, and under which name if that is another one */
  facet?: { kind: 'token' | 'outcome' | 'measurement'; name?: string; label: string; vocabulary?: Vocabulary };
}

const readEach = (list: readonly string[] | null | undefined, read: (text: string) => string | undefined): string[] | undefined =>
  list?.flatMap((text) => read(text) || []).filter((value, i, all) => all.indexOf(value) === i);

const readWhole = (text: string | null | undefined, read: (text: string) => string | undefined) =>
  readEach(text ? [text] : undefined, read);

const asList = <T extends Value>(value: T | null | undefined): T[] | undefined =>
  value === null || value === undefined ? undefined : [value];

const HEARINGS = ['meetingDate', 'firstMeetingDate', 'appearanceCount', 'decisions', 'meetingDocuments'] as const;

const READINGS = {
  caseNumber: {
    kind: 'keyword',
    from: ['caseNumbers'],
    read: ({ statement }) => readEach(statement.caseNumbers, normalizeReferenceNumber),
  },
  parcelNumber: {
    kind: 'keyword',
    from: ['parcelNumbers'],
    read: ({ statement }) => readEach(statement.parcelNumbers, normalizeReferenceNumber),
  },
  staffRecommendation: {
    kind: 'keyword',
    from: ['staffRecommendation'],
    read: ({ statement }) => readWhole(statement.staffRecommendation, readStaffRecommendation),
    facet: { kind: 'token', label: 'What staff recommend', vocabulary: staffRecommendations },
  },
  voteResult: {
    kind: 'keyword',
    from: ['voteTotals'],
    read: ({ statement: { voteTotals } }) => (voteTotals ? [decideVoteResult(voteTotals) ?? []].flat() : undefined),
    facet: { kind: 'token', label: 'How the latest vote went', vocabulary: voteResults },
  },
  voteAgainst: {
    kind: 'number',
    from: ['voteTotals'],
    read: ({ statement: { voteTotals } }) => (voteTotals ? (asList(voteTotals.no) ?? []) : undefined),
    facet: { kind: 'measurement', label: 'Votes against, at the latest decision' },
  },
  existingZoningValue: {
    kind: 'keyword',
    from: ['existingZoning'],
    read: ({ statement }) => readWhole(statement.existingZoning, normalizeZoning),
  },
  proposedZoningValue: {
    kind: 'keyword',
    from: ['proposedZoning'],
    read: ({ statement }) => readWhole(statement.proposedZoning, normalizeZoning),
  },
  existingZoningCode: {
    kind: 'keyword',
    from: ['existingZoning'],
    read: ({ statement }) => readWhole(statement.existingZoning, readFirstZoningCode),
    facet: { kind: 'token', name: 'existingZoning', label: 'First code of the zoning today' },
  },
  proposedZoningCode: {
    kind: 'keyword',
    from: ['proposedZoning'],
    read: ({ statement }) => readWhole(statement.proposedZoning, readFirstZoningCode),
    facet: { kind: 'token', name: 'proposedZoning', label: 'First code of the zoning asked for' },
  },
  hearingCount: {
    kind: 'number',
    from: ['appearanceCount'],
    read: ({ statement }) => asList(statement.appearanceCount),
    facet: { kind: 'measurement', label: 'Meetings at which the project appeared' },
  },
  firstMeetingDate: {
    kind: 'day',
    from: ['firstMeetingDate'],
    read: ({ statement }) => asList(statement.firstMeetingDate),
  },
  nextMeetingDate: {
    kind: 'day',
    from: ['nextMeetingDate'],
    read: ({ statement }) => asList(statement.nextMeetingDate),
  },
  daysInProcess: {
    kind: 'number',
    from: HEARINGS,
    read: (from) => asList(daysInProcess(from)),
    facet: { kind: 'measurement', label: 'Days from the first hearing to the latest' },
  },
  outcome: {
    kind: 'keyword',
    from: [...HEARINGS, 'status', 'decisionType', 'statusHistory', 'nextMeetingDate'],
    read: (from) =>
      statesOutcome(from.statement) ? [readOutcomeFacts(from)].flatMap((facts) => (facts ? writeOutcomeText(facts) : [])) : undefined,
    facet: { kind: 'outcome', label: 'What has become of it', vocabulary: outcomes },
  },
} as const satisfies Record<string, FieldReading>;

export type ReadingName = keyof typeof READINGS;
export const READING_NAMES = Object.keys(READINGS) as ReadingName[];
export const readingOf = (name: ReadingName): FieldReading => READINGS[name];

/** Days from the first hearing to the latest; undefined if that is not known. */
export function daysInProcess({ statement, hearings }: Readable): number | undefined {
  const span = findProcessSpan(statement, hearings);
  return span && daysBetween(span.first, span.latest);
}

let lastFacts: { of: Readable; facts: OutcomeFacts | undefined } | undefined;

/** The facts of a record's outcome. Several values of a record follow from them; the last result is kept for the others. */
export function readOutcomeFacts({ statement, hearings }: Readable): OutcomeFacts | undefined {
  if (lastFacts?.of.statement !== statement || lastFacts.of.hearings !== hearings)
    lastFacts = { of: { statement, hearings }, facts: outcomeFacts(statement, hearings) };
  return lastFacts.facts;
}

/** `derived` of the full representation. @param today `YYYY-MM-DD`, service clock */
export function derivedOf(readable: Readable, today: string) {
  const { outcome, since, rule } = outcomeOn(readOutcomeFacts(readable), today);
  const one = (name: ReadingName) => readingOf(name).read(readable)?.[0] ?? null;
  return {
    staffRecommendation: one('staffRecommendation'),
    voteResult: one('voteResult'),
    outcome,
    outcomeSince: since,
    daysInProcess: daysInProcess(readable) ?? null,
    rule,
  };
}

/** Stated fields from which `derived` follows. */
export const DERIVED_FROM: ReadonlySet<StatedName> = new Set(
  (['staffRecommendation', 'voteResult', 'daysInProcess', 'outcome'] as const).flatMap(
    (name): readonly StatedName[] => READINGS[name].from,
  ),
);

type FacetOf<N extends ReadingName> = (typeof READINGS)[N] extends { facet: infer F } ? (F extends { name: infer M } ? M : N) : never;
/** The names that analytics has for readings. */
export type ReadingFacet = { [N in ReadingName]: FacetOf<N> }[ReadingName];
