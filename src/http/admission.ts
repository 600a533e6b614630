/** Admission of requests to one process: a limited number run at once, the others take turns, team by team. */
import type { Middleware } from 'koa';
import { Turns } from '../core/store/teamTurns.ts';
import { type PrincipalState, principalOf } from './authenticate.ts';
import type { ClientState } from './clientSignal.ts';

/** More requests at once only make each other slower. */
const RUNNING_MAX = 64;
/** Longest expected wait of a request, as a share of its deadline; requests of other teams that come later may make it longer. */
const WAIT_SHARE = 0.3;

/** A request of many searches lasts so many times as long as others at most, from its turn on; so long it waits for that at most. */
export const MANY_SEARCHES_DEADLINE = 6;
const MANY_SEARCHES_WAIT = 3;
/** Of such requests a team has one in work, so that the others' searches come between its own, and so many waiting. */
const MANY_SEARCHES_OF_TEAM = { running: 1, waiting: 4 };
/** Of a request of a thousand rows, until some have ended. */
const MANY_SEARCHES_USUAL_MS = 1_500;

/**
 * Requests that query Elasticsearch, such that query it many times, and others: when Elasticsearch hangs, the others still run, and requests of
 * many searches that wait for each other occupy no place of a search.
 */
export type AdmissionQueue = 'search' | 'manySearches' | 'other';

export type Admission = Readonly<Record<AdmissionQueue, Middleware>>;

/**
 * Makes the middlewares that admit requests. They run after `authenticate` and after the body was read, so that a slow sender occupies no place.
 * @param deadlineMs of a request
 */
export function makeAdmission(deadlineMs: number): Admission {
  const queue =
    (turns: Turns): Middleware<ClientState & PrincipalState> =>
    (ctx, next) => {
      const { signal, deadline } = ctx.state;
      return turns.run({ teamId: principalOf(ctx.state).teamId, signal, deadline }, next);
    };
  const usual = () => queue(new Turns({ running: RUNNING_MAX, waitMs: deadlineMs * WAIT_SHARE })) as Middleware;
  const many = queue(new Turns({ running: RUNNING_MAX, team: MANY_SEARCHES_OF_TEAM, usualMs: MANY_SEARCHES_USUAL_MS }));
  const manySearches: Middleware<ClientState & PrincipalState> = (ctx, next) => {
    ctx.state.startDeadline(MANY_SEARCHES_WAIT);
    return many(ctx, () => {
      ctx.state.startDeadline(MANY_SEARCHES_DEADLINE);
      return next();
    });
  };
  return { search: usual(), manySearches: manySearches as Middleware, other: usual() };
}
