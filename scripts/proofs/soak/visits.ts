/** Visits: each is a use of the API by a customer, whose answers are compared with the model. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import type { JsonBody } from '../../lib/apiClient.ts';
import type { Random } from '../../sample/random.ts';
import type { CheckedAnswer, CheckingClient } from './client.ts';
import { findDifference, type Held, type ServedState, selectWanted, type Wanted } from './model.ts';
import type { Receipts } from './receipts.ts';
import { PLACES } from './world.ts';

/** Abbreviations of the states in the data, by name. */
const STATES: Readonly<Record<string, string>> = { Colorado: 'CO', Texas: 'TX', 'North Carolina': 'NC' };
const TYPES = ['residential', 'commercial', 'industrial'];
const POLL_MS = 300;
const JOB_MS = 120_000;
const PAGE_MAX = 50;
const BOX_DEGREES = 0.06;
/** Analytics hides smaller groups. */
const GROUP_LEAST = 5;
/** A question that the raw text of every record answers. */
const QUESTION = 'the board heard the project';

type Visit = (context: { client: CheckingClient; receipts: Receipts }) => Promise<void>;

/** Moves an edge halfway between two coordinates of five decimals, so that rounding in the index does not move records across it. */
const halfway = (degrees: number) => Number((Number(degrees.toFixed(5)) + 0.000005).toFixed(6));

function anyWanted(random: Random): Wanted {
  const place = random.pick(PLACES);
  const where = random.pick<Wanted>([
    {},
    { state: place.state },
    { state: place.state, county: place.county },
    {
      bbox: {
        north: halfway(place.latitude + BOX_DEGREES * random.next()),
        south: halfway(place.latitude - BOX_DEGREES * random.next()),
        east: halfway(place.longitude + BOX_DEGREES * random.next()),
        west: halfway(place.longitude - BOX_DEGREES * random.next()),
      },
    },
  ]);
  return { ...where, ...(random.chance(0.3) ? { type: random.pick(TYPES) } : {}), ...(random.chance(0.2) ? { government: true } : {}) };
}

const filtersOf = ({ state, county, type, bbox, government }: Wanted): JsonBody => ({
  dateRange: 'all',
  ...(state ? { states: [state] } : {}),
  ...(county ? { counties: [county] } : {}),
  ...(type ? { propertyTypes: [type] } : {}),
  ...(bbox ? { bbox } : {}),
  ...(government ? { includeGovernmentDecisions: true } : {}),
});

const parametersOf = (filters: Wanted): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filtersOf(filters)).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join() : typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  );

function expectStatus(client: CheckingClient, what: string, { status, body }: CheckedAnswer, ...allowed: number[]): boolean {
  if (allowed.includes(status)) return true;
  client.wrong(`${what} is answered ${status} ${JSON.stringify(body.error ?? body).slice(0, 300)}`);
  return false;
}

const anyId = (client: CheckingClient): number | undefined => {
  const ids = [...client.newest.keys()];
  return ids.length ? client.random.pick(ids) : undefined;
};

/** Checks that each record matches, is as stated, and occurs once. */
function findWrongRecord(records: readonly JsonBody[], among: ReturnType<typeof selectWanted>): string | undefined {
  if (new Set(records.map(({ id }) => id)).size !== records.length) return 'a record is there twice';
  return records.map((record) => findDifference(record, among.get(record.id))).find(Boolean);
}

const count: Visit = async ({ client }) => {
  const filters = anyWanted(client.random);
  const answer = await client.get('/projects/count', parametersOf(filters));
  if (!expectStatus(client, 'a count', answer, 200)) return;
  const found = answer.body.data?.count ?? answer.body.data?.matchCount;
  client.check(`count of ${JSON.stringify(filters)}`, answer, (state) => {
    const { size } = selectWanted(state, filters);
    return found === size ? undefined : `${found} instead of ${size}`;
  });
};

const search: Visit = async ({ client, receipts }) => {
  const filters = anyWanted(client.random);
  const limit = client.random.int(1, PAGE_MAX);
  const offset = client.random.int(0, PAGE_MAX);
  const representation = client.random.pick(['compact', 'standard', 'full']);
  const answer = await client.get('/projects/search', {
    ...parametersOf(filters),
    limit: String(limit),
    offset: String(offset),
    representation,
  });
  if (!expectStatus(client, 'a search', answer, 200)) return;
  const { data, meta } = answer.body as { data: JsonBody[]; meta: JsonBody };
  receipts.noteDelivered(data);
  client.check(`search for ${JSON.stringify(filters)}, ${limit} from ${offset}`, answer, (state) => {
    const among = selectWanted(state, filters);
    if (meta.matchCount !== among.size) return `matchCount is ${meta.matchCount} instead of ${among.size}`;
    const expected = Math.max(0, Math.min(limit, among.size - offset));
    if (data.length !== expected) return `${data.length} records instead of ${expected}`;
    return findWrongRecord(data, among);
  });
};

const read: Visit = async ({ client, receipts }) => {
  const id = client.random.chance(0.9) ? anyId(client) : client.random.int(1, 1_000_000);
  if (id === undefined) return;
  const answer = await client.get(`/projects/${id}`);
  if (!expectStatus(client, `record ${id}`, answer, 200, 404)) return;
  const { data } = answer.body;
  if (data) receipts.noteDelivered([data]);
  client.check(`record ${id}`, answer, (state) => (data ? findDifference(data, state.get(id)) : state.has(id) ? 'not found' : undefined));
};

/** Checks the totals and every shown group; hidden groups are not checked. */
const analyse: Visit = async ({ client }) => {
  const { bbox: _, ...filters } = anyWanted(client.random);
  const body = { filters: filtersOf(filters), groupBy: ['state'], metrics: [{ op: 'sum', field: 'acreage' }] };
  const answer = await client.send('POST', '/analytics/aggregate', body);
  if (!expectStatus(client, 'an aggregate', answer, 200)) return;
  const { groups, totals } = answer.body.data as { groups: JsonBody[]; totals: JsonBody | null };
  client.check(`aggregate of ${JSON.stringify(filters)}`, answer, (state) => {
    const among = [...selectWanted(state, filters).values()];
    const byState = Object.groupBy(among, (record) => String(record.state));
    const small = Object.values(byState).some((group) => (group?.length ?? 0) < GROUP_LEAST);
    const hidden = small || among.length < GROUP_LEAST || answer.body.meta.suppressedGroups;
    if (!hidden && groups.length !== Object.keys(byState).length) return `${groups.length} groups instead of ${Object.keys(byState)}`;
    return [
      findWrongSum('all', totals, among),
      ...groups.map((group) => findWrongSum(group.labels.state, group, byState[STATES[group.labels.state] ?? ''] ?? [])),
    ].find(Boolean);
  });
};

function findWrongSum(name: string, shown: JsonBody | null, among: readonly Held[]): string | undefined {
  if (!shown || shown.count === null) return undefined;
  if (shown.count !== among.length) return `${name}: ${shown.count} instead of ${among.length}`;
  const { sum_acreage: sum } = shown.metrics;
  const stated = among.reduce((total, { acreage }) => total + Number(acreage ?? 0), 0);
  return sum === null || Math.abs(sum - stated) < 0.01 ? undefined : `${name}: ${sum} acres instead of ${stated}`;
}

/** Polls until a job has ended. @returns undefined if it does not, which counts as a wrong answer */
async function waitForJobEnd(client: CheckingClient, path: string, isEnd: (data: JsonBody) => boolean): Promise<CheckedAnswer | undefined> {
  const began = Date.now();
  while (Date.now() - began < JOB_MS) {
    const answer = await client.get(path);
    if (!expectStatus(client, `the poll of ${path}`, answer, 200)) return undefined;
    if (isEnd(answer.body.data)) return { ...answer, sent: began };
    await sleep(POLL_MS);
  }
  client.wrong(`${path} has not ended in ${JOB_MS / 1000} s`);
  return undefined;
}

const exportRecords: Visit = async ({ client, receipts }) => {
  const filters = anyWanted(client.random);
  const submitted = await client.send('POST', '/exports', { filters: filtersOf(filters) });
  if (!expectStatus(client, 'an export', submitted, 200, 202)) return;
  const what = `export of ${JSON.stringify(filters)}`;
  const { id } = submitted.body.data;
  if (submitted.status === 200) {
    client.check(what, submitted, (state) => (selectWanted(state, filters).size ? 'nothing matched' : undefined));
    return;
  }
  const end = await waitForJobEnd(client, `/exports/${id}`, ({ status }) => ['ready', 'failed'].includes(status));
  if (!end) return;
  if (end.body.data.status === 'failed') return void receipts.noteFailedJob(what, end.body.data.error);
  receipts.expectEvent('export.ready', id);
  const file = await client.get(`/exports/${id}/download`);
  if (!expectStatus(client, 'a download', file, 200)) return;
  const rows: JsonBody[] = parse(file.text, { columns: true });
  const records = rows.map((row) => ({ id: Number(row.id), projectName: row.projectName, state: row.state, county: row.county }));
  client.check(what, { sent: submitted.sent, answered: end.answered }, (state) => {
    const among = selectWanted(state, filters);
    return rows.length === among.size ? findWrongRecord(records, among) : `${rows.length} rows instead of ${among.size}`;
  });
};

const keepList: Visit = async ({ client, receipts }) => {
  const projectIds = client.random.some([...client.newest.keys()], client.random.int(1, 20));
  if (!projectIds.length) return;
  const made = await client.send('POST', '/lists', { name: 'Soak', kind: 'membership' });
  if (!expectStatus(client, 'a list', made, 201)) return;
  const { id } = made.body.data;
  const added = await client.send('POST', `/lists/${id}/projects`, { projectIds });
  if (!expectStatus(client, 'adding to a list', added, 200)) return;
  const kept: number[] = added.body.data.added;
  client.check(`adding ${projectIds} to a list`, added, (state) => {
    const there = projectIds.filter((one) => state.has(one));
    return there.length === kept.length && there.every((one) => kept.includes(one)) ? undefined : `${kept} were added instead of ${there}`;
  });
  const results = await client.get(`/lists/${id}/results`, { representation: 'compact', limit: '100' });
  if (expectStatus(client, 'the results of a list', results, 200)) {
    receipts.noteDelivered(results.body.data);
    client.check('the results of a list', results, (state) => {
      const among = new Map([...state].filter(([one]) => kept.includes(one)));
      if (results.body.data.length !== among.size) return `${results.body.data.length} records instead of ${among.size}`;
      return findWrongRecord(results.body.data, among);
    });
  }
  expectStatus(client, 'deleting a list', await client.send('DELETE', `/lists/${id}`), 200, 204);
};

const runAlert: Visit = async ({ client, receipts }) => {
  const { county: _, ...filters } = { ...anyWanted(client.random), government: true };
  const made = await client.send('POST', '/alerts', {
    name: 'Soak',
    filters: filtersOf(filters),
    maxRecordsPerRun: 1000,
    status: 'paused',
  });
  if (!expectStatus(client, 'an alert', made, 201)) return;
  const { id } = made.body.data;
  const run = await client.send('POST', `/alerts/${id}/run`);
  if (expectStatus(client, 'a run', run, 200)) await checkRun(client, receipts, filters, id, run);
  expectStatus(client, 'deleting an alert', await client.send('DELETE', `/alerts/${id}`), 200, 204);
};

async function checkRun(client: CheckingClient, receipts: Receipts, filters: Wanted, id: string, run: CheckedAnswer): Promise<void> {
  const { status, deliveryId, records, moreMatched, reason } = run.body.data;
  if (status !== 'completed') return void receipts.noteFailedJob(`run of ${JSON.stringify(filters)}`, { status, reason });
  receipts.expectEvent('alert.delivery.completed', deliveryId);
  client.check(`run of ${JSON.stringify(filters)}`, run, (state) => {
    const { size } = selectWanted(state, filters);
    return records + moreMatched === size ? undefined : `${records} delivered and ${moreMatched} more instead of ${size}`;
  });
  const matches = await client.get(`/alerts/${id}/matches`, { representation: 'compact', limit: '100' });
  if (!expectStatus(client, 'matches', matches, 200)) return;
  receipts.noteDelivered(matches.body.data);
  // On a metered plan, a record that has changed since the run is shown in the held revision until it is delivered again.
  const current = matches.body.data.filter(({ delivery }: JsonBody) => !delivery.updatedSinceExport);
  client.check('matches of a run', matches, (state: ServedState) => findWrongRecord(current, new Map(state)));
}

const askAi: Visit = async ({ client, receipts }) => {
  const { bbox: _, ...filters } = anyWanted(client.random);
  const { dateRange: __, ...law } = filtersOf(filters);
  const asked = await client.send('POST', '/projects/ai-search/jobs', {
    query: QUESTION,
    filters: law,
    limit: 10,
    notify: { email: false },
  });
  if (!expectStatus(client, 'a question', asked, 202)) return;
  const { id } = asked.body.data;
  const end = await waitForJobEnd(client, `/projects/ai-search/jobs/${id}`, ({ settledAt }) => Boolean(settledAt));
  if (!end) return;
  const { status, error, results } = end.body.data;
  if (status === 'failed') return void receipts.noteFailedJob(`question about ${JSON.stringify(law)}`, error);
  receipts.expectEvent('ai_search.settled', id);
  receipts.noteDelivered(results);
  client.check(`question about ${JSON.stringify(law)}`, { sent: asked.sent, answered: end.answered }, (state) => {
    const among = selectWanted(state, filters);
    return findWrongRecord(results, among) ?? results.map((result: JsonBody) => findWrongQuote(result, among.get(result.id))).find(Boolean);
  });
};

const findWrongQuote = ({ id, matchEvidence }: JsonBody, record: JsonBody | undefined): string | undefined =>
  matchEvidence.some(({ quote, source }: JsonBody) => ['rawText', 'summary'].includes(source) && !String(record?.[source]).includes(quote))
    ? `${id} is proven by a quote that its text does not have`
    : undefined;

/** The kinds of visits, each made by one customer, and the longest pause between two of its visits. */
export const VISITS: readonly { name: string; visit: Visit; pauseMs: number }[] = [
  { name: 'search', visit: search, pauseMs: 300 },
  { name: 'count', visit: count, pauseMs: 300 },
  { name: 'read', visit: read, pauseMs: 300 },
  { name: 'analytics', visit: analyse, pauseMs: 2_000 },
  { name: 'export', visit: exportRecords, pauseMs: 3_000 },
  { name: 'list', visit: keepList, pauseMs: 2_000 },
  { name: 'alert', visit: runAlert, pauseMs: 3_000 },
  { name: 'AI search', visit: askAi, pauseMs: 4_000 },
];
