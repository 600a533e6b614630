/**
 * Loads that are killed, cut off from Elasticsearch or overtaken: nothing served changes, and the same command then succeeds.
 * `LOAD_KILLS=50 npm test -- test/fault/ingestFaults.test.ts` kills each mode of loading fifty times.
 */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ACCEPT_OPTIONS } from '../../ingest/findings/acceptance.ts';
import type { LoadReport } from '../../ingest/findings/types.ts';
import { loadFile } from '../../ingest/load.ts';
import { LoadRefused } from '../../ingest/loadRefused.ts';
import { activateGeneration } from '../../ingest/publish/activate.ts';
import { showPublication } from '../../ingest/publish/publish.ts';
import { clearDeadLoads } from '../../ingest/publish/repair.ts';
import { type MessageGate, TestProxy } from '../../scripts/lib/proxy.ts';
import { sampleLines } from '../../scripts/sample/generate.ts';
import { Random } from '../../scripts/sample/random.ts';
import { makeElastic } from '../../src/core/store/elastic/client.ts';
import { LoadLockLost, withLoadLock } from '../../src/core/store/postgres/loadLock.ts';
import { runSql } from '../support/database.ts';
import { places, TestIndex } from '../support/index.ts';
import {
  assertSameState,
  killIngestAt,
  runIngest,
  type Served,
  sameState,
  servedProjects,
  servedState,
  startIngest,
} from '../support/ingest.ts';
import { lengthOf } from '../support/lengths.ts';
import { pluck } from '../support/lists.ts';
import { serverUrl } from '../support/servers.ts';
import { MessageCount, stoppingProxy } from '../support/stoppingProxy.ts';

const TODAY = '2026-11-20';
const KILLS = lengthOf('LOAD_KILLS');
/** answers of Elasticsearch that are lost */
const CUTS = 2;
const SAMPLE = { seed: 7, projects: KILLS > 2 ? 400 : 80, today: TODAY, texts: 'short', places } as const;

const withoutHeader = (generation: 1 | 2) => [...sampleLines({ ...SAMPLE, generation })].slice(1);
const project = (id: number, more: Record<string, unknown> = {}) => ({
  kind: 'project',
  id,
  state: 'CO',
  meetingDate: '2026-10-01',
  propertyType: 'residential',
  ...more,
});

describe('Loads that go wrong', () => {
  const open: TestIndex[] = [];
  const newIndex = () => {
    const index = new TestIndex(TODAY);
    open.push(index);
    return index;
  };
  after(async () => {
    for (const index of open) await index.drop();
  });

  describe('killed at any moment', () => {
    const first = withoutHeader(1);
    const second = withoutHeader(2);

    const prepare = async (mode: 'full' | 'increment') => {
      const index = newIndex();
      await index.load(first);
      const file = await index.file(second, { generation: mode === 'full' ? 2 : 1, mode });
      return { index, args: ['load', file, '--activate', ...ACCEPT_OPTIONS], before: await servedState(index) };
    };

    /** Kills the command again and again, at moments spread over the time that it takes, and then lets it finish. */
    const killAndFinish = async (mode: 'full' | 'increment', expected: Served, undisturbedMs: number) => {
      const random = new Random(11, mode);
      let { index, args, before } = await prepare(mode);
      let takesMs = undisturbedMs;
      for (let kills = 0; kills < KILLS; ) {
        const started = performance.now();
        const loader = await startIngest(index, args);
        const moment = sleep(random.int(Math.round(0.4 * takesMs), Math.round(0.95 * takesMs)), 'kill');
        const killed = (await Promise.race([moment, loader.finished])) === 'kill' && loader.kill('SIGKILL');
        const { code } = await loader.finished;
        if (killed && code === null && sameState(await servedState(index), before)) kills += 1;
        else {
          takesMs = performance.now() - started; // quicker than expected: it was committed, and the next ones are killed earlier
          assertSameState(
            await servedState(index, { stamps: false }),
            expected,
            `after kill ${kills + 1}, neither as before nor committed`,
          );
          ({ index, args, before } = await prepare(mode));
        }
      }
      const { code, stderr } = await runIngest(index, args);
      assert.equal(code, 0, stderr);
      assertSameState(await servedState(index, { stamps: false }), expected, 'at the end');
    };

    const test = async (mode: 'full' | 'increment') => {
      const { index, args } = await prepare(mode);
      const started = performance.now();
      const { code, stderr } = await runIngest(index, args);
      assert.equal(code, 0, stderr);
      const takesMs = performance.now() - started;
      await killAndFinish(mode, await servedState(index, { stamps: false }), takesMs);
    };

    it('leave what is served, and can be run again', () => Promise.all([test('full'), test('increment')]));

    const records = Array.from({ length: 12 }, (_, at) => project(at + 1, { county: at < 6 ? 'Boulder' : 'Denver' }));
    const deletions = records.slice(6).map(({ id }) => ({ kind: 'project', id, deleted: true }));
    const moments = [
      ['full', records.slice(0, 6), '"removed":{"max"', 2],
      ['increment', deletions, 'insert into index_commit', 1],
      ['full', records.slice(0, 6), 'insert into index_commit', 1],
      ['increment', deletions, '"removed":{"max"', 2],
    ] as const;
    for (const [mode, lines, message, time] of moments.slice(0, lengthOf('REPORTED_KILLS')))
      it(`(${mode}) between their findings and their commit, at ${message}, leave what is served and its report, and have to be accepted again`, async () => {
        const index = newIndex();
        await index.load(records);
        const file = await index.file(lines, { generation: mode === 'full' ? 2 : 1, mode });
        const load = ['load', file, '--activate'];
        const shown = async () => [await servedState(index), (await runIngest(index, ['report', '--json'])).stdout] as const;
        const before = await shown();
        await killIngestAt(index, [...load, ...ACCEPT_OPTIONS], message, time);
        const { findings } = JSON.parse(await readFile(`${file}.report.json`, 'utf8')) as LoadReport;
        assert.ok(findings.some(({ code, place }) => code === 'place_lost' && place === 'Denver County, CO'));
        assert.deepEqual(await shown(), before);
        const refused = await runIngest(index, load);
        assert.deepEqual([refused.code, /--accept/.test(refused.stderr)], [1, true], refused.stderr);
        assertSameState((await shown())[0], before[0]);
        const { code, stderr } = await runIngest(index, [...load, ...ACCEPT_OPTIONS]);
        assert.equal(code, 0, stderr);
        const stated = [...(await servedProjects(index)).values()].filter(({ uncovered }) => !uncovered);
        assert.deepEqual(pluck(stated, 'id'), [1, 2, 3, 4, 5, 6]);
      });
  });

  describe('whose last writes arrive after they were given up', () => {
    const loaded = async () => {
      const index = newIndex();
      await index.load([project(1, { acreage: 1 }), project(2), project(3)]);
      const set = (await index.store.read()).served ?? assert.fail('nothing is served');
      return { index, set };
    };
    const next = [project(1, { acreage: 2 }), project(4)];
    const increment = { mode: 'increment', generation: 1 } as const;

    it('show nothing of themselves, before and after the next commit', async () => {
      const { index, set } = await loaded();
      const dead = Date.now();
      await index.store.open(set, dead);
      await clearDeadLoads(index.store, TODAY);
      const { client, names } = index;
      const late = async () => {
        const hits = (await client.search({ index: names.indexName('projects', set), query: { term: { key: '1' } } })).hits.hits;
        const source = hits[0]?._source as Record<string, unknown>;
        const target = names.indexName('projects', set);
        await client.index({ index: target, id: `9:${dead}`, document: { ...source, key: '9', id: 9, loadedIn: dead } });
        await client.index({
          index: target,
          id: `2:${set.committed}`,
          document: { ...source, key: '2', id: 2, supersededIn: dead },
          refresh: true,
        });
      };
      await late();
      assert.deepEqual([...(await servedProjects(index)).keys()], [1, 2, 3]);
      await index.load(next, increment);
      assert.deepEqual([...(await servedProjects(index)).keys()], [1, 2, 3, 4]);
      await late();
      assert.deepEqual([...(await servedProjects(index)).keys()], [1, 2, 3, 4]);
      await index.load(next, increment);
      assert.deepEqual([...(await servedProjects(index)).keys()], [1, 2, 3, 4]);
      const left = await client.count({ index: names.indexName('projects', set), query: { term: { loadedIn: dead } } });
      assert.equal(left.count, 0);
    });

    it('are refused where they would replace a version that has moved on, or make an index', async () => {
      const { index, set } = await loaded();
      const { client, names } = index;
      const dead = Date.now();
      await index.store.open(set, dead);
      const read = await client.search({
        index: names.indexName('projects', set),
        query: { term: { key: '1' } },
        seq_no_primary_term: true,
      });
      const hit = read.hits.hits[0] ?? assert.fail();
      await index.load(next, increment);
      const bulk = async (target: string, conditions: object) => {
        const action = { index: { _index: target, _id: hit._id, ...conditions } };
        const { items } = await client.bulk({ operations: [action, hit._source] as never });
        return items[0]?.index?.status;
      };
      const condition = { if_seq_no: hit._seq_no, if_primary_term: hit._primary_term };
      assert.equal(await bulk(names.indexName('projects', set), condition), 409);
      assert.equal(await bulk(names.writeAlias('projects', set, dead), { require_alias: true }), 404);
      const publication = { served: null, previous: null, synced: null };
      const change = { way: 'commit', set, commit: dead, closes: dead } as const;
      const commit = showPublication(index.store, await index.store.read(), { publication, lineage: '', change });
      await assert.rejects(commit, /aliases? .*missing/);
      assert.deepEqual([...(await servedProjects(index)).keys()], [1, 2, 3, 4]);
    });

    it('never get their number back', async () => {
      const { index } = await loaded();
      const numbers: number[] = [];
      for (let turn = 0; turn < 2; turn += 1) {
        await assert.rejects(index.load(['nonsense'], { generation: 2 }), LoadRefused);
        numbers.push((await index.load([project(turn + 10)], increment)).load as number);
      }
      assert.deepEqual(numbers, [...new Set(numbers)].sort());
    });
  });

  describe('cut off', () => {
    /** Whether a message is Elasticsearch's answer to writes, which are then made while the loader does not know it. */
    const answersWrites = (message: string) => message.includes('"items":[');

    it('from Elasticsearch say so, exit with 3 and change nothing', async () => {
      const index = newIndex();
      await index.load(withoutHeader(1));
      const before = await servedState(index);
      const file = await index.file(withoutHeader(2), { generation: 2 });
      const count = new MessageCount(Number.POSITIVE_INFINITY, answersWrites);
      const proxy = await stoppingProxy(index.url, count);
      const loader = await startIngest(index, ['load', file, '--activate', ...ACCEPT_OPTIONS], { ELASTICSEARCH_URL: proxy.url });
      await count.stopped;
      proxy.close();
      const { code, stdout, stderr } = await loader.finished;
      assert.deepEqual([code, stdout], [3, '']);
      // a slow machine shows progress first
      assert.match(stderr, /(^|\n)Elasticsearch cannot be reached \(.*\); is ELASTICSEARCH_URL right and the server up\?\n$/);
      assertSameState(await servedState(index), before);
      assert.equal((await runIngest(index, ['load', file, '--activate', ...ACCEPT_OPTIONS])).code, 0);
    });

    it('from Postgres, which holds their lock, commit nothing', async () => {
      const index = newIndex();
      await index.load([project(1)]);
      const url = serverUrl('DATABASE_URL');
      const key = createHash('sha256').update(`load:${index.prefix}`).digest().readBigInt64BE(0);
      const holder = `select pid from pg_locks where locktype = 'advisory' and ((classid::bigint << 32) | objid::bigint) = ${key}`;
      const file = await index.file([project(2)], { generation: 1, mode: 'increment' });
      const load = withLoadLock(url, index.prefix, async (assertLocked) => {
        await runSql(url, `select pg_terminate_backend(pid) from (${holder}) as holders`);
        await sleep(200);
        await loadFile({ client: index.client, names: index.names, ...index.clock, assertLocked }, file, false);
      });
      await assert.rejects(load, LoadLockLost);
      assert.deepEqual([...(await servedProjects(index)).keys()], [1]);
    });

    it('for a moment go on, and count nothing twice', async () => {
      const index = newIndex();
      let cuts = 0;
      const gate: MessageGate = {
        pass: (deliver, bytes) => {
          if (cuts === CUTS || !answersWrites(bytes.toString('latin1'))) return deliver();
          cuts += 1;
          proxy.cut();
        },
      };
      const proxy = new TestProxy(index.url, 9200, gate);
      await proxy.start();
      const client = makeElastic({ url: proxy.url, timeoutMs: 20_000, retries: CUTS });
      const lines = withoutHeader(1);
      const loading = loadFile({ client, names: index.names, ...index.clock }, await index.file(lines), false);
      const summary = await loading.finally(() => Promise.all([client.close(), proxy.stop()]));
      assert.equal(cuts, CUTS);
      await activateGeneration(index.store, 1, index.clock);
      assert.equal((await servedProjects(index)).size, summary.projects);
      assert.equal(summary.projects, lines.filter((line) => line.kind === 'project').length);
    });
  });
});
