/** The client of the Land Use Intelligence API, for Node 20 and browsers. */
import { type SettledJob, type WaitOptions, waitFor } from './jobs.ts';
import { type Answer, type Input, type OperationId, prepare } from './prepare.ts';
import { type CallOptions, type ClientOptions, Transport } from './transport.ts';
import {
  type ClientRepresentation,
  type ProjectAnswer,
  type ProjectQuery,
  RecordWalk,
  type SearchQuery,
  type SyncOptions,
  type SyncQuery,
  SyncWalk,
  withDerived,
} from './walks.ts';

/** The options of a page. Each page needs its own idempotency key, since the second would otherwise be a repetition of the first. */
const pageOptions = (options: CallOptions, number: number): CallOptions =>
  options.idempotencyKey === undefined ? options : { ...options, idempotencyKey: `${options.idempotencyKey}:${number}` };

export class LandUseClient {
  readonly #transport: Transport;

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
  }

  /** root URL of the service */
  get url(): string {
    return this.#transport.url;
  }

  /**
   * Calls any operation by its id in the reference. Path values, query parameters and `body` are in one object.
   * @returns `{data, meta}`
   * @throws Refusal, ConnectionFailure
   */
  async call<Id extends OperationId>(id: Id, input: Input<Id>, options: CallOptions = {}): Promise<Answer<Id>> {
    return (await this.#transport.json(prepare(id, input as Record<string, unknown>, options))) as Answer<Id>;
  }

  /** The matches of a search in the order of `sort`, at most 10,000. Pages are requested as the loop reaches them. */
  search<R extends ClientRepresentation = 'standard'>(query: SearchQuery<R> = {}, options: CallOptions = {}): RecordWalk<R> {
    return new RecordWalk<R>(query, (page, number) => this.call('searchProjects', page, pageOptions(options, number)));
  }

  /** Reads a project by its id or that of a record merged into it. @throws Refusal */
  async project<R extends ClientRepresentation = 'standard'>(
    id: number,
    query: ProjectQuery<R> = {},
    options?: CallOptions,
  ): Promise<ProjectAnswer<R>> {
    // The service answers in the requested representation, `standard` by default.
    return (await this.call('getProject', { ...withDerived(query), id }, options)) as ProjectAnswer<R>;
  }

  /** The number of matching records, and their price. */
  async count(filters: Input<'countProjects'> = {}, options?: CallOptions): Promise<Answer<'countProjects'>['data']> {
    return (await this.call('countProjects', filters, options)).data;
  }

  /** Keeps a copy up to date: pages of changes and removals since `cursor`, or from the beginning without one. */
  sync<R extends ClientRepresentation = 'standard'>(query: SyncQuery<R> = {}, options: SyncOptions & CallOptions = {}): SyncWalk<R> {
    return new SyncWalk<R>(query, options, (page, number) => this.call('syncProjects', page, pageOptions(options, number)));
  }

  /** Waits until an export, an enrichment, an AI search or a snapshot is settled. @returns the settled job @throws JobFailure */
  waitFor<J extends { id: string }>(job: J, options: WaitOptions<SettledJob<J>> = {}): Promise<SettledJob<J>> {
    return waitFor<J>(job, options, (id, input) => this.call(id, input, options));
  }

  /** Downloads the file of a ready export, from a byte on. @returns a response whose body is a stream */
  download(exportId: string, options: CallOptions & { bom?: boolean; from?: number } = {}): Promise<Response> {
    const { bom, from, ...rest } = options;
    return this.#streamFrom(from, prepare('downloadExport', { id: exportId, ...(bom ? { bom } : {}) }, rest));
  }

  /** Downloads a file of a ready snapshot by its name in the manifest, from a byte on. @returns a response whose body is a stream */
  downloadSnapshotFile({ from, ...file }: { id: string; name: string; from?: number }, options: CallOptions = {}): Promise<Response> {
    return this.#streamFrom(from, prepare('downloadSnapshotFile', file, options));
  }

  #streamFrom(from: number | undefined, { headers, ...prepared }: ReturnType<typeof prepare>): Promise<Response> {
    return this.#transport.stream({ ...prepared, headers: { ...headers, ...(from ? { Range: `bytes=${from}-` } : {}) } });
  }
}
