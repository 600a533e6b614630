/** The fields of a record that are shown in rows, by subject, and their values in words. Pure. */
import type { FullProject } from '../../../clients/client/generated.ts';
import subjects from './subjects.json' with { type: 'json' };
import { date, nameInWords, number } from './words.ts';

/** Titles of the subjects, with the stated fields of each and what they are called. */
const SUBJECTS: Readonly<Record<string, Readonly<Record<string, string>>>> = subjects;

/** A record as the panel reads it, with `include=derived`. */
export type ReadRecord = FullProject & Required<Pick<FullProject, 'derived'>>;

export const nameOfRecord = ({ id, displayName, projectName }: Pick<ReadRecord, 'id' | 'projectName'> & { displayName?: string | null }) =>
  displayName ?? projectName ?? `Project ${id}`;

/** Names of fields that are not shown in rows. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  id: 'Number',
  recordType: 'Kind of record',
  serviceLink: 'Link to the record',
  mergedFrom: 'Merged from numbers',
  lastUpdated: 'Last change',
  delivery: 'Held by the team',
  displayName: 'Name for people',
  statusSummary: 'Status in a sentence',
  sourceDocumentUrl: 'Link to the minutes',
  meetingDocumentId: 'Number of the minutes',
  contentRevision: 'Version of the content',
  stateId: 'State, number',
  countyId: 'County, number',
  cityId: 'City, number',
  classifications: 'Building Types by role',
  isConstructionLead: 'Construction lead',
  hasConstructionDetails: 'Construction details',
  companyEnrichment: 'Companies',
  contactSummary: 'Contacts, counted',
  rawText: 'What the minutes say',
  originalRawText: 'The minutes as extracted',
  originalRawTextTruncated: 'The minutes say more',
  meetingDocuments: 'Minutes',
  dataRichness: 'Fields stated',
  derived: 'What has become of it',
};

const FIELD_NAMES: Readonly<Record<string, string>> = { ...OTHER_NAMES, ...Object.assign({}, ...Object.values(SUBJECTS)) };

/** What a field is called on the page. */
export const nameOfField = (field: string): string => FIELD_NAMES[field] ?? nameInWords(field);

type Entry = Readonly<Record<string, unknown>>;

/** An object within a record: a use by its levels, a status with its date, a number of units of a type, votes by their kinds. */
function wordsOfEntry(entry: Entry): string {
  if ('typeLabel' in entry) return [entry.typeLabel, entry.subtypeLabel, entry.assetClassLabel].filter(Boolean).join(', ');
  if ('unitType' in entry) return `${number(Number(entry.count))} ${String(entry.unitType).replaceAll('_', ' ')}`;
  if ('date' in entry) return `${entry.statusLabel ?? entry.status}, ${date(String(entry.date))}`;
  return Object.entries(entry)
    .filter(([, count]) => count !== null)
    .map(([vote, count]) => `${vote} ${count}`)
    .join(', ');
}

/** A value of a record in words, by its type: a list joined, a day as a date. */
function wordsOfValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsOfValue).join('; ');
  if (typeof value === 'number') return number(value);
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'object' && value !== null) return wordsOfEntry(value as Entry);
  const text = String(value);
  return /^\d{4}-\d\d-\d\d$/.test(text) ? date(text) : text;
}

export interface Fact {
  field: string;
  name: string;
  words: string;
}

/** Whether the record has no value for the field. */
const isSilent = (value: unknown) => value === null || value === undefined || value === '' || (Array.isArray(value) && !value.length);

/** Fields that the panel shows at its head, or as a list of their own. */
const SHOWN_ELSEWHERE: readonly string[] = [
  'nextMeetingDate',
  'totalUnitCount',
  'voteTotals',
  'staffRecommendation',
  'conditionsOfApproval',
];

const DECISIONS: readonly (string | null)[] = ['approved', 'approved_with_conditions', 'denied'];

/** What a row is called: a body that has not decided yet has only heard the case. */
const nameOfRow = ({ status }: ReadRecord, field: string, name: string) =>
  field === 'decisionBody' && !DECISIONS.includes(status) ? 'Heard by' : name;

/** A field by its name, which the table has as a text. */
const statedValue = (record: ReadRecord, field: string): unknown => (record as unknown as Entry)[field];

/** The rows of each subject with any value; tokens are shown by their labels. */
export function factsOf(record: ReadRecord): { subject: string; facts: Fact[] }[] {
  return Object.entries(SUBJECTS)
    .map(([subject, fields]) => ({
      subject,
      facts: Object.entries(fields)
        .filter(([field]) => !isSilent(statedValue(record, field)) && !SHOWN_ELSEWHERE.includes(field))
        .map(([field, name]) => ({
          field,
          name: nameOfRow(record, field, name),
          words: wordsOfValue(statedValue(record, `${field}Label`) ?? statedValue(record, field)),
        })),
    }))
    .filter(({ facts }) => facts.length > 0);
}

/** Names of the rows without a value. */
export const silentFacts = (record: ReadRecord): string[] =>
  Object.values(SUBJECTS).flatMap((fields) =>
    Object.entries(fields)
      .filter(([field]) => isSilent(statedValue(record, field)))
      .map(([, name]) => name),
  );
