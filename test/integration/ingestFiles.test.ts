/** What the loader takes for a generation file, what it says about a bad one, and its command line (decisions §2, §10). */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { LINE_LIMIT_BYTES } from '../../ingest/lines.ts';
import { LoadRefused } from '../../ingest/loadRefused.ts';
import { withLoadLock } from '../../src/store/loadLock.ts';
import { type GenerationOptions, TestIndex } from '../support/index.ts';
import { indexNames, runIngest, servedProjects, servedState } from '../support/ingest.ts';
import { serverUrl } from '../support/servers.ts';

const TODAY = '2026-11-20';
/** generous, for machines that do much else */
const TIMEOUT_MS = 60_000;
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
      ];
      const { message, problems } = await refusal(await index.file(lines));
      assert.match(message, /^FILE: 16 bad lines, nothing was loaded/);
      const expected: [number, RegExp][] = [
        [3, /unknown field 'colour'/],
        [4, /acreage must be number/],
        [5, /meetingDate must match format "date"/],
        [6, /state 'Atlantis' is unknown/],
        [7, /status 'perhaps' is not in the vocabulary/],
        [8, /landUses.subtype 'office' is not under the type 'residential'/],
        [9, /propertySubtype 'office' is not under the type 'residential'/],
        [10, /not JSON/],
        [11, /not a JSON object/],
        [12, /kind must be one of generation, project, document, contact, not "parcel"/],
        [13, /a second generation header/],
        [14, /assetClass 'castle' is not in the vocabulary/],
        [15, /id must be <= 9007199254740991/],
        [16, /meetingDate must match/],
        [17, /the field 'projectId' is missing/],
        [18, /project 10 is new and states no state and no landUses/],
      ];
      assert.equal(problems.length, expected.length);
      for (const [at, [number, reason]] of expected.entries()) {
        assert.ok(problems[at]?.startsWith(`FILE:${number}: `), problems[at]);
        assert.match(problems[at] as string, reason);
      }
      assert.deepEqual(await indexNames(index), []);
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
      assert.deepEqual((await refusal(long)).problems.slice(0, 1), ['FILE:2: the line is longer than 32 MB']);
      const latin = await bytes(Buffer.from(`${HEADER}\n${line(1, { projectName: 'Peña' })}\n`, 'latin1'));
      assert.deepEqual((await refusal(latin)).problems, ['FILE:2: the line is not UTF-8']);
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

    it('lose their bad lines, which are kept beside them, where those are skipped', async () => {
      const file = await bytes([HEADER, line(1), 'nonsense', line(2, { state: 'Atlantis' })].join('\n'));
      const summary = await index.loadFile(file, { skipInvalid: true });
      assert.deepEqual([summary.projects, summary.rejected, summary.rejects], [1, 2, `${file}.rejects.ndjson`]);
      const rejects = (await readFile(`${file}.rejects.ndjson`, 'utf8')).trim().split('\n');
      assert.deepEqual(
        rejects.map((text) => JSON.parse(text)).sort((a, b) => a.line - b.line),
        [
          { line: 3, reason: (JSON.parse(rejects[0] as string) as { reason: string }).reason, text: 'nonsense' },
          { line: 4, reason: "state 'Atlantis' is unknown", text: line(2, { state: 'Atlantis' }) },
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
      const { stdout } = await runIngest(own, ['load', second, third, '--activate', '--json']);
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
      assert.match((await runIngest(own, ['rollback'])).stdout, /^Generation 1 is served now \(2 projects\), instead of 2\.\n$/);
    });

    it('are refused with exit code 1, bad usage with 2, absent servers with 3', async () => {
      const file = await own.file(['nonsense'], { generation: 9 });
      const refused = await runIngest(own, ['load', file, '--activate']);
      assert.equal(refused.code, 1);
      assert.ok(refused.stderr.startsWith(`${file}: 1 bad line, nothing was loaded`), refused.stderr);
      assert.ok(refused.stderr.includes(`\n  ${file}:2: not JSON`), refused.stderr);
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
      await withLoadLock(serverUrl('DATABASE_URL'), own.prefix, async () => {
        const { code, stderr } = await runIngest(own, ['load', file, '--activate']);
        assert.deepEqual([code, stderr], [1, 'Another load, activation or rollback is running; try again when it has finished\n']);
      });
      assert.deepEqual(await servedState(own), before);
    });
  });
}).timeout(TIMEOUT_MS);
