/** login, credits, receipts, keys: the account. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { type Command, Option } from 'commander';
import { addCommand, UserError, wholeNumber } from '../../terminal/program.ts';
import { type Key, LandUseClient, type Receipt } from '../client/index.ts';
import { act, addById, addPlainCommand, type Cli } from './context.ts';
import type { Row } from './output.ts';
import { fieldRows } from './projects.ts';
import { forgetLogin, keepLogin } from './settings.ts';

const RECEIPTS_MAX = 100;

/** Reads a line of standard input, without echo on a terminal. */
async function readKey(): Promise<string> {
  const { stdin, stderr } = process;
  if (stdin.isTTY) stderr.write('API key: ');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: stdin.isTTY });
  try {
    for await (const line of lines) return line.trim();
    return '';
  } finally {
    lines.close();
    if (stdin.isTTY) stderr.write('\n');
  }
}

const keyRow = ({ id, name, prefix, lastFour, state, createdAt, expiresAt }: Key): Row => ({
  id,
  name,
  key: `${prefix}…${lastFour}`,
  state,
  created: createdAt,
  expires: expiresAt,
});

const receiptRow = ({ id, at, kind, subject, amount, balance, items }: Receipt): Row => ({
  id,
  at: at.slice(0, 16),
  kind,
  subject,
  items,
  credits: amount,
  balance,
});

export function addAccountCommands(program: Command): void {
  const loginDescription = 'keeps an API key for later commands, in a file that only you can read; the key comes from standard input';
  addPlainCommand(program, 'login', loginDescription, async ({ settings: { url }, print }) => {
    const key = await readKey();
    if (!key) throw new UserError('No key was given: type it, or pipe it in, as in "landuse login < key.txt".');
    const { data } = await new LandUseClient({ key, url }).call('getCredits', {});
    const file = keepLogin({ url, key }, process.env);
    print({ url, plan: data.plan.id, file }, [{ service: url, plan: data.plan.label, 'kept in': file }]);
  });
  addPlainCommand(program, 'logout', 'forgets the key that was kept', async ({ settings: { url }, print }) => {
    forgetLogin(process.env);
    print({ url }, [{ 'logged out of': url }]);
  });
  addPlainCommand(program, 'credits', 'balance, plan and limits', async (cli) => {
    const { data, meta } = await cli.ask('getCredits');
    cli.print({ ...data, credits: meta.credits }, [
      {
        plan: data.plan.label,
        balance: data.balance,
        'filled again': meta.credits.resetsAt?.slice(0, 10) ?? 'never',
        'credits a record': data.creditRate,
        'requests a minute': data.rateLimit.limit,
      },
    ]);
  });
  addCommand(program, 'receipts', 'what was charged, granted and given back, newest first')
    .option('--limit <receipts>', 'at most so many', wholeNumber(1, RECEIPTS_MAX), 20)
    .action(
      act(async (cli, { limit }: { limit: number }) => {
        const { data } = await cli.ask('listReceipts', { limit });
        cli.print(data, data.map(receiptRow), 'No receipts yet.');
      }),
    );
  addKeyCommands(program);
}

function addKeyCommands(program: Command): void {
  const group = addCommand(program, 'keys', 'your API keys');
  const list = async (cli: Cli) => {
    const { data } = await cli.ask('listKeys');
    cli.print(data, data.map(keyRow));
  };
  addPlainCommand(group, 'list', 'every key that you may see', list, true);
  addCommand(group, 'create', 'a new key; its secret is shown once')
    .option('--name <name>', 'what it is for')
    .action(
      act(async (cli, { name }) => {
        const { data } = await cli.ask('mintKey', { body: name ? { name } : {} });
        cli.print(data, fieldRows(data));
      }),
    );
  addById(group, 'revoke', 'stops a key at once', 'id of the key', async (cli, id) => {
    const { data } = await cli.ask('revokeKey', { id });
    cli.print(data, [keyRow(data)]);
  });
  addCommand(group, 'rotate', 'replaces a key; the old one works on for a while')
    .argument('<id>', 'id of the key')
    .addOption(new Option('--grace-hours <hours>', 'how long').choices(['1', '24', '168']).default('24'))
    .action(
      act(async (cli, id: string, { graceHours }) => {
        const { data } = await cli.ask('rotateKey', { id, body: { graceHours: Number(graceHours) } });
        cli.print(data, fieldRows(data));
      }),
    );
}
