/** `admin ledger …`: exports the entries of all pools, for bookkeeping. */

import { createWriteStream, renameSync, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { stringify } from 'csv-stringify';
import { DateTime } from 'luxon';
import { CSV_FORM, escapeFormula } from '../../core/domain/csvText.ts';
import { SERVICE_ZONE } from '../../core/domain/serviceClock.ts';
import { Ledger, type Receipt } from '../../core/ledger/ledger.ts';
import { OWNER_ONLY_FILE } from '../../core/store/files/modes.ts';
import { addCommand, UserError } from '../../terminal/program.ts';
import { type Admin, parseId, perform } from './runCommand.ts';

/** Entries read and written at a time. */
const ENTRIES_AT_ONCE = 1_000;
const COLUMNS = [
  ...['id', 'teamId', 'at', 'kind', 'subject', 'amount', 'balance', 'items'],
  ...['route', 'requestId', 'keyId', 'jobId', 'alertId', 'deliveryId', 'note'],
];

interface ExportOptions {
  team?: number;
  from?: Date;
  to?: Date;
  out?: string;
}

type Entry = Omit<Receipt, 'at'> & { teamId: number; at: string };

function parseDay(text: string): DateTime {
  const parsed = DateTime.fromFormat(text, 'yyyy-MM-dd', { zone: SERVICE_ZONE });
  if (parsed.isValid) return parsed;
  throw new InvalidArgumentError('It has to be a day, such as 2026-11-30.');
}

const parseDayStart = (text: string) => parseDay(text).toJSDate();
const parseDayEnd = (text: string) => parseDay(text).plus({ days: 1 }).toJSDate();

async function* readEntries(admin: Admin, { team, from, to }: ExportOptions): AsyncGenerator<Entry> {
  const ledger = new Ledger(admin.database);
  for (let after = '0'; ; ) {
    const entries = await ledger.listEntries({ teamId: team ?? null, from: from ?? null, to: to ?? null }, after, ENTRIES_AT_ONCE);
    yield* entries.map((entry) => ({ ...entry, at: entry.at.toISOString() }));
    const last = entries.at(-1);
    if (!last || entries.length < ENTRIES_AT_ONCE) return;
    after = last.id;
  }
}

const makeCsvStream = () => stringify({ ...CSV_FORM, header: true, columns: COLUMNS, cast: { string: escapeFormula } });

/** A JSON array with an entry on each line. */
async function* writeJson(entries: AsyncIterable<Entry>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const entry of entries) {
    yield before + JSON.stringify(entry);
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

/** Writes the ledger to a file or to standard output. An unfinished file is never left under its name. */
async function exportLedger(admin: Admin, options: ExportOptions): Promise<void> {
  if (options.out === undefined) {
    const text = admin.json
      ? Readable.from(writeJson(readEntries(admin, options)))
      : Readable.from(readEntries(admin, options)).pipe(makeCsvStream());
    await pipeline(text, process.stdout, { end: false });
    return;
  }
  let entries = 0;
  const counted = async function* () {
    for await (const entry of readEntries(admin, options)) {
      entries += 1;
      yield entry;
    }
  };
  const unfinished = `${options.out}.part`;
  await pipeline(counted, makeCsvStream(), createWriteStream(unfinished, { mode: OWNER_ONLY_FILE })).catch(
    (error: NodeJS.ErrnoException) => {
      rmSync(unfinished, { force: true });
      throw error.code === undefined ? error : new UserError(`${options.out} cannot be written: ${error.code}`);
    },
  );
  renameSync(unfinished, options.out);
  admin.print({ file: options.out, entries }, `${entries} entries are in ${options.out}.`);
}

export function addLedgerCommands(program: Command): void {
  addCommand(program, 'ledger', 'entries of every pool, for bookkeeping')
    .command('export')
    .description(
      'the ledger as CSV (with --json and no file as JSON), oldest entry first: of one team or all, between two days of the service clock',
    )
    .option('--team <team>', 'number of the team', parseId)
    .option('--from <day>', 'first day, YYYY-MM-DD', parseDayStart)
    .option('--to <day>', 'last day, YYYY-MM-DD', parseDayEnd)
    .option('--out <file>', 'a file of CSV, instead of standard output')
    .action(perform(exportLedger));
}
