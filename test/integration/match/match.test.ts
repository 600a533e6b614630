/** `POST /projects/match`: rows of a client's list, against real servers. */

import assert from 'node:assert/strict';
import { project } from '../../support/fixtures.ts';
import type { Json } from '../../support/json.ts';
import { bodyOf } from '../../support/service.ts';
import { provideWorld } from '../../support/world.ts';

const PROJECTS = [
  project(1, {
    address: '1801 Pearl Street',
    parcelNumbers: ['1463-30-201-001'],
    caseNumbers: ['LUR 2026-00017'],
    latitude: 40.0195,
    longitude: -105.2705,
  }),
  project(2, { address: '1801 Pearl St', caseNumbers: ['ADR2026-0042'] }),
  project(3, { address: '920 North Broadway', caseNumbers: ['LUR 2026-00091'] }),
  project(4, { address: '100 Main St', state: 'TX', county: 'Travis County', city: 'Austin', parcelNumbers: ['0204-1107'] }),
  project(5, { address: '44 Canyon Creek Blvd', propertyType: 'govt_decisions', meetingDate: '2019-01-01' }),
  project(6, { address: '7 Alpine Ave', caseNumbers: ['SUB2026-0012', 'SUB2026-0015'] }),
];

describe('POST /projects/match', () => {
  const world = provideWorld({ plan: 'national' }, PROJECTS);

  const match = (rows: unknown, more: object = {}, key?: string) => world.send('POST', '/projects/match', { rows, ...more }, key);
  const matched = async (rows: unknown, more: object = {}, key?: string): Promise<Json> => {
    return bodyOf(await match(rows, more, key));
  };
  const idsOf = ({ candidates }: Json): number[] => candidates.map(({ id }: Json) => id);

  it('names records by number, address and point, typed as they are', async () => {
    const { data, meta } = await matched([
      { ref: 'parcel', parcelNumber: '146330201001', state: 'CO' },
      { ref: 'case', caseNumber: 'lur2026.00017' },
      { ref: 'address', address: '920 n. broadway, Boulder, CO 80302', city: 'Boulder', state: 'CO' },
      { ref: 'letter', address: '44 Cannyon Creek', city: 'Boulder', state: 'CO' },
      { ref: 'digits', address: '8101 Pearl St', city: 'Boulder', state: 'Colorado', latitude: 40.01951, longitude: -105.27052 },
      { ref: 'point', latitude: 40.0195, longitude: -105.27052 },
      { address: '1 Nowhere Lane', city: 'Boulder', state: 'CO' },
    ]);
    assert.deepEqual(
      data.map(({ index, ref, candidates }: Json) => [index, ref, candidates[0]?.id, candidates[0]?.reasons]),
      [
        [0, 'parcel', 1, ['parcel_number']],
        [1, 'case', 1, ['case_number']],
        [2, 'address', 3, ['address']],
        [3, 'letter', 5, ['address']],
        [4, 'digits', 1, ['address', 'point']],
        [5, 'point', 1, ['point']],
        [6, null, undefined, undefined],
      ],
    );
    assert.deepEqual(
      { ...meta, requestId: undefined, schemaVersion: undefined },
      {
        ...{ creditsUsed: 0, rowCount: 7, matchedRowCount: 6 },
        ...{ requestId: undefined, schemaVersion: undefined },
      },
    );
    assert.deepEqual(Object.keys(data[0].candidates[0]).sort(), ['held', 'id', 'reasons', 'score']);
  });

  it('counts every candidate that reaches the score, and names as many as asked for', async () => {
    const row = { address: '1801 Pearl', city: 'Boulder', state: 'CO' };
    const [one] = (await matched([row])).data;
    assert.deepEqual([one.candidates.length, one.candidateCount], [1, 2]);
    const [both] = (await matched([row], { limit: 5 })).data;
    assert.deepEqual(idsOf(both).sort(), [1, 2]);
    const [none] = (await matched([{ caseNumber: 'LUR 2026-00071' }])).data;
    assert.deepEqual([none.candidates, none.candidateCount], [[], 0]);
    const [weak] = (await matched([{ caseNumber: 'LUR 2026-00071' }], { minScore: 0.1 })).data;
    assert.deepEqual([idsOf(weak), weak.candidates[0].score < 0.8], [[1], true]);
  });

  it('takes a case number with its last digits swapped alone only where no other is numbered like it', async () => {
    const numbers = ['ADR2026-0024', 'SUB2026-0021', 'LUR 2026-00071'];
    const rows = numbers.map((caseNumber) => ({ caseNumber, city: 'Boulder', state: 'CO' }));
    const { data } = await matched(rows, { minScore: 0.1 });
    assert.deepEqual(data.map(idsOf), [[2], [6], [1]]);
    assert.deepEqual(
      data.map(({ candidates }: Json) => candidates[0].score >= 0.8),
      [true, false, false],
    );
  });

  it('is sure of no building that only a hyphen, a zero, a grid or another street of the name tells apart', async () => {
    const at = (id: number, address: string, state: string, county: string, city: string) => project(id, { address, state, county, city });
    const added = [
      at(601, '85-080 Waianae Valley Rd', 'HI', 'Honolulu County', 'Waianae'),
      at(602, '75-07 Roosevelt Ave', 'NY', 'Queens County', 'New York'),
      at(603, '75 Roosevelt Ave', 'NY', 'Queens County', 'New York'),
      at(604, 'W148 N9748 Tree Tops Dr', 'WI', 'Washington County', 'Germantown'),
      at(605, '0246 SW California St', 'OR', 'Multnomah County', 'Portland'),
      at(606, '246 SW California St', 'OR', 'Multnomah County', 'Portland'),
      at(607, '12 Elm St', 'CO', 'Boulder County', 'Boulder'),
      at(608, '30 Elm Ave', 'CO', 'Boulder County', 'Boulder'),
      at(609, '12 Marian St', 'CO', 'Boulder County', 'Boulder'),
      at(610, '30 Marion St', 'CO', 'Boulder County', 'Boulder'),
    ];
    await world.api.index.load(added, { mode: 'increment' });
    const [hawaii, queens, portland] = [
      { state: 'HI', city: 'Waianae' },
      { state: 'NY', county: 'Queens' },
      { state: 'OR', city: 'Portland' },
    ];
    const boulder = { state: 'CO', city: 'Boulder' };
    const rows: [object, number | undefined][] = [
      [{ address: '85-080 Waianae Valley Road', ...hawaii }, 601],
      [{ address: '85080 Waianae Valley Rd', ...hawaii }, 601],
      [{ address: '85-485 Waianae Valley Rd', ...hawaii }, undefined],
      [{ address: '85 Waianae Valley Rd', ...hawaii }, undefined],
      [{ address: '75-07 Roosevelt Avenue', ...queens }, 602],
      [{ address: '7507 Roosevelt Ave', ...queens }, 602],
      [{ address: '75 Roosevelt Ave', ...queens }, 603],
      [{ address: 'W148N9748 Tree Tops Drive', state: 'WI' }, 604],
      [{ address: '0246 SW California St', ...portland }, 605],
      [{ address: '246 SW California St', ...portland }, 606],
      [{ address: '12 Elm', ...boulder }, undefined],
      [{ address: '12 Elm Stret', ...boulder }, 607],
      [{ address: '12 Marion St', ...boulder }, undefined],
      [{ address: '12 Marian', ...boulder }, 609],
      [{ address: '44 Canyon Creek Blvd', state: 'CO' }, 5],
    ];
    const { data } = await matched(rows.map(([row]) => row));
    for (const [i, [row, id]] of rows.entries()) assert.deepEqual(idsOf(data[i]), id === undefined ? [] : [id], JSON.stringify(row));
    await world.api.index.load(
      added.map(({ id }) => ({ kind: 'project', id, deleted: true })),
      { mode: 'increment' },
    );
  });

  it('names on metered plans only what the pool holds, for nothing', async () => {
    const key = await world.api.key('api_only');
    const rows = [{ parcelNumber: '0204-1107', county: 'Travis', state: 'TX' }];
    const before = await world.balance(key);
    assert.deepEqual((await matched(rows, {}, key)).data[0], { index: 0, ref: null, candidates: [], candidateCount: 1 });
    assert.equal(await world.balance(key), before);
    await world.record(4, key);
    const [held] = (await matched(rows, {}, key)).data;
    assert.deepEqual([idsOf(held), held.candidates[0].held, held.candidateCount], [[4], true, 1]);
    const [free] = (await matched(rows)).data;
    assert.deepEqual([idsOf(free), free.candidates[0].held], [[4], false]);
  });

  it('finds nothing outside the licence, and refuses rows that name a place there', async () => {
    const key = await world.api.key('state', { stateIds: [8], countyIds: [] });
    const [row] = (await matched([{ parcelNumber: '0204-1107' }], { minScore: 0 }, key)).data;
    assert.deepEqual([row.candidates, row.candidateCount], [[], 0]);
    const body = bodyOf(
      await match(
        [
          { address: '1801 Pearl', state: 'CO' },
          { parcelNumber: '0204-1107', state: 'TX' },
        ],
        {},
        key,
      ),
      403,
    );
    assert.deepEqual([(body as Json).error.code, (body as Json).error.param], ['geographic_access_denied', 'rows.1.state']);
  });

  it('refuses every row that names nothing, and every unusable value, at once', async () => {
    const body = bodyOf(
      await match(
        [
          { ref: 'nothing', city: 'Boulder', state: 'CO' },
          { parcelNumber: ' - ', address: '#' },
          { address: '1 Elm', state: 'Colorada' },
          { address: '1 Elm', state: 'CO', county: 'Bolder' },
          { latitude: 91, longitude: 0 },
          { latitude: 40 },
          { parcelnumber: '1' },
          'row',
          { latitude: '35,08', longitude: -106.65 },
          { parcelNumber: '1.23E+11' },
        ],
        { limit: 6 },
      ),
      400,
    );
    const { problems } = (body as Json).error.details;
    const of = (param: string) => problems.filter((one: Json) => one.param === param);
    assert.deepEqual(problems.map(({ param }: Json) => param).sort(), [
      'limit',
      'rows.0',
      'rows.1',
      'rows.2.state',
      'rows.3.county',
      'rows.4.latitude',
      'rows.5.longitude',
      'rows.6',
      'rows.6.parcelnumber',
      'rows.7',
      'rows.8.latitude',
      'rows.9.parcelNumber',
    ]);
    assert.match(of('rows.8.latitude')[0].message, /takes a number.*not '35,08'/);
    assert.match(of('rows.9.parcelNumber')[0].message, /scientific notation/);
    assert.deepEqual([of('rows.2.state')[0].code, of('rows.2.state')[0].didYouMean], ['unknown_place', 'Colorado']);
    assert.equal(of('rows.3.county')[0].didYouMean, 'Boulder');
    assert.equal(of('rows.6.parcelnumber')[0].didYouMean, 'rows.6.parcelNumber');
    assert.match(of('rows.1')[0].message, /names nothing.*'#' names no street/);
  });

  it('lists at most 100 problems, and takes 1,000 rows and no more', async () => {
    const bad = await match(Array.from({ length: 300 }, () => ({ ref: 'x' })));
    assert.equal((bad.body as Json).error.details.problems.length, 100);
    const many = await match(Array.from({ length: 1001 }, () => ({ caseNumber: 'A-1' })));
    assert.deepEqual([many.status, (many.body as Json).error.param], [400, 'rows']);
    const long = {
      ref: 'r'.repeat(200),
      address: '1801 Pearl Street, Boulder, CO 80302, United States',
      city: 'Boulder',
      county: 'Boulder',
      state: 'CO',
    };
    const { data, meta } = await matched(Array.from({ length: 1000 }, () => long));
    assert.deepEqual([data.length, meta.matchedRowCount, idsOf(data[999]).length], [1000, 1000, 1]);
  });

  it('finds records by what they stated before, and absorbed ones as their survivor', async () => {
    await world.api.index.load([project(1, { mergedFrom: [1, 3] }), project(2), project(4, { state: 'TX', county: 'Travis County' })], {
      generation: 2,
    });
    const { data } = await matched([
      { parcelNumber: '1463-30-201-001', state: 'CO' },
      { caseNumber: 'LUR 2026-00091' },
      { address: '920 N Broadway', city: 'Boulder', state: 'CO' },
    ]);
    assert.deepEqual(data.map(idsOf), [[1], [1], [1]]);
  });

  it('has an allowance of its own: 20 in any minute', async () => {
    const key = await world.api.key();
    const statuses: number[] = [];
    for (let i = 0; i < 21; i++) {
      const { status, headers } = await match([{ caseNumber: 'A-1' }], {}, key);
      statuses.push(status);
      if (i === 0) assert.equal(headers.get('x-ratelimit-limit'), '20');
    }
    assert.deepEqual([new Set(statuses.slice(0, 20)), statuses[20]], [new Set([200]), 429]);
    const { status } = await world.send('GET', '/projects/count?states=CO', undefined, key);
    assert.equal(status, 200);
    assert.equal((await world.send('POST', '/projects/match/', { rows: [{ caseNumber: 'A-1' }] }, key)).status, 429, 'with a slash too');
  });
});
