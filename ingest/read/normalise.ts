/** Converts a line to a canonical statement: tokens for labels, places with ids, each land use once. Pure. */
import { type County, countiesOfCity, type Places, type State } from '../../src/core/domain/places.ts';
import { fieldOf, IDENTITY, STATED_NAMES } from '../../src/core/domain/record/fields.ts';
import type {
  Decision,
  LandUse,
  MeetingDocumentReference,
  ProjectStatement,
  StatusHistoryEntry,
} from '../../src/core/domain/record/statement.ts';
import { findCountyOfCity, findStatedCity, findStatedCounties } from '../../src/core/domain/statedPlace.ts';
import * as vocabulary from '../../src/core/domain/vocabulary.ts';
import { checkAll, checkEach, type LineProblem, makeUnusableStatement, UnusableStatement } from './lineProblems.ts';

function toToken(field: string, terms: vocabulary.Vocabulary, value: string | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  const term = terms.find(value);
  if (!term) throw makeUnusableStatement(`${field} is not in the vocabulary`, `${field} '${value}' is not in the vocabulary`);
  return term.token;
}

/** Checks a use against the Building Type tree; a deeper level must lie under the shallower one. */
export function checkUse(use: LandUse): LandUse {
  const type = toToken('landUses.type', vocabulary.propertyTypes, use.type) as string;
  const subtype = resolveSubtype('landUses.subtype', type, use.subtype);
  const assetClass = toToken('landUses.assetClass', vocabulary.assetClasses, use.assetClass);
  if (assetClass && vocabulary.assetClasses.find(assetClass)?.subtype !== subtype)
    throw makeUnusableStatement(
      'landUses.assetClass is not under the stated subtype',
      `landUses.assetClass '${assetClass}' is not under ${subtype ? `the subtype '${subtype}'` : 'a stated subtype'}`,
    );
  return { type, subtype, assetClass, role: use.role };
}

function resolveSubtype(field: string, type: string | null, stated: string | null | undefined): string | null {
  const subtype = toToken(field, vocabulary.propertySubtypes, stated);
  if (subtype && vocabulary.propertySubtypes.find(subtype)?.type !== type)
    throw makeUnusableStatement(
      `${field} is not under the stated type`,
      `${field} '${subtype}' is not under ${type ? `the type '${type}'` : 'a stated type'}`,
    );
  return subtype;
}

/** Key of a land use: two uses with the same key are one. */
const makeLandUseKey = (use: LandUse) => [use.type, use.subtype ?? '', use.assetClass ?? '', use.role].join('|');

const ROLE_ORDER = { primary: 0, secondary: 1, other: 2 } as const;

/** Removes repeated uses. If one use is listed with more levels of detail than another, only the detailed one stays, in the more important role. */
export function distinctUses(uses: readonly LandUse[]): LandUse[] {
  const covers = (a: LandUse, b: LandUse) =>
    a.type === b.type && (!b.subtype || a.subtype === b.subtype) && (!b.assetClass || a.assetClass === b.assetClass);
  const kept: LandUse[] = [];
  for (const use of uses) {
    const fuller = kept.find((k) => covers(k, use));
    const role = (a: LandUse, b: LandUse) => (ROLE_ORDER[a.role] <= ROLE_ORDER[b.role] ? a.role : b.role);
    if (fuller) fuller.role = role(fuller, use);
    else {
      const shallower = kept.findIndex((k) => covers(use, k));
      if (shallower < 0) kept.push({ ...use });
      else kept[shallower] = { ...use, role: role(use, kept[shallower] as LandUse) };
    }
  }
  const unique = new Map(kept.map((use) => [makeLandUseKey(use), use]));
  return [...unique.values()].sort((a, b) => ROLE_ORDER[a.role] - ROLE_ORDER[b.role]);
}

interface PlaceNames {
  state?: string | null;
  county?: string | null;
  city?: string | null;
  stateId?: number | null;
  countyId?: number | null;
  cityId?: number | null;
}

/** The state that is stated, by its id or name, or by the id of a county or city. */
function resolveState(places: Places, { state: name, stateId, countyId, cityId }: PlaceNames) {
  const state = stateId ? places.state(stateId) : name ? places.findState(name) : undefined;
  if (!state && (stateId || name)) throw makeUnusableStatement('state is unknown', `state '${name ?? stateId}' is unknown`);
  if (state) return state;
  const within = (countyId && places.county(countyId)) || (cityId && places.city(cityId)) || undefined;
  return within && places.state(within.stateId);
}

/** The county that is stated, or what may be meant by it where that is not one county. */
function resolveCounty(places: Places, { county: name, countyId }: PlaceNames, state: State | undefined) {
  if (!countyId) return name && state ? findStatedCounties(places, name, state) : [];
  const counties = places.findCounties(String(countyId));
  if (!counties.length && !places.findPlanningRegion(String(countyId)))
    throw makeUnusableStatement('countyId is unknown', `countyId ${countyId} is unknown`);
  const [county] = counties;
  if (county && state && county.stateId !== state.id)
    throw makeUnusableStatement('countyId is not in the state', `countyId ${countyId} is not in ${state.name}`, 'ids_contradict');
  return counties;
}

function resolveCity(places: Places, { city: name, cityId, countyId }: PlaceNames, state: State | undefined, counties: readonly County[]) {
  if (!cityId) return name && state ? findStatedCity(places, name, state, counties) : undefined;
  const [city] = places.findCities(String(cityId));
  if (!city) throw makeUnusableStatement('cityId is unknown', `cityId ${cityId} is unknown`);
  if (state && city.stateId !== state.id)
    throw makeUnusableStatement('cityId is not in the state', `cityId ${cityId} is not in ${state.name}`, 'ids_contradict');
  const [county, ...others] = countyId ? counties : [];
  if (county && !others.length && !countiesOfCity(city).includes(county.id))
    throw makeUnusableStatement(
      'cityId is not in the county',
      `cityId ${city.id} (${city.name}) is not in ${county.name}`,
      'ids_contradict',
    );
  return city;
}

/**
 * Completes names and ids of a record's place from each other; null if neither is stated. A name that the catalogue lacks gets no id. A
 * county that is not stated, or not known, is that of the city if it lies in one.
 */
export function resolvePlace(places: Places, given: PlaceNames): Required<PlaceNames> {
  const state = resolveState(places, given);
  const counties = resolveCounty(places, given, state);
  const city = resolveCity(places, given, state, counties);
  const county = counties.length === 1 ? counties[0] : findCountyOfCity(places, city, counties);
  return {
    state: state?.abbreviation ?? null,
    stateId: state?.id ?? null,
    county: county?.name ?? given.county ?? null,
    countyId: county?.id ?? null,
    city: city?.name ?? given.city ?? null,
    cityId: city?.id ?? null,
  };
}

/** Removes duplicates and makes the record one of its own members, as `mergedFrom` promises. */
const addSelfToMembers = (id: number, mergedFrom: readonly number[]) => [...new Set([id, ...mergedFrom])].sort((a, b) => a - b);

/** The one use that a statement's propertyType, propertySubtype and assetClass name. */
function readHeadlineUse({ propertyType, propertySubtype = null, assetClass = null }: ProjectStatement): LandUse[] {
  return propertyType ? [checkUse({ type: propertyType, subtype: propertySubtype, assetClass, role: 'primary' })] : [];
}

/** The stated type, with a subtype of it: both named for the fields they came in. */
function readHeadlineType(statement: ProjectStatement): string | null {
  const type = toToken('propertyType', vocabulary.propertyTypes, statement.propertyType);
  if (type) resolveSubtype('propertySubtype', type, statement.propertySubtype);
  return type;
}

/** All levels of a record's classification; its asset class is the first one among its uses, in their order, of whatever type. */
function classify(statement: ProjectStatement): Partial<ProjectStatement> {
  const { stated, listed, assetClass } = checkAll({
    stated: () => readHeadlineType(statement),
    listed: () => checkEach(statement.landUses ?? [], checkUse),
    assetClass: () => toToken('assetClass', vocabulary.assetClasses, statement.assetClass),
  });
  const landUses = distinctUses(listed.length ? listed : readHeadlineUse(statement));
  const type = stated ?? landUses[0]?.type ?? null;
  const subtype = resolveSubtype('propertySubtype', type, statement.propertySubtype);
  if (!landUses.length) return { landUses: null, propertySubtype: null, assetClass: null }; // no use, no levels of it
  const ofType = landUses.filter((use) => use.type === type);
  const classes = [...new Set(landUses.map((use) => use.type))];
  return {
    landUses,
    propertyType: type,
    propertySubtype: subtype ?? ofType.find((u) => u.subtype)?.subtype ?? null,
    assetClass: landUses.find((u) => u.assetClass)?.assetClass ?? assetClass,
    classifications: classes.map((t) => ({ type: t, role: landUses.find((use) => use.type === t)?.role ?? 'other' })),
  };
}

/** A document of which a line states only the id is served with every declared key. */
const NO_DOCUMENT = { title: null, meetingDate: null, url: null };

const resolveBody = (field: string, value: string | null | undefined) => toToken(field, vocabulary.decisionBodies, value);

const toDecision = (stated: Decision): Decision => ({
  ...stated,
  ...checkAll({
    decisionBody: () => resolveBody('decisions.decisionBody', stated.decisionBody),
    decisionType: () => toToken('decisions.decisionType', vocabulary.decisionTypes, stated.decisionType),
    status: () => toToken('decisions.status', vocabulary.statuses, stated.status),
  }),
});

const toStatusChange = (stated: StatusHistoryEntry): StatusHistoryEntry => ({
  ...stated,
  ...checkAll({
    status: () => toToken('statusHistory.status', vocabulary.statuses, stated.status) as string,
    decisionBody: () => resolveBody('statusHistory.decisionBody', stated.decisionBody),
  }),
});

const toMeetingDocument = (stated: MeetingDocumentReference): MeetingDocumentReference => ({
  ...NO_DOCUMENT,
  ...stated,
  decisionBody: resolveBody('meetingDocuments.decisionBody', stated.decisionBody),
});

/** The lists that a statement has, with tokens for labels. */
function normaliseLists({ decisions, statusHistory, meetingDocuments }: ProjectStatement): Partial<ProjectStatement> {
  return checkAll({
    ...(decisions ? { decisions: () => checkEach(decisions, toDecision) } : {}),
    ...(statusHistory ? { statusHistory: () => checkEach(statusHistory, toStatusChange) } : {}),
    ...(meetingDocuments ? { meetingDocuments: () => checkEach(meetingDocuments, toMeetingDocument) } : {}),
  });
}

/** Attributes that are tokens, without the classification, whose levels are checked together against the Building Type tree. */
const TOKENS = STATED_NAMES.flatMap((name) => {
  const { kind, vocabulary: terms } = fieldOf(name);
  return kind === 'attribute' && terms ? [{ name, terms }] : [];
});

function normaliseTokens(statement: ProjectStatement): Partial<ProjectStatement> {
  const found = checkEach(TOKENS, ({ name, terms }) => toToken(name, terms, statement[name] as string | null));
  return Object.fromEntries(TOKENS.map(({ name }, at) => [name, found[at]]));
}

/** Degrees from 0° N, 0° E, in the Atlantic, within which a point means that none is known. */
const NULL_POINT_DEGREES = 0.01;

/** @throws UnusableStatement for half a point, or one at 0, 0 */
function checkPoint({ latitude = null, longitude = null }: ProjectStatement): void {
  const refuse = (fault: string) => {
    throw makeUnusableStatement(fault, `${fault}, not ${latitude}, ${longitude}`);
  };
  if ((latitude === null) !== (longitude === null)) refuse('latitude and longitude are stated together or not at all');
  if (latitude !== null && longitude !== null && Math.max(Math.abs(latitude), Math.abs(longitude)) < NULL_POINT_DEGREES)
    refuse('a point that is not known is null');
}

/** A project line, with the fields that are not part of the statement. */
type Line = ProjectStatement & { kind?: string; deleted?: boolean; evidence?: unknown; unmerge?: unknown };

/**
 * Makes the canonical statement of one project line. A field that is absent or null is not covered by its generation.
 * @throws UnusableStatement with every token, place and level of the tree that is unknown
 */
export function normaliseProject(line: Line, places: Places): ProjectStatement {
  const { kind: _, deleted: __, evidence: ___, unmerge: ____, ...statement } = line;
  const {
    place,
    use,
    listed,
    tokens: named,
  } = checkAll({
    place: () => resolvePlace(places, statement),
    use: () => classify(statement),
    listed: () => normaliseLists(statement),
    tokens: () => normaliseTokens(statement),
    point: () => checkPoint(statement),
  });
  const mergedFrom = statement.mergedFrom ? addSelfToMembers(statement.id, statement.mergedFrom) : null;
  return { ...statement, ...place, ...use, ...listed, ...named, mergedFrom };
}

/** Parts of the identity: groups of fields that are kept together or not at all, and fields that are kept individually. */
const PLACE = ['state', 'stateId', 'county', 'countyId', 'city', 'cityId'] as const;
const USE = ['landUses', 'propertyType', 'propertySubtype', 'assetClass', 'classifications'] as const;
const POINT = ['latitude', 'longitude'] as const;
const TOGETHER: ReadonlySet<string> = new Set([...PLACE, ...USE, ...POINT]);
const ALONE = IDENTITY.filter((name) => !TOGETHER.has(name));

/**
 * Completes a statement with the identity and classification of the version it replaces, and checks that a record has
 * what every record has. A family keeps its members unless the statement says that the record stands alone.
 * @throws UnusableStatement for a new project without state or land use
 */
export function withIdentity(statement: ProjectStatement, previous: ProjectStatement | undefined): ProjectStatement {
  if (!previous) {
    const mergedFrom = addSelfToMembers(statement.id, statement.mergedFrom ?? []);
    return requireComplete({ ...statement, recordType: statement.recordType ?? 'project', mergedFrom });
  }
  const unplaced = statement.state ? null : (statement.city ?? statement.county);
  if (unplaced) throw makeUnusableStatement('county and city need their state', `'${unplaced}' is stated without its state`);
  const alone = statement.mergedFrom?.length === 1;
  const mergedFrom = addSelfToMembers(statement.id, [...(statement.mergedFrom ?? []), ...(alone ? [] : (previous.mergedFrom ?? []))]);
  const place = statement.state ? {} : pick(previous, PLACE);
  const use = statement.landUses ? {} : pick(previous, USE);
  const point = typeof statement.latitude !== 'number' ? pick(previous, POINT) : {};
  const rest = pick(previous, ALONE);
  return requireComplete({ recordType: 'project', ...rest, ...place, ...use, ...point, ...withoutNulls(statement), mergedFrom });
}

/** @throws UnusableStatement if a record lacks what every record has */
function requireComplete(statement: ProjectStatement): ProjectStatement {
  requireStateAndUse(statement);
  return statement;
}

/**
 * Checks what a new project must state.
 * @param unreadable fields of the line with unreadable values: they are not missing
 * @throws UnusableStatement
 */
export function requireStateAndUse(statement: Partial<ProjectStatement>, unreadable: ReadonlySet<string> = new Set()): void {
  const states = (...fields: (keyof ProjectStatement)[]) =>
    fields.some((field) => unreadable.has(field) || (Array.isArray(statement[field]) ? statement[field].length : statement[field]));
  const missing = [...(states('state', 'stateId') ? [] : ['state']), ...(states('landUses', 'propertyType') ? [] : ['landUses'])];
  const problems = missing.map(
    (field): LineProblem => ({
      fault: `the project is new and states no ${field}`,
      reason: `project ${statement.id} is new and states no ${field}`,
    }),
  );
  if (problems.length) throw new UnusableStatement(...problems);
}

function withoutNulls(statement: ProjectStatement): ProjectStatement {
  const stated: Record<string, unknown> = {};
  for (const key in statement) {
    const value = statement[key as keyof ProjectStatement];
    if (value !== null && value !== undefined) stated[key] = value;
  }
  return stated as unknown as ProjectStatement;
}

function pick(from: ProjectStatement, keys: readonly (keyof ProjectStatement)[]): Partial<ProjectStatement> {
  return Object.fromEntries(keys.flatMap((key) => (from[key] === undefined ? [] : [[key, from[key]]])));
}
