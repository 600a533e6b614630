/** The configured store of export files. */
import { lazily } from '../../domain/lazily.ts';
import type { BucketKey, FileStore } from './fileStore.ts';
import { openStore } from './openStore.ts';

/** The name of an attempt's file; each attempt at an export writes its own. @param id `exp_…` */
export const exportFileName = (id: string, attempt: number): string => `${id}-${attempt}.csv`;

/** Whether a name is that of an export file; other files in the same folder or bucket are left alone. */
export const isExportFile = (name: string): boolean => name.startsWith('exp_');

/** Whether a name is that of a snapshot's file. Files of snapshots and of exports lie in one place. */
export const isSnapshotFile = (name: string): boolean => name.startsWith('snp_');

/** As read by src/config.ts. */
export interface ExportFileSettings {
  exportDir: string;
  exportBucketKey: BucketKey | null;
}

/** Makes the store without accessing its folder or bucket. */
export const openExportFiles = (settings: ExportFileSettings): Promise<FileStore> =>
  openStore(settings.exportDir, settings.exportBucketKey);

/** A function that opens the store at its first call. */
export const exportFilesOf = (settings: ExportFileSettings): (() => Promise<FileStore>) => lazily(() => openExportFiles(settings));
