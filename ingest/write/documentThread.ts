/** Runs on a thread of its own: makes documents of versions. */
import type { MadeDocuments, UnmadeDocument } from './documentThreads.ts';
import { makeDocument } from './indexedFields.ts';

/** null where one cannot be made: the thread that asked makes them itself, and sees why. */
export default function makeDocuments(unmade: readonly UnmadeDocument[]): MadeDocuments {
  try {
    return unmade.map(({ text, kind, today }) => makeDocument(text, kind, today));
  } catch {
    return null;
  }
}
