/** Reads places: states, counties and cities of the catalogue. An ambiguous name means all likely places. */
import { type City, countiesOfCity, foldName, type Places, type State } from '../../../../core/domain/places.ts';
import type { QuestionWords } from '../question.ts';
import { STREETS } from '../streets.ts';

const IN = [
  'in',
  'within',
  'throughout',
  'across',
  'inside',
  'for',
  'from',
  'of',
  'at',
  'the',
  'city of',
  'town of',
  'in the',
  'in downtown',
  'downtown',
];
const NEAR = [
  'near',
  'around',
  'close to',
  'outside',
  'outside of',
  'nearby',
  'surrounding',
  'in the vicinity of',
  'north of',
  'south of',
  'east of',
  'west of',
];
const NAME_WORDS_MAX = 4;
/** Of cities with the same name, those with at least this share of the largest one's population are meant. */
const LIKELY_SHARE = 0.15;
/** More counties or cities than this are not meant by one name. */
const HOMONYMS_MAX = 40;
/** Population of a city that a name in small letters, or one without `in`, may mean. */
const POPULATION_PLAIN_MIN = 5_000;
const POPULATION_BARE_MIN = 40_000;
const NEAR_METRES = 30_000;
const METRES_A_DEGREE = 111_320;

/** Names of cities that usually mean something else. */
const WORDS = new Set(
  'mobile reading commerce industry orange normal media surprise enterprise liberty hearing process review park parks mission university college center lake lakes river bridge hill hills valley island beach harbor garden gardens forest church temple tower march may union justice eagle price page ball home homes court station airport plaza plant market mill mills paradise defiance independence progress energy water water mills falls grant lincoln general fountain pearl sunrise victor hope energy retail apple buffalo rose garden'.split(
    ' ',
  ),
);
/** Everyday words and directions that are names of cities, too: they mean a city only with its state. */
const NEVER = new Set('the new east west north south central main house black white first second upper lower old'.split(' '));
const BOROUGHS: Readonly<Record<string, number>> = {
  manhattan: 36061,
  brooklyn: 36047,
  queens: 36081,
  bronx: 36005,
  'staten island': 36085,
};

interface Found {
  to: number;
  filters: Record<string, string[]>;
}

/** The state at token `at`: its name, or its abbreviation in capitals after a comma or `in`. */
function stateAt(question: QuestionWords, at: number, places: Places): { to: number; state: State } | undefined {
  for (const length of [3, 2, 1]) {
    if (!question.isFree(at, at + length)) continue;
    const text = question.slice(at, at + length);
    if (length === 1 && text.length === 2) {
      const expected = /,\s*$/.test(question.textAfter(at - 1)) || question.word(at - 1) === 'in' || at === question.tokens.length - 1;
      const state = expected && text === text.toUpperCase() ? places.findState(text) : undefined;
      if (state) return { to: at + 1, state };
    } else if (text.length > 2) {
      const state = places.findState(text);
      if (state && foldName(state.name) === foldName(text)) return { to: at + length, state };
    }
  }
  return undefined;
}

/** A state that narrows the name before it: `Austin, TX`, `Boulder Colorado`. */
function narrowing(question: QuestionWords, at: number, places: Places) {
  if (at >= question.tokens.length || !/^[\s,.]*$/.test(question.textAfter(at - 1))) return undefined;
  if (question.has(at, 'dc') || question.has(at, 'd c')) return undefined;
  return stateAt(question, at, places);
}

const KINDS = /^(?:county|parish|borough)$/;

function countyAt(question: QuestionWords, at: number, length: number, places: Places): Found | undefined {
  const kind = at + length;
  if (!KINDS.test(question.word(kind)) || !question.isFree(at, kind + 1)) return undefined;
  const state = narrowing(question, kind + 1, places);
  const found = places.findCounties(`${question.slice(at, kind)} ${question.word(kind)}`, state ? { stateIds: [state.state.id] } : {});
  if (!found.length || found.length > HOMONYMS_MAX) return undefined;
  return { to: state?.to ?? kind + 1, filters: { counties: found.map(({ id }) => String(id)) } };
}

/** The likely ones of several cities with the same name. */
function likely(cities: readonly City[]): City[] {
  const largest = Math.max(...cities.map(({ population }) => population));
  return cities.filter(({ population }) => population >= largest * LIKELY_SHARE);
}

function citiesAt(
  question: QuestionWords,
  at: number,
  length: number,
  places: Places,
  introduced: boolean,
): { to: number; cities: City[] } | undefined {
  if (!question.isFree(at, at + length)) return undefined;
  const name = question.slice(at, at + length);
  const state = narrowing(question, at + length, places);
  if (!state && NEVER.has(name.toLowerCase())) return undefined;
  const found = places.findCities(name, state ? { stateIds: [state.state.id] } : {});
  if (!found.length) return undefined;
  const cities = likely(found);
  const largest = Math.max(...cities.map(({ population }) => population));
  const capital = question.isCapital(at) && at > 0;
  if (!introduced && !state && (endsName(question, at) || beginsName(question, at + length))) return undefined;
  if (!state && WORDS.has(name.toLowerCase()) && (!introduced || !capital)) return undefined;
  const least = state ? 0 : introduced && capital ? 0 : introduced ? POPULATION_PLAIN_MIN : POPULATION_BARE_MIN;
  if (largest < least || (!introduced && !state && !question.isCapital(at)) || cities.length > HOMONYMS_MAX) return undefined;
  return { to: state?.to ?? at + length, cities };
}

/** Whether the word before is the beginning of a longer name: `Memorial Sloan Kettering`. The first word of a question is a capital anyway. */
const endsName = (question: QuestionWords, at: number) =>
  at > 1 && question.isCapital(at - 1) && question.isFree(at - 1) && /^\s+$/.test(question.textAfter(at - 1));

/** Whether the word behind goes on with the name: `Alexandria Real Estate`. */
const beginsName = (question: QuestionWords, to: number) =>
  question.isCapital(to) && question.isFree(to) && /^\s+$/.test(question.textAfter(to - 1));

/** Words after which names are those of voters, not places: `the nays of Holland and Haley`. */
const OF_VOTERS = /^(?:nays?|noes|ayes|votes?|dissents?|objections?|abstentions?|motions?|recusals?)$/;
/** `with Holland opposed and Warren absent` */
const VOTES = /^(?:opposed|opposing|absent|dissenting|dissented|abstaining|abstained|recused|recusing|voting|voted)$/;

/** Counties of places near these cities: their own counties, and those of every city nearby. */
function countiesNear(cities: readonly City[], places: Places): string[] {
  const near = places.cities.filter((other) => cities.some((city) => distance(city, other) <= NEAR_METRES));
  return [...new Set([...cities.flatMap(countiesOfCity), ...near.map(({ countyId }) => countyId)])].map(String);
}

/** Distance in metres, on a plane: exact enough for neighbours. */
function distance(a: City, b: City): number {
  const north = (a.latitude - b.latitude) * METRES_A_DEGREE;
  if (Math.abs(north) > NEAR_METRES) return Math.abs(north);
  const east = (a.longitude - b.longitude) * METRES_A_DEGREE * Math.cos((a.latitude * Math.PI) / 180);
  return Math.hypot(north, east);
}

function boroughAt(question: QuestionWords, at: number): Found | undefined {
  for (const length of [2, 1]) {
    const id = question.isFree(at, at + length) ? BOROUGHS[question.slice(at, at + length).toLowerCase()] : undefined;
    if (id !== undefined && (question.isCapital(at) || question.longest(at - 1, IN) || question.longest(at - 2, ['in the']))) {
      const city = question.longest(at + length, ['ny', 'new york', 'nyc']);
      return { to: at + length + city, filters: { counties: [String(id)] } };
    }
  }
  return undefined;
}

/** The longest name that begins at `at`. @param lead words before it that introduce a place, as many as end there */
function placeAt(question: QuestionWords, at: number, places: Places, introduced: boolean, near: boolean): Found | undefined {
  const borough = boroughAt(question, at);
  if (borough) return borough;
  for (let length = Math.min(NAME_WORDS_MAX, question.tokens.length - at); length > 0; length--) {
    const county = countyAt(question, at, length, places);
    if (county) return county;
    const state = length <= 3 && !narrowedCity(question, at, length, places) ? stateOf(question, at, length, places) : undefined;
    if (state) return state;
    const found = citiesAt(question, at, length, places, introduced);
    if (!found) continue;
    const filters: Record<string, string[]> = near
      ? { counties: countiesNear(found.cities, places) }
      : { cities: found.cities.map(({ id }) => String(id)) };
    return { to: found.to, filters };
  }
  return undefined;
}

/** `New York, NY` is a city although its name is a state's. */
const narrowedCity = (question: QuestionWords, at: number, length: number, places: Places) =>
  narrowing(question, at + length, places) !== undefined;

function stateOf(question: QuestionWords, at: number, length: number, places: Places): Found | undefined {
  const found = stateAt(question, at, places);
  if (!found || found.to !== at + length) return undefined;
  if (question.has(found.to, 'dc') || question.has(found.to, 'city') || question.has(found.to, 'county')) return undefined;
  return { to: found.to, filters: { states: [found.state.abbreviation] } };
}

const ALIASES: Readonly<Record<string, Record<string, string[]>>> = {
  'washington dc': { states: ['DC'] },
  'washington d c': { states: ['DC'] },
  nyc: { counties: ['36005', '36047', '36061', '36081', '36085'] },
  'new york city': { counties: ['36005', '36047', '36061', '36081', '36085'] },
};

/** `outside` a city is near it. */
const OUTSIDE = ['outside', 'outside of'];

/** The first token of the denial of a place that is introduced at `from` and named at `at`; undefined where it is not denied. */
function denialOf(question: QuestionWords, from: number, at: number, { to, filters }: Found): number | undefined {
  const isArea = filters.states !== undefined || question.tokens.slice(at, to).some(({ word }) => KINDS.test(word));
  return question.denialBefore(from) ?? (isArea && question.longest(from, OUTSIDE) ? from : undefined);
}

/** A denied state becomes all other states; cities and counties cannot be excluded by a filter. @returns the token behind the denied places */
function readOthers(question: QuestionWords, from: number, at: number, first: Found, places: Places): number {
  const listed = [first];
  let end = first.to;
  for (let next = nextInList(question, end); next !== undefined; next = nextInList(question, end)) {
    const more = placeAt(question, next, places, true, false);
    if (!more) break;
    listed.push(more);
    end = more.to;
  }
  const denied = new Set(listed.flatMap(({ filters }) => filters.states ?? []));
  const asked = (question.filters.states as string[] | undefined) ?? places.states.map(({ abbreviation }) => abbreviation);
  const others = asked.filter((abbreviation) => !denied.has(abbreviation));
  if (!others.length || listed.some(({ filters }) => !filters.states)) question.deny(from, at, end);
  else if (!question.filters.states) question.read(from, end, { states: others }, 'never');
  else {
    question.filters.states = others;
    question.take(from, end);
  }
  return end;
}

/** The token of the next place of a list: after `or`, `and`, `nor` or a comma. */
function nextInList(question: QuestionWords, at: number): number | undefined {
  const joins = ['or', 'and', 'nor'].includes(question.word(at)) ? 1 : 0;
  if (!joins && !/^\s*,/.test(question.textAfter(at - 1))) return undefined;
  return at + joins + Number(question.word(at + joins) === 'in');
}

/** Reads every place that the question names; names that follow one another are alternatives. */
export function readPlaces(question: QuestionWords, places: Places): void {
  for (let i = 0; i < question.tokens.length; i++) {
    if (!question.isFree(i)) continue;
    const nearBy = question.longest(i, NEAR);
    const lead = Math.max(nearBy, question.longest(i, IN));
    const at = i + lead;
    const alias = Object.keys(ALIASES).find((name) => question.has(at, name));
    const found = alias
      ? { to: at + alias.split(' ').length, filters: ALIASES[alias] as Record<string, string[]> }
      : placeAt(question, at, places, (lead > 0 && !isThe(question, i, at)) || follows(question, at), nearBy > 0);
    if (!found || found.to <= at || STREETS.has(question.word(found.to)) || /^\d/.test(question.word(at - 1))) continue;
    if (VOTES.test(question.word(found.to))) continue;
    if (!nearBy && question.word(i) === 'of' && (!question.isCapital(at) || OF_VOTERS.test(question.word(i - 1)))) continue;
    const denial = denialOf(question, i, at, found);
    if (denial !== undefined) i = readOthers(question, denial, at, found, places) - 1;
    else if (question.read(i, found.to, found.filters, 'never')) i = found.to - 1;
  }
}

/** Whether only `the` comes before a name: `the Council` is not the city of that name unless it is large. */
const isThe = (question: QuestionWords, from: number, to: number) => to === from + 1 && question.word(from) === 'the';

/** Whether a name continues a list of places: after `or`, `and` or a comma after a place. */
function follows(question: QuestionWords, at: number): boolean {
  const joined = ['or', 'and'].includes(question.word(at - 1)) ? at - 2 : /,\s*$/.test(question.textAfter(at - 1)) ? at - 1 : -1;
  return joined >= 0 && !question.isFree(joined);
}
