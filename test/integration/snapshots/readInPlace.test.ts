/** DuckDB reads the files of a snapshot where they lie, over HTTP with the key as a bearer secret; of a box it reads the row groups alone. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { answerOnLoopback } from '../../../scripts/lib/loopback.ts';
import { parquetFile } from '../../../src/features/snapshots/parquetFile.ts';
import { recordColumns } from '../../../src/features/snapshots/parquetSchema.ts';
import { groupCounties } from '../../../src/features/snapshots/placeOrder.ts';
import { project, TODAY } from '../../support/fixtures.ts';
import { guides, programOf } from '../../support/guides.ts';
import { places } from '../../support/index.ts';
import { provide } from '../../support/provide.ts';
import { PythonHome } from '../../support/python.ts';
import { Random } from '../../support/random.ts';
import { takeSnapshot } from '../../support/snapshots.ts';
import { testWorld } from '../../support/world.ts';

const READ = `
import duckdb, duckdb_extension_httpfs, json, os, sys

given = json.loads(sys.argv[1])
duck = duckdb.connect()
duck.execute(f"set extension_directory = '{os.getcwd()}/extensions'")
folder = os.path.join(os.path.dirname(duckdb_extension_httpfs.__file__), "extensions", "v" + duckdb.__version__)
duck.execute(f"install '{folder}/httpfs.duckdb_extension'; load httpfs")
found = []
for statement in given:
    try:
        found.append([list(row) for row in duck.execute(statement).fetchall()])
    except duckdb.Error as error:
        found.append(str(error))
print(json.dumps(found, default=str))
`;
const RECORDS = 100_000;
const FEW = 30;

/** A national snapshot as compact Parquet, in the order of snapshots: as many records a county as people in its cities. */
async function makeNational(random: Random): Promise<Buffer> {
  const inhabitants = places.cities.reduce((sum, { population }) => sum + population, 0);
  const byCounty = new Map<string, object[]>();
  let id = 0;
  for (const { countyId, stateId, name, latitude, longitude, population } of places.cities) {
    const records = byCounty.get(String(countyId)) ?? [];
    byCounty.set(String(countyId), records);
    for (let left = (population / inhabitants) * RECORDS; random.next() < left; left--)
      records.push({
        id: ++id,
        recordType: 'project',
        projectName: `${name} ${random.integer(1, 1e9)} ${random.integer(1, 1e9)}`,
        serviceLink: `http://localhost:8080/map?project=${id}`,
        address: `${random.integer(1, 9999)} ${random.integer(1, 1e9)} Street`,
        city: name,
        county: places.county(countyId)?.name,
        state: places.state(stateId)?.abbreviation,
        latitude: latitude + (random.next() - 0.5) / 10,
        longitude: longitude + (random.next() - 0.5) / 10,
        lastUpdated: '2026-11-01T00:00:00Z',
        meetingDate: '2026-10-01',
        status: random.pick(['approved', 'denied', 'pending']),
      });
  }
  const counts = new Map([...byCounty].map(([county, { length }]) => [county, length]));
  const ordered = groupCounties(counts, (county) => places.county(Number(county)), 1000).flat();
  async function* chunks() {
    for (const county of ordered) yield byCounty.get(county ?? '') as never[];
  }
  const parts: Uint8Array[] = [];
  for await (const part of parquetFile(chunks(), recordColumns({ representation: 'compact' }), 1000)) parts.push(part);
  return Buffer.concat(parts);
}

describe('Files of a snapshot, read in place', () => {
  const world = provide(() => testWorld({ today: TODAY, limits: { snapshotFileRecords: FEW / 2, snapshotPageRecords: 25 } }));
  const home = provide(() => PythonHome.makeWithConnectors(world.api.url));
  let key: string;
  before(async () => {
    await world.api.index.load(Array.from({ length: FEW }, (_, i) => project(i + 1, { latitude: 40, longitude: -105.2, acreage: 2 })));
    await world.work();
    key = await world.api.key('national');
    await writeFile(path.join(home.folder, 'read.py'), READ);
  });

  const read = async (...statements: string[]) =>
    JSON.parse((await home.run(path.join(home.folder, 'read.py'), [JSON.stringify(statements)])).stdout);

  it('answer DuckDB with a bearer secret, as the guide shows, and nobody without', async () => {
    const { manifest } = await takeSnapshot(world, { filters: { dateRange: 'all' }, format: 'parquet' }, key);
    assert.equal(manifest.files.length, 2);
    const urls = manifest.files.map(({ url }: { url: string }) => `'${url.replace(/^https?:\/\/[^/]+/, world.api.url)}'`).join(', ');
    const guide = guides.find(({ name }) => name === 'warehouses.md');
    assert(guide);
    const [secret = '', query = ''] = programOf(guide, 'sql').split(/(?<=;)\s+(?=select)/);
    const [, , rows] = await read(
      'select 1',
      secret.replace('YOUR_KEY', key).replaceAll('http://localhost:8080', world.api.url),
      query.replace(/\[[^\]]*\]/, `[${urls}]`),
    );
    assert.deepEqual(rows, [['CO', FEW, 2]]);
    assert.match((await read(`select count(*) from read_parquet([${urls}])`))[0], /40[13]|HTTP/);
  });

  it('of one county’s box are read by at most 5 % of the bytes', async () => {
    const bytes = await makeNational(new Random(7));
    let sent = 0;
    await using server = await answerOnLoopback((request, response) => {
      const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
      const part = from === undefined ? bytes : bytes.subarray(Number(from), Number(to) + 1);
      const range = from === undefined ? {} : { 'Content-Range': `bytes ${from}-${to}/${bytes.length}` };
      response.writeHead(from === undefined ? 200 : 206, { 'Content-Length': part.length, 'Accept-Ranges': 'bytes', ...range });
      if (request.method === 'HEAD') return void response.end();
      sent += part.length;
      response.end(part);
    });
    const file = `'${server.url}/part-00001.parquet'`;
    const shares: number[] = [];
    for (const name of ['Boulder County', 'Travis County', 'Wake County']) {
      const [found] = await read(
        `select min(longitude), max(longitude), min(latitude), max(latitude), count(*) from ${file} where county = '${name}'`,
      );
      const [west, east, south, north, count = 0] = found[0] as number[];
      sent = 0;
      const [rows] = await read(
        `select * from ${file} where bbox.xmax >= ${west} and bbox.xmin <= ${east} and bbox.ymax >= ${south} and bbox.ymin <= ${north}`,
      );
      assert(rows.length >= count && count > 50, `${name}: ${rows.length} of ${count}`);
      shares.push(sent / bytes.length);
    }
    assert(
      shares.every((share) => share > 0 && share <= 0.05),
      `of ${bytes.length} bytes ${shares.map((share) => `${(share * 100).toFixed(1)} %`).join(', ')}`,
    );
  });
});
