/** A map of the operator's below the map's own layers: a style on another origin, and an archive of tiles at ours. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { inflateSync } from 'node:zlib';
import { fromVectorTileJs, GeoJSONWrapper } from '@maplibre/vt-pbf';
import type { Page } from 'playwright-core';
import { answerOnLoopback, type LoopbackServer } from '../../../scripts/lib/loopback.ts';
import { project, TODAY } from '../../support/fixtures.ts';
import { newFolder } from '../../support/folder.ts';
import { NARROW, provideVisits } from '../../support/pageVisits.ts';
import { type TestProcess, type TestService, testService } from '../../support/service.ts';

const EXTENT = 4096;
const WATER = [211, 226, 233];
const DARK_WATER = [26, 42, 52];

/** Variable-length integers of a PMTiles directory. */
function varints(...values: number[]): Buffer {
  const bytes: number[] = [];
  for (let value of values) {
    for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
    bytes.push(value);
  }
  return Buffer.from(bytes);
}

/** A PMTiles archive (version 3) of one tile, the world, without compression. */
function pmtiles(tile: Uint8Array, metadata: object): Buffer {
  const directory = varints(1, 0, 1, tile.length, 1);
  const words = Buffer.from(JSON.stringify(metadata));
  const header = Buffer.alloc(127);
  header.write('PMTiles\u0003', 'latin1');
  const sections = [directory, words, Buffer.alloc(0), tile];
  let offset = header.length;
  for (const [i, { length }] of sections.entries()) {
    header.writeBigUInt64LE(BigInt(offset), 8 + 16 * i);
    header.writeBigUInt64LE(BigInt(length), 16 + 16 * i);
    offset += length;
  }
  for (const at of [72, 80, 88]) header.writeBigUInt64LE(1n, at);
  const [isClustered, uncompressed, vector] = [1, 1, 1];
  header.set([isClustered, uncompressed, uncompressed, vector, 0, 0], 96);
  for (const [i, degrees] of [-180, -85, 180, 85].entries()) header.writeInt32LE(degrees * 1e7, 102 + 4 * i);
  return Buffer.concat([header, ...sections]);
}

/** A tile that water covers, beyond its edges. */
function waterTile(): Uint8Array {
  const [from, to] = [-64, EXTENT + 64];
  const ring = [
    [from, from],
    [to, from],
    [to, to],
    [from, to],
    [from, from],
  ];
  const layer = new GeoJSONWrapper([{ type: 3, tags: {}, geometry: [ring as [number, number][]] }], { version: 2, extent: EXTENT });
  return fromVectorTileJs({ layers: { water: Object.assign(layer, { name: 'water' }) } });
}

/** The colour of a picture of one pixel: red, green, blue. */
function colourOfPixel(png: Buffer): number[] {
  const data: Buffer[] = [];
  // Chunks follow a signature of 8 bytes: length, type, content, checksum.
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  return [...inflateSync(Buffer.concat(data)).subarray(1, 4)];
}

describe('a background of the map', () => {
  let api: TestService;
  const folder = newFolder('map-tiles');
  let archive: string;
  let styles: LoopbackServer;
  let styleUrl: string;
  const asked: string[] = [];
  const key = { national: '', metered: '' };

  before(async () => {
    archive = path.join(folder, 'water.pmtiles');
    const attribution = '<a href="https://tiles.example/c">&copy; Tile Makers</a>, <b>ODbL</b>';
    writeFileSync(archive, pmtiles(waterTile(), { attribution, vector_layers: [{ id: 'water', fields: {} }] }));
    const world = {
      type: 'Polygon',
      coordinates: [
        [
          [-179, -80],
          [179, -80],
          [179, 80],
          [-179, 80],
          [-179, -80],
        ],
      ],
    };
    const style = {
      version: 8,
      glyphs: 'fonts/{fontstack}/{range}.pbf',
      sources: { states: { type: 'geojson', data: 'world.json', attribution: '<a href="https://style.example">Style & Makers</a>' } },
      layers: [
        { id: 'states', type: 'fill', source: 'states', paint: { 'fill-color': '#aa3311' } },
        { id: 'words', type: 'symbol', source: 'states', layout: { 'text-field': '', 'text-font': ['House Sans'] } },
      ],
    };
    styles = await answerOnLoopback(({ url = '' }, answer) => {
      asked.push(decodeURI(url));
      const body =
        url === '/maps/style.json' ? style : url === '/maps/world.json' ? { type: 'Feature', properties: {}, geometry: world } : null;
      answer.setHeader('Access-Control-Allow-Origin', '*');
      answer.end(body ? JSON.stringify(body) : '');
    });
    styleUrl = `${styles.url}/maps/style.json`;
    api = await testService({ today: TODAY, env: { MAP_TILES_FILE: archive } });
    await api.index.load(Array.from({ length: 12 }, (_, i) => project(i + 1, { latitude: 40.2, longitude: -105.6 })));
    key.national = await api.key();
    key.metered = await api.key('api_only');
  });
  after(async () => {
    await api?.stop();
    await styles?.stop();
  });

  const SCREEN = { width: 1240, height: 700 };
  const visit = provideVisits(() => ({ url: api.url, path: '/map?view=-107,39,-104,41', viewport: SCREEN, isDrawn: true }));

  /** Waits until a pixel in the lower part of the map has a colour. */
  async function untilColour(page: Page, wanted: readonly number[]): Promise<void> {
    const box = (await (await page.waitForSelector('.map')).boundingBox()) ?? assert.fail();
    const clip = { x: Math.round(box.x + box.width * 0.2), y: Math.round(box.y + box.height * 0.6), width: 1, height: 1 };
    let seen: number[] = [];
    for (let i = 0; i < 60; i++) {
      seen = colourOfPixel(await page.screenshot({ clip }));
      // The renderer rounds.
      if (seen.every((part, i) => Math.abs(part - (wanted[i] ?? 0)) <= 2)) return;
      await page.waitForTimeout(250);
    }
    assert.deepEqual(seen, wanted);
  }

  it('is drawn from an archive in ranges of bytes at our own origin, in the colours of the theme, with its makers and their link', async () => {
    await visit({ key: key.national }, async (page) => {
      const ranges: string[] = [];
      page.on('request', (request) => /\.pmtiles$/.test(request.url()) && ranges.push(request.headers().range ?? 'none'));
      await page.reload();
      await untilColour(page, WATER);
      assert(ranges.length > 0 && ranges.every((range) => /^bytes=\d+-\d+$/.test(range)), ranges.join());
      const link = await page.waitForSelector('.credit a');
      assert.deepEqual([await link.innerText(), await link.getAttribute('href')], ['© Tile Makers', 'https://tiles.example/c']);
      assert.match(await page.innerText('.credit'), /^© Tile Makers, ODbL\. Outlines: U\.S\. Census Bureau/);
    });
    await visit({ key: key.national, dark: true, viewport: NARROW }, async (page) => {
      await untilColour(page, DARK_WATER);
      await page.waitForSelector('.credit:has-text("© Tile Makers")');
    });
  });

  it('is handed out as a whole, in parts, and not beyond its end', async () => {
    const page = await (await fetch(`${api.url}/map`)).text();
    const file = /"url":"([^"]+\.pmtiles)"/.exec(page)?.[1];
    const read = (headers: Record<string, string>) => fetch(`${api.url}${file}`, { headers });
    const part = await read({ Range: 'bytes=0-6' });
    assert.deepEqual([part.status, await part.text(), part.headers.get('accept-ranges')], [206, 'PMTiles', 'bytes']);
    assert.match(part.headers.get('content-range') ?? '', /^bytes 0-6\/\d+$/);
    const etag = part.headers.get('etag') ?? '';
    assert.equal((await read({ 'If-None-Match': etag })).status, 304);
    assert.equal((await read({ Range: 'bytes=999999-' })).status, 416);
    const whole = await read({});
    assert.deepEqual(
      [whole.status, (await whole.arrayBuffer()).byteLength],
      [200, Number(part.headers.get('content-range')?.split('/')[1])],
    );
  });

  it('is drawn from a style, whose origin alone the policy allows; our layers and numbers stand above', async () => {
    const other: TestProcess = await api.another({ MAP_TILES_FILE: '', MAP_STYLE_URL: styleUrl });
    const { origin } = new URL(styleUrl);
    const policy = (await fetch(`${other.url}/map`)).headers.get('content-security-policy') ?? '';
    assert(policy.includes(`connect-src 'self' ${origin};`), policy);
    await visit({ url: other.url, key: key.metered }, async (page) => {
      await untilColour(page, [170, 51, 17]);
      const link = await page.waitForSelector('.credit a');
      assert.deepEqual([await link.innerText(), await link.getAttribute('href')], ['Style & Makers', 'https://style.example']);
      await page.waitForSelector('.item:has-text("12 projects")');
    });
    for (const path of ['/maps/style.json', '/maps/world.json', '/maps/fonts/House Sans/0-255.pbf'])
      assert(asked.includes(path), asked.join());
    await other.stop();
  });

  it('that does not load is named, and the map is there without it', async () => {
    await using other = await api.another({ MAP_TILES_FILE: '', MAP_STYLE_URL: styleUrl.replace('style.json', 'none.json') });
    await visit({ url: other.url, key: key.national }, async (page) => {
      await page.waitForSelector('.credit:has-text("The background could not be loaded")');
      await page.waitForSelector('.total strong:text-is("12")');
    });
  });
});
