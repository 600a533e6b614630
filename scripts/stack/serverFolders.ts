import path from 'node:path';
import type { Log } from './errors.ts';
import { postgresFiles } from './postgres.ts';
import { canRead, copyIfUnreadable, makeMemoryFolder, makeReachableFolder, type RunAs } from './runAs.ts';
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
 * Chooses the folders of each server's files: in the project, or in a temporary folder if the servers' user cannot reach them there.
 * @param inMemory keeps the data in memory if there is room for it, so that no write waits for a disk
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
    elasticsearchHome: copyIfUnreadable(user, path.join(files.folder, files.elasticsearch), 'bin/elasticsearch', elsewhere),
    elasticsearchVersion: files.elasticsearchVersion,
    postgresHome: copyIfUnreadable(user, postgres.home, 'bin/postgres', elsewhere),
    postgresVersion: postgres.version,
    redisBinary: copyIfUnreadable(user, path.join(files.folder, files.redis), '', elsewhere),
    redisVersion: files.redisVersion,
    dataFolder: memory ?? (reachable ? run.folder : elsewhere()),
  };
}
