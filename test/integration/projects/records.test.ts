import assert from 'node:assert/strict';
import { type FetchedProject, representRecord } from '../../../src/core/domain/record/represent.ts';
import { BARE_PROJECT, COMPACT, FULL, FULL_PROJECT, REMOVED, STANDARD } from '../../support/fullRecord.ts';
import { checkError, sendChecked, type WireAnswer } from '../../support/http.ts';
import { assertNone, pluck } from '../../support/lists.ts';
import { STRANGER } from '../../support/noPeople.ts';
import { provideService } from '../../support/service.ts';

const FIELDS = { compact: COMPACT, standard: STANDARD, full: FULL };
const TODAY = '2026-11-20';

describe('project records over HTTP', () => {
  const api = provideService({ today: TODAY });
  let key: string;
  before(async () => {
    await api.index.load([
      FULL_PROJECT,
      BARE_PROJECT,
      { kind: 'project', id: 80, state: 'TX', county: 'Dallas County', propertyType: 'commercial', meetingDate: '2026-10-01' },
      { kind: 'project', id: 81, state: 'CO', county: 'Denver County', propertyType: 'govt_decisions', meetingDate: '2026-10-02' },
      { kind: 'document', id: 501, state: 'CO', county: 'Boulder County', title: 'Minutes', text: 'The minutes.' },
      { kind: 'document', id: 502, state: 'TX', county: 'Dallas County', title: 'Agenda', text: 'The agenda.' },
    ]);
    key = await api.key();
  });

  const get = (path: string, as = key) => sendChecked(api.url, `/v1${path}`, { key: as });
  const data = async (path: string, as = key) => {
    const { status, body, text } = await get(path, as);
    assert.equal(status, 200, text);
    assert.deepEqual(Object.keys(body), ['data', 'meta']);
    return body.data;
  };

  it('have exactly the 21, 67 and 85 fields of the contract, in order, whether bare or full', async () => {
    assert.deepEqual([COMPACT.length, STANDARD.length, FULL.length, new Set(FULL).size], [21, 67, 85, 85]);
    for (const [representation, fields] of Object.entries(FIELDS)) {
      for (const id of [76, 77]) {
        assert.deepEqual(Object.keys(await data(`/projects/${id}?representation=${representation}`)), fields, `${representation} ${id}`);
      }
      const page = await data(`/projects/search?dateRange=all&representation=${representation}`);
      assert.equal(page.length, 3);
      for (const record of page) assert.deepEqual(Object.keys(record), fields);
    }
  });

  it('default to standard, and say which representation was applied', async () => {
    assert.deepEqual(Object.keys(await data('/projects/77')), STANDARD);
    const { body } = await get('/projects/search?dateRange=all');
    assert.deepEqual([body.meta.representation, body.meta.appliedDefaults.representation], ['standard', 'standard']);
    assert.deepEqual(Object.keys(body.data[0]), STANDARD);
  });

  it('nest: what two representations share is the same', async () => {
    const [compact, standard, full] = await Promise.all(Object.keys(FIELDS).map((r) => data(`/projects/77?representation=${r}`)));
    for (const field of COMPACT) assert.deepEqual(compact[field], standard[field], field);
    for (const field of STANDARD) assert.deepEqual(standard[field], full[field], field);
  });

  it('serve what the generation states, tokens with labels', async () => {
    const record = await data('/projects/77?representation=full');
    const stated: Record<string, unknown> = FULL_PROJECT;
    const changed = new Set([
      'kind',
      'mergedFrom',
      'state',
      'landUses',
      'status',
      'decisionBody',
      'contacts',
      'decisions',
      'meetingDocuments',
      'companyEnrichment',
      'parties',
      'statusHistory',
    ]);
    for (const field of Object.keys(stated).filter((name) => !changed.has(name))) assert.deepEqual(record[field], stated[field], field);
    assert.deepEqual(record.mergedFrom, [77, 78, 79]);
    assert.deepEqual([record.state, record.stateId, record.countyId], ['CO', 8, 8013]);
    assert.equal(record.serviceLink, 'http://landuse.test/map?project=77');
    assert.deepEqual(record.voteTotals, { yes: 7, no: 1, abstain: 0, absent: 1 });
    assert(Number.isInteger(record.id) && record.dataRichness > 80);
    assert.match(record.lastUpdated, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  it('carry a label for every token', async () => {
    const record = await data('/projects/77?representation=full');
    const labels = {
      propertyType: ['residential', 'Residential'],
      propertySubtype: ['single_family', 'Single-Family'],
      assetClass: ['custom_home', 'Custom Home'],
      status: ['approved_with_conditions', 'Approved with Conditions'],
      projectSize: ['large', 'Large'],
      requestType: ['rezoning', 'Rezoning'],
      constructionType: ['new_construction', 'New Construction'],
      decisionBody: ['city_council', 'City Council'],
      decisionType: ['final_action', 'Final Action'],
      actionType: ['rezoning_decision', 'Rezoning Decision'],
      actionCategory: ['entitlement', 'Entitlement'],
    };
    for (const [field, [token, label]] of Object.entries(labels)) {
      assert.equal(record[field], token);
      assert.equal(String(record[`${field}Label`]).toLowerCase(), label?.toLowerCase(), field);
    }
    assert.deepEqual(record.landUses[0], {
      type: 'residential',
      typeLabel: 'Residential',
      subtype: 'single_family',
      subtypeLabel: 'Single-Family',
      assetClass: 'custom_home',
      assetClassLabel: 'Custom Home',
      matchedOn: [],
    });
    assert.deepEqual([record.landUses[1].assetClass, record.landUses[1].assetClassLabel], [null, null]);
    assert.deepEqual([record.landUses[2].subtype, record.landUses[2].subtypeLabel], [null, null]);
  });

  it('carry labels and every declared key inside their lists', async () => {
    const record = await data('/projects/77?representation=full');
    const council = { decisionBody: 'city_council', decisionBodyLabel: 'City Council' };
    assert.deepEqual(record.decisions, [
      {
        ...council,
        decisionType: 'final_action',
        decisionTypeLabel: 'Final Action',
        status: 'approved_with_conditions',
        statusLabel: 'Approved with Conditions',
        meetingDate: '2026-09-14',
        motion: 'Approve with conditions',
        votes: [{ name: 'Kim Fox', vote: 'yes', voteLabel: 'Yes' }],
      },
    ]);
    const commission = { decisionBody: 'planning_commission', decisionBodyLabel: 'Planning Commission' };
    assert.deepEqual(record.statusHistory, [{ status: 'continued', statusLabel: 'Continued', date: '2026-07-01', ...commission }]);
    const minutes = { meetingDocumentId: 501, title: 'Minutes', meetingDate: '2026-09-14', url: 'https://example.gov/m.pdf' };
    assert.deepEqual(record.meetingDocuments, [{ ...minutes, ...council }]);
    assert.deepEqual(record.parties, [{ role: 'developer', roleLabel: 'Developer', name: 'Fork Homes LLC' }]);
    assert.deepEqual(record.classifications[1], { type: 'commercial', typeLabel: 'Commercial', role: 'secondary', roleLabel: 'Secondary' });
  });

  it('have null for every key inside their lists that is not stated, and the revision of what is', async () => {
    const sparse = {
      ...{ ...BARE_PROJECT, id: 83, decisions: [{ meetingDate: '2026-09-14' }] },
      statusHistory: [{ status: 'pending', date: '2026-09-14' }],
      meetingDocuments: [{ meetingDocumentId: 501 }],
      contacts: [{ name: 'Ann Lee' }],
      companyEnrichment: [{ name: 'Fork Homes LLC' }],
      voteTotals: { yes: 3 },
    };
    await api.index.load([sparse], { mode: 'increment' });
    const record = await data('/projects/83?representation=full');
    const noBody = { decisionBody: null, decisionBodyLabel: null };
    const unknown = { ...noBody, decisionType: null, decisionTypeLabel: null, status: null, statusLabel: null };
    assert.deepEqual(record.decisions, [{ ...unknown, meetingDate: '2026-09-14', motion: null, votes: null }]);
    assert.deepEqual(record.statusHistory, [{ status: 'pending', statusLabel: 'Pending', date: '2026-09-14', ...noBody }]);
    assert.deepEqual(record.meetingDocuments, [{ meetingDocumentId: 501, title: null, ...noBody, meetingDate: null, url: null }]);
    assert.deepEqual(Object.keys(record.contacts[0]), Object.keys((await data('/projects/77')).contacts[0]));
    assert.deepEqual(Object.keys(record.companyEnrichment[0]), Object.keys((await data('/projects/77')).companyEnrichment[0]));
    assert.deepEqual(record.voteTotals, { yes: 3, no: null, abstain: null, absent: null });
    assert.equal(record.staffRecommendation, null);
    const filled = {
      ...sparse,
      decisions: record.decisions.map(({ meetingDate }: { meetingDate: string }) => ({ meetingDate, status: null, motion: null })),
    };
    await api.index.load([filled], { mode: 'increment' });
    assert.equal((await data('/projects/83')).contentRevision, record.contentRevision);
  });

  it('have the first known asset class of their uses, whatever is stated with them', async () => {
    const homes = { type: 'residential', subtype: 'single_family', assetClass: null, role: 'primary' };
    const sign = { type: 'commercial', subtype: 'signage', assetClass: 'billboard', role: 'secondary' };
    const flats = { type: 'residential', subtype: 'multifamily', assetClass: 'garden_apartments', role: 'other' };
    const { propertyType: _, ...bare } = BARE_PROJECT;
    const classes = async (more: object) => {
      await api.index.load([{ ...bare, id: 84, ...more }], { mode: 'increment' });
      const { assetClass, assetClassLabel, propertySubtype } = await data('/projects/84');
      return [assetClass, assetClassLabel, propertySubtype];
    };
    assert.deepEqual(await classes({ landUses: [homes, sign, flats] }), ['billboard', 'Billboard', 'single_family']);
    assert.deepEqual(await classes({ landUses: [homes, sign, flats], assetClass: 'Garden Apartments' }), [
      'billboard',
      'Billboard',
      'single_family',
    ]);
    assert.deepEqual(
      await classes({ assetClass: 'Garden Apartments' }),
      ['billboard', 'Billboard', 'single_family'],
      'a class without its use',
    );
    assert.deepEqual(await classes({ landUses: [homes], assetClass: 'custom_home' }), ['custom_home', 'Custom Home', 'single_family']);
    assert.deepEqual(await classes({ landUses: [homes] }), [null, null, 'single_family']);
  });

  it('are null where the generation says nothing, and unknown where no decision is recorded', async () => {
    const record = await data('/projects/76?representation=full');
    const known = new Set(
      `id recordType serviceLink mergedFrom lastUpdated delivery state propertyType propertyTypeLabel landUses status
      statusLabel contentRevision stateId classifications contactSummary dataRichness`.split(/\s+/),
    );
    for (const field of FULL.filter((name) => !known.has(name))) assert.equal(record[field], null, field);
    assert.deepEqual([record.status, record.statusLabel, record.mergedFrom], ['unknown', 'Unknown', [76]]);
    const { derived } = await data('/projects/76?representation=full&include=derived');
    const { rule, ...read } = derived;
    assert.deepEqual([rule, Object.values(read)], ['cannot_be_told', [null, null, null, null, null, false]]);
  });

  it('say how the pool stands to them', async () => {
    const { delivery } = await data('/projects/76?representation=compact', await api.key());
    assert.deepEqual(delivery, { alreadyExported: false, updatedSinceExport: null, lastExportedAt: null, billed: false });
  });

  it('keep every contact channel locked, and never show one of government staff', async () => {
    const { body, text } = await get('/projects/77');
    for (const secret of ['ann@forkhomes.example', 'bob@city.example', '303-555-0100']) assert(!text.includes(secret), secret);
    const locked = { email: null, emailSource: null, phone: null, phoneSource: null, linkedin: null, linkedinSource: null };
    assert.deepEqual(body.data.contacts[0], { name: 'Ann Lee', role: 'applicant', company: 'Fork Homes LLC', title: 'VP', ...locked });
    for (const contact of body.data.contacts) assert.deepEqual({ ...contact, ...locked }, contact);
    assert.equal(body.data.contactSummary.lowConfidenceWithheld, 0);
  });

  it('show company details beyond name and website on paid plans only', async () => {
    const trial = await api.key('trial', { stateIds: [8], countyIds: [] });
    const company = { name: 'Fork Homes LLC', website: 'https://forkhomes.example' };
    const details = { linkedin: 'forkhomes', archetype: 'developer', mainPhone: '303-555-0199' };
    assert.deepEqual((await data('/projects/77')).companyEnrichment, [{ ...company, ...details }]);
    const [shown] = (await data('/projects/77', trial)).companyEnrichment;
    assert.deepEqual(shown, { ...company, linkedin: null, archetype: null, mainPhone: null });
  });

  it('fall back to the status sentence if there is no summary', async () => {
    await api.index.load([{ ...BARE_PROJECT, id: 82, statusSummary: 'Continued to May.' }], { mode: 'increment' });
    assert.equal((await data('/projects/82')).summary, 'Continued to May.');
  });

  it('emit no removed field, and nothing that is stored beyond the contract', () => {
    const extra = Object.fromEntries([...REMOVED, 'undeclared', 'x'].map((name) => [name, 'stored']));
    const stored = {
      id: 5,
      lastUpdated: '2026-01-01T00:00:00.000Z',
      contentRevision: 'r',
      compact: { id: 5, state: 'CO', ...extra },
      standard: { ...extra },
      full: { ...extra },
      past: extra,
    } as unknown as FetchedProject;
    for (const representation of ['compact', 'standard', 'full'] as const) {
      const options = {
        representation,
        publicUrl: 'http://x',
        meetingCap: TODAY,
        today: TODAY,
        matchedOn: () => [],
        companyDetails: true,
        people: STRANGER,
      };
      assert.deepEqual(Object.keys(representRecord(stored, options)), FIELDS[representation]);
    }
    assertNone(REMOVED, (name) => FULL.includes(name));
  });

  it('refuse an unknown representation and say which there are', async () => {
    for (const path of ['/projects/search', '/projects/77']) {
      for (const value of ['complete', '', 'FULLL', 'compact,full']) {
        const answer = await get(`${path}?representation=${value}`);
        checkError(answer, 'invalid_request', 'representation');
        assert.deepEqual(answer.body.error.details.supported, ['compact', 'standard', 'full'], `${path} ${value}`);
      }
    }
  });

  describe('one by one', () => {
    it('are found by id and by the id of an absorbed record', async () => {
      for (const id of [77, 78, 79]) assert.equal((await data(`/projects/${id}`)).id, 77);
    });

    it('are found whatever their age and kind', async () => {
      assert.equal((await data('/projects/76')).meetingDate, null);
      assert.equal((await data('/projects/81')).propertyTypeLabel, 'Govt. Decisions');
    });

    it('are the same 404 if they do not exist and if the licence does not cover them', async () => {
      const state = await api.key('state', { stateIds: [8], countyIds: [] });
      const shape = ({ body }: WireAnswer, id: number) => JSON.stringify({ ...body.error, requestId: '' }).replaceAll(String(id), 'N');
      const missing = await get('/projects/999', state);
      const foreign = await get('/projects/80', state);
      checkError(missing, 'resource_not_found', 'id');
      checkError(foreign, 'resource_not_found', 'id');
      assert.equal(shape(foreign, 80), shape(missing, 999));
      assert.deepEqual(
        Object.keys(foreign.headers).filter((name) => name !== 'date'),
        Object.keys(missing.headers).filter((name) => name !== 'date'),
      );
      assert.equal((await data('/projects/77', state)).id, 77);
    });

    it('are read many at once by several teams, each as alone', async () => {
      const colorado = await api.key('state', { stateIds: [8], countyIds: [] });
      const metered = await api.key('api_only');
      const paths = [76, 77, 78, 79, 80, 81, 998, 999].flatMap((id) =>
        ['compact', 'full'].map((r) => `/projects/${id}?representation=${r}`),
      );
      const asked = [key, colorado, metered].flatMap((as) => paths.map((path) => ({ path, as })));
      const shown = ({ status, body }: WireAnswer) => {
        const { delivery: _, ...record } = body.data ?? {};
        return { status, record, code: body.error?.code, message: body.error?.message };
      };
      const together = await Promise.all(asked.map(async ({ path, as }) => shown(await get(path, as))));
      for (const [i, { path, as }] of asked.entries()) assert.deepEqual(together[i], shown(await get(path, as)), path);
      assert.deepEqual(Map.groupBy(together, ({ status }) => status).get(404)?.length, 2 * 2 * 3 + 2);
      const held = await get('/projects/79?representation=compact', metered);
      assert.deepEqual([held.body.meta.creditsUsed, held.body.data.delivery.alreadyExported], [0, true]);
    });

    it('are 404 for what is no id', async () => {
      for (const id of ['0', '-1', '1.5', '1e3', 'abc', '9007199254740993', '%00', '77%20', '0x4d'])
        checkError(await get(`/projects/${id}`), 'resource_not_found', 'id');
    });

    it('are found by a county key in its county only', async () => {
      const county = await api.key('county', { stateIds: [], countyIds: [8013] });
      assert.equal((await data('/projects/78', county)).id, 77);
      for (const id of [76, 80, 81]) checkError(await get(`/projects/${id}`, county), 'resource_not_found');
      const page = await data('/projects/search?dateRange=all&includeGovernmentDecisions=true', county);
      assert.deepEqual(pluck(page, 'id'), [77]);
      const denied = await get('/projects/search?counties=8031', county);
      checkError(denied, 'geographic_access_denied');
      assert.deepEqual(denied.body.error.details.allowedCountyIds, [8013]);
    });
  });

  describe('that are government decisions', () => {
    const ids = async (query: string) => (await data(`/projects/search?dateRange=all${query}`)).map((record: { id: number }) => record.id);

    it('are shown only when asked for', async () => {
      assert(!(await ids('')).includes(81));
      for (const name of ['includeGovernmentDecisions', 'includeCivic', 'showAllRecords'])
        assert((await ids(`&${name}=true`)).includes(81), name);
      for (const spelling of ['Govt. Decisions', 'Govt Decisions', 'Government Decisions', 'govt_decisions'])
        assert.deepEqual(await ids(`&includeGovernmentDecisions=true&propertyTypes=${encodeURIComponent(spelling)}`), [81], spelling);
    });

    it('are refused where they are filtered for without being asked for', async () => {
      checkError(await get('/projects/search?propertyTypes=govt_decisions'), 'invalid_request', 'propertyTypes');
      const answer = await get('/projects/search?governmentDecisionSubtypes=ordinance_text');
      checkError(answer, 'invalid_request', 'governmentDecisionSubtypes');
    });
  });

  describe('have source documents', () => {
    it('that are read by meetingDocumentId, within the licence', async () => {
      const document = await data('/documents/501');
      assert.deepEqual([document.id, document.title, document.text], [501, 'Minutes', 'The minutes.']);
      const state = await api.key('state', { stateIds: [8], countyIds: [] });
      assert.equal((await data('/documents/501', state)).id, 501);
      checkError(await get('/documents/502', state), 'resource_not_found', 'id');
      checkError(await get('/documents/999', state), 'resource_not_found', 'id');
      const county = await api.key('county', { stateIds: [], countyIds: [48113] });
      assert.equal((await data('/documents/502', county)).id, 502);
      checkError(await get('/documents/501', county), 'resource_not_found', 'id');
    });
  });
});
