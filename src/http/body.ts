/** JSON bodies: read with a limit, checked against a schema, every problem in one answer. */
import { isAscii, isUtf8 } from 'node:buffer';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Middleware } from 'koa';
import { HttpMethodEnum, koaBody } from 'koa-body';
import { ApiError, type RequestProblem, type RequestRefusal } from '../core/domain/errors.ts';
import { nearestName } from '../core/filter/nearest.ts';
import { shown } from '../core/filter/raw.ts';
import { readInTime } from './bodyDeadline.ts';
import { COMPONENT_KEYWORD, FILTER_KEYWORD } from './filterFields.ts';

export const BODY_LIMIT_BYTES = 256 * 1024;

const ajv = new Ajv2020({ allErrors: true, useDefaults: true, allowUnionTypes: true, verbose: true });
formats.default(ajv, ['date-time']);
ajv.addVocabulary([FILTER_KEYWORD, COMPONENT_KEYWORD]);

/** Refuses a body whose headers say that it is not JSON in UTF-8, before it is read. */
export const refuseForeignBody: Middleware = (ctx, next) => {
  if (!ctx.request.length && ctx.req.headers['transfer-encoding'] === undefined) return next();
  if (!ctx.is('json', '+json'))
    throw foreign(`The body must be application/json, not ${ctx.request.type.slice(0, 80) || 'of no Content-Type'}`, 'application/json');
  const charset = ctx.request.charset;
  if (charset === '' || /^utf-?8$/i.test(charset)) return next();
  throw foreign(`The body must be UTF-8, not ${charset.slice(0, 80)}`, 'application/json; charset=utf-8');
};

function foreign(message: string, supported: string): ApiError {
  return new ApiError('invalid_request', message, { param: 'Content-Type', details: { supported: [supported] } });
}

/** Reads the body as bytes, one character each: other decoders would silently replace invalid UTF-8. */
const readBytes: Middleware = koaBody({
  json: true,
  jsonStrict: true,
  jsonLimit: BODY_LIMIT_BYTES,
  encoding: 'binary',
  includeUnparsed: true,
  multipart: false,
  urlencoded: false,
  text: false,
  parsedMethods: [HttpMethodEnum.POST, HttpMethodEnum.PATCH, HttpMethodEnum.DELETE],
  onError: (error) => {
    const tooLarge = (error as { status?: number }).status === 413;
    const message = tooLarge ? `The body is larger than ${BODY_LIMIT_BYTES / 1024} KB` : `The body is not a JSON object (${error.message})`;
    throw new ApiError('invalid_request', message, { param: 'body', cause: error });
  },
}) as Middleware;

/** Deepest nesting: deeper than any schema allows, and safe for recursive functions. */
const DEPTH_MAX = 32;
const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [...Buffer.from('"\\[]{}')];

/** The depth of nested lists and objects in JSON, computed without recursion. */
function depthOf(json: Buffer): number {
  let [depth, deepest, inText] = [0, 0, false];
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (inText && byte === BACKSLASH) at += 1;
    else if (byte === QUOTE) inText = !inText;
    else if (inText) continue;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) deepest = Math.max(deepest, ++depth);
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
  }
  return deepest;
}

const decodeBody: Middleware = (ctx, next) => {
  const bytes = Buffer.from(ctx.request.rawBody ?? '', 'latin1');
  if (depthOf(bytes) > DEPTH_MAX)
    throw new ApiError('invalid_request', `The body is nested deeper than ${DEPTH_MAX} levels`, { param: 'body' });
  if (!isUtf8(bytes)) throw new ApiError('invalid_request', 'The body is not UTF-8', { param: 'body' });
  if (!isAscii(bytes)) ctx.request.body = JSON.parse(bytes.toString('utf8'));
  return next();
};

/** Reads JSON into `ctx.request.body`. */
export const readBody: readonly Middleware[] = [readInTime(readBytes), decodeBody];

/** A suggestion for an unknown text, as the end of a message and as a value. */
function meant(text: unknown, values: readonly unknown[], place = ''): { hint: string; didYouMean?: string } {
  const names = values.filter((value) => typeof value === 'string');
  const near = typeof text === 'string' ? nearestName(text, names) : undefined;
  return near ? { hint: `; did you mean '${place}${near}'?`, didYouMean: `${place}${near}` } : { hint: '' };
}

function schemaProblem({ instancePath, keyword, message, params, parentSchema, data }: ErrorObject): RequestProblem {
  const place = instancePath.slice(1).replaceAll('/', '.');
  const field = (name: string) => (place ? `${place}.${name}` : name);
  if (keyword === 'additionalProperties') {
    const { hint, ...suggestion } = meant(params.additionalProperty, Object.keys(parentSchema?.properties ?? {}), place ? `${place}.` : '');
    const param = field(params.additionalProperty);
    return { param, code: 'unknown_parameter', message: `There is no field '${param}' here${hint}`, ...suggestion };
  }
  if (keyword === 'required')
    return { param: field(params.missingProperty), code: 'missing', message: `${field(params.missingProperty)} is missing` };
  const problem = { param: place || 'body', code: 'invalid_value', message: `${place || 'The body'} ${message}` };
  if (keyword !== 'enum') return problem;
  const { hint, ...suggestion } = meant(data, params.allowedValues);
  return { ...problem, message: `${problem.message}: ${params.allowedValues.join(', ')}${hint}`, value: shown(data), ...suggestion };
}

export const isObject = (body: unknown): body is Record<string, unknown> =>
  typeof body === 'object' && body !== null && !Array.isArray(body);

/** Problems of texts that Postgres cannot store. */
function unusableTexts(value: unknown, place = '', depth = 0): RequestProblem[] {
  if (typeof value === 'string') {
    if (value.isWellFormed() && !value.includes('\0')) return [];
    const message = `${place || 'The body'} holds a null byte or half a character; remove it`;
    return [{ param: place || 'body', code: 'invalid_value', message }];
  }
  if (typeof value !== 'object' || value === null || depth === DEPTH_MAX) return [];
  return Object.entries(value).flatMap(([name, inner]) => unusableTexts(inner, place ? `${place}.${name}` : name, depth + 1));
}

/** Whether a place in a body belongs to a field that is a filter, whose values are refused as in a query string. */
const isInFilter = ({ properties = {} }: BodySchema, place: string | null | undefined) =>
  properties[place?.split('.')[0] ?? '']?.[FILTER_KEYWORD] !== undefined;

interface BodySchema {
  properties?: Readonly<Record<string, { [FILTER_KEYWORD]?: unknown }>>;
}

/** Returns every problem of a body; an absent body counts as `{}`. Sets the schema's defaults. */
export type BodyCheck = (body: unknown) => RequestRefusal[];

/** The check of a route's body, compiled at first use so that a process starts sooner. */
export function bodyCheck(schema: BodySchema): BodyCheck {
  let validate: ValidateFunction | undefined;
  return (body) => {
    validate ??= ajv.compile(schema);
    const ofSchema = validate(body) ? [] : (validate.errors ?? []).map(schemaProblem);
    return [...ofSchema, ...unusableTexts(body)].map((problem) => ({
      ...problem,
      answer: problem.code === 'invalid_value' && isInFilter(schema, problem.param) ? 'invalid_filter' : 'invalid_request',
    }));
  };
}
