/** The changes of aliases that commits and switches are made of; several of them are one atomic step. Pure. */
import type { estypes } from '@elastic/elasticsearch';
import { type IndexNames, KINDS, type Kind, type SetName, type View, visibleAt } from '../../src/core/store/elastic/indices.ts';

type Action = estypes.IndicesUpdateAliasesAction;

/** A whole set, as its aliases describe it. */
export interface AliasedSet extends SetName, View {
  served: boolean;
  previous: boolean;
  /** the commit that sync shows of it; null where sync shows another set */
  synced: number | null;
  /** true while its records are being stamped for sync, which shows another set until then */
  stamping: boolean;
  /** true while it is being copied, or where the load that copied it died */
  copying: boolean;
  /** lineage that it was served as part of; null for a set that was never served, or by a version that kept none */
  lineage: string | null;
}

/** What is served and what can be returned to, before a switch. */
interface Exchanged {
  served: AliasedSet | undefined;
  previous: AliasedSet | undefined;
}

export class AliasActions {
  readonly #names: IndexNames;

  constructor(names: IndexNames) {
    this.#names = names;
  }

  add(kind: Kind, set: SetName, alias: string, view: View): Action {
    return { add: { index: this.#names.index(kind, set), alias, filter: visibleAt(view) } };
  }

  /** @param mustExist the whole step fails where the alias is not there */
  remove(kind: Kind, set: SetName, alias: string, mustExist = false): Action {
    return { remove: { index: this.#names.index(kind, set), alias, ...(mustExist ? { must_exist: true } : {}) } };
  }

  /** Fails the whole step when the load was given up in the meantime: its alias is gone. */
  close(kind: Kind, set: SetName, load: number): Action {
    return this.remove(kind, set, this.#names.writing(kind, set, load), true);
  }

  /** The aliases that show a whole set, each with the view as its filter. */
  views(kind: Kind, set: AliasedSet, view: View): Action[] {
    const aliases = [
      this.#names.whole(kind, set),
      ...(set.served ? [this.#names.served(kind)] : []),
      ...(set.previous ? [this.#names.previous(kind)] : []),
      ...(set.synced === null ? [] : [this.#names.synced(kind)]),
    ];
    return aliases.map((alias) => this.add(kind, set, alias, view));
  }

  /** What `load` wrote into a set becomes part of what its aliases show. */
  commit(set: AliasedSet, load: number): Action[] {
    return KINDS.flatMap((kind) => [this.close(kind, set, load), ...this.views(kind, set, { ...set, committed: load })]);
  }

  /** `next` is served from now on. @param keeps the set to roll back to stays what it is; else it is what was served */
  serve({ served, previous }: Exchanged, next: SetName, view: View, keeps = false): Action[] {
    return KINDS.flatMap((kind) => [
      // Fails the whole step where another one moved it meanwhile.
      ...(served ? [this.remove(kind, served, this.#names.served(kind), kind === 'projects')] : []),
      ...(previous && !keeps ? [this.remove(kind, previous, this.#names.previous(kind))] : []),
      ...(served && !keeps ? [this.add(kind, served, this.#names.previous(kind), served)] : []),
      this.add(kind, next, this.#names.whole(kind, next), view),
      this.add(kind, next, this.#names.served(kind), view),
    ]);
  }

  /** Sync shows `next` from now on; no mark stays. */
  follow({ sets }: { sets: readonly AliasedSet[] }, next: SetName, view: View): Action[] {
    const others = sets.filter((set) => set.synced !== null && set.load !== next.load);
    const moved = KINDS.flatMap((kind) => [
      ...others.map((set) => this.remove(kind, set, this.#names.synced(kind))),
      this.add(kind, next, this.#names.synced(kind), view),
    ]);
    return [...moved, ...this.stamped(sets)];
  }

  stamping(set: SetName): Action {
    return { add: { index: this.#names.index('projects', set), alias: this.#names.stamping } };
  }

  copying(set: SetName): Action {
    return { add: { index: this.#names.index('projects', set), alias: this.#names.copying } };
  }

  copied(set: SetName): Action {
    return this.remove('projects', set, this.#names.copying);
  }

  /** Takes the mark from those sets that have it. */
  stamped(sets: readonly AliasedSet[]): Action[] {
    return sets.flatMap((set) => (set.stamping ? [this.remove('projects', set, this.#names.stamping)] : []));
  }

  moveLineage(next: SetName & Pick<AliasedSet, 'lineage'>, served: AliasedSet | undefined, lineage: string): Action[] {
    return [...this.lineage(next, lineage), ...(served ? this.#unmark(served) : [])];
  }

  lineage(set: SetName & Pick<AliasedSet, 'lineage'>, lineage: string): Action[] {
    if (set.lineage === lineage) return [];
    return [...this.#unmark(set), { add: { index: this.#names.index('projects', set), alias: this.#names.lineage(lineage) } }];
  }

  #unmark(set: SetName & Pick<AliasedSet, 'lineage'>): Action[] {
    return set.lineage === null ? [] : [this.remove('projects', set, this.#names.lineage(set.lineage))];
  }
}
