import { ApiError } from '../domain/errors.ts';
import type { OpenRoute } from '../http/openRoutes.ts';

/** What has to answer before requests are sent here. */
export type Checks = Readonly<Record<string, () => Promise<boolean>>>;

async function readiness(checks: Checks): Promise<object> {
  const entries = await Promise.all(Object.entries(checks).map(async ([name, check]) => [name, (await check()) ? 'up' : 'down'] as const));
  const servers = Object.fromEntries(entries);
  const down = entries.filter(([, state]) => state === 'down').map(([name]) => name);
  if (!down.length) return { status: 'ready', servers };
  throw new ApiError('service_unavailable', `Not ready: ${down.join(', ')} cannot serve`, {
    details: { servers },
    headers: { 'Retry-After': '2' },
  });
}

/** `/health`: the process lives. `/ready`: it can serve, each server by name. Also at the root, where orchestrators look. */
export function probeRoutes(apiRoot: string, checks: Checks): OpenRoute[] {
  return [
    { paths: [`${apiRoot}/health`, '/health'], handle: () => ({ status: 'ok' }) },
    { paths: [`${apiRoot}/ready`, '/ready'], handle: () => readiness(checks) },
  ];
}
