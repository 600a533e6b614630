/** Webhooks of a test service: its alerts, a worker that sends, and receivers on loopback. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Received, type Receiver, receiver } from '../../scripts/lib/receivers.ts';
import { type AlertWorld, alertWorld } from './alerts.ts';
import { eventually } from './jobs.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
type Any = any;

export interface WebhookWorld extends AlertWorld {
  receiver(): Promise<Receiver>;
  /** a webhook to a receiver, with its secret */
  hook(to: Receiver, body?: object, key?: string): Promise<Any>;
  /** when a receiver has got so many requests @returns the last of them */
  got(from: Receiver, count: number): Promise<Received>;
  attempts(id: string, key?: string): Promise<Any[]>;
  /** when the log has so many rows, newest first */
  logged(id: string, count: number, key?: string): Promise<Any[]>;
}

export async function webhookWorld(): Promise<WebhookWorld> {
  const folder = await mkdtemp(path.join(tmpdir(), 'webhooks-'));
  const world = await alertWorld(undefined, { WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_PORTS: 'any', EXPORT_DIR: folder });
  const open: Receiver[] = [];
  const attempts: WebhookWorld['attempts'] = async (id, key) => {
    const { status, body } = await world.send('GET', `/webhooks/${id}/attempts`, undefined, key);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data as Any;
  };
  return {
    ...world,
    attempts,
    receiver: async () => {
      const made = await receiver();
      open.push(made);
      return made;
    },
    hook: async (to, body = {}, key) => {
      const { status, body: answer } = await world.send(
        'POST',
        '/webhooks',
        { url: to.url, types: ['alert.delivery.completed'], ...body },
        key,
      );
      assert.equal(status, 201, JSON.stringify(answer));
      return answer.data;
    },
    got: (from, count) => eventually(`${count} requests`, () => (from.got.length >= count ? from.got[count - 1] : undefined)),
    logged: (id, count, key) =>
      eventually(`${count} attempts`, async () => {
        const rows = await attempts(id, key);
        return rows.length >= count ? rows : undefined;
      }),
    stop: async () => {
      await world.stop();
      await Promise.all(open.map((one) => one.close()));
      await rm(folder, { recursive: true });
    },
  };
}
