/** Units of land-use texts: the words by which each is named, and the measurement of a record that holds it. */
import { synonymsOf } from './thesaurus.ts';
import { stemsOf } from './tokens.ts';

export interface Unit {
  name: string;
  /** each phrase for the unit, as stems */
  phrases: readonly (readonly string[])[];
  /** each phrase for the unit, as written */
  texts: readonly string[];
  /** measurement of a record, whose filters bound the amount */
  measurement?: string;
  /** whole numbers only */
  whole?: boolean;
}

const unit = (name: string, phrases: string, more: Partial<Unit> = {}): Unit => ({
  name,
  texts: phrases.split(', '),
  phrases: phrases
    .split(', ')
    .map(stemsOf)
    .sort((a, b) => b.length - a.length),
  ...more,
});

/** Where one phrase begins another, the longer one comes first. */
const UNITS: readonly Unit[] = [
  unit(
    'units per acre',
    'units per acre, dwelling units per acre, dwellings per acre, du per acre, du acre, units an acre, homes per acre',
  ),
  unit('square feet', 'square feet, square foot, sq ft, sf, gsf, sqft, square ft, sq feet', { measurement: 'squareFootage' }),
  unit('acres', 'acres, acre, ac', { measurement: 'acreage' }),
  unit('parking spaces', 'parking spaces, parking stalls, car spaces, spaces, parking places, off-street spaces, parking spots, cars', {
    measurement: 'parkingSpaces',
    whole: true,
  }),
  unit('hotel rooms', 'hotel rooms, guest rooms, guestrooms, guest bedrooms, rooms, room, keys, hotel units'),
  unit(
    'units',
    'dwelling units, housing units, residential units, living units, units, unit, apartments, homes, dwellings, townhomes, townhouses, condominiums, condos, houses, residences, flats',
    {
      measurement: 'totalUnitCount',
      whole: true,
    },
  ),
  unit('lots', 'lots, lot, homesites', { measurement: 'lotCount', whole: true }),
  unit('stories', 'stories, story, floors, floor, levels', { measurement: 'buildingStories' }),
  unit('bedrooms', 'bedrooms, bedroom', { whole: true }),
  unit('feet', 'feet, foot, ft'),
  unit('percent', 'percent, %, per cent'),
  unit('dollars', 'dollars, dollar, $'),
  unit('megawatts', 'megawatts, megawatt, mw'),
  unit('miles', 'miles, mile'),
  unit('beds', 'beds, bed'),
  unit('people', 'people, persons, residents, occupants'),
  unit('children', 'children, kids'),
  unit('years', 'years, year'),
  unit('months', 'months, month'),
  unit('days', 'days, day'),
  unit('gallons', 'gallons, gallon'),
];

const byName = new Map(UNITS.map((one) => [one.name, one]));

const counted = new Map<string, Unit>();
const COUNTED_MAX = 1000;

/** Whether a unit is none of the table: what is counted may be called otherwise. */
export const isCountedUnit = (name: string): boolean => !byName.has(name);

/** A unit of the table, or one made of the counted words and their synonyms: `12 chickens`. */
export function unitNamed(name: string): Unit {
  const known = byName.get(name) ?? counted.get(name);
  if (known) return known;
  const texts = synonymsOf(name);
  const made = { name, texts, phrases: texts.map(stemsOf).sort((a, b) => b.length - a.length) };
  if (counted.size >= COUNTED_MAX) counted.clear();
  counted.set(name, made);
  return made;
}

const startsWith = (stems: readonly string[], at: number, phrase: readonly string[]) =>
  phrase.every((stem, offset) => stems[at + offset] === stem);

/** The unit named at token `at`, with the number of its tokens. */
export function unitAt(stems: readonly string[], at: number): { unit: Unit; length: number } | undefined {
  let best: { unit: Unit; length: number } | undefined;
  for (const one of UNITS)
    for (const phrase of one.phrases)
      if (phrase.length > (best?.length ?? 0) && startsWith(stems, at, phrase)) best = { unit: one, length: phrase.length };
  return best;
}
