/**
 * Chooses the format of records: JSON, or GeoJSON if the route offers both (RFC 9110 section 12.5.1). Only this file reads Accept for API
 * routes.
 */
import type { Context } from 'koa';
import { ApiError } from '../core/domain/errors.ts';
import type { Route } from './declaration.ts';
import { GEOJSON } from './geoJson.ts';

const TYPES = { json: 'application/json', geojson: GEOJSON } as const;
export type RecordFormat = keyof typeof TYPES;
const FORMS = Object.keys(TYPES) as RecordFormat[];

const REFUSED = /;q=0(\.0*)?(;|$)/;

/** Whether Accept contains a type with parameters, such as a charset or a version, which are ignored. */
const acceptsWithParameters = (accept: string, type: string) =>
  accept
    .toLowerCase()
    .replaceAll(/\s/g, '')
    .split(',')
    .some((one) => one.startsWith(`${type};`) && !REFUSED.test(one));

/**
 * The format of an answer; called before anything is charged.
 * @throws ApiError `not_acceptable` when the client accepts neither
 */
export function negotiateFormat(ctx: Context, { answers }: Pick<Route, 'answers'>): RecordFormat {
  const forms = FORMS.filter((form) => answers.some(({ kind }) => kind === form));
  const [first = 'json', ...others] = forms;
  if (!others.length) return first;
  ctx.vary('Accept');
  const types = forms.map((form) => TYPES[form]);
  const accept = ctx.get('Accept');
  const liked = ctx.accepts(types) || types.find((type) => acceptsWithParameters(accept, type));
  const form = forms.find((one) => TYPES[one] === liked);
  if (form) return form;
  throw new ApiError('not_acceptable', `This is served as ${types.join(' and as ')}, not as ${accept.slice(0, 80)}`, {
    param: 'Accept',
    details: { supported: types },
  });
}
