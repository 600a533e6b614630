/**
 * A project as Elasticsearch keeps it. `content` is what the current generation states; `past` is what earlier loads stated
 * and the current one no longer does. Everything that is searched is derived from these two when the document is written.
 */
import type { LandUse, ProjectStatement } from './project.ts';

/** The parts of a project's statement by the representation that first serves them, so that a page fetches no more than it shows. */
export interface ProjectContent {
  compact: Pick<ProjectStatement, CompactKey>;
  standard: Omit<ProjectStatement, CompactKey | FullKey>;
  full: Pick<ProjectStatement, FullKey>;
}

export const COMPACT_KEYS = [
  'id',
  'recordType',
  'projectName',
  'mergedFrom',
  'meetingDate',
  'address',
  'city',
  'county',
  'state',
  'latitude',
  'longitude',
  'inOpportunityZone',
  'inFemaFloodZone',
  'propertyType',
  'landUses',
  'status',
] as const satisfies readonly (keyof ProjectStatement)[];

export const FULL_KEYS = [
  'decisions',
  'meetingDocuments',
  'rawText',
  'originalRawText',
  'originalRawTextTruncated',
  'actionType',
  'actionCategory',
  'firstMeetingDate',
  'nextMeetingDate',
  'appearanceCount',
  'statusHistory',
  'caseNumbers',
  'conditionsOfApproval',
  'voteTotals',
  'staffRecommendation',
] as const satisfies readonly (keyof ProjectStatement)[];

type CompactKey = (typeof COMPACT_KEYS)[number];
type FullKey = (typeof FULL_KEYS)[number];

/** Identity and classification: what a project keeps when a new generation has not covered it (decisions §2). */
export const IDENTITY_KEYS = [
  'id',
  'recordType',
  'projectName',
  'displayName',
  'mergedFrom',
  'meetingDate',
  'address',
  'city',
  'county',
  'state',
  'stateId',
  'countyId',
  'cityId',
  'zipCode',
  'latitude',
  'longitude',
  'propertyType',
  'propertySubtype',
  'assetClass',
  'landUses',
  'classifications',
] as const satisfies readonly (keyof ProjectStatement)[];

/** Attributes with a value that is kept as it is and matched whole. */
export const KEYWORD_EVIDENCE = ['status', 'decisionBody', 'requestType', 'decisionType', 'constructionType', 'projectSize'] as const;
export const BOOLEAN_EVIDENCE = [
  'isConstructionLead',
  'hasConstructionDetails',
  'isRezone',
  'inOpportunityZone',
  'inFemaFloodZone',
] as const;
export const NUMBER_EVIDENCE = [
  'totalUnitCount',
  'acreage',
  'lotSizeSqft',
  'squareFootage',
  'parkingSpaces',
  'buildingStories',
  'buildingHeightFeet',
  'bedroomCount',
  'floorCount',
] as const;

/** Everything that loads have stated about a project and that filters match: per attribute, the distinct values. */
export interface Evidence {
  values: Partial<Record<(typeof KEYWORD_EVIDENCE)[number] | 'statusCombo' | 'meetingDate', string[]>> &
    Partial<Record<(typeof BOOLEAN_EVIDENCE)[number], boolean[]>> &
    Partial<Record<(typeof NUMBER_EVIDENCE)[number], number[]>>;
  landUses: LandUse[];
  /** searched words, one string a passage, folded by `words` */
  text: string[];
  names: string[];
  partyNames: string[];
}

/** A revision that was replaced, when, and the names of the fields in which the next one differed. */
export interface EarlierRevision {
  revision: string;
  /** ISO 8601 */
  replacedAt: string;
  changed: string[];
}

/** The `_source` of a project document. */
export interface StoredProject extends ProjectContent {
  key: string;
  /** number of the load that wrote this version, and of the one that replaced it */
  loadedIn: number;
  supersededIn?: number;
  id: number;
  lastUpdated: string;
  contentRevision: string;
  /** only of a merged development: every hearing of the family, ascending, and those of them that absorbed members brought */
  hearings?: string[];
  absorbedHearings?: string[];
  past?: Partial<Evidence>;
  /** oldest first */
  earlierRevisions?: EarlierRevision[];
}
