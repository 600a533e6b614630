/** The tools that read and prepare. They are called with what was agreed to, which is 0 credits unless `accept_quote` calls them. */
import { type Credits, FILTER_NAMES, type PageMeta } from '../client/index.ts';
import { dataAnswer, fitting, fittingFields, plainAnswer } from './answer.ts';
import { lookUp } from './lookUp.ts';
import type { Arguments, Tool, ToolApi } from './tool.ts';

const PAGE_MAX = 50;
const PAGE_USUAL = 10;
/** Of the text of minutes, in one answer. */
const TEXT_CHARACTERS = 15_000;
const IDS_MAX = 100;

const filters = { type: 'object', description: 'Filters as in search_projects' };
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
}

const remarks = ({ creditsUsed, creditsRemaining, warnings = [] }: Remarks) => ({
  ...(creditsUsed ? { creditsUsed, creditsRemaining } : {}),
  notes: warnings.map(({ message }) => message),
});

const offsetOf = ({ cursor: text = 0 }: Arguments) => Number(text);
const limitOf = ({ limit }: Arguments) => (limit === undefined ? PAGE_USUAL : Number(limit));
const filtersOf = ({ filters: given }: Arguments) => (given ?? {}) as Arguments;

const creditsOf = async (api: ToolApi): Promise<Credits> => (await api.ask('getCredits', {})).data;
const searchProjects: Tool = {
  name: 'search_projects',
  title: 'Search projects',
  description: `US land-use projects (rezonings, site plans, permits) from meeting minutes, newest meeting first. A meeting in the last year unless dateRange is sent (all, last_3_months, …). Filters: ${[...FILTER_NAMES, 'deliveryMode'].join(', ')}. look_up lists their values.`,
  properties: {
    filters: {
      type: 'object',
      description:
        'Values are text, numbers or lists: {"states":["CO"],"propertyTypes":["residential"],"acreageMin":2,"q":"solar|battery storage"}',
    },
    limit: { type: 'integer', minimum: 1, maximum: PAGE_MAX, description: `${PAGE_USUAL} unless given` },
    cursor,
  },
  readOnly: true,
  spends: true,
  call: async (api, given) => {
    const offset = offsetOf(given);
    const query = { ...filtersOf(given), limit: limitOf(given), offset, representation: 'compact', format: 'json' };
    const answer = await api.ask('searchProjects', query);
    const [meta, records] = [answer.meta as PageMeta, answer.data as unknown as Arguments[]];
    const shown = fitting(records.map((record) => Object.fromEntries(USUAL_FIELDS.map((name) => [name, record[name]]))));
    const more = meta.hasMore || shown.length < records.length;
    const counted = { matchCount: meta.matchCount, matchCountIsExact: meta.matchCountIsExact, suggestions: meta.suggestions };
    return dataAnswer({ records: shown, ...counted, ...remarks(meta), ...(more ? { nextCursor: String(offset + shown.length) } : {}) });
  },
};

const countProjects: Tool = {
  name: 'count_projects',
  title: 'Count projects',
  description:
    'How many projects match, exactly, and what they would cost; with include: "contacts" in the filters also what their contacts would. Free.',
  properties: { filters },
  readOnly: true,
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
  readOnly: true,
  spends: true,
  call: async (api, given) => {
    const { data, meta } = await api.ask('getProject', { id: given.id, representation: 'standard' });
    return dataAnswer({ project: fittingFields(data as unknown as Arguments), ...remarks(meta) });
  },
};

const getDocument: Tool = {
  name: 'get_document',
  title: 'Read minutes',
  description: 'The text of a meeting document, a part at a time. Read on under the same quote, where there was one.',
  properties: { id, cursor },
  required: ['id'],
  readOnly: true,
  spends: true,
  bound: ({ id: document }) => ({ id: document }), // further parts are repetitions of the same spend
  call: async (api, given) => {
    const { data, meta } = await api.ask('getDocument', { id: given.id });
    const { text, ...about } = data as unknown as { text: string | null };
    const from = offsetOf(given);
    const shown = (text ?? '').slice(from, from + TEXT_CHARACTERS);
    const end = from + shown.length;
    const next = end < (text?.length ?? 0) ? { nextCursor: String(end) } : {};
    return dataAnswer({ ...fittingFields(about), text: shown, ...remarks(meta), ...next });
  },
};

const aggregate: Tool = {
  name: 'aggregate_projects',
  title: 'Counts and statistics',
  description: 'Counts, sums, averages and medians of what matches, by up to two dimensions; small groups are left out. Free.',
  properties: {
    filters,
    groupBy: {
      type: 'array',
      maxItems: 2,
      items: { type: 'string' },
      description:
        'state, county, city, propertyType, propertySubtype, assetClass, status, projectSize, requestType, decisionBody, meetingDate, …',
    },
    interval: { enum: ['week', 'month', 'quarter', 'year'], description: 'of meetingDate' },
    metrics: {
      type: 'array',
      items: { type: 'object', properties: { op: { enum: ['count', 'sum', 'avg', 'median', 'min', 'max'] }, field: { type: 'string' } } },
      description: 'Fields: acreage, totalUnitCount, squareFootage, lotSizeSqft, buildingStories, parkingSpaces, …',
    },
    limit: { type: 'integer', minimum: 1, maximum: 100 },
  },
  readOnly: true,
  call: async (api, given) => {
    const { data, meta } = await api.ask('aggregateProjects', { body: given });
    const groups = fitting(data.groups);
    return plainAnswer({ groups, totals: data.totals, truncated: meta.truncated || groups.length < data.groups.length, ...remarks(meta) });
  },
};

const getAlerts: Tool = {
  name: 'get_alerts',
  title: 'Standing searches',
  description: 'Alerts of the key; with an id, what that alert has delivered. Free.',
  properties: { id: { type: 'string' }, cursor },
  readOnly: true,
  call: async (api, given) => {
    const offset = offsetOf(given);
    const cursorAfter = (shown: number, { hasMore, pageCount }: { hasMore: boolean; pageCount: number }) =>
      hasMore || shown < pageCount ? { nextCursor: String(offset + shown) } : {};
    if (given.id === undefined) {
      const { data, meta } = await api.ask('listAlerts', { offset });
      const alerts = fitting(data);
      return dataAnswer({ alerts, ...cursorAfter(alerts.length, meta) });
    }
    const { data, meta } = await api.ask('listAlertMatches', { id: given.id, offset });
    const records = data as unknown as Arguments[];
    const matches = fitting(records.map((record) => Object.fromEntries(USUAL_FIELDS.map((name) => [name, record[name]]))));
    return dataAnswer({ matches, ...cursorAfter(matches.length, meta) });
  },
};

const getCredits: Tool = {
  name: 'get_credits',
  title: 'Credits',
  description: 'Balance, plan and limits. Free.',
  properties: {},
  readOnly: true,
  call: async (api) => plainAnswer({ ...(await creditsOf(api)) }),
};

const createExport: Tool = {
  name: 'create_export',
  title: 'Export as CSV',
  description: 'A CSV file of everything that matches, up to 10,000 rows; get_job says when it is ready.',
  properties: { filters },
  readOnly: false,
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
  readOnly: true,
  spends: true,
  alwaysQuoted: async (api, given) => (await creditsOf(api)).contactCreditRate * new Set(given.projectIds as number[]).size,
  call: async (api, given) => plainAnswer((await api.ask('createEnrichment', { body: given })).data),
};

const getJob: Tool = {
  name: 'get_job',
  title: 'Where a job stands',
  description: 'An export (exp_…) or a contact look-up (enr_…). Free.',
  properties: { id: { type: 'string', pattern: '^(exp|enr)_' } },
  required: ['id'],
  readOnly: true,
  call: async (api, given) => {
    const operation = String(given.id).startsWith('exp_') ? 'getExport' : 'getEnrichment';
    return plainAnswer((await api.ask(operation, { id: given.id })).data);
  },
};

export const TOOLS: readonly Tool[] = [
  searchProjects,
  countProjects,
  getProject,
  getDocument,
  aggregate,
  lookUp,
  getAlerts,
  getCredits,
  createExport,
  findContacts,
  getJob,
];
