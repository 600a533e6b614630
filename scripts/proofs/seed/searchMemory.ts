/**
 * Replaces Elasticsearch for publishing and walks by indices in memory: aliases change atomically, searches see refreshed documents, and each search of
 * a multi-search runs independently. Every call is a step of the simulation.
 */
import { combineAnswers } from '../../../src/core/store/elastic/client.ts';

export type Doc = Record<string, unknown> & { id: number };
type Query = Record<string, unknown>;
interface Alias {
  filter?: Query;
}
interface Index {
  /** documents that searches see, by key */
  docs: Map<string, Doc>;
  /** documents that were written and not refreshed yet */
  written: Map<string, Doc>;
  aliases: Record<string, Alias>;
}
interface Body {
  query?: Query;
  sort?: Record<string, string | { order?: string }>[];
  size?: number;
  search_after?: (number | string)[];
  aggs?: Record<string, { max?: { field: string }; filter?: Query; terms?: object }>;
}
export interface AliasActions {
  actions: Record<'add' | 'remove', { index: string; alias: string; filter?: Query; must_exist?: boolean } | undefined>[];
}

const WHOLE = { timed_out: false, took: 0, _shards: { total: 1, successful: 1, failed: 0 } };

const comparable = (value: unknown): number => (typeof value === 'string' && /^\d{4}-/.test(value) ? Date.parse(value) : Number(value));

const CLAUSES: Record<string, (doc: Doc, of: never) => boolean> = {
  match_all: () => true,
  match_none: () => false,
  range: (doc, of: Record<string, Record<'gt' | 'gte' | 'lt' | 'lte', unknown>>) =>
    Object.entries(of).every(([field, { gt, gte, lt, lte }]) => {
      if (doc[field] === undefined) return false;
      const value = comparable(doc[field]);
      return (
        (gt === undefined || value > comparable(gt)) &&
        (gte === undefined || value >= comparable(gte)) &&
        (lt === undefined || value < comparable(lt)) &&
        (lte === undefined || value <= comparable(lte))
      );
    }),
  terms: (doc, of: Record<string, unknown[]>) => Object.entries(of).every(([field, values]) => values.includes(doc[field])),
  term: (doc, of: Record<string, unknown>) => Object.entries(of).every(([field, value]) => doc[field] === value),
  bool: (doc, { filter = [], must = [], must_not = [] }: Record<'filter' | 'must' | 'must_not', Query[]>) =>
    [...filter, ...must].every((one) => matches(doc, one)) && !must_not.some((one) => matches(doc, one)),
};

/** The names of the optional clauses that a document meets. */
function listMatchedNames(doc: Doc, query: Query | undefined): string[] {
  const { should = [] } = (query?.bool ?? {}) as { should?: { bool: { _name: string; filter: Query[] } }[] };
  return should.filter(({ bool: { filter } }) => matches(doc, { bool: { filter } })).map(({ bool }) => bool._name);
}

function matches(doc: Doc, query: Query | undefined): boolean {
  return Object.entries(query ?? {}).every(([clause, of]) => {
    const judge = CLAUSES[clause];
    if (!judge) throw new Error(`The indices in memory know no clause ${clause}`);
    return judge(doc, of as never);
  });
}

function compareSorts(a: readonly number[], b: readonly number[], signs: readonly number[]): number {
  for (const [i, sign] of signs.entries()) if (a[i] !== b[i]) return sign * ((a[i] as number) - (b[i] as number));
  return 0;
}

export class SearchMemory {
  readonly #indices = new Map<string, Index>();
  readonly #step: (label: string) => Promise<void>;

  /** @param step waits until the simulation lets a call pass */
  constructor(step: (label: string) => Promise<void>) {
    this.#step = step;
  }

  clear(): void {
    this.#indices.clear();
  }

  /** Writes documents, which searches see after a refresh. */
  async write(index: string, docs: readonly (readonly [key: string, doc: Doc])[]): Promise<void> {
    await this.#step(`writes ${docs.length} to ${index}`);
    const written = this.#indices.get(index) ?? this.#made(index);
    for (const [key, doc] of docs) written.written.set(key, doc);
  }

  #made(name: string): Index {
    const index: Index = { docs: new Map(), written: new Map(), aliases: {} };
    this.#indices.set(name, index);
    return index;
  }

  /** The index that an alias points to now. */
  indexOf(alias: string): string | undefined {
    return [...this.#indices].find(([, { aliases }]) => alias in aliases)?.[0];
  }

  /** The documents that a name shows now; not a step of the simulation. */
  shown(name: string): [key: string, doc: Doc][] {
    const found: [string, Doc][] = [];
    let isThere = false;
    for (const [index, { docs, aliases }] of this.#indices) {
      const alias = aliases[name];
      if (index !== name && !alias) continue;
      isThere = true;
      for (const [key, doc] of docs) if (matches(doc, alias?.filter)) found.push([key, doc]);
    }
    if (!isThere) throwAbsent(name);
    return found;
  }

  #find(name: string, { query, sort = [], size = 10, search_after: after, aggs = {} }: Body) {
    const docs = this.shown(name).filter(([, doc]) => matches(doc, query));
    const fields = sort.map((one) => Object.entries(one)[0] as [string, string | { order?: string }]);
    const signs = fields.map(([, of]) => ((typeof of === 'string' ? of : of.order) === 'desc' ? -1 : 1));
    const placed = docs.map(([_id, doc]) => ({
      _id,
      _source: doc,
      sort: fields.map(([field]) => comparable(doc[field])),
      matched_queries: listMatchedNames(doc, query),
    }));
    placed.sort((a, b) => compareSorts(a.sort, b.sort, signs));
    const hits = after ? placed.filter((one) => compareSorts(one.sort, after.map(comparable), signs) > 0) : placed;
    const aggregations = Object.fromEntries(
      Object.entries(aggs).map(([aggregation, { max, filter }]) => {
        if (max) return [aggregation, { value: docs.length ? Math.max(...docs.map(([, doc]) => comparable(doc[max.field]))) : null }];
        return [aggregation, { doc_count: docs.filter(([, doc]) => matches(doc, filter)).length, buckets: [] }];
      }),
    );
    return { ...WHOLE, hits: { hits: hits.slice(0, size), total: { value: docs.length, relation: 'eq' } }, aggregations };
  }

  /** The part of the client of Elasticsearch that publishing and walks use. */
  readonly client = {
    search: async ({ index, ...body }: Body & { index: string }) => {
      await this.#step(`searches ${index}`);
      return this.#find(index, body);
    },
    msearch: async ({ searches }: { searches: object[] }) => {
      const responses = [];
      for (let i = 0; i < searches.length; i += 2) {
        const { index } = searches[i] as { index: string };
        await this.#step(`searches ${index} (${i / 2 + 1} of ${searches.length / 2})`);
        responses.push({ ...this.#find(index, searches[i + 1] as Body), status: 200 });
      }
      return { responses };
    },
    count: async ({ index, query }: { index: string; query?: Query }) => {
      await this.#step(`counts ${index}`);
      return { count: this.shown(index).filter(([, doc]) => matches(doc, query)).length };
    },
    indices: {
      getAlias: async ({ index }: { index: string }) => {
        await this.#step('reads the aliases');
        const start = index.replace(/\*$/, '');
        const found = [...this.#indices].filter(([name]) => (index.endsWith('*') ? name.startsWith(start) : name === index));
        return Object.fromEntries(found.map(([name, { aliases }]) => [name, { aliases: { ...aliases } }]));
      },
      updateAliases: async ({ actions }: AliasActions) => {
        await this.#step('changes the aliases');
        this.#changeAliases(actions);
        return { acknowledged: true };
      },
      existsAlias: async ({ name }: { name: string }) => {
        await this.#step(`looks for ${name}`);
        return [...this.#indices.values()].some(({ aliases }) => name in aliases);
      },
      refresh: async ({ index }: { index: string[] }) => {
        await this.#step('refreshes');
        for (const name of index) {
          const found = this.#indices.get(name);
          for (const [key, doc] of found?.written ?? []) found?.docs.set(key, doc);
          found?.written.clear();
        }
        return { _shards: { total: 1, successful: 1, failed: 0 } };
      },
    },
  };

  #changeAliases(actions: AliasActions['actions']): void {
    for (const { remove } of actions)
      if (remove?.must_exist && !this.#indices.get(remove.index)?.aliases[remove.alias]) throwAbsent(remove.alias);
    for (const { add, remove } of actions) {
      if (remove) delete this.#indices.get(remove.index)?.aliases[remove.alias];
      if (add) (this.#indices.get(add.index) ?? this.#made(add.index)).aliases[add.alias] = add.filter ? { filter: add.filter } : {};
    }
  }
}

/** @throws ResponseError as Elasticsearch answers for an absent name */
const throwAbsent = (name: string) =>
  combineAnswers([{ error: { type: 'index_not_found_exception', reason: name }, status: 404 } as never]);
