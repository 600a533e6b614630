/** JSON bodies: read with a limit, checked against a schema, every problem in one answer. */
import { isAscii, isUtf8 } from 'node:buffer';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Context, Middleware, Next } from 'koa';
import { HttpMethodEnum, koaBody } from 'koa-body';
import { ApiError, type RequestProblem, type RequestRefusal } from '../core/domain/errors.ts';
import { isStorableText } from '../core/domain/storableText.ts';
import { readBodyInTime } from './bodyDeadline.ts';
import { acceptsFilter, COMPONENT_KEYWORD, FILTER_KEYWORD } from './filterFields.ts';
import { schemaProblems } from './schemaProblems.ts';
import { describePlace, REFERENCE_KEYWORD } from './schemaWords.ts';

const BODY_LIMIT_BYTES = 256 * 1024;

const ajv = new Ajv2020({ allErrors: true, useDefaults: true, allowUnionTypes: true, verbose: true });
formats.default(ajv, ['date-time', 'date']);
ajv.addVocabulary([FILTER_KEYWORD, COMPONENT_KEYWORD, REFERENCE_KEYWORD]);

/** Refuses a body whose headers say that it is not JSON in UTF-8, before it is read. */
export const refuseNonJsonBody: Middleware = (ctx, next) => {
  if (!ctx.request.length && ctx.req.headers['transfer-encoding'] === undefined) return next();
  if (!ctx.is('json', '+json'))
    throw unsupportedBodyError(
      `The body must be application/json, not ${ctx.request.type.slice(0, 80) || 'of no Content-Type'}`,
      'application/json',
    );
  const charset = ctx.request.charset;
  if (charset === '' || /^utf-?8$/i.test(charset)) return next();
  throw unsupportedBodyError(`The body must be UTF-8, not ${charset.slice(0, 80)}`, 'application/json; charset=utf-8');
};

function unsupportedBodyError(message: string, supported: string): ApiError {
  return new ApiError('invalid_request', message, { param: 'Content-Type', details: { supported: [supported] } });
}

/** Reads the body as bytes, one character each: other decoders would silently replace invalid UTF-8. */
const readBytes = (limitBytes: number): Middleware =>
  koaBody({
    json: true,
    jsonStrict: true,
    jsonLimit: limitBytes,
    encoding: 'binary',
    includeUnparsed: true,
    multipart: false,
    urlencoded: false,
    text: false,
    parsedMethods: [HttpMethodEnum.POST, HttpMethodEnum.PATCH, HttpMethodEnum.DELETE],
    onError: (error) => {
      const tooLarge = (error as { status?: number }).status === 413;
      const message = tooLarge ? `The body is larger than ${limitBytes / 1024} KB` : `The body is not a JSON object (${error.message})`;
      throw new ApiError('invalid_request', message, { param: 'body', cause: error });
    },
  }) as Middleware;

/** Deepest nesting: deeper than any schema allows, and safe for recursive functions. */
const DEPTH_MAX = 32;
/** Half as many again as the largest body of any schema has. Each wrong one is a problem, and a body of single digits would have a million. */
const VALUES_MAX = 15_000;
const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [...Buffer.from('"\\,[]{}')];

/** The depth of nested lists and objects in JSON, and how many commas separate its values, computed without recursion. */
function measureJson(json: Buffer): { deepest: number; commas: number } {
  let [depth, deepest, commas, inText] = [0, 0, 0, false];
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (inText && byte === BACKSLASH) at += 1;
    else if (byte === QUOTE) inText = !inText;
    else if (inText) continue;
    else if (byte === COMMA) commas += 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) deepest = Math.max(deepest, ++depth);
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
  }
  return { deepest, commas };
}

const decodeBody: Middleware = (ctx, next) => {
  const bytes = Buffer.from(ctx.request.rawBody ?? '', 'latin1');
  const { deepest, commas } = measureJson(bytes);
  if (deepest > DEPTH_MAX) throw new ApiError('invalid_request', `The body is nested deeper than ${DEPTH_MAX} levels`, { param: 'body' });
  if (commas >= VALUES_MAX)
    throw new ApiError('invalid_request', `The body has more than ${VALUES_MAX} values; send fewer at once`, { param: 'body' });
  if (!isUtf8(bytes)) throw new ApiError('invalid_request', 'The body is not UTF-8', { param: 'body' });
  if (!isAscii(bytes)) ctx.request.body = JSON.parse(bytes.toString('utf8'));
  return next();
};

/** Reads JSON into `ctx.request.body`. */
export const readBody = (limitBytes = BODY_LIMIT_BYTES): readonly Middleware[] => [readBodyInTime(readBytes(limitBytes)), decodeBody];

/** Reads a form without files into `ctx.request.body`. */
export const readForm = (limitBytes: number): Middleware =>
  readBodyInTime(
    koaBody({
      urlencoded: true,
      formLimit: limitBytes,
      json: false,
      text: false,
      multipart: false,
      onError: (error) => {
        throw new ApiError('invalid_request', `The form cannot be read (${error.message})`, { param: 'body', cause: error });
      },
    }) as Middleware,
  ) as Middleware;

/** Runs middleware by itself, such as what reads a body. */
export const runAlone = (ctx: Context, middlewares: readonly Middleware[]): Promise<unknown> =>
  middlewares.reduceRight<Next>(
    (next, middleware) => () => middleware(ctx, next),
    async () => undefined,
  )();

export const isObject = (body: unknown): body is Record<string, unknown> =>
  typeof body === 'object' && body !== null && !Array.isArray(body);

/** Problems of texts that Postgres cannot store. */
function findUnusableTexts(value: unknown, place = '', depth = 0): RequestProblem[] {
  if (typeof value === 'string') {
    if (isStorableText(value)) return [];
    const message = `${describePlace(place.split('.')) || 'The body'} holds a null byte or half a character; remove it`;
    return [{ param: place || 'body', code: 'invalid_value', message }];
  }
  if (typeof value !== 'object' || value === null || depth === DEPTH_MAX) return [];
  return Object.entries(value).flatMap(([name, inner]) => findUnusableTexts(inner, place ? `${place}.${name}` : name, depth + 1));
}

/** The place where a body accepts a filter that was sent at its top level; undefined if nowhere. */
const findFilterPlace =
  ({ properties = {} }: BodySchema) =>
  (name: string) =>
    properties.filters && acceptsFilter(properties.filters, name) ? `filters.${name}` : undefined;

/** Whether a place in a body belongs to a field that is a filter, whose values are refused as in a query string. */
const isInFilter = ({ properties = {} }: BodySchema, place: string | null | undefined) =>
  properties[place?.split('.')[0] ?? '']?.[FILTER_KEYWORD] !== undefined;

interface BodySchema {
  properties?: Readonly<Record<string, { [FILTER_KEYWORD]?: unknown; [COMPONENT_KEYWORD]?: unknown }>>;
}

/** Returns every problem of a body; an absent body counts as `{}`. Sets the schema's defaults. */
export type BodyCheck = (body: unknown) => RequestRefusal[];

/** Makes the check of a route's body; the schema is compiled at first use, so that a process starts sooner. @param example a valid body */
export function makeBodyCheck(schema: BodySchema, example?: unknown): BodyCheck {
  let validate: ValidateFunction | undefined;
  const context = { example, takenAt: findFilterPlace(schema) };
  return (body) => {
    validate ??= ajv.compile(schema);
    const ofSchema = validate(body) ? [] : schemaProblems(validate.errors ?? [], context);
    return [...ofSchema, ...findUnusableTexts(body)].map((problem) => ({
      ...problem,
      answer: problem.code === 'invalid_value' && isInFilter(schema, problem.param) ? 'invalid_filter' : 'invalid_request',
    }));
  };
}
