/** Full generations that are loaded into a copy of the set before: they show what a set that is filled from scratch would, and nothing of the set before is harmed. */

import assert from 'node:assert/strict';
import { ACCEPT_OPTIONS } from '../../../ingest/findings/acceptance.ts';
import { loadFile } from '../../../ingest/load.ts';
import type { LoadRefused } from '../../../ingest/loadRefused.ts';
import { activateGeneration, rollBackGeneration } from '../../../ingest/publish/activate.ts';
import { rebuildIndex } from '../../../ingest/recover/rebuild.ts';
import type { Absorbed } from '../../../ingest/write/absorbed.ts';
import type { LoadSummary } from '../../../ingest/write/loadContext.ts';
import { collectEvidence, uniteEvidence } from '../../../ingest/write/matchedEvidence.ts';
import { collectPastEvidence, dropEmptyLists } from '../../../ingest/write/pastEvidence.ts';
import { toStatement } from '../../../ingest/write/projectContent.ts';
import type { StoredProject } from '../../../src/core/domain/record/storedProject.ts';
import type { RecordedCommit } from '../../../src/core/store/postgres/lineageStore.ts';
import { project, TODAY } from '../../support/fixtures.ts';
import { type GenerationOptions, TestIndex } from '../../support/index.ts';
import { assertSameState, idsWhere, killIngestAt, runIngest, type Served, servedProjects, servedState } from '../../support/ingest.ts';
import { lengthOf } from '../../support/lengths.ts';
import { pluck } from '../../support/lists.ts';
import type { Line } from '../../support/oracle.ts';
import { Random } from '../../support/random.ts';
import { laterLine, randomLine } from '../../support/randomProjects.ts';

/** set COPIES_SEED to repeat a failure, COPIES_HISTORIES for a longer look */
const SEED = Number(process.env.COPIES_SEED ?? 20_261_123);
const HISTORIES = lengthOf('COPIES_HISTORIES');
const LOADS = 11;
const MINUTE_MS = 60_000;
/** Records of a set that a command copies. */
const MANY = 300;

const increment = (generation: number) => ({ mode: 'increment', generation }) as const;
const document = (id: number, text: string) => ({ kind: 'document', id, state: 'CO', title: `Minutes ${id}`, text });
const contact = (projectId: number, title: string) => ({ kind: 'contact', projectId, name: 'Ann Lee', email: 'ann@example.com', title });

/** Another number of shards than what is served has, so that a set is no copy of it. */
async function otherLayout({ client, names }: TestIndex) {
  const found = await client.indices.getSettings({ index: names.readAlias('projects'), allow_no_indices: true, ignore_unavailable: true });
  const isOfOne = Object.values(found).some(({ settings }) => Number(settings?.index?.number_of_shards) === 1);
  return { shards: isOfOne ? 2 : 1, replicas: 0 };
}

/** A load at a given time, so that two indices give the same times of change. */
async function loadAt(
  index: TestIndex,
  at: Date,
  lines: object[],
  options: GenerationOptions,
  isCopied: boolean,
  skipInvalid = true,
): Promise<LoadSummary> {
  const clock = { ...index.clock, now: () => at };
  const layout = isCopied ? {} : { layout: await otherLayout(index) };
  const summary = await loadFile(
    { client: index.client, names: index.names, copiedFrom: 0, ...clock, ...layout },
    await index.file(lines, options),
    skipInvalid,
  );
  if (options.mode === 'full') await activateGeneration(index.store, summary.generation, clock);
  return summary;
}

const sorted = (evidence: object): unknown =>
  JSON.parse(JSON.stringify(evidence), (_, value) => (Array.isArray(value) ? value.sort() : value));

/** What is served, with evidence of earlier generations whole and in one order, however it is kept. */
async function comparable(index: TestIndex, generation: number): Promise<Served> {
  const served = await servedState(index);
  const projects = served.projects.map((record) => comparableProject(record, generation));
  const removals = served.removals.map(({ absorbed, ...trace }) => {
    const { project: member, ...kept } = (absorbed ?? {}) as Partial<Absorbed>;
    return { ...trace, kept, member: member && comparableProject(member as unknown as Record<string, unknown>, kept.generation ?? 0) };
  });
  const others = (kind: 'documents' | 'contacts') => served[kind].map(({ lineHash: _, ...rest }) => rest);
  return { projects, documents: others('documents'), contacts: others('contacts'), removals };
}

function comparableProject(record: Record<string, unknown>, generation: number): Record<string, unknown> {
  const { loadedIn: _, statedSince, lineHash: __, past: ___, quotedIn: ____, absorbed, ...rest } = record;
  const stored = record as unknown as StoredProject;
  const current = collectEvidence(toStatement(stored));
  const past = uniteEvidence([
    collectPastEvidence(stored, current),
    (statedSince as number) < generation ? dropEmptyLists(current) : undefined,
  ]);
  return { ...rest, past: sorted(past), absorbed: absorbed && sorted(absorbed) };
}

async function newestCommit(index: TestIndex): Promise<RecordedCommit> {
  const lineages = await index.clock.lineage();
  const { id = '' } = (await lineages.readCurrent()) ?? {};
  return (await lineages.readHead(id)) ?? assert.fail('nothing is recorded');
}

/** What clients and operators see of a commit. */
function shownBy({ generation, projects, documents, contacts, removals, digest, figures, newestStamp }: RecordedCommit) {
  return { generation, projects, documents, contacts, removals, digest, figures, newestStamp };
}

const isFamily = ({ id, mergedFrom }: Line) => (mergedFrom ?? []).some((member: number) => member !== id);

/** Lines of extractions that follow one another: most state what they stated before, letter for letter. */
class Extractions {
  readonly #random: Random;
  /** of its own, so that the other choices of a seed stay */
  readonly #parting: Random;
  readonly #lines = new Map<number, object>();
  readonly #documents = new Map<number, string>();
  #newest = 0;

  constructor(random: Random, parting: Random) {
    this.#random = random;
    this.#parting = parting;
    for (let id = 1; id <= 45; id += 1) this.#state(this.#next());
    for (let id = 501; id <= 506; id += 1) this.#documents.set(id, this.#text());
  }

  #next = () => randomLine(this.#random, ++this.#newest, TODAY);
  #text = () => `It has ${this.#random.integer(1, 3)} acres.`;
  #state(line: Line): void {
    this.#lines.set(line.id, line);
  }

  /** The next file, and what it is called. */
  next(mode: 'full' | 'increment'): object[] {
    const random = this.#random;
    const known = [...this.#lines.values()] as Line[];
    const changed = random.some(known, 4).map((line) => laterLine(random, line, TODAY));
    for (const line of random.some(changed, 2)) line.mergedFrom = [line.id, random.pick(known).id];
    const parted = this.#parting.some(known.filter(isFamily), this.#parting.integer(1, 2)).map(({ mergedFrom, ...line }) => ({
      ...line,
      unmerge: (mergedFrom ?? []).filter((id: number) => id !== line.id),
    }));
    for (const line of random.some(changed, 2)) Object.assign(line, this.#quoting());
    for (const line of changed) this.#state(line);
    for (const id of random.some([...this.#documents.keys()], 1)) this.#documents.set(id, this.#text());
    if (random.chance(0.5)) this.#state(this.#next());
    const deleted = random.some(known, random.integer(0, 2)).map(({ id }) => id);
    const left = random.some(known, 4).map(({ id }) => id);
    const absent = new Set([...deleted, ...(random.chance(0.4) ? left : [])]);
    for (const { unmerge: _, ...line } of parted) this.#state(line);
    const isParted = new Set(parted.map(({ id }) => id));
    // Of some of those that are given back the file says nothing else.
    const silent = new Set(parted.flatMap(({ unmerge }) => unmerge).filter(() => this.#parting.chance(0.6)));
    const isLeft = (id: number) => absent.has(id) || isParted.has(id) || silent.has(id);
    const stated = [...this.#lines.values()].filter((line) => !isLeft((line as Line).id));
    const some = [...(mode === 'full' ? stated : random.some(stated, 14)), ...parted.filter(({ id }) => !absent.has(id))];
    return [
      ...[...this.#documents].map(([id, text]) => document(id, text)),
      ...this.#withoutBroken(some as Line[]),
      ...deleted.map((id) => ({ kind: 'project', id, deleted: true })),
      ...random.some(known, 4).map(({ id }, i) => contact(id, random.pick(['Owner', 'Agent']) + i)),
    ];
  }

  /** Words of one of the documents as they are now. */
  #quoting(): object {
    const [documentId = 0, quote = ''] = this.#random.pick([...this.#documents]);
    return { acreage: 2, evidence: [{ field: 'acreage', quote, documentId }] };
  }

  /** States lines without quotes that their documents no longer contain. */
  #withoutBroken(lines: Line[]): object[] {
    return lines.map((line) => {
      const { evidence, ...rest } = line as Line & { evidence?: { quote: string; documentId: number }[] };
      if (!evidence || evidence.every(({ quote, documentId }) => this.#documents.get(documentId) === quote)) return line;
      this.#lines.set(line.id, rest);
      return rest;
    });
  }
}

describe(`A full generation that is loaded into a copy (COPIES_SEED=${SEED})`, () => {
  const open: TestIndex[] = [];
  afterEach(async () => {
    for (const index of open.splice(0)) await index.drop();
  });
  const newIndex = () => {
    const index = new TestIndex(TODAY);
    index.copiedFrom = 0;
    open.unshift(index);
    return index;
  };

  it('shows what one that is filled from scratch shows, through increments, merges, deletions and ways back, and can be built again', async function () {
    this.timeout(180_000 * HISTORIES);
    let [unchanged, copies, unmerged] = [0, 0, 0];
    for (let history = 0; history < HISTORIES; history += 1) {
      const random = new Random(SEED + history);
      const extractions = new Extractions(random, new Random(SEED - history - 1));
      const [copied, anew] = [newIndex(), newIndex()];
      await copied.keep();
      let at = Date.now();
      let [generation, highest] = [0, 0];
      for (let i = 0; i < LOADS; i += 1) {
        at += MINUTE_MS;
        const when = new Date(at);
        const step = i === 0 || random.chance(0.6) ? 'full' : random.chance(0.75) ? 'increment' : 'rollback';
        const name = `history ${history}, step ${i}: ${step}`;
        if (step === 'rollback' && (await copied.store.read()).previous) {
          for (const index of [copied, anew]) await rollBackGeneration(index.store, { ...index.clock, now: () => when });
          generation = (await copied.store.read()).served?.generation ?? 0;
        } else {
          const mode = step === 'full' ? 'full' : 'increment';
          if (mode === 'full') generation = ++highest;
          const lines = extractions.next(mode);
          const [a, b] = [
            await loadAt(copied, when, lines, { generation, mode }, true),
            await loadAt(anew, when, lines, { generation, mode }, false),
          ];
          const counts = ({
            added,
            changed,
            unchanged: same,
            uncovered,
            deleted,
            merged,
            unmerged,
            documents,
            contacts,
            rejected,
          }: LoadSummary) => ({
            ...{ added, changed, same, uncovered, deleted, merged, unmerged, documents, contacts, rejected },
          });
          assert.deepEqual(counts(a), counts(b), name);
          unmerged += a.unmerged;
          if (mode === 'full' && i > 0) {
            assert.equal(b.copied, false, name);
            if (a.copied) copies += 1;
            unchanged += a.unchanged;
          }
        }
        assertSameState(await comparable(copied, generation), await comparable(anew, generation), name);
        assert.deepEqual(shownBy(await newestCommit(copied)), shownBy(await newestCommit(anew)), name);
      }
      const before = await servedState(copied);
      await copied.dropIndices();
      assert.equal((await rebuildIndex({ store: copied.store, ...copied.clock }, [])).rebuilt, true);
      assertSameState(await servedState(copied), before, `history ${history}, built again`);
    }
    assert(unmerged >= 2 * HISTORIES, `${unmerged} records given back prove little`);
    assert(copies >= 3 * HISTORIES && unchanged > 15 * copies, `${copies} copies with ${unchanged} unchanged records prove little`);
  });

  const lines = [...Array.from({ length: 6 }, (_, i) => project(i + 1, { acreage: i })), document(9, 'Nine acres.'), contact(1, 'Owner')];
  const writtenIn = async (index: TestIndex) => new Map([...(await servedProjects(index))].map(([id, { loadedIn }]) => [id, loadedIn]));

  it('reads and writes only lines that it does not hold', async () => {
    const index = newIndex();
    await index.load(lines);
    const before = await writtenIn(index);
    const summary = await index.load([...lines.slice(1), project(1, { acreage: 77 })], { generation: 2 });
    assert.deepEqual([summary.changed, summary.unchanged, summary.documents, summary.contacts], [1, 5, 1, 1]);
    const after = await writtenIn(index);
    assert.deepEqual(
      [...after].filter(([id, load]) => before.get(id) !== load),
      [[1, summary.load]],
    );
    const counted = await index.client.count({ index: index.names.indexName('projects', { generation: 2, load: summary.load as number }) });
    assert.equal(counted.count, 6, 'nothing is left of what was replaced');
  });

  it('finds lines stated twice, also where it does not read them, and quotes of a document that says something else now', async () => {
    const index = newIndex();
    const quoting = project(7, { acreage: 9, evidence: [{ field: 'acreage', quote: 'Nine acres.', documentId: 9 }] });
    await index.load([...lines, quoting]);
    const again = async (given: object[]) =>
      index.load(given, { generation: 2 }).catch(({ message, problems }: LoadRefused) => assert.fail([message, ...problems].join('\n')));
    await assert.rejects(again([...lines, quoting, lines[2] as object]), /stated twice/);
    await assert.rejects(again([...lines, quoting, { kind: 'project', id: 3, deleted: true }]), /stated twice/);
    await assert.rejects(again([...lines, quoting, lines.at(-1) as object]), /stated twice/);
    const others = lines.filter((line) => (line as { kind: string }).kind !== 'document');
    await assert.rejects(again([document(9, 'Ten acres.'), ...others, quoting]), /evidence of acreage is not in/);
    await assert.rejects(again([...others, quoting, document(9, 'Ten acres.')]), /documents come before what quotes them/);
    const { unchanged, documents } = await again([...others, quoting, document(9, 'Nine acres.')]);
    assert.deepEqual([unchanged, documents], [7, 1]);
  });

  it('keeps what an earlier generation said once an increment says something else', async () => {
    const index = newIndex();
    await index.load(lines);
    await index.load(lines, { generation: 2 });
    await index.load(lines, { generation: 3 });
    await index.load([project(4)], increment(3));
    assert.deepEqual(await idsWhere(index, { term: { 'derived.evidence.acreage': 3 } }), [4]);
    await index.load([project(40, { mergedFrom: [40, 5] })], increment(3));
    assert.deepEqual(await idsWhere(index, { term: { 'derived.evidence.acreage': 4 } }), [40]);
    await index.load([project(40, { mergedFrom: [40, 5], acreage: 6 })], increment(3));
    await index.load([project(40, { mergedFrom: [40, 5] })], { generation: 4 });
    assert.deepEqual(await idsWhere(index, { term: { 'derived.evidence.acreage': 4 } }), [40], 'what the absorbed record said counts on');
  });

  /** Runs the same loads into an index with copied sets, and into one with sets filled from scratch. */
  async function both<T>(
    work: (load: (given: object[], options: GenerationOptions) => Promise<LoadSummary>, index: TestIndex) => Promise<T>,
  ) {
    const [copied, anew] = [newIndex(), newIndex()];
    const now = new Date();
    const other = Array.from({ length: 20 }, (_, i) => project(100 + i, { acreage: 50 + i }));
    const loadInto = (index: TestIndex, isCopied: boolean) => (given: object[], options: GenerationOptions) =>
      loadAt(index, now, options.mode === 'increment' ? given : [...given, ...other], { mode: 'full', ...options }, isCopied, false);
    return [await work(loadInto(copied, true), copied), await work(loadInto(anew, false), anew)] as const;
  }

  it('finds an uncovered family by what its members said in earlier generations', async () => {
    const [copied, anew] = await both(async (load, index) => {
      await load([project(1, { mergedFrom: [1, 2] }), project(2, { acreage: 5 })], { generation: 1 });
      await load([project(2, { acreage: 6 })], { generation: 2 });
      const loads = [await load([], { generation: 3 }), await load([], { generation: 4 })];
      assert.deepEqual(pluck(loads, 'copied'), [index === open.at(-1), index === open.at(-1)]);
      return Promise.all([5, 6].map((acreage) => idsWhere(index, { term: { 'derived.evidence.acreage': acreage } })));
    });
    assert.deepEqual(
      [copied, anew],
      [
        [[1], [1]],
        [[1], [1]],
      ],
    );
  });

  it('reads a line with quotes again once their document says something else', async () => {
    const quoting = project(7, { acreage: 9, evidence: [{ field: 'acreage', quote: 'Nine acres.', documentId: 9 }] });
    const results = await both(async (load) => {
      await load([document(9, 'Nine acres.'), quoting], { generation: 1 });
      const again = await load([document(9, 'Nine acres.'), quoting], { generation: 2 });
      await load([document(9, 'Ten acres.')], increment(2));
      const refused = await load([document(9, 'Ten acres.'), quoting], { generation: 3 }).then(
        () => 'loaded',
        ({ problems }: LoadRefused) => problems.join().replaceAll(/\S*ndjson\S*/g, ''),
      );
      return [again.unchanged, refused, again.copied];
    });
    assert.deepEqual(results[0].slice(0, 2), results[1].slice(0, 2));
    assert.deepEqual([results[0][2], results[1][2]], [true, false]);
    assert.match(String(results[0][1]), /evidence of acreage is not in its document/);
  });

  it('is filled from scratch where building the index again would take twice as many writes as it has records', async () => {
    const index = newIndex();
    await index.keep();
    const records = Array.from({ length: 12 }, (_, i) => project(i + 1, { acreage: i }));
    const changing = (count: number, to: number) => records.map((line, i) => (i < count ? { ...line, acreage: to } : line));
    const loaded = async (generation: number, changed: number) =>
      (await index.load(changing(changed, 100 + generation), { generation })).copied;
    // Of each changed record a copy's state file says that one version went and another one came.
    assert.deepEqual([await loaded(1, 0), await loaded(2, 1), await loaded(3, 2), await loaded(4, 3)], [false, true, true, true]);
    assert.deepEqual([await loaded(5, 0), await loaded(6, 0)], [false, true], '12 + 2 + 4 + 6 writes are twice 12');
    await index.load(changing(6, 200), increment(6));
    assert.equal(await loaded(7, 0), false, 'writes of increments count');
  });

  it('carries documents over some at a time where it is filled from scratch, since each holds the text of whole minutes', async () => {
    const index = newIndex();
    const documents = Array.from({ length: 120 }, (_, i) => document(i + 1, 'Nine acres.'));
    await index.load([project(1), ...documents]);
    const client: typeof index.client = Object.create(index.client);
    let most = 0;
    client.search = (async (...args: Parameters<typeof client.search>) => {
      const answer = await index.client.search<{ content?: { text?: string } }>(...args);
      most = Math.max(most, answer.hits?.hits?.filter(({ _source }) => _source?.content?.text).length ?? 0);
      return answer;
    }) as typeof client.search;
    const context = { client, names: index.names, ...index.clock, layout: await otherLayout(index) };
    await loadFile(context, await index.file([project(1)], { generation: 2 }), false);
    await activateGeneration(index.store, 2, index.clock);
    assert.equal((await servedState(index)).documents.length, documents.length);
    assert(most > 0 && most <= 50, `${most} in one answer`);
  });

  it('is filled from scratch where a copy would have another form, or is not to be had', async () => {
    const index = newIndex();
    const load = async (generation: number, layout = { shards: 1, replicas: 0 }) => {
      const context = { client: index.client, names: index.names, copiedFrom: 0, ...index.clock, layout };
      const { copied } = await loadFile(context, await index.file(lines, { generation }), false);
      await activateGeneration(index.store, generation, index.clock);
      return copied;
    };
    const settingsOf = async () => {
      const { served } = await index.store.read();
      const name = index.names.indexName('projects', served ?? assert.fail('nothing is served'));
      return Object.values(await index.client.indices.getSettings({ index: name }))[0]?.settings?.index;
    };
    const change = async (settings: object) => {
      const { served } = await index.store.read();
      await index.client.indices.putSettings({ index: index.store.listIndices(served ?? assert.fail('nothing is served')), settings });
    };
    assert.deepEqual([await load(1, { shards: 1, replicas: 1 }), await load(2)], [false, true]);
    assert.equal((await settingsOf())?.auto_expand_replicas, 'false', 'a copy has as many replicas as are asked for');
    assert.equal(await load(3, { shards: 2, replicas: 0 }), false);
    assert.equal(await load(4), false);
    await change({ 'index.blocks.write': true });
    assert.equal(await load(5), false, 'a block that somebody has set is not lifted');
    assert.equal(await load(6), true);
    await change({ 'index.routing.allocation.require._name': 'nobody' });
    assert.equal(await load(7), false, 'no node takes a copy of it');
    index.copiedFrom = MANY;
    assert.equal((await index.load(lines, { generation: 8 })).copied, false, 'few records are written sooner');
    assert.deepEqual((await index.store.read()).unfinished, []);
    const { documents } = await servedState(index);
    assert.equal(documents.length, 1);
  });

  it('leaves the set before writable, and can be run again, wherever it is killed', async () => {
    const many = Array.from({ length: MANY }, (_, i) => ({ kind: 'contact', projectId: 1, name: `Ann Lee ${i}` }));
    const moments = [
      ['"index.blocks.write":true', 1],
      ['/_clone/', 2],
      ['-copying', 2],
      ['"index.blocks.write":null', 5],
      ['/_clone/', 1],
      ['/_clone/', 4],
    ] as const;
    for (const [message, time] of moments.slice(0, lengthOf('COPYING_KILLS'))) {
      const index = newIndex();
      await index.keep();
      await index.load([...lines, ...many]);
      const file = await index.file([...lines.slice(1), ...many, project(1, { acreage: 8 })], { generation: 2 });
      const when = `killed at ${message} ${time}`;
      await killIngestAt(index, ['load', file], message, time);
      const before = await servedState(index);
      await index.load([project(90)], increment(1));
      assert.equal((await servedState(index)).projects.length, before.projects.length + 1, when);
      const { code, stderr } = await runIngest(index, ['load', file, '--activate', ...ACCEPT_OPTIONS]);
      assert.equal(code, 0, `${when}: ${stderr}`);
      assert.equal((await servedProjects(index)).get(1)?.standard.acreage, 8, when);
      const { sets, unfinished } = await index.store.read();
      assert.deepEqual([unfinished, sets.filter(({ copying }) => copying)], [[], []], when);
    }
  });
});
