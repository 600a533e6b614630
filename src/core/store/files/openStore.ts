/** Opens the folder or bucket that a setting names. */
import { BucketStore } from './bucketStore.ts';
import { type BucketKey, EXPORT_FILES, type FilePurpose, type FileStore, IS_ADDRESS } from './fileStore.ts';
import { FolderStore } from './folderStore.ts';

/**
 * Makes a store without accessing it.
 * @param purpose exports by default
 * @throws Error for a bucket without an access key
 */
export async function openStore(place: string, key: BucketKey | null, purpose: FilePurpose = EXPORT_FILES): Promise<FileStore> {
  if (!IS_ADDRESS.test(place)) return new FolderStore(place, purpose);
  if (key === null) throw new Error(`${purpose.place} names a bucket: set ${purpose.key} to an access key for it, id:secret`);
  return BucketStore.open({ ...key, url: place, purpose });
}
