/**
 * A copy in a folder: the files of a snapshot and a file of changes for each later run.
 *
 *     DIR/snapshot/part-00001.parquet …   as they were downloaded, with manifest.json
 *     DIR/changes/000001.ndjson …         one change a line: {"seq", "id", "record"}, or {"seq", "id", "record": null, "mergedInto", "at"} if it left
 *     DIR/copy.json                       the source and the state of the copy
 *
 * The change of an id with the greatest `seq` is current; without a change the snapshot is. Both folders contain only complete files: during a run
 * its changes are in `changes.part`, whose valid length is recorded, and a snapshot is in `snapshot.part` until it is verified.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../terminal/program.ts';
import type { SnapshotFormat, SnapshotManifest } from '../client/index.ts';
import { CopyInFiles, type FilesState, readState, refuseOtherProcess } from './copyInFiles.ts';
import { type CopyPage, type CopySource, type CopyTarget, isUntouched, refuseOtherSource } from './copyTarget.ts';
import { appendLines, truncateTo } from './durableFiles.ts';

interface FolderState extends FilesState {
  source: CopySource;
  format: SnapshotFormat;
  /** null until it is in the folder, and if the copy began without one */
  snapshot: { id: string; asOf: string; generation: number; recordCount: number } | null;
  /** the snapshot that is being downloaded */
  pendingSnapshotId: string | null;
  /** number of complete files of changes */
  changeFiles: number;
  /** valid bytes of `changes.part` */
  partBytes: number;
  /** number of the last change */
  seq: number;
}

interface FolderOptions {
  source: CopySource;
  format: SnapshotFormat;
}

const STATE = 'copy.json';
const REMEDY = 'or copy into another folder';
const DIGITS = 6;

export class CopyFolder extends CopyInFiles<FolderState> implements CopyTarget {
  readonly startOver = 'copy into another folder, where what you hold is free';
  /** whether this run made the folder */
  #isNew = false;

  /** Opens the copy of an earlier run, or a new one. @throws UserError with a remedy */
  static async open(folder: string, { source, format }: FolderOptions): Promise<CopyFolder> {
    if (existsSync(folder) && !statSync(folder).isDirectory())
      throw new UserError(`${folder} is a file, and a copy takes a folder: name another one, or a database by --into.`);
    const stateFile = path.join(folder, STATE);
    const kept = readState(stateFile, isState, `put it back, ${REMEDY}`);
    if (kept) refuseOther(folder, kept, { source, format });
    else if (existsSync(folder) && readdirSync(folder).length)
      throw new UserError(`${folder} holds other files, and no ${STATE} of a copy: take an empty folder, or a new one.`);
    const isNew = mkdirSync(folder, { recursive: true }) !== undefined;
    const position = { snapshot: null, pendingSnapshotId: null, cursor: null, changeFiles: 0, partBytes: 0, seq: 0 };
    const copy = new CopyFolder(folder, stateFile, {
      ...(kept && !holdsNothing(kept) ? kept : { version: 1, source, format, ...position }),
      pid: process.pid,
    });
    copy.#isNew = isNew;
    copy.#repair();
    copy.save({});
    mkdirSync(copy.#path('changes'), { recursive: true });
    await truncateTo(copy.#path('changes.part'), copy.state.partBytes, copy.startOver);
    return copy;
  }

  get snapshotId(): string | undefined {
    return this.state.pendingSnapshotId ?? undefined;
  }

  noteSnapshot(snapshotId: string): void {
    if (snapshotId !== this.state.pendingSnapshotId) rmSync(this.#path('snapshot.part'), { recursive: true, force: true });
    mkdirSync(this.#path('snapshot.part'), { recursive: true });
    this.save({ pendingSnapshotId: snapshotId });
  }

  partOf(name: string): string {
    return this.#path('snapshot.part', name);
  }

  async beginWith(manifest: SnapshotManifest): Promise<void> {
    const { snapshotId: id, asOf, generation, recordCount, sync } = manifest;
    writeFileSync(this.partOf('manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, { flush: true });
    renameSync(this.#path('snapshot.part'), this.#path('snapshot'));
    this.save({ snapshot: { id, asOf, generation, recordCount }, pendingSnapshotId: null, cursor: sync.cursor });
  }

  async add({ removed, records, cursor }: CopyPage): Promise<void> {
    let { seq } = this.state;
    const gone = removed.map(({ id, mergedInto = null, at = null }) => ({ seq: ++seq, id, record: null, mergedInto, at }));
    const lines = [...gone, ...records.map((record) => ({ seq: ++seq, id: record.id, record }))];
    const bytes = await appendLines(this.#path('changes.part'), lines);
    this.save({ cursor, seq, partBytes: this.state.partBytes + bytes });
  }

  async finish(): Promise<{ snapshotRecords: number; changeFiles: number }> {
    if (this.state.partBytes) this.#publishChanges();
    return { snapshotRecords: this.state.snapshot?.recordCount ?? 0, changeFiles: this.state.changeFiles };
  }

  async removeIfEmpty(): Promise<void> {
    if (!holdsNothing(this.state)) return;
    this.removeState();
    for (const name of ['changes', 'changes.part', 'snapshot.part']) rmSync(this.#path(name), { recursive: true, force: true });
    if (this.#isNew) rmdirSync(this.name);
  }

  #publishChanges(): void {
    const changeFiles = this.state.changeFiles + 1;
    renameSync(this.#path('changes.part'), this.#changeFile(changeFiles));
    this.save({ changeFiles, partBytes: 0 });
  }

  /** Repairs a run that was killed between a rename and the change of `copy.json`: a snapshot is verified again, a file of changes is recorded. */
  #repair(): void {
    const { pendingSnapshotId, changeFiles, partBytes } = this.state;
    if (pendingSnapshotId && existsSync(this.#path('snapshot'))) renameSync(this.#path('snapshot'), this.#path('snapshot.part'));
    if (partBytes && existsSync(this.#changeFile(changeFiles + 1))) this.save({ changeFiles: changeFiles + 1, partBytes: 0 });
  }

  #changeFile(number: number): string {
    return this.#path('changes', `${String(number).padStart(DIGITS, '0')}.ndjson`);
  }

  #path(...names: string[]): string {
    return path.join(this.name, ...names);
  }
}

const holdsNothing = ({ cursor, pendingSnapshotId: snapshotId }: FolderState) => isUntouched({ cursor, snapshotId });

function refuseOther(folder: string, kept: FolderState, { source, format }: FolderOptions): void {
  refuseOtherProcess('copy', kept.pid, folder, path.join(folder, STATE));
  if (holdsNothing(kept)) return;
  refuseOtherSource(folder, kept.source, source, REMEDY);
  if (kept.format !== format) throw new UserError(`${folder} was made with --format ${kept.format}: repeat it, ${REMEDY}.`);
  if (kept.snapshot && !existsSync(path.join(folder, 'snapshot')))
    throw new UserError(`${path.join(folder, 'snapshot')} is gone: put it back, ${REMEDY}.`);
}

const isState = (value: Partial<FolderState> | null): value is FolderState =>
  value?.version === 1 &&
  typeof value.source?.url === 'string' &&
  typeof value.source.query === 'object' &&
  (value.format === 'ndjson' || value.format === 'parquet') &&
  (value.cursor === null || typeof value.cursor === 'string') &&
  [value.changeFiles, value.partBytes, value.seq, value.pid].every(Number.isSafeInteger);
