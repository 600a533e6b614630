/**
 * Turns of teams at work of a process that is limited: some run at once, others wait, team by team, and what would wait too long is refused at once.
 * Without it an overloaded process would work for clients that have given up, and one team's requests would delay those of all others.
 */
import { ApiError } from '../domain/errors.ts';

/** Weight of the newest request in the moving average of durations. */
const NEWEST_WEIGHT = 0.05;
/** When requests have waited for longer than this without a pause, it is no burst: a long queue would only make every answer late. */
const BURST_MS = 1_000;
/** Longest wait from then on. */
const STANDING_QUEUE_WAIT_MAX_MS = 500;
/** `Retry-After` spreads refused requests, so that they use this share of the throughput when they return; the rest is for new ones. */
const RETURN_SHARE = 0.5;
/** The longest `Retry-After`: a client that repeats five times ends within a minute. */
const AWAY_MAX_MS = 10_000;

interface Waiter {
  start(): void;
}

export interface TurnLimits {
  /** pieces of work at once */
  running: number;
  /** longest expected wait in a burst, milliseconds; without it, work may wait until its deadline */
  waitMs?: number;
  /** work of one team at once, and waiting */
  team?: { running: number; waiting: number };
  /** first guess of how long a piece takes, milliseconds */
  usualMs?: number;
}

/** The team that waits for an answer, and until when. */
export interface Caller {
  /** undefined for the service itself */
  teamId: number | undefined;
  /** aborts when nobody waits for the answer any more */
  signal?: AbortSignal | undefined;
  /** by when the answer is promised, on the clock of `Turns`; by default only the signal counts */
  deadline?: number;
}

type TeamId = Caller['teamId'];

/** Runs work at once while fewer than `running` run; otherwise waiting teams take turns. */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #now: () => number;
  /** waiting work by team, beginning with the team that is next */
  readonly #waiting = new Map<TeamId, Waiter[]>();
  /** how much of each team runs */
  readonly #runningOf = new Map<TeamId, number>();
  /** when the next refused request of a team should come back */
  readonly #returns = new Map<TeamId, number>();
  #running = 0;
  #meanMs: number;
  /** since when some work has waited at every moment */
  #standingSince = 0;

  /** @param now milliseconds of a clock that only goes forward */
  constructor(limits: TurnLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#meanMs = limits.usualMs ?? 0;
    this.#now = now;
  }

  /**
   * Runs `work` when its turn comes.
   * @throws ApiError `service_unavailable` if its turn would come too late, `rate_limit_exceeded` if that is due to the team's own work
   */
  async run<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    const { teamId } = caller;
    if (this.#running < this.#limits.running && this.#hasRoom(teamId)) this.#count(teamId, 1);
    else await this.#wait(caller);
    const began = this.#now();
    try {
      return await work();
    } finally {
      this.#meanMs += (this.#now() - began - this.#meanMs) * NEWEST_WEIGHT;
      this.#count(teamId, -1);
      this.#startNext();
    }
  }

  /** Expected milliseconds until new work of the team would start. */
  estimateWaitMs(teamId: TeamId): number {
    const own = this.#waiting.get(teamId)?.length ?? 0;
    let ahead = own + 1;
    for (const [other, { length }] of this.#waiting) if (other !== teamId) ahead += Math.min(length, own + 1);
    const { running, team } = this.#limits;
    return Math.max(ahead / running, team ? (own + 1) / team.running : 0) * this.#meanMs;
  }

  /** Whether the team has less work running than it may. */
  #hasRoom(teamId: TeamId): boolean {
    return (this.#runningOf.get(teamId) ?? 0) < (this.#limits.team?.running ?? Number.POSITIVE_INFINITY);
  }

  #count(teamId: TeamId, more: 1 | -1): void {
    this.#running += more;
    const running = (this.#runningOf.get(teamId) ?? 0) + more;
    if (running) this.#runningOf.set(teamId, running);
    else this.#runningOf.delete(teamId);
  }

  /** The longest wait of new work: it must also end before its deadline. */
  #limitWaitMs({ deadline = Number.POSITIVE_INFINITY }: Caller): number {
    const now = this.#now();
    const { waitMs = Number.POSITIVE_INFINITY } = this.#limits;
    const stands = Number.isFinite(waitMs) && this.#waiting.size > 0 && now - this.#standingSince > BURST_MS;
    return Math.min(stands ? Math.min(STANDING_QUEUE_WAIT_MAX_MS, waitMs) : waitMs, deadline - now - this.#meanMs);
  }

  #wait(caller: Caller): Promise<void> {
    const { teamId, signal, deadline } = caller;
    const isFull = (this.#waiting.get(teamId)?.length ?? 0) >= (this.#limits.team?.waiting ?? Number.POSITIVE_INFINITY);
    if (signal?.aborted || isFull || this.estimateWaitMs(teamId) > this.#limitWaitMs(caller)) throw this.#refuse(teamId);
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(late);
        signal?.removeEventListener('abort', giveUp);
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
      const late = deadline === undefined ? undefined : setTimeout(giveUp, deadline - this.#now() - this.#meanMs);
      signal?.addEventListener('abort', giveUp, { once: true });
      if (!this.#waiting.size) this.#standingSince = this.#now();
      const waiting = this.#waiting.get(teamId);
      if (waiting) waiting.push(waiter);
      else this.#waiting.set(teamId, [waiter]);
    });
  }

  #remove(teamId: TeamId, waiter: Waiter): void {
    const others = this.#waiting.get(teamId)?.filter((one) => one !== waiter) ?? [];
    if (others.length) this.#waiting.set(teamId, others);
    else this.#waiting.delete(teamId);
  }

  /** Starts the next work in place of what has ended; its team then comes last. */
  #startNext(): void {
    if (!this.#waiting.size) this.#returns.clear();
    for (const [teamId, waiting] of this.#waiting) {
      if (!this.#hasRoom(teamId)) continue;
      const next = waiting.shift();
      this.#waiting.delete(teamId);
      if (waiting.length) this.#waiting.set(teamId, waiting);
      this.#count(teamId, 1);
      next?.start();
      return;
    }
  }

  /** Makes a refusal whose `Retry-After` is later for each further refused request of the team. */
  #refuse(teamId: TeamId): ApiError {
    const now = this.#now();
    const { running, team } = this.#limits;
    const soonest = now + this.estimateWaitMs(teamId);
    const back = Math.min(Math.max(soonest, this.#returns.get(teamId) ?? 0), now + AWAY_MAX_MS);
    const paceMs = this.#meanMs / Math.min(running, team?.running ?? running) / RETURN_SHARE;
    this.#returns.set(teamId, back + paceMs * Math.max(1, this.#waiting.size));
    const own = team && !this.#hasRoom(teamId) ? { limit: team.waiting, waiting: this.#waiting.get(teamId)?.length ?? 0 } : undefined;
    return makeRefusal(Math.max(1, Math.ceil((back - now) / 1000)), own);
  }
}

/** Made without a stack trace, which would take a tenth of the time of a refusal. @param own how much of the team's work waits, where that is why */
function makeRefusal(seconds: number, own: { limit: number; waiting: number } | undefined): ApiError {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const headers = { 'Retry-After': String(seconds) };
  const made = own
    ? new ApiError(
        'rate_limit_exceeded',
        `Your team has ${own.waiting} of these requests waiting, and may have ${own.limit}; nothing was charged. Retry in ${seconds} s.`,
        { headers, details: { ...own, retryAfterSeconds: seconds } },
      )
    : new ApiError(
        'service_unavailable',
        `The service has more requests than it can answer right now; nothing was charged. Retry in ${seconds} s.`,
        { headers, isByDesign: true },
      );
  Error.stackTraceLimit = stackTraceLimit;
  return made;
}
