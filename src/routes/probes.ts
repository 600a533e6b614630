import type { Middleware } from 'koa';
import { ApiError } from '../domain/errors.ts';

/** What has to answer before requests are sent here. */
export type Checks = Readonly<Record<string, () => Promise<boolean>>>;

const HEALTH = new Set(['/health', '/v1/health']);
const READY = new Set(['/ready', '/v1/ready']);

/** Routes that need no credential. */
export const isProbe = (path: string) => HEALTH.has(path) || READY.has(path);

/** `/health`: the process lives. `/ready`: it can serve, each server by name. */
export function probes(checks: Checks): Middleware {
  return async (ctx, next) => {
    if (!isProbe(ctx.path)) return next();
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD')
      throw new ApiError('method_not_allowed', 'Probes take GET', { headers: { Allow: 'GET, HEAD' } });
    if (HEALTH.has(ctx.path)) {
      ctx.body = { status: 'ok' };
      return;
    }
    const entries = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, (await check()) ? 'up' : 'down'] as const),
    );
    const servers = Object.fromEntries(entries);
    const down = entries.filter(([, state]) => state === 'down').map(([name]) => name);
    if (down.length)
      throw new ApiError('service_unavailable', `Not ready: ${down.join(', ')} cannot serve`, {
        details: { servers },
        headers: { 'Retry-After': '2' },
      });
    ctx.body = { status: 'ready', servers };
  };
}
