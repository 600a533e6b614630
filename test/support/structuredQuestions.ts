/** Questions that filters answer whole, made from the filter table and the vocabularies: what is asked, and five wordings of each. */

import * as vocabulary from '../../src/core/domain/vocabulary.ts';
import { places } from './index.ts';
import type { Asked, Line } from './oracle.ts';
import type { Random } from './random.ts';

/** One thing that a question asks, and how a record says it. */
interface Facet {
  asked: Asked;
  line: Partial<Line>;
  /** five wordings */
  said: readonly string[];
}

export interface StructuredQuestion {
  asked: Asked;
  /** what a record that answers it states */
  line: Partial<Line>;
  wordings: readonly string[];
}

const five = (make: (i: number) => string) => Array.from({ length: 5 }, (_, i) => make(i));
const lower = (label: string) => label.toLowerCase();
const plural = (label: string) => (/(?:[sx]|ch|sh)$/.test(label) ? `${label}es` : label.replace(/([^aeiou])y$/, '$1ie').concat('s'));

const ALL = [
  ...Object.values(vocabulary).flatMap((one) => (one instanceof vocabulary.Vocabulary ? one.terms.map(({ label }) => lower(label)) : [])),
];
/** A label that two vocabularies share names no filter by itself. */
const isOwn = ({ token, label }: vocabulary.Term) =>
  !/^(?:other_|unknown$|recommendation$|public_hearing$|filed$)/.test(token) && ALL.filter((one) => one === lower(label)).length === 1;
const termsOf = (all: vocabulary.Vocabulary) => all.terms.filter(isOwn);

/** The uses of records where a question asks for none: governments' items are left out. */
const HOMES = [{ type: 'residential', subtype: 'multifamily', assetClass: null, role: 'primary' as const }];

function useFacet(random: Random): Facet {
  const level = random.pick(['propertyTypes', 'propertySubtypes', 'assetClasses'] as const);
  const own = termsOf(vocabulary[level]).filter(
    (one) => (one as { type?: string }).type !== vocabulary.GOVERNMENT_DECISIONS && one.token !== vocabulary.GOVERNMENT_DECISIONS,
  );
  const some = random.some(own, random.pick([1, 1, 2, 3]));
  const names = some.map(({ label }) => lower(label));
  const listed = (word: string) => [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(` ${word} `);
  const [list, either] = [listed('and'), listed('or')];
  const { token } = random.pick(some) as vocabulary.Term;
  const above = (vocabulary[level].find(token) ?? {}) as { type?: string; subtype?: string };
  const use = {
    type: above.type ?? token,
    subtype: level === 'propertyTypes' ? null : (above.subtype ?? token),
    assetClass: level === 'assetClasses' ? token : null,
    role: 'primary' as const,
  };
  return {
    asked: { [level]: some.map((one) => one.token) },
    line: { landUses: [use] },
    said: [`${list} projects`, `${either} developments`, `applications for ${either} projects`, `${list} proposals`, `${either}`],
  };
}

const ATTRIBUTES = {
  requestTypes: [
    'requestType',
    vocabulary.requestTypes,
    (name: string) => [`${plural(name)}`, `${name} cases`, `requests for a ${name}`, `${name} applications`, `${name}`],
  ],
  constructionTypes: [
    'constructionType',
    vocabulary.constructionTypes,
    (name: string) => [`${name}`, `${name} projects`, `cases about ${name}`, `${name} work`, `involving ${name}`],
  ],
  decisionBodies: [
    'decisionBody',
    vocabulary.decisionBodies,
    (name: string) => [`decided by the ${name}`, `before the ${name}`, `that the ${name} heard`, `${name} decisions`, `heard by a ${name}`],
  ],
} as const;

function attributeFacet(random: Random, filter: keyof typeof ATTRIBUTES): Facet {
  const [attribute, terms, word] = ATTRIBUTES[filter];
  const { token, label } = random.pick(
    termsOf(terms).filter(({ token: one }) => !['comprehensive_plan_amendment', 'zoning_text_amendment'].includes(one)),
  );
  return { asked: { [filter]: [token] }, line: { [attribute]: token }, said: word(filter === 'decisionBodies' ? label : lower(label)) };
}

/** What people call decisions, by the tokens that count as such. */
const STATUSES: readonly [tokens: string[], words: string[]][] = [
  [
    ['approved', 'approved_with_conditions'],
    ['approved', 'that were approved', 'granted', 'that got approved', 'with approved status'],
  ],
  [['denied'], ['denied', 'that were denied', 'rejected', 'that were turned down', 'that got denied']],
  [['withdrawn'], ['withdrawn', 'that were withdrawn', 'that the applicant withdrew', 'withdrawn ones', 'called off']],
  [['continued'], ['continued', 'that were continued', 'postponed', 'that got deferred', 'laid over']],
  [
    ['approved', 'approved_with_conditions', 'denied'],
    ['approved or denied', 'that were approved or denied', 'either approved or denied', 'approved and denied', 'denied or approved'],
  ],
];

function statusFacet(random: Random): Facet {
  const [tokens, said] = random.pick(STATUSES);
  return { asked: { status: tokens }, line: { status: random.pick(tokens) }, said };
}

function placeFacet(random: Random): Facet {
  const states = random.some(
    places.states.filter(({ name }) => name !== 'New York' && name !== 'Washington'),
    random.pick([1, 1, 3]),
  );
  const [state] = states as [(typeof states)[number]];
  if (states.length > 1) {
    const names = states.map(({ name }) => name);
    const list = (word: string) => `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;
    const stateId = random.pick(states).id;
    return {
      asked: { states: states.map(({ id }) => id) },
      line: { stateId },
      said: [
        `in ${list('and')}`,
        `in ${list('or')}`,
        `across ${list('and')}`,
        `in ${states.map(({ abbreviation }) => abbreviation).join(', ')}`,
        `in ${names.join(' or ')}`,
      ],
    };
  }
  const isOnly = (name: string) => places.findCities(`${name}, ${state.abbreviation}`).length === 1;
  const city = random.pick(
    places.cities.filter(
      ({ stateId, population, name }) => stateId === state.id && population > 15_000 && isOnly(name) && !name.includes('('),
    ),
  );
  if (!city || random.chance(0.5)) {
    const { name } = state;
    return {
      asked: { states: [state.id] },
      line: { stateId: state.id },
      said: [`in ${name}`, `across ${name}`, `in the state of ${name}`, `anywhere in ${name}`, `from ${name}`],
    };
  }
  const { name } = city;
  return {
    asked: { cities: [city.id] },
    line: { stateId: state.id, countyId: city.countyId, cityId: city.id },
    said: [
      `in ${name}, ${state.abbreviation}`,
      `in ${name}, ${state.name}`,
      `within ${name}, ${state.abbreviation}`,
      `in the city of ${name}, ${state.name}`,
      `in ${name} ${state.name}`,
    ],
  };
}

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

function dateFacet(random: Random): Facet {
  const year = random.integer(2019, 2025);
  const month = random.integer(1, 12);
  const of = `${year}-${String(month).padStart(2, '0')}`;
  const name = MONTHS[month - 1] as string;
  const within = (from: string, to: string) => ({
    asked: { meetingDateFrom: from, meetingDateTo: to },
    line: { meetingDate: `${to.slice(0, 4)}-${of.slice(5)}-11` },
  });
  const facets: Facet[] = [
    {
      ...within(`${year}`, `${year}`),
      said: [`in ${year}`, `during ${year}`, `heard in ${year}`, `decided in ${year}`, `from ${year}`].map((one, i) =>
        i === 4 ? `in the year ${year}` : one,
      ),
    },
    {
      ...within(`${year}`, `${year + 1}`),
      said: [
        `in ${year} and ${year + 1}`,
        `in ${year} or ${year + 1}`,
        `between ${year} and ${year + 1}`,
        `from ${year} to ${year + 1}`,
        `in ${year} and in ${year + 1}`,
      ],
    },
    {
      asked: { meetingDateFrom: of, meetingDateTo: of },
      line: { meetingDate: `${of}-11` },
      said: [`in ${name} ${year}`, `in ${name} of ${year}`, `during ${name} ${year}`, `heard in ${name.slice(0, 3)} ${year}`, `in ${of}`],
    },
    {
      asked: { meetingDateFrom: `${year}` },
      line: { meetingDate: `${year}-03-11` },
      said: [`since ${year}`, `since the start of ${year}`, `from ${year} onwards`, `in ${year} or later`, `after ${year - 1}`],
    },
    {
      asked: { meetingDateTo: `${year}` },
      line: { meetingDate: `${year}-03-11` },
      said: [`before ${year + 1}`, `until ${year}`, `through ${year}`, `up to the end of ${year}`, `before the end of ${year}`],
    },
  ];
  return random.pick([...facets, ...partsOfYear(random, year)]);
}

/** Months in small letters, days in numbers, quarters and halves. */
function partsOfYear(random: Random, year: number): Facet[] {
  const [first, day] = [random.integer(1, 10), random.integer(1, 28)];
  const [quarter, half] = [random.integer(1, 4), random.integer(1, 2)];
  const month = (of: number) => `${year}-${String(of).padStart(2, '0')}`;
  const [name, later] = [MONTHS[first - 1] as string, MONTHS[first + 1] as string];
  const between = (from: number, to: number) => ({
    asked: { meetingDateFrom: month(from), meetingDateTo: month(to) },
    line: { meetingDate: `${month(to)}-11` },
  });
  const on = `${month(first)}-${String(day).padStart(2, '0')}`;
  const quarterName = ['first', 'second', 'third', 'fourth'][quarter - 1];
  const halfName = ['first', 'second'][half - 1];
  return [
    {
      ...between(first, first + 2),
      said: [
        `from ${lower(name)} to ${lower(later)} ${year}`,
        `${lower(name)} to ${lower(later)} ${year}`,
        `between ${name} and ${later} ${year}`,
        `${name} through ${later} ${year}`,
        `from ${name} ${year} until ${later} ${year}`,
      ],
    },
    {
      asked: { meetingDateFrom: on, meetingDateTo: on },
      line: { meetingDate: on },
      said: [
        `on ${first}/${day}/${year}`,
        `on ${name} ${day}, ${year}`,
        `on ${on}`,
        `on ${day} ${name} ${year}`,
        `heard on ${name} ${day} ${year}`,
      ],
    },
    {
      ...between(quarter * 3 - 2, quarter * 3),
      said: [
        `in the ${quarterName} quarter of ${year}`,
        `in Q${quarter} ${year}`,
        `during q${quarter} of ${year}`,
        `heard in the ${quarterName} quarter of ${year}`,
        `between ${MONTHS[quarter * 3 - 3]} and ${MONTHS[quarter * 3 - 1]} ${year}`,
      ],
    },
    {
      ...between(half * 6 - 5, half * 6),
      said: [
        `in the ${halfName} half of ${year}`,
        `in H${half} ${year}`,
        `during the ${halfName} half of ${year}`,
        `heard in h${half} ${year}`,
        `from ${MONTHS[half * 6 - 6]} to ${MONTHS[half * 6 - 1]} ${year}`,
      ],
    },
  ];
}

/** How people name what is measured, by the measurement; floors are stories. */
const UNITS: Readonly<Record<string, (amount: string) => string>> = {
  totalUnitCount: (n) => `${n} dwelling units`,
  acreage: (n) => `${n} acres`,
  lotSizeSqft: (n) => `a lot size of ${n} square feet`,
  squareFootage: (n) => `${n} sq ft`,
  parkingSpaces: (n) => `${n} parking spaces`,
  buildingStories: (n) => `${n} ${Number.parseInt(n.replace(/\D+/, ''), 10) % 2 ? 'stories' : 'floors'}`,
  buildingHeightFeet: (n) => `a height of ${n} feet`,
  bedroomCount: (n) => `${n} bedrooms`,
  lotCount: (n) => `${n} lots`,
};

function sizeFacet(random: Random): Facet {
  const name = random.pick(Object.keys(UNITS));
  const say = UNITS[name] as (amount: string) => string;
  const [low, high] = [random.integer(2, 40), random.integer(41, 90)];
  const words = (all: string[]) => all.map((one) => `with ${say(one)}`);
  // A second measurement beside a range: `10 to 20 acres and up to 3 stories`.
  const other = random.pick(Object.keys(UNITS).filter((one) => one !== name));
  const most = random.integer(41, 90);
  const beside = (UNITS[other] as (amount: string) => string)(`up to ${most}`);
  const facets: Facet[] = [
    {
      asked: { [`${name}Min`]: low, [`${name}Max`]: high },
      line: { [name]: high },
      said: words([
        `at least ${low} and at most ${high}`,
        `at least ${low} but no more than ${high}`,
        `no less than ${low} and up to ${high}`,
        `a minimum of ${low} and a maximum of ${high}`,
        `not less than ${low} but not more than ${high}`,
      ]),
    },
    {
      asked: { [`${name}Min`]: low, [`${name}Max`]: high, [`${other}Max`]: most },
      line: { [name]: low, [other]: most },
      said: words([`${low} to ${high}`, `between ${low} and ${high}`, `${low}-${high}`, `from ${low} to ${high}`, `${low} or ${high}`]).map(
        (one, i) => (i === 4 ? `with ${beside} and ${say(`${low} to ${high}`)}` : `${one} and ${beside}`),
      ),
    },
    {
      asked: { [`${name}Min`]: low },
      line: { [name]: low + 1 },
      said: words([`at least ${low}`, `${low} or more`, `no less than ${low}`, `a minimum of ${low}`, `${low}+`]),
    },
    {
      asked: { [`${name}Max`]: high },
      line: { [name]: high },
      said: words([`at most ${high}`, `up to ${high}`, `no more than ${high}`, `a maximum of ${high}`, `not more than ${high}`]),
    },
    {
      asked: { [`${name}Min`]: low, [`${name}Max`]: high },
      line: { [name]: low },
      said: words([`between ${low} and ${high}`, `${low} to ${high}`, `${low}-${high}`, `from ${low} to ${high}`, `${low} – ${high}`]),
    },
    {
      asked: { [`${name}Min`]: low, [`${name}Max`]: low },
      line: { [name]: low },
      said: words([`${low}`, `exactly ${low}`, `${low}.0`, `precisely ${low}`, `just ${low}`]),
    },
  ];
  return random.pick(facets);
}

/** A number before what is built: `20-acre sites`. */
function sizedFacet(random: Random): Facet {
  const n = random.integer(2, 90);
  const exactly = (name: string, said: string[]): Facet => ({ asked: { [`${name}Min`]: n, [`${name}Max`]: n }, line: { [name]: n }, said });
  return random.pick([
    exactly('acreage', [`${n}-acre sites`, `sites of ${n} acres`, `a ${n} acre site`, `a ${n}-acre parcel`, `sites on ${n} acres`]),
    exactly('buildingHeightFeet', [
      `${n}-foot buildings`,
      `buildings ${n} feet tall`,
      `a ${n}-foot-tall building`,
      `buildings with a height of ${n} feet`,
      `${n} foot high buildings`,
    ]),
    exactly('buildingStories', [
      `${n}-story buildings`,
      `${n} story buildings`,
      `a ${n}-floor building`,
      `buildings of ${n} stories`,
      `${n} floors`,
    ]),
    exactly('totalUnitCount', [
      `${n}-unit buildings`,
      `${n} unit projects`,
      `a ${n}-unit project`,
      `projects of ${n} units`,
      `${n} dwelling units`,
    ]),
    exactly('lotCount', [`${n}-lot projects`, `${n} lot projects`, `a ${n}-lot project`, `projects of ${n} lots`, `${n} lots`]),
  ]);
}

function zoningFacet(random: Random): Facet {
  const to = random.pick(['PUD', 'C-2', 'R-4', 'M-1', 'CBD', 'B-3']);
  return {
    asked: { requestTypes: to === 'PUD' ? ['rezoning', 'planned_development'] : ['rezoning'], proposedZonings: [to] },
    line: { requestType: 'rezoning', proposedZoning: to },
    said: [
      `rezonings to ${to}`,
      `rezoning to ${to}`,
      `requests to rezone to ${to}`,
      `zone changes to ${to}`,
      `zoning map amendments to ${to}`,
    ],
  };
}

function voteFacet(random: Random): Facet {
  const [result, no, said] = random.pick([
    ['split', 2, ['with a split vote', 'by a split vote', 'with a split decision', 'where the vote was split', 'with a divided vote']],
    ['unanimous', 0, ['with a unanimous vote', 'unanimously', 'by unanimous vote', 'with a unanimous decision', 'by a unanimous vote']],
  ] as const);
  return { asked: { voteResults: [result] }, line: { voteTotals: { yes: 5, no, abstain: 0, absent: 0 } }, said };
}

/** What asks nothing: `with or without parking`. */
const eitherWay: Facet = {
  asked: {},
  line: {},
  said: [
    'with or without parking',
    'with and without parking',
    'with or without a garage',
    'with or without basements',
    'whether or not contested',
  ],
};

/** Subtypes that no record of the question has. */
function exceptionFacet(random: Random, facets: readonly Facet[]): Facet {
  const used = new Set(
    facets.flatMap(({ asked, line }) => [...Object.values(asked).flat(), ...(line.landUses ?? HOMES).map(({ subtype }) => subtype)]),
  );
  const { token, label } = random.pick(
    termsOf(vocabulary.propertySubtypes).filter(
      (one) => !used.has(one.token) && (one as { type?: string }).type !== vocabulary.GOVERNMENT_DECISIONS && !/[/&,]/.test(one.label),
    ),
  );
  const name = lower(label);
  return {
    asked: { excludePropertySubtypes: [token] },
    line: {},
    said: [`except ${name}`, `excluding ${name}`, `other than ${name}`, `that are not ${name}`, `apart from ${name}`],
  };
}

/** A question of two to four facets, and now and then an exception. */
export function structuredQuestion(random: Random): StructuredQuestion {
  const request = () => attributeFacet(random, random.pick(['requestTypes', 'constructionTypes'] as const));
  const head = random.pick([useFacet, useFacet, request, request, sizedFacet, zoningFacet])(random);
  const sizes = Object.keys(head.asked).some((name) => /(?:Min|Max)$/.test(name)) ? [] : [sizeFacet];
  const makers = [statusFacet, (one: Random) => attributeFacet(one, 'decisionBodies'), placeFacet, dateFacet, voteFacet, ...sizes];
  const most = [head, ...random.some(makers, random.integer(1, 3)).map((make) => make(random))];
  const facets = [...most, ...(random.chance(0.2) ? [exceptionFacet(random, most)] : []), ...(random.chance(0.1) ? [eitherWay] : [])];
  const leads = ['', 'show me ', 'I am looking for ', 'which ', 'please list all '];
  return {
    asked: Object.assign({ dateRange: 'all' }, ...facets.map(({ asked }) => asked)),
    line: Object.assign({ landUses: HOMES }, ...facets.map(({ line }) => line)),
    wordings: five((i) => `${leads[i]}${facets.map(({ said }) => said[i]).join(' ')}`),
  };
}
