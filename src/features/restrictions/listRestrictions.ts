/** Lists restrictions of the licence, with the status of a day. */
import { metersBetween } from '../../core/domain/distance.ts';
import { ApiError } from '../../core/domain/errors.ts';
import { planningRegions } from '../../core/domain/planningRegions.ts';
import { isWithin, type Principal, type Scope, scopeOf } from '../../core/domain/principal.ts';
import { countiesOf, isInForce, overlap } from '../../core/domain/restriction/check.ts';
import { type RestrictedUse, type Restriction, restrictionSchema, type StoredRestriction } from '../../core/domain/restriction/schemas.ts';
import { computeStatus, findEnd } from '../../core/domain/restriction/status.ts';
import { isInsideRing } from '../../core/domain/ring.ts';
import * as vocabulary from '../../core/domain/vocabulary.ts';
import type { FilterValues } from '../../core/filter/table.ts';
import type { Actor } from '../../core/search/actor.ts';
import { clampLimit, makeCollectionMeta } from '../../core/search/collection.ts';
import { environmentOf, type OperationAnswer, type ProjectServices } from '../../core/search/services.ts';
import type { RestrictionStore } from '../../core/store/postgres/restrictions.ts';
import type { ListRequest } from './request.ts';

export interface RestrictionServices extends ProjectServices {
  restrictions: Pick<RestrictionStore, 'readServed'>;
}

type Test = (restriction: StoredRestriction) => boolean;

/** The same value with its keys in the order of its schema: Postgres keeps the keys of JSON in an order of its own. */
function orderKeys(value: unknown, schema: object): unknown {
  const { properties = {}, items = {} } = schema as { properties?: Record<string, object>; items?: object };
  if (Array.isArray(value)) return value.map((one) => orderKeys(one, items));
  if (typeof value !== 'object' || value === null) return value;
  const known = value as Record<string, unknown>;
  return Object.fromEntries(Object.entries(properties).map(([name, shape]) => [name, orderKeys(known[name], shape)]));
}

/** As it is served for a day. @param day `YYYY-MM-DD` */
export function showRestriction(restriction: StoredRestriction, day: string): Restriction {
  const { statedStatus: _, statedOn: _day, furtherCountyIds: _further, point, ...shown } = restriction;
  const answer: Restriction = {
    ...shown,
    point: point && { lat: point.latitude, lng: point.longitude },
    status: computeStatus(restriction, day),
    evidenceFrom: restriction.evidenceFrom ?? null,
  };
  return orderKeys(answer, restrictionSchema) as Restriction;
}

/** Whether a licence covers a restriction. One of which no county is known, such as that of a state, is covered by a licence of any of the state's. */
export const isLicensed = (scope: Scope, { place, furtherCountyIds = [] }: StoredRestriction): boolean =>
  isWithin(scope, place) ||
  furtherCountyIds.some((countyId) => isWithin(scope, { ...place, countyId })) ||
  (place.countyId === null && scope !== null && scope.countyIds.some((id) => Math.floor(id / 1000) === place.stateId));

/** The restrictions that a licence covers. */
export async function readLicensed(
  { restrictions }: Pick<RestrictionServices, 'restrictions'>,
  { principal }: { principal: Pick<Principal, 'licence'> },
): Promise<StoredRestriction[]> {
  const scope = scopeOf(principal);
  return (await restrictions.readServed()).filter((one) => isLicensed(scope, one));
}

/** A planning region means its towns. */
function isInCounties(restriction: StoredRestriction, ids: readonly number[]): boolean {
  const towns = planningRegions.filter(({ id }) => ids.includes(id)).flatMap(({ cityIds }) => cityIds);
  return countiesOf(restriction).some((id) => ids.includes(id)) || towns.some((id) => id === restriction.place.cityId);
}

function makePlaceTests({ states, counties, cities, bbox, circle, polygon }: FilterValues): Test[] {
  const makePointTest = (test: (latitude: number, longitude: number) => boolean): Test => {
    return ({ point }) => point !== null && test(point.latitude, point.longitude);
  };
  const isBetween = (west: number, east: number, lng: number) => (west <= east ? lng >= west && lng <= east : lng >= west || lng <= east);
  return [
    ...(states ? [({ place }: StoredRestriction) => states.includes(place.stateId)] : []),
    ...(counties ? [(one: StoredRestriction) => isInCounties(one, counties)] : []),
    ...(cities ? [({ place }: StoredRestriction) => cities.some((id) => id === place.cityId)] : []),
    ...(bbox ? [makePointTest((lat, lng) => lat >= bbox.south && lat <= bbox.north && isBetween(bbox.west, bbox.east, lng))] : []),
    ...(circle
      ? [
          makePointTest(
            (latitude, longitude) =>
              metersBetween({ latitude, longitude }, { latitude: circle.lat, longitude: circle.lng }) <= circle.radiusMeters,
          ),
        ]
      : []),
    ...(polygon ? [makePointTest((lat, lng) => isInsideRing(polygon, lng, lat))] : []),
  ];
}

/** The uses that taxonomy filters name, by level. */
function listFilteredUses({ propertyTypes, propertySubtypes, assetClasses }: FilterValues): RestrictedUse[][] {
  const toUse = (
    { type, subtype = null, token }: { type: string; subtype?: string | null; token: string },
    isClass: boolean,
  ): RestrictedUse => (isClass ? { type, subtype, assetClass: token } : { type, subtype: token, assetClass: null });
  return [
    propertyTypes?.map((type) => ({ type, subtype: null, assetClass: null })),
    propertySubtypes?.map((token) => toUse(vocabulary.propertySubtypes.find(token) as never, false)),
    assetClasses?.map((token) => toUse(vocabulary.assetClasses.find(token) as never, true)),
  ].filter((uses) => uses !== undefined);
}

export const makeFilterTests = (filters: FilterValues): Test[] => [
  ...makePlaceTests(filters),
  ...listFilteredUses(filters).map(
    (asked) =>
      ({ uses }: StoredRestriction) =>
        uses.some((one) => asked.some((use) => overlap(one, use))),
  ),
];

function makeTests({ filters, statuses, kinds, inForceOn, endsFrom, endsTo }: ListRequest, day: string): Test[] {
  const status = (one: StoredRestriction) => computeStatus(one, day);
  const end = (one: StoredRestriction) => findEnd(one, day);
  return [
    ...makeFilterTests(filters),
    ...(statuses ? [(one: StoredRestriction) => statuses.includes(status(one))] : []),
    ...(kinds ? [({ kind }: StoredRestriction) => kinds.includes(kind)] : []),
    ...(inForceOn ? [(one: StoredRestriction) => isInForce(one, day)] : []),
    ...(endsFrom ? [(one: StoredRestriction) => (end(one) ?? '') >= endsFrom.firstDay] : []),
    ...(endsTo ? [(one: StoredRestriction) => (end(one) ?? '9999') <= endsTo.lastDay] : []),
  ];
}

const newestFirst = (a: string | null, b: string | null) => ((a ?? '') < (b ?? '') ? 1 : (a ?? '') > (b ?? '') ? -1 : 0);

function compareBy(sort: ListRequest['sort'], day: string): (a: StoredRestriction, b: StoredRestriction) => number {
  if (sort === 'ends') return (a, b) => newestFirst(findEnd(b, day) ?? '9999', findEnd(a, day) ?? '9999') || a.id - b.id;
  const field = sort ?? 'lastUpdated';
  return (a, b) => newestFirst(a[field], b[field]) || a.id - b.id;
}

/** `GET /restrictions`. */
export async function listRestrictions(
  services: RestrictionServices,
  actor: Actor,
  request: ListRequest & { limit?: number | undefined; offset?: number | undefined },
): Promise<OperationAnswer<Restriction[]>> {
  const day = request.inForceOn?.firstDay ?? environmentOf(services).today;
  const tests = makeTests(request, day);
  const found = (await readLicensed(services, actor)).filter((one) => tests.every((test) => test(one))).sort(compareBy(request.sort, day));
  const asked = { limit: request.limit ?? 100, offset: request.offset ?? 0 };
  const { limit } = clampLimit(asked.limit);
  const page = found.slice(asked.offset, asked.offset + limit).map((one) => showRestriction(one, day));
  return { data: page, meta: { ...makeCollectionMeta(asked, page.length, found.length), on: day } };
}

/** `GET /restrictions/{id}`. @throws ApiError `resource_not_found`, also when the licence does not cover it */
export async function readRestriction(services: RestrictionServices, actor: Actor, id: number): Promise<OperationAnswer<Restriction>> {
  const found = (await readLicensed(services, actor)).find((one) => one.id === id);
  if (!found) throw new ApiError('resource_not_found', `There is no restriction ${id}, or this key may not see it`, { param: 'id' });
  const on = environmentOf(services).today;
  return { data: showRestriction(found, on), meta: { creditsUsed: 0, on } };
}
