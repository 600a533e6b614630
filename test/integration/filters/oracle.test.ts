import assert from 'node:assert/strict';
import { ascending } from '../../support/fixtures.ts';
import { lengthOf } from '../../support/lengths.ts';
import { Corpus, type Entry, type Line, matches, ordered, unconfirmed } from '../../support/oracle.ts';
import { Random } from '../../support/random.ts';
import { laterLine, PARENTS, PLACES, randomLine } from '../../support/randomProjects.ts';
import { type RandomRequest, randomRequest } from '../../support/randomRequests.ts';
import { bodyOf, provideService, type TestService } from '../../support/service.ts';

const TODAY = '2026-11-20';
const PROJECTS = 320;
/** set ORACLE_REQUESTS for a longer look */
const REQUESTS = lengthOf('ORACLE_REQUESTS');
/** set ORACLE_SEED to repeat a failure, or to look elsewhere */
const SEED = Number(process.env.ORACLE_SEED ?? 20_261_120);

/** Generations in the order of loading, each with an increment or two. */
const LOADS = [
  [1, 'full'],
  [1, 'increment'],
  [2, 'full'],
  [2, 'increment'],
  [2, 'increment'],
  [3, 'full'],
  [3, 'increment'],
] as const;

/**
 * Every load states some of the records again: later full generations half of them, increments fewer. In each some records absorb others,
 * absorbed ones are stated again, and families part.
 */
async function loadRandomly(api: TestService, random: Random): Promise<Corpus> {
  const corpus = new Corpus();
  let newest = PROJECTS;
  const first = Array.from({ length: PROJECTS }, (_, i) => randomLine(random, i + 1, TODAY));
  for (let i = 0; i < 20; i++) (first[i] as Line).mergedFrom = [300 + i, 1001 + i];
  for (const [generation, mode] of LOADS) {
    const standing = random.some([...corpus.entries.values()], corpus.entries.size);
    const stated = standing.slice(0, mode === 'full' ? PROJECTS / 2 : 60);
    const lines = stated.map((entry) => laterLine(random, entry.current, TODAY));
    lines.slice(0, 10).forEach((line, i) => {
      line.mergedFrom = [standing.at(-1 - i)?.current.id];
    });
    for (const line of lines.slice(10, 16)) line.mergedFrom = [line.id];
    const absorbed = standing.flatMap((entry) => [...entry.members.keys()]);
    const again = random.some(absorbed, 15).map((id) => randomLine(random, id, TODAY));
    const added = Array.from({ length: 20 }, () => randomLine(random, 2000 + newest++, TODAY));
    const file = standing.length ? [...lines, ...again, ...added] : first;
    await api.index.load(file, { generation, mode });
    corpus.load(file, generation, mode);
  }
  return corpus;
}

interface Warning {
  code: string;
  params: { filters?: string[]; records?: number };
}

interface Record {
  id: number;
  lastUpdated: string;
  dataRichness: number;
}

describe(`search and count against a brute force oracle (ORACLE_SEED=${SEED})`, () => {
  const random = new Random(SEED);
  const api = provideService({ today: TODAY });
  let corpus: Corpus;
  let stateKey: string;

  /** All pages: the records, and the filters that a page says it cannot confirm. */
  async function walk(sent: object, key?: string): Promise<{ records: Record[]; warned: Set<string>; affected: number }> {
    const records: Record[] = [];
    const warned = new Set<string>();
    let affected = 0;
    for (;;) {
      const parameters = { ...sent, limit: 100, offset: records.length };
      const body = bodyOf(await api.get('/projects/search', parameters, key ? { key } : {}));
      records.push(...(body.data as unknown as Record[]));
      for (const { code, params } of body.meta.warnings)
        if (code === 'filter_evidence_unconfirmed') {
          for (const name of params.filters) warned.add(name);
          affected += params.records;
        }
      assert.equal(body.meta.total, records.length);
      if (!body.meta.hasMore) {
        assert.equal(body.meta.matchCount, records.length);
        return { records, warned, affected };
      }
    }
  }

  before(async () => {
    stateKey = await api.key('multi_state', { stateIds: PLACES.states.slice(0, 2), countyIds: [] });
    corpus = await loadRandomly(api, random);
    const { records: served } = await walk({ dateRange: 'all', includeGovernmentDecisions: true, representation: 'full' });
    for (const { id, lastUpdated, dataRichness } of served) Object.assign(corpus.entries.get(id) ?? {}, { lastUpdated, dataRichness });
    assert.deepEqual(ascending(served.map((record) => record.id)), ascending([...corpus.entries.keys()]), 'the loads left other records');
  });

  const licensed = (entry: Entry) => PLACES.states.slice(0, 2).includes(entry.current.stateId);

  async function check({ asked, order, sent }: RandomRequest, limited: boolean): Promise<number> {
    const wanted = [...corpus.entries.values()].filter((entry) => matches(entry, asked, TODAY, PARENTS) && (!limited || licensed(entry)));
    const key = limited ? stateKey : undefined;
    const about = `ORACLE_SEED=${SEED}${limited ? ', two states licensed' : ''}: ${JSON.stringify(sent)}`;
    const { records, warned, affected } = await walk({ ...sent, representation: 'compact' }, key);
    const found = records.map((record) => record.id);
    const wantedIds = ordered(wanted, order, asked, TODAY);
    const missing = wantedIds.filter((id) => !found.includes(id));
    const foreign = found.filter((id) => !wantedIds.includes(id));
    assert.deepEqual({ missing, foreign }, { missing: [], foreign: [] }, about);
    assert.deepEqual(found, wantedIds, `the order of ${about}`);
    const elsewhere = new Set(wanted.flatMap((entry) => unconfirmed(entry, asked, PARENTS, TODAY)));
    assert.deepEqual([...warned].sort(), [...elsewhere].sort(), `filter_evidence_unconfirmed of ${about}`);
    const blank = wanted.filter((entry) => unconfirmed(entry, asked, PARENTS, TODAY).length).length;
    assert.equal(affected, blank, `the records that are unconfirmed of ${about}`);
    if (asked.projectIds === undefined) {
      const { sort: _, order: __, ...filters } = sent;
      const { body } = await api.get('/projects/count', filters, key ? { key } : {});
      assert.equal(body.data.matchCount, found.length, `the count of ${about}: ${JSON.stringify(body)}`);
      const warning = (body.meta.warnings as Warning[]).find(({ code }) => code === 'filter_evidence_unconfirmed');
      const { filters: named = [], records: counted = 0 } = warning?.params ?? {};
      assert.deepEqual([[...named].sort(), counted], [[...elsewhere].sort(), blank], `what a count says is unconfirmed of ${about}`);
    }
    return found.length;
  }

  it(`agrees on ${REQUESTS} random requests: which records, their order, their count, and what is unconfirmed`, async function () {
    this.timeout(60_000 + REQUESTS * 1_000);
    const ids = [...corpus.entries.values()].flatMap((entry) => entry.current.mergedFrom as number[]);
    const stamps = [...corpus.entries.values()].map((entry) => entry.lastUpdated);
    let answered = 0;
    for (let i = 0; i < REQUESTS; i++) {
      const request = randomRequest({ random, today: TODAY, ids, stamps });
      const placed = request.asked.states ?? request.asked.counties ?? request.asked.cities;
      if ((await check(request, !placed && random.chance(0.25))) > 0) answered++;
    }
    assert.ok(answered > REQUESTS / 3, `only ${answered} requests found anything: the pools are too wide to test much`);
  });
});
