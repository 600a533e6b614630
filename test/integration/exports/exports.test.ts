/** CSV exports end to end on the real servers: accepted, built, billed, downloaded. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { assertFile, walkSearch } from '../../support/exports.ts';
import { TODAY } from '../../support/fixtures.ts';
import { places } from '../../support/index.ts';
import { eventually } from '../../support/jobs.ts';
import type { Json } from '../../support/json.ts';
import { pluck } from '../../support/lists.ts';
import { projectLine } from '../../support/projectLine.ts';
import { Random } from '../../support/random.ts';
import { randomLine } from '../../support/randomProjects.ts';
import { randomRequest } from '../../support/randomRequests.ts';
import { assertRefused, bodyOf } from '../../support/service.ts';
import { provideWorld } from '../../support/world.ts';

const RECORDS = 260;
const SEED = Number(process.env.SEED ?? 11);
const REQUESTS = 12;
const ALL = { dateRange: 'all' };

/** A repeated parameter as the one list that it means. */
const inBody = (value: string | string[]): unknown =>
  Array.isArray(value) ? value.flatMap((one) => (one.startsWith('[') ? JSON.parse(one) : [one])) : value;

describe('CSV exports', () => {
  const world = provideWorld({ today: TODAY });
  before(async () => {
    const random = new Random(SEED);
    const lines = Array.from({ length: RECORDS }, (_, i) => ({ kind: 'project', ...randomLine(random, i + 1, TODAY) }));
    await world.api.index.load([...lines, ...Array.from({ length: 40 }, (_, i) => projectLine(1_001 + i))]);
  });

  afterEach(() => world.api.checkLedger());
  const ids = (from: number, count: number) => Array.from({ length: count }, (_, i) => 1_001 + from + i);
  const ledgerOf = async (id: string) =>
    world.api.database.query<{ kind: string; amount: number }>('select kind, amount from ledger_entry where job_id = $1 order by id', [id]);

  it('are accepted at once and wait, reserved, for a worker', async () => {
    const key = await world.api.key('api_only');
    const body = bodyOf(await world.exports.submit({ projectIds: ids(0, 10) }, key), 202);
    const { id } = body.data;
    assert.match(id, /^exp_[0-9A-Za-z]{22}$/);
    assert.deepEqual(
      { ...body.data, createdAt: '' },
      {
        ...{ id, exportJobId: id, status: 'queued', createdAt: '', startedAt: null, readyAt: null, expiresAt: null },
        source: { alertId: null, listId: null, projectIds: ids(0, 10), filters: {} },
        ...{ progress: { processed: 0, total: 10 }, matchCount: 10, truncated: false, rowCount: null, sizeBytes: null, sha256: null },
        ...{ creditsReserved: 10, creditsCharged: null, creditsRefunded: null, error: null },
        ...{ contactCreditsReserved: 0, contactCreditsCharged: null },
        pollUrl: `http://landuse.test/v1/exports/${id}`,
        downloadUrl: `http://landuse.test/v1/exports/${id}/download`,
        webExportsUrl: 'http://landuse.test/exports',
      },
    );
    assert.equal(await world.balance(key), 4_990);
    await world.api.checkLedger();
    const early = await world.download(id, key);
    assert.deepEqual([early.status, JSON.parse(early.text).error.code], [409, 'export_not_ready']);
  });

  it('repeat under one Idempotency-Key what was accepted, and reserve once', async () => {
    const key = await world.api.key('api_only');
    const headers = { 'Idempotency-Key': 'export-1' };
    const first = await world.exports.submit({ projectIds: ids(0, 5) }, key, headers);
    const again = await world.exports.submit({ projectIds: ids(0, 5) }, key, headers);
    assert.deepEqual([again.status, again.body.data.id], [202, first.body.data.id]);
    assertRefused(await world.exports.submit({ projectIds: ids(0, 6) }, key, headers), 'idempotency_key_reuse');
    assert.equal(await world.balance(key), 4_995);
    const none = await world.exports.submit({ projectIds: [9_999] }, key, { 'Idempotency-Key': 'export-2' });
    const noneAgain = await world.exports.submit({ projectIds: [9_999] }, key, { 'Idempotency-Key': 'export-2' });
    const nothing = { status: 'no_matching_rows', exportJobId: null, matchCount: 0 };
    assert.deepEqual([none.status, none.body.data, noneAgain.status, noneAgain.body.data], [200, nothing, 200, nothing]);
  });

  it('refuse what is wrong with a body, all of it at once, and reserve nothing', async () => {
    const key = await world.api.key('api_only');
    const refusals: [body: unknown, code: string, param: string | null][] = [
      [{}, 'invalid_request', 'filters'],
      [{ filter: {} }, 'invalid_request', 'filter'],
      [{ filters: { stats: 'CO' } }, 'invalid_filter', 'filters.stats'],
      [{ filters: { limit: 5 } }, 'invalid_filter', 'filters.limit'],
      [{ filters: { sort: 'units_highest', order: 'asc' } }, 'invalid_request', 'filters.order'],
      [{ projectIds: [1], listId: 'lst_4' }, 'invalid_request', 'projectIds'],
      [{ projectIds: Array.from({ length: 101 }, (_, i) => i + 1) }, 'invalid_filter', 'projectIds'],
      [{ projectIds: [1], filters: { projectIds: [2] } }, 'invalid_request', 'filters.projectIds'],
      [{ projectIds: 'seven' }, 'invalid_filter', 'projectIds'],
      [{ filters: [] }, 'invalid_request', 'filters'],
      [{ filters: {}, maxCredits: 0.5 }, 'invalid_request', 'maxCredits'],
      [{ filters: {}, include: 'people' }, 'invalid_request', 'include'],
      [{ filters: {}, include: 'contacts', contactOptions: { cachedOnly: true } }, 'invalid_request', 'contactOptions.cachedOnly'],
      [{ filters: {}, include: 'contacts', contactOptions: { maxProjects: 0 } }, 'invalid_request', 'contactOptions.maxProjects'],
      [{ filters: {}, contactOptions: {} }, 'invalid_request', 'contactOptions'],
      [{ alertId: 'alr_5' }, 'resource_not_found', 'alertId'],
      [{ listId: 'lst_5', filters: { states: 'CO' } }, 'resource_not_found', 'listId'],
      [{ listId: 5 }, 'invalid_request', 'listId'],
      [{ alertId: 'alr_5', listId: 'lst_5', projectIds: [1] }, 'invalid_request', 'listId'],
      [{ projectIds: [] }, 'invalid_filter', 'projectIds'],
      [{ projectIds: [0] }, 'invalid_filter', 'projectIds'],
      [{ filters: { format: 'csv' } }, 'invalid_filter', 'filters.format'],
      [{ filters: {}, maxCredits: 0 }, 'invalid_request', 'maxCredits'],
      [{ filters: { states: 'Atlantis' }, maxCredit: 5 }, 'invalid_filter', 'filters.states'],
      [[], 'invalid_request', 'body'],
      ['""', 'invalid_request', 'body'],
    ];
    for (const [body, code, param] of refusals) assertRefused(await world.exports.submit(body, key), code, param);
    const misspelt = await world.exports.submit({ filter: {} }, key);
    assert.equal(misspelt.body.error.details.problems.find((one: Json) => one.param === 'filter').didYouMean, 'filters');
    const dear = await world.exports.submit({ projectIds: ids(0, 10), maxCredits: 9 }, key);
    assertRefused(dear, 'invalid_request', 'maxCredits');
    const { creditsRequired, maxCredits } = dear.body.error.details;
    assert.deepEqual({ creditsRequired, maxCredits }, { creditsRequired: 10, maxCredits: 9 });
    assert.equal(await world.balance(key), 5_000);
    assert.equal((await world.api.get('/exports', {}, { key })).body.meta.total, 0);
  });

  it('are refused whole where the balance cannot pay, on a trial too, with the quote', async () => {
    for (const [plan, credits] of [
      ['api_only', 7],
      ['trial', 50],
    ] as const) {
      const licence = plan === 'trial' ? { stateIds: [places.findState('CO')?.id ?? 0], countyIds: [] } : undefined;
      const key = await world.api.key(plan, licence, plan === 'api_only' ? { monthlyCredits: credits } : {});
      const { status, body } = await world.exports.submit({ filters: { ...ALL, states: ['CO'] } }, key);
      assert.deepEqual([status, body.error.code], [402, 'insufficient_credits'], JSON.stringify(body));
      const { quote } = body.error.details;
      assert.deepEqual([quote.creditsRemaining, quote.creditRate, quote.affordableRecordCount], [credits, 1, credits]);
      assert.equal(quote.creditsRequired, quote.matchCount);
      assert.equal(await world.balance(key), credits);
    }
    const broke = await world.api.key('api_only', undefined, { monthlyCredits: 0 });
    const { status, body } = await world.exports.submit({ projectIds: ids(0, 1) }, broke);
    assert.deepEqual([status, body.error.code, body.error.details], [402, 'credits_exhausted', null]);
  });

  it('need a source: without one the answer says how to ask for all of a licence', async () => {
    const key = await world.api.key('api_only');
    for (const sent of [{}, { maxCredits: 5 }]) {
      const { status, body } = await world.exports.submit(sent, key);
      assert.deepEqual([status, body.error.code, body.error.param], [400, 'invalid_request', 'filters']);
      assert.match(body.error.message, /filters: \{\} asks for all of your licence/);
    }
    assert.equal((await world.exports.submit({ filters: {} }, key)).status, 202);
    assert.equal((await world.api.get('/exports', {}, { key })).body.meta.total, 1);
  });

  it('answer delivery_ledger_unavailable where the delivery history cannot be read, and queue nothing', async () => {
    const key = await world.api.key('api_only');
    await world.api.database.query('alter table delivery rename to delivery_away');
    try {
      assertRefused(await world.exports.submit({ projectIds: ids(0, 1) }, key), 'delivery_ledger_unavailable');
    } finally {
      await world.api.database.query('alter table delivery_away rename to delivery');
    }
    assert.equal((await world.api.get('/exports', {}, { key })).body.meta.total, 0);
  });

  it('paid by what a plan before reserved give nothing back to the next plan when their file is lost', async () => {
    const before = await world.api.key('api_only');
    const { id } = (await world.exports.submit({ projectIds: ids(0, 6) }, before)).body.data;
    const key = await moveToTrial(id);
    await world.api.get('/projects/search', { projectIds: ids(6, 3).join() }, { key });
    const worker = await world.work();
    const { creditsCharged }: Json = await world.exports.settled(id, key);
    await worker.stop(0);
    assert.deepEqual([creditsCharged, await world.balance(key)], [6, 47]);
    await loseWithoutRefund(id, key);
    assert.equal(await world.balance(key), 47);
  });

  /** Moves the team of an export to a trial. @returns a new key, of which no process remembers the plan before */
  async function moveToTrial(id: string): Promise<string> {
    const [submitter] = await world.api.database.query<{ team: number; user: number }>(
      'select team_id as team, user_id as user from job where id = $1',
      [id],
    );
    assert(submitter);
    await world.api.accounts.setPlan(submitter.team, 'trial', { stateIds: [8], countyIds: [] });
    return (await world.api.keys.mint(submitter.user)).secret;
  }

  async function removeFile(id: string): Promise<void> {
    for (const name of await readdir(world.folder)) if (name.startsWith(id)) await rm(path.join(world.folder, name));
  }

  /** Loses the file of an export of six records, which stay delivered. */
  async function loseWithoutRefund(id: string, key: string): Promise<void> {
    await removeFile(id);
    const { error } = JSON.parse((await world.download(id, key)).text);
    assert.deepEqual([error.code, error.details], ['export_unavailable', { creditsRefunded: 0 }]);
    const counted = await world.api.get('/projects/count', { projectIds: ids(0, 6).join() }, { key });
    assert.equal(counted.body.data.creditsRequired, 0);
    await world.api.checkLedger();
  }

  describe('with a worker', () => {
    before(() => world.work());

    it('hold what search pages give, value for value, for random filters, and charge what count priced', async () => {
      const free = await world.api.key('national');
      const known = await walkSearch(world, ALL, free);
      const random = new Random(SEED);
      const context = {
        random,
        today: TODAY,
        ids: known.map((record) => record.id as number),
        stamps: known.map((record) => record.lastUpdated as string),
      };
      let filled = 0;
      for (let i = 0; i < REQUESTS; i++) {
        const { asked, sent } = randomRequest(context);
        const filters: Record<string, unknown> = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, inBody(value)]));
        const key = await world.api.key('api_only');
        const counted = await world.api.get('/projects/count', asked.projectIds ? { projectIds: asked.projectIds } : filters, { key });
        const answer = await world.exports.submit({ filters }, key);
        if (answer.status === 200) {
          assert.deepEqual(await walkSearch(world, filters, key), []);
          continue;
        }
        assert.equal(answer.status, 202, JSON.stringify([filters, answer.body]));
        const made: Json = await world.exports.settled(answer.body.data.id, key);
        const { text } = await world.download(made.id, key);
        const pages = await walkSearch(world, filters, await world.api.key('api_only'));
        assertFile(text, pages, JSON.stringify(filters));
        assert.deepEqual([made.status, made.rowCount, made.creditsCharged], ['ready', pages.length, pages.length]);
        if (!asked.projectIds) assert.equal(made.creditsCharged, counted.body.data?.creditsRequired, JSON.stringify(filters));
        assert.equal(made.sha256, createHash('sha256').update(text).digest('hex'));
        filled += 1;
      }
      assert.ok(filled > REQUESTS / 3, `${filled} of the random sets held something`);
    });

    it('wait side by side, each with its reservation, and charge a row once', async () => {
      const key = await world.api.key('api_only');
      const [one, two] = await Promise.all([
        world.exports.submit({ projectIds: ids(0, 20) }, key),
        world.exports.submit({ projectIds: ids(10, 20) }, key),
      ]);
      const made: Json[] = await Promise.all([one, two].map((answer) => world.exports.settled(answer.body.data.id, key)));
      assert.deepEqual(
        made.map(({ creditsReserved, creditsCharged, creditsRefunded }) => creditsReserved - creditsCharged - creditsRefunded),
        [0, 0],
      );
      assert.equal(made[0].creditsReserved + made[1].creditsReserved, 40);
      assert.equal(made[0].creditsCharged + made[1].creditsCharged, 30);
      assert.equal(await world.balance(key), 4_970);
      const again: Json = await world.exports.completed({ projectIds: ids(0, 30) }, key);
      assert.deepEqual([again.creditsReserved, again.creditsCharged, again.creditsRefunded], [0, 0, 0]);
    });

    it('are listed newest first for their team only, and are not found by another', async () => {
      const [key, foreign] = await Promise.all([world.api.key(), world.api.key()]);
      const made = [];
      for (let i = 0; i < 3; i++) made.push(((await world.exports.completed({ projectIds: ids(i, 1) }, key)) as Json).id);
      const listed = await world.api.get('/exports', { limit: 2, offset: 0 }, { key });
      assert.deepEqual(pluck(listed.body.data, 'id'), [made[2], made[1]]);
      const { requestId: _, schemaVersion: _s, ...meta } = listed.body.meta;
      assert.deepEqual(meta, { creditsUsed: 0, limit: 2, offset: 0, pageCount: 2, hasMore: true, total: 3, warnings: [] });
      const clamped = await world.api.get('/exports', { limit: 500 }, { key });
      assert.deepEqual([clamped.body.meta.limit, clamped.body.meta.warnings[0].code], [100, 'limit_clamped_to_page_size']);
      assert.equal((await world.api.get('/exports', {}, { key: foreign })).body.meta.total, 0);
      assertRefused(await world.api.get('/exports/nonsense', {}, { key: foreign }), 'resource_not_found');
    });

    it('are downloaded as named CSV, in parts, unchanged, and with a byte order mark', async () => {
      const key = await world.api.key();
      const { id, sha256, sizeBytes }: Json = await world.exports.completed({ projectIds: ids(0, 3) }, key);
      const whole = await world.download(id, key, { 'Accept-Encoding': 'identity' });
      assert.equal(whole.headers.get('content-type'), 'text/csv; charset=utf-8');
      assert.equal(whole.headers.get('content-disposition'), `attachment; filename="${id}.csv"`);
      assert.equal(whole.headers.get('etag'), `"${sha256}"`);
      assert.equal(Buffer.byteLength(whole.text), sizeBytes);
      const part = await world.download(id, key, { Range: 'bytes=10-19' });
      assert.deepEqual([part.status, part.text], [206, whole.text.slice(10, 20)]);
      const beyond = await world.download(id, key, { Range: `bytes=${sizeBytes}-` });
      const { code, param, details, requestId } = JSON.parse(beyond.text).error;
      assert.deepEqual([beyond.status, code, param, details], [416, 'range_not_satisfiable', 'Range', { sizeBytes }]);
      assert.equal(requestId, beyond.headers.get('x-request-id'));
      assert.deepEqual([beyond.headers.get('content-range'), beyond.headers.get('etag')], [`bytes */${sizeBytes}`, null]);
      assert.equal((await world.download(id, key, { 'If-None-Match': `"${sha256}"`, 'Accept-Encoding': 'identity' })).status, 304);
      const marked = await fetch(`${world.api.url}/v1/exports/${id}/download?bom=1`, { headers: { Authorization: `Bearer ${key}` } });
      assert.equal(Buffer.from(await marked.arrayBuffer()).toString('utf8'), `\uFEFF${whole.text}`);
    });

    it('hold long cells whole, say so, and cut them where a download is for Excel', async () => {
      const key = await world.api.key();
      const parcels = Array.from({ length: 600 }, (_, i) => `${i} "quoted" 😀`.padEnd(99, '.'));
      const long = parcels.join('; ');
      await world.api.index.load([projectLine(7001, { parcelNumbers: parcels, zipCode: '02139' }), projectLine(7002)], {
        mode: 'increment',
      });
      const { id }: Json = await world.exports.completed({ projectIds: [7001, 7002] }, key);
      const { meta } = (await world.exports.poll(id, key)).body;
      assert.deepEqual(pluck(meta.warnings, 'code', 'params'), [['cells_too_long', { fields: ['parcelNumbers'], rows: 1 }]]);
      const read = async (query: string) => {
        const response = await fetch(`${world.api.url}/v1/exports/${id}/download${query}`, {
          headers: { Authorization: `Bearer ${key}`, Range: 'bytes=0-9' },
        });
        return {
          status: response.status,
          ranges: response.headers.get('accept-ranges'),
          etag: response.headers.get('etag'),
          text: Buffer.from(await response.arrayBuffer()).toString(),
        };
      };
      const whole = (await world.download(id, key)).text;
      assert.ok(whole.includes(long.replaceAll('"', '""')));
      const cut = await read('?bom=1');
      assert.deepEqual([cut.status, cut.ranges], [200, null], 'no ranges of what is made on its way');
      assert.notEqual(cut.etag, (await read('')).etag);
      assert.ok(cut.text.startsWith('\uFEFFid,'));
      const [header, ...cutRows] = parse(cut.text, { bom: true }) as string[][];
      const wholeRows = parse(whole) as string[][];
      const rowOf = (rows: string[][], id: number) => rows.find(([first]) => first === String(id));
      const [first, second] = [rowOf(cutRows, 7001), rowOf(cutRows, 7002)];
      const [firstWhole, secondWhole] = [rowOf(wholeRows, 7001), rowOf(wholeRows, 7002)];
      const at = header?.indexOf('parcelNumbers') ?? -1;
      assert.equal(first?.[at]?.length, 32_767);
      assert.ok(first?.[at]?.endsWith(` … [cut: ${long.length} characters]`));
      assert.deepEqual(first?.with(at, ''), firstWhole?.with(at, ''), 'the other cells letter for letter');
      assert.deepEqual(second, secondWhole);
    });

    it('refund rows whose file was lost, and hold them no longer', async () => {
      const key = await world.api.key('api_only');
      await world.api.get('/projects/search', { projectIds: ids(0, 2).join() }, { key });
      await world.api.index.load([projectLine(1_001, { acreage: Math.round(Math.random() * 1e6) })], { mode: 'increment' });
      const { id, creditsCharged }: Json = await world.exports.completed({ projectIds: ids(0, 10) }, key);
      assert.equal(creditsCharged, 9);
      assert.equal((await world.api.get('/projects/count', { projectIds: ids(0, 10).join() }, { key })).body.data.creditsRequired, 0);
      await removeFile(id);
      for (let i = 0; i < 2; i++) {
        const { status, text, headers } = await world.download(id, key);
        const { error } = JSON.parse(text);
        assert.deepEqual(
          [status, error.code, error.details, headers.get('etag')],
          [409, 'export_unavailable', { creditsRefunded: 9 }, null],
        );
      }
      const { data }: Json = (await world.exports.poll(id, key)).body;
      assert.deepEqual([data.status, data.error.code, data.creditsCharged, data.creditsRefunded], ['failed', 'export_unavailable', 0, 9]);
      assert.equal(await world.balance(key), 4_998);
      await world.api.checkLedger();
      const counted = await world.api.get('/projects/count', { projectIds: ids(0, 10).join() }, { key });
      assert.equal(counted.body.data.creditsRequired, 9);
      const again: Json = await world.exports.completed({ projectIds: ids(0, 10) }, key);
      assert.equal(again.creditsCharged, 9);
    });

    it('refund of a lost file what no other ready file holds, and the rest with the last of them', async () => {
      const key = await world.api.key('api_only');
      const lose = async (id: string) => {
        await removeFile(id);
        return JSON.parse((await world.download(id, key)).text).error.details.creditsRefunded;
      };
      const due = async () =>
        (await world.api.get('/projects/count', { projectIds: ids(0, 10).join() }, { key })).body.data.creditsRequired as number;
      const first = await world.exports.submit({ projectIds: ids(0, 10) }, key);
      await world.api.get('/projects/search', { projectIds: ids(0, 1).join() }, { key });
      const one: Json = await world.exports.settled(first.body.data.id, key);
      assert.deepEqual([one.creditsReserved, one.creditsCharged + one.creditsRefunded], [10, 10]);
      const two: Json = await world.exports.completed({ projectIds: ids(5, 5) }, key);
      assert.equal(two.creditsCharged, 0);
      const early = one.creditsCharged - 5;
      assert.equal(await lose(one.id), early);
      assert.equal(await lose(one.id), early);
      assert.deepEqual([await due(), (await world.download(two.id, key)).status], [early, 200]);
      await world.api.checkLedger();
      assert.equal(await lose(two.id), 5);
      const { data }: Json = (await world.exports.poll(two.id, key)).body;
      assert.deepEqual([data.status, data.creditsCharged, data.creditsRefunded, await due()], ['failed', 0, 5, one.creditsCharged]);
    });

    it('refund a revision once that came back and was in two lost files, and hold it no longer', async () => {
      const [id] = ids(39, 1) as [number];
      const serve = (acreage: number) => world.api.index.load([projectLine(id, { acreage })], { mode: 'increment' });
      const charged = async (key: string) => {
        const file: Json = await world.exports.completed({ projectIds: [id] }, key);
        return [file.id, file.creditsCharged];
      };
      const lose = async (file: string, key: string) => {
        await removeFile(file);
        return JSON.parse((await world.download(file, key)).text).error.details.creditsRefunded;
      };
      const read = async (key: string) =>
        (await world.api.get('/projects/search', { projectIds: [id], dateRange: 'all' }, { key })).body.meta.creditsUsed;
      for (const isRead of [true, false]) {
        const key = await world.api.key('api_only');
        await serve(1);
        const [first, paid] = await charged(key);
        await serve(2);
        const [between, paidBetween] = isRead ? [undefined, await read(key)] : await charged(key);
        await serve(1);
        const [last, paidAgain] = await charged(key);
        assert.deepEqual([paid, paidBetween, paidAgain], [1, 1, 0]);
        assert.equal(await lose(first, key), 0, 'the last file holds it');
        if (between) assert.equal(await lose(between, key), 1);
        assert.equal(await lose(last, key), 1);
        await world.api.checkLedger();
        // an earlier version than the one that the page delivered, and the pool paid for, is free
        assert.equal(await read(key), isRead ? 0 : 1, 'it is not held');
        await serve(2);
        assert.equal(await read(key), isRead ? 0 : 1, 'what a page delivered stays');
        await world.api.checkLedger();
      }
    });

    it('say of a lost file what came back for the loss, not what did when it was settled', async () => {
      const key = await world.api.key('api_only');
      const [one, two] = await Promise.all([
        world.exports.submit({ projectIds: ids(0, 6) }, key),
        world.exports.submit({ projectIds: ids(3, 6) }, key),
      ]);
      const made: Json[] = await Promise.all([one, two].map((answer) => world.exports.settled(answer.body.data.id, key)));
      const late = made.find(({ creditsRefunded }) => creditsRefunded > 0);
      assert.deepEqual([late.creditsCharged, late.creditsRefunded], [3, 3]);
      await removeFile(late.id);
      for (let i = 0; i < 2; i++)
        assert.deepEqual(JSON.parse((await world.download(late.id, key)).text).error.details, { creditsRefunded: 3 });
      assert.equal((await world.exports.poll(late.id, key)).body.data.creditsRefunded, 6);
    });

    it('keep delivered what a lost file held when the grant that paid for it is over, so that no refund outlives it', async () => {
      const before = await world.api.key('api_only');
      const { id, creditsCharged }: Json = await world.exports.completed({ projectIds: ids(0, 6) }, before);
      assert.equal(creditsCharged, 6);
      const key = await moveToTrial(id);
      await world.api.get('/projects/search', { projectIds: ids(6, 3).join() }, { key });
      assert.equal(await world.balance(key), 47);
      await loseWithoutRefund(id, key);
      assert.equal(await world.balance(key), 47);
    });

    it('expire after 7 days: the file goes, the export stays listed', async () => {
      const key = await world.api.key();
      const { id, readyAt, expiresAt }: Json = await world.exports.completed({ projectIds: ids(0, 1) }, key);
      assert.equal(Date.parse(expiresAt) - Date.parse(readyAt), 7 * 86_400_000);
      try {
        await world.api.databaseClock({ at: new Date(Date.parse(expiresAt) - 1) });
        assert.equal((await world.download(id, key)).status, 200);
        await world.api.databaseClock({ at: new Date(expiresAt) });
        const { status, text } = await world.download(id, key);
        assert.deepEqual([status, JSON.parse(text).error.code], [409, 'export_expired']);
        assert.equal((await world.exports.poll(id, key)).body.data.status, 'expired');
        const old = new Date(Date.parse(`${TODAY}T19:00:00Z`) - 9 * 86_400_000);
        for (const name of ['exp_ofNobody-1.csv', 'landuse-g1-c1.state.zst']) {
          await writeFile(path.join(world.folder, name), 'x');
          await utimes(path.join(world.folder, name), old, old);
        }
        const worker = await world.work(); // its upkeep runs at once
        const gone = async () => !(await readdir(world.folder)).some((name) => name.startsWith(id) || name.startsWith('exp_ofNobody'));
        await eventually('the end of the files', async () => (await gone()) || undefined);
        await worker.stop(0);
        await rm(path.join(world.folder, 'landuse-g1-c1.state.zst')); // what another keeps there stays
      } finally {
        await world.api.databaseClock({ at: new Date(`${TODAY}T19:00:00Z`) });
      }
      const listed = await world.api.get('/exports', {}, { key });
      assert.deepEqual(pluck(listed.body.data, 'id'), [id]);
    });

    it('give the reservation back where more is new by the time of building than maxCredits allows', async () => {
      const key = await world.api.key('api_only');
      await world.api.get('/projects/search', { projectIds: ids(30, 5).join() }, { key });
      const { body } = await world.exports.submit({ projectIds: ids(30, 6), maxCredits: 1 }, key);
      await world.exports.settled(body.data.id, key);
      assert.deepEqual(pluck(await ledgerOf(body.data.id), 'kind', 'amount'), [
        ['reservation', -1],
        ['refund', 1],
        ['charge', -1],
      ]);
    });
  });
});
