/** Schemas of requests and answers of alerts. */
import { Type } from 'typebox';
import { flag, named, nullable, object, oneOf, id as positive } from '../../core/domain/record/field.ts';
import { filtersField } from '../../http/filterFields.ts';
import { balance, filterEchoSchemas, MATCH_WARNINGS, recordsWith } from '../../http/pageSchemas.ts';
import { opaqueId } from '../../http/pathParameters.ts';
import { anyObject, givenName, moment, restorableUntil, whole } from '../../http/schemas.ts';
import { matchEvidence } from '../aiSearch/index.ts';
import { shareBody, shareView } from '../lists/index.ts';
import { FREQUENCIES } from './cadence.ts';
import type { Match } from './matches.ts';
import { NEW_BECAUSE } from './newlyRead.ts';

const RECORDS_PER_RUN_MAX = 1_000;
const REQUIREMENT_CHARACTERS_MAX = 500;

export const text = Type.String();
const cadence = object({
  frequency: named('Frequency', oneOf(...FREQUENCIES)),
  weekday: nullable(Type.Integer({ minimum: 1, maximum: 7, description: 'Of a weekly alert: 1 Monday (default) to 7 Sunday' })),
  day: nullable(Type.Integer({ minimum: 1, maximum: 28, description: 'Of a monthly alert, default 1' })),
  beforeHearings: Type.Boolean({
    description: 'Also at 06:00 on each day before a hearing (`nextMeetingDate`) of a record that it matches; default false',
  }),
});
const filters = Type.Unsafe<Readonly<Record<string, unknown>>>(anyObject);

export const alert = object({
  id: text,
  name: text,
  status: named('AlertStatus', oneOf('active', 'paused', 'archived')),
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
      Type.Array(object({ address: text, state: named('RecipientState', oneOf('active', 'unconfirmed', 'stopped')), since: moment }), {
        description: 'Whom it mails to; of a single alert',
      }),
    ),
  }),
  maxRecordsPerRun: positive,
  maxCredits: nullable(positive),
  includeNewlyRead: flag,
  listId: text,
  problems: Type.Unsafe<readonly { param: string | null; code: string; message: string }[] | null>({
    type: ['array', 'null'],
    items: object({ param: nullable(text), code: text, message: text }),
  }),
  createdBy: positive,
  createdAt: moment,
  updatedAt: moment,
  restorableUntil,
});

const perRun = Type.Optional(Type.Integer({ minimum: 1, maximum: RECORDS_PER_RUN_MAX, description: 'Default 100' }));
export const name = givenName('What you call it; digests have it as their subject');
export const notifyKeys = {
  email: Type.Optional(Type.Boolean({ description: 'false silences the digests of members' })),
  emailTo: Type.Optional(Type.Array(text, { maxItems: 50, description: 'Further addresses; outside the team each confirms once' })),
};
export const resume = Type.Optional(Type.Literal(true, { description: 'Mails to you, which you stopped by a link, go on' }));
export const keys = {
  filters: Type.Optional(filtersField('OrderedFilters', 'What it looks for')),
  cadence: Type.Optional(Type.Partial(cadence, { additionalProperties: false })),
  share: Type.Optional(shareBody),
  notify: Type.Optional(object(notifyKeys)),
  maxRecordsPerRun: perRun,
  budget: Type.Optional(object({ maxRecordsPerRun: perRun })),
  maxCredits: Type.Optional(
    nullable(Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'A run that would cost more is refused' })),
  ),
  includeNewlyRead: Type.Optional(
    Type.Boolean({ description: 'Whether it delivers old cases that are newly read (`newly_read`); default true' }),
  ),
  specificRequirement: Type.Optional(nullable(Type.String({ maxLength: REQUIREMENT_CHARACTERS_MAX }))),
  status: Type.Optional(named('SettableAlertStatus', oneOf('active', 'paused'))),
};

/** Warnings when an alert is saved or previewed. */
export const SAVED = [...MATCH_WARNINGS, 'budget_exceeds_monthly_allowance', 'alert_nl_enrichment_failed'] as const;
export const free = { creditsUsed: whole };
export const savedMeta = object({ ...free, ...filterEchoSchemas(...SAVED), addedMembers: Type.Optional(Type.Array(positive)) });

export const delivery = object({
  deliveryId: text,
  alertId: text,
  trigger: named('RunTrigger', oneOf('manual', 'scheduled')),
  status: named('RunStatus', oneOf('running', 'completed', 'refused', 'failed', 'already_running')),
  records: whole,
  newRecords: whole,
  changedRecords: whole,
  newlyReadRecords: Type.Integer({ minimum: 0, description: 'Old cases that are newly read; not among newRecords' }),
  changedFields: Type.Array(text, { description: 'Which fields changed in those, by name' }),
  moreMatched: Type.Integer({ minimum: 0, description: 'Left for the next run; with a specificRequirement also what was not judged yet' }),
  creditsCharged: whole,
  startedAt: moment,
  finishedAt: nullable(moment),
  reason: nullable(Type.String({ description: 'Why it was refused or failed; alert_nl_enrichment_failed: it went by the filters alone' })),
  unconfirmed: nullable(object({ filters: Type.Array(text), records: nullable(whole) })),
  matchesUrl: Type.String({ format: 'uri' }),
});

export const preview = object({
  matchCount: whole,
  matchCountIsExact: Type.Boolean({ description: 'false where the numbers are the most there can be: too much would have to be judged' }),
  wouldDeliver: whole,
  billableRecordCount: whole,
  creditRate: whole,
  creditsRequired: whole,
  creditsRemaining: balance,
  affordability: object({ affordable: flag, maxAffordableRecords: whole }),
});

const changedFields = Type.Unsafe<string[] | null>({
  type: ['array', 'null'],
  items: text,
  description: 'Fields that changed since the alert delivered the record before; null of a new record, and where that is too long ago',
});
const newBecause = {
  ...nullable(named('NewBecause', oneOf(...NEW_BECAUSE))),
  description: 'Why it was delivered; null of what was delivered before the service told',
};
const why = { whyThisMatched: nullable(text), matchEvidence: nullable(matchEvidence) };
const MATCH = { deliveryId: text, dismissed: flag, ...why, changedFields, newBecause };
/** A record in any representation, with the reason of the match. */
export const match = Type.Unsafe<Match>({ anyOf: recordsWith(MATCH) });

/** Path parameter of an alert. */
export const id = opaqueId('alert', 'Id of the alert', 'alr');

/** Errors of requests that save or preview an alert. */
export const SAVING = [
  'invalid_filter',
  'geographic_access_denied',
  'alert_geography_required',
  'alert_geography_too_broad',
  'alert_limit_reached',
  'sharing_requires_paid_plan',
] as const;
