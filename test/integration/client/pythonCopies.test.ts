/** Copies of the Python client: killed at any moment they end as the TypeScript copy does, record by record, and nothing is charged twice. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { CopyFile } from '../../../src/clients/cli/copyFile.ts';
import { LandUseClient } from '../../../src/clients/client/index.ts';
import { project, TODAY } from '../../support/fixtures.ts';
import type { Json } from '../../support/json.ts';
import { provide } from '../../support/provide.ts';
import { PythonHome } from '../../support/python.ts';
import { Random } from '../../support/random.ts';
import { provideWorld } from '../../support/world.ts';

const RECORDS = 100;
const KILLS = 6;
const KILL_WITHIN_MS = 25;
const SEED = Number(process.env.SEED ?? 7);
const program = path.resolve(import.meta.dirname, '../../support/python/keepCopy.py');

type Kind = 'ndjson' | 'sqlite';
type Copied = { id: number; delivery?: unknown };

/** Without `delivery`, which says how the pool stood to a record at the time. */
const withoutDelivery = ({ delivery: _, ...record }: Copied) => record;
const byId = (records: readonly Copied[]) => records.map(withoutDelivery).sort((a, b) => a.id - b.id);

describe(`copies of the Python client (SEED=${SEED})`, () => {
  const world = provideWorld(
    { today: TODAY },
    Array.from({ length: RECORDS }, (_, i) => project(i + 1, { summary: 'Not\u2028one\u2029end\u0085of\u000ba\u000cline.' })),
  );
  const home = provide(() => PythonHome.make(world.api.url));
  let key: string;
  const random = new Random(SEED);

  before(async () => {
    key = await world.api.key('api_only');
  });

  const fileOf = (kind: Kind) => path.join(home.folder, `copy.${kind}`);
  const start = (kind: Kind, options: object = {}) =>
    home.start(program, [kind, fileOf(kind), world.api.url, key, JSON.stringify(options)]);

  /** Runs a program until it ends, or kills it some milliseconds after a number of pages. @returns its last output; nothing if it was killed */
  async function runOnce(kind: Kind, killAfterPages = Number.POSITIVE_INFINITY, options: object = {}) {
    const child = start(kind, options);
    const errors: string[] = [];
    child.stderr.on('data', (text) => errors.push(String(text)));
    let [pages, last] = [0, ''];
    for await (const line of createInterface({ input: child.stdout })) {
      last = line;
      pages += 1;
      if (pages === killAfterPages) void sleep(random.integer(0, KILL_WITHIN_MS)).then(() => child.kill('SIGKILL'));
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    assert.deepEqual(errors, [], 'nothing is said on standard error');
    return last.startsWith('{') ? (JSON.parse(last) as Json) : undefined;
  }

  const recordsIn = async (file: string): Promise<Copied[]> =>
    (await readFile(file, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

  async function recordsOf(kind: Kind): Promise<Copied[]> {
    if (kind === 'ndjson') return recordsIn(fileOf(kind));
    const lines =
      'import sqlite3\nshow(records=[json.loads(text) for (text,) in sqlite3.connect(given["file"]).execute("select record from records")])';
    return (await home.show(lines, { file: fileOf(kind) })).records;
  }

  /** The copy that the TypeScript client keeps, brought up to date. */
  async function typeScriptCopy(): Promise<Copied[]> {
    const file = path.join(home.folder, 'copy.typescript');
    const query = { dateRange: 'all', limit: 10 } as const;
    const copy = await CopyFile.open(file, { url: world.api.url, query, rebuild: false });
    for await (const page of new LandUseClient({ key, url: world.api.url }).sync(query, { cursor: copy.cursor })) await copy.add(page);
    await copy.finish();
    return recordsIn(file);
  }

  const KINDS = ['ndjson', 'sqlite'] as const;

  it('killed again and again while records change, come and go, end as the TypeScript copy', async () => {
    const before = await world.balance(key);
    for (const kind of KINDS) {
      for (let kill = 0; kill < KILLS; kill++) await runOnce(kind, random.integer(1, 4));
      await runOnce(kind);
    }
    assert.equal(before - (await world.balance(key)), RECORDS, 'each record is charged once, whoever asks for it again');

    const changed = [3, 50, 51].map((id) => project(id, { acreage: 5 + id }));
    const gone = [7, 8].map((id) => ({ kind: 'project', id, deleted: true }));
    const fresh = Array.from({ length: 15 }, (_, i) => project(RECORDS + 1 + i));
    await world.api.index.load([...changed, ...gone, ...fresh], { mode: 'increment' });
    for (const kind of KINDS) {
      for (let kill = 0; kill < 2; kill++) await runOnce(kind, 1);
      const result = await runOnce(kind);
      assert.equal(result.records, RECORDS - gone.length + fresh.length, JSON.stringify(result));
    }
    const expected = byId(await typeScriptCopy());
    assert.equal(expected.length, RECORDS - gone.length + fresh.length);
    for (const kind of KINDS) assert.deepEqual(byId(await recordsOf(kind)), expected, kind);
    assert.equal(before - (await world.balance(key)), RECORDS + changed.length + fresh.length);
  });

  it('read in SQL by the names of their fields', async () => {
    const lines = `
import sqlite3
database = sqlite3.connect(given["file"])
show(rows=database.execute("select id, projectName, acreage, json_extract(delivery, '$.billed') is not null from projects where acreage > 50 order by id").fetchall())`;
    const { rows } = await home.show(lines, { file: fileOf('sqlite') });
    assert.equal(rows.join('; '), '50,Project 50,55,1; 51,Project 51,56,1');
  });

  it('are one copy each: another process, other filters and a file of something else are refused with what to do', async () => {
    await world.api.index.load([project(200), project(201)], { mode: 'increment' });
    const first = start('ndjson', { waits: true });
    await once(first.stdout, 'data');
    const second = await runOnce('ndjson');
    first.stdin.end('\n');
    await once(first, 'exit');
    assert.deepEqual([second.error, /Another process is working/.test(second.text)], ['CopyError', true]);
    for (const kind of KINDS) {
      const other = await runOnce(kind, undefined, { filters: { states: ['TX'] } });
      assert.match(other.text, /was made of .* repeat these, take another file, or use rebuild=True/);
    }
    const own = key;
    key = await world.api.key('api_only');
    for (const kind of KINDS) assert.match((await runOnce(kind)).text, /was made with a key of another team: use a key of that team/);
    key = own;
    await writeFile(`${fileOf('ndjson')}.sync`, '{"format":');
    assert.match((await runOnce('ndjson')).text, /copy\.ndjson\.sync.* is damaged: start over with rebuild=True/);
  });

  it('leave nothing where their price is refused', async () => {
    const lines = `
import pathlib
api, codes = LandUse(given["key"], given["url"]), []
folder = pathlib.Path(given["folder"])
folder.mkdir()
for keep in (api.sync_to_ndjson, api.sync_to_sqlite):
    try:
        keep(folder / "copy", dateRange="all", max_credits=3)
    except Refusal as error:
        codes.append(error.code)
show(codes=codes, left=[one.name for one in folder.iterdir()])`;
    const given = { key: await world.api.key('api_only'), url: world.api.url, folder: path.join(home.folder, 'refused') };
    assert.deepEqual(await home.show(lines, given), { codes: ['invalid_request', 'invalid_request'], left: [] });
  });

  it('that the service knows no more say so, and are built again beside the old one, until its end', async () => {
    const lines = `
import sqlite3
database = sqlite3.connect(given["file"])
database.execute("update sync_state set cursor = 'eyJ2Ijo0fQ.bm8'")
database.execute("insert into records values (999, '{\\"id\\": 999}', 1)")
database.commit()
show()`;
    await home.show(lines, { file: fileOf('sqlite') });
    const spent = await world.balance(key);
    const refused = await runOnce('sqlite');
    assert.deepEqual([refused.error, /rebuild=True/.test(refused.text)], ['CopyOutOfDate', true]);
    await runOnce('sqlite', 2, { rebuild: true });
    const ids = (await recordsOf('sqlite')).map(({ id }) => id);
    assert(ids.includes(999), 'rows stay until the walk is through');
    assert.equal((await runOnce('sqlite')).error, undefined);
    await runOnce('ndjson', undefined, { rebuild: true });
    const expected = byId(await typeScriptCopy());
    for (const kind of KINDS) assert.deepEqual(byId(await recordsOf(kind)), expected, kind);
    assert.equal(spent - (await world.balance(key)), 0, 'what is held is free');
  });
});
