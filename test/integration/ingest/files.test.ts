/** What the loader takes for a generation file, what it says about a bad one, and its command line. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { ACCEPT_OPTIONS } from '../../../ingest/findings/acceptance.ts';
import { LoadRefused } from '../../../ingest/loadRefused.ts';
import { LINE_LIMIT_BYTES } from '../../../ingest/read/openLines.ts';
import { withLoadLock } from '../../../src/core/store/postgres/loadLock.ts';
import { type GenerationOptions, TestIndex } from '../../support/index.ts';
import { indexNames, runIngest, servedProjects, servedState } from '../../support/ingest.ts';

const TODAY = '2026-11-20';
const BIGGEST_ID = Number.MAX_SAFE_INTEGER;
const HEADER = `{"kind":"generation","generation":1,"mode":"full","extractedAt":"${TODAY}T00:00:00Z"}`;

const project = (id: number, more: Record<string, unknown> = {}) => ({
  kind: 'project',
  id,
  state: 'CO',
  meetingDate: '2026-10-01',
  propertyType: 'residential',
  ...more,
});
const line = (id: number, more: Record<string, unknown> = {}) => JSON.stringify(project(id, more));

/** What a page would run or open in place of a document. */
const NO_WEB_ADDRESSES = ['javascript:alert(1)', ' https://example.com', 'data:text/html,x', 'file:///etc/passwd', 'minutes.pdf'];

describe('Generation files', () => {
  let index: TestIndex;
  before(() => {
    index = new TestIndex(TODAY);
  });
  after(() => index.drop());

  /** Writes bytes as a file. */
  const bytes = async (content: string | Buffer): Promise<string> => {
    const file = await index.file([]);
    await writeFile(file, content);
    return file;
  };

  /** The problems for which a file is refused, without its name. */
  const refusal = async (file: string, options: GenerationOptions = {}): Promise<{ message: string; problems: string[] }> => {
    const error = await index.loadFile(file, options).then(
      () => assert.fail('the file was loaded'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof LoadRefused, String((error as Error).stack));
    const bare = (text: string) => text.replaceAll(file, 'FILE');
    return { message: bare(error.message), problems: error.problems.map(bare) };
  };

  describe('that are bad', () => {
    it('are refused with line and reason of everything that is wrong, and leave nothing', async () => {
      const lines = [
        project(1),
        project(2, { colour: 'red' }),
        project(3, { acreage: 'five' }),
        project(4, { meetingDate: '2026-02-30' }),
        project(5, { state: 'Atlantis' }),
        project(6, { status: 'perhaps' }),
        project(7, { landUses: [{ type: 'residential', subtype: 'office', role: 'primary' }] }),
        project(8, { propertySubtype: 'office' }),
        '{"kind":"project",',
        '[]',
        '{"kind":"parcel"}',
        HEADER,
        project(9, { propertyType: undefined, assetClass: 'castle' }),
        project(2 ** 53),
        { kind: 'document', id: 1, meetingDate: 'soon' },
        { kind: 'contact', name: 'Ann' },
        project(10, { state: undefined, propertyType: undefined }),
        ...NO_WEB_ADDRESSES.map((url, i) => project(11 + i, { sourceDocumentUrl: url })),
        { kind: 'document', id: 2, url: 'javascript:alert(1)' },
        project(30, { sourceDocumentUrl: 'HTTPS://example.com/minutes.pdf' }),
      ];
      const { message, problems } = await refusal(await index.file(lines));
      assert.match(message, /^FILE: 22 bad lines, nothing was loaded; .*; all are in FILE.rejects.ndjson$/);
      const expected = [
        /^unknown field 'colour': 1 line, FILE:3$/,
        /^acreage must be number or null: 1 line, FILE:4$/,
        /^meetingDate must be a day from 1900-01-01 to 2100-12-31, written YYYY-MM-DD: 1 line, FILE:5$/,
        /^state is unknown: 1 line, FILE:6 \(state 'Atlantis' is unknown\)$/,
        /^status is not in the vocabulary: 1 line, FILE:7 \(status 'perhaps' is not in the vocabulary\)$/,
        /^landUses.subtype is not under the stated type: 1 line, FILE:8 \(landUses.subtype 'office' is not under the type 'residential'\)$/,
        /^propertySubtype is not under the stated type: 1 line, FILE:9/,
        /^not JSON: 1 line, FILE:10 \(not JSON \(.*\)\)$/,
        /^not a JSON object: 1 line, FILE:11$/,
        /^kind must be one of generation, project, document, contact, review, restriction: 1 line, FILE:12 \(.*, not "parcel"\)$/,
        /^a second generation header; a file holds one: 1 line, FILE:13$/,
        /^assetClass is not in the vocabulary: 1 line, FILE:14/,
        /^the project is new and states no landUses: 2 lines, FILE:14, FILE:18 \(project 9 is new and states no landUses\)$/,
        /^id must be <= 9007199254740991: 1 line, FILE:15$/,
        /^document: meetingDate must match pattern/,
        /^document: meetingDate must be a day from/,
        /^contact: the field 'projectId' is missing: 1 line, FILE:17$/,
        /^sourceDocumentUrl must be an address that begins with http:\/\/ or https:\/\/: 5 lines/,
        /^document: url must be an address that begins with http/,
        /^the project is new and states no state: 1 line, FILE:18 \(project 10 is new and states no state\)$/,
      ];
      assert.equal(problems.length, expected.length, problems.join('\n'));
      for (const reason of expected)
        assert.ok(
          problems.some((text) => reason.test(text)),
          `${reason} in\n${problems.join('\n')}`,
        );
      assert.deepEqual(await indexNames(index), []);
    });

    it('say each reason once, with its count and first places, and write the whole list beside the file', async () => {
      const wrong = (id: number) => project(id, { status: id % 2 ? 'perhaps' : `no ${id}`, landUses: [{ type: 'moon', role: 'primary' }] });
      const lines = Array.from({ length: 5996 }, (_, at) => (at === 7 ? { ...wrong(at + 1), acreage: 'five' } : wrong(at + 1)));
      const file = await index.file(lines);
      const run = await runIngest(index, ['load', file, '--json']);
      assert.equal(run.code, 1);
      // A busy machine reports its progress first, each time in a line.
      const said = run.stderr
        .trimEnd()
        .split('\n')
        .filter((text) => !/: \d+ %, .* left$/.test(text));
      assert.deepEqual(said.join('\n').replaceAll(file, 'FILE').split('\n'), [
        'FILE: 5996 bad lines, nothing was loaded; mend them, or load the rest with --skip-invalid; all are in FILE.rejects.ndjson',
        "  landUses.type is not in the vocabulary: 5996 lines, first FILE:2, FILE:3, FILE:4 (landUses.type 'moon' is not in the vocabulary)",
        "  status is not in the vocabulary: 5996 lines, first FILE:2, FILE:3, FILE:4 (status 'perhaps' is not in the vocabulary)",
        '  acreage must be number or null: 1 line, FILE:9',
      ]);
      const { reasons, rejected, rejects } = JSON.parse(run.stdout);
      assert.deepEqual([rejected, rejects, reasons.length], [5996, `${file}.rejects.ndjson`, 3]);
      assert.deepEqual(reasons[2], {
        reason: 'acreage must be number or null',
        lines: 1,
        places: [`${file}:9`],
        example: 'acreage must be number or null',
      });
      const whole = (await readFile(`${file}.rejects.ndjson`, 'utf8')).trim().split('\n');
      const ninth = whole.map((text) => JSON.parse(text)).find(({ line: number }) => number === 9);
      assert.equal(whole.length, 5996);
      assert.deepEqual(ninth.reasons, [
        'acreage must be number or null',
        "landUses.type 'moon' is not in the vocabulary",
        "status 'no 8' is not in the vocabulary",
      ]);
      const skipped = JSON.parse((await runIngest(index, ['load', file, '--skip-invalid', '--json'])).stdout);
      assert.deepEqual([skipped.projects, skipped.reasons], [0, reasons]);
      await index.startOver();
    });

    it('name every problem of a line, whichever check finds it', async () => {
      const lines = [
        project(1, {
          acreage: 'five',
          colour: 'red',
          status: 'perhaps',
          requestType: 'maybe',
          landUses: [
            { type: 'moon', role: 'primary' },
            { type: 'mars', role: 'none' },
          ],
          decisions: [
            { decisionType: 'guess', status: 'sure', meetingDate: '2026-10-01' },
            { decisionBody: 'nobody', meetingDate: '2026-10-01' },
          ],
          state: undefined,
        }),
      ];
      const { problems } = await refusal(await index.file(lines));
      const reasons = problems.map((text) => text.split(': ')[0]).sort();
      assert.deepEqual(reasons, [
        'acreage must be number or null',
        'decisions.decisionBody is not in the vocabulary',
        'decisions.decisionType is not in the vocabulary',
        'decisions.status is not in the vocabulary',
        'landUses.role must be one of primary, secondary, other',
        'requestType is not in the vocabulary',
        'status is not in the vocabulary',
        'the project is new and states no state',
        "unknown field 'colour'",
      ]);
    });

    it('are refused line by line for text that strict readers reject', async () => {
      const lines = [
        String.raw`{"kind":"project","id":1,"state":"CO","propertyType":"residential","projectName":"a\ud800b"}`,
        String.raw`{"kind":"project","id":2,"state":"CO","propertyType":"residential","parties":[{"role":"owner","name":"a\u0000"}]}`,
        String.raw`{"kind":"document","id":3,"state":"CO","a\udc00":"x"}`,
        String.raw`{"kind":"contact","projectId":4,"name":"Ann \uDBFF"}`,
        String.raw`{"kind":"project","id":5,"state":"CO","propertyType":"residential","projectName":"fine \ud83c\udf05"}`,
      ];
      const surrogate = Buffer.from([...Buffer.from('{"kind":"project","id":6,"projectName":"'), 0xed, 0xa0, 0x80, ...Buffer.from('"}')]);
      const file = await bytes(
        Buffer.concat([Buffer.from(`${[HEADER, ...lines].join('\n')}\n`), surrogate, Buffer.from('\n\0\n{"a\0":1}\n')]),
      );
      const { message, problems } = await refusal(file);
      assert.match(message, /^FILE: 7 bad lines/);
      for (const reason of [
        /^projectName holds a lone surrogate, which is no text: 1 line, FILE:2$/,
        /^parties.name holds U\+0000, which is no text: 1 line, FILE:3 \(parties.0.name holds/,
        /^document: a key of the line holds a lone surrogate, which is no text: 1 line, FILE:4$/,
        /^document: unknown field 'a\\udc00': 1 line, FILE:4$/,
        /^contact: name holds a lone surrogate, which is no text: 1 line, FILE:5$/,
        /^the line is not UTF-8: 1 line, FILE:7$/,
        /^not JSON: 2 lines, FILE:8, FILE:9 /,
      ])
        assert.ok(
          problems.some((text) => reason.test(text)),
          `${reason} in\n${problems.join('\n')}`,
        );
      assert.equal(problems.length, 7);
    });

    it('are refused for what no record can mean: half a point, impossible days, keys twice, ids of two places', async () => {
      const bad: [reason: string, line: object | string][] = [
        ['latitude and longitude are stated together or not at all', project(1, { latitude: 40 })],
        ['latitude and longitude are stated together or not at all', project(2, { latitude: null, longitude: -105 })],
        ['a point that is not known is null', project(3, { latitude: 0, longitude: 0 })],
        ['a point that is not known is null', project(4, { latitude: 4e-6, longitude: 0.000414 })],
        ['meetingDate must be a day', project(5, { meetingDate: '0000-01-01' })],
        ['meetingDate must be a day', project(6, { meetingDate: '1899-12-31' })],
        ['decisions.meetingDate must be a day', project(7, { decisions: [{ meetingDate: '2101-01-01' }] })],
        ['id must be <= 9007199254740991', '{"kind":"project","id":9007199254740993,"state":"CO","propertyType":"residential"}'],
        ["the key 'state' is stated twice", '{"kind":"project","id":8,"state":"CO","st\\u0061te":"FL","propertyType":"residential"}'],
        [
          "the key 'unitMix.count' is stated twice",
          `{"kind":"project","id":9,"state":"CO","propertyType":"residential","unitMix":[{"count":1,"unitType":"a\\"","count":2}]}`,
        ],
        ["contact: the key 'email' is stated twice", '{"kind":"contact","projectId":1,"email":"a\\\\","email":"b"}'],
        ['cityId is not in the county', project(10, { countyId: 8013, cityId: 5419384 })],
        ['cityId is not in the state', project(11, { stateId: 12, cityId: 5419384 })],
      ];
      const good = [
        project(20, { latitude: 40.01, longitude: -105.27, meetingDate: '1900-01-01', nextMeetingDate: '2100-12-31' }),
        project(21, { latitude: null, longitude: null, summary: 'The "count": twice, "count": again', countyId: 8031, cityId: 5419384 }),
        '{"kind":"project","id":22,"state" : "CO","propertyType":"residential","unitMix":[{"unitType":"a","count":1},{"unitType":"b","count":2}]}',
      ];
      const { problems } = await refusal(await index.file([...bad.map(([, text]) => text), ...good]));
      for (const [at, [reason]] of bad.entries())
        assert.ok(
          problems.some((text) => text.startsWith(reason) && text.includes(`FILE:${at + 2}`)),
          `${reason} of line ${at + 2} in\n${problems.join('\n')}`,
        );
      assert.equal(problems.length, new Set(bad.map(([reason]) => reason)).size, problems.join('\n'));
    });

    it('are refused where they are not what their header says', async () => {
      const header = (more: object) => JSON.stringify({ ...JSON.parse(HEADER), ...more });
      const rest = `${line(1)}\n${line(2)}\n{"kind":"document","id":3}\n`;
      const sha256 = createHash('sha256').update(rest).digest('hex');
      const cut = rest.slice(0, rest.indexOf('\n') + 1);
      const found = createHash('sha256').update(cut).digest('hex');
      const packed = await promisify(gzip)(`${header({ records: 2, sha256 })}\n${cut}`);
      for (const content of [`${header({ records: 2, sha256: sha256.toUpperCase() })}\n${cut}`, packed]) {
        const { message, problems } = await refusal(await bytes(content), { skipInvalid: true });
        assert.match(message, /^FILE: the file is not what its header describes, nothing was loaded/);
        assert.deepEqual(problems, [
          'the header states 2 records (project lines), found 1',
          `the header states sha256 ${sha256} of all that follows it, found ${found}`,
        ]);
      }
      assert.equal((await refusal(await bytes(`${header({ records: 1 })}\n${rest}`))).problems.length, 1);
      assert.equal((await refusal(await bytes(header({ records: 1 })))).problems.length, 1);
      assert.match((await refusal(await bytes(`${header({ sha256: 'abc' })}\n`))).message, /FILE:1: sha256 must match pattern/);
      const { problems } = await refusal(await bytes(`${header({ records: 2 })}\n${line(1)}\n{"kind":"proj`));
      assert.deepEqual(
        problems.map((text) => text.split(':')[0]),
        ['not JSON'],
        'the line that was cut may be the second project',
      );
      assert.deepEqual(await indexNames(index), []);
      await index.loadFile(await bytes(await promisify(gzip)(`${header({ records: 2, sha256 })}\n${rest}`)));
      assert.deepEqual([...(await servedProjects(index)).keys()], [1, 2]);
      await index.startOver();
    });

    it('are refused whole when their bytes are damaged', async () => {
      const packed = await promisify(gzip)(`${HEADER}\n${Array.from({ length: 500 }, (_, at) => line(at + 1)).join('\n')}`);
      const cases: [string | Buffer, RegExp][] = [
        ['', /FILE: the file is empty; its first line must be the generation header/],
        [`${line(1)}\n`, /FILE:1: the first line must be the generation header .* not a project/],
        [
          '{"kind":"generation","generation":1,"mode":"half","extractedAt":"x"}\n',
          /FILE:1: mode must be one of full, increment; extractedAt must/,
        ],
        [packed.subarray(0, packed.length / 2), /cannot be read beyond line \d+ .*is the file complete/],
        [Buffer.concat([Buffer.from(`${HEADER}\n`), Buffer.from([0x7b, 0xff, 0xfe])]), /1 bad line/],
      ];
      for (const [content, expected] of cases) assert.match((await refusal(await bytes(content))).message, expected);
      await assert.rejects(index.loadFile('/nowhere/g.ndjson'), /there is no such file/);
      assert.deepEqual(await indexNames(index), []);
    });

    it('are told what is wrong with bytes that are no text', async () => {
      const long = await bytes(Buffer.concat([Buffer.from(`${HEADER}\n`), Buffer.alloc(LINE_LIMIT_BYTES + 1, 0x20), Buffer.from('\n{}')]));
      assert.deepEqual((await refusal(long)).problems.slice(0, 1), ['the line is longer than 32 MB: 1 line, FILE:2']);
      const latin = await bytes(Buffer.from(`${HEADER}\n${line(1, { projectName: 'Peña' })}\n`, 'latin1'));
      assert.deepEqual((await refusal(latin)).problems, ['the line is not UTF-8: 1 line, FILE:2']);
    });

    it('are refused when they state a record twice, even where bad lines are skipped', async () => {
      const contact = { kind: 'contact', projectId: 1, name: 'Ann Lee' };
      const document = { kind: 'document', id: 5 };
      const lines = [project(1), document, contact, project(5), 'bad', project(1, { acreage: 2 }), document, contact];
      const { message, problems } = await refusal(await index.file(lines), { skipInvalid: true });
      assert.match(message, /records are stated twice/);
      assert.deepEqual(problems, [
        'FILE:7: project 1 is stated already on line 2',
        'FILE:8: document 5 is stated already on line 3',
        "FILE:9: contact 'Ann Lee' of project 1 is stated already on line 4",
      ]);
      assert.deepEqual(await indexNames(index), []);
    });

    it('are refused when they both state and delete a record', async () => {
      const deletion = (id: number) => ({ kind: 'project', id, deleted: true });
      for (const lines of [
        [project(1), project(2), deletion(1)],
        [deletion(1), project(2), project(1)],
        [deletion(1), project(2), deletion(1)],
      ])
        assert.deepEqual((await refusal(await index.file(lines))).problems, ['FILE:4: project 1 is stated already on line 2']);
    });
  });

  describe('that are good', () => {
    beforeEach(() => index.startOver());

    const both = [line(1), line(BIGGEST_ID, { projectName: 'Peña ☀' })];
    const forms: Record<string, () => string | Buffer | Promise<Buffer>> = {
      plain: () => [HEADER, ...both, ''].join('\n'),
      gzip: () => promisify(gzip)([HEADER, ...both, ''].join('\n')),
      'with CRLF': () => [HEADER, ...both, ''].join('\r\n'),
      'without a newline at the end': () => [HEADER, ...both].join('\n'),
      'with empty lines': () => [HEADER, '', ...both, '', ''].join('\n'),
      'with a byte order mark': () => `\uFEFF${[HEADER, ...both].join('\n')}`,
    };
    for (const [name, content] of Object.entries(forms)) {
      it(`are loaded ${name}`, async () => {
        await index.loadFile(await bytes(await content()));
        const projects = await servedProjects(index);
        assert.deepEqual([...projects.keys()], [1, BIGGEST_ID]);
        assert.equal(projects.get(BIGGEST_ID)?.compact.projectName, 'Peña ☀');
      });
    }

    it('take tokens and labels, and complete a place by its names', async () => {
      const given = {
        propertyType: undefined,
        landUses: [{ type: 'Residential', role: 'primary' }],
        status: 'Approved',
        county: 'Boulder',
      };
      await index.loadFile(await bytes([HEADER, line(1, given)].join('\n')));
      const { compact, standard } = (await servedProjects(index)).get(1) ?? assert.fail();
      assert.deepEqual(
        [compact.propertyType, compact.status, compact.county, standard.countyId, standard.stateId],
        ['residential', 'approved', 'Boulder County', 8013, 8],
      );
    });

    it('lose their bad lines, which are kept with them, where those are skipped', async () => {
      const file = await bytes([HEADER, line(1), 'nonsense', line(2, { state: 'Atlantis' })].join('\n'));
      await writeFile(`${file}.rejects.ndjson`, 'of a load before');
      await chmod(`${file}.rejects.ndjson`, 0o644);
      const summary = await index.loadFile(file, { skipInvalid: true });
      assert.equal((await stat(`${file}.rejects.ndjson`)).mode & 0o777, 0o600, 'nobody else reads bad lines');
      assert.deepEqual([summary.projects, summary.rejected, summary.rejects], [1, 2, `${file}.rejects.ndjson`]);
      const rejects = (await readFile(`${file}.rejects.ndjson`, 'utf8')).trim().split('\n');
      assert.deepEqual(
        rejects.map((text) => JSON.parse(text)).sort((a, b) => a.line - b.line),
        [
          { line: 3, reasons: [`not JSON (Unexpected token 'o', "nonsense" is not valid JSON)`], text: 'nonsense' },
          { line: 4, reasons: ["state 'Atlantis' is unknown"], text: line(2, { state: 'Atlantis' }) },
        ],
      );
    });
  });

  describe('on the command line', () => {
    let own: TestIndex;
    before(() => {
      own = new TestIndex(TODAY);
    });
    after(() => own.drop());

    it('are loaded, served, added to and rolled back', async () => {
      const first = await own.file([project(1), project(2)]);
      const loaded = await runIngest(own, ['load', first]);
      assert.deepEqual([loaded.code, loaded.stderr], [0, '']);
      assert.match(loaded.stdout, /generation 1 \(full\) loaded in [\d.]+ s, \d+ records\/s\n {2}projects {3}2 \(2 added\)/);
      assert.match(loaded.stdout, /not served yet: npm run ingest -- activate 1/);
      assert.match((await runIngest(own, ['activate', '1'])).stdout, /^Generation 1 is served now \(2 projects\)\.\n$/);
      const second = await own.file([project(1)], { generation: 2 });
      const third = await own.file([project(3)], { generation: 2, mode: 'increment' });
      const { stdout } = await runIngest(own, ['load', second, third, '--activate', ...ACCEPT_OPTIONS, '--json']);
      const summaries = stdout
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text));
      assert.deepEqual(
        summaries.map((s) => [s.generation, s.mode, s.projects, s.uncovered, s.served]),
        [
          [2, 'full', 1, 1, true],
          [2, 'increment', 1, 0, true],
        ],
      );
      const status = JSON.parse((await runIngest(own, ['status', '--json'])).stdout);
      const stamps = [...(await servedProjects(own)).values()].map((record) => record.lastUpdated);
      assert.deepEqual([status.generation, status.records, status.highWater], [2, 3, stamps.sort().at(-1)]);
      const back = (await runIngest(own, ['rollback'])).stdout.split('\n');
      assert.match(back[0] ?? '', /^Generation 1 is served now \(2 projects\), instead of 2\. Sync still shows generation 2, until/);
      assert.match(back[1] ?? '', /^Sync shows it, too, [\d.]+ s later\.$/);
    });

    it('are refused with exit code 1, bad usage with 2, absent servers with 3', async () => {
      const file = await own.file(['nonsense'], { generation: 9 });
      const refused = await runIngest(own, ['load', file, '--activate']);
      assert.equal(refused.code, 1);
      assert.ok(refused.stderr.startsWith(`${file}: 1 bad line, nothing was loaded`), refused.stderr);
      assert.ok(refused.stderr.includes(`\n  not JSON: 1 line, ${file}:2`), refused.stderr);
      assert.equal((await runIngest(own, ['activate', 'seven'])).code, 2);
      assert.equal((await runIngest(own, ['load'])).code, 2);
      const noElastic = await runIngest(own, ['status'], { ELASTICSEARCH_URL: 'http://127.0.0.1:9' });
      assert.deepEqual([noElastic.code, noElastic.stderr.split(' (')[0]], [3, 'Elasticsearch cannot be reached']);
      const noPostgres = await runIngest(own, ['rollback'], { DATABASE_URL: 'postgres://x@127.0.0.1:9/x' });
      assert.deepEqual([noPostgres.code, noPostgres.stderr], [3, 'Postgres cannot be reached; is DATABASE_URL right and the server up?\n']);
    });

    it('are refused while another load runs', async () => {
      const before = await servedState(own);
      const file = await own.file([project(4)], { generation: 2 });
      await withLoadLock((await own.records()).url, own.prefix, async () => {
        const { code, stderr } = await runIngest(own, ['load', file, '--activate']);
        assert.deepEqual([code, stderr], [1, 'Another load, activation or rollback is running; try again when it has finished\n']);
      });
      assert.deepEqual(await servedState(own), before);
    });
  });
});
