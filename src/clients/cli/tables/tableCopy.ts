/**
 * A copy in a table of a database. Each page is stored in one transaction with its cursor, so that rows and cursor agree whenever the process is
 * killed. The table `landuse_copies` has the source and state of each copy; its `step` increases with every transaction, so that the second of two
 * concurrent runs stops.
 */
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { UserError } from '../../../terminal/program.ts';
import type { Bar } from '../../../terminal/progress.ts';
import { splitLines } from '../../../terminal/splitLines.ts';
import type { SnapshotManifest } from '../../client/index.ts';
import { type CopyPage, type CopySource, type CopyTarget, isUntouched, refuseOtherSource } from '../copyTarget.ts';
import { COPIES, type CopyDatabase } from './database.ts';
import type { Column } from './dialects.ts';
import { type TableSql, tableSql } from './tableSql.ts';

interface TableState {
  version: 1;
  source: CopySource;
  history: boolean;
  cursor: string | null;
  /** the snapshot that is being loaded, and the number of its records in the table */
  snapshotId: string | null;
  loaded: number;
  /** true while the table contains rows of an earlier walk, which are deleted at the end unless this walk brings them again */
  rebuilding: boolean;
}

export interface TableOptions {
  table: string;
  source: CopySource;
  columns: readonly Column[];
  history: boolean;
  rebuild: boolean;
  startBar(title: string, total: number): Bar;
  now(): Date;
}

const BATCH = { records: 1_000, characters: 4_000_000 };
const BEGINNING = { cursor: null, snapshotId: null, loaded: 0 } as const;

export class TableCopy implements CopyTarget {
  readonly startOver = 'add --rebuild to start over';
  readonly #database: CopyDatabase;
  readonly #options: TableOptions;
  readonly #sql: TableSql;
  #state: TableState;
  #step: number;

  private constructor(database: CopyDatabase, options: TableOptions, sql: TableSql, kept: { state: TableState; step: number }) {
    this.#database = database;
    this.#options = options;
    this.#sql = sql;
    this.#state = kept.state;
    this.#step = kept.step;
  }

  /** Opens the copy of an earlier run, or a new one. @throws UserError with a remedy */
  static async open(database: CopyDatabase, options: TableOptions): Promise<TableCopy> {
    const { table, columns, history, source, rebuild } = options;
    const sql = tableSql({ dialect: database.dialect, name: table, columns, history });
    await database.query(`create table if not exists ${COPIES} (name text primary key, step bigint not null, state text not null)`);
    const [row] = await database.query(`select step, state from ${COPIES} where name = $1`, [table]);
    const kept = row && { step: Number(row.step), state: JSON.parse(String(row.state)) as TableState };
    if (kept) refuseOther(`Table ${table} of ${database.name}`, kept.state, options);
    if (kept && holdsNothing(kept.state)) kept.state = { ...kept.state, source };
    const state: TableState = { version: 1, source, history, ...BEGINNING, rebuilding: false };
    const copy = new TableCopy(database, options, sql, kept ?? { state, step: 0 });
    await copy.#prepareTable(Boolean(kept));
    if (kept && rebuild) await copy.#transaction(() => copy.#keepRowsUntilSeen(), {});
    return copy;
  }

  get name(): string {
    return `Table ${this.#options.table} of ${this.#database.name}`;
  }

  get cursor(): string | undefined {
    return this.#state.cursor ?? undefined;
  }

  get snapshotId(): string | undefined {
    return this.#state.snapshotId ?? undefined;
  }

  partOf(name: string): string {
    return this.#database.partOf(`${this.#state.snapshotId}.${name}`);
  }

  async noteSnapshot(snapshotId: string): Promise<void> {
    if (snapshotId === this.#state.snapshotId) return;
    await this.#transaction(() => this.#leaveLoad(), { snapshotId });
  }

  /** Loads the snapshot, from the first record that no earlier run has loaded. */
  async beginWith({ recordCount, sync: { cursor } }: SnapshotManifest, parts: readonly string[]): Promise<void> {
    const bar = this.#options.startBar('load', recordCount);
    try {
      for await (const { records, read } of batchesOf(parts, this.#state.loaded)) {
        await this.#transaction(() => this.#store(records), { loaded: read });
        bar.update(read);
      }
    } finally {
      bar.stop();
    }
    await this.#transaction(async () => {}, { ...BEGINNING, cursor });
    for (const part of parts) await rm(part, { force: true });
  }

  async add({ removed, records, cursor }: CopyPage): Promise<void> {
    const staying = new Set(records.map(({ id }) => id));
    const gone = removed.filter(({ id }) => !staying.has(id)).map(({ id, at }) => ({ id, at: at ?? this.#now() }));
    await this.#transaction(
      async () => {
        await this.#leaveLoad();
        await this.#remove(gone);
        await this.#store(records);
      },
      { ...BEGINNING, cursor },
    );
  }

  async finish(): Promise<{ records: number }> {
    if (this.#state.rebuilding)
      await this.#transaction(
        async () => {
          await this.#database.query(this.#sql.removeUnseen, [this.#now()]);
          await this.#database.query(this.#sql.seen.drop);
        },
        { rebuilding: false },
      );
    const [row] = await this.#database.query(this.#sql.count);
    return { records: Number(row?.records) };
  }

  async removeIfEmpty(): Promise<void> {
    if (!holdsNothing(this.#state)) return;
    const removeRow = () => this.#database.query(`delete from ${COPIES} where name = $1`, [this.#options.table]);
    await this.#transaction(() => this.#run(this.#sql.drop).then(removeRow), {});
    const [others] = await this.#database.query(`select count(*) as copies from ${COPIES}`);
    if (Number(others?.copies) === 0) await this.#database.query(`drop table ${COPIES}`);
  }

  /** Creates the table, or adds columns for new fields of the service. */
  async #prepareTable(isKept: boolean): Promise<void> {
    const { table, columns } = this.#options;
    const known = await this.#columnNames(this.#sql.rowsTable);
    if (!isKept && (known.size || (await this.#columnNames(table)).size))
      throw new UserError(
        `${this.#database.name} has a table ${known.size ? this.#sql.rowsTable : table} that copy did not make: name another one by --table.`,
      );
    if (isKept && !known.size)
      throw new UserError(`${this.name} is gone: put it back, or delete its row of ${COPIES} (name = '${table}') to start over.`);
    const missing = isKept ? columns.filter(({ name }) => !known.has(name.toLowerCase())) : [];
    if (isKept && !missing.length) return;
    await this.#transaction(async () => {
      if (!isKept) await this.#run(this.#sql.create());
      for (const column of missing) await this.#database.query(this.#sql.addColumn(column));
      if (isKept) await this.#run(this.#sql.replaceView());
    }, {});
  }

  async #columnNames(table: string): Promise<Set<string>> {
    const rows = await this.#database.query(this.#database.dialect.columnNames, [table]);
    return new Set(rows.map(({ name }) => String(name).toLowerCase()));
  }

  /** Of a snapshot that is loaded in part and not continued, rows stay until the walk has seen them. */
  async #leaveLoad(): Promise<void> {
    if (this.#state.loaded > 0) await this.#keepRowsUntilSeen();
  }

  /** From now on the ids of the walk's records are stored; rows with other ids are deleted at its end. @throws UserError if the table for them belongs to something else */
  async #keepRowsUntilSeen(): Promise<void> {
    const { table } = this.#sql.seen;
    if (!this.#state.rebuilding && (await this.#columnNames(table)).size)
      throw new UserError(
        `${this.name} is built again by a table ${table}, and ${this.#database.name} has one that is not of this copy: rename that one, or copy into another table by --table.`,
      );
    await this.#run(this.#sql.seen.create);
    this.#state = { ...this.#state, ...BEGINNING, rebuilding: true };
  }

  async #store(records: readonly { id: number }[]): Promise<void> {
    if (!records.length) return;
    const json = jsonOf([...new Map(records.map((record) => [record.id, record])).values()]);
    await this.#run(this.#sql.upsert, json);
    if (this.#state.rebuilding) await this.#database.query(this.#sql.seen.add, [json]);
  }

  async #remove(gone: readonly { id: number; at: string }[]): Promise<void> {
    if (!gone.length) return;
    const json = JSON.stringify(gone);
    await this.#run(this.#sql.remove, json);
    if (this.#state.rebuilding) await this.#database.query(this.#sql.seen.remove, [json]);
  }

  async #run(statements: readonly string[], json?: string): Promise<void> {
    for (const statement of statements) await this.#database.query(statement, json === undefined ? [] : [json]);
  }

  /** Runs `work` in a transaction. @param then the change of the state that belongs to it @throws UserError if another run has changed the copy since */
  async #transaction(work: () => Promise<unknown>, then: Partial<TableState>): Promise<void> {
    const before = this.#state;
    await this.#database.query(this.#database.dialect.begin);
    try {
      // The row is locked first, so that a second run waits here.
      await this.#claimStep();
      await work();
      this.#state = { ...this.#state, ...then };
      await this.#database.query(`update ${COPIES} set state = $1 where name = $2`, [JSON.stringify(this.#state), this.#options.table]);
      await this.#database.query('commit');
    } catch (error) {
      this.#state = before;
      await this.#database.query('rollback').catch(() => {}); // report the first failure
      throw error;
    }
    this.#step += 1;
  }

  async #claimStep(): Promise<void> {
    const { table } = this.#options;
    if (this.#step === 0)
      await this.#database.query(`insert into ${COPIES} (name, step, state) values ($1, 0, '') on conflict (name) do nothing`, [table]);
    const claimed = await this.#database.query(
      `update ${COPIES} set step = step + 1 where name = $1 and step = ${this.#step} returning step`,
      [table],
    );
    if (!claimed.length) throw new UserError(`Another copy is working on ${this.name}: this one stops, and nothing is lost.`);
  }

  #now(): string {
    return this.#options.now().toISOString();
  }
}

const holdsNothing = (state: TableState) => isUntouched(state) && !state.loaded && !state.rebuilding;

function refuseOther(name: string, kept: TableState, { source, history }: TableOptions): void {
  if (!holdsNothing(kept)) refuseOtherSource(name, kept.source, source, 'or name another table by --table');
  if (kept.history !== history)
    throw new UserError(`${name} was made ${kept.history ? 'with' : 'without'} --history: repeat that, or name another table by --table.`);
}

/** JSON that every database accepts: U+0000 and lone surrogates become U+FFFD. */
function jsonOf(records: readonly object[]): string {
  const json = JSON.stringify(records);
  if (!/\\u(0000|d[89a-f])/i.test(json)) return json;
  return JSON.stringify(records, (_, value) => (typeof value === 'string' ? value.replaceAll('\0', '\ufffd').toWellFormed() : value));
}

/** The records of the files after the first `skipped` ones, in batches. `read` counts all records so far, with the skipped ones. */
async function* batchesOf(parts: readonly string[], skipped: number): AsyncGenerator<{ records: { id: number }[]; read: number }> {
  let read = 0;
  let records: { id: number }[] = [];
  let characters = 0;
  for (const part of parts)
    for await (const line of splitLines(createReadStream(part).pipe(createGunzip()))) {
      read += 1;
      if (read <= skipped) continue;
      records.push(JSON.parse(line));
      characters += line.length;
      if (records.length < BATCH.records && characters < BATCH.characters) continue;
      yield { records, read };
      records = [];
      characters = 0;
    }
  if (records.length) yield { records, read };
}
