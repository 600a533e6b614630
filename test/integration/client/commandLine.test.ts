/** The command line as a process, against the real service. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { provideCuttingProxy } from '../../support/cuttingProxy.ts';
import { ascending, project, TODAY } from '../../support/fixtures.ts';
import { newFolder } from '../../support/folder.ts';
import type { Json } from '../../support/json.ts';
import { type CommandSettings, runLanduse } from '../../support/landuseProcess.ts';
import { bareEnvironment, root } from '../../support/programs.ts';
import { provideWorld } from '../../support/world.ts';

const RECORDS = 130;
const ids = Array.from({ length: RECORDS }, (_, i) => i + 1);
const WIDE = { COLUMNS: '200' };
const NARROW = { COLUMNS: '80' };

type Options = Partial<CommandSettings>;

describe('the command line', () => {
  const folder = newFolder('landuse');
  const world = provideWorld(
    { today: TODAY },
    ids.map((id) => project(id, { acreage: id, status: ['approved', 'denied', 'continued'][id % 3] })),
  );
  const proxy = provideCuttingProxy(() => world.api.url);
  let proxied: string;
  let national: string;

  before(async () => {
    proxied = proxy.url;
    national = await world.api.key();
    await world.work();
  });

  const landuse = (args: readonly string[], options: Options = {}) =>
    runLanduse(args, { url: world.api.url, key: national, folder, env: WIDE, ...options });

  async function json(args: readonly string[], options: Options = {}): Promise<Json> {
    const { code, stdout, stderr } = await landuse(args, options);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  }

  /** The answer of a command that could not read all of a file. */
  async function unread(args: readonly string[]): Promise<Json> {
    const { code, stdout, stderr } = await landuse(args);
    assert.equal(code, 1, stderr);
    return JSON.parse(stdout);
  }

  /** Expects a sentence or two without a stack, and nothing on the output. */
  async function fails(args: readonly string[], code: number, message: RegExp, options: Options = {}): Promise<void> {
    const outcome = await landuse(args, options);
    assert.match(outcome.stderr, message);
    assert.doesNotMatch(outcome.stderr, /\n\s+at |\.ts:\d/);
    assert.deepEqual([outcome.code, outcome.stdout], [code, ''], outcome.stderr);
  }

  it('searches, counts and reads: JSON where it is piped, tables for people, notes apart', async () => {
    const [found, none, count, table, one] = await Promise.all([
      json(['search', 'states=CO', 'acreageMin=5', '--limit', '120']),
      json(['search', 'q=nothing like it']),
      json(['count', 'cities=Boulder, CO', 'cities=Denver, CO']),
      landuse(['search', 'states=CO', '--limit', '2'], { terminal: true }),
      json(['get', '7']),
    ]);
    assert.deepEqual([found.length, none, count.matchCount, one.acreage], [120, [], RECORDS, 7]);
    assert.match(table.stdout, /^id +name +city +state +type +status +meeting\n\d+ +Project \d+ +Boulder +CO +Residential/);
    assert.equal(table.stdout.trim().split('\n').length, 3);
    assert.match(table.stderr, /^Note: No dateRange or meeting bounds.*\nThere is more: raise --limit/);
  });

  it('searches by a sentence, says how it reads and what no filter says, and refuses one that names no filter', async () => {
    const { code, stdout, stderr } = await landuse([
      'search',
      'denied projects over 100 acres',
      'in Colorado because of traffic',
      '--limit',
      '50',
    ]);
    assert.equal(code, 0, stderr);
    const found: { id: number }[] = JSON.parse(stdout);
    assert.deepEqual(
      ascending(found.map(({ id }) => id)),
      ids.filter((id) => id >= 100 && id % 3 === 1),
    );
    assert.match(stderr, /Reads as: (?=.*status=denied)(?=.*states=CO)(?=.*acreageMin=100)/);
    assert.match(stderr, /No filter says “because of traffic”/);
    assert.match((await landuse(['search', 'Colorado', '--limit', '1'])).stderr, /^Reads as: states=CO$/m);
    await fails(['search', 'whatever you like'], 1, /No filter says “whatever you like”/);
  });

  it('shows control characters of records as text, which would move the cursor or set the title of a terminal', async () => {
    const name = 'Pond\x1b]0;owned\x07\x1b[2J\x9b31m\x7f\r\nSecond';
    const key = await world.api.key();
    const made = await world.api.post('/lists', { name: 'Pond' }, { key });
    // a name of before names were one line
    await world.api.database.query('update project_list set name = $2 where id = $1', [made.body.data.id, name]);
    await world.api.index.load([project(7, { acreage: 7, projectName: name })], { mode: 'increment' });
    const outcomes = await Promise.all([
      landuse(['lists', 'list'], { key, terminal: true }),
      landuse(['search', 'projectIds=7'], { key, terminal: true }),
      landuse(['get', '7'], { key, terminal: true }),
      landuse(['count', `cities=${name}`], { key }),
      landuse(['lists', 'list'], { key }),
    ]);
    for (const { stdout, stderr } of outcomes) assert.doesNotMatch(stdout + stderr, /(?!\n)\p{Cc}/u);
    const shown = 'Pond\\x1b]0;owned\\x07\\x1b[2J\\x9b31m\\x7f\\x0d\\x0aSecond';
    for (const { stdout } of outcomes.slice(0, 3)) assert(stdout.includes(shown), stdout);
    assert.equal(JSON.parse(outcomes[4]?.stdout ?? '')[0].name, name, 'as JSON it is the same name');
  });

  it('shows what it charged for, page after page, also of deliveryMode=new, where the next page is the first again', async () => {
    const key = await world.api.key('api_only');
    const found: { id: number }[] = await json(['search', 'deliveryMode=new', '--limit', '120', '--yes'], { key });
    assert.equal(new Set(found.map(({ id }) => id)).size, 120);
    assert.equal((await json(['credits'], { key })).balance, 5_000 - 120);
  });

  it('says the price and asks before it spends; nobody asked, nothing spent', async () => {
    const key = await world.api.key('api_only');
    const balance = () => world.balance(key);
    const search = ['search', 'states=CO', 'acreageMin=10', '--limit', '110'];
    const price =
      /^This will cost 110 credits at most; 5,000 credits are left\. Nobody .+ --yes, or --max-credits 110\. Nothing was charged\.\n$/;
    await fails(search, 1, price, { key });
    const tooMuch = /This would cost 100 credits, and --max-credits leaves 99\. Nothing was charged\./;
    await fails([...search, '--max-credits', '99'], 1, tooMuch, { key });
    const declined = await landuse(search, { key, attended: true, input: 'n\n' });
    assert.deepEqual([declined.code, declined.stdout], [2, '']);
    assert.match(declined.stderr, /Go on\? \[y\/N\] [\s\S]*Stopped\. Nothing was charged\.\n$/);
    const unanswered = await landuse(search, { key, attended: true });
    assert.equal(unanswered.code, 2);
    assert.equal(await balance(), 5_000);
    const agreed = await landuse(search, { key, attended: true, input: 'y\n' });
    assert.deepEqual([agreed.code, JSON.parse(agreed.stdout).length], [0, 110]);
    assert.match(agreed.stderr, /Charged 110 credits; 4,890 are left\.\n$/);
    const again = await landuse(search, { key });
    assert.deepEqual([again.code, JSON.parse(again.stdout).length], [0, 110], 'what is held is free, and nobody is asked');
    assert.doesNotMatch(again.stderr, /Charged/);
    assert.equal(await balance(), 4_890);
    await json([...search, '--limit', '120', '--max-credits', '10'], { key });
    assert.equal(await balance(), 4_880);
  });

  it('makes a site brief at its price, and names a place that is missing or no point', async () => {
    const key = await world.api.key('api_only');
    const asked = ['brief', '--city', 'Boulder, CO', '--use', 'residential', '--precedents', '3'];
    await fails(asked, 1, /^This will cost 3 credits at most; .* --yes, or --max-credits 3\. Nothing was charged\.\n$/, { key });
    const { code, stdout, stderr } = await landuse([...asked, '--yes'], { key });
    assert.equal(code, 0, stderr);
    assert.match(stderr, /The brief is kept until \d{4}-\d\d-\d\d: .*brief=brf_[\s\S]*Charged 3 credits;/);
    assert.equal(JSON.parse(stdout).precedents.length, 3);
    const table = await landuse(['brief', '--point', '40.015,-105.27', '--precedents', '0'], { terminal: true });
    assert.match(table.stdout, /^part +sentence[\s\S]*\nsummary +No projects are on record within five miles/);
    await fails(['brief', '--use', 'residential'], 1, /^Name one place: --county/);
    await fails(['brief', '--point', 'Boulder'], 1, /'Boulder' is no point: they are typed as 40\.015,-105\.27\./);
  });

  it('asks the same of one record, of a copy and of an export', async () => {
    const key = await world.api.key('api_only');
    const unattended = /^This will cost \d+ credits? at most; 5,000 credits are left\. Nobody can be asked here/;
    const commands = [
      ['get', '3'],
      ['sync', 'dateRange=all', 'acreageMax=12', '--to', 'priced.ndjson'],
      ['export', 'acreageMax=12', '--to', 'priced.csv'],
    ];
    for (const command of commands)
      await fails(command, 1, unattended, { key }).catch((error) => assert.fail(`${command.join(' ')}: ${error.message}`));
    assert.equal(await world.balance(key), 5_000);
    const left = (await readdir(folder)).filter((name) => name.startsWith('priced'));
    assert.deepEqual(left, [], 'a copy that is refused leaves nothing');
    const synced = await landuse(commands[1] as string[], { key, attended: true, input: 'yes\n' });
    assert.match(synced.stderr, /This will cost 12 credits at most[\s\S]+Charged 12 credits; 4,988 are left\./);
    assert.equal(JSON.parse(synced.stdout).records, 12);
    const exported = await landuse(['export', 'acreageMax=13', '--to', 'priced.csv', '--max-credits', '1'], { key });
    assert.equal(exported.code, 0, exported.stderr);
    assert.match(exported.stderr, /Charged 1 credit; 4,987 are left\./);
    const [newest] = await json(['receipts', '--limit', '1'], { key });
    assert.equal(newest.balance, 4_987);
  });

  it('begins a copy with a snapshot, goes on by sync, and resumes where it was killed', async () => {
    const key = await world.api.key('api_only');
    const command = ['sync', 'dateRange=all', '--to', 'whole.ndjson', '--snapshot'];
    await fails(command, 1, /^This will cost 130 credits at most; 5,000 credits are left\. Nobody can be asked here/, { key });
    // Killed as soon as it has noted its snapshot.
    const noted = async () => (await readFile(path.join(folder, 'whole.ndjson.sync'), 'utf8').catch(() => '')).includes('"snp_');
    const killed = await landuse([...command, '--yes'], {
      key,
      started: async (child) => {
        while (child.exitCode === null && !(await noted())) await new Promise((resolve) => setTimeout(resolve, 5));
        child.kill('SIGKILL');
      },
    });
    assert.equal(killed.code, null);
    assert(!existsSync(path.join(folder, 'whole.ndjson')));
    const done = await landuse([...command, '--yes'], { key });
    assert.equal(done.code, 0, done.stderr);
    assert.deepEqual(JSON.parse(done.stdout), { file: 'whole.ndjson', records: RECORDS, received: 0, removed: 0 });
    assert.equal(await world.balance(key), 5_000 - RECORDS);
    assert.equal((await world.api.get('/exports', {}, { key })).body.data.length, 0);
    const lines = (await readFile(path.join(folder, 'whole.ndjson'), 'utf8')).trimEnd().split('\n');
    assert.deepEqual(lines.map((line) => JSON.parse(line).id).join(), ids.join());
    const left = (await readdir(folder)).filter((name) => name.startsWith('whole.'));
    assert.deepEqual(left.sort(), ['whole.ndjson', 'whole.ndjson.sync']);
    // The cursor of the manifest: what changed since, and nothing else.
    await world.api.index.load([project(1, { acreage: 999 }), { kind: 'project', id: 2, deleted: true }], { mode: 'increment' });
    const later = await landuse([...command, '--yes'], { key });
    assert.deepEqual(JSON.parse(later.stdout), { file: 'whole.ndjson', records: RECORDS - 1, received: 1, removed: 1 }, later.stderr);
    assert.match(later.stderr, /Charged 1 credit;/);
    await world.api.index.load([project(1, { acreage: 1 }), project(2, { acreage: 2, status: 'continued' })], { mode: 'increment' });
  });

  it('goes on with a download that broke off, and refuses bytes that are not those of the service', async () => {
    const command = ['sync', 'dateRange=all', '--to', 'parts.ndjson', '--snapshot'];
    const file = path.join(folder, 'parts.ndjson');
    const part = `${file}.part-00001.ndjson.gz`;
    await json(command);
    const whole = await readFile(file, 'utf8');
    const note = JSON.parse(await readFile(`${file}.sync`, 'utf8'));
    const [{ id: snapshotId }] = (await world.api.get('/snapshots', { limit: 1 }, { key: national })).body.data;
    const url = `${world.api.url}/v1/snapshots/${snapshotId}/files/part-00001.ndjson.gz`;
    const bytes = Buffer.from(await (await fetch(url, { headers: { 'X-API-Key': national } })).arrayBuffer());
    const brokenOff = async (content: Buffer) => {
      await rm(file);
      await writeFile(part, content);
      await writeFile(`${file}.sync`, JSON.stringify({ ...note, cursor: null, fresh: true, snapshotId }));
    };
    await brokenOff(bytes.subarray(0, 100));
    await json(command);
    assert.equal(await readFile(file, 'utf8'), whole);
    await brokenOff(Buffer.concat([Buffer.alloc(100), bytes.subarray(100)]));
    await fails(command, 1, /is not what the service sent, and was removed\. Run the same command again/);
    await json(command);
    assert.equal(await readFile(file, 'utf8'), whole);
  });

  it('shows chosen fields, as CSV too, one record as a page, and tables that fit', async () => {
    const few = ['search', 'projectIds=5,6', 'dateRange=all', '--representation', 'standard'];
    const csv = await landuse([...few, '--csv', '--fields', 'id,acreage,delivery']);
    assert.match(csv.stdout, /^id,acreage,delivery\r\n\d,\d,"\{""alreadyExported"".+\r\n\d,\d,".+\}"\n$/);
    const inOrder = [...csv.stdout.matchAll(/^\d,(\d)/gm)].map(([, acreage]) => ({ acreage: Number(acreage) }));
    assert.deepEqual(await json([...few, '--fields', 'acreage']), inOrder);
    await fails([...few, '--fields', 'acres'], 1, /^--fields: there is no acres in this answer\. It has id, .+acreage/);
    await fails([...few, '--csv', '--json'], 1, /choose one/);
    const [page, narrow, quiet, version] = await Promise.all([
      landuse(['get', '7'], { terminal: true, env: NARROW }),
      landuse(['search', 'states=CO', '--limit', '3'], { terminal: true, env: NARROW }),
      landuse(['search', 'states=CO', '--limit', '2', '--quiet']),
      landuse(['--version']),
    ]);
    assert.match(page.stdout, /^.+ \(7\)\n[\s\S]+\nStatus\n {2}status {16}\S+[\s\S]+\nSize\n[\s\S]* {2}acreage {15}7\n/);
    for (const { stdout } of [page, narrow])
      for (const line of stdout.split('\n')) assert(line.length <= 80 || line.startsWith('http'), line);
    assert.equal(quiet.stderr, '');
    assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
  });

  it('matches the rows of a CSV by their headers, says which cannot be read, and matches the others', async () => {
    const added = [project(9001, { address: '12 Elm Street', caseNumbers: ['RZ-2026-0007'] })];
    await world.api.index.load(added, { mode: 'increment' });
    const file = path.join(folder, 'loans.csv');
    await writeFile(
      file,
      'Loan,Case No.,Address,ST,Lat\r\nA,rz 20260007,,CO,\r\nB,,12 ELM,Colorada,\r\nC,,"12 Elm St, Boulder",CO,\r\nD,,,CO,north\r\n',
    );
    const rows = await unread(['match', file]);
    const found = rows.map(({ Loan, matchId, matchReasons, matchCount }: Json) => `${Loan} ${matchId} ${matchReasons} ${matchCount}`);
    assert.deepEqual(found, ['A 9001 case_number 1', 'B null null 0', 'C 9001 address 1', 'D null null 0']);
    assert.match(rows[1].matchProblem, /'Colorada' is no US state/);
    assert.match(rows[3].matchProblem, /latitude/);
    const { stdout } = await landuse(['match', file, '--csv', '--quiet']);
    assert.match(
      stdout,
      /^Loan,Case No\.,Address,ST,Lat,matchId,matchScore,matchReasons,matchCount,matchProblem\r\nA,rz 20260007,,CO,,9001,/,
    );
    await writeFile(file, 'name\nx\n');
    await fails(['match', file], 1, /No column of the file names anything.*it has name/);
    await writeFile(file, 'case;ref;note\r\nRZ-2026-0007\r\n;"a, b";x\r\nRZ-2026-0007;c;x;unquoted\r\nRZ-2026-0007;d;x;\r\n');
    const odd = await unread(['match', file]);
    const cells = odd.map(({ ref, note, matchId }: Json) => `${ref}|${note}|${matchId}`);
    assert.deepEqual(cells, ['||9001', 'a, b|x|null', 'c|x|null', 'd|x|9001'], 'lines shorter or longer than the header line');
    assert.match(odd[2].matchProblem, /more cells than the header line has names \(3\).*'unquoted'/);
    await writeFile(
      file,
      Buffer.from('APN;address;address;county;ST;matchId\r\n;;12 Elm St ;Boulder;CO;=1+1\r\n1,23E+05;;;;;caf\xe9\r\n', 'latin1'),
    );
    const marked = await landuse(['match', file, '--csv']);
    assert.equal(marked.code, 1);
    assert.match(marked.stderr, /One line is not UTF-8 and was read as Windows-1252[\s\S]+1 of 2 rows match, 1 could not be read/);
    const [header, first, second] = marked.stdout.split('\r\n');
    assert.equal(header, 'APN,address,address,county,ST,matchId,matchId_7,matchScore,matchReasons,matchCount,matchProblem');
    assert.match(first ?? '', /^,,12 Elm St ,Boulder,CO,=1\+1,9001,/);
    assert.match(second ?? '', /^"1,23E\+05",,,,,café,,,,0,.*scientific notation/);
    await world.api.index.load([{ kind: 'project', id: 9001, deleted: true }], { mode: 'increment' });
  });

  it('asks a question, looks contacts up and reads a document', async () => {
    const answers = await json(['ask', 'residential projects in Colorado', '--limit', '3']);
    assert.equal(answers.length, 3);
    assert(answers.every(({ whyThisMatched }: Json) => whyThisMatched));
    const { stderr } = await landuse(['ask', 'residential projects in Colorado', '--limit', '3']);
    const [, search = ''] = /landuse judge (ais_\w+) --right IDS --wrong IDS/.exec(stderr) ?? [];
    const [right, wrong] = answers.map(({ id }: Json) => String(id));
    const judged = await json(['judge', search, '--right', right, '--wrong', wrong]);
    assert.deepEqual(judged, { id: search, confirmed: 1, dismissed: 1 });
    await fails(['judge', search, '--right', '999999'], 1, /999999 is no record that this search delivered/);
    const unasked = /^This will take 1 (look-ups?|credits?) at most.+Nobody can be asked here: add --yes/;
    await fails(['contacts', '9'], 1, unasked, { key: await world.api.key() });
    const trial = await world.api.key('trial', { stateIds: [8], countyIds: [] });
    const ofAllowance = /^This will take 1 look-ups? at most.+Nobody can be asked here: add --yes/;
    await fails(['contacts', '9', '--max-credits', '5'], 1, ofAllowance, { key: trial });
    await fails(['documents', '999999'], 1, /There is no/);
    const filters = await json(['help', 'filters']);
    assert(filters.some(({ filter, meaning }: Json) => filter === 'acreageMin' && meaning.length > 10));
    await fails(['help', 'serch'], 1, /There is no command serch/);
  });

  it('names the damaged line of a copy and how to mend it', async () => {
    const command = ['sync', 'projectIds=1,2', 'dateRange=all', '--to', 'damaged.ndjson'];
    await json(command);
    await writeFile(path.join(folder, 'damaged.ndjson'), '{"id": 1');
    await world.api.index.load([project(2, { acreage: 2, projectName: 'Changed' })], { mode: 'increment' });
    await fails(command, 1, /^Line 1 of damaged\.ndjson is damaged: add --rebuild to start over\.\n$/);
    assert.equal((await json([...command, '--rebuild'])).records, 2);
  });

  it('keeps a copy that ends as the index is, however often it is killed or stopped', async () => {
    const args = ['sync', 'dateRange=all', 'limit=10', '--representation', 'compact', '--to', 'copy.ndjson'];
    const stopAt = (answers: number, signal: NodeJS.Signals): Options => ({
      url: proxied,
      started: (child) => {
        let left = answers;
        proxy.onAnswer = () => {
          left -= 1;
          if (left === 0) child.kill(signal);
        };
      },
    });
    for (const answers of [4, 3]) assert.equal((await landuse(args, stopAt(answers, 'SIGKILL'))).code, null);
    const stopped = await landuse(args, stopAt(4, 'SIGINT'));
    assert.deepEqual([stopped.code, stopped.stdout], [2, '']);
    assert.match(stopped.stderr, /Stopped\. The same command goes on where it was/);
    assert.equal(existsSync(path.join(folder, 'copy.ndjson')), false);
    proxy.onAnswer = undefined;
    const copy = async () => {
      const lines = (await readFile(path.join(folder, 'copy.ndjson'), 'utf8')).trim().split('\n');
      return new Map(lines.map((line) => JSON.parse(line)).map((record: Json) => [record.id as number, record]));
    };
    const first = await json(args, { url: proxied });
    assert.equal(first.records, RECORDS);
    assert(first.received < RECORDS, 'what was there was not asked for again');
    assert.deepEqual(ascending([...(await copy()).keys()]), ids);
    await world.api.index.load([{ kind: 'project', id: 7, deleted: true }, project(8, { projectName: 'Changed' })], { mode: 'increment' });
    assert.deepEqual(await json(args, { url: proxied }), { file: 'copy.ndjson', records: RECORDS - 1, received: 1, removed: 1 });
    const page = { dateRange: 'all', limit: 100, representation: 'compact' };
    const kept = await copy();
    for (const record of (await world.api.get('/projects/search', page, { key: national })).body.data)
      assert.deepEqual({ ...kept.get(record.id), delivery: null }, { ...record, delivery: null });
    assert.equal(kept.has(7), false);
    await fails([...args, 'states=CO'], 1, /was made of http:.+--rebuild/, { url: proxied });
    await writeFile(path.join(folder, 'copy.ndjson.sync'), '{"version":1,"curs');
    const damaged = /^\S*copy\.ndjson\.sync, which says how far the copy is, is damaged: add --rebuild to start over\.\n$/;
    await fails(args, 1, damaged, { url: proxied });
  });

  it('writes an export where it is asked to, and says what it cost', async () => {
    const key = await world.api.key('api_only');
    const job = await json(['export', 'projectIds=[1,2,3]', '--to', 'some.csv', '--max-credits', '3'], { key });
    assert.deepEqual([job.status, job.rowCount, job.creditsCharged], ['ready', 3, 3]);
    const csv = await readFile(path.join(folder, 'some.csv'), 'utf8');
    assert.equal(csv.split('\r\n').length, 5);
    const again = ['download', job.id, '--to', 'again.csv'];
    const part = path.join(folder, `again.csv.${job.id}.part`);
    await writeFile(part, csv.slice(0, 100));
    await json(again, { key, url: proxied });
    assert.equal(proxy.requests.at(-1)?.range, 'bytes=100-');
    assert.equal(await readFile(path.join(folder, 'again.csv'), 'utf8'), csv);
    await writeFile(part, 'x'.repeat(csv.length));
    const altered = /again\.csv\.exp_\w+\.part is not what the service sent, and was removed\. The export is ready: landuse download exp_/;
    await fails(again, 1, altered, { key });
    assert.equal(existsSync(part), false);
    assert.deepEqual(await json(['export', 'states=TX', '--wait'], { key }), []);
    assert.equal((await json(['exports'], { key })).length, 1);
    assert.equal((await json(['changes', '1'], { key })).owned !== null, true);
  });

  it('exports with contacts, for no more than was said', async () => {
    const key = await world.api.key();
    const counted = await json(['count', 'projectIds=1,2,3', 'include=contacts'], { key });
    assert.deepEqual([counted.contacts.lookUps, counted.contacts.creditsRequired], [3, 3]);
    const args = ['export', 'projectIds=[1,2,3]', '--wait', '--contacts', '--max-contact-credits'];
    await fails([...args, '2'], 1, /cost 3 credits, more than maxContactCredits=2/, { key });
    await fails(['export', 'states=CO', '--max-contact-credits', '2'], 1, /^--max-contact-credits needs --contacts\.\n$/, { key });
    const job = await json([...args, '3', '--yes'], { key });
    assert.deepEqual([job.status, job.contactCreditsReserved], ['ready', 3]);
    const metered = await world.api.key('api_only');
    await json(['get', '1', '--yes'], { key: metered });
    const ofAllowance = ['export', 'projectIds=1', '--wait', '--contacts'];
    await fails(ofAllowance, 1, /^This will take 1 look-ups at most.+Nobody can be asked here: add --yes/, { key: metered });
    assert.equal((await json(['exports'], { key: metered })).length, 0);
    assert.equal((await json([...ofAllowance, '--yes'], { key: metered })).status, 'ready');
  });

  it('keeps alerts, lists and keys, and shows analytics and credits', async () => {
    const key = await world.api.key();
    const alert = await json(['alerts', 'create', 'states=CO', '--name', 'Colorado', '--every', 'daily'], { key });
    const [preview, list] = await Promise.all([
      json(['alerts', 'preview', alert.id], { key }),
      json(['lists', 'create', '1', '2', '--name', 'Two'], { key }),
    ]);
    assert(preview.matchCount > 100);
    const [run, results, groups, table, credits, minted] = await Promise.all([
      json(['alerts', 'run', alert.id], { key }), // what it brings is no news to a preview any more
      json(['lists', 'results', list.id], { key }),
      json(['analytics', 'states=CO', '--by', 'county', '--metrics', 'max:acreage'], { key }),
      landuse(['analytics', '--by', 'county'], { key, terminal: true }),
      json(['credits'], { key }),
      json(['keys', 'create', '--name', 'second'], { key }),
    ]);
    assert.equal(run.status, 'completed');
    assert((await json(['alerts', 'matches', alert.id], { key })).length > 0);
    assert.equal(results.length, 2);
    assert.equal(groups.groups[0].metrics.max_acreage, RECORDS);
    const { stdout: csv } = await landuse(['analytics', '--by', 'county', '--csv', '--fields', 'county,count'], { key });
    assert.match(csv, /^county,count\r\n"Boulder County, CO",\d+\r?\n/);
    assert.match(table.stdout, /^county +count\nBoulder County, CO +\d+\n$/);
    assert.equal(credits.plan.id, 'national');
    assert.match(minted.secret, /^svc_live_/);
    assert.equal((await json(['keys', 'revoke', minted.id], { key })).state, 'revoked');
    assert.equal((await json(['alerts'], { key: await world.api.key() })).length, 0);
    const more = await landuse(['analytics', '--by', 'status', '--limit', '1'], { key });
    assert.match(more.stderr, /^There are more groups: raise --limit\.$/m);
    const odds = await landuse(['odds', 'dateRange=all', '--by', 'state'], { key, terminal: true });
    const { n, outcomes } = (await json(['odds', 'dateRange=all', '--by', 'state'], { key })).groups[0];
    const approved = Math.round(100 * outcomes.approved);
    assert.match(
      odds.stderr,
      new RegExp(`^Of ${n} decided, ${approved} % were approved: between \\d+ and \\d+ % with 95 % confidence\\.`, 'm'),
    );
    assert(n > 50 && approved > 0, `${n} decided, ${approved} % approved`);
    assert.match(odds.stdout, /^state +n +decided +pending +approved +at least +at most +denied/);
  });

  it('brings as many records of a list as are asked for', async () => {
    const { body } = await world.api.post('/lists', { name: 'Many', projectIds: ids.slice(10, 110) }, { key: national });
    await world.api.post(`/lists/${body.data.id}/projects`, { projectIds: ids.slice(110) }, { key: national });
    assert.equal((await json(['lists', 'results', String(body.data.id), '--limit', '110'])).length, 110);
  });

  it('keeps a key that works in a file that only its owner can read', async () => {
    await fails(['credits'], 4, /^There is no key for http.+ Run "landuse login", or set LANDUSE_KEY\.\n$/, { key: '' });
    await fails(['login'], 4, /Run "landuse login", or set LANDUSE_KEY\.\n$/, { key: '', input: `svc_live_${'x'.repeat(36)}\n` });
    await fails(['login'], 1, /^No key was given/, { key: '', input: '' });
    const { file } = await json(['login'], { key: '', input: `${national}\n` });
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.equal((await json(['credits'], { key: '' })).plan.id, 'national');
    await fails(['credits'], 4, /^The key contains a space, .+ Run "landuse login", or set LANDUSE_KEY\.\n$/, { key: 'svc_live_a\nb' });
    await fails(['credits'], 4, /There is no key for http:\/\/127\.0\.0\.1:1\./, { key: '', url: 'http://127.0.0.1:1' });
    await writeFile(file, '{');
    await fails(['credits'], 1, /login\.json is damaged: run "landuse login" again\.\n$/, { key: '' });
    await json(['logout'], { key: national });
    assert.equal(existsSync(file), false);
  });

  it('reads the key from a file that the environment names', async () => {
    const file = path.join(folder, 'key.txt');
    await writeFile(file, `${national}\n`);
    assert.equal((await json(['credits'], { key: '', env: { ...WIDE, LANDUSE_KEY_FILE: file } })).plan.id, 'national');
    await fails(['credits'], 1, /^LANDUSE_KEY_FILE, .+none\.txt, cannot be read \(ENOENT\)\.\n$/, {
      key: '',
      env: { ...WIDE, LANDUSE_KEY_FILE: path.join(folder, 'none.txt') },
    });
    await writeFile(file, '\n');
    await fails(['credits'], 1, /^LANDUSE_KEY_FILE, .+key\.txt, is empty\.\n$/, { key: '', env: { ...WIDE, LANDUSE_KEY_FILE: file } });
  });

  it('says in a sentence what is wrong, with the remedy and an exit code for scripts', async () => {
    const texas = await world.api.key('state', { stateIds: [48], countyIds: [] });
    const poor = await world.api.key('api_only', undefined, { monthlyCredits: 3 });
    const broke = await world.api.key('api_only', undefined, { monthlyCredits: 0 });
    await Promise.all([
      fails(['search', 'stats=CO'], 1, /^There is no parameter 'stats'; did you mean 'states'\?\n$/),
      fails(['search', 'status=aproved', 'acreageMin=x'], 1, /did you mean 'approved'\? \(all values: .+\)\.\n.*acreageMin/),
      fails(['search', 'limit=3', 'page=2', 'format=csv'], 1, /^limit=: type --limit\.\npage=: .+\nformat=: .+landuse export/),
      fails(['sync', 'representation=full', '--to', 'full.ndjson'], 1, /^representation=: type --representation\.\n$/),
      fails(['export', 'states=CO', '--to', 'no/such/file.csv'], 1, /no\/such is no folder that can be written to\.\n$/),
      fails(['count', 'states=CO'], 1, /Your licence covers Texas: leave places out to have all of it\.\n$/, { key: texas }),
      fails(['search', 'states=CO'], 1, /This would cost \d+ credits, and 3 are left: take --limit 3 or less\. Nothing was/, { key: poor }),
      fails(['search', 'states=CO'], 1, /"landuse credits" shows the balance/, { key: broke }),
      fails(['search'], 4, /Run "landuse login", or set LANDUSE_KEY\.\n$/, { key: `svc_live_${'x'.repeat(36)}` }),
      fails(['search', 'nowhere'], 1, /^No filter says “nowhere”: landuse ask/),
      fails(['search', ''], 1, /'' is no filter: they are typed as name=value/),
      fails(['search', '--limit', '0'], 1, /It must be a whole number from 1 to 10000/),
      fails(['serch'], 1, /unknown command 'serch'\n\(Did you mean search\?\)/),
      fails(['sync', '--to', 'no/such/copy.ndjson'], 1, /no\/such is no folder that can be written to\.\n$/),
      fails(['count'], 1, /^\S+:1 cannot be reached.+is the service running, and is its address right/m, { url: 'http://127.0.0.1:1' }),
    ]);
  });

  it('is a binary that passes arguments, signals and exit codes on', async () => {
    const binary = path.join(root, 'src/clients/cli/landuse.mjs');
    const env = { ...bareEnvironment, XDG_CONFIG_HOME: folder };
    const start = (args: string[], more: Record<string, string>) =>
      spawn(process.execPath, [binary, ...args], { env: { ...env, ...more }, cwd: folder, stdio: 'ignore' });
    const codeOf = (child: ChildProcess) => new Promise((resolve) => child.once('close', resolve));
    assert.equal(await codeOf(start(['credits'], { LANDUSE_URL: world.api.url })), 4);
    const syncing = start(['sync', 'dateRange=all', 'limit=5', '--to', 'binary.ndjson'], { LANDUSE_KEY: national, LANDUSE_URL: proxied });
    let answers = 0;
    proxy.onAnswer = () => {
      answers += 1;
      if (answers === 4) syncing.kill('SIGINT'); // after the first page
    };
    assert.equal(await codeOf(syncing), 2);
    proxy.onAnswer = undefined;
    assert.equal(existsSync(path.join(folder, 'binary.ndjson.sync')), true);
    assert.match((await landuse(['--help'])).stdout, /^Usage: landuse [\s\S]+\nExamples:\n {2}landuse /m);
  });
});
