/** `admin alerts …`: lists alerts of all teams, and stops one. */

import { type Command, Option } from 'commander';
import type { AlertStatus, WatchedAlert } from '../../features/alerts/index.ts';
import { addCommand, UserError, wholeNumber } from '../../terminal/program.ts';
import { textTable } from '../../terminal/textTable.ts';
import { type Admin, parseId, perform } from './runCommand.ts';

const LISTED = 50;
const STATUSES: readonly AlertStatus[] = ['active', 'paused', 'archived'];

const alertRow = ({ id, teamId, name, status, createdBy, members, nextRunAt, lastRunAt }: WatchedAlert) => ({
  alert: id,
  team: teamId,
  name,
  status,
  creator: createdBy,
  members,
  'next run': nextRunAt?.toISOString() ?? null,
  'last run': lastRunAt?.toISOString() ?? null,
});

interface ListOptions {
  team?: number;
  status?: AlertStatus;
  limit: number;
}

/** Loads the feature only when a command needs it. */
const loadFeature = () => import('../../features/alerts/index.ts');

async function list({ database, print }: Admin, { team, status, limit }: ListOptions): Promise<void> {
  const { listWatchedAlerts } = await loadFeature();
  const alerts = await listWatchedAlerts(database, { teamId: team ?? null, status: status ?? null }, limit);
  print(alerts, textTable(alerts.map(alertRow), 'No alerts.'));
}

async function stop({ database, print }: Admin, id: string, status: 'paused' | 'archived'): Promise<void> {
  const { stopAlert } = await loadFeature();
  const alert = await stopAlert(database, id, status);
  if (!alert) throw new UserError(`There is no alert ${id}.`);
  print(alert, textTable([alertRow(alert)], ''));
}

export function addAlertCommands(program: Command): void {
  const alerts = addCommand(program, 'alerts', 'alerts of teams: how they stand, and stopping one');
  addCommand(alerts, 'list', 'newest first, with how many open accounts are members; deleted ones only with --status archived')
    .option('--team <team>', 'number of the team', parseId)
    .addOption(new Option('--status <status>', 'of one status').choices(STATUSES))
    .option('--limit <n>', 'at most so many', wholeNumber(0, 999_999_999), LISTED)
    .action(perform(list));
  addCommand(alerts, 'pause', 'run it no more until a member sets it active again; they see why')
    .argument('<alert>', 'its id, alr_…')
    .action(perform((admin, id: string) => stop(admin, id, 'paused')));
  addCommand(alerts, 'archive', 'delete it, as a member does: it runs no more, what it delivered stays readable')
    .argument('<alert>', 'its id, alr_…')
    .action(perform((admin, id: string) => stop(admin, id, 'archived')));
}
