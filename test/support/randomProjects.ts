/** Random project lines out of small pools, so that random filters meet them often. */
import * as vocabulary from '../../src/core/domain/vocabulary.ts';
import { places } from './index.ts';
import type { Line, Use } from './oracle.ts';
import type { Random } from './random.ts';

const few = (terms: readonly { token: string }[], count = 4) => terms.slice(0, count).map((term) => term.token);

export const TOKENS = {
  status: vocabulary.statuses.terms.map((term) => term.token),
  decisionBody: few(vocabulary.decisionBodies.terms),
  requestType: few(vocabulary.requestTypes.terms),
  decisionType: few(vocabulary.decisionTypes.terms),
  constructionType: few(vocabulary.constructionTypes.terms),
  projectSize: few(vocabulary.projectSizes.terms),
} as const;

export const MEASUREMENTS = [
  'totalUnitCount',
  'acreage',
  'lotSizeSqft',
  'squareFootage',
  'parkingSpaces',
  'buildingStories',
  'buildingHeightFeet',
  'bedroomCount',
  'floorCount',
  'lotCount',
];

export const WORDS = ['Cedar', 'Fork', 'data', 'center', 'O’Neil', 'phase', 'II', 'Élan', 'mill', '24-117'];

const STATES = ['CO', 'TX', 'IL', 'AK'];
const TYPES = ['residential', 'industrial', 'mixed_use'];

/** Cities of four states, with homonyms among them. */
const CITIES = STATES.flatMap((abbreviation) => {
  const state = places.findState(abbreviation);
  const ofState = places.cities.filter((city) => city.stateId === state?.id);
  return [...ofState.slice(0, 3), ...ofState.filter((city) => ['Springfield', 'Aurora', 'Boulder'].includes(city.name))];
});

export const PLACES = {
  states: [...new Set(CITIES.map((city) => city.stateId))],
  counties: [...new Set(CITIES.map((city) => city.countyId))],
  cities: CITIES.map((city) => city.id),
  points: CITIES.map(({ latitude, longitude }) => ({ latitude, longitude })),
};

/** The tree, as far as the pools use it: two subtypes a type, two asset classes a subtype. */
const subtypesOf = (type: string) =>
  few(
    vocabulary.propertySubtypes.terms.filter((term) => term.type === type),
    2,
  );
const classesOf = (subtype: string) =>
  few(
    vocabulary.assetClasses.terms.filter((term) => term.subtype === subtype),
    2,
  );
const ALL_TYPES = [...TYPES, vocabulary.GOVERNMENT_DECISIONS];

export const TREE = {
  types: ALL_TYPES,
  subtypes: ALL_TYPES.flatMap(subtypesOf),
  assetClasses: ALL_TYPES.flatMap(subtypesOf).flatMap(classesOf),
  governmentSubtypes: subtypesOf(vocabulary.GOVERNMENT_DECISIONS),
  governmentClasses: subtypesOf(vocabulary.GOVERNMENT_DECISIONS).flatMap(classesOf),
};

/** The tokens above each subtype and asset class. */
export const PARENTS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...vocabulary.propertySubtypes.terms.map((term) => [term.token, [term.type]] as const),
  ...vocabulary.assetClasses.terms.map((term) => [term.token, [term.type, term.subtype]] as const),
]);

const ATTRIBUTE_STATED = 0.6;

function use(random: Random, type: string, role: Use['role']): Use {
  const subtype = random.maybe(0.8, () => random.pick(subtypesOf(type)));
  return { type, subtype, assetClass: subtype ? random.maybe(0.7, () => random.pick(classesOf(subtype))) : null, role };
}

/** One use of a type, so that none covers another; the primary one first. */
function landUses(random: Random): Use[] {
  const primary = random.chance(0.12) ? vocabulary.GOVERNMENT_DECISIONS : random.pick(TYPES);
  const others = random.some(
    ALL_TYPES.filter((type) => type !== primary),
    random.integer(0, 2),
  );
  return [use(random, primary, 'primary'), ...others.map((type) => use(random, type, random.pick(['secondary', 'other'])))];
}

function place(random: Random): Partial<Line> {
  const city = random.pick(CITIES);
  const depth = random.integer(0, 4);
  const jitter = () => (random.next() - 0.5) * 0.4;
  return {
    stateId: city.stateId,
    ...(depth > 0 ? { countyId: city.countyId } : {}),
    ...(depth > 1 ? { cityId: city.id } : {}),
    ...(random.chance(0.85) ? { latitude: city.latitude + jitter(), longitude: Math.max(-179.9, city.longitude + jitter()) } : {}),
  };
}

export const phraseOf = (random: Random, length: number) =>
  Array.from({ length }, () => random.pick(WORDS)).join(random.pick([' ', ', ', '-', '/']));

const day = (random: Random, from: string, days: number) =>
  new Date(Date.parse(from) + random.integer(0, days) * 86_400_000).toISOString().slice(0, 10);

/** Days over two years and three weeks beyond today, few enough to collide. */
export const meetingDay = (random: Random, today: string) =>
  random.chance(0.5)
    ? `${random.pick(['2025', '2026'])}-${random.pick(['01', '06', '10'])}-15`
    : day(random, '2024-12-20', daysUntil(today) + 21);

const daysUntil = (today: string) => Math.round((Date.parse(today) - Date.parse('2024-12-20')) / 86_400_000);

const decision = (random: Random, today: string) => ({
  decisionBody: random.maybe(0.8, () => random.pick(TOKENS.decisionBody)),
  decisionType: null,
  status: random.maybe(0.8, () => random.pick(TOKENS.status)),
  meetingDate: meetingDay(random, today),
});

/** What is counted comes in whole numbers. */
const COUNTED = ['totalUnitCount', 'bedroomCount', 'parkingSpaces', 'lotCount'];

export function measurement(random: Random, name: string): number {
  return random.pick([0, 1, 10, 100, random.integer(0, 200) + (COUNTED.includes(name) ? 0 : 0.5)]);
}

export const CASES = ['RZ-24-017', 'rz 24.017', 'RZ-24-17', 'SUP 2025/3', '001-23-4', '1-23-4'];
export const ZONINGS = ['R-1', 'r-1', 'R-1 (CD)', 'I-2, R-1', 'PUD', 'b-1(cd)'];
export const STAFF_WORDS = [
  'Approval',
  'Staff recommends approval, subject to conditions',
  'Staff does not support the request',
  'Defer to the next meeting',
  'See the report',
];

const totals = (random: Random) => ({ yes: random.integer(0, 3), ...(random.chance(0.8) ? { no: random.integer(0, 3) } : {}) });

/** The course of the case. */
const course = (random: Random, today: string) => ({
  caseNumbers: random.maybe(0.3, () => random.some(CASES, random.integer(0, 2))),
  parcelNumbers: random.maybe(0.3, () => random.some(CASES, random.integer(1, 2))),
  existingZoning: random.maybe(0.5, () => random.pick(ZONINGS)),
  proposedZoning: random.maybe(0.5, () => random.pick(ZONINGS)),
  staffRecommendation: random.maybe(0.5, () => random.pick(STAFF_WORDS)),
  voteTotals: random.maybe(0.5, () => totals(random)),
  appearanceCount: random.maybe(0.5, () => random.integer(0, 4)),
  firstMeetingDate: random.maybe(0.5, () => meetingDay(random, today)),
  nextMeetingDate: random.maybe(0.2, () => meetingDay(random, today)),
  statusHistory: random.maybe(0.4, () =>
    Array.from({ length: random.integer(0, 4) }, () => ({
      status: random.pick(['continued', 'tabled', random.pick(TOKENS.status)]),
      date: meetingDay(random, today),
      decisionBody: null,
    })),
  ),
});

/** What a load extracts: each attribute is stated or not covered. */
function attributes(random: Random, today: string): Partial<Line> {
  const tokens = Object.entries(TOKENS).map(([key, values]) => [key, random.maybe(ATTRIBUTE_STATED, () => random.pick<string>(values))]);
  const flags = ['isConstructionLead', 'hasConstructionDetails', 'isRezone', 'inOpportunityZone', 'inFemaFloodZone'];
  const text = (length: number) => random.maybe(0.4, () => phraseOf(random, length));
  return {
    ...Object.fromEntries(tokens),
    ...Object.fromEntries(flags.map((key) => [key, random.maybe(ATTRIBUTE_STATED, () => random.chance(0.5))])),
    ...Object.fromEntries(MEASUREMENTS.map((key) => [key, random.maybe(ATTRIBUTE_STATED, () => measurement(random, key))])),
    summary: text(4),
    statusSummary: text(3),
    rawText: text(8),
    parties: random.maybe(0.6, () => [{ role: random.pick(['developer', 'owner', 'architect']), name: phraseOf(random, 2) }]),
    ...course(random, today),
    decisions: random.maybe(0.5, () => Array.from({ length: random.integer(0, 3) }, () => decision(random, today))),
  };
}

export function randomLine(random: Random, id: number, today: string): Line {
  return {
    kind: 'project',
    id,
    projectName: phraseOf(random, 3),
    displayName: random.maybe(0.3, () => phraseOf(random, 2)),
    meetingDate: random.maybe(0.95, () => meetingDay(random, today)),
    landUses: landUses(random),
    ...place(random),
    ...attributes(random, today),
  };
}

/** What a later load says of a project: new attributes, sometimes another name, date or classification. */
export function laterLine(random: Random, { id, stateId, countyId, cityId }: Line, today: string): Line {
  return {
    kind: 'project',
    id,
    ...(random.chance(0.3) ? { ...place(random) } : { stateId, countyId: countyId ?? null, cityId: cityId ?? null }),
    ...(random.chance(0.3) ? { projectName: phraseOf(random, 3) } : {}),
    ...(random.chance(0.3) ? { meetingDate: meetingDay(random, today) } : {}),
    ...(random.chance(0.4) ? { landUses: landUses(random) } : {}),
    ...attributes(random, today),
  };
}
