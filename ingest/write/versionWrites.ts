/** Makes the writes that hide, replace or remove a version. */
import type { StoredProject } from '../../src/core/domain/record/storedProject.ts';
import type { Kind } from '../../src/core/store/elastic/indices.ts';
import type { Found, StoredVersion } from '../read/versions.ts';
import type { Absorbed } from './absorbed.ts';
import type { Write } from './bulkWrite.ts';
import { toIndexedFields } from './indexedFields.ts';
import type { Load, WriteTarget } from './loadContext.ts';
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

export const toWriteContext = ({ today, source, target }: Load): WriteContext => ({
  loadedIn: target.number,
  today,
  stamp: () => target.stamps.next(),
  generation: source.header.generation,
  servedUntil: target.servedUntil,
});

/** Replaces a version that the target set already holds: deletes it, or hides it from the commit on. */
export function replaceVersion({ target }: Load, previous: Found<StoredProject>): Write {
  target.figures.remove(previous.version);
  return supersedeVersion(target, previous);
}

/** Marks a version as replaced by this load; readers keep seeing it until the load is committed. */
export function supersedeVersion(target: WriteTarget, { version, place }: Found<StoredProject>): Write {
  if (target.deletesReplaced) return { operation: 'delete', index: target.writing('projects'), version };
  const replaced = { ...version, supersededIn: target.number };
  const indexed = toIndexedFields('projects', replaced, target.today);
  return { operation: 'index', index: target.writing('projects'), version: replaced, indexed, replaces: place };
}

/** Hides a version of a kind other than projects. */
export function hideVersion(target: WriteTarget, kind: Kind, { version: found, place }: Found<StoredVersion>): Write {
  if (target.deletesReplaced) return { operation: 'delete', index: target.writing(kind), version: found };
  const version = { ...found, supersededIn: target.number };
  return {
    operation: 'index',
    index: target.writing(kind),
    version,
    indexed: toIndexedFields(kind, version, target.today),
    replaces: place,
  };
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
  return { operation: 'create', index: target.writing('removals'), version };
}
