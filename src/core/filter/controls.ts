/** Parameters that choose how an answer looks, not which records it has: order, page, representation, format, delivery mode. */
import { REPRESENTATIONS } from '../domain/record/schemas.ts';
import type { Box } from '../query/clauses.ts';
import { type CqlFilter, cqlFilter } from './cql.ts';
import { interval, type Period, period, type TimeSpan } from './dates.ts';
import { type AnyFilter, type Filter, filter, type ValuesOf } from './entry.ts';
import { CRS84, view } from './geometry.ts';
import { choice, choices, integer, type PlainKind, scalarKind } from './kinds.ts';
import { andThen, invalidValue, parseJson, parseSingle } from './raw.ts';

/** What a record may have besides the fields of its representation. */
export type Included = 'contacts' | 'derived';

export const COVERAGE_DIMENSIONS = ['state', 'county', 'month'] as const;

export const LIMIT_MAX = 100;
export const LIMIT_DEFAULT = 100;
/** Most entries of a collection, such as exports, in one answer. */
export const COLLECTION_LIMIT_MAX = 100;
/** The largest `offset + limit`. Larger sets are read by sync. */
export const SCAN_CEILING_RECORDS = 10_000;

export type SortField = 'meetingDate' | 'lastUpdated' | 'dataRichness' | 'totalUnitCount' | 'acreage';
export type Direction = 'asc' | 'desc';

/** Each value of `sort`, with its field and, if the name includes one, its direction. */
export const SORTS: Readonly<Record<string, { field: SortField; direction?: Direction }>> = {
  meetingDate: { field: 'meetingDate' },
  lastUpdated: { field: 'lastUpdated' },
  dataRichness: { field: 'dataRichness' },
  totalUnitCount: { field: 'totalUnitCount' },
  acreage: { field: 'acreage' },
  meeting_date: { field: 'meetingDate' },
  meeting_date_newest: { field: 'meetingDate', direction: 'desc' },
  meeting_date_oldest: { field: 'meetingDate', direction: 'asc' },
  updated_at: { field: 'lastUpdated' },
  data_richness: { field: 'dataRichness' },
  units_highest: { field: 'totalUnitCount', direction: 'desc' },
  units_lowest: { field: 'totalUnitCount', direction: 'asc' },
  acres_highest: { field: 'acreage', direction: 'desc' },
  acres_lowest: { field: 'acreage', direction: 'asc' },
};

export interface ContactOptions {
  cachedOnly?: boolean;
  minConfidence?: number;
  maxProjects?: number;
  companyOnly?: boolean;
}

/** Each contact option: its JSON Schema, and whether a value is valid. */
const OPTIONS = {
  cachedOnly: { schema: { type: 'boolean' }, usable: (value: unknown) => typeof value === 'boolean' },
  minConfidence: {
    schema: { type: 'number', minimum: 0, maximum: 1 },
    usable: (value: unknown) => typeof value === 'number' && value >= 0 && value <= 1,
  },
  maxProjects: { schema: { type: 'integer', minimum: 1 }, usable: (value: unknown) => Number.isInteger(value) && (value as number) >= 1 },
  companyOnly: { schema: { type: 'boolean' }, usable: (value: unknown) => typeof value === 'boolean' },
} as const satisfies Record<keyof ContactOptions, unknown>;

/** The kind of `contactOptions`. @param taken the options that the route accepts */
function contactOptions(...taken: (keyof ContactOptions)[]): PlainKind<ContactOptions> {
  const isUsable = ([key, option]: [string, unknown]) => taken.some((name) => name === key && OPTIONS[name].usable(option));
  return {
    schema: {
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(taken.map((name) => [name, OPTIONS[name].schema])),
    },
    parse: (raw) => {
      const sent = andThen(parseSingle(raw), (value) => (typeof value === 'string' ? parseJson(value) : { value }));
      return andThen(sent, (value) => {
        if (value === null || typeof value !== 'object' || Array.isArray(value))
          return invalidValue('invalid_value', 'is not a JSON object');
        const unusableKeys = Object.entries(value).flatMap((entry) => (isUsable(entry) ? [] : [entry[0].slice(0, 80)]));
        const problems = unusableKeys.map((key) => ({
          code: 'invalid_value',
          message: `has an unusable '${key}'; it takes ${taken.join(', ')}`,
        }));
        return problems.length ? { problems } : { value: value as ContactOptions };
      });
    },
    echo: (value) => value,
  };
}

/** Any of these, written as one text. */
export const included = (...taken: Included[]): PlainKind<Included[]> => ({
  ...choices(taken.length, ...taken),
  schema: { type: 'string', enum: taken.length > 1 ? [...taken, taken.join()] : taken },
  echo: (value) => value.join(),
});

const CURSOR_LENGTH_MAX = 2000;

/**
 * Any text, of which a bounded length is read: the operation that signed the cursor verifies it. Where a program of GIS sends it along with other
 * requests, nobody looks at it.
 */
const cursorText = scalarKind({ type: 'string' }, (sent) => ({
  value: String(sent).slice(0, CURSOR_LENGTH_MAX + 1),
}));

const request = <V>(entry: Omit<Filter<V>, 'fields' | 'refusal'>): Filter<V> =>
  filter({ ...entry, fields: [], refusal: 'invalid_request' });

export const CONTROLS = {
  sort: filter({
    summary: 'Order of the records; names with a suffix encode the direction',
    example: 'units_highest',
    kind: choice(...Object.keys(SORTS)),
    fields: [],
  }),
  order: filter<Direction>({
    summary: 'asc or desc; desc where `sort` names only a field',
    example: 'asc',
    kind: choice('asc', 'desc'),
    fields: [],
  }),
  limit: request({
    summary: `Records a page, 1 to ${LIMIT_MAX} (default ${LIMIT_DEFAULT}); more is clamped`,
    example: '25',
    kind: integer(1),
  }),
  offset: request({ summary: 'Records to skip; wins over `page`', example: '100', kind: integer(0) }),
  page: request({ summary: 'Page from 1; offset = (page - 1) * limit', example: '2', kind: integer(1) }),
  representation: request({
    summary: 'compact (21 fields), standard (67, default) or full (85)',
    example: 'compact',
    kind: choice(...REPRESENTATIONS),
  }),
  format: filter({ summary: 'json (default) or csv', example: 'json', kind: choice('json', 'csv'), fields: [] }),
  maxCredits: request({ summary: 'CSV only: refuse when more credits would be reserved', example: '500', kind: integer(1) }),
  maxContactCredits: request({
    summary: 'CSV only: refuse when more credits would be reserved for contacts',
    example: '50',
    kind: integer(0),
  }),
  include: filter<Included[]>({
    summary: '`contacts` turns on Find Contact Info; `derived`, with representation=full, adds what this service reads from the record',
    example: 'contacts',
    kind: included('contacts', 'derived'),
    fields: [],
  }),
  contactOptions: request({
    summary: 'JSON object; synchronous JSON takes cachedOnly true only',
    example: '{"cachedOnly":true}',
    kind: contactOptions('cachedOnly', 'minConfidence', 'maxProjects', 'companyOnly'),
  }),
  cursor: request({
    summary: 'Sync only: where the last page ended, from `meta.sync.cursor`',
    example: 'eyJ2IjoxfQ.c2ln',
    kind: cursorText,
  }),
  deliveryMode: filter({
    summary: 'all (default), or new: withhold records that the pool owns',
    example: 'new',
    kind: choice('all', 'new'),
    fields: [],
  }),
  view: filter<Box>({
    summary: 'Map only: the rectangle that is looked at, west,south,east,north; around every match unless given',
    example: '-109.1,36.9,-102,41.1',
    kind: view,
    fields: [],
  }),
  datetime: filter<TimeSpan>({
    summary: 'OGC API only: meetings at a time, or in an interval `from/to` of which one end may be open (`..` or nothing)',
    example: '2026-03-01/..',
    kind: interval,
    fields: [],
  }),
  filter: filter<CqlFilter>({
    summary: 'OGC API only: CQL2 text (Basic CQL2) over the properties of `/ogc/collections/projects/queryables`',
    example: "status = 'approved' AND acreage >= 5",
    kind: cqlFilter,
    fields: [],
  }),
  'filter-lang': filter({ summary: 'OGC API only: the language of `filter`', example: 'cql2-text', kind: choice('cql2-text'), fields: [] }),
  'filter-crs': filter({ summary: 'OGC API only: the coordinates of `filter`', example: CRS84, kind: choice(CRS84), fields: [] }),
  f: filter({
    summary: 'json or geojson: GIS programs send it, and features have no other form',
    example: 'json',
    kind: choice('json', 'geojson'),
    fields: [],
  }),
  groupBy: filter<(typeof COVERAGE_DIMENSIONS)[number][]>({
    summary: 'Coverage only: up to two of state (default), county and month of the meeting',
    example: 'county,month',
    kind: choices(2, ...COVERAGE_DIMENSIONS),
    fields: [],
  }),
  from: filter<Period>({
    summary: 'Hearings only: from the first day of this period on (default today)',
    example: '2026-12',
    kind: period,
    fields: [],
  }),
  to: filter<Period>({
    summary: 'Hearings only: up to the last day of this period (default 30 days later)',
    example: '2026-12-31',
    kind: period,
    fields: [],
  }),
  by: filter<'body'>({
    summary: 'Coverage only: body lists the decision bodies of places, with their rhythm and since when they are silent',
    example: 'body',
    kind: choice('body'),
    fields: [],
  }),
};

export type ControlName = keyof typeof CONTROLS;
export type ControlValues = ValuesOf<typeof CONTROLS>;

export type Controls = Partial<Record<ControlName, AnyFilter>>;

export const pickControls = (...names: ControlName[]): Controls => Object.fromEntries(names.map((name) => [name, CONTROLS[name]]));

/** `contactOptions` of a route that never makes look-ups. */
export const CACHED_CONTACTS: Controls = {
  contactOptions: { ...CONTROLS.contactOptions, summary: 'JSON object; cachedOnly true only', kind: contactOptions('cachedOnly') },
};

/** `deliveryMode` of a route that delivers every match. */
export const EVERY_RECORD: Controls = {
  deliveryMode: request({ summary: 'all: a copy needs every change', example: 'all', kind: choice('all') }),
};
