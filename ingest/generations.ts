/** The sets of indices that generations live in: what exists, what is served, how a set is made, committed, switched and dropped. */
import { readFileSync } from 'node:fs';
import type { Client, estypes } from '@elastic/elasticsearch';
import { committedOf, type IndexNames, KINDS, type Kind, type SetName, visibleAt } from '../src/store/indices.ts';

export interface GenerationSet extends SetName {
  /** last load whose versions are visible */
  committed: number;
  served: boolean;
  previous: boolean;
}

export interface Generations {
  served: GenerationSet | undefined;
  previous: GenerationSet | undefined;
  /** whole sets, oldest load first */
  sets: GenerationSet[];
  /** sets that a killed load left unfinished */
  unfinished: SetName[];
}

const mapping = (kind: Kind) =>
  JSON.parse(readFileSync(new URL(`../mappings/${kind}.json`, import.meta.url), 'utf8')) as estypes.MappingTypeMapping;

export class GenerationStore {
  readonly client: Client;
  readonly names: IndexNames;

  constructor(client: Client, names: IndexNames) {
    this.client = client;
    this.names = names;
  }

  /** Everything is read from the cluster's aliases, the one place that changes atomically. */
  async read(): Promise<Generations> {
    const indices = await this.client.indices.getAlias({ index: this.names.pattern('projects'), allow_no_indices: true });
    const sets: GenerationSet[] = [];
    const unfinished: SetName[] = [];
    for (const [index, { aliases }] of Object.entries(indices)) {
      const set = this.names.parse(index);
      if (!set) continue;
      const whole = aliases[this.names.whole('projects', set)];
      if (!whole) unfinished.push(set);
      else
        sets.push({
          ...set,
          committed: committedOf(whole.filter),
          served: this.names.served('projects') in aliases,
          previous: this.names.previous('projects') in aliases,
        });
    }
    sets.sort((a, b) => a.load - b.load);
    return { sets, unfinished, served: sets.find((s) => s.served), previous: sets.find((s) => s.previous) };
  }

  /** Makes the four empty indices of a new set, tuned for loading. @param base commit of the set that its records are compared with */
  async create(set: SetName, base: number | null): Promise<void> {
    for (const kind of KINDS) {
      await this.client.indices.create({
        index: this.names.index(kind, set),
        mappings: { ...mapping(kind), _meta: { base } },
        settings: {
          number_of_shards: 1,
          auto_expand_replicas: '0-1',
          refresh_interval: '-1',
          max_terms_count: 1_000_000,
        },
      });
    }
  }

  /** A loaded set becomes whole: refreshed, ready to be served, its commit recorded in its own aliases. */
  async complete(set: SetName, committed: number): Promise<void> {
    const index = KINDS.map((kind) => this.names.index(kind, set));
    await this.client.indices.putSettings({ index, settings: { refresh_interval: '1s' } });
    await this.client.indices.refresh({ index });
    await this.#updateAliases(KINDS.map((kind) => this.#add(kind, set, this.names.whole(kind, set), committed)));
  }

  /** Makes the versions written by load `committed` visible in a whole set, and so to readers if it is served. */
  async commit(set: GenerationSet, committed: number): Promise<void> {
    await this.client.indices.refresh({ index: KINDS.map((kind) => this.names.index(kind, set)) });
    await this.#updateAliases(
      KINDS.flatMap((kind) => [
        this.#add(kind, set, this.names.whole(kind, set), committed),
        ...(set.served ? [this.#add(kind, set, this.names.served(kind), committed)] : []),
      ]),
    );
  }

  /** Serves another set, in one atomic step for all kinds; what was served becomes the one to roll back to. */
  async serve(next: GenerationSet, generations: Generations): Promise<void> {
    const { served, previous } = generations;
    if (served?.load === next.load) return;
    await this.#updateAliases(
      KINDS.flatMap((kind) => [
        ...(served ? [this.#remove(kind, served, this.names.served(kind))] : []),
        ...(previous ? [this.#remove(kind, previous, this.names.previous(kind))] : []),
        ...(served ? [this.#add(kind, served, this.names.previous(kind), served.committed)] : []),
        this.#add(kind, next, this.names.served(kind), next.committed),
      ]),
    );
  }

  async drop(set: SetName): Promise<void> {
    await this.client.indices.delete({ index: KINDS.map((kind) => this.names.index(kind, set)), ignore_unavailable: true });
  }

  /** Visible records of a kind in a whole set. */
  async count(kind: Kind, set: SetName): Promise<number> {
    const { count } = await this.client.count({ index: this.names.whole(kind, set) });
    return count;
  }

  /** Newest visible `lastUpdated` of a set, in milliseconds since 1970; null when it holds no project. */
  async highWater(set: SetName): Promise<number | null> {
    const result = await this.client.search({
      index: this.names.whole('projects', set),
      size: 0,
      track_total_hits: false,
      aggs: { newest: { max: { field: 'lastUpdated' } } },
    });
    const newest = result.aggregations?.newest as estypes.AggregationsMaxAggregate | undefined;
    return newest?.value ?? null;
  }

  #add(kind: Kind, set: SetName, alias: string, committed: number): estypes.IndicesUpdateAliasesAction {
    return { add: { index: this.names.index(kind, set), alias, filter: visibleAt(committed) } };
  }

  #remove(kind: Kind, set: SetName, alias: string): estypes.IndicesUpdateAliasesAction {
    return { remove: { index: this.names.index(kind, set), alias } };
  }

  async #updateAliases(actions: estypes.IndicesUpdateAliasesAction[]): Promise<void> {
    await this.client.indices.updateAliases({ actions });
  }
}
