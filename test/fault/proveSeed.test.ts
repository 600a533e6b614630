/** The proofs of `npm run prove-seed` in their short form, each in a process of its own, whose clock and timers are simulated. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import type { Mark } from '../../scripts/proofs/seed/marks.ts';
import { proveInChildProcess } from '../../scripts/proofs/seed/processes.ts';
import type { ProofName } from '../../scripts/proofs/seed/proofs.ts';
import type { SeedReport } from '../../scripts/proofs/seed/prove.ts';
import { serverUrl } from '../support/servers.ts';

const SEED = 1;
/** Either takes a few seconds; many times that where other tests use the machine. */
const ENDED_AFTER_MS = 110_000;

interface Short {
  proof: ProofName;
  runs: number;
  /** which the runs of this seed reach */
  marks: readonly Mark[];
  defect?: string;
  motif?: string;
}

const SHORT: readonly Short[] = [
  {
    proof: 'money',
    runs: 24,
    marks: ['a lease is lost while its attempt works', 'a grant is due while several requests run', 'a lost file is given back'],
  },
  {
    proof: 'sync',
    runs: 40,
    marks: ['a load is committed in the middle of a walk', 'a page is read while sync shows another set than searches'],
  },
];

async function proveShortly({ proof, runs, defect, motif }: Omit<Short, 'marks'>): Promise<SeedReport> {
  let timer: NodeJS.Timeout | undefined;
  const endLate = (child: ChildProcess) => {
    timer = setTimeout(() => child.kill('SIGKILL'), ENDED_AFTER_MS);
  };
  try {
    return await proveInChildProcess(
      { proof, runs, seed: SEED, path: '', ...(defect && { defect, motif }) },
      serverUrl('DATABASE_URL'),
      endLate,
    );
  } finally {
    clearTimeout(timer);
  }
}

describe('npm run prove-seed', function () {
  this.timeout(ENDED_AFTER_MS + 10_000);

  for (const { proof, runs, marks } of SHORT)
    it(`breaks no invariant of ${proof} in ${runs} interleavings, which reach the commonest rare states`, async () => {
      const report = await proveShortly({ proof, runs });
      const { failure } = report;
      assert.equal(failure, null, `${failure?.message}\nAgain: ${failure?.replay}`);
      assert.equal(report.runs, runs);
      assert.deepEqual(
        marks.filter((mark) => !report.marks[mark]),
        [],
        JSON.stringify(report.marks),
      );
    });

  it('finds a defect that is put back', async () => {
    const { failure } = await proveShortly({ proof: 'money', runs: 60, defect: 'document-billed-twice', motif: 'atOnce' });
    assert.equal(failure?.invariant, 'balance = grants - charges + refunds');
  });
});
