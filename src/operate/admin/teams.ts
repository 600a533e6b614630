/** `admin team …` and `admin user …`. */
import { type Command, Option } from 'commander';
import type { Places } from '../../core/domain/places.ts';
import { PLAN_IDS, PLANS, type PlanId } from '../../core/domain/plans.ts';
import type { Licence, Role, TeamStatus } from '../../core/domain/principal.ts';
import type { AccountStore, Team, User } from '../../core/identity/accounts.ts';
import { type HandedOver, type HandedThings, mailHandover } from '../../core/identity/teamChanges.ts';
import type { Queryable } from '../../core/store/postgres/pool.ts';
import { addCommand, wholeNumber } from '../../terminal/program.ts';
import { textTable } from '../../terminal/textTable.ts';
import { keyLines } from './keys.ts';
import { makeOutbox } from './mail.ts';
import { type Admin, parseId, parseLicence, parsePlan, perform } from './runCommand.ts';

interface LicenceOptions {
  states?: string;
  counties?: string;
}

interface CreateOptions extends LicenceOptions {
  name: string;
  plan: PlanId;
  monthlyCredits?: number;
  owner?: string;
  email?: string;
}

const PLANS_HELP = `one of ${PLAN_IDS.join(', ')}`;
const STATES_HELP = "licensed states: 'CO,TX', names, FIPS numbers, or all";
const COUNTIES_HELP = "licensed counties, several with semicolons: 'Boulder County, CO; Larimer County, CO'";

function licenceText(licence: Licence, places: Places): string {
  if (licence.nationwide) return 'nationwide';
  const states = licence.stateIds.map((id) => places.state(id)?.abbreviation ?? id);
  const counties = licence.countyIds.map((id) => `${places.county(id)?.name ?? id}, ${placeOf(id, places)}`);
  return [states.length === places.states.length ? 'all states' : states.join(', '), counties.join('; ')].filter(Boolean).join('; ');
}

const placeOf = (countyId: number, places: Places) => places.state(places.county(countyId)?.stateId ?? -1)?.abbreviation ?? '?';

const teamRow = (team: Team, places: Places) => ({
  team: team.id,
  name: team.name,
  plan: PLANS[team.plan].label,
  status: team.closedAt ? 'closed' : team.status,
  'credits a month': team.monthlyCredits,
  licence: licenceText(team.licence, places),
});

const userRow = (user: User) => ({
  user: user.id,
  team: user.teamId,
  name: user.name,
  role: user.role,
  email: user.email,
  state: user.closedAt ? 'closed' : 'open',
});

function printTeam({ print, places }: Admin, team: Team): void {
  print(team, textTable([teamRow(team, places)], ''));
}

async function createTeam(admin: Admin, options: CreateOptions): Promise<void> {
  const { name, plan, monthlyCredits, owner, email } = options;
  const licence = parseLicence(admin.places, options);
  const team = await admin.accounts.createTeam({ name, plan, licence, ...(monthlyCredits === undefined ? {} : { monthlyCredits }) });
  const lines = textTable([teamRow(team, admin.places)], '');
  if (owner === undefined) {
    admin.print({ team }, [...lines, '', `Next: npm run admin -- user add --team ${team.id} --name 'Their Name' --role owner`]);
    return;
  }
  const accounts = await admin.loadAccounts();
  const user = await accounts.createUser({ teamId: team.id, name: owner, role: 'owner', ...(email ? { email } : {}) });
  const created = await admin.keys.mint(user.id);
  admin.print({ team, user, ...created }, [...lines, '', ...textTable([userRow(user)], ''), '', ...keyLines(created)]);
}

async function showTeam(admin: Admin, id: number): Promise<void> {
  const [team, users, keys] = await Promise.all([
    admin.accounts.readTeam(id),
    admin.accounts.users(id),
    admin.keys.list({ teamId: id, userId: null }),
  ]);
  const live = keys.filter((key) => key.state === 'active' || key.state === 'rotating').length;
  const lines = [
    ...textTable([teamRow(team, admin.places)], ''),
    '',
    ...textTable(users.map(userRow), 'No users yet.'),
    '',
    `Working keys: ${live}`,
  ];
  admin.print({ team, users, keys }, lines);
}

function withLicence(command: Command): Command {
  return command.option('--states <states>', STATES_HELP).option('--counties <counties>', COUNTIES_HELP);
}

export function addTeamCommands(program: Command): void {
  const team = addCommand(program, 'team', 'teams: the credit pool, the plan, the licence');
  withLicence(team.command('create'))
    .description('create a team; with --owner also its first user and key')
    .requiredOption('--name <name>', 'name of the team')
    .requiredOption('--plan <plan>', PLANS_HELP, parsePlan)
    .option('--monthly-credits <n>', "instead of the plan's own figure", wholeNumber(0, 999_999_999))
    .option('--owner <name>', 'name of the owner, who gets the first key')
    .option('--email <address>', "the owner's address, for notifications")
    .action(perform(createTeam));
  addCommand(team, 'list', 'every team').action(
    perform(async ({ accounts, places, print }) => {
      const teams = await accounts.teams();
      print(
        teams,
        textTable(
          teams.map((t) => teamRow(t, places)),
          'No teams yet. Example: npm run admin -- team create --name Acme --plan national --owner Ann',
        ),
      );
    }),
  );
  addCommand(team, 'show', 'one team with its users and keys').argument('<team>', 'number of the team', parseId).action(perform(showTeam));
  addChanges(team);
}

async function closeTeam(admin: Admin, id: number): Promise<void> {
  const accounts = await admin.loadAccounts();
  const { team, stopped } = await accounts.close(id);
  const counts = Object.entries(stopped).map(([what, count]) => `${count} ${what}`);
  admin.print({ team, stopped }, [
    `Team ${team.id} (${team.name}) is closed. Stopped now: ${counts.join(', ')}.`,
    `Its ledger stays: npm run admin -- ledger export --team ${team.id}`,
  ]);
}

function addChanges(team: Command): void {
  team
    .command('close')
    .description('stop everything of a team for good: keys, users, alerts, feeds, webhooks, files of exports, jobs; its ledger stays')
    .argument('<team>', 'number of the team', parseId)
    .action(perform(closeTeam));
  withLicence(team.command('set-plan'))
    .description('move a team to a plan, with the licence that the plan takes')
    .argument('<team>', 'number of the team', parseId)
    .argument('<plan>', PLANS_HELP, parsePlan)
    .action(
      perform(async (admin, id: number, plan: PlanId, options: LicenceOptions) =>
        printTeam(admin, await admin.accounts.setPlan(id, plan, parseLicence(admin.places, options))),
      ),
    );
  addCommand(team, 'set-status', 'active; lapsed (402 subscription_required); disabled (401 account_disabled)')
    .argument('<team>', 'number of the team', parseId)
    .addArgument(team.createArgument('<status>', 'the new status').choices(['active', 'lapsed', 'disabled']))
    .action(perform(async (admin, id: number, status: TeamStatus) => printTeam(admin, await admin.accounts.setStatus(id, status))));
  addCommand(team, 'set-credits', "give a team a monthly figure of its own, from its next reset on; 'plan' goes back to the plan's")
    .argument('<team>', 'number of the team', parseId)
    .argument('<credits>', "a number, or 'plan'", (text: string) => (text === 'plan' ? null : wholeNumber(0, 999_999_999)(text)))
    .action(
      perform(async (admin, id: number, credits: number | null) => printTeam(admin, await admin.accounts.setMonthlyCredits(id, credits))),
    );
}

interface AddUserOptions {
  team: number;
  name: string;
  email?: string;
  role: Role;
}

/** Creates a user; a new owner gets a mail about what they have been given. */
async function addUser(admin: Admin, { team, name, email, role }: AddUserOptions): Promise<void> {
  const user = { teamId: team, name, role, ...(email ? { email } : {}) };
  const handed = await withHandover(admin, (accounts, commitWith) => accounts.createUser(user, commitWith));
  const { alerts, lists } = handed;
  const given = `Given to the owners of the team, since nobody was a member: ${alerts.length} alerts, which are paused, and ${lists.length} lists.`;
  admin.print(handed, [
    ...textTable([userRow(handed)], ''),
    '',
    ...(alerts.length + lists.length ? [given, ''] : []),
    `Next: npm run admin -- key create --user ${handed.id}`,
  ]);
}

/** Closes a user; owners get a mail about what they have been given. */
async function closeUser(admin: Admin, id: number): Promise<void> {
  const closed = await withHandover(admin, (accounts, commitWith) => accounts.closeUser(id, commitWith));
  const { alerts, lists } = closed;
  admin.print(closed, [
    `User ${closed.id} (${closed.name}) is closed; their keys no longer authenticate.`,
    `Without a member and given to the owners of the team: ${alerts.length} alerts, which are paused, and ${lists.length} lists.`,
  ]);
}

/** Changes a user, and mails owners what they have been given as a result. */
async function withHandover(
  admin: Admin,
  change: (accounts: AccountStore, commitWith: (tx: Queryable, handed: HandedOver) => Promise<void>) => Promise<User>,
): Promise<User & Record<HandedThings['kind'], HandedThings['things']>> {
  let handed: HandedOver | undefined;
  const user = await change(await admin.loadAccounts(), async (tx, given) => {
    handed = given;
    await mailHandover(tx, makeOutbox(admin), given);
  });
  if (!handed) throw new Error('Nobody was changed');
  const thingsOf = (kind: HandedThings['kind']) => handed?.handed.find((one) => one.kind === kind)?.things ?? [];
  return { ...user, alerts: thingsOf('alerts'), lists: thingsOf('lists') };
}

export function addUserCommands(program: Command): void {
  const user = addCommand(program, 'user', 'users: a key acts for one of them');
  addCommand(user, 'add', 'add a user to a team')
    .requiredOption('--team <team>', 'number of the team', parseId)
    .requiredOption('--name <name>', 'name of the user')
    .option('--email <address>', 'their address, for notifications')
    .addOption(new Option('--role <role>', 'an owner sees and stops every key of the team').choices(['owner', 'member']).default('member'))
    .action(perform(addUser));
  addCommand(user, 'list', 'every user, or those of one team')
    .option('--team <team>', 'number of the team', parseId)
    .action(
      perform(async ({ accounts, print }, { team }: { team?: number }) => {
        const users = await accounts.users(team);
        print(users, textTable(users.map(userRow), 'No users yet.'));
      }),
    );
  user
    .command('close')
    .description('close an account: its keys stop until they are reassigned; alerts and lists without a member go to the owners')
    .argument('<user>', 'number of the user', parseId)
    .action(perform(closeUser));
}
