/** Settings of commands that are run by hand: the environment, completed from the project's running stack of servers. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ensureLocalSecrets, readLocalSecrets } from './localSecrets.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface StackFile {
  owner: { pid: number };
  /** set once every server is ready */
  urls?: { elasticsearchUrl: string; databaseUrl: string; redisUrl: string };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // it runs, under another user
  }
}

/** Folders for the files of the demo, and of commands run with its servers. */
export const localFolders = (root: string) => ({
  EXPORT_DIR: path.join(root, '.stack', 'exports'),
  GENERATIONS_DIR: path.join(root, '.stack', 'generations'),
});

/** Environment variables for the running stack of the project at `root`; undefined if none is ready. */
export function stackVariables(root: string) {
  let stack: StackFile;
  try {
    stack = JSON.parse(readFileSync(path.join(root, '.stack', 'stack.json'), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const { owner, urls } = stack;
  if (!urls || !isAlive(owner.pid)) return undefined;
  return { ...localFolders(root), ELASTICSEARCH_URL: urls.elasticsearchUrl, DATABASE_URL: urls.databaseUrl, REDIS_URL: urls.redisUrl };
}

/**
 * Completes an environment; `given` takes precedence. Without DATABASE_URL, the servers and secrets of the project's running stack are
 * used. Local secrets are never used with another database, which would not know keys minted under them.
 */
export function commandEnvironment(root: string, given: Environment): Environment {
  const stack = stackVariables(root);
  if (given.DATABASE_URL) return given.DATABASE_URL === stack?.DATABASE_URL ? { ...readLocalSecrets(root), ...given } : given;
  if (!stack) return given;
  return { ...stack, ...ensureLocalSecrets(root), ...Object.fromEntries(Object.entries(given).filter(([, value]) => value)) };
}
