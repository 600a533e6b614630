import { Type } from 'typebox';
import { flag, nullable, object, oneOf, id as positive } from '../../core/domain/record/field.ts';
import { REPRESENTATIONS, recordSchema } from '../../core/domain/record/schemas.ts';
import { choice, word } from '../../core/filter/kinds.ts';
import { json, type Route, route } from '../../http/declaration.ts';
import { balance, collectionMeta, collectionQuery, echoes, METERED_RECORDS, OF_MATCHES, representation } from '../../http/pages.ts';
import { opaqueId, wholeNumber } from '../../http/pathParameters.ts';
import { anyObject, moment, warnings, whole } from '../../http/schemas.ts';
import { matchEvidence } from '../aiSearch/index.ts';
import { shareBody, shareView } from '../lists/index.ts';
import { createFeed, deleteFeed, type FeedServices, listFeeds } from './feeds.ts';
import {
  type AlertServices,
  archiveAlert,
  changeAlert,
  createAlert,
  listAlerts,
  listDeliveries,
  readAlert,
  readDelivery,
} from './manage.ts';
import { dismiss, type Match, readMatches } from './matches.ts';
import { previewAlert } from './preview.ts';
import { alertProblems, newAlertProblems } from './request.ts';
import { runManually } from './run.ts';
import { FREQUENCIES, RECORDS_PER_RUN_MAX, REQUIREMENT_CHARACTERS_MAX } from './types.ts';

const text = Type.String();
const cadence = object({
  frequency: oneOf(...FREQUENCIES),
  weekday: nullable(Type.Integer({ minimum: 1, maximum: 7, description: 'Of a weekly alert: 1 Monday (default) to 7 Sunday' })),
  day: nullable(Type.Integer({ minimum: 1, maximum: 28, description: 'Of a monthly alert, default 1' })),
});
const filters = Type.Unsafe<Readonly<Record<string, unknown>>>(anyObject);

const alert = object({
  id: text,
  name: text,
  status: oneOf('active', 'paused', 'archived'),
  filters,
  specificRequirement: nullable(text),
  cadence,
  nextRunAt: nullable(moment),
  lastRunAt: nullable(moment),
  share: object({
    ...shareView.properties,
    members: Type.Array(object({ userId: positive, name: text, email: nullable(text) })),
  }),
  notify: object({
    email: flag,
    emailTo: Type.Array(text),
    recipients: Type.Optional(
      Type.Array(object({ address: text, state: oneOf('active', 'unconfirmed', 'stopped'), since: moment }), {
        description: 'Whom it mails to; of a single alert',
      }),
    ),
  }),
  maxRecordsPerRun: positive,
  maxCredits: nullable(positive),
  listId: text,
  problems: Type.Unsafe<readonly { param: string | null; code: string; message: string }[] | null>({
    type: ['array', 'null'],
    items: object({ param: nullable(text), code: text, message: text }),
  }),
  createdBy: positive,
  createdAt: moment,
  updatedAt: moment,
});

const perRun = Type.Optional(Type.Integer({ minimum: 1, maximum: RECORDS_PER_RUN_MAX, description: 'Default 100' }));
const name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' });
const notifyKeys = {
  email: Type.Optional(Type.Boolean({ description: 'false silences the digests of members' })),
  emailTo: Type.Optional(Type.Array(text, { maxItems: 50, description: 'Further addresses; outside the team each confirms once' })),
};
const resume = Type.Optional(Type.Literal(true, { description: 'Mails to you, which you stopped by a link, go on' }));
const keys = {
  filters: Type.Optional(Type.Unsafe<Record<string, unknown>>({ description: 'Filters by the names of the query parameters' })),
  cadence: Type.Optional(Type.Partial(cadence, { additionalProperties: false })),
  share: Type.Optional(shareBody),
  notify: Type.Optional(object(notifyKeys)),
  maxRecordsPerRun: perRun,
  budget: Type.Optional(object({ maxRecordsPerRun: perRun })),
  maxCredits: Type.Optional(
    nullable(Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'A run that would cost more is refused' })),
  ),
  specificRequirement: Type.Optional(nullable(Type.String({ maxLength: REQUIREMENT_CHARACTERS_MAX }))),
  status: Type.Optional(oneOf('active', 'paused')),
};

/** Warnings of what is saved or previewed. */
const SAVED = [...OF_MATCHES, 'budget_exceeds_monthly_allowance', 'alert_nl_enrichment_failed'] as const;
const free = { creditsUsed: whole };
const savedMeta = object({ ...free, ...echoes(...SAVED), addedMembers: Type.Optional(Type.Array(positive)) });

const delivery = object({
  deliveryId: text,
  alertId: text,
  trigger: oneOf('manual', 'scheduled'),
  status: oneOf('running', 'completed', 'refused', 'failed', 'already_running'),
  records: whole,
  newRecords: whole,
  changedRecords: whole,
  moreMatched: Type.Integer({ minimum: 0, description: 'Left for the next run; with a specificRequirement also what was not judged yet' }),
  creditsCharged: whole,
  startedAt: moment,
  finishedAt: nullable(moment),
  reason: nullable(Type.String({ description: 'Why it was refused or failed; alert_nl_enrichment_failed: it went by the filters alone' })),
  unconfirmed: nullable(object({ filters: Type.Array(text), records: nullable(whole) })),
  matchesUrl: Type.String({ format: 'uri' }),
});

const preview = object({
  matchCount: whole,
  matchCountIsExact: Type.Boolean({ description: 'false where the numbers are the most there can be: too much would have to be judged' }),
  wouldDeliver: whole,
  billableRecordCount: whole,
  creditRate: whole,
  creditsRequired: whole,
  creditsRemaining: balance,
  affordability: object({ affordable: flag, maxAffordableRecords: whole }),
});

const dismissal = json(object({ projectId: positive, dismissed: flag }), { meta: object(free) });
const MATCH = { deliveryId: text, dismissed: flag, whyThisMatched: nullable(text), matchEvidence: nullable(matchEvidence) };
/** A record of any representation, with what makes it a match. */
const match = Type.Unsafe<Match>({
  anyOf: REPRESENTATIONS.map((one) => {
    const { properties, required, ...schema } = recordSchema(one) as { properties: object; required: string[] };
    return { ...schema, properties: { ...properties, ...MATCH }, required: [...required, ...Object.keys(MATCH)] };
  }),
});

const id = opaqueId('alert', 'Id of the alert', 'alr');
const deliveryId = opaqueId('delivery', 'Id of the delivery', 'del');
const projectId = wholeNumber('match', 'Project id of a match', 1001);
const SAVING = [
  ...(['invalid_filter', 'geographic_access_denied', 'alert_geography_required', 'alert_geography_too_broad'] as const),
  ...(['alert_limit_reached', 'sharing_requires_paid_plan'] as const),
];
const REPEATABLE = ['idempotency_in_flight', 'idempotency_key_reuse'] as const;

export function alertRoutes(services: FeedServices): Route[] {
  const { places } = services;
  return [...alertsThemselves(services, places), ...whatTheyDeliver(services, places), ...feedsOf(services)];
}

const alertsThemselves = (services: AlertServices, places: AlertServices['places']): Route[] => [
  route({
    id: 'listAlerts',
    section: 'Alerts',
    method: 'get',
    path: '/alerts',
    summary: 'Alerts that you are a member of, newest first',
    query: { own: collectionQuery('Alerts') },
    answers: [json(Type.Array(alert), { meta: object({ ...collectionMeta.properties, activeAlerts: whole, maxActiveAlerts: whole }) })],
    errors: ['invalid_filter'],
    handle: ({ actor, query }) => listAlerts(services, actor, query),
  }),
  route({
    id: 'createAlert',
    section: 'Alerts',
    method: 'post',
    path: '/alerts',
    summary: 'Leave a search running: daily, weekly or monthly at 06:00 US Mountain Time',
    idempotent: 'honoured',
    body: object({ name, ...keys }),
    problemsOf: (body, principal) => newAlertProblems(body, principal, places),
    answers: [json(alert, { status: 201, description: 'Saved', meta: savedMeta })],
    errors: [...SAVING, 'forbidden', ...REPEATABLE],
    example: { body: { name: 'Two sites', filters: { projectIds: [1001, 1002] }, cadence: { frequency: 'weekly' } } },
    handle: ({ actor, body }) => createAlert(services, actor, body),
  }),
  route({
    id: 'getAlert',
    section: 'Alerts',
    method: 'get',
    path: '/alerts/{id}',
    summary: 'One alert, deleted ones too',
    params: { id },
    answers: [json(alert, { meta: object(free) })],
    errors: ['resource_not_found'],
    handle: ({ actor, params }) => readAlert(services, actor, params.id),
  }),
  route({
    id: 'changeAlert',
    section: 'Alerts',
    method: 'patch',
    path: '/alerts/{id}',
    summary: 'Change an alert; filters and lists are replaced, the rest is merged',
    params: { id },
    body: object({ name: Type.Optional(name), ...keys, notify: Type.Optional(object({ ...notifyKeys, resume })) }),
    problemsOf: (body, principal) => alertProblems(body, principal, places),
    answers: [json(alert, { meta: savedMeta })],
    errors: ['resource_not_found', 'forbidden', ...SAVING],
    example: { body: { status: 'paused' } },
    handle: ({ actor, params, body }) => changeAlert(services, actor, params.id, body),
  }),
  route({
    id: 'deleteAlert',
    section: 'Alerts',
    method: 'delete',
    path: '/alerts/{id}',
    summary: 'Delete an alert for all of its members; what it delivered stays readable',
    params: { id },
    answers: [json(object({ id: text, status: Type.Literal('archived') }), { meta: object(free) })],
    errors: ['resource_not_found'],
    handle: ({ actor, params }) => archiveAlert(services, actor, params.id),
  }),
];

const whatTheyDeliver = (services: AlertServices, places: AlertServices['places']): Route[] => [
  route({
    id: 'previewAlert',
    section: 'Alerts',
    method: 'get',
    path: '/alerts/{id}/preview',
    summary: 'What the next run would deliver and cost',
    params: { id },
    answers: [json(preview, { meta: object({ ...free, ...echoes(...SAVED) }) })],
    errors: ['resource_not_found', 'search_unavailable', ...SAVING],
    handle: ({ actor, params }) => previewAlert(services, actor, params.id),
  }),
  route({
    id: 'previewAlertWith',
    section: 'Alerts',
    method: 'post',
    path: '/alerts/{id}/preview',
    summary: 'The same with other keys in place of stored ones; nothing is saved',
    params: { id },
    body: object({ name: Type.Optional(name), ...keys }),
    problemsOf: (body, principal) => alertProblems(body, principal, places),
    answers: [json(preview, { meta: object({ ...free, ...echoes(...SAVED) }) })],
    errors: ['resource_not_found', 'search_unavailable', ...SAVING],
    example: { body: { maxRecordsPerRun: 500 } },
    handle: ({ actor, params, body }) => previewAlert(services, actor, params.id, body),
  }),
  route({
    id: 'runAlert',
    section: 'Alerts',
    method: 'post',
    path: '/alerts/{id}/run',
    summary: 'Run an alert now, three times a day',
    metered: METERED_RECORDS,
    idempotent: 'required',
    params: { id },
    body: object({}),
    answers: [
      json(delivery, {
        description: 'Completed, refused with its reason, or already running',
        meta: object({
          ...free,
          manualRuns: object({ limit: whole, used: whole, resetsAt: moment }),
          warnings: warnings('filter_evidence_unconfirmed'),
        }),
      }),
    ],
    errors: ['resource_not_found', 'manual_runs_exhausted', 'search_unavailable', ...REPEATABLE],
    handle: ({ actor, params }) => runManually(services, actor, params.id),
  }),
  route({
    id: 'listAlertDeliveries',
    section: 'Alerts',
    method: 'get',
    path: '/alerts/{id}/deliveries',
    summary: 'Runs of an alert with what each charged, newest first',
    params: { id },
    query: { own: collectionQuery('Deliveries') },
    answers: [json(Type.Array(delivery), { meta: collectionMeta })],
    errors: ['invalid_filter', 'resource_not_found'],
    handle: ({ actor, params, query }) => listDeliveries(services, actor, params.id, query),
  }),
  route({
    id: 'getAlertDelivery',
    section: 'Alerts',
    method: 'get',
    path: '/alerts/{id}/deliveries/{deliveryId}',
    summary: 'One run',
    params: { id, deliveryId },
    answers: [json(delivery, { meta: object({ ...free, warnings: warnings('filter_evidence_unconfirmed') }) })],
    errors: ['resource_not_found'],
    handle: ({ actor, params }) => readDelivery(services, actor, params.id, params.deliveryId),
  }),
  route({
    id: 'listAlertMatches',
    section: 'Alerts',
    method: 'get',
    path: '/alerts/{id}/matches',
    summary: 'Records that an alert has delivered, free; on metered plans as the pool holds them',
    params: { id },
    query: {
      own: {
        ...collectionQuery('Matches'),
        deliveryId: { summary: 'Only what this run delivered, dismissed or not', example: 'del_0000000000000000000000', kind: word },
        representation: {
          summary: 'compact, standard (default) or full',
          example: 'compact',
          kind: choice(...REPRESENTATIONS),
          refusal: 'invalid_request',
        },
      },
    },
    answers: [json(Type.Array(match), { meta: object({ ...collectionMeta.properties, representation }) })],
    errors: ['invalid_filter', 'resource_not_found', 'search_unavailable'],
    handle: ({ actor, params, query }) => readMatches(services, actor, params.id, query),
  }),
  route({
    id: 'dismissMatch',
    section: 'Alerts',
    method: 'post',
    path: '/alerts/{id}/dismissals/{projectId}',
    summary: 'Dismiss a match for everyone; it comes back when it changes',
    params: { id, projectId },
    answers: [dismissal],
    errors: ['resource_not_found'],
    handle: ({ actor, params }) => dismiss(services, actor, params.id, { projectId: params.projectId, dismissed: true }),
  }),
  route({
    id: 'undismissMatch',
    section: 'Alerts',
    method: 'delete',
    path: '/alerts/{id}/dismissals/{projectId}',
    summary: 'Take a dismissal back',
    params: { id, projectId },
    answers: [dismissal],
    errors: ['resource_not_found'],
    handle: ({ actor, params }) => dismiss(services, actor, params.id, { projectId: params.projectId, dismissed: false }),
  }),
];

const feedId = opaqueId('feed', 'Id of the feed', 'fed');
const uri = Type.String({ format: 'uri' });

const feedsOf = (services: FeedServices): Route[] => [
  route({
    id: 'createAlertFeed',
    section: 'Alerts',
    method: 'post',
    path: '/alerts/{id}/feeds',
    summary: 'Addresses at which readers and calendars fetch the matches without a key; they are shown once',
    params: { id },
    body: object({}),
    answers: [json(object({ id: text, rssUrl: uri, jsonUrl: uri, icsUrl: uri }), { status: 201, description: 'Made', meta: object(free) })],
    errors: ['resource_not_found', 'forbidden'],
    handle: ({ actor, params }) => createFeed(services, actor, params.id),
  }),
  route({
    id: 'listAlertFeeds',
    section: 'Alerts',
    method: 'get',
    path: '/alerts/{id}/feeds',
    summary: 'Feeds of an alert, without their addresses, newest first',
    params: { id },
    answers: [
      json(Type.Array(object({ id: text, createdBy: positive, createdAt: moment })), { meta: object({ ...free, pageCount: whole }) }),
    ],
    errors: ['resource_not_found'],
    handle: ({ actor, params }) => listFeeds(services, actor, params.id),
  }),
  route({
    id: 'deleteAlertFeed',
    section: 'Alerts',
    method: 'delete',
    path: '/alerts/{id}/feeds/{feedId}',
    summary: 'Revoke a feed; its addresses are unknown from then on',
    params: { id, feedId },
    answers: [json(object({ id: text, deleted: Type.Literal(true) }), { meta: object(free) })],
    errors: ['resource_not_found'],
    handle: ({ actor, params }) => deleteFeed(services, actor, params.id, params.feedId),
  }),
];
