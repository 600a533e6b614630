/** Filters suggested for typed words: only exact matches, each named as the chip that it makes. */
import assert from 'node:assert/strict';
import { FILTER_NAMES, filterOf } from '../../src/core/filter/table.ts';
import { loadPlaces } from '../../src/core/store/files/loadPlaces.ts';
import { understandQuestion } from '../../src/features/aiSearch/question/index.ts';
import { makeFilterCatalogue } from '../../src/features/map/filterAsset.ts';
import { addPlace, addWord, setValue } from '../../src/web/app/filters/changes.ts';
import { offersFor, offersOfReading } from '../../src/web/app/filters/offers.ts';
import { chipsOf } from '../../src/web/app/shared/chips.ts';
import { rowOf, valuesOf, withOwnNames, wordOf } from '../../src/web/app/shared/filterRows.ts';
import { filtersInAddress } from '../../src/web/app/shared/words.ts';

const TODAY = '2026-11-25';

describe('typed filters', () => {
  const catalogue = makeFilterCatalogue();
  const places = loadPlaces();
  const row = (name: string) => rowOf(catalogue, name) ?? assert.fail(name);
  const offers = (typed: string, filters: Record<string, string> = {}) => offersFor(typed, { catalogue, filters });
  /** Offers of what the service reads. */
  const readOffers = (typed: string, filters: Record<string, string> = {}) => {
    const { filters: read, readings, criteria } = understandQuestion(typed, { today: TODAY, places });
    const reading = {
      filters: filtersInAddress(read),
      readings: readings.map(({ text }) => ({ words: text })),
      rest: criteria[0]?.text ?? null,
    };
    return offersOfReading(typed, reading, { catalogue, filters });
  };
  const shown = ({ label, text, note }: ReturnType<typeof offers>[number]) => `${label}: ${text}${note ? ` (${note})` : ''}`;
  /** Offers that are not the words themselves. */
  const meant = (typed: string, filters: Record<string, string> = {}) =>
    offers(typed, filters)
      .filter(({ rank, opens }) => rank < 6 && !opens)
      .map(shown);
  const read = (typed: string, filters: Record<string, string> = {}) => readOffers(typed, filters).map(shown);

  it('say which places a name of several was read as, and keep it with the filters', () => {
    const message = "'Springfield' names 3 places and was read as the largest, Springfield, IL; others are in …: name the state with it";
    const reading = { filters: { cities: '4250542' }, readings: [{ words: 'Springfield' }], rest: 'solar', warnings: [{ message }] };
    const [offer] = offersOfReading('solar Springfield', reading, { catalogue, filters: {} });
    assert.deepEqual([offer?.note, offer?.doubt], [`not understood: solar; ${message}`, message]);
    const [sure] = offersOfReading('solar Springfield', { ...reading, warnings: [] }, { catalogue, filters: {} });
    assert.deepEqual([sure?.note, sure?.doubt], ['not understood: solar', undefined]);
  });

  const NUMBERS: readonly [typed: string, ...chips: string[]][] = [
    ['acres > 5', 'Acres: 5 or more'],
    ['at least 5 acres', 'Acres: 5 or more'],
    ['units 50-200', 'Dwelling units: 50 to 200'],
    ['200 to 50 units', 'Dwelling units: 50 to 200'],
    ['3+ stories', 'Stories: 3 or more'],
    ['lot size under 1.5k sq ft', 'Lot size: 1,500 square feet or less'],
    ['10,000 square feet or more', 'Lot size: 10,000 square feet or more', 'Floor area: 10,000 square feet or more'],
    ['5 acres', 'Acres: exactly 5', 'Acres: 5 or more', 'Acres: 5 or less'],
    ['5 apples'],
    ['acres 1-2-3'],
  ];
  for (const [typed, ...chips] of NUMBERS)
    it(`reads "${typed}" as ${chips.join(' or ') || 'no measurement'}`, () => assert.deepEqual(read(typed), chips));

  const DATES: readonly [typed: string, ...chips: string[]][] = [
    ['since January', 'Latest meeting: from January 2026', 'Last change: from January 2026'],
    ['heard since December', 'Latest meeting: from December 2025'],
    ['updated since March 5, 2026', 'Last change: from Mar 5, 2026'],
    ['meetings before June 2026', 'Latest meeting: until May 2026'],
    ['meetings after 2024', 'Latest meeting: from 2025'],
    ['meetings from Jan 2025 to March 2026', 'Latest meeting: January 2025 to March 2026'],
    ['meetings on 2026-02-30'],
    ['first meeting since 2025', 'First meeting: from 2025'],
    ['next hearing before 2027', 'Next meeting: until 2026'],
    ['last 3 months', 'Latest meeting: Aug 25, 2026 to Nov 25, 2026', 'Last change: Aug 25, 2026 to Nov 25, 2026'],
  ];
  for (const [typed, ...chips] of DATES)
    it(`reads "${typed}" as ${chips.join(' or ') || 'no period'}`, () => assert.deepEqual(read(typed), chips));

  it('finds words of vocabularies by their beginnings and aliases, and leaves them out if asked to', () => {
    assert.deepEqual(meant('approved'), ['Status: Approved', 'Outcome: Approved', 'Status: Approved with Conditions']);
    assert.deepEqual(meant('last 3 months'), ['Meetings: Last 3 months']);
    assert.deepEqual(meant('stalled'), ['Outcome: Stalled']);
    assert.deepEqual(meant('laid over'), ['Status: Continued']);
    assert.deepEqual(meant('without signage'), ['Without subtype: Signage']);
    assert.deepEqual(meant('type: resid'), ['Building Type: Residential']);
    assert.deepEqual(meant('approved by city council'), ['Decision of a body: Approved by City Council']);
    assert.deepEqual(meant('xyzzy'), []);
  });

  it('keeps what was chosen before: words are added, the other end of a range stays unless the ends would cross', () => {
    assert.deepEqual(meant('denied', { status: 'approved' }), ['Status: Approved or Denied', 'Outcome: Denied']);
    assert.deepEqual(read('acres up to 20', { acreageMin: '5' }), ['Acres: 5 to 20']);
    assert.deepEqual(read('acres up to 2', { acreageMin: '5' }), ['Acres: 2 or less']);
  });

  it('offers any text as words and names, and numbers as ids', () => {
    const texts = (typed: string) => offers(typed).flatMap(({ rank, change }) => (rank === 6 ? [change] : []));
    assert.deepEqual(texts('Cedar Fork'), [{ q: 'Cedar Fork' }, { projectName: 'Cedar Fork' }, { developerName: 'Cedar Fork' }]);
    assert.deepEqual(texts('developer: Cedar'), [{ developerName: 'Cedar' }]);
    assert.deepEqual(texts('case numbers: RZ-24-1'), [{ caseNumbers: 'RZ-24-1' }]);
    assert.deepEqual(texts('1001, 1002').at(-1), { projectIds: '1001,1002' });
    assert.deepEqual(offers('  '), []);
  });

  it('lets the narrower or broader word that was chosen last stay alone, and sets what it needs', () => {
    const word = (name: string, token: string) => wordOf(catalogue, row(name), token) ?? assert.fail(token);
    const subtypes = row('propertySubtypes');
    assert.deepEqual(addWord(catalogue, { propertyTypes: 'residential,commercial' }, subtypes, word('propertySubtypes', 'multifamily')), {
      propertyTypes: 'commercial',
      propertySubtypes: 'multifamily',
    });
    assert.deepEqual(addWord(catalogue, { propertySubtypes: 'multifamily' }, row('propertyTypes'), word('propertyTypes', 'residential')), {
      propertySubtypes: null,
      propertyTypes: 'residential',
    });
    assert.deepEqual(addWord(catalogue, {}, row('propertyTypes'), word('propertyTypes', 'govt_decisions')), {
      includeGovernmentDecisions: 'true',
      propertyTypes: 'govt_decisions',
    });
    assert.deepEqual(setValue(row('dateRange'), 'all'), { meetingDateFrom: null, meetingDateTo: null, dateRange: 'all' });
    assert.deepEqual(addPlace({ states: 'TX', cities: 'Boulder, CO' }, 'cities', 'Denver, CO'), {
      states: null,
      cities: 'Boulder, CO,Denver, CO',
    });
    assert.deepEqual(valuesOf('Boulder, CO,Denver, CO'), ['Boulder, CO', 'Denver, CO']);
  });

  it('says every filter of the table in words, whatever name it was sent by', () => {
    for (const name of FILTER_NAMES) {
      const { example, aliases = [], kind } = filterOf(name);
      assert('value' in kind.parse([example], { places, narrowing: {} }), name);
      for (const sent of [name, ...aliases]) {
        const [chip, ...more] = chipsOf(catalogue, withOwnNames(catalogue, { [sent]: example }));
        assert(chip && more.length === 0 && chip.text && !/undefined|NaN|\{/.test(chip.text), `${sent}: ${chip?.text}`);
        assert.deepEqual(chip.names, [name]);
      }
    }
    const [unknown] = chipsOf(catalogue, { citis: 'Austin' });
    assert.deepEqual([unknown?.label, unknown?.text, unknown?.field], ['citis', 'Austin', undefined]);
  });
});
