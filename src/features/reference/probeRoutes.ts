import { Type } from 'typebox';
import { ApiError } from '../../core/domain/errors.ts';
import { object, oneOf } from '../../core/domain/record/field.ts';
import { file } from '../../http/declaration.ts';
import type { OpenRoute } from '../../http/openRoutes.ts';

const health = object({ status: oneOf('ok') });
const ready = object({
  status: oneOf('ready'),
  servers: Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string', enum: ['up'] } }),
});

/** Null, or why this process should get no requests. */
type Check = () => Promise<string | null>;

/** Checks that have to pass before this process gets requests. */
export interface Checks {
  /** by name */
  servers: Readonly<Record<string, Check>>;
  /** whether the clock of this process agrees with that of Postgres */
  clock: Check;
  /** whether Elasticsearch serves what Postgres has recorded */
  index: Check;
}

async function checkReadiness(checks: Checks): Promise<object> {
  const answers = Object.entries(checks.servers).map(async ([name, check]) => [name, await check()] as const);
  const [clock, index, ...servers] = await Promise.all([checks.clock(), checks.index(), ...answers]);
  const states = Object.fromEntries(servers.map(([name, problem]) => [name, problem === null ? 'up' : 'down']));
  const problems = [...servers.map(([name, problem]) => problem && `${name}: ${problem}`), clock, index].filter(
    (problem) => problem !== null,
  );
  if (!problems.length) return { status: 'ready', servers: states };
  throw new ApiError('service_unavailable', `Not ready: ${problems.join('; ')}.`, {
    details: { servers: states, reasons: problems },
    headers: { 'Retry-After': '2' },
  });
}

/** Refuses requests of a process that stops in a few seconds, so that the load balancer finds another one. */
function refuseStopping(): never {
  throw new ApiError('service_unavailable', 'Not ready: this process is stopping; requests under way are served', {
    headers: { 'Retry-After': '2' },
  });
}

/** `/health` tells that the process is alive, `/ready` whether it can serve, by server. Both are also at the root, where orchestrators expect them. */
export function probeRoutes(apiRoot: string, checks: Checks, isStopping: () => boolean): OpenRoute[] {
  return [
    {
      rate: 'health',
      paths: [`${apiRoot}/health`, '/health'],
      handle: () => ({ status: 'ok' }),
      reference: { id: 'getHealth', summary: 'Whether the process lives', answers: [file('application/json', { schema: health })] },
    },
    {
      rate: 'ready',
      paths: [`${apiRoot}/ready`, '/ready'],
      handle: () => (isStopping() ? refuseStopping() : checkReadiness(checks)),
      reference: {
        id: 'getReadiness',
        summary:
          'Whether requests can be served: Elasticsearch, Postgres and Redis answer, the clocks agree, and the index is the one that was last loaded',
        answers: [file('application/json', { schema: ready })],
        errors: ['service_unavailable'],
      },
    },
  ];
}
