/** Logs one line for each request, and reports the same to observers: the declared path and the result. */
import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import type { ErrorCode } from '../core/domain/errors.ts';
import type { RoutesBelow } from './openapi.ts';
import type { OpenRoutes } from './openRoutes.ts';
import type { CredentialState } from './rateLimit.ts';
import { type RequestIdState, storableRequestId } from './requestId.ts';
import { MCP_PATH, removeEndSlash } from './roots.ts';

export interface EndedRequest {
  /** as in the log */
  requestId: string;
  /** `other` for a method that is not one of HTTP's usual ones */
  method: string;
  /** the declared path, such as `/v1/projects/{id}`; `unknown` for a path that does not exist */
  route: string;
  status: number;
  /** whether the client disconnected before its answer was written */
  gone: boolean;
  seconds: number;
  /** credits charged by the answer */
  credits: number;
  /** error code of a refusal */
  code: ErrorCode | undefined;
  /** whether a limit refused the request before its credential was looked up */
  notLookedUp: boolean;
}

export type RequestObserver = (request: EndedRequest) => void;

/**
 * Called when a request begins; returns how to run it, and what to call at its end.
 * @param traceparent the header, or ''
 */
export type BeginRequest = (traceparent: string) => { run<T>(work: () => Promise<T>): Promise<T>; end: RequestObserver };

export interface RequestObservers {
  ended?: RequestObserver | undefined;
  begin?: BeginRequest | undefined;
}

export interface EndedState extends RequestIdState, CredentialState {
  errorCode?: ErrorCode;
  credits?: unknown;
}

const UNKNOWN_PATH = 'unknown';
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Maps any path to its declared path, or to one name for all others, so that the number of results is bounded. */
export function makePathTemplates(open: OpenRoutes, routes: RoutesBelow): (path: string) => string {
  const declared = Object.entries(routes).flatMap(([prefix, below]) => below.map(({ path }) => `${prefix}${path}`));
  const fixed = new Set(declared.filter((path) => !path.includes('{')));
  const patterns = [...new Set(declared.filter((path) => path.includes('{')))].map((template) => {
    const pattern = template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+');
    return { template, pattern: new RegExp(`^${pattern}$`) };
  });
  return (sent) => {
    const path = removeEndSlash(sent);
    if (sent === MCP_PATH || fixed.has(path)) return path;
    return open.findTemplate(sent) ?? patterns.find(({ pattern }) => pattern.test(path))?.template ?? UNKNOWN_PATH;
  };
}

/** Logs requests without query, body, key or personal data. */
export function requestLog(templateOf: (path: string) => string, log: Logger, observers: RequestObservers): Middleware<EndedState> {
  return async (ctx, next) => {
    const begun = performance.now();
    const traced = observers.begin?.(ctx.get('traceparent'));
    ctx.res.once('close', () => {
      const { errorCode: code, credits: charged } = ctx.state;
      const requestId = storableRequestId(ctx.state.requestId);
      const credits = typeof charged === 'number' && code === undefined ? charged : 0;
      const method = METHODS.has(ctx.method) ? ctx.method : 'other';
      const [route, seconds] = [templateOf(ctx.path), (performance.now() - begun) / 1000];
      const { statusCode: status, writableFinished } = ctx.res;
      log.info(
        {
          requestId,
          method,
          route,
          status,
          ms: Math.round(seconds * 1000),
          credits,
          ...(code === undefined ? {} : { code }),
          ...(writableFinished ? {} : { gone: true }),
        },
        'Request',
      );
      const notLookedUp = ctx.state.notLookedUp === true;
      const request = { requestId, method, route, status, gone: !writableFinished, seconds, credits, code, notLookedUp };
      observers.ended?.(request);
      traced?.end(request);
    });
    await (traced ? traced.run(next) : next());
  };
}
