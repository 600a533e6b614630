/**
 * A route is declared once: where it is, what it takes, what it answers and how it can fail. Parsing, refusals, the ledger's cause, OpenAPI,
 * the clients and the check of every answer in the tests follow from the declaration.
 */
import type { Static, TSchema } from 'typebox';
import type { ErrorCode, RequestRefusal } from '../core/domain/errors.ts';
import type { Principal } from '../core/domain/principal.ts';
import type { Controls } from '../core/filter/controls.ts';
import type { PlainKind } from '../core/filter/kinds.ts';
import type { RawParameters } from '../core/filter/parse.ts';
import type { Actor } from '../core/search/actor.ts';
import type { FileStore, FileStoreError } from '../core/store/files/fileStore.ts';
import type { Lifetime } from './caching.ts';
import type { Download, DownloadOptions } from './download.ts';

export type Method = 'get' | 'post' | 'patch' | 'delete';

/** A value of the path. */
export interface PathParameter<V> {
  /** JSON Schema */
  schema: Record<string, unknown>;
  summary: string;
  example: string | number;
  /** what it names, for `There is no …` */
  names: string;
  /** undefined where the text can name nothing: the route answers `resource_not_found` */
  parse(text: string): V | undefined;
}

/** A query parameter of one route alone. */
export interface OwnParameter<V> {
  summary: string;
  example: string;
  kind: PlainKind<V>;
  /** how an unusable value is answered; `invalid_filter` unless given */
  refusal?: 'invalid_request';
  /** a request without it is refused */
  required?: true;
}

/** Who sends parameters, and to which path. */
export interface QuerySender {
  principal: Principal;
  params: Readonly<Record<string, unknown>>;
}

/** Parameters of the filter table. */
export interface TableQuery<T> {
  /** true takes every filter */
  filters: boolean;
  /** one by the name of a filter takes its place: another way to write it */
  controls: Controls;
  /** what the operation gets of them; the licence and the catalogue of places have a say @throws ApiError with everything that is wrong */
  parse(sent: RawParameters, sender: QuerySender): T;
}

type OwnQuery = Readonly<Record<string, OwnParameter<unknown>>>;
export type QuerySpec = { table: TableQuery<unknown> } | { own: OwnQuery };

/** JSON in the envelope `{data, meta}`. */
export interface JsonAnswer<S extends TSchema> {
  kind: 'json';
  status: number;
  description: string;
  data: S;
  /** what `meta` holds besides `schemaVersion` and `requestId` */
  meta?: TSchema;
}

/** Bytes of a content type, without the envelope. */
export interface FileAnswer {
  kind: 'file';
  status: number;
  description: string;
  contentType: string;
  /** of a JSON file */
  schema?: TSchema;
}

/** JSON as a standard lays it down, without the envelope: what the handler hands back as `data`. */
export interface BareAnswer<S extends TSchema> {
  kind: 'bare';
  status: number;
  description: string;
  contentType: string;
  data: S;
}

/** Records as GeoJSON (RFC 7946): beside the JSON of the same records for clients that prefer it, or alone. */
export interface GeoJsonAnswer<S extends TSchema> {
  kind: 'geojson';
  status: number;
  description: string;
  /** a list is a FeatureCollection, one record a Feature */
  data: S;
}

export type AnswerSpec = JsonAnswer<TSchema> | FileAnswer | BareAnswer<TSchema> | GeoJsonAnswer<TSchema>;

export const file = (contentType: string, more: Partial<Omit<FileAnswer, 'kind' | 'contentType'>> = {}): FileAnswer => ({
  kind: 'file',
  status: 200,
  description: 'OK',
  contentType,
  ...more,
});

export const json = <S extends TSchema>(data: S, more: Partial<Omit<JsonAnswer<S>, 'kind' | 'data'>> = {}): JsonAnswer<S> => ({
  kind: 'json',
  status: 200,
  description: 'OK',
  data,
  ...more,
});

export const bare = <S extends TSchema>(data: S, contentType = 'application/json'): BareAnswer<S> => ({
  kind: 'bare',
  status: 200,
  description: 'OK',
  contentType,
  data,
});

export const geoJson = <S extends TSchema>(data: S): GeoJsonAnswer<S> => ({
  kind: 'geojson',
  status: 200,
  description: 'The same as GeoJSON, with `Accept: application/geo+json`',
  data,
});

/** A link in a GeoJSON answer. */
export interface AnswerLink {
  rel: string;
  href: string;
  type?: string;
  title?: string;
}

/** What a handler hands back. */
export interface Reply<D> {
  data: D;
  meta?: Record<string, unknown>;
  /** of a GeoJSON answer, besides those to itself and the next page */
  links?: readonly AnswerLink[];
  /** one of the declared ones; the first unless given */
  status?: number;
  headers?: Record<string, string>;
}

/** A kept file that a handler hands back, sent whole, in part or not at all as the request's headers have it. */
export interface FileReply extends DownloadOptions {
  file: Download;
  store: Pick<FileStore, 'read'>;
  /** called where the store cannot read the file back, before anything is sent; says what the client is told */
  lost(error: FileStoreError): Promise<Error>;
}

/** Bytes that are made where the client does not have them yet; their route has a lifetime. */
export interface BytesReply {
  /** all that they follow from, as text: it stands for them in the ETag */
  version: string;
  make(): Promise<Uint8Array>;
}

type ParamValues<P> = { [K in keyof P]: P[K] extends PathParameter<infer V> ? V : never };
type OwnValue<P> = P extends OwnParameter<infer V> ? V : never;
type QueryValues<Q> = Q extends { own: infer O }
  ? { [K in keyof O as O[K] extends { required: true } ? K : never]: OwnValue<O[K]> } & {
      [K in keyof O as O[K] extends { required: true } ? never : K]?: OwnValue<O[K]>;
    }
  : Q extends { table: TableQuery<infer T> }
    ? T
    : Record<string, never>;
type BodyValue<B> = B extends TSchema ? Static<B> : undefined;
type ReplyOf<A> = A extends JsonAnswer<infer S> | BareAnswer<infer S> | GeoJsonAnswer<infer S>
  ? Reply<Static<S>>
  : A extends FileAnswer
    ? FileReply | BytesReply
    : never;

/** What any handler hands back. */
export type AnyReply = Reply<unknown> | FileReply | BytesReply;

/** What a handler gets: past this point there is no context of a request, and no text that should be a number. */
export interface RouteRequest<P = unknown, Q = unknown, B = unknown, V = unknown> {
  principal: Principal;
  /** who asks, and what a charge is noted with */
  actor: Actor;
  params: P;
  query: Q;
  body: B;
  /** what `readBody` made of the body */
  read: V;
}

/** Part of the reference in which a route stands. */
export type Section =
  | 'Projects'
  | 'AI search'
  | 'Exports'
  | 'Contacts'
  | 'Lists'
  | 'Alerts'
  | 'Webhooks'
  | 'Analytics'
  | 'Documents'
  | 'Account'
  | 'Keys'
  | 'Places'
  | 'Words'
  | 'GIS'
  | 'Service';

/** What a body says beyond its schema, such as the filters that it holds. */
export interface BodyReading<V> {
  problems: readonly RequestRefusal[];
  /** counts where there are no problems */
  value: V;
}

/** Of a body of which nothing but its problems is read. */
export const problemsAlone = (problems: readonly RequestRefusal[]): BodyReading<undefined> => ({ problems, value: undefined });

export interface Declaration<P, Q, B, A extends readonly AnswerSpec[], V> {
  /** unique; names the operation in OpenAPI and in the clients */
  id: string;
  section: Section;
  method: Method;
  /** below the prefix that the routes are served under, with `{name}` for each parameter */
  path: string;
  summary: string;
  /** more than the summary says, Markdown */
  description?: string;
  /** `open` routes need no key */
  access?: 'key' | 'open';
  /** says what the route may charge; absent where it is free */
  metered?: string;
  /** `honoured`: an Idempotency-Key may be sent; `required`: it must */
  idempotent?: 'honoured' | 'required';
  params?: P;
  query?: Q;
  /** JSON Schema of the body; a route without one takes none */
  body?: B;
  /** reads a body beyond its schema; called also where the schema found something, so that fields may be of any type */
  readBody?(body: Readonly<Record<string, unknown>>, principal: Principal): BodyReading<V>;
  /** how long a client may keep the answer; not at all without one */
  lifetime?: Lifetime;
  /** requests of a key per trailing 60 seconds, counted apart from its others; of a path without parameters */
  ownAllowance?: number;
  answers: A;
  /** codes beyond those that every route may answer */
  errors: readonly ErrorCode[];
  /** a path with its query, or a body, that works on the demo */
  example?: { path?: string; body?: unknown };
  handle(request: RouteRequest<ParamValues<P>, QueryValues<Q>, BodyValue<B>, V>): Promise<ReplyOf<A[number]>> | ReplyOf<A[number]>;
}

/** A declaration whose types have been checked: what serves, documents and tests routes needs no more of them. */
export interface Route
  extends Omit<Declaration<unknown, unknown, unknown, readonly AnswerSpec[], unknown>, 'handle' | 'params' | 'query' | 'body' | 'access'> {
  access: 'key' | 'open';
  params: Readonly<Record<string, PathParameter<unknown>>>;
  query: QuerySpec;
  body: TSchema | undefined;
  handle(request: RouteRequest): Promise<AnyReply> | AnyReply;
}

export function route<
  const P extends Readonly<Record<string, PathParameter<unknown>>>,
  const Q extends QuerySpec,
  B extends TSchema | undefined,
  const A extends readonly AnswerSpec[],
  V = undefined,
>(declaration: Declaration<P, Q, B, A, V>): Route {
  const { handle, params, query, body, access, ...rest } = declaration;
  return {
    ...rest,
    access: access ?? 'key',
    params: params ?? {},
    query: query ?? { own: {} },
    body,
    // The values were parsed by the very declaration that types them.
    handle: (request) => handle(request as Parameters<typeof handle>[0]),
  };
}
