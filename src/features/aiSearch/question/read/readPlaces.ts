/**
 * Reads places: states, counties and cities of the catalogue. An ambiguous name means all likely places.
 *
 *     places ::= place {["," | "or" | "and" | "nor"] place}
 *     place  ::= [denial | "outside"] ["in" | "near" | …] name
 *     name   ::= name of src/catalogue/questionPlaces.json | county ("County" | "Parish" | "Borough") [state] | state | city [state]
 *     state  ::= [","] (name | abbreviation in capitals)
 */
import named from '../../../../catalogue/questionPlaces.json' with { type: 'json' };
import stateForms from '../../../../catalogue/questionStates.json' with { type: 'json' };
import { countMistypedLetters } from '../../../../core/domain/mistypedLetters.ts';
import { foldName } from '../../../../core/domain/placeNames.ts';
import type { City, County, Places, State } from '../../../../core/domain/places.ts';
import { literalCriterion } from '../criterion.ts';
import type { QuestionWords } from '../questionWords.ts';
import { listPhrases, listWords } from '../words.ts';
import { namesUse } from './readVocabulary.ts';

const IN = listPhrases('placeIn');
const NEAR = listPhrases('placeNear');
const OUTSIDE = listPhrases('placeOutside');
/** `Commonwealth of the Northern Mariana Islands` */
const NAME_WORDS_MAX = 6;
/** Of cities with the same name, those with at least this share of the largest one's population are meant. */
const LIKELY_SHARE = 0.15;
/** More counties or cities than this are not meant by one name. */
const HOMONYMS_MAX = 40;
/** Population of a city that a name in small letters, or one without `in`, may mean. */
const POPULATION_PLAIN_MIN = 5_000;
const POPULATION_BARE_MIN = 40_000;
const NEAR_METRES = 30_000;
/** Names of cities that usually mean something else. */
const WORDS = listWords('cityWords');
/** Everyday words and directions that are names of cities, too: they mean a city only with its state. */
const NEVER = listWords('cityNever');
/** Words after which names are those of voters, not places: `the nays of Holland and Haley`. */
const VOTERS = listWords('voters');
const VOTING = listWords('voting');
/** Words after which the name of a place is the name of a street, or of a voter. */
const OF_OTHERS = new Set([...listWords('streets'), ...listWords('otherStreets'), ...VOTING]);
const KINDS = /^(?:county|counties|parish|parishes|borough|boroughs)$/;
/** `Harris and Fort Bend counties`: the last word says what each of the list is. */
const SHARED_KIND = /^(?:,?\s+(?:and|or|&)\s+|,\s+)(?:[A-Z][\w.']*\s+){1,3}(?:(?:and|or|&)\s+(?:[A-Z][\w.']*\s+){1,3})?counties\b/;
const { short: shortStates } = stateForms;
const SMALL_STATES = new Set(stateForms.inSmallLetters.split(' '));
/** Short forms that are words, too. */
const STATE_WORDS = new Set(stateForms.words.split(' '));
/** Letters of the name of a state that may have an error. */
const MISTYPED_MIN = 4;
const NEW_YORK = listPhrases('placeNewYork');
const NOT_STATES = listPhrases('placeNotState');

interface Found {
  /** token behind it */
  to: number;
  /** the bare name of a city */
  name?: string;
  /** all places of that name */
  namesakes?: readonly (City | County)[];
  filters: Record<string, string[]>;
}

/** A place of a list, from the token that introduces it on. */
type Listed = Found & { from: number };

interface FoundState {
  to: number;
  state: State;
}

/** How a name is introduced; by nothing, null. */
type Introduction = 'in' | 'near' | null;

/**
 * The state at token `at`: its name, or a short form that words lead to, or that no word has.
 * @param isNarrowing whether the name of a place stands before it
 */
function stateAt(question: QuestionWords, at: number, places: Places, isNarrowing = false): FoundState | undefined {
  const isExpected = isNarrowing || /,\s*$/.test(question.textAfter(at - 1)) || /^(?:in|across|from|within)$/.test(question.word(at - 1));
  for (let length = NAME_WORDS_MAX; length > 0; length--) {
    const to = at + length;
    const text = question.isFree(at, to) ? question.slice(at, to).replaceAll('.', '') : '';
    const [isFirst, isLast] = [at === 0, to === question.tokens.length];
    const state = text ? places.findState(text) : undefined;
    if (text.length === 2 && state && isShortForm(question, text, { isExpected, isFirst, isLast })) return { to, state };
    if (text.length > 2 && state && foldName(state.name) === foldName(text)) return { to, state };
    const written = length === 1 && isExpected ? unusualState(question, at, text, places) : undefined;
    if (written) return { to, state: written };
  }
  return undefined;
}

/** `TX hotels`, `Austin tx`; not the city of LA, nor `hotels OR offices`. */
function isShortForm(
  question: QuestionWords,
  text: string,
  { isExpected, isFirst, isLast }: Record<'isExpected' | 'isFirst' | 'isLast', boolean>,
): boolean {
  if (/^[A-Z]{2}$/.test(text)) return isExpected || isLast || (!STATE_WORDS.has(text) && (isFirst || /[a-z]{3}/.test(question.text)));
  return (isExpected || isFirst || isLast) && SMALL_STATES.has(text);
}

/** `Calif.`, or a name with a typing error: `Californa`. */
function unusualState(question: QuestionWords, at: number, text: string, places: Places): State | undefined {
  const name = text.toLowerCase();
  const isStopped = question.text[question.tokens[at]?.end ?? 0] === '.';
  if (Object.hasOwn(shortStates, name) && question.isCapital(at) && (isStopped || name.length > 2))
    return places.findState(shortStates[name as keyof typeof shortStates]);
  if (name.length < MISTYPED_MIN || places.findCities(text).length) return undefined;
  return places.states.find(({ name: state }) => {
    const [own, mistyped] = [state.toLowerCase(), countMistypedLetters(name, state.toLowerCase())];
    return own[0] === name[0] && own.at(-1) === name.at(-1) && own.length >= name.length - 1 && mistyped === 1;
  });
}

/** A state that narrows the name before it: `Austin, TX`, `Boulder Colorado`. */
function findNarrowingState(question: QuestionWords, at: number, places: Places) {
  const isNext = at < question.tokens.length && /^[\s,.]*$/.test(question.textAfter(at - 1));
  return isNext ? stateAt(question, at, places, true) : undefined;
}

const narrowToState = (found: FoundState | undefined) => (found ? { stateIds: [found.state.id] } : {});

/** Whether a name without its state means a city. @param population of the largest one */
function meansCity(question: QuestionWords, at: number, length: number, population: number, isIntroduced: boolean): boolean {
  const name = question.slice(at, at + length).toLowerCase();
  const isCapital = question.isCapital(at);
  if (NEVER.has(name) || (!isCapital && namesUse(question, at)) || (WORDS.has(name) && !(isIntroduced && isCapital && at > 0)))
    return false;
  if (isIntroduced) return (isCapital && at > 0) || population >= POPULATION_PLAIN_MIN;
  return isCapital && population >= POPULATION_BARE_MIN && !isPartOfName(question, at, at + length);
}

/** Whether other capitals stand directly before or behind a name: `Memorial Sloan Kettering`, `Alexandria Real Estate`. The first word of a question always has a capital. */
function isPartOfName(question: QuestionWords, from: number, to: number): boolean {
  const joins = (at: number, between: number) => question.isCapital(at) && question.isFree(at) && /^\s+$/.test(question.textAfter(between));
  return (from > 1 && joins(from - 1, from - 1)) || joins(to, to - 1);
}

/** The longest name that begins at `at`. */
export function findPlace(question: QuestionWords, at: number, places: Places, how: Introduction): Found | undefined {
  for (let length = Math.min(NAME_WORDS_MAX, question.tokens.length - at); length > 0; length--) {
    const behind = at + length;
    if (
      !question.isFree(at, behind) ||
      question.slice(at, behind).includes(',') ||
      [at, behind].some((to) => question.textAfter(to - 1) === '-' && question.isCapital(to) && question.isCapital(to - 1))
    )
      continue;
    // `the Bay Area` is no city of Bay; `GA, CT` is no court; `Monroe North Carolina` is not in Monroe North.
    if (question.word(behind) === 'area' && question.isCapital(behind)) continue;
    if (OF_OTHERS.has(question.word(behind)) && !question.textAfter(behind - 1).includes(',')) continue;
    if ((stateAt(question, behind - 1, places)?.to ?? 0) > behind) continue;
    const found = placeCalled(question, at, behind, places, how);
    if (found) return found;
  }
  return undefined;
}

/** The place that a stretch of words names: one of questionPlaces.json, a county, a state or cities. */
function placeCalled(question: QuestionWords, at: number, behind: number, places: Places, how: Introduction): Found | undefined {
  const said = question.slice(at, behind);
  const name = places.findCities(said).length ? said : said.replace(/['’]s$/i, '');
  const key = name.toLowerCase();
  if (Object.hasOwn(named, key) && (!WORDS.has(key) || question.isCapital(at)))
    return { to: behind + (behind - at < 3 ? question.phraseAt(behind, NEW_YORK) : 0), filters: named[key as keyof typeof named] };
  const end = behind + Number(KINDS.test(question.word(behind)) && question.isFree(behind));
  const ofCounty = end > behind ? findNarrowingState(question, end, places) : undefined;
  const kind = end > behind ? question.word(behind).replace('ies', 'y') : 'county';
  const isCounty = end > behind || (question.isCapital(at) && SHARED_KIND.test(question.text.slice(question.tokens[behind - 1]?.end)));
  const counties = isCounty ? places.findCounties(`${name} ${kind}`, narrowToState(ofCounty)) : [];
  if (counties.length && counties.length <= HOMONYMS_MAX)
    return { to: ofCounty?.to ?? end, namesakes: counties, filters: { counties: counties.map(({ id }) => String(id)) } };
  const own = stateAt(question, at, places);
  const isState = own?.to === behind && !(question.word(at).length > 2 && question.isFree(behind) && question.phraseAt(behind, NOT_STATES));
  const state = findNarrowingState(question, behind, places);
  const found = places.findCities(name, narrowToState(state));
  if (isState && !(state && isCityOfState(question, at, state, places, found)))
    return { to: behind, filters: { states: [own.state.abbreviation] } };
  const largest = Math.max(...found.map(({ population }) => population));
  const cities = found.filter(({ population }) => population >= largest * LIKELY_SHARE);
  if (!cities.length || cities.length > HOMONYMS_MAX || (!state && !meansCity(question, at, behind - at, largest, how !== null)))
    return undefined;
  const filters: Found['filters'] =
    how === 'near' ? { counties: places.countiesNear(cities, NEAR_METRES).map(String) } : { cities: cities.map(({ id }) => String(id)) };
  return state ? { to: state.to, filters } : { to: behind, filters, name, namesakes: found };
}

/** Whether the name of a state is that of a city in the state behind it: `New York, NY`; in `Kansas, Oklahoma and Texas` both are states. */
function isCityOfState(question: QuestionWords, at: number, state: FoundState, places: Places, cities: readonly City[]): boolean {
  if (question.word(at).length === 2 || question.word(state.to - 1).length === 2) return question.word(at).length > 2;
  const joins = Number(['and', 'or'].includes(question.word(state.to)));
  return !stateAt(question, state.to + joins, places) && cities.some(({ population }) => population >= POPULATION_PLAIN_MIN);
}

/** A place with those that follow it in a list: after `or`, `and`, `nor` or a comma. @param from token that introduces it */
function findListedPlaces(question: QuestionWords, from: number, at: number, places: Places, how: Introduction): Listed[] {
  const found = findPlace(question, at, places, how);
  if (!found) return [];
  const { to } = found;
  // `NE, OR, IN` are states.
  const isWord = (token: number, ...words: string[]) => words.includes(question.word(token)) && !question.isCapital(token);
  const joins = Number(isWord(to, 'or', 'and', 'nor', '&'));
  const next = to + joins;
  const isListed = joins > 0 || /^\s*,/.test(question.textAfter(to - 1));
  const isIn = Number(isWord(next, 'in'));
  return [{ ...found, from }, ...(isListed ? findListedPlaces(question, next, next + isIn, places, 'in') : [])];
}

/** The first token of the denial of places that are named from `at` on; undefined if they are not denied. `outside` a city is near it. */
function denialOf(question: QuestionWords, at: number, { from, to, filters }: Listed): number | undefined {
  const isArea = filters.states !== undefined || question.tokens.slice(at, to).some(({ word }) => KINDS.test(word));
  return question.denialBefore(from) ?? (isArea && question.phraseAt(from, OUTSIDE) ? from : undefined);
}

/** Denied states become all other states; cities and counties cannot be excluded by a filter. */
function readDeniedPlaces(question: QuestionWords, from: number, at: number, listed: readonly Listed[], places: Places): void {
  const end = listed.at(-1)?.to ?? at;
  const denied = new Set(listed.flatMap(({ filters }) => filters.states ?? []));
  const asked = question.filters.states as string[] | undefined;
  const others = (asked ?? places.states.map(({ abbreviation }) => abbreviation)).filter((abbreviation) => !denied.has(abbreviation));
  if (!others.length || listed.some(({ filters }) => !filters.states)) question.readAsDenial(from, at, end);
  else if (!asked) question.readAsFilters(from, end, { states: others }, 'never');
  else {
    question.filters.states = others;
    question.take(from, end, ['states']);
    for (const one of question.readings) if (one.filters.includes('states')) one.text += `, ${question.slice(from, end)}`;
  }
}

/** Whether names are those of voters, from the word that leads to them on. */
const isOfVoters = (question: QuestionWords, from: number, to: number): boolean =>
  (question.word(from) === 'of' && VOTERS.has(question.word(from - 1))) ||
  (question.word(to) === 'and' && [2, 3].some((on) => VOTING.has(question.word(to + on))));

/** Reads every place that the question names; names that follow one another are alternatives. */
export function readPlaces(question: QuestionWords, places: Places): void {
  for (let i = 0; i < question.tokens.length; i++) {
    if (!question.isFree(i)) continue;
    const near = question.phraseAt(i, NEAR);
    const lead = Math.max(near, question.phraseAt(i, IN));
    const at = i + lead;
    // `the Council` is not the city of that name unless it is large, nor is `in the countryside`.
    const isIntroduced = lead > 0 && (question.word(at - 1) !== 'the' || (lead > 1 && question.isCapital(at)));
    const listed = findListedPlaces(question, i, at, places, near ? 'near' : isIntroduced ? 'in' : null);
    const [first] = listed;
    // `the nays of Warren and Holland`, `with Warren and Holland voting nay`
    if (first && isOfVoters(question, i, (listed.at(-1) ?? first).to)) {
      i = (listed.at(-1) ?? first).to - 1;
      continue;
    }
    if (!first || (!near && question.word(i) === 'of' && !question.isCapital(at))) continue;
    const denial = denialOf(question, at, first);
    if (denial !== undefined) readDeniedPlaces(question, denial, at, listed, places);
    else for (const one of listed) readPlace(question, one);
    i = (listed.at(-1) ?? first).to - 1;
  }
  narrowToStates(question, places);
}

function readPlace(question: QuestionWords, { from, to, filters, name, namesakes = [] }: Listed): void {
  const isRead = question.readAsFilters(from, to, filters, 'never', name ? literalCriterion(name) : undefined);
  const meant = filters.cities ?? filters.counties ?? [];
  if (isRead && namesakes.length > 1) question.ambiguous.push({ name: name ?? question.slice(from, to), found: namesakes, meant });
}

/** `Springfield hotels in Illinois`: of places of one name those in the states that are asked for. */
function narrowToStates(question: QuestionWords, places: Places): void {
  const states = question.filters.states as string[] | undefined;
  for (const one of states ? question.ambiguous.splice(0) : []) {
    const within = one.found.filter(({ stateId }) => states?.includes(places.state(stateId)?.abbreviation ?? ''));
    const others = new Set(one.meant.filter((id) => !within.some((place) => String(place.id) === id)));
    for (const filter of ['cities', 'counties']) {
      const asked = question.filters[filter];
      const left = Array.isArray(asked) ? asked.filter((id) => !others.has(id)) : [];
      if (left.length) question.filters[filter] = left;
    }
    if (within.length !== 1) question.ambiguous.push(one);
  }
}
