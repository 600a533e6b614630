/** Jobs while Postgres is away: what was accepted is done when it is back, once. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { TestProxy } from '../../scripts/lib/proxy.ts';
import { composeWorker } from '../../src/core/jobs/worker.ts';
import { countedJob, countedKind, jobWorld, QUICK } from '../support/jobs.ts';
import { provide } from '../support/provide.ts';

const COUNTED = countedKind();

describe('A worker whose Postgres goes away', () => {
  const world = provide(() => jobWorld());
  for (const [how, away] of [
    ['for a moment', QUICK.leaseMs / 3],
    ['for longer than a lease', QUICK.leaseMs * 2],
  ] as const)
    it(`${how} ends the jobs that ran and those that waited, once`, async () => {
      const proxy = new TestProxy(world.db.url, 5432);
      await proxy.start();
      const url = new URL(world.db.url);
      url.hostname = '127.0.0.1';
      url.port = String(proxy.port);
      const begun = Promise.withResolvers<void>();
      const worker = composeWorker({
        databaseUrl: url.href,
        databaseSchema: world.db.schema,
        definitions: () => [
          countedJob(COUNTED, async (step) => {
            if (step !== 'drafted') return;
            begun.resolve();
            await sleep(400);
          }),
        ],
        settings: QUICK,
        log: pino({ level: 'silent' }),
      });
      try {
        await worker.start();
        const jobs = await Promise.all(Array.from({ length: 8 }, () => world.accept(COUNTED)));
        await begun.promise;
        await proxy.stop();
        jobs.push(await world.accept(COUNTED));
        await sleep(away);
        await proxy.start();
        for (const { id } of jobs) {
          assert.equal((await world.settled(id)).status, 'completed');
          assert.equal((await world.effects(id)).filter(({ what }) => what === 'charge').length, 1);
        }
      } finally {
        await worker.stop(0);
        await proxy.stop();
      }
    });
});
