/** Records that a file states exactly as they are there: they are not written again, so that a load costs what it changes. */
import { isDeepStrictEqual } from 'node:util';
import type { StoredVersion } from '../read/versions.ts';

const withoutLoad = <T extends StoredVersion>({ loadedIn: _, lineHash: __, quotedIn: ___, ...rest }: T & { quotedIn?: number }) => rest;

/** True where a stated version is the one that is there, but for the load that wrote it. */
export const isRestated = (stated: StoredVersion, before: StoredVersion): boolean =>
  isDeepStrictEqual(withoutLoad(stated), withoutLoad(before));
