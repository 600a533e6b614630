/** npm run admin -- …: administration from the command line. Each group of commands has a file in `admin/`. */
import type { Command } from 'commander';
import { migrate } from '../../core/store/postgres/migrate.ts';
import { addCommand, makeProgram } from '../../terminal/program.ts';
import { addAlertCommands } from './alerts.ts';
import { addCreditCommands } from './credits.ts';
import { addJobCommands } from './jobs.ts';
import { addKeyCommands } from './keys.ts';
import { addLedgerCommands } from './ledger.ts';
import { addMailCommands } from './mail.ts';
import { perform } from './runCommand.ts';
import { addSuppressCommands } from './suppress.ts';
import { addTeamCommands, addUserCommands } from './teams.ts';
import { addWebhookCommands } from './webhooks.ts';

const EXAMPLES = `
Examples:
  npm run admin -- migrate
  npm run admin -- team create --name 'Acme Homes' --plan state --states CO --owner 'Ann Lee' --email ann@acme.example
  npm run admin -- team create --name 'Boulder Watch' --plan county --counties 'Boulder County, CO'
  npm run admin -- user add --team 1 --name 'Bo Diaz'
  npm run admin -- key create --user 2 --json
  npm run admin -- key rotate 0b6e3c1e-… --grace-hours 168
  npm run admin -- key revoke 0b6e3c1e-… --leaked
  npm run admin -- team set-status 1 lapsed
  npm run admin -- team close 1
  npm run admin -- credits adjust 1 --amount 100 --note 'goodwill'
  npm run admin -- ledger export --from 2026-11-01 --to 2026-11-30 --out november.csv
  npm run admin -- audit
  npm run admin -- jobs list --status failed
  npm run admin -- mail test ann@acme.example
  npm run admin -- suppress add --email ann@acme.example --note 'request 17'

Settings: DATABASE_URL, KEY_PEPPER, DATABASE_SCHEMA (public); REDIS_URL and INDEX_PREFIX, by which processes that are cut
off from Postgres learn of keys that were stopped. Without DATABASE_URL the stack that runs here
(npm run stack, npm run demo) is used, with the secrets in .stack/secrets.json.
Exit codes: 0 done; 1 refused or failed; 2 wrong usage or settings.`;

/** Settings inherited by every command that is added later. */
function adminProgram(): Command {
  const program = makeProgram('npm run admin --', 'Manage accounts, plans and API keys.', EXAMPLES)
    .option('--json', 'print one JSON value on standard output; failures as JSON on standard error')
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false });
  addCommand(program, 'migrate', 'bring the tables to this version; a second run changes nothing').action(
    perform(async ({ settings, print }) => {
      const applied = await migrate(settings.databaseUrl, settings.databaseSchema);
      print({ applied }, applied.length ? `Applied: ${applied.join(', ')}.` : 'The tables are up to date.');
    }),
  );
  addTeamCommands(program);
  addUserCommands(program);
  addKeyCommands(program);
  addCreditCommands(program);
  addLedgerCommands(program);
  addJobCommands(program);
  addMailCommands(program);
  addWebhookCommands(program);
  addAlertCommands(program);
  addSuppressCommands(program);
  return program;
}

await adminProgram().parseAsync();
