/** What the soak found: a line for each thing that has to hold. Pure. */
import { secondsText } from '../../src/core/domain/durations.ts';
import { textTable } from '../../src/terminal/table.ts';
import type { LoadCounts } from '../proofs/loaders.ts';
import type { Tally } from './client.ts';
import type { CustomersFound } from './customers.ts';
import type { FaultNote } from './faults.ts';
import type { Level } from './memory.ts';

export interface SoakResult extends Omit<CustomersFound, 'unanswered' | 'failedJobs'> {
  seed: number;
  seconds: number;
  loads: LoadCounts;
  changes: number;
  /** requests that were not answered although no fault was on, and the number of those that fell into one */
  unanswered: string[];
  unansweredInFaults: number;
  /** jobs that failed although no fault was on */
  failedJobs: string[];
  /** transactions of the database that Postgres ended since they waited for each other */
  deadlocks: number;
  faults: FaultNote[];
  healSeconds: number;
  memory: Level[];
}

interface Line {
  what: string;
  found: string;
  kept: boolean;
}

const WAITS_SHOWN = 2;
const WAIT_LEAST_MS = 500;

const seconds = (ms: number | undefined) => (ms === undefined ? 'not healed' : secondsText(ms));

/** The longest waits that are worth a word. */
const waitsText = (waits: FaultNote['waits']) =>
  waits
    .filter(({ ms }) => ms >= WAIT_LEAST_MS)
    .slice(0, WAITS_SHOWN)
    .map(({ what, ms }) => `${what} ${seconds(ms)}`)
    .join(', ');

const slowestOf = (faults: readonly FaultNote[]): FaultNote | undefined =>
  faults.toSorted((a, b) => (b.healMs ?? Number.POSITIVE_INFINITY) - (a.healMs ?? Number.POSITIVE_INFINITY))[0];

export function verdict(result: SoakResult): Line[] {
  const { copies, faults } = result;
  const slowest = slowestOf(faults);
  const books = copies.problems.filter((problem) => !problem.startsWith('client '));
  return [
    { what: 'wrong answers', found: `${result.wrong.length} of ${result.checked} checked`, kept: result.wrong.length === 0 },
    {
      what: 'unanswered outside faults',
      found: `${result.unanswered.length} of ${result.requests} requests (${result.unansweredInFaults} within faults)`,
      kept: result.unanswered.length === 0,
    },
    { what: 'failed jobs outside faults', found: String(result.failedJobs.length), kept: result.failedJobs.length === 0 },
    {
      what: 'copies equal',
      found: `${copies.missing} missing, ${copies.stale} stale of ${copies.served} served`,
      kept: copies.missing + copies.stale === 0,
    },
    { what: 'books equal', found: `${books.length} differences; ${copies.charged} credits charged`, kept: books.length === 0 },
    { what: 'charged twice', found: String(copies.duplicated - books.length), kept: copies.duplicated - books.length === 0 },
    { what: 'shown and not charged', found: `${result.unpaid.length} of ${result.shown} revisions`, kept: result.unpaid.length === 0 },
    { what: 'events that never came', found: `${result.missedEvents.length} of ${result.events}`, kept: result.missedEvents.length === 0 },
    { what: 'deadlocks', found: String(result.deadlocks), kept: result.deadlocks === 0 },
    {
      what: `faults healed in ${result.healSeconds} s`,
      found: slowest ? `${faults.length} faults; the slowest, ${slowest.name}, in ${seconds(slowest.healMs)}` : 'no faults',
      kept: faults.every(({ healMs }) => healMs !== undefined && healMs <= result.healSeconds * 1000),
    },
    ...result.memory.map(({ name, held, resident, flat }) => ({
      what: `memory of ${name} level`,
      found: `${held.early} to ${held.late} MiB held, ${resident.early} to ${resident.late} MiB resident`,
      kept: flat,
    })),
  ];
}

export const isSound = (result: SoakResult): boolean => verdict(result).every(({ kept }) => kept);

const SHOWN = 40;
const ALIKE_CHARACTERS = 60;

/** A problem without its time, and without what its request asked for. */
const kindOf = (problem: string) =>
  problem
    .replace(/^\d{4}\S+Z /, '')
    .replace(/\/(?:\d+|\w+_\w+)(?=[/?:])/g, '/…')
    .replace(/\?\S+/, '');

/** The first of problems of one kind that begin alike, with their number. */
function grouped(problems: readonly string[]): string[] {
  const alike = Map.groupBy(problems, (problem) => kindOf(problem).slice(0, ALIKE_CHARACTERS));
  return [...alike.values()].map((group) => (group.length > 1 ? `${group.length} times: ${group[0]}` : (group[0] as string)));
}

export function soakText(result: SoakResult): string {
  const { loads, copies } = result;
  const problems = grouped([
    ...result.wrong,
    ...copies.problems,
    ...result.failedJobs,
    ...result.unpaid,
    ...result.missedEvents,
    ...result.unanswered,
  ]);
  const visits = Object.entries(result.visits).map(([name, count]) => `${count} ${name}`);
  return [
    `${result.seconds} s with seed ${result.seed}: visits ${visits.join(', ')}.`,
    `${loads.loads} loads of ${result.changes} changes, ${loads.kills} killed and ${loads.failures} ended by an outage, run again; ${loads.fulls} full generations, ${loads.rollbacks} rollbacks, ${loads.renewals} renewals.`,
    '',
    ...textTable(
      result.faults.map(({ name, seconds: lasted, healMs, waits }) => ({
        fault: name,
        lasted: `${lasted.toFixed(1)} s`,
        healed: seconds(healMs),
        'waited for': waitsText(waits) || '-',
      })),
      'No faults.',
    ),
    '',
    ...textTable(
      verdict(result).map(({ what, found, kept }) => ({ verdict: kept ? 'kept' : 'BROKEN', what, found })),
      '',
    ),
    ...problems.slice(0, SHOWN),
    ...(problems.length > SHOWN ? [`… and ${problems.length - SHOWN} more`] : []),
  ].join('\n');
}

/** One line of progress. */
export function progressText(now: {
  minutes: number;
  tally: Tally;
  loads: LoadCounts;
  faults: readonly FaultNote[];
  memory: readonly Level[];
}): string {
  const { minutes, tally, loads, faults, memory } = now;
  const last = faults.findLast(({ healMs }) => healMs !== undefined);
  return [
    `${minutes} min: ${tally.requests} requests, ${tally.checked} answers checked, ${tally.wrong.length} wrong`,
    `${loads.loads} loads (${loads.kills} killed)`,
    `${faults.length} faults${last ? `, the last one healed (${last.name}) in ${seconds(last.healMs)}` : ''}`,
    ...memory.map(({ name, held, resident }) => `${name} ${held.late} MiB held, ${resident.late} MiB resident`),
  ].join('; ');
}
