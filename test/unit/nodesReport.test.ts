import assert from 'node:assert/strict';
import {
  isNodesSound,
  type NodesReport,
  type NodesStage,
  nodesVerdictLines,
  type StageName,
} from '../../scripts/proofs/soak/nodesReport.ts';

const KILLED_AT = 1_000_000;
const COPIES = { served: 3, missing: 0, stale: 0, duplicated: 0, charged: 3, spoilt: 1, books: [], problems: [], copies: [] };

/** A stage in which every hundredth answer takes this long. */
function stage(name: StageName, slowMs: number, further: Partial<NodesStage> = {}): NodesStage {
  const answeredMs = Array.from({ length: 1_000 }, (_, at) => (at % 50 ? 10 : slowMs));
  return { name, round: 0, began: KILLED_AT, seconds: 30, answeredMs, failures: [], killedAt: undefined, ...further };
}

function report(killed: Partial<NodesStage> = {}, slowMs = 30): NodesReport {
  const stages = [
    stage('healthy', 20),
    stage('one slow', slowMs),
    stage('one killed', 30, { killedAt: KILLED_AT, ...killed }),
    stage('one starting', 900),
    stage('one back', 30),
  ];
  const loads = { loads: 1, kills: 0, refusals: 0, failures: 0, fulls: 1, rollbacks: 0, renewals: 0 };
  return { seed: 1, seconds: 1, rounds: 1, changes: 1, loads, stages, copies: COPIES };
}

const broken = (of: NodesReport) => nodesVerdictLines(of).flatMap(({ what, kept }) => (kept ? [] : [what]));

describe('The verdict about nodes', () => {
  it('is sound where answers stay within twice the healthy p99 and none fails', () => {
    assert(isNodesSound(report()));
  });

  it('names a stage that is slower', () => {
    assert.deepEqual(broken(report({}, 41)), ['one slow: p99 at most 2 times healthy']);
  });

  it('says nothing of stages that were left out', () => {
    const { stages, ...rest } = report({}, 41);
    const slowAlone = { ...rest, stages: stages.filter(({ name }) => name === 'healthy' || name === 'one slow') };
    assert.deepEqual(broken(slowAlone), ['one slow: p99 at most 2 times healthy']);
    assert.equal(nodesVerdictLines(slowAlone).length, nodesVerdictLines(report()).length - 2);
  });

  it('forgives what was in flight at the kill, and nothing else', () => {
    assert(isNodesSound(report({ failures: [{ began: KILLED_AT - 5, ended: KILLED_AT + 5, what: 'reset' }] })));
    assert.deepEqual(broken(report({ failures: [{ began: KILLED_AT + 5, ended: KILLED_AT + 9, what: '503' }] })), [
      'no failed answer beyond those in flight at a kill',
    ]);
  });

  it('names a copy that differs, a charge made twice and books that differ', () => {
    const copies = { ...COPIES, missing: 1, duplicated: 2, books: ['pool 1'] };
    assert.deepEqual(broken({ ...report(), copies }), ['copies equal', 'books equal', 'charged twice']);
  });
});
