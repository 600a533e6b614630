/**
 * Reads places: states, counties and cities of the catalogue, and distances from them, as circles. An ambiguous name means all likely places.
 *
 *     distance ::= ["within" | "up to" | …] number ("km" | "miles" | …) ("of" | "from" | "around") name
 *     places   ::= place {["," | "or" | "and" | "nor"] place}
 *     place    ::= [denial | "outside"] ["in" | "near" | …] name
 *     name     ::= name of src/catalogue/questionPlaces.json | county ("County" | "Parish" | "Borough") [state] | state | city [state]
 *     state    ::= [","] (name | abbreviation in capitals)
 */
import named from '../../../catalogue/questionPlaces.json' with { type: 'json' };
import stateForms from '../../../catalogue/questionStates.json' with { type: 'json' };
import { countMistypedLetters } from '../../../core/domain/mistypedLetters.ts';
import { foldName } from '../../../core/domain/placeNames.ts';
import type { City, County, Places, State } from '../../../core/domain/places.ts';
import { literalCriterion } from './criterion.ts';
import type { QuestionWords } from './questionWords.ts';
import { namesUse } from './readVocabulary.ts';
import { listWords } from './words.ts';

/** `Commonwealth of the Northern Mariana Islands` */
const NAME_WORDS_MAX = 6;
/** Of cities with the same name, those with at least this share of the largest one's population are meant. */
const LIKELY_SHARE = 0.15;
/** More counties or cities than this are not meant by one name. */
const HOMONYMS_MAX = 40;
/** Population of a city that a name in small letters, or one without `in`, may mean. */
const [POPULATION_PLAIN_MIN, POPULATION_BARE_MIN, POPULATION_LARGE] = [5_000, 40_000, 200_000] as const;
const NEAR_METRES = 30_000;
const METRES: Readonly<Record<string, number>> = {
  m: 1,
  meter: 1,
  metre: 1,
  km: 1_000,
  kilometer: 1_000,
  kilometre: 1_000,
  mi: 1_609.344,
  mile: 1_609.344,
};
/** A latitude and a longitude: `of 33.62, -102.83`, `around latitude 33.62 north, longitude 102.83 west`. */
const POINT =
  /^(?:of|from|around|@)\s+(?:the point\s+)?(?:lat(?:itude)?\.?\s+)?(-?\d{1,2}\.\d+)\s?°?(?:\s?n(?:orth)?\b)?,?\s+(?:lo?ng?(?:itude)?\.?\s+)?(-?\d{1,3}\.\d+)(?:\s?°?\s?(w)(?:est)?\b)?/i;
/** The limits of a circle, and of a list of areas. */
const [METRES_MIN, METRES_MAX, AREAS_MAX] = [100, 500_000, 10];
/** Names of cities that usually mean something else, and everyday words and directions that mean a city only with its state. */
const [WORDS, NEVER] = [listWords('cityWords'), listWords('cityNever')];
/** Words behind a name that make it one of a street, or of a voter. */
const OF_OTHERS = ['streets', 'otherStreets', 'voting'] as const;
/** What makes a direction a part of something. */
const PARTS = /^(?:side|part|corner|quadrant|quarter|end|edge|of)$/;
const COUNTY_BODIES = /^(?:board_of_supervisors|county_commission)$/;
const KINDS = /^(?:county|counties|parish|parishes|borough|boroughs)$/;
/** `Harris and Fort Bend counties`: the last word says what each of the list is. */
const SHARED_KIND = /^(?:,?\s+(?:and|or|&)\s+|,\s+)(?:[A-Z][\w.']*\s+){1,3}(?:(?:and|or|&)\s+(?:[A-Z][\w.']*\s+){1,3})?counties\b/;
/** `Nassau and Suffolk County`: the first is a county, too, if no larger city has its name. */
const SHARED_COUNTY = /^,?\s+(?:and|or|&)\s+(?:[A-Z][\w.']*\s+){1,2}County\b/;
const { short: shortStates } = stateForms;
const SMALL_STATES = new Set(stateForms.inSmallLetters.split(' '));
/** Short forms that are words, too. */
const STATE_WORDS = new Set(stateForms.words.split(' '));
/** Short forms in small letters that end a question as nothing else does: `funeral homes oh`. */
const LAST_STATES = /^(?:al|ak|de|id|la|ma|ms|mt|oh|ok|pa)$/;
/** Letters of the name of a state that may have an error. */
const MISTYPED_MIN = 4;

interface Found {
  /** token behind it */
  to: number;
  /** the state that was said with it */
  stateId?: number;
  /** the bare name of a city */
  name?: string;
  /** all places of that name */
  namesakes?: readonly (City | County)[];
  filters: Record<string, string[]>;
}

/** A place of a list, from the token that introduces it on. */
type Listed = Found & { from: number };
type FoundState = { to: number; state: State };
/** How a name is introduced; by nothing, null. */
type Introduction = 'in' | 'near' | null;

const idsOf = (places: readonly (City | County)[]) => places.map(({ id }) => String(id));
const stateOf = (found: FoundState | undefined) => (found ? { stateId: found.state.id } : {});
const narrowToState = (found: FoundState | undefined) => (found ? { stateIds: [found.state.id] } : {});

/**
 * A list's places in the state that is said with its last one (`Kent and Sussex counties, Delaware`), or in the only one that has places of all its
 * names (`Breckenridge, Vail or Aspen`).
 */
function narrowTogether(listed: readonly Listed[]): readonly Listed[] {
  const open = listed.filter(({ stateId, namesakes }) => stateId === undefined && namesakes);
  const said = listed.at(-1)?.stateId;
  const statesOf = ({ namesakes = [] }: Listed) => new Set(namesakes.map(({ stateId }) => stateId));
  const [first, ...others] = open.map(statesOf);
  const shared = [...(first ?? [])].filter((id) => others.every((one) => one.has(id)));
  const meant = said ?? (others.length && open.length === listed.length && shared.length === 1 ? shared[0] : undefined);
  return listed.map((one) => {
    const within = open.includes(one) ? (one.namesakes ?? []).filter(({ stateId }) => stateId === meant) : [];
    const [filter] = Object.keys(one.filters);
    return within.length && filter ? { ...one, namesakes: within, filters: { [filter]: idsOf(within) } } : one;
  });
}

/** Reads every place and distance that a question names. */
export const readPlaces = (question: QuestionWords, places: Places): void => new PlaceReader(question, places).read();

class PlaceReader {
  readonly #question: QuestionWords;
  readonly #places: Places;

  constructor(question: QuestionWords, places: Places) {
    this.#question = question;
    this.#places = places;
  }

  /** Places that follow one another are alternatives; a denied distance stays unread. */
  read(): void {
    const question = this.#question;
    for (let i = 0; i < question.tokens.length; i++) i = question.isFree(i) ? this.#readDistance(i) : i;
    for (let i = 0; i < question.tokens.length; i++) {
      if (!question.isFree(i)) continue;
      const near = question.phraseAt(i, 'placeNear');
      const lead = Math.max(near, question.phraseAt(i, 'placeIn'));
      const at = i + lead;
      // `the Council` is not the city of that name unless it is large, nor is `in the countryside`.
      const isIntroduced = lead > 0 && (question.word(at - 1) !== 'the' || (lead > 1 && question.isCapital(at)));
      const listed = narrowTogether(this.#findListed(i, at, near ? 'near' : isIntroduced || this.#isOfBody(at) ? 'in' : null));
      const [first, last] = [listed[0], listed.at(-1)];
      if (!first || !last) continue;
      const isOfVoters = this.#isOfVoters(i, last.to);
      if (!isOfVoters && !near && question.word(i) === 'of' && !question.isCapital(at)) continue;
      const denial = isOfVoters ? undefined : this.#denialOf(at, first);
      if (denial !== undefined) this.#readDenied(denial, at, listed);
      else if (!isOfVoters) for (const one of [...this.#smallCityBefore(i, first), ...listed]) this.#readOne(one);
      i = last.to - 1;
    }
    this.#narrowToStates();
  }

  /** `cambridge or waltham, massachusetts`: a city in small letters before one of its state. */
  #smallCityBefore(at: number, { stateId, filters }: Listed): Listed[] {
    const question = this.#question;
    const isJoined = stateId !== undefined && filters.cities && /^(?:or|and|&)$/.test(question.word(at - 1));
    for (const from of isJoined ? [at - 3, at - 2] : []) {
      const cities = question.isFree(from, at - 1)
        ? this.#places.findCities(question.slice(from, at - 1), { stateIds: [stateId as number] })
        : [];
      if (cities.some(({ population }) => population >= POPULATION_PLAIN_MIN))
        return [{ from, to: at - 1, filters: { cities: idsOf(cities) } }];
    }
    return [];
  }

  /** `the Fairfax board of supervisors` */
  #isCountyBody(at: number): boolean {
    const bodies = this.#question.read.get(at)?.includes('decisionBodies') ? [this.#question.filters.decisionBodies].flat() : [];
    return bodies.length === 1 && COUNTY_BODIES.test(String(bodies[0]));
  }

  /** `the Loudoun supervisors`: names before a body are those of places. */
  #isOfBody(at: number): boolean {
    const question = this.#question;
    let to = at;
    while (question.isCapital(to) && question.isFree(to) && (to === at || !/[,;]/.test(question.textAfter(to - 1)))) to++;
    return to > at && !/[,;]/.test(question.textAfter(to - 1)) && question.read.get(to)?.includes('decisionBodies') === true;
  }

  /** @returns the last token of the distance; the first one for none */
  #readDistance(at: number): number {
    const question = this.#question;
    const start = at + question.phraseAt(at, 'distanceWithin');
    const { value = null, span = 1 } = question.tokens[start] ?? {};
    const metres = Math.round((value ?? 0) * (METRES[question.word(start + span).replace(/s$/, '')] ?? 0));
    const to = start + span + 1;
    if (metres < METRES_MIN || metres > METRES_MAX) return at;
    this.#readCircle(at, to, metres);
    if (!/^(?:of|from|around)$/.test(question.word(to))) return at;
    const name = to + 1 + Number(/^(?:downtown|central)$/.test(question.word(to + 1)));
    const place = question.denialBefore(at) === undefined ? this.#find(name, 'in') : undefined;
    const { cities = [], counties = [] } = place?.filters ?? {};
    const around = [...cities.map((id) => this.#places.city(Number(id))), ...counties.map((id) => this.#places.county(Number(id)))];
    const areas = around
      .flatMap((one) => one ?? [])
      .map((one) => ({
        name: `${question.slice(start, to)} around ${this.#places.labelOf(one)}`,
        circle: { lat: one.latitude, lng: one.longitude, radiusMeters: metres },
      }));
    if (place && areas.length) question.readAsFilters(at, place.to, { areas: JSON.stringify(areas.slice(0, AREAS_MAX)) }, 'never');
    return to;
  }

  /** `within 25 km of 33.62, -102.83` */
  #readCircle(from: number, at: number, radiusMeters: number): void {
    const question = this.#question;
    const start = question.tokens[at]?.start ?? question.text.length;
    const [said = '', north, west, isWest] = POINT.exec(question.text.slice(start)) ?? [];
    const [lat, lng] = [Number(north), isWest ? -Math.abs(Number(west)) : Number(west)];
    const to = question.tokens.findLastIndex((token) => token.start < start + said.length) + 1;
    if (said && Math.abs(lat) <= 90 && Math.abs(lng) <= 180)
      question.readAsFilters(from, to, { circle: JSON.stringify({ lat, lng, radiusMeters }) }, 'never');
  }

  /**
   * The state at token `at`: its name, or a short form that words lead to, or that no word has.
   * @param isNarrowing whether the name of a place stands before it
   */
  #stateAt(at: number, isNarrowing = false): FoundState | undefined {
    const question = this.#question;
    const isExpected = isNarrowing || /,\s*$/.test(question.textAfter(at - 1)) || /^(?:in|across|from|within)$/.test(question.word(at - 1));
    for (let length = NAME_WORDS_MAX; length > 0; length--) {
      const to = at + length;
      const text = question.isFree(at, to)
        ? question
            .slice(at, to)
            .replaceAll('.', '')
            .replace(/['’]s$/, '')
        : '';
      const state = text ? this.#places.findState(text) : undefined;
      if (text.length === 2 && state && this.#isShortForm(text, at, to, isExpected)) return { to, state };
      if (text.length > 2 && state && foldName(state.name) === foldName(text)) return { to, state };
      // `Kentucky or Tennesee`
      const isJoined = /^(?:or|and)$/.test(question.word(at - 1)) && question.isCapital(at);
      const isFirst = at === 0 && question.textAfter(0).startsWith('.');
      const written = length === 1 && (isExpected || isJoined || isFirst) ? this.#unusualState(at, text) : undefined;
      if (written) return { to, state: written };
    }
    return undefined;
  }

  /** `TX hotels`, `Austin tx`; not the city of LA, nor `hotels OR offices`. */
  #isShortForm(text: string, at: number, to: number, isExpected: boolean): boolean {
    const [isFirst, isLast] = [at === 0, to === this.#question.tokens.length];
    // `co-living`
    if (this.#question.textAfter(to - 1) === '-') return false;
    if (!/^[A-Z]{2}$/.test(text)) {
      const small = /^[A-Z]?[a-z]+$/.test(text) ? text.toLowerCase() : '';
      return ((isExpected || isFirst || isLast) && SMALL_STATES.has(small)) || (isLast && !isFirst && LAST_STATES.test(small));
    }
    return isExpected || isLast || (isFirst && text !== 'LA') || (!STATE_WORDS.has(text) && /[a-z]{3}/.test(this.#question.text));
  }

  /** `Calif.`, or a name with a typing error: `Californa`. */
  #unusualState(at: number, text: string): State | undefined {
    const name = text.toLowerCase();
    const isStopped = this.#question.text[this.#question.tokens[at]?.end ?? 0] === '.';
    if (Object.hasOwn(shortStates, name) && this.#question.isCapital(at) && (isStopped || name.length > 2))
      return this.#places.findState(shortStates[name as keyof typeof shortStates]);
    if (name.length < MISTYPED_MIN || this.#places.findCities(text).length) return undefined;
    return this.#places.states.find(({ name: state }) => {
      const [own, mistyped] = [state.toLowerCase(), countMistypedLetters(name, state.toLowerCase())];
      return own[0] === name[0] && own.at(-1) === name.at(-1) && own.length >= name.length - 1 && mistyped === 1;
    });
  }

  /** A state that narrows the name before it: `Austin, TX`, `Boulder Colorado`. */
  #narrowingState(at: number): FoundState | undefined {
    const isNext = at < this.#question.tokens.length && /^[\s,.]*$/.test(this.#question.textAfter(at - 1));
    // `Echols County in Georgia or Lauderdale County in Alabama`
    const inState = at + Number(this.#question.word(at) === 'in' && KINDS.test(this.#question.word(at - 1)));
    return isNext ? this.#stateAt(inState, true) : undefined;
  }

  /** Whether a name without its state means a city. @param population of the largest one */
  #meansCity(at: number, to: number, population: number, isIntroduced: boolean): boolean {
    const question = this.#question;
    const name = question.slice(at, to).toLowerCase();
    // Who writes no capitals at all means a large city without one.
    const isCapital =
      question.isCapital(at) || (population >= POPULATION_LARGE && !WORDS.has(name) && !/\p{Lu}\p{Ll}/u.test(question.text));
    if (NEVER.has(name) || (!isCapital && namesUse(question, at)) || (WORDS.has(name) && !(isIntroduced && isCapital && at > 0)))
      return false;
    // Not beside other capitals: `Memorial Sloan Kettering`, `Alexandria Real Estate`, `for Chase Bank`; the first word of a question always has one.
    if (population < POPULATION_BARE_MIN && this.#joinsName(to, to - 1)) return false;
    if (isIntroduced) return (isCapital && at > 0) || population >= POPULATION_PLAIN_MIN;
    return isCapital && population >= POPULATION_BARE_MIN && !(at > 1 && this.#joinsName(at - 1, at - 1)) && !this.#joinsName(to, to - 1);
  }

  /** Whether a token continues a name. @param before token whose text behind it is between them */
  #joinsName(at: number, before: number): boolean {
    const question = this.#question;
    // `restaurant TIs Austin`
    const isShort = /^[A-Z]{2,}s?$/.test(question.slice(at, at + 1)) && namesUse(question, at);
    return question.isCapital(at) && question.isFree(at) && !isShort && /^\s+$/.test(question.textAfter(before));
  }

  /** `huntsville al annexations`: a short form in small letters behind a city that its state has. */
  #smallState(at: number, behind: number): FoundState | undefined {
    const text = this.#question.slice(behind, behind + 1);
    const state = LAST_STATES.test(text) && this.#question.isFree(behind) ? this.#places.findState(text) : undefined;
    const cities = state ? this.#places.findCities(this.#question.slice(at, behind), { stateIds: [state.id] }) : [];
    return state && cities.length ? { to: behind + 1, state } : undefined;
  }

  /** The longest name that begins at `at`. */
  #find(at: number, how: Introduction): Found | undefined {
    const question = this.#question;
    const isWithinWord = (to: number) => question.textAfter(to - 1) === '-' && question.isCapital(to) && question.isCapital(to - 1);
    for (let behind = Math.min(at + NAME_WORDS_MAX, question.tokens.length); behind > at; behind--) {
      if (!question.isFree(at, behind) || question.slice(at, behind).includes(',') || isWithinWord(at) || isWithinWord(behind)) continue;
      // `the Bay Area` is no city of Bay; `GA, CT` is no court; `Monroe North Carolina` is not in Monroe North.
      if (question.word(behind) === 'area' && question.isCapital(behind)) continue;
      if (OF_OTHERS.some((list) => question.is(behind, list)) && !question.textAfter(behind - 1).includes(',')) continue;
      if ((this.#stateAt(behind - 1)?.to ?? 0) > behind) continue;
      const found = this.#placeCalled(at, behind, how);
      if (found) return found;
    }
    return undefined;
  }

  /** The place that a stretch of words names: one of questionPlaces.json, a county, a state or cities. */
  #placeCalled(at: number, behind: number, how: Introduction): Found | undefined {
    const question = this.#question;
    const places = this.#places;
    const said = question.slice(at, behind);
    const name = places.findCities(said).length ? said : said.replace(/['’]s$/i, '');
    const word = name.toLowerCase();
    // `the Southeast` is a region, `the southeast corner` and `southeast Portland` are none.
    const key =
      question.word(at - 1) === 'the' && Object.hasOwn(named, `the ${word}`) && !PARTS.test(question.word(behind)) ? `the ${word}` : word;
    if (Object.hasOwn(named, key) && (!WORDS.has(key) || question.isCapital(at)))
      return { to: behind, filters: named[key as keyof typeof named] };
    const isKind =
      KINDS.test(question.word(behind)) ||
      (question.slice(behind, behind + 1) === 'Co' &&
        (question.textAfter(behind).startsWith('.') || this.#stateAt(behind + 1, true) !== undefined));
    const end = behind + Number(isKind && question.isFree(behind));
    const ofCounty = end > behind ? this.#narrowingState(end) : undefined;
    const kind = end > behind && question.word(behind) !== 'co' ? question.word(behind).replace('ies', 'y') : 'county';
    const isCounty =
      end > behind ||
      /\bcount(?:y|ies) of (?:[\w.,() ]{2,60} and )?$/i.test(question.text.slice(0, question.tokens[at]?.start)) ||
      this.#isCountyBody(behind) ||
      (question.isCapital(at) && SHARED_KIND.test(question.text.slice(question.tokens[behind - 1]?.end))) ||
      (question.isCapital(at) &&
        SHARED_COUNTY.test(question.text.slice(question.tokens[behind - 1]?.end)) &&
        places.findCities(name).every(({ population }) => population < POPULATION_BARE_MIN));
    const counties = isCounty ? places.findCounties(`${name} ${kind}`, narrowToState(ofCounty)) : [];
    if (counties.length && counties.length <= HOMONYMS_MAX)
      return { to: ofCounty?.to ?? end, namesakes: counties, filters: { counties: idsOf(counties) }, ...stateOf(ofCounty) };
    const own = this.#stateAt(at);
    const isOther = question.word(at).length > 2 && question.isFree(behind) && question.is(behind, 'placeNotState');
    const state = this.#narrowingState(behind) ?? this.#smallState(at, behind);
    const found = places.findCities(name, narrowToState(state));
    // `Delaware, OH` is a city; in `Kansas, Oklahoma and Texas` all are states.
    const isCity = state && question.word(at).length > 2 && question.word(state.to - 1).length === 2;
    if (own?.to === behind && !isOther && !isCity) return { to: behind, filters: { states: [own.state.abbreviation] } };
    const largest = Math.max(...found.map(({ population }) => population));
    const cities = found.filter(({ population }) => population >= largest * LIKELY_SHARE);
    const bare = cities.length ? undefined : this.#countyCalled(at, behind, state, how);
    if (bare) return bare;
    if (!cities.length || cities.length > HOMONYMS_MAX || (!state && !this.#meansCity(at, behind, largest, how !== null))) return undefined;
    const filters: Found['filters'] =
      how === 'near' ? { counties: places.countiesNear(cities, NEAR_METRES).map(String) } : { cities: idsOf(cities) };
    return state ? { to: state.to, filters, ...stateOf(state) } : { to: behind, filters, name, namesakes: found };
  }

  /** A county without the word, where one alone is called so and no city: `in Loudoun`, `Henrico, VA`. */
  #countyCalled(at: number, behind: number, state: FoundState | undefined, how: Introduction): Found | undefined {
    const question = this.#question;
    const [name, to] = [question.slice(at, behind), state?.to ?? behind];
    const isNamed = question.isCapital(at) && (state || (how !== null && at > 0)) && !this.#joinsName(to, to - 1);
    if (!isNamed || NEVER.has(name.toLowerCase()) || WORDS.has(name.toLowerCase())) return undefined;
    const counties = this.#places.findCounties(`${name} County`, narrowToState(state));
    return counties.length === 1 ? { to, filters: { counties: idsOf(counties) }, ...stateOf(state) } : undefined;
  }

  /** A place with those that follow it in a list: after `or`, `and`, `nor` or a comma. @param from token that introduces it */
  #findListed(from: number, at: number, how: Introduction): Listed[] {
    const question = this.#question;
    const found = this.#find(at, how);
    if (!found) return [];
    // `NE, OR, IN` are states.
    const countOf = (words: RegExp, token: number) => Number(words.test(question.word(token)) && !question.isCapital(token));
    const joins = countOf(/^(?:or|and|nor|&)$/, found.to);
    const next = found.to + joins;
    const isListed = joins > 0 || /^\s*,/.test(question.textAfter(found.to - 1));
    return [{ ...found, from }, ...(isListed ? this.#findListed(next, next + countOf(/^in$/, next), 'in') : [])];
  }

  /** The first token of the denial of places that are named from `at` on; undefined if they are not denied. `outside` a city is near it. */
  #denialOf(at: number, { from, to, filters }: Listed): number | undefined {
    const isArea = filters.states !== undefined || this.#question.tokens.slice(at, to).some(({ word }) => KINDS.test(word));
    // `outside Atlanta but in Fulton County`
    const isDenied = (isArea || this.#question.word(to) === 'but') && this.#question.is(from, 'placeOutside');
    return this.#question.denialBefore(from) ?? (isDenied ? from : undefined);
  }

  /** Denied states become all other states; cities and counties cannot be excluded by a filter. */
  #readDenied(from: number, at: number, listed: readonly Listed[]): void {
    const question = this.#question;
    const end = listed.at(-1)?.to ?? at;
    const denied = new Set(listed.flatMap(({ filters }) => filters.states ?? []));
    const asked = question.filters.states as string[] | undefined;
    const others = (asked ?? this.#places.states.map(({ abbreviation }) => abbreviation)).filter((one) => !denied.has(one));
    if (!others.length || listed.some(({ filters }) => !filters.states)) question.readAsDenial(from, at, end);
    else if (!asked) question.readAsFilters(from, end, { states: others }, 'never');
    else {
      question.filters.states = others;
      question.take(from, end, ['states']);
      for (const one of question.readings) if (one.filters.includes('states')) one.text += `, ${question.slice(from, end)}`;
    }
  }

  /** `the nays of Warren and Holland`, `with Warren and Holland voting nay` */
  #isOfVoters(from: number, to: number): boolean {
    const question = this.#question;
    const isBefore = question.word(from) === 'of' && question.is(from - 1, 'voters');
    return isBefore || (question.word(to) === 'and' && [2, 3].some((on) => question.is(to + on, 'voting')));
  }

  #readOne({ from, to, filters, name, namesakes = [] }: Listed): void {
    const isRead = this.#question.readAsFilters(from, to, filters, 'never', name ? literalCriterion(name) : undefined);
    const meant = filters.cities ?? filters.counties ?? [];
    if (isRead && namesakes.length > 1)
      this.#question.ambiguous.push({ name: name ?? this.#question.slice(from, to), found: namesakes, meant });
  }

  /** `Springfield hotels in Illinois`: of places of one name those in the states that are asked for. */
  #narrowToStates(): void {
    const { ambiguous, filters } = this.#question;
    const states = filters.states as string[] | undefined;
    for (const one of states ? ambiguous.splice(0) : []) {
      const within = one.found.filter(({ stateId }) => states?.includes(this.#places.state(stateId)?.abbreviation ?? ''));
      const others = new Set(one.meant.filter((id) => !within.some((place) => String(place.id) === id)));
      for (const filter of ['cities', 'counties']) {
        const asked = filters[filter];
        const left = Array.isArray(asked) ? asked.filter((id) => !others.has(id)) : [];
        if (left.length) filters[filter] = left;
      }
      if (within.length !== 1) ambiguous.push(one);
    }
  }
}
