/** Real cities of the sample's states, how many made-up projects each gets, and made-up sites near them. */
import { isOutside } from '../../ingest/findings/placeFaults.ts';
import type { City, Places } from '../../src/core/domain/places.ts';
import names from './data/names.json' with { type: 'json' };
import stateTable from './data/states.json' with { type: 'json' };
import { CITY_PARTS, FAVOURED_COUNTIES, SAMPLE_STATES } from './fixtures.ts';
import type { SampleCity, SampleCorpus, Site, StateCustoms } from './model.ts';
import { hashOf, Random } from './random.ts';

const CUSTOMS: Record<string, StateCustoms> = stateTable;
/** New York's boroughs are counties of their own; the city is listed for all five. */
const NEW_YORK_BOROUGHS = [36005, 36047, 36061, 36081, 36085];
const NEW_YORK_CITY = 'New York City';
/** Small towns of a state have their own kind of council. */
const SMALL_TOWN = { from: 2_500, to: 15_000 };
const KM_PER_DEGREE = 111;
const PART_RADIUS_KM = 2;
const NEAREST_KM = 0.1;

const kilometres = (a: City, b: City): number =>
  KM_PER_DEGREE * Math.hypot(a.latitude - b.latitude, (a.longitude - b.longitude) * Math.cos((a.latitude * Math.PI) / 180));

/** A place that the catalogue lists near a far bigger neighbour is its neighbourhood, not a city of its own. */
function isNeighbourhood(city: City, bigger: readonly City[]): boolean {
  if (NEW_YORK_BOROUGHS.includes(city.countyId)) return city.name !== NEW_YORK_CITY;
  return bigger.some((b) => b.countyId === city.countyId && b.population >= 10 * city.population && kilometres(b, city) < 15);
}

function biggestOf(cities: readonly City[], count: number): City[] {
  const sorted = [...cities].sort((a, b) => b.population - a.population || a.id - b.id);
  const chosen: City[] = [];
  for (const city of sorted) {
    if (chosen.length === count) break;
    if (!isNeighbourhood(city, chosen)) chosen.push(city);
  }
  return chosen;
}

/** A few small towns of a state, whichever come first by a hash of their ids. */
function smallTownsOf(cities: readonly City[], count: number, bigger: readonly City[]): City[] {
  const isSmall = ({ population }: City) => population >= SMALL_TOWN.from && population < SMALL_TOWN.to;
  const towns = cities.filter((c) => isSmall(c) && !isNeighbourhood(c, bigger));
  return towns.sort((a, b) => hashOf('town', a.id) - hashOf('town', b.id) || a.id - b.id).slice(0, count);
}

/** The cities with their shares of all projects (which sum to 1); more cities for a bigger corpus. */
export function chooseCities(places: Places, projects: number): { city: SampleCity; share: number }[] {
  const perState = Math.min(200, Math.max(18, Math.round(projects / 2000)));
  const favoured = new Map(FAVOURED_COUNTIES.map((f) => [f.countyId, f.share]));
  const chosen = SAMPLE_STATES.flatMap((abbreviation) => {
    const state = places.findState(abbreviation);
    if (!state) throw new Error(`The catalogue of places lacks ${abbreviation}`);
    const all = places.cities.filter((city) => city.stateId === state.id);
    const special = FAVOURED_COUNTIES.flatMap((f) =>
      biggestOf(
        all.filter((c) => c.countyId === f.countyId),
        8,
      ),
    );
    const others = all.filter((c) => !favoured.has(c.countyId));
    const bigger = others.filter((c) => c.population >= SMALL_TOWN.to);
    const cities = biggestOf(bigger, perState);
    return [...cities, ...smallTownsOf(others, Math.round(perState / 4), cities), ...special];
  });
  return withShares(chosen, favoured).map(({ city, share }) => ({ city: describeCity(city, places), share }));
}

/** Shares grow with population, dampened so that small towns occur; a favoured county has its own share. */
function withShares(cities: readonly City[], favoured: ReadonlyMap<number, number>): { city: City; share: number }[] {
  const weight = (c: City) => Math.max(c.population, SMALL_TOWN.to) ** 0.6;
  const group = (c: City) => (favoured.has(c.countyId) ? c.countyId : 0);
  const totals = new Map<number, number>();
  for (const city of cities) totals.set(group(city), (totals.get(group(city)) ?? 0) + weight(city));
  const left = 1 - [...favoured.values()].reduce((sum, share) => sum + share, 0);
  return cities.map((city) => ({ city, share: ((favoured.get(city.countyId) ?? left) * weight(city)) / (totals.get(group(city)) ?? 1) }));
}

function describeCity(city: City, places: Places): SampleCity {
  const state = places.state(city.stateId);
  const county = places.county(city.countyId);
  const customs = CUSTOMS[state?.abbreviation ?? ''];
  if (!state || !county || !customs) throw new Error(`Nothing is known about the surroundings of ${city.name}`);
  const { id, name, stateId, countyId, latitude, longitude, population } = city;
  const whole = { id, name, state: state.abbreviation, stateId, county: county.name, countyId, latitude, longitude, population, customs };
  const parts = CITY_PARTS.filter((part) => part.cityId === id).map(({ cityId: _, share, ...where }) => {
    return { share, part: { ...whole, ...where, county: places.county(where.countyId)?.name ?? whole.county } };
  });
  return { ...whole, parts };
}

/** The part of the city that a site is in; undefined for the county of its centre. */
function choosePart({ parts }: SampleCity, random: Random): SampleCity | undefined {
  if (!parts.length) return undefined;
  const whole = 1 - parts.reduce((sum, { share }) => sum + share, 0);
  const chosen = random.weighted({ whole, ...Object.fromEntries(parts.map(({ share, part }) => [part.countyId, share])) });
  const found = parts.find(({ part }) => String(part.countyId) === chosen);
  return found && { ...found.part, parts: [] };
}

const round = (value: number, digits: number) => Number(value.toFixed(digits));
const trueFalseNull = (random: Random, yes: number): boolean | null => (random.chance(0.08) ? null : random.chance(yes));

/** A five-digit code within the state's range, the same few for a city. Made up: it need not exist. */
function zipNear(city: SampleCity, random: Random): string {
  const [low = 0, high = 99_999] = city.customs.zips;
  const base = low + (hashOf('zip', city.id) % (high - low - 8));
  return String(base + random.int(0, 8)).padStart(5, '0');
}

/** A street-like address that need not exist. */
function addressOf(random: Random): string {
  return `${random.int(1, 98) * 100 + random.int(1, 98)} ${random.pick(names.directions)}${random.pick(names.streets)} ${random.pick(names.streetKinds)}`;
}

/** A made-up site within a few kilometres of the centre of the city or of one of its parts, farther out in a bigger city. */
export function siteNear(whole: SampleCity, random: Random, corpus: SampleCorpus): Site {
  const part = choosePart(whole, random);
  const city = part ?? whole;
  const radiusKm = Math.min(part ? PART_RADIUS_KM : 9, 0.6 + Math.sqrt(city.population) / 120) * Math.sqrt(random.next());
  const angle = random.decimal(0, 2 * Math.PI);
  const book = hashOf(corpus.seed, 'parcels', city.countyId) % 900;
  return {
    city,
    address: addressOf(random),
    zipCode: zipNear(city, random),
    ...pointInCounty(city, radiusKm, angle),
    inOpportunityZone: trueFalseNull(random, 0.14),
    inFemaFloodZone: trueFalseNull(random, 0.11),
    parcelNumbers: Array.from({ length: random.chance(0.25) ? random.int(2, 4) : 1 }, () => parcelNumber(book, random)),
    unincorporated: random.chance(0.12),
  };
}

const parcelNumber = (book: number, random: Random) =>
  `${100 + book}-${random.int(10, 99)}-${String(random.int(1, 9999)).padStart(4, '0')}`;

/** A point so far from the city's centre, or nearer where it would lie in another county. @param angle radians, counter-clockwise from the east */
function pointInCounty(city: SampleCity, radiusKm: number, angle: number): Pick<Site, 'latitude' | 'longitude'> {
  const { stateId, countyId, latitude, longitude } = city;
  const north = (radiusKm * Math.sin(angle)) / KM_PER_DEGREE;
  const east = (radiusKm * Math.cos(angle)) / (KM_PER_DEGREE * Math.cos((latitude * Math.PI) / 180));
  const point = { latitude: round(latitude + north, 6), longitude: round(longitude + east, 6) };
  return radiusKm > NEAREST_KM && isOutside({ ...point, stateId, countyId }) ? pointInCounty(city, radiusKm / 2, angle) : point;
}

/** A government decision has no parcel: its site is the city's centre. */
export function siteOfGovernment(city: SampleCity): Site {
  const { latitude, longitude } = city;
  const nowhere = { address: null, inOpportunityZone: null, inFemaFloodZone: null, parcelNumbers: [], unincorporated: false };
  return { city, latitude, longitude, zipCode: zipNear(city, new Random('hall', city.id)), ...nowhere };
}
