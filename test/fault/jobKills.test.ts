/**
 * Workers that are killed or frozen anywhere in a job: it ends once, and is charged once.
 * `JOB_KILLS=100 npm test -- test/fault/jobKills.test.ts` does each a hundred times; SEED repeats a run.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobKind } from '../../src/core/jobs/kind.ts';
import { RUNNER_SETTINGS } from '../../src/core/jobs/runnerSettings.ts';
import { childWorker, countedJob, countedKind, eventually, jobWorld, QUICK, STEPS, type Step } from '../support/jobs.ts';
import { lengthOf } from '../support/lengths.ts';
import { provide } from '../support/provide.ts';
import { Random } from '../support/random.ts';
import { MessageCount, stoppingProxy } from '../support/stoppingProxy.ts';

const TIMES = lengthOf('JOB_KILLS');
/** Without JOB_KILLS the kills come at each of so many messages and at the last. */
const EVERY = 8;
const SEED = Number(process.env.SEED ?? 20_261_122);
const AT_ONCE = 3;
const A_CASE_MS = 10_000;
/** A child without sweeps and polls, so that all that passes is for the job. */
const CALM = { sweepMs: 60_000, pollMs: 60_000, heartbeatMs: 60_000 };

describe(`A worker in the middle of a job (seed ${SEED})`, function () {
  this.timeout(240_000 + TIMES * 2 * A_CASE_MS);
  const random = new Random(SEED);
  const world = provide(() => jobWorld());
  let cases = 0;
  /** A kind of its own, so that no other worker takes the job before its time. */
  async function newKind() {
    cases += 1;
    const kind = countedKind(`counted_${cases}`);
    return kind;
  }

  async function endedOnce(id: string, about: string): Promise<void> {
    const job = await world.job(id);
    assert.equal(job.status, 'completed', about);
    const effects = await world.effects(id);
    assert.equal(effects.filter(({ what }) => what === 'charge').length, 1, `${about}: ${JSON.stringify(effects)}`);
    assert(!effects.some(({ what }) => what === 'refund'), about);
    const attempts = effects.map(({ attempt }) => attempt);
    assert.deepEqual(
      attempts,
      attempts.toSorted((a, b) => a - b),
      `${about}: an attempt wrote after a later one`,
    );
    assert.equal(effects.at(-1)?.attempt, job.attempt, about);
  }

  /** Accepts a job and kills its worker when so many messages have passed between it and Postgres, or when the job has ended. */
  async function killAfter(messages: number): Promise<{ id: string; kind: JobKind; passed: number }> {
    const kind = await newKind();
    const count = new MessageCount(Number.POSITIVE_INFINITY);
    const proxy = await stoppingProxy(world.db.url, count);
    const child = await childWorker({ url: proxy.url, schema: world.db.schema, kind: kind.name, waits: false, settings: CALM });
    await sleep(200);
    const idle = count.passed;
    count.allowFurther(messages);
    const { id } = await world.accept(kind);
    await Promise.race([count.stopped, child.ended.then(() => sleep(100))]);
    await child.kill();
    proxy.close();
    // Postgres learns from the closed connection that the transaction is over.
    await sleep(100);
    return { id, kind, passed: count.passed - idle };
  }

  /** @returns where the job was when its worker was killed */
  async function killAndFollow(messages: number): Promise<'queued' | 'running' | 'completed'> {
    const { id, kind } = await killAfter(messages);
    const { status } = await world.job(id);
    const successor = await world.worker([countedJob(kind)]);
    await world.settled(id, A_CASE_MS);
    await endedOnce(id, `killed after ${messages} messages (${status})`);
    await successor.stop();
    return status as 'queued' | 'running' | 'completed';
  }

  async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
    const results: R[] = [];
    const left = [...items];
    while (left.length) results.push(...(await Promise.all(left.splice(0, AT_ONCE).map(work))));
    return results;
  }

  it('killed at any message to or from Postgres, is followed by another that ends the job once', async () => {
    const { passed } = await killAfter(Number.POSITIVE_INFINITY);
    assert(passed > 20, `${passed}`);
    const every = Array.from({ length: passed }, (_, n) => n);
    const some = every.filter((n) => n % EVERY === 0 || n === passed - 1);
    const where = await inTurns(TIMES ? Array.from({ length: TIMES }, () => random.pick(every)) : some, killAndFollow);
    for (const status of ['queued', 'running', 'completed'] as const) assert(where.includes(status), `${status}: ${where}`);
  });

  /** Freezes a worker at a step until its lease is long over, and wakes it up. @param alone no other worker takes the job meanwhile */
  async function freezeAt(step: Step, alone: boolean): Promise<void> {
    const about = `frozen at '${step}', ${alone ? 'alone' : 'with another worker'}`;
    const kind = await newKind();
    const child = await childWorker({ url: world.db.url, schema: world.db.schema, kind: kind.name, waits: true });
    const { id } = await world.accept(kind);
    await child.reaches(step);
    child.process.kill('SIGSTOP');
    const other = alone ? undefined : await world.worker([countedJob(kind)]);
    // In the transaction that settles the job its row is locked: nobody takes it until that is over.
    const locked = step === 'settling' || step === 'charged';
    if (other && !locked) await world.settled(id);
    else await sleep(QUICK.leaseMs + 3 * QUICK.sweepMs);
    const written = await world.effects(id);
    child.go();
    child.process.kill('SIGCONT');
    await world.settled(id);
    await sleep(QUICK.heartbeatMs);
    await endedOnce(id, about);
    const { attempt } = await world.job(id);
    assert.equal(attempt, locked || step === 'settled' ? 1 : 2, about);
    if (!locked) {
      const later = (await world.effects(id)).slice(written.length);
      assert(!later.some((one) => one.attempt < attempt), `${about}: it wrote ${JSON.stringify(later)}`);
    }
    await child.kill();
    await other?.stop();
  }

  it('frozen past its lease at any await, writes nothing when it wakes up while another took the job', async () => {
    const steps = TIMES ? Array.from({ length: TIMES }, () => random.pick(STEPS)) : STEPS;
    await inTurns(steps, (step) => freezeAt(step, false));
  });

  it('frozen past its lease without another one, writes nothing of that attempt and begins the job again', async () => {
    const steps: readonly Step[] = TIMES ? Array.from({ length: TIMES }, () => random.pick(STEPS)) : ['begun', 'drafted'];
    await inTurns(steps, (step) => freezeAt(step, true));
  });

  it('frozen in the middle of a sweep, holds up the sweeps of others for seconds only', async () => {
    const kind = await newKind();
    const settings = { pollMs: 60_000, sweepMs: 0 };
    const child = await childWorker({ url: world.db.url, schema: world.db.schema, kind: 'unused', waits: false, settings });
    const sweeping = () =>
      world.db.database.query(
        `select from pg_locks where locktype = 'advisory' and granted
           and (classid::bigint << 32) | objid::bigint = hashtextextended('sweep of the jobs of ' || current_schema(), 0)`,
      );
    await eventually('a freeze in the middle', async () => {
      child.process.kill('SIGSTOP');
      // What it had sent already is answered first.
      await sleep(50);
      if ((await sweeping()).length > 0) return true;
      child.process.kill('SIGCONT');
    });
    const { id } = await world.accept(kind);
    await world.jobs.start(kind.name, { places: 1, spare: 0 }, 'frozen', 50);
    await world.worker([countedJob(kind)]);
    await world.settled(id, 8_000);
    await child.kill();
  });

  it('that is killed with the usual settings, is followed within 15 seconds', async () => {
    const kind = await newKind();
    const { id } = await world.accept(kind);
    await world.jobs.start(kind.name, { places: 1, spare: 0 }, 'killed', RUNNER_SETTINGS.leaseMs);
    const began = performance.now();
    const next = await world.worker([countedJob(kind)], RUNNER_SETTINGS);
    await eventually('the next attempt', async () => ((await world.job(id)).attempt > 1 ? true : undefined), 15_000);
    assert(performance.now() - began < 15_000);
    await next.stop();
  });
});
