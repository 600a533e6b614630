/** The objects inside a record: as a generation file states them, and as answers show them. */
import { type Static, Type } from 'typebox';
import { OUTCOME_RULES, OUTCOMES, STAFF_RECOMMENDATIONS, VOTE_RESULTS } from '../process/tokens.ts';
import { day, flag, id, list, named, nullable, object, oneOf, optional, text, webAddress } from './valueSchemas.ts';

const label = nullable(Type.String());
const words = (maxLength: number) => nullable(text(maxLength));
const maybe = (maxLength: number) => optional(words(maxLength));

export const LAND_USE_ROLES = ['primary', 'secondary', 'other'] as const;
const role = named('LandUseRole', oneOf(...LAND_USE_ROLES));

export const landUse = {
  stated: object({ type: Type.String(), subtype: maybe(100), assetClass: maybe(100), role }),
  served: object({
    type: Type.String(),
    typeLabel: label,
    subtype: words(100),
    subtypeLabel: label,
    assetClass: words(100),
    assetClassLabel: label,
    matchedOn: list(named('LandUseLevel', oneOf('type', 'subtype', 'assetClass')), 3),
  }),
};

export const classification = {
  stated: object({ type: Type.String(), role: optional(role) }),
  served: object({ type: Type.String(), typeLabel: label, role: nullable(role), roleLabel: label }),
};

const PARTY_ROLES = ['developer', 'applicant', 'builder', 'owner', 'contractor', 'architect'] as const;
const partyRole = named('PartyRole', oneOf(...PARTY_ROLES));
export const PARTY_COLUMNS = PARTY_ROLES.map((role) => `parties.${role}` as const);
export type PartyColumn = (typeof PARTY_COLUMNS)[number];
const partyName = Type.String({ minLength: 1, maxLength: 500 });

export const party = {
  stated: object({ role: partyRole, name: partyName }),
  served: object({ role: partyRole, roleLabel: label, name: partyName }),
};

export const contact = {
  stated: object({
    name: maybe(300),
    role: maybe(100),
    company: maybe(300),
    title: maybe(300),
    email: maybe(300),
    phone: maybe(60),
    linkedin: maybe(500),
    isGovernmentStaff: optional(flag),
  }),
  served: object({
    name: words(300),
    role: words(100),
    company: words(300),
    title: words(300),
    email: words(300),
    emailSource: words(100),
    phone: words(60),
    phoneSource: words(100),
    linkedin: words(500),
    linkedinSource: words(100),
  }),
};

export const company = {
  stated: object({ name: maybe(300), website: maybe(500), linkedin: maybe(500), archetype: maybe(100), mainPhone: maybe(60) }),
  served: object({ name: words(300), website: words(500), linkedin: words(500), archetype: words(100), mainPhone: words(60) }),
};

const vote = named('Vote', oneOf('yes', 'no', 'abstain', 'absent', 'recused'));

export const decision = {
  stated: object({
    decisionBody: maybe(200),
    decisionType: maybe(100),
    status: maybe(100),
    meetingDate: day,
    motion: maybe(5000),
    votes: optional(list(object({ name: text(200), vote }), 200)),
  }),
  served: object({
    decisionBody: words(200),
    decisionBodyLabel: label,
    decisionType: words(100),
    decisionTypeLabel: label,
    status: words(100),
    statusLabel: label,
    meetingDate: day,
    motion: words(5000),
    votes: nullable(list(object({ name: text(200), vote, voteLabel: label }), 200)),
  }),
};

export const meetingDocument = {
  stated: object({
    meetingDocumentId: id,
    title: maybe(2000),
    decisionBody: maybe(200),
    meetingDate: optional(nullable(day)),
    url: optional(nullable(webAddress(2000))),
  }),
  served: object({
    meetingDocumentId: id,
    title: words(2000),
    decisionBody: words(200),
    decisionBodyLabel: label,
    meetingDate: nullable(day),
    url: words(2000),
  }),
};

export const unitMixEntry = object({ unitType: text(100), count: Type.Integer({ minimum: 0 }) });

export const statusHistoryEntry = {
  stated: object({ status: text(100), date: day, decisionBody: maybe(200) }),
  served: object({ status: text(100), statusLabel: label, date: day, decisionBody: words(200), decisionBodyLabel: label }),
};

const votes = Type.Integer({ minimum: 0 });
export const voteTotals = {
  stated: object({ yes: optional(votes), no: optional(votes), abstain: optional(votes), absent: optional(votes) }),
  served: object({ yes: nullable(votes), no: nullable(votes), abstain: nullable(votes), absent: nullable(votes) }),
};

export const delivery = object({
  alreadyExported: flag,
  updatedSinceExport: nullable(flag),
  lastExportedAt: nullable(Type.String({ format: 'date-time' })),
  billed: flag,
});

/** What the service reads from what is stated; the rules are in src/docs/outcomes.md. */
export const derived = object({
  staffRecommendation: nullable(named('StaffRecommendation', oneOf(...STAFF_RECOMMENDATIONS))),
  voteResult: nullable(named('VoteResult', oneOf(...VOTE_RESULTS))),
  outcome: nullable(named('Outcome', oneOf(...OUTCOMES))),
  outcomeSince: nullable(day),
  daysInProcess: nullable(Type.Integer({ minimum: 0 })),
  rule: named('OutcomeRule', oneOf(...OUTCOME_RULES)),
  locationDoubtful: flag,
});

export const contactSummary = object({
  contactCount: Type.Integer({ minimum: 0 }),
  withEmail: Type.Integer({ minimum: 0 }),
  withPhone: Type.Integer({ minimum: 0 }),
  lowConfidenceWithheld: Type.Integer({ minimum: 0 }),
  unlocked: flag,
});

/** One land use as a generation file states it; a null level was not established. */
export type LandUse = Static<typeof landUse.stated>;
export type LandUseRole = LandUse['role'];
export type Classification = Static<typeof classification.stated>;
export type Party = Static<typeof party.stated>;
/** A person named by a filing. Channels are kept, and served only once unlocked. */
export type FilingContact = Static<typeof contact.stated>;
export type CompanyEnrichment = Static<typeof company.stated>;
export type Decision = Static<typeof decision.stated>;
export type Vote = NonNullable<Decision['votes']>[number];
export type MeetingDocumentReference = Static<typeof meetingDocument.stated>;
export type UnitMixEntry = Static<typeof unitMixEntry>;
export type StatusHistoryEntry = Static<typeof statusHistoryEntry.stated>;
export type VoteTotals = Static<typeof voteTotals.stated>;
