/**
 * Workers that are killed between an event and its sending, or between its sending and the note of it: every event arrives, under one id.
 * `npm run prove-jobs` kills a hundred times; SEED repeats a run.
 */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Receiver } from '../../scripts/lib/webhookReceiver.ts';
import { csvExports } from '../../src/features/exports/index.ts';
import { recordEvent } from '../../src/features/webhooks/index.ts';
import { eventually } from '../support/jobs.ts';
import { lengthOf } from '../support/lengths.ts';
import { provide } from '../support/provide.ts';
import { Random } from '../support/random.ts';
import { forkWorker } from '../support/stoppableWorkers.ts';
import { FOR_WEBHOOKS, testWorld } from '../support/world.ts';

const KILLS = lengthOf('JOB_KILLS') || 2;
const SEED = Number(process.env.SEED ?? 20_261_122);
/** between two kills */
const EVENTS = 10;
const A_KILL_MS = 5_000;

describe(`A worker that sends webhooks (seed ${SEED})`, function () {
  this.timeout(60_000 + KILLS * A_KILL_MS);
  const random = new Random(SEED);
  const children = new Set<ChildProcess>();
  const world = provide(() => testWorld(FOR_WEBHOOKS));
  let teamId: number;
  let to: Receiver;
  let webhookId: string;
  let recorded = 0;
  before(async () => {
    to = await world.startReceiver();
    const { owner, ...team } = await world.team();
    teamId = team.teamId;
    webhookId = (await world.webhooks.create(to, { types: ['export.ready'] }, owner)).id;
  });
  after(() => {
    for (const child of children) child.kill('SIGKILL');
  });

  async function work(): Promise<ChildProcess> {
    const child = forkWorker();
    children.add(child);
    await once(child, 'message');
    child.send({ env: world.api.env, now: world.now(), settings: {} });
    await once(child, 'message');
    return child;
  }
  async function kill(child: ChildProcess): Promise<void> {
    const dead = once(child, 'exit');
    child.kill('SIGKILL');
    await dead;
    children.delete(child);
  }
  const record = () => {
    recorded += 1;
    return world.api.database.transaction((tx) =>
      recordEvent(tx, csvExports.events ?? [], { teamId, type: 'export.ready', subjectId: `exp_${recorded}` }),
    );
  };
  const subjects = () => new Set(to.got.map(({ body }) => JSON.parse(body).data.id));
  const messages = () =>
    world.api.database.query<{ status: string; delivered: number }>(
      `select m.status, (select count(*)::integer from webhook_attempt t
         where t.webhook_id = m.webhook_id and t.event_id = m.event_id and t.status = 'delivered') as delivered
       from webhook_message m where m.webhook_id = $1`,
      [webhookId],
    );

  it('leaves no event of what was rolled back, and none out that was committed', async () => {
    const undone = world.api.database.transaction(async (tx) => {
      await recordEvent(tx, csvExports.events ?? [], { teamId, type: 'export.ready', subjectId: 'exp_undone' });
      throw new RangeError('undone');
    });
    await assert.rejects(undone, /undone/);
    await record();
    assert.deepEqual(await messages(), [{ status: 'waiting', delivered: 0 }]);
  });

  it('is followed by another that sends the same message again, where it died before the answer', async () => {
    const child = await work();
    to.answer = () => void child.kill('SIGKILL');
    await once(child, 'exit');
    children.delete(child);
    assert.deepEqual(await messages(), [{ status: 'sending', delivered: 0 }]);
    to.answer = (_, response) => response.writeHead(204).end();
    const successor = await work();
    await world.got(to, 2);
    assert.deepEqual([to.got[1]?.id, to.got[1]?.body], [to.got[0]?.id, to.got[0]?.body]);
    await eventually('the note of it', async () => ((await messages())[0]?.status === 'delivered' ? true : undefined));
    await kill(successor);
  });

  it('killed anywhere, loses no event: each arrives, and is noted as delivered once', async () => {
    to.answer = (_, response) => void setTimeout(() => response.writeHead(204).end(), random.integer(0, 20));
    for (let kills = 0; kills < KILLS; kills++) {
      const child = await work();
      for (let n = 0; n < EVENTS; n++) await record();
      await sleep(random.integer(0, 600));
      await kill(child);
    }
    const last = await work();
    await eventually('every event', () => (subjects().size === recorded ? true : undefined), 30_000 + KILLS * A_KILL_MS);
    await eventually('the notes', async () => ((await messages()).every(({ status }) => status === 'delivered') ? true : undefined));
    const all = await messages();
    assert.deepEqual([all.length, all.every(({ delivered }) => delivered === 1)], [recorded, true]);
    assert.equal(new Set(to.got.map(({ id }) => id)).size, recorded, 'one id an event, however often it arrived');
    await kill(last);
  });
});
