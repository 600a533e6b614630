/** Customers of one service: they keep copies and optionally make visits and receive webhooks; all answers are compared with what was loaded. */
import { setTimeout as sleep } from 'node:timers/promises';
import { GenerationStore } from '../../../ingest/write/generationSets.ts';
import { serviceToday } from '../../../src/core/domain/serviceClock.ts';
import { IndexNames } from '../../../src/core/store/elastic/indices.ts';
import { type Account, type Sandbox, type SandboxEnvironment, withElastic } from '../../lib/sandbox.ts';
import { type Receiver, startReceiver } from '../../lib/webhookReceiver.ts';
import { Random } from '../../sample/random.ts';
import { type AnswerTally, CheckingClient, newAnswerTally } from './client.ts';
import {
  type CopiesReport,
  type CopyOfKind,
  compareCopies,
  keepCopyUpToDate,
  type MakeAccount,
  makeCopies,
  type SnapshotHabit,
} from './copies.ts';
import type { CopySabotage } from './keptCopy.ts';
import { type LoaderOptions, Loaders, type Loads } from './loaders.ts';
import { loadThroughModel, Model } from './model.ts';
import { Receipts } from './receipts.ts';
import { runLoads, type Schedule } from './schedule.ts';
import { VISITS } from './visits.ts';
import { World, type WorldOptions } from './world.ts';

const EVENTS = ['alert.delivery.completed', 'export.ready', 'ai_search.settled'];

/** Settings of a service that such customers use. */
export const CUSTOMER_SETTINGS: SandboxEnvironment = {
  AI_DAILY_SCREENED: '1000000000',
  WEBHOOK_ALLOW_PRIVATE: 'true',
  WEBHOOK_PORTS: 'any',
};

/** The wrong answers that customers got, and the charges that were missing. */
export interface CustomersReport extends AnswerTally {
  copies: CopiesReport;
  /** undefined without visits */
  visits: VisitsReport | undefined;
}

export interface VisitsReport {
  /** number of visits of each kind */
  made: Readonly<Record<string, number>>;
  /** revisions that the metered pool was shown, and those it was not charged for */
  shown: number;
  unpaid: string[];
  events: number;
  missedEvents: string[];
  failedJobs: Receipts['failed'];
}

interface CustomersOptions {
  sandbox: Sandbox;
  seed: number;
  /** addresses of the API processes; each request goes to any of those that are in it then */
  urls: readonly string[];
  signal: AbortSignal;
  /** how many keep a copy, and how */
  copies: {
    count: number;
    idleMs: number;
    sabotage?: readonly (CopySabotage | undefined)[] | undefined;
    snapshotHabit?: SnapshotHabit | undefined;
  };
  hasVisits: boolean;
  world: WorldOptions;
  /** how long they wait for an answer */
  timeoutMs?: number;
}

export class Customers implements AsyncDisposable {
  readonly tally = newAnswerTally();
  readonly model = new Model();
  readonly world: World;
  readonly #options: CustomersOptions;
  readonly #receipts = new Receipts();
  readonly #visits: Record<string, number> = {};
  #hook: { receiver: Receiver; secret: string } | undefined;
  #account: Account | undefined;
  #copies: CopyOfKind[] = [];

  constructor(options: CustomersOptions) {
    this.#options = options;
    this.world = new World(options.seed, serviceToday(new Date()), options.world);
  }

  /** Loaders of their records; where they visit, the model learns of every load. */
  loads(options: Pick<LoaderOptions, 'environment' | 'outages'>): Loads {
    const { sandbox, signal, hasVisits } = this.#options;
    const randoms = { random: this.random('loaders'), beside: this.random('renewals') };
    const loaders = new Loaders({ folder: sandbox.folder, ...randoms, signal, ...options });
    return hasVisits ? loadThroughModel(loaders, this.model) : loaders;
  }

  /** Loads the records that are there before anything else. */
  loadFirst = (loads: Loads, records: number) => loads.loadFull([this.world.header(1, 'full'), ...this.world.first(records).lines]);

  /** Loads changes of their records as planned. @param elasticUrl where it is read which generations there are */
  keepLoading(schedule: Omit<Schedule, 'world' | 'random' | 'readGenerations'>, elasticUrl: () => string): Promise<void> {
    const names = new IndexNames(this.#options.sandbox.indexPrefix);
    const readGenerations = () => withElastic(elasticUrl(), (client) => new GenerationStore(client, names).read());
    return runLoads({ ...schedule, world: this.world, random: this.random('schedule'), readGenerations });
  }

  random(name: string): Random {
    return new Random(this.#options.seed, name);
  }

  client(name: string, key: string, tally: AnswerTally = this.tally): CheckingClient {
    const { urls, signal, timeoutMs } = this.#options;
    return new CheckingClient({ urls, key, tally, model: this.model, random: this.random(name), signal, timeoutMs });
  }

  /** Pages of sync that the copies have read. */
  get pages(): number {
    return this.#copies.reduce((sum, { copy }) => sum + copy.counts.pages, 0);
  }

  /** Accounts, copies and a webhook, on a service that serves. */
  async open(): Promise<void> {
    const { sandbox, seed, urls, copies, hasVisits } = this.#options;
    const account: MakeAccount = (plan, licence) => sandbox.account(plan, licence);
    if (hasVisits) await this.#openWebhook(await account('api_only'));
    const { count, idleMs: _, ...kept } = copies;
    this.#copies = await makeCopies(account, { copies: count, seed, ...kept }, urls);
  }

  async #openWebhook(account: Account): Promise<void> {
    this.#account = account;
    const hook = await startReceiver();
    this.#hook = { receiver: hook, secret: '' };
    const made = await this.client('webhook', account.key).send('POST', '/webhooks', { url: hook.url, types: EVENTS });
    if (made.status !== 201) throw new Error(`The webhook was not made: ${JSON.stringify(made.body)}`);
    this.#hook.secret = made.body.data.secret;
  }

  /** Each goes on until `until` aborts, and to the end of what it has begun. */
  run(until: AbortSignal): Promise<void>[] {
    const { signal, copies } = this.#options;
    const visits = this.#account ? VISITS : [];
    return [
      ...this.#copies.map(({ copy }) => keepCopyUpToDate(copy, this.random(`pace ${copy.owner.name}`), until, signal, copies.idleMs)),
      ...visits.map((kind) => this.#visit(kind, until)),
    ];
  }

  async #visit({ name, visit, pauseMs }: (typeof VISITS)[number], until: AbortSignal): Promise<void> {
    const client = this.client(name, this.#account?.key ?? '');
    while (!until.aborted) {
      await visit({ client, receipts: this.#receipts });
      this.#visits[name] = (this.#visits[name] ?? 0) + 1;
      await sleep(client.random.int(0, pauseMs), undefined, { signal: until }).catch(() => undefined);
    }
  }

  /** Drops a record from a copy or doubles a charge; the proof has to report it. */
  async spoil(how: 'dropped-record' | 'doubled-charge'): Promise<void> {
    const [first] = this.#copies;
    if (how === 'doubled-charge') return doubleCharge(this.#options.sandbox, this.#account?.teamId ?? 0);
    await first?.copy.catchUp(this.#options.signal);
    first?.copy.records.delete(first.copy.records.keys().next().value as number);
  }

  /** Compares copies and charges, after all work has ended. @param elasticUrl where the index is read past the API */
  async report(elasticUrl: string): Promise<CustomersReport> {
    const { sandbox, urls, seed, signal } = this.#options;
    for (const { copy } of this.#copies) await copy.catchUp(signal);
    const visits = await this.#reportVisits();
    const copies = await compareCopies({ sandbox, elasticUrl, copies: this.#copies, urls, seed, signal });
    return { ...this.tally, visits, copies };
  }

  async #reportVisits(): Promise<VisitsReport | undefined> {
    if (!this.#hook || !this.#account) return undefined;
    return {
      made: this.#visits,
      missedEvents: await this.#receipts.findMissedEvents(this.#hook.receiver, this.#hook.secret),
      shown: this.#receipts.shown,
      unpaid: await this.#receipts.findUnpaid(this.#options.sandbox.database, this.#account.teamId),
      events: this.#receipts.expected,
      failedJobs: this.#receipts.failed,
    };
  }

  [Symbol.asyncDispose] = async (): Promise<void> => this.#hook?.receiver.stop();
}

/** Charges a delivery twice with consistent books, as a faulty program would. */
async function doubleCharge({ database }: Sandbox, teamId: number): Promise<void> {
  // By which the tables would stop it.
  await database.query('alter table delivery drop constraint if exists delivery_content_once');
  await database.query(
    'update delivery set credits = credits + 1 where (team_id, project_id) in (select team_id, project_id from delivery where team_id = $1 limit 1)',
    [teamId],
  );
  await database.query("select enter_credits($1, 'charge', 'records', -1, 1, '{}')", [teamId]);
}
