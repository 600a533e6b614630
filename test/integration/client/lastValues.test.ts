/** What connectors keep of records that changed or went: the Singer tap their last values, the source for dlt every version if asked to. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { project, TODAY } from '../../support/fixtures.ts';
import type { Json } from '../../support/json.ts';
import { provide } from '../../support/provide.ts';
import { PythonHome } from '../../support/python.ts';
import { provideWorld } from '../../support/world.ts';

const VERSIONS = `
import json, sys
import dlt
from landuse_api.dlt import landuse

given = json.loads(sys.argv[1])
pipeline = dlt.pipeline("versions", destination=dlt.destinations.duckdb(given["database"]), dataset_name="history", pipelines_dir=given["folder"])
pipeline.run(landuse({"dateRange": "all"}, api_key=given["key"], base_url=given["url"], snapshot_folder=given["folder"] + "/s", history=True, rebuild=given["rebuild"]))
with pipeline.sql_client() as client:
    rows = client.execute_sql("select id, acreage, _deleted is true, _dlt_valid_to is null from projects order by id, _dlt_valid_from")
print(json.dumps(rows))
`;

describe('connectors keep', () => {
  const world = provideWorld(
    { today: TODAY },
    [1, 2, 3].map((id) => project(id, { acreage: id })),
  );
  const home = provide(() => PythonHome.makeWithConnectors(world.api.url));
  let key: string;
  before(async () => {
    await world.work();
    key = await world.api.key('national');
    await writeFile(path.join(home.folder, 'versions.py'), VERSIONS);
  });

  it('the last values of removed records (Singer), and every version of all (dlt)', async () => {
    const folder = path.join(home.folder, 'kept');
    const config = path.join(home.folder, 'tap.json');
    const state = path.join(home.folder, 'state.json');
    await writeFile(
      config,
      JSON.stringify({ api_key: key, base_url: world.api.url, filters: { dateRange: 'all' }, snapshot_folder: path.join(folder, 'tap') }),
    );
    const tap = async (...more: string[]): Promise<Json[]> => {
      const { stdout } = await home.run(home.program('tap-landuse'), ['--config', config, ...more]);
      return stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    };
    const versions = async (rebuild = false): Promise<Json[]> => {
      const given = { key, url: world.api.url, folder, database: path.join(home.folder, 'kept.duckdb'), rebuild };
      const { stdout } = await home.run(path.join(home.folder, 'versions.py'), [JSON.stringify(given)]);
      return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    };
    const first = await tap();
    await writeFile(state, JSON.stringify(first.findLast(({ type }) => type === 'STATE')?.value));
    assert.deepEqual(await versions(), [
      [1, 1, false, true],
      [2, 2, false, true],
      [3, 3, false, true],
    ]);
    await world.api.index.load([project(3, { acreage: 9 }), { kind: 'project', id: 2, deleted: true }], { mode: 'increment' });
    const records = (await tap('--state', state)).filter(({ type }) => type === 'RECORD').map(({ record }) => record);
    const gone = records.find(({ id }) => id === 2);
    assert.deepEqual([gone.acreage, gone.state, typeof gone._sdc_deleted_at], [2, 'CO', 'string']);
    assert.deepEqual(
      records.filter(({ _sdc_deleted_at: at }) => !at).map(({ id, acreage }) => [id, acreage]),
      [[3, 9]],
    );
    const kept = [
      [1, 1, false, true],
      [2, 2, false, false],
      [2, null, true, true],
      [3, 3, false, false],
      [3, 9, false, true],
    ];
    assert.deepEqual(await versions(), kept);
    assert.deepEqual(await versions(), kept, 'a run without changes adds no version');
    await world.api.index.load([project(3, { acreage: 10 }), { kind: 'project', id: 1, deleted: true }], { mode: 'increment' });
    const rebuilt = [
      [1, 1, false, false],
      [2, 2, false, false],
      [2, null, true, false],
      [3, 3, false, false],
      [3, 9, false, false],
    ];
    assert.deepEqual(await versions(true), [...rebuilt, [3, 10, false, true]], 'a new snapshot ends what it lacks, and loses no version');
    await world.api.index.load([project(4)], { mode: 'increment' });
    assert.deepEqual(
      (await versions()).slice(5).map(([id, , , current]: Json[]) => [id, current]),
      [
        [3, true],
        [4, true],
      ],
    );
  });

  it('what a trial pays for, and say so', async () => {
    const trial = await world.api.key('trial', { stateIds: [8], countyIds: [] });
    await world.api.index.load(
      Array.from({ length: 100 }, (_, i) => project(101 + i)),
      { mode: 'increment' },
    );
    const config = path.join(home.folder, 'trial.json');
    const folder = path.join(home.folder, 'trial');
    await writeFile(
      config,
      JSON.stringify({ api_key: trial, base_url: world.api.url, filters: { dateRange: 'all' }, snapshot_folder: folder }),
    );
    const { stdout, stderr } = await home.run(home.program('tap-landuse'), ['--config', config]);
    assert.equal(stdout.split('\n').filter((line) => line.includes('"RECORD"')).length, 50);
    assert.match(stderr, /The free trial pays for 50 of 10\d matching records/);
  });
});
