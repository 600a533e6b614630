/** Places, days, ids and text that are stated in odd ways, from the line that is loaded to the answer of the API. */
import assert from 'node:assert/strict';
import { LoadRefused } from '../../../ingest/loadRefused.ts';
import { ascending, refuser, searcher } from '../../support/fixtures.ts';
import { projectLine } from '../../support/projectLine.ts';
import { provideService } from '../../support/service.ts';

const NEWEST_ID = 9_007_199_254_740_991;
const TWO_TO_53 = '9007199254740992';
const oddity = (id: number, more: Record<string, unknown>) =>
  projectLine(id, { state: 'NM', county: 'Santa Fe County', city: 'Santa Fe', meetingDate: '2026-01-15', ...more });
const inKansasCity = (id: number, county: string) => oddity(id, { state: 'MO', county, city: 'Kansas City' });

describe('What is stated in odd ways', () => {
  const api = provideService({ today: '2026-11-28' }, [
    oddity(201, { state: 'SD', county: 'Shannon County', city: 'Pine Ridge' }),
    oddity(401, { state: 'VA', county: 'Richmond City', city: 'Richmond' }),
    oddity(601, { county: 'Don\u0303a Ana County', city: 'Las Cruces' }),
    oddity(801, { state: 'MO', county: 'Saint Louis County', city: 'Saint Louis' }),
    oddity(802, { state: 'SC', county: 'Charleston County', city: 'Mt Pleasant' }),
    oddity(1001, { state: 'D.C.', county: null, city: 'Washington' }),
    oddity(1201, { state: 'GA', county: 'Clarke County', city: 'Athens-Clarke County' }),
    ...['Jackson', 'Clay', 'Platte', 'Cass'].map((county, i) => inKansasCity(1401 + i, `${county} County`)),
    oddity(1601, { meetingDate: '2026-11-16' }),
    oddity(1602, { meetingDate: '2026-11-17' }),
    oddity(1603, { meetingDate: '2026-11-18' }),
    oddity(1801, { meetingDate: '2024-02-29' }),
    oddity(1802, { meetingDate: '2024-03-01' }),
    oddity(NEWEST_ID, { county: 'Taos County', city: 'Taos' }),
  ]);
  const search = searcher(() => api);
  const refuse = refuser(() => api);
  const found = async (parameters: Record<string, unknown>) => ascending((await search({ dateRange: 'all', ...parameters })).ids);

  for (const [sent, ids] of [
    [{ counties: 46102 }, [201]],
    [{ counties: 'Shannon', states: 'SD' }, [201]],
    [{ counties: 51760 }, [401]],
    [{ counties: 51159 }, []],
    [{ counties: 'City of Richmond', states: 'VA' }, [401]],
    [{ counties: 35013 }, [601]],
    [{ counties: 'DONA ANA COUNTY', states: 'NM' }, [601]],
    [{ cities: 'St Louis, MO' }, [801]],
    [{ counties: 29189 }, [801]],
    [{ cities: 'Mount Pleasant, SC' }, [802]],
    [{ states: 'DC' }, [1001]],
    [{ states: '["Washington, D.C."]' }, [1001]],
    [{ states: 'Washington, DC' }, [1001]],
    [{ states: 'NM,Washington, D.C.', q: 'Project 1001' }, [1001]],
    [{ counties: 'Clarke, GA' }, [1201]],
    [{ cities: 'Athens, GA' }, [1201]],
    [{ cities: 'Kansas City, MO' }, [1401, 1402, 1403, 1404]],
    [{ counties: 'Clay County', states: 'MO' }, [1402]],
    [{ counties: 'Clay County, MO', cities: 'Kansas City, MO' }, [1402]],
  ] as const)
    it(`is found by ${JSON.stringify(sent)}`, async () => assert.deepEqual(await found(sent), ids));

  it('has a city in each county in which the city lies', async () => {
    const { body } = await api.get('/locations/states/MO/counties/Clay/cities');
    assert.ok(body.data, JSON.stringify(body));
    assert.ok(body.data.some(({ name }: { name: string }) => name === 'Kansas City'));
  });

  it('names both the county and the city that share a name, and neither is the other', async () => {
    const [problem] = (await refuse({ counties: 'Richmond', states: 'VA' })).problems;
    assert.equal(problem.code, 'ambiguous_place');
    assert.deepEqual(problem.candidates.map(({ id }: { id: number }) => id).sort(), [51159, 51760]);
  });

  it('is heard on the day that is stated, in every zone', async () => {
    for (const time of ['', 'T00:00:00-07:00', 'T23:00:00-05:00', 'T12:00:00Z', 'T00:00:00+13:00']) {
      const day = `2026-11-17${time}`;
      assert.deepEqual(await found({ meetingDateFrom: day, meetingDateTo: day }), [1602], day);
    }
    assert.deepEqual(await found({ meetingDateFrom: '2024-02', meetingDateTo: '2024-02' }), [1801]);
  });

  it('is refused with words where it is no day', async () => {
    for (const day of [
      '2026-02-30',
      '2026-13',
      '2025-02-29',
      '11/16/2026',
      '20261116',
      '2026-W47',
      '2026-11-16T25:00:00Z',
      '2026-11-16 10:00',
      '2026-11-16T10:00:00',
      '2026-11-16T24:00:00Z',
      '2026-11-16T10:00:00+25:00',
    ]) {
      const { status, param } = await refuse({ meetingDateFrom: day });
      assert.deepEqual([status, param], [400, 'meetingDateFrom'], day);
    }
  });

  it('has the largest exact id', async () => {
    assert.deepEqual(await found({ counties: 'Taos County, NM' }), [NEWEST_ID]);
    const { body } = await api.get(`/projects/${NEWEST_ID}`, {});
    assert.equal(body.data.id, NEWEST_ID);
  });

  for (const [what, line] of [
    ['2^53', JSON.stringify(oddity(1, {})).replace('"id":1', `"id":${TWO_TO_53}`)],
    ['year 0', oddity(2001, { meetingDate: '0000-01-01' })],
    ['year 1', oddity(2002, { meetingDate: '0001-01-01' })],
    ['year 3018', oddity(2003, { meetingDate: '3018-03-07' })],
    ['0, 0', oddity(3001, { latitude: 0, longitude: 0 })],
    ['some metres from it', oddity(3002, { latitude: 4e-6, longitude: 0.000414 })],
  ] as const)
    it(`is refused when loaded: ${what}`, () =>
      assert.rejects(
        api.index.load([line], { mode: 'increment', generation: 1 }),
        (error) => error instanceof LoadRefused && /1 bad line/.test(error.message),
      ));

  it('is found where its text has control characters', async () => {
    const line = oddity(6401, {
      projectName: 'Name \u001d\b control ]]> & <b>',
      summary: 'text \u0001 \ufffe \uffff',
      county: 'Luna County',
      city: null,
    });
    await api.index.load([line], { mode: 'increment', generation: 1 });
    assert.deepEqual(await found({ counties: 'Luna County, NM' }), [6401]);
  });
});
