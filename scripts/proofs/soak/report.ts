/** The report of a proof: a verdict line for each requirement. Pure. */
import { secondsText } from '../../../src/core/domain/durations.ts';
import { textTable } from '../../../src/terminal/textTable.ts';
import { sum } from '../../lib/report.ts';
import type { AnswerTally } from './client.ts';
import type { CopiesReport } from './copies.ts';
import type { CustomersReport, VisitsReport } from './customers.ts';
import type { FaultNote } from './faults.ts';
import type { LoaderCounts } from './loaders.ts';
import type { MemoryLevel } from './memory.ts';

export interface ProofReport extends Omit<CustomersReport, 'unanswered' | 'visits'> {
  seed: number;
  seconds: number;
  loads: LoaderCounts;
  changes: number;
  /** unanswered requests outside faults, and the number of those during faults */
  unanswered: string[];
  unansweredInFaults: number;
  /** undefined without visits; its failed jobs are those outside faults */
  visits: (Omit<VisitsReport, 'failedJobs'> & { failedJobs: string[] }) | undefined;
  /** deadlocks that Postgres resolved by ending a transaction */
  deadlocks: number;
  faults: FaultNote[];
  /** time in which every fault has to heal */
  healSeconds: number | undefined;
  memory: MemoryLevel[];
}

export interface VerdictLine {
  what: string;
  found: string;
  kept: boolean;
}

const WAITS_SHOWN = 2;
const WAIT_LEAST_MS = 500;
const PROBLEMS_SHOWN = 50;
const ALIKE_CHARACTERS = 60;

const formatSeconds = (ms: number | undefined) => (ms === undefined ? 'not healed' : secondsText(ms));

/** The longest waits, if long enough to mention. */
const waitsText = (waits: FaultNote['waits']) =>
  waits
    .filter(({ ms }) => ms >= WAIT_LEAST_MS)
    .slice(0, WAITS_SHOWN)
    .map(({ what, ms }) => `${what} ${formatSeconds(ms)}`)
    .join(', ');

/** A verdict line that is kept if the count is 0. */
export const expectNone = (what: string, count: number, found = String(count)): VerdictLine => ({ what, found, kept: count === 0 });

export function verdictLines(report: ProofReport): VerdictLine[] {
  return [
    ...visitLines(report),
    ...copyLines(report.copies),
    ...healLines(report),
    ...report.memory.map(({ name, held, resident, flat }) => ({
      what: `memory of ${name} level`,
      found: `${held.early} to ${held.late} MiB held, ${resident.early} to ${resident.late} MiB resident`,
      kept: flat,
    })),
  ];
}

export const copyLines = ({ missing, stale, served, spoilt, copies, books, charged, duplicated }: CopiesReport): VerdictLine[] => [
  expectNone(
    'copies equal',
    missing + stale,
    `${missing} missing, ${stale} stale of ${served} served; ${spoilt} copies spoilt on purpose, all found`,
  ),
  expectNone('copies begun again', sum(copies.map(({ restarts }) => restarts))),
  expectNone('books equal', books.length, `${books.length} differences; ${charged} credits charged`),
  expectNone('charged twice', duplicated),
];

export const verdictText = (lines: readonly VerdictLine[]): string[] =>
  textTable(
    lines.map(({ what, found, kept }) => ({ verdict: kept ? 'kept' : 'BROKEN', what, found })),
    '',
  );

function visitLines({ visits, wrong, checked, unanswered, unansweredInFaults, requests, deadlocks }: ProofReport): VerdictLine[] {
  if (!visits) return [];
  return [
    expectNone('wrong answers', wrong.length, `${wrong.length} of ${checked} checked`),
    expectNone(
      'unanswered outside faults',
      unanswered.length,
      `${unanswered.length} of ${requests} requests (${unansweredInFaults} within faults)`,
    ),
    expectNone('failed jobs outside faults', visits.failedJobs.length),
    expectNone('shown and not charged', visits.unpaid.length, `${visits.unpaid.length} of ${visits.shown} revisions`),
    expectNone('events that never came', visits.missedEvents.length, `${visits.missedEvents.length} of ${visits.events}`),
    expectNone('deadlocks', deadlocks),
  ];
}

function healLines({ faults, healSeconds }: ProofReport): VerdictLine[] {
  if (healSeconds === undefined) return [];
  const [slowest] = faults.toSorted((a, b) => (b.healMs ?? Number.POSITIVE_INFINITY) - (a.healMs ?? Number.POSITIVE_INFINITY));
  return [
    {
      what: `faults healed in ${healSeconds} s`,
      found: slowest ? `${faults.length} faults; the slowest, ${slowest.name}, in ${formatSeconds(slowest.healMs)}` : 'no faults',
      kept: faults.every(({ healMs }) => healMs !== undefined && healMs <= healSeconds * 1000),
    },
  ];
}

export const isSound = (report: ProofReport): boolean => verdictLines(report).every(({ kept }) => kept);

/** A problem without its time and without the query of its request. */
const withoutDetails = (problem: string) =>
  problem
    .replace(/^\d{4}\S+Z /, '')
    .replace(/\/(?:\d+|\w+_\w+)(?=[/?:])/g, '/…')
    .replace(/\?\S+/, '');

/** The first of the problems that begin alike, with their number. */
function groupAlike(problems: readonly string[]): string[] {
  const alike = Map.groupBy(problems, (problem) => withoutDetails(problem).slice(0, ALIKE_CHARACTERS));
  return [...alike.values()].map((group) => (group.length > 1 ? `${group.length} times: ${group[0]}` : (group[0] as string)));
}

/** Faults that have to heal are listed one by one, others as a number of each kind. */
function faultsText({ faults, healSeconds }: ProofReport): string[] {
  if (healSeconds === undefined) {
    const counted = Object.entries(Object.groupBy(faults, ({ name }) => name));
    return [`Faults: ${counted.map(([name, some = []]) => `${some.length} ${name}`).join(', ') || 'none'}.`];
  }
  const rows = faults.map(({ name, seconds, healMs, waits }) => ({
    fault: name,
    lasted: `${seconds.toFixed(1)} s`,
    healed: formatSeconds(healMs),
    'waited for': waitsText(waits) || '-',
  }));
  return textTable(rows, 'No faults.');
}

export function reportText(report: ProofReport): string {
  const { loads, copies, visits, changes, seconds, seed } = report;
  const problems = groupAlike([
    ...report.wrong,
    ...copies.problems,
    ...(visits ? [...visits.failedJobs, ...visits.unpaid, ...visits.missedEvents] : []),
    ...report.unanswered,
  ]);
  const visited = Object.entries(visits?.made ?? {}).map(([name, count]) => `${count} ${name}`);
  return [
    `${changes} changes in ${seconds} s with seed ${seed}; ${copies.served} records are served at the end.`,
    `Loaders: ${loads.loads} runs: ${loads.kills} killed and run again, ${loads.refusals} refused while another ran, ${loads.failures} ended by an outage; ${loads.fulls} full generations, ${loads.rollbacks} rollbacks, ${loads.renewals} renewals.`,
    ...(visited.length ? [`Visits: ${visited.join(', ')}.`] : []),
    ...copies.copies.map(
      (copy) =>
        `Copy ${copy.name}: ${copy.snapshots ? `${copy.snapshots} snapshots, ` : ''}${copy.pages} pages, ${copy.records} records, ${copy.removals} removals, ${copy.refused} answers 5xx and ${copy.lost} lost, asked again; holds ${copy.held}.`,
    ),
    '',
    ...faultsText(report),
    '',
    ...verdictText(verdictLines(report)),
    ...problems.slice(0, PROBLEMS_SHOWN),
    ...(problems.length > PROBLEMS_SHOWN ? [`… and ${problems.length - PROBLEMS_SHOWN} more`] : []),
  ].join('\n');
}

interface ProofProgress extends Pick<ProofReport, 'seconds' | 'changes' | 'loads' | 'faults' | 'memory'> {
  pages: number;
  tally: AnswerTally;
}

export function progressText({ seconds, changes, pages, tally, loads, faults, memory }: ProofProgress): string {
  const last = faults.findLast(({ healMs }) => healMs !== undefined);
  return [
    `${seconds} s: ${changes} changes in ${loads.loads} loads (${loads.kills} killed), ${pages} pages of sync`,
    ...(tally.requests ? [`${tally.requests} requests, ${tally.checked} answers checked, ${tally.wrong.length} wrong`] : []),
    `${faults.length} faults${last ? `, the last one healed (${last.name}) in ${formatSeconds(last.healMs)}` : ''}`,
    ...memory.map(({ name, held, resident }) => `${name} ${held.late} MiB held, ${resident.late} MiB resident`),
  ].join('; ');
}
