/** `admin key …`. A secret is printed once, when the key is created, and never stored. */
import { type Command, InvalidArgumentError } from 'commander';
import { type ApiKey, EVERY_KEY, GRACE_HOURS, GRACE_HOURS_DEFAULT, type GraceHours, type NewKey } from '../../core/identity/keys.ts';
import { addCommand } from '../../terminal/program.ts';
import { textTable } from '../../terminal/textTable.ts';
import { revokeLeaked } from './leaks.ts';
import { parseId, perform } from './runCommand.ts';
import { readSecret } from './secretInput.ts';

const keyRow = (key: ApiKey) => ({
  key: key.id,
  secret: `${key.prefix}…${key.lastFour}`,
  state: key.leakedAt ? `${key.state}, leaked` : key.state,
  team: key.teamId,
  user: key.userId,
  name: key.name,
  created: key.createdAt.toISOString(),
  stops: (key.revokedAt ?? key.expiresAt)?.toISOString() ?? null,
});

export function keyLines({ key, secret }: NewKey): string[] {
  return [`API key (shown only now; it cannot be read again): ${secret}`, '', ...textTable([keyRow(key)], '')];
}

function parseGrace(text: string): GraceHours {
  const hours = GRACE_HOURS.find((choice) => String(choice) === text);
  if (hours === undefined) throw new InvalidArgumentError(`Grace hours are ${GRACE_HOURS.join(', ')}.`);
  return hours;
}

export function addKeyCommands(program: Command): void {
  const key = addCommand(program, 'key', 'API keys');
  addCommand(key, 'create', 'mint a key for a user (at most two active ones each)')
    .requiredOption('--user <user>', 'number of the user', parseId)
    .option('--name <name>', 'what it is for')
    .action(
      perform(async ({ keys, print }, { user, name }: { user: number; name?: string }) => {
        const created = await keys.mint(user, name ?? null);
        print(created, keyLines(created));
      }),
    );
  addCommand(key, 'import', 'take in a legacy_ key, so that it goes on working; the key is read from standard input')
    .requiredOption('--user <user>', 'number of the user', parseId)
    .option('--name <name>', 'what it is for')
    .action(
      perform(async ({ keys, print }, { user, name }: { user: number; name?: string }) => {
        const secret = await readSecret(process.stdin);
        const { key: imported } = await keys.importLegacy(user, secret, name ?? null);
        print({ key: imported }, textTable([keyRow(imported)], ''));
      }),
    );
  addCommand(key, 'list', 'keys without their secrets, stopped ones included')
    .option('--team <team>', 'number of the team', parseId)
    .option('--user <user>', 'number of the user', parseId)
    .action(
      perform(async ({ keys, print }, { team, user }: { team?: number; user?: number }) => {
        const found = await keys.list({ teamId: team ?? null, userId: user ?? null });
        print(found, textTable(found.map(keyRow), 'No keys.'));
      }),
    );
  addKeyChanges(key);
}

function addKeyChanges(key: Command): void {
  addCommand(key, 'revoke', 'stop a key at once, in every process within a second')
    .argument('<key>', 'id of the key')
    .option('--leaked', 'somebody else has it: stop what was made with it too, mail the owners of its team, and show the last 24 hours')
    .action(
      perform(async (admin, id: string, { leaked = false }: { leaked?: boolean }) => {
        if (leaked) return revokeLeaked(admin, id);
        const revoked = await admin.keys.revoke(id, EVERY_KEY);
        return admin.print(revoked, `Key ${revoked.id} is ${revoked.state}.`);
      }),
    );
  addCommand(key, 'rotate', 'issue a replacement now; the old key works on for the grace window')
    .argument('<key>', 'id of the key')
    .option('--grace-hours <hours>', GRACE_HOURS.join(', '), parseGrace, GRACE_HOURS_DEFAULT)
    .action(
      perform(async ({ keys, print }, id: string, { graceHours }: { graceHours: GraceHours }) => {
        const rotated = await keys.rotate(id, EVERY_KEY, graceHours);
        const stops = `The old key ${rotated.predecessor.id} works until ${rotated.predecessor.expiresAt?.toISOString()}.`;
        print(rotated, [...keyLines(rotated), '', stops]);
      }),
    );
  addCommand(key, 'reassign', 'attribute a key to another user of the team; secret and id stay')
    .argument('<key>', 'id of the key')
    .requiredOption('--user <user>', 'number of the user', parseId)
    .action(
      perform(async ({ keys, print }, id: string, { user }: { user: number }) => {
        const reassigned = await keys.reassign(id, EVERY_KEY, user);
        print(reassigned, textTable([keyRow(reassigned)], ''));
      }),
    );
}
