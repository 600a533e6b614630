/**
 * Names of the indices and aliases. One load of a full generation fills one set of indices, one of each kind. Readers use the served
 * alias; its filter hides every version that is not committed, so that a load can write into the served set unseen and be committed
 * by one atomic change of aliases.
 */
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

  index(kind: Kind, set: SetName): string {
    return `${this.prefix}-${kind}-g${set.generation}-l${set.load}`;
  }

  /** Exists once the set is whole; carries the same filter as the served alias, so that an unserved set keeps its own commit. */
  whole(kind: Kind, set: SetName): string {
    return `${this.index(kind, set)}-whole`;
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

/** Alias filter under which exactly the versions of loads up to `committed` are visible. */
export function visibleAt(committed: number) {
  return { bool: { must_not: [{ range: { loadedIn: { gt: committed } } }, { range: { supersededIn: { lte: committed } } }] } };
}

/** The last committed load, read back from an alias filter made by `visibleAt`. */
export function committedOf(filter: unknown): number {
  const clause = (filter as ReturnType<typeof visibleAt> | undefined)?.bool?.must_not?.[0];
  const committed = clause?.range.loadedIn?.gt;
  if (typeof committed !== 'number')
    throw new Error('An alias of this product lacks its filter of committed loads; restore it by loading the generation again');
  return committed;
}
