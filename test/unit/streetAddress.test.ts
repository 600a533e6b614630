import assert from 'node:assert/strict';
import { listAddressKeys, readAddressText, readStreetAddresses, writeAddressText } from '../../src/core/domain/streetAddress.ts';

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

  it('are several in one text, crossings, or streets alone', () => {
    assert.deepEqual(read('12 Elm St and 40 Oak Avenue'), ['12||elm|st', '40||oak|ave']);
    assert.deepEqual(read('NE/c Clayton & Hickerson Dr'), ['||clayton&hickerson|']);
    assert.deepEqual(read('Settlers Lane'), ['||settlers|ln']);
    for (const text of ['', ' , ', '12', '#']) assert.deepEqual(read(text), [], text);
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
