import { type TSchema, Type } from 'typebox';
import { nullableBodyAccuracy } from '../../core/domain/accuracy.ts';
import { flag, nullable, object } from '../../core/domain/record/field.ts';
import { COVERAGE_DIMENSIONS } from '../../core/filter/controls.ts';
import { MEASUREMENTS } from '../../core/query/dimensions.ts';
import { environmentOf } from '../../core/search/services.ts';
import { json, type Route, route } from '../../http/declaration.ts';
import { filterEchoSchemas, MATCH_WARNINGS, SELECTION_ERRORS } from '../../http/pageSchemas.ts';
import { anyText, moment, whole } from '../../http/schemas.ts';
import { ANSWERED_BODIES_MAX, type AnswerableServices, findAnswerable } from './answerable.ts';
import { type BodyServices, listBodies } from './bodies.ts';
import { measureCoverage } from './coverage.ts';
import { COVERAGE_CONTROLS, parseAnswerable, parseCoverage } from './coverageRequest.ts';
import { groupKey } from './routes.ts';

const described = (schema: TSchema, description: string) => ({ ...schema, description });
const hideable = (schema: TSchema, description: string) =>
  described(nullable(schema), `${description}; null where it would rest on too few records`);

const covered = object({
  records: whole,
  newestMeeting: hideable(Type.String({ format: 'date' }), 'Of the meetings that have been held'),
  daysSinceNewestMeeting: hideable(whole, 'From the newest meeting to today'),
  meanDaysToLoad: hideable(Type.Number(), 'Mean days from the meeting of a record to the load that brought its last change'),
  filledShare: hideable(Type.Number({ minimum: 0, maximum: 1 }), 'Mean share of the extracted attributes that a record states'),
  filled: described(
    nullable(object(Object.fromEntries(MEASUREMENTS.map((field) => [field, hideable(whole, `Records that state ${field}`)])))),
    'How many records state each measurement; null by two dimensions',
  ),
});
const KEYS = [...COVERAGE_DIMENSIONS, 'city', 'decisionBody'] as const;
const dimensionObject = (schema: TSchema) => object(Object.fromEntries(KEYS.map((name) => [name, Type.Optional(schema)])));
const bodyOnly = (schema: TSchema, description: string) => Type.Optional(described(schema, `By body: ${description}`));
const date = Type.String({ format: 'date' });
/** Further fields of a row that is a decision body. */
const rhythm = {
  bodyKey: bodyOnly(Type.String(), 'the body of this place, always under this key'),
  cadenceDays: bodyOnly(nullable(Type.Number({ minimum: 1 })), 'median days between meetings; null of fewer than six meetings'),
  weekdays: bodyOnly(
    Type.Array(Type.Integer({ minimum: 1, maximum: 7 })),
    'on which it usually meets, 1 is Monday; empty without a pattern',
  ),
  usualPauseDays: bodyOnly(nullable(whole), 'the pause that it makes about once a year'),
  lastMeetingDate: bodyOnly(nullable(date), 'its last meeting that has been read'),
  expectedBy: bodyOnly(nullable(date), 'the day by which its next meeting was due'),
  missed: bodyOnly(whole, 'meetings that fell due from that day to today'),
  staleSince: bodyOnly(nullable(date), 'the day since which it counts as silent; null where it does not'),
  lastExtractedAt: bodyOnly(nullable(moment), 'when the newest statement of a record that names it was extracted'),
  accuracy: bodyOnly(nullableBodyAccuracy, 'how many of its values that people compared with the minutes are right; null where none was'),
};
const group = object({ keys: dimensionObject(groupKey), labels: dimensionObject(anyText), ...covered.properties, ...rhythm });

const answerable = object({
  matchCount: described(whole, 'As `GET /projects/count` has it; by ids on plans that pay for records, those that your pool holds'),
  fields: Type.Array(
    object({
      name: Type.String(),
      stated: hideable(whole, 'Records that state it'),
      share: hideable(Type.Number({ minimum: 0, maximum: 1 }), 'Of `matchCount`, four decimals'),
    }),
  ),
  bodies: described(
    Type.Array(object({ bodyKey: Type.String(), from: date, to: date, lastExtractedAt: nullable(moment) })),
    `Decision bodies that 5 records or more name, ${ANSWERED_BODIES_MAX} at most, with the first and latest hearing of these records`,
  ),
  years: described(Type.Array(object({ year: Type.Integer(), records: whole })), 'Years with a meeting of 5 records or more'),
  missing: described(Type.Array(anyText), 'What the selection cannot answer, a sentence each'),
});

/** `GET /coverage`, `GET /coverage/answerable`. */
export const coverageRoutes = (services: AnswerableServices & BodyServices): Route[] => [
  route('Analytics', 'getCoverage', 'GET /coverage', {
    summary: 'How much the data holds by state, county and month, how fresh and how full it is',
    description:
      'Counts and hides as analytics does: a group under 5 records is absent, and others with it where they would give it away. Every meeting is meant unless a date filter is sent. `by=body` lists decision bodies: how often each meets, when its next meeting was due, and since when it is silent.',
    query: {
      table: {
        filters: true,
        controls: COVERAGE_CONTROLS,
        parse: (sent, { principal }) => parseCoverage(sent, principal, environmentOf(services)),
      },
    },
    lifetime: { seconds: 300, scope: 'private' },
    answers: [
      json(object({ groups: Type.Array(group), totals: nullable(covered) }), {
        meta: object({
          creditsUsed: whole,
          suppressedGroups: described(flag, 'Whether groups were hidden; never how many'),
          asOf: Type.String({ format: 'date', description: 'Today by the service clock, from which days are counted' }),
          ...filterEchoSchemas(...MATCH_WARNINGS),
        }),
      }),
    ],
    errors: [...SELECTION_ERRORS, 'service_unavailable'],
    example: { path: '/v1/coverage?states=CO&groupBy=county' },
    handle: ({ actor, query }) => (query.byBody ? listBodies(services, actor, query) : measureCoverage(services, actor, query)),
  }),
  route('Analytics', 'getAnswerable', 'GET /coverage/answerable', {
    summary: 'Which fields, bodies and years of a selection carry an answer, and what is missing',
    description:
      'Filters and default window as `GET /projects/count`, whose other parameters are ignored. Counts and hides as analytics does: of fewer than 5 matches nothing but their number is told. Free.',
    query: {
      table: {
        filters: true,
        controls: {},
        parse: (sent, { principal }) => parseAnswerable(sent, principal, environmentOf(services)),
      },
    },
    lifetime: { seconds: 300, scope: 'private' },
    answers: [
      json(answerable, {
        meta: object({ creditsUsed: whole, suppressedGroups: flag, ...filterEchoSchemas(...MATCH_WARNINGS) }),
      }),
    ],
    errors: [...SELECTION_ERRORS, 'service_unavailable'],
    example: { path: '/v1/coverage/answerable?states=CO&dateRange=all' },
    handle: ({ actor, query }) => findAnswerable(services, actor, query),
  }),
];
