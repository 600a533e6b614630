/** Snapshots as Parquet, read by DuckDB: value for value what the same snapshot has as NDJSON. */

import assert from 'node:assert/strict';
import { mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { TODAY } from '../../support/fixtures.ts';
import { newFolder } from '../../support/folder.ts';
import type { Json } from '../../support/json.ts';
import { lengthOf } from '../../support/lengths.ts';
import { pluck } from '../../support/lists.ts';
import { provide } from '../../support/provide.ts';
import { Random } from '../../support/random.ts';
import { randomLine } from '../../support/randomProjects.ts';
import { restrictionLine, SOURCES } from '../../support/restrictionLine.ts';
import { snapshotBytes, type TakenSnapshot, takeSnapshot } from '../../support/snapshots.ts';
import { testWorld } from '../../support/world.ts';

const SEED = Number(process.env.SEED ?? 23);
const RECORDS = 240;
const FILTERS = { dateRange: 'all' };
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const SHOWN = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?(\+00)?$/;

/** A value with its times as milliseconds, as DuckDB and JSON write them differently. */
function timed(value: Json): Json {
  if (typeof value === 'string' && (ISO.test(value) || SHOWN.test(value)))
    return Date.parse(`${value.replace(' ', 'T').replace(/\+00$|Z$/, '')}Z`);
  if (Array.isArray(value)) return value.map(timed);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, timed(one)]));
}

describe('A snapshot as Parquet', () => {
  const world = provide(() => testWorld({ today: TODAY, limits: { snapshotFileRecords: 60, snapshotPageRecords: 20 } }));
  let key: string;
  const folder = newFolder('parquet');
  let duckdb: DuckDBConnection;
  before(async () => {
    const random = new Random(SEED);
    const records = Array.from({ length: RECORDS }, (_, i) => ({ kind: 'project', ...randomLine(random, i + 1, TODAY) }));
    const unplaced = {
      ...{ latitude: null, longitude: null, county: null, effectiveTo: null },
      extensions: [{ on: '2026-10-01', to: '2027-08-01' }],
    };
    await world.api.index.load([...records, restrictionLine(901), restrictionLine(902, unplaced)], SOURCES);
    await world.work();
    key = await world.api.key('national');
    duckdb = await (await DuckDBInstance.create(':memory:')).connect();
    await duckdb.run("set timezone = 'UTC'");
  });
  after(() => duckdb.closeSync());

  /** Downloads the files into a folder of their own. @returns the pattern that names them */
  async function saved({ manifest }: TakenSnapshot): Promise<string> {
    const own = await mkdtemp(path.join(folder, 'files-'));
    for (const { name, url, sizeBytes } of manifest.files) {
      const { status, headers, bytes } = await snapshotBytes(world, url, key);
      assert.deepEqual(
        [status, headers.get('content-type'), headers.get('content-encoding'), bytes.length],
        [200, 'application/vnd.apache.parquet', null, sizeBytes],
      );
      assert.match(name, /^part-0000\d\.parquet$/);
      await writeFile(path.join(own, name), bytes);
    }
    return path.join(own, '*.parquet');
  }

  const rowsOf = async (sql: string): Promise<Json[]> => (await duckdb.runAndReadAll(sql)).getRowObjectsJson();

  for (const representation of ['compact', 'full', 'standard'].slice(0, lengthOf('PARQUET_REPRESENTATIONS')))
    it(`holds every value of a ${representation} record, with its type`, async () => {
      const lines = await takeSnapshot(world, { filters: FILTERS, representation }, key);
      const parquet = await takeSnapshot(world, { filters: FILTERS, representation, format: 'parquet' }, key);
      assert.deepEqual(
        [parquet.snapshot.format, parquet.snapshot.compression, parquet.snapshot.recordCount],
        ['parquet', null, lines.records.length],
      );
      assert(lines.records.length > 150);
      const files = await saved(parquet);
      const rows = await rowsOf(
        `select to_json(r)::varchar as r from (select * exclude (geometry, bbox) from '${files}') as r order by r.id`,
      );
      const read = rows.map(({ r }) => timed(JSON.parse(r)));
      for (const [i, { delivery: _, ...record }] of lines.records.entries()) {
        const { delivery, ...found } = read[i];
        assert.deepEqual(found, timed(record), String(record.id));
        assert.deepEqual([delivery.alreadyExported, delivery.billed], [true, false]);
      }
      const types = await rowsOf(
        `describe select id, latitude, lastUpdated, meetingDate, inFemaFloodZone, landUses from '${files}'`.replace('acreage', 'latitude'),
      );
      assert.deepEqual(pluck(types.slice(0, 5), 'column_type'), ['BIGINT', 'DOUBLE', 'TIMESTAMP WITH TIME ZONE', 'DATE', 'BOOLEAN']);
      assert.match(types.at(-1)?.column_type, /^STRUCT\(.*matchedOn VARCHAR\[\]\)\[\]$/);
    });

  it('has the restrictions in a file of their own, with their types and points', async () => {
    const { restrictions } = (await takeSnapshot(world, { filters: FILTERS, format: 'parquet' }, key)).manifest;
    assert.equal(restrictions.name, 'restrictions.parquet');
    const file = path.join(folder, restrictions.name);
    await writeFile(file, (await snapshotBytes(world, restrictions.url, key)).bytes);
    const rows = await rowsOf(`select to_json(r)::varchar as r from (select * exclude (geometry, bbox) from '${file}') as r order by r.id`);
    const { data } = (await world.api.get('/restrictions', {}, { key })).body;
    assert.deepEqual(
      rows.map(({ r }) => timed(JSON.parse(r))),
      [...data].sort((a: Json, b: Json) => a.id - b.id).map(timed),
    );
    const [types] = await rowsOf(
      `select typeof(adoptedOn) as adopted, typeof(lastUpdated) as updated, typeof(place.stateId) as state from '${file}'`,
    );
    assert.deepEqual(types, { adopted: 'DATE', updated: 'TIMESTAMP WITH TIME ZONE', state: 'BIGINT' });
    assert.deepEqual(pluck(await rowsOf(`select geometry is null as without from '${file}' order by id`), 'without'), [false, true]);
  });

  it('has its points as WKB with their boxes, says so in its metadata, and has the records of a county together', async () => {
    const parquet = await takeSnapshot(world, { filters: FILTERS, representation: 'standard', format: 'parquet' }, key);
    const files = await saved(parquet);
    const [{ value }] = await rowsOf(`select decode(value) as value from parquet_kv_metadata('${files}') limit 1`);
    const { version, primary_column, columns } = JSON.parse(value);
    assert.deepEqual([version, primary_column, columns.geometry.encoding], ['1.1.0', 'geometry', 'WKB']);
    const [placed] = await rowsOf(
      `select count(*) as wrong from '${files}' where (geometry is null) <> (latitude is null or longitude is null)`,
    );
    assert.equal(Number(placed.wrong), 0);
    const [boxed] = await rowsOf(
      `select count(*) as wrong from '${files}' where coalesce(bbox.xmin, 999) <> coalesce(longitude, 999) or coalesce(bbox.ymax, 999) <> coalesce(latitude, 999)
       or bbox.xmin <> bbox.xmax or bbox.ymin <> bbox.ymax`,
    );
    assert.equal(Number(boxed.wrong), 0);
    assert.deepEqual(columns.geometry.covering.bbox.ymax, ['bbox', 'ymax']);
    const { manifest } = parquet;
    assert(manifest.files.length > 1);
    const rows = await rowsOf(
      `select countyId from read_parquet('${files}', filename = true, file_row_number = true) order by filename, file_row_number`,
    );
    const order = [...new Set(pluck(rows, 'countyId'))] as string[];
    const runs = rows.filter(({ countyId }, i) => countyId !== rows[i - 1]?.countyId);
    assert.equal(runs.length, order.length, 'the records of a county stand together');
    const stats = await rowsOf(
      `select row_group_id as at, max(try_cast(stats_max_value as double)) filter (path_in_schema = 'bbox, xmax') - min(try_cast(stats_min_value as double)) filter (path_in_schema = 'bbox, xmin') as width
       from parquet_metadata('${files}') group by file_name, row_group_id`,
    );
    assert(
      stats.length > manifest.files.length && stats.every(({ width }) => typeof width === 'number' || width === null),
      JSON.stringify(stats),
    );
    assert(stats.some(({ width }) => width !== null));
    const goesOn = await world.api.get('/projects/sync', { ...FILTERS, representation: 'standard', cursor: manifest.sync.cursor }, { key });
    assert.deepEqual([goesOn.status, goesOn.body.data, goesOn.body.meta.sync.hasMore], [200, [], false]);
  });

  it('has the native type of geometries as GeoParquet 2.0, and the same points', async () => {
    const native = await takeSnapshot(world, { filters: FILTERS, format: 'parquet', geoparquet: '2.0' }, key);
    assert.equal(native.snapshot.geoparquet, '2.0');
    const files = await saved(native);
    const [{ value }] = await rowsOf(`select decode(value) as value from parquet_kv_metadata('${files}') limit 1`);
    assert.equal(JSON.parse(value).version, '2.0.0');
    const [{ logical }] = await rowsOf(`select distinct logical_type as logical from parquet_schema('${files}') where name = 'geometry'`);
    assert.match(String(logical), /geometry/i);
    const [{ wrong, placed }] = await rowsOf(
      `select count(geometry) as placed, count(*) filter ((geometry is null) <> (latitude is null or longitude is null)) as wrong from '${files}'`,
    );
    assert(Number(placed) > 0 && Number(wrong) === 0);
    const refused = await world.api.post('/snapshots', { filters: FILTERS, geoparquet: '2.0' }, { key });
    assert.deepEqual([refused.status, refused.body.error.param], [400, 'geoparquet']);
  });
});
