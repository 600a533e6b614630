/**
 * The public data sets as a generation file: pure rules with invented rows. The whole run needs the files as they were published, which are
 * no part of the project: `PUBLIC_DATA=folder npm test -- test/integration/ingest/sources.test.ts`.
 */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { caseNumber, readAcres, requestOf, votesOf } from '../../../ingest/sources/adapters/va_counties.ts';
import { SourceError, type WrittenGeneration, writeGeneration } from '../../../ingest/sources/generation.ts';
import { projectId } from '../../../ingest/sources/ids.ts';
import { rejectOf } from '../../../ingest/sources/items.ts';
import { findAcres, findLots, findStories, findUnits, withoutSurroundings } from '../../../ingest/sources/phrases.ts';
import { ADAPTERS } from '../../../ingest/sources/registry.ts';
import { compileTokenClassifier, compileUseClassifier, parseUse, withRoles } from '../../../ingest/sources/rules.ts';
import type { SourceAdapter, SourceItem } from '../../../ingest/sources/types.ts';
import { parseAmount, parseDay, parseZipCode } from '../../../ingest/sources/values.ts';
import type { ProjectStatement } from '../../../src/core/domain/record/statement.ts';
import * as vocabulary from '../../../src/core/domain/vocabulary.ts';
import { newFolder } from '../../support/folder.ts';

const { PUBLIC_DATA } = process.env;
const EXTRACTED_AT = '2026-01-01T00:00:00Z';

describe('rules of the public data sets', () => {
  const stages = [
    {
      stage: 'named',
      most: 2,
      rules: [
        { use: 'commercial/retail', when: { text: '\\bshop\\b' }, unless: { text: 'body shop' } },
        { use: 'residential', when: { text: 'dwelling' } },
        { use: 'residential/multifamily', when: { text: 'flats' } },
      ],
    },
    { stage: 'zone', most: 1, rules: [{ use: 'industrial', when: { zone: '^I-' } }] },
  ];

  it('take the first stage that says anything, each use once, in its fuller version and in the order of the text', () => {
    const classify = compileUseClassifier(stages);
    assert.deepEqual(classify({ text: 'A dwelling of flats over a SHOP', zone: 'I-1' }), [
      { type: 'residential', subtype: 'multifamily', assetClass: null, role: 'primary' },
      { type: 'commercial', subtype: 'retail', assetClass: null, role: 'secondary' },
    ]);
    assert.equal(classify({ text: 'A shop below flats' })[0]?.type, 'commercial');
    assert.equal(classify({ text: 'body shop', zone: 'I-1' })[0]?.type, 'industrial');
    assert.deepEqual(classify({ text: 'nothing said' }), []);
  });

  it('keep the place of the shallower version of a use and name roles in order', () => {
    const uses = withRoles(['residential', 'commercial', 'residential/townhome', 'industrial'].map(parseUse));
    assert.deepEqual(
      uses.map((u) => [u.type, u.subtype, u.role]),
      [
        ['residential', 'townhome', 'primary'],
        ['commercial', null, 'secondary'],
        ['industrial', null, 'other'],
      ],
    );
  });

  it('refuse uses and tokens that do not exist', () => {
    assert.throws(() => parseUse('residential/retail'), /not in the Building Type tree/);
    assert.throws(() => compileTokenClassifier([{ token: 'perhaps', when: {} }], vocabulary.statuses), /not in its vocabulary/);
  });

  it('read values without guessing', () => {
    assert.equal(parseDay('0001-01-01T00:00:00Z'), null);
    assert.equal(parseDay('2/30/2020'), null);
    assert.equal(parseDay('2019/07/17 08:36:06+00'), '2019-07-17');
    assert.equal(parseAmount('-600'), null);
    assert.equal(parseZipCode('950206106'), '95020-6106');
  });

  it('read figures from words only where they are clear', () => {
    assert.equal(findAcres('on 6.6 acres'), 6.6);
    assert.equal(findAcres('18 acres of a 97-acre parcel'), null);
    assert.equal(findUnits('up to 64 multi-family attached residential units'), 64);
    assert.equal(findUnits('8 dwelling units per acre'), null);
    assert.equal(findUnits('parking for 16 foot wide units'), null);
    assert.equal(findLots('47 residential lots'), 47);
    assert.equal(findStories('a 3-story building'), 3);
    assert.equal(findStories('a mix of two- and three-story buildings'), null);
    assert.equal(findUnits('to allow499 units including 31 affordable units'), null);
    assert.equal(findLots('SECTION 2 LOT 31A'), null);
    assert.doesNotMatch(withoutSurroundings('north of Church Street'), /church/i);
  });

  it('read minutes that OCR has bent', () => {
    assert.equal(caseNumber('17SNO787'), '17SN0787');
    assert.equal(caseNumber('16-567'), null);
    assert.equal(readAcres('map on 6. 6 acres known as'), 6.6);
    assert.equal(readAcres('map on . 7 acre known as'), 0.7);
    const opening = 'In Dale Magisterial District, Ann Example requests conditional use to permit a kennel. Density will be controlled';
    assert.deepEqual(requestOf(opening), { applicant: 'Ann Example', request: 'conditional use to permit a kennel.' });
    assert.equal(
      requestOf('In Dale Magisterial District, Ann to use of Example requests conditional use here Density will').applicant,
      null,
    );
    assert.deepEqual(votesOf('approve. Ayes: Smith and Jones. Nays: None'), [
      { name: 'Smith', vote: 'yes' },
      { name: 'Jones', vote: 'yes' },
    ]);
    assert.deepEqual(votesOf('Ayes: Nays: Smith, None. Jones'), []);
  });

  it('say in one sentence what is missing', async () => {
    await assert.rejects(writeGeneration({ from: 'no/such/folder', to: tmpdir() }), (error) => error instanceof SourceError);
    await assert.rejects(writeGeneration({ from: '.', to: tmpdir(), only: ['atlantis'] }), /There is no data set 'atlantis'/);
  });

  it('say in one sentence that the disk is full', async () => {
    const reject = (ownId: string) => rejectOf(ownId, [{}], 'none');
    const document = (ownId: string) =>
      ({ kind: 'document', ownId, rows: [{}], document: { text: randomBytes(500_000).toString('hex') } }) as unknown as SourceItem;
    const adapters = ADAPTERS as SourceAdapter[];
    const folder = newFolder('sources');
    for (const [extension, item] of [
      ['ndjson.gz', document],
      ['rejects.ndjson', reject],
    ] as const) {
      const read = async function* () {
        for (let i = 0; i < 5_000; i++) yield item(String(i));
      };
      adapters.push({ name: 'invented', title: 'Invented', files: [], read });
      mkdirSync(join(folder, 'invented'), { recursive: true });
      const file = join(folder, `generation-1.${extension}`);
      symlinkSync('/dev/full', `${file}.part`);
      await assert.rejects(writeGeneration({ from: folder, to: folder, only: ['invented'] }), (error) => {
        assert.equal(String(error), `Error: '${file}' cannot be written: ENOSPC: no space left on device, write.`);
        assert(error instanceof SourceError);
        return true;
      });
      adapters.pop();
      assert.deepEqual(readdirSync(folder), ['invented']);
    }
  });
});

/** Read, written: the least and the most that the files as published give. */
const EXPECTED: Record<string, [number, number]> = {
  ca_bayarea: [4_000, 4_089],
  fl_agendas: [600, 796],
  il_chicago: [70_000, 80_767],
  ma_massbuilds: [3_900, 4_279],
  nc_mecklenburg: [4_900, 5_519],
  ny_council: [2_400, 2_516],
  va_counties: [2_200, 2_800],
};

type Line = ProjectStatement & { kind: string };

async function* lines(file: string): AsyncGenerator<Line> {
  for await (const line of createInterface({ input: createReadStream(file).pipe(createGunzip()) })) yield JSON.parse(line) as Line;
}

const VOCABULARIES = {
  status: vocabulary.statuses,
  decisionBody: vocabulary.decisionBodies,
  decisionType: vocabulary.decisionTypes,
  requestType: vocabulary.requestTypes,
  constructionType: vocabulary.constructionTypes,
  actionType: vocabulary.actionTypes,
  actionCategory: vocabulary.actionCategories,
  propertyType: vocabulary.propertyTypes,
} as const;

/** Unknown tokens and wrong land uses of one line, in words. */
function mistakes(line: Line): string[] {
  const nested = [...(line.decisions ?? []), ...(line.statusHistory ?? []), ...(line.meetingDocuments ?? [])];
  const unknown = [line, ...nested].flatMap((part) =>
    Object.entries(VOCABULARIES).flatMap(([field, list]) => {
      const token = (part as unknown as Record<string, unknown>)[field];
      return typeof token === 'string' && !list.terms.some((t) => t.token === token) ? [`${field} ${token}`] : [];
    }),
  );
  const uses = line.landUses ?? [];
  const paths = uses.map((u) => [u.type, u.subtype, u.assetClass].filter(Boolean).join('/'));
  for (const path of paths) parseUse(path);
  const covered = paths.filter((path, i) => paths.some((other, j) => i !== j && (other === path || other.startsWith(`${path}/`))));
  const roles = uses.length > 0 && (uses[0]?.role !== 'primary' || uses.filter((u) => u.role === 'primary').length !== 1);
  return [...unknown, ...covered.map((path) => `use twice: ${path}`), ...(roles ? ['no single primary use'] : [])];
}

const wholeRun = (from: string) => (): void => {
  const folder = newFolder('sources');
  let written: WrittenGeneration;

  before(async () => {
    written = await writeGeneration({ from, to: folder, extractedAt: EXTRACTED_AT });
  });

  it('give the expected number of records, every row accounted for', () => {
    for (const set of written.sets) {
      const [least, most] = EXPECTED[set.name] ?? [0, 0];
      assert.ok(set.written >= least && set.written <= most, `${set.name}: ${set.written} records`);
    }
    assert.equal(written.sets.length, Object.keys(EXPECTED).length);
    assert.ok(written.records > 88_000, `${written.records} records`);
    const bay = written.sets.find((set) => set.name === 'ca_bayarea');
    assert.equal(bay?.notes.bad_coordinates, 252);
  });

  it('list every reject with its reason', () => {
    const rejects = readFileSync(written.rejectsFile, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(rejects.length, written.rejected);
    const reasons = new Set(rejects.map((reject) => reject.reason));
    assert.deepEqual([...reasons].sort(), ['no_case', 'no_case_number']);
    assert.ok(rejects.every((reject) => reject.source && reject.id && reject.rows >= 1));
  });

  it('give lines that are all valid, with known tokens and one number each', async () => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    ajv.addSchema(JSON.parse(readFileSync('ingest/generation.schema.json', 'utf8')));
    const valid = (kind: string) => ajv.compile({ $ref: `generation-line#/$defs/${kind}` });
    const validators = { generation: valid('generation'), project: valid('project'), document: valid('document') };
    const seen = { project: new Set<number>(), document: new Set<number>() };
    const referenced = new Set<number>();
    for await (const line of lines(written.file)) {
      const validate = validators[line.kind as keyof typeof validators];
      assert.ok(validate(line), `${line.id}: ${JSON.stringify(validate.errors)}`);
      if (line.kind === 'generation') continue;
      const numbers = seen[line.kind as keyof typeof seen];
      assert.ok(!numbers.has(line.id), `${line.id} occurs twice`);
      numbers.add(line.id);
      if (line.kind === 'project') assert.deepEqual(mistakes(line), [], `${line.caseNumbers}`);
      for (const document of line.meetingDocuments ?? []) referenced.add(document.meetingDocumentId);
    }
    assert.equal(seen.project.size, written.records);
    assert.equal(seen.document.size, written.documents);
    assert.ok([...referenced].every((id) => seen.document.has(id)));
  });

  it('map known cases as their files state them', async () => {
    const known = new Map<number, Line>();
    const wanted = new Map(Object.entries(SPOT_CHECKS).map(([key, check]) => [projectId(...check.id), key]));
    for await (const line of lines(written.file)) if (line.kind === 'project' && wanted.has(line.id)) known.set(line.id, line);
    for (const [key, { id, fields }] of Object.entries(SPOT_CHECKS)) {
      const line = known.get(projectId(...id));
      assert.ok(line, `${key} is missing`);
      const actual = Object.fromEntries(Object.keys(fields).map((field) => [field, line[field as keyof Line]]));
      assert.deepEqual(actual, fields, key);
    }
  });

  it('come out the same when read again', async () => {
    const second = await writeGeneration({ from, to: join(folder, 'again'), extractedAt: EXTRACTED_AT });
    assert.equal(await digest(second.file), await digest(written.file));
  });
};

if (PUBLIC_DATA !== undefined) describe('the public data sets as they were published', wholeRun(PUBLIC_DATA));

/** Of the unpacked content */
async function digest(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file).pipe(createGunzip())) hash.update(chunk);
  return hash.digest('hex');
}

const use = (type: string, subtype: string | null, assetClass: string | null, role: string) => ({ type, subtype, assetClass, role });

/** A few facts looked up by hand in the files. */
const SPOT_CHECKS: Record<string, { id: [string, string]; fields: object }> = {
  'a Chicago renovation': {
    id: ['il_chicago', '101006723'],
    fields: {
      recordType: 'permit',
      meetingDate: '2024-01-31',
      address: '8319 S ABERDEEN ST',
      countyId: 17031,
      cityId: 4887398,
      latitude: 41.742654,
      landUses: [use('residential', 'single_family', null, 'primary')],
      requestType: 'building_permit',
      constructionType: 'renovation',
      actionType: 'building_permit_issuance',
      caseNumbers: ['101006723'],
    },
  },
  'a Chicago revision that speaks of Section 504 dwelling units': {
    id: ['il_chicago', '101027369'],
    fields: { recordType: 'permit', totalUnitCount: undefined },
  },
  'a special permit in Manhattan': {
    id: ['ny_council', 'LU 0251-2015'],
    fields: {
      county: 'New York County',
      countyId: 36061,
      city: 'Manhattan',
      requestType: 'special_use_permit',
      parties: [{ role: 'applicant', name: 'Hospital for Special Surgery' }],
      decisionBody: 'city_council',
    },
  },
  'a Bay Area jail': {
    id: ['ca_bayarea', 'project/1'],
    fields: {
      projectName: 'Maple Street Correctional Center',
      city: 'Redwood City',
      county: 'San Mateo County',
      latitude: 37.49426,
      longitude: -122.21815,
      squareFootage: 260000,
      buildingStories: 4,
      zipCode: '94063',
      meetingDate: undefined,
      totalUnitCount: undefined,
    },
  },
  'a Charlotte petition of many polygons': {
    id: ['nc_mecklenburg', 'charlotte/2007-082'],
    fields: {
      status: 'approved',
      meetingDate: '2008-01-22',
      acreage: 170.27,
      proposedZoning: 'MUDD-O',
      countyId: 37119,
      decisionBody: 'city_council',
    },
  },
  'a development of both MassBuilds files': {
    id: ['ma_massbuilds', '4520'],
    fields: {
      projectName: '399 Binney Street',
      city: 'Cambridge',
      county: 'Middlesex County',
      status: 'approved',
      meetingDate: undefined,
      squareFootage: 172500,
      buildingStories: 4,
    },
  },
  'a case of Prince William': {
    id: ['va_counties', 'prince_william/REZ2024-00004'],
    fields: {
      meetingDate: undefined,
      acreage: 8.8,
      totalUnitCount: 192,
      existingZoning: 'B-2',
      proposedZoning: 'PMR',
      status: 'pending',
      requestType: 'rezoning',
      isRezone: true,
    },
  },
  'a case of the Chesterfield minutes': {
    id: ['va_counties', 'chesterfield/13SN0140'],
    fields: {
      meetingDate: '2013-01-23',
      acreage: 0.7,
      existingZoning: 'A',
      proposedZoning: 'C-3',
      decisionBody: 'board_of_supervisors',
      isRezone: true,
    },
  },
  'an agenda item of Doral': {
    id: ['fl_agendas', 'Miami-Dade/14481'],
    fields: {
      county: 'Miami-Dade County',
      city: 'Miami',
      meetingDate: '2026-07-23',
      appearanceCount: 3,
      requestType: 'comprehensive_plan_amendment',
      address: '770 NORTHWEST 41 AVENUE',
    },
  },
};
