/** What a feature adds to the service, and what the app hands to it. */
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Measure, MetricDeclaration } from '../core/domain/metric.ts';
import type { AccountStore } from '../core/identity/accounts.ts';
import type { KeyStore } from '../core/identity/keys.ts';
import type { TeamSubscriber } from '../core/identity/teamChanges.ts';
import type { AwaitedJobs } from '../core/jobs/awaited.ts';
import type { JobDefinition } from '../core/jobs/registry.ts';
import type { JobStore } from '../core/jobs/store.ts';
import type { OutboxStore } from '../core/mail/outbox.ts';
import type { MailAudience } from '../core/mail/send.ts';
import type { PeopleSubscriber, Suppressions } from '../core/people/suppressions.ts';
import type { UnlockStore } from '../core/people/unlocks.ts';
import type { ProjectServices } from '../core/search/services.ts';
import type { makeElastic } from '../core/store/elastic/client.ts';
import type { IndexNames } from '../core/store/elastic/indices.ts';
import type { ProjectSets } from '../core/store/elastic/projectSets.ts';
import type { SyncedNames } from '../core/store/elastic/syncedNames.ts';
import type { LineageWatch } from '../core/store/lineageWatch.ts';
import type { Database } from '../core/store/postgres/pool.ts';
import type { makeRedis } from '../core/store/redis/client.ts';
import type { ChargeObserver, CountObserver } from '../core/store/watch.ts';
import type { Route } from '../http/declaration.ts';
import type { DocumentedEvent } from '../http/openapiWebhooks.ts';
import type { OpenRoute } from '../http/openRoutes.ts';

/** A type of event, declared by the feature that records it: the schema of webhooks and what is sent follow. */
export interface EventDeclaration extends DocumentedEvent {
  /** its place in the published list of types, whose order stays; one without a place follows those */
  place?: number;
  /** That user `u` may see what event `e` is about, an SQL expression, for whatever event: true of those of other features. Without it all of the team may. */
  seenBy?: string;
}

/** Settings, clients and stores of core in one process. Reads are of what is served, but where a store is made on `synced`. */
export interface Platform extends ProjectServices {
  config: Config;
  log: Logger;
  elastic: ReturnType<typeof makeElastic>;
  /** of what is served, and of what sync shows */
  names: IndexNames;
  synced: SyncedNames;
  /** what Elasticsearch may take of one request or look of a job */
  timeoutMs: number;
  database: Database;
  jobs: JobStore;
  awaitedJobs: AwaitedJobs;
  sets: ProjectSets;
  accounts: AccountStore;
  outbox: OutboxStore;
  suppressions: Suppressions;
  unlocks: UnlockStore;
  lineage: LineageWatch;
  /** hears of credits that jobs of this process charge */
  charged?: ChargeObserver | undefined;
  /** hears of counts that this process answers */
  counted?: CountObserver | undefined;
  /** those that any feature declares, in the order of the reference */
  events: readonly EventDeclaration[];
  /** what features do when a team changes */
  subscribers: readonly TeamSubscriber[];
  /** measures a metric that the feature declares; absent where the process has no metrics */
  measure?: Measure | undefined;
  /** what `make` makes, the same at every call: how features share a store, a pool or a client */
  once<T>(make: (platform: Platform) => T): T;
  /** calls `close` when the process stops */
  onClose(close: () => Promise<unknown>): void;
}

/** The same in a process that answers requests. */
export interface ServingPlatform extends Platform {
  keys: KeyStore;
  redis: ReturnType<typeof makeRedis>;
  /** true while no new requests shall be sent here */
  isStopping(): boolean;
  /** the document that describes every route */
  openApi(): object;
  /** those of the features before in the list */
  openRoutes: readonly OpenRoute[];
}

export interface Feature {
  /** below the root of the API, in the order of the reference */
  routes?(platform: ServingPlatform): Route[];
  /** below the root of key management */
  keyRoutes?(platform: ServingPlatform): Route[];
  /** below the root of the service itself, with a key like the others */
  rootRoutes?(platform: ServingPlatform): Route[];
  /** without a key, anywhere */
  openRoutes?(platform: ServingPlatform): OpenRoute[];
  /** what a worker does for it */
  jobs?(platform: Platform): JobDefinition<unknown>[];
  /** types of events that it records, for webhooks */
  events?: readonly EventDeclaration[];
  /** what it does with its own tables when core closes a team or a user, or revokes a leaked key */
  team?: TeamSubscriber;
  /** the same where people are added who asked not to be found */
  people?: PeopleSubscriber;
  /** what of its own a mail that waits shall say nothing about */
  mails?: MailAudience;
  /** what Prometheus reads of it, and the guide lists */
  metrics?: readonly MetricDeclaration[];
}
