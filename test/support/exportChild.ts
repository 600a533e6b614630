/** A worker on exports in a process of its own, which kills itself at the n-th step that it takes outside of itself. */
import { pino } from 'pino';
import { loadConfig } from '../../src/config.ts';
import { serviceWorker } from '../../src/serviceWorker.ts';
import { Database } from '../../src/store/postgres/pool.ts';
import { QUICK } from './jobs.ts';

const { env, now, steps }: { env: Record<string, string>; now: string; steps: number } = JSON.parse(process.argv[2] ?? '{}');
let left = steps;

/** Only what belongs to exports counts: transactions, and statements outside of them. */
const transaction = Database.prototype.transaction;
Database.prototype.transaction = function counted<T>(this: Database, work: Parameters<typeof transaction<T>>[0]): Promise<T> {
  return transaction.call(this, (tx) =>
    work({
      query: async (text, values, options) => {
        const rows = await tx.query(text, values, options);
        if (/export|assert_lease|settle_delivery|update job/.test(text)) step();
        return rows as never;
      },
    }),
  ) as Promise<T>;
};
const query = Database.prototype.query;
Database.prototype.query = async function counted(this: Database, ...parameters: Parameters<typeof query>) {
  const rows = await query.apply(this, parameters);
  if (/progress|from unnest/.test(parameters[0])) step();
  return rows as never;
};

function step(): void {
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
}

await serviceWorker(loadConfig(env), pino({ level: 'silent' }), () => new Date(now), QUICK).start();
