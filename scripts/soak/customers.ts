/** Customers of every kind on the same service: they visit, keep copies and take webhooks, and all that they get is held against the model. */
import { setTimeout as sleep } from 'node:timers/promises';
import { serviceToday } from '../../src/core/domain/serviceClock.ts';
import { type Receiver, receiver } from '../lib/receivers.ts';
import type { Account, Environment, Sandbox } from '../lib/sandbox.ts';
import { compareCopies, type Found, type Kept, keepUp, type MakeAccount, makeCopies } from '../proofs/copies.ts';
import { type LoaderOptions, Loaders, type Loads } from '../proofs/loaders.ts';
import { World } from '../proofs/world.ts';
import { Random } from '../sample/random.ts';
import { Client, type Tally } from './client.ts';
import { Model, modelled } from './model.ts';
import { Receipts } from './receipts.ts';
import { VISITS } from './visits.ts';

const COPIES = 3;
const COPY_IDLE_MS = 1_500;
const BATCH_MAX = 150;
const EVENTS = ['alert.delivery.completed', 'export.ready', 'ai_search.settled'];
/** Two records stated as one, or again as two, are the matter of prove-sync: the model knows no merges. */
const WEIGHTS = { merge: 0, alone: 0 };

/** Settings of a service that such customers use. */
export const FOR_CUSTOMERS: Environment = { AI_DAILY_SCREENED: '1000000000', WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_PORTS: 'any' };

/** What the customers got that was wrong, and what they were charged for. */
export interface CustomersFound extends Tally {
  visits: Readonly<Record<string, number>>;
  copies: Found;
  /** revisions that the metered pool was shown, and those it was not charged for */
  shown: number;
  unpaid: string[];
  events: number;
  missedEvents: string[];
  failedJobs: Receipts['failed'];
}

interface Options {
  sandbox: Sandbox;
  seed: number;
  /** addresses of the API processes; each request goes to any of those that are in it then */
  urls: readonly string[];
  signal: AbortSignal;
  /** makes an account; the tables may be of another version than this one */
  account?: MakeAccount;
  /** how long they wait for an answer */
  timeoutMs?: number;
}

export class Customers {
  readonly tally: Tally = { requests: 0, checked: 0, unanswered: [], wrong: [] };
  readonly model = new Model();
  readonly world: World;
  readonly #options: Options;
  readonly #receipts = new Receipts();
  readonly #visits: Record<string, number> = {};
  #hook: { receiver: Receiver; secret: string } | undefined;
  #account: Account | undefined;
  #copies: Kept[] = [];

  constructor(options: Options) {
    this.#options = options;
    this.world = new World(options.seed, serviceToday(new Date()), { weights: WEIGHTS, batchMax: BATCH_MAX });
  }

  /** What they are told of is loaded through this. */
  loads(options: Pick<LoaderOptions, 'environment' | 'outages' | 'version'>): Loads {
    const { sandbox, signal } = this.#options;
    const randoms = { random: this.random('loaders'), beside: this.random('renewals') };
    return modelled(new Loaders({ folder: sandbox.folder, ...randoms, signal, ...options }), this.model);
  }

  random(name: string): Random {
    return new Random(this.#options.seed, name);
  }

  client(name: string, key: string, tally: Tally = this.tally): Client {
    const { urls, signal, timeoutMs } = this.#options;
    return new Client({ urls, key, tally, model: this.model, random: this.random(name), signal, timeoutMs });
  }

  /** Accounts, copies and a webhook, on a service that serves. */
  async open(): Promise<void> {
    const { sandbox, seed, urls } = this.#options;
    const account: MakeAccount = this.#options.account ?? ((plan, licence) => sandbox.account(plan, licence));
    this.#account = await account('api_only');
    const got = await receiver();
    this.#hook = { receiver: got, secret: '' };
    const made = await this.client('webhook', this.#account.key).send('POST', '/webhooks', { url: got.url, types: EVENTS });
    if (made.status !== 201) throw new Error(`The webhook was not made: ${JSON.stringify(made.body)}`);
    this.#hook.secret = made.body.data.secret;
    this.#copies = await makeCopies(account, { clients: COPIES, seed }, urls);
  }

  /** Each goes on until `until` aborts, and to the end of what it has begun. */
  run(until: AbortSignal): Promise<void>[] {
    const { signal } = this.#options;
    return [
      ...this.#copies.map(({ copy }) => keepUp(copy, this.random(`pace ${copy.plan.name}`), until, signal, COPY_IDLE_MS)),
      ...VISITS.map((kind) => this.#visit(kind, until)),
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

  /** Records are dropped from a copy, or charged twice: what the proof has to see. */
  async spoil(how: 'dropped-record' | 'doubled-charge'): Promise<void> {
    const [first] = this.#copies;
    if (how === 'doubled-charge') return doubleCharge(this.#options.sandbox, this.#account?.teamId ?? 0);
    await first?.copy.catchUp(this.#options.signal);
    first?.copy.records.delete(first.copy.records.keys().next().value as number);
  }

  /** When everything is quiet again. @param elasticUrl where the index is read past the API */
  async found(elasticUrl: string): Promise<CustomersFound> {
    const { sandbox, urls, seed, signal } = this.#options;
    if (!this.#hook || !this.#account) throw new Error('open() comes first');
    for (const { copy } of this.#copies) await copy.catchUp(signal);
    const missedEvents = await this.#receipts.missed(this.#hook.receiver, this.#hook.secret);
    return {
      ...this.tally,
      visits: this.#visits,
      missedEvents,
      copies: await compareCopies(sandbox, elasticUrl, this.#copies, urls, seed, signal),
      shown: this.#receipts.shown,
      unpaid: await this.#receipts.unpaid(sandbox.database, this.#account.teamId),
      events: this.#receipts.owed,
      failedJobs: this.#receipts.failed,
    };
  }

  async close(): Promise<void> {
    await this.#hook?.receiver.close();
  }
}

/** What a program that charges twice would leave behind, its books in order. */
async function doubleCharge({ database }: Sandbox, teamId: number): Promise<void> {
  await database.query(
    'update delivery set credits = credits + 1 where (team_id, project_id) in (select team_id, project_id from delivery where team_id = $1 limit 1)',
    [teamId],
  );
  await database.query("select enter_credits($1, service_now(), 'charge', 'records', -1, 1, '{}')", [teamId]);
}
