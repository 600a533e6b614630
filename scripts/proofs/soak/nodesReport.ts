/** The report of the nodes proof: a verdict line for each requirement, and the times of each stage. Pure. */
import { textTable } from '../../../src/terminal/textTable.ts';
import { median, milliseconds, p99, quantile, ratio, sum } from '../../lib/report.ts';
import type { FailedAttempt } from '../bench/clients.ts';
import type { CopiesReport } from './copies.ts';
import type { LoaderCounts } from './loaders.ts';
import { copyLines, expectNone, type VerdictLine, verdictText } from './report.ts';

export type StageName = 'healthy' | 'one slow' | 'one killed' | 'one starting' | 'one back' | 'settling';

export interface NodesStage {
  name: StageName;
  round: number;
  began: number;
  seconds: number;
  /** milliseconds of each answer */
  answeredMs: number[];
  failures: FailedAttempt[];
  /** when a node was killed, in the stage that begins with it */
  killedAt: number | undefined;
}

export interface NodesReport {
  seed: number;
  seconds: number;
  rounds: number;
  changes: number;
  loads: LoaderCounts;
  stages: NodesStage[];
  copies: CopiesReport;
}

/** A slow or restarted node may slow the p99 of answers by at most this factor. */
const SLOWER_MOST = 2;
const SHOWN = 20;

const NAMES: readonly StageName[] = ['healthy', 'one slow', 'one killed', 'one starting', 'one back', 'settling'];

export function nodesVerdictLines({ stages, copies }: NodesReport): VerdictLine[] {
  const timesOf = (name: StageName) => stages.filter((stage) => stage.name === name).flatMap(({ answeredMs }) => answeredMs);
  const healthy = p99(timesOf('healthy'));
  const slower = (what: string, name: StageName): VerdictLine[] => {
    if (!stages.some((stage) => stage.name === name)) return [];
    const found = p99(timesOf(name));
    const verdict = {
      what: `${what}: p99 at most ${SLOWER_MOST} times healthy`,
      found: `${milliseconds(found)} ms, ${ratio(found, healthy)} times ${milliseconds(healthy)} ms`,
      kept: found <= SLOWER_MOST * healthy,
    };
    return [verdict];
  };
  const failures = stages.flatMap(({ failures: found }) => found);
  const kills = stages.flatMap(({ killedAt }) => (killedAt === undefined ? [] : [killedAt]));
  const inFlight = failures.filter(({ began, ended }) => kills.some((at) => began <= at && at <= ended));
  const further = failures.length - inFlight.length;
  return [
    ...slower('one slow', 'one slow'),
    ...slower('one killed', 'one killed'),
    ...slower('one back', 'one back'),
    expectNone('no failed answer beyond those in flight at a kill', further, `${further}, and ${inFlight.length} in flight`),
    ...copyLines(copies),
  ];
}

export const isNodesSound = (report: NodesReport): boolean => nodesVerdictLines(report).every(({ kept }) => kept);

export function nodesText(report: NodesReport): string {
  const { stages, loads, copies, seconds, changes, rounds, seed } = report;
  const run = NAMES.filter((name) => stages.some((stage) => stage.name === name));
  const rows = run.map((name) => {
    const some = stages.filter((stage) => stage.name === name);
    const times = some.flatMap(({ answeredMs }) => answeredMs);
    return {
      stage: name,
      seconds: String(Math.round(sum(some.map(({ seconds: lasted }) => lasted)))),
      answers: String(times.length),
      p50: milliseconds(median(times)),
      p99: milliseconds(p99(times)),
      longest: milliseconds(quantile(times, 1)),
      'p99 of rounds': some.map(({ answeredMs }) => milliseconds(p99(answeredMs))).join(' '),
      failed: String(sum(some.map(({ failures }) => failures.length))),
    };
  });
  const failures = stages.flatMap(({ name, failures: found }) =>
    found.map(({ began, what }) => `${new Date(began).toISOString()} ${name}: ${what}`),
  );
  return [
    `${rounds} rounds in ${seconds} s with seed ${seed}; ${changes} changes in ${loads.loads} loads (${loads.kills} killed, ${loads.failures} ended by an outage); ${copies.served} records are served at the end.`,
    '',
    ...textTable(rows, ''),
    '',
    ...verdictText(nodesVerdictLines(report)),
    ...copies.problems.slice(0, SHOWN),
    ...failures.slice(0, SHOWN),
  ].join('\n');
}
