/** GDAL, which QGIS and GeoPandas read by as well, walks the features of the service page by page. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import type http from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { FIELDS_OF } from '../../../src/core/domain/record/schemas.ts';
import { project, TODAY } from '../../support/fixtures.ts';
import { HttpProxy } from '../../support/httpProxy.ts';
import { provide } from '../../support/provide.ts';
import { PythonHome } from '../../support/python.ts';
import { testService } from '../../support/service.ts';

const BOULDER = { latitude: 40.015, longitude: -105.27 };
const AUSTIN = { state: 'TX', county: 'Travis County', city: 'Austin', latitude: 30.27, longitude: -97.74 };
const PROJECTS = 230;
const ACRES = 2;
/** Ids above 2^31, of which the last is the largest, on a page behind 231 small ones. */
const LARGE = [2_147_483_648, 880_000_000_000, 9_007_199_254_740_991];
const BOISE = { state: 'ID', county: 'Ada County', city: 'Boise', latitude: 43.6, longitude: -116.2 };

const SCRIPT = `
import json, os
import pyogrio

given = json.loads(os.environ["GIVEN"])
pyogrio.set_gdal_config_options({
    "GDAL_HTTP_PROXY": given["proxy"], "GDAL_HTTP_AUTH": "BEARER", "GDAL_HTTP_BEARER": given["key"], "GDAL_HTTP_MAX_RETRY": 0,
})
try:
    meta, index, shapes, columns = pyogrio.raw.read("OAPIF:http://landuse.test/ogc" + given["query"], layer="projects", bbox=given["bbox"] and tuple(given["bbox"]))
    names = list(meta["fields"])
    print(json.dumps({
        "ids": [int(id) for id in columns[names.index("id")]],
        "acres": [None if acres != acres else float(acres) for acres in columns[names.index("acreage")]] if "acreage" in names else [],
        "placed": sum(shape is not None for shape in shapes),
        "fields": names,
        "crs": meta["crs"],
    }))
except pyogrio.errors.DataSourceError as error:
    print(json.dumps({"error": str(error)}))
`;

/** Passes on what is asked of the public address, which is no address of this machine. */
class PublicAddress extends HttpProxy {
  protected override forward(request: http.IncomingMessage, response: http.ServerResponse): void {
    const { pathname, search } = new URL(request.url ?? '/', 'http://landuse.test');
    request.url = `${pathname}${search}`;
    super.forward(request, response);
  }
}

interface Read {
  ids: number[];
  acres: number[];
  placed: number;
  fields: string[];
  crs: string;
  error?: string;
}

describe('GDAL', () => {
  const api = provide(() => testService({ today: TODAY }));
  const python = provide(() => PythonHome.make(api.url));
  let proxy: HttpProxy;
  const asked: string[] = [];
  before(async () => {
    await api.index.load([
      ...Array.from({ length: PROJECTS }, (_, i) => project(i + 1, { ...BOULDER, latitude: 39 + i / PROJECTS, acreage: ACRES })),
      project(PROJECTS + 1, AUSTIN),
      project(PROJECTS + 2, { latitude: null, longitude: null }),
    ]);
    await api.index.load(
      LARGE.map((id) => project(id, { ...BOISE, acreage: 2.75 })),
      { mode: 'increment' },
    );
    proxy = new PublicAddress(api.url, ({ path: address, status, headers, body }, response) => {
      asked.push(address);
      response.writeHead(status, headers).end(body);
    });
  });
  after(() => proxy?.stop());

  let address: string | undefined;
  async function read({ query = '', bbox = null as number[] | null, key = '' }): Promise<Read> {
    address ??= await proxy.start();
    const file = path.join(python.folder, 'read.py');
    await writeFile(file, SCRIPT);
    const given = { proxy: address, key: key || (await api.usualKey()), query, bbox };
    return JSON.parse((await python.runWithPandas(file, { GIVEN: JSON.stringify(given) })).stdout);
  }
  const sorted = (ids: readonly number[]) => [...ids].sort((a, b) => a - b);
  const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

  it('reads every feature of every page once, with its point', async () => {
    asked.length = 0;
    const { ids, placed, fields, crs } = await read({});
    assert.deepEqual(sorted(ids), [...numbers(1, PROJECTS + 1), ...LARGE]);
    assert.equal(placed, PROJECTS + 1 + LARGE.length);
    assert.match(crs, /4326|CRS84/);
    for (const name of ['id', 'projectName', 'status', 'meetingDate']) assert(fields.includes(name), fields.join());
    assert(
      asked.some((address) => address.includes('cursor=')),
      asked.join('\n'),
    );
  });

  it('reads numbers of later pages as they are: ids above 2^31, decimals behind whole numbers', async () => {
    const { ids, acres } = await read({});
    for (const id of LARGE) assert.equal(acres[ids.indexOf(id)], 2.75, `the acreage of ${id}`);
    assert.equal(acres[ids.indexOf(1)], ACRES);
  });

  it('of Debian reads the same ids, small and large', async function () {
    if (spawnSync('ogrinfo', ['--version']).error) this.skip();
    address ??= await proxy.start();
    const env = { ...process.env, GDAL_HTTP_PROXY: address, GDAL_HTTP_USERPWD: `gis:${await api.usualKey()}` };
    const { stdout } = await promisify(execFile)(
      'ogrinfo',
      ['-ro', '-al', 'OAPIF:http://landuse.test/ogc?representation=compact', 'projects'],
      { env, maxBuffer: 1e8 },
    );
    const ids = [...stdout.matchAll(/^ {2}id \(\w+\) = (\S+)/gm)].map(([, id]) => Number(id));
    const printed = LARGE.map((id) => Number(id.toPrecision(15))); // as ogrinfo prints numbers
    assert.deepEqual(sorted(ids), [...numbers(1, PROJECTS + 1), ...printed]);
  });

  it('reads a box, and what filters in the address leave', async () => {
    assert.deepEqual((await read({ bbox: [-98, 30, -97, 31] })).ids, [PROJECTS + 1]);
    assert.deepEqual((await read({ query: '?states=TX&representation=compact' })).ids, [PROJECTS + 1]);
  });

  it('is given a schema with the fields that a request asks for, derived among them only by name', async () => {
    const headers = { Authorization: `Bearer ${await api.usualKey()}` };
    const ask = async <T>(path: string) => (await fetch(`${api.url}${path}`, { headers })).json() as Promise<T>;
    for (const [query, fields] of [
      ['?representation=compact', FIELDS_OF.compact],
      ['?representation=full', FIELDS_OF.full],
      ['?representation=full&include=derived', [...FIELDS_OF.full, 'derived']],
    ] as const) {
      const { links } = await ask<{ links: { rel: string; href: string }[] }>(`/ogc/collections/projects${query}`);
      const { pathname, search } = new URL(links.find(({ rel }) => rel === 'describedby')?.href ?? '');
      const schema = await ask<{ properties: { properties: { properties: object } } }>(`${pathname}${search}`);
      assert.deepEqual(Object.keys(schema.properties.properties.properties), fields, query);
    }
  });

  it('says that a key is wrong', async () => {
    assert.match((await read({ key: 'svc_live_wrong' })).error ?? '', /401|key/i);
  });
});
