/** Extracted cases as the service serves them, and what people found who compared their values with the minutes: by body and by release. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeExtraction } from '../../../ingest/extract/generation/writeExtraction.ts';
import { computeInterval } from '../../../src/core/domain/shares.ts';
import { loadPlaces } from '../../../src/core/store/files/loadPlaces.ts';
import { newFolder } from '../../support/folder.ts';
import { runIngest } from '../../support/ingest.ts';
import { eventually } from '../../support/jobs.ts';
import type { Json } from '../../support/json.ts';
import { makeExtractor, writeMinutes } from '../../support/madeMinutes.ts';
import { provideVisits, REFUSALS } from '../../support/pageVisits.ts';
import { bodyOf } from '../../support/service.ts';
import { FOR_WEBHOOKS, provideWorld } from '../../support/world.ts';

const places = loadPlaces();
const NUMBERS = [1, 2, 3, 4, 5, 6];

describe('extracted cases and their reviews', () => {
  const visitPage = provideVisits(() => ({ url: world.api.url, key, expected: REFUSALS }));
  const world = provideWorld(FOR_WEBHOOKS);
  const folder = newFolder('reviews');
  const out = path.join(folder, 'generation-1.ndjson.gz');
  let key: string;
  let ids: number[] = [];

  before(async () => {
    key = await world.api.key('national');
    mkdirSync(path.join(folder, 'docs'));
    const cases = NUMBERS.map((n) => ({
      number: `RZ-2026-${n}`,
      address: `${n} Oak Street`,
      acres: n,
      use: 'residential',
      type: 'rezoning',
      motion: 'approved 6-0',
    }));
    writeFileSync(path.join(folder, 'docs', 'march.txt'), writeMinutes('minutes', '2026-03-02', cases));
    const bodies = path.join(folder, 'bodies.json');
    writeFileSync(bodies, JSON.stringify([{ files: '*', state: 'CO', city: 'Boulder', body: 'Planning Commission' }]));
    await writeExtraction({
      folder: path.join(folder, 'docs'),
      bodies,
      out,
      generation: 1,
      mode: 'full',
      places,
      extractor: makeExtractor(),
    });
    await world.api.index.loadFile(out);
    await world.work();
  });

  const ask = async (route: string): Promise<Json> => {
    const body = bodyOf(await world.send('GET', route, undefined, key));
    return body;
  };
  const load = async (...lines: (object | string)[]) => {
    const file = path.join(folder, `reviews-${lines.length}.ndjson`);
    writeFileSync(file, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
    return { ...(await runIngest(world.api.index, ['load', file, '--json'])), file };
  };
  const review = (projectId: number, field: string, right: boolean, reviewedAt = '2026-11-19T08:00:00Z') => ({
    kind: 'review',
    projectId,
    field,
    right,
    reviewedAt,
  });
  const accuracyOfBody = async (): Promise<Json> => (await ask('/coverage?by=body&states=CO')).data.groups[0].accuracy;

  it('are found by place and quoted from their minutes, and on no map without a point', async () => {
    const { data } = await ask('/projects/search?cities=Boulder, CO&dateRange=all&representation=full');
    assert.equal(data.length, NUMBERS.length);
    ids = data.map(({ id }: Json) => id);
    assert.deepEqual([data[0].latitude, data[0].longitude, data[0].status], [null, null, 'approved']);
    const { data: found } = await ask(`/projects/${ids[0]}/evidence`);
    assert(found.evidence.some(({ field, quote }: Json) => field === 'acreage' && Number(quote) === data[0].acreage));
    const box = encodeURIComponent(JSON.stringify({ north: 41, south: 39, east: -104, west: -106 }));
    assert.equal((await ask(`/projects/search?bbox=${box}&dateRange=all`)).data.length, 0);
  });

  it('have no accuracy before a value is reviewed', async () => {
    await eventually('the first look at bodies', async () => ((await ask('/coverage?by=body')).data.groups.length ? true : undefined));
    assert.equal(await accuracyOfBody(), null);
    assert.equal((await ask('/releases?limit=1')).data[0].accuracy, null);
  });

  it('show right of checked by field with its interval, by body and by release; the newest answer to a value counts, once', async () => {
    const lines = [
      ...NUMBERS.map((_, i) => review(ids[i] ?? 0, 'acreage', i > 0)),
      review(ids[0] ?? 0, 'status', true),
      review(ids[0] ?? 0, 'acreage', true, '2026-11-18T08:00:00Z'),
      review(ids[1] ?? 0, 'acreage', false, '2026-11-20T08:00:00Z'),
      review(987654, 'acreage', true),
      review(ids[0] ?? 0, 'noSuchField', true),
    ];
    for (const _ of ['once', 'again']) {
      const { code, stdout, stderr } = await load(...lines);
      assert.equal(code, 0, stderr);
      const { reviews, leftOut, generation } = JSON.parse(stdout);
      assert.deepEqual([reviews, leftOut, generation], [9, 2, 1]);
    }
    const [low, high] = computeInterval(4, 6, 0.6667);
    const expected = { acreage: { checked: 6, right: 4, low, high }, status: { checked: 1, right: 1, low: 0.2065, high: 1 } };
    assert.deepEqual(await accuracyOfBody(), { checked: 7, fields: expected, checkedAt: '2026-11-20T08:00:00.000Z' });
    assert.deepEqual((await ask('/releases?limit=1')).data[0].accuracy, expected);
  });

  it('stand beside the value of a record on the page', () =>
    visitPage({ path: `/map?project=${ids[0]}` }, async (page) => {
      const row = '.record dl > div:has(dt:has-text("Acres"))';
      await page.click(`${row} .value`);
      await page.waitForSelector(`${row} .proof:has-text("4 of 6 checked values of this field were right for this body")`);
    }));

  it('load with a generation too', async () => {
    await world.api.index.load([review(ids[2] ?? 0, 'address', false)], { mode: 'increment' });
    assert.deepEqual((await accuracyOfBody()).fields.address, { checked: 1, right: 0, low: 0, high: 0.7935 });
  });

  it('are refused as a whole where a line is no review, with its place', async () => {
    const good = review(ids[3] ?? 0, 'caseNumbers', true);
    const { code, stderr, file } = await load(good, { ...good, right: 'yes' }, 'nonsense');
    assert.equal(code, 1);
    assert(stderr.includes('2 lines are no reviews, nothing was loaded'), stderr);
    assert(stderr.includes(`${file}:2: right must be boolean`) && stderr.includes(`${file}:3: not JSON`), stderr);
    assert.equal((await accuracyOfBody()).fields.caseNumbers, undefined);
  });
});
