/** Where backups lie: a folder, or an S3-compatible bucket. */
import path from 'node:path';
import { BucketStore } from '../../core/store/files/bucketStore.ts';
import { BUCKET_ADDRESS, type FilePurpose, type FileStore } from '../../core/store/files/fileStore.ts';
import { FolderStore } from '../../core/store/files/folderStore.ts';
import { UserError } from '../../terminal/program.ts';

/** As src/config.ts reads them. */
export interface BackupBucketSettings {
  backupBucketKeyId: string | null;
  backupBucketSecret: string | null;
}

const WITH_SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/** @param option that named the place, for messages */
const purposeOf = (option: string): FilePurpose => ({
  files: 'backups',
  folder: option,
  url: `${option} or BACKUP_BUCKET_URL`,
  bucket: 'BACKUP_BUCKET',
  contentType: 'application/octet-stream',
});

/** Asks nothing of the place yet. @throws UserError */
export async function openPlace(option: string, place: string, settings: BackupBucketSettings): Promise<FileStore> {
  if (!WITH_SCHEME.test(place)) return new FolderStore(path.resolve(place), purposeOf(option));
  const url = place.replace(/\/+$/, '');
  if (!BUCKET_ADDRESS.test(url))
    throw new UserError(
      `${option} has to be a folder, or https://endpoint/bucket or https://endpoint/bucket/folder; for s3://bucket/folder of Amazon's it is https://s3.REGION.amazonaws.com/bucket/folder`,
    );
  const { backupBucketKeyId: keyId, backupBucketSecret: secret } = settings;
  if (keyId === null || secret === null)
    throw new UserError(`${option} names a bucket: set BACKUP_BUCKET_KEY_ID and BACKUP_BUCKET_SECRET to an access key for it`);
  return BucketStore.open({ url, keyId, secret, purpose: purposeOf(option) });
}
