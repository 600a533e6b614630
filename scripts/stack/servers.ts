import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../src/terminal/program.ts';
import { withLock } from '../processLock.mjs';
import { type Log, secondsSince } from './errors.ts';
import type { Java } from './java.ts';

const POM = path.join(import.meta.dirname, 'pom.xml');
const MAVEN_LINES_SHOWN = 5;

export interface ServerFiles {
  folder: string;
  elasticsearchVersion: string;
  redisVersion: string;
  /** Names below `folder`. */
  elasticsearch: string;
  redis: string;
}

/** The files of Elasticsearch and Redis below `.stack/servers`; Maven fetches and unpacks each version once. */
export async function serverFiles(stackFolder: string, java: Java, log: Log, signal?: AbortSignal): Promise<ServerFiles> {
  const folder = path.join(stackFolder, 'servers', `elasticsearch-${pomVersion('elasticsearch')}-redis-${pomVersion('embedded-redis')}`);
  if (!existsSync(folder)) {
    await withLock(
      path.join(stackFolder, 'servers.lock'),
      () => (existsSync(folder) ? undefined : unpack(folder, java, log, signal)),
      () => log('Waiting for another process that is fetching the servers …'),
    );
  }
  return describe(folder);
}

function describe(folder: string): ServerFiles {
  const names = readdirSync(folder);
  const elasticsearch = names.find((name) => name.startsWith('elasticsearch-'));
  const redis = names.find((name) => name.startsWith('redis-server-') && name.endsWith(platformSuffix()));
  if (!elasticsearch) throw new UserError(`Elasticsearch is missing in ${folder}: remove that folder and run the command again.`);
  if (!redis)
    throw new UserError(
      `There is no Redis to bring along for ${process.platform} ${process.arch}: set ELASTICSEARCH_URL, DATABASE_URL and REDIS_URL to servers of your own.`,
    );
  const redisVersion = /^redis-server-([\d.]+)-/.exec(redis)?.[1] ?? '';
  return { folder, elasticsearch, redis, redisVersion, elasticsearchVersion: pomVersion('elasticsearch') };
}

function platformSuffix(): string {
  return `-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
}

function pomVersion(artifact: string): string {
  const found = new RegExp(`<artifactId>${artifact}</artifactId>\\s*<version>([^<]+)<`).exec(readFileSync(POM, 'utf8'));
  if (!found?.[1]) throw new Error(`pom.xml names no version of ${artifact}`);
  return found[1];
}

/** Unpacks next to the final folder and renames at the end, so that a half-unpacked folder is never used. */
async function unpack(folder: string, java: Java, log: Log, signal?: AbortSignal): Promise<void> {
  const started = Date.now();
  const parent = path.dirname(folder);
  mkdirSync(parent, { recursive: true });
  for (const name of readdirSync(parent))
    if (name.startsWith('unpacking-')) rmSync(path.join(parent, name), { recursive: true, force: true });
  log('Fetching Elasticsearch and Redis with Maven (once; about 130 MB when they are not in its cache) …');
  const partial = path.join(parent, `unpacking-${process.pid}`);
  try {
    await runMaven(partial, java, signal);
    makeReadable(partial);
    renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  log(`Servers unpacked (${secondsSince(started)}).`);
}

async function runMaven(folder: string, java: Java, signal?: AbortSignal): Promise<void> {
  const args = ['-q', '-B', '-ntp', '-f', POM, `-Dservers.folder=${folder}`, 'generate-resources'];
  const env = { ...process.env, JAVA_HOME: process.env.JAVA_HOME ?? java.home };
  const child = spawn('mvn', args, { env, stdio: ['ignore', 'pipe', 'pipe'], ...(signal ? { signal } : {}) });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ENOENT'
          ? new UserError('Maven is needed to fetch the servers and `mvn` was not found: install Apache Maven 3.6 or newer.')
          : error,
      ),
    );
    child.once('close', resolve);
  });
  if (code === 0) return;
  const errors = output
    .split('\n')
    .filter((line) => line.includes('ERROR'))
    .slice(0, MAVEN_LINES_SHOWN)
    .join('\n');
  throw new UserError(`${errors || output.trim()}\nMaven could not fetch the servers: see its message above, then run the command again.`);
}

/** The servers may run as another user, whatever this user's umask is. */
function makeReadable(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const runnable = entry.isDirectory() || entry.parentPath.endsWith(`${path.sep}bin`) || entry.name.startsWith('redis-server-');
    if (entry.isDirectory() || entry.isFile()) chmodSync(path.join(entry.parentPath, entry.name), runnable ? 0o755 : 0o644);
  }
}
