/** Clients in a child process, so that they affect measurements only by their processor time, which is measured too. */
import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { askChild, endChild } from '../../lib/programs.ts';
import { sum } from '../../lib/report.ts';

const MAIN = path.join(import.meta.dirname, 'clientsMain.ts');

export interface ClientsPlan {
  url: string;
  /** one a team */
  keys: readonly string[];
  /** path and query, rotated */
  paths: readonly string[];
  /** whether 503 counts as a failure, whatever it asks for */
  expectsAnswers?: boolean;
  seed: number;
}

/** The load from now on; earlier requests are still awaited, and repeated if they were refused. */
export type OfferedLoad =
  | { kind: 'none' }
  /** `connections` requests in flight; a refused one is not repeated */
  | { kind: 'closed'; connections: number }
  /** each team begins a number of calls per second, whether earlier ones were answered or not; the TypeScript client repeats refused ones */
  | { kind: 'open'; perSecond: readonly number[] };

/** Times are of the clock. */
export interface FailedAttempt {
  began: number;
  ended: number;
  what: string;
}

/** Attempts that ended since the last call of `take`. */
export interface TeamTally {
  /** begun meanwhile */
  calls: number;
  /** calls that ended without an answer, after all their attempts */
  givenUp: number;
  /** milliseconds of attempts that were answered: 200, or 404 of a record that was removed meanwhile */
  answeredMs: number[];
  /** milliseconds of attempts that were refused with 503 and Retry-After */
  refusedMs: number[];
  /** seconds that refusals asked to wait */
  retryAfterSeconds: number[];
  /** attempts that ended otherwise */
  failures: FailedAttempt[];
}

export interface ClientsTally {
  seconds: number;
  teams: TeamTally[];
  /** processor time of the clients themselves */
  cpuMilliseconds: number;
  /** p99 of the delay of the clients' event loop, by which times of answers are too long */
  lateP99Milliseconds: number;
}

export type ClientsMessage = { plan: ClientsPlan } | { load: OfferedLoad } | 'take';

export const newTeamTally = (): TeamTally => ({
  calls: 0,
  givenUp: 0,
  answeredMs: [],
  refusedMs: [],
  retryAfterSeconds: [],
  failures: [],
});

export class Clients implements AsyncDisposable {
  readonly #child: ChildProcess;

  constructor(plan: ClientsPlan) {
    this.#child = fork(MAIN, [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    this.#send({ plan });
  }

  #send(message: ClientsMessage): void {
    this.#child.send(message);
  }

  setLoad(load: OfferedLoad): void {
    this.#send({ load });
  }

  /** The attempts that ended since the last call. @throws UserError if the process has ended */
  take = (): Promise<ClientsTally> => askChild(this.#child, 'take');

  /** Runs a load for a while. @returns the attempts that ended meanwhile */
  async run(load: OfferedLoad, milliseconds: number, signal: AbortSignal): Promise<ClientsTally> {
    await this.take();
    this.setLoad(load);
    await sleep(milliseconds, undefined, { signal });
    return this.take();
  }

  [Symbol.asyncDispose] = () => endChild(this.#child, 'SIGKILL');
}

/** The attempts of all teams together. */
export function allTeams({ teams }: Pick<ClientsTally, 'teams'>): TeamTally {
  return {
    calls: sum(teams.map(({ calls }) => calls)),
    givenUp: sum(teams.map(({ givenUp }) => givenUp)),
    answeredMs: teams.flatMap(({ answeredMs }) => answeredMs),
    refusedMs: teams.flatMap(({ refusedMs }) => refusedMs),
    retryAfterSeconds: teams.flatMap(({ retryAfterSeconds }) => retryAfterSeconds),
    failures: teams.flatMap(({ failures }) => failures),
  };
}

export const answeredPerSecond = (tally: ClientsTally): number => allTeams(tally).answeredMs.length / tally.seconds;
