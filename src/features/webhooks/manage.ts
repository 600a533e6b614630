/** Webhooks: created, read, changed, tested, and recovered. Free (src/docs/webhooks.md). */
import { ApiError, refusalOf } from '../../core/domain/errors.ts';
import type { Warning } from '../../core/domain/warnings.ts';
import { COLLECTION_LIMIT_MAX } from '../../core/filter/controls.ts';
import type { AllowedTargets } from '../../core/outgoing/addresses.ts';
import { type Actor, claimOf } from '../../core/search/actor.ts';
import { makeCollectionMeta } from '../../core/search/collection.ts';
import { answerOnce, runOnce } from '../../core/search/idempotentRequests.ts';
import type { OperationAnswer } from '../../core/search/services.ts';
import type { Platform } from '../feature.ts';
import type { WebhookStore } from './store.ts';
import type { StoredWebhook } from './types.ts';
import { type AttemptView, type MessageView, viewAttempt, viewMessage, viewWebhook, type WebhookView } from './view.ts';

export interface WebhookServices extends Pick<Platform, 'idempotency' | 'events' | 'now'> {
  webhooks: WebhookStore;
  targets: AllowedTargets;
}

export interface WebhookBody {
  url: string;
  types: string[];
  description?: string | null;
}

export type WebhookWithSecret = WebhookView & { secret: string | null };

type Whose = Pick<Actor, 'principal'>;

const FREE = { creditsUsed: 0 };

const webhookNotFound = (id: string) =>
  new ApiError('resource_not_found', `There is no webhook '${id}', or it is not yours to manage`, { param: 'id' });

/**
 * The webhook with an id.
 * @throws ApiError `resource_not_found`, also when the key's user neither created it nor owns the team
 */
async function findWebhook({ webhooks }: WebhookServices, { principal }: Whose, id: string): Promise<StoredWebhook> {
  const found = await webhooks.find(principal, id);
  if (!found) throw webhookNotFound(id);
  return found;
}

/** The webhook with an id, if it is not disabled. @throws ApiError `resource_not_found`, `invalid_request` */
async function findActiveWebhook(services: WebhookServices, actor: Whose, id: string): Promise<StoredWebhook> {
  const found = await findWebhook(services, actor, id);
  if (found.status === 'active') return found;
  throw new ApiError('invalid_request', 'The webhook is disabled; set its status to active first', { param: 'id' });
}

async function answerWithSecret(
  services: WebhookServices,
  actor: Actor,
  id: string,
  secret: string | null,
): Promise<OperationAnswer<WebhookWithSecret>> {
  const data = { ...viewWebhook(await findWebhook(services, actor, id)), secret };
  const message = 'This Idempotency-Key was used before; the secret was in that answer only. If it is lost, rotate it.';
  const warnings: Warning[] = secret === null ? [{ code: 'secret_not_repeated', message, params: { webhookId: id } }] : [];
  return { data, meta: { ...FREE, warnings } };
}

const keptId = ({ kept }: { kept?: unknown }) => (kept as { webhookId: string }).webhookId;

/**
 * `POST /webhooks`.
 * @param body with a valid URL
 * @throws ApiError `forbidden` when the team has ten, `idempotency_*`
 */
export function createWebhook(services: WebhookServices, actor: Actor, body: WebhookBody): Promise<OperationAnswer<WebhookWithSecret>> {
  const { url, types, description = null } = body;
  return runOnce(services, actor, JSON.stringify([actor.principal.userId, url, types, description]), {
    run: async (claiming) => {
      const made = await services.webhooks.create(actor.principal, { url, types, description }, claimOf(claiming));
      return answerWithSecret(services, actor, made.id, made.secret);
    },
    replay: (outcome) => answerWithSecret(services, actor, keptId(outcome), null),
  });
}

/** `GET /webhooks`: those that the key's user created, or for an owner all of the team's; newest first. */
export async function listWebhooks(
  { webhooks }: WebhookServices,
  { principal }: Whose,
  { limit = COLLECTION_LIMIT_MAX, offset = 0 }: { limit?: number; offset?: number },
): Promise<OperationAnswer<WebhookView[]>> {
  const page = await webhooks.list(principal, Math.min(limit, COLLECTION_LIMIT_MAX), offset);
  return { data: page.webhooks.map(viewWebhook), meta: makeCollectionMeta({ limit, offset }, page.webhooks.length, page.total) };
}

/** `GET /webhooks/{id}`. @throws ApiError `resource_not_found` */
export async function readWebhook(services: WebhookServices, actor: Whose, id: string): Promise<OperationAnswer<WebhookView>> {
  return { data: viewWebhook(await findWebhook(services, actor, id)), meta: FREE };
}

/** `PATCH /webhooks/{id}`. @throws ApiError `resource_not_found` */
export async function changeWebhook(
  { webhooks }: WebhookServices,
  { principal }: Whose,
  id: string,
  changes: Parameters<WebhookStore['change']>[2],
): Promise<OperationAnswer<WebhookView>> {
  const changed = await webhooks.change(principal, id, changes);
  if (!changed) throw webhookNotFound(id);
  return { data: viewWebhook(changed), meta: FREE };
}

/** `DELETE /webhooks/{id}`, with its attempts. @throws ApiError `resource_not_found` */
export async function deleteWebhook(
  { webhooks }: WebhookServices,
  { principal }: Whose,
  id: string,
): Promise<OperationAnswer<{ id: string; deleted: true }>> {
  if (!(await webhooks.remove(principal, id))) throw webhookNotFound(id);
  return { data: { id, deleted: true }, meta: FREE };
}

/** `POST /webhooks/{id}/rotate`. @throws ApiError `resource_not_found`, `idempotency_*` */
export async function rotateWebhook(services: WebhookServices, actor: Actor, id: string): Promise<OperationAnswer<WebhookWithSecret>> {
  await findWebhook(services, actor, id);
  return runOnce(services, actor, JSON.stringify([actor.principal.userId, id]), {
    run: async (claiming) => {
      const secret = await services.webhooks.rotate(actor.principal, id, claimOf(claiming));
      if (secret === undefined) throw webhookNotFound(id);
      return answerWithSecret(services, actor, id, secret);
    },
    replay: (outcome) => answerWithSecret(services, actor, keptId(outcome), null),
  });
}

/** `POST /webhooks/{id}/test`: a `ping`, sent once. @throws ApiError `resource_not_found` */
export async function testWebhook(services: WebhookServices, actor: Actor, id: string): Promise<OperationAnswer<MessageView>> {
  await findWebhook(services, actor, id);
  const data = await answerOnce<MessageView>(services, actor, id, async (keep) =>
    viewMessage(await services.webhooks.queuePing(actor.principal, id, (tx, queued) => keep(tx, viewMessage(queued)))),
  );
  return { data, meta: FREE };
}

/** `GET /webhooks/{id}/attempts`: the last hundred. @throws ApiError `resource_not_found` */
export async function listAttempts(services: WebhookServices, actor: Whose, id: string): Promise<OperationAnswer<AttemptView[]>> {
  await findWebhook(services, actor, id);
  const data = (await services.webhooks.listAttempts(id)).map(viewAttempt);
  return { data, meta: { ...FREE, pageCount: data.length } };
}

/** `POST /webhooks/{id}/attempts/{messageId}/replay`: the same message again. @throws ApiError `resource_not_found`, `invalid_request` */
export async function replayMessage(
  services: WebhookServices,
  actor: Actor,
  id: string,
  messageId: string,
): Promise<OperationAnswer<MessageView>> {
  await findActiveWebhook(services, actor, id);
  const data = await answerOnce<MessageView>(services, actor, [id, messageId], async (keep) => {
    const message = await services.webhooks.replay(id, messageId, (tx, queued) => keep(tx, viewMessage(queued)));
    if (!message) throw new ApiError('resource_not_found', `The webhook has no message '${messageId}'`, { param: 'messageId' });
    return viewMessage(message);
  });
  return { data, meta: FREE };
}

export interface Recovery {
  since: string;
  until: string;
  messages: number;
}

/**
 * `POST /webhooks/{id}/recover`: queues what failed, what waits for a retry and what was missed, from `since` (inclusive) to `until`
 * (exclusive; now by default).
 * @throws ApiError
 */
export async function recoverWebhook(
  services: WebhookServices,
  actor: Actor,
  id: string,
  body: { since: string; until?: string },
): Promise<OperationAnswer<Recovery>> {
  const [since, until] = [new Date(body.since), body.until === undefined ? services.now() : new Date(body.until)];
  // A leap second matches the format but is not a valid time.
  if (!(since < until))
    throw refusalOf([{ param: 'since', code: 'contradiction', message: 'since has to be before until', answer: 'invalid_request' }]);
  await findActiveWebhook(services, actor, id);
  const data = await answerOnce<Recovery>(services, actor, [id, body], async (keep) => {
    const recovered = (messages: number) => ({ since: since.toISOString(), until: until.toISOString(), messages });
    return recovered(
      await services.webhooks.recover(id, { since, until }, services.events, (tx, messages) => keep(tx, recovered(messages))),
    );
  });
  return { data, meta: FREE };
}
