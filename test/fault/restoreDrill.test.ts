/**
 * The worst day, drilled: a backup is taken under load, then Postgres, Redis, Elasticsearch and all files are wiped. What is restored, and built
 * again, is the moment of the backup, row for row and answer for answer; copies kept by sync go on. `npm run drill` does it long, with 1,000
 * answers; SEED repeats a run.
 */
import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { auditLedger } from '../../src/core/ledger/audit.ts';
import { takeBackup } from '../../src/operate/backup/takeBackup.ts';
import { command, digests, placeOf, QUIETLY, sourcesOf } from '../support/backups.ts';
import { Copy } from '../support/copies.ts';
import { runSql } from '../support/database.ts';
import { type Acknowledged, type DrillLoad, startLoad } from '../support/drillLoad.ts';
import { newFolder } from '../support/folder.ts';
import { runIngest } from '../support/ingest.ts';
import { eventually } from '../support/jobs.ts';
import { lengthOf } from '../support/lengths.ts';
import { projectLine } from '../support/projectLine.ts';
import { Random } from '../support/random.ts';
import { testRedis } from '../support/redis.ts';
import { bodyOf, type TestProcess } from '../support/service.ts';
import { type TestWorld, testWorld } from '../support/world.ts';

const SEED = Number(process.env.SEED ?? 20_261_122);
const RECORDS = lengthOf('DRILL_RECORDS');
const ANSWERS = lengthOf('DRILL_ANSWERS');
const LOAD_MS = lengthOf('DRILL_LOAD_MS');
const TEAMS = 2;
const ALL = { dateRange: 'all' };
const INCREMENT = { mode: 'increment' } as const;

type Ask = [path: string, parameters: Record<string, unknown>];
type Getter = Pick<TestProcess, 'get'>;

const lineOf = (id: number) => projectLine(id, { acreage: id % 10 });

/** Reads without a price: the same question has the same answer before the loss and after it. */
function asks(random: Random): Ask[] {
  return Array.from({ length: ANSWERS }, (_, i): Ask => {
    if (i % 4 === 0) return ['/projects/count', { ...ALL, acreageMin: random.integer(0, 9) }];
    if (i % 4 === 1) return ['/projects/search', { ...ALL, limit: 20, offset: random.integer(0, RECORDS - 20) }];
    return [`/projects/${random.integer(1, RECORDS)}`, {}];
  });
}

/** When a team was last given a record is asked of the rows. */
const withoutDeliveries = (data: unknown) => JSON.parse(JSON.stringify(data, (name, value) => (name === 'delivery' ? undefined : value)));

async function answersTo(process: Getter, key: string, questions: readonly Ask[]): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const [where, parameters] of questions) {
    const body = bodyOf(await process.get(where, parameters, { key }));
    answers.push(withoutDeliveries(body.data));
  }
  return answers;
}

const seconds = (count: number) => `${count.toFixed(1)} s`;
/** Below the title of the test. */
const report = (lines: readonly string[]) => console.error(lines.map((line) => `      ${line}`).join('\n'));

/** Copies kept by sync through the loss: one that was last fetched before the backup, and one that was fetched after it. */
class DrilledCopies {
  readonly #world: TestWorld;
  readonly #early: Copy;
  readonly #late: Copy;

  constructor(world: TestWorld, key: string) {
    this.#world = world;
    this.#early = new Copy(world.api, key);
    this.#late = new Copy(world.api, key);
  }

  /** Before the backup the index changes under the copies; what is served then is each of the records once. */
  async begin(): Promise<void> {
    const { index } = this.#world.api;
    await index.load([lineOf(RECORDS + 1)], INCREMENT);
    await this.#early.catchUp();
    await index.load([projectLine(1, { acreage: 5 }), { kind: 'project', id: RECORDS + 1, deleted: true }], INCREMENT);
  }

  /** After it again, which is lost with everything else, and so is what the copy was charged for that. */
  async goOnAfterBackup(): Promise<void> {
    await this.#world.api.index.load([projectLine(2, { acreage: 6 })], INCREMENT);
    await this.#late.catchUp();
  }

  /** What was seen before goes on; what was seen of lost loads is refused, begins again, and costs nothing again. */
  async endEqual(process: Getter): Promise<void> {
    this.#early.process = process;
    const charged = this.#early.credits;
    await this.#early.assertEqualToIndex();
    assert.deepEqual([charged, this.#early.credits], [RECORDS + 1, RECORDS + 2], 'the revision that it had not seen');
    assert.equal(this.#early.records.has(RECORDS + 1), false);
    this.#late.process = process;
    const { status, body } = await this.#late.ask();
    assert.deepEqual([status, body.error?.code], [400, 'invalid_cursor']);
    const again = this.#late.startAgain();
    await again.assertEqualToIndex();
    assert.equal(again.credits, 0, 'the pool holds all of it');
  }
}

describe('A service that lost its servers', function () {
  this.timeout(120_000 + 10 * LOAD_MS + 100 * ANSWERS);
  let world: TestWorld;
  let load: DrillLoad;
  const folder = newFolder('drill');
  before(async () => {
    world = await testWorld();
    await world.api.index.keep();
    await world.api.index.load(Array.from({ length: RECORDS }, (_, i) => lineOf(i + 1)));
  });
  after(async () => {
    await load?.stop();
    await world.stop();
  });

  const rows = () => digests((text, values) => world.api.database.query(text, values), world.api.config.databaseSchema);

  async function wipe(): Promise<void> {
    const { databaseUrl, databaseSchema: schema } = world.api.config;
    await runSql(databaseUrl, `drop schema "${schema}" cascade`);
    for (const lost of [world.folder, await world.api.index.keptFolder()])
      for (const file of readdirSync(lost)) rmSync(path.join(lost, file));
    await world.api.index.dropIndices();
    await using redis = await testRedis();
    const names = await redis.redis.keys(`${world.api.config.redisPrefix}*`);
    if (names.length) await redis.redis.del(...names);
  }

  /** What was acknowledged before the backup began is there, and what was asked for after it is not. */
  async function keptAsAcknowledged(
    process: Getter,
    of: readonly Acknowledged[],
    began: number,
    ended: number,
  ): Promise<[kept: number, gone: number]> {
    const counted: [number, number] = [0, 0];
    for (const { kind, id, key, asked, answered } of of) {
      const expected = answered < began ? 200 : asked > ended ? 404 : undefined;
      const { status } = await process.get(`/${kind}s/${id}`, {}, { key });
      if (expected !== undefined) assert.equal(status, expected, `${kind} ${id}, ${answered - began} ms after the backup began`);
      counted[status === 200 ? 0 : 1]++;
    }
    return counted;
  }

  it('is back at the moment of its backup: rows, balances, keys, alerts, jobs and answers, and copies go on', async () => {
    const { api } = world;
    const keys = await Promise.all(Array.from({ length: TEAMS }, () => api.key('api_only')));
    const free = await api.key('national');
    const copies = new DrilledCopies(world, await api.key('api_only', undefined, { monthlyCredits: 100 * RECORDS }));
    await copies.begin();
    const questions = asks(new Random(SEED));
    const before = await answersTo(api, free, questions);
    const worker = await world.work();
    await world.exports.completed({ projectIds: [1, 2] }, free);
    load = startLoad(world, { records: RECORDS, keys, seed: SEED });
    await sleep(LOAD_MS);
    const kinds = () => [...new Set(load.acknowledged.map(({ kind }) => kind))].sort();
    await eventually('an order of each kind', async () => kinds().length === 3 || undefined);

    let moment: Record<string, string> = {};
    const began = Date.now();
    const onSnapshot = async (snapshot: { query: Parameters<typeof digests>[0] }) => {
      moment = await digests((text, values) => snapshot.query(text, values), api.config.databaseSchema);
    };
    const manifest = await takeBackup(sourcesOf(api), placeOf(folder), { ...QUIETLY, onSnapshot });
    const ended = Date.now();
    assert.deepEqual([...new Set(manifest.files.map(({ kind }) => kind))].sort(), ['export', 'generation']);
    await sleep(LOAD_MS);
    await eventually('an order after it', async () => load.acknowledged.some(({ asked }) => asked > ended) || undefined);
    await load.stop();
    await worker.stop(0);
    assert.notDeepEqual(await rows(), moment, 'the load went on after the backup');
    await copies.goOnAfterBackup();

    assert.deepEqual(kinds(), ['alert', 'export', 'list']);
    assert.equal(load.answers.get(400), undefined, 'the load asks for what there is');
    await wipe();
    const lostAt = Date.now();
    const settings = { ...api.env, GENERATIONS_DIR: await api.index.keptFolder() };
    const restored = await command('restore', settings, '--from', folder);
    assert.equal(restored.code, 0, restored.err);
    assert.deepEqual(await rows(), moment);
    assert.deepEqual([restored.json.outcome, restored.json.audit.differences, restored.json.warnings], ['restored', [], []]);
    assert.match(restored.json.lost.index, /^Elasticsearch serves nothing, .*npm run ingest -- rebuild$/);
    assert.equal(restored.json.files, manifest.files.length);
    const rebuilt = await runIngest(api.index, ['rebuild', '--json']);
    assert.equal(rebuilt.code, 0, rebuilt.stderr);

    await using second = await api.another();
    const downSeconds = (Date.now() - lostAt) / 1_000;
    await booksHold(second, keys);
    const [kept, gone] = await keptAsAcknowledged(second, load.acknowledged, began, ended);
    assert(kept > 0 && gone > 0, `${kept} kept, ${gone} gone`);
    assert.deepEqual(await answersTo(second, free, questions), before);
    await copies.endEqual(second);
    await jobsResume();
    const statuses = [...load.answers].map(([status, count]) => `${count} of ${status}`).join(', ');
    const rowCount = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    report([
      `load: ${load.acknowledged.length} orders; answers: ${statuses}`,
      `backup: ${rowCount} rows and ${manifest.files.length} files under load, in ${seconds((ended - began) / 1_000)}`,
      `restore: in ${seconds(restored.json.seconds)}; index of ${RECORDS} records built again in ${seconds(JSON.parse(rebuilt.stdout).seconds)}`,
      `from the loss to the first answer: ${seconds(downSeconds)}`,
      `${kept} orders kept, ${gone} of after the backup gone; ${questions.length} answers equal, 2 copies equal`,
    ]);
  });

  /** Each process prices by the restored holdings: the one that was started after it, and the one that ran through all of it. */
  async function booksHold(second: Getter, keys: readonly string[]): Promise<void> {
    for (const [i, key] of keys.entries()) {
      const [held] = await world.api.database.query<{ held: number; balance: number }>(
        `select (select count(*) from delivery d where d.team_id = u.team_id)::integer as held, p.balance
         from app_user u join credit_pool p using (team_id) join api_key k on k.user_id = u.id where k.digest = $1`,
        [world.api.keys.hashSecret(key)],
      );
      for (const process of [second, world.api]) {
        const { body } = await process.get('/projects/count', ALL, { key });
        assert.equal(body.data.creditsRequired, RECORDS - (held?.held ?? 0), `team ${i + 1}`);
        assert.equal((await process.get('/account/credits', {}, { key })).body.meta.creditsRemaining, held?.balance);
      }
    }
  }

  /** Whatever was queued or running at the moment of the backup ends as it would have, runs by hand as interrupted; mails wait, since no server for them is set. */
  async function jobsResume(): Promise<void> {
    const open = () => world.api.database.query<{ id: string }>("select id from job where settled_at is null and kind <> 'send_mail'");
    const waiting = await open();
    const worker = await world.work();
    const deadline = Date.now() + 60_000;
    while ((await open()).length && Date.now() < deadline) await sleep(50);
    assert.deepEqual(await open(), []);
    const failed = await world.api.database.query<{ id: string; kind: string; payload: { deliveryId: string } }>(
      "select id, kind, payload, last_failure from job where id = any ($1) and status = 'failed'",
      [waiting.map(({ id }) => id)],
    );
    // A run by hand ends with its request, which was lost with the servers: nobody has its result, and it is noted as interrupted.
    assert.deepEqual(
      failed.filter(({ kind }) => kind !== 'run_alert_now'),
      [],
    );
    const lostRuns = await world.api.database.query<{ status: string; reason: string }>(
      'select status, reason from alert_delivery where id = any ($1)',
      [failed.map(({ payload }) => payload.deliveryId)],
    );
    assert.deepEqual(
      lostRuns,
      failed.map(() => ({ status: 'failed', reason: 'interrupted' })),
    );
    await worker.stop(0);
    assert.deepEqual((await auditLedger(world.api.database)).differences, []);
  }
});
