/**
 * `admin webhooks …`: shows the state of webhooks for support. URLs are shown without path and query, which may contain customers' secrets.
 */

import type { Command } from 'commander';
import { IdempotencyStore } from '../../core/ledger/idempotencyStore.ts';
import type { WatchedWebhook } from '../../features/webhooks/index.ts';
import { addCommand, UserError, wholeNumber } from '../../terminal/program.ts';
import { textTable } from '../../terminal/textTable.ts';
import { type Admin, parseId, perform } from './runCommand.ts';

const LISTED = 50;

/** Loads the feature only when a command needs it. */
async function loadStore({ database, settings }: Admin) {
  const { SecretBox, WebhookStore } = await import('../../features/webhooks/index.ts');
  return new WebhookStore(database, new IdempotencyStore(database), new SecretBox(settings.keyPepper));
}

const showWebhook = ({ url, ...webhook }: WatchedWebhook) => ({ ...webhook, host: new URL(url).origin });

const webhookRow = (webhook: ReturnType<typeof showWebhook>) => ({
  webhook: webhook.id,
  team: webhook.teamId,
  host: webhook.host,
  status: webhook.status,
  types: webhook.types.join(' '),
  waiting: webhook.waiting,
  failed: webhook.failed,
  'last delivered': webhook.lastDeliveredAt?.toISOString() ?? null,
  'failing since': webhook.failingSince?.toISOString() ?? null,
});

async function list(admin: Admin, { team, limit }: { team?: number; limit: number }): Promise<void> {
  const webhooks = (await (await loadStore(admin)).listForOperators({ teamId: team ?? null, id: null }, limit)).map(showWebhook);
  admin.print(webhooks, textTable(webhooks.map(webhookRow), 'No webhooks.'));
}

async function show(admin: Admin, id: string): Promise<void> {
  const store = await loadStore(admin);
  const [webhook] = (await store.listForOperators({ teamId: null, id }, 1)).map(showWebhook);
  if (!webhook) throw new UserError(`There is no webhook ${id}.`);
  const attempts = await store.listAttempts(id);
  const rows = attempts.map(({ at, messageId, type, status, httpStatus, error, nextAttemptAt }) => ({
    at: at.toISOString(),
    message: messageId,
    type,
    status,
    http: httpStatus,
    error,
    next: nextAttemptAt?.toISOString() ?? null,
  }));
  admin.print({ ...webhook, attempts }, [...textTable([webhookRow(webhook)], ''), '', ...textTable(rows, 'No attempts yet.')]);
}

export function addWebhookCommands(program: Command): void {
  const webhooks = addCommand(program, 'webhooks', 'endpoints of teams: how they stand, and the last attempts');
  addCommand(webhooks, 'list', 'newest first, with how many messages wait and have failed')
    .option('--team <team>', 'number of the team', parseId)
    .option('--limit <n>', 'at most so many', wholeNumber(0, 999_999_999), LISTED)
    .action(perform(list));
  addCommand(webhooks, 'show', 'one endpoint with its last attempts').argument('<webhook>', 'its id, whk_…').action(perform(show));
}
