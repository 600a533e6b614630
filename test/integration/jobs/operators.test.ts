/** What an operator has of jobs: the worker's process and the admin commands. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { JobDefinition } from '../../../src/core/jobs/defineJob.ts';
import { FinalJobError } from '../../../src/core/jobs/kind.ts';
import { runHosted } from '../../support/commandHost.ts';
import { countedKind, eventually, jobWorld } from '../../support/jobs.ts';
import { bareEnvironment, outputOf, root } from '../../support/programs.ts';
import { provide } from '../../support/provide.ts';

const SECRET = 'a secret for tests, of more than 32 characters';
/** of a process, on a machine that runs other tests */
const LOADED_WITHIN_MS = 120_000;
const COUNTED = countedKind();

describe('An operator of jobs', () => {
  const world = provide(() => jobWorld());
  let settings: Record<string, string>;
  before(async () => {
    settings = {
      ...bareEnvironment,
      DATABASE_URL: world.db.url,
      DATABASE_SCHEMA: world.db.schema,
      ELASTICSEARCH_URL: 'http://127.0.0.1:1',
      REDIS_URL: 'redis://127.0.0.1:1',
      CURSOR_SECRET: SECRET,
      KEY_PEPPER: SECRET,
    };
  });

  function worker(env: Record<string, string> = {}) {
    const child = spawn(process.execPath, ['scripts/run.mjs', 'src/worker.ts'], { cwd: root, env: { ...settings, ...env } });
    return { child, written: outputOf(child), exited: once(child, 'close').then(([code]) => code as number | null) };
  }

  const admin = (...args: string[]) => runHosted({ file: 'src/operate/admin/main.ts', args: ['jobs', ...args], env: settings });

  it('starts a worker, which says so and ends with 0 on SIGTERM and its echo', async () => {
    const { child, written, exited } = worker();
    const line = eventually('its line', () => written.stdout.includes('Working on') || undefined, LOADED_WITHIN_MS);
    await Promise.race([line, exited.then((code) => assert.fail(`it ended with ${code}: ${written.stderr}`))]);
    child.kill('SIGTERM');
    child.kill('SIGINT');
    assert.equal(await exited, 0, written.stderr);
    assert.equal(written.stderr, '');
  });

  it('reads in one sentence why a worker cannot start', async () => {
    const { written, exited } = worker({ DATABASE_URL: 'postgres://someone:sesame@127.0.0.1:1/none' });
    assert.equal(await exited, 1);
    assert.match(written.stderr, /^[^\n]*DATABASE_URL[^\n]*\n$/);
    assert.doesNotMatch(written.stderr, /sesame/);
  });

  it('lists what failed without payloads, looks into one and runs it again', async () => {
    let broken = true;
    const definition: JobDefinition<unknown> = {
      ...COUNTED,
      concurrency: 1,
      handler: async (_, context) => {
        if (broken) throw new FinalJobError('mailbox_full', 'The mailbox is full.');
        await context.settle(async () => ({ status: 'completed' }));
      },
    };
    await world.worker([definition]);
    const { id } = await world.accept(COUNTED, { note: 'mine alone' });
    await world.settled(id);
    broken = false;

    const listed = await admin('list', '--status', 'failed', '--json');
    assert.equal(listed.code, 0, listed.stderr);
    const [row] = JSON.parse(listed.stdout);
    assert.deepEqual([row.job, row.status, row.attempts], [id, 'failed', '1 of 5']);
    assert.match(row.failure, /The mailbox is full/);
    assert.doesNotMatch(listed.stdout, /mine alone/);
    assert.match((await admin('list', '--status', 'queued')).stdout, /No such jobs/);
    assert.match((await admin('show', id)).stdout, /mine alone/);

    const again = await admin('retry', id);
    assert.deepEqual([again.code, again.stderr], [0, '']);
    assert.equal((await world.settled(id)).status, 'completed');
    const refused = async (wrong: string, words: RegExp) => {
      const { code, stderr } = await admin('retry', wrong);
      assert.equal(code, 1);
      assert.match(stderr, words);
    };
    await refused(id, /ended well/);
    await refused('cnt_0000000000000000000000', /no such job/);
  });
});
