/** Pipelines of dlt and Singer as their users run them, into DuckDB and Postgres, killed or to their end. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PythonHome } from './python.ts';

const PROGRAMS = path.resolve(import.meta.dirname, 'python');

export const TOOLS = ['dlt', 'singer'] as const;
export const STORES = ['duckdb', 'postgres'] as const;
export type Tool = (typeof TOOLS)[number];
export type Store = (typeof STORES)[number];

/** A record or a row by the names of its columns without capitals and underscores, as each tool spells them in its own way. */
export type Row = Readonly<Record<string, unknown>>;

export interface PipelineOptions {
  tool: Tool;
  store: Store;
  home: PythonHome;
  url: string;
  key: string;
  filters: Readonly<Record<string, unknown>>;
  /** of Postgres, with the right to make schemas */
  databaseUrl: string;
  /** a name that no other pipeline has; also of its schema */
  name: string;
}

/** Columns that a tool adds, and the one that says how the pool held a record at the time. */
const OWN_COLUMNS = /^(dlt|sdc)|^(deleted|position|delivery)$/;
const ISO_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|\+00(:?00)?)?$/;

/** Times as milliseconds, as each store writes them in its own way. */
function comparable(value: unknown): unknown {
  if (typeof value === 'string' && ISO_TIME.test(value)) return Date.parse(`${value.replace(' ', 'T').replace(/(Z|\+00(:?00)?)$/, '')}Z`);
  if (Array.isArray(value)) return value.map(comparable);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, comparable(one)]));
}

export function rowOf(record: object): Row {
  const named = Object.entries(record).map(([name, value]) => [name.replaceAll('_', '').toLowerCase(), comparable(value)] as const);
  return Object.fromEntries(named.filter(([name]) => !OWN_COLUMNS.test(name)).sort(([a], [b]) => (a < b ? -1 : 1)));
}

export class Pipeline {
  readonly name: string;
  readonly #options: PipelineOptions;

  constructor(options: PipelineOptions) {
    this.#options = options;
    this.name = options.name;
  }

  #file(suffix: string): string {
    return path.join(this.#options.home.folder, `${this.name}${suffix}`);
  }

  get #database(): string {
    return this.#options.store === 'duckdb' ? path.join(this.#options.home.folder, `file-${this.name}.duckdb`) : this.#options.databaseUrl;
  }

  /** @param killAfterMs after which its processes are killed @returns whether it ended by itself @throws AssertionError with what it said where it failed */
  async run({ killAfterMs, rebuild = false }: { killAfterMs?: number; rebuild?: boolean } = {}): Promise<boolean> {
    const { tool } = this.#options;
    const children = tool === 'dlt' ? this.#startDlt(rebuild) : await this.#startSinger(rebuild);
    const errors: string[] = [];
    for (const { stderr } of children) stderr?.on('data', (text) => errors.push(String(text)));
    const ended = children.map((child) => once(child, 'close') as Promise<[number | null, string | null]>);
    const done = new AbortController();
    if (killAfterMs !== undefined)
      void sleep(killAfterMs, undefined, { signal: done.signal }).then(
        () => {
          for (const child of children) child.kill('SIGKILL');
        },
        () => undefined,
      );
    const ends = await Promise.all(ended);
    done.abort();
    if (tool === 'singer') await this.#keepState();
    if (ends.some(([, signal]) => signal === 'SIGKILL')) return false;
    assert.deepEqual(
      ends.map(([code]) => code),
      children.map(() => 0),
      errors.join(''),
    );
    return true;
  }

  /** Every row that is there, by id. */
  async rows(): Promise<Map<number, Row>> {
    const { home, store } = this.#options;
    const given = { kind: store, database: this.#database, schema: this.name };
    const { stdout } = await home.run(path.join(PROGRAMS, 'readRows.py'), [JSON.stringify(given)]);
    const read = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    const live = read.filter((row) => !row._sdc_deleted_at);
    const rows = new Map(live.map((row) => [Number(row.id), rowOf(row)]));
    assert.equal(rows.size, live.length, 'a row a record');
    return rows;
  }

  #startDlt(rebuild: boolean): ChildProcess[] {
    const { home, store, url, key, filters } = this.#options;
    const given = {
      kind: store,
      database: this.#database,
      name: this.name,
      schema: this.name,
      folder: home.folder,
      url,
      key,
      filters,
      rebuild,
    };
    return [home.start(path.join(PROGRAMS, 'runPipeline.py'), [JSON.stringify(given)])];
  }

  /** `tap-landuse --config … --state … | target-… --config … > states` */
  async #startSinger(rebuild: boolean): Promise<ChildProcess[]> {
    const { home, store, url, key, filters } = this.#options;
    const folder = this.#file('-snapshot');
    const tapConfig = { api_key: key, base_url: url, filters, representation: 'full', snapshot_folder: folder };
    const common = { default_target_schema: this.name, add_record_metadata: true };
    const targetConfig =
      store === 'duckdb'
        ? { path: this.#database, default_target_schema: this.name, hard_delete: true }
        : { ...common, sqlalchemy_url: this.#database.replace('postgres://', 'postgresql+psycopg://'), hard_delete: true };
    await writeFile(this.#file('.tap.json'), JSON.stringify(tapConfig));
    await writeFile(this.#file('.target.json'), JSON.stringify(targetConfig));
    const state = !rebuild && existsSync(this.#file('.state.json')) ? ['--state', this.#file('.state.json')] : [];
    const [from, to] = store === 'duckdb' ? ['target_duckdb', 'main'] : ['target_postgres.target', 'TargetPostgres.cli'];
    const starter = this.#file('.target.py');
    await writeFile(starter, `from ${from} import ${to.split('.')[0]}\n${to}()\n`);
    const tap = home.start(home.program('tap-landuse'), ['--config', this.#file('.tap.json'), ...state]);
    const target = home.start(starter, ['--config', this.#file('.target.json')]);
    tap.stdout.pipe(target.stdin);
    target.stdin.on('error', () => tap.stdout.resume()); // it was killed; output that nobody reads would keep the tap from closing
    const lines: Buffer[] = [];
    target.stdout.on('data', (piece: Buffer) => lines.push(piece));
    this.#states = lines;
    return [tap, target];
  }

  #states: Buffer[] = [];

  /** The last state that the target wrote whole is where the next run goes on. */
  async #keepState(): Promise<void> {
    const text = Buffer.concat(this.#states).toString();
    const last = text
      .slice(0, text.lastIndexOf('\n') + 1)
      .trim()
      .split('\n')
      .at(-1);
    if (!last) return;
    await writeFile(this.#file('.state.new'), last);
    await rename(this.#file('.state.new'), this.#file('.state.json'));
  }

  /** Where the cursor is kept between runs of Singer. */
  async state(): Promise<unknown> {
    return JSON.parse(await readFile(this.#file('.state.json'), 'utf8'));
  }
}
