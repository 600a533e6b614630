/** The report of a load: what it says, what it keeps from being served, and who accepts it. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { LoadReport } from '../../../ingest/findings/types.ts';
import { ReleaseStore } from '../../../src/core/store/postgres/releases.ts';
import { TestIndex } from '../../support/index.ts';
import { killIngestAt, runIngest, servedProjects } from '../../support/ingest.ts';
import { projectLine } from '../../support/projectLine.ts';

const lines = (from: number, count: number, more: Record<string, unknown> = {}) =>
  Array.from({ length: count }, (_, at) => projectLine(from + at, { acreage: 2, ...more }));
const DENVER = { county: 'Denver County' };
const deleted = (ids: readonly number[]) => ids.map((id) => ({ kind: 'project', id, deleted: true }));
const ACCEPTED = ['--accept', 'records_lost', '--accept', 'place_lost:Denver County, CO'];

describe('The report of a load', function () {
  this.timeout(240_000);
  const index = new TestIndex('2026-11-20');
  after(() => index.drop());
  const reportOf = async (file: string): Promise<LoadReport> => JSON.parse(await readFile(`${file}.report.json`, 'utf8'));
  const newestRelease = async () => {
    const { database } = await index.records();
    const { releases, total } = await new ReleaseStore(database, index.prefix).list(1, 0);
    return { total, findings: releases[0]?.findings, accepted: releases[0]?.accepted };
  };

  it('names a county that a full generation lacks, and keeps it from being served until that is accepted, whenever it is killed', async () => {
    await index.load([...lines(1, 12), ...lines(101, 6, DENVER)]);
    assert.deepEqual(await newestRelease(), { total: 1, findings: {}, accepted: [] });
    const file = await index.file(lines(1, 12), { generation: 2 });
    const { code, stdout, stderr } = await runIngest(index, ['load', file, '--activate']);
    assert.equal(code, 1, stderr);
    assert.match(
      stdout,
      /^Report of generation 2, compared with generation 1: 12 records stated, 12 unchanged, 6 carried over\n {2}REFUSED /,
    );
    assert.match(stderr, /npm run ingest -- activate 2 --accept records_lost --accept 'place_lost:Denver County, CO'/);
    const report = await reportOf(file);
    assert.deepEqual(report.records, { stated: 12, new: 0, changed: 0, unchanged: 12, removed: 0, carriedOver: 6 });
    assert.deepEqual(
      report.places.map(({ stateId, countyId, decisionBody, records, fields }) => [
        stateId,
        countyId,
        decisionBody,
        records,
        fields.acreage,
      ]),
      [
        [8, null, null, { now: 12, served: 18 }, { now: 12, served: 18 }],
        [8, 8013, null, { now: 12, served: 12 }, { now: 12, served: 12 }],
        [8, 8031, null, { now: 0, served: 6 }, { now: 0, served: 6 }],
      ],
    );
    const lost = report.findings.find(({ code: found }) => found === 'place_lost');
    assert.deepEqual([lost?.place, lost?.count, lost?.examples.toSorted()], ['Denver County, CO', 6, [101, 102, 103, 104, 105, 106]]);
    assert.equal((await newestRelease()).total, 1, 'it is not served');

    const page = path.join(path.dirname(file), 'report.html');
    const shown = await runIngest(index, ['report', '2', '--json', '--html', page]);
    assert.deepEqual(JSON.parse(shown.stdout), report);
    assert.match(await readFile(page, 'utf8'), /<path class="county gone" d="M[^"]+"><title>Denver County, CO: 0 of 6 records</);

    await killIngestAt(index, ['activate', '2', ...ACCEPTED], 'set accepted', 1);
    assert.equal((await runIngest(index, ['activate', '2'])).code, 1, 'what a killed command accepted does not count');
    const activated = await runIngest(index, ['activate', '2', ...ACCEPTED]);
    assert.equal(activated.code, 0, activated.stderr);
    assert.deepEqual(await newestRelease(), {
      total: 2,
      findings: { place_lost: 6, records_lost: 12 },
      accepted: ['records_lost', 'place_lost'],
    });
  });

  it('refuses an increment whole, and loads it when it is repeated with --accept', async () => {
    const file = await index.file(deleted([1, 2, 3, 4, 5]), { mode: 'increment', generation: 2 });
    const before = await servedProjects(index);
    const refused = await runIngest(index, ['load', file]);
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /nothing was loaded.*npm run ingest -- load .* --accept records_lost --accept 'place_lost:Boulder County, CO'/,
    );
    assert.deepEqual(await servedProjects(index), before);
    assert.deepEqual((await reportOf(file)).records, { stated: 0, new: 0, changed: 0, unchanged: 0, removed: 5, carriedOver: 0 });
    const kept: LoadReport = JSON.parse((await runIngest(index, ['report', '--json'])).stdout);
    assert.equal(kept.records.stated, 12, 'the report of the generation is that of the load before');
    const accepted = await runIngest(index, ['load', file, '--accept', 'records_lost', '--accept', 'place_lost']);
    assert.equal(accepted.code, 0, accepted.stderr);
    assert.equal((await servedProjects(index)).size, before.size - 5);
    assert.deepEqual((await newestRelease()).accepted, ['records_lost', 'place_lost']);
    const { places } = JSON.parse((await runIngest(index, ['report', '2', '--json'])).stdout) as LoadReport;
    assert.deepEqual(places.find(({ countyId }) => countyId === 8013)?.records, { now: 7, served: 12 });
  });

  it('is counted anew where it was lost, and says so of a generation that has none', async () => {
    const { database } = await index.records();
    await database.query('update index_commit set report = null');
    const unknown = await runIngest(index, ['report']);
    assert.match(unknown.stderr, /^No report of generation 2 is kept; loaded: /);
    const { stdout } = await runIngest(index, ['load', await index.file(lines(6, 7), { generation: 3 })]);
    assert.match(
      stdout,
      /^Report of generation 3, compared with generation 2: 7 records stated, 7 unchanged, 6 carried over\n {2}no findings\n/,
    );
    assert.equal((await runIngest(index, ['load', 'none.ndjson', '--accept', 'loss'])).code, 2);
    const set = await runIngest(index, ['status'], { FINDING_THRESHOLDS: 'case=3' });
    assert.deepEqual([set.code, /FINDING_THRESHOLDS names case; the codes are places_exchanged,/.test(set.stderr)], [2, true], set.stderr);
  });
});
