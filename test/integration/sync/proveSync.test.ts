/** The proof of sync in its short form, and that it fails when it has to. */
import assert from 'node:assert/strict';
import { checkDetection, findDifferences } from '../../../scripts/proofs/soak/compare.ts';
import { type ProveSyncOptions, proveSyncProfile } from '../../../scripts/proofs/soak/proveSync.ts';
import { isSound, type ProofReport, reportText } from '../../../scripts/proofs/soak/report.ts';
import { prove } from '../../../scripts/proofs/soak/run.ts';
import { lengthOf } from '../../support/lengths.ts';
import { serverUrl } from '../../support/servers.ts';

const PROOF_MS = 600_000;
const CHANGES = lengthOf('SYNC_CHANGES');

const run = (options: Partial<ProveSyncOptions>): Promise<ProofReport> =>
  prove(
    proveSyncProfile({ changes: CHANGES, clients: 5, seed: 5, nodes: '1', minutes: 8, ...options }),
    { elasticsearchUrl: serverUrl('ELASTICSEARCH_URL'), databaseUrl: serverUrl('DATABASE_URL'), redisUrl: serverUrl('REDIS_URL') },
    new AbortController().signal,
    () => undefined,
  );

describe('npm run prove-sync', () => {
  it('finds every copy exact, walked or begun by snapshots, after loads, kills, a rollback and restarts, but those spoilt on purpose', async function () {
    this.timeout(PROOF_MS);
    const spoilers = ['skipped-page', 'ignored-removals'] as const;
    const snapshots = 2;
    const result = await run({ snapshots, sabotage: [undefined, undefined, undefined, ...spoilers] });
    const text = reportText(result);
    const { copies, faults, loads } = result;
    const of = (client: number) => copies.problems.filter((problem) => problem.startsWith(`client ${client} `));
    for (const [at, how] of spoilers.entries()) assert.ok(of(4 + at).length > 0, `${how} is found:\n${text}`);
    assert.deepEqual(
      copies.problems.filter((problem) => !of(4).includes(problem) && !of(5).includes(problem)),
      [],
      text,
    );
    assert.ok(!isSound(result) && copies.missing + copies.stale > 0 && copies.duplicated === 0 && copies.books.length === 0, text);
    assert.ok(isSound({ ...result, copies: { ...copies, missing: 0, stale: 0, problems: [] } }), text);
    assert.ok(result.changes >= CHANGES && loads.fulls >= 1 && loads.rollbacks >= 1 && loads.renewals >= 1 && loads.kills >= 1, text);
    assert.ok(
      copies.copies.every((copy, at) => copy.held > 0 && (at < snapshots ? copy.snapshots > 1 : copy.snapshots === 0)),
      text,
    );
    assert.ok(
      faults.some(({ name }) => name === 'worker killed'),
      text,
    );
  });

  it('compares every field but the delivery', () => {
    const record = {
      id: 1,
      lastUpdated: '2026-11-20T00:00:00.000Z',
      acreage: 2,
      landUses: [{ type: 'residential' }],
      delivery: { billed: true },
    };
    const truth = new Map([[1, record]]);
    const of = (copy: typeof record) => findDifferences('a', new Map([[1, copy]]), truth).map(({ kind, what }) => [kind, what]);
    assert.deepEqual(of({ ...record, delivery: { billed: false } }), []);
    assert.deepEqual(of({ ...record, acreage: 3 }), [['stale', 'acreage 3 instead of 2']]);
    assert.equal(of({ ...record, landUses: [{ type: 'commercial' }] }).length, 1);
    assert.equal(findDifferences('a', new Map(), truth)[0]?.kind, 'missing');
    assert.equal(findDifferences('a', truth, new Map())[0]?.kind, 'stale');
    assert.equal(checkDetection(truth), 6);
  });
});
