/** Publication through every change and every death of the loader, with aliases and the row in memory. */
import assert from 'node:assert/strict';
import type { Client, estypes } from '@elastic/elasticsearch';
import { type Change, derivePublication, derivePublicationAfter } from '../../ingest/publish/publication.ts';
import { publishChange } from '../../ingest/publish/publish.ts';
import { repairPublication } from '../../ingest/publish/repair.ts';
import { GenerationStore } from '../../ingest/write/generationSets.ts';
import { IndexNames, KINDS, type SetName, visibilityFilter } from '../../src/core/store/elastic/indices.ts';
import type { LineageStore, Publication, PublicationRow } from '../../src/core/store/postgres/lineageStore.ts';

const LINEAGE = '00000001';
const COMMITS = [100, 200, 300, 400, 500, 600, 999];
const names = new IndexNames('unit');

class Killed extends Error {}

/** Aliases by index, changed atomically as in Elasticsearch. */
class Aliases {
  readonly indices: Record<string, Record<string, { filter?: object }>> = {};
  isDead = false;

  get client(): Client {
    const getAlias = async ({ index }: { index: string[] }) => {
      const starts = index.map((pattern) => pattern.replace('*', ''));
      const found = Object.entries(this.indices).filter(([name]) => starts.some((start) => name.startsWith(start)));
      return Object.fromEntries(found.map(([name, aliases]) => [name, { aliases: { ...aliases } }]));
    };
    const updateAliases = async ({ actions }: { actions: estypes.IndicesUpdateAliasesAction[] }) => {
      if (this.isDead) throw new Killed();
      this.change(actions);
    };
    return { indices: { getAlias, updateAliases, refresh: async () => ({}) } } as unknown as Client;
  }

  change(actions: readonly estypes.IndicesUpdateAliasesAction[]): void {
    const next = structuredClone(this.indices);
    for (const action of actions.filter((one) => one !== undefined)) {
      const { index = '', alias = '' } = action.add ?? action.remove ?? {};
      const aliases = next[index];
      if (!aliases || (action.remove?.must_exist && !(alias in aliases))) throw new Error(`aliases [${alias}] missing`);
      if (action.add) aliases[alias] = { filter: action.add.filter as object };
      else delete aliases[alias];
    }
    Object.assign(this.indices, next);
  }

  /** A whole set that nobody is shown, which a load has open. */
  addSet(set: SetName, writer: number): void {
    for (const kind of KINDS)
      this.indices[names.indexName(kind, set)] = {
        [names.completeAlias(kind, set)]: { filter: visibilityFilter({ committed: set.load, aborted: [] }) },
        [names.writeAlias(kind, set, writer)]: {},
      };
  }
}

/** The row, and a lineage in which everything is recorded. */
class Row {
  row: PublicationRow = { published: null, publishing: null };
  diesAtNote = false;

  get lineages(): LineageStore {
    const store: Partial<LineageStore> = {
      readCurrent: async () => ({
        id: LINEAGE,
        commits: COMMITS.map((commit) => ({ commit, newestStamp: commit, served: false })),
      }),
      begin: async () => LINEAGE,
      commitOfSet: async () => ({}) as never,
      deleteUnserved: async () => [],
      releases: { findUnrecorded: async () => null } as unknown as LineageStore['releases'],
      readPublication: async () => structuredClone(this.row),
      beginPublishing: async (_, next) => {
        this.row = { ...this.row, publishing: next };
      },
      notePublished: async (_, published) => {
        if (this.diesAtNote) throw new Killed();
        this.row = { published, publishing: null };
      },
    };
    return store as LineageStore;
  }
}

const sets = [1, 2, 3].map((generation) => ({ generation, load: generation * 100, aborted: [] }));
const [first, second, third] = sets as [(typeof sets)[0], (typeof sets)[0], (typeof sets)[0]];
/** A renewed set, which shows the same as the second one. */
const renewed = { generation: 2, load: 400, aborted: [] };
const serve = (set: typeof first): Change => ({ way: 'serve', set, commit: set.load });

/** Changes that lead to each state, and those that can follow it. */
const STATES: { name: string; through: Change[]; changes: Change[] }[] = [
  { name: 'empty', through: [], changes: [serve(first), { way: 'rebuild', set: first, commit: 100 }] },
  {
    name: 'following',
    through: [serve(first), serve(second)],
    changes: [
      serve(third),
      { way: 'commit', set: second, commit: 999, closes: 999 },
      { way: 'commit', set: third, commit: 999, closes: 999 },
      { way: 'return', set: first, commit: 500 },
      { way: 'renew', set: renewed, commit: 500 },
      { way: 'rebuild', set: third, commit: 300, before: { generation: 1, load: 100, commit: 100 } },
    ],
  },
  {
    name: 'stamping',
    through: [serve(first), serve(second), { way: 'return', set: first, commit: 500 }],
    changes: [
      { way: 'commit', set: first, commit: 999, closes: 999 },
      { way: 'return', set: second, commit: 600 },
    ],
  },
];

async function stateAfter(changes: readonly Change[]) {
  const [aliases, row] = [new Aliases(), new Row()];
  for (const set of [...sets, renewed]) aliases.addSet(set, 999);
  const store = new GenerationStore(aliases.client, names);
  const opened = { id: LINEAGE, lineages: row.lineages };
  const change = async (next: Change) => publishChange({ store, opened }, await store.read(), next);
  for (const one of changes) await change(one);
  return { aliases, row, store, change, lineage: async () => row.lineages };
}

/** Every kind is shown by one set under each name, as of the commit of the publication, and the marks are right. */
function assertShown({ aliases, row }: { aliases: Aliases; row: Row }, publication: Publication): void {
  assert.deepEqual(row.row, { published: publication, publishing: null });
  for (const kind of KINDS)
    for (const [role, alias] of [
      ['served', 'readAlias'],
      ['previous', 'previousAlias'],
      ['synced', 'syncedAlias'],
    ] as const) {
      const set = publication[role];
      const found = Object.entries(aliases.indices).filter(([, all]) => names[alias](kind) in all);
      const wanted = set ? [[names.indexName(kind, set), visibilityFilter({ committed: set.commit, aborted: [] })]] : [];
      assert.deepEqual(
        found.map(([index, all]) => [index, all[names[alias](kind)]?.filter]),
        wanted,
        `${role} ${kind}`,
      );
    }
  const marked = (alias: string) => Object.keys(aliases.indices).filter((index) => alias in (aliases.indices[index] ?? {}));
  const { served, synced } = publication;
  const index = served ? [names.indexName('projects', served)] : [];
  assert.deepEqual(marked(names.lineageAlias(LINEAGE)), index);
  assert.deepEqual(marked(names.stamping), served?.load === synced?.load ? [] : index);
}

describe('A publication', () => {
  for (const { name, through, changes } of STATES)
    for (const next of changes) {
      const title = `${next.way} ${next.set.generation}, where it is ${name},`;
      it(`${title} is shown by all aliases, and by the row`, async () => {
        const state = await stateAfter(through);
        const before = derivePublication(await state.store.read());
        await state.change(next);
        assertShown(state, derivePublicationAfter(before, next));
        assert.deepEqual(derivePublication(await state.store.read()), derivePublicationAfter(before, next));
      });

      it(`${title} is as before where the loader dies before the aliases, and shown where it dies after them`, async () => {
        for (const step of ['aliases', 'row'] as const) {
          const state = await stateAfter(through);
          const before = derivePublication(await state.store.read());
          state.aliases.isDead = step === 'aliases';
          state.row.diesAtNote = step === 'row';
          await assert.rejects(state.change(next), Killed);
          state.aliases.isDead = false;
          state.row.diesAtNote = false;
          assert.deepEqual(state.row.row.publishing, derivePublicationAfter(before, next));
          await repairPublication(state.lineage, state.store);
          assertShown(state, step === 'aliases' ? before : derivePublicationAfter(before, next));
        }
      });

      it(`${title} leaves a row that brings back what sync shows`, async () => {
        const state = await stateAfter([...through, next]);
        const publication = derivePublication(await state.store.read());
        const { served, synced } = publication;
        if (!served || !synced) return;
        state.aliases.change(KINDS.map((kind) => ({ remove: { index: names.indexName(kind, synced), alias: names.syncedAlias(kind) } })));
        await repairPublication(state.lineage, state.store);
        assertShown(state, publication);
      });
    }

  it('whose aliases somebody else changed follows from them', async () => {
    const state = await stateAfter([serve(first), serve(second)]);
    const move = (from: typeof first, to: typeof first) => [
      { remove: { index: names.indexName('projects', from), alias: names.lineageAlias(LINEAGE) } },
      { add: { index: names.indexName('projects', to), alias: names.lineageAlias(LINEAGE) } },
      ...KINDS.flatMap((kind) => [
        { remove: { index: names.indexName(kind, from), alias: names.readAlias(kind) } },
        {
          add: {
            index: names.indexName(kind, to),
            alias: names.readAlias(kind),
            filter: visibilityFilter({ committed: to.load, aborted: [] }),
          },
        },
      ]),
    ];
    state.aliases.change(move(second, third));
    await repairPublication(state.lineage, state.store);
    const { served, synced } = derivePublication(await state.store.read());
    assert.deepEqual([served?.load, synced?.load], [third.load, third.load], 'it was stamped above what was served');
    await state.change({ way: 'return', set: first, commit: 500 });
    state.aliases.change(move(first, second));
    await repairPublication(state.lineage, state.store);
    const after = derivePublication(await state.store.read());
    assert.deepEqual([after.served?.load, after.synced?.load], [second.load, third.load], 'it is to be stamped');
    assertShown(state, after);
  });
});
