/** Site briefs: every sentence against the answer of its call, what they cost, what is refused, and how they are kept. */
import assert from 'node:assert/strict';
import type { BriefStatement, ToldSection } from '../../../src/features/briefs/types.ts';
import { project, TODAY, use } from '../../support/fixtures.ts';
import { startGeocoder } from '../../support/geocoderServer.ts';
import type { Json } from '../../support/json.ts';
import { Random } from '../../support/random.ts';
import { restrictionLine } from '../../support/restrictionLine.ts';
import { answerOf, assertRefused, bodyOf, provideService } from '../../support/service.ts';
import { points } from '../../support/shapes.ts';
import { MessageCount, stoppingProxy } from '../../support/stoppingProxy.ts';
import { makeRecords, minutes, restriction, SITE } from './world.ts';

const DATA_CENTER = { type: 'industrial', subtype: 'data_center' };
const RING = points('-105.4 39.95, -105.1 39.95, -105.1 40.1, -105.4 40.1, -105.4 39.95');

const showPercent = (share: number) => (share > 0 && share < 1 ? Math.min(99, Math.max(1, Math.round(100 * share))) : 100 * share);

describe('site briefs', () => {
  const api = provideService({ today: TODAY });
  const records = makeRecords(58, 160, TODAY);
  /** Eleven zonings that more projects state than the change that five ask for. */
  const zoned = Array.from({ length: 71 }, (_, i) =>
    project(3_000 + i, {
      ...{ state: 'CO', county: 'Pueblo County', city: 'Pueblo', latitude: 38.25, longitude: -104.6 },
      ...(i < 66 ? { existingZoning: `Z-${i % 11}` } : { existingZoning: 'R-1', proposedZoning: 'PUD' }),
    }),
  );
  /** Of the decided ones only the day of the decision is stated; of the others no outcome. */
  const permits = Array.from({ length: 13 }, (_, i) =>
    project(4_000 + i, {
      ...{ state: 'CO', county: 'Weld County', city: 'Greeley', latitude: 40.42, longitude: -104.7, landUses: [use('hospitality')] },
      ...{ meetingDate: '2025-05-05', firstMeetingDate: '2025-05-05', status: i < 8 ? 'approved' : null },
    }),
  );
  const unplaced = project(5_000, {
    ...{ projectName: 'Aspen Yard, Grand Junction, CO.', state: 'CO', county: 'Mesa County', city: null, latitude: null, longitude: null },
    ...{ status: 'approved_with_conditions', meetingDate: '2025-05-05', proposedZoning: 'PUD', landUses: [use('data_center')] },
  });
  const silent = project(5_001, {
    ...{ projectName: 'Q.R., Grand Junction', state: 'CO', county: 'Mesa County', city: 'Grand Junction', latitude: null, longitude: null },
    ...{ status: 'recommended_approval', meetingDate: '2024-05-06', landUses: [use('data_center')] },
  });
  /** Of a city that lies in several counties; the records state none. */
  const countyless = [6_001, 6_002].map((id) =>
    project(id, { state: 'UT', county: null, city: 'Salt Lake City', latitude: null, longitude: null, status: 'approved' }),
  );
  const ofMesa = { county: 'Mesa County', jurisdiction: 'Mesa County' };
  const unbinding = [
    restrictionLine(902, { ...ofMesa, title: 'Ended', adoptedOn: '2025-06-01', effectiveTo: '2026-06-01', endBasis: 'computed' }),
    restrictionLine(903, { ...ofMesa, title: 'Ended long ago', adoptedOn: '2024-06-01', effectiveTo: '2025-06-01' }),
    restrictionLine(904, { ...ofMesa, title: 'Planned', status: 'proposed', adoptedOn: null, effectiveTo: null }),
    restrictionLine(905, { county: 'Gunnison County', jurisdiction: 'Gunnison County', title: 'Pause', endEvent: 'or earlier new rules' }),
  ];
  before(() =>
    api.index.load([minutes, ...records, ...zoned, ...permits, unplaced, silent, ...countyless, restriction, ...unbinding], {
      restrictionSources: ['inventory'],
    }),
  );

  const ask = async (body: object, key: string, headers: Record<string, string>) => {
    const sent = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers };
    return answerOf(await fetch(`${api.url}/v1/briefs`, { method: 'POST', headers: sent, body: JSON.stringify(body) }));
  };
  const make = async (body: object, key?: string, headers: Record<string, string> = {}): Promise<Json> =>
    bodyOf(await ask(body, key ?? (await api.usualKey()), headers), 201);
  const repeat = async ({ method, path, body }: NonNullable<BriefStatement['call']>, key?: string): Promise<Json> => {
    const answer =
      method === 'GET'
        ? await api.get(path.replace('/v1', ''), {}, key ? { key } : {})
        : await api.post(path.replace('/v1', ''), body ?? {}, key ? { key } : {});
    return bodyOf(answer);
  };

  /** What is wrong with a statement, by the answer of its call. */
  const findFault = async ({ text, basis, call, quote }: BriefStatement, key?: string): Promise<string | undefined> => {
    if (basis === 'none') return undefined;
    if (!call) return 'no call';
    const { data, meta } = await repeat(call, key);
    if (meta.creditsUsed) return `its call charged ${meta.creditsUsed}`;
    const answer = JSON.stringify([data, call]);
    if (quote !== null && !answer.includes(JSON.stringify(quote).slice(1, -1))) return 'its quote is not in the answer';
    const [first] = text.match(/^(No|[\d,]+)/) ?? [];
    if (basis === 'count')
      return data.matchCount === (first === 'No' ? 0 : Number(first?.replaceAll(',', ''))) ? undefined : `counted ${data.matchCount}`;
    const percents = [...answer.matchAll(/(?<![\d.])[01](?:\.\d+)?(?![\d.])/g)].map(([share]) => showPercent(Number(share)));
    const said = text.replace('95 % confidence', '').replaceAll(/(\d),(\d{3})/g, '$1$2');
    const isThere = ([number]: RegExpMatchArray) => {
      const value = (number as string).replace(/\.$/, '');
      return new RegExp(`(?<![\\d.])${value.replaceAll('.', '\\.')}(?![\\d])`).test(answer) || percents.includes(Number(value));
    };
    const lost = [...said.matchAll(/\d[\d.-]*/g)].filter((one) => !isThere(one));
    return lost.length ? `${lost.join(' ')} is not in ${answer.slice(0, 400)}` : undefined;
  };
  const assertTrue = async (brief: Json, key?: string) => {
    const statements = (brief.sections as ToldSection[]).flatMap(({ id, statements }) => statements.map((one) => ({ id, ...one })));
    const faults: string[] = [];
    for (const one of statements) {
      const fault = await findFault(one, key);
      if (fault) faults.push(`${one.id}: ${one.text}: ${fault}`);
    }
    assert.deepEqual(faults, []);
    return statements;
  };
  const textsOf = (brief: Json, id: string): string[] =>
    (brief.sections as ToldSection[]).find((section) => section.id === id)?.statements.map(({ text }) => text) ?? [];

  const PLACES: Record<string, object> = {
    point: { point: SITE },
    circle: { circle: { ...SITE, radiusMeters: 9_000 } },
    polygon: { polygon: RING },
    county: { county: 'Boulder County, CO' },
    city: { city: 'Fort Collins, CO' },
    projectId: { projectId: 1_003 },
  };
  for (const [kind, place] of Object.entries(PLACES))
    it(`say of a ${kind} only what the answers of their calls say`, async () => {
      const { data } = await make({ place, use: DATA_CENTER, maxPrecedents: 8 });
      assert.deepEqual(
        data.sections.map(({ id }: ToldSection) => id),
        ['summary', 'precedents', 'odds', 'timeline', 'restrictions', 'hearings', 'zoning', 'coverage'],
      );
      const statements = await assertTrue(data);
      assert.equal(data.precedents.length, 8);
      for (const basis of ['quote', 'count', 'computed', 'none'])
        assert.ok(
          statements.some((one) => one.basis === basis),
          basis,
        );
      assert.ok(data.precedents.every(({ landUses }: Json) => landUses.some(({ subtype }: Json) => subtype === 'data_center')));
    });

  it('are about a shape across the 180th meridian, too', async () => {
    const ring = points('179.6 51.8, -179.9 51.8, -179.9 52.1, 179.6 52.1, 179.6 51.8');
    const { data } = await make({ place: { polygon: ring }, maxPrecedents: 0 });
    assert.equal(data.place.stateId, 2);
  });

  it('tell whether a restriction binds, with the words of its document', async () => {
    const { data } = await make({ place: PLACES.county, use: DATA_CENTER });
    const [verdict, because] = (data.sections as ToldSection[]).find(({ id }) => id === 'restrictions')?.statements ?? [];
    assert.match(verdict?.text ?? '', /^A restriction that binds here is in force for Data Center/);
    assert.equal(because?.quote, 'applicant asks to rezone');
    assert.ok(textsOf(data, 'restrictions').includes('Moratorium on data centers: its last day is 2027-06-01.'));
    const other = await make({ place: PLACES.county, use: { type: 'industrial', subtype: 'warehouse_distribution' }, maxPrecedents: 0 });
    assert.match(textsOf(other.data, 'restrictions')[0] ?? '', /^No restriction that we know of binds here/);
  });

  it('tell a change of zoning that five projects ask for, however many ask for none', async () => {
    const { data } = await make({ place: { county: 'Pueblo County, CO' }, maxPrecedents: 0 });
    assert.equal(textsOf(data, 'zoning')[0], '5 projects in Pueblo County, CO asked to go from R-1 to PUD.');
  });

  it('choose what was asked for here before anything else', async () => {
    const { data } = await make({ place: { county: 'Larimer County, CO' }, use: DATA_CENTER });
    assert.deepEqual(new Set(data.precedents.map(({ county }: Json) => county)), new Set(['Larimer County']));
  });

  it('say of how many projects no outcome is known, and no days where only that of the decision is', async () => {
    const { data } = await make({ place: { county: 'Weld County, CO' }, maxPrecedents: 0 });
    await assertTrue(data);
    assert.match(textsOf(data, 'odds').join(' '), /5 projects are without a known outcome in Weld County, CO/);
    assert.match(textsOf(data, 'timeline')[0] ?? '', /^We do not know how long .* only one day is on record/);
  });

  it('say where no denial is on record at all', async () => {
    const denials = /no denial of any use is on record: our sources there may not list denials/;
    const { data } = await make({ place: { point: { lat: 40.42, lng: -104.7 } }, use: { type: 'commercial', subtype: 'hospitality' } });
    await assertTrue(data);
    for (const id of ['summary', 'odds']) assert.match(textsOf(data, id).join(' '), denials);
    const county = await make({ place: PLACES.county, maxPrecedents: 0 });
    assert.doesNotMatch(textsOf(county.data, 'odds').join(' '), denials);
  });

  it('tell of restrictions that ended within a year or are proposed, and of an event that may end one', async () => {
    const { data } = await make({ place: { county: 'Mesa County, CO' }, use: DATA_CENTER });
    await assertTrue(data);
    for (const id of ['summary', 'restrictions']) {
      const texts = textsOf(data, id);
      assert.ok(
        texts.includes('Ended: expired; its last day was 2026-06-01, computed from its length, as far as we know.'),
        texts.join('\n'),
      );
      assert.ok(texts.includes('Planned: proposed; whether it was adopted since is not known.'));
      assert.doesNotMatch(texts.join(' '), /Ended long ago/);
    }
    const other = await make({ place: { county: 'Gunnison County, CO' }, use: DATA_CENTER });
    assert.ok(textsOf(other.data, 'restrictions').includes('Pause: its last day is 2027-06-01; an event may end it earlier.'));
  });

  it('compare a place with a wider one that holds all of it', async () => {
    const { data: city } = await make({ place: { city: 'Salt Lake City, UT' } });
    assert.ok(textsOf(city, 'precedents').includes('2 projects are on record in Utah, of every year.'));
    assert.equal(city.precedents.length, 2);
    const { data: shape } = await make({ place: { circle: { lat: 40.4, lng: -105.2, radiusMeters: 30_000 } }, maxPrecedents: 20 });
    await assertTrue(shape);
    const counties = new Set(shape.precedents.map(({ county }: Json) => county));
    assert.ok(counties.has('Boulder County') && counties.has('Larimer County'), [...counties].join());
    const key = await api.key('county', { stateIds: [], countyIds: [8013] });
    const licensed = await make({ place: { point: { lat: 40.25, lng: -105.3 } }, maxPrecedents: 0 }, key);
    assert.match(textsOf(licensed.data, 'summary').join(' '), /Your licence does not cover Larimer County, CO/);
  });

  it('say whose numbers they are, and what they call given up', async () => {
    const { data } = await make({ place: PLACES.county, use: { type: 'commercial', subtype: 'hospitality' } });
    await assertTrue(data);
    const texts = textsOf(data, 'hearings').join('\n');
    assert.match(texts, /^City Council: the body of \d+ projects of any use in Boulder County, CO\.$/m);
    assert.match(texts, /^Unanimous at the latest vote: \d+ projects of any use in Boulder County, CO\.$/m);
    assert.match(textsOf(data, 'zoning')[0] ?? '', /^Which zoning Hospitality projects in Colorado usually ask for is not known/);
    assert.match(textsOf(data, 'coverage').join(' '), /Hospitality projects in Colorado: no record states: /);
    const mesa = await make({ place: { projectId: 5_000 }, use: DATA_CENTER });
    const own = 'This project itself counts in the numbers where it matches; it is no precedent of itself.';
    assert.ok(textsOf(mesa.data, 'summary').includes(own));
    const told = /^Q\.R\., Grand Junction, CO: no hearing or decision is known after 2024-05-06, so that it counts as stalled/m;
    assert.match(textsOf(mesa.data, 'precedents').join('\n'), told);
    const all = await make({ place: { county: 'Mesa County, CO' }, maxPrecedents: 0 });
    assert.match(textsOf(all.data, 'precedents').join(' '), /No projects are known to be pending in Mesa County, CO/);
  });

  it('ask each county that a shape touches for restrictions, and name those that the licence does not cover', async () => {
    const ring = points('-105.3 40.2, -105.1 40.2, -105.1 40.6, -105.3 40.6, -105.3 40.2');
    // A point of the shape may lie in a city, where an ordinance of the county need not bind.
    const inBoulder = /^A restriction may bind in Boulder County, CO; whether it does is unclear for Data Center/;
    for (const place of [{ polygon: ring }, { circle: { lat: 40.4, lng: -105.2, radiusMeters: 20_000 } }]) {
      const { data } = await make({ place, use: DATA_CENTER, maxPrecedents: 0 });
      await assertTrue(data);
      const texts = textsOf(data, 'restrictions');
      assert.match(texts[0] ?? '', inBoulder);
      assert.ok(textsOf(data, 'summary').some((text) => inBoulder.test(text)));
      assert.ok(
        texts.some((text) => text.startsWith('No restriction that we know of binds in Larimer County, CO')),
        texts.join('\n'),
      );
      const larimer = await api.key('county', { stateIds: [], countyIds: [8069] });
      const licensed = await make({ place, use: DATA_CENTER, maxPrecedents: 0 }, larimer);
      assert.match(
        textsOf(licensed.data, 'restrictions').join('\n'),
        /Whether a restriction binds in .*Boulder County, CO.* was not asked/,
      );
      assert.ok(textsOf(licensed.data, 'summary').some((text) => /^Your licence does not cover .*Boulder County, CO/.test(text)));
      assert.ok(!textsOf(data, 'summary').some((text) => text.startsWith('Your licence')));
    }
  });

  it('say that a record without a point stands for its whole county, and name it once, with conditions', async () => {
    const { data } = await make({ place: { projectId: 5_000 } });
    await assertTrue(data);
    assert.ok(textsOf(data, 'summary').includes('The record of this site states no point: what counts as here is all of Mesa County, CO.'));
    const county = await make({ place: { county: 'Mesa County, CO' }, use: DATA_CENTER });
    assert.match(textsOf(county.data, 'precedents').join(' '), /Aspen Yard, Grand Junction, CO: approved with conditions on 2025-05-05/);
  });

  it('say plainly that nothing is known of a place without records', async () => {
    const { data } = await make({ place: { county: 'Mineral County, CO' }, use: DATA_CENTER });
    await assertTrue(data);
    assert.match(textsOf(data, 'summary')[0] ?? '', /^No Data Center projects are on record in Mineral County, CO/);
    assert.match(textsOf(data, 'odds')[0] ?? '', /^We do not know the odds/);
    const nowhere = await make({ place: { county: 'Autauga County, AL' }, use: DATA_CENTER });
    assert.deepEqual(nowhere.data.precedents, []);
    assert.ok(
      textsOf(nowhere.data, 'restrictions').includes('We hold no restriction anywhere in Alabama: that none is found says little.'),
    );
    assert.ok(!textsOf(data, 'restrictions').some((text) => text.startsWith('We hold no restriction anywhere')));
    assert.match(textsOf(nowhere.data, 'summary').join(' '), /No .*projects are on record .*: what is asked for there is not known/);
  });

  it('charge what a page of their precedents would, and the price says so before', async () => {
    const random = new Random(5_858);
    const key = await api.key('api_only', undefined, { monthlyCredits: 400 });
    let charged = 0;
    for (let i = 0; i < 14; i++) {
      const body = {
        place: random.pick([PLACES.point, PLACES.county, PLACES.polygon, PLACES.city]) as object,
        ...(random.next() < 0.7 ? { use: random.pick([DATA_CENTER, { type: 'industrial', subtype: 'warehouse_distribution' }]) } : {}),
        maxPrecedents: random.integer(0, 20),
      };
      if (random.next() < 0.5)
        await api.get('/projects/search', { projectIds: random.pick(records).id, dateRange: 'all', representation: 'compact' }, { key });
      const price = bodyOf(await api.post('/briefs/price', body, { key })).data;
      const { data, meta } = await make(body, key);
      assert.deepEqual(
        [data.creditsUsed, meta.creditsUsed, data.precedents.length],
        [price.creditsRequired, price.creditsRequired, price.precedents],
      );
      assert.equal(data.precedents.filter(({ delivery }: Json) => delivery !== null).length, data.precedents.length);
      charged += data.creditsUsed;
      const ids = data.precedents.map(({ id }: Json) => id);
      if (ids.length) {
        const page = await api.get('/projects/search', { projectIds: ids.join(), dateRange: 'all', limit: 20 }, { key });
        assert.equal(page.body.meta.creditsUsed, 0);
      }
      // What is hidden of records that the pool does not hold changes with each that it buys.
      if (!data.creditsUsed) await assertTrue(data, key);
    }
    assert.ok(charged > 20, String(charged));
    const spent = await api.database.query<{ sum: string }>("select -sum(amount) as sum from ledger_entry where kind = 'charge'");
    assert.ok(Number(spent[0]?.sum) >= charged);
    await api.checkLedger();
  });

  it('are refused whole where they cannot be paid, also on a trial, and keep nothing', async () => {
    for (const plan of ['api_only', 'trial'] as const) {
      const key =
        plan === 'trial' ? await api.key(plan, { stateIds: [8], countyIds: [] }) : await api.key(plan, undefined, { monthlyCredits: 3 });
      if (plan === 'trial') await api.get('/projects/search', { dateRange: 'all', limit: 48 }, { key });
      const left = bodyOf(await api.get('/account/credits', {}, { key })).data;
      const refused = await api.post('/briefs', { place: PLACES.county, maxPrecedents: 20 }, { key });
      assertRefused(refused, 'insufficient_credits');
      const { quote, maxPrecedents } = refused.body.error.details;
      assert.ok(quote.creditsRequired > quote.creditsRemaining && maxPrecedents < 20, JSON.stringify(quote));
      assert.match(refused.body.error.message, /Repeat it with maxPrecedents=\d+\./);
      assert.deepEqual(bodyOf(await api.get('/account/credits', {}, { key })).data, left);
      assert.equal(bodyOf(await api.get('/briefs', {}, { key })).meta.total, 0);
      await make({ place: PLACES.county, maxPrecedents }, key);
    }
    await api.checkLedger();
  });

  it('cost no more than maxCredits', async () => {
    const key = await api.key('api_only');
    const body = { place: PLACES.point, maxPrecedents: 6 };
    const refused = await api.post('/briefs', { ...body, maxCredits: 5 }, { key });
    assertRefused(refused, 'invalid_request', 'maxCredits');
    const { creditsRequired, maxCredits } = refused.body.error.details;
    assert.deepEqual([creditsRequired, maxCredits], [6, 5]);
    assert.equal((await make({ ...body, maxCredits: 6 }, key)).data.creditsUsed, 6);
    await api.checkLedger();
  });

  it('charge once for equal requests with one Idempotency-Key, also at once, and answer the same brief', async () => {
    const key = await api.key('api_only');
    const body = { place: PLACES.county, use: DATA_CENTER, maxPrecedents: 4 };
    const headers = { 'Idempotency-Key': 'one-brief' };
    const answers = await Promise.all([1, 2, 3].map(() => ask(body, key, headers)));
    const made = answers.filter(({ status }) => status === 201);
    assert.ok(
      made.length >= 1 && answers.every(({ status }) => status === 201 || status === 409),
      answers.map(({ status }) => status).join(),
    );
    const again = await make(body, key, headers);
    assert.equal(again.meta.creditsUsed, 0);
    assert.equal(again.data.id, made[0]?.body.data.id);
    assert.deepEqual(again.data.sections, made[0]?.body.data.sections);
    const { data, meta } = bodyOf(await api.get('/briefs', {}, { key }));
    assert.deepEqual([meta.total, data[0].id, data[0].creditsUsed], [1, again.data.id, 4]);
    assertRefused(await ask({ ...body, maxPrecedents: 3 }, key, headers), 'idempotency_key_reuse', 'Idempotency-Key');
    await api.checkLedger();
  });

  it('charge once where a process is cut off from Postgres before, in or after the commit, and the repeat answers the kept brief', async () => {
    const body = { place: PLACES.county, use: DATA_CENTER, maxPrecedents: 4 };
    const total = async (key: string) => bodyOf(await api.get('/briefs', {}, { key })).meta.total;
    /** Cuts a process off after so many messages; Infinity for none. */
    const cutAfter = async (messages: number) => {
      const key = await api.key('api_only');
      await api.get('/account/credits', {}, { key });
      const count = new MessageCount(Number.POSITIVE_INFINITY);
      const postgres = await stoppingProxy(api.env.DATABASE_URL, count);
      const other = await api.another({ DATABASE_URL: postgres.url });
      await other.get('/briefs', {}, { key });
      const idle = count.passed;
      if (Number.isFinite(messages)) count.allowFurther(messages);
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Idempotency-Key': 'cut' };
      const answer = fetch(`${other.url}/v1/briefs`, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => undefined);
      await Promise.race([answer, count.stopped]);
      const passed = count.passed - idle;
      postgres.close();
      await answer;
      await other.stop();
      const kept = await total(key);
      await api.database.query("update idempotency set lease_until = lease_until - interval '31 s'");
      const repeated = await make(body, key, { 'Idempotency-Key': 'cut' });
      assert.deepEqual(
        [repeated.data.creditsUsed, repeated.meta.creditsUsed, await total(key)],
        [4, kept ? 0 : 4, 1],
        `${messages} messages`,
      );
      return { passed, kept };
    };
    const { passed: whole } = await cutAfter(Number.POSITIVE_INFINITY);
    const kept: number[] = [];
    for (let left = 10; left >= 0; left--) kept.push((await cutAfter(whole - left)).kept);
    assert.ok(kept.includes(0) && kept.includes(1), kept.join());
    await api.checkLedger();
  }).timeout(120_000);

  it('charge nothing where they cannot be kept, and once when they are asked for again', async () => {
    const key = await api.key('api_only');
    const left = async () => bodyOf(await api.get('/account/credits', {}, { key })).data;
    const before = await left();
    const body = { place: PLACES.county, maxPrecedents: 5 };
    await api.database.query('alter table site_brief add constraint broken check (credits_used < 0) not valid');
    const refused = await ask(body, key, { 'Idempotency-Key': 'broken' });
    assert.ok(refused.status >= 500, String(refused.status));
    assert.deepEqual(await left(), before);
    await api.database.query('alter table site_brief drop constraint broken');
    assert.equal((await make(body, key, { 'Idempotency-Key': 'broken' })).meta.creditsUsed, 5);
    assert.equal((await make(body, key, { 'Idempotency-Key': 'broken' })).meta.creditsUsed, 0);
    await api.checkLedger();
  });

  it('are kept for 30 days as they were, for their team alone', async () => {
    const { data } = await make({ place: PLACES.city });
    const read = bodyOf(await api.get(`/briefs/${data.id}`)).data;
    const comparable = ({ precedents, ...rest }: Json) => ({ ...rest, precedents: precedents.map(({ delivery: _, ...one }: Json) => one) });
    assert.deepEqual(comparable(read), comparable(data));
    assert.equal(data.url, `http://landuse.test/map?brief=${data.id}`);
    assert.equal(Date.parse(data.expiresAt) - Date.parse(data.createdAt), 30 * 86_400_000);
    const other = await api.key('national');
    assertRefused(await api.get(`/briefs/${data.id}`, {}, { key: other }), 'resource_not_found');
    await api.database.query('update site_brief set expires_at = service_now() where id = $1', [data.id]);
    assertRefused(await api.get(`/briefs/${data.id}`), 'resource_not_found');
    const next = await make({ place: PLACES.city, maxPrecedents: 0 });
    assert.deepEqual(await api.database.query('select from site_brief where id = $1', [data.id]), []);
    assert.equal(bodyOf(await api.get(`/briefs/${next.data.id}`, {}, { method: 'DELETE' })).data.deleted, true);
    assertRefused(await api.get(`/briefs/${next.data.id}`), 'resource_not_found');
  });

  it('answer 404 once deleted, also to the request that made them, and charge nothing again', async () => {
    const key = await api.key('api_only');
    const headers = { 'Idempotency-Key': 'deleted' };
    const body = { place: PLACES.city, use: DATA_CENTER };
    const { data, meta } = await make(body, key, headers);
    assert(meta.creditsUsed > 0);
    bodyOf(await api.get(`/briefs/${data.id}`, {}, { key, method: 'DELETE' }));
    assertRefused(await api.get(`/briefs/${data.id}`, {}, { key }), 'resource_not_found');
    assertRefused(await api.get(`/briefs/${data.id}`, {}, { key, method: 'DELETE' }), 'resource_not_found');
    assertRefused(await ask(body, key, headers), 'resource_not_found');
    assert.equal((await make(body, key)).meta.creditsUsed, 0);
  });

  it('are titled by the name of their shape', async () => {
    const circle = { lat: 40.015, lng: -105.27, radiusMeters: 3_000 };
    const { data } = await make({ place: { circle, name: 'North quarry' }, maxPrecedents: 0 });
    assert.deepEqual([data.place.label, data.place.name, data.place.circle], ['North quarry', 'North quarry', circle]);
    const unnamed = await make({ place: { circle }, maxPrecedents: 0 });
    assert.match(unnamed.data.place.label, /^Circle around 40\.0150/);
    assertRefused(await ask({ place: { name: 'North quarry' } }, await api.usualKey(), {}), 'invalid_request', 'place');
  });

  it('find the place of an address or a parcel by a record, and say what is missing otherwise', async () => {
    await api.index.load(
      [
        {
          ...makeRecords(1, 1, TODAY)[0],
          id: 7_001,
          ...{ address: '1777 Broadway', city: 'Boulder', state: 'CO', county: 'Boulder County', parcelNumbers: ['1463-3-00-012'] },
          ...{ latitude: 40.0149, longitude: -105.2787 },
        },
      ],
      { mode: 'increment' },
    );
    for (const place of [{ address: '1777 Broadway, Boulder, CO 80302' }, { parcel: '1463-3-00-012' }]) {
      const { data } = await make({ place, maxPrecedents: 1 });
      assert.deepEqual([data.place.location, data.place.countyId], [{ latitude: 40.0149, longitude: -105.2787 }, 8013]);
      await assertTrue(data);
    }
    const unknown = await api.post('/briefs', { place: { address: '9 Nowhere Lane, Boulder, CO' } });
    assertRefused(unknown, 'invalid_request', 'place.address');
    assert.match(unknown.body.error.message, /no geocoder \(GEOCODER_URL\)\. Send a point/);
    const geocoder = await startGeocoder('pelias', { 'Oak Street, Boulder, CO': { number: '12', latitude: 40.02, longitude: -105.25 } });
    const geocoding = await api.another({ GEOCODER_URL: geocoder.url });
    try {
      const found = bodyOf(await geocoding.post('/briefs', { place: { address: '12 Oak Street, Boulder, CO' }, maxPrecedents: 0 }), 201);
      assert.deepEqual(found.data.place.location, { latitude: 40.02, longitude: -105.25 });
      const nowhere = await geocoding.post('/briefs', { place: { address: '13 Oak Street, Boulder, CO' } });
      assert.match(nowhere.body.error.message, /the geocoder knows no such house\. Send a point/);
      await geocoder.stop();
      const silent = await geocoding.post('/briefs', { place: { address: '12 Oak Street, Boulder, CO' } });
      assert.match(silent.body.error.message, /the geocoder does not answer\. Send a point, or ask again later/);
    } finally {
      await geocoding.stop();
    }
    assertRefused(await api.post('/briefs', { place: { parcel: '99-99' } }), 'invalid_request', 'place.parcel');
    const metered = await api.key('api_only');
    assertRefused(await api.post('/briefs', { place: { parcel: '1463-3-00-012' } }, { key: metered }), 'invalid_request', 'place.parcel');
  });

  it('refuse what names no place, no use or another licence, with the remedy and within milliseconds', async () => {
    const wide = points('-109 33, -94 33, -94 41, -109 41, -109 33');
    const texas = await api.key('state', { stateIds: [48], countyIds: [] });
    const metered = await api.key('api_only');
    const cases: [object, string, RegExp, number?, string?][] = [
      [{ place: { polygon: wide } }, 'place.polygon', /over \d states \(.*\): a brief is about a site\. Send a shape of at most 100 miles/],
      [{ place: { address: '1 Main St', point: SITE } }, 'place.address', /place takes one of .*; point and address were sent\. Leave one/],
      [{ place: {} }, 'place', /place names nothing; send one of/],
      [{ place: { address: ',,' } }, 'place.address', /names nothing to look for; send a street with its number/],
      [{ place: PLACES.county, use: { type: 'castle' } }, 'use.type', /'castle' is not in the Building Type tree/],
      [{ place: PLACES.county, use: { type: 'government_decisions' } }, 'use.type', /no use of land/],
      [{ place: { county: 'Boldr County, CO' } }, 'place.county', /did you mean 'Boulder County/],
      [{ place: { point: { lat: 0, lng: 0 } } }, 'place.point', /lies in no county of the United States/],
      [{ place: { point: SITE } }, 'place.point', /Outside the licence: .*Boulder County/, 403, texas],
      [{ place: PLACES.county }, 'place.county', /Outside the licence/, 403, texas],
      [{ place: { polygon: RING } }, 'place.polygon', /Outside the licence/, 403, texas],
      [{ place: { projectId: 999_999 } }, 'id', /no project 999999/, 404],
      [{ place: { projectId: 1_003 } }, 'place.projectId', /does not hold project 1003 as it is now: read it first/, 404, metered],
      [{ place: PLACES.county, maxPrecedents: 21 }, 'maxPrecedents', /20/],
    ];
    for (const path of ['/briefs', '/briefs/price'])
      for (const [body, param, message, status = 400, key] of cases) {
        const began = performance.now();
        const answer = await api.post(path, body, key ? { key } : {});
        const took = performance.now() - began;
        assert.deepEqual([answer.status, answer.body.error?.param], [status, param], JSON.stringify(body));
        assert.match(JSON.stringify(answer.body.error), message);
        assert.ok(took < 500, `${JSON.stringify(body)} took ${took} ms`);
      }
  });
});
