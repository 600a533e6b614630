/** How names of places are compared: which ways of writing one are the same (src/docs/filters.md). Pure. */
import { APOSTROPHE, foldLetters } from './words.ts';

/** Names that need only lower-casing, which is nearly all. */
const PLAIN_NAME = /^(?!.*\b(?:st|ste|ft|mt|[a-z])\b)[a-z]+(?: [a-z]+)*$/;

/** Case, accents, apostrophes and punctuation fold away; `St.` and `Saint`, `Ste.` and `Sainte`, `Ft.` and `Fort`, `Mt.` and `Mount` are one, initials are one word (`D. C.`), and a first `N.` is North. */
export function foldName(text: string): string {
  const lower = text.toLowerCase();
  return PLAIN_NAME.test(lower) ? lower : foldFully(text);
}

const APOSTROPHES = new RegExp(APOSTROPHE, 'g');
const COMPASS = { n: 'north', s: 'south', e: 'east', w: 'west' } as const;
const WRITTEN_OUT = { st: 'saint', ste: 'sainte', ft: 'fort', mt: 'mount' } as const;

const foldFully = (text: string): string =>
  foldLetters(text.replace(APOSTROPHES, ''))
    .replaceAll('.', '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .replace(/\b([a-z]) (?=[a-z]\b)/g, '$1')
    .replace(/^[nsew](?= )/, (letter) => COMPASS[letter as keyof typeof COMPASS])
    .replace(/\b(?:st|ste|ft|mt)\b/g, (word) => WRITTEN_OUT[word as keyof typeof WRITTEN_OUT]);

const PARTICLE_BLANK = /\b(de|del|des|du|el|la|le|mc|o|van) (?=[a-z])/g;

/** Blanks after particles do not count: `De Kalb` is `DeKalb`. @param folded a folded name */
const joinParticles = (folded: string): string => (folded.includes(' ') ? folded.replace(PARTICLE_BLANK, '$1') : folded);

const COUNTY_KIND = / (?:county|parish|borough|census area|municipality|municipio|city and borough|planning region|city)$/;
const COUNTY_PREFIX = /^(county|parish|borough|city|municipality) of (.+)$/;
const CITY_KIND = / (?:city|town|charter township|township|village|cdp|borough|plantation|municipality)$/;
const CITY_PREFIX =
  /^(?:city and county|city|town|charter township|township|village|borough|municipality|(?:consolidated|metropolitan|unified) government) of /;
/** What the Census Bureau adds to the name of a city that is one with its county. */
const CONSOLIDATED = /(?: (?:metro|metropolitan|unified|consolidated) government| urban county(?: government)?| metro)?(?: balance)?$/;

const removeRepeated = (names: readonly string[]) => [...new Set(names)];

/** What a city is called, folded: its name, a charter township as a township too, and without what kind of place it is. */
export function namesOfCity(name: string): string[] {
  const folded = joinParticles(foldName(name));
  const asTownship = folded.replace(/ charter township$/, ' township');
  return removeRepeated([folded, asTownship, folded.replace(CITY_KIND, ''), folded.replace(CITY_PREFIX, '')]);
}

/** What a county is called, folded: its name, and without what kind it is. */
export function namesOfCounty(name: string): string[] {
  const folded = joinParticles(foldName(name));
  return removeRepeated([folded, folded.replace(COUNTY_KIND, '')]);
}

/** The folded name of a city without what kind of place it is. */
export const bareCityName = (name: string): string => joinParticles(foldName(name)).replace(CITY_PREFIX, '').replace(CITY_KIND, '');

const KIND_BEHIND = /^(.+) (charter township|township|town)$/;
const KIND_BEFORE = /^(charter township|township|town|village) of (.+)$/;

/** Names under which a city is looked up for a text, the most literal first: `Lower Merion Township` is also `Township of Lower Merion`. */
export function readCityNames(text: string): string[] {
  const full = joinParticles(foldName(text));
  const turned = KIND_BEFORE.test(full) ? full.replace(KIND_BEFORE, '$2 $1') : full.replace(KIND_BEHIND, '$2 of $1');
  const bare = full.replace(CITY_PREFIX, '').replace(CONSOLIDATED, '');
  return removeRepeated([full, turned, bare, bare.replace(CITY_KIND, '')]);
}

/** `County of Fairfax` is `fairfax county`. */
export const readCountyName = (text: string): string => joinParticles(foldName(text)).replace(COUNTY_PREFIX, '$2 $1');
