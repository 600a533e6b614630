/** Rules beyond one filter: the Building Type tree, government items, statuses, text, bounds, dates. */

import assert from 'node:assert/strict';
import { ascending, project, refuser, searcher, TODAY, use, used } from '../../support/fixtures.ts';
import { pluck } from '../../support/lists.ts';
import { bodyOf, provideService } from '../../support/service.ts';

const GOVERNMENT = { includeGovernmentDecisions: true };

describe('rules of the filters', () => {
  const api = provideService({ today: TODAY });
  const search = searcher(() => api);
  const refuse = refuser(() => api);
  const found = async (parameters: Record<string, unknown>) => ascending((await search(parameters)).ids);

  before(() => api.index.load([...TAXONOMY, ...STAGES, ...TEXTS, ...SIZES, ...DATES]));

  const TAXONOMY = [
    used(101, use('garden_apartments')),
    used(102, use('office_building'), use('garden_apartments', 'secondary')),
    used(103, use('office_building'), use('garden_apartments', 'other')),
    used(104, use('multifamily'), use('billboard', 'other')),
    used(105, use('residential')),
    used(106, use('moratorium')),
    used(107, use('residential'), use('moratorium', 'secondary')),
  ].map((line) => ({ ...line, state: 'WY', county: null, city: null }));

  const inTaxonomy = (parameters: Record<string, unknown>) => found({ states: 'WY', ...parameters });

  describe('of the Building Type tree', () => {
    it('count primary and secondary uses unless a match mode says otherwise, at every level', async () => {
      for (const level of [
        { propertySubtypes: 'multifamily', more: [104] },
        { assetClasses: 'Garden Apartments', more: [] },
      ]) {
        const { more, ...filter } = level;
        assert.deepEqual(await inTaxonomy(filter), [101, 102, ...more]);
        assert.deepEqual(await inTaxonomy({ ...filter, taxonomyMatchMode: 'primary_or_secondary' }), [101, 102, ...more]);
        assert.deepEqual(await inTaxonomy({ ...filter, taxonomyMatchMode: 'primary_only' }), [101, ...more]);
        assert.deepEqual(await inTaxonomy({ ...filter, taxonomyMatchMode: 'any' }), [101, 102, 103, ...more]);
      }
      assert.deepEqual(await inTaxonomy({ propertyTypes: 'RESIDENTIAL' }), [101, 102, 104, 105, 107]);
      assert.deepEqual(await inTaxonomy({ propertyTypes: 'residential', taxonomyMatchMode: 'primary_only' }), [101, 104, 105, 107]);
      const { meta } = await search({ propertyTypes: 'residential' });
      assert.equal(meta.appliedDefaults.taxonomyMatchMode, 'primary_or_secondary');
    });

    it('let a parent supersede its child, with a warning', async () => {
      const page = await search({ states: 'WY', propertyTypes: 'residential', propertySubtypes: 'multifamily', assetClasses: 'billboard' });
      assert.deepEqual(ascending(page.ids), [], 'billboards are under commercial, so that level still counts');
      const rolled = await search({ states: 'WY', propertyTypes: 'residential', assetClasses: 'billboard,garden_apartments' });
      assert.deepEqual(ascending(rolled.ids), [101, 102, 104, 105, 107]);
      const warning = rolled.warnings.taxonomy_filter_rolled_up;
      assert.deepEqual(warning?.params, {
        superseded: { assetClasses: ['billboard', 'garden_apartments'] },
        children: ['garden_apartments'],
      });
      assert.equal('assetClasses' in rolled.meta.appliedFilters, false);
      assert.deepEqual(await inTaxonomy({ propertySubtypes: 'multifamily', assetClasses: 'garden_apartments' }), [101, 102, 104]);
    });

    const levels = (landUses: unknown) => (landUses as { matchedOn: string[] }[]).map((one) => one.matchedOn);

    it('name the levels of each use that matched', async () => {
      const { records } = await search({ states: 'WY', propertyTypes: 'commercial', assetClasses: 'garden_apartments' });
      assert.deepEqual(
        records.map(({ id, landUses }) => [id, levels(landUses)]),
        [[102, [['type'], ['assetClass']]]],
      );
      const [unfiltered] = (await search({ projectIds: 102 })).records;
      assert.deepEqual(levels(unfiltered?.landUses), [[], []]);
    });

    it('exclude after the match, in the roles that count', async () => {
      assert.deepEqual(await inTaxonomy({ propertyTypes: 'residential', excludePropertySubtypes: 'multifamily' }), [105, 107]);
      const narrow = { propertyTypes: 'residential', excludeAssetClasses: 'billboard' };
      assert.deepEqual(await inTaxonomy(narrow), [101, 102, 104, 105, 107]);
      assert.deepEqual(await inTaxonomy({ ...narrow, taxonomyMatchMode: 'any' }), [101, 102, 103, 105, 107]);
    });

    it("take 'Type - Subtype', whose type must be the one above", async () => {
      assert.deepEqual(await inTaxonomy({ subtype: 'residential - MULTIFAMILY' }), [101, 102, 104]);
      assert.deepEqual(await inTaxonomy({ excludeSubtype: 'Residential - Multifamily', propertyTypes: 'residential' }), [105, 107]);
      const { problems } = await refuse({ subtype: 'Commercial - Multifamily' });
      assert.equal(problems[0].didYouMean, 'Residential - Multifamily');
    });
  });

  describe('of government decisions', () => {
    it('hide records whose primary type they are, unless they are asked for', async () => {
      assert.equal((await inTaxonomy({})).includes(106), false);
      assert.equal((await inTaxonomy({})).includes(107), true);
      for (const name of ['includeGovernmentDecisions', 'includeCivic', 'showAllRecords'])
        assert.equal((await inTaxonomy({ [name]: 'true' })).includes(106), true, name);
    });

    it('take their filters only with includeGovernmentDecisions=true', async () => {
      const filters = { governmentDecisionSubtypes: 'ordinance_text', civicAssetClasses: 'moratorium' };
      for (const also of [{}, { includeGovernmentDecisions: false }]) {
        const refused = await refuse({ ...filters, ...also });
        assert.equal(refused.status, 400);
        assert.equal(refused.code, 'invalid_request');
        assert.deepEqual(pluck(refused.problems, 'param'), ['governmentDecisionSubtypes', 'civicAssetClasses'], 'as they were sent');
      }
      assert.deepEqual(await inTaxonomy({ ...filters, ...GOVERNMENT }), [106, 107]);
      assert.deepEqual(await inTaxonomy({ ...filters, ...GOVERNMENT, taxonomyMatchMode: 'primary_only' }), [106]);
      const foreign = await refuse({ governmentDecisionSubtypes: 'multifamily', ...GOVERNMENT });
      assert.equal(foreign.code, 'invalid_filter');
    });

    it('are not asked for by subtype or asset class either, without includeGovernmentDecisions=true', async () => {
      for (const [name, value] of [
        ['subtypes', 'ordinance_text'],
        ['propertySubtypes', 'multifamily,ordinance_text'],
        ['assetClass', 'moratorium'],
      ] as const) {
        const { code, param, message } = await refuse({ [name]: value });
        assert.deepEqual([code, param], ['invalid_request', name]);
        assert.match(message, /includeGovernmentDecisions=true/);
        assert.deepEqual(await inTaxonomy({ [name]: value.replace('multifamily,', ''), ...GOVERNMENT }), [106, 107]);
      }
      assert.deepEqual((await inTaxonomy({ excludeAssetClasses: 'moratorium' })).includes(107), false);
    });

    it('are named by a warning where they were asked for by id and left out', async () => {
      const warningOf = async (parameters: Record<string, unknown>, path = '/projects/search') => {
        const body = bodyOf(await api.get(path, parameters));
        return body.meta.warnings.find(({ code }: { code: string }) => code === 'government_decisions_excluded');
      };
      for (const path of ['/projects/search', '/projects/sync', '/projects/count']) {
        assert.deepEqual((await warningOf({ projectIds: [105, 106, 107] }, path))?.params, { ids: [106] }, path);
        assert.equal(await warningOf({ projectIds: [105, 107, 999] }, path), undefined, path);
      }
      assert.equal(await warningOf({ projectIds: [106], ...GOVERNMENT }), undefined);
      assert.equal(await warningOf({ projectIds: [106], states: 'TX' }), undefined, 'another filter leaves it out');
      assert.equal(await warningOf({}), undefined);
    });

    it('are named by the ids that were sent, and where records cost whatever other filters say', async () => {
      const key = await api.key('api_only');
      const named = async (parameters: Record<string, unknown>) => {
        const body = bodyOf(await api.get('/projects/search', parameters, { key }));
        return body.meta.warnings.find(({ code }: { code: string }) => code === 'government_decisions_excluded')?.params.ids;
      };
      for (const more of [{}, { states: 'TX' }, { states: 'CO' }, { status: 'denied' }])
        assert.deepEqual(await named({ projectIds: [106, 999], ...more }), [106], JSON.stringify(more));
    });

    it('take each spelling of their type, with the same condition', async () => {
      for (const propertyTypes of ['Govt. Decisions', 'Govt Decisions', 'Government Decisions', 'govt_decisions']) {
        assert.deepEqual(await inTaxonomy({ propertyTypes, ...GOVERNMENT }), [106, 107]);
        assert.equal((await refuse({ propertyTypes })).code, 'invalid_request');
      }
    });
  });

  const decision = (decisionBody: string, status: string) => ({ decisionBody, status, decisionType: null, meetingDate: '2026-10-01' });
  const STAGES = [
    project(201, { status: null, decisionBody: 'board_of_adjustment' }),
    project(202, {
      status: 'approved_with_conditions',
      decisionBody: 'city_council',
      decisions: [decision('planning_commission', 'denied')],
    }),
    project(203, { status: 'denied', decisionBody: 'city_council', isRezone: true, inOpportunityZone: false, inFemaFloodZone: true }),
    project(204, { status: 'unknown', isRezone: false, inOpportunityZone: true, hasConstructionDetails: false }),
  ].map((line) => ({ ...line, state: 'NM', county: null, city: null }));
  const inStages = (parameters: Record<string, unknown>) => found({ states: 'NM', ...parameters });

  describe('of status and zones', () => {
    it('select records without a decision as unknown', async () => {
      assert.deepEqual(await inStages({ status: 'Unknown' }), [201, 204]);
      assert.deepEqual(await inStages({ statusSelection: 'unknown,Approved With Conditions' }), [201, 202, 204]);
      assert.deepEqual(await inStages({ status: 'conditionally approved' }), [202]);
    });

    it('pair a body with the status that it itself decided', async () => {
      assert.deepEqual(await inStages({ statusCombos: 'City Council|Denied' }), [203]);
      assert.deepEqual(await inStages({ statusCombo: 'planning_commission|denied' }), [202]);
      assert.deepEqual(await inStages({ statusCombo: 'board_of_adjustment|unknown' }), [201]);
      assert.deepEqual(
        await inStages({ statusCombos: ['city_council|approved_with_conditions', '["City Council | denied"]'] }),
        [202, 203],
      );
      for (const bad of ['city_council', 'city_council|', 'city_council|denied|x', 'nobody|denied'])
        assert.equal((await refuse({ statusCombos: bad })).code, 'invalid_filter', bad);
    });

    it('keep records without the value out of both sides', async () => {
      assert.deepEqual(await inStages({ inOpportunityZone: 'inside' }), [204]);
      assert.deepEqual(await inStages({ inOpportunityZone: 'outside' }), [203]);
      assert.deepEqual(await inStages({ inSfha: 'inside' }), [203]);
      assert.deepEqual(await inStages({ hasConstructionDetails: false }), [204]);
      assert.deepEqual(await inStages({ requiresZoningChange: true }), [203]);
      assert.deepEqual(await inStages({ rezoneOnly: false }), [201, 202, 203, 204]);
    });
  });

  const TEXTS = [
    project(301, { projectName: 'Cedar-Fork (Phase II)', summary: 'A DATA   CENTER; for O’Neil & Sons' }),
    project(302, { displayName: 'Fork Cedar', rawText: 'server\nfarm, data about a center' }),
    project(303, { projectName: 'Tail data', displayName: 'center Head', conditionsOfApproval: ['Élan vital'] }),
    ...['developer', 'applicant', 'builder', 'owner', 'contractor', 'architect'].map((role, i) =>
      project(310 + i, {
        parties: [
          { role: 'owner', name: 'Other Party' },
          { role, name: `North-Star ${role}, Inc.` },
        ],
      }),
    ),
    project(330, {
      projectName: 'AT&T Tower at R+D Campus',
      summary:
        'Mixed‑Use Phase II with a café of Zoë, 1,200 units; Smith/Jones LLC; 12–14 stories; e‑mail. The warden’s and Kohl’s lots at Coeur d’Alene',
      address: '46-100 Kāneʻohe Bay Drive',
      zipCode: '96744-1234',
    }),
    project(320, { contacts: [{ name: 'North Star', role: 'developer', company: 'North Star', title: null }] }),
  ];

  describe('of text', () => {
    it('match words of one passage in order, in any case and across punctuation', async () => {
      assert.deepEqual(await found({ q: 'data center' }), [301]);
      assert.deepEqual(await found({ q: '"Data-Center!"' }), [301]);
      assert.deepEqual(await found({ search: 'center data' }), []);
      assert.deepEqual(await found({ q: 'o’neil' }), await found({ q: "O'NEIL" }));
      assert.deepEqual(await found({ q: 'ÉLAN' }), [303]);
      assert.deepEqual(await found({ q: 'E\u0301lan' }), [303], 'an accent may stand apart from its letter');
    });

    it('match whatever accents, apostrophes, hyphens and commas of thousands either side has', async () => {
      const spellings = 'AT&T, at t, R+D, Mixed-Use, mixed use, cafe, CAFÉ, Zoe, 1200 units, smith jones, 12-14 stories, e-mail';
      const names = 'Kaneohe, Kāneʻohe, Kane’ohe, 96744, warden, wardens, warden’s, kohls, Kohl’s, coeur d alene, Coeur D’Alene';
      for (const q of [...`${spellings}, ${names}`.split(', '), '1,200 units']) assert.deepEqual(await found({ q }), [330], q);
      assert.deepEqual(await found({ q: 'oneil|O‘Neil' }), [301]);
      for (const q of ['email', '200 units', 'kane ohe', 'ward', 'kohl sons']) assert.deepEqual(await found({ q }), [], q);
    });

    it('take alternatives in q alone', async () => {
      assert.deepEqual(await found({ q: 'server farm | data center||' }), [301, 302]);
      assert.deepEqual(await found({ query: 'server farm|elan|nothing of it' }), [302, 303]);
      assert.deepEqual(await found({ projectName: 'cedar|fork' }), [301], 'a bar is punctuation in a name');
    });

    it('look for a name in the name and the display name only', async () => {
      assert.deepEqual(await found({ name: 'fork' }), [301, 302]);
      assert.deepEqual(await found({ projectName: 'fork phase' }), [301]);
      assert.deepEqual(await found({ projectName: 'data center' }), [], 'a phrase does not run from one name into the other');
    });

    it('look for a developer among all six roles', async () => {
      assert.deepEqual(await found({ developerName: 'north star' }), [310, 311, 312, 313, 314, 315]);
      assert.deepEqual(await found({ company: 'STAR ARCHITECT INC' }), [315]);
      assert.deepEqual(await found({ developer: 'party north' }), []);
    });

    it('refuse a text without a word, or too long', async () => {
      for (const q of ['-', '|', '  ', '🏗️', 'x'.repeat(501)]) assert.equal((await refuse({ q })).code, 'invalid_filter', q);
    });
  });

  const SIZES = [project(401, { acreage: 0 }), project(402, { acreage: 2.5 }), project(403, { acreage: null }), project(404)].map(
    (line) => ({
      ...line,
      state: 'UT',
      county: null,
      city: null,
    }),
  );
  const inSizes = (parameters: Record<string, unknown>) => found({ states: 'UT', ...parameters });

  it('bounds are inclusive, take 0, and fail closed on records without the value', async () => {
    assert.deepEqual(await inSizes({ acreageMin: 0 }), [401, 402]);
    assert.deepEqual(await inSizes({ acreageMax: 0 }), [401]);
    assert.deepEqual(await inSizes({ acreageMin: '2.5', acreageMax: '25e-1' }), [402]);
    assert.deepEqual(await inSizes({ acreageMax: 1e300 }), [401, 402]);
    assert.deepEqual(await inSizes({ acreageMin: 3, acreageMax: 1 }), []);
  });

  it('reversed bounds are named by a warning, which says to exchange them', async () => {
    const warned = async (parameters: Record<string, unknown>) =>
      ((await api.get('/projects/count', { states: 'UT', dateRange: 'all', ...parameters })).body.meta.warnings as object[]).map(
        ({ code, message, params }: { code?: string; message?: string; params?: unknown }) => [code, message, params],
      );
    assert.deepEqual(await warned({ acreageMin: 3, acreageMax: 1 }), [
      [
        'bounds_reversed',
        'acreageMin (3) is above acreageMax (1), and no value lies between them; exchange the two',
        { filters: ['acreageMin', 'acreageMax'] },
      ],
    ]);
    const reversed = { meetingDateFrom: '2026-03', meetingDateTo: '2026-02', lotSizeMin: 10, lotSizeSqftMax: 9.5, daysInProcessMin: 1 };
    assert.deepEqual(
      (await warned(reversed)).map(([, , params]) => params),
      [{ filters: ['meetingDateFrom', 'meetingDateTo'] }, { filters: ['lotSizeSqftMin', 'lotSizeSqftMax'] }],
    );
    const even = { acreageMin: 9, acreageMax: 10, meetingDateFrom: '2026-03-05', meetingDateTo: '2026-03', lastUpdatedFrom: '2026' };
    assert.deepEqual(await warned(even), []);
  });

  const DATES = [
    ['2024-12-31', 501],
    ['2025-01-01', 502],
    ['2026-02-28', 503],
    ['2026-03-01', 504],
    ['2026-11-20', 505],
    ['2026-11-21', 506],
    ['2025-11-20', 507],
    ['2025-11-19', 508],
  ].map(([meetingDate, id]) => {
    const next = id === 501 || id === 505 ? { nextMeetingDate: '2026-12-15' } : {};
    return project(id as number, { meetingDate, state: 'AZ', county: null, city: null, ...next });
  });
  const inDates = (parameters: Record<string, unknown>) => found({ states: 'AZ', ...parameters });

  describe('of dates', () => {
    it("take years, months, days and times; a 'To' bound reaches the end of its period", async () => {
      assert.deepEqual(await inDates({ meetingDateTo: '2024' }), [501]);
      assert.deepEqual(await inDates({ dateFrom: '2025', dateTo: '2025' }), [502, 507, 508]);
      assert.deepEqual(await inDates({ meetingDateFrom: '2026-02', meetingDateTo: '2026-02' }), [503]);
      assert.deepEqual(await inDates({ meetingDateFrom: '2026-03-01', meetingDateTo: '2026-03-01' }), [504]);
      assert.deepEqual(await inDates({ meetingDateFrom: '2026-02-28T23:30:00-07:00', meetingDateTo: '2026-03' }), [503, 504]);
      assert.deepEqual(await inDates({ meetingDateFrom: '0001', meetingDateTo: '9999' }), [501, 502, 503, 504, 505, 506, 507, 508]);
      assert.deepEqual((await inDates({ lastUpdatedFrom: '0001', lastUpdatedTo: '9999-12-31T23:59:59Z' })).length, 8);
    });

    it('mean the last year unless bounds, a range or ids are sent', async () => {
      const page = async (parameters: Record<string, unknown>) => (await api.get('/projects/search', { states: 'AZ', ...parameters })).body;
      const idsOf = (body: Record<string, unknown>) => ascending((body.data as { id: number }[]).map((record) => record.id));
      const usual = await page({});
      assert.deepEqual(idsOf(usual), [503, 504, 505, 507]);
      assert.equal(usual.meta.appliedDefaults.dateRange, 'last_1_year');
      assert.deepEqual(pluck(usual.meta.warnings, 'code'), ['default_date_window_applied']);
      for (const [parameters, ids] of [
        [{ meetingDateTo: '2024' }, [501]],
        [{ projectIds: '501,506' }, [501, 506]],
        [{ nextMeetingDateFrom: '2026-12' }, [501, 505]],
        [{ nextMeetingDateTo: '2026-12', dateRange: 'last_1_year' }, [505]],
        [{ dateRange: 'all', meetingDateTo: '2024' }, [501]],
        [{ dateRange: 'since_jan_2025' }, [502, 503, 504, 505, 507, 508]],
        [{ dateRange: 'last_3_months' }, [505]],
        [{ dateRange: 'last_1_year', meetingDateFrom: '2026-03' }, [504, 505]],
      ] as const) {
        const body = await page(parameters);
        assert.deepEqual(idsOf(body), ids, JSON.stringify(parameters));
        assert.deepEqual(body.meta.warnings, []);
        assert.equal(body.meta.appliedDefaults.dateRange, undefined);
      }
    });

    it('refuse what is no date, and the removed range with the one to use', async () => {
      for (const text of ['2026-13', '2026-02-30', 'yesterday', '0000', '2026-1-1', '9999-12-31T23:59:59-14:00'])
        assert.equal((await refuse({ meetingDateFrom: text })).problems[0]?.code, 'invalid_date', text);
      // a '+' that was not encoded is a blank when it arrives
      for (const text of ['2026-11-16T10:00:00 05:00', '2026-11-16 10:00:00.5 05:00'])
        assert.match((await refuse({ meetingDateFrom: text })).problems[0]?.message ?? '', /write it as %2B/);
      assert.doesNotMatch((await refuse({ meetingDateFrom: '2026-11-16 10:00' })).problems[0]?.message ?? '', /%2B/);
      const { status, code, problems } = await refuse({ dateRange: 'last_1_month' });
      assert.deepEqual([status, code, problems[0].didYouMean], [400, 'invalid_filter', 'last_3_months']);
    });
  });
});
