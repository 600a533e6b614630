/** What others read of a snapshot as Parquet: DuckDB, pandas with pyarrow, GeoPandas, each by the lines of the guide; and the pipeline of dlt that it shows. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { project, TODAY } from '../../support/fixtures.ts';
import { guides, programOf } from '../../support/guides.ts';
import { provide } from '../../support/provide.ts';
import { PythonHome } from '../../support/python.ts';
import { snapshotBytes, takeSnapshot } from '../../support/snapshots.ts';
import { testWorld } from '../../support/world.ts';

const RECORDS = 60;
const AUSTIN = { state: 'TX', county: 'Travis County', city: 'Austin', latitude: 30.27, longitude: -97.74 };
const DENVER = { latitude: 39.74, longitude: -104.98 };

const READ = `
import geopandas, json, pyarrow.parquet as pq, sys

_, file = sys.argv
table = pq.read_table(file)
metadata = pq.ParquetFile(file).metadata
def latitudes(group):
    columns = [metadata.row_group(group).column(i) for i in range(metadata.num_columns)]
    (one,) = [column for column in columns if column.path_in_schema == "latitude"]
    return one.statistics
groups = range(metadata.num_row_groups)
inside = [group for group in groups if latitudes(group).has_min_max and latitudes(group).max >= 39 and latitudes(group).min <= 41]
box = pq.read_table(file, columns=["id"], filters=[("latitude", ">=", 39), ("latitude", "<=", 41)])
frame = geopandas.read_parquet(file)
points = {int(id): None if point is None else [point.x, point.y] for id, point in zip(frame["id"], frame.geometry)}
print(json.dumps({
    "rows": table.num_rows, "types": {name: str(table.schema.field(name).type) for name in ("id", "acreage", "lastUpdated", "meetingDate", "inFemaFloodZone")},
    "uses": [use["type"] for use in table.column("landUses").to_pylist()[0] or []], "nested": str(table.schema.field("landUses").type),
    "groups": len(groups), "inside": len(inside), "box": box.num_rows, "crs": frame.crs.to_epsg() or str(frame.crs), "points": points,
}))
`;

describe('Readers of a snapshot as Parquet', () => {
  const world = provide(() => testWorld({ today: TODAY, limits: { snapshotPageRecords: 10 } }));
  const home = provide(() => PythonHome.makeWithConnectors(world.api.url));
  let key: string;
  const guide = guides.find(({ name }) => name === 'connectors.md');
  assert(guide);
  before(async () => {
    await world.api.index.load([
      ...Array.from({ length: RECORDS / 2 }, (_, i) => project(i + 1, { ...DENVER, acreage: 2 })),
      ...Array.from({ length: RECORDS / 2 - 1 }, (_, i) => project(100 + i, AUSTIN)),
      project(200, { ...AUSTIN, latitude: null, longitude: null }),
    ]);
    await world.work();
    key = await world.api.key('national');
    const { manifest } = await takeSnapshot(world, { filters: { dateRange: 'all' }, format: 'parquet' }, key);
    assert.equal(manifest.files.length, 1);
    for (const { name, url } of manifest.files) await writeFile(path.join(home.folder, name), (await snapshotBytes(world, url, key)).bytes);
  });

  it('do what the guide shows: pandas, pyarrow and GeoPandas, with every row, type and point, passing over groups of other places', async () => {
    const program = path.join(home.folder, 'readers.py');
    await writeFile(program, `${programOf(guide, 'py')}\n${READ}`);
    const lines = (await home.run(program, [path.join(home.folder, 'part-00001.parquet')])).stdout.trim().split('\n');
    const read = JSON.parse(lines.pop() ?? '');
    assert.match(lines.join('\n'), new RegExp(`^${RECORDS} (large_)?list<.*\\n(4326|None) ${RECORDS - 1} \\[`));
    assert.equal(read.rows, RECORDS);
    assert.deepEqual(read.types, {
      id: 'int64',
      acreage: 'double',
      lastUpdated: 'timestamp[ms, tz=UTC]',
      meetingDate: 'date32[day]',
      inFemaFloodZone: 'bool',
    });
    assert.match(read.nested, /^(large_)?list<.*struct<type: (large_)?string/);
    assert.deepEqual(read.uses, ['residential']);
    assert.equal(read.box, RECORDS / 2);
    assert(read.groups > read.inside && read.inside > 0, `${read.inside} of ${read.groups} groups`);
    assert.match(String(read.crs), /4326|CRS84/);
    assert.deepEqual(
      [read.points[1], read.points[100], read.points[200]],
      [[DENVER.longitude, DENVER.latitude], [AUSTIN.longitude, AUSTIN.latitude], null],
    );
    assert.equal(Object.keys(read.points).length, RECORDS);
  });

  it('do what the guide shows: DuckDB', async () => {
    const duckdb = await (await DuckDBInstance.create(':memory:')).connect();
    const sql = programOf(guide, 'sql').replace('part-*', `${home.folder}/part-*`);
    const rows = (await duckdb.runAndReadAll(sql)).getRowObjectsJson();
    duckdb.closeSync();
    assert.deepEqual(
      rows.map(({ projects, acres }) => [Number(projects), acres]),
      [[RECORDS / 2, 2]],
    );
  });

  it('do what the guide shows: dlt', async () => {
    const program = path.join(home.folder, 'pipeline.py');
    const count = 'with pipeline.sql_client() as client:\n    print(client.execute_sql("select count(*), max(acreage) from projects"))\n';
    await writeFile(program, `${programOf(guide, 'python')}\n${count}`);
    const env = { LANDUSE_KEY: key, LANDUSE_URL: world.api.url };
    const { stdout } = await home.run(program, [], env);
    assert.match(stdout, new RegExp(`\\[\\(${RECORDS / 2}, 2\\.0\\)\\]`), stdout);
  });
});
