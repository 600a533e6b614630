/** What is said of misspelt and outdated names of places names no place but the one that is meant. */
import assert from 'node:assert/strict';
import { CONTROLS } from '../../src/core/filter/controls.ts';
import { readParameters } from '../../src/core/filter/parse.ts';
import { places } from '../support/index.ts';
import { Random } from '../support/random.ts';

type Level = 'county' | 'city';

/** By state: names as they are typed, and the place that is meant. A name that no place of the catalogue took over means none. */
const BY_HAND: Record<Level, Record<string, Record<string, string | null>>> = {
  county: {
    AK: { Kuskilvak: 'Kusilvak', 'Wade Hamptom': 'Kusilvak', 'Matanuska Susitna Boro': 'Matanuska-Susitna' },
    CA: { 'San Bernadino': 'San Bernardino', 'Los Angelas': 'Los Angeles', 'San Louis Obispo': 'San Luis Obispo', Tulaire: 'Tulare' },
    CO: { Bolder: 'Boulder', 'Arapaho County': 'Arapahoe', Huerfeno: 'Huerfano', 'San Migel': 'San Miguel' },
    CT: { Tollande: 'Tolland', Litchfeild: 'Litchfield' },
    FL: { 'Miami Dad': 'Miami-Dade', Hillsboro: 'Hillsborough', Dayd: null, 'Saint Jons': 'St. Johns', Mosquito: null },
    GA: { 'Campbell County': null, Gwinett: 'Gwinnett', 'De Klab': 'DeKalb' },
    HI: { Mauii: 'Maui' },
    IA: { Pottawatamie: 'Pottawattamie', "O'Bryan": "O'Brien" },
    IL: { 'Du Pagge': 'DuPage', Sangammon: 'Sangamon' },
    LA: { 'Saint Tamany Parish': 'St. Tammany', 'Orleens Parish': 'Orleans', Calcasieux: 'Calcasieu' },
    MD: { 'Prince Georgs': "Prince George's", 'Ann Arundel': 'Anne Arundel' },
    NM: { 'Donna Ana': 'Doña Ana', 'DoÃ±a Ana': 'Doña Ana', Bernallilo: 'Bernalillo' },
    NV: { Ormsby: null, Bullfrog: null, Humbolt: 'Humboldt' },
    NY: { 'Saint Lawrance': 'St. Lawrence', Chatauqua: 'Chautauqua', Skenectady: 'Schenectady' },
    OH: { Cuyahogo: 'Cuyahoga', Tuscarawus: 'Tuscarawas' },
    PA: { Alegheny: 'Allegheny', Philadelpia: 'Philadelphia', Lackawana: 'Lackawanna' },
    SD: {
      Shanon: 'Oglala Lakota',
      'Shanon County': 'Oglala Lakota',
      Washabaugh: null,
      Washington: null,
      'Oglala Lakotah': 'Oglala Lakota',
    },
    TX: { McKinney: null, Bexer: 'Bexar', 'Fort Bendd': 'Fort Bend', Dalas: 'Dallas' },
    VA: { Nansemond: null, 'Princess Anne': null, Warwick: null, 'Bedfrod city': 'Bedford', Fairfacks: 'Fairfax' },
    WA: { Snohomis: 'Snohomish', Wakiakum: 'Wahkiakum' },
    PR: { Bayamom: 'Bayamón', Mayaguex: 'Mayagüez' },
  },
  city: {
    AK: { Barow: 'Utqiagvik', Utqiavik: 'Utqiagvik' },
    AZ: { Pheonix: 'Phoenix', Tuscon: 'Tucson' },
    CA: { 'San Fransisco': 'San Francisco', Sacremento: 'Sacramento', Yerba: null },
    CO: { Denvr: 'Denver', Peublo: 'Pueblo', Arvadda: 'Arvada' },
    HI: { Kanehoe: 'Kaneohe', Honolulo: 'Honolulu' },
    KY: { Luisville: 'Louisville', Lexingtn: 'Lexington' },
    MA: { Manchester: null },
    WI: { Menominee: null },
    MN: { Minneapolus: 'Minneapolis', 'Saint Pual': 'St. Paul' },
    MO: { 'Saint Lous': 'St. Louis', 'Kansas Cty': 'Kansas City' },
    NM: { Alburquerque: 'Albuquerque', Espanolla: 'Española' },
    OH: { Cincinatti: 'Cincinnati', Cleavland: 'Cleveland' },
    PA: { Pittsburg: 'Pittsburgh', 'Lower Marion Township': 'Lower Merion Township' },
    SC: { 'Mount Plesant': 'Mount Pleasant' },
    TX: { 'El Passo': 'El Paso', Huston: 'Houston' },
    VA: { Phoebus: null, 'South Norfolk': null },
  },
};

const ALTOGETHER = 200;

const random = new Random(54);
const KIND = / (?:County|Parish|Borough|Municipio)$/;

/** A name of which one letter is dropped or doubled, or two neighbours are exchanged. */
function misspell(name: string): string {
  const at = random.integer(0, name.replace(KIND, '').length - 2);
  const [before, one, next, after] = [name.slice(0, at), name[at] ?? '', name[at + 1] ?? '', name.slice(at + 2)];
  return random.pick([before + next + after, before + one + one + next + after, before + next + one + after]);
}

interface Typed {
  level: Level;
  state: string;
  text: string;
  meant: string | null;
}

const byHand: Typed[] = Object.entries(BY_HAND).flatMap(([level, states]) =>
  Object.entries(states).flatMap(([state, names]) =>
    Object.entries(names).map(([text, meant]) => ({ level: level as Level, state, text, meant })),
  ),
);
const bySeed: Typed[] = Array.from({ length: ALTOGETHER - byHand.length }, (_, i) => {
  const level = i % 2 ? 'county' : 'city';
  const { name, stateId } = random.pick<{ name: string; stateId: number }>(level === 'county' ? places.counties : places.cities);
  return { level, state: places.state(stateId)?.abbreviation ?? '', text: misspell(name), meant: name };
});

const find = (level: Level, text: string, state: string) => {
  const stateIds = [places.findState(state)?.id ?? 0];
  return level === 'county' ? places.findCounties(text, { stateIds }) : places.findCities(text, { stateIds });
};

/** The place that an answer to a name suggests; undefined for none, and for a name that is one of a place. */
function suggestedFor({ level, state, text }: Typed) {
  const filters = { states: [state], [level === 'county' ? 'counties' : 'cities']: [JSON.stringify([text])] };
  const [problem] = readParameters(new Map(Object.entries(filters)), CONTROLS, places).problems;
  const inMessage = problem?.message.match(/did you mean '(.+?)'\?/)?.[1];
  assert.equal(inMessage, problem?.didYouMean, text);
  return problem?.didYouMean;
}

describe('hints for misspelt and outdated names of places', () => {
  it(`name the place that is meant or none, over ${ALTOGETHER}`, () => {
    const typed = [...byHand, ...bySeed];
    const hints = typed.map((one) => ({ ...one, hint: suggestedFor(one) }));
    const wrong = hints.filter(({ level, state, hint, meant }) => {
      if (hint === undefined) return false;
      const ids = new Set((meant === null ? [] : find(level, meant, state)).map(({ id }) => id));
      return !find(level, hint, state).some(({ id }) => ids.has(id));
    });
    assert.deepEqual(wrong, []);
    assert.equal(typed.length, ALTOGETHER);
    const named = hints.filter(({ hint }) => hint !== undefined).length;
    assert.ok(named > 0.8 * ALTOGETHER, `${named} are named`);
  });

  it('are absent where two places are as near, and for cities of every state', () => {
    assert.equal(suggestedFor({ level: 'county', state: 'KS', text: 'Grent', meant: null }), 'Grant');
    for (const [level, state, text] of [
      ['county', 'TX', 'Hxll'],
      ['county', 'CO', 'Mogan'],
      ['city', 'CO,KS', 'Denvr'],
    ] as const)
      assert.equal(suggestedFor({ level, state, text, meant: null }), undefined, text);
  });
});
