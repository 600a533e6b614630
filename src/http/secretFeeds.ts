/** Routes of feeds that are read by the secret in their addresses: made, listed and deleted with a key. Free. */
import { Type } from 'typebox';
import { ApiError, type RequestRefusal } from '../core/domain/errors.ts';
import type { Principal } from '../core/domain/principal.ts';
import { nullable, object } from '../core/domain/record/field.ts';
import type { Warning } from '../core/domain/warnings.ts';
import type { AccountStore } from '../core/identity/accounts.ts';
import type { SecretAddresses } from '../core/identity/secretAddresses.ts';
import type { StoppedWithKeys, TeamSubscriber } from '../core/identity/teamChanges.ts';
import type { IdempotencyStore } from '../core/ledger/idempotencyStore.ts';
import type { Actor } from '../core/search/actor.ts';
import { runFreeOnce } from '../core/search/idempotentRequests.ts';
import type { OperationAnswer } from '../core/search/services.ts';
import { file, json, onlyProblems, type PathParameter, type Route, route } from './declaration.ts';
import type { filtersField } from './filterFields.ts';
import type { OpenRoute } from './openRoutes.ts';
import { opaqueId } from './pathParameters.ts';
import { anyObject, moment, warnings, whole } from './schemas.ts';

export interface StoredSecretFeed {
  id: string;
  filters: Readonly<Record<string, unknown>>;
  createdAt: Date;
}

/** What an opened address shows, and to whom. */
export type OpenedFeed = Pick<StoredSecretFeed, 'filters'> & { teamId: number };
export type Feeds = SecretAddresses<StoredSecretFeed, OpenedFeed>;
export type FeedKind = ConstructorParameters<typeof SecretAddresses>[2];

/** The kind of feeds in a table. None opens when the account of its creator is closed. */
export const feedKindOf = (table: string, named: Pick<FeedKind, 'idPrefix' | 'secretPrefix' | 'purpose' | 'named'>): FeedKind => ({
  ...named,
  table,
  shows: 'id, filters, created_at as "createdAt"',
  opens: `select f.team_id as "teamId", f.filters from ${table} f join app_user u on u.id = f.created_by
    where f.digest = $1 and u.closed_at is null`,
  most: 20,
});

/** Deletes feeds when their team is closed, or the keys that made them may have leaked. @param count how the answer of closing a team calls their number */
export const deleteFeedsWithTeam = (table: string, count: string): TeamSubscriber => ({
  async closeTeam(tx, teamId) {
    const feeds = await tx.query(`delete from ${table} where team_id = $1 returning 1`, [teamId]);
    return { [count]: feeds.length };
  },
  async stopCreatedWith(tx, { teamId, keyIds }) {
    const sql = `delete from ${table} where team_id = $1 and made_with = any ($2) returning id, null as "alertId", null as "alertName"`;
    return { feeds: await tx.query<StoppedWithKeys['feeds'][number]>(sql, [teamId, keyIds]) };
  },
});

export interface SecretFeedServices {
  feeds: Feeds;
  accounts: Pick<AccountStore, 'principalOf'>;
  idempotency: IdempotencyStore;
  now: () => Date;
  publicUrl: string;
}

/** How the routes of a kind of feeds differ. */
interface DeclaredFeeds {
  path: `/${string}/feeds`;
  /** ids of the operations that make, list, read and delete one */
  ids: readonly [string, string, string, string];
  idPrefix: string;
  /** what they show, as in `a feed of hearings` */
  noun: string;
  /** the path of each address before the secret, by the name that the answer gives the address */
  addresses: Readonly<Record<string, string>>;
  /** the field `filters` of the body */
  filters: ReturnType<typeof filtersField>;
  readProblems: (filters: unknown, principal: Principal) => readonly RequestRefusal[];
}

const FREE = { creditsUsed: 0 };
const meta = { creditsUsed: whole };

type Feed = Omit<StoredSecretFeed, 'createdAt'> & { createdAt: string };

/** The operations on feeds of a kind. Whose they are is decided by the user of the key. */
function makeOperations(services: SecretFeedServices, { noun, addresses }: Pick<DeclaredFeeds, 'noun' | 'addresses'>) {
  const { feeds, publicUrl } = services;
  const view = ({ id, filters, createdAt }: StoredSecretFeed, secret: string | null): Feed => {
    const urls = Object.entries(addresses).map(([name, path]) => [name, secret === null ? null : `${publicUrl}${path}${secret}`]);
    return { id, ...Object.fromEntries(urls), filters, createdAt: createdAt.toISOString() };
  };
  const findFeed = async ({ principal }: Actor, id: string): Promise<StoredSecretFeed> => {
    const [feed] = await feeds.list({ created_by: principal.userId, id });
    if (!feed) throw new ApiError('resource_not_found', `You have no feed of ${noun} '${id}'`, { param: 'id' });
    return feed;
  };
  return {
    /** Only this answer contains the addresses. @throws ApiError `forbidden` */
    create: (actor: Actor, filters: StoredSecretFeed['filters']) =>
      runFreeOnce<OperationAnswer<Feed>, { feedId: string }>(services, actor, filters, {
        run: async (keep) => {
          const more = { team_id: actor.principal.teamId, filters: JSON.stringify(filters) };
          const { row, secret } = await feeds.create(actor.principal, {}, more, keep);
          return { data: view(row, secret), meta: { ...FREE, warnings: [] } };
        },
        replay: async ({ feedId }) => {
          const feed = await findFeed(actor, feedId);
          const message = 'This Idempotency-Key made the feed before; its address was in that answer only. If it is lost, delete the feed.';
          const repeated: Warning[] = [{ code: 'secret_not_repeated', message, params: { feedId } }];
          return { data: view(feed, null), meta: { ...FREE, warnings: repeated } };
        },
      }),
    /** Newest first. */
    list: async ({ principal }: Actor): Promise<OperationAnswer<Feed[]>> => {
      const data = (await feeds.list({ created_by: principal.userId })).map((feed) => view(feed, null));
      return { data, meta: { ...FREE, pageCount: data.length } };
    },
    get: async (actor: Actor, id: string): Promise<OperationAnswer<Feed>> => ({ data: view(await findFeed(actor, id), null), meta: FREE }),
    /** Its addresses are unknown from now on. */
    remove: async (actor: Actor, id: string): Promise<OperationAnswer<{ id: string; deleted: true }>> => {
      await findFeed(actor, id);
      await feeds.remove({ created_by: actor.principal.userId, id });
      return { data: { id, deleted: true }, meta: FREE };
    },
  };
}

export function secretFeedRoutes(services: SecretFeedServices, declared: DeclaredFeeds): Route[] {
  const { path, ids, idPrefix, noun, addresses, filters, readProblems } = declared;
  const operations = makeOperations(services, declared);
  const address = nullable(Type.String({ format: 'uri', description: 'In the answer that makes the feed only; its secret is not stored' }));
  const feed = object({
    id: Type.String(),
    ...Object.fromEntries(Object.keys(addresses).map((name) => [name, address])),
    filters: Type.Unsafe<StoredSecretFeed['filters']>(anyObject),
    createdAt: moment,
  });
  const params = { id: opaqueId('feed', 'Id of the feed', idPrefix) };
  return [
    route('Projects', ids[0], `POST ${path}`, {
      summary: `An address at which calendars and readers fetch the ${noun} of a selection without a key; it is shown once`,
      idempotent: 'honoured',
      body: object({ filters }),
      readBody: (body, principal) => onlyProblems(readProblems(body.filters, principal)),
      answers: [json(feed, { status: 201, description: 'Made', meta: object({ ...meta, warnings: warnings('secret_not_repeated') }) })],
      errors: ['invalid_filter', 'geographic_access_denied', 'forbidden', 'resource_not_found'],
      example: { body: { filters: { states: ['CO'] } } },
      handle: ({ actor, body }) => operations.create(actor, body.filters),
    }),
    route('Projects', ids[1], `GET ${path}`, {
      summary: `Your feeds of ${noun}, without their addresses, newest first`,
      answers: [json(Type.Array(feed), { meta: object({ ...meta, pageCount: whole }) })],
      handle: ({ actor }) => operations.list(actor),
    }),
    route('Projects', ids[2], `GET ${path}/{id}`, {
      summary: `One of your feeds of ${noun}, without its address`,
      params,
      answers: [json(feed, { meta: object(meta) })],
      handle: ({ actor, params: { id } }) => operations.get(actor, id),
    }),
    route('Projects', ids[3], `DELETE ${path}/{id}`, {
      summary: `Delete a feed of ${noun}; its address is unknown from then on`,
      params,
      answers: [json(object({ id: Type.String(), deleted: Type.Literal(true) }), { meta: object(meta) })],
      handle: ({ actor, params: { id } }) => operations.remove(actor, id),
    }),
  ];
}

/** An opened feed, and as whom it is read. @throws ApiError `resource_not_found`, `subscription_required` */
export async function openFeed({ feeds, accounts }: SecretFeedServices, secret: string) {
  const feed = await feeds.open(secret);
  if (!feed) throw unknownFeedError('deleted');
  const { teamId, filters } = feed;
  const { status, plan, licence } = await accounts.principalOf(teamId);
  if (status !== 'active') throw new ApiError('subscription_required', 'The team of this feed has no active plan');
  return { filters, principal: { teamId, plan, licence } };
}

/** @param ended what may have become of it */
export const unknownFeedError = (ended: 'deleted' | 'revoked') =>
  new ApiError('resource_not_found', `There is no feed at this address, or it was ${ended}`);

/** Refuses to read a feed whose filters are no longer accepted. @throws ApiError `feed_gone` */
export function assertAccepted([problem]: readonly RequestRefusal[]): void {
  if (problem) throw new ApiError('feed_gone', `The filters of this feed are no longer accepted (${problem.message}); make another feed`);
}

interface ReadFeed {
  id: string;
  summary: string;
  /** content type */
  type: string;
  /** the path before the secret */
  below: string;
  secret: PathParameter<string>;
  /** further errors */
  errors?: readonly 'search_unavailable'[];
  ended: 'deleted' | 'revoked';
  read(secret: string): Promise<string>;
}

/** The route at which a feed is read without a key, by the secret in its address. */
export const readFeedRoute = ({ id, summary, type, below, secret, errors = [], ended, read }: ReadFeed): OpenRoute => ({
  rate: 'feed',
  paths: [],
  below,
  type: `${type}; charset=utf-8`,
  // Revalidated each time, so that a deleted feed disappears at once.
  lifetime: { seconds: 0, scope: 'private' },
  handle: (rest) => {
    const known = secret.parse(rest);
    if (known === undefined) throw unknownFeedError(ended);
    return read(known);
  },
  reference: {
    id,
    summary,
    path: `${below}{secret}`,
    params: { secret },
    answers: [file(type)],
    errors: ['resource_not_found', 'feed_gone', 'subscription_required', ...errors, 'service_unavailable'],
  },
});
