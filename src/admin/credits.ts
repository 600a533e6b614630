/** `admin credits …` and `admin audit`. */
import { createWriteStream, renameSync, rmSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { stringify } from 'csv-stringify';
import { DateTime } from 'luxon';
import { grantOf } from '../domain/credits.ts';
import { PLANS } from '../domain/plans.ts';
import { monthlyCreditsOf } from '../domain/principal.ts';
import { guarded } from '../domain/record/csv.ts';
import { SERVICE_ZONE } from '../domain/serviceClock.ts';
import { audit } from '../store/postgres/audit.ts';
import { Ledger } from '../store/postgres/ledger.ts';
import { EXIT_FAILED, UserError } from '../terminal/program.ts';
import { textTable } from '../terminal/table.ts';
import { type Admin, parseId, run } from './command.ts';

function parseAmount(text: string): number {
  if (/^[+-]?[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It has to be a whole number of credits other than 0; a negative one takes credits away.');
}

function day(text: string): DateTime {
  const parsed = DateTime.fromFormat(text, 'yyyy-MM-dd', { zone: SERVICE_ZONE });
  if (parsed.isValid) return parsed;
  throw new InvalidArgumentError('It has to be a day, such as 2026-11-30.');
}

const dayStart = (text: string) => day(text).toJSDate();
const dayEnd = (text: string) => day(text).plus({ days: 1 }).toJSDate();

async function payerOf({ accounts }: Admin, teamId: number) {
  const team = await accounts.team(teamId);
  const plan = PLANS[team.plan];
  return { teamId, grant: grantOf({ plan, monthlyCredits: monthlyCreditsOf(plan, team.monthlyCredits) }) };
}

async function show(admin: Admin, teamId: number): Promise<void> {
  const ledger = new Ledger(admin.database);
  const balance = await ledger.balance(await payerOf(admin, teamId));
  const receipts = await ledger.receipts(teamId, 20, null);
  const rows = receipts.map(({ at, kind, subject, amount, balance: after, items, requestId, note }) => ({
    at: at.toISOString(),
    kind,
    subject,
    amount,
    balance: after,
    items,
    cause: requestId ?? note,
  }));
  admin.print({ teamId, balance, receipts }, [`Balance: ${balance}`, ...textTable(rows, 'No entries yet.')]);
}

async function adjust(admin: Admin, teamId: number, { amount, note }: { amount: number; note: string }): Promise<void> {
  const balance = await new Ledger(admin.database).adjust(await payerOf(admin, teamId), amount, note);
  admin.print({ teamId, amount, balance }, `Balance: ${balance}`);
}

async function mend(admin: Admin, teamId: number): Promise<void> {
  const balance = await new Ledger(admin.database).mend(await payerOf(admin, teamId));
  const done = balance === null ? 'Nothing to mend: no grant lies ahead.' : `Mended. Balance: ${balance}`;
  admin.print({ teamId, mended: balance !== null, balance }, done);
}

const ENTRIES_AT_ONCE = 1_000;
const COLUMNS = [
  'id',
  'teamId',
  'at',
  'kind',
  'subject',
  'amount',
  'balance',
  'items',
  'route',
  'requestId',
  'keyId',
  'jobId',
  'note',
] as const;

interface ExportOptions {
  team?: number;
  from?: Date;
  to?: Date;
  out?: string;
}

async function* entriesOf(admin: Admin, { team, from, to }: ExportOptions) {
  const ledger = new Ledger(admin.database);
  for (let after = '0'; ; ) {
    const entries = await ledger.entries({ teamId: team ?? null, from: from ?? null, to: to ?? null }, after, ENTRIES_AT_ONCE);
    yield* entries.map((entry) => ({ ...entry, at: entry.at.toISOString() }));
    const last = entries.at(-1);
    if (!last || entries.length < ENTRIES_AT_ONCE) return;
    after = last.id;
  }
}

/** Streams the ledger as CSV. A file that was begun and not finished is not left under its name. */
async function exportLedger(admin: Admin, options: ExportOptions): Promise<void> {
  let entries = 0;
  const rows = async function* () {
    for await (const entry of entriesOf(admin, options)) {
      entries += 1;
      yield entry;
    }
  };
  const csv = stringify({ header: true, columns: [...COLUMNS], cast: { string: guarded }, record_delimiter: 'windows' });
  if (options.out === undefined) {
    await pipeline(rows, csv, process.stdout, { end: false });
    return;
  }
  const unfinished = `${options.out}.part`;
  await pipeline(rows, csv, createWriteStream(unfinished)).catch((error: NodeJS.ErrnoException) => {
    rmSync(unfinished, { force: true });
    throw new UserError(`${options.out} cannot be written: ${error.code ?? error.message}`);
  });
  renameSync(unfinished, options.out);
  admin.print({ file: options.out, entries }, `${entries} entries are in ${options.out}.`);
}

async function runAudit(admin: Admin): Promise<void> {
  const report = await audit(admin.database);
  const head = `${report.pools} pools, ${report.entries} entries, ${report.deliveries} deliveries: ${report.differences.length} differences`;
  const rows = report.differences.map((difference) => ({ ...difference }));
  const ahead = report.differences
    .filter(({ check }) => check === 'grant ahead')
    .map(({ teamId }) => `npm run admin -- credits mend ${teamId}`);
  admin.print(report, rows.length ? [head, ...textTable(rows, ''), ...ahead] : head);
  if (rows.length) process.exitCode = EXIT_FAILED;
}

export function addCreditCommands(program: Command): void {
  const credits = program.command('credits').description('look into a pool and correct its balance');
  credits
    .command('show')
    .description('balance and newest entries')
    .argument('<team>', 'number of the team', parseId)
    .action((team: number, _, command: Command) => run(command, (admin) => show(admin, team)));
  credits
    .command('adjust')
    .description('add or take credits; the entry keeps the note')
    .argument('<team>', 'number of the team', parseId)
    .requiredOption('--amount <credits>', 'credits to add; negative to take away', parseAmount)
    .requiredOption('--note <text>', 'why')
    .action((team: number, options: { amount: number; note: string }, command: Command) =>
      run(command, (admin) => adjust(admin, team, options)),
    );
  credits
    .command('mend')
    .description('take back a grant of a month that has not come, made by a process whose clock was ahead; the entry keeps the cause')
    .argument('<team>', 'number of the team', parseId)
    .action((team: number, _, command: Command) => run(command, (admin) => mend(admin, team)));
  credits
    .command('export')
    .description('the ledger as CSV, oldest entry first: of one team or all, between two days of the service clock')
    .option('--team <team>', 'number of the team', parseId)
    .option('--from <day>', 'first day, YYYY-MM-DD', dayStart)
    .option('--to <day>', 'last day, YYYY-MM-DD', dayEnd)
    .option('--out <file>', 'a file, instead of standard output')
    .action((options: ExportOptions, command: Command) => run(command, (admin) => exportLedger(admin, options)));
  program
    .command('audit')
    .description(
      'prove that balances follow from entries, charges from deliveries, and no grant lies ahead; exit code 1 and a list otherwise',
    )
    .action((_, command: Command) => run(command, runAudit));
}
