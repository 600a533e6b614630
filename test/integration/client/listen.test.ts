/** `landuse webhooks listen`: messages as they come, and a receiver on this machine. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { Webhook } from 'standardwebhooks';
import { csvExports } from '../../../src/features/exports/index.ts';
import { recordEvent } from '../../../src/features/webhooks/index.ts';
import { eventually } from '../../support/jobs.ts';
import { landuseMain } from '../../support/landuseProcess.ts';
import { bareEnvironment, outputOf } from '../../support/programs.ts';
import { FOR_WEBHOOKS, provideWorld } from '../../support/world.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

describe('webhooks listen', () => {
  const world = provideWorld(FOR_WEBHOOKS);
  const children: ChildProcess[] = [];
  after(() => {
    for (const child of children) child.kill('SIGKILL');
  });

  function landuse(key: string, ...args: string[]) {
    const env = { ...bareEnvironment, LANDUSE_URL: world.api.url, LANDUSE_KEY: key };
    const child = spawn(process.execPath, [landuseMain, 'webhooks', 'listen', ...args], { env });
    children.push(child);
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    return { child, heard: outputOf(child), ended };
  }

  const happen = (teamId: number, subjectId: string, type = 'export.ready') =>
    world.api.database.transaction((tx) => recordEvent(tx, csvExports.events ?? [], { teamId, type, subjectId }));

  it('prints what comes from now on, a line each, hands it signed to a receiver, and stops by a signal', async () => {
    const { owner, teamId } = await world.team();
    await happen(teamId, 'exp_before');
    const receiver = await world.startReceiver();
    const { child, heard, ended } = landuse(owner, '--types', 'export.ready', '--forward', receiver.url, '--secret', SECRET);
    await eventually('the listener', async () => /Listening/.test(heard.stderr) || undefined);
    await happen(teamId, 'exp_one');
    await happen(teamId, 'exp_other', 'export.failed');
    await happen(teamId, 'exp_Doña Ana 🏗');
    await eventually('both messages', async () => receiver.got.length === 2 || undefined, 30_000);
    child.kill('SIGINT');
    assert.equal(await ended, 2);
    const lines = heard.stdout.trim().split('\n');
    const printed = lines.map((line) => JSON.parse(line));
    assert.equal(printed.map(({ data }) => data.id).join(), 'exp_one,exp_Doña Ana 🏗');
    for (const [i, { id, ...message }] of printed.entries()) {
      const got = receiver.got[i];
      assert.equal(got?.body, JSON.stringify(message));
      assert.equal(got?.headers['webhook-id'], id);
      assert.deepEqual(new Webhook(SECRET).verify(got?.body ?? '', got?.headers ?? {}), message);
    }
    assert.match(heard.stderr, /msg_\w+ export\.ready → 204/);
    assert.doesNotMatch(heard.stderr, /\n\s+at /);
  });

  it('goes on from a cursor, and hands nothing to another machine', async () => {
    const { owner, teamId } = await world.team();
    const start = (await world.send('GET', '/events', undefined, owner)).body.meta.cursor;
    await happen(teamId, 'exp_one');
    const { child, heard, ended } = landuse(owner, '--after', String(start));
    await eventually('the message', async () => /exp_one/.test(heard.stdout) || undefined, 30_000);
    child.kill('SIGTERM');
    assert.equal(await ended, 2);
    const foreign = landuse(owner, '--forward', 'http://hooks.example.com/');
    assert.equal(await foreign.ended, 1);
    assert.match(foreign.heard.stderr, /--forward takes an address of this machine/);
  });
});
