/** Parses the bodies of list routes and the page of results; problems are returned as values. Pure. */
import type { RequestRefusal } from '../../core/domain/errors.ts';
import type { Places } from '../../core/domain/places.ts';
import type { Principal } from '../../core/domain/principal.ts';
import type { FieldName } from '../../core/domain/record/fields.ts';
import type { PartyColumn } from '../../core/domain/record/nested.ts';
import { CACHED_CONTACTS, type ControlValues, pickControls } from '../../core/filter/controls.ts';
import { canonicalText, type ParameterReading, parseFilterObject, type RawParameters, readParameters } from '../../core/filter/parse.ts';
import { readStored } from '../../core/filter/stored.ts';
import type { FilterValues } from '../../core/filter/table.ts';
import type { Share } from '../../core/identity/share.ts';
import { includeProblems } from '../../core/search/includeProblems.ts';
import { contradiction } from '../../core/search/parameterProblems.ts';
import { findPageProblems, orderProblems } from '../../core/search/searchRequest.ts';
import { denialProblems } from '../../core/search/select.ts';
import type { BodyReading } from '../../http/declaration.ts';
import type { ListKind, StoredList } from './types.ts';

export interface ListBody {
  name: string;
  description?: string | null;
  kind?: ListKind;
  filters?: Record<string, unknown>;
  polygon?: unknown;
  columns?: (FieldName | PartyColumn)[] | null;
  projectIds?: number[];
  share?: Partial<Share>;
}

export const RESULT_CONTROLS = {
  ...pickControls('representation', 'sort', 'order', 'limit', 'offset', 'page', 'include'),
  ...CACHED_CONTACTS,
};

const ORDER = pickControls('sort', 'order');

/** The parts that each kind of list requires, and those that it refuses. */
const PARTS = {
  membership: { needs: [], refuses: ['filters', 'polygon'] },
  filter: { needs: ['filters'], refuses: ['polygon', 'projectIds'] },
  polygon: { needs: ['polygon'], refuses: ['projectIds'] },
} as const;

/** The kind of the body; if absent, inferred from its parts. */
function inferKind({ kind, filters, polygon }: Pick<ListBody, 'kind' | 'filters' | 'polygon'>): ListKind {
  if (kind !== undefined) return kind;
  if (polygon !== undefined) return 'polygon';
  return filters === undefined ? 'membership' : 'filter';
}

/** Filters and polygon together, as parameters of a search. */
export const criteriaOf = ({ filters, polygon }: { filters?: object | null; polygon?: unknown }): Record<string, unknown> => ({
  ...filters,
  ...(polygon ? { polygon } : {}),
});

/** Parses the criteria of a stored list, which may have become invalid. */
export const readCriteria = (list: { filters?: object | null; polygon?: unknown }, places: Places): ParameterReading =>
  readStored(
    Object.entries(criteriaOf(list)).map(([name, value]) => [name, [value]]),
    ORDER,
    places,
  );

function findPartProblems(body: Readonly<Record<string, unknown>>): RequestRefusal[] {
  const kind = inferKind(body as unknown as ListBody);
  const parts = Object.hasOwn(PARTS, kind) ? PARTS[kind as keyof typeof PARTS] : undefined;
  if (!parts) {
    const message =
      kind === 'alert' ? 'An alert makes its own list; create the alert instead' : `kind takes ${Object.keys(PARTS).join(', ')}`;
    return [{ param: 'kind', code: 'invalid_value', message, answer: 'invalid_request' }];
  }
  const missing = parts.needs.filter((part) => body[part] === undefined);
  const refused = parts.refuses.filter((part) => body[part] !== undefined);
  return [
    ...missing.map(
      (part): RequestRefusal => ({
        param: part,
        code: 'missing',
        message: `A list of kind '${kind}' needs ${part}`,
        answer: 'invalid_request',
      }),
    ),
    ...refused.map((part) => contradiction(part, `A list of kind '${kind}' takes no ${part}; leave it out or send another kind`)),
  ];
}

/** Parses the criteria; problems name their place in the body: `filters.states`, `polygon`. */
function readSentCriteria(
  { filters, polygon }: Readonly<Record<string, unknown>>,
  principal: Principal,
  places: Places,
): BodyReading<FilterValues['polygon']> {
  const ofFilters = parseFilterObject(filters === undefined ? {} : filters, 'filters.', places, ORDER);
  const ofPolygon = readParameters(new Map(polygon === undefined ? [] : [['polygon', [polygon]]]), {}, places);
  const twice = ofFilters.sent.get('polygon');
  const problems = [
    ...ofFilters.problems,
    ...orderProblems(ofFilters).map((problem) => ({ ...problem, param: `filters.${problem.param}` })),
    ...ofPolygon.problems,
    ...(twice && polygon !== undefined ? [contradiction(twice, `${twice} contradicts polygon; send one of the two`)] : []),
    ...denialProblems(ofFilters, principal, places),
  ];
  return { problems, value: ofPolygon.filters.polygon };
}

export type NewListParts = Pick<StoredList, 'kind' | 'polygon'>;

/** Parses the body of a new list beyond its schema. */
export function readNewList(body: Readonly<Record<string, unknown>>, principal: Principal, places: Places): BodyReading<NewListParts> {
  const { problems, value: polygon = null } = readSentCriteria(body, principal, places);
  return { problems: [...findPartProblems(body), ...problems], value: { kind: inferKind(body as unknown as ListBody), polygon } };
}

/** Parses the criteria of a change beyond its schema. */
export const readChangedList = (
  body: Readonly<Record<string, unknown>>,
  principal: Principal,
  places: Places,
): BodyReading<Partial<Pick<NewListParts, 'polygon'>>> => {
  const { problems, value: polygon } = readSentCriteria(body, principal, places);
  return { problems, value: polygon ? { polygon } : {} };
};

/** Why a list of this kind does not take changed criteria: its parts follow from its kind, and its area is given once. */
export function changeProblems(
  { kind }: Pick<StoredList, 'kind'>,
  { filters, polygon }: Pick<ListBody, 'filters' | 'polygon'>,
  places: Places,
): RequestRefusal[] {
  const refuse = (part: string) => contradiction(part, `A list of kind '${kind}' takes no ${part}; make another list`);
  const twice = kind === 'polygon' && filters ? parseFilterObject(filters, 'filters.', places, ORDER).sent.get('polygon') : undefined;
  return [
    ...(filters && kind === 'membership' ? [refuse('filters')] : []),
    ...(polygon && kind !== 'polygon' ? [refuse('polygon')] : []),
    ...(twice ? [contradiction(twice, `${twice} contradicts the polygon of the list; change that instead`)] : []),
  ];
}

/** The shape of a page of results. */
export interface ResultsRequest {
  /** all problems of the parameters; reported only if the list exists */
  problems: RequestRefusal[];
  controls: ControlValues;
  /** text that is equal for equal requests of the list */
  same: string;
}

export function parseResults(raw: RawParameters, listId: string, principal: Principal, places: Places): ResultsRequest {
  const reading = readParameters(raw, RESULT_CONTROLS, places);
  return {
    problems: [...reading.problems, ...includeProblems(reading, principal), ...orderProblems(reading), ...findPageProblems(reading)],
    controls: reading.controls,
    same: canonicalText(raw, listId),
  };
}
