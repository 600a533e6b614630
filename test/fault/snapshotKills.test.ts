/**
 * Workers that are killed or frozen anywhere in a snapshot: it is built once, charged once, and leaves its whole files alone and clean books.
 * JOB_KILLS says how often; SEED repeats a run.
 */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import type { RunnerSettings } from '../../src/core/jobs/settings.ts';
import { auditLedger } from '../../src/core/ledger/audit.ts';
import { BUCKET_START_MS, type BucketServer, startBucketServer } from '../support/bucketServer.ts';
import { TODAY } from '../support/fixtures.ts';
import { eventually } from '../support/jobs.ts';
import { lengthOf } from '../support/lengths.ts';
import { idsInParquet } from '../support/parquet.ts';
import { projectLine } from '../support/projectLine.ts';
import { Random } from '../support/random.ts';
import { downloadSnapshot } from '../support/snapshots.ts';
import { A_CASE_MS, CALM, StoppableWorkers, type StoppedWorker } from '../support/stoppableWorkers.ts';
import { type TestWorld, testWorld } from '../support/world.ts';

const TIMES = lengthOf('JOB_KILLS');
const SEED = Number(process.env.SEED ?? 20_261_122);
const RECORDS = 30;
/** Held by the pool already, so that an export charges the others. */
const OWNED = 10;
const CREDITS = 5_000;
/** Longer than a build takes that nobody interrupts, on a busy machine too. */
const UNINTERRUPTED_MS = 60_000;

interface Job {
  id: string;
  key: string;
}

interface Proof {
  format: 'ndjson' | 'parquet';
  /** where the files are written */
  into: 'a folder' | 'a bucket';
  kills: number;
  freezes: number;
}

const PROOFS: Proof[] = [
  { format: 'ndjson', into: 'a folder', kills: TIMES || 4, freezes: TIMES || 1 },
  { format: 'parquet', into: 'a folder', kills: TIMES || 4, freezes: TIMES || 1 },
  { format: 'ndjson', into: 'a bucket', kills: TIMES || 2, freezes: TIMES },
];

for (const { format, into, kills, freezes } of PROOFS)
  describe(`A worker in the middle of a snapshot as ${format} in ${into} (seed ${SEED})`, function () {
    this.timeout(BUCKET_START_MS + (kills + freezes) * A_CASE_MS);
    const random = new Random(SEED);
    let world: TestWorld;
    let workers: StoppableWorkers;
    let messages: number;
    let bucket: BucketServer | undefined;

    before(async () => {
      if (into === 'a bucket') bucket = await startBucketServer();
      const { url = '', keyId, secret } = bucket?.options ?? {};
      world = await testWorld({ today: TODAY, ...(bucket ? { env: { EXPORT_DIR: url, EXPORT_BUCKET_KEY: `${keyId}:${secret}` } } : {}) });
      await world.api.index.load(Array.from({ length: RECORDS }, (_, i) => projectLine(i + 1)));
      workers = new StoppableWorkers(world.api.env, `${TODAY}T19:00:00Z`);
      messages = (await uninterrupted()).passed;
      assert.ok(messages > 30, `${messages} messages`);
    });
    after(async () => {
      workers.killAll();
      await world.stop();
      await bucket?.stop();
    });

    async function stoppedAfter(allowed: number, settings: Partial<RunnerSettings>): Promise<StoppedWorker<Job>> {
      const key = await world.api.key('api_only');
      await world.api.get('/projects/search', { limit: OWNED }, { key });
      return workers.stoppedAfter(allowed, settings, {
        submit: async () => ({
          id: (await world.snapshots.submit({ filters: { dateRange: 'all' }, representation: 'full', format }, key)).body.data.id as string,
          key,
        }),
        ended,
      });
    }

    async function uninterrupted(): Promise<StoppedWorker<Job>> {
      const stopped = await stoppedAfter(Number.POSITIVE_INFINITY, { ...CALM, leaseMs: UNINTERRUPTED_MS });
      await workers.kill(stopped);
      await endedOnce(stopped.job, 'without interruption');
      return stopped;
    }

    async function endedOnce({ id, key }: Job, about: string): Promise<void> {
      const { status, recordCount, creditsReserved, creditsCharged, creditsRefunded } = await world.snapshots.settled(id, key);
      const cost = RECORDS - OWNED;
      assert.deepEqual(
        { status, recordCount, creditsReserved, creditsCharged, creditsRefunded },
        { status: 'ready', recordCount: RECORDS, creditsReserved: cost, creditsCharged: cost, creditsRefunded: 0 },
        about,
      );
      assert.equal(await world.balance(key), CREDITS - RECORDS, about);
      assert.deepEqual((await auditLedger(world.api.database)).differences, [], about);
      assert.equal((await world.api.database.query('select from reservation')).length, 0, about);
      const { records, files: bytes } = await downloadSnapshot(world, { id }, key);
      assert.deepEqual(
        format === 'parquet' ? await idsInParquet(bytes) : records.map((record) => record.id),
        Array.from({ length: RECORDS }, (_, i) => i + 1),
        about,
      );
      const files = async () => (await readdir(bucket?.folder ?? world.folder)).filter((name) => name.startsWith(id));
      await eventually(`one file, ${about}`, async () => ((await files()).length === 1 ? true : undefined));
    }

    const ended = ({ id, key }: Job) => world.snapshots.settled(id, key);
    const job = () => ({ messages, stoppedAfter, successor: () => world.work(), ended, endedOnce });

    it('killed at any message to or from its servers, is followed by another that builds and charges it once', async () => {
      const where = new Set<string>();
      await workers.killEach({ times: kills, random }, job(), async ({ id, key }) => {
        where.add((await world.snapshots.poll(id, key)).body.data.status);
      });
      assert.ok(where.has('building'), [...where].join());
    });

    if (freezes)
      it('frozen past its lease at any message, writes nothing of that attempt when it wakes up', async () => {
        await workers.freezeEach({ times: freezes, random }, job());
      });
  });
