/** Recognises records that a file states unchanged: they are not written again, so that the cost of a load depends on its changes only. */
import { isDeepStrictEqual } from 'node:util';
import type { StoredVersion } from '../read/versions.ts';

const withoutLoad = <T extends StoredVersion>({
  loadedIn: _,
  lineHash: __,
  quotedIn: ___,
  textHash: ____,
  ...rest
}: T & { quotedIn?: number; textHash?: string }) => rest;

/** Whether a stated version equals the existing one, apart from the load that wrote it. */
export const isRestated = (stated: StoredVersion, before: StoredVersion): boolean =>
  isDeepStrictEqual(withoutLoad(stated), withoutLoad(before));
