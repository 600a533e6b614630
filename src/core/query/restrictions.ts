/** Clauses that select projects by what restricts them: the rule of `findBinding` (src/core/domain/restriction/check.ts) for whole sets. Pure. */
import { countiesOf, isInForce, listDoubts } from '../domain/restriction/check.ts';
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

/** Any of some values, and further clauses; nothing where there are no values. */
const anyValue = (field: string, ids: Iterable<number | null>, further: readonly Clause[] = []): Clause[] => {
  const values = [...new Set(ids)].flatMap((id) => (id === null ? [] : String(id)));
  return values.length ? [allOf([terms(field, values), ...further])] : [];
};

const isOfState = ({ place }: StoredRestriction) => place.jurisdictionType === 'state';
const isOfCounty = ({ place }: StoredRestriction) => place.jurisdictionType === 'county';
const isOfKnownCity = (one: StoredRestriction) => !isOfState(one) && !isOfCounty(one) && one.place.cityId !== null;

const anyOrNone = (clauses: readonly Clause[]): Clause => (clauses.length ? anyOf(clauses) : { match_none: {} });

function makeCertainPlaces(all: readonly StoredRestriction[]): Clause[] {
  const pick = (test: (one: StoredRestriction) => boolean, level: 'stateId' | 'countyId' | 'cityId') =>
    all.filter(test).map(({ place }) => place[level]);
  return [
    ...anyValue(STATE, pick(isOfState, 'stateId')),
    ...anyValue(COUNTY, pick(isOfCounty, 'countyId'), [missing(CITY)]),
    ...anyValue(CITY, pick(isOfKnownCity, 'cityId')),
  ];
}

const statesOf = (some: readonly StoredRestriction[]) => some.map(({ place }) => place.stateId);

/** The places where restrictions bind or may bind for records whose county is known. A city that is not known on either side excludes nothing. */
function makePossiblePlaces(all: readonly StoredRestriction[]): Clause[] {
  const [inCities, others] = [all.filter(isOfKnownCity), all.filter((one) => !isOfKnownCity(one))];
  const anywhere = (one: StoredRestriction) => isOfState(one) || one.place.countyId === null;
  const counties = (some: readonly StoredRestriction[]) => some.filter((one) => !isOfState(one)).flatMap(countiesOf);
  return [
    ...anyValue(
      CITY,
      inCities.map(({ place }) => place.cityId),
    ),
    ...anyValue(COUNTY, counties(others)),
    ...anyValue(COUNTY, counties(inCities), [missing(CITY)]),
    ...anyValue(STATE, statesOf(others.filter(anywhere))),
    ...anyValue(STATE, statesOf(inCities.filter(anywhere)), [missing(CITY)]),
  ];
}

/** The same for records whose county is not known. */
const makePlacesWithoutCounty = (all: readonly StoredRestriction[]): Clause[] => [
  ...anyValue(STATE, statesOf(all.filter((one) => !isOfKnownCity(one)))),
  ...anyValue(STATE, statesOf(all.filter(isOfKnownCity)), [missing(CITY)]),
];

const LEVELS = ['type', 'subtype', 'assetClass'] as const;
const field = (level: string) => `${USES}.${level}`;

const covered = (use: RestrictedUse): Clause =>
  allOf(LEVELS.flatMap((level) => (use[level] === null ? [] : [terms(field(level), [use[level]])])));

/** Uses of a record that cover a restricted use, without those that it covers itself. */
const covering = ({ type, subtype, assetClass }: RestrictedUse): Clause[] => {
  if (subtype === null) return [];
  const broader = (...levels: string[]): Clause => ({
    bool: { filter: [terms(field('type'), [type])], must_not: levels.map((level) => ({ exists: { field: field(level) } })) },
  });
  const ofSubtype = allOf([terms(field('subtype'), [subtype]), broader('assetClass')]);
  return [broader('subtype', 'assetClass'), ...(assetClass === null ? [] : [ofSubtype])];
};

const anyUse = (clauses: readonly Clause[]): Clause => nested(USES, [anyOf(clauses)]);

/** For restrictions of the same uses, the records that they bind for certain. */
function makeCertainClauses(all: readonly StoredRestriction[], uses: readonly RestrictedUse[]): Clause[] {
  const places = makeCertainPlaces(all);
  return places.length && uses.length ? [allOf([anyOf(places), anyUse(uses.map(covered))])] : [];
}

/**
 * For restrictions of the same uses, the records in some places that they bind or may bind. Words without a use may mean any; that of a record is
 * always known.
 */
function makePossibleClauses(places: readonly Clause[], uses: readonly RestrictedUse[]): Clause[] {
  if (!places.length) return [];
  if (!uses.length) return [anyOf(places)];
  return [allOf([anyOf(places), anyUse(uses.flatMap((use) => [covered(use), ...covering(use)]))])];
}

/**
 * The records that a restriction binds on a day, or those that none binds; of which it is unclear are in neither.
 * @param on `YYYY-MM-DD`
 */
export function makeUnderRestrictionClause(restrictions: readonly StoredRestriction[], value: boolean, on: string): Clause {
  const inForce = restrictions.filter((one) => isInForce(one, on) && !(value && listDoubts(one, on).length));
  const groups = [...Map.groupBy(inForce, ({ uses }) => JSON.stringify(uses)).values()].map((all) => ({ all, uses: all[0]?.uses ?? [] }));
  if (value) return anyOrNone(groups.flatMap(({ all, uses }) => makeCertainClauses(all, uses)));
  const clauses = groups.flatMap(({ all, uses }) => makePossibleClauses(makePossiblePlaces(all), uses));
  if (!clauses.length) return { match_all: {} };
  // Looked for once: few records lack a county, but each look is at all records of the states, and Elasticsearch keeps short clauses only.
  const withoutCounty = groups.flatMap(({ all, uses }) => makePossibleClauses(makePlacesWithoutCounty(all), uses));
  return { bool: { must_not: [...clauses, allOf([...anyValue(STATE, statesOf(inForce), [missing(COUNTY)]), anyOf(withoutCounty)])] } };
}
