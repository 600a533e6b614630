/** The fields of a record that are shown in rows, by subject, and their values in words. Pure. */
import { date, number, spaced } from '../words.ts';

/** A full record, as `GET /projects/{id}` answers it. */
export interface ReadRecord {
  id: number;
  contentRevision: string;
  lastUpdated: string;
  latitude: number | null;
  longitude: number | null;
  // biome-ignore lint/suspicious/noExplicitAny: described in the reference
  [field: string]: any;
}

/** Titles of the subjects, with the stated fields of each and what they are called. */
const SUBJECTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'How it stands': {
    status: 'Status',
    decisionBody: 'Decided by',
    decisionType: 'Decision',
    voteTotals: 'Votes',
    staffRecommendation: 'Staff recommends',
    conditionsOfApproval: 'Conditions',
    firstMeetingDate: 'First meeting',
    meetingDate: 'Latest meeting',
    nextMeetingDate: 'Next meeting',
    appearanceCount: 'Meetings so far',
  },
  Size: {
    totalUnitCount: 'Units',
    unitMix: 'Units by type',
    acreage: 'Acres',
    lotSizeSqft: 'Lot, square feet',
    squareFootage: 'Square feet',
    lotCount: 'Lots',
    buildingStories: 'Storeys',
    floorCount: 'Floors',
    buildingHeightFeet: 'Height, feet',
    bedroomCount: 'Bedrooms',
    parkingSpaces: 'Parking spaces',
    projectSize: 'Size class',
  },
  'What is asked for': {
    propertyType: 'Building Type',
    propertySubtype: 'Subtype',
    assetClass: 'Asset class',
    requestType: 'Request',
    constructionType: 'Construction',
    isRezone: 'Rezoning',
    existingZoning: 'Zoning now',
    proposedZoning: 'Zoning asked for',
    actionType: 'Action',
    actionCategory: 'Kind of action',
  },
  Place: {
    address: 'Address',
    city: 'City',
    county: 'County',
    state: 'State',
    zipCode: 'ZIP code',
    parcelNumbers: 'Parcel',
    caseNumbers: 'Case',
    inOpportunityZone: 'Opportunity Zone',
    inFemaFloodZone: 'FEMA flood zone',
  },
};

/** Names of fields that are shown elsewhere than in rows. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  projectName: 'Name',
  displayName: 'Name',
  summary: 'Summary',
  statusSummary: 'Status in a sentence',
  parties: 'Parties',
  decisions: 'Decisions',
  rawText: 'What the minutes say',
  originalRawText: 'What the minutes say',
  meetingDocuments: 'Minutes',
  landUses: 'Land uses',
  statusHistory: 'Statuses over time',
};

const FIELD_NAMES: Readonly<Record<string, string>> = { ...OTHER_NAMES, ...Object.assign({}, ...Object.values(SUBJECTS)) };

/** What a field is called on the page. */
export const nameOfField = (field: string): string => FIELD_NAMES[field] ?? spaced(field);

/** Votes by their kinds, such as `yes 4, no 1`. */
const wordsOfVotes = (votes: Readonly<Record<string, number | null>>) =>
  Object.entries(votes)
    .filter(([, count]) => count !== null)
    .map(([vote, count]) => `${vote} ${count}`)
    .join(', ');

/** A value of a record in words, by its type: a list joined, a day as a date. */
export function wordsOfValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsOfValue).join('; ');
  if (typeof value === 'number') return number(value);
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'object' && value !== null)
    return 'unitType' in value && 'count' in value
      ? `${number(Number(value.count))} ${String(value.unitType).replaceAll('_', ' ')}`
      : wordsOfVotes(value as Record<string, number | null>);
  const text = String(value);
  return /^\d{4}-\d\d-\d\d$/.test(text) ? date(text) : text;
}

export interface Fact {
  /** the stated field */
  field: string;
  name: string;
  words: string;
}

/** Whether the record states nothing there. */
const isSilent = (value: unknown) => value === null || value === undefined || value === '' || (Array.isArray(value) && !value.length);

/** The rows of each subject that has any; a token by its label. */
export function factsOf(record: ReadRecord): { subject: string; facts: Fact[] }[] {
  return Object.entries(SUBJECTS)
    .map(([subject, fields]) => ({
      subject,
      facts: Object.entries(fields)
        .filter(([field]) => !isSilent(record[field]))
        .map(([field, name]) => ({ field, name, words: wordsOfValue(record[`${field}Label`] ?? record[field]) })),
    }))
    .filter(({ facts }) => facts.length > 0);
}

/** Names of the rows that the record has no value for. */
export const silentFacts = (record: ReadRecord): string[] =>
  Object.values(SUBJECTS).flatMap((fields) =>
    Object.entries(fields)
      .filter(([field]) => isSilent(record[field]))
      .map(([, name]) => name),
  );
