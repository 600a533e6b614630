/** What one meeting's document states of one case, as a project line states it. Pure. */
import { readStaffRecommendation } from '../../../src/core/domain/process/staffWords.ts';
import type { DocumentQuote } from '../../../src/core/domain/record/quotes.ts';
import type { Decision, FilingContact, Party, VoteTotals } from '../../../src/core/domain/record/statement.ts';
import { cutText } from '../../../src/core/domain/storableText.ts';
import { actionTypes, requestTypes } from '../../../src/core/domain/vocabulary.ts';
import { useFields } from '../../sources/rules.ts';
import { distinctValues, parseProjectName } from '../../sources/values.ts';
import type { ExtractedCase, MotionResult, Span, Stated, StatedMotion } from '../types.ts';
import type { DocumentBody } from './bodies.ts';
import type { CaseHearing, ExtractedMeeting } from './types.ts';

const QUOTE_CHARACTERS = 2000;
const MOTION_CHARACTERS = 5000;
const LISTED_MAX = 1000;

/** Documents that announce a meeting: what they say of an outcome is none yet. */
const AHEAD: ReadonlySet<string> = new Set(['agenda', 'notice', 'packet']);
export const isAhead = ({ kind }: Pick<CaseHearing, 'kind'>) => AHEAD.has(kind);

const DECISION_TYPES: Readonly<Partial<Record<MotionResult, string>>> = {
  approved: 'final_action',
  approved_with_conditions: 'final_action',
  denied: 'final_action',
  recommended_approval: 'recommendation',
  recommended_denial: 'recommendation',
};

const STAFF_WORDS = {
  approval: 'Approval',
  approval_with_conditions: 'Approval with conditions',
  denial: 'Denial',
  continuance: 'Continuance',
} as const;

const ACTIONS: Readonly<Record<string, string>> = {
  rezoning: 'rezoning_decision',
  special_use_permit: 'special_permit_decision',
  conditional_use_permit: 'special_permit_decision',
  variance: 'variance_decision',
  subdivision_plat: 'subdivision_decision',
  annexation: 'annexation_decision',
  site_plan: 'site_plan_decision',
  design_review: 'design_review_decision',
  comprehensive_plan_amendment: 'plan_amendment_decision',
  zoning_text_amendment: 'text_amendment_decision',
  appeal: 'appeal_decision',
};

/** The 1-based page of a place in the text; null where the format has no pages. */
function findPage(pageStarts: readonly number[], at: number): number | null {
  return pageStarts.length > 1 ? Math.max(1, pageStarts.findLastIndex((start) => start <= at) + 1) : null;
}

/** Collects the words that values were read from. */
class Quotes {
  readonly all: DocumentQuote[] = [];
  readonly #meeting: ExtractedMeeting;
  readonly #documentId: number;

  constructor(meeting: ExtractedMeeting, documentId: number) {
    this.#meeting = meeting;
    this.#documentId = documentId;
  }

  add(field: DocumentQuote['field'], spans: readonly (Span | null)[]): void {
    const { text, pageStarts } = this.#meeting.document;
    for (const span of spans) {
      const quote = span ? cutText(text.slice(span.start, span.end), QUOTE_CHARACTERS) : '';
      if (!span || !quote || this.all.some((one) => one.field === field && one.quote === quote)) continue;
      const page = findPage(pageStarts, span.start);
      this.all.push({ field, quote, documentId: this.#documentId, ...(page ? { page } : {}) });
    }
  }
}

const valuesOf = <T>(stated: readonly Stated<T>[]) => distinctValues(stated.map(({ value }) => value)).slice(0, LISTED_MAX);

function countVotes(motion: StatedMotion | undefined): VoteTotals | null {
  const { votes = [], tally = null } = motion ?? {};
  const named = (how: string) => votes.filter(({ vote }) => vote === how).length;
  const others = (['abstain', 'absent'] as const).filter((how) => named(how) > 0);
  const ofNames = { yes: named('yes'), no: named('no'), ...Object.fromEntries(others.map((how) => [how, named(how)])) };
  if (!tally) return ofNames.yes + ofNames.no > 0 ? ofNames : null;
  const { yes, no, abstain } = tally.value;
  return { ...ofNames, yes, no, ...(abstain === null ? {} : { abstain }) };
}

/** Applicants and owners are parties; these and representatives are contacts with their roles. */
function namePeople({ contacts }: ExtractedCase): { parties: Party[]; contacts: FilingContact[] } {
  const parties = contacts.flatMap(({ role, name, company }): Party[] =>
    role === 'representative' ? [] : distinctValues([name, company]).map((one) => ({ role, name: one })),
  );
  return { parties, contacts: contacts.map(({ role, name, company }) => ({ name, role, ...(company ? { company } : {}) })) };
}

function toDecisions(one: ExtractedCase, { document }: ExtractedMeeting, date: string | null, decisionBody: string): Decision[] {
  if (!date) return [];
  return one.motions.flatMap((motion): Decision[] => {
    // The last motion is the decision's, whose result the role of the body may have made a recommendation.
    const result = motion === one.motions.at(-1) ? (one.decision?.value ?? motion.result) : motion.result;
    if (!result) return [];
    const votes = motion.votes.map(({ name, vote }) => ({ name, vote }));
    return [
      {
        decisionBody,
        decisionType: DECISION_TYPES[result] ?? null,
        status: result,
        meetingDate: date,
        motion: cutText(document.text.slice(motion.start, motion.end), MOTION_CHARACTERS) || null,
        ...(votes.length ? { votes } : {}),
      },
    ];
  });
}

/** What was decided, and by which votes: nothing where the meeting is still to come. */
function stateOutcome(one: ExtractedCase, meeting: ExtractedMeeting, date: string | null, decisionBody: string, quotes: Quotes) {
  const last = one.motions.at(-1);
  const result = one.decision?.value ?? last?.result ?? null;
  if (!result) return {};
  const listed = toDecisions(one, meeting, date, decisionBody);
  const decisions =
    listed.length || !date ? listed : [{ decisionBody, decisionType: DECISION_TYPES[result] ?? null, status: result, meetingDate: date }];
  const totals = countVotes(last);
  quotes.add('status', [one.decision ?? last ?? null]);
  if (decisions.length) quotes.add('decisions', one.motions.length ? one.motions : [one.decision]);
  if (totals) quotes.add('voteTotals', [last?.tally ?? last?.unanimous ?? null, ...(last?.tally ? [] : (last?.votes ?? []))]);
  quotes.add('conditionsOfApproval', one.conditions);
  if (one.nextHearing) quotes.add('nextMeetingDate', [one.nextHearing]);
  return {
    status: result,
    decisionType: DECISION_TYPES[result] ?? null,
    actionType: result === 'continued' ? 'continuance' : result === 'withdrawn' ? 'withdrawal' : (ACTIONS[one.requestType ?? ''] ?? null),
    decisions,
    statusHistory: date ? [{ status: result, date, decisionBody }] : [],
    voteTotals: totals,
    conditionsOfApproval: valuesOf(one.conditions),
    nextMeetingDate: one.nextHearing?.value ?? null,
  };
}

/** Staff's own words, where the service reads the same from them. */
function sayRecommendation(text: string, { value, start, end }: NonNullable<ExtractedCase['staffRecommendation']>): string {
  const words = cutText(text.slice(start, end), MOTION_CHARACTERS);
  return readStaffRecommendation(words) === value ? words : STAFF_WORDS[value];
}

/** What names a case in a report: its first number, else its title or address. */
export const nameCase = ({ caseNumbers, title, address }: ExtractedCase): string | null =>
  caseNumbers[0]?.value ?? title?.value ?? address?.value ?? null;

/** @param documentId of the meeting's document */
export function toCaseHearing(meeting: ExtractedMeeting, one: ExtractedCase, body: DocumentBody, documentId: number): CaseHearing {
  const { document, extracted } = meeting;
  const { kind } = extracted;
  const { decisionBody } = body;
  const date = extracted.meetingDate?.value ?? document.stated.date;
  const quotes = new Quotes(meeting, documentId);
  const take = <T>(field: DocumentQuote['field'], stated: Stated<T> | null): T | null => {
    quotes.add(field, [stated]);
    return stated?.value ?? null;
  };
  const list = <T>(field: DocumentQuote['field'], stated: readonly Stated<T>[]): T[] => {
    quotes.add(field, stated);
    return valuesOf(stated);
  };
  const people = namePeople(one);
  if (people.parties.length)
    quotes.add(
      'parties',
      one.contacts.filter(({ role }) => role !== 'representative'),
    );
  quotes.add('meetingDate', [extracted.meetingDate]);
  if (isAhead({ kind })) quotes.add('nextMeetingDate', [extracted.meetingDate]);
  quotes.add('landUses', one.landUses);
  const request = take('summary', one.request);
  if (one.requestType) quotes.add('requestType', [one.request]);
  const name = parseProjectName(take('projectName', one.title), people.parties);
  const outcome = isAhead({ kind }) ? {} : stateOutcome(one, meeting, date, decisionBody, quotes);
  const actionType = ('actionType' in outcome ? outcome.actionType : null) ?? null;
  const title = document.stated.title ?? `${body.entry.body}${date ? `, ${date}` : ''}`;
  const statement: CaseHearing['statement'] = {
    projectName: name,
    displayName: name
      ? null
      : [requestTypes.label(one.requestType), one.address?.value ?? one.caseNumbers[0]?.value].filter(Boolean).join(', ') || null,
    address: take('address', one.address),
    ...useFields(one.landUses.map(({ start: _, end: __, ...use }) => use)),
    summary: request,
    parcelNumbers: list('parcelNumbers', one.parcelNumbers),
    caseNumbers: list('caseNumbers', one.caseNumbers),
    requestType: one.requestType,
    isRezone: one.requestType === null ? null : one.requestType === 'rezoning',
    existingZoning: take('existingZoning', one.existingZoning),
    proposedZoning: take('proposedZoning', one.proposedZoning),
    acreage: take('acreage', one.acreage),
    totalUnitCount: take('totalUnitCount', one.units),
    lotCount: take('lotCount', one.lots),
    squareFootage: take('squareFootage', one.squareFootage),
    buildingStories: take('buildingStories', one.stories),
    staffRecommendation: one.staffRecommendation && sayRecommendation(document.text, one.staffRecommendation),
    ...people,
    ...outcome,
    actionType,
    actionCategory: actionTypes.terms.find(({ token }) => token === actionType)?.category ?? null,
    decisionBody,
    meetingDate: date,
    sourceDocumentUrl: document.stated.url,
    meetingDocumentId: documentId,
    meetingDocuments: [{ meetingDocumentId: documentId, title, decisionBody, meetingDate: date, url: document.stated.url }],
    rawText: document.text.slice(one.start, one.end).trim() || null,
  };
  quotes.add('staffRecommendation', [one.staffRecommendation]);
  // A name that is that of a party is no name of the project.
  const proven = quotes.all.filter(({ field }) => field !== 'projectName' || name !== null);
  return { file: document.file, kind, date, decisionBody, statement, quotes: proven };
}
