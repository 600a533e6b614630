/** The configured store of generations: files kept by loads, from which the index can be rebuilt. */
import { lazily } from '../../domain/lazily.ts';
import { type BucketKey, type FilePurpose, type FileStore, IS_ADDRESS } from './fileStore.ts';
import { openStore } from './openStore.ts';

/** As read by src/config.ts. */
interface GenerationFileSettings {
  /** null when no files are kept */
  generationsDir: string | null;
  generationsBucketKey: BucketKey | null;
}

const GENERATIONS: FilePurpose = {
  files: 'generations',
  place: 'GENERATIONS_DIR',
  key: 'GENERATIONS_BUCKET_KEY',
  contentType: 'application/octet-stream',
};

export interface GenerationFiles {
  store: FileStore;
  /** folder or address, as recorded with each commit */
  place: string;
}

/** Makes the store without accessing its folder or bucket; null when no files are kept. */
export async function openGenerationFiles(settings: GenerationFileSettings): Promise<GenerationFiles | null> {
  const { generationsDir: place, generationsBucketKey: key } = settings;
  if (place === null) return null;
  return { store: await openStore(place, key, GENERATIONS), place: IS_ADDRESS.test(place) ? place.replace(/\?.*/, '') : place };
}

/** A function that opens the store at its first call. */
export const generationFilesOf = (settings: GenerationFileSettings): (() => Promise<GenerationFiles | null>) =>
  lazily(() => openGenerationFiles(settings));
