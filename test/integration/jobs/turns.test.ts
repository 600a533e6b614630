/** Teams take turns at workers: one that has much waiting holds up nobody else. */
import assert from 'node:assert/strict';
import { AccountStore } from '../../../src/core/identity/accounts.ts';
import type { StartedJob } from '../../../src/core/jobs/store.ts';
import { countedKind, eventually, type JobWorld, jobWorld } from '../../support/jobs.ts';

const KIND = countedKind();
const OTHER = countedKind('other');
const LEASE_MS = 60_000;

describe('Jobs of several teams', () => {
  let world: JobWorld;
  let greedy: number;
  let quiet: number;
  let third: number;
  beforeEach(async () => {
    world = await jobWorld();
    const accounts = new AccountStore(world.db.database, []);
    const team = async (name: string) => (await accounts.createTeam({ name, plan: 'national' })).id;
    [greedy, quiet, third] = [await team('Greedy'), await team('Quiet'), await team('Third')];
  });
  afterEach(() => world[Symbol.asyncDispose]());

  const accept = (teamId: number, kind = KIND) =>
    world.db.database.transaction((tx) => world.jobs.enqueue(tx, kind, { payload: {}, teamId }));
  const acceptMany = async (teamId: number, count: number) => {
    for (let i = 0; i < count; i++) await accept(teamId);
  };
  const start = (places: number, spare = 0, kind = KIND) => world.jobs.start(kind.name, { places, spare }, 'here', LEASE_MS);
  const teamsOf = (jobs: readonly StartedJob[]) => jobs.map(({ teamId }) => teamId);
  const settle = (job: StartedJob) => world.jobs.settle(job, async () => ({ status: 'completed' }), LEASE_MS);

  it('are begun in turns, the least recently served first, and within a team in their order', async () => {
    await acceptMany(greedy, 5);
    await acceptMany(quiet, 2);
    await accept(third);
    const begun: StartedJob[] = [];
    for (;;) {
      const [job] = await start(1);
      if (!job) break;
      begun.push(job);
      await settle(job);
    }
    assert.deepEqual(teamsOf(begun), [greedy, quiet, third, greedy, quiet, greedy, greedy, greedy]);
    const ofGreedy = begun.filter(({ teamId }) => teamId === greedy);
    assert.deepEqual(
      ofGreedy.map(({ id }) => id),
      ofGreedy.toSorted((a, b) => Number(a.runAfter) - Number(b.runAfter)).map(({ id }) => id),
    );
  });

  it('are begun for the team with the fewest running, whoever came first', async () => {
    await acceptMany(greedy, 8);
    assert.deepEqual(teamsOf(await start(3)), [greedy, greedy, greedy]);
    await acceptMany(quiet, 3);
    assert.deepEqual(teamsOf(await start(3)), [quiet, quiet, quiet]);
    await accept(third);
    const next = teamsOf(await start(3));
    assert.deepEqual(next.toSorted(), [greedy, greedy, third].toSorted());
  });

  it('do not wait for another kind, and those that are not due yet are left', async () => {
    await acceptMany(greedy, 2);
    assert.equal((await start(2)).length, 2);
    await accept(greedy, OTHER);
    const [later] = await start(1, 0, OTHER);
    assert(later);
    await world.jobs.retry(later, 60_000, 'later');
    assert.deepEqual(await start(5, 1, OTHER), []);
  });

  it('begin beyond the usual number where their team has none running', async () => {
    await acceptMany(greedy, 4);
    assert.equal((await start(2, 1)).length, 2, 'the spare place is for none of those');
    assert.deepEqual(await start(0, 1), []);
    await acceptMany(quiet, 2);
    assert.deepEqual(teamsOf(await start(0, 1)), [quiet]);
    assert.deepEqual(await start(0, 1), []);
  });

  it('are begun even by a worker whose slots another team has filled', async () => {
    const hanging = Promise.withResolvers<void>();
    const running = new Set<number | null>();
    await world.worker([
      {
        ...KIND,
        concurrency: 2,
        handler: async (job, { settle: end }) => {
          running.add(job.teamId);
          if (job.teamId === greedy) await hanging.promise;
          await end(async () => ({ status: 'completed' }));
        },
      },
    ]);
    await acceptMany(greedy, 6);
    await eventually('a running job of the greedy team', async () => running.has(greedy) || undefined);
    for (const team of [quiet, third, quiet]) await world.settled((await accept(team)).id);
    assert.equal((await world.jobs.list({ status: 'running', teamId: greedy }, 10)).length, 2);
    hanging.resolve();
    for (const { id } of await world.jobs.list({ teamId: greedy }, 10)) await world.settled(id);
  });

  it('are each begun once, however many workers ask at once', async () => {
    for (const team of [greedy, quiet, third]) await acceptMany(team, 8);
    const begun = (await Promise.all(Array.from({ length: 12 }, () => start(2)))).flat();
    assert.deepEqual([begun.length, new Set(begun.map(({ id }) => id)).size], [24, 24]);
  });
});
