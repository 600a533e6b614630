/** The store of generations that the settings name: what loads keep, so that the index can be built again. */
import { lazily } from '../../domain/lazily.ts';
import { BucketStore } from './bucketStore.ts';
import type { FilePurpose, FileStore } from './fileStore.ts';
import { FolderStore } from './folderStore.ts';

/** As src/config.ts reads them. */
export interface GenerationFileSettings {
  /** null where nothing is kept */
  generationsDir: string | null;
  generationsBucketUrl: string | null;
  generationsBucketKeyId: string | null;
  generationsBucketSecret: string | null;
}

const GENERATIONS: FilePurpose = {
  files: 'generations',
  folder: 'GENERATIONS_DIR',
  url: 'GENERATIONS_BUCKET_URL',
  bucket: 'GENERATIONS_BUCKET',
  contentType: 'application/octet-stream',
};

export interface GenerationFiles {
  store: FileStore;
  /** folder or address, as it is recorded with each commit */
  place: string;
}

/** The bucket where one is set, else the folder; null where nothing is kept. Touches neither. */
export async function openGenerationFiles(settings: GenerationFileSettings): Promise<GenerationFiles | null> {
  const { generationsDir: folder, generationsBucketUrl: url } = settings;
  const { generationsBucketKeyId: keyId, generationsBucketSecret: secret } = settings;
  if (url === null) return folder === null ? null : { store: new FolderStore(folder, GENERATIONS), place: folder };
  if (keyId === null || secret === null)
    throw new Error('GENERATIONS_BUCKET_URL is set without GENERATIONS_BUCKET_KEY_ID and GENERATIONS_BUCKET_SECRET');
  return { store: await BucketStore.open({ url, keyId, secret, purpose: GENERATIONS }), place: url.replace(/\?.*/, '') };
}

/** The same, opened when it is first asked for. */
export const generationFilesOf = (settings: GenerationFileSettings): (() => Promise<GenerationFiles | null>) =>
  lazily(() => openGenerationFiles(settings));
