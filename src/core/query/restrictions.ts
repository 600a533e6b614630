/** Clauses that select projects by what restricts them: the rule of `findBinding` (src/core/domain/restriction/check.ts) for whole sets. Pure. */
import { isInForce, listDoubts } from '../domain/restriction/check.ts';
import type { RestrictedUse, StoredRestriction } from '../domain/restriction/schemas.ts';
import { allOf, anyOf, type Clause, nested, terms } from './clauses.ts';

const [STATE, COUNTY, CITY, USES] = ['derived.stateId', 'derived.countyId', 'derived.cityId', 'derived.landUses'];
export const RESTRICTION_FIELDS = [STATE, COUNTY, CITY, ...['type', 'subtype', 'assetClass'].map((level) => `${USES}.${level}`)];

/** A clause of ours. The client of Elasticsearch replaces it by one of the restrictions that are served when it is sent (src/core/store/elastic/ownClauses.ts). */
export const UNDER_RESTRICTION = 'under_restriction';

export interface UnderRestriction {
  value: boolean;
  /** `YYYY-MM-DD` */
  on: string;
  /** the lists of restrictions that count, as text; absent for those that are served */
  lists?: string | undefined;
}

const missing = (field: string): Clause => ({ bool: { must_not: [{ exists: { field } }] } });
const WITHOUT_USES: Clause = { bool: { must_not: [nested(USES, [{ exists: { field: `${USES}.type` } }])] } };

/** Any of some values, and further clauses; nothing where there are no values. */
const anyValue = (field: string, ids: Iterable<number | null>, further: readonly Clause[] = []): Clause[] => {
  const values = [...new Set(ids)].flatMap((id) => (id === null ? [] : String(id)));
  return values.length ? [allOf([terms(field, values), ...further])] : [];
};

const isOfState = ({ place }: StoredRestriction) => place.jurisdictionType === 'state';
const isOfCounty = ({ place }: StoredRestriction) => place.jurisdictionType === 'county';
const isOfKnownCity = (one: StoredRestriction) => !isOfState(one) && !isOfCounty(one) && one.place.cityId !== null;

/** The places where the restrictions bind for certain. */
function makeCertainPlaces(all: readonly StoredRestriction[]): Clause[] {
  const pick = (test: (one: StoredRestriction) => boolean, level: 'stateId' | 'countyId' | 'cityId') =>
    all.filter(test).map(({ place }) => place[level]);
  return [
    ...anyValue(STATE, pick(isOfState, 'stateId')),
    ...anyValue(COUNTY, pick(isOfCounty, 'countyId'), [missing(CITY)]),
    ...anyValue(CITY, pick(isOfKnownCity, 'cityId')),
  ];
}

/** The places where the restrictions bind or may bind: a level that is not known on either side excludes nothing. */
function makePossiblePlaces(all: readonly StoredRestriction[]): Clause[] {
  const inCities = all.filter(isOfKnownCity);
  const parts = [
    { restrictions: all.filter((one) => !isOfState(one) && !isOfKnownCity(one)), further: [] },
    { restrictions: inCities, further: [missing(CITY)] },
  ];
  return [
    missing(STATE),
    ...anyValue(
      STATE,
      all.filter(isOfState).map(({ place }) => place.stateId),
    ),
    ...anyValue(
      CITY,
      inCities.map(({ place }) => place.cityId),
    ),
    ...parts.flatMap(({ restrictions, further }) => {
      const [known, unknown] = [true, false].map((isKnown) => restrictions.filter(({ place }) => (place.countyId !== null) === isKnown));
      const places = (some: readonly StoredRestriction[] = [], level: 'stateId' | 'countyId') => some.map(({ place }) => place[level]);
      return [
        ...anyValue(COUNTY, places(known, 'countyId'), further),
        ...anyValue(STATE, places(known, 'stateId'), [missing(COUNTY), ...further]),
        ...anyValue(STATE, places(unknown, 'stateId'), further),
      ];
    }),
  ];
}

const LEVELS = ['type', 'subtype', 'assetClass'] as const;
const field = (level: string) => `${USES}.${level}`;

/** Uses of a record that a restricted use covers. */
const covered = (use: RestrictedUse): Clause =>
  allOf(LEVELS.flatMap((level) => (use[level] === null ? [] : [terms(field(level), [use[level]])])));

/** Uses of a record that cover a restricted use. */
const covering = ({ type, ...below }: RestrictedUse): Clause =>
  allOf([
    terms(field('type'), [type]),
    ...(['subtype', 'assetClass'] as const).map((level) =>
      anyOf([missing(field(level)), ...(below[level] === null ? [] : [terms(field(level), [below[level]])])]),
    ),
  ]);

const anyUse = (clauses: readonly Clause[]): Clause => nested(USES, [anyOf(clauses)]);

/** For restrictions of the same uses, the records that they bind for certain. */
function makeCertainClauses(all: readonly StoredRestriction[], uses: readonly RestrictedUse[]): Clause[] {
  const places = makeCertainPlaces(all);
  return places.length && uses.length ? [allOf([anyOf(places), anyUse(uses.map(covered))])] : [];
}

/** For restrictions of the same uses, the records that they bind or may bind. Words without a use may mean any. */
function makePossibleClauses(all: readonly StoredRestriction[], uses: readonly RestrictedUse[]): Clause[] {
  const places = anyOf(makePossiblePlaces(all));
  if (!uses.length) return [places];
  return [allOf([places, anyUse(uses.flatMap((use) => [covered(use), covering(use)]))])];
}

/**
 * The records that a restriction binds on a day, or those that none binds; of which it is unclear are in neither.
 * @param on `YYYY-MM-DD`
 */
export function makeUnderRestrictionClause(restrictions: readonly StoredRestriction[], value: boolean, on: string): Clause {
  const inForce = restrictions.filter((one) => isInForce(one, on) && !(value && listDoubts(one, on).length));
  const groups = [...Map.groupBy(inForce, ({ uses }) => JSON.stringify(uses)).values()];
  const clauses = groups.flatMap((group) => (value ? makeCertainClauses : makePossibleClauses)(group, group[0]?.uses ?? []));
  if (!clauses.length) return value ? { match_none: {} } : { match_all: {} };
  if (value) return anyOf(clauses);
  // Asked for once, since it is dear: of a record without uses it is unclear wherever anything is restricted.
  const ofUnknownUse = allOf([anyOf(makePossiblePlaces(inForce)), WITHOUT_USES]);
  return { bool: { must_not: [...clauses, ofUnknownUse] } };
}
