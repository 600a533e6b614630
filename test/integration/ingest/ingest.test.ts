/** What loads, increments, merges, activations and rollbacks make of the served records. */

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadFinding } from '../../../ingest/findings/finding.ts';
import { LoadRefused } from '../../../ingest/loadRefused.ts';
import { activateGeneration, rollBackGeneration } from '../../../ingest/publish/activate.ts';
import { discardGeneration } from '../../../ingest/publish/discard.ts';
import { repairPublication } from '../../../ingest/publish/repair.ts';
import { describeStatus, readGenerationStatus } from '../../../ingest/publish/status.ts';
import { readFigures } from '../../../ingest/write/recordedCommits.ts';
import { PER_MILLISECOND, Stamps } from '../../../ingest/write/stamps.ts';
import { visibilityFilter } from '../../../src/core/store/elastic/indices.ts';
import { TestIndex } from '../../support/index.ts';
import { idsWhere, indexNames, type Served, servedProjects, servedRemovals, servedState } from '../../support/ingest.ts';
import { lengthOf } from '../../support/lengths.ts';
import { pluck } from '../../support/lists.ts';
import { projectLine } from '../../support/projectLine.ts';

const TODAY = '2026-11-20';
/** `SWITCHES=50 npm test -- test/integration/ingest/ingest.test.ts --grep mixture` for longer */
const SWITCHES = lengthOf('SWITCHES');

const deletion = (id: number) => ({ kind: 'project', id, deleted: true });
const document = (id: number, more: Record<string, unknown> = {}) => ({
  kind: 'document',
  id,
  state: 'CO',
  title: `Minutes ${id}`,
  ...more,
});
const contact = (projectId: number, more: Record<string, unknown> = {}) => ({ kind: 'contact', projectId, name: 'Ann Lee', ...more });
const increment = (generation: number) => ({ mode: 'increment', generation }) as const;
const evidence = (attribute: string, value: unknown) => ({ term: { [`derived.evidence.${attribute}`]: value } });

describe('Loading generations', () => {
  let index: TestIndex;
  beforeEach(() => {
    index = new TestIndex(TODAY);
  });
  afterEach(() => index.drop());

  const stampOf = async (id: number) => (await servedProjects(index)).get(id)?.lastUpdated as string;
  const highWater = async () => (await readGenerationStatus(index.store)).highWater as string;
  /** Loads one generation after the other, from the first, each of these lines. */
  const loadEach = async (...generations: object[][]) => {
    for (const [i, lines] of generations.entries()) await index.load(lines, { generation: i + 1 });
  };
  const assertServed = async (...ids: number[]) => assert.deepEqual([...(await servedProjects(index)).keys()], ids);
  const assertStating = async (acreage: number, ids: number[], message = `acreage ${acreage}`) =>
    assert.deepEqual(await idsWhere(index, evidence('acreage', acreage)), ids, message);
  const rollBack = () => rollBackGeneration(index.store, index.clock);

  it('serves and matches values of the current generation, and evidence of every earlier one where it is silent', async () => {
    const known = projectLine(1, { acreage: 5, status: 'pending', zipCode: '80301' });
    await loadEach([known, projectLine(2, { acreage: 7 })], [projectLine(1, { acreage: 8 }), projectLine(3)]);
    const projects = await servedProjects(index);
    assert.equal(projects.get(1)?.standard.acreage, 8);
    assert.equal(projects.get(1)?.compact.status, undefined);
    await assertStating(8, [1]);
    await assertStating(5, []);
    assert.deepEqual(await idsWhere(index, evidence('status', 'pending')), [1]);
    await assertStating(7, [2]);
    await index.load([projectLine(1)], { generation: 3 });
    for (const acreage of [5, 8]) await assertStating(acreage, [1], `acreage ${acreage} again`);
  });

  it('replaces by an increment what its own generation stated, and keeps what earlier ones did', async () => {
    const both = (one: number, two: number) => [projectLine(1, { acreage: one }), projectLine(2, { acreage: two })];
    await loadEach(both(30, 40), both(40, 40));
    await index.load([projectLine(1, { acreage: 50 })], increment(2));
    await assertStating(30, []);
    await assertStating(40, [2]);
    await index.load([projectLine(1), projectLine(2)], increment(2));
    await assertStating(30, [1]);
    await assertStating(40, [2], 'generation 1 stated it too');
    await assertStating(50, []);
  });

  it('refuses a full file of the number that is served with other bytes, and says of the same bytes that they are served', async () => {
    const lines = [projectLine(1, { acreage: 40 }), projectLine(2, { acreage: 40 })];
    const file = await index.file(lines, { generation: 2 });
    await index.load([projectLine(1, { acreage: 30 }), projectLine(2)], { generation: 1 });
    const { load } = await index.loadFile(file);
    const refusal = /Generation 2 is served, and was loaded from a file with other bytes; give this one a higher number/;
    await assert.rejects(index.load([projectLine(1)], { generation: 2 }), refusal);
    await index.load([projectLine(1, { acreage: 50 })], increment(2));
    const again = await index.loadFile(file);
    assert.deepEqual([again.load, again.served, again.projects], [null, true, 0]);
    await assertStating(50, [1], 'the increment stays');
    assert.equal((await index.store.read()).served?.load, load);
    await rollBack();
    await assertStating(30, [1], 'what was served before');
  });

  it('drops a generation that waits to be served, and nothing else', async () => {
    await loadEach([projectLine(1)], [projectLine(1), projectLine(2)]);
    await index.load([projectLine(3)], { generation: 3, activate: false });
    for (const generation of [1, 2, 4])
      await assert.rejects(discardGeneration(index.store, generation, index.clock), /does not wait to be served; waiting: 3/);
    assert.deepEqual(await discardGeneration(index.store, 3, index.clock), { generation: 3, records: 3 });
    await assert.rejects(discardGeneration(index.store, 3, index.clock), /does not wait to be served; none does/);
    await assert.rejects(activateGeneration(index.store, 3, index.clock), /Generation 3 is not loaded; loaded: 1, 2/);
    await index.load([projectLine(4)], { generation: 3 });
    await assertServed(1, 2, 4);
  });

  it('leaves identity and classification to a project that a generation has not covered', async () => {
    const covered = projectLine(1, { acreage: 5, summary: 'Homes', status: 'approved', zipCode: '80301', latitude: 40, longitude: -105 });
    await loadEach([covered, projectLine(2)], [projectLine(2)]);
    const { compact, standard, full } = (await servedProjects(index)).get(1) ?? assert.fail('project 1 is gone');
    const left = `classifications county countyId id landUses latitude longitude meetingDate mergedFrom projectName propertyType recordType
      state stateId zipCode`;
    assert.deepEqual(Object.keys({ ...compact, ...standard, ...full }).sort(), left.split(/\s+/));
    assert.equal(compact.projectName, 'Project 1');
  });

  const family = [projectLine(2, { mergedFrom: [3] }), projectLine(3)];
  const ofEachKind = [projectLine(1, { acreage: 5 }), ...family, document(9), contact(1, { email: 'ann@example.com' })];

  it('changes neither revisions nor times when identical content is loaded again', async () => {
    const lines = ofEachKind;
    await index.load(lines);
    const before = await servedState(index);
    const summary = await index.load(lines, { generation: 2 });
    const after = await servedState(index);
    const ofNoGeneration = ({ past: _, statedSince: __, ...rest }: Record<string, unknown>) => rest;
    const served = ({ projects, removals, ...others }: Served) => ({
      ...others,
      projects: projects.map(({ absorbed: _, ...rest }) => ofNoGeneration(rest)),
      removals: removals.map(({ absorbed, ...trace }) => {
        const { generation: _, project: member, ...kept } = absorbed as Record<string, Record<string, unknown>>;
        return { ...trace, kept, member: member && ofNoGeneration(member) };
      }),
    });
    assert.deepEqual(served(after), served(before), 'but for what an earlier generation stated');
    assert.equal(summary.changed, 0);
    await index.load(lines.toReversed(), increment(2));
    assert.deepEqual(await servedState(index), after);
  });

  it('does not count the meeting date as content', async () => {
    await index.load([projectLine(1)]);
    const before = (await servedProjects(index)).get(1);
    await index.load([projectLine(1, { meetingDate: '2026-11-02' })], increment(1));
    const after = (await servedProjects(index)).get(1);
    assert.equal(after?.compact.meetingDate, '2026-11-02');
    assert.equal(after?.contentRevision, before?.contentRevision);
    assert.equal(after?.lastUpdated, before?.lastUpdated);
    assert.deepEqual(await idsWhere(index, evidence('meetingDate', '2026-11-02')), [1]);
    assert.deepEqual(await idsWhere(index, evidence('meetingDate', '2026-10-01')), [], 'a record has one date, the served one');
  });

  it('stamps changes above all that was committed, few at a time', async () => {
    const ids = Array.from({ length: 2 * PER_MILLISECOND + 1 }, (_, at) => at + 1);
    await index.load(ids.map((id) => projectLine(id)));
    const first = await highWater();
    assert.equal(new Stamps(new Date(0), Date.parse(first)).start, Date.parse(first) + 1, 'also by a clock that is behind');
    await index.load(ids.filter((id) => id > 1).map(deletion), increment(1));
    const removed = [...(await servedRemovals(index)).values()].map((trace) => trace.at);
    assert.ok(removed.every((at) => at > first));
    const changed = ids.map((id) => projectLine(id, { acreage: 1 }));
    await index.load(changed, increment(1));
    const stamps = [...(await servedProjects(index)).values()].map((record) => record.lastUpdated);
    const [earliest = ''] = stamps.toSorted();
    assert.ok(earliest > (removed.sort().at(-1) as string), 'above the traces of removals too');
    for (const stamp of new Set(stamps)) assert.ok(stamps.filter((other) => other === stamp).length <= PER_MILLISECOND);
  });

  it('updates, adds, deletes and brings back by increments', async () => {
    await index.load([projectLine(1), projectLine(2, { acreage: 4 }), document(8), document(9), contact(1, { phone: '1' })]);
    const kept = await stampOf(1);
    const changes = [projectLine(2, { acreage: 5 }), projectLine(3), document(9, { title: 'Corrected' }), contact(1, { phone: '2' })];
    const summary = await index.load(changes, increment(1));
    assert.deepEqual([summary.added, summary.changed, summary.served], [1, 1, true]);
    await assertServed(1, 2, 3);
    assert.equal(await stampOf(1), kept);
    assert.ok((await stampOf(2)) > kept);
    const { documents, contacts } = (await servedState(index)) as unknown as Record<string, { content: Record<string, string> }[]>;
    assert.deepEqual(documents?.map(({ content }) => content.title).join(), 'Minutes 8,Corrected');
    assert.deepEqual(contacts?.map(({ content }) => content.phone).join(), '2');
    await index.load([deletion(2), deletion(77)], increment(1));
    await assertServed(1, 3);
    assert.deepEqual([...(await servedRemovals(index)).keys()], [2]);
    await index.load([projectLine(2)], increment(1));
    await assertServed(1, 2, 3);
    assert.equal((await servedRemovals(index)).size, 0);
  });

  it('drops what a full generation deletes and keeps the trace until it is back', async () => {
    await loadEach([projectLine(1), projectLine(2)], [projectLine(1), deletion(2)]);
    const { at } = (await servedRemovals(index)).get(2) ?? assert.fail('no trace');
    await index.load([projectLine(1), deletion(2)], { generation: 3 });
    assert.equal((await servedRemovals(index)).get(2)?.at, at);
    await index.load([projectLine(1), projectLine(2)], { generation: 4 });
    assert.equal((await servedRemovals(index)).size, 0);
    assert.deepEqual([...(await servedProjects(index)).keys()], [1, 2]);
  });

  it('writes nothing of what an increment states as it is served', async () => {
    const lines = ofEachKind;
    await index.load(lines);
    const set = (await index.store.read()).served ?? assert.fail('nothing is served');
    const written = async () => {
      await index.store.refresh(set);
      return (await index.client.count({ index: index.store.listIndices(set) })).count;
    };
    const before = await written();
    const restated = lines.filter((given) => given.kind !== 'project' || (given as { id: number }).id !== 3);
    const summary = await index.load(restated, increment(1));
    assert.deepEqual([summary.projects, summary.unchanged, summary.documents, summary.contacts], [2, 2, 1, 1]);
    assert.equal(await written(), before);
    const twice = [
      [projectLine(1, { acreage: 5 }), projectLine(1, { acreage: 5 })],
      [projectLine(1, { acreage: 6 }), projectLine(1, { acreage: 5 })],
    ];
    for (const stated of [...twice, [projectLine(1, { acreage: 5 }), deletion(1)], [document(9), document(9)]])
      for (const order of [stated, stated.toReversed()]) await assert.rejects(index.load(order, increment(1)), /records are stated twice/);
  });

  it('writes again what another version of the program wrote without the fields that are searched now', async () => {
    await index.load([projectLine(1, { acreage: 5 })]);
    const set = (await index.store.read()).served ?? assert.fail('nothing is served');
    const name = index.names.indexName('projects', set);
    const { [name]: found } = await index.client.indices.getMapping({ index: name });
    await index.client.indices.putMapping({ index: name, _meta: { ...found?.mappings._meta, fields: 'of another version' } });
    const { load } = await index.load([projectLine(1, { acreage: 5 })], increment(1));
    assert.equal((await servedProjects(index)).get(1)?.loadedIn, load);
  });

  it('refuses an increment that names another generation, and takes one for a waiting generation', async () => {
    await index.load([projectLine(1)]);
    await assert.rejects(index.load([projectLine(2)], increment(2)), /names generation 2, which is not the served one \(1\)/);
    await assert.rejects(index.load([projectLine(1)], { generation: 0 }), /generation must be >= 1/);
    await index.load([projectLine(1)], { generation: 2, activate: false });
    const summary = await index.load([projectLine(2)], increment(2));
    assert.equal(summary.served, false);
    await assertServed(1);
    await activateGeneration(index.store, 2, index.clock);
    await assertServed(1, 2);
    await assert.rejects(index.load([projectLine(1)], { generation: 1 }), /older than the served one/);
  });

  describe('merges', () => {
    it('gives the survivor the evidence, hearings and members of what it absorbs', async () => {
      await index.load([projectLine(1, { acreage: 3, meetingDate: '2026-08-01' }), projectLine(2, { meetingDate: '2026-09-01' })]);
      await index.load([projectLine(2, { mergedFrom: [1, 2], meetingDate: '2026-09-01' })], increment(1));
      const projects = await servedProjects(index);
      assert.deepEqual([...projects.keys()], [2]);
      assert.deepEqual(projects.get(2)?.compact.mergedFrom, [1, 2]);
      assert.deepEqual(projects.get(2)?.hearings, ['2026-08-01', '2026-09-01']);
      assert.deepEqual(await idsWhere(index, evidence('acreage', 3)), [2]);
      assert.equal((await servedRemovals(index)).get(1)?.mergedInto, 2);
    });

    for (const [order, lines] of Object.entries({
      'the inner family first': [projectLine(1, { mergedFrom: [2] }), projectLine(3, { mergedFrom: [1] })],
      'the outer family first': [projectLine(3, { mergedFrom: [1] }), projectLine(1, { mergedFrom: [2] })],
    })) {
      it(`follows families of families in one file, ${order}`, async () => {
        await index.load([projectLine(1), projectLine(2, { acreage: 2 }), projectLine(3)]);
        await index.load(lines, increment(1));
        const projects = await servedProjects(index);
        assert.deepEqual([...projects.keys()], [3]);
        assert.deepEqual(projects.get(3)?.compact.mergedFrom, [1, 2, 3]);
        const traces = [...(await servedRemovals(index)).values()].map(({ id, mergedInto }) => `${id} into ${mergedInto}`);
        assert.deepEqual(traces, ['1 into 3', '2 into 3']);
        await assertStating(2, [3]);
      });
    }

    it('absorbs a member again that a later load states on its own', async () => {
      await index.load([projectLine(1, { mergedFrom: [2] }), projectLine(2)]);
      const stamp = await stampOf(1);
      const trace = (await servedRemovals(index)).get(2);
      await index.load([projectLine(2, { acreage: 9, floorCount: 3 })], increment(1));
      await assertServed(1);
      assert.equal(await stampOf(1), stamp);
      assert.equal((await servedRemovals(index)).get(2)?.at, trace?.at);
      await assertStating(9, [1]);
      await index.load([projectLine(2, { acreage: 10 })], increment(1));
      await assertStating(10, [1]);
      await assertStating(9, [], 'stated again, it replaces what it stated in the generation');
      assert.deepEqual(await idsWhere(index, evidence('floorCount', 3)), []);
    });

    it('parts a family when the survivor states that it stands alone', async () => {
      await index.load([projectLine(1, { mergedFrom: [2] }), projectLine(2)]);
      await index.load([projectLine(1, { mergedFrom: [1] }), projectLine(2)], increment(1));
      const projects = await servedProjects(index);
      assert.deepEqual([...projects.keys()], [1, 2]);
      assert.deepEqual(projects.get(1)?.compact.mergedFrom, [1]);
      assert.equal(projects.get(1)?.absorbed, undefined);
      assert.equal((await servedRemovals(index)).size, 0);
    });
  });

  describe('that state less than what is served', () => {
    const records = (count: number, more: Record<string, unknown> = {}) =>
      Array.from({ length: count }, (_, at) => projectLine(at + 1, more));
    const strict = (generation: number) => ({ generation, accept: [] });
    const refused = async (loading: Promise<unknown>): Promise<LoadRefused> => {
      const error = await loading.then(() => assert.fail('it was served')).catch((reason: unknown) => reason);
      assert.ok(error instanceof LoadRefused, String((error as Error).stack));
      return error;
    };

    it('are refused with the figures when a tenth of the records is gone, and served when less is', async () => {
      await index.load(records(20));
      const { message, problems, details } = await refused(index.load(records(18), strict(2)));
      assert.match(message, /Generation 2 is not served.*npm run ingest -- activate 2 --accept records_lost$/);
      assert.equal(problems.length, 1);
      assert.match(problems[0] ?? '', /^records_lost: records: 18, served 20 \(10\.0 % fewer\)\. Complete the file/);
      assert.deepEqual(pluck(details.findings as LoadFinding[], 'code', 'count'), [['records_lost', 2]]);
      assert.equal((await readGenerationStatus(index.store)).generation, 1);
      await refused(index.load([], strict(2)));
      await index.load(records(19), strict(2));
      assert.equal((await readGenerationStatus(index.store)).generation, 2);
      await index.load(records(18), strict(3));
      assert.equal((await servedProjects(index)).size, 20, 'what is carried over does not count');
    });

    it('are refused when a tenth of the values is gone, with the fields that fell most', async () => {
      const full = { acreage: 4, summary: 'Homes', status: 'approved', parties: [{ role: 'owner', name: 'Ann' }], isRezone: false };
      await index.load(records(10, full));
      const { problems } = await refused(index.load([...records(10, { ...full, acreage: 0, summary: '', parties: [] })], strict(2)));
      assert.match(problems[0] ?? '', /filled fields: 30, served 50 \(40\.0 % fewer\); fell most: summary 10 → 0, parties 10 → 0\./);
      assert.match(problems.join('\n'), /field_lost: Boulder County, CO: 0 records state summary, 10 are served with it\./);
      const few = records(10, full).map((record) => (record.id > 4 ? record : { ...record, summary: null }));
      await index.load(few, strict(2));
      assert.equal((await readGenerationStatus(index.store)).generation, 2);
    });

    it('wait for one who accepts the loss, and are never refused as a rollback', async () => {
      await index.load(records(10, { acreage: 1 }));
      await refused(index.load(records(2, { acreage: 1 }), strict(2)));
      await refused(activateGeneration(index.store, 2, { ...index.clock, accept: [] }));
      await activateGeneration(index.store, 2, index.clock);
      await index.load(records(10, { acreage: 1 }), strict(3));
      assert.equal((await rollBackGeneration(index.store, index.clock)).generation, 2);
      await activateGeneration(index.store, 3, index.clock);
      assert.equal((await activateGeneration(index.store, 2, index.clock)).generation, 2, 'what was served before, by its number');
    });

    it('are compared with what increments made of the served one', async () => {
      await index.load([...records(10, { acreage: 1 }), projectLine(30, { acreage: 1 }), projectLine(31, { acreage: 1 })]);
      await index.load([...records(10, { acreage: 1 }), projectLine(30, { acreage: 1 })], { generation: 2 });
      const figures = async () => {
        const { opened, generations } = await repairPublication(index.clock.lineage, index.store);
        return readFigures(index.store, opened, generations.served ?? assert.fail('nothing is served'));
      };
      assert.deepEqual(await figures(), { records: 11, fields: { acreage: 11 } });
      await index.load(
        [projectLine(1, { acreage: 2, status: 'approved' }), projectLine(2), projectLine(20), projectLine(31, { status: 'denied' })],
        increment(2),
      );
      assert.deepEqual(await figures(), { records: 13, fields: { acreage: 10, status: 2 } });
      await index.load([deletion(1), projectLine(30, { mergedFrom: [3, 30] }), projectLine(99)], increment(2));
      assert.deepEqual(await figures(), { records: 12, fields: { acreage: 7, status: 1 } });
      await index.load([projectLine(3, { acreage: 5 })], increment(2));
      assert.deepEqual(await figures(), { records: 12, fields: { acreage: 7, status: 1 } }, 'a member is absorbed again');
      await assert.rejects(index.load([projectLine(77), 'nonsense'], increment(2)), LoadRefused);
      assert.deepEqual(await figures(), { records: 12, fields: { acreage: 7, status: 1 } });
      await rollBack();
      assert.deepEqual(await figures(), { records: 12, fields: { acreage: 12 } });
      await rollBack();
      assert.deepEqual(await figures(), { records: 12, fields: { acreage: 7, status: 1 } });
    });
  });

  describe('switching', () => {
    const both = async () => {
      await index.load([projectLine(1, { acreage: 1 }), projectLine(2)]);
      await index.load([projectLine(1, { acreage: 2 }), deletion(2), projectLine(3)], { generation: 2 });
    };

    it('goes back and forth with everything that differs stamped again', async () => {
      await both();
      for (const [generation, kept, lost] of [
        [1, [1, 2], 3],
        [2, [1, 3], 2],
        [1, [1, 2], 3],
      ] as const) {
        const before = await highWater();
        const copiedFrom = generation === 2 ? 0 : undefined;
        const done = await rollBackGeneration(index.store, { ...index.clock, copiedFrom });
        assert.equal(done.generation, generation);
        const projects = await servedProjects(index);
        assert.deepEqual([...projects.keys()], kept);
        for (const record of projects.values()) assert.ok(record.lastUpdated > before, `project ${record.id}`);
        const removals = await servedRemovals(index);
        assert.deepEqual([...removals.keys()], [lost]);
        assert.ok((removals.get(lost)?.at as string) > before);
      }
      await activateGeneration(index.store, 2, index.clock);
      assert.deepEqual([...(await servedProjects(index)).keys()], [1, 3]);
    });

    it('restores the earlier evidence: what the later generation stated does not count until it is served again', async () => {
      await index.load([projectLine(1, { acreage: 4 }), projectLine(2, { acreage: 5 })]);
      await index.load([projectLine(1), projectLine(2, { acreage: 5 })], { generation: 2 });
      await index.load([projectLine(1, { acreage: 500 }), projectLine(2, { acreage: 5 })], { generation: 3 });
      await index.load([projectLine(1), projectLine(2, { acreage: 500 })], increment(3));
      await index.load([projectLine(1, { acreage: 600 }), projectLine(2, { acreage: 5 })], increment(3));
      const before = (await servedProjects(index)).get(2);
      await rollBackGeneration(index.store, index.clock);
      const projects = await servedProjects(index);
      assert.deepEqual(await idsWhere(index, evidence('acreage', 4)), [1]);
      for (const acreage of [500, 600]) assert.deepEqual(await idsWhere(index, evidence('acreage', acreage)), [], `acreage ${acreage}`);
      assert.equal(projects.get(2)?.lastUpdated, before?.lastUpdated, 'equal content is told once');
      await rollBackGeneration(index.store, index.clock);
      assert.deepEqual(await idsWhere(index, evidence('acreage', 600)), [1]);
    });

    it('tells again into which record one was merged', async () => {
      await index.load([projectLine(1), projectLine(2)]);
      await index.load([projectLine(1, { mergedFrom: [1, 2] })], { generation: 2 });
      await rollBackGeneration(index.store, index.clock);
      await activateGeneration(index.store, 2, index.clock);
      assert.equal((await servedRemovals(index)).get(2)?.mergedInto, 1);
    });

    it('leaves a search that began before a commit what it looks for', async () => {
      await index.load([projectLine(1), projectLine(2)]);
      const set = (await index.store.read()).served ?? assert.fail('nothing is served');
      await index.load([projectLine(1, { acreage: 9 }), projectLine(2)], increment(1));
      const { client, names } = index;
      await index.store.refresh(set);
      const seen = await client.count({ index: names.indexName('projects', set), query: visibilityFilter(set) });
      assert.equal(seen.count, 2);
    });

    it('refuses a generation that lacks what the served one received since', async () => {
      await index.load([projectLine(1)]);
      await index.load([projectLine(1)], { generation: 2, activate: false });
      await index.load([projectLine(2)], increment(1));
      await assert.rejects(activateGeneration(index.store, 2, index.clock), LoadRefused);
      assert.deepEqual([...(await servedProjects(index)).keys()], [1, 2]);
      await assert.rejects(activateGeneration(index.store, 7, index.clock), /Generation 7 is not loaded; loaded: 1, 2/);
      await assert.rejects(rollBackGeneration(index.store, index.clock), /no earlier generation/);
    });

    it('drops sets that nothing can return to', async () => {
      for (const generation of [1, 2, 3]) await index.load([projectLine(1)], { generation });
      await index.load([projectLine(1)], increment(3));
      const generations = (await readGenerationStatus(index.store)).loaded.map((set) => set.generation);
      assert.deepEqual(generations, [2, 3]);
      assert.equal((await indexNames(index)).length, 8);
      for (const acreage of [4, 5]) await index.load([projectLine(1, { acreage })], { generation: 4, activate: false });
      const notes = describeStatus(await readGenerationStatus(index.store)).match(/(?<= {2})\S[^\n]*?$/gm);
      assert.deepEqual(
        notes?.map((note) => note.split('  ').at(-1)),
        ['rollback returns to it', 'served', 'goes with the next load', 'waits for activation'],
      );
    });

    it('goes back to what was served before where a generation was loaded twice until it was served', async () => {
      await index.load([projectLine(1, { acreage: 1 }), projectLine(2)]);
      for (const acreage of [2, 3])
        await index.load([projectLine(1, { acreage }), projectLine(3)], { generation: 2, activate: acreage === 3 });
      const { loaded } = await readGenerationStatus(index.store);
      assert.equal(loaded.find((set) => set.rollbackTarget)?.generation, 1);
      assert.equal((await rollBackGeneration(index.store, index.clock)).generation, 1);
      assert.deepEqual([...(await servedProjects(index)).keys()], [1, 2]);
      assert.equal((await rollBackGeneration(index.store, index.clock)).generation, 2);
      assert.equal((await servedProjects(index)).get(1)?.standard.acreage, 3);
    });

    it('goes back to the generation before, and no further', async () => {
      for (const acreage of [1, 2, 3]) await index.load([projectLine(1, { acreage })]);
      await rollBackGeneration(index.store, index.clock);
      assert.equal((await servedProjects(index)).get(1)?.standard.acreage, 2);
    });

    it('never shows a reader a mixture, an error or nothing', async () => {
      const ids = Array.from({ length: 20 }, (_, at) => at + 1);
      await index.load(ids.map((id) => projectLine(id, { acreage: 1 })));
      await index.load(
        ids.map((id) => projectLine(id, { acreage: 2 })),
        { generation: 2 },
      );
      let switching = true;
      let reads = 0;
      const seen = new Set<number>();
      const read = async () => {
        while (switching) {
          const projects = [...(await servedProjects(index)).values()];
          const values = new Set(projects.map((record) => record.standard.acreage as number));
          assert.equal(projects.length, ids.length);
          assert.equal(values.size, 1, 'a mixture');
          for (const value of values) seen.add(value);
          reads += 1;
          await sleep(1);
        }
      };
      const readers = [read(), read()];
      for (let turn = 0; turn < SWITCHES; turn += 1) await rollBackGeneration(index.store, index.clock);
      switching = false;
      await Promise.all(readers);
      assert.ok(reads > SWITCHES);
      assert.deepEqual([...seen].sort(), [1, 2]);
    });
  });
});
