/**
 * Made-up buildings with neighbours that are easily taken for them, and rows that people's spreadsheets hold of them. Knows nothing of how addresses
 * are read or compared: what a row means is known since it was made from a building. The same seed makes the same.
 */
import type { Random } from '../../scripts/sample/random.ts';

interface Town {
  city: string;
  county: string;
  state: string;
  zip: string;
  /** how its houses are numbered */
  numbering: 'plain' | 'hawaii' | 'queens' | 'portland' | 'grid' | 'utah';
}

const town = (city: string, county: string, state: string, zip: string, numbering: Town['numbering'] = 'plain'): Town => ({
  ...{ city, county, state, zip, numbering },
});

const TOWNS: readonly Town[] = [
  town('Boulder', 'Boulder County', 'CO', '80302'),
  town('Louisville', 'Boulder County', 'CO', '80027'),
  town('Longmont', 'Boulder County', 'CO', '80501'),
  town('Denver', 'Denver County', 'CO', '80202'),
  town('Chicago', 'Cook County', 'IL', '60602'),
  town('Evanston', 'Cook County', 'IL', '60201'),
  town('Boston', 'Suffolk County', 'MA', '02108'),
  town('Cambridge', 'Middlesex County', 'MA', '02139'),
  town('Somerville', 'Middlesex County', 'MA', '02143'),
  town('Austin', 'Travis County', 'TX', '78701'),
  town('Tampa', 'Hillsborough County', 'FL', '33602'),
  town('New York', 'Queens County', 'NY', '11368', 'queens'),
  town('Waianae', 'Honolulu County', 'HI', '96792', 'hawaii'),
  town('Kapolei', 'Honolulu County', 'HI', '96707', 'hawaii'),
  town('Portland', 'Multnomah County', 'OR', '97219', 'portland'),
  town('Gresham', 'Multnomah County', 'OR', '97030'),
  town('Germantown', 'Washington County', 'WI', '53022', 'grid'),
  town('Waukesha', 'Waukesha County', 'WI', '53186', 'grid'),
  town('Provo', 'Utah County', 'UT', '84601', 'utah'),
  town('Orem', 'Utah County', 'UT', '84057', 'utah'),
];

const NAMES = (
  'Main Oak Pine Maple Cedar Elm Washington Park Walnut Spring Franklin Jackson Hickory Lincoln Adams Jefferson Madison Monroe Church Market Chestnut ' +
  'Spruce Willow Highland Prospect Pleasant Center Mill Bridge Pearl Canyon Arapahoe Baseline Magnolia Sycamore Hamilton Cleveland Harrison Grant ' +
  'Marion Warren Sherman Sheridan Douglas Delaware Dartmouth Columbia Cherry Juniper Laurel Locust Mulberry Poplar Orchard Ridgeway Fairview ' +
  'Lakeview Brookside Meadowbrook Stonegate Kingsley Wellington Winchester Cambridge Oxford Bristol Somerset Devonshire Huntington Lexington ' +
  'Concord Bunker Liberty Union Commerce Industrial Enterprise Airport Railroad Depot Canal Harbor Bayview Seaside Farrington Kuhio Palani Tree_Tops ' +
  'Old_Mill Indian_Creek Eagle_Rock North South West East 5th 12th 42nd St_John Martin_Luther_King Van_Buren De_Soto'
).split(' ');

const SECOND_WORDS =
  'Hill Creek Valley Hollow Springs Grove Point Ridge Farm Branch Landing Crossing Run Park Village View Church Ferry Bend Acres'.split(
    ' ',
  );

interface Spelling {
  official: string;
  typed: readonly string[];
  mistyped: readonly string[];
}

/** Suffixes as an authority writes them, as people do, and with a slip. */
const SUFFIXES: readonly Spelling[] = [
  { official: 'St', typed: ['St', 'St.', 'Street', 'STREET', 'Str'], mistyped: ['Stret', 'Steet', 'Streeet', 'Sreet', 'Streer'] },
  { official: 'Ave', typed: ['Ave', 'Ave.', 'Avenue', 'Av', 'AVE'], mistyped: ['Avenu', 'Avneue', 'Avanue', 'Aveneu', 'Avenuue'] },
  { official: 'Rd', typed: ['Rd', 'Rd.', 'Road'], mistyped: ['Raod', 'Roadd', 'Roed', 'Rooad'] },
  { official: 'Dr', typed: ['Dr', 'Dr.', 'Drive'], mistyped: ['Dirve', 'Drvie', 'Driive', 'Drife'] },
  { official: 'Blvd', typed: ['Blvd', 'Blvd.', 'Boulevard'], mistyped: ['Bolevard', 'Boulevrad', 'Boulavard', 'Bvld', 'Bulevard'] },
  { official: 'Ln', typed: ['Ln', 'Lane'], mistyped: ['Laen', 'Lanne', 'Lnae'] },
  { official: 'Ct', typed: ['Ct', 'Court', 'Ct.'], mistyped: ['Cuort', 'Courtt', 'Coutr'] },
  { official: 'Pl', typed: ['Pl', 'Place'], mistyped: ['Plcae', 'Palce', 'Placce'] },
  { official: 'Way', typed: ['Way', 'Wy'], mistyped: ['Wya', 'Wayy'] },
  { official: 'Pkwy', typed: ['Pkwy', 'Parkway', 'Pky'], mistyped: ['Parkwya', 'Prakway', 'Parkwy'] },
  { official: 'Ter', typed: ['Ter', 'Terrace', 'Terr'], mistyped: ['Terace', 'Terrase', 'Terrrace'] },
  { official: 'Cir', typed: ['Cir', 'Circle'], mistyped: ['Cirlce', 'Cricle', 'Circel'] },
];
/** Roads with a number, # in its place: as an authority writes them, and as people do. */
const ROADS: Readonly<Record<string, readonly string[]>> = {
  'US Hwy #': ['US #', 'U.S. #', 'US-#', 'US Highway #', 'US Route #', 'US # Hwy'],
  'State Road #': ['State Rd #', 'SR #', 'SR-#', 'S.R. #', 'SR#', 'State Hwy #', 'State Route #', 'STH #'],
  'County Road #': ['County Rd #', 'CR #', 'CR-#', 'C.R. #', 'CR#', 'Co Rd #', 'County Hwy #', 'CTH #'],
  'FM #': ['FM#', 'F.M. #', 'FM Road #', 'Farm to Market Road #', 'FM # Rd'],
  'Interstate #': ['I-#', 'IH #', 'IH-#', 'Interstate Hwy #'],
  'Old Highway #': ['Old Hwy #'],
};
const DIRECTIONS: Readonly<Record<string, readonly string[]>> = {
  N: ['N', 'N.', 'North', 'n'],
  S: ['S', 'S.', 'South', 's'],
  E: ['E', 'E.', 'East', 'e'],
  W: ['W', 'W.', 'West', 'w'],
  SW: ['SW', 'S.W.', 'Southwest', 'sw'],
};
const OPPOSITE: Readonly<Record<string, string>> = { N: 'S', S: 'N', E: 'W', W: 'E', SW: 'N' };

/** A building. Two are the same if all of this is. */
interface Building {
  town: Town;
  /** as its authority writes it: `12`, `12A`, `12 1/2`, `75-07`, `W148 N9748` */
  number: string;
  direction: string;
  name: string;
  /** place in `SUFFIXES`; -1 for a street without one */
  suffix: number;
}

export const keyOf = ({ town: { city, state }, ...building }: Building): string =>
  JSON.stringify([city, state, ...Object.values(building)]);

const pad = (number: number, digits: number) => String(number).padStart(digits, '0');
const gridDirection = (random: Random) => random.pick(['N', 'S', 'E', 'W']);

function makeNumber({ numbering }: Town, random: Random): string {
  if (numbering === 'hawaii') return `${random.int(41, 98)}-${random.pick([pad(random.int(1, 999), 3), String(random.int(1000, 1999))])}`;
  if (numbering === 'queens')
    return random.chance(0.8) ? `${random.int(11, 270)}-${pad(random.int(1, 10), 2)}` : String(random.int(10, 250));
  if (numbering === 'grid' && random.chance(0.7))
    return random.pick([`W${random.int(50, 250)} N${random.int(1000, 9999)}`, `N${random.int(1, 90)} W${random.int(10_000, 29_999)}`]);
  if (numbering === 'portland' && random.chance(0.4)) return `0${random.int(100, 999)}`;
  const number = random.pick([random.int(10, 99), random.int(100, 999), random.int(1000, 9999)]);
  return `${number}${random.weighted({ '': 0.85, A: 0.05, B: 0.03, ' 1/2': 0.07 })}`;
}

function makeBuilding(random: Random): Building {
  const place = random.pick(TOWNS);
  const number = makeNumber(place, random);
  if (place.numbering === 'utah' && random.chance(0.6)) {
    const isNorth = random.chance(0.5);
    const name = `${random.int(1, 30) * 100} ${random.pick(isNorth ? ['E', 'W'] : ['N', 'S'])}`;
    return { town: place, number, direction: random.pick(isNorth ? ['N', 'S'] : ['E', 'W']), name, suffix: -1 };
  }
  if (random.chance(0.08)) {
    const name = random.pick(Object.keys(ROADS)).replace('#', String(random.int(1, 120)));
    return { town: place, number, direction: random.pick(['', '', 'N', 'S']), name, suffix: -1 };
  }
  const more = random.chance(0.4) ? ` ${random.pick(SECOND_WORDS)}` : '';
  const name = `${random.pick(NAMES).replaceAll('_', ' ')}${more}`;
  const direction = place.numbering === 'portland' ? 'SW' : random.chance(0.3) ? gridDirection(random) : '';
  return { town: place, number, direction, name, suffix: random.int(0, SUFFIXES.length - 1) };
}

const roadOf = (name: string) => name.replace(/\d+$/, '#');
const digitsOf = (name: string) => /\d*$/.exec(name)?.[0] ?? '';
const typeRoad = (name: string, random: Random) => random.pick(ROADS[roadOf(name)] ?? [name]).replace('#', digitsOf(name));

/** Numbers that are easily taken for a number. */
function listNearNumbers(number: string, random: Random): string[] {
  const digits = /\d+$/.exec(number)?.[0];
  if (!digits) return [/^\d+/.exec(number)?.[0] ?? number, `${number}1`.slice(0, -2)].filter((other) => other && other !== number);
  const head = number.slice(0, number.length - digits.length);
  const near = [2, 4, -2].map((step) => `${head}${pad(Math.max(1, Number(digits) + step), digits.length)}`);
  if (head.endsWith('-')) return [...near, head.slice(0, -1), `${head}${pad((Number(digits) + 405) % 1000, digits.length)}`];
  if (/^\d+$/.test(number)) near.push(`${number}A`, `${number} 1/2`, `${number}0`);
  if (/^0/.test(number)) near.push(number.slice(1));
  else if (/^\d{3}$/.test(number) && random.chance(0.3)) near.push(`0${number}`);
  return near;
}

/** Buildings that are easily taken for one. */
function plantNeighbours(building: Building, random: Random): Building[] {
  const { number, direction, name, suffix, town: place } = building;
  const others = listNearNumbers(number, random)
    .filter(() => random.chance(0.4))
    // zeros are padding outside Oregon
    .filter((near) => place.state === 'OR' || !near.startsWith('0'))
    .map((near) => ({ ...building, number: near }));
  if (ROADS[roadOf(name)] && random.chance(0.6))
    others.push({ ...building, name: random.pick(Object.keys(ROADS)).replace('#', digitsOf(name)) }, { ...building, name: `${name}2` });
  if (suffix >= 0 && random.chance(0.35))
    others.push({ ...building, suffix: (suffix + random.int(1, SUFFIXES.length - 1)) % SUFFIXES.length });
  if (OPPOSITE[direction] && random.chance(0.5)) others.push({ ...building, direction: OPPOSITE[direction] });
  const inState = TOWNS.filter((one) => one.state === place.state && one.city !== place.city && one.numbering === place.numbering);
  if (inState.length && random.chance(0.3)) others.push({ ...building, town: random.pick(inState) });
  return others;
}

const spaced = (...words: readonly string[]) => words.filter(Boolean).join(' ');

/** The address as the authority of its town writes it. */
function writeOfficially({ number, direction, name, suffix }: Building, random: Random): string {
  const text = spaced(number, direction, name, SUFFIXES[suffix]?.official ?? '');
  return random.pick([text, text.toUpperCase(), spaced(number, DIRECTIONS[direction]?.[2] ?? '', name, SUFFIXES[suffix]?.typed[1] ?? '')]);
}

function typeNumber({ number, town: { numbering } }: Building, random: Random): string {
  if (number.endsWith(' 1/2'))
    return random.pick([number, number.replace(' 1/2', '½'), number.replace(' ', '-'), number.replace(' 1/2', ' ½')]);
  if (/[A-B]$/.test(number))
    return random.pick([number, number.toLowerCase(), number.replace(/(?=.$)/, '-'), number.replace(/(?=.$)/, ' ')]);
  if (numbering === 'queens' || numbering === 'hawaii')
    return random.pick([number, number, number.replace('-', ''), number.replace('-', ' - ')]);
  if (numbering === 'grid') return random.pick([number, number.replace(' ', ''), number.replace(' ', '-')]);
  return number;
}

/** Swaps two letters, or drops, doubles or replaces one, behind the first. */
function mistype(word: string, random: Random): string {
  const at = random.int(1, word.length - 2);
  const [before, one, next, after] = [word.slice(0, at), word[at] ?? '', word[at + 1] ?? '', word.slice(at + 2)];
  const other = random.pick([...'aeinorst'].filter((letter) => letter !== one));
  return random.pick([
    before + next + one + after,
    before + next + after,
    before + one + one + next + after,
    before + other + next + after,
  ]);
}

const SLIPS = {
  none: 0.62,
  'no suffix': 0.07,
  'no direction': 0.05,
  'mistyped suffix': 0.07,
  'mistyped name': 0.07,
  'swapped digits': 0.02,
  'state alone': 0.02,
  'county alone': 0.04,
  'ZIP code alone': 0.02,
  'other city of the ZIP code': 0.02,
};
export type MadeSlip = keyof typeof SLIPS;

interface MadeRow {
  row: { address: string; city?: string; county?: string; state?: string };
  slip: MadeSlip;
  /** key of the building that is meant */
  means: string;
  /** whether the building has a record and nothing else that has one is written so */
  hasAnswer: boolean;
}

/** What is typed of a building, and which of its parts that leaves open. */
function typeRow(building: Building, random: Random) {
  const { town: place, name, direction } = building;
  const spelling = SUFFIXES[building.suffix];
  const [first = '', ...further] = name.split(' ');
  const isWord = first.length > 5 && !ROADS[roadOf(name)];
  let slip = random.weighted(SLIPS);
  if ((slip === 'no suffix' || slip === 'mistyped suffix') && !spelling) slip = 'none';
  if (slip === 'no direction' && !direction) slip = 'none';
  if (slip === 'mistyped name' && !isWord) slip = 'none';
  const number = typeNumber(building, random);
  const swappable = /^(\d*?)(\d)(?!\2)(\d)(\d*)$/.exec(number);
  if (slip === 'swapped digits' && !swappable) slip = 'none';
  const [, head = '', one = '', other = '', tail = ''] = swappable ?? [];
  const parts = [
    slip === 'swapped digits' ? head + other + one + tail : number,
    slip === 'no direction' ? '' : random.pick(DIRECTIONS[direction] ?? ['']),
    slip === 'mistyped name' ? spaced(mistype(first, random), ...further) : typeRoad(name, random),
    slip === 'no suffix' ? '' : random.pick((slip === 'mistyped suffix' ? spelling?.mistyped : spelling?.typed) ?? ['']),
    random.chance(0.12) ? random.pick(['Apt 4', '#4', 'Unit B', 'Ste 200', 'Suite 12']) : '',
  ];
  const text = random.pick([
    spaced,
    spaced,
    (...words: string[]) => spaced(...words).toUpperCase(),
    (...words: string[]) => spaced(...words).toLowerCase(),
  ])(...parts);
  const elsewhere = TOWNS.find(({ state, city }) => state === place.state && city !== place.city)?.city ?? place.city;
  const city = slip.startsWith('other city') ? elsewhere : place.city;
  const isWhole = random.chance(0.15) && !slip.endsWith('alone');
  const whole = isWhole || slip.includes('ZIP') ? `${text}, ${slip.endsWith('alone') ? '' : `${city}, `}${place.state} ${place.zip}` : text;
  const cityOf = slip.endsWith('alone') ? {} : { city };
  const countyOf = slip === 'county alone' || (!/^state|ZIP/.test(slip) && random.chance(0.4)) ? { county: place.county } : {};
  return { slip, row: { address: whole, state: place.state, ...cityOf, ...countyOf } };
}

/** What of a building a row with the slip states; equal for those that it may mean. */
function statedKey({ town: { city, county, state, zip }, number, direction, name, suffix }: Building, slip: MadeSlip): string {
  const alone = { 'state alone': state, 'county alone': county, 'ZIP code alone': zip } as Partial<Record<MadeSlip, string>>;
  const where = alone[slip] ?? `${city} ${state}`;
  return JSON.stringify([where, number, slip === 'no direction' ? '' : direction, name, slip === 'no suffix' ? -1 : suffix]);
}

const ABSENT = 0.15;
const FIRST_ID = 70_000_000;

/** @returns records (several of some buildings), the building of each, and rows */
export function makeAddresses(rowCount: number, random: Random) {
  const sites = Array.from({ length: Math.ceil(rowCount / 3) }, () => ({
    building: makeBuilding(random),
    isAbsent: random.chance(ABSENT),
  }));
  const absent = new Set(sites.flatMap(({ building, isAbsent }) => (isAbsent ? keyOf(building) : [])));
  const standing = [...sites.map(({ building }) => building), ...sites.flatMap(({ building }) => plantNeighbours(building, random))];
  const present = standing.filter((building) => !absent.has(keyOf(building)));
  const records = present.map((building, i) => {
    const { city, county, state, zip: zipCode } = building.town;
    return { id: FIRST_ID + i, address: writeOfficially(building, random), city, county, state, zipCode };
  });
  const buildings = new Map(present.map((building, i) => [FIRST_ID + i, keyOf(building)]));
  const unique = [...new Map(present.map((building) => [keyOf(building), building])).values()];
  const counts = new Map<string, number>();
  for (const slip of Object.keys(SLIPS) as MadeSlip[])
    for (const building of unique) {
      const key = `${slip} ${statedKey(building, slip)}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  const rows = Array.from({ length: rowCount }, (): MadeRow => {
    const { building } = random.pick(sites);
    const { slip, row } = typeRow(building, random);
    const means = keyOf(building);
    return { row, slip, means, hasAnswer: !absent.has(means) && counts.get(`${slip} ${statedKey(building, slip)}`) === 1 };
  });
  return { records, buildings, rows };
}
