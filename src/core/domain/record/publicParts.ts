/** Objects inside a record as answers show them: every declared key, null if nothing is stated, and a label for every token. Pure. */
import * as vocabulary from '../vocabulary.ts';
import type {
  Classification,
  CompanyEnrichment,
  Decision,
  FilingContact,
  LandUse,
  MeetingDocumentReference,
  Party,
  StatusHistoryEntry,
  UnitMixEntry,
  Vote,
  VoteTotals,
} from './nested.ts';

export type TaxonomyLevel = 'type' | 'subtype' | 'assetClass';

/** What the shown record depends on, apart from what is stored. */
export interface RecordView {
  /** root of the service, without a trailing slash */
  publicUrl: string;
  /** latest meeting day that may be served, `YYYY-MM-DD`: today, or an earlier explicit bound */
  meetingCap: string;
  /** the service's date, `YYYY-MM-DD`: outcomes are of a day */
  today: string;
  /** which levels of a use satisfied the request's taxonomy filter */
  matchedOn: (use: LandUse) => TaxonomyLevel[];
}

/** `matchedOn` of a request without a taxonomy filter. */
export const unmatched: RecordView['matchedOn'] = () => [];

const body = (token: string | null | undefined) => ({
  decisionBody: token ?? null,
  decisionBodyLabel: vocabulary.decisionBodies.label(token),
});

const publicVote = ({ name, vote }: Vote) => ({ name: name ?? null, vote: vote ?? null, voteLabel: vocabulary.votes.label(vote) });

export const publicDecision = ({ decisionBody, decisionType, status, meetingDate, motion, votes }: Decision) => ({
  ...body(decisionBody),
  decisionType: decisionType ?? null,
  decisionTypeLabel: vocabulary.decisionTypes.label(decisionType),
  status: status ?? null,
  statusLabel: vocabulary.statuses.label(status),
  meetingDate: meetingDate ?? null,
  motion: motion ?? null,
  votes: votes?.map(publicVote) ?? null,
});

export const publicStatusChange = ({ status, date, decisionBody }: StatusHistoryEntry) => ({
  status: status ?? null,
  statusLabel: vocabulary.statuses.label(status),
  date: date ?? null,
  ...body(decisionBody),
});

export const publicDocumentReference = ({ meetingDocumentId, title, decisionBody, meetingDate, url }: MeetingDocumentReference) => ({
  meetingDocumentId,
  title: title ?? null,
  ...body(decisionBody),
  meetingDate: meetingDate ?? null,
  url: url ?? null,
});

export const publicParty = ({ role, name }: Party) => ({
  role: role ?? null,
  roleLabel: vocabulary.partyRoles.label(role),
  name: name ?? null,
});

export const publicClassification = ({ type, role }: Classification) => ({
  type,
  typeLabel: vocabulary.propertyTypes.label(type),
  role: role ?? null,
  roleLabel: vocabulary.landUseRoles.label(role),
});

export const publicUnits = ({ unitType, count }: UnitMixEntry) => ({ unitType: unitType ?? null, count: count ?? null });

export const publicVoteTotals = ({ yes, no, abstain, absent }: VoteTotals) => ({
  yes: yes ?? null,
  no: no ?? null,
  abstain: abstain ?? null,
  absent: absent ?? null,
});

export const usedLevels = ({ type, subtype, assetClass }: LandUse) => ({ type, subtype: subtype ?? null, assetClass: assetClass ?? null });

export const publicUse = (use: LandUse, { matchedOn }: RecordView) => {
  const { type, subtype, assetClass } = usedLevels(use);
  return {
    type,
    typeLabel: vocabulary.propertyTypes.label(type),
    subtype,
    subtypeLabel: vocabulary.propertySubtypes.label(subtype),
    assetClass,
    assetClassLabel: vocabulary.assetClasses.label(assetClass),
    matchedOn: matchedOn(use),
  };
};

export const namedContact = ({ name, role, company, title }: Pick<FilingContact, 'name' | 'role' | 'company' | 'title'>) => ({
  name: name ?? null,
  role: role ?? null,
  company: company ?? null,
  title: title ?? null,
});

export const lockedChannels = {
  email: null,
  emailSource: null,
  phone: null,
  phoneSource: null,
  linkedin: null,
  linkedinSource: null,
};

/** All details of a company, as paid plans see them. */
export const wholeCompany = ({ name, website, linkedin, archetype, mainPhone }: CompanyEnrichment) => ({
  name: name ?? null,
  website: website ?? null,
  linkedin: linkedin ?? null,
  archetype: archetype ?? null,
  mainPhone: mainPhone ?? null,
});

/** @param companyDetails true on a paid plan */
export const publicCompany = (company: CompanyEnrichment, companyDetails: boolean) =>
  companyDetails ? wholeCompany(company) : { ...wholeCompany(company), linkedin: null, archetype: null, mainPhone: null };
