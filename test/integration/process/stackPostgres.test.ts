/** The Postgres of the stack, and what the role that the service logs in as may do there. */
import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import path from 'node:path';
import { newPassword } from '../../../scripts/stack/passwords.ts';
import { freePort } from '../../../scripts/stack/ports.ts';
import { POSTGRES_SILENT_MS, postgresFiles, preparePostgres, startPostgres } from '../../../scripts/stack/postgres.ts';
import { type ServerProcess, untilReady } from '../../../scripts/stack/processes.ts';
import { copyIfUnreadable, serverUser } from '../../../scripts/stack/runAs.ts';
import { migrate } from '../../../src/core/store/postgres/migrate.ts';
import { Database } from '../../../src/core/store/postgres/pool.ts';
import { runSql } from '../../support/database.ts';
import { newFolder } from '../../support/folder.ts';

const DENIED = '42501';

describe('Postgres of the stack', () => {
  const user = serverUser();
  const password = newPassword();
  const folder = newFolder('stack-postgres');
  let home: string;
  let server: ServerProcess & { url: string };

  async function start(): Promise<void> {
    const superuserPassword = newPassword();
    const places = { home, dataDir: path.join(folder, 'data'), logFile: path.join(folder, 'log') };
    server = await startPostgres({ ...places, port: await freePort(), user, password, superuserPassword, unsafe: true });
    await untilReady(server, () => preparePostgres(server.url, superuserPassword), POSTGRES_SILENT_MS, new AbortController().signal);
  }
  before(async () => {
    chmodSync(folder, 0o755);
    home = copyIfUnreadable(user, postgresFiles().home, 'bin/postgres', () => folder);
    await start();
  });
  after(async () => {
    await server.stop();
  });

  const withUser = (username: string, secret: string) => Object.assign(new URL(server.url), { username, password: secret }).href;

  it('lets nobody in without the password', async () => {
    for (const url of [
      withUser('landuse_service', ''),
      withUser('landuse_service', 'wrong'),
      withUser('landuse', ''),
      withUser('landuse', password),
    ])
      await assert.rejects(runSql(url, 'select 1'), /password/, url);
  });

  it('gives the service a role that owns its schema, may make others for tests, and can do no more', async () => {
    assert.equal(new URL(server.url).username, 'landuse_service');
    await migrate(server.url, 'public');
    await migrate(server.url, 'of_a_test');
    await runSql(server.url, 'drop schema of_a_test cascade');
    const [rights] = await rows(
      'select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls from pg_roles where rolname = current_user',
    );
    assert.deepEqual(Object.values(rights ?? {}), [false, false, false, false, false]);
    const denied = [
      'create role other',
      'create database other',
      'alter role landuse_service superuser',
      'select * from pg_authid',
      "copy (select 1) to program 'true'",
      "select pg_read_file('postgresql.conf')",
      'alter system set fsync = off',
      'create temporary table other (id integer)',
      'alter database landuse rename to other',
      'select pg_reload_conf()',
    ];
    for (const statement of denied) await assert.rejects(runSql(server.url, statement), { code: DENIED }, statement);
    for (const database of ['postgres', 'template1'])
      await assert.rejects(runSql(Object.assign(new URL(server.url), { pathname: `/${database}` }).href, 'select 1'), { code: DENIED });
  });

  async function rows(text: string): Promise<Record<string, unknown>[]> {
    const database = new Database({ url: server.url, schema: 'public' });
    return database.query<Record<string, unknown>>(text).finally(() => database.close());
  }
});
