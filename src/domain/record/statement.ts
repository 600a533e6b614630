/**
 * The project record: what a generation file states about it, and the three representations in which it is served
 * (specification "Project record"; decisions §4 for the complete lists).
 */

export type LandUseRole = 'primary' | 'secondary' | 'other';

/** One land use as a generation file states it; a null level was not established. */
export interface LandUse {
  type: string;
  subtype: string | null;
  assetClass: string | null;
  role: LandUseRole;
}

export interface Party {
  role: 'developer' | 'applicant' | 'builder' | 'owner' | 'contractor' | 'architect';
  name: string;
}

/** A person named by a filing. Channels are kept, and served only once unlocked. */
export interface FilingContact {
  name: string | null;
  role: string | null;
  company: string | null;
  title: string | null;
  email?: string | null;
  phone?: string | null;
  linkedin?: string | null;
  isGovernmentStaff?: boolean;
}

export interface CompanyEnrichment {
  name: string | null;
  website: string | null;
  linkedin?: string | null;
  archetype?: string | null;
  mainPhone?: string | null;
}

export interface Vote {
  name: string;
  vote: 'yes' | 'no' | 'abstain' | 'absent' | 'recused';
}

export interface Decision {
  decisionBody: string | null;
  decisionType: string | null;
  status: string | null;
  meetingDate: string;
  motion?: string | null;
  votes?: Vote[];
}

export interface MeetingDocumentReference {
  meetingDocumentId: number;
  title: string | null;
  decisionBody: string | null;
  meetingDate: string | null;
  url: string | null;
}

export interface UnitMixEntry {
  unitType: string;
  count: number;
}

export interface StatusHistoryEntry {
  status: string;
  date: string;
  decisionBody: string | null;
}

export interface VoteTotals {
  yes: number;
  no: number;
  abstain: number;
  absent: number;
}

export interface Classification {
  type: string;
  role?: LandUseRole;
}

/**
 * What one project line of a generation file may state: the full representation minus everything computed (decisions §2).
 * An attribute that is absent or null was not covered by the generation. Dates are `YYYY-MM-DD`.
 * Areas: acreage in acres, others in square feet; heights in feet.
 */
export interface ProjectStatement {
  id: number;
  recordType?: string | null;
  projectName?: string | null;
  displayName?: string | null;
  mergedFrom?: number[] | null;
  meetingDate?: string | null;
  address?: string | null;
  city?: string | null;
  county?: string | null;
  state?: string | null;
  stateId?: number | null;
  countyId?: number | null;
  cityId?: number | null;
  zipCode?: string | null;
  latitude?: number | null;
  longitude?: number | null;
  inOpportunityZone?: boolean | null;
  inFemaFloodZone?: boolean | null;
  propertyType?: string | null;
  propertySubtype?: string | null;
  assetClass?: string | null;
  landUses?: LandUse[] | null;
  classifications?: Classification[] | null;
  status?: string | null;
  summary?: string | null;
  statusSummary?: string | null;
  sourceDocumentUrl?: string | null;
  meetingDocumentId?: number | null;
  parcelNumbers?: string[] | null;
  projectSize?: string | null;
  isRezone?: boolean | null;
  requestType?: string | null;
  constructionType?: string | null;
  isConstructionLead?: boolean | null;
  hasConstructionDetails?: boolean | null;
  decisionBody?: string | null;
  decisionType?: string | null;
  existingZoning?: string | null;
  proposedZoning?: string | null;
  totalUnitCount?: number | null;
  unitMix?: UnitMixEntry[] | null;
  acreage?: number | null;
  lotSizeSqft?: number | null;
  squareFootage?: number | null;
  floorCount?: number | null;
  buildingStories?: number | null;
  buildingHeightFeet?: number | null;
  bedroomCount?: number | null;
  parkingSpaces?: number | null;
  lotCount?: number | null;
  parties?: Party[] | null;
  contacts?: FilingContact[] | null;
  companyEnrichment?: CompanyEnrichment[] | null;
  decisions?: Decision[] | null;
  meetingDocuments?: MeetingDocumentReference[] | null;
  rawText?: string | null;
  originalRawText?: string | null;
  originalRawTextTruncated?: boolean | null;
  actionType?: string | null;
  actionCategory?: string | null;
  firstMeetingDate?: string | null;
  nextMeetingDate?: string | null;
  appearanceCount?: number | null;
  statusHistory?: StatusHistoryEntry[] | null;
  caseNumbers?: string[] | null;
  conditionsOfApproval?: string[] | null;
  voteTotals?: VoteTotals | null;
  staffRecommendation?: string | null;
}

/** The 21 fields of `representation=compact`. */
export const COMPACT_FIELDS = [
  'id',
  'recordType',
  'projectName',
  'serviceLink',
  'mergedFrom',
  'lastUpdated',
  'meetingDate',
  'delivery',
  'address',
  'city',
  'county',
  'state',
  'latitude',
  'longitude',
  'inOpportunityZone',
  'inFemaFloodZone',
  'propertyType',
  'propertyTypeLabel',
  'landUses',
  'status',
  'statusLabel',
] as const;

/** The 46 fields that `standard` adds to `compact` (decisions §4). */
export const STANDARD_EXTRA_FIELDS = [
  'displayName',
  'summary',
  'statusSummary',
  'sourceDocumentUrl',
  'meetingDocumentId',
  'contentRevision',
  'stateId',
  'countyId',
  'cityId',
  'zipCode',
  'parcelNumbers',
  'propertySubtype',
  'propertySubtypeLabel',
  'assetClass',
  'assetClassLabel',
  'classifications',
  'projectSize',
  'projectSizeLabel',
  'isRezone',
  'requestType',
  'requestTypeLabel',
  'constructionType',
  'constructionTypeLabel',
  'isConstructionLead',
  'hasConstructionDetails',
  'decisionBody',
  'decisionBodyLabel',
  'decisionType',
  'decisionTypeLabel',
  'existingZoning',
  'proposedZoning',
  'totalUnitCount',
  'unitMix',
  'acreage',
  'lotSizeSqft',
  'squareFootage',
  'floorCount',
  'buildingStories',
  'buildingHeightFeet',
  'bedroomCount',
  'parkingSpaces',
  'lotCount',
  'parties',
  'contacts',
  'companyEnrichment',
  'contactSummary',
] as const;

/** The 18 fields that `full` adds to `standard` (decisions §4). */
export const FULL_EXTRA_FIELDS = [
  'decisions',
  'meetingDocuments',
  'rawText',
  'originalRawText',
  'originalRawTextTruncated',
  'actionType',
  'actionTypeLabel',
  'actionCategory',
  'actionCategoryLabel',
  'firstMeetingDate',
  'nextMeetingDate',
  'appearanceCount',
  'statusHistory',
  'caseNumbers',
  'conditionsOfApproval',
  'voteTotals',
  'staffRecommendation',
  'dataRichness',
] as const;

export const REPRESENTATIONS = ['compact', 'standard', 'full'] as const;
export type Representation = (typeof REPRESENTATIONS)[number];

export const FIELDS_OF: Record<Representation, readonly string[]> = {
  compact: COMPACT_FIELDS,
  standard: [...COMPACT_FIELDS, ...STANDARD_EXTRA_FIELDS],
  full: [...COMPACT_FIELDS, ...STANDARD_EXTRA_FIELDS, ...FULL_EXTRA_FIELDS],
};
