/** What adapters state of small made-up rows: each test is a kind of error that reading records beside their sources has shown. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { auditText, drawRecords } from '../../../ingest/sources/audit.ts';
import { ADAPTERS } from '../../../ingest/sources/registry.ts';
import type { ProjectDraft, SourceRecord } from '../../../ingest/sources/types.ts';
import { loadPlaces } from '../../../src/core/store/files/loadPlaces.ts';
import { newFolder } from '../../support/folder.ts';

type Row = Record<string, unknown>;

const cellsOf = (values: readonly unknown[]) =>
  values.map((value) => JSON.stringify(String(value ?? '')).replaceAll('\\"', '""')).join(',');

const fileText = (name: string, rows: readonly Row[]) => {
  if (name.includes('.geojson'))
    return JSON.stringify({
      features: rows.map(({ at = [-81.5, 28.7], ...properties }) => ({ properties, geometry: { coordinates: at } })),
    });
  if (name.includes('.ndjson')) return rows.map((row) => JSON.stringify(row)).join('\n');
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return [cellsOf(columns.length ? columns : ['none']), ...rows.map((row) => cellsOf(columns.map((column) => row[column])))].join('\n');
};

describe('adapters of public data sets', () => {
  let from = '';
  const places = loadPlaces();

  beforeEach(() => {
    from = newFolder('adapters');
  });

  /** Writes made-up rows as the files of a data set. */
  function write(set: string, files: Record<string, readonly Row[]>): void {
    mkdirSync(join(from, set), { recursive: true });
    const names = ADAPTERS.find(({ name }) => name === set)?.files ?? [];
    for (const file of names) writeFileSync(join(from, set, file), gzipSync(fileText(file, files[file.split('.')[0] ?? ''] ?? [])));
  }

  async function read(set: string, files: Record<string, readonly Row[]>): Promise<SourceRecord[]> {
    write(set, files);
    const records: SourceRecord[] = [];
    const adapter = ADAPTERS.find(({ name }) => name === set);
    for await (const item of adapter?.read({ folder: join(from, set), places }) ?? []) if (item.kind === 'record') records.push(item);
    return records;
  }

  const project = async (set: string, files: Record<string, readonly Row[]>): Promise<ProjectDraft> => {
    const [record] = await read(set, files);
    assert(record);
    return record.project;
  };

  const permit = (stated: Row) => ({
    permits: [
      {
        n: 'P1',
        s: 'ACTIVE',
        t: 'PERMIT - NEW CONSTRUCTION',
        d: '2025-03-04',
        a: '1 W ELM ST',
        lat: 41.9,
        lon: -87.7,
        gc: null,
        os: null,
        ...stated,
      },
    ],
  });

  it('take no filing, update or completion for a hearing, and date no outcome by it', async () => {
    const filed = {
      'Case Number': 'REZ1',
      Type: 'Rezoning - Residential',
      Status: 'Approved',
      'Applied Date': '1/2/2020',
      Description: '',
    };
    const virginia = await project('va_counties', { princewilliam_rezoning: [filed] });
    assert.deepEqual([virginia.status, virginia.meetingDate, virginia.statusHistory], ['approved', undefined, undefined]);
    const updated = { id: 1, name: 'Elm Yard', status: 'completed', year_compl: 2015, updated_at: '2017-03-01 10:00:00' };
    const massachusetts = await project('ma_massbuilds', { developments: [updated] });
    assert.deepEqual([massachusetts.status, massachusetts.meetingDate], ['approved', undefined]);
    const pipeline = { APN: 'APN 1', NAMEADDR: '1 ELM ST', BESTDATE: '6/6/2016', FirstFiled: '1/1/2015' };
    const stages = [
      ['BP FILED', null],
      ['CONSTRUCTION', null],
      ['BP ISSUED', '2016-06-06'],
    ];
    for (const [BESTSTAT, day] of stages) {
      const { meetingDate, statusHistory } = await project('ca_bayarea', { sf_pipeline_2016Q4: [{ ...pipeline, BESTSTAT }] });
      assert.deepEqual([meetingDate, statusHistory?.map(({ date }) => date)], [day, day ? [day] : []], String(BESTSTAT));
    }
    const petition = { Petition: '2019-1', Petitioner: 'Oak LLC', ToZone: 'R-8', Received: '2019/01/02 00:00:00+00', Decision: 'Wd' };
    const carolina = await project('nc_mecklenburg', { rezoning_history: [petition] });
    assert.deepEqual([carolina.status, carolina.meetingDate, carolina.statusHistory], ['withdrawn', null, []]);
  });

  it('count only the votes that minutes name', async () => {
    const segment = { case_number: '175N0787', case_type: 'Rezoning', status: 'Approved', meeting_date: '2017-04-26' };
    const text = (end: string) =>
      `In Dale Magisterial District, Ann Example requests rezoning from Agricultural ( A) to Community Business ( C- 3) on . 7 acre known as 12 Elm Road. Density will be controlled. Tax ID 711- 671- 8840. On motion, the Board approved Case 17SN0787. Ayes: Smith and Jones. Nays: None.${end}`;
    const [alone] = await read('va_counties', { chesterfield_minutes: [{ ...segment, text: text('') }] });
    assert.deepEqual(alone?.project.voteTotals, { yes: 2, no: 0 });
    assert.deepEqual(
      [alone?.ownId, alone?.project.address, alone?.project.parcelNumbers],
      ['chesterfield/17SN0787', '12 Elm Road', ['711-671-8840']],
    );
    const absent = await project('va_counties', { chesterfield_minutes: [{ ...segment, text: text(' Absent: Holland.') }] });
    assert.deepEqual(absent.voteTotals, { yes: 2, no: 0, absent: 1 });
  });

  it('call no permit approved that was suspended, revoked or cancelled or has expired', async () => {
    const states = { ACTIVE: 'approved', SUSPENDED: 'unknown', EXPIRED: 'unknown', REVOKED: 'unknown', CANCELLED: 'withdrawn' };
    for (const [s, status] of Object.entries(states)) {
      const made = await project('il_chicago', permit({ s, x: 'ERECT A HOUSE' }));
      assert.deepEqual([made.status, made.decisions?.length], [status, s === 'ACTIVE' ? 1 : 0], s);
    }
  });

  it('read numbers with commas, in brackets and in words, and no ranges', async () => {
    const units = {
      'NEW 1,200 DWELLING UNITS, 12 STORIES': [1200, 12],
      'NEW 12-14 DWELLING UNITS, 3-4 STORY BUILDING': [null, null],
      'NEW 12 TO 14 DWELLING UNITS': [null, null],
      'NEW TWELVE (12) D.U. IN A SIX (6)-STORY BUILDING': [12, 6],
      'NEW TWO-STORY HOUSE WITH SECTION 504 DWELLING UNITS': [null, 2],
      'NEW HOTEL WITH 230 UNITS': [null, null],
      '193 TOWNHOUSES & 206 APARTMENTS, A TOTAL OF 399 RESIDENTIAL UNITS': [399, null],
      'NEW -5 UNITS': [null, null],
    };
    for (const [x, expected] of Object.entries(units)) {
      const { totalUnitCount, buildingStories } = await project('il_chicago', permit({ x }));
      assert.deepEqual([totalUnitCount, buildingStories], expected, x);
    }
    const acres = {
      'A site of ±12 acres': 12,
      'A site of 12-14 acres': null,
      '1.5 million square feet on .5 acres': 0.5,
      '1,050.5 acres': 1050.5,
    };
    for (const [desc, acreage] of Object.entries(acres)) {
      const made = await project('ma_massbuilds', { developments: [{ id: 1, name: 'Elm Yard', desc }] });
      assert.equal(made.acreage, acreage, desc);
    }
    const columns = { '1,200': 1200, '12-14': null, '-5': null, '~12': null, '1,2': null };
    for (const [hu, count] of Object.entries(columns)) {
      const made = await project('ma_massbuilds', { developments: [{ id: 1, name: 'Elm Yard', hu }] });
      assert.equal(made.totalUnitCount, count, hu);
    }
  });

  it('state no use that only a street, a neighbour, an overlay, another permit or the former district names', async () => {
    const silent = [
      'REPAIR WIRING AT CHURCH STREET',
      'WORK NEXT TO A SCHOOL',
      'WORK IN THE DATA CENTER OPPORTUNITY OVERLAY AND THE AIRPORT SAFETY OVERLAY',
      'FULL REBUILD OF REAR WOOD PORCH',
      'FIRE ALARM. AFFECTS: 0 DWELLING UNITS; 1 NON-RESIDENTIAL UNITS',
    ];
    const [, ...read_] = await read('il_chicago', {
      permits: ['ERECT A SINGLE FAMILY RESIDENCE', ...silent].map((x, i) => ({ ...permit({ x, n: `P${i}` }).permits[0] })),
    });
    assert.deepEqual(
      read_.map(({ project: { landUses }, notes }) => [landUses, notes]),
      silent.map(() => [[], ['no_land_use']]),
    );
    const garage = await project('il_chicago', permit({ x: 'ERECT A DETACHED FRAME GARAGE' }));
    assert.equal(garage.assetClass, 'residential_accessory_structure');
    const house = await project('il_chicago', permit({ x: 'PROPOSED 2 STORY SFR AND 2 CAR GARAGE' }));
    assert.equal(house.propertySubtype, 'single_family');
    const change = await project(
      'il_chicago',
      permit({ t: 'PERMIT - RENOVATION/ALTERATION', x: 'CHANGE OF USE FROM CHURCH TO RETAIL STORE' }),
    );
    assert.deepEqual(
      change.landUses?.map(({ subtype }) => subtype),
      ['retail'],
    );
  });

  it('state uses in the order of the words, and none of names, kinds of requests or what is excluded', async () => {
    const uses = {
      'OAK HILL SCHOOL : Rezone from A-1 to R-8 for a church and a private school': 'religious, education',
      'Rezone to C-3 for a restaurant, excluding a veterinary clinic and utility uses': 'restaurant',
      'Rezone to R-8 for 92 townhouses (including 6 ADUs)': 'townhome',
      'Redevelopment of an existing hotel with apartments': 'multifamily',
      'Rezone from A-1 to O(M), Office Mid-Rise, for a data center': 'data_center',
      'Rezone to B-1 for the corporate headquarters of a bank': 'office, personal_services',
      'Rezone to B-1 for a bank with drive-through': 'personal_services',
      'Rezone to R-16 (Multifamily Residential) for 12 townhouses': 'townhome',
    };
    for (const [Description, expected] of Object.entries(uses)) {
      const row = { 'Case Number': 'REZ1', Type: 'Rezoning', Description };
      const { landUses } = await project('va_counties', { loudoun_rezoning: [row] });
      assert.equal(landUses?.map(({ subtype }) => subtype).join(', '), expected, Description);
    }
    const listed = { id: 1, name: 'Elm Yard', desc: 'A marijuana dispensary. In addition, 4 parking spaces', ofcmd_sqft: '3500' };
    const dispensary = await project('ma_massbuilds', { developments: [listed], joined_2018: [{ ...listed, project_id: 1 }] });
    assert.deepEqual([dispensary.assetClass, dispensary.constructionType], ['cannabis_dispensary', null]);
    const matter = {
      File: 'LU 1-2026',
      Name: 'Zoning, St. Ann Overlay, Queens (250302 ZMQ)',
      Title:
        'Application number C\u00a0250302\u00a0ZMQ submitted by St. Ann Preparatory School, pursuant to the Charter, establishing within an existing R4 District a C1-2 District',
      StatusName: 'Companion Pending Approval by Council',
      BodyName: 'City Council',
      PassedDate: '0001-01-01',
      History: [
        {
          Date: '2026-08-13',
          BodyName: 'City Council',
          Action: 'Approved with Modifications and Referred to the City Planning Commission',
        },
      ],
    };
    const york = await project('ny_council', { land_use: [matter] });
    assert.deepEqual(
      [york.propertyType, york.caseNumbers],
      ['commercial', ['LU 1-2026', 'C\u00a0250302\u00a0ZMQ'.replaceAll('\u00a0', ' ')]],
    );
    assert.deepEqual([york.status, york.decisionType], ['pending', 'recommendation']);
  });

  it('take a kind of request for no name, and what was not asked for as no construction', async () => {
    const names = { 'PROFFER INTERPRETATION - 12 ELM COURT': null, 'REZONE ALL : to A-1': null, 'KINGS CREST - To rezone': 'KINGS CREST' };
    for (const [Description, name] of Object.entries(names)) {
      const row = { 'Case Number': 'REZ1', Type: 'Rezoning - Proffer Interpretation/Determination', Description };
      assert.equal((await project('va_counties', { princewilliam_rezoning: [row] })).projectName, name, Description);
    }
    const conversion = {
      'Case Number': 'ZRTD1',
      Type: 'Zoning Map Amendment',
      Description: 'A Zoning Conversion to convert land to PD-IP',
    };
    assert.equal((await project('va_counties', { loudoun_rezoning: [conversion] })).constructionType, null);
    const added = { development_projects_id: 1, site_name: 'Elm Yard', action: 'add', building_type: 'MR' };
    assert.equal((await project('ca_bayarea', { development_projects: [added] })).constructionType, null);
  });

  it('call permits and their names what they are', async () => {
    const express = (wt: string, x: string, os: string) => permit({ t: 'PERMIT – EXPRESS PERMIT PROGRAM', wt, x, os });
    const made = await project('il_chicago', express('Detached Frame Garage', 'NEW GARAGE', 'N&K PERMIT SERVICES'));
    assert.deepEqual([made.actionType, made.parties?.[0]?.role], ['building_permit_issuance', 'applicant']);
    const changed = await project(
      'il_chicago',
      express('Administrative Change', 'FOR PERMIT 1: REPLACEMENT PLUMBING CONTRACTOR. NEW ONE LISTED', 'C.N.T. INC'),
    );
    assert.equal(changed.parties?.[0]?.role, 'contractor');
    const two = await project('il_chicago', permit({ gc: 'ELM LLC | OAK INC', x: 'NEW HOUSE' }));
    assert.deepEqual(
      two.parties?.map(({ name }) => name),
      ['ELM LLC', 'OAK INC'],
    );
  });

  it('take an applicant for no project, and the largest district for the first', async () => {
    const petition = { Petition: '2019-1', Petitioner: 'Oak LLC', Approved: '2019/04/15 00:00:00+00', Decision: 'App', lng: -80.9 };
    const made = await project('nc_mecklenburg', {
      rezoning_history: [
        { ...petition, FromZone: 'R-3', ToZone: 'O-2', SHAPESTArea: 9.5, lat: 35.1 },
        { ...petition, FromZone: 'I-1', ToZone: 'R-8MF', SHAPESTArea: 806370, lat: 35.2 },
      ],
    });
    assert.equal(made.projectName, undefined);
    assert.deepEqual(
      [made.existingZoning, made.proposedZoning, made.propertySubtype, made.latitude],
      ['I-1, R-3', 'R-8MF, O-2', 'multifamily', 35.2],
    );
    const listed = {
      Source: 'charlotte',
      'Source ID': '2022-070',
      Name: 'Oak LLC',
      Applicant: 'Oak LLC',
      Municipality: 'Charlotte',
      Status: 'Pending',
    };
    const pending = await project('nc_mecklenburg', { rezoning_projects: [listed] });
    assert.deepEqual([pending.projectName, pending.displayName], [null, 'Oak LLC']);
    const changes = 'To rezone 0.39 acres from A-1 to B-1, 0.28 acres from A-1 to R-6, and 0.61 acres from R-6 to B-1 to allow shops.';
    const virginia = await project('va_counties', {
      princewilliam_rezoning: [{ 'Case Number': 'REZ1', Type: 'Rezoning', Description: changes }],
    });
    assert.deepEqual([virginia.existingZoning, virginia.proposedZoning], ['R-6, A-1', 'B-1, R-6']);
  });

  const agenda = (stated: Row) => ({
    id: String(stated.title),
    county: 'Orange',
    jurisdiction: 'Apopka',
    meeting_body: 'City Commission',
    meeting_date: '2026-07-15',
    summary: '',
    plain: '',
    link: '',
    project_type: 'rezoning',
    status: 'heard',
    ...stated,
  });

  it('make one project of the hearings of one case, without those that were cancelled', async () => {
    const items = [
      agenda({ title: 'Ordinance 9910-26 on first reading. (ANX2026-05006)', meeting_date: '2026-06-01' }),
      agenda({ title: 'Adopt Ordinance 9910-26 on second reading', meeting_date: '2026-07-01' }),
      agenda({ title: 'ANX2026-05006 again', meeting_date: '2026-08-01', meeting_body: 'Cancelled - City Commission' }),
      agenda({ title: 'Another case (ANX2026-05007). Status: Passed', meeting_date: '2026-07-01' }),
    ];
    const records = await read('fl_agendas', { projects: items });
    assert.deepEqual(
      records.map(({ rows, project: { meetingDate, appearanceCount, status } }) => [rows.length, meetingDate, appearanceCount, status]),
      [
        [3, '2026-07-01', 2, 'unknown'],
        [1, '2026-07-01', 1, 'approved'],
      ],
    );
  });

  it('take letters, companies, districts and neighbouring cases for what they are', async () => {
    const loudoun = (Type: string, Description: string) =>
      project('va_counties', { loudoun_rezoning: [{ 'Case Number': 'Z1', Type, Description }] });
    const letter = await loudoun('Zoning Correspondence', 'ELM OFFICES : Once rezoned from CR-1 to R-8. Would a hotel be allowed?');
    assert.deepEqual([letter.propertySubtype, letter.landUses?.length, letter.existingZoning ?? null], ['office', 1, null]);
    const company = await loudoun('Rezoning', 'Mattress Warehouse of Sterling, LLC asks to rezone from CR-1 to RC');
    assert.deepEqual([company.propertyType, company.landUses?.length], ['commercial', 1]);
    const segment = (text: string) => ({
      case_number: '17SN0502',
      case_type: 'Conditional Use Permit',
      status: 'Approved',
      meeting_date: '2016-12-14',
      text,
    });
    const opening =
      'In Dale Magisterial District, Elm Oak requests conditional use to permit a church and amendment of zoning district map in';
    const minutes = await project('va_counties', {
      chesterfield_minutes: [
        segment(`${opening} an Agricultural ( A) District on 4 acres known as 10 and 12 Elm Road. Density will be controlled.`),
        segment(
          `${opening} a Heavy Industrial ( I- 3) District. Tax IDs 745- 3600 709- and 6011. The Board approved Case 17SN0502 and accepted the following amended proffered conditions: no. Then staff recommended denial of another.`,
        ),
      ],
    });
    assert.deepEqual([minutes.propertySubtype, minutes.landUses?.length, minutes.address], ['religious', 1, null]);
    assert.deepEqual([minutes.status, minutes.decisions?.length], ['approved_with_conditions', 1]);
    assert.deepEqual([minutes.staffRecommendation, minutes.parcelNumbers], [null, []]);
  });

  it('take no address or point of somewhere else, and what an item asks for rather than the kind it was listed as', async () => {
    const places_ = [
      [{ title: '12 Elm Street', address: '12 Elm Street' }, '12 Elm Street', 28.7],
      [{ title: '12 Elm Street', address: '12 Elm Street', at: [-80.05, 26.69] }, '12 Elm Street', null],
      [{ title: 'Amendment 2026-1-A-4-1', address: '4-1 E Colonial Drive' }, null, null],
      [{ title: '11015 E Dr Martin Luther King Blvd', address: '11015 E Dr' }, null, null],
      [{ title: 'Letter to the City of North Miami 12400 NE 8th Avenue', address: '12400 NE 8th Avenue' }, null, null],
    ] as const;
    for (const [row, address, latitude] of places_) {
      const made = await project('fl_agendas', { projects: [agenda({ ...row })] });
      assert.deepEqual([made.address, made.latitude], [address, latitude], row.title);
    }
    const kinds = {
      'Elm Rd Right-of-Way Vacate - recorded in Plat Book 2': ['plat', 'right_of_way_vacation', null],
      'Tax relief for Lot 7, according to the Plat thereof. The related case COA (SP) 2024-040': ['plat', 'other_request', null],
      'Conditional Use Permit for a shop': ['special-exception', 'conditional_use_permit', 'special_permit_decision'],
      'Agreement between the county and Elm, LLC, on the plat': ['plat', 'other_request', null],
      'The third request seeks a variance for signs': ['land-use', 'variance', 'variance_decision'],
      'To amend Appendix F of the code': ['site-plan', 'zoning_text_amendment', 'text_amendment_decision'],
    };
    for (const [title, [project_type, requestType, actionType]] of Object.entries(kinds)) {
      const made = await project('fl_agendas', { projects: [agenda({ title, project_type })] });
      assert.deepEqual([made.requestType, made.actionType, made.caseNumbers], [requestType, actionType, []], title);
    }
    const postponed = await project('fl_agendas', {
      projects: [agenda({ title: 'ITEM IS POSTPONED. FILE NO.: 26-S-13 APPLICANT: Elm School LOCATION: Oak', status: 'upcoming' })],
    });
    assert.deepEqual([postponed.nextMeetingDate, postponed.landUses, postponed.caseNumbers], [null, [], ['26-S-13']]);
    assert.deepEqual(postponed.parties, [{ role: 'applicant', name: 'Elm School' }]);
  });

  it('read cases, parcels and addresses in the text', async () => {
    const title =
      'SE-10-25 at 12 W Dixie Highway, folio number 06-2230-006-0560 & 06-2230-006-0570, and Parcel Identification Number(s): 18-20-28-0000-00-030, 18-20-28-0000-00-063, as Resolution No. R-2025-468 of district RSC-6';
    const florida = await project('fl_agendas', { projects: [agenda({ title })] });
    assert.deepEqual(florida.caseNumbers, ['SE-10-25']);
    assert.deepEqual(florida.parcelNumbers, ['06-2230-006-0560', '06-2230-006-0570', '18-20-28-0000-00-030', '18-20-28-0000-00-063']);
    const matter = {
      File: 'LU 0893-2021',
      Name: 'Landmarks, Cooper Park Commons, Brooklyn (C 210484 PPK)',
      Title:
        'Application No. C 210484 PPK submitted by Oak LLC pursuant to the Charter for property located at 20 Kingsland Avenue (Block 2885, Lots 10 and 12)',
      StatusName: 'Adopted',
      BodyName: 'City Council',
      PassedDate: '2021-11-23T00:00:00Z',
      History: [],
    };
    const york = await project('ny_council', { land_use: [matter] });
    assert.deepEqual(york.caseNumbers, ['LU 0893-2021', 'C 210484 PPK']);
    assert.deepEqual([york.address, york.parcelNumbers], ['20 Kingsland Avenue', ['Block 2885, Lot 10', 'Block 2885, Lot 12']]);
  });

  it('take the county from the city, or from the point', async () => {
    const row = { development_projects_id: 1, site_name: 'Santa Rosa Plaza', building_type: 'OF', county: '0', city: '0' };
    const point = await project('ca_bayarea', { development_projects: [{ ...row, x: -122.716147, y: 38.43738773 }] });
    assert.deepEqual([point.county, point.city], ['Sonoma County', null]);
    const city = await project('ca_bayarea', { development_projects: [{ ...row, city: 'Los Gatos' }] });
    assert.equal(city.county, 'Santa Clara County');
    const nowhere = [
      [0, 0],
      ['0.0', ''],
      ['NULL', 'NULL'],
    ];
    for (const [x, y] of nowhere) {
      const [record] = await read('ca_bayarea', { development_projects: [{ ...row, x, y }] });
      assert.deepEqual(
        [record?.project.latitude, record?.project.longitude, record?.notes.includes('bad_coordinates')],
        [null, null, true],
      );
    }
  });

  it('can be read beside their rows, the same records for the same seed', async () => {
    write('il_chicago', { permits: Array.from({ length: 30 }, (_, i) => ({ ...permit({ n: `P${i}`, x: 'ERECT A HOUSE' }).permits[0] })) });
    const draw = (seed: string) => drawRecords({ from, only: ['il_chicago'], number: 4, seed });
    const idsOf = async (seed: string) => (await draw(seed)).map(({ id }) => id);
    assert.deepEqual(await idsOf('one'), await idsOf('one'));
    assert.notDeepEqual(await idsOf('one'), await idsOf('two'));
    const [first] = await draw('one');
    assert(first);
    assert.match(auditText([first]), /^== il_chicago P\d+\n-- row 1 +\| recordType: permit\n(?:.*\n)*x: ERECT A HOUSE +\|/);
  });
});
