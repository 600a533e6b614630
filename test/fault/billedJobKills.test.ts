/**
 * Workers that are killed or frozen anywhere in a job that is charged: another one ends it, it is charged once, and leaves whole files and clean books.
 * `npm run prove-jobs` does each a hundred times; SEED repeats a run.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunnerSettings } from '../../src/core/jobs/runnerSettings.ts';
import { auditLedger } from '../../src/core/ledger/audit.ts';
import { type BucketServer, startBucketServer } from '../support/bucketServer.ts';
import { engineer, project, TODAY } from '../support/fixtures.ts';
import { eventually, QUICK } from '../support/jobs.ts';
import { lengthOf } from '../support/lengths.ts';
import { idsInParquet } from '../support/parquet.ts';
import { Random } from '../support/random.ts';
import { restrictionLine, SOURCES } from '../support/restrictionLine.ts';
import { downloadSnapshot, snapshotBytes } from '../support/snapshots.ts';
import { CALM, LASTING, StoppableWorkers, type StoppedWorker } from '../support/stoppableWorkers.ts';
import { type JobClient, type TestWorld, testWorld } from '../support/world.ts';

const TIMES = lengthOf('JOB_KILLS');
const SEED = Number(process.env.SEED ?? 20_261_122);
const CASE_MS = 30_000;
const POLL_MS = 50;
/** Further kills that look for a moment at which a job was running. */
const SEARCHES_MAX = 6;
/** A worker stays frozen so long where it has locked the row of its job, which nobody can take then. */
const FREEZE_MS = QUICK.leaseMs;
/** Every second one answers the question of the AI search. */
const IDS = Array.from({ length: 70 }, (_, i) => i + 1);
/** Held by the pool already, so that a file charges the others. */
const OWNED = 10;
/** Every second one of these has a contact. */
const LOOKED_UP = 12;
const LIMIT = 40;
const POND = 'The applicant proposed a retention pond behind the building.';
const NO_POND = 'The building was approved without a retention pond.';

interface Place {
  world: TestWorld;
  /** where the service writes files */
  folder: string;
}

interface Case extends Place {
  id: string;
  key: string;
  about: string;
}

interface Row {
  plan: 'api_only' | 'national';
  client: (world: TestWorld) => JobClient;
  body: object;
  /** fields of the job at its end */
  ends: Record<string, unknown>;
  /** of the pool at the end */
  balance: number;
  /** records that the pool reads before */
  owned?: number;
  /** a status that is seen where a worker was killed */
  seen?: string;
  kills: number;
  freezes: number;
  /** asserts what else is so at its end */
  check: (job: Case, ended: Record<string, unknown>) => Promise<void>;
}

const charged = (reserved: number, charge = reserved) => ({
  ...{ creditsReserved: reserved, creditsCharged: charge, creditsRefunded: reserved - charge },
});

async function hasFiles({ folder, id, about }: Case, count: number): Promise<void> {
  const files = async () => (await readdir(folder)).filter((name) => name.startsWith(id));
  await eventually(`${count} files, ${about}`, async () => ((await files()).length === count ? true : undefined));
}

const FILE = { plan: 'api_only', owned: OWNED, balance: 5_000 - IDS.length, seen: 'building' } as const;

const snapshot = (format: 'ndjson' | 'parquet', kills: number, freezes: number): Row => ({
  ...FILE,
  client: ({ snapshots }) => snapshots,
  body: { filters: { dateRange: 'all' }, representation: 'full', format },
  ends: { status: 'ready', recordCount: IDS.length, ...charged(IDS.length - OWNED) },
  kills,
  freezes,
  check: async (job) => {
    const { records, files, manifest } = await downloadSnapshot(job.world, { id: job.id }, job.key);
    assert.deepEqual(format === 'parquet' ? await idsInParquet(files) : records.map(({ id }) => id), IDS, job.about);
    const { status, bytes } = await snapshotBytes(job.world, manifest.restrictions.url, job.key);
    assert.deepEqual([status, createHash('sha256').update(bytes).digest('hex')], [200, manifest.restrictions.sha256], job.about);
    await hasFiles(job, 2);
  },
});

const IN_A_FOLDER: Record<string, Row> = {
  'an export': {
    ...FILE,
    client: ({ exports }) => exports,
    body: { filters: { dateRange: 'all' } },
    ends: { status: 'ready', rowCount: IDS.length, ...charged(IDS.length - OWNED) },
    kills: TIMES || 1,
    freezes: TIMES || 1,
    check: async (job) => {
      await hasFiles(job, 1);
      assert.equal((await job.world.download(job.id, job.key)).status, 200, job.about);
    },
  },
  'a snapshot as NDJSON': snapshot('ndjson', TIMES || 2, TIMES || 1),
  'a snapshot as Parquet': snapshot('parquet', TIMES || 1, TIMES),
  'a contact look-up': {
    plan: 'national',
    client: ({ enrichments }) => enrichments,
    body: { projectIds: IDS.slice(0, LOOKED_UP) },
    ends: { status: 'completed', processed: LOOKED_UP, found: LOOKED_UP / 2, pending: 0, ...charged(LOOKED_UP, LOOKED_UP / 2) },
    balance: 1_500 - LOOKED_UP / 2,
    kills: TIMES || 1,
    freezes: TIMES || 1,
    check: async ({ world, key, about }) => {
      assert.equal((await world.allowance(key)).used, LOOKED_UP, about);
      assert.equal((await world.record(2, key)).contacts[0].email, 'p2@spoon.example', about);
    },
  },
  'an AI search': {
    plan: 'api_only',
    client: ({ aiSearch }) => aiSearch,
    body: { query: 'a retention pond', limit: LIMIT },
    ends: {
      ...{ status: 'completed', matchCount: IDS.length / 2, ...charged(LIMIT, IDS.length / 2) },
      progress: { candidates: IDS.length, screened: IDS.length, reviewed: IDS.length, confirmed: IDS.length / 2 },
    },
    balance: 5_000 - IDS.length / 2,
    kills: TIMES || 1,
    freezes: TIMES || 1,
    check: async ({ world: { api }, id, about }, { results }) => {
      assert.equal((results as unknown[]).length, IDS.length / 2, about);
      const days = 'select d.screened from ai_screened d join ai_search s on s.team_id = d.team_id where s.id = $1';
      assert.deepEqual(await api.database.query(days, [id]), [{ screened: IDS.length }], about);
      const events = `select from event where type = 'ai_search.settled' and subject_id = $1`;
      assert.equal((await api.database.query(events, [id])).length, 1, about);
    },
  },
};
const IN_A_BUCKET: Record<string, Row> = { 'a snapshot in a bucket': snapshot('ndjson', TIMES || 1, TIMES) };

proveRows(IN_A_FOLDER, async () => {
  const world = await testWorld({ today: TODAY });
  return { world, folder: world.folder, stop: () => world.stop() };
});
proveRows(IN_A_BUCKET, async () => {
  const bucket: BucketServer = await startBucketServer();
  const { url, keyId, secret } = bucket.options;
  const world = await testWorld({ today: TODAY, env: { EXPORT_DIR: url, EXPORT_BUCKET_KEY: `${keyId}:${secret}` } });
  return { world, folder: bucket.folder, stop: () => world.stop().then(() => bucket.stop()) };
});

function proveRows(rows: Record<string, Row>, start: () => Promise<Place & { stop(): Promise<void> }>): void {
  describe(`A worker that is stopped anywhere (seed ${SEED})`, () => {
    const random = new Random(SEED);
    let place: Awaited<ReturnType<typeof start>>;
    let workers: StoppableWorkers;

    before(async () => {
      place = await start();
      const { index, env } = place.world.api;
      const contacts = IDS.slice(0, LOOKED_UP).filter((id) => id % 2 === 0);
      const projects = IDS.map((id) => project(id, { rawText: id % 2 ? POND : NO_POND }));
      await index.load([...projects, ...contacts.map(engineer), restrictionLine(901)], SOURCES);
      workers = new StoppableWorkers(env, `${TODAY}T19:00:00Z`);
    });
    after(async () => {
      workers.killAll();
      await place.stop();
    });

    async function stopAfter(row: Row, allowed: number, settings: Partial<RunnerSettings>): Promise<StoppedWorker<Case>> {
      const { world } = place;
      const key = await world.api.key(row.plan);
      if (row.owned) await world.api.get('/projects/search', { limit: row.owned }, { key });
      return workers.stoppedAfter(allowed, settings, {
        submit: async () => {
          const { status, body } = await row.client(world).submit(row.body, key);
          assert.equal(status, 202, JSON.stringify(body));
          return { ...place, id: body.data.id as string, key, about: `after ${allowed} messages` };
        },
        ended: ({ id }) => row.client(world).settled(id, key),
      });
    }

    async function assertEndedOnce(row: Row, job: Case): Promise<void> {
      const { world, id, key, about } = job;
      const ended = await row.client(world).settled(id, key);
      assert.deepEqual(Object.fromEntries(Object.keys(row.ends).map((name) => [name, ended[name]])), row.ends, about);
      assert.equal(await world.balance(key), row.balance, about);
      await row.check(job, ended);
      assert.deepEqual((await auditLedger(world.api.database)).differences, [], about);
      assert.equal((await world.api.database.query('select from reservation')).length, 0, about);
    }

    /** Ends the lease of a job's first attempt, whenever its row is not locked, until another attempt has ended the job; for so long at most. */
    async function endLease(id: string, longestMs: number): Promise<void> {
      const text = `with held as (select id from job where id = $1 and attempt = 1 and status = 'running' for update skip locked),
          ended as (update job set lease_until = clock_timestamp() where id in (select id from held))
        select settled_at is not null as settled from job where id = $1`;
      for (const until = Date.now() + longestMs; Date.now() < until; await sleep(POLL_MS)) {
        const [job] = await place.world.api.database.query<{ settled: boolean }>(text, [id]);
        if (job?.settled) return;
      }
    }

    /** @returns the status in which the killed worker left the job */
    async function killAndFollow(row: Row, moment: number): Promise<string> {
      const stopped = await stopAfter(row, moment, CALM);
      await workers.kill(stopped);
      const { id, key } = stopped.job;
      const { body } = await row.client(place.world).poll(id, key);
      const next = await place.world.work({}, LASTING);
      await endLease(id, CASE_MS);
      await assertEndedOnce(row, stopped.job);
      await next.stop();
      return body.data.status;
    }

    /** @returns messages of a worker from its start to the end of the job */
    async function countMessages(row: Row): Promise<number> {
      const stopped = await stopAfter(row, Number.POSITIVE_INFINITY, CALM);
      await workers.kill(stopped);
      await assertEndedOnce(row, stopped.job);
      assert.ok(stopped.passed > 20, `${stopped.passed} messages`);
      return stopped.passed;
    }

    /** So many moments, spread over a whole job. */
    const spread = (times: number, messages: number) =>
      Array.from({ length: times }, (_, i) => Math.floor(((i + random.next()) / times) * messages));

    for (const [name, row] of Object.entries(rows)) {
      let messages: number;

      it(`killed at any message of ${name}, is followed by another that ends it and charges it once`, async () => {
        messages = await countMessages(row);
        const statuses: string[] = [];
        let [queued, ended] = [0, messages];
        const killAt = async (moment: number) => {
          const status = await killAndFollow(row, moment);
          statuses.push(status);
          if (status === 'queued') queued = Math.max(queued, moment);
          else if (status !== row.seen) ended = Math.min(ended, moment);
        };
        for (const moment of spread(row.kills, messages)) await killAt(moment);
        while (row.seen && !statuses.includes(row.seen)) {
          assert.ok(ended - queued > 1, statuses.join());
          await killAt(Math.floor((queued + ended) / 2));
        }
      }).timeout((1 + row.kills + SEARCHES_MAX) * CASE_MS);

      if (row.freezes)
        it(`frozen past its lease at any message of ${name}, writes nothing of that attempt when it wakes up`, async () => {
          for (const moment of spread(row.freezes, messages)) {
            const stopped = await stopAfter(row, moment, LASTING);
            stopped.child.kill('SIGSTOP');
            await using _next = await place.world.work({}, LASTING);
            await endLease(stopped.job.id, FREEZE_MS);
            stopped.count.letGo();
            stopped.child.kill('SIGCONT');
            await assertEndedOnce(row, stopped.job);
            await workers.kill(stopped);
          }
        }).timeout((2 + row.freezes) * CASE_MS);
    }
  });
}
