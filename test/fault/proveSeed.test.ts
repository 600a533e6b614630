/** The proof of `npm run prove-seed` in its short form, in a process of its own, whose clock and timers are simulated. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import type { Mark } from '../../scripts/proofs/seed/marks.ts';
import { type ApartOptions, proveInChildProcess } from '../../scripts/proofs/seed/processes.ts';
import type { SeedReport } from '../../scripts/proofs/seed/prove.ts';
import { serverUrl } from '../support/servers.ts';

const SEED = 1;
const RUNS = 24;
/** It takes a few seconds; many times that where other tests use the machine. */
const ENDED_AFTER_MS = 110_000;
/** Reached by the runs of this seed. */
const REACHED: readonly Mark[] = [
  'a lease is lost while its attempt works',
  'a grant is due while several requests run',
  'a lost file is given back',
];

async function proveShortly(options: Omit<ApartOptions, 'seed' | 'path'>): Promise<SeedReport> {
  let timer: NodeJS.Timeout | undefined;
  const endLate = (child: ChildProcess) => {
    timer = setTimeout(() => child.kill('SIGKILL'), ENDED_AFTER_MS);
  };
  try {
    return await proveInChildProcess({ ...options, seed: SEED, path: '' }, serverUrl('DATABASE_URL'), endLate);
  } finally {
    clearTimeout(timer);
  }
}

describe('npm run prove-seed', function () {
  this.timeout(ENDED_AFTER_MS + 10_000);

  it(`breaks no invariant of money in ${RUNS} interleavings, which reach the commonest rare states`, async () => {
    const { failure, runs, marks } = await proveShortly({ runs: RUNS });
    assert.equal(failure, null, `${failure?.message}\nAgain: ${failure?.replay}`);
    assert.equal(runs, RUNS);
    assert.deepEqual(
      REACHED.filter((mark) => !marks[mark]),
      [],
      JSON.stringify(marks),
    );
  });

  it('finds a defect that is put back', async () => {
    const { failure } = await proveShortly({ runs: 60, defect: 'document-billed-twice', motif: 'atOnce' });
    assert.equal(failure?.invariant, 'balance = grants - charges + refunds');
  });
});
