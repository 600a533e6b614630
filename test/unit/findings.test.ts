/** What the loader finds in the lines of a file: each kind of fault with examples that are faulty and examples that are not. */
import assert from 'node:assert/strict';
import { makeFindingCollectors } from '../../ingest/findings/collectors.ts';
import type { FindingContext, LoadFinding } from '../../ingest/findings/finding.ts';
import { findPageKind } from '../../ingest/findings/minutes.ts';
import type { FiguresByPlace, PlaceTally } from '../../ingest/findings/placeFigures.ts';
import { normaliseProject, withIdentity } from '../../ingest/read/normalise.ts';
import { type DocumentLine, type ProjectLine, parseLine } from '../../ingest/read/parseLine.ts';
import type { ProjectStatement } from '../../src/core/domain/record/statement.ts';
import { loadPlaces } from '../../src/core/store/files/loadPlaces.ts';
import { pluck } from '../support/lists.ts';

const TODAY = '2026-11-20';
const places = loadPlaces();
const SERVED = new Map<string, PlaceTally>([['8||', { records: 1, fields: {} }]]);

const BOULDER = { state: 'CO', county: 'Boulder County', city: 'Boulder', zipCode: '80302', latitude: 40.015, longitude: -105.27 };

/** A line without a fault; each has its own case. */
const goodLine = (id: number, more: object = {}) => ({
  kind: 'project',
  id,
  propertyType: 'residential',
  decisionBody: 'planning_commission',
  caseNumbers: [`PC-2026-${id}`],
  meetingDate: '2026-10-01',
  ...BOULDER,
  ...more,
});

/** The findings of a file with these lines. */
function findIn(
  lines: readonly object[],
  {
    isNew = false,
    now = new Map(),
    before = {},
    ...options
  }: Partial<FindingContext> & {
    isNew?: boolean;
    now?: FiguresByPlace;
    /** what differs in what all of them stated before */
    before?: Partial<ProjectStatement>;
  } = {},
): LoadFinding[] {
  const collectors = makeFindingCollectors({ places, today: TODAY, ...options });
  for (const one of lines) {
    const text = JSON.stringify(one);
    const parsed = parseLine(text);
    assert.ok('line' in parsed, JSON.stringify(parsed));
    const { line } = parsed;
    for (const collector of collectors) {
      if (line.kind === 'document') collector.addDocument(line as DocumentLine);
      if (line.kind !== 'project') continue;
      const statement = withIdentity(normaliseProject(line as ProjectLine, places), undefined);
      collector.addProject(statement, { line: line as ProjectLine, text, served: isNew ? undefined : { ...statement, ...before } });
    }
  }
  return collectors.flatMap((collector) => collector.listFindings({ now, served: SERVED }));
}

const BOULDER_COUNTY = 'Boulder County, CO';
const GOOD = Array.from({ length: 200 }, (_, i) => goodLine(1000 + i));
const codesOf = (findings: readonly LoadFinding[]) => [...new Set(findings.map(({ code }) => code))].sort();
/** Codes that one record makes among many good ones, of which it is less than one percent. */
const codesFor = (more: object) => codesOf(findIn([...GOOD, goodLine(1, more)]));

const named = (yes: number, no: number) => [
  ...Array.from({ length: yes }, (_, i) => ({ name: `Y${i}`, vote: 'yes' })),
  ...Array.from({ length: no }, (_, i) => ({ name: `N${i}`, vote: 'no' })),
];

describe('Findings in the lines of a file', () => {
  it('are none in good lines, nor in what only seems odd', () => {
    const honest = [
      goodLine(1, { city: 'Longmont', latitude: 40.17, longitude: -105.1 }),
      goodLine(3, {
        state: 'CA',
        county: 'San Francisco County',
        city: 'San Francisco',
        zipCode: '94130',
        latitude: 37.826,
        longitude: -122.372,
      }),
      goodLine(4, { state: 'AK', county: 'Aleutians West Census Area', city: null, zipCode: '99546', latitude: 51.88, longitude: -176.65 }),
      goodLine(5, { city: 'Gunbarrel Heights', zipCode: null, latitude: null, longitude: null }),
      goodLine(6, { summary: 'Café Zoë, São Tomé, “quoted” – 12 m² • naïve Â' }),
      goodLine(7, { decisions: [{ meetingDate: '2026-10-01', votes: named(5, 2) }], voteTotals: { yes: 5, no: 2, absent: 1 } }),
      goodLine(8, { decisions: [{ meetingDate: '2026-10-01', votes: [{ name: 'Ann', vote: 'absent' }] }], voteTotals: { yes: 5, no: 2 } }),
      goodLine(9, { firstMeetingDate: '2026-09-01', decisions: [{ meetingDate: '2026-10-01' }], nextMeetingDate: '2027-03-01' }),
      goodLine(10, { county: null, city: null, zipCode: null }),
      { kind: 'document', id: 1, state: 'CO', text: 'Motion by Smith, second by Lee. Ayes: 5. Access denied to Highway 36. Carried.' },
      { kind: 'document', id: 2, state: 'CO', text: null },
    ];
    assert.deepEqual(findIn([...GOOD, ...honest]), []);
  });

  const faulty: [code: string, more: object][] = [
    ['point_outside', { latitude: 27.95, longitude: -82.46 }],
    ['point_outside', { latitude: 39.74, longitude: -104.99 }],
    ['point_outside', { county: null, city: null, latitude: 41.2, longitude: -104.8, zipCode: null }],
    ['point_outside', { latitude: 40.015, longitude: 105.27 }],
    ['ids_contradict', { countyId: 8031, city: null, latitude: null, longitude: null }],
    ['ids_contradict', { stateId: 12, county: null, city: null, zipCode: null, latitude: null, longitude: null }],
    ['ids_contradict', { cityId: 5419384, latitude: null, longitude: null, county: null, zipCode: null }],
    ['ids_contradict', { state: 'MO', county: 'Saint Louis County', city: 'Saint Louis', zipCode: null, latitude: null, longitude: null }],
    ['votes_contradict', { decisions: [{ meetingDate: '2026-10-01', votes: named(5, 2) }], voteTotals: { yes: 7, no: 0 } }],
    ['votes_contradict', { decisions: [{ meetingDate: '2026-10-01', votes: named(5, 0) }], voteTotals: { yes: 5, no: 1 } }],
    [
      'votes_contradict',
      { decisions: [{ meetingDate: '2026-10-01', votes: [...named(5, 2), ...named(5, 2)] }], voteTotals: { yes: 10, no: 4 } },
    ],
    ['dates_contradict', { firstMeetingDate: '2026-10-02', decisions: [{ meetingDate: '2026-10-01' }] }],
    ['dates_contradict', { firstMeetingDate: '2026-10-02' }],
    ['dates_contradict', { meetingDate: '1979-12-31' }],
    ['dates_contradict', { nextMeetingDate: '2028-11-21' }],
    [
      'dates_contradict',
      {
        meetingDocumentId: 5,
        meetingDocuments: [{ meetingDocumentId: 5, decisionBody: 'planning_commission', meetingDate: '2026-09-01' }],
        decisions: [{ decisionBody: 'planning_commission', meetingDate: '2026-10-01' }],
      },
    ],
    ['placeholder_date', { meetingDate: '1900-01-01' }],
    ['placeholder_date', { statusHistory: [{ status: 'pending', date: '1970-01-01' }] }],
    ['placeholder_date', { nextMeetingDate: '2099-12-31' }],
    ['text_damaged', { summary: 'DoÃ±a Ana' }],
    ['text_damaged', { summary: 'the applicantâ€™s site' }],
    ['text_damaged', { parties: [{ role: 'owner', name: 'Caf\ufffd' }] }],
    ['text_damaged', { summary: 'a\u0001b' }],
    ['text_damaged', { projectName: 'x \u001d\b y' }],
  ];
  for (const [code, more] of faulty)
    it(`are ${code} for ${JSON.stringify(more)}`, () => {
      assert.deepEqual(codesFor(more), [code]);
    });

  const exchanged: [field: string, more: object][] = [
    ['city', { city: 'Denver', latitude: null, longitude: null }],
    ['city', { city: 'Colorado Springs', latitude: null, longitude: null }],
    ['zipCode', { zipCode: '33602' }],
    ['latitude', { latitude: 39.74, longitude: -104.99 }],
    ['state', { state: 'VA', latitude: null, longitude: null, zipCode: null }],
  ];
  for (const [field, more] of exchanged)
    it(`are places_exchanged for five records, which refuse, or one in a hundred, which warns, with ${JSON.stringify(more)}`, () => {
      const find = (faults: number, good: number) =>
        findIn([...GOOD.slice(0, good), ...Array.from({ length: faults }, (_, i) => goodLine(1 + i, more))]).filter(
          ({ code }) => code === 'places_exchanged',
        );
      const [finding, ...others] = find(5, 200);
      assert.deepEqual(
        [finding?.severity, finding?.field, finding?.count, finding?.examples, others],
        ['refuse', field, 5, [1, 2, 3, 4, 5], []],
      );
      if (field === 'state') return; // its place is another state, in which it is every record
      assert.deepEqual(find(1, 200), []);
      assert.deepEqual(pluck(find(1, 99), 'severity'), ['warn']);
      assert.deepEqual(pluck(find(4, 20), 'severity'), ['warn']);
      assert.deepEqual([finding?.place], ['Boulder County, CO']);
    });

  it('are a share of all records of the place in the generation, of which an increment states a few', () => {
    const line = goodLine(1, { zipCode: '33602' });
    assert.deepEqual(codesOf(findIn([line])), ['places_exchanged']);
    assert.deepEqual(
      codesOf(
        findIn([line], {
          now: new Map([
            ['8|8013|', { records: 101, fields: {} }],
            ['8||', { records: 101, fields: {} }],
          ]),
        }),
      ),
      [],
    );
  });

  it('are named for a state where each of its counties has too few', () => {
    const spread = ['Adams County', 'Boulder County', 'Denver County', 'Jefferson County', 'Weld County'];
    const lines = spread.flatMap((county, at) =>
      Array.from({ length: 150 }, (_, i) =>
        goodLine(1000 * (at + 1) + i, { county, city: null, latitude: null, longitude: null, zipCode: i ? '80302' : '10001' }),
      ),
    );
    const [finding, ...others] = findIn(lines);
    assert.deepEqual([finding?.code, finding?.place, finding?.count, others], ['places_exchanged', 'CO', 5, []]);
  });

  it('are same_case for the copies of a case of one body, however its number is written', () => {
    const copies = Array.from({ length: 5 }, (_, i) => goodLine(1 + i, { caseNumbers: [i % 2 ? 'PC 2026.9' : 'pc-2026-9'] }));
    const [finding, ...others] = findIn([...GOOD, ...copies]);
    assert.deepEqual([finding?.code, finding?.severity, finding?.count, others], ['same_case', 'refuse', 5, []]);
    assert.equal(finding?.place, 'Planning Commission, Boulder County, CO');
    const elsewhere = ['Longmont', 'Louisville', 'Lafayette', 'Superior', 'Lyons'].map((city, i) =>
      goodLine(1 + i, { city, caseNumbers: ['PC-2026-9'], latitude: null, longitude: null }),
    );
    assert.deepEqual(findIn([...GOOD, ...elsewhere]), []);
  });

  it('are old_news for fifty new records that were last heard two years ago', () => {
    const old = (count: number) => Array.from({ length: count }, (_, i) => goodLine(1 + i, { meetingDate: '2024-11-19' }));
    assert.deepEqual(codesOf(findIn(old(50), { isNew: true })), ['old_news']);
    assert.deepEqual(codesOf(findIn(old(49), { isNew: true })), []);
    assert.deepEqual(codesOf(findIn(old(50))), []);
  });

  it('are unresolved_place for names that the catalogue does not know', () => {
    const lines = Array.from({ length: 5 }, (_, i) => goodLine(1 + i, { county: 'Bolder Conty', city: null }));
    assert.deepEqual(codesOf(findIn([...GOOD, ...lines])), ['unresolved_place']);
  });

  const NAME = 'Maple Yard, a subdivision of 40 lots';
  const changed: [what: string, now: object, before: Partial<ProjectStatement>, code?: string, field?: string][] = [
    ['hearings a year earlier', { meetingDate: '2025-10-01' }, { meetingDate: '2026-10-01' }, 'dates_contradict', 'meetingDate'],
    ['approvals on a day to come', { meetingDate: '2027-10-01', status: 'approved' }, {}, 'dates_contradict', 'meetingDate'],
    [
      'first hearings a year later',
      { firstMeetingDate: '2026-05-01' },
      { firstMeetingDate: '2025-05-01' },
      'dates_contradict',
      'firstMeetingDate',
    ],
    ['titles that were cut', { projectName: NAME.slice(0, 20) }, { projectName: NAME }, 'text_damaged', 'projectName'],
    ['hearings that follow', { meetingDate: '2026-10-01' }, { meetingDate: '2026-09-01' }],
    ['hearings to come that are cancelled', { meetingDate: '2026-10-01' }, { meetingDate: '2026-12-01' }],
    ['titles that grew', { projectName: NAME }, { projectName: NAME.slice(0, 20) }],
  ];
  for (const [what, now, before, code, field] of changed)
    it(`are ${code ?? 'none'} for ${what} of many served records of a body`, () => {
      const lines = Array.from({ length: 20 }, (_, i) => goodLine(1 + i, now));
      const found = findIn(lines, { before }).map((one) => [one.code, one.field, one.place, one.count]);
      assert.deepEqual(
        found,
        code ? [[code, field, code === 'text_damaged' ? BOULDER_COUNTY : `Planning Commission, ${BOULDER_COUNTY}`, 20]] : [],
      );
      assert.deepEqual(findIn(lines.slice(0, 4), { before }), [], 'a few are corrected');
    });

  it('are ids_contradict for an id that was served as another case', () => {
    const other = { projectName: 'Elm Court', caseNumbers: ['V-1'] };
    for (const before of [other, { countyId: 8031 }])
      assert.deepEqual(pluck(findIn([goodLine(1)], { before }), 'code', 'field', 'count'), [['ids_contradict', 'id', 1]]);
    for (const before of [{ projectName: 'Elm Court' }, { caseNumbers: ['V-1'] }, { ...other, caseNumbers: ['V-1', 'pc 2026 1'] }])
      assert.deepEqual(findIn([goodLine(1, { projectName: NAME })], { before: { projectName: NAME, ...before } }), []);
  });

  it('follow other thresholds where they are set', () => {
    const one = [...GOOD, goodLine(1, { zipCode: '33602' })];
    assert.deepEqual(codesOf(findIn(one, { thresholds: { places_exchanged: { records: 1, percent: null } } })), ['places_exchanged']);
    assert.deepEqual(codesOf(findIn(one, { thresholds: { places_exchanged: { records: 2, percent: null } } })), []);
  });

  describe('of documents', () => {
    const pages = [
      '',
      ' \n\t ',
      '<html><head><title>404 Not Found</title></head><body><h1>Not Found</h1></body></html>',
      'Error 404\nThe page you are looking for cannot be found.',
      'HTTP Error 403.14 - Forbidden',
      '503 Service Temporarily Unavailable nginx',
      'Just a moment... Checking your browser before accessing the site. Ray ID: 7d2',
      'We use cookies to improve your experience. Accept all cookies. Manage preferences.',
      'Please sign in to continue. Email address Password Forgot password?',
      'Your session has expired. Log in again.',
      '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>',
      'Please enable JavaScript to view this page.',
      'Iniciar sesión. Usuario. Contraseña. ¿Olvidó su contraseña?',
      'Página no encontrada',
      'Utilizamos cookies para mejorar su experiencia.',
      'Se connecter. Mot de passe oublié ?',
      '登录 用户名 密码',
      ' 404 ',
      'Loading...',
      'null',
      '{"error":"no such document"}',
      '%PDF-1.4 1 0 obj',
      'City of Springfield: Agendas & Minutes, City Council, Planning Commission. Page not found. The page does not exist.',
    ];
    for (const page of pages)
      it(`are not_minutes for ${JSON.stringify(page.slice(0, 60))}`, () => {
        const document = {
          kind: 'document',
          id: 7,
          state: 'CO',
          county: 'Boulder County',
          decisionBody: 'planning_commission',
          text: page,
        };
        const [finding, ...others] = findIn([document]);
        assert.deepEqual([finding?.code, finding?.examples, others], ['not_minutes', [7], []]);
        assert.equal(finding?.place, 'Planning Commission, Boulder County, CO');
      });

    it('are none for texts of meetings that speak of such things', () => {
      const texts = [
        'The applicant asks that the parcel at 404 Found Street be rezoned; motion carried, 5 ayes.',
        'Access denied. The motion to deny the variance was seconded by Ms. Lee; ayes 4, nays 1.',
        'See Land Use Calendar',
        'Log in to the meeting at zoom.us, passcode 4433.',
        'Reunión por Zoom, contraseña 4433.',
        'Reunión cancelada por falta de quórum.',
        'ROLL CALL. The petitioner will sign in to the staff report system. Public hearing closed; approved.',
      ];
      assert.deepEqual(
        texts.map(findPageKind),
        texts.map(() => undefined),
      );
    });
  });
});
