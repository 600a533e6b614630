import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { KeyStore } from '../../../src/core/identity/keys.ts';
import { ensureLocalSecrets, readLocalSecrets, secretsFile } from '../../../src/core/store/files/localSecrets.ts';
import { Database } from '../../../src/core/store/postgres/pool.ts';
import { ReportedChanges } from '../../../src/core/store/redis/reportedChanges.ts';
import { runHosted } from '../../support/commandHost.ts';
import { runSql } from '../../support/database.ts';
import { newFolder } from '../../support/folder.ts';
import { pluck } from '../../support/lists.ts';
import { bareEnvironment, runProgram } from '../../support/programs.ts';
import { testRedis } from '../../support/redis.ts';
import { serverUrl } from '../../support/servers.ts';

const KEY_PEPPER = 'p'.repeat(32);
const DATABASE_SCHEMA = `test_admin_${process.pid}`;
const FILE = 'src/operate/admin/main.ts';
const SETTINGS = { ...bareEnvironment, DATABASE_URL: serverUrl('DATABASE_URL'), KEY_PEPPER, DATABASE_SCHEMA };

const admin = (args: string[], env: Record<string, string> = {}) => runHosted({ file: FILE, args, env: { ...SETTINGS, ...env } });

const created = async (...args: string[]) => {
  const { code, stdout, stderr } = await admin([...args, '--json']);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
};

describe('npm run admin', () => {
  after(() => runSql(serverUrl('DATABASE_URL'), `drop schema if exists ${DATABASE_SCHEMA} cascade`));

  it('asks for migrations first, and runs them', async () => {
    const { code, stderr } = await runProgram(FILE, ['team', 'list'], SETTINGS);
    assert.deepEqual([code, stderr.includes('admin -- migrate')], [1, true]);
    const migrated = await runProgram(FILE, ['migrate', '--json'], SETTINGS);
    assert(JSON.parse(migrated.stdout).applied.length > 0);
  });

  it('says what Postgres refuses its role, rather than that it cannot be reached', async () => {
    const rename = (from: string, to: string) =>
      runSql(serverUrl('DATABASE_URL'), `alter function ${DATABASE_SCHEMA}.${from}() rename to ${to}`);
    await rename('service_now', 'other_now');
    const { code, stderr } = await admin(['team', 'create', '--name', 'W', '--plan', 'national', '--owner', 'Ann']);
    await rename('other_now', 'service_now');
    assert.deepEqual([code, stderr], [1, 'Postgres refused a statement: function service_now() does not exist\n']);
  });

  it('makes a team with its first key, which works until it is revoked', async () => {
    const made = await created(
      'team',
      'create',
      '--name',
      'Watch',
      '--plan',
      'county',
      '--counties',
      'Boulder County, CO',
      '--owner',
      'Ann',
    );
    await using database = new Database({ url: serverUrl('DATABASE_URL'), schema: DATABASE_SCHEMA });
    const keys = () => new KeyStore({ database, pepper: KEY_PEPPER });
    const found = await keys().resolve(made.secret);
    assert.deepEqual(found.kind === 'ok' && found.principal.licence, { nationwide: false, stateIds: [], countyIds: [8013] });
    const rotated = await created('key', 'rotate', made.key.id, '--grace-hours', '1');
    assert.equal((await keys().resolve(rotated.secret)).kind, 'ok');
    await created('key', 'revoke', made.key.id);
    assert.equal((await keys().resolve(made.secret)).kind, 'unusable');
  });

  it('reports what it stops through Redis, for processes cut off from Postgres, and warns where it cannot', async () => {
    const { key, team } = await created('team', 'create', '--name', 'Cut off', '--plan', 'national', '--owner', 'Cy');
    const redis = await testRedis();
    try {
      const env = { REDIS_URL: redis.url, INDEX_PREFIX: redis.prefix.slice(0, -1) };
      assert.deepEqual((await admin(['key', 'revoke', key.id], env)).stderr, '');
      assert.deepEqual((await admin(['team', 'set-status', String(team.id), 'disabled'], env)).stderr, '');
      const changes = new ReportedChanges({ redis: redis.redis, prefix: redis.prefix, patience: 10 });
      const { revoked_at, status } = await changes.readChange({ id: key.id, user_id: key.userId, team_id: team.id });
      assert.deepEqual([revoked_at instanceof Date, status], [true, 'disabled']);
    } finally {
      await redis.drop();
    }
    for (const url of ['', 'redis://127.0.0.1:1']) {
      const { code, stderr } = await admin(['team', 'set-status', String(team.id), 'active'], { REDIS_URL: url });
      assert.deepEqual(
        [code, /^Warning: It is done, but could not be reported through Redis: .*REDIS_URL/.test(stderr)],
        [0, true],
        stderr,
      );
    }
  });

  it('never shows a secret again', async () => {
    const { secret } = await created('team', 'create', '--name', 'Once', '--plan', 'national', '--owner', 'Bo');
    const { stdout } = await admin(['key', 'list', '--json']);
    assert.equal(stdout.includes(secret), false);
  });

  it('writes the ledger as CSV that no spreadsheet runs, of a team and between days', async () => {
    const { team } = await created('team', 'create', '--name', 'Books', '--plan', 'api_only');
    await created('credits', 'adjust', String(team.id), '--amount', '100', '--note', '=1+1');
    await created('credits', 'adjust', String(team.id), '--amount', '-30', '--note', 'a, "quoted" note');
    await created('credits', 'adjust', String(team.id), '--amount', '-1', '--note', 'ends\ra row');
    const { stdout } = await admin(['ledger', 'export', '--team', String(team.id)]);
    const rows = parse(stdout, { columns: true, record_delimiter: ['\r\n', '\n', '\r'] }) as Record<string, string>[];
    assert.deepEqual(pluck(rows, 'teamId', 'kind', 'amount', 'note'), [
      [String(team.id), 'grant', '5000', `api_only ${new Date().toISOString().slice(0, 7)}`],
      [String(team.id), 'adjustment', '100', "'=1+1"],
      [String(team.id), 'adjustment', '-30', 'a, "quoted" note'],
      [String(team.id), 'adjustment', '-1', 'ends\ra row'],
    ]);
    assert.deepEqual(pluck(rows, 'balance'), ['5000', '5100', '5070', '5069']);
    const folder = newFolder('ledger');
    const out = path.join(folder, 'ledger.csv');
    assert.equal((await created('ledger', 'export', '--to', '2020-01-31', '--out', out)).entries, 0);
    assert.deepEqual(parse(readFileSync(out, 'utf8'), { columns: true }), []);
    const refused = await admin(['ledger', 'export', '--out', path.join(folder, 'missing', 'x.csv')]);
    assert.deepEqual([refused.code, /cannot be written: ENOENT/.test(refused.stderr)], [1, true]);
    assert.equal((await admin(['ledger', 'export', '--from', 'June'])).code, 2);
  });

  for (const [what, args, code, text] of [
    ['a refusal', ['team', 'create', '--name', 'X', '--plan', 'state'], 1, /name at least one/],
    ['a place that it does not know', ['team', 'create', '--name', 'X', '--plan', 'state', '--states', 'ZZ'], 1, /no state 'ZZ'/],
    [
      'a county that may be several',
      ['team', 'create', '--name', 'X', '--plan', 'county', '--counties', 'Washington'],
      1,
      /such as Washington/,
    ],
    ['a plan that does not exist', ['team', 'create', '--name', 'X', '--plan', 'gold'], 2, /Plans are county/],
    ['an unknown command', ['teem'], 2, /unknown command/],
  ] as const) {
    it(`exits with ${code} and one sentence for ${what}`, async () => {
      const outcome = await admin([...args]);
      assert.equal(outcome.code, code);
      assert.match(outcome.stderr, text);
      assert.equal(outcome.stderr.includes('    at '), false);
    });
  }

  it('exits with 2 and names the setting that is unusable', async () => {
    const { code, stderr } = await admin(['team', 'list'], { KEY_PEPPER: 'short' });
    assert.equal(code, 2);
    assert.match(stderr, /KEY_PEPPER has to be a secret of at least 32/);
  });
});

describe('local secrets', () => {
  it('are made once and readable by their owner alone', () => {
    const root = newFolder('secrets');
    assert.equal(readLocalSecrets(root), undefined);
    const made = ensureLocalSecrets(root);
    assert(made.KEY_PEPPER.length >= 32 && made.KEY_PEPPER !== made.CURSOR_SECRET);
    assert.deepEqual(ensureLocalSecrets(root), made);
    assert.equal(statSync(secretsFile(root)).mode & 0o777, 0o600);
  });
});
