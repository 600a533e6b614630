import { Type } from 'typebox';
import { refusalOf } from '../../core/domain/errors.ts';
import { flag, named, nullable, object, oneOf, id as projectId } from '../../core/domain/record/field.ts';
import { recordSchema } from '../../core/domain/record/schemas.ts';
import { textUpTo } from '../../core/filter/kinds.ts';
import { json, onlyProblems, type Route, route } from '../../http/declaration.ts';
import { filtersField, includeField } from '../../http/filterFields.ts';
import { CHARGE_ERRORS, ENRICHMENT_ERRORS, METERED_RECORDS } from '../../http/pageSchemas.ts';
import { opaqueId } from '../../http/pathParameters.ts';
import { anyObject, moment, warnings, whole } from '../../http/schemas.ts';
import { feedbackProblems, JUDGED_MAX, judgeAnswers } from './feedback.ts';
import { INTERPRETATIONS_PER_MINUTE, interpretSentence } from './interpret.ts';
import { AI_LIMIT_DEFAULT, AI_LIMIT_MAX, QUERY_CHARACTERS_MAX } from './limits.ts';
import { type AiSearchServices, cancelAiSearch, readAiSearch, submitAiSearch } from './manage.ts';
import { aiSearchProblems, JOBS_PATH, SYNCHRONOUS_PATH, synchronousProblem } from './request.ts';
import { AI_STATUSES, PARTIAL_REASONS } from './statuses.ts';
import type { AiResult } from './view.ts';

const text = Type.String();

/** Proof of a match, also on the matches of alerts. */
export const matchEvidence = Type.Array(
  object({
    criterion: Type.String({ description: 'The words of the question that it proves' }),
    quote: Type.String({ description: 'Stands in its source, letter by letter' }),
    source: named('QuoteSource', oneOf('summary', 'rawText', 'document', 'field')),
    documentId: nullable(Type.Integer({ minimum: 1, description: 'Of a document' })),
    field: nullable(Type.String({ description: 'Of a field: its name in the record' })),
  }),
);

const RESULT = {
  whyThisMatched: text,
  matchEvidence,
  feedback: nullable(named('AnswerFeedback', oneOf('confirmed', 'dismissed'))),
};

function result() {
  const { properties, required, ...schema } = recordSchema('standard') as { properties: object; required: string[] };
  return Type.Unsafe<AiResult>({ ...schema, properties: { ...properties, ...RESULT }, required: [...required, ...Object.keys(RESULT)] });
}

const filters = Type.Unsafe<Readonly<Record<string, unknown>>>(anyObject);

const reading = object({
  words: Type.String({ description: 'Words of the question, as they stand in it' }),
  filters: Type.Array(text, { description: 'Names of the filters that they became' }),
});

const criterionWordings = object({
  criterion: Type.String({ description: 'One of `criteria`' }),
  wordings: Type.Array(text, { description: 'Other words for it, by which a language model looked for records; they prove nothing' }),
});

const related = object({
  count: Type.Integer({ minimum: 0, description: 'Records that may be related, at most 20' }),
  records: Type.Array(
    object({
      id: projectId,
      projectName: nullable(text),
      city: nullable(text),
      state: nullable(text),
      meets: Type.Array(text, {
        description:
          'Parts of the question that it meets, in its words; none if it only has some of their words, or speaks of them otherwise',
      }),
      misses: Type.Array(text, { description: 'Those that nothing of it is known to meet' }),
      quote: nullable(Type.String({ description: 'Stands in its text, and says one of the parts; null if only its fields do' })),
    }),
    { description: 'Best first; where records cost credits, those that your pool holds as they are' },
  ),
});

const search = object({
  id: text,
  status: named('AiSearchStatus', oneOf(...AI_STATUSES)),
  partialReason: nullable(named('PartialReason', oneOf(...PARTIAL_REASONS))),
  query: text,
  filters,
  interpretation: object({
    filters,
    readings: Type.Array(reading),
    criteria: Type.Array(text),
    wordings: Type.Array(criterionWordings),
    exclusions: Type.Array(text),
    warnings: Type.Array(text),
  }),
  limit: whole,
  offset: whole,
  progress: object({ candidates: whole, screened: whole, reviewed: whole, confirmed: whole }),
  matchCount: nullable(whole),
  matchCountIsExact: flag,
  results: Type.Unsafe<readonly AiResult[]>(Type.Array(result())),
  related: nullable(related),
  creditsReserved: whole,
  creditsCharged: whole,
  creditsRefunded: whole,
  contactCreditsReserved: whole,
  contactCreditsCharged: whole,
  createdAt: moment,
  startedAt: nullable(moment),
  settledAt: nullable(moment),
  expiresAt: nullable(moment),
  pollUrl: Type.String({ format: 'uri' }),
  error: nullable(object({ code: text, message: text })),
});

const sentence = object({
  filters,
  readings: Type.Array(
    object({
      words: Type.String({ description: 'Words of the sentence; those of several values follow one another, with commas' }),
      filter: Type.String({ description: 'The filter that they became' }),
      value: Type.Union([text, Type.Array(text)], { description: 'As `filters` has it' }),
    }),
  ),
  rest: nullable(Type.String({ description: 'What filters do not know; an AI search may prove it' })),
  appliedFilters: Type.Unsafe<object>({ ...anyObject, description: 'What a search with these filters applies, defaults included' }),
});

const body = object({
  query: Type.String({ minLength: 1, maxLength: QUERY_CHARACTERS_MAX, pattern: '\\S', description: 'The question, in plain words' }),
  filters: Type.Optional(filtersField('Filters', 'What every record has to satisfy')),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: AI_LIMIT_MAX, description: `Records at most; default ${AI_LIMIT_DEFAULT}` })),
  offset: Type.Optional(Type.Integer({ minimum: 0, description: 'Confirmed records to pass over' })),
  maxContactCredits: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Refuse when more credits would be reserved for contacts: one for each record of `limit`' }),
  ),
  include: Type.Optional(includeField('`contacts` looks the contacts of the confirmed records up')),
  notify: Type.Optional(object({ email: Type.Optional(Type.Boolean({ description: 'false: no mail when it is settled' })) })),
});

const judgedIds = (description: string) => Type.Optional(Type.Array(projectId, { maxItems: JUDGED_MAX, uniqueItems: true, description }));

const id = opaqueId('AI search', 'Id of the AI search', 'ais');
const meta = object({
  creditsUsed: whole,
  warnings: warnings('filter_evidence_unconfirmed', 'people_withheld', 'results_outside_licence'),
});

export function aiSearchRoutes(services: AiSearchServices): Route[] {
  const { places, publicUrl } = services;
  return [
    route('AI search', 'interpretSentence', 'GET /interpret', {
      summary: 'What a sentence means as filters: places, dates, sizes, uses, requests, bodies, statuses and names',
      description: `Reads words alone, no record: free, and counted apart from the other requests of the key: ${INTERPRETATIONS_PER_MINUTE} a minute.`,
      query: {
        own: {
          q: {
            summary: `The sentence, 1 to ${QUERY_CHARACTERS_MAX} characters`,
            example: 'denied rezonings over 5 acres in Colorado since 2024',
            kind: textUpTo(QUERY_CHARACTERS_MAX),
            required: true,
          },
        },
      },
      ownAllowance: INTERPRETATIONS_PER_MINUTE,
      lifetime: { seconds: 60, scope: 'private' },
      answers: [json(sentence, { meta: object({ creditsUsed: whole, warnings: warnings('ambiguous_place') }) })],
      errors: ['invalid_filter'],
      example: { path: '/v1/interpret?q=denied+rezonings+over+5+acres+in+Colorado' },
      handle: ({ principal, query }) => interpretSentence(services, principal, query.q),
    }),
    route('AI search', 'aiSearch', `POST ${SYNCHRONOUS_PATH}`, {
      summary: 'Refused for API keys: send the question as a job',
      answers: [json(search, { description: 'Of the web session alone', meta })],
      handle: () => {
        throw refusalOf([synchronousProblem(publicUrl)]);
      },
    }),
    route('AI search', 'createAiSearch', `POST ${JOBS_PATH}`, {
      summary: 'Ask a question in plain words; every record of the answer is proven by quotes',
      metered: `${METERED_RECORDS}. limit credits are reserved when the job is queued; what the confirmed records do not cost comes back when it is settled`,
      idempotent: 'honoured',
      body,
      readBody: (sent, principal) => onlyProblems(aiSearchProblems(sent, principal, places)),
      answers: [json(search, { status: 202, description: 'Queued: poll `pollUrl` until `settledAt` is set', meta })],
      errors: ['invalid_filter', 'geographic_access_denied', ...CHARGE_ERRORS, ...ENRICHMENT_ERRORS, 'resource_not_found'],
      example: { body: { query: 'townhomes that were continued because of drainage', filters: { states: ['CO'] }, limit: 10 } },
      handle: ({ actor, body: sent }) => submitAiSearch(services, actor, sent),
    }),
    route('AI search', 'getAiSearch', `GET ${JOBS_PATH}/{id}`, {
      summary: 'Where an AI search stands, and its records once it is settled; free, for 72 hours',
      params: { id },
      answers: [json(search, { meta })],
      errors: ['enrichment_ledger_unavailable'],
      handle: ({ actor, params }) => readAiSearch(services, actor, params.id),
    }),
    route('AI search', 'cancelAiSearch', `DELETE ${JOBS_PATH}/{id}`, {
      summary: 'Cancel an AI search: free, and only ever gives credits back',
      params: { id },
      answers: [json(search, { meta })],
      errors: ['enrichment_ledger_unavailable'],
      handle: ({ actor, params }) => cancelAiSearch(services, actor, params.id),
    }),
    route('AI search', 'judgeAnswers', `POST ${JOBS_PATH}/{id}/feedback`, {
      summary: 'Say which records answer the question and which do not: free, and your next search for it ranks by it',
      params: { id },
      body: object({
        confirm: judgedIds('Records that answer the question'),
        dismiss: judgedIds('Records that do not: the next search for the question leaves them out'),
      }),
      readBody: (sent) => onlyProblems(feedbackProblems(sent)),
      answers: [
        json(
          object({
            id: text,
            confirmed: Type.Integer({ minimum: 0, description: 'Records that your team has confirmed for this question so far' }),
            dismissed: Type.Integer({ minimum: 0, description: 'Those that it has dismissed' }),
          }),
          { meta: object({ creditsUsed: whole }) },
        ),
      ],
      errors: ['invalid_filter', 'search_unavailable', 'enrichment_ledger_unavailable'],
      example: { body: { confirm: [1001], dismiss: [1002] } },
      handle: ({ actor, params, body: sent }) => judgeAnswers(services, actor, params.id, sent),
    }),
  ];
}
