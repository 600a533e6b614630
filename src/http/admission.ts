/**
 * Admission of requests to one process: a limited number run at once, others wait for their turn, team by team, and one that would wait too long
 * is refused at once. Without it an overloaded process would work for clients that have given up.
 */
import type { Middleware } from 'koa';
import { ApiError } from '../core/domain/errors.ts';
import { type PrincipalState, principalOf } from './authenticate.ts';
import type { ClientState } from './clientSignal.ts';

/** More requests at once only make each other slower. */
const RUNNING_MAX = 64;
/** Longest expected wait of a request, as a share of its deadline; requests of other teams that come later may make it longer. */
const WAIT_SHARE = 0.3;
/** Weight of the newest request in the moving average of durations. */
const NEWEST_WEIGHT = 0.05;
/** When requests have waited for longer than this without a pause, it is no burst: a long queue would only make every answer late. */
const BURST_MS = 1_000;
/** Longest wait from then on. */
const STANDING_WAIT_MS = 500;
/** `Retry-After` spreads refused requests, so that they use this share of the throughput when they return; the rest is for new ones. */
const RETURN_SHARE = 0.5;
/** The longest `Retry-After`: a client that repeats five times ends within a minute. */
const AWAY_MAX_MS = 10_000;

interface Waiter {
  start(): void;
}

export interface TurnLimits {
  /** requests at once */
  running: number;
  /** longest expected wait in a burst, milliseconds */
  waitMs: number;
}

/** The team that waits for an answer, and until when. */
export interface Caller {
  teamId: number;
  /** aborts when nobody waits for the answer any more */
  signal: AbortSignal;
  /** by when the answer is promised, on the clock of `Turns` */
  deadline: number;
}

/** Runs requests at once while fewer than `running` run; otherwise waiting teams take turns. */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #now: () => number;
  /** waiting requests by team, beginning with the team that is next */
  readonly #waiting = new Map<number, Waiter[]>();
  /** when the next refused request of a team should come back */
  readonly #returns = new Map<number, number>();
  #running = 0;
  #meanMs = 0;
  /** since when some request has waited at every moment */
  #standingSince = 0;

  /** @param now milliseconds of a clock that only goes forward */
  constructor(limits: TurnLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /**
   * Runs `work` when its turn comes.
   * @throws ApiError `service_unavailable` if its turn would come too late
   */
  async run<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limits.running) this.#running += 1;
    else await this.#wait(caller);
    const began = this.#now();
    try {
      return await work();
    } finally {
      this.#meanMs += (this.#now() - began - this.#meanMs) * NEWEST_WEIGHT;
      this.#startNext();
    }
  }

  /** Expected milliseconds until a new request of the team would start. */
  expectedWaitMs(teamId: number): number {
    const own = this.#waiting.get(teamId)?.length ?? 0;
    let ahead = own + 1;
    for (const [other, { length }] of this.#waiting) if (other !== teamId) ahead += Math.min(length, own + 1);
    return (ahead * this.#meanMs) / this.#limits.running;
  }

  /** The longest wait of a new request: it must also end before its deadline. */
  #longestWaitMs({ deadline }: Caller): number {
    const now = this.#now();
    const stands = this.#waiting.size > 0 && now - this.#standingSince > BURST_MS;
    const most = stands ? Math.min(STANDING_WAIT_MS, this.#limits.waitMs) : this.#limits.waitMs;
    return Math.min(most, deadline - now - this.#meanMs);
  }

  #wait(caller: Caller): Promise<void> {
    const { teamId, signal } = caller;
    const waitMs = this.#longestWaitMs(caller);
    if (this.expectedWaitMs(teamId) > waitMs) throw this.#refuse(teamId);
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(late);
        signal.removeEventListener('abort', giveUp);
      };
      const giveUp = () => {
        end();
        this.#remove(teamId, waiter);
        reject(this.#refuse(teamId));
      };
      const waiter: Waiter = {
        start: () => {
          end();
          resolve();
        },
      };
      const late = setTimeout(giveUp, caller.deadline - this.#now() - this.#meanMs);
      signal.addEventListener('abort', giveUp, { once: true });
      if (!this.#waiting.size) this.#standingSince = this.#now();
      const waiting = this.#waiting.get(teamId);
      if (waiting) waiting.push(waiter);
      else this.#waiting.set(teamId, [waiter]);
    });
  }

  #remove(teamId: number, waiter: Waiter): void {
    const others = this.#waiting.get(teamId)?.filter((one) => one !== waiter) ?? [];
    if (others.length) this.#waiting.set(teamId, others);
    else this.#waiting.delete(teamId);
  }

  /** Starts the next request in place of one that has ended; its team then comes last. */
  #startNext(): void {
    const [turn] = this.#waiting;
    if (!turn) {
      this.#running -= 1;
      this.#returns.clear();
      return;
    }
    const [teamId, waiting] = turn;
    const next = waiting.shift();
    this.#waiting.delete(teamId);
    if (waiting.length) this.#waiting.set(teamId, waiting);
    next?.start();
  }

  /** Makes a refusal whose `Retry-After` is later for each further refused request of the team. */
  #refuse(teamId: number): ApiError {
    const now = this.#now();
    const soonest = now + this.expectedWaitMs(teamId);
    const back = Math.min(Math.max(soonest, this.#returns.get(teamId) ?? 0), now + AWAY_MAX_MS);
    const paceMs = this.#meanMs / this.#limits.running / RETURN_SHARE;
    this.#returns.set(teamId, back + paceMs * Math.max(1, this.#waiting.size));
    return overloaded(back - now);
  }
}

/** Made without a stack trace, which would take a tenth of the time of a refusal. */
function overloaded(afterMs: number): ApiError {
  const seconds = Math.max(1, Math.ceil(afterMs / 1000));
  const message = `The service has more requests than it can answer right now; nothing was charged. Retry in ${seconds} s.`;
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const refusal = new ApiError('service_unavailable', message, { headers: { 'Retry-After': String(seconds) }, isByDesign: true });
  Error.stackTraceLimit = stackTraceLimit;
  return refusal;
}

/** Requests that query Elasticsearch, and others: when Elasticsearch hangs, the others still run. */
export type AdmissionQueue = 'search' | 'other';

export type Admission = Readonly<Record<AdmissionQueue, Middleware>>;

/**
 * Makes the middlewares that admit requests. They run after `authenticate` and after the body was read, so that a slow sender occupies no place.
 * @param deadlineMs of a request
 */
export function makeAdmission(deadlineMs: number): Admission {
  const queue = (): Middleware<ClientState & PrincipalState> => {
    const turns = new Turns({ running: RUNNING_MAX, waitMs: deadlineMs * WAIT_SHARE });
    return (ctx, next) => {
      const { signal, deadline } = ctx.state;
      return turns.run({ teamId: principalOf(ctx.state).teamId, signal, deadline }, next);
    };
  };
  return { search: queue() as Middleware, other: queue() as Middleware };
}
