/** npm run cli -- …, or landuse …: the service from the command line, for people and for scripts. */
import { createRequire } from 'node:module';
import { listOf, makeProgram } from '../../terminal/program.ts';
import { DEFAULT_URL } from '../client/defaultUrl.ts';
import { addAccountCommands } from './account.ts';
import { addAiSearchCommand } from './aiSearch.ts';
import { addAnalyticsCommand, addCoverageCommand, addOddsCommand } from './analytics.ts';
import { addBriefCommand } from './brief.ts';
import { addCompletionCommand } from './completion.ts';
import { addContactsCommand } from './contacts.ts';
import { addCopyCommand } from './copyCommand.ts';
import { addExportCommands } from './exports.ts';
import { EXITS } from './failures.ts';
import { addHearingsCommand } from './hearings.ts';
import { addHelpCommand } from './help.ts';
import { addMatchCommand } from './match.ts';
import { addMcpCommand } from './mcp.ts';
import { addProjectCommands } from './projects.ts';
import { addRestrictionsCommand } from './restrictions.ts';
import { addAlertCommands, addListCommands } from './saved.ts';
import { addSyncCommand } from './sync.ts';
import { addWebhookCommands } from './webhooks.ts';

const { version: VERSION } = createRequire(import.meta.url)('../../../package.json') as { version: string };

const EXAMPLES = `
Examples:
  landuse login
  landuse count states=CO propertyTypes=residential
  landuse search 'q=battery energy storage|solar' states=TX --limit 50
  landuse get 2229 --representation full
  landuse match loans.csv --csv > matched.csv
  landuse ask 'townhomes that neighbours objected to' --limit 10
  landuse search states=CO --limit 100 --csv --fields id,projectName,acreage --yes
  landuse sync states=CO dateRange=all --to colorado.ndjson
  landuse copy --into duckdb landuse.duckdb dateRange=all --yes
  landuse export states=CO status=approved --to approved.csv --max-credits 500
  landuse analytics states=CO --by county,status --metrics sum:acreage
  landuse odds states=CO dateRange=all --by decisionBody
  landuse coverage states=TX --by county
  landuse hearings counties=Boulder,\\ CO to=2026-12
  landuse restrictions --county 'Boulder County, CO' --use industrial/data_center
  landuse brief --county 'Boulder County, CO' --use residential
  landuse alerts create states=TX 'q=solar' --name 'Solar in Texas' --every daily

Where output is piped it is JSON; notes and progress go to standard error.
On plans that pay for records a command says its price and asks before it spends; --yes and --max-credits answer beforehand.
Settings: LANDUSE_KEY, or LANDUSE_KEY_FILE that names a file with it, LANDUSE_URL (${DEFAULT_URL}), or what "login" keeps.
Exit codes: 0 done; 1 refused, failed or wrongly typed; 2 stopped; 4 no key that works.`;

const program = makeProgram('landuse', 'US land-use projects from the minutes of city and county meetings.', EXAMPLES, EXITS.failed)
  .option('--url <address>', 'root of the service')
  .option('--json', 'JSON also on a terminal')
  .option('--csv', 'CSV of the records')
  .option('--fields <names>', 'these fields of each record, such as id,projectName,acreage', listOf(String))
  .option('-q, --quiet', 'no notes and no progress')
  .version(VERSION)
  .configureHelp({ showGlobalOptions: true, sortSubcommands: false });
addProjectCommands(program);
addAiSearchCommand(program);
addContactsCommand(program);
addMatchCommand(program);
addSyncCommand(program);
addCopyCommand(program);
addExportCommands(program);
addAnalyticsCommand(program);
addOddsCommand(program);
addCoverageCommand(program);
addHearingsCommand(program);
addRestrictionsCommand(program);
addBriefCommand(program);
addAlertCommands(program);
addListCommands(program);
addWebhookCommands(program);
addAccountCommands(program);
addMcpCommand(program);
addCompletionCommand(program);
addHelpCommand(program);

// Whoever started it was killed: nothing is left running.
process.once('disconnect', () => process.exit(EXITS.cancelled));
process.channel?.unref();

// A reader such as "head" has had enough: that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(EXITS.done);
});

await program.parseAsync();
