/** The fields of the record as columns: which ones a table shows and what their cells say. */
import * as cellText from '../../../core/domain/record/cellText.ts';
import type { RecordField, RecordFields } from '../../shared/recordField.ts';
import { onceRead } from '../shared/api.ts';
import { nameOfRecord } from '../shared/facts.ts';
import { settings } from '../shared/settings.ts';
import { date, moment, number } from '../shared/words.ts';

export type { RecordField, RecordFields };

/** A record as an answer has it. */
export type TableRecord = Readonly<Record<string, unknown>> & { id: number; displayName?: string | null; projectName: string | null };

/** The column that stays in place; every table has it. */
export const NAME_FIELD = 'projectName';

/** Fields of a table for which nothing was chosen. */
const USUAL_COLUMNS = [
  ...['statusLabel', 'meetingDate', 'city', 'county', 'state', 'propertyTypeLabel', 'totalUnitCount', 'acreage', 'parties.developer'],
  ...['requestTypeLabel', 'decisionBodyLabel', 'lastUpdated'],
];

/** Reads the record table; the browser caches the file, which never changes under its name. */
export const readRecordFields = onceRead<RecordFields>(settings.recordFields);

const CONTACTS = 'contacts.';
/** A comma ends a name in the address. */
const foldRole = (role: string) => role.replaceAll(',', ' ').trim().toLowerCase();

/** The column of the contacts of a role, which is any words: no table lists them. */
const contactsField = (role: string): RecordField => ({
  name: `${CONTACTS}${role}`,
  heading: `Contact: ${role}`,
  tier: 'standard',
  summary: 'Contacts of this role, as the record shows them',
  kind: 'list',
  text: 'contacts',
  of: 'contacts',
});

const listOf = (record: TableRecord, name: string) => (record[name] ?? []) as readonly { role?: string | null }[];

/** A column for each role that contacts of the records have. */
export function contactFields(records: readonly TableRecord[]): RecordField[] {
  const roles = records.flatMap((record) => listOf(record, 'contacts').flatMap(({ role }) => (role ? foldRole(role) : [])));
  return [...new Set(roles)].sort().map(contactsField);
}

interface ChosenColumns {
  /** the name first */
  columns: readonly RecordField[];
  /** names that the record does not have */
  unknown: readonly string[];
  /** the smallest representation that carries them all, and what a table shows without asking again */
  representation: 'standard' | 'full';
}

/** @param columns names separated by commas; null for the usual ones */
export function chosenColumns({ fields }: RecordFields, columns: string | null): ChosenColumns {
  const names = (columns?.split(',') ?? USUAL_COLUMNS).map((name) => name.trim()).filter((name) => name && name !== NAME_FIELD);
  const fieldOf = (name: string) =>
    name.startsWith(CONTACTS) ? contactsField(name.slice(CONTACTS.length)) : fields.find((field) => field.name === name);
  const known = [...new Set([NAME_FIELD, ...names])].map((name) => fieldOf(name) ?? name);
  const found = known.filter((field) => typeof field !== 'string');
  return {
    columns: found,
    unknown: known.filter((field) => typeof field === 'string'),
    representation: found.some(({ tier }) => tier === 'full') ? 'full' : 'standard',
  };
}

const WIDTHS: Readonly<Record<RecordField['kind'], number>> = {
  measure: 136,
  number: 120,
  flag: 120,
  day: 136,
  moment: 220,
  text: 160,
  prose: 320,
  list: 240,
};
const NAME_WIDTH = 280;
const NARROW_NAME_WIDTH = 150;
const NARROW_WINDOW = 600;

/** The width of a column, in pixels, until a reader changes it. */
export const usualWidth = ({ name, kind }: RecordField) =>
  name !== NAME_FIELD ? WIDTHS[kind] : innerWidth < NARROW_WINDOW ? NARROW_NAME_WIDTH : NAME_WIDTH;

export const isMeasure = ({ kind }: RecordField) => kind === 'measure';
export const isNumeric = ({ kind }: RecordField) => kind === 'measure' || kind === 'number';

const isEmpty = (value: unknown) => value === null || value === undefined || (Array.isArray(value) && value.length === 0);

/** A value of a record; of a list, the entries of a role, which the heading says. */
export function cellValue(record: TableRecord, { name, of }: RecordField): unknown {
  if (!of) return record[name];
  const role = name.slice(of.length + 1);
  return listOf(record, of).flatMap((entry) => (foldRole(entry.role ?? '') === role ? { ...entry, role: null } : []));
}

/** The text of a list or an object, as a CSV of the service has it. */
function listText(value: unknown, text: string | undefined): string {
  const known = cellText as unknown as Readonly<Record<string, (value: unknown) => string>>;
  return (text && known[text]?.(value)) ?? JSON.stringify(value);
}

/** A value as a file has it: numbers and times as they are, lists as texts; empty if nothing is stated. */
export function fileText(record: TableRecord, field: RecordField): string {
  if (field.name === NAME_FIELD) return nameOfRecord(record);
  const value = cellValue(record, field);
  if (isEmpty(value)) return '';
  return field.kind === 'list' ? listText(value, field.text) : String(value);
}

/** A value in words, for a reader; empty if nothing is stated. */
export function shownText(record: TableRecord, field: RecordField): string {
  const { kind } = field;
  const value = cellValue(record, field);
  if (isEmpty(value)) return fileText(record, field);
  if (kind === 'measure') return number(value as number);
  if (kind === 'flag') return value ? 'Yes' : 'No';
  if (kind === 'day') return date(value as string);
  if (kind === 'moment') return moment(value as string);
  return fileText(record, field);
}
