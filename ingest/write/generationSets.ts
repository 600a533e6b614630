/** The sets of indices that hold generations: reads from the aliases which sets exist, and controls which loads may write into a set. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, estypes } from '@elastic/elasticsearch';
import {
  type IndexNames,
  KINDS,
  type Kind,
  parseView,
  type SetName,
  type View,
  visibilityFilter,
} from '../../src/core/store/elastic/indices.ts';
import {
  addMissingFields,
  type ChangedField,
  describeChangedFields,
  type FieldChanges,
  findUnfilledFields,
} from '../../src/core/store/elastic/mappedFields.ts';
import { LoadRefused } from '../loadRefused.ts';
import { newestStampOf } from '../read/versions.ts';
import { SetNotes } from './setNotes.ts';

type AliasAction = estypes.IndicesUpdateAliasesAction;

/** A complete set, as its aliases describe it. */
export interface GenerationSet extends SetName, View {
  served: boolean;
  previous: boolean;
  /** the commit of it that sync shows; null if sync shows another set */
  synced: number | null;
  /** true while its records are being stamped for sync, which shows another set until then */
  stamping: boolean;
  /** true while it is being copied, or if the load that copied it died */
  copying: boolean;
  /** lineage in which it was served; null if it was never served */
  lineage: string | null;
  /** loads that write into the set now, or died while they did */
  writers: number[];
  /** fields with another type than this version writes; known once those that it lacked were added */
  changedFields?: readonly ChangedField[];
}

/** A set that is being made from another one, or that a killed command left unfinished. */
export interface Renewal extends SetName {
  /** number of the load of that other set */
  of: number;
}

/** How the indices of a set are laid out over the nodes. */
export interface Layout {
  shards: number;
  /** copies of each shard besides the primary, limited by the number of nodes */
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

export const toGenerations = (sets: GenerationSet[], unfinished: SetName[] = [], renewals: Renewal[] = []): Generations => ({
  sets,
  unfinished,
  renewals,
  served: sets.find((set) => set.served),
  previous: sets.find((set) => set.previous),
  synced: sets.find((set) => set.synced !== null),
});

/** A number greater than that of any earlier load. It is at least the current time, so that this holds even for loads that left no trace. */
export const nextLoadNumber = ({ sets }: Generations) =>
  Math.max(Date.now(), ...sets.flatMap((set) => [set.load, set.committed, ...set.aborted]).map((load) => load + 1));

/** How often the refresh of a shard copy that failed, for example for lack of memory, is repeated. */
const REFRESH_RETRIES = 5;
const REFRESH_WAIT_MS = 200;

export class GenerationStore {
  readonly client: Client;
  readonly names: IndexNames;
  /** layout of new sets */
  readonly layout: Layout;

  constructor(client: Client, names: IndexNames, layout: Layout = ON_ONE_NODE) {
    this.client = client;
    this.names = names;
    this.layout = layout;
  }

  /** Reads which sets exist and what they show, from the cluster's aliases, which change atomically. */
  async read(): Promise<Generations> {
    const indices = await this.client.indices.getAlias({
      index: KINDS.map((kind) => this.names.indexPattern(kind)),
      allow_no_indices: true,
    });
    const sets: GenerationSet[] = [];
    const unfinished: SetName[] = [];
    const renewals: Renewal[] = [];
    // A killed load may have left any of the four.
    for (const name of this.#listNames(Object.keys(indices))) {
      const aliases = indices[this.names.indexName('projects', name)]?.aliases ?? {};
      const set = this.#describe(name, aliases);
      const of = Object.keys(aliases).flatMap((alias) => this.names.parseRenewalAlias(alias) ?? [])[0];
      if (set) sets.push(set);
      else if (of !== undefined) renewals.push({ ...name, of });
      else unfinished.push(name);
    }
    sets.sort((a, b) => a.load - b.load);
    return toGenerations(sets, unfinished, renewals);
  }

  #listNames(indices: readonly string[]): SetName[] {
    const names = new Map(
      indices.flatMap((index) => this.names.parse(index) ?? []).map((name) => [`${name.generation} ${name.load}`, name]),
    );
    return [...names.values()];
  }

  #describe(set: SetName, aliases: Record<string, estypes.IndicesAliasDefinition>): GenerationSet | undefined {
    const whole = aliases[this.names.completeAlias('projects', set)];
    if (!whole) return undefined;
    const synced = aliases[this.names.syncedAlias('projects')];
    return {
      ...set,
      ...parseView(whole.filter),
      served: this.names.readAlias('projects') in aliases,
      previous: this.names.previousAlias('projects') in aliases,
      synced: synced ? parseView(synced.filter).committed : null,
      stamping: this.names.stamping in aliases,
      copying: this.names.copying in aliases,
      writers: Object.keys(aliases).flatMap((alias) => this.names.parseWriteAlias(alias) ?? []),
      lineage: Object.keys(aliases).flatMap((alias) => this.names.parseLineageAlias(alias) ?? [])[0] ?? null,
    };
  }

  listIndices(set: SetName): string[] {
    return KINDS.map((kind) => this.names.indexName(kind, set));
  }

  /** Adds the mapped fields that a set of an older version lacks; call it before writing into the set. */
  addMissingFields(set: SetName): Promise<FieldChanges> {
    const indices = Object.fromEntries(KINDS.map((kind) => [kind, this.names.indexName(kind, set)]));
    return addMissingFields(this.client, indices as Record<Kind, string>);
  }

  /** Searched fields that were added to a set with records: those records lack a value until a load writes them again. */
  findUnfilledFields(set: SetName): Promise<string[]> {
    return findUnfilledFields(this.client, this.names.indexName('projects', set));
  }

  /** The notes stored with a set. */
  openNotes(set: SetName): SetNotes {
    return new SetNotes(this.client, this.names.indexName('projects', set));
  }

  /**
   * Lets a load write into a whole set, unseen until its commit is published.
   * @throws LoadRefused where a field of the set has another type than this version writes
   */
  async open(set: GenerationSet, load: number): Promise<void> {
    const changed = set.changedFields ?? (await this.addMissingFields(set)).changed;
    const remedy = set.stamping
      ? 'go back to the generation that sync shows, npm run ingest -- activate N (status has its number)'
      : undefined;
    if (changed.length)
      throw new LoadRefused(`Generation ${set.generation} cannot be written to by this version: ${describeChangedFields(changed, remedy)}`);
    await this.changeAliases(
      KINDS.map((kind) => ({ add: { index: this.names.indexName(kind, set), alias: this.names.writeAlias(kind, set, load) } })),
    );
  }

  /** The alias change that ends a load's right to write. The step that contains it fails if the right has already ended, because the load was given up. */
  makeClosingAction(kind: Kind, set: SetName, load: number): AliasAction {
    return { remove: { index: this.names.indexName(kind, set), alias: this.names.writeAlias(kind, set, load), must_exist: true } };
  }

  /** Gives up all loads that may write into a set: they can write no longer, and what they wrote stays invisible, even if it arrives later. */
  async abandon(set: GenerationSet): Promise<GenerationSet> {
    const abandoned = { ...set, aborted: [...set.aborted, ...set.writers], writers: [] };
    await this.setView(set, abandoned, set.writers);
    return abandoned;
  }

  /** Changes what is visible of a set, under every name by which it is read. */
  async setView(set: GenerationSet, view: View, closed: readonly number[] = []): Promise<void> {
    const { names } = this;
    await this.changeAliases(
      KINDS.flatMap((kind) => {
        const aliases = [
          names.completeAlias(kind, set),
          ...(set.served ? [names.readAlias(kind)] : []),
          ...(set.previous ? [names.previousAlias(kind)] : []),
          ...(set.synced === null ? [] : [names.syncedAlias(kind)]),
        ];
        const shown = aliases.map((alias) => ({ add: { index: names.indexName(kind, set), alias, filter: visibilityFilter(view) } }));
        return [...closed.map((load) => this.makeClosingAction(kind, set, load)), ...shown];
      }),
    );
  }

  /**
   * Drops an incomplete set. A concurrent step that serves the set removes the same aliases, so that one of the two fails.
   * @throws LoadRefused if that step came first
   */
  async discard(set: SetName): Promise<void> {
    const index = this.names.indexName('projects', set);
    const found = await this.client.indices.getAlias({ index }, { ignore: [404] });
    const writers = Object.keys(found[index]?.aliases ?? {}).flatMap((alias) => this.names.parseWriteAlias(alias) ?? []);
    if (writers.length)
      await this.changeAliases(writers.map((load) => this.makeClosingAction('projects', set, load))).catch((cause: unknown) => {
        throw new LoadRefused(`What is loaded changed meanwhile (${(cause as Error).message}); run the command again`);
      });
    const { sets } = await this.read();
    if (!sets.some(({ load }) => load === set.load)) await this.drop(set);
  }

  async drop(set: SetName): Promise<void> {
    await this.client.indices.delete({ index: this.listIndices(set), ignore_unavailable: true });
  }

  /** Makes all writes visible on every shard copy. @throws Error if a copy fails to, since it would show a part of a load */
  async refresh(set: SetName, kinds: readonly Kind[] = KINDS): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      const { _shards: shards } = await this.client.indices.refresh({ index: kinds.map((kind) => this.names.indexName(kind, set)) });
      if (!shards?.failed) return;
      if (attempt === REFRESH_RETRIES)
        throw new Error(`Elasticsearch could not refresh ${shards.failed} of ${shards.total} copies of an index; run the command again`);
      await sleep(REFRESH_WAIT_MS);
    }
  }

  /** Counts the visible records of a kind in a complete set. */
  async countRecords(kind: Kind, set: SetName): Promise<number> {
    const { count } = await this.client.count({ index: this.names.completeAlias(kind, set) });
    return count;
  }

  /** Time of the newest visible change or removal of a set, milliseconds since 1970; 0 if there is none. */
  readNewestStamp(set: SetName): Promise<number> {
    return newestStampOf(this.client, (kind) => this.names.completeAlias(kind, set));
  }

  /**
   * Changes aliases in one atomic step.
   * @param applied tells from the current state whether the step has succeeded, if its answer was lost and the repetition was refused
   */
  async changeAliases(actions: AliasAction[], applied: (generations: Generations) => boolean = () => false): Promise<void> {
    try {
      await this.client.indices.updateAliases({ actions });
    } catch (error) {
      const taken = await this.read().then(applied, () => false);
      if (!taken) throw error;
    }
  }
}
