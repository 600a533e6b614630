/** `admin suppress …`: people who asked not to be found. Their data is hashed and not stored. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { parse } from 'csv-parse/sync';
import { listIdentities } from '../../core/domain/suppression.ts';
import { type NewSuppression, Suppressions } from '../../core/people/suppressions.ts';
import { addCommand, UserError, wholeNumber } from '../../terminal/program.ts';
import { textTable } from '../../terminal/textTable.ts';
import { type Admin, perform } from './runCommand.ts';

const LISTED = 50;
const COLUMNS = ['email', 'phone', 'name', 'company', 'note'] as const;
const NOTE_LENGTH_MAX = 500;
const FAULTS_SHOWN = 20;

type Row = Partial<Record<(typeof COLUMNS)[number], string>>;

const listOf = ({ database, settings }: Admin) => new Suppressions(database, settings.keyPepper);

/** The identities in a row. @throws UserError when the row identifies nobody, or a value is unusable */
function readEntries({ note, ...person }: Row): NewSuppression[] {
  const entries = listIdentities(person);
  const kinds = new Set(entries.map(({ kind }) => kind));
  if (person.email && !kinds.has('email')) throw new UserError('email is no address');
  if (person.phone && !kinds.has('phone')) throw new UserError('phone is no telephone number (7 digits or more)');
  if (Boolean(person.name) !== Boolean(person.company)) throw new UserError('name and company go together: alone they name too many');
  if (!entries.length) throw new UserError('nobody is named: give email, phone, or name and company');
  if (note && note.length > NOTE_LENGTH_MAX) throw new UserError(`note is longer than ${NOTE_LENGTH_MAX} characters`);
  return entries.map((entry) => ({ ...entry, note: note || undefined }));
}

async function add(admin: Admin, entries: readonly NewSuppression[]): Promise<void> {
  const { SUPPRESSION_HOOKS } = await import('../../features.ts');
  const result = await listOf(admin).add(entries, SUPPRESSION_HOOKS);
  admin.print(result, [
    `${result.added} added, ${result.already} known already. No answer shows them within a minute.`,
    `${result.expiredExports} finished exports held one of them and cannot be downloaded any more. ${result.clearedUnlocks} unlocked projects were cleared.`,
  ]);
}

/** Reads a CSV with a header; accepts all rows or none. @throws UserError with every unusable line */
function readRows(file: string): NewSuppression[] {
  let rows: { record: Row; info: { lines: number } }[];
  try {
    rows = parse(readFileSync(file), { columns: true, bom: true, trim: true, info: true, skip_empty_lines: true });
  } catch (error) {
    throw new UserError(`${file} cannot be read as CSV: ${(error as Error).message.split('\n')[0]}`);
  }
  const unknown = Object.keys(rows[0]?.record ?? {}).filter((name) => !COLUMNS.some((column) => column === name));
  if (unknown.length) throw new UserError(`${file} has columns that are none: ${unknown.join(', ')}. Columns are ${COLUMNS.join(', ')}.`);
  const faults: string[] = [];
  const entries = rows.flatMap(({ record, info }) => {
    try {
      return readEntries(record);
    } catch (error) {
      faults.push(`line ${info.lines}: ${(error as Error).message}`);
      return [];
    }
  });
  if (faults.length)
    throw new UserError([`${file}: nothing was added.`, ...faults.slice(0, FAULTS_SHOWN), ...describeMore(faults.length)].join('\n'));
  if (!entries.length) throw new UserError(`${file} names nobody`);
  return entries;
}

const describeMore = (count: number) => (count > FAULTS_SHOWN ? [`and ${count - FAULTS_SHOWN} more`] : []);

async function list(admin: Admin, limit: number): Promise<void> {
  const entries = (await listOf(admin).list(limit)).map((entry) => ({ ...entry, addedAt: entry.addedAt.toISOString() }));
  admin.print(entries, textTable(entries, 'Nobody is suppressed.'));
}

async function report(admin: Admin, { note: _, ...person }: Row): Promise<void> {
  if (!Object.keys(person).length) {
    const figures = (await listOf(admin).countEntries()).map((figure) => ({ ...figure, newest: figure.newest.toISOString() }));
    admin.print(figures, textTable(figures, 'Nobody is suppressed.'));
    return;
  }
  readEntries(person);
  const entries = (await listOf(admin).findCovering(person)).map((entry) => ({ ...entry, addedAt: entry.addedAt.toISOString() }));
  admin.print({ suppressed: entries.length > 0, entries }, textTable(entries, 'Not suppressed.'));
}

const addPersonOptions = (command: Command): Command =>
  command
    .option('--email <address>', 'any spelling of it; a +tag does not matter')
    .option('--phone <number>', 'in any form')
    .option('--name <name>', 'with --company')
    .option('--company <company>', 'with --name');

export function addSuppressCommands(program: Command): void {
  const suppress = addCommand(program, 'suppress', 'people who asked not to be found');
  addPersonOptions(addCommand(suppress, 'add', 'show somebody in no answer, file or mail any more'))
    .option('--note <text>', 'such as the number of the request; no names')
    .action(perform(async (admin, person: Row) => add(admin, readEntries(person))));
  addCommand(suppress, 'import', `add everybody of a CSV with a header: ${COLUMNS.join(', ')}`)
    .argument('<file>', 'the CSV')
    .action(perform(async (admin, file: string) => add(admin, readRows(file))));
  addCommand(suppress, 'list', 'newest entries; who they are is not kept')
    .option('--limit <n>', 'at most so many', wholeNumber(0, 999_999_999), LISTED)
    .action(perform((admin, { limit }: { limit: number }) => list(admin, limit)));
  addPersonOptions(addCommand(suppress, 'report', 'figures of the list, or whether and since when somebody is on it')).action(
    perform(report),
  );
}
