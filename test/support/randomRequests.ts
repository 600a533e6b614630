/** Random requests: what is meant, and one of the many ways to send it. */
import * as vocabulary from '../../src/core/domain/vocabulary.ts';
import { places } from './index.ts';
import type { Asked, Order } from './oracle.ts';
import type { Random } from './random.ts';
import { CASES, MEASUREMENTS, measurement, meetingDay, PLACES, phraseOf, TOKENS, TREE, WORDS, ZONINGS } from './randomProjects.ts';

export interface RandomRequest {
  asked: Asked;
  order: Order;
  /** the parameters as they are sent */
  sent: Record<string, string | string[]>;
}

interface Context {
  random: Random;
  today: string;
  ids: readonly number[];
  /** times of change of the served records */
  stamps: readonly string[];
}

type Made = { asked: Asked; sent: Record<string, string | string[]> };
type Maker = (context: Context) => Made;

/** A list as one value, separated by commas, as a JSON array, repeated, or mixed. */
function listForm(random: Random, values: readonly string[]): string | string[] {
  const [first = '', ...rest] = values;
  const forms = [
    () => values.join(','),
    () => ` ${values.join(' , ')},`,
    () => JSON.stringify(values),
    () => [...values, first],
    () => (rest.length ? [JSON.stringify(rest), first] : first),
  ];
  return random.pick(forms)();
}

const anyCase = (random: Random, text: string) => random.pick([text, text.toUpperCase(), text.toLowerCase()]);

function list(name: string, names: readonly string[], pool: readonly string[], spell: (random: Random, token: string) => string): Maker {
  return ({ random }) => {
    const values = random.some(pool, random.integer(1, 3));
    const spelt = values.map((token) => spell(random, token));
    return { asked: { [name]: values }, sent: { [random.pick([name, ...names])]: listForm(random, spelt) } };
  };
}

const byTokenOrLabel = (terms: vocabulary.Vocabulary) => (random: Random, token: string) =>
  anyCase(random, random.chance(0.5) ? token : (terms.label(token) ?? token));

const oneOf = (name: string, aliases: readonly string[], values: readonly (string | boolean)[]): Maker => {
  return ({ random }) => {
    const value = random.pick(values);
    return { asked: { [name]: value }, sent: { [random.pick([name, ...aliases])]: String(value) } };
  };
};

const idsOf = (name: string, alias: string, pool: readonly number[]): Maker => {
  return ({ random }) => {
    const ids = random.some(pool, random.integer(1, 3));
    return { asked: { [name]: ids }, sent: { [random.pick([name, alias])]: listForm(random, ids.map(String)) } };
  };
};

const states: Maker = ({ random }) => {
  const ids = random.some(PLACES.states, random.integer(1, 2));
  const spelt = ids.map((id) =>
    random.pick([String(id), places.state(id)?.name ?? '', places.state(id)?.abbreviation.toLowerCase() ?? '']),
  );
  return { asked: { states: ids }, sent: { states: listForm(random, spelt) } };
};

const shape = (name: string, make: (random: Random) => unknown): Maker => {
  return ({ random }) => {
    const value = make(random);
    return { asked: { [name]: value }, sent: { [name]: JSON.stringify(value) } };
  };
};

function box(random: Random) {
  const { latitude, longitude } = random.pick(PLACES.points);
  const [height, width] = [random.next() * 10, random.next() * 20];
  const box = { north: latitude + height, south: latitude - height, west: longitude - width, east: longitude + width };
  return random.chance(0.3) ? { ...box, west: Math.min(180, box.east + 1), east: Math.max(-180, box.west - 1) } : clamp(box);
}

const clamp = (box: { north: number; south: number; east: number; west: number }) => ({ ...box, west: Math.max(-180, box.west) });

function circle(random: Random) {
  const { latitude, longitude } = random.pick(PLACES.points);
  return { lat: latitude + random.next(), lng: longitude + random.next(), radiusMeters: random.integer(100, 500_000) };
}

/** A star about a place, or over more than half the globe. */
function ring(random: Random): [number, number][] {
  const wide = random.chance(0.4);
  const { latitude, longitude } = wide ? { latitude: 40, longitude: -60 } : random.pick(PLACES.points);
  const reach = wide ? 59 : 10;
  const corners = random.integer(3, 12);
  const star = Array.from({ length: corners }, (_, i): [number, number] => {
    const angle = (2 * Math.PI * i) / corners;
    const radius = reach * (0.3 + 0.7 * random.next());
    return [Math.min(180, Math.max(-180, longitude + 2 * radius * Math.cos(angle))), latitude + (radius / 2) * Math.sin(angle)];
  });
  const closed = [...star, star[0] as [number, number]];
  return random.chance(0.5) ? closed : closed.reverse();
}

const bounds: Maker = ({ random }) => {
  const name = random.pick(MEASUREMENTS);
  const [low, high] = [measurement(random, name), measurement(random, name)].sort((a, b) => a - b);
  const asked: Asked = {
    ...(random.chance(0.7) ? { [`${name}Min`]: low } : {}),
    ...(random.chance(0.7) ? { [`${name}Max`]: high } : {}),
  };
  return { asked, sent: Object.fromEntries(Object.entries(asked).map(([key, value]) => [key, String(value)])) };
};

function dateText(random: Random, today: string): string {
  const day = meetingDay(random, today);
  return random.pick([day, day.slice(0, 7), day.slice(0, 4), `${day}T23:30:00-07:00`]);
}

const dates: Maker = ({ random, today }) => {
  const asked: Asked = {
    ...(random.chance(0.6) ? { meetingDateFrom: dateText(random, today) } : {}),
    ...(random.chance(0.6) ? { meetingDateTo: dateText(random, today) } : {}),
    ...(random.chance(0.3) ? { dateRange: random.pick(['last_3_months', 'last_6_months', 'last_1_year', 'since_jan_2025', 'all']) } : {}),
  };
  return { asked, sent: { ...asked } };
};

/** Numbers and zonings, which may hold commas, go as a JSON array or repeated. */
const compared = (name: string, pool: readonly string[]): Maker => {
  return ({ random }) => {
    const values = random.some(pool, random.integer(1, 3));
    const spelt = values.map((text) => anyCase(random, text).replaceAll(' ', random.pick(['', ' ', '  '])));
    return { asked: { [name]: values }, sent: { [name]: JSON.stringify(spelt) } };
  };
};

const counted: Maker = ({ random }) => {
  const name = random.pick(['voteAgainst', 'hearingCount', 'daysInProcess']);
  const [low, high] = [random.pick([0, 1, 2, 30]), random.pick([1, 2, 3, 200])];
  const asked: Asked = { ...(random.chance(0.6) ? { [`${name}Min`]: low } : {}), ...(random.chance(0.6) ? { [`${name}Max`]: high } : {}) };
  return { asked, sent: Object.fromEntries(Object.entries(asked).map(([key, value]) => [key, String(value)])) };
};

const otherDates: Maker = ({ random, today }) => {
  const name = random.pick(['firstMeetingDate', 'nextMeetingDate']);
  const asked: Asked = {
    ...(random.chance(0.7) ? { [`${name}From`]: dateText(random, today) } : {}),
    ...(random.chance(0.5) ? { [`${name}To`]: dateText(random, today) } : {}),
  };
  return { asked, sent: { ...asked } };
};

const changes: Maker = ({ random, stamps }) => {
  const name = random.pick(['lastUpdatedFrom', 'lastUpdatedTo']);
  const text = random.pick(stamps);
  return { asked: { [name]: text }, sent: { [name]: text } };
};

const phrase = (name: string, aliases: readonly string[], alternatives: number): Maker => {
  return ({ random }) => {
    const parts = Array.from({ length: random.integer(1, alternatives) }, () =>
      anyCase(random, random.chance(0.5) ? random.pick(WORDS) : phraseOf(random, 2)),
    );
    const text = parts.join(random.pick(['|', ' | ']));
    return { asked: { [name]: text }, sent: { [random.pick([name, ...aliases])]: text } };
  };
};

const projectIds: Maker = ({ random, ids }) => {
  const values = random.some(ids, random.integer(1, 20));
  return { asked: { projectIds: values }, sent: { ids: listForm(random, values.map(String)) } };
};

const government: Maker = (context) => {
  const name = context.random.pick(['governmentDecisionSubtypes', 'governmentDecisionAssetClasses']);
  const pool = name === 'governmentDecisionSubtypes' ? TREE.governmentSubtypes : TREE.governmentClasses;
  const { asked, sent } = list(name, [], pool, (_, token) => token)(context);
  return { asked: { ...asked, includeGovernmentDecisions: true }, sent: { ...sent, includeGovernmentDecisions: 'true' } };
};

const combos: Maker = ({ random }) => {
  const values = random.some(TOKENS.decisionBody, 2).map((body) => `${body}|${random.pick(TOKENS.status)}`);
  return { asked: { statusCombos: values }, sent: { statusCombo: listForm(random, values) } };
};

const tokens = (name: string, aliases: readonly string[], pool: readonly string[], terms: vocabulary.Vocabulary) =>
  list(name, aliases, pool, byTokenOrLabel(terms));

const propertyTypes = tokens('propertyTypes', ['type', 'types'], TREE.types.slice(0, 3), vocabulary.propertyTypes);
const propertySubtypes = tokens('propertySubtypes', ['subtype'], TREE.subtypes, vocabulary.propertySubtypes);
const assetClasses = tokens('assetClasses', ['assetClass', 'assetClasses[]'], TREE.assetClasses, vocabulary.assetClasses);

/** Two levels of the tree at once, often a parent with its child. */
const levels: Maker = (context) => {
  const { random } = context;
  const [upper, lower] = random.pick([
    [propertyTypes, propertySubtypes],
    [propertyTypes, assetClasses],
    [propertySubtypes, assetClasses],
  ] as const);
  const [above, below] = [upper(context), lower(context)];
  return { asked: { ...above.asked, ...below.asked }, sent: { ...above.sent, ...below.sent } };
};

const OUTCOMES = ['approved', 'denied', 'withdrawn', 'pending', 'stalled', 'soft_denial'];

const MAKERS: readonly Maker[] = [
  states,
  idsOf('counties', 'countyIds', PLACES.counties),
  idsOf('cities', 'cityId', PLACES.cities),
  shape('bbox', box),
  shape('circle', circle),
  shape('polygon', ring),
  propertyTypes,
  propertySubtypes,
  assetClasses,
  levels,
  levels,
  tokens('excludePropertySubtypes', ['excludeSubtype'], TREE.subtypes, vocabulary.propertySubtypes),
  tokens('excludeAssetClasses', ['excludeAssetClass'], TREE.assetClasses, vocabulary.assetClasses),
  oneOf('taxonomyMatchMode', [], ['primary_only', 'primary_or_secondary', 'any']),
  oneOf('includeGovernmentDecisions', ['includeCivic', 'showAllRecords'], [true, false]),
  government,
  tokens('status', ['statuses', 'statusSelection'], TOKENS.status, vocabulary.statuses),
  tokens('decisionBodies', ['decisionBody'], TOKENS.decisionBody, vocabulary.decisionBodies),
  combos,
  tokens('requestTypes', ['askType'], TOKENS.requestType, vocabulary.requestTypes),
  tokens('decisionTypes', ['decisionType'], TOKENS.decisionType, vocabulary.decisionTypes),
  tokens('constructionTypes', ['constructionType'], TOKENS.constructionType, vocabulary.constructionTypes),
  tokens('projectSizes', ['constructionMagnitude'], TOKENS.projectSize, vocabulary.projectSizes),
  oneOf('constructionLeadsOnly', ['constructionLeadOnly'], [true, false]),
  oneOf('hasConstructionDetails', ['hasConstructionIntel'], [true, false]),
  oneOf('requiresZoningChange', ['rezoneOnly'], [true, false]),
  oneOf('inOpportunityZone', [], ['inside', 'outside']),
  oneOf('inFemaFloodZone', ['inSfha'], ['inside', 'outside']),
  bounds,
  bounds,
  dates,
  dates,
  changes,
  compared('caseNumbers', CASES),
  compared('parcelNumbers', CASES),
  compared('existingZonings', ZONINGS),
  compared('proposedZonings', ZONINGS),
  tokens(
    'staffRecommendations',
    [],
    ['approval', 'approval_with_conditions', 'denial', 'continuance', 'none'],
    vocabulary.staffRecommendations,
  ),
  tokens('voteResults', [], ['unanimous', 'split', 'tie'], vocabulary.voteResults),
  tokens('outcomes', [], OUTCOMES, vocabulary.outcomes),
  tokens('outcomes', [], OUTCOMES, vocabulary.outcomes),
  counted,
  counted,
  otherDates,
  phrase('q', ['search', 'query'], 3),
  phrase('projectName', ['name'], 1),
  phrase('developerName', ['developer', 'company'], 1),
  projectIds,
];

const FIELDS: readonly Order['field'][] = ['meetingDate', 'lastUpdated', 'dataRichness', 'totalUnitCount', 'acreage'];

const GOVERNMENT_FLAG = ['includeGovernmentDecisions', 'includeCivic', 'showAllRecords'];

/** Whether values lie under Govt. Decisions, which the API takes only with the flag. */
function namesGovernment(asked: Asked): boolean {
  const terms = { propertySubtypes: vocabulary.propertySubtypes, assetClasses: vocabulary.assetClasses };
  return Object.entries(terms).some(([name, { terms: all }]) =>
    ((asked[name as keyof typeof terms] ?? []) as readonly string[]).some(
      (token) => all.find((term) => term.token === token)?.type === vocabulary.GOVERNMENT_DECISIONS,
    ),
  );
}

/** One to four filters; every record's date counts unless dates are among them. */
export function randomRequest(context: Context): RandomRequest {
  const { random } = context;
  const asked: Asked = {};
  const sent: RandomRequest['sent'] = {};
  for (const make of random.some(MAKERS, random.integer(1, 4))) {
    const made = make(context);
    if (Object.keys(made.asked).some((name) => name in asked)) continue;
    Object.assign(asked, made.asked);
    Object.assign(sent, made.sent);
  }
  if (namesGovernment(asked)) {
    for (const name of GOVERNMENT_FLAG) delete sent[name];
    asked.includeGovernmentDecisions = true;
    sent.includeGovernmentDecisions = 'true';
  }
  const dated = ['meetingDateFrom', 'meetingDateTo', 'dateRange'].some((name) => asked[name] !== undefined);
  if (!dated && random.chance(0.9)) asked.dateRange = sent.dateRange = 'all';
  const order: Order = { field: random.pick(FIELDS), direction: random.pick(['asc', 'desc'] as const) };
  return { asked, order, sent: { ...sent, sort: order.field, order: order.direction } };
}
