/** The store of generations that the settings name: what loads keep, so that the index can be built again. */
import { lazily } from '../../domain/lazily.ts';
import { type BucketKey, type FilePurpose, type FileStore, IS_ADDRESS } from './fileStore.ts';
import { openStore } from './openStore.ts';

/** As src/config.ts reads them. */
interface GenerationFileSettings {
  /** null where nothing is kept */
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
  /** folder or address, as it is recorded with each commit */
  place: string;
}

/** null where nothing is kept. Touches neither folder nor bucket. */
export async function openGenerationFiles(settings: GenerationFileSettings): Promise<GenerationFiles | null> {
  const { generationsDir: place, generationsBucketKey: key } = settings;
  if (place === null) return null;
  return { store: await openStore(place, key, GENERATIONS), place: IS_ADDRESS.test(place) ? place.replace(/\?.*/, '') : place };
}

/** The same, opened when it is first asked for. */
export const generationFilesOf = (settings: GenerationFileSettings): (() => Promise<GenerationFiles | null>) =>
  lazily(() => openGenerationFiles(settings));
