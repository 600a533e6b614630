/** Elasticsearch indices for a test file, into which it loads generation lines; removed after it. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Client } from '@elastic/elasticsearch';
import { ACCEPT_ALL, type Acceptance } from '../../ingest/findings/acceptance.ts';
import { loadFile } from '../../ingest/load.ts';
import { activateGeneration } from '../../ingest/publish/activate.ts';
import { GenerationStore } from '../../ingest/write/generationSets.ts';
import type { LoadSummary } from '../../ingest/write/loadContext.ts';
import { keepIfFailed } from '../../scripts/test/keptData.ts';
import { readConfig } from '../../src/config.ts';
import { makeElastic } from '../../src/core/store/elastic/client.ts';
import { IndexNames } from '../../src/core/store/elastic/indices.ts';
import { FolderStore } from '../../src/core/store/files/folderStore.ts';
import type { GenerationFiles } from '../../src/core/store/files/generationFiles.ts';
import { loadPlaces } from '../../src/core/store/files/loadPlaces.ts';
import { LineageStore } from '../../src/core/store/postgres/lineageStore.ts';
import { sharedDatabase, type TestDatabase } from './database.ts';
import { lengthOf } from './lengths.ts';
import { serverUrl } from './servers.ts';

const TIMEOUT_MS = 60_000;
export const THRESHOLDS = readConfig({}, ['lostPercent', 'lostMinimum', 'recordsLostPercent', 'findingThresholds']);

export const places = loadPlaces();

export interface GenerationOptions {
  /** by default the next number for a full one, the newest for an increment */
  generation?: number;
  mode?: 'full' | 'increment';
  activate?: boolean;
  skipInvalid?: boolean;
  /** everything by default, since most tests state very few records and attributes */
  accept?: readonly Acceptance[];
  /** true: points outside the county or state that a record states are doubtful. Shapes of most tests lie elsewhere */
  checksPoints?: boolean;
  /** sources of restrictions that the file replaces */
  restrictionSources?: readonly string[];
}

export class TestIndex {
  readonly prefix = `test-${randomBytes(6).toString('hex')}`;
  readonly url: string;
  readonly client: Client;
  readonly names = new IndexNames(this.prefix);
  readonly store: GenerationStore;
  /** Postgres that records the loads; by default one that tests share */
  database: Pick<TestDatabase, 'url' | 'schema' | 'database'> | undefined;
  #own: Promise<TestDatabase> | undefined;
  /** where loads of this process keep their files; by default nowhere */
  kept: GenerationFiles | null = null;
  readonly #folder = mkdtemp(path.join(tmpdir(), 'generation-'));
  /** records of a set from which loads of this process copy it */
  copiedFrom = lengthOf('COPIED_FROM');
  /** the day on which loads and activations happen */
  today: string;

  /** @param url of Elasticsearch; by default that of all tests */
  constructor(today: string, url = serverUrl('ELASTICSEARCH_URL')) {
    this.today = today;
    this.url = url;
    this.client = makeElastic({ url, timeoutMs: TIMEOUT_MS, retries: 2 });
    this.store = new GenerationStore(this.client, this.names);
  }

  get clock() {
    const lineage = async () => new LineageStore((await this.records()).database, this.prefix);
    return { now: () => new Date(), today: this.today, lineage, files: this.kept, places, thresholds: THRESHOLDS, accept: ACCEPT_ALL };
  }

  /** The folder in which loads of other processes keep their files. */
  async keptFolder(): Promise<string> {
    return path.join(await this.#folder, 'kept');
  }

  /** Makes loads of this process keep their files in that folder, too. */
  async keep(): Promise<void> {
    const folder = await this.keptFolder();
    this.kept = { store: new FolderStore(folder), place: folder };
  }

  /** Postgres that records the loads. */
  async records(): Promise<Pick<TestDatabase, 'url' | 'schema' | 'database'>> {
    if (this.database) return this.database;
    this.#own ??= sharedDatabase();
    return this.#own;
  }

  #newest = 0;
  readonly #nextNumber = (mode: 'full' | 'increment') => (mode === 'full' ? this.#newest + 1 : Math.max(1, this.#newest));

  /** Writes a generation file without loading it. */
  async file(
    lines: readonly (object | string)[],
    { mode = 'full', generation = this.#nextNumber(mode), restrictionSources }: GenerationOptions = {},
  ): Promise<string> {
    this.#newest = Math.max(this.#newest, generation);
    const header = {
      kind: 'generation',
      generation,
      mode,
      extractedAt: `${this.today}T00:00:00Z`,
      ...(restrictionSources && { restrictionSources }),
    };
    const file = path.join(await this.#folder, `${randomBytes(4).toString('hex')}.ndjson`);
    const text = [header, ...lines].map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
    await writeFile(file, `${text}\n`);
    return file;
  }

  /** Loads project, document and contact lines as one generation; a full one is served by default. */
  async load(lines: readonly (object | string)[], options: GenerationOptions = {}): Promise<LoadSummary> {
    return this.loadFile(await this.file(lines, options), options);
  }

  async loadFile(file: string, options: GenerationOptions = {}): Promise<LoadSummary> {
    const { accept = ACCEPT_ALL } = options;
    const isOutside = options.checksPoints ? undefined : () => false;
    const context = { client: this.client, names: this.names, isOutside, copiedFrom: this.copiedFrom, ...this.clock, accept };
    const summary = await loadFile(context, file, options.skipInvalid ?? false);
    if (summary.mode === 'full' && !summary.served && options.activate !== false)
      await activateGeneration(this.store, summary.generation, { ...this.clock, accept });
    return summary;
  }

  /** Removes everything that was loaded, with its records in Postgres. */
  async startOver(): Promise<void> {
    this.#newest = 0;
    await this.dropIndices();
    const { database } = await this.records();
    await database.query('update index_lineage set ended_at = now() where index_prefix = $1', [this.prefix]);
  }

  async dropIndices(): Promise<void> {
    const indices = await this.client.indices.get({ index: `${this.prefix}-*`, expand_wildcards: 'all', features: 'aliases' });
    if (Object.keys(indices).length) await this.client.indices.delete({ index: Object.keys(indices) });
  }

  [Symbol.asyncDispose] = () => this.drop();

  /** Removes everything that was loaded, unless a test failed. */
  async drop(): Promise<void> {
    if (!keepIfFailed(`indices ${this.prefix}-* of`, this.url)) await this.dropIndices();
    await this.client.close();
    await (await this.#own)?.drop();
    await rm(await this.#folder, { recursive: true });
  }
}
