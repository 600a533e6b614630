import assert from 'node:assert/strict';
import {
  listAddressKeys,
  listZipCodes,
  readAddressText,
  readStreetAddresses,
  writeAddressText,
} from '../../src/core/domain/streetAddress.ts';

/** Each address as one text: numbers, direction, street, suffix. */
const read = (text: string, city?: string) => readStreetAddresses(text, city ? [city] : []).map(writeAddressText);

describe('street addresses', () => {
  it('are the same in every spelling', () => {
    const spellings = [
      '1328 N. Main St.',
      '1328 NORTH MAIN STREET',
      '1328 n main str, Walnut Creek, CA 94596',
      '1328 North Main Street Walnut Creek CA 94596-1234',
      '1328 Main St N',
      '1328 N Main St Apt 4B',
      '1328 N Main Street #4, USA',
      '1328 N Main St (rear building)',
    ];
    for (const spelling of spellings) assert.deepEqual(read(spelling), ['1328|n|main|st'], spelling);
  });

  it('are read without a comma before the city', () => {
    assert.deepEqual(read('20035 LUCK LN LEESBURG VA 20175'), ['20035||luck|ln']);
    assert.deepEqual(read('5 Elm Los Gatos', 'Los Gatos'), ['5||elm|']);
  });

  it('keep words of a street that look like others', () => {
    assert.deepEqual(read('5 North St'), ['5||north|st']);
    assert.deepEqual(read('100 W St'), ['100||w|st']);
    assert.deepEqual(read('170 W St John St'), ['170|w|stjohn|st']);
    assert.deepEqual(read('711 El Camino Real'), ['711||elcaminoreal|']);
    assert.deepEqual(read('700 Avenue C'), ['700||avenuec|']);
    assert.deepEqual(read('100 S State St 5'), ['100|s|state|st']);
  });

  it('know ordinals, numbered roads and ranges', () => {
    assert.deepEqual(read('230 07TH ST'), read('230 Seventh Street'));
    assert.deepEqual(read('7200 US Highway 19'), read('7200 us hwy 19'));
    assert.deepEqual(read('923 - 929 Kansas St'), ['923,925,927,929||kansas|st']);
    assert.deepEqual(read('1321-27 Kansas St'), ['1321,1323,1325,1327||kansas|st']);
    assert.deepEqual(read('2-98 Fairway Ln'), ['2,98||fairway|ln']);
    assert.deepEqual(read('141-05 109th Avenue'), ['14105||109|ave']);
  });

  it('have house numbers with letters, halves and grids in every spelling', () => {
    const spellings: Record<string, string[]> = {
      '12a||elm|st': ['12A Elm St', '12-A Elm St', '12 A Elm St'],
      '12 1/4||elm|st': ['12¼ Elm St', '12 ¼ Elm St', '12 1/4 Elm St'],
      '12 1/2||elm|st': ['12 1/2 Elm St', '12½ Elm St', '12 ½ Elm St', '12-1/2 Elm St', '121/2 Elm St', '12.5 Elm St'],
      'w148n9748||treetops|dr': [
        'W148 N9748 Tree Tops Dr',
        'W148N9748 Tree Tops Drive',
        'W148-N9748 Tree Tops Dr',
        'W 148 N 9748 Tree Tops Dr',
      ],
      'n6w23001||bluemound|rd': ['N6W23001 Bluemound Rd', 'N6 W23001 Bluemound Road'],
      '29w123||butterfield|rd': ['29W123 Butterfield Rd'],
      '12a,12c||elm|st': ['12A-12C Elm St'],
      '12||a|st': ['12 A St', '12 A Street Apt 3'],
      '12||ofarrell|st': ["12 O'Farrell St", '12 O Farrell Street', '12 O’Farrell St.'],
      '1234|n|567w|': ['N 1234 W 567', 'N1234 W567', '1234 N 567 West'],
      '1||bay|st': ['1 Bay St', 'One Bay Street', 'No. 1 Bay St', 'Acme Tower - 1 Bay St', 'Lot 7, 1 Bay St'],
      '12|w|42|st': ['12 W 42nd St', '12 West Forty-Second Street', '12 W Forty Second St'],
      '12||martinlutherking|blvd': ['12 Martin Luther King, Jr. Blvd', '12 MLK Blvd', '12 Martin Luther King Junior Boulevard'],
      '1600|nw|pennsylvania|ave': ['1600 Pennsylvania Ave N.W.', '1600 Pennsylvania Ave N W', '1600 Northwest Pennsylvania Avenue'],
      '12||lee|hwy': ['12 Lee Hy', '12 LEE HIGHWAY'],
      '||main|st': ['0 Main St', '00 Main Street', 'Main St'],
    };
    for (const [address, texts] of Object.entries(spellings)) for (const text of texts) assert.deepEqual(read(text), [address], text);
  });

  it('mean by a hyphen one number or a range, and by a leading zero another building or none, as their place does', () => {
    const [hawaii, illinois, newYork, oregon, utah, puertoRico] = [15, 17, 36, 41, 49, 72].map((id) => ({ stateIds: [id] }));
    const queens = { ...newYork, countyIds: [36_081] };
    const rows: [string, object | undefined, string[]][] = [
      ['85-080 Elm Rd', hawaii, ['85080||elm|rd']],
      ['4-1558 Elm Rd', hawaii, ['41558||elm|rd']],
      ['100-106 Elm Rd', hawaii, ['100,102,104,106||elm|rd']],
      ['75-07 Elm Rd', newYork, ['7507||elm|rd']],
      ['37-88 Elm Rd', queens, ['3788||elm|rd']],
      ['75-7 Elm Rd', queens, ['7507||elm|rd']],
      ['75-07A Elm Rd', queens, ['7507a||elm|rd']],
      ['126 02 82nd Avenue', queens, ['12602||82|ave']],
      ['91-1001A Elm Rd', hawaii, ['911001a||elm|rd']],
      ['123 E 4th South', utah, ['123|e|400s|']],
      ['123 E 4th Ave', utah, ['123|e|4|ave']],
      ['Calle Luna 12', puertoRico, ['12||calleluna|']],
      ['12 C/ Luna', puertoRico, ['12||calleluna|']],
      ['Urb. Royal Oak, 150 Calle A', puertoRico, ['150||callea|urbroyaloak']],
      ['Ave. Ponce de León #12, Urb Royal Oak, San Juan', puertoRico, ['12||avenueponcedeleon|urbroyaloak']],
      ['26-32 and 26-46 Elm Rd', queens, ['2632,2646||elm|rd']],
      ['101-07 Elm Rd', illinois, ['101,103,105,107||elm|rd']],
      ['85-485 Elm Rd', illinois, ['85,485||elm|rd']],
      ['85-485 Elm Rd', undefined, ['85485||elm|rd', '85,485||elm|rd']],
      ['0246 Elm Rd', oregon, ['0246||elm|rd']],
      ['0246 Elm Rd', illinois, ['246||elm|rd']],
      ['0246 Elm Rd', undefined, ['0246||elm|rd']],
    ];
    for (const [text, where, expected] of rows)
      assert.deepEqual(readStreetAddresses(text, [], where).map(writeAddressText), expected, `${text} ${JSON.stringify(where)}`);
  });

  it('keep the directions and numbers by which streets differ', () => {
    const rows = {
      '1200 N West St': '1200|n|west|st',
      '12 North St E': '12|e|north|st',
      '123 South 400 East': '123|s|400e|',
      '123 S 400 W St': '123|s|400w|st',
      '12 N Main St E': '12|n e|main|st',
      '7200 US Highway 19 N': '7200|n|hwy19|us',
      '7200 State Road 7': '7200||hwy7|state',
      'W3456 County Road M': 'w3456||hwym|county',
      '100 Private Road 4030': '100||hwy4030|private',
      '100 State Street': '100||state|st',
      '12 Elm Stret': '12||elm|stret',
      '12 Mill Crossing Bolevard NW': '12|nw|millcrossing|bolevard',
    };
    for (const [text, expected] of Object.entries(rows)) assert.deepEqual(read(text), [expected], text);
  });

  it('stand behind units, boxes, names of buildings and signs', () => {
    for (const text of ['Apt 4, 12 Elm St', '#4 12 Elm St', 'City Hall, 12 Elm St', '🏗 12 Elm St', 'PO Box 7, 12 Elm St', "'12 Elm St"])
      assert.deepEqual(read(text), ['12||elm|st'], text);
    for (const text of ['PO Box 12', 'P.O. Box 12', 'Post Office Box 12', '-1', '0', '# 4']) assert.deepEqual(read(text), [], text);
  });

  it('have every number of a list', () => {
    assert.deepEqual(read('305, 381 & 403 Elm Road, and 617 Oak Road'), ['305,381,403||elm|rd', '617||oak|rd']);
    assert.deepEqual(read('320 & 316 South Main Street'), ['320,316|s|main|st']);
    assert.deepEqual(read('651 655 & 671 West Main St'), ['651,655,671|w|main|st']);
    assert.deepEqual(read('100/102 Main St'), ['100,102||main|st']);
  });

  it('are several in one text, crossings, or streets alone', () => {
    for (const text of ['12 Elm St and 40 Oak Avenue', '12 Elm St / 40 Oak Ave', '12 Elm St a.k.a. 40 Oak Ave'])
      assert.deepEqual(read(text), ['12||elm|st', '40||oak|ave'], text);
    assert.deepEqual(read('NE/c Clayton & Hickerson Dr'), ['||clayton&hickerson|']);
    assert.deepEqual(read('Settlers Lane'), ['||settlers|ln']);
    for (const text of ['', ' , ', '12', '#']) assert.deepEqual(read(text), [], text);
  });

  it('have the ZIP code at their end', () => {
    for (const text of ['12 Elm St, Boulder, CO 80302', '12 Elm St 80302-1234, USA', '12 Elm St, 80302.'])
      assert.deepEqual(listZipCodes(text), ['80302'], text);
    for (const text of ['80302', '12 Elm St', '12 Elm St 803021', '80302 Elm St']) assert.deepEqual(listZipCodes(text), [], text);
  });

  it('are looked up by number and street, and by both readings of a last word', () => {
    const [park] = readStreetAddresses('400 Business Park');
    assert(park);
    assert.deepEqual(listAddressKeys(park), ['400 business', '400 businesspark']);
    const [drive] = readStreetAddresses('400 Business Park Drive');
    assert(drive);
    assert.deepEqual(listAddressKeys(drive), ['400 businesspark']);
    assert.deepEqual(readAddressText(writeAddressText(drive)), drive);
    assert.deepEqual(listAddressKeys({ ...drive, numbers: ['0040'] }), ['40 businesspark']);
  });

  it('are read in a bounded time, whatever is sent', () => {
    const began = performance.now();
    for (const text of ['1-'.repeat(250), '('.repeat(500), '1 a & '.repeat(90), 'st '.repeat(160), 'n '.repeat(250)])
      readStreetAddresses(text);
    assert(performance.now() - began < 500);
  });
});
