/** Makes the writes that create, replace, hide or remove a version. */
import type { StoredProject } from '../../src/core/domain/record/storedProject.ts';
import type { Kind } from '../../src/core/store/elastic/indices.ts';
import type { Found, StoredVersion } from '../read/versions.ts';
import type { Absorbed } from './absorbed.ts';
import type { Write } from './bulkWrite.ts';
import { type IndexedFields, toIndexedFields } from './indexedFields.ts';
import type { Load, LoadTarget, WriteTarget } from './loadContext.ts';
import { makeSearchedFields, type WriteContext } from './projectDocument.ts';
import { listServedRevisions } from './revisions.ts';

/** The trace that the removal of a record leaves. */
export interface Trace extends StoredVersion {
  id: number;
  mergedInto?: number;
  at: string;
  /** when its last version was made, and the fields by which that was found */
  lastUpdated: string;
  derived: Record<string, unknown>;
  /** the state of a merged record; absent for a deleted one */
  absorbed?: Absorbed;
  /** of a deleted record */
  servedRevisions?: string[];
}

interface RemovalDetails {
  mergedInto?: number | undefined;
  /** time of the removal; the load's next stamp unless given */
  at?: string;
  /** when the last version before it was made; that of the given one unless said */
  lastUpdated?: string | undefined;
  absorbed?: Absorbed | undefined;
}

export const toWriteContext = ({ today, source, target, isOutside }: Load): WriteContext => ({
  loadedIn: target.number,
  today,
  stamp: () => target.stamps.next(),
  generation: source.header.generation,
  servedUntil: target.servedUntil,
  isOutside,
});

/** @param make a faster way to make the fields that are indexed with it, if intermediate results are at hand */
export const createVersion = (target: WriteTarget, kind: Kind, version: StoredVersion, make?: IndexedFields['make']): Write => ({
  operation: 'create',
  index: target.writing(kind),
  version,
  indexed: toIndexedFields(kind, version, target.today, make),
});

/** Marks a version as replaced by this load; readers keep seeing it until the load is committed. */
export function hideVersion(target: WriteTarget, kind: Kind, { version, place }: Found<StoredVersion>): Write {
  const index = target.writing(kind);
  if (target.deletesReplaced) return { operation: 'delete', index, version };
  const hidden = { ...version, supersededIn: target.number };
  return { operation: 'index', index, version: hidden, indexed: toIndexedFields(kind, hidden, target.today), replaces: place };
}

/**
 * Replaces a record's version in the target set, and updates the figures of the generation.
 * @param before the version that the set shows; undefined if it shows none
 * @param after undefined if the record is removed; its trace is written separately
 */
export function* replaceRecord(
  target: LoadTarget,
  before: Found<StoredProject> | undefined,
  after: { version: StoredProject; indexed?: IndexedFields['make'] } | undefined,
): Generator<Write> {
  if (after) target.figures?.add(after.version);
  if (before) target.figures?.remove(before.version);
  const ownBefore = before?.version.loadedIn === target.number ? before.version : undefined;
  if (after) {
    const created = createVersion(target, 'projects', after.version, after.indexed);
    // A version has the key of its record and the number of its load.
    yield ownBefore ? { ...created, operation: 'index', overwrites: ownBefore } : created;
  } else if (ownBefore) yield { operation: 'delete', index: target.writing('projects'), version: ownBefore };
  if (before && !ownBefore) yield hideVersion(target, 'projects', before);
}

/** Writes the trace of a removed record, so that a client's copy kept by sync can drop it. */
export function makeRemovalTrace(
  target: WriteTarget,
  removed: StoredProject,
  { mergedInto, at, lastUpdated = removed.lastUpdated, absorbed }: RemovalDetails = {},
): Write {
  const { stateId, countyId } = removed.standard;
  const { rendered: _, ...derived } = makeSearchedFields(removed, target.today).derived;
  const version = {
    key: removed.key,
    loadedIn: target.number,
    id: removed.id,
    ...(mergedInto === undefined ? {} : { mergedInto }),
    at: at ?? target.stamps.next(),
    lastUpdated,
    derived,
    ...(stateId ? { stateId: String(stateId) } : {}),
    ...(countyId ? { countyId: String(countyId) } : {}),
    ...(absorbed ? { absorbed } : { servedRevisions: listServedRevisions(removed, {}, target.servedUntil) }),
  };
  return createVersion(target, 'removals', version);
}
