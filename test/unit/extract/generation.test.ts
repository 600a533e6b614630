/** What becomes of the cases of documents: records with stable ids, quotes that stand in their documents, the report, and refusals of wrong use. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { ExtractReport } from '../../../ingest/extract/generation/types.ts';
import { type ExtractionOptions, writeExtraction } from '../../../ingest/extract/generation/writeExtraction.ts';
import { normaliseProject } from '../../../ingest/read/normalise.ts';
import { type DocumentLine, type GenerationHeader, type ProjectLine, parseLine } from '../../../ingest/read/parseLine.ts';
import { Geocoder } from '../../../src/core/providers/geocoder.ts';
import { LanguageModel, MODEL_SETTINGS } from '../../../src/core/providers/languageModel.ts';
import { loadPlaces } from '../../../src/core/store/files/loadPlaces.ts';
import { newFolder } from '../../support/folder.ts';
import { type GeocoderServer, startGeocoder } from '../../support/geocoderServer.ts';
import { type ModelReply, type TestModel, testModel } from '../../support/languageModel.ts';
import { makeExtractor, writeMinutes } from '../../support/madeMinutes.ts';
import { Random } from '../../support/random.ts';

const places = loadPlaces();

const BODIES = [
  { files: 'pc/*.txt', state: 'CO', city: 'Boulder', body: 'Planning Commission' },
  { files: 'council/*.txt', state: 'CO', city: 'Boulder', body: 'City Council' },
];

const REZONING = {
  number: 'RZ-2026-14',
  parcel: '1463-06-100',
  address: '12 Oak Street',
  applicant: 'Maple Yard LLC',
  type: 'rezoning',
  use: 'residential',
};

describe('an extraction', () => {
  let folder = '';
  beforeEach(() => {
    folder = newFolder('extraction');
    for (const name of ['docs/pc', 'docs/council']) mkdirSync(path.join(folder, name), { recursive: true });
    writeFileSync(path.join(folder, 'bodies.json'), JSON.stringify(BODIES));
  });

  const put = (file: string, text: string) => {
    const target = path.join(folder, 'docs', file);
    writeFileSync(target, text);
    utimesSync(target, 1_700_000_000, 1_700_000_000);
  };
  const putBoth = () => {
    put(
      'pc/march.txt',
      writeMinutes('minutes', '2026-03-02', [{ ...REZONING, title: 'Maple Yard', motion: 'recommended_approval 5-1 Ash yes Birch no' }]),
    );
    put(
      'council/april.txt',
      writeMinutes('minutes', '2026-04-06', [{ ...REZONING, acres: 4.2, motion: 'approved 6-0', condition: 'Plant trees.' }]),
    );
  };

  let runs = 0;
  async function extract(options: Partial<ExtractionOptions> = {}) {
    const out = path.join(folder, options.out ?? `generation-${++runs}.ndjson.gz`);
    const extractor = makeExtractor();
    const bodies = path.join(folder, 'bodies.json');
    const summary = await writeExtraction({
      folder: path.join(folder, 'docs'),
      bodies,
      generation: 1,
      mode: 'full',
      places,
      extractor,
      ...options,
      out,
    });
    const bytes = gunzipSync(readFileSync(out)).toString();
    const lines = bytes
      .trimEnd()
      .split('\n')
      .map((text) => {
        const parsed = parseLine(text);
        assert(!('problems' in parsed), JSON.stringify(parsed));
        return parsed.line;
      });
    const report = JSON.parse(readFileSync(summary.report, 'utf8')) as ExtractReport;
    const projects = lines.filter((line) => line.kind === 'project') as ProjectLine[];
    const documents = lines.filter((line) => line.kind === 'document') as DocumentLine[];
    for (const project of projects) normaliseProject(project, places);
    return { out, summary, bytes, header: lines[0] as GenerationHeader, projects, documents, report, reads: extractor.reads };
  }

  it('joins the hearings of a commission and a council with a common case number into one project', async () => {
    putBoth();
    const { projects, report, summary } = await extract();
    assert.equal(projects.length, 1);
    const [project] = projects as [ProjectLine];
    assert.deepEqual(
      project.decisions?.map(({ decisionBody, decisionType, status, meetingDate, votes }) => [
        decisionBody,
        decisionType,
        status,
        meetingDate,
        votes?.length ?? 0,
      ]),
      [
        ['planning_commission', 'recommendation', 'recommended_approval', '2026-03-02', 2],
        ['city_council', 'final_action', 'approved', '2026-04-06', 0],
      ],
    );
    assert.deepEqual(
      [project.status, project.decisionBody, project.projectName, project.acreage, project.meetingDate, project.firstMeetingDate],
      ['approved', 'city_council', 'Maple Yard', 4.2, '2026-04-06', '2026-03-02'],
    );
    assert.deepEqual([project.voteTotals, project.conditionsOfApproval], [{ yes: 6, no: 0 }, ['Plant trees.']]);
    assert.deepEqual([project.city, project.cityId, project.latitude, project.longitude], ['Boulder', 5574991, undefined, undefined]);
    assert.deepEqual(summary.joined, { same_case_number: 1 });
    assert.deepEqual([report.doubts, report.fields.acreage, report.documents.map(({ cases }) => cases)], [[], 1, [1, 1]]);
  });

  it('quotes for each value words that stand in its document, which comes before', async () => {
    putBoth();
    const { projects, documents } = await extract();
    const quotes = projects[0]?.evidence ?? [];
    assert(quotes.length > 10);
    for (const { field, quote, documentId } of quotes) {
      assert(documents.find(({ id }) => id === documentId)?.text?.includes(quote), quote);
      assert(projects[0]?.[field], `${field} is stated`);
    }
    assert.deepEqual(
      quotes.filter(({ field }) => field === 'status').map(({ quote }) => quote),
      ['approved 6-0'],
    );
    assert(
      !quotes.some(
        ({ field, documentId }) =>
          field === 'voteTotals' && documentId === documents.find(({ decisionBody }) => decisionBody === 'planning_commission')?.id,
      ),
    );
  });

  it('gives the same bytes for the same documents, and reads none of them again', async () => {
    putBoth();
    const first = await extract();
    const second = await extract();
    assert.equal(second.bytes, first.bytes);
    assert.deepEqual(readFileSync(first.out), readFileSync(second.out));
    assert.equal(first.header.extractedAt, '2023-11-14T22:13:20.000Z');
    assert.deepEqual([first.reads.length, second.reads.length, second.summary.kept], [2, 0, 2]);
    assert.deepEqual(second.report, first.report);
  });

  it('changes only the cases of a document that changed', async () => {
    putBoth();
    put(
      'pc/may.txt',
      writeMinutes('minutes', '2026-05-04', [{ number: 'SP-1', type: 'site_plan', use: 'commercial', motion: 'denied 4-2' }]),
    );
    const before = await extract();
    put(
      'pc/may.txt',
      writeMinutes('minutes', '2026-05-04', [{ number: 'SP-1', type: 'site_plan', use: 'commercial', motion: 'approved 4-2' }]),
    );
    const after = await extract();
    const changed = (a: typeof before, b: typeof before) => a.bytes.split('\n').filter((line) => !b.bytes.includes(line));
    assert.equal(changed(after, before).length, 2, 'its document and its case');
    assert.deepEqual(after.reads, ['pc/may.txt']);
    assert.deepEqual(
      after.projects.map(({ id }) => id),
      before.projects.map(({ id }) => id),
    );
  });

  it('takes an agenda for a hearing ahead, without an outcome', async () => {
    put('pc/march.txt', writeMinutes('minutes', '2026-03-02', [{ ...REZONING, motion: 'continued 6-0', next: '2026-04-06' }]));
    put('council/april.txt', writeMinutes('agenda', '2026-04-06', [{ ...REZONING, motion: 'approved 6-0' }]));
    put('council/june.txt', writeMinutes('agenda', '2026-06-01', [{ number: 'SP-9', type: 'site_plan', use: 'commercial' }]));
    const { projects } = await extract();
    assert.deepEqual(
      projects.map(({ status, meetingDate, nextMeetingDate, decisions }) => [status, meetingDate, nextMeetingDate, decisions?.length ?? 0]),
      [
        ['continued', '2026-03-02', '2026-04-06', 1],
        ['pending', '2026-06-01', '2026-06-01', 0],
      ],
    );
  });

  it('joins cases without a common number by parcel and request or by address and applicant, and doubts it', async () => {
    const { number: _, ...unnumbered } = REZONING;
    put('pc/march.txt', writeMinutes('minutes', '2026-03-02', [{ ...REZONING, motion: 'recommended_approval 5-0' }]));
    put('council/april.txt', writeMinutes('minutes', '2026-04-06', [{ ...unnumbered, motion: 'approved 6-0' }]));
    const joined = await extract();
    assert.deepEqual([joined.projects.length, joined.summary.joined], [1, { same_parcel_and_request: 1 }]);
    assert.deepEqual(joined.report.doubts, [
      {
        file: 'council/april.txt',
        case: '12 Oak Street',
        field: 'caseNumbers',
        reasons: ['joined with pc/march.txt: same_parcel_and_request'],
      },
    ]);
    for (const [what, other] of Object.entries({
      'another request': { ...unnumbered, type: 'site_plan' },
      'another number of the same body': { ...REZONING, number: 'RZ-2026-99' },
      'three years later': { ...unnumbered, late: 'true' },
    })) {
      const late = 'late' in other;
      put('council/april.txt', writeMinutes('minutes', '2026-04-06', [{ number: 'SP-7', type: 'site_plan', use: 'commercial' }]));
      put('pc/second.txt', writeMinutes('minutes', late ? '2029-04-06' : '2026-04-06', [{ ...other, motion: 'approved 6-0' }]));
      assert.equal((await extract()).projects.length, 3, what);
    }
  });

  it('keeps the ids of the generation before, and merges what were two records of it', async () => {
    putBoth();
    const [{ id }] = (await extract()).projects as [ProjectLine];
    const line = (caseNumber: string, lineId: number) =>
      JSON.stringify({
        kind: 'project',
        id: lineId,
        state: 'CO',
        stateId: 8,
        cityId: 5574991,
        caseNumbers: [caseNumber],
        decisionBody: 'city_council',
      });
    const before = path.join(folder, 'previous.ndjson');
    const previous = [before];
    const header = JSON.stringify({ kind: 'generation', generation: 1, mode: 'full', extractedAt: '2026-01-01T00:00:00Z' });
    writeFileSync(before, `${header}\n${line('RZ 2026-14', 77)}\n`);
    assert.deepEqual(
      (await extract({ previous })).projects.map((one) => [one.id, one.mergedFrom]),
      [[77, undefined]],
    );
    put('council/may.txt', writeMinutes('minutes', '2026-05-04', [{ ...REZONING, number: 'ORD-9', motion: 'approved 6-0' }]));
    writeFileSync(before, `${header}\n${line('RZ-2026-14', 77)}\n${line('X-1', 78)}\n`);
    put(
      'council/june.txt',
      writeMinutes('minutes', '2026-06-04', [
        { number: 'RZ-2026-14', title: 'A', use: 'residential' },
        { number: 'X-1', use: 'residential', title: 'B' },
      ]),
    );
    const { projects } = await extract({ previous });
    assert.deepEqual(new Set(projects.map((one) => one.id)).size, projects.length);
    assert.notEqual(id, 77);
  });

  it('restates in an increment what the generation before stated of a case', async () => {
    put('pc/march.txt', writeMinutes('minutes', '2026-03-02', [{ ...REZONING, title: 'Maple Yard', motion: 'recommended_approval 5-1' }]));
    put('council/none.txt', writeMinutes('minutes', '2026-01-01', []));
    const full = await extract();
    rmSync(path.join(folder, 'docs/pc/march.txt'));
    put('council/april.txt', writeMinutes('minutes', '2026-04-06', [{ ...REZONING, motion: 'approved 6-0' }]));
    put('pc/none.txt', writeMinutes('minutes', '2026-01-01', []));
    const { projects, header } = await extract({ mode: 'increment', previous: [full.out] });
    assert.deepEqual([header.mode, projects.length, projects[0]?.id], ['increment', 1, full.projects[0]?.id]);
    const [project] = projects as [ProjectLine];
    assert.deepEqual(
      [
        project.decisions?.map(({ status }) => status),
        project.projectName,
        project.meetingDocuments?.length,
        project.firstMeetingDate,
        project.status,
      ],
      [['recommended_approval', 'approved'], 'Maple Yard', 2, '2026-03-02', 'approved'],
    );
    const again = await extract({ mode: 'increment', previous: [full.out, path.join(folder, `generation-${runs}.ndjson.gz`)] });
    assert.deepEqual(again.projects, projects, 'a further increment of the same documents states the same');
  });

  it('restates in increments in a row the hearings of all before, and refuses those that would lose one', async () => {
    const hear = (file: string, date: string, motion: string) => put(file, writeMinutes('minutes', date, [{ ...REZONING, motion }]));
    const only = (file: string, date: string, motion: string) => {
      for (const body of ['pc', 'council']) rmSync(path.join(folder, 'docs', body), { recursive: true });
      for (const body of ['pc', 'council']) {
        mkdirSync(path.join(folder, 'docs', body));
        put(`${body}/none.txt`, writeMinutes('minutes', '2026-01-01', []));
      }
      hear(file, date, motion);
    };
    putBoth();
    const full = await extract();
    only('pc/may.txt', '2026-05-04', 'continued 5-1');
    const monday = await extract({ mode: 'increment', previous: [full.out], out: 'monday.ndjson.gz' });
    only('council/june.txt', '2026-06-01', 'denied 4-2');
    const tuesday = (previous: string[]) => extract({ mode: 'increment', previous, out: 'tuesday.ndjson.gz' });
    await assert.rejects(tuesday([full.out]), {
      name: 'UserError',
      message: /monday\.ndjson\.gz is an increment of generation 1, too: name it/,
    });
    await assert.rejects(tuesday([]), { message: /name the full file of generation 1 with --previous/ });
    await assert.rejects(tuesday([monday.out]), { message: /it is an increment of generation 1, and should be the full file/ });
    await assert.rejects(tuesday([full.out, full.out]), {
      message: /it is the full file of generation 1, and should be an increment of generation 1/,
    });
    await assert.rejects(extract({ mode: 'increment', previous: [full.out], generation: 2, out: 'other.ndjson.gz' }), {
      message: /it is generation 1; an increment of 2 needs the full file of 2/,
    });
    const { projects } = await tuesday([full.out, monday.out]);
    assert.deepEqual(
      projects.map(({ id, decisions }) => [id, decisions?.map(({ status }) => status)]),
      [[full.projects[0]?.id, ['recommended_approval', 'approved', 'continued', 'denied']]],
    );
  });

  it('ends when it is told to, and leaves no file but what it has read so far', async () => {
    putBoth();
    const stop = new AbortController();
    const reason = new Error('stopped');
    const stopped = extract({ signal: stop.signal, onProgress: () => stop.abort(reason), out: 'stopped.ndjson' });
    await assert.rejects(stopped, reason);
    assert.deepEqual(
      readdirSync(folder).filter((name) => /stopped|report/.test(name)),
      [],
    );
  });

  it('reports what it leaves out, with the reason: unread files, files of no body, cases whose use no document states', async () => {
    put('pc/empty.txt', '');
    put('pc/wrong.txt', writeMinutes('minutes', '2026-03-02', [REZONING]).replace('2026-03-02', '2026-03-02 of the Board of Adjustment'));
    put('readme.md', 'what these are');
    put(
      'council/april.txt',
      writeMinutes('minutes', '2026-04-06', [
        { number: 'V-3', type: 'variance', from: 'PUD', doubt: 'acreage' },
        { number: 'ZTA-1', type: 'zoning_text_amendment' },
      ]),
    );
    const { report, projects, documents } = await extract();
    assert.deepEqual(
      report.documents.map(({ file, body, cases, unread }) => [file, body, cases, unread]),
      [
        ['council/april.txt', 'City Council', 2, null],
        ['pc/empty.txt', 'Planning Commission', 0, 'empty'],
        ['pc/wrong.txt', 'Planning Commission', 0, 'of_another_body: Board of Adjustment'],
        ['readme.md', null, 0, 'named_by_no_body'],
      ],
    );
    assert.deepEqual(
      report.doubts.map(({ case: name, field }) => [name, field]),
      [
        ['V-3', 'acreage'],
        ['V-3', 'landUses'],
      ],
    );
    assert.deepEqual([projects.map(({ propertyType }) => propertyType), documents.length], [['govt_decisions'], 1]);
  });

  it('writes only lines that a load takes, whatever was extracted, and doubts what it leaves out', async () => {
    const random = new Random(7);
    const say = () => 'Oak '.repeat(random.pick([1, 20, 60, 120, 600, 6_000])).trim();
    const cases = Array.from({ length: 40 }, (_, i) => ({
      ...{ number: `RZ-26-${i} ${random.chance(0.2) ? say() : ''}`.trim(), parcel: say() },
      ...{ title: say(), address: say(), applicant: say(), representative: say(), request: say(), from: say(), to: say() },
      ...{ type: 'rezoning', use: 'residential', condition: say(), acres: random.pick([4, -4, 1e13]), units: random.pick([12, 1.5]) },
      motion: `approved 2-0 ${say()} yes Birch yes`,
    }));
    putBoth();
    put('pc/march.txt', writeMinutes('minutes', '2026-03-02', cases));
    const { projects, report } = await extract();
    assert.equal(projects.length, cases.length + 1);
    const left = report.doubts.filter(({ reasons }) => reasons.some((one) => one.startsWith('left out: ')));
    for (const field of ['parcelNumbers', 'proposedZoning', 'acreage', 'contacts', 'conditionsOfApproval', 'totalUnitCount'])
      assert(
        left.some((one) => one.field === field),
        `${field} in ${JSON.stringify(left.slice(0, 9))}`,
      );
    for (const { evidence, ...project } of projects)
      for (const { field } of evidence ?? []) assert(project[field as keyof typeof project], `${field} is stated`);
  });

  it('reports links and files that cannot be opened, and reads the others', async () => {
    putBoth();
    put('pc/gone.txt', writeMinutes('minutes', '2026-05-04', [REZONING]));
    symlinkSync('march.txt', path.join(folder, 'docs/pc/linked.txt'));
    symlinkSync('/nowhere', path.join(folder, 'docs/pc/broken.txt'));
    const extractor = makeExtractor();
    const open = async (file: string, name: string) => {
      if (file.endsWith('gone.txt')) rmSync(file);
      return extractor.open(file, name);
    };
    const { report, projects } = await extract({ extractor: { ...extractor, open } });
    assert.deepEqual(
      report.documents.flatMap(({ file, unread }) => (unread ? [[file, unread]] : [])),
      [
        ['pc/broken.txt', 'link'],
        ['pc/gone.txt', 'cannot_be_opened'],
        ['pc/linked.txt', 'link'],
      ],
    );
    assert.equal(projects.length, 1);
  });

  it('takes no file of its own for a document, where it writes among the documents, and removes what a killed run left there', async () => {
    putBoth();
    const bodies = path.join(folder, 'docs', 'bodies.json');
    writeFileSync(bodies, `\ufeff${JSON.stringify([{ ...BODIES[0], files: '**' }])}`);
    const left = path.join(folder, 'docs', 'generation.ndjson.gz.2147483646.part');
    writeFileSync(left, 'half');
    const first = await extract({ bodies, out: 'docs/generation.ndjson.gz' });
    assert(!existsSync(left));
    rmSync(first.out);
    const again = await extract({ bodies, out: 'docs/generation.ndjson.gz' });
    assert.deepEqual([again.bytes, again.report, again.summary.files], [first.bytes, first.report, 2]);
    assert.deepEqual(
      readdirSync(path.join(folder, 'docs')).filter((name) => /part|hearings/.test(name)),
      [],
    );
  });

  it('doubts cases of a document that names its place nowhere', async () => {
    putBoth();
    put('pc/march.txt', writeMinutes('minutes', '2026-03-02', [REZONING]).replace('Boulder', 'Longmont'));
    assert.deepEqual((await extract()).report.doubts, [
      { file: 'pc/march.txt', case: null, field: 'city', reasons: ['names Boulder nowhere'] },
    ]);
  });

  it('reads the use of a case whose words name none from its dwellings, else from its district, and doubts it', async () => {
    const cases = {
      'R-1-8': 'residential',
      'RA2 (Residential Agricultural)': 'residential',
      'RB (Residential Business)': 'residential',
      'C-2': 'commercial',
      'CR (Regional Commercial)': 'commercial',
      'M-1': 'industrial',
      MU: 'mixed_use',
      'Public Facilities': 'institutional_public',
    };
    const stated = Object.keys(cases).map((district, i) => ({ number: `V-10${i}`, type: 'variance', from: district }));
    put(
      'pc/march.txt',
      writeMinutes('minutes', '2026-03-02', [
        ...stated,
        { number: 'SP-200', type: 'site_plan', from: 'PUD', units: 12 },
        { number: 'RZ-300', type: 'rezoning', from: 'A-1', to: 'R-2' },
        { number: 'V-301', type: 'variance', from: 'A-1' },
        { number: 'CUP-302', type: 'conditional_use_permit', from: 'R-2', request: 'Roe requests exceptions relative to uses.' },
      ]),
    );
    put('council/none.txt', writeMinutes('minutes', '2026-01-01', []));
    const { projects, report } = await extract();
    assert.deepEqual(
      projects.map(({ propertyType }) => propertyType),
      [...Object.values(cases), 'residential', 'residential'],
    );
    assert.deepEqual(
      projects
        .at(-1)
        ?.evidence?.filter(({ field }) => field === 'landUses')
        .map(({ quote }) => quote),
      ['R-2'],
    );
    assert.deepEqual(
      report.doubts.slice(-3).map((one) => [one.case, ...one.reasons]),
      [
        ['RZ-300', 'read from proposedZoning'],
        ['V-301', 'unread: no document states a use'],
        ['CUP-302', 'unread: no document states a use'],
      ],
      'agricultural land is kept for any use, and a request about uses is not told by the district that stays',
    );
  });

  describe('with a geocoder', () => {
    const OAK = { number: '12', latitude: 40.02, longitude: -105.25 };
    const servers: GeocoderServer[] = [];
    afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));
    const extractWith = async (...given: Parameters<typeof startGeocoder>) => {
      const server = await startGeocoder(...given);
      servers.push(server);
      const geocoder = new Geocoder({
        url: server.url,
        settings: { timeoutMs: 500, retries: 1, pauseMs: 5, patienceMs: 10, failures: 4, restMs: 1000 },
      });
      const done = await extract({ geocoder: { url: server.url, geocoder } });
      const [{ latitude, longitude }] = done.projects as [ProjectLine];
      return { ...done, point: [latitude, longitude], points: done.report.points, asked: server.asked };
    };
    beforeEach(putBoth);

    for (const form of ['pelias', 'nominatim'] as const)
      it(`takes the point of the house from answers of ${form}, and asks once`, async () => {
        const { point, points, asked, summary } = await extractWith(form, { '12 Oak Street, Boulder, CO': OAK });
        assert.deepEqual([point, asked], [[40.02, -105.25], ['12 Oak Street, Boulder, CO']]);
        assert.deepEqual([points, summary.points], Array(2).fill({ asked: 1, found: 1, unknown: 0, outside: 0, failed: 0 }));
        const geocoder = new Geocoder({ url: servers[0]?.url ?? '' });
        assert.equal((await extract({ geocoder: { url: servers[0]?.url ?? '', geocoder } })).projects[0]?.latitude, 40.02);
        assert.equal(asked.length, 1, 'a point that was asked for is kept');
      });

    const NO_POINT = [undefined, undefined];
    it('states no point that is another house, or outside the county of the city', async () => {
      const other = await extractWith('pelias', { 'Oak Street': { ...OAK, number: '14' } });
      assert.deepEqual([other.point, other.points?.unknown], [NO_POINT, 1]);
      const far = await extractWith('nominatim', { 'Oak Street': { ...OAK, latitude: 39.74, longitude: -104.99 } });
      assert.deepEqual([far.point, far.points?.outside], [NO_POINT, 1]);
    });

    const failures: Record<string, Parameters<typeof startGeocoder>[2]> = {
      'is down': (response) => response.writeHead(500).end(),
      'answers with something else': (response) => response.end('{"ok": true}'),
      'sends the call elsewhere': (response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end(),
      'does not answer': () => {},
    };
    for (const [what, reply] of Object.entries(failures))
      it(`states no point where the geocoder ${what}, and counts it`, async () => {
        const { point, points } = await extractWith('pelias', {}, reply);
        assert.deepEqual([point, points], [NO_POINT, { asked: 1, found: 0, unknown: 0, outside: 0, failed: 1 }]);
      });
  });

  describe('with a language model', () => {
    const models: TestModel[] = [];
    afterEach(() => Promise.all(models.splice(0).map((model) => model.stop())));
    const extractWith = async (reply: TestModel['reply']) => {
      const server = await testModel();
      models.push(server);
      server.reply = reply;
      const settings = { ...MODEL_SETTINGS, retries: 0, timeoutMs: 1000 };
      const model = { url: server.url, model: new LanguageModel({ url: server.url, key: null, name: 'small', settings }) };
      return { ...(await extract({ model })), asked: server.asked, again: () => extract({ model }) };
    };
    const CASE = { number: 'RZ-1', use: 'residential', remark: 'on 4.25 acres of Jane Roe, staff urge denial', type: 'rezoning' };
    beforeEach(() => {
      put(
        'pc/march.txt',
        writeMinutes('minutes', '2026-03-02', [CASE, { number: 'RZ-2', use: 'residential', remark: '9 acres', acres: 9 }]),
      );
      put('council/none.txt', writeMinutes('minutes', '2026-01-01', []));
    });

    it('takes values whose words stand in the passage of the case and hold them, and refuses all others', async () => {
      const said = (field: string, value: string, quote: string, one = 0) => ({ case: one, field, value, quote });
      const values = [
        said('acreage', '4.25', '4.25 acres'),
        said('applicant', 'Jane Roe', 'of Jane Roe,'),
        said('staffRecommendation', 'approval', 'staff urge denial'),
        said('staffRecommendation', 'denial', 'staff urge denial'),
        said('units', '12', '4.25 acres'),
        said('owner', 'Jane Roe', 'owned by Jane Roe'),
        said('lots', '9', '9 acres'),
        said('acreage', '8', '9 acres', 1),
        said('nextHearing', '2026-05-01', 'staff urge denial'),
        said('requestType', 'a party', 'staff urge denial', 1),
        said('requestType', 'variance', '9 acres', 1),
        said('nothing', 'x', 'RZ-1'),
      ];
      const { projects, report, asked, again } = await extractWith(() => ({ json: { values } }));
      const [first, second] = projects as [ProjectLine, ProjectLine];
      assert.deepEqual(
        [first.acreage, first.parties, first.staffRecommendation, first.totalUnitCount, first.lotCount],
        [4.25, [{ role: 'applicant', name: 'Jane Roe' }], 'staff urge denial', undefined, undefined],
      );
      assert.equal(second.acreage, 9);
      assert.deepEqual(report.model, { asked: 1, failed: 0, fields: { acreage: 1, applicant: 1, staffRecommendation: 1 }, refused: 7 });
      assert(first.evidence?.some(({ field, quote }) => field === 'acreage' && quote === '4.25 acres'));
      const { text, cases } = (asked[0] as { data: unknown }).data as { text: string; cases: { open: string[] }[] };
      assert(text.startsWith('minutes 2026-03-02'));
      assert.deepEqual([cases[0]?.open.includes('acreage'), cases[1]?.open.includes('acreage')], [true, false]);
      assert.deepEqual((await again()).projects, projects);
      assert.equal(asked.length, 1, 'an answer is kept');
    });

    const failures: Record<string, ModelReply> = {
      refuses: { status: 400 },
      'does not answer': 'hang',
      'stops in the middle of its answer': 'stall',
      'breaks off': 'cut',
      'answers without an end': 'endless',
      'answers with no JSON': { text: 'Sure! Here are the values: acreage 4.25' },
      'answers in another form': { json: { fields: { acreage: 4.25 } } },
    };
    for (const [what, reply] of Object.entries(failures))
      it(`keeps what the rules read where the model ${what}, and counts it`, async () => {
        const { projects, report } = await extractWith(() => reply);
        assert.deepEqual([projects.length, report.model], [2, { asked: 1, failed: 1, fields: {}, refused: 0 }]);
      });

    it('is not asked unless that is wanted', async () => {
      assert.equal((await extract()).report.model, undefined);
    });
  });

  describe('refuses', () => {
    const refusals: Record<string, [bodies: unknown, message: RegExp]> = {
      'a pattern that names no file': [[{ ...BODIES[0], files: 'provo/*.pdf' }], /The pattern 'provo\/\*\.pdf' of --bodies names no file/],
      'two patterns of one file': [
        [BODIES[0], { ...BODIES[1], files: '**/march.txt' }],
        /'pc\/march\.txt' is named by two patterns of --bodies, 'pc\/\*\.txt' and '\*\*\/march\.txt'/,
      ],
      'an unknown state': [[{ ...BODIES[0], state: 'Colorada' }], /entry 1: the state 'Colorada' is unknown; did you mean 'Colorado'\?/],
      'an unknown city': [[{ ...BODIES[0], city: 'Bouldre' }], /entry 1: the city 'Bouldre' is unknown there; did you mean 'Boulder'\?/],
      'an unknown county': [
        [{ ...BODIES[0], county: 'Bolder County' }],
        /the county 'Bolder County' is unknown there; did you mean 'Boulder County'\?/,
      ],
      'an entry without its body': [[{ files: '*', state: 'CO' }], /entry 1 needs 'body'/],
      'an unknown field': [[{ ...BODIES[0], town: 'x' }], /unknown field 'town'; known are files, state, body, county, city/],
      'no list': [{ files: '*' }, /it has to be a list of bodies/],
    };
    for (const [what, [bodies, message]] of Object.entries(refusals))
      it(what, async () => {
        put('pc/march.txt', writeMinutes('minutes', '2026-03-02', [REZONING]));
        writeFileSync(path.join(folder, 'bodies.json'), JSON.stringify(bodies));
        await assert.rejects(extract(), { name: 'UserError', message });
        assert(!existsSync(path.join(folder, 'extract-report.json')));
      });

    it('JSON that breaks off, with its line', async () => {
      writeFileSync(path.join(folder, 'bodies.json'), '[\n  {"files": "*"\n   "state": "CO"}]');
      await assert.rejects(extract(), { name: 'UserError', message: /bodies\.json:3: not JSON/ });
    });

    it('a folder that is missing, a generation that is there, and one before that is none', async () => {
      putBoth();
      await assert.rejects(extract({ folder: path.join(folder, 'nowhere') }), { message: /The folder '.*nowhere' does not exist/ });
      writeFileSync(path.join(folder, 'there.ndjson'), '');
      await assert.rejects(extract({ out: 'there.ndjson' }), { message: /there\.ndjson' exists already/ });
      await assert.rejects(extract({ previous: [path.join(folder, 'gone')] }), { message: /--previous: .*gone: there is no such file/ });
      const header = '{"kind":"generation","generation":1,"mode":"full","extractedAt":"2026-01-01T00:00:00Z"}';
      writeFileSync(path.join(folder, 'bad.ndjson'), `${header}\nnothing`);
      await assert.rejects(extract({ previous: [path.join(folder, 'bad.ndjson')] }), {
        message: /bad\.ndjson:2: not a line of a generation/,
      });
      const before = path.join(folder, 'before.ndjson');
      const refused: [content: string, message: RegExp][] = [
        ['', /before\.ndjson: not a generation, which begins with/],
        ['{"kind":"project","id":1}', /before\.ndjson: not a generation/],
        [`${header}\n{"kind":"project","id":1,"stateId":8,"cityId":1}`, /no record is of a city or county of --bodies/],
        [header.replace('full', 'increment'), /it is an increment of generation 1, and should be the full file of a generation/],
      ];
      for (const [content, message] of refused) {
        writeFileSync(before, content);
        await assert.rejects(extract({ previous: [before] }), { name: 'UserError', message }, content);
      }
    });
  });
});
