import type { Middleware } from 'koa';
import { ApiError } from '../domain/errors.ts';
import { keepFor, type Lifetime } from './caching.ts';

/** A route that needs no credential; it has the rate limit of the health check. */
export interface OpenRoute {
  /** whole paths, from the root */
  paths: readonly string[];
  /** content type of a text; an object is sent as JSON */
  type?: string;
  /** further headers of its answer */
  headers?: Readonly<Record<string, string>>;
  /** how long the answer may be kept; not at all without one */
  lifetime?: Lifetime;
  handle(): Promise<string | object> | string | object;
  /** the same as a page, for clients that prefer one */
  html?(): string;
}

export class OpenRoutes {
  readonly #byPath: ReadonlyMap<string, OpenRoute>;

  constructor(routes: readonly OpenRoute[]) {
    this.#byPath = new Map(routes.flatMap((route) => route.paths.map((path) => [path, route])));
  }

  has(path: string): boolean {
    return this.#byPath.has(path);
  }

  serve(): Middleware {
    return async (ctx, next) => {
      const route = this.#byPath.get(ctx.path);
      if (!route) return next();
      if (ctx.method !== 'GET' && ctx.method !== 'HEAD')
        throw new ApiError('method_not_allowed', `${ctx.path} takes GET, HEAD, not ${ctx.method}`, { headers: { Allow: 'GET, HEAD' } });
      const asPage = route.html && ctx.accepts('json', 'html') === 'html' ? route.html() : undefined;
      ctx.body = asPage ?? (await route.handle());
      const type = asPage === undefined ? route.type : 'html';
      if (type) ctx.type = type;
      if (route.headers) ctx.set(route.headers);
      if (route.html) ctx.vary('Accept');
      if (route.lifetime) keepFor(ctx, ctx.body, route.lifetime);
    };
  }
}
