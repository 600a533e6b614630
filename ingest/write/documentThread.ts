/** Entry point of a thread that makes documents from versions. */
import type { MadeDocuments, UnmadeDocument } from './documentThreads.ts';
import { makeDocument } from './indexedFields.ts';

/** @returns null if any document cannot be made; the calling thread then makes them itself and gets the error */
export default function makeDocuments(unmade: readonly UnmadeDocument[]): MadeDocuments {
  try {
    return unmade.map(({ text, kind, today }) => makeDocument(text, kind, today));
  } catch {
    return null;
  }
}
