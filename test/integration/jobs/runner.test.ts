/** Jobs on real Postgres: accepted with their transaction, run once at a time, tried again, ended by deadlines and operators. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { AwaitedJobs } from '../../../src/core/jobs/awaited.ts';
import type { JobContext, JobDefinition } from '../../../src/core/jobs/defineJob.ts';
import { DeadlinePassed, FinalJobError, type JobKind, LostLease, WorkerStopping } from '../../../src/core/jobs/kind.ts';
import type { Job, StartedJob } from '../../../src/core/jobs/store.ts';
import { JobSweep } from '../../../src/core/jobs/sweep.ts';
import { WAKE_CHANNEL, wakeWorkers } from '../../../src/core/jobs/wake.ts';
import { Database } from '../../../src/core/store/postgres/pool.ts';
import { testDatabase } from '../../support/database.ts';
import { countedJob, countedKind, effect, eventually, type JobWorld, jobWorld, QUICK } from '../../support/jobs.ts';
import { lengthOf } from '../../support/lengths.ts';
import { provide } from '../../support/provide.ts';

const COUNTED = countedKind();
const OTHER = countedKind('other');

/** `JOBS=1000 npm test -- test/integration/jobs/runner.test.ts` for longer */
const MANY = lengthOf('JOBS');
const MS_A_JOB = 30;

type Handler = (job: StartedJob, context: JobContext) => Promise<void>;
type Transaction = Parameters<typeof effect>[0];

describe('Jobs', () => {
  const database = provide(() => testDatabase());
  let world: JobWorld;
  beforeEach(async () => {
    world = await jobWorld(database);
  });
  afterEach(() => world[Symbol.asyncDispose]());

  const complete = async (_: StartedJob, { settle }: JobContext) => settle(async () => ({ status: 'completed' }));
  /** One job through workers that settle it, or not, by this handler; the job at its end. */
  const ended = async (handler: Handler, changes: Partial<JobKind> = {}): Promise<Job> => {
    await world.worker([doing(handler, changes)]);
    return world.settled((await world.accept(countedKind('counted', changes))).id);
  };
  const started = (id: string) => eventually('its start', async () => (await world.job(id)).status === 'running' || undefined);
  /** The counted kind with a handler of the test's own. */
  const doing = (handler: Handler, changes: Partial<JobKind> = {}, concurrency = 4): JobDefinition<unknown> => ({
    ...countedKind('counted', changes),
    concurrency,
    handler,
    giveBack: (tx, job) => effect(tx, job, 'refund'),
  });

  const whats = async (id: string) => (await world.effects(id)).map(({ what }) => what);

  it('are settled with what belongs to the end, in one line of the log without the payload', async () => {
    const job = await world.accept(COUNTED, { secret: 'sesame' });
    assert.match(job.id, /^cnt_[0-9A-Za-z]{22}$/);
    assert.deepEqual([job.status, job.attempt, job.settledAt], ['queued', 0, null]);
    const worker = await world.worker([countedJob(COUNTED)]);
    const settled = await world.settled(job.id);
    assert.deepEqual([settled.status, settled.attempt, settled.result, settled.progress], ['completed', 1, { attempt: 1 }, { half: true }]);
    const times = [settled.createdAt, settled.startedAt, settled.settledAt].map(Number);
    assert(times.every(Boolean));
    assert.deepEqual(times, times.toSorted());
    assert.deepEqual(await whats(job.id), ['reserve', 'draft', 'charge']);
    await worker.stop();
    const lines = worker.log.map((line) => JSON.parse(line)).filter((line) => line.job === job.id);
    assert.equal(lines.length, 1);
    assert.deepEqual([lines[0].kind, lines[0].attempt, lines[0].outcome, lines[0].status], ['counted', 1, 'settled', 'completed']);
    assert.equal(typeof lines[0].ms, 'number');
    assert.doesNotMatch(worker.log.join(''), /sesame/);
  });

  it('start within moments of their commit, not at the next look into the queue', async () => {
    await world.worker([countedJob(COUNTED)], { pollMs: 30_000, sweepMs: 30_000 });
    await sleep(300);
    await world.settled((await world.accept(COUNTED)).id, 5_000);
  });

  it('leave no row when their transaction is rolled back', async () => {
    let id = '';
    const work = world.db.database.transaction(async (tx) => {
      id = (await world.jobs.enqueue(tx, COUNTED, { payload: {} })).id;
      throw new FinalJobError('credits', 'no credits');
    });
    await assert.rejects(work, /no credits/);
    assert.equal(await world.jobs.find(id), undefined);
  });

  it('run one at a time on two workers, also when these are woken again and again', async () => {
    await world.db.database.query('create table holder (job_id text primary key)');
    const locks = new Database({ url: world.db.url, schema: world.db.schema, connections: 20 });
    const runs: string[] = [];
    const overlaps: string[] = [];
    const handler = async (job: StartedJob, context: JobContext) => {
      runs.push(job.id);
      await locks.transaction(async (tx) => {
        await tx.query('select from holder where job_id = $1 for update nowait', [job.id]).catch(() => overlaps.push(job.id));
        await sleep(30);
      });
      await complete(job, context);
    };
    const jobs = await Promise.all(Array.from({ length: 60 }, () => world.accept(COUNTED)));
    const ids = jobs.map(({ id }) => id);
    await world.db.database.query('insert into holder select unnest($1::text[])', [ids]);
    await Promise.all([world.worker([doing(handler)]), world.worker([doing(handler)])]);
    let left = ids.length;
    while (left > 0) {
      await world.db.database.transaction((tx) => wakeWorkers(tx, ['counted']));
      left = (await world.db.database.query('select from job where settled_at is null')).length;
    }
    await locks.close();
    assert.deepEqual(overlaps, []);
    assert.deepEqual(runs.toSorted(), ids.toSorted());
  });

  it('are worked on by no more handlers at once than their kind allows in a process', async () => {
    let now = 0;
    let most = 0;
    const handler: Handler = async (job, context) => {
      now += 1;
      most = Math.max(most, now);
      await sleep(20);
      now -= 1;
      await complete(job, context);
    };
    const jobs = await Promise.all(Array.from({ length: 12 }, () => world.accept(COUNTED)));
    await world.worker([doing(handler, {}, 3)]);
    for (const { id } of jobs) await world.settled(id);
    assert.equal(most, 3);
  });

  it('are tried again after an error, with growing pauses, and then fail with what they reserved given back', async () => {
    const times: number[] = [];
    const handler = async () => {
      times.push(performance.now());
      throw new Error('out of order');
    };
    await world.worker([doing(handler, { maxAttempts: 3 })], { backoffMs: 200, backoffMaxMs: 400 });
    const job = await world.settled((await world.accept(countedKind('counted', { maxAttempts: 3 }))).id);
    assert.deepEqual([job.status, job.attempt, job.error?.code], ['failed', 3, 'internal_error']);
    assert.match(job.lastFailure ?? '', /out of order/);
    assert.doesNotMatch(JSON.stringify(job.error), /out of order/);
    assert.deepEqual(await whats(job.id), ['reserve', 'refund']);
    const [first = 0, second = 0, third = 0] = times;
    assert(second - first >= 100 && third - second >= 200, `${times}`);
  });

  it('fail at once on an error that no further attempt can change', async () => {
    const handler = async () => {
      throw new FinalJobError('place_unknown', 'There is no such place.');
    };
    const job = await ended(handler);
    assert.deepEqual([job.status, job.attempt, job.error], ['failed', 1, { code: 'place_unknown', message: 'There is no such place.' }]);
    assert.deepEqual(await whats(job.id), ['reserve', 'refund']);
  });

  it('whose handler ends without settling are tried again, not counted as done', async () => {
    const job = await ended(async () => {}, { maxAttempts: 2 });
    assert.deepEqual([job.status, job.attempt], ['failed', 2]);
    assert.match(job.lastFailure ?? '', /without settling/);
  });

  it('keep their lease in a settlement that is refused after longer than it: the attempt ends them, or settles them anew', async () => {
    const settleLate = (job: StartedJob, { settle }: JobContext, refusal: Error) =>
      settle(async (tx) => {
        await effect(tx, job, 'charge');
        await tx.query('select pg_sleep($1)', [(QUICK.leaseMs + 500) / 1_000]);
        throw refusal;
      });
    const poor = countedKind('poor');
    await world.worker([
      { ...doing((job, context) => settleLate(job, context, new FinalJobError('insufficient_credits', 'Too few.'))), ...poor },
      doing(async (job, context) => {
        await assert.rejects(settleLate(job, context, new Error('outdated')), /outdated/);
        await context.write((tx) => effect(tx, job, 'draft'));
        await complete(job, context);
      }),
    ]);
    const accepted = await Promise.all([world.accept(poor), world.accept(COUNTED)]);
    const [failed, completed] = (await Promise.all(accepted.map(({ id }) => world.settled(id)))) as [Job, Job];
    assert.deepEqual([failed.status, failed.attempt, failed.error?.code], ['failed', 1, 'insufficient_credits']);
    assert.deepEqual(await whats(failed.id), ['reserve', 'refund']);
    assert.deepEqual([completed.status, completed.attempt], ['completed', 1]);
    assert.deepEqual(await whats(completed.id), ['reserve', 'draft']);
  });

  it('leave nothing of a settlement that fails halfway', async () => {
    const handler = async (job: StartedJob, context: JobContext) =>
      context.settle(async (tx) => {
        await effect(tx, job, 'charge');
        if (job.attempt === 1) throw new Error('broke');
        return { status: 'completed' };
      });
    const { id } = await ended(handler);
    const effects = (await world.effects(id)).map(({ attempt, what }) => `${attempt} ${what}`);
    assert.deepEqual(effects, ['0 reserve', '2 charge']);
  });

  describe('with a deadline', () => {
    const short = { deadlineMs: () => 400 };

    it('may settle what they have when it passes', async () => {
      const handler = async (_: StartedJob, context: JobContext) => {
        await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
        assert(context.signal.reason instanceof DeadlinePassed);
        await context.settle(async () => ({ status: 'partial' }));
      };
      assert.equal((await ended(handler, short)).status, 'partial');
    });

    it('fail when it passes, at the latest a lease after it when the handler does not listen', async () => {
      for (const handler of [
        (_: StartedJob, { signal }: JobContext) => sleep(60_000, undefined, { signal }),
        () => sleep(20_000, undefined, { ref: false }),
      ]) {
        const worker = await world.worker([doing(handler, short)]);
        const job = await world.settled((await world.accept(countedKind('counted', short))).id, 8_000);
        assert.deepEqual([job.status, job.error?.code], ['failed', 'deadline_exceeded']);
        assert.deepEqual(await whats(job.id), ['reserve', 'refund']);
        await worker.stop(0);
      }
    });

    it('count it from their first start: a job that waited for a worker has all of it', async () => {
      const job = await world.accept(countedKind('counted', short));
      await sleep(600);
      await world.worker([countedJob(COUNTED)]);
      assert.equal((await world.settled(job.id)).status, 'completed');
    });
  });

  describe('on a worker that stops', () => {
    it('finish within its grace', async () => {
      const worker = await world.worker([doing((job, context) => sleep(500).then(() => complete(job, context)))]);
      const { id } = await world.accept(COUNTED);
      await started(id);
      await worker.stop(10_000);
      assert.equal((await world.job(id)).status, 'completed');
    });

    it('are handed back after it, uncounted, and run elsewhere at once; the old handler writes nothing more', async () => {
      let late: Promise<unknown> = Promise.resolve();
      const handler = async (job: StartedJob, context: JobContext) => {
        late = sleep(400).then(() =>
          context.settle(async (tx) => {
            await effect(tx, job, 'charge');
            return { status: 'completed' };
          }),
        );
        late.catch(() => {});
        await sleep(20_000, undefined, { ref: false });
      };
      const worker = await world.worker([doing(handler, { maxAttempts: 1 })]);
      const { id } = await world.accept(countedKind('counted', { maxAttempts: 1 }));
      await started(id);
      const other = await world.worker([countedJob(OTHER)]);
      const began = performance.now();
      const stopped = worker.stop(100);
      await eventually('the return', async () => (await world.job(id)).status === 'queued' || undefined);
      assert(performance.now() - began < 1_400, 'handed back before its lease could run out');
      assert.equal((await world.job(id)).handedBack, 1);
      await assert.rejects(late);
      await stopped;
      await other.stop();
      await world.worker([countedJob(COUNTED)]);
      const job = await world.settled(id);
      assert.deepEqual([job.status, job.attempt], ['completed', 2]);
      assert.deepEqual(await whats(id), ['reserve', 'draft', 'charge']);
    });

    it('hear of it by their signal', async () => {
      let reason: unknown;
      const handler = async (_: StartedJob, { signal }: JobContext) => {
        await sleep(20_000, undefined, { signal }).catch(() => {
          reason = signal.reason;
        });
        signal.throwIfAborted();
      };
      const worker = await world.worker([doing(handler)]);
      const { id } = await world.accept(COUNTED);
      await started(id);
      await worker.stop(0);
      assert(reason instanceof WorkerStopping);
      assert.equal((await world.job(id)).status, 'queued');
    });
  });

  describe('whose lease is lost', () => {
    it('hear of it at once by their signal, and every write is refused', async () => {
      const refused: string[] = [];
      let began = 0;
      const handler = async (job: StartedJob, context: JobContext) => {
        if (job.attempt > 1) return complete(job, context);
        await world.db.database.query(`update job set attempt = attempt + 1 where id = $1`, [job.id]);
        began = performance.now();
        await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
        began = performance.now() - began;
        assert(context.signal.reason instanceof LostLease);
        for (const write of [
          () => context.progress({ late: true }),
          () => context.write((tx) => effect(tx, job, 'draft')),
          () => context.settle(async () => ({ status: 'completed' })),
        ])
          await write().catch((error) => refused.push(error.name));
        throw new Error('too late');
      };
      const job = await ended(handler);
      assert.deepEqual(refused, ['LostLease', 'LostLease', 'LostLease']);
      assert(began < 1_400, `${began} ms`);
      assert.deepEqual([job.status, job.progress], ['completed', {}]);
      assert.deepEqual(await whats(job.id), ['reserve']);
    });

    it('are written by no attempt that was handed back, ended or overtaken, nor one whose time is up', async () => {
      const { jobs } = world;
      const refuses = async (lease: StartedJob) => {
        const charge = (tx: Transaction) => effect(tx, lease, 'charge').then(() => ({ status: 'completed' }));
        for (const write of [
          () => jobs.renew(lease, 1_000),
          () => jobs.mergeProgress(lease, { late: true }),
          () => jobs.settle(lease, charge, 1_000),
          () => jobs.fail(lease, { error: { code: 'x', message: 'x' }, lastFailure: 'x' }),
          () => jobs.retry(lease, 0, 'x'),
          () => jobs.handBack(lease, 'counted'),
        ])
          await assert.rejects(write, LostLease, String(write));
      };
      const startOne = async (leaseMs = 10_000) => {
        const [started] = await jobs.start('counted', { places: 1, spare: 0 }, 'here', leaseMs);
        assert(started);
        return started;
      };
      const { id } = await world.accept(COUNTED);
      const first = await startOne();
      await jobs.handBack(first, 'counted');
      await refuses(first);
      const second = await startOne();
      await refuses(first);
      await jobs.retry(second, 0, 'again');
      await refuses(second);
      const third = await startOne(50);
      await sleep(100);
      await refuses(third);
      await new JobSweep(jobs).run(['counted']);
      const fourth = await startOne();
      assert.equal(fourth.attempt, 4);
      await jobs.settle(fourth, async () => ({ status: 'completed' }), 1_000);
      for (const lease of [first, second, third, fourth]) await refuses(lease);
      assert.deepEqual(await whats(id), ['reserve']);
    });

    it('keep it while they run longer than a lease', async () => {
      const handler: Handler = (job, context) => sleep(3_500).then(() => complete(job, context));
      await Promise.all([world.worker([doing(handler)]), world.worker([doing(handler)])]);
      const job = await world.settled((await world.accept(COUNTED)).id);
      assert.deepEqual([job.status, job.attempt], ['completed', 1]);
    });
  });

  describe('that their request runs', () => {
    const run = async (handler: (context: JobContext) => Promise<void>) => {
      const awaited = new AwaitedJobs({ jobs: world.jobs, leases: world.jobs, log: pino({ level: 'silent' }) });
      const once = countedJob(countedKind('counted', { maxAttempts: 1 }));
      const job = await world.db.database.transaction(async (tx) => {
        const begun = await awaited.begin(tx, once, { payload: {} });
        await effect(tx, begun, 'reserve');
        return begun;
      });
      return { id: job.id, outcome: await awaited.run(once, job, handler) };
    };

    it('are settled by it', async () => {
      const { id, outcome } = await run((context) => context.settle(async () => ({ status: 'completed' })));
      const { status, attempt } = await world.job(id);
      assert.deepEqual([outcome, status, attempt], ['settled', 'completed', 1]);
    });

    it('fail where it could not settle them, with what they reserved given back', async () => {
      const { id, outcome } = await run(async () => {
        throw new Error('broken');
      });
      assert.deepEqual([outcome, (await world.job(id)).status], ['failed', 'failed']);
      assert.deepEqual(await whats(id), ['reserve', 'refund']);
    });
  });

  describe('that wait for a connection to settle', () => {
    it('keep their lease meanwhile', async () => {
      const busy = Promise.withResolvers<void>();
      const free = Promise.withResolvers<void>();
      const holder = doing(async (_, { settle }) =>
        settle(async () => {
          busy.resolve();
          await free.promise;
          return { status: 'completed' };
        }),
      );
      const settling: JobDefinition<unknown> = { ...OTHER, concurrency: 1, handler: complete };
      await world.worker([holder, settling], {}, { connections: 1, patience: 10 });
      const first = await world.accept(COUNTED);
      await busy.promise;
      const second = await world.accept(OTHER);
      await started(second.id);
      await sleep(2 * QUICK.leaseMs);
      assert.equal((await world.job(second.id)).attempt, 1);
      free.resolve();
      for (const { id } of [first, second])
        assert.deepEqual([(await world.settled(id)).status, (await world.job(id)).attempt], ['completed', 1]);
    });
  });

  describe('of a kind that keeps its times itself', () => {
    /** As many as things that are due, one job at a time. */
    const oneByOne = (): JobDefinition<unknown> => ({
      ...countedJob(COUNTED),
      takeDue: async (tx) => {
        const things = await tx.query<{ id: number }>(
          `update thing set queued = queued + 1 where id = (select min(id) from thing where queued = 0)
             and not exists (select from job where settled_at is null) returning id`,
        );
        return things.map(({ id }) => ({ payload: { id } }));
      },
    });
    beforeEach(async () => {
      await world.db.database.query('create table thing (id integer primary key, queued integer not null default 0)');
      await world.db.database.query('insert into thing select generate_series(1, 5)');
    });
    afterEach(() => world.db.database.query('drop table thing'));
    const queued = async () =>
      (await world.db.database.query<{ queued: number }>('select queued from thing order by id')).map((one) => one.queued);

    it('are queued by the sweep, and the next as soon as one has ended', async () => {
      await world.worker([oneByOne()], { sweepMs: 30_000 });
      const last = await eventually('the last job', async () => {
        const jobs = await world.jobs.list({ kind: COUNTED.name, status: 'completed' }, 10);
        return jobs.length === 5 ? jobs.map(({ payload }) => (payload as { id: number }).id) : undefined;
      });
      assert.deepEqual(last, [5, 4, 3, 2, 1]);
      assert.deepEqual(await queued(), [1, 1, 1, 1, 1]);
    });

    it('are due still where they could not be queued', async () => {
      const broken = { ...oneByOne(), deadlineMs: (): number => Number.NaN };
      const worker = await world.worker([broken]);
      await eventually('the error', async () => worker.log.some((line) => line.includes('could not be queued')) || undefined);
      assert.deepEqual(await queued(), [0, 0, 0, 0, 0]);
    });
  });

  describe('that nobody works on', () => {
    it('run although the connection that wakes workers was lost when they were accepted', async () => {
      await world.worker([countedJob(COUNTED)], { pollMs: 60_000, sweepMs: 60_000 });
      await sleep(300);
      const lost = await world.db.database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'landuse-wake' and query like '%' || split_part(${WAKE_CHANNEL}, '_', 3) || '%' and pid <> pg_backend_pid()`,
      );
      const ids = (await Promise.all([world.accept(COUNTED), world.accept(COUNTED)])).map(({ id }) => id);
      assert.equal(lost.length, 1);
      for (const id of ids) assert.equal((await world.settled(id)).status, 'completed');
    });

    it('fail when their last worker is lost, with what they reserved given back once', async () => {
      const { id } = await world.accept(countedKind('counted', { maxAttempts: 1 }));
      await world.jobs.start('counted', { places: 1, spare: 0 }, 'gone', 50);
      const ended: unknown[] = [];
      const observe = (attempt: unknown) => void ended.push(attempt);
      await Promise.all([1, 2].map(() => world.worker([countedJob(COUNTED)], {}, { observe })));
      const job = await world.settled(id);
      assert.deepEqual([job.status, job.error?.code], ['failed', 'internal_error']);
      assert.match(job.lastFailure ?? '', /lost/);
      await eventually('the failure in the metrics', () => ended[0]);
      assert.deepEqual(ended, [{ kind: 'counted', outcome: 'failed', seconds: 0 }]);
      assert.deepEqual(await whats(id), ['reserve', 'refund']);
    });

    it('of kinds that this worker does not know are left to others', async () => {
      const { id } = await world.accept(OTHER);
      await world.jobs.start('other', { places: 1, spare: 0 }, 'gone', 50);
      await world.worker([countedJob(COUNTED)]);
      await sleep(1_000);
      assert.equal((await world.job(id)).status, 'running');
    });

    it('are deleted when they are kept no longer, settled ones only', async () => {
      const [old, fresh] = await Promise.all([world.accept(COUNTED), world.accept(OTHER)]);
      const worker = await world.worker([countedJob(COUNTED)]);
      await world.settled(old.id);
      await world.db.database.query(`update job set delete_after = now() - interval '1 s' where id = $1`, [old.id]);
      await eventually('its deletion', async () => ((await world.jobs.find(old.id)) ? undefined : true));
      assert.equal((await world.job(fresh.id)).status, 'queued');
      await worker.stop();
    });

    it('are looked for by one process at a time', async () => {
      const sweep = new JobSweep(world.jobs);
      const results = await Promise.all(Array.from({ length: 8 }, () => sweep.run(['counted'])));
      assert(results.some((result) => result !== null));
      await world.db.database.transaction(async (tx) => {
        await tx.query(`select pg_advisory_xact_lock(hashtextextended('sweep of the jobs of ' || current_schema(), 0))`);
        assert.equal(await sweep.run(['counted']), null);
      });
    });
  });

  it('that failed run again when an operator says so, unless failing gave something back irrevocably', async () => {
    let broken = true;
    const handler = async (job: StartedJob, context: JobContext) => {
      if (broken) throw new FinalJobError('broken', 'Broken.');
      await context.settle(async () => ({ status: 'completed', result: job.attempt }));
    };
    await world.worker([doing(handler)]);
    const [retriable, final] = await Promise.all([world.accept(COUNTED), world.accept(countedKind('counted', { retriable: false }))]);
    for (const { id } of [retriable, final]) assert.equal((await world.settled(id)).status, 'failed');
    broken = false;
    const sweep = new JobSweep(world.jobs);
    assert.equal(await sweep.retry(final.id), 'final');
    assert.equal(await sweep.retry('cnt_none'), 'not_found');
    assert.equal(await sweep.retry(retriable.id), 'queued');
    const job = await world.settled(retriable.id);
    assert.deepEqual([job.status, job.result, job.error], ['completed', 2, null]);
    assert.equal(await sweep.retry(retriable.id), 'settled');
  });

  it('pass at a rate of hundreds a second through two workers', async () => {
    await world.db.database.transaction(async (tx) => {
      for (let i = 0; i < MANY; i++) await world.jobs.enqueue(tx, COUNTED, { payload: { i } });
    });
    const began = performance.now();
    await Promise.all([1, 2].map(() => world.worker([doing(complete, {}, 8)])));
    const areLeft = async () => (await world.db.database.query('select from job where settled_at is null')).length > 0;
    await eventually('many jobs', async () => !(await areLeft()) || undefined, MANY * MS_A_JOB + 10_000);
    const ms = Math.round(performance.now() - began);
    const [{ most } = { most: 0 }] = await world.db.database.query<{ most: number }>('select max(attempt) as most from job');
    assert.equal(most, 1);
    assert(ms < MANY * MS_A_JOB, `${ms} ms`);
  });
});
