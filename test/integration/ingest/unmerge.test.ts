/** Wrong merges undone by `unmerge`: absorbed records are back as they were, and cost nobody anything. */
import assert from 'node:assert/strict';
import { LoadRefused } from '../../../ingest/loadRefused.ts';
import { activateGeneration, rollBackGeneration } from '../../../ingest/publish/activate.ts';
import { rebuildIndex } from '../../../ingest/recover/rebuild.ts';
import { Copy } from '../../support/copies.ts';
import { project, TODAY } from '../../support/fixtures.ts';
import { TestIndex } from '../../support/index.ts';
import { assertSameState, idsWhere, runIngest, servedProjects, servedRemovals, servedState } from '../../support/ingest.ts';
import { pluck } from '../../support/lists.ts';
import { provideService } from '../../support/service.ts';

const increment = (generation: number) => ({ mode: 'increment', generation }) as const;
const evidence = (attribute: string, value: unknown) => ({ term: { [`derived.evidence.${attribute}`]: value } });

describe('A merge that is undone', () => {
  describe('by an increment', () => {
    let index: TestIndex;
    beforeEach(() => {
      index = new TestIndex(TODAY);
    });
    afterEach(() => index.drop());

    const contentOf = async (id: number) => {
      const found = (await servedProjects(index)).get(id);
      return found && { ...found.compact, ...found.standard, ...found.full };
    };
    const familyOf = async (id: number) => (await servedProjects(index)).get(id)?.compact.mergedFrom;

    it('leaves each record with what its own lines stated, and its evidence to nobody else', async () => {
      const [first, second] = [project(1, { acreage: 3 }), project(2, { floorCount: 7, meetingDate: '2026-09-01' })];
      await index.load([first, second]);
      const before = [await contentOf(1), await contentOf(2)];
      const revisions = [...(await servedProjects(index)).values()].map(({ contentRevision }) => contentRevision);
      await index.load([{ ...first, mergedFrom: [2] }], increment(1));
      assert.deepEqual(await idsWhere(index, evidence('floorCount', 7)), [1]);
      const { unmerged } = await index.load([{ ...first, unmerge: [2] }], increment(1));
      assert.equal(unmerged, 1);
      assert.deepEqual([await contentOf(1), await contentOf(2)], before);
      const projects = await servedProjects(index);
      assert.deepEqual(pluck([...projects.values()], 'contentRevision'), revisions);
      assert.equal(projects.get(1)?.absorbed, undefined);
      assert.deepEqual(await idsWhere(index, evidence('floorCount', 7)), [2]);
      assert.equal((await servedRemovals(index)).size, 0);
    });

    it('leaves the others of the family with their hearings alone', async () => {
      const lines = [1, 2, 3].map((id) => project(id, { meetingDate: `2026-09-0${id}` }));
      await index.load(lines);
      await index.load([{ ...lines[0], mergedFrom: [2, 3] }], increment(1));
      await index.load([{ ...lines[0], unmerge: [2] }], increment(1));
      assert.deepEqual(await familyOf(1), [1, 3]);
      assert.deepEqual((await servedProjects(index)).get(1)?.hearings, ['2026-09-01', '2026-09-03']);
      assert.deepEqual([...(await servedRemovals(index)).keys()], [3]);
    });

    it('gives a family within a family back alone, unless its members are named, too', async () => {
      const lines = [1, 2, 3].map((id) => project(id));
      await index.load(lines);
      await index.load([{ ...lines[1], mergedFrom: [3] }], increment(1));
      await index.load([{ ...lines[0], mergedFrom: [2] }], increment(1));
      await index.load([{ ...lines[0], unmerge: [2] }], increment(1));
      assert.deepEqual([await familyOf(1), await familyOf(2), await familyOf(3)], [[1, 3], [2], undefined]);
      await index.load(
        [
          { ...lines[0], unmerge: [3] },
          { ...lines[1], mergedFrom: [3] },
        ],
        increment(1),
      );
      assert.deepEqual([await familyOf(1), await familyOf(2), await familyOf(3)], [[1], [2, 3], undefined]);
    });

    it('takes what the same file says of a returned record: its line, its deletion, or another family', async () => {
      const lines = [1, 2, 3, 4, 5].map((id) => project(id));
      await index.load(lines);
      await index.load([{ ...lines[0], mergedFrom: [2, 3, 4] }], increment(1));
      const others = [project(2, { acreage: 9 }), { kind: 'project', id: 3, deleted: true }, { ...lines[4], mergedFrom: [4] }];
      await index.load([{ ...lines[0], unmerge: [2, 3, 4] }, ...others], increment(1));
      assert.deepEqual([...(await servedProjects(index)).keys()], [1, 2, 5]);
      assert.equal((await contentOf(2))?.acreage, 9);
      const traces = [...(await servedRemovals(index)).values()].map(({ id, mergedInto }) => [id, mergedInto]);
      assert.deepEqual(traces, [
        [3, undefined],
        [4, 5],
      ]);
    });

    it('that names a record which is not absorbed, or one that it absorbs, is a bad line', async () => {
      await index.load([project(1, { mergedFrom: [2] }), project(2), project(3)]);
      const before = await servedState(index);
      for (const [line, reason] of [
        [project(1, { unmerge: [3] }), /:2 \(unmerge names 3, which project 1 has not absorbed: it has 2\)$/],
        [project(1, { unmerge: [1] }), /:2 \(unmerge names 1, which project 1 has not absorbed/],
        [project(1, { unmerge: [2], mergedFrom: [2] }), /:2 \(mergedFrom and unmerge both name 2\)$/],
        [project(9, { unmerge: [2] }), /:2 \(unmerge names 2, which project 9 has not absorbed\)$/],
        [project(1, { unmerge: ['2'] }), /:2 \(unmerge\.0 must be integer\)$/],
      ] as const)
        await assert.rejects(index.load([line], increment(1)), (error) => {
          assert.match((error as LoadRefused).problems.join('\n'), reason);
          return error instanceof LoadRefused;
        });
      assertSameState(await servedState(index), before);
    });

    const linesOfMerge = () => {
      const lines = [1, 2, 3, 4, 5].map((id) => project(id, { acreage: id }));
      return { lines, merging: { ...lines[0], mergedFrom: [2, 3, 4] } };
    };

    it('is undone by a file that may be loaded again, as after a kill between its commit and its end', async () => {
      const { lines, merging } = linesOfMerge();
      await index.load(lines);
      await index.load([merging], increment(1));
      const others = [
        { ...lines[2], acreage: 9 },
        { kind: 'project', id: 4, deleted: true },
        { ...lines[4], mergedFrom: [1] },
      ];
      for (const [file, ids] of [
        [
          [{ ...lines[0], unmerge: [2, 3, 4] }, ...others.slice(0, 2)],
          [1, 2, 3, 5],
        ],
        [
          [{ ...lines[0], unmerge: [2, 3] }, ...others],
          [2, 3, 5],
        ],
      ] as const) {
        await index.load([...file], increment(1));
        const before = await servedState(index);
        assert.deepEqual([...(await servedProjects(index)).keys()], ids);
        const { unmerged, changed } = await index.load([...file], increment(1));
        assert.deepEqual([unmerged, changed], [0, 0]);
        assertSameState(await servedState(index), before);
      }
    });

    it('stays undone while later files say so again, until the record is absorbed again', async () => {
      const { lines, merging } = linesOfMerge();
      await index.load([merging, ...lines.slice(1)]);
      const parting = { ...lines[0], unmerge: [2, 3] };
      for (const generation of [2, 3]) {
        await index.load([parting, ...lines.slice(1)], { generation });
        const before = await servedState(index);
        await index.load([parting, ...lines.slice(1)], { generation });
        assertSameState(await servedState(index), before, `generation ${generation} again`);
        assert.deepEqual([await familyOf(1), await familyOf(2)], [[1, 4], [2]]);
      }
      await index.load([{ ...lines[0], acreage: 8 }], increment(3));
      await index.load([{ ...parting, acreage: 9 }], increment(3));
      await index.load([{ ...lines[0], mergedFrom: [2] }], increment(3));
      assert.deepEqual(await familyOf(1), [1, 2, 4]);
      assert.equal((await index.load([parting], increment(3))).unmerged, 1);
      await assert.rejects(index.load([project(1, { unmerge: [2, 5] })], increment(3)), ({ problems }: LoadRefused) => {
        assert.match(problems.join(), /unmerge names 5, which project 1 has not absorbed/);
        return problems.length === 1;
      });
      await assert.rejects(index.load([project(5, { unmerge: [2] })], increment(3)), LoadRefused, 'another gave it back');
    });

    it('takes ids that no record has out of the family, and leaves a deleted record deleted', async () => {
      await index.load([project(1), project(2)]);
      await index.load([{ kind: 'project', id: 2, deleted: true }], increment(1));
      const traces = async () => [...(await servedRemovals(index)).values()].map(({ id, mergedInto, at }) => [id, mergedInto, at]);
      const before = await traces();
      await index.load([project(1, { mergedFrom: [2, 77] })], increment(1));
      assert.deepEqual(await familyOf(1), [1, 2, 77]);
      const { unmerged } = await index.load([project(1, { unmerge: [2, 77] })], increment(1));
      assert.deepEqual([unmerged, await familyOf(1), [...(await servedProjects(index)).keys()]], [0, [1], [1]]);
      assert.deepEqual(await traces(), before);
    });

    it('is undone by a rollback, made again by an activation, and can be built again', async () => {
      await index.keep();
      const lines = [project(1, { acreage: 3 }), project(2, { acreage: 4 })];
      await index.load([{ ...lines[0], mergedFrom: [2] }, lines[1] as object]);
      await index.load([{ ...lines[0], unmerge: [2] }, project(5)], { generation: 2 });
      const apart = await servedState(index, { stamps: false });
      const uncovered = (await servedProjects(index)).get(2);
      assert.deepEqual([uncovered?.uncovered, uncovered?.standard.acreage], [true, undefined]);
      await rollBackGeneration(index.store, index.clock);
      assert.deepEqual([...(await servedProjects(index)).keys()], [1]);
      await index.load([{ ...lines[0], unmerge: [2] }], increment(1));
      assert.equal((await contentOf(2))?.acreage, 4, 'what it stated in the generation that is served');
      await activateGeneration(index.store, 2, index.clock);
      assert.deepEqual(
        pluck((await servedState(index, { stamps: false })).projects, 'id', 'mergedFrom'),
        pluck(apart.projects, 'id', 'mergedFrom'),
      );
      const before = await servedState(index);
      await index.dropIndices();
      await rebuildIndex({ store: index.store, ...index.clock }, []);
      assertSameState(await servedState(index), before);
      const renewed = await runIngest(index, ['renew', '--json']);
      assert.equal(renewed.code, 0, renewed.stderr);
      assertSameState(await servedState(index), before);
    });
  });

  describe('for clients', () => {
    const api = provideService({ today: TODAY });

    it('costs nothing, is reported by sync, and redirects nobody any more', async () => {
      const key = await api.key('api_only', undefined, { monthlyCredits: 1_000 });
      const [first, second] = [project(1, { acreage: 3 }), project(2, { acreage: 4 })];
      await api.index.load([first, second, project(3)]);
      const copy = new Copy(api, key);
      await copy.catchUp();
      const apart = new Map(copy.records);
      await api.index.load([{ ...first, mergedFrom: [2] }], increment(1));
      await copy.catchUp();
      assert.deepEqual([...copy.records.keys()].sort(), [1, 3]);
      const get = async (id: number) => (await api.get(`/projects/${id}`, {}, { key })).body.data;
      assert.equal((await get(2)).id, 1);
      const charged = copy.credits;

      await api.index.load([{ ...first, unmerge: [2] }], increment(1));
      const due = (await api.get('/projects/count', { dateRange: 'all' }, { key })).body.data.creditsRequired;
      assert.equal(due, 0);
      await copy.assertEqualToIndex();
      assert.equal(copy.credits, charged);
      assert.deepEqual([...copy.records.keys()].sort(), [...apart.keys()].sort());
      assert.deepEqual([(await get(1)).id, (await get(2)).id], [1, 2]);
      assert.deepEqual([(await get(1)).mergedFrom, (await get(2)).mergedFrom], [[1], [2]]);
    });
  });
});
