/** The body of a brief: its place, which is one of several kinds, and its use. Pure. */
import type { RequestRefusal } from '../../core/domain/errors.ts';
import type { Principal } from '../../core/domain/principal.ts';
import type { RestrictedUse } from '../../core/domain/restriction/schemas.ts';
import * as vocabulary from '../../core/domain/vocabulary.ts';
import { parseFilterObject } from '../../core/filter/parse.ts';
import type { FilterValues } from '../../core/filter/table.ts';
import { contradiction } from '../../core/search/parameterProblems.ts';
import { denialProblems } from '../../core/search/select.ts';
import type { Environment } from '../../core/search/services.ts';
import type { BodyReading } from '../../http/declaration.ts';
import { readUse } from '../restrictions/index.ts';
import { PLACE_KINDS } from './schemas.ts';
import type { BriefBody } from './types.ts';

/** Kinds of places that filters read, by the filter. */
const FILTER_OF = { polygon: 'polygon', circle: 'circle', county: 'counties', city: 'cities' } as const;

/** A body that was read: the values of the filter that is its place, if one is, and its use. */
export interface BriefRequest {
  place: FilterValues;
  use: RestrictedUse | null;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Finds more or fewer places than one. */
function findKindProblems(place: Record<string, unknown>): RequestRefusal[] {
  const sent = PLACE_KINDS.filter((kind) => place[kind] !== undefined);
  if (sent.length === 1) return [];
  const message = sent.length
    ? `place takes one of ${PLACE_KINDS.join(', ')}; ${sent.join(' and ')} were sent. Leave one of them out`
    : `place names nothing; send one of ${PLACE_KINDS.join(', ')}`;
  return [contradiction(`place${sent[1] ? `.${sent[1]}` : ''}`, message)];
}

/** Reads a place as the filter reads it, whose problems keep the names of the body. */
function readPlaceFilter(place: Record<string, unknown>, principal: Principal, { places }: Environment): BodyReading<FilterValues> {
  const sent = (Object.keys(FILTER_OF) as (keyof typeof FILTER_OF)[]).filter((kind) => place[kind] !== undefined);
  const filters = Object.fromEntries(sent.map((kind) => [FILTER_OF[kind], place[kind]]));
  const reading = parseFilterObject(filters, 'place.', places);
  const rename = (text: string) => text.replaceAll('place.counties', 'place.county').replaceAll('place.cities', 'place.city');
  const problems = [...reading.problems, ...denialProblems(reading, principal, places)];
  const renamed = problems.map((problem) => ({ ...problem, param: rename(problem.param ?? 'place'), message: rename(problem.message) }));
  return { problems: renamed, value: reading.filters };
}

/** Whether the schema takes it as a use. */
const isUse = (sent: unknown): sent is NonNullable<BriefBody['use']> =>
  isObject(sent) &&
  typeof sent.type === 'string' &&
  [sent.subtype ?? '', sent.assetClass ?? ''].every((level) => typeof level === 'string');

function readBriefUse(sent: unknown): BodyReading<RestrictedUse | null> {
  if (!isUse(sent)) return { problems: [], value: null };
  const { use = null, problems } = readUse(sent, 'use');
  if (use?.type !== vocabulary.GOVERNMENT_DECISIONS) return { problems, value: use };
  return { problems: [contradiction('use.type', 'use.type names government decisions, which are no use of land')], value: null };
}

/** Reads a body beyond its schema, also one that its schema refuses. */
export function readBrief(
  body: Readonly<Record<string, unknown>>,
  principal: Principal,
  environment: Environment,
): BodyReading<BriefRequest> {
  const place = isObject(body.place) ? body.place : undefined;
  const found = place ? readPlaceFilter(place, principal, environment) : { problems: [], value: {} };
  const use = readBriefUse(body.use);
  return {
    problems: [...(place ? findKindProblems(place) : []), ...found.problems, ...use.problems],
    value: { place: found.value, use: use.value },
  };
}

/** The label of a use at its finest level: `Data Center`. */
export function labelUse({ type, subtype, assetClass }: RestrictedUse): string {
  if (assetClass) return vocabulary.assetClasses.label(assetClass) ?? assetClass;
  return subtype ? (vocabulary.propertySubtypes.label(subtype) ?? subtype) : (vocabulary.propertyTypes.label(type) ?? type);
}

export function makeUseFilter(use: RestrictedUse | null): Record<string, unknown> {
  if (!use) return {};
  const { type, subtype, assetClass } = use;
  if (assetClass) return { assetClasses: [assetClass] };
  return subtype ? { propertySubtypes: [subtype] } : { propertyTypes: [type] };
}
