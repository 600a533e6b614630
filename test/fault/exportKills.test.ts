/** Workers that die anywhere in the middle of an export: it is finished by another, charged once, and the books add up. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { audit } from '../../src/store/postgres/audit.ts';
import { type ExportWorld, exportWorld } from '../support/exports.ts';
import { TODAY } from '../support/fixtures.ts';
import { projectLine } from '../support/projectLine.ts';

const CHILD = fileURLToPath(new URL('../support/exportChild.ts', import.meta.url));
const RECORDS = 30;
/** About as many steps as an export takes: the last children may finish theirs. */
const STEPS_MAX = 10;
const TEST_MS = 240_000;

describe('A killed worker', () => {
  let world: ExportWorld;
  before(async () => {
    world = await exportWorld({ today: TODAY });
    await world.api.index.load(Array.from({ length: RECORDS }, (_, i) => projectLine(i + 1)));
  });
  after(() => world.stop());

  it('leaves an export, at whichever step it dies, to another one, which charges it once', async function () {
    this.timeout(TEST_MS);
    const keys: { key: string; id: string }[] = [];
    let killed = 0;
    for (let steps = 1; steps <= STEPS_MAX; steps++) {
      const key = await world.api.key('api_only');
      const { body } = await world.post({ filters: { dateRange: 'all' } }, key);
      const { id } = body.data;
      keys.push({ key, id });
      const child = fork(CHILD, [JSON.stringify({ env: world.api.env, now: `${TODAY}T19:00:00Z`, steps })]);
      const exited = once(child, 'exit');
      const outlived = world.done(id, key).then(() => child.kill('SIGKILL'));
      await exited;
      if (child.signalCode === 'SIGKILL' && (await world.poll(id, key)).body.data.status !== 'ready') killed += 1;
      assert.deepEqual((await audit(world.api.database)).differences, []);
      const rescuer = await world.work();
      await outlived;
      await rescuer.stop(0);
    }
    assert.ok(killed >= 5, `${killed} workers died before the end`);
    for (const { key, id } of keys) {
      const { status, creditsCharged, creditsRefunded, rowCount } = await world.done(id, key);
      assert.deepEqual(
        { status, creditsCharged, creditsRefunded, rowCount },
        { status: 'ready', creditsCharged: RECORDS, creditsRefunded: 0, rowCount: RECORDS },
      );
      assert.equal(await world.balance(key), 5_000 - RECORDS);
      const open = await world.api.database.query('select from reservation where job_id = $1', [id]);
      assert.equal(open.length, 0);
    }
    assert.equal((await readdir(world.folder)).filter((name) => name.endsWith('.csv')).length, keys.length, 'one file each');
    assert.deepEqual((await audit(world.api.database)).differences, []);
  });
});
