import path from 'node:path';
import type { Log } from './errors.ts';
import { postgresFiles } from './postgres.ts';
import { canRead, makeMemoryFolder, makeReachableFolder, type RunAs, readableBy } from './run-as.ts';
import type { ServerFiles } from './servers.ts';
import type { StackRun } from './state.ts';

export interface StackPlaces {
  elasticsearchHome: string;
  elasticsearchVersion: string;
  postgresHome: string;
  postgresVersion: string;
  redisBinary: string;
  redisVersion: string;
  dataFolder: string;
}

/**
 * The folders of each server's files: in the project, or in a temporary folder when the servers' user cannot reach them there.
 * @param inMemory puts the data there where the system has room for it: nothing then waits for a disk
 */
export function placeServers(run: StackRun, files: ServerFiles, user: RunAs, ephemeral: boolean, log: Log, inMemory = false): StackPlaces {
  let temporary: string | undefined;
  const elsewhere = () => {
    if (temporary === undefined) {
      temporary = makeReachableFolder(user);
      run.alsoRemove(temporary);
    }
    return temporary;
  };
  const postgres = postgresFiles();
  const memory = inMemory ? makeMemoryFolder(user) : undefined;
  if (memory) run.alsoRemove(memory);
  const reachable = canRead(user, run.folder);
  if (!reachable && !ephemeral)
    log(`User "${user.name}" cannot enter this folder: the data lies in a temporary one and is removed at the end.`);
  return {
    elasticsearchHome: readableBy(user, path.join(files.folder, files.elasticsearch), 'bin/elasticsearch', elsewhere),
    elasticsearchVersion: files.elasticsearchVersion,
    postgresHome: readableBy(user, postgres.home, 'bin/postgres', elsewhere),
    postgresVersion: postgres.version,
    redisBinary: readableBy(user, path.join(files.folder, files.redis), '', elsewhere),
    redisVersion: files.redisVersion,
    dataFolder: memory ?? (reachable ? run.folder : elsewhere()),
  };
}
