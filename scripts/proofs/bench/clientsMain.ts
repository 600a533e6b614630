/** The child process of `Clients`: generates the load, and counts the result of each attempt. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Transport } from '../../../src/clients/client/transport.ts';
import { Random } from '../../sample/random.ts';
import { type ClientsMessage, type ClientsPlan, type ClientsTally, newTeamTally, type OfferedLoad, type TeamTally } from './clients.ts';
import { apiRequest, makeTarget, sendAndRead, type Target } from './loadGenerator.ts';

const TICK_MS = 1;
/** Most open connections of all clients together; more than this load needs. */
const CONNECTIONS_MAX = 20_000;
const BODY_CHARACTERS = 200;
/** Pause after a failed connection. */
const FAILURE_PAUSE_MS = 20;

class Sender {
  readonly #plan: ClientsPlan;
  readonly #target: Target;
  readonly #random: Random;
  readonly #transports: readonly Transport[];
  #next = 0;
  /** of the load, so that what belongs to an earlier one ends */
  #number = 0;
  tallies: TeamTally[];

  constructor(plan: ClientsPlan) {
    this.#plan = plan;
    this.#target = makeTarget(plan.url, [], CONNECTIONS_MAX);
    this.#random = new Random(plan.seed, 'clients');
    this.#transports = plan.keys.map((key, team) => new Transport({ key, url: '', fetch: (path) => this.#attempt(team, String(path)) }));
    this.tallies = plan.keys.map(newTeamTally);
  }

  start(load: OfferedLoad): void {
    const number = ++this.#number;
    if (load.kind === 'closed') for (let at = 0; at < load.connections; at++) void this.#askOn(at, number);
    if (load.kind === 'open') for (const [team, perSecond] of load.perSecond.entries()) this.#callOn(team, perSecond, number);
  }

  #path(): string {
    return this.#plan.paths[this.#next++ % this.#plan.paths.length] as string;
  }

  #tallyOf(team: number): TeamTally {
    return this.tallies[team] as TeamTally;
  }

  /** Sends one request after the other on a connection, of the teams in turn. */
  async #askOn(at: number, number: number): Promise<void> {
    for (let turn = at; number === this.#number; turn++) {
      const team = turn % this.#plan.keys.length;
      this.#tallyOf(team).calls += 1;
      await this.#attempt(team, this.#path()).catch(() => sleep(FAILURE_PAUSE_MS));
    }
  }

  /** Begins calls at random times, `perSecond` on average. */
  #callOn(team: number, perSecond: number, number: number): void {
    const pauseMs = () => (-Math.log(1 - this.#random.next()) * 1000) / perSecond;
    let next = performance.now() + pauseMs();
    const timer = setInterval(() => {
      if (number !== this.#number) return clearInterval(timer);
      for (const now = performance.now(); next <= now; next += pauseMs()) void this.#call(team);
    }, TICK_MS);
  }

  async #call(team: number): Promise<void> {
    this.#tallyOf(team).calls += 1;
    try {
      await this.#transports[team]?.stream({ method: 'GET', path: this.#path(), headers: {} });
    } catch {
      this.#tallyOf(team).givenUp += 1;
    }
  }

  /** One request, counted. @returns as much of an answer as the TypeScript client reads */
  async #attempt(team: number, path: string): Promise<Response> {
    const began = performance.now();
    const answer = await sendAndRead(this.#target, apiRequest(path, this.#plan.keys[team] as string)).catch((error: Error) => {
      this.#fail(team, began, `${path}: ${error.message}`);
      throw error;
    });
    const { status, retryAfter, refusal = '' } = answer;
    const ms = performance.now() - began;
    const tally = this.#tallyOf(team);
    if (status === 200 || status === 404) tally.answeredMs.push(ms);
    else if (status === 503 && retryAfter !== undefined && !this.#plan.expectsAnswers) {
      tally.refusedMs.push(ms);
      tally.retryAfterSeconds.push(Number(retryAfter));
    } else this.#fail(team, began, `${path}: ${status} ${refusal.slice(0, BODY_CHARACTERS)}`);
    return new Response(refusal, { status, headers: retryAfter === undefined ? {} : { 'Retry-After': retryAfter } });
  }

  #fail(team: number, began: number, what: string): void {
    this.#tallyOf(team).failures.push({ began: performance.timeOrigin + began, ended: performance.timeOrigin + performance.now(), what });
  }
}

const late = monitorEventLoopDelay({ resolution: 5 });
late.enable();
let sender: Sender | undefined;
let since = performance.now();
let cpuBefore = process.cpuUsage();

/** The attempts that ended since the last call. */
function take(): ClientsTally {
  const now = performance.now();
  const { user, system } = process.cpuUsage(cpuBefore);
  const tally = {
    seconds: (now - since) / 1000,
    teams: sender?.tallies ?? [],
    cpuMilliseconds: (user + system) / 1000,
    lateP99Milliseconds: late.percentile(99) / 1e6,
  };
  since = now;
  cpuBefore = process.cpuUsage();
  late.reset();
  if (sender) sender.tallies = sender.tallies.map(newTeamTally);
  return tally;
}

process.on('message', (message: ClientsMessage) => {
  if (message === 'take') process.send?.(take());
  else if ('plan' in message) sender = new Sender(message.plan);
  else sender?.start(message.load);
});
