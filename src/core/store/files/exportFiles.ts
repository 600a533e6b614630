/** The store of export files that the settings name. */
import { lazily } from '../../domain/lazily.ts';
import { BucketStore } from './bucketStore.ts';
import type { FileStore } from './fileStore.ts';
import { FolderStore } from './folderStore.ts';

/** Each attempt at an export writes a file of its own. @param id `exp_…` */
export const exportFileName = (id: string, attempt: number): string => `${id}-${attempt}.csv`;

/** False for what others keep in the same folder or bucket, which is left alone. */
export const isExportFile = (name: string): boolean => name.startsWith('exp_');

/** As src/config.ts reads them. */
export interface ExportFileSettings {
  exportDir: string;
  exportBucketUrl: string | null;
  exportBucketKeyId: string | null;
  exportBucketSecret: string | null;
}

/** The bucket where one is set, else the folder. Touches neither. */
export async function openExportFiles(settings: ExportFileSettings): Promise<FileStore> {
  const { exportDir, exportBucketUrl: url, exportBucketKeyId: keyId, exportBucketSecret: secret } = settings;
  if (url === null) return new FolderStore(exportDir);
  if (keyId === null || secret === null) throw new Error('EXPORT_BUCKET_URL is set without EXPORT_BUCKET_KEY_ID and EXPORT_BUCKET_SECRET');
  return BucketStore.open({ url, keyId, secret });
}

/** The same, opened when it is first asked for. */
export const exportFilesOf = (settings: ExportFileSettings): (() => Promise<FileStore>) => lazily(() => openExportFiles(settings));
