/**
 * The table of record fields, in the order of answers. Derived from it: types, the schema of generation files, the three representations, what
 * counts as a change, evidence for filters, the columns of a CSV, dimensions of analytics, and the reference.
 */
import { type TSchema, Type } from 'typebox';
import * as vocabulary from '../vocabulary.ts';
import * as cell from './cellText.ts';
import {
  attribute,
  computed,
  count,
  day,
  type EvidenceKind,
  type Field,
  flag,
  id,
  identity,
  labelOf,
  list,
  measure,
  measurement,
  moment,
  nullable,
  place,
  type Tier,
  text,
  webAddress,
  yesOrNo,
} from './field.ts';
import * as nested from './nested.ts';
import * as lists from './publicParts.ts';

const token = text(100);
const nullableList = (items: TSchema, maxItems: number) => nullable(list(items, maxItems));

export const FIELDS = {
  // compact: 21
  id: identity('compact', id, 'Project id; the same from load to load', { served: id }),
  recordType: identity('compact', Type.String({ pattern: '^[a-z][a-z0-9_]*$', maxLength: 60 }), 'Kind of record, such as `project`'),
  projectName: identity('compact', text(2000), 'Name of the project', { evidence: 'names' }),
  serviceLink: computed('compact', Type.String({ format: 'uri' }), 'The record on the map of this service', { perRequest: true }),
  mergedFrom: identity('compact', list(id, 1000), 'Ids of the records merged into this one, its own among them', { csv: cell.words }),
  lastUpdated: computed('compact', moment, 'When the content last changed', { facet: 'moment' }),
  meetingDate: identity(
    'compact',
    day,
    'Date of the latest meeting; of a merged development the newest hearing that is not in the future',
    {
      unrevised: true,
      perRequest: true,
      facet: 'day',
    },
  ),
  delivery: computed('compact', nested.delivery, 'What the credit pool held of the record before this answer', {
    perRequest: true,
    csv: cell.properties,
  }),
  address: identity('compact', text(2000), 'Street address', { evidence: 'words' }),
  city: identity('compact', text(200), 'City', { facet: 'place' }),
  county: identity('compact', text(200), 'County', { facet: 'place' }),
  state: identity('compact', text(100), 'USPS abbreviation of the state', { facet: 'place' }),
  latitude: identity('compact', Type.Number({ minimum: -90, maximum: 90 }), 'Degrees north'),
  longitude: identity('compact', Type.Number({ minimum: -180, maximum: 180 }), 'Degrees east'),
  inOpportunityZone: yesOrNo('compact', 'Inside an Opportunity Zone; null where that was not computed'),
  inFemaFloodZone: yesOrNo('compact', 'Inside a Special Flood Hazard Area; null where that was not computed'),
  propertyType: identity('compact', token, 'Building Type', { vocabulary: vocabulary.propertyTypes, facet: 'use' }),
  propertyTypeLabel: labelOf('compact', 'propertyType'),
  landUses: identity('compact', list(nested.landUse.stated, 50), 'Every land use of the project, each once', {
    served: nullableList(nested.landUse.served, 50),
    absent: [],
    serve: lists.publicUse,
    content: lists.usedLevels,
    unordered: true,
    perRequest: true,
    csv: cell.landUses,
  }),
  status: attribute('compact', token, 'Entitlement status; `unknown` where no decision is recorded', {
    vocabulary: vocabulary.statuses,
    served: Type.String(),
    facet: 'token',
    evidence: 'keyword',
    rich: true,
    absent: 'unknown',
  }),
  statusLabel: labelOf('compact', 'status'),

  // standard: 46 more
  displayName: identity('standard', text(2000), 'Name for people, where it differs from projectName', { evidence: 'names' }),
  summary: attribute('standard', text(20_000), 'Description of the project; the status sentence where there is none', {
    evidence: 'words',
    rich: true,
    fallback: 'statusSummary',
  }),
  statusSummary: attribute('standard', text(5000), 'The status in one sentence', { evidence: 'words', rich: true }),
  sourceDocumentUrl: attribute('standard', webAddress(2000), 'Public meeting document of the latest appearance'),
  meetingDocumentId: attribute('standard', id, 'Id of that document, for `GET /documents/{id}`'),
  contentRevision: computed('standard', Type.String(), 'Names the content; equal content has an equal revision'),
  stateId: identity('standard', place, 'FIPS number of the state'),
  countyId: identity('standard', place, 'FIPS number of the county'),
  cityId: identity('standard', place, 'GeoNames number of the city'),
  zipCode: identity('standard', Type.String({ pattern: '^\\d{5}(-\\d{4})?$' }), 'ZIP code', { evidence: 'words' }),
  parcelNumbers: attribute('standard', list(text(100), 1000), 'Numbers of the parcels', { evidence: 'words', rich: true, csv: cell.words }),
  propertySubtype: identity('standard', token, 'Second level of the Building Type', {
    vocabulary: vocabulary.propertySubtypes,
    facet: 'use',
  }),
  propertySubtypeLabel: labelOf('standard', 'propertySubtype'),
  assetClass: identity('standard', token, 'First known asset class, the third level', {
    vocabulary: vocabulary.assetClasses,
    facet: 'use',
  }),
  assetClassLabel: labelOf('standard', 'assetClass'),
  classifications: identity('standard', list(nested.classification.stated, 50), 'The Building Types of the project, each with its role', {
    served: Type.Array(nested.classification.served),
    absent: [],
    serve: lists.publicClassification,
    csv: cell.classifications,
  }),
  projectSize: attribute('standard', text(20), 'large, medium or small', {
    vocabulary: vocabulary.projectSizes,
    facet: 'token',
    evidence: 'keyword',
  }),
  projectSizeLabel: labelOf('standard', 'projectSize'),
  isRezone: yesOrNo('standard', 'A change of zoning is asked for'),
  requestType: attribute('standard', token, 'What is applied for', {
    vocabulary: vocabulary.requestTypes,
    facet: 'token',
    evidence: 'keyword',
    rich: true,
  }),
  requestTypeLabel: labelOf('standard', 'requestType'),
  constructionType: attribute('standard', token, 'Kind of construction', {
    vocabulary: vocabulary.constructionTypes,
    facet: 'token',
    evidence: 'keyword',
    rich: true,
  }),
  constructionTypeLabel: labelOf('standard', 'constructionType'),
  isConstructionLead: yesOrNo('standard', 'Construction is likely to follow'),
  hasConstructionDetails: yesOrNo('standard', 'Details of the construction are known'),
  decisionBody: attribute('standard', text(200), 'Body that decided', {
    vocabulary: vocabulary.decisionBodies,
    facet: 'token',
    evidence: 'keyword',
    rich: true,
  }),
  decisionBodyLabel: labelOf('standard', 'decisionBody'),
  decisionType: attribute('standard', token, 'Kind of decision', {
    vocabulary: vocabulary.decisionTypes,
    facet: 'token',
    evidence: 'keyword',
    rich: true,
  }),
  decisionTypeLabel: labelOf('standard', 'decisionType'),
  existingZoning: attribute('standard', text(500), 'Zoning today', { evidence: 'words', rich: true }),
  proposedZoning: attribute('standard', text(500), 'Zoning asked for', { evidence: 'words', rich: true }),
  totalUnitCount: measurement(count, 'Dwelling units'),
  unitMix: attribute('standard', list(nested.unitMixEntry, 100), 'Units by type', { serve: lists.publicUnits, csv: cell.unitMix }),
  acreage: measurement(measure, 'Acres'),
  lotSizeSqft: measurement(measure, 'Lot size in square feet'),
  squareFootage: measurement(measure, 'Floor area in square feet'),
  floorCount: measurement(measure, 'Floors'),
  buildingStories: measurement(measure, 'Stories'),
  buildingHeightFeet: measurement(measure, 'Height in feet'),
  bedroomCount: measurement(count, 'Bedrooms'),
  parkingSpaces: measurement(count, 'Parking spaces'),
  lotCount: measurement(count, 'Buildable lots'),
  parties: attribute('standard', list(nested.party.stated, 100), 'Companies and people that the filing names', {
    served: nullableList(nested.party.served, 100),
    evidence: 'parties',
    rich: true,
    serve: lists.publicParty,
    csv: cell.parties,
  }),
  contacts: attribute('standard', list(nested.contact.stated, 100), 'People; channels are null until Find Contact Info unlocked them', {
    served: nullable(Type.Array(nested.contact.served)),
    rich: true,
    content: lists.namedContact,
    perRequest: true,
    csv: cell.contacts,
  }),
  companyEnrichment: attribute(
    'standard',
    list(nested.company.stated, 50),
    'Companies; name and website on every plan, the rest on paid ones',
    {
      served: nullable(Type.Array(nested.company.served)),
      content: lists.wholeCompany,
      perRequest: true,
      csv: cell.companies,
    },
  ),
  contactSummary: computed('standard', nested.contactSummary, 'How many contacts and channels there are', {
    perRequest: true,
    csv: cell.properties,
  }),

  // full: 18 more
  decisions: attribute('full', list(nested.decision.stated, 500), 'Decisions with their named votes', {
    served: nullableList(nested.decision.served, 500),
    rich: true,
    serve: lists.publicDecision,
    csv: cell.decisions,
  }),
  meetingDocuments: attribute('full', list(nested.meetingDocument.stated, 500), 'Documents of its meetings', {
    served: nullableList(nested.meetingDocument.served, 500),
    rich: true,
    serve: lists.publicDocumentReference,
    csv: cell.documents,
  }),
  rawText: attribute('full', text(1_000_000), 'Text of the minutes that speaks of the project', { evidence: 'words', rich: true }),
  originalRawText: attribute('full', text(1_000_000), 'That text as it was extracted'),
  originalRawTextTruncated: attribute('full', flag, 'The original text was longer'),
  actionType: attribute('full', token, 'Type of action', { vocabulary: vocabulary.actionTypes }),
  actionTypeLabel: labelOf('full', 'actionType'),
  actionCategory: attribute('full', token, 'Category of action', { vocabulary: vocabulary.actionCategories }),
  actionCategoryLabel: labelOf('full', 'actionCategory'),
  firstMeetingDate: attribute('full', day, 'Date of the first meeting'),
  nextMeetingDate: attribute('full', day, 'Date of the next meeting'),
  appearanceCount: attribute('full', count, 'Meetings at which the project appeared'),
  statusHistory: attribute('full', list(nested.statusHistoryEntry.stated, 500), 'Statuses over time', {
    served: nullableList(nested.statusHistoryEntry.served, 500),
    serve: lists.publicStatusChange,
    csv: cell.statuses,
  }),
  caseNumbers: attribute('full', list(text(200), 1000), 'Case numbers', { evidence: 'words', csv: cell.words }),
  conditionsOfApproval: attribute('full', list(text(5000), 1000), 'Conditions of the approval', { evidence: 'words', csv: cell.words }),
  voteTotals: attribute('full', nested.voteTotals.stated, 'Votes of the latest decision', {
    served: nullable(nested.voteTotals.served),
    serve: lists.publicVoteTotals,
    csv: cell.properties,
  }),
  staffRecommendation: attribute('full', text(5000), 'What staff recommended'),
  dataRichness: computed('full', Type.Integer({ minimum: 0, maximum: 100 }), 'Share of the attributes that the record states, in percent'),
  // ours: no representation has it
  derived: computed(
    'full',
    nested.derived,
    'Only with `include=derived`: what this service reads from the record, such as outcome, staff recommendation, vote and days in process',
    {
      byInclude: true,
      perRequest: true,
      csv: cell.properties,
    },
  ),
} as const satisfies Record<string, Field>;

export type FieldName = keyof typeof FIELDS;
type Table = typeof FIELDS;

/** Names of fields that a generation file may state. */
export type StatedName = { [K in FieldName]: Table[K] extends { stated: TSchema } ? K : never }[FieldName];

/** Names of the stated fields of a tier. */
export type StatedIn<T extends Tier> = { [K in StatedName]: Table[K]['tier'] extends T ? K : never }[StatedName];

/** Names of the fields with one of these kinds of evidence. */
export type EvidenceName<E extends EvidenceKind> = { [K in StatedName]: Table[K] extends { evidence: E } ? K : never }[StatedName];

/** Names of the fields that are computed, labels apart. */
export type ComputedName = { [K in FieldName]: Table[K] extends { labels: string } ? never : K }[Exclude<FieldName, StatedName>];

export const fieldOf = (name: FieldName): Field => FIELDS[name];
export const FIELD_NAMES = Object.keys(FIELDS) as FieldName[];
export const STATED_NAMES = FIELD_NAMES.filter((name) => fieldOf(name).stated) as StatedName[];

/** Identity and classification: the fields that a project keeps when a new generation does not cover it. */
export const IDENTITY = STATED_NAMES.filter((name) => fieldOf(name).kind === 'identity');

/** The fields with one of these kinds of evidence, in the order of the table. */
export const withEvidence = <E extends EvidenceKind>(...kinds: readonly E[]) =>
  STATED_NAMES.filter((name) => (kinds as readonly (EvidenceKind | undefined)[]).includes(fieldOf(name).evidence)) as EvidenceName<E>[];
