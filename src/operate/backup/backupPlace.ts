/** Opens the place of backups: a folder, or an S3-compatible bucket. */
import path from 'node:path';
import { BUCKET_ADDRESS, type BucketKey, type FilePurpose, type FileStore, IS_ADDRESS } from '../../core/store/files/fileStore.ts';
import { openStore } from '../../core/store/files/openStore.ts';
import { UserError } from '../../terminal/program.ts';

/** As src/config.ts reads it. */
interface BackupBucketSettings {
  backupBucketKey: BucketKey | null;
}

/** The store's purpose. @param option that named the place, for messages */
const purposeOf = (option: string): FilePurpose => ({
  files: 'backups',
  place: option,
  key: 'BACKUP_BUCKET_KEY',
  contentType: 'application/octet-stream',
});

/** Makes the store without accessing it. @throws UserError */
export async function openPlace(option: string, place: string, { backupBucketKey: key }: BackupBucketSettings): Promise<FileStore> {
  const purpose = purposeOf(option);
  if (!IS_ADDRESS.test(place)) return openStore(path.resolve(place), null, purpose);
  const url = place.replace(/(?<!\/)\/+$/, '');
  if (!BUCKET_ADDRESS.test(url))
    throw new UserError(
      `${option} has to be a folder, or https://endpoint/bucket or https://endpoint/bucket/folder; for s3://bucket/folder of Amazon's it is https://s3.REGION.amazonaws.com/bucket/folder`,
    );
  if (key === null) throw new UserError(`${option} names a bucket: set ${purpose.key} to an access key for it, id:secret`);
  return openStore(url, key, purpose);
}
