/** Hooks called when a process does something, for metrics and spans. Absent hooks cost nothing. */

import type { Measure } from '../../core/domain/metric.ts';
import type { AttemptObserver } from '../../core/jobs/attempt.ts';
import type { ChargeObserver, CountObserver, ServerName, Watch } from '../../core/store/callWatch.ts';
import type { PoolUse } from '../../core/store/postgres/pool.ts';
import type { BeginRequest, RequestObserver } from '../../http/requestLog.ts';

export interface Observers {
  watch?: Readonly<Record<ServerName, Watch>>;
  request?: RequestObserver;
  begin?: BeginRequest;
  attempt?: AttemptObserver;
  charged?: ChargeObserver;
  counted?: CountObserver;
  /** updates metrics that features declare */
  measure?: Measure;
  /** called once for each connection pool */
  pool?(name: string, use: () => PoolUse): void;
}
