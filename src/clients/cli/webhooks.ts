/** The command `webhooks listen`: prints the messages of webhooks and forwards them to a receiver on this machine, without a public address. */
import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { addCommand, UserError } from '../../terminal/program.ts';
import type { Operations } from '../client/index.ts';
import { act, type Cli } from './context.ts';

type Message = Operations['listEvents']['answer']['data'][number];

const POLL_SECONDS = 3;
const FORWARD_TIMEOUT_MS = 15_000;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const SECRET_PREFIX = 'whsec_';

interface Forwarding {
  url: string;
  secret: string;
}

/** A URL of this machine. @throws UserError for another one */
function loopbackUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && LOOPBACK.test(new URL(text).hostname)) return text;
  throw new UserError(`--forward takes an address of this machine, such as http://localhost:3000/hooks, not ${text}.`);
}

function checkedSecret(secret: string): string {
  if (/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(secret)) return secret;
  throw new UserError('--secret takes whsec_ and base64, as a webhook is given it.');
}

/** Headers as a webhook sends them (Standard Webhooks 1.0). */
function signedHeaders(id: string, body: string, secret: string): Record<string, string> {
  const seconds = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'Content-Type': 'application/json', 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` };
}

/** Sends a message to the receiver once. @returns how it answered */
async function forward(cli: Cli, { id, ...message }: Message, { url, secret }: Forwarding): Promise<void> {
  const body = JSON.stringify(message);
  const signal = AbortSignal.any([cli.signal, AbortSignal.timeout(FORWARD_TIMEOUT_MS)]);
  try {
    const { status } = await fetch(url, { method: 'POST', headers: signedHeaders(id, body, secret), body, signal, redirect: 'manual' });
    cli.note(`${id} ${message.type} → ${status}`);
  } catch (error) {
    cli.signal.throwIfAborted();
    cli.note(`${id} ${message.type} → no answer: ${error instanceof Error ? error.message : error}`);
  }
}

/** The cursor after the last stored message, since a listener starts with new messages. */
async function lastCursor(cli: Cli): Promise<string> {
  let after: string | undefined;
  for (;;) {
    const { meta } = await cli.ask('listEvents', after === undefined ? {} : { after });
    after = meta.cursor;
    if (!meta.hasMore) return after;
  }
}

async function listen(cli: Cli, { after, types, forwarding }: ListenOptions): Promise<void> {
  let cursor = after ?? (await lastCursor(cli));
  cli.note('Listening.');
  try {
    for (;;) {
      const { data, meta } = await cli.ask('listEvents', { after: cursor, ...(types ? { types } : {}) });
      for (const message of data) {
        process.stdout.write(`${JSON.stringify(message)}\n`);
        if (forwarding) await forward(cli, message, forwarding);
      }
      cursor = meta.cursor;
      if (!meta.hasMore) await pause(POLL_SECONDS * 1000, undefined, { signal: cli.signal }).catch(() => cli.signal.throwIfAborted());
    }
  } finally {
    cli.note(`To go on where this ended: --after ${cursor}`);
  }
}

interface ListenOptions {
  after: string | undefined;
  types: string[] | undefined;
  forwarding: Forwarding | null;
}

export function addWebhookCommands(program: Command): void {
  const group = addCommand(program, 'webhooks', 'what webhooks are sent');
  group
    .command('listen', { isDefault: true })
    .description('prints each message as it comes, a line of JSON each, without a public address; until Ctrl-C')
    .option('--types <types>', 'of these types alone, separated by commas')
    .option('--after <cursor>', 'from this cursor on; only what comes from now on unless given')
    .option('--forward <url>', 'also sends each, signed, to a receiver on this machine')
    .option('--secret <secret>', 'what messages are signed with: whsec_…; a new one unless given')
    .action(
      act(async (cli, { types, after, forward: url, secret }) => {
        const forwarding = url === undefined ? null : { url: loopbackUrl(url), secret: secret ? checkedSecret(secret) : newSecret() };
        if (forwarding && !secret) cli.note(`Messages to ${forwarding.url} are signed with ${forwarding.secret}`);
        await listen(cli, { after, types: types?.split(','), forwarding });
      }),
    );
}

const newSecret = () => `${SECRET_PREFIX}${randomBytes(32).toString('base64')}`;
