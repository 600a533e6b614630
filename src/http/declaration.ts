/**
 * The declaration of a route: its path, parameters, answers and errors. Parsing, refusals, the ledger's cause, OpenAPI, the clients and the
 * tests' check of every answer follow from it.
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

/** Such as `GET /projects/{id}`: the path is relative to the prefix that the routes are served under; a method alone is for the prefix itself. */
type RequestLine = `${Uppercase<Method>}${'' | ` /${string}`}`;

/** A parameter in the path. */
export interface PathParameter<V> {
  /** JSON Schema */
  schema: Record<string, unknown>;
  summary: string;
  example: string | number;
  /** what it names, in the message `There is no …` */
  names: string;
  /** undefined when the text cannot name anything: the route answers `resource_not_found` */
  parse(text: string): V | undefined;
}

/** A query parameter that only one route has. */
export interface OwnParameter<V> {
  summary: string;
  example: string;
  kind: PlainKind<V>;
  /** error code of an unusable value; `invalid_filter` by default */
  refusal?: 'invalid_request';
  /** a request without it is refused */
  required?: true;
}

/** Who sends parameters, and to which path. */
export interface QuerySender {
  principal: Principal;
  params: Readonly<Record<string, unknown>>;
}

/** Parameters from the filter table. */
export interface TableQuery<T> {
  /** whether the route accepts every filter */
  filters: boolean;
  /** a control with the name of a filter replaces that filter: another notation for it */
  controls: Controls;
  /** parses the parameters into the operation's argument, checking licence and places @throws ApiError with every problem */
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
  /** schema of `meta`, without `schemaVersion` and `requestId` */
  meta?: TSchema;
}

/** Bytes of a content type, without the envelope. */
export interface FileAnswer {
  kind: 'file';
  status: number;
  description: string;
  contentType: string;
  /** schema of a JSON file */
  schema?: TSchema;
}

/** JSON as a standard defines it, without the envelope: the handler's `data`. */
export interface BareAnswer<S extends TSchema> {
  kind: 'bare';
  status: number;
  description: string;
  contentType: string;
  data: S;
}

/** Records as GeoJSON (RFC 7946): either the only format, or the alternative to the same records in JSON. */
export interface GeoJsonAnswer<S extends TSchema> {
  kind: 'geojson';
  status: number;
  description: string;
  /** a list makes a FeatureCollection, one record a Feature */
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

/** The result of a handler. */
export interface Reply<D> {
  data: D;
  meta?: Record<string, unknown>;
  /** links of a GeoJSON answer, in addition to those to itself and the next page */
  links?: readonly AnswerLink[];
  /** a declared status; the first by default */
  status?: number;
  headers?: Record<string, string>;
}

/** A stored file, sent whole, in part or as 304, depending on the request's headers. */
export interface FileReply extends DownloadOptions {
  file: Download;
  store: Pick<FileStore, 'read'>;
  /** called when the store cannot read the file, before anything is sent; makes the error for the client */
  lost(error: FileStoreError): Promise<Error>;
}

/** Bytes that are made only if the client does not have them; the route has a lifetime. */
export interface BytesReply {
  /** text from which the content follows; its hash is the ETag */
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

/** The result of any handler. */
export type AnyReply = Reply<unknown> | FileReply | BytesReply;

/** The argument of a handler: parsed values, without the context of a request. */
export interface RouteRequest<P = unknown, Q = unknown, B = unknown, V = unknown> {
  principal: Principal;
  /** who makes the request, and the cause of its charges */
  actor: Actor;
  params: P;
  query: Q;
  body: B;
  /** the value that `readBody` made of the body */
  read: V;
}

/** The section of the reference that contains a route. */
export type Section =
  | 'Projects'
  | 'AI search'
  | 'Exports'
  | 'Snapshots'
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

/** What `readBody` made of a body. */
export interface BodyReading<V> {
  problems: readonly RequestRefusal[];
  /** meaningful only when there are no problems */
  value: V;
}

/** The reading of a body that needs only to be checked. */
export const onlyProblems = (problems: readonly RequestRefusal[]): BodyReading<undefined> => ({ problems, value: undefined });

export interface Declaration<P, Q, B, A extends readonly AnswerSpec[], V> {
  summary: string;
  /** details beyond the summary, Markdown */
  description?: string;
  /** `open` routes need no key */
  access?: 'key' | 'open';
  /** what the route may charge; absent when it is free */
  metered?: string;
  /** `honoured`: an Idempotency-Key may be sent; `required`: it must */
  idempotent?: 'honoured' | 'required';
  params?: P;
  query?: Q;
  /** JSON Schema of the body; a route without it accepts none */
  body?: B;
  /** largest body, if the usual limit is too small */
  bodyLimitBytes?: number;
  /** reads a body beyond its schema; also called when the schema has found problems, so fields may have any type */
  readBody?(body: Readonly<Record<string, unknown>>, principal: Principal): BodyReading<V>;
  /** whether the handler may begin before the rate limit has admitted the request; it awaits `actor.admitted` before it writes, as charges do */
  readsAhead?: true;
  /** whether HEAD answers the headers of GET, with an ETag and the length; only for what charges nothing */
  answersHead?: true;
  /** how long a client may store the answer; not at all by default */
  lifetime?: Lifetime;
  /** whether a request queries Elasticsearch many times: one of a team is in work at a time, and it has a longer deadline (`admission.ts`) */
  manySearches?: true;
  /** requests per trailing 60 seconds of a key, counted apart from its others; only for a path without parameters */
  ownAllowance?: number;
  answers: A;
  /** codes in addition to those of every route, and to those that follow from its parameters and its Idempotency-Key */
  errors?: readonly ErrorCode[];
  /** a path with its query, or a body, that works with the demo */
  example?: { path?: string; body?: unknown };
  handle(request: RouteRequest<ParamValues<P>, QueryValues<Q>, BodyValue<B>, V>): Promise<ReplyOf<A[number]>> | ReplyOf<A[number]>;
}

/** A declaration whose types have been checked, as needed to serve, document and test it. */
export interface Route
  extends Omit<
    Declaration<unknown, unknown, unknown, readonly AnswerSpec[], unknown>,
    'handle' | 'params' | 'query' | 'body' | 'access' | 'errors'
  > {
  section: Section;
  id: string;
  method: Method;
  path: string;
  access: 'key' | 'open';
  errors: readonly ErrorCode[];
  params: Readonly<Record<string, PathParameter<unknown>>>;
  query: QuerySpec;
  body: TSchema | undefined;
  handle(request: RouteRequest): Promise<AnyReply> | AnyReply;
}

const UNKNOWN_ERRORS: readonly ErrorCode[] = ['resource_not_found'];
const IDEMPOTENCY_ERRORS: readonly ErrorCode[] = ['idempotency_in_flight', 'idempotency_key_reuse'];

/** @param id unique; the operation's name in OpenAPI and in the clients */
export function route<
  const P extends Readonly<Record<string, PathParameter<unknown>>>,
  const Q extends QuerySpec,
  B extends TSchema | undefined,
  const A extends readonly AnswerSpec[],
  V = undefined,
>(section: Section, id: string, line: RequestLine, declaration: Declaration<P, Q, B, A, V>): Route {
  const { handle, params, query, body, access, errors = [], ...rest } = declaration;
  const [method = '', path = ''] = line.split(' ');
  return {
    ...rest,
    section,
    id,
    method: method.toLowerCase() as Method,
    path,
    access: access ?? 'key',
    errors: [...(params ? UNKNOWN_ERRORS : []), ...(rest.idempotent ? IDEMPOTENCY_ERRORS : []), ...errors],
    params: params ?? {},
    query: query ?? { own: {} },
    body,
    // The values were parsed by the declaration that determines their types.
    handle: (request) => handle(request as Parameters<typeof handle>[0]),
  };
}
