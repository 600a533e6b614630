/**
 * What `details` of each error holds, as JSON Schema; a row of the error table names its own. The types of the client, the document, the error
 * page and the check of every refusal of the test run follow.
 */
import { type TSchema, Type } from 'typebox';
import { nullable, object } from './record/valueSchemas.ts';

const text = Type.String();
const whole = Type.Integer({ minimum: 0 });
const moment = Type.String({ format: 'date-time' });
const described = <S extends TSchema>(schema: S, description: string): S => ({ ...schema, description });
const optionally = <P extends Record<string, TSchema>>(properties: P) => Type.Partial(object(properties)).properties;

/** Whether an error may come without details: if nothing of them is certain. */
export const mayLackDetails = ({ required = [] }: { required?: readonly string[] }): boolean => !required.length;

/** One thing that is wrong with a request. */
const problem = object({
  param: described(nullable(text), 'As it was sent; in a body the path to it'),
  code: described(text, 'Stable; the guide on errors lists them'),
  message: text,
  ...optionally({
    value: described(Type.Unsafe<unknown>({}), 'What was sent, shortened'),
    didYouMean: text,
    nearest: described(Type.Array(text), 'The values nearest to an unknown one'),
    reference: described(text, 'Path of the route that lists every value'),
    candidates: described(Type.Array(Type.Unsafe<unknown>({})), 'The values among which the sent one does not decide'),
  }),
});

const problems = described(Type.Array(problem), 'Everything that is wrong with the request');
const moreProblems = described(whole, 'How many there are beyond those listed');

/** Of a 400. */
const wrong = <P extends Record<string, TSchema>>(more: P) => object({ problems, ...optionally({ moreProblems }), ...more });
/** Of a refusal that may be one of several, which are all listed then. */
const oneOfSeveral = <P extends Record<string, TSchema>>(more: P) => object({ ...optionally({ problems, moreProblems }), ...more });

const quote = object({
  matchCount: whole,
  matchCountIsExact: Type.Boolean(),
  creditRate: Type.Number(),
  creditsRequired: whole,
  creditsRemaining: whole,
  affordableRecordCount: whole,
  countUrl: described(nullable(Type.String({ format: 'uri' })), 'A count that prices exactly what was refused; null where none does'),
});

const state = object({ id: whole, name: text, abbreviation: text });
const county = object({ id: whole, name: text, stateId: whole });
const tokens = Type.Array(text);

/** Ceilings that stand against saving one more. */
const ceilings = {
  maxActiveLiveKeys: whole,
  maxFeeds: whole,
  maxLists: whole,
  maxWebhooks: whole,
  maxUnconfirmedAddresses: whole,
  unconfirmedAddresses: whole,
  maxQuestions: whole,
  usedBytes: whole,
  limitBytes: whole,
};

export const DETAILS = {
  problems: wrong({}),
  amongProblems: oneOfSeveral({}),
  invalidRequest: wrong(
    optionally({
      supported: described(tokens, 'Values that can be sent'),
      alternative: described(text, 'The route that does what was asked'),
      asyncEndpoint: Type.String({ format: 'uri' }),
      candidateScanCeiling: whole,
      window: described(whole, 'How far `offset` + `limit` reach'),
      creditsRequired: whole,
      maxCredits: whole,
      maxContactCredits: whole,
      maxProjects: whole,
      projectCount: whole,
      groups: whole,
      maxGroups: whole,
      alertId: nullable(text),
      kind: text,
      state: text,
      replacedBy: nullable(text),
      userId: whole,
      closedAt: moment,
      ...ceilings,
    }),
  ),
  supported: object({ supported: described(tokens, 'Content types that are served') }),
  contactFields: wrong({ supported: tokens }),
  needsJob: wrong({ endpoints: described(tokens, 'Routes that look contacts up') }),
  cursor: wrong({ recovery: described(text, 'What to do') }),
  alertPlaces: oneOfSeveral({ maxStates: nullable(whole), maxLocalities: nullable(whole) }),
  activeAlerts: object({ maxActiveAlerts: whole }),
  geography: oneOfSeveral({
    deniedStates: Type.Array(state),
    deniedStateIds: Type.Array(whole),
    allowedStates: Type.Array(state),
    allowedStateIds: Type.Array(whole),
    ...optionally({ deniedCounties: Type.Array(county), allowedCountyIds: Type.Array(whole) }),
  }),
  ceiling: oneOfSeveral(optionally(ceilings)),
  allowance: object({
    requested: whole,
    allowance: object({ used: whole, limit: nullable(whole), remaining: nullable(whole), resetsAt: nullable(moment) }),
  }),
  unfinished: object({ status: text, pollUrl: Type.String({ format: 'uri' }) }),
  refund: object({ creditsRefunded: whole }),
  snapshot: object({ snapshotId: described(text, 'The one that is queued or being built') }),
  price: object({
    quote,
    ...optionally({
      limit: described(whole, 'The page that can be paid: send it'),
      offset: whole,
      maxPrecedents: described(whole, 'Of a brief: as many can be paid'),
    }),
  }),
  runs: object({ limit: whole, used: whole, resetsAt: moment }),
  size: object({ sizeBytes: whole }),
  rate: object({
    limit: whole,
    ...optionally({
      windowSeconds: whole,
      retryAfterSeconds: whole,
      resetsAt: moment,
      waiting: described(whole, 'How many wait of those that a team may have waiting'),
    }),
  }),
  outage: object(
    optionally({
      subsystem: text,
      fault: text,
      servers: Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: text }),
      reasons: tokens,
    }),
  ),
  tie: object({ suggestion: text, timestamp: moment, records: whole, limit: whole }),
} as const;
