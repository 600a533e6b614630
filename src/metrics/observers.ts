/** What may hear of what a process does: metrics, and spans. What is absent costs nothing. */
import type { BeginRequest, RequestObserver } from '../http/requestLog.ts';
import type { AttemptObserver } from '../jobs/attempt.ts';
import type { CountObserver } from '../operations/projects/countProjects.ts';
import type { PoolUse } from '../store/postgres/pool.ts';
import type { ChargeObserver, ServerName, Watch } from '../store/watch.ts';

export interface Observers {
  watch?: Readonly<Record<ServerName, Watch>>;
  request?: RequestObserver;
  begin?: BeginRequest;
  attempt?: AttemptObserver;
  charged?: ChargeObserver;
  counted?: CountObserver;
  /** is handed each pool of connections once */
  pool?(name: string, use: () => PoolUse): void;
}
