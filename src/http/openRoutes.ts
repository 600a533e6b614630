import type { Context, Middleware } from 'koa';
import { ApiError, type ErrorCode } from '../core/domain/errors.ts';
import { type Lifetime, setLifetime } from './caching.ts';
import { type FileAnswer, file, type PathParameter } from './declaration.ts';

/** Groups of routes without a credential. Each has its own allowance for a source address. */
export type OpenRate = 'health' | 'ready' | 'unsubscribe' | 'confirm' | 'feed' | 'page' | 'file' | 'oauth' | 'preflight';

/** A route that needs no credential. */
export interface OpenRoute {
  /** `page` by default */
  rate?: OpenRate;
  /** whole paths, from the root */
  paths: readonly string[];
  /** a path that ends in a slash: every path under it is served too, and `handle` gets the remainder */
  below?: string;
  /** content type of a text; an object is sent as JSON */
  type?: string;
  /** headers in addition to those of every answer */
  headers?: Readonly<Record<string, string>>;
  /** how long the answer may be stored; not at all by default */
  lifetime?: Lifetime;
  handle(rest: string): Promise<string | object> | string | object;
  /** answers in place of `handle`, ranges of bytes too; and POST, body included, where there is a `postReference` */
  send?(ctx: Context): Promise<void>;
  /** those of its paths whose answers pages of every origin may read */
  anyOrigin?: readonly string[];
  /** answers POST, ignoring its body; without it POST is refused */
  post?(rest: string): Promise<string | object>;
  /** the same content as a page, for clients that prefer HTML */
  html?(): string;
  /** a refusal of `handle` as a page, for clients that prefer HTML; sent with `headers` and the status of the refusal */
  refusal?(rest: string): string;
  /** its entry in the reference */
  reference: OpenReference;
  /** the entry of its POST */
  postReference?: OpenReference;
}

/** Errors of an open path with a name in it: one that names nothing is, like every unknown path, not found with a key alone. */
export const NAMED_FILE_ERRORS = [
  'resource_not_found',
  'missing_api_key',
  'unauthorized',
  'key_expired',
  'account_disabled',
  'subscription_required',
] as const satisfies readonly ErrorCode[];

/** An open route in the reference; routes with the same `id` have one entry. */
export interface OpenReference {
  id: string;
  summary: string;
  description?: string;
  /** with `{name}` for each parameter; by default the first of the paths */
  path?: string;
  params?: Readonly<Record<string, PathParameter<unknown>>>;
  /** one for each content type */
  answers: readonly FileAnswer[];
  errors?: readonly ErrorCode[];
}

/** The entry of a path with one answer, which is an object where it is JSON. */
export const entryOf = (id: string, summary: string, type: string): OpenReference => ({
  id,
  summary,
  answers: [file(type, type.endsWith('json') ? { schema: { type: 'object' } } : {})],
});

export class OpenRoutes {
  readonly #byPath: ReadonlyMap<string, OpenRoute>;
  readonly #below: readonly OpenRoute[];

  constructor(routes: readonly OpenRoute[]) {
    this.#byPath = new Map(routes.flatMap((route) => route.paths.map((path) => [path, route])));
    this.#below = routes.filter(({ below }) => below !== undefined);
  }

  /** The declared path that matches a path, with `{name}` for each parameter; undefined when none does. */
  findTemplate(path: string): string | undefined {
    const found = this.#find(path)?.route;
    return found && (found.reference.path ?? found.paths[0] ?? `${found.below}*`);
  }

  /** The group of the open route at a path; undefined when there is none. */
  findRate(path: string): OpenRate | undefined {
    const found = this.#find(path)?.route;
    return found && (found.rate ?? 'page');
  }

  /** Whether pages of every origin may read what a path answers. */
  allowsAnyOrigin(path: string): boolean {
    return this.#find(path)?.route.anyOrigin?.includes(path) ?? false;
  }

  #find(path: string): { route: OpenRoute; rest: string } | undefined {
    const route = this.#byPath.get(path);
    if (route) return { route, rest: '' };
    const above = this.#below.find(({ below = '/' }) => path.startsWith(below));
    return above && { route: above, rest: path.slice(above.below?.length) };
  }

  serve(): Middleware {
    return async (ctx, next) => {
      const found = this.#find(ctx.path);
      if (!found) return next();
      const { route, rest } = found;
      const asked = { isPost: ctx.method === 'POST' && takesPost(route), rest };
      if (ctx.method !== 'GET' && ctx.method !== 'HEAD' && !asked.isPost) {
        const allow = takesPost(route) ? 'GET, HEAD, POST' : 'GET, HEAD';
        throw new ApiError('method_not_allowed', `${ctx.path.slice(0, 200)} takes ${allow}, not ${ctx.method}`, {
          headers: { Allow: allow },
        });
      }
      if (!(await refuseAsPage(ctx, route, rest, () => answer(ctx, route, asked)))) return;
      if (route.headers) ctx.set(route.headers);
      if (route.html) ctx.vary('Accept');
      if (route.lifetime && !route.send) setLifetime(ctx, ctx.body, route.lifetime);
    };
  }
}

const takesPost = ({ post, send, postReference }: OpenRoute) => post !== undefined || (send !== undefined && postReference !== undefined);

const prefersPage = (ctx: Context) => ctx.accepts('json', 'html') === 'html';

async function answer(ctx: Context, route: OpenRoute, { isPost, rest }: { isPost: boolean; rest: string }): Promise<void> {
  if (route.send) return route.send(ctx);
  const asPage = !isPost && route.html && prefersPage(ctx) ? route.html() : undefined;
  ctx.body = asPage ?? (await (isPost ? route.post?.(rest) : route.handle(rest)));
  const type = asPage === undefined ? route.type : 'html';
  if (type) ctx.type = type;
}

/**
 * Runs the work, and answers its refusal with a page if the client prefers HTML.
 * @returns whether the route answered
 */
async function refuseAsPage(ctx: Context, { refusal, headers }: OpenRoute, rest: string, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!refusal || !(error instanceof ApiError) || !prefersPage(ctx)) throw error;
    ctx.status = error.status;
    ctx.state.errorCode = error.code;
    ctx.body = refusal(rest);
    ctx.type = 'html';
    if (headers) ctx.set(headers);
    ctx.vary('Accept');
    return false;
  }
}
