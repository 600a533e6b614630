/** The sets of indices that generations live in: what exists, what is served, how a set is made, committed, switched and dropped. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, estypes } from '@elastic/elasticsearch';
import { unplaced, WritesBlocked } from '../../src/core/store/elastic/blocks.ts';
import { type IndexNames, KINDS, type Kind, type SetName, type View, viewOf } from '../../src/core/store/elastic/indices.ts';
import {
  addMissingFields,
  changedFieldsText,
  type FieldChanges,
  mappingOf,
  unfilledFields,
} from '../../src/core/store/elastic/mappedFields.ts';
import { LoadRefused } from '../loadRefused.ts';
import { greatest } from '../read/versions.ts';
import { AliasActions, type AliasedSet } from './aliasActions.ts';
import type { Figures } from './figures.ts';
import { SetNotes } from './setNotes.ts';

const byKind = (name: (kind: Kind) => string) => Object.fromEntries(KINDS.map((kind) => [kind, name(kind)])) as Record<Kind, string>;

export interface GenerationSet extends AliasedSet {
  /** loads that write into the set now, or died while they did */
  writers: number[];
}

/** A set that is being made out of another one, or that a killed command left so. */
export interface Renewal extends SetName {
  /** number of the load of that other set */
  of: number;
}

/** What the last pass of a renewal writes through, in place of the number of its load. */
export const lastWriter = ({ load }: SetName) => load + 1;

/** How the indices of a set are laid out over the nodes. */
export interface Layout {
  shards: number;
  /** copies of each shard besides the first, as far as there are nodes for them */
  replicas: number;
}

const ON_ONE_NODE: Layout = { shards: 1, replicas: 1 };

export interface Generations {
  served: GenerationSet | undefined;
  previous: GenerationSet | undefined;
  /** what sync shows */
  synced: GenerationSet | undefined;
  /** whole sets, oldest load first */
  sets: GenerationSet[];
  /** sets that a killed load left unfinished */
  unfinished: SetName[];
  renewals: Renewal[];
}

export const generationsOf = (sets: GenerationSet[], unfinished: SetName[] = [], renewals: Renewal[] = []): Generations => ({
  sets,
  unfinished,
  renewals,
  served: sets.find((set) => set.served),
  previous: sets.find((set) => set.previous),
  synced: sets.find((set) => set.synced !== null),
});

/** A number above those of all loads that there were; time makes it so even where they left nothing. */
export const nextLoad = ({ sets }: Generations) =>
  Math.max(Date.now(), ...sets.flatMap((set) => [set.load, set.committed, ...set.aborted]).map((load) => load + 1));

/** After this it is asked why an index that was made has no shards yet. */
const PLACED_IN = '5s';
/** The same of a copy, in place of which a set is filled from scratch. */
const COPY_PLACED_IN = '2s';
const SHARDS_READY_IN = '30s';
/** A copy that cannot refresh, for want of memory perhaps, is asked again. */
const REFRESH_RETRIES = 5;
const REFRESH_WAIT_MS = 200;

const blockingWrites = (write: boolean | null) => ({ 'index.blocks.write': write }) as estypes.IndicesIndexSettings;

/** For the projects first, by which an unfinished set is found. */
async function forEachKind(work: (kind: Kind) => Promise<void>): Promise<void> {
  await work('projects');
  const others = KINDS.filter((kind) => kind !== 'projects').map(work);
  await Promise.allSettled(others); // what heals a failure finds none that comes later
  await Promise.all(others);
}

export class GenerationStore {
  readonly client: Client;
  readonly names: IndexNames;
  readonly #actions: AliasActions;
  readonly #layout: Layout;

  /** @param layout of the sets that are made */
  constructor(client: Client, names: IndexNames, layout: Layout = ON_ONE_NODE) {
    this.client = client;
    this.names = names;
    this.#layout = layout;
    this.#actions = new AliasActions(names);
  }

  /** Everything is read from the cluster's aliases, the one place that changes atomically. */
  async read(): Promise<Generations> {
    const indices = await this.client.indices.getAlias({ index: this.names.pattern('projects'), allow_no_indices: true });
    const sets: GenerationSet[] = [];
    const unfinished: SetName[] = [];
    const renewals: Renewal[] = [];
    for (const [index, { aliases }] of Object.entries(indices)) {
      const name = this.names.parse(index);
      const set = name && this.#describe(name, aliases);
      const of = Object.keys(aliases).flatMap((alias) => this.names.renewedBy(alias) ?? [])[0];
      if (set) sets.push(set);
      else if (name && of !== undefined) renewals.push({ ...name, of });
      else if (name) unfinished.push(name);
    }
    sets.sort((a, b) => a.load - b.load);
    return generationsOf(sets, unfinished, renewals);
  }

  #describe(set: SetName, aliases: Record<string, estypes.IndicesAliasDefinition>): GenerationSet | undefined {
    const whole = aliases[this.names.whole('projects', set)];
    if (!whole) return undefined;
    const synced = aliases[this.names.synced('projects')];
    return {
      ...set,
      ...viewOf(whole.filter),
      served: this.names.served('projects') in aliases,
      previous: this.names.previous('projects') in aliases,
      synced: synced ? viewOf(synced.filter).committed : null,
      stamping: this.names.stamping in aliases,
      copying: this.names.copying in aliases,
      writers: Object.keys(aliases).flatMap((alias) => this.names.writerOf(alias) ?? []),
      lineage: Object.keys(aliases).flatMap((alias) => this.names.lineageOf(alias) ?? [])[0] ?? null,
    };
  }

  /**
   * Makes the four empty indices of a new set, tuned for loading, with the aliases that its load writes through.
   * @param base commit of the set that its records are compared with
   * @param renews number of the load of the set that it is made out of, while loads go on
   */
  async create(set: SetName, base: number | null, renews?: number): Promise<void> {
    const make = async (kind: Kind) => {
      const index = this.names.index(kind, set);
      const made = await this.client.indices.create({
        index,
        timeout: PLACED_IN,
        aliases: {
          [this.names.writing(kind, set, set.load)]: {},
          ...(renews !== undefined && kind === 'projects' ? { [this.names.renewing(renews)]: {} } : {}),
        },
        mappings: { ...mappingOf(kind), _meta: { ...SetNotes.first(base) } },
        settings: { number_of_shards: this.#layout.shards, max_terms_count: 1_000_000, ...this.#loading() },
      });
      if (!made.shards_acknowledged) await this.#awaitShards(index);
    };
    await forEachKind(make);
  }

  /** Settings of an index while a load fills it. */
  #loading(): estypes.IndicesIndexSettings {
    const { replicas } = this.#layout;
    const copies = replicas ? { auto_expand_replicas: `0-${replicas}` } : { auto_expand_replicas: 'false', number_of_replicas: 0 };
    return { refresh_interval: '-1', ...copies };
  }

  /** True for a set of as many shards as a copy is to have, and that takes writes: `release` would lift what somebody else has blocked. */
  async canBeCopied(set: SetName): Promise<boolean> {
    const found = await this.client.indices.getSettings({ index: this.indices(set), name: ['index.number_of_shards', 'index.blocks.*'] });
    return Object.values(found).every(({ settings }) => {
      const { number_of_shards: shards, blocks } = settings?.index ?? {};
      // Elasticsearch keeps a block that was lifted as null.
      return Number(shards) === this.#layout.shards && Object.values(blocks ?? {}).every((block) => block === null);
    });
  }

  /**
   * Makes a new set as a copy of a whole one, with the aliases that its load writes through. The copy shares the files of what it was made of, so
   * that it takes no longer and no more room where there is more in it. Nothing can be written into `base` meanwhile; `release` ends that.
   * @returns false where no node takes the copy, as where the one that has the files is too full: nothing is left of it then
   */
  async copy(set: SetName, base: GenerationSet): Promise<boolean> {
    await this.#updateAliases([this.#actions.copying(base)]);
    try {
      await this.client.indices.putSettings({ index: this.indices(base), settings: blockingWrites(true) });
      await forEachKind((kind) => this.#clone(kind, set, base));
    } catch (error) {
      await this.release(base).catch(() => undefined); // the next load does it
      if (!(error instanceof WritesBlocked)) throw error;
      await this.drop(set);
      return false;
    }
    await this.release(base);
    await this.addMissingFields(set);
    await this.notes(set).begin(base.committed);
    return true;
  }

  async #clone(kind: Kind, set: SetName, base: GenerationSet): Promise<void> {
    const target = this.names.index(kind, set);
    const made = await this.client.indices.clone({
      index: this.names.index(kind, base),
      target,
      timeout: COPY_PLACED_IN,
      aliases: { [this.names.writing(kind, set, set.load)]: {} },
      settings: { ...blockingWrites(null), ...this.#loading() } as Record<string, unknown>,
    });
    if (!made.shards_acknowledged) await this.#awaitShards(target);
  }

  /** Takes writes again into a set that was copied, or should have been. */
  async release(base: SetName): Promise<void> {
    await this.client.indices.putSettings({ index: this.indices(base), settings: blockingWrites(null) });
    await this.#updateAliases([this.#actions.copied(base)]);
  }

  /** A busy cluster is waited for. @throws WritesBlocked where no node takes the index */
  async #awaitShards(index: string): Promise<void> {
    const block = await unplaced(this.client, index);
    if (block) throw block;
    await this.client.cluster.health({ index, wait_for_status: 'yellow', timeout: SHARDS_READY_IN });
  }

  /** A set that an older version of the product made gets the mapped fields that it lacks, before anything is written into it. */
  addMissingFields(set: SetName): Promise<FieldChanges> {
    return addMissingFields(
      this.client,
      byKind((kind) => this.names.index(kind, set)),
    );
  }

  /** Searched fields of projects that were added to a set when it held records already: these lack a value until a load writes them. */
  unfilledFields(set: SetName): Promise<string[]> {
    return unfilledFields(this.client, this.names.index('projects', set));
  }

  /** What the set keeps about itself. */
  notes(set: SetName): SetNotes {
    return new SetNotes(this.client, this.names.index('projects', set));
  }

  /** The commit that a full generation was compared with when it was loaded. */
  builtOn(set: SetName): Promise<number | undefined> {
    return this.notes(set).builtOn();
  }

  /** True where every record of a set has been written with the fields that are searched now. */
  isOfThisVersion(set: SetName): Promise<boolean> {
    return this.notes(set).isOfThisVersion();
  }

  /** What a set's generation states itself, as of its commit; undefined for a set that was made before figures were kept. */
  figures(set: GenerationSet): Promise<Figures | undefined> {
    return this.notes(set).figures(set.committed);
  }

  /**
   * Lets a load write into a whole set, unseen until `commit`.
   * @throws LoadRefused where a field of the set has another type than this version writes
   */
  async open(set: GenerationSet, load: number): Promise<void> {
    const { changed } = await this.addMissingFields(set);
    const remedy = set.stamping
      ? 'go back to the generation that sync shows, npm run ingest -- activate N (status has its number)'
      : undefined;
    if (changed.length)
      throw new LoadRefused(`Generation ${set.generation} cannot be written to by this version: ${changedFieldsText(changed, remedy)}`);
    await this.#updateAliases(
      KINDS.map((kind) => ({ add: { index: this.names.index(kind, set), alias: this.names.writing(kind, set, load) } })),
    );
  }

  /**
   * A loaded set becomes whole: refreshed, ready to be served, its commit recorded in its own aliases.
   * @param aborted loads of which it may hold something, as a copy does
   */
  async complete(set: SetName, aborted: readonly number[] = []): Promise<void> {
    await this.client.indices.putSettings({ index: this.indices(set), settings: { refresh_interval: '1s' } });
    await this.refresh(set);
    const view = { committed: set.load, aborted };
    await this.#updateAliases(
      KINDS.flatMap((kind) => [this.#actions.close(kind, set, set.load), this.#actions.add(kind, set, this.names.whole(kind, set), view)]),
    );
  }

  /** Makes what `load` wrote into an open set visible, and so to readers if the set is served. Fails if the load was given up meanwhile. */
  async commit(set: GenerationSet, load: number): Promise<void> {
    await this.refresh(set);
    await this.#updateAliases(this.#actions.commit(set, load), ({ sets }) =>
      sets.some((known) => known.load === set.load && known.committed === load),
    );
  }

  /** Gives up the loads that have a set open: they can write no more, and what they wrote stays unseen, whenever it arrives. */
  async abandon(set: GenerationSet): Promise<GenerationSet> {
    const abandoned = { ...set, aborted: [...set.aborted, ...set.writers], writers: [] };
    await this.setView(set, abandoned, set.writers);
    return abandoned;
  }

  async setView(set: GenerationSet, view: View, closed: readonly number[] = []): Promise<void> {
    await this.#updateAliases(
      KINDS.flatMap((kind) => [...closed.map((load) => this.#actions.close(kind, set, load)), ...this.#actions.views(kind, set, view)]),
    );
  }

  /**
   * Serves another set, to searches and to sync, in one atomic step for all kinds; what was served becomes the one to roll back to, unless it
   * is of the same generation: that was loaded again, and an earlier one stays the one to roll back to.
   * @param lineage that `next` becomes part of
   * @param load one that has `next` open and is committed in the same step
   */
  async serve(next: GenerationSet, generations: Generations, lineage: string, load?: number): Promise<void> {
    const { served, previous } = generations;
    if (served?.load === next.load) return;
    const view = load === undefined ? next : { ...next, committed: load };
    if (load !== undefined) await this.refresh(next);
    const again = served?.generation === next.generation && previous !== undefined && previous.generation !== next.generation;
    const closed = load === undefined ? [] : KINDS.map((kind) => this.#actions.close(kind, next, load));
    await this.#updateAliases(
      [
        ...closed,
        ...this.#actions.serve(generations, next, view, again),
        ...this.#actions.follow(generations, next, view),
        ...this.#actions.moveLineage(next, served, lineage),
      ],
      ({ served: now }) => now?.load === next.load && now.committed === view.committed,
    );
  }

  /**
   * Serves a set that was served before as it stands, in one atomic step; sync goes on showing what was served until then, and a mark says that
   * the records of `next` are being stamped for it.
   * @param commit under which it is served
   * @param isSynced sync shows `next` itself: nothing is to be stamped
   */
  async serveBefore(
    next: GenerationSet,
    generations: Generations,
    lineage: string,
    { commit, isSynced }: { commit: number; isSynced: boolean },
  ): Promise<void> {
    const { served } = generations;
    const view = { ...next, committed: commit };
    await this.#updateAliases(
      [
        ...this.#actions.serve(generations, next, view),
        ...(isSynced ? this.#actions.follow(generations, next, view) : [this.#actions.stamping(next)]),
        ...this.#actions.moveLineage(next, served, lineage),
      ],
      ({ served: now }) => now?.load === next.load && now.committed === commit,
    );
  }

  /** Says that the records of the served set, and of no other, are being stamped for sync. */
  async markStamping(served: GenerationSet, { sets }: Generations): Promise<void> {
    await this.#updateAliases([...this.#actions.stamped(sets.filter(({ load }) => load !== served.load)), this.#actions.stamping(served)]);
  }

  /** Shows to sync what is served. */
  async showToSync(served: GenerationSet, generations: Generations): Promise<void> {
    await this.#updateAliases(this.#actions.follow(generations, served, served));
  }

  /** Makes what `load` wrote into the served set visible, and sync show the set, in one atomic step. Fails if the load was given up meanwhile. */
  async commitStamped(served: GenerationSet, generations: Generations, load: number): Promise<void> {
    await this.refresh(served);
    const view = { ...served, committed: load };
    await this.#updateAliases([...this.#actions.commit(served, load), ...this.#actions.follow(generations, served, view)], ({ sets }) =>
      sets.some((known) => known.load === served.load && known.committed === load),
    );
  }

  /**
   * Serves a whole set that shows what was last recorded, in one atomic step; of what was there before nothing is to be returned to.
   * @param before what was served before it, where its records are still to be stamped: sync shows that
   */
  async serveInstead(next: GenerationSet, generations: Generations, lineage: string, before?: GenerationSet): Promise<void> {
    const { served, previous } = generations;
    await this.#updateAliases(
      [
        ...KINDS.flatMap((kind) => [
          ...(served ? [this.#actions.remove(kind, served, this.names.served(kind))] : []),
          ...(previous ? [this.#actions.remove(kind, previous, this.names.previous(kind))] : []),
          this.#actions.add(kind, next, this.names.served(kind), next),
          ...(before ? [this.#actions.add(kind, before, this.names.previous(kind), before)] : []),
        ]),
        ...this.#actions.follow(generations, before ?? next, before ?? next),
        ...(before ? [this.#actions.stamping(next)] : []),
        ...this.#actions.moveLineage(next, served, lineage),
      ],
      ({ served: now }) => now?.load === next.load,
    );
  }

  /**
   * Serves a set that shows what is served already, in its place and in one atomic step; what can be returned to stays.
   * @param commit under which it is served
   */
  async serveRenewed(next: SetName, generations: Generations, lineage: string, commit: number): Promise<void> {
    const { served } = generations;
    const view = { committed: commit, aborted: [] };
    await this.#updateAliases(
      [
        ...KINDS.map((kind) => this.#actions.close(kind, next, lastWriter(next))),
        ...this.#actions.serve(generations, next, view, true),
        ...this.#actions.follow(generations, next, view),
        ...this.#actions.moveLineage({ ...next, lineage: null }, served, lineage),
      ],
      ({ served: now }) => now?.load === next.load,
    );
  }

  /**
   * Takes a renewal from its own command: whoever holds the load lock from then on drops the set, as any that is unfinished. What was sent before
   * reaches it no more; its last writes go through another name. Call it under the load lock.
   */
  async seal(next: Renewal): Promise<void> {
    await this.client.indices.putSettings({ index: this.indices(next), settings: { refresh_interval: '1s' } });
    await this.#updateAliases(
      [
        { remove: { index: this.names.index('projects', next), alias: this.names.renewing(next.of), must_exist: true } },
        ...KINDS.flatMap((kind) => [
          this.#actions.close(kind, next, next.load),
          { add: { index: this.names.index(kind, next), alias: this.names.writing(kind, next, lastWriter(next)) } },
        ]),
      ],
      ({ unfinished }) => unfinished.some(({ load }) => load === next.load),
    );
  }

  /**
   * Drops a set that is not whole. A step that would serve it may still be on its way: it closes the same aliases, so that one of the two fails.
   * @throws LoadRefused where that step came first
   */
  async discard(set: SetName): Promise<void> {
    const index = this.names.index('projects', set);
    const found = await this.client.indices.getAlias({ index }, { ignore: [404] });
    const writers = Object.keys(found[index]?.aliases ?? {}).flatMap((alias) => this.names.writerOf(alias) ?? []);
    if (writers.length)
      await this.#updateAliases(writers.map((load) => this.#actions.close('projects', set, load))).catch((cause: unknown) => {
        throw new LoadRefused(`What is loaded changed meanwhile (${(cause as Error).message}); run the command again`);
      });
    const { sets } = await this.read();
    if (!sets.some(({ load }) => load === set.load)) await this.drop(set);
  }

  /** Marks a served set as part of a lineage, in place of the one that it was part of. */
  async markLineage(set: GenerationSet, lineage: string): Promise<void> {
    await this.#updateAliases(this.#actions.lineage(set, lineage));
  }

  /** The same for the first of a lineage: no copy kept by sync is of it yet, so that sync shows what is served. */
  async beginLineage(set: GenerationSet, generations: Generations, lineage: string): Promise<void> {
    await this.#updateAliases([...this.#actions.follow(generations, set, set), ...this.#actions.lineage(set, lineage)]);
  }

  indices(set: SetName): string[] {
    return KINDS.map((kind) => this.names.index(kind, set));
  }

  /** Makes everything written visible on every copy. @throws Error when a copy fails to: it would show a part of a load */
  async refresh(set: SetName): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      const { _shards: shards } = await this.client.indices.refresh({ index: this.indices(set) });
      if (!shards?.failed) return;
      if (attempt === REFRESH_RETRIES)
        throw new Error(`Elasticsearch could not refresh ${shards.failed} of ${shards.total} copies of an index; run the command again`);
      await sleep(REFRESH_WAIT_MS);
    }
  }

  async drop(set: SetName): Promise<void> {
    await this.client.indices.delete({ index: this.indices(set), ignore_unavailable: true });
  }

  /** Visible records of a kind in a whole set. */
  async count(kind: Kind, set: SetName): Promise<number> {
    const { count } = await this.client.count({ index: this.names.whole(kind, set) });
    return count;
  }

  /** Newest visible `lastUpdated` of a set, in milliseconds since 1970; null when it holds no project. */
  async highWater(set: SetName): Promise<number | null> {
    return this.#newest('projects', set, 'lastUpdated');
  }

  /**
   * A time that every visible change of a set lies before or at: changes of projects and traces of removals.
   * In milliseconds since 1970; null when it holds neither.
   */
  async newestStamp(set: SetName): Promise<number | null> {
    const stamps = [await this.highWater(set), await this.#newest('removals', set, 'at')].filter((stamp) => stamp !== null);
    return stamps.length ? Math.max(...stamps) : null;
  }

  #newest(kind: Kind, set: SetName, field: string): Promise<number | null> {
    return greatest(this.client, this.names.whole(kind, set), field);
  }

  /** @param applied tells from what is there whether the step was taken, when its answer was lost and its repetition refused */
  async #updateAliases(
    actions: estypes.IndicesUpdateAliasesAction[],
    applied: (generations: Generations) => boolean = () => false,
  ): Promise<void> {
    try {
      await this.client.indices.updateAliases({ actions });
    } catch (error) {
      const taken = await this.read().then(applied, () => false);
      if (!taken) throw error;
    }
  }
}
