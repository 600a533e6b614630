/** `admin credits …` and `admin audit`. */
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { grantOf } from '../../core/domain/credits.ts';
import { PLANS } from '../../core/domain/plans.ts';
import { monthlyCreditsOf } from '../../core/domain/principal.ts';
import { auditLedger, recordAudit } from '../../core/ledger/audit.ts';
import { Ledger } from '../../core/ledger/ledger.ts';
import { addCommand, EXIT_FAILED } from '../../terminal/program.ts';
import { textTable } from '../../terminal/textTable.ts';
import { type Admin, parseId, perform } from './runCommand.ts';

function parseAmount(text: string): number {
  if (/^[+-]?[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It has to be a whole number of credits other than 0; a negative one takes credits away.');
}

async function readPayer({ accounts }: Admin, teamId: number) {
  const team = await accounts.readTeam(teamId);
  const plan = PLANS[team.plan];
  return { teamId, grant: grantOf({ plan, monthlyCredits: monthlyCreditsOf(plan, team.monthlyCredits) }) };
}

async function showCredits(admin: Admin, teamId: number): Promise<void> {
  const ledger = new Ledger(admin.database);
  const balance = await ledger.balance(await readPayer(admin, teamId));
  const receipts = await ledger.listReceipts(teamId, 20, null);
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
  const balance = await new Ledger(admin.database).adjust(await readPayer(admin, teamId), amount, note);
  admin.print({ teamId, amount, balance }, `Balance: ${balance}`);
}

async function mend(admin: Admin, teamId: number): Promise<void> {
  const balance = await new Ledger(admin.database).undoGrantAhead(await readPayer(admin, teamId));
  const done = balance === null ? 'Nothing to mend: no grant lies ahead.' : `Mended. Balance: ${balance}`;
  admin.print({ teamId, mended: balance !== null, balance }, done);
}

async function runAudit(admin: Admin): Promise<void> {
  const report = await auditLedger(admin.database);
  await recordAudit(admin.database, report.differences.length);
  const head = `${report.pools} pools, ${report.entries} entries, ${report.deliveries} deliveries: ${report.differences.length} differences`;
  const rows = report.differences.map((difference) => ({ ...difference }));
  const ahead = report.differences
    .filter(({ check }) => check === 'grant ahead')
    .map(({ teamId }) => `npm run admin -- credits mend ${teamId}`);
  admin.print(report, rows.length ? [head, ...textTable(rows, ''), ...ahead] : head);
  if (rows.length) process.exitCode = EXIT_FAILED;
}

export function addCreditCommands(program: Command): void {
  const credits = addCommand(program, 'credits', 'look into a pool and correct its balance');
  addCommand(credits, 'show', 'balance and newest entries').argument('<team>', 'number of the team', parseId).action(perform(showCredits));
  addCommand(credits, 'adjust', 'add or take credits; the entry keeps the note')
    .argument('<team>', 'number of the team', parseId)
    .requiredOption('--amount <credits>', 'credits to add; negative to take away', parseAmount)
    .requiredOption('--note <text>', 'why')
    .action(perform(adjust));
  credits
    .command('mend')
    .description('take back a grant of a month that has not come, made by a process whose clock was ahead; the entry keeps the cause')
    .argument('<team>', 'number of the team', parseId)
    .action(perform(mend));
  program
    .command('audit')
    .description(
      'prove that balances follow from entries, charges from deliveries, and no grant lies ahead; exit code 1 and a list otherwise',
    )
    .action(perform(runAudit));
}
