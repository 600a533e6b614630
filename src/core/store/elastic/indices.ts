/**
 * Names of the indices and aliases. A load of a full generation fills one set of indices, one of each kind. Readers use the served alias,
 * whose filter hides every version that is not committed; so a load can write into the served set unseen, and is committed by one atomic
 * change of aliases. A load writes through its own alias, which is removed when it is committed or discarded: a load that was given up can
 * then neither be committed nor create an index by a late write.
 */

export const KINDS = ['projects', 'documents', 'contacts', 'removals'] as const;
export type Kind = (typeof KINDS)[number];

export interface SetName {
  generation: number;
  /** number of the load that created the set */
  load: number;
}

export class IndexNames {
  readonly prefix: string;

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  /** The alias that searches read. */
  readAlias(kind: Kind): string {
    return `${this.prefix}-${kind}`;
  }

  /** The alias of the set that was served before, to which `rollback` returns. */
  previousAlias(kind: Kind): string {
    return `${this.prefix}-${kind}-previous`;
  }

  /** The alias that sync and alerts read: the served set, or while a rollback is being stamped the set served before it. */
  syncedAlias(kind: Kind): string {
    return `${this.prefix}-${kind}-synced`;
  }

  /** The alias that marks the served set of projects while its records are being stamped. */
  get stamping(): string {
    return `${this.prefix}-stamping`;
  }

  /** The alias that marks a set of projects while it is copied; nothing writes to it meanwhile. */
  get copying(): string {
    return `${this.prefix}-copying`;
  }

  indexName(kind: Kind, set: SetName): string {
    return `${this.prefix}-${kind}-g${set.generation}-l${set.load}`;
  }

  /**
   * The alias that exists once a set is complete; it has the same filter as the served alias, so that a set that is not served keeps its
   * own commit.
   */
  completeAlias(kind: Kind, set: SetName): string {
    return `${this.indexName(kind, set)}-whole`;
  }

  /** The alias through which a load writes. */
  writeAlias(kind: Kind, set: SetName, load: number): string {
    return `${this.indexName(kind, set)}-writing-${load}`;
  }

  /** The number of the load whose writing alias this is; undefined for any other alias. */
  parseWriteAlias(alias: string): number | undefined {
    const match = /-l\d+-writing-(\d+)$/.exec(alias);
    return match ? Number(match[1]) : undefined;
  }

  /** The alias that marks the projects of a set that `renew` is making from the set of the given load. */
  renewalAlias(load: number): string {
    return `${this.prefix}-renews-${load}`;
  }

  /** The load whose set is being renewed under this alias; undefined for any other alias. */
  parseRenewalAlias(alias: string): number | undefined {
    const start = `${this.prefix}-renews-`;
    return alias.startsWith(start) ? Number(alias.slice(start.length)) : undefined;
  }

  /** The alias that marks the served set of projects as part of a lineage (src/core/domain/lineage.ts). */
  lineageAlias(id: string): string {
    return `${this.prefix}-lineage-${id}`;
  }

  /** The id of the lineage that an alias marks; undefined for any other alias. */
  parseLineageAlias(alias: string): string | undefined {
    const start = this.lineageAlias('');
    return alias.startsWith(start) ? alias.slice(start.length) : undefined;
  }

  indexPattern(kind: Kind): string {
    return `${this.prefix}-${kind}-g*`;
  }

  /** The set to which an index belongs; undefined for a name that is not ours. */
  parse(index: string): SetName | undefined {
    const match = /-g(\d+)-l(\d+)$/.exec(index);
    return match ? { generation: Number(match[1]), load: Number(match[2]) } : undefined;
  }
}

/** The names for stores that read what sync shows: `readAlias` is that of the synced set. */
export class SyncedNames extends IndexNames {
  override readAlias(kind: Kind): string {
    return this.syncedAlias(kind);
  }
}

/** What readers of a set see: every version of the loads up to `committed`, without the aborted loads. */
export interface View {
  committed: number;
  /** loads that were given up; one of their writes may still arrive much later */
  aborted: readonly number[];
}

/** The alias filter that shows exactly the versions of a view. Without aborted loads it is two ranges that few versions match. */
export function visibilityFilter({ committed, aborted }: View) {
  const late = { range: { loadedIn: { gt: committed } } };
  const replaced = { range: { supersededIn: { lte: committed } } };
  if (!aborted.length) return { bool: { must_not: [late, replaced] } };
  const abortedIn = (field: 'loadedIn' | 'supersededIn') => ({ terms: { [field]: [...aborted] } });
  return { bool: { must_not: [late, { bool: { filter: [replaced], must_not: [abortedIn('supersededIn')] } }, abortedIn('loadedIn')] } };
}

interface StoredFilter {
  bool?: { must_not?: [{ range?: { loadedIn?: { gt?: number } } }, unknown, { terms?: { loadedIn?: number[] } }?] };
}

/** Reads the view from an alias filter made by `visibleAt`. */
export function parseView(filter: unknown): View {
  const [late, , aborted] = (filter as StoredFilter | undefined)?.bool?.must_not ?? [];
  const committed = late?.range?.loadedIn?.gt;
  if (typeof committed !== 'number')
    throw new Error('An alias of this product lacks its filter of committed loads; restore it by loading the generation again');
  return { committed, aborted: aborted?.terms?.loadedIn ?? [] };
}

/**
 * Matches merged projects with a hearing that has been held since they were written.
 * @param today `YYYY-MM-DD`
 */
export const hearingHasPassed = (today: string) => ({ range: { 'derived.nextHearing': { lte: today } } });
