/** The store of export files that the settings name. */
import { lazily } from '../../domain/lazily.ts';
import type { BucketKey, FileStore } from './fileStore.ts';
import { openStore } from './openStore.ts';

/** Each attempt at an export writes a file of its own. @param id `exp_…` */
export const exportFileName = (id: string, attempt: number): string => `${id}-${attempt}.csv`;

/** False for what others keep in the same folder or bucket, which is left alone. */
export const isExportFile = (name: string): boolean => name.startsWith('exp_');

/** As src/config.ts reads them. */
export interface ExportFileSettings {
  exportDir: string;
  exportBucketKey: BucketKey | null;
}

/** Touches neither folder nor bucket. */
export const openExportFiles = (settings: ExportFileSettings): Promise<FileStore> =>
  openStore(settings.exportDir, settings.exportBucketKey);

/** The same, opened when it is first asked for. */
export const exportFilesOf = (settings: ExportFileSettings): (() => Promise<FileStore>) => lazily(() => openExportFiles(settings));
