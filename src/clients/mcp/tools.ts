/** The tools. Their limit is 0 credits unless they are called by `accept_quote`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describeOdds } from '../../core/domain/oddsText.ts';
import type { AiSearchData, Credits, PageMeta } from '../client/index.ts';
import { dataAnswer, plainAnswer, type ToolAnswer, takeFitting, trimToFit } from './answer.ts';
import { filtersAsInSearch, filtersSchema } from './filterSchema.ts';
import { lookUp } from './lookUp.ts';
import type { Arguments, Tool, ToolApi } from './tool.ts';

const PAGE_MAX = 50;
const PAGE_USUAL = 10;
/** Most characters of the text of minutes in one answer. */
const TEXT_CHARACTERS = 15_000;
const IDS_MAX = 100;
const QUESTION_MAX = 500;
const ASK_WAIT_MS = 20_000;
const ASK_POLL_MS = 500;

const id = { type: 'integer', minimum: 1 };
const cursor = { type: 'string', pattern: '^\\d{1,9}$', description: 'nextCursor of the answer before' };

const USUAL_FIELDS = [
  ...(['id', 'projectName', 'address', 'city', 'county', 'state', 'latitude', 'longitude', 'meetingDate'] as const),
  ...(['propertyTypeLabel', 'statusLabel', 'lastUpdated', 'serviceLink'] as const),
];

interface Remarks {
  creditsUsed?: number;
  creditsRemaining?: number | null;
  warnings?: readonly { message: string }[];
  delivery?: object | undefined;
}

const remarks = ({ creditsUsed, creditsRemaining, warnings = [], delivery }: Remarks) => ({
  ...(creditsUsed ? { creditsUsed, creditsRemaining } : {}),
  ...(delivery && 'changedSince' in delivery ? { changedSince: delivery.changedSince } : {}),
  notes: warnings.map(({ message }) => message),
});

const offsetOf = ({ cursor: text = 0 }: Arguments) => Number(text);
const limitOf = ({ limit }: Arguments) => (limit === undefined ? PAGE_USUAL : Number(limit));
/** Most records of a page that shows what is new: what was delivered is not new any more, so that all of it has to fit into the answer. */
const NEW_MAX = 20;
const filtersOf = ({ filters: given }: Arguments) => (given ?? {}) as Arguments;

const creditsOf = async (api: ToolApi): Promise<Credits> => (await api.ask('getCredits', {})).data;
const searchProjects: Tool = {
  name: 'search_projects',
  title: 'Search projects',
  description: `US land-use projects (rezonings, site plans, permits) from meeting minutes, newest meeting first. A meeting in the last year unless dateRange is sent (all, last_3_months, …). Values of filters: {"states":["CO"],"propertyTypes":["residential"],"acreageMin":2,"q":"solar|battery storage"}. deliveryMode "new": ${NEW_MAX} a call.`,
  properties: {
    filters: filtersSchema('deliveryMode'),
    limit: { type: 'integer', minimum: 1, maximum: PAGE_MAX, description: `${PAGE_USUAL} unless given` },
    cursor,
  },
  spends: true,
  call: async (api, given) => {
    const offset = offsetOf(given);
    const isNew = String(filtersOf(given).deliveryMode ?? '').toLowerCase() === 'new';
    const limit = isNew ? Math.min(limitOf(given), NEW_MAX) : limitOf(given);
    const query = { ...filtersOf(given), limit, offset, representation: 'compact', format: 'json' };
    const answer = await api.ask('searchProjects', query);
    const [meta, records] = [answer.meta as PageMeta, answer.data as unknown as Arguments[]];
    const shown = takeFitting(records.map((record) => Object.fromEntries(USUAL_FIELDS.map((name) => [name, record[name]]))));
    const isCut = shown.length < records.length;
    const counted = { matchCount: meta.matchCount, matchCountIsExact: meta.matchCountIsExact, suggestions: meta.suggestions };
    return dataAnswer({
      records: shown,
      ...counted,
      ...remarks(meta),
      ...((meta.hasMore || isCut) && !isNew ? { nextCursor: String(isCut ? offset + shown.length : meta.total) } : {}),
    });
  },
};

const countProjects: Tool = {
  name: 'count_projects',
  title: 'Count projects',
  description:
    'How many projects match, exactly, and what they would cost; with include: "contacts" in the filters also what their contacts would. Free.',
  properties: { filters: filtersSchema('deliveryMode', 'include') },
  call: async (api, given) => {
    const { data, meta } = await api.ask('countProjects', filtersOf(given));
    const { matchCount, creditsRequired, creditsRemaining, contacts } = data;
    return plainAnswer({ matchCount, creditsRequired, ...(contacts ? { contacts } : {}), creditsRemaining, ...remarks(meta) });
  },
};

const getProject: Tool = {
  name: 'get_project',
  title: 'Read a project',
  description: 'Everything known of one project; meetingDocumentId leads to its minutes.',
  properties: { id },
  required: ['id'],
  spends: true,
  call: async (api, given) => {
    const { data, meta } = await api.ask('getProject', { id: given.id, representation: 'standard' });
    return dataAnswer({ project: data && trimToFit(data as unknown as Arguments), ...remarks(meta) });
  },
};

const getEvidence: Tool = {
  name: 'get_evidence',
  title: 'Proof of values',
  description: 'The words of the minutes from which the values of a project were read, each with its document.',
  properties: { id },
  required: ['id'],
  spends: true,
  call: async (api, given) => {
    const { data, meta } = await api.ask('getProjectEvidence', { id: given.id });
    return dataAnswer({ evidence: takeFitting(data?.evidence ?? []), ...remarks(meta) });
  },
};

const getDocument: Tool = {
  name: 'get_document',
  title: 'Read minutes',
  description: 'The text of a meeting document, a part at a time. Read on under the same quote, where there was one.',
  properties: { id, cursor },
  required: ['id'],
  spends: true,
  bound: ({ id: document }) => ({ id: document }), // further parts are repetitions of the same spend
  call: async (api, given) => {
    const { data, meta } = await api.ask('getDocument', { id: given.id });
    const { text, ...about } = data as unknown as { text: string | null };
    const from = offsetOf(given);
    const shown = (text ?? '').slice(from, from + TEXT_CHARACTERS);
    const end = from + shown.length;
    const next = end < (text?.length ?? 0) ? { nextCursor: String(end) } : {};
    return dataAnswer({ ...trimToFit(about), text: shown, ...remarks(meta), ...next });
  },
};

/** What one aggregate asks. */
const QUERY = {
  filters: filtersAsInSearch,
  groupBy: { type: 'array', maxItems: 2, items: { type: 'string' } },
  interval: { type: 'string', enum: ['week', 'month', 'quarter', 'year'] },
  metrics: {
    type: 'array',
    items: {
      type: 'object',
      properties: { op: { type: 'string', enum: ['count', 'sum', 'avg', 'median', 'min', 'max'] }, field: { type: 'string' } },
      additionalProperties: false,
    },
  },
  limit: { type: 'integer', minimum: 1, maximum: 100 },
};

const aggregate: Tool = {
  name: 'aggregate_projects',
  title: 'Counts and statistics',
  description:
    'Counts, sums, averages and medians of what matches, by up to two dimensions (state, county, city, propertyType, propertySubtype, assetClass, status, projectSize, requestType, decisionBody, meetingDate with its interval, …) of fields such as acreage, totalUnitCount, squareFootage; small groups are left out. Free.',
  properties: {
    ...QUERY,
    queries: {
      type: 'array',
      maxItems: 6,
      items: { type: 'object', properties: QUERY, additionalProperties: false },
      description: 'Several at once, in place of the others',
    },
  },
  call: async (api, given) => {
    const { data, meta } = await api.ask('aggregateProjects', { body: given });
    const answerOf = ({ groups: all, totals }: typeof data, isCut: boolean, share = 1) => {
      const groups = takeFitting(all, share);
      return { groups, totals, truncated: isCut || groups.length < all.length };
    };
    const results = data.results?.map((one, _, { length }) => answerOf(one, one.meta.truncated, length));
    return plainAnswer({ ...(results ? { results } : answerOf(data, meta.truncated)), ...remarks(meta) });
  },
};

const getOdds: Tool = {
  name: 'get_odds',
  title: 'Odds and days to decision',
  description:
    'Shares of what is approved, denied, withdrawn or given up with their intervals of 95 %, and days to decision with undecided projects counted rightly, by up to two dimensions; a group needs five decided records. summary says all of it in a sentence. Free.',
  properties: {
    filters: filtersAsInSearch,
    by: {
      type: 'array',
      maxItems: 2,
      items: { type: 'string' },
      description: 'state, county, city, decisionBody, propertyType, propertySubtype, requestType, staffRecommendation, meetingDate, …',
    },
    since: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'only what was first heard on this day or later' },
    limit: { type: 'integer', minimum: 1, maximum: 100 },
  },
  call: async (api, given) => {
    const { data, meta } = await api.ask('getOdds', { body: given });
    const groups = takeFitting(data.groups);
    const summary = data.totals && { summary: describeOdds(data.totals) };
    const truncated = meta.truncated || groups.length < data.groups.length;
    return plainAnswer({ ...summary, groups, totals: data.totals, truncated, ...remarks(meta) });
  },
};

/** The keys of a brief's place that the tool takes; shapes are for programs. */
const BRIEF_PLACES = ['projectId', 'point', 'county', 'city', 'address', 'parcel'] as const;

const siteBrief: Tool = {
  name: 'site_brief',
  title: 'Site brief',
  description:
    'What is known of one place (send one of its six keys) and a use: precedents, odds, how long it takes, moratoria, hearings ahead, who decides, zoning, and what is not known; each sentence with its quote or the request that repeats its number. Costs what its precedents cost; free with maxPrecedents 0.',
  properties: {
    projectId: id,
    point: { type: 'object', properties: { lat: { type: 'number' }, lng: { type: 'number' } }, additionalProperties: false },
    county: { type: 'string', description: 'Boulder County, CO' },
    city: { type: 'string', description: 'Boulder, CO' },
    address: { type: 'string' },
    parcel: { type: 'string' },
    use: {
      type: 'object',
      properties: { type: { type: 'string', description: 'Building Type' }, subtype: { type: 'string' } },
      additionalProperties: false,
    },
    maxPrecedents: { type: 'integer', minimum: 0, maximum: 20, description: '5 unless given' },
  },
  writes: true,
  spends: true,
  call: async (api, given) => {
    const place = Object.fromEntries(BRIEF_PLACES.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])));
    const { use, maxPrecedents } = given;
    const { data, meta } = await api.ask('createBrief', {
      body: { place, ...(use ? { use } : {}), ...(maxPrecedents === undefined ? {} : { maxPrecedents }) },
    });
    const told = data.sections.flatMap(({ id: section, statements }) =>
      // The summary repeats sentences of the others.
      section === 'summary'
        ? []
        : statements.map(({ text, basis, quote, call, projectId }) => ({ section, text, basis, quote, call, projectId })),
    );
    const statements = takeFitting(told);
    const truncated = statements.length < told.length;
    return dataAnswer({ id: data.id, place: data.place.label, asOf: data.asOf, url: data.url, statements, truncated, ...remarks(meta) });
  },
};

const getAlerts: Tool = {
  name: 'get_alerts',
  title: 'Standing searches',
  description: 'Alerts of the key; with an id, what that alert has delivered. Free.',
  properties: { id: { type: 'string' }, cursor },
  call: async (api, given) => {
    const offset = offsetOf(given);
    const cursorAfter = (shown: number, { hasMore, pageCount }: { hasMore: boolean; pageCount: number }) =>
      hasMore || shown < pageCount ? { nextCursor: String(offset + shown) } : {};
    if (given.id === undefined) {
      const { data, meta } = await api.ask('listAlerts', { offset });
      const alerts = takeFitting(data);
      return dataAnswer({ alerts, ...cursorAfter(alerts.length, meta) });
    }
    const { data, meta } = await api.ask('listAlertMatches', { id: given.id, offset });
    const records = data as unknown as Arguments[];
    const matches = takeFitting(records.map((record) => Object.fromEntries(USUAL_FIELDS.map((name) => [name, record[name]]))));
    return dataAnswer({ matches, ...cursorAfter(matches.length, meta) });
  },
};

const getCredits: Tool = {
  name: 'get_credits',
  title: 'Credits',
  description: 'Balance, plan and limits. Free.',
  properties: {},
  call: async (api) => plainAnswer({ ...(await creditsOf(api)) }),
};

const createExport: Tool = {
  name: 'create_export',
  title: 'Export as CSV',
  description: 'A CSV file of everything that matches, up to 10,000 rows; get_job says when it is ready.',
  properties: { filters: filtersAsInSearch },
  writes: true,
  spends: true,
  call: async (api, given) => plainAnswer((await api.ask('createExport', { body: { filters: filtersOf(given) } })).data),
};

const findContacts: Tool = {
  name: 'find_contacts',
  title: 'Find Contact Info',
  description:
    'Looks up email and phone of the people behind projects; get_job says when it is done. Always quoted first: it takes credits or allowance.',
  properties: { projectIds: { type: 'array', items: id, minItems: 1, maxItems: IDS_MAX } },
  required: ['projectIds'],
  spends: true,
  alwaysQuoted: async (api, given) => {
    const { contactCreditRate, enrichment } = await creditsOf(api);
    const lookUps = new Set(given.projectIds as number[]).size;
    const left = enrichment.remaining === null ? {} : { lookUpsLeft: enrichment.remaining };
    return { credits: contactCreditRate * lookUps, lookUps, ...left };
  },
  call: async (api, given) => plainAnswer((await api.ask('createEnrichment', { body: given })).data),
};

/** What an AI search has found so far. */
function shownSearch({ id, status, partialReason, interpretation, progress, matchCount, results, related }: AiSearchData): ToolAnswer {
  const shown = results.map(({ id: project, projectName, city, state, meetingDate, whyThisMatched, matchEvidence }) => ({
    id: project,
    projectName,
    city,
    state,
    meetingDate,
    whyThisMatched,
    matchEvidence,
  }));
  const mayBeRelated = related && { count: related.count, records: takeFitting(related.records, 2) };
  const { criteria } = interpretation;
  return dataAnswer({ id, status, partialReason, criteria, progress, matchCount, results: takeFitting(shown, 2), mayBeRelated });
}

const ask: Tool = {
  name: 'ask',
  title: 'Ask a question',
  description:
    'A question in plain words, such as "townhomes that neighbours objected to": the projects whose documents answer it, with the sentences that show it; those of mayBeRelated are no answers, and cost nothing. Waits up to 20 s; get_job (ais_…) has what comes later.',
  properties: {
    question: { type: 'string', maxLength: QUESTION_MAX },
    filters: filtersAsInSearch,
    limit: { type: 'integer', minimum: 1, maximum: PAGE_MAX },
  },
  required: ['question'],
  writes: true,
  spends: true,
  call: async (api, given) => {
    const body = { query: given.question, filters: filtersOf(given), limit: limitOf(given), notify: { email: false } };
    let { data } = await api.ask('createAiSearch', { body });
    for (let waited = 0; waited < ASK_WAIT_MS && ['queued', 'running'].includes(data.status); waited += ASK_POLL_MS) {
      await sleep(ASK_POLL_MS);
      ({ data } = await api.ask('getAiSearch', { id: data.id }));
    }
    return shownSearch(data);
  },
};

const getJob: Tool = {
  name: 'get_job',
  title: 'Where a job stands',
  description: 'An export (exp_…), a contact look-up (enr_…) or a question (ais_…). Free.',
  properties: { id: { type: 'string', pattern: '^(exp|enr|ais)_' } },
  required: ['id'],
  call: async (api, given) => {
    if (String(given.id).startsWith('ais_')) return shownSearch((await api.ask('getAiSearch', { id: given.id })).data);
    const operation = String(given.id).startsWith('exp_') ? 'getExport' : 'getEnrichment';
    return plainAnswer((await api.ask(operation, { id: given.id })).data);
  },
};

export const TOOLS: readonly Tool[] = [
  searchProjects,
  countProjects,
  getProject,
  getEvidence,
  getDocument,
  ask,
  aggregate,
  getOdds,
  siteBrief,
  lookUp,
  getAlerts,
  getCredits,
  createExport,
  findContacts,
  getJob,
];
