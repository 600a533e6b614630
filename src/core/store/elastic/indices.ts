/**
 * Names of the indices and aliases. One load of a full generation fills one set of indices, one of each kind. Readers use the served
 * alias; its filter hides every version that is not committed, so that a load can write into the served set unseen and be committed
 * by one atomic change of aliases. A load writes through aliases of its own, which go with its commit or with its clearing away:
 * a load that was given up can neither commit any more nor make a new index by a late write.
 */
import type { Client } from '@elastic/elasticsearch';

export const KINDS = ['projects', 'documents', 'contacts', 'removals'] as const;
export type Kind = (typeof KINDS)[number];

export interface SetName {
  generation: number;
  /** number of the load that made the set */
  load: number;
}

export class IndexNames {
  readonly prefix: string;

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  /** What readers search. */
  served(kind: Kind): string {
    return `${this.prefix}-${kind}`;
  }

  /** The set that was served before; `rollback` returns to it. */
  previous(kind: Kind): string {
    return `${this.prefix}-${kind}-previous`;
  }

  /** What sync and alerts search: the set that is served, but while a switch back is being stamped the one that was served before it. */
  synced(kind: Kind): string {
    return `${this.prefix}-${kind}-synced`;
  }

  /** Reads by these names; those that may change meanwhile see to it. */
  read<T>(_client: Client, work: () => Promise<T>): Promise<T> {
    return work();
  }

  /** Marks the served set of projects while its records are being stamped for sync. */
  get stamping(): string {
    return `${this.prefix}-stamping`;
  }

  /** Marks a set of projects while it is being copied: no write reaches it meanwhile. */
  get copying(): string {
    return `${this.prefix}-copying`;
  }

  index(kind: Kind, set: SetName): string {
    return `${this.prefix}-${kind}-g${set.generation}-l${set.load}`;
  }

  /** Exists once the set is whole; carries the same filter as the served alias, so that an unserved set keeps its own commit. */
  whole(kind: Kind, set: SetName): string {
    return `${this.index(kind, set)}-whole`;
  }

  /** What one load writes through, while it runs. */
  writing(kind: Kind, set: SetName, load: number): string {
    return `${this.index(kind, set)}-writing-${load}`;
  }

  /** The load whose writing alias this is; undefined for any other alias. */
  writerOf(alias: string): number | undefined {
    const match = /-l\d+-writing-(\d+)$/.exec(alias);
    return match ? Number(match[1]) : undefined;
  }

  /** Marks the projects of a set that is being made out of another one, whose number of load this is, while loads go on. */
  renewing(load: number): string {
    return `${this.prefix}-renews-${load}`;
  }

  /** The set that an alias says is being made again; undefined for any other alias. */
  renewedBy(alias: string): number | undefined {
    const start = `${this.prefix}-renews-`;
    return alias.startsWith(start) ? Number(alias.slice(start.length)) : undefined;
  }

  /** Marks the served set of projects as part of a lineage (src/core/domain/lineage.ts). */
  lineage(id: string): string {
    return `${this.prefix}-lineage-${id}`;
  }

  /** The lineage that an alias marks; undefined for any other alias. */
  lineageOf(alias: string): string | undefined {
    const start = this.lineage('');
    return alias.startsWith(start) ? alias.slice(start.length) : undefined;
  }

  pattern(kind: Kind): string {
    return `${this.prefix}-${kind}-g*`;
  }

  /** The set an index belongs to; undefined for a name that is not one of ours. */
  parse(index: string): SetName | undefined {
    const match = /-g(\d+)-l(\d+)$/.exec(index);
    return match ? { generation: Number(match[1]), load: Number(match[2]) } : undefined;
  }
}

/** What readers of a set see: every version of the loads up to `committed`, but nothing that the aborted ones among them did. */
export interface View {
  committed: number;
  /** loads that were given up; a write of theirs may still arrive long after */
  aborted: readonly number[];
}

/** Alias filter under which exactly the versions of a view are visible; with nothing aborted it is two ranges that match little. */
export function visibleAt({ committed, aborted }: View) {
  const late = { range: { loadedIn: { gt: committed } } };
  const replaced = { range: { supersededIn: { lte: committed } } };
  if (!aborted.length) return { bool: { must_not: [late, replaced] } };
  const abortedIn = (field: 'loadedIn' | 'supersededIn') => ({ terms: { [field]: [...aborted] } });
  return { bool: { must_not: [late, { bool: { filter: [replaced], must_not: [abortedIn('supersededIn')] } }, abortedIn('loadedIn')] } };
}

interface StoredFilter {
  bool?: { must_not?: [{ range?: { loadedIn?: { gt?: number } } }, unknown, { terms?: { loadedIn?: number[] } }?] };
}

/** The view, read back from an alias filter made by `visibleAt`. */
export function viewOf(filter: unknown): View {
  const [late, , aborted] = (filter as StoredFilter | undefined)?.bool?.must_not ?? [];
  const committed = late?.range?.loadedIn?.gt;
  if (typeof committed !== 'number')
    throw new Error('An alias of this product lacks its filter of committed loads; restore it by loading the generation again');
  return { committed, aborted: aborted?.terms?.loadedIn ?? [] };
}

/** Selects merged developments of which a hearing has come since they were written. @param today `YYYY-MM-DD` */
export const hearingHasCome = (today: string) => ({ range: { 'derived.nextHearing': { lte: today } } });
