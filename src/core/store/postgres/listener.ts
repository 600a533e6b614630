/** Notifications of one Postgres channel, over a dedicated connection that is replaced when it is lost. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const CONNECT_TIMEOUT_MS = 5_000;
const RECONNECT_PAUSE_MS = 1_000;

interface ListenerOptions {
  url: string;
  /** first and only schema in the search path */
  schema: string;
  /** SQL expression of the channel's name */
  channel: string;
  /** called with each payload, and with null when notifications may have been missed: whenever a connection begins to listen */
  onNotice(payload: string | null): void;
  /** called with errors of connections */
  onError(error: Error): void;
}

export class Listener {
  readonly #options: ListenerOptions;
  readonly #closed = Promise.withResolvers<void>();
  readonly #closing = new AbortController();
  #listening: Promise<void> | undefined;

  constructor(options: ListenerOptions) {
    this.#options = options;
  }

  /** Resolves once it listens, or its first connection has failed; it reconnects until it is closed. */
  start(): Promise<void> {
    const first = Promise.withResolvers<void>();
    this.#listening = this.#listen(first.resolve);
    return first.promise;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#closed.resolve();
    await this.#listening;
  }

  async #listen(onFirst: () => void): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await this.#connection(onFirst);
      onFirst();
      await sleep(RECONNECT_PAUSE_MS, undefined, { signal }).catch(() => undefined); // closed meanwhile
    }
  }

  /** Listens until the connection ends or the listener is closed. */
  async #connection(onReady: () => void): Promise<void> {
    const { url, schema, channel, onNotice, onError } = this.#options;
    const client = new pg.Client({
      connectionString: url,
      options: `-c search_path=${schema}`,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      application_name: 'landuse-wake',
      keepAlive: true,
    });
    const lost = Promise.withResolvers<void>();
    client.on('error', onError);
    client.on('end', lost.resolve);
    client.on('notification', ({ payload }) => onNotice(payload ?? null));
    try {
      await client.connect();
      const { rows } = await client.query<{ name: string }>(`select ${channel} as name`);
      await client.query(`listen ${pg.escapeIdentifier(rows[0]?.name ?? '')}`);
      onNotice(null);
      onReady();
      await Promise.race([lost.promise, this.#closed.promise]);
    } catch (error) {
      onError(error as Error);
    } finally {
      await client.end().catch(() => undefined); // it is gone already
    }
  }
}
