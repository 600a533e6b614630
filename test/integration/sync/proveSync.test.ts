/** The proof of sync in its short form, and that it fails when it has to. */
import assert from 'node:assert/strict';
import { differences, selfCheck } from '../../../scripts/proofs/compare.ts';
import type { Options } from '../../../scripts/prove-sync/options.ts';
import { isProven, type Result, resultText } from '../../../scripts/prove-sync/report.ts';
import { prove } from '../../../scripts/prove-sync/run.ts';
import { serverUrl } from '../../support/servers.ts';

const PROOF_MS = 600_000;

const run = (options: Partial<Options>): Promise<Result> =>
  prove(
    { changes: 400, clients: 3, seed: 5, nodes: 1, minutes: 8, json: false, ...options },
    { elasticsearchUrl: serverUrl('ELASTICSEARCH_URL'), databaseUrl: serverUrl('DATABASE_URL'), redisUrl: serverUrl('REDIS_URL') },
    new AbortController().signal,
    () => undefined,
  );

describe('npm run prove-sync', () => {
  it('finds every copy exact after loads, kills, a rollback and restarts, but those that are spoilt on purpose', async function () {
    this.timeout(PROOF_MS);
    const spoilers = ['skipped-page', 'ignored-removals'] as const;
    const result = await run({ changes: 200, clients: 5, sabotage: [undefined, undefined, undefined, ...spoilers] });
    const text = resultText(result);
    const of = (client: number) => result.problems.filter((problem) => problem.startsWith(`client ${client} `));
    for (const [at, how] of spoilers.entries()) assert.ok(of(4 + at).length > 0, `${how} is found:\n${text}`);
    assert.deepEqual(
      result.problems.filter((problem) => !of(4).includes(problem) && !of(5).includes(problem)),
      [],
      text,
    );
    assert.ok(!isProven(result) && result.missing + result.stale > 0 && result.duplicated === 0, text);
    assert.ok(isProven({ ...result, missing: 0, stale: 0, problems: [] }), text);
    assert.ok(result.changes >= 200 && result.fulls >= 1 && result.rollbacks >= 1 && result.renewals >= 1 && result.kills >= 1, text);
    assert.ok(
      result.clients.every(({ held }) => held > 0),
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
    const of = (copy: typeof record) => differences('a', new Map([[1, copy]]), truth).map(({ kind, what }) => [kind, what]);
    assert.deepEqual(of({ ...record, delivery: { billed: false } }), []);
    assert.deepEqual(of({ ...record, acreage: 3 }), [['stale', 'acreage 3 instead of 2']]);
    assert.equal(of({ ...record, landUses: [{ type: 'commercial' }] }).length, 1);
    assert.equal(differences('a', new Map(), truth)[0]?.kind, 'missing');
    assert.equal(differences('a', truth, new Map())[0]?.kind, 'stale');
    assert.equal(selfCheck(truth), 6);
  });
});
