import assert from 'node:assert/strict';
import { type ApiError, type RequestProblem, type RequestRefusal, refusalOf } from '../../src/core/domain/errors.ts';
import { PLANS, type Plan } from '../../src/core/domain/plans.ts';
import type { Principal } from '../../src/core/domain/principal.ts';
import { CONTROLS } from '../../src/core/filter/controls.ts';
import { meaningOf } from '../../src/core/filter/meaning.ts';
import { type ParameterReading, readParameters } from '../../src/core/filter/parse.ts';
import { resolveFilters } from '../../src/core/filter/resolve.ts';
import { includeProblems } from '../../src/core/search/includeProblems.ts';
import { loadPlaces } from '../../src/core/store/files/loadPlaces.ts';
import { pluck } from '../support/lists.ts';

const places = loadPlaces();
const reading = (query: string): ParameterReading => {
  const raw = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query)) raw.set(name, [...(raw.get(name) ?? []), value]);
  return readParameters(raw, CONTROLS, places);
};

const refusal = (answer: RequestRefusal['answer'], param: string): RequestRefusal => ({ param, code: 'x', message: param, answer });
const codes = (error: ApiError) => ((error.details?.problems ?? []) as RequestProblem[]).map(({ param }) => param);

describe('An answer with several problems', () => {
  it('has the code of the filter first, then of any other 400, then of the licence, then of the plan', () => {
    const all = [
      refusal('enrichment_requires_paid_plan', 'plan'),
      refusal('geographic_access_denied', 'licence'),
      refusal('invalid_request', 'request'),
      refusal('invalid_filter', 'filter'),
      refusal('invalid_filter', 'second'),
    ];
    const led = [refusalOf(all), refusalOf(all.slice(0, 3)), refusalOf(all.slice(0, 2)), refusalOf(all.slice(0, 1))];
    assert.deepEqual(pluck(led, 'status', 'param'), [
      [400, 'filter'],
      [400, 'request'],
      [403, 'licence'],
      [402, 'plan'],
    ]);
    assert.deepEqual(codes(led[0] as ApiError), ['plan', 'licence', 'request', 'filter', 'second']);
    assert.equal(led[3]?.details, null);
  });
});

describe('Contacts', () => {
  it('are enrichment_requires_paid_plan on a plan that is neither paid nor has look-ups, unless they are read back', () => {
    const codesOn = (plan: Plan, query: string) =>
      includeProblems(reading(`include=contacts&${query}`), { plan } as Principal).map(({ answer }) => answer);
    const unpaid: Plan = { ...PLANS.trial, enrichment: { limit: 0, period: 'lifetime' } };
    for (const query of ['', 'format=csv', 'contactOptions={"cachedOnly":false}'])
      assert.deepEqual(codesOn(unpaid, query), ['enrichment_requires_paid_plan'], query);
    assert.deepEqual(codesOn(unpaid, 'contactOptions={"cachedOnly":true}'), []);
    assert.deepEqual(codesOn(PLANS.trial, ''), ['enrichment_requires_async']);
    assert.deepEqual(codesOn(PLANS.trial, 'format=csv'), []);
  });
});

describe('A list of places', () => {
  const ids = (query: string) => {
    const { filters, problems } = reading(query);
    assert.deepEqual(problems, [], query);
    return [...(filters.cities ?? []), ...(filters.counties ?? [])];
  };
  const one = (name: string) => {
    const [city, ...more] = places.findCities(name);
    assert.ok(city && !more.length, name);
    return city.id;
  };

  it('takes a name and the state behind it as one place, in every form', () => {
    const boulder = one('Boulder, CO');
    const longmont = one('Longmont, CO');
    for (const query of ['cities=Boulder, CO', 'city=boulder , colorado', 'cities=["Boulder, CO"]', 'states=CO&cities=Boulder, CO'])
      assert.deepEqual(ids(query), [boulder], query);
    for (const query of [
      'cities=Boulder, CO,Longmont',
      'cities=Boulder,CO,Longmont,Colorado',
      'cities=["Boulder, CO","Longmont"]',
      'cities=Boulder, CO&cities=Longmont',
      `cities=Boulder, CO,${longmont}`,
    ])
      assert.deepEqual(ids(query), [boulder, longmont], query);
    assert.deepEqual(ids('counties=Orange, CA,Boulder County, Colorado'), [6059, 8013]);
    assert.deepEqual(readParameters(new Map([['cities', [['Boulder, CO', 'Longmont']]]]), {}, places).filters.cities, [boulder, longmont]);
  });

  it('is the place that its own state says, whatever states says', () => {
    const houston = one('Houston, TX');
    for (const query of ['states=CO&cities=Houston, TX', 'states=CO,UT&cities=Houston, TX', 'states=CO&counties=Denver&cities=Houston, TX'])
      assert.equal(ids(query)[0], houston, query);
    assert.deepEqual(ids('states=CO&counties=Dallas County, TX'), [48113]);
    assert.deepEqual(reading('states=CO&cities=Houston').problems[0]?.code, 'unknown_place', 'a name alone is one of that state');
  });

  it('takes a state that is a place too with the name before it only where that is found there', () => {
    assert.deepEqual(ids('cities=Seattle, Washington'), [one('Seattle, WA')]);
    assert.deepEqual(ids('cities=Seattle, Washington, DC'), [one('Seattle, WA'), one('Washington, DC')]);
    assert.deepEqual(ids('cities=New York, New York'), [one('New York, NY')]);
    assert.deepEqual(ids('counties=Washington, Oregon'), [41067]);
  });

  it('says of a place that is not in that state, and of an ambiguous one, how to send it', () => {
    const [missing, ...others] = reading('cities=Boulder, KS').problems;
    assert.deepEqual([missing?.code, missing?.value, others.length], ['unknown_place', 'Boulder, KS', 0]);
    const [ambiguous] = reading('counties=Orange').problems;
    assert.equal(ambiguous?.code, 'ambiguous_place');
    const shown = /such as '(.+?)'/.exec(ambiguous?.message ?? '')?.[1] ?? '';
    assert.equal(ids(`counties=${shown}`).length, 1);
  });
});

describe('An unknown value', () => {
  it('is shown the nearest three and the route that lists all', () => {
    const found = (query: string) =>
      reading(query).problems.map(({ didYouMean, nearest, reference }) => ({ didYouMean, nearest, reference }));
    const [status] = found('status=aproved');
    assert.deepEqual([status?.didYouMean, status?.nearest?.[0], status?.nearest?.length], ['approved', 'approved', 3]);
    assert.equal(status?.reference, '/v1/reference/statuses');
    assert.equal(found('assetClasses=zzz')[0]?.reference, '/v1/taxonomy/asset-classes');
    assert.equal(found('governmentDecisionSubtypes=zzz')[0]?.reference, '/v1/taxonomy/subtypes?includeGovernmentDecisions=true');
    assert.deepEqual(found('states=Colorad')[0], {
      didYouMean: 'Colorado',
      nearest: found('states=Colorad')[0]?.nearest,
      reference: '/v1/locations/states',
    });
    const [outcome] = reading('outcomes=stall').problems;
    assert.deepEqual([outcome?.didYouMean, outcome?.reference], ['stalled', undefined]);
    assert.match(
      outcome?.message ?? '',
      /is not one of approved, denied, withdrawn, pending, stalled, soft_denial;/,
      'no route lists them',
    );
    const [city] = found('cities=Bolder, CO');
    assert.deepEqual([city?.didYouMean, city?.nearest?.length], ['Boulder, CO', 3]);
    const [county] = found('states=CO&counties=Bolder County');
    assert.deepEqual([county?.didYouMean, county?.reference], ['Boulder County', '/v1/locations/states/8/counties']);
  });
});

describe('What filters mean', () => {
  const meaning = (query: string) => {
    const { filters, problems } = reading(query);
    assert.deepEqual(problems, [], query);
    return JSON.stringify(meaningOf(resolveFilters(filters).filters));
  };

  for (const [one, other] of [
    ['states=CO,TX', 'stateIds=["Texas",8]'],
    ['', 'dateRange=last_1_year'],
    ['dateRange=all', 'dateRange=all&includeCivic=false&rezoneOnly=0'],
    ['caseNumbers=RZ-24.017,sup 3', 'caseNumbers=["SUP-3","rz 24 017","RZ24017"]'],
    ['nextMeetingDateTo=2026-12', 'nextMeetingDateTo=2026-12-31&dateRange=all'],
    ['propertyTypes=residential', 'type=Residential&taxonomyMatchMode=primary_or_secondary'],
    ['', 'taxonomyMatchMode=any'],
    ['counties=Boulder, CO', 'states=CO&counties=8013'],
    ['propertyTypes=residential&propertySubtypes=multifamily', 'propertyTypes=residential'],
    ['meetingDateFrom=2026-03', 'dateFrom=2026-03-01&dateRange=all'],
    ['q=Data Center|solar', 'search=SOLAR | data-center'],
    ['circle={"lat":40,"lng":-105,"radiusMeters":500}', 'circle={"radiusMeters":500.0,"lng":-105,"lat":40}'],
    ['acreageMin=1e1', 'acreageMin=10'],
  ] as const)
    it(`is the same: ${one || 'nothing'} and ${other}`, () => assert.equal(meaning(one), meaning(other)));

  for (const [one, other] of [
    ['states=CO', 'states=TX'],
    ['', 'dateRange=all'],
    ['propertyTypes=residential', 'propertyTypes=residential&taxonomyMatchMode=any'],
    ['', 'includeGovernmentDecisions=true'],
    ['propertySubtypes=multifamily', 'excludePropertySubtypes=multifamily'],
    ['meetingDateFrom=2026&dateRange=last_3_months', 'meetingDateFrom=2026&dateRange=last_6_months'],
    ['hasConstructionDetails=false', ''],
    ['polygon=[[0,0],[1,0],[1,1],[0,0]]', 'polygon=[[0,0],[1,1],[1,0],[0,0]]'],
  ] as const)
    it(`differs: ${one || 'nothing'} and ${other || 'nothing'}`, () => assert.notEqual(meaning(one), meaning(other)));
});
