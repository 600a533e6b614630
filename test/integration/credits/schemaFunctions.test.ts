/** How a schema comes to this version's functions and is kept from migrations that were edited. */

import assert from 'node:assert/strict';
import pg from 'pg';
import { ChangedMigration, migrate } from '../../../src/core/store/postgres/migrate.ts';
import { readCommittedChecksums, readFunctionFiles } from '../../../src/core/store/postgres/sqlFiles.ts';
import { runSql, type TestDatabase, testDatabase } from '../../support/database.ts';
import { pluck } from '../../support/lists.ts';
import { makeNextVersion, NEXT_MIGRATION } from '../../support/nextVersion.ts';

describe('functions of the schema', () => {
  let test: TestDatabase;
  const { version } = readCommittedChecksums().functions;

  before(async () => {
    test = await testDatabase();
  });

  after(() => test.drop());

  const migrated = () => migrate(test.url, test.schema);
  const query = <Row>(text: string) => test.database.query<Row>(text);
  const bodyOf = async (name: string) => {
    const [row] = await query<{ body: string }>(`select prosrc as body from pg_proc where oid = '${test.schema}.${name}'::regproc`);
    return row?.body ?? '';
  };
  const asOtherVersion = (of: number) =>
    query(`update applied_sql set checksum = 'of another version', version = ${of} where name = 'functions'`);
  const replaceAudibly = () =>
    query(`create or replace function granted_now(p_granted_for text) returns text language sql stable as $$ select 'replaced' $$`);

  it('are those of the files', async () => {
    for (const { name, text } of readFunctionFiles()) assert(text.includes(await bodyOf(name)), name);
    const [listed] = await query<{ names: string[] }>(
      `select array_agg(proname::text order by proname) as names from pg_proc where pronamespace = '${test.schema}'::regnamespace`,
    );
    assert.deepEqual(listed?.names, pluck(readFunctionFiles(), 'name'));
  });

  it('stay as they are while the files do, as in a second start', async () => {
    await replaceAudibly();
    assert.deepEqual(await migrated(), []);
    assert.match(await bodyOf('granted_now'), /replaced/);
  });

  it('are replaced once when an older version put them there, also by two processes that start at once', async () => {
    await replaceAudibly();
    await asOtherVersion(version - 1);
    const applied = await Promise.all([migrated(), migrated()]);
    assert.deepEqual(applied.flat(), ['functions']);
    assert.doesNotMatch(await bodyOf('granted_now'), /replaced/);
  });

  it('are left alone by a process of an older version that starts again', async () => {
    await replaceAudibly();
    await asOtherVersion(version + 1);
    assert.deepEqual(await migrated(), []);
    assert.match(await bodyOf('granted_now'), /replaced/);
  });

  it('are replaced all or none', async () => {
    await replaceAudibly();
    await asOtherVersion(version - 1);
    await query(`alter function settle_idempotency(integer, jsonb, jsonb) rename to settle_elsewhere`);
    await query(
      'create function settle_idempotency(p_team integer, p_claim jsonb, p_outcome jsonb) returns integer language sql as $$ select 1 $$',
    );
    await assert.rejects(migrated(), /cannot change return type/);
    assert.match(await bodyOf('granted_now'), /replaced/);
    await query('drop function settle_idempotency(integer, jsonb, jsonb)');
    await query(`alter function settle_elsewhere(integer, jsonb, jsonb) rename to settle_idempotency`);
    assert.deepEqual(await migrated(), ['functions']);
  });

  it('are migrated with tables under a version that serves: what is locked is given back at once while another table is in use', async () => {
    const next = await makeNextVersion();
    const reader = new pg.Client({ connectionString: test.url, options: `-c search_path=${test.schema}` });
    await reader.connect();
    await reader.query('begin');
    await reader.query('select from api_key');
    let applied: string[] | undefined;
    const migration = next.migrate(test.url, test.schema).then((result) => {
      applied = result.filter((name) => name !== 'functions');
    });
    for (const until = Date.now() + 1_500; Date.now() < until; ) await query('select from team'); // waits for two seconds at most
    assert.equal(applied, undefined, 'the reader still has its table');
    await reader.query('commit');
    await reader.end();
    await migration;
    assert.deepEqual(applied, [NEXT_MIGRATION]);
    assert.deepEqual(await migrated(), [], 'a process of this version that starts again changes nothing');
    next.remove();
  });
});

describe('a schema', () => {
  it('is not touched where an applied migration was edited, and the message names the file and the remedy', async () => {
    await using test = await testDatabase();
    await test.database.query(`update applied_sql set checksum = 'of another text' where name in ('0001_baseline', 'functions')`);
    await assert.rejects(migrate(test.url, test.schema), (error: Error) => {
      assert(error instanceof ChangedMigration);
      assert.match(error.message, /^migrations\/0001_baseline\.sql: .*as a new migration; nothing was changed$/);
      return true;
    });
    const [functions] = await test.database.query<{ checksum: string }>(`select checksum from applied_sql where name = 'functions'`);
    assert.equal(functions?.checksum, 'of another text');
  });

  it('that a newer version has migrated further is left as it is', async () => {
    await using test = await testDatabase();
    await runSql(
      test.url,
      `insert into ${test.schema}.migration (name, run_on) values ('9999_newer', now());
       insert into ${test.schema}.applied_sql (name, checksum) values ('9999_newer', 'x')`,
    );
    assert.deepEqual(await migrate(test.url, test.schema), []);
  });
});
