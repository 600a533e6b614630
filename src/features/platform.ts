/** Makes the platform of a process from its clients. */
import { AccountStore } from '../core/identity/accounts.ts';
import { AwaitedJobs } from '../core/jobs/awaited.ts';
import { JobStore } from '../core/jobs/store.ts';
import { HoldingStore } from '../core/ledger/holdings.ts';
import { IdempotencyStore } from '../core/ledger/idempotencyStore.ts';
import type { OwnedPages } from '../core/ledger/ownedPages.ts';
import { OutboxStore } from '../core/mail/outbox.ts';
import { Suppressions } from '../core/people/suppressions.ts';
import { UnlockStore } from '../core/people/unlocks.ts';
import { SyncedNames } from '../core/store/elastic/indices.ts';
import { ProjectSets } from '../core/store/elastic/projectSets.ts';
import { ProjectStore } from '../core/store/elastic/projects.ts';
import { loadPlaces } from '../core/store/files/loadPlaces.ts';
import type { Database } from '../core/store/postgres/pool.ts';
import type { Platform } from './feature.ts';

type Given =
  | 'config'
  | 'log'
  | 'now'
  | 'elastic'
  | 'names'
  | 'timeoutMs'
  | 'database'
  | 'jobs'
  | 'lineage'
  | 'restrictions'
  | 'ledger'
  | 'charged'
  | 'counted'
  | 'measure'
  | 'events'
  | 'subscribers';

/** The platform that all features of a process share. @param instead results that `once` returns instead of making them */
export function makePlatform(
  { control, owned, ...given }: Pick<Platform, Given> & { control: Database; owned?: OwnedPages },
  instead: Iterable<readonly [unknown, unknown]> = [],
): { platform: Platform; close(): Promise<unknown> } {
  const { config, log, elastic, names, timeoutMs, database, jobs } = given;
  const made = new Map<unknown, unknown>(instead);
  const closing: (() => Promise<unknown>)[] = [];
  const platform: Platform = {
    ...given,
    publicUrl: config.publicUrl,
    places: loadPlaces(),
    synced: new SyncedNames(config.indexPrefix),
    store: new ProjectStore(elastic, names, timeoutMs, config.publicUrl),
    sets: new ProjectSets(elastic, names, timeoutMs),
    holdings: new HoldingStore(database, owned),
    idempotency: new IdempotencyStore(database),
    accounts: new AccountStore(database, given.subscribers),
    unlocks: new UnlockStore(database),
    suppressions: new Suppressions(control, config.keyPepper),
    outbox: new OutboxStore(jobs),
    awaitedJobs: new AwaitedJobs({ jobs, leases: new JobStore(control), log }),
    once: <T>(make: (platform: Platform) => T): T => {
      if (!made.has(make)) made.set(make, make(platform));
      return made.get(make) as T;
    },
    onClose: (close) => closing.push(close),
  };
  return { platform, close: () => Promise.all(closing.map((close) => close())) };
}
