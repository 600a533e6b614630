/**
 * Admission of requests to one process: as many as make full use of it run at once, others wait for their turn, team by team, and one that
 * would wait too long is refused at once. Without it an overloaded process begins work whose clients have given up.
 */
import type { Middleware } from 'koa';
import { ApiError } from '../core/domain/errors.ts';
import { type PrincipalState, principalOf } from './authenticate.ts';
import type { ClientState } from './clientSignal.ts';

/** More requests at once only make each other slower. */
const RUNNING_MAX = 64;
/** Share of a request's deadline that it may spend waiting. */
const WAIT_SHARE = 0.6;
/** The weight of the newest request in the mean time of requests. */
const NEWEST_WEIGHT = 0.05;

interface Waiter {
  start(): void;
}

export interface TurnLimits {
  /** requests at once */
  running: number;
  /** longest wait, milliseconds */
  waitMs: number;
}

/** Gives requests their turn: at once while fewer than `running` run, otherwise by turns of the teams that wait. */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #now: () => number;
  /** waiting requests by team, the team whose turn is next first */
  readonly #waiting = new Map<number, Waiter[]>();
  #running = 0;
  #meanMs = 0;

  /** @param now milliseconds of a clock that only goes forward */
  constructor(limits: TurnLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /**
   * Runs `work` when its turn comes.
   * @param signal aborts when nobody waits for the answer any more
   * @throws ApiError `service_unavailable` where the turn would come too late
   */
  async run<T>(teamId: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limits.running) this.#running += 1;
    else await this.#wait(teamId, signal);
    const began = this.#now();
    try {
      return await work();
    } finally {
      this.#meanMs += (this.#now() - began - this.#meanMs) * NEWEST_WEIGHT;
      this.#startNext();
    }
  }

  /** Milliseconds until a new request of the team would start, as far as can be foreseen. */
  expectedWaitMs(teamId: number): number {
    const own = this.#waiting.get(teamId)?.length ?? 0;
    let ahead = own + 1;
    for (const [other, { length }] of this.#waiting) if (other !== teamId) ahead += Math.min(length, own + 1);
    return (ahead * this.#meanMs) / this.#limits.running;
  }

  #wait(teamId: number, signal: AbortSignal): Promise<void> {
    const { waitMs } = this.#limits;
    const expected = this.expectedWaitMs(teamId);
    if (expected > waitMs) throw overloaded(expected);
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(late);
        signal.removeEventListener('abort', giveUp);
      };
      const giveUp = () => {
        end();
        this.#remove(teamId, waiter);
        reject(overloaded(waitMs));
      };
      const waiter: Waiter = {
        start: () => {
          end();
          resolve();
        },
      };
      const late = setTimeout(giveUp, waitMs);
      signal.addEventListener('abort', giveUp, { once: true });
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

  /** Hands the place of a request that has ended to the next one, whose team then stands last. */
  #startNext(): void {
    const [turn] = this.#waiting;
    if (!turn) {
      this.#running -= 1;
      return;
    }
    const [teamId, waiting] = turn;
    const next = waiting.shift();
    this.#waiting.delete(teamId);
    if (waiting.length) this.#waiting.set(teamId, waiting);
    next?.start();
  }
}

function overloaded(expectedMs: number): ApiError {
  const seconds = Math.max(1, Math.ceil(expectedMs / 1000));
  return new ApiError(
    'service_unavailable',
    `The service has more requests than it can answer right now; nothing was charged. Retry in ${seconds} s.`,
    { headers: { 'Retry-After': String(seconds) } },
  );
}

/** Requests that ask the search backend, and others; when that hangs, the others go on. */
export type AdmissionQueue = 'search' | 'other';

export type Admission = Readonly<Record<AdmissionQueue, Middleware>>;

/**
 * The middlewares through which requests are admitted. They run after `authenticate`, and after the body was read: a client that sends slowly
 * takes nobody's place.
 * @param deadlineMs of a request
 */
export function makeAdmission(deadlineMs: number): Admission {
  const queue = (): Middleware<ClientState & PrincipalState> => {
    const turns = new Turns({ running: RUNNING_MAX, waitMs: deadlineMs * WAIT_SHARE });
    return (ctx, next) => turns.run(principalOf(ctx.state).teamId, ctx.state.signal, next);
  };
  return { search: queue() as Middleware, other: queue() as Middleware };
}
