/** What a feature adds to the service, and what it gets from the app. */
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Measure, MetricDeclaration } from '../core/domain/metric.ts';
import type { AccountStore } from '../core/identity/accounts.ts';
import type { KeyStore } from '../core/identity/keys.ts';
import type { TeamSubscriber } from '../core/identity/teamChanges.ts';
import type { AwaitedJobs } from '../core/jobs/awaited.ts';
import type { JobDefinition } from '../core/jobs/defineJob.ts';
import type { JobStore } from '../core/jobs/store.ts';
import type { OutboxStore } from '../core/mail/outbox.ts';
import type { MailAudience } from '../core/mail/sendMails.ts';
import type { SuppressionHooks, Suppressions } from '../core/people/suppressions.ts';
import type { UnlockStore } from '../core/people/unlocks.ts';
import type { ProjectServices } from '../core/search/services.ts';
import type { ChargeObserver, CountObserver } from '../core/store/callWatch.ts';
import type { makeElastic } from '../core/store/elastic/client.ts';
import type { IndexNames, SyncedNames } from '../core/store/elastic/indices.ts';
import type { ProjectSets } from '../core/store/elastic/projectSets.ts';
import type { LineageWatch } from '../core/store/lineageWatch.ts';
import type { Database } from '../core/store/postgres/pool.ts';
import type { RestrictionStore } from '../core/store/postgres/restrictions.ts';
import type { makeRedis } from '../core/store/redis/client.ts';
import type { Credential } from '../http/credentialLookUp.ts';
import type { Route } from '../http/declaration.ts';
import type { DocumentedEvent } from '../http/openapiWebhooks.ts';
import type { OpenRoute } from '../http/openRoutes.ts';

/** A type of event, declared by the feature that records it. The webhook's schema and message are derived from it. */
export interface EventDeclaration extends DocumentedEvent {
  /** position in the published list of types, whose order must not change; types without a place come last */
  place?: number;
  /** SQL: whether user `u` may see the subject of event `e`; must be true for other types of events. Absent if the whole team may. */
  seenBy?: string;
}

/** Settings, clients and stores of core in one process. Stores read the served set, except those made with `synced`. */
export interface Platform extends ProjectServices {
  config: Config;
  log: Logger;
  elastic: ReturnType<typeof makeElastic>;
  /** names of the served indices, and of those that sync shows */
  names: IndexNames;
  synced: SyncedNames;
  /** timeout of a call of Elasticsearch */
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
  restrictions: RestrictionStore;
  /** called with the credits that jobs of this process charge */
  charged?: ChargeObserver | undefined;
  /** called with the counts that this process answers */
  counted?: CountObserver | undefined;
  /** the events of all features, in the order of the reference */
  events: readonly EventDeclaration[];
  /** hooks of all features for changes of a team */
  subscribers: readonly TeamSubscriber[];
  /** updates a metric that the feature declares; absent in a process without metrics */
  measure?: Measure | undefined;
  /** the result of `make`, created once per process, so that features share stores, pools and clients */
  once<T>(make: (platform: Platform) => T): T;
  /** calls `close` when the process stops */
  onClose(close: () => Promise<unknown>): void;
}

/** The same in a process that answers requests. */
export interface ServingPlatform extends Platform {
  keys: KeyStore;
  redis: ReturnType<typeof makeRedis>;
  /** the credential of a key that a form brings, under the limits of every request @throws ApiError */
  lookUpKey(request: { req: IncomingMessage }, key: string): Promise<Credential>;
  /** true while the process is stopping and should get no new requests */
  isStopping(): boolean;
  /** the document that describes every route */
  openApi(): object;
  /** open routes of the features earlier in the list */
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
  /** jobs that workers run for it */
  jobs?(platform: Platform): JobDefinition<unknown>[];
  /** types of events that it records */
  events?: readonly EventDeclaration[];
  /** hooks that change its tables when core closes a team or a user, or revokes a leaked key */
  team?: TeamSubscriber;
  /** hooks that change its tables when people are suppressed */
  people?: SuppressionHooks;
  /** what has to be left out of a mail that is still waiting */
  mails?: MailAudience;
  /** its metrics, which the guide lists */
  metrics?: readonly MetricDeclaration[];
}
