/** A Postgres of a test's own, as the warehouse of a customer, in which its role may do everything. */
import { chmodSync } from 'node:fs';
import path from 'node:path';
import { newPassword } from '../../scripts/stack/passwords.ts';
import { freePort } from '../../scripts/stack/ports.ts';
import { POSTGRES_SILENT_MS, postgresFiles, preparePostgres, startPostgres } from '../../scripts/stack/postgres.ts';
import { untilReady } from '../../scripts/stack/processes.ts';
import { copyIfUnreadable, serverUser } from '../../scripts/stack/runAs.ts';
import { newFolder } from './folder.ts';

export interface Warehouse {
  url: string;
  stop(): Promise<void>;
}

export async function startWarehouse(): Promise<Warehouse> {
  const user = serverUser();
  const folder = newFolder('warehouse');
  chmodSync(folder, 0o755);
  const home = copyIfUnreadable(user, postgresFiles().home, 'bin/postgres', () => folder);
  const superuserPassword = newPassword();
  const places = { home, dataDir: path.join(folder, 'data'), logFile: path.join(folder, 'log') };
  const options = { ...places, port: await freePort(), user, password: newPassword(), superuserPassword, unsafe: true };
  const server = await startPostgres(options);
  await untilReady(server, () => preparePostgres(server.url, superuserPassword), POSTGRES_SILENT_MS, new AbortController().signal);
  const url = Object.assign(new URL(server.url), { username: 'landuse', password: superuserPassword }).href;
  return {
    url,
    stop: () => server.stop(),
  };
}
