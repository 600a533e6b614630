import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { shiftedClock } from '../dates/shiftedClock.ts';
import type { Java } from './java.ts';
import { HOST } from './ports.ts';
import { type ServerProcess, startProcess } from './processes.ts';
import { changeOwner, type RunAs } from './runAs.ts';

const STOP_TIMEOUT_MS = 10_000;
export const ELASTICSEARCH_SILENT_MS = 120_000;
const DEFAULT_HEAP = '1g';
const PING_TIMEOUT_MS = 5_000;

/** Options of Java without its optimizing compiler, which would cost more than it saves in a server that runs for minutes. */
export const SHORT_LIVED_JAVA = '-XX:TieredStopAtLevel=1 -XX:-UseG1GC -XX:+UseSerialGC';

interface ElasticsearchOptions {
  /** The unpacked distribution; only read, so that several nodes share one. */
  home: string;
  /** This node's own: data, settings, temporary files. Kept when it exists. */
  dataDir: string;
  logFile: string;
  port: number;
  transportPort: number;
  java: Java;
  user: RunAs;
  /** As in -Xmx, for example `1g`. */
  heap?: string | undefined;
  /** Further settings, for example `node.name` and `discovery.seed_hosts` of a cluster; they replace the settings of a single node. */
  settings?: Record<string, string>;
}

/** Starts one node. Ready when `pingElasticsearch` says so. */
export function startElasticsearch(options: ElasticsearchOptions): ServerProcess & { url: string } {
  const folders = prepareFolders(options);
  const heap = options.heap ?? DEFAULT_HEAP;
  const args = Object.entries(nodeSettings(options, folders)).flatMap(([name, value]) => ['-E', `${name}=${value}`]);
  const server = startProcess({
    name: 'Elasticsearch',
    command: path.join(options.home, 'bin', 'elasticsearch'),
    args,
    env: {
      PATH: process.env.PATH,
      ...shiftedClock,
      ES_JAVA_HOME: options.java.home,
      ES_JAVA_OPTS: `-Xms${heap} -Xmx${heap} ${process.env.ES_JAVA_OPTS ?? ''}`,
      ES_PATH_CONF: folders.config,
      ES_TMPDIR: folders.temporary,
      // ES_TMPDIR is the server's alone: the Java that launches it would leave folders in the system's temporary one
      JDK_JAVA_OPTIONS: `-XX:-UsePerfData "-Djava.io.tmpdir=${folders.temporary}"`,
    },
    cwd: folders.logs,
    user: options.user,
    logFile: options.logFile,
    readyLine: new RegExp(`bound_addresses \\{[^}]*:${options.port}\\}`),
    stopSignal: 'SIGTERM',
    stopTimeoutMs: STOP_TIMEOUT_MS,
    signalGroup: true,
  });
  return { ...server, url: `http://${HOST}:${options.port}` };
}

/** Answers on every Elasticsearch 9, also where `GET /` does not exist. */
export async function pingElasticsearch(url: string): Promise<boolean> {
  const health = new URL('_cluster/health?wait_for_status=yellow&timeout=2s', url.endsWith('/') ? url : `${url}/`);
  const headers: Record<string, string> = {};
  if (health.username)
    headers.authorization = `Basic ${btoa(`${decodeURIComponent(health.username)}:${decodeURIComponent(health.password)}`)}`;
  health.username = health.password = '';
  const response = await fetch(health, { headers, signal: AbortSignal.timeout(PING_TIMEOUT_MS) });
  const body = (await response.json()) as { status?: string };
  return body.status === 'green' || body.status === 'yellow';
}

interface NodeFolders {
  data: string;
  config: string;
  temporary: string;
  logs: string;
}

function nodeSettings(options: ElasticsearchOptions, folders: NodeFolders): Record<string, string> {
  return {
    'cluster.name': 'land-use',
    'network.host': HOST,
    'http.port': String(options.port),
    'transport.port': String(options.transportPort),
    'path.data': folders.data,
    'path.logs': folders.logs,
    'xpack.security.enabled': 'false',
    ...(options.settings ?? { 'discovery.type': 'single-node' }),
  };
}

function prepareFolders({ home, dataDir, user }: ElasticsearchOptions): NodeFolders {
  const folderOf = (name: string) => path.join(dataDir, name);
  const folders = { data: folderOf('data'), config: folderOf('config'), temporary: folderOf('temporary'), logs: folderOf('logs') };
  for (const folder of [folders.config, folders.temporary]) rmSync(folder, { recursive: true, force: true });
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true });
  mkdirSync(path.join(folders.config, 'jvm.options.d'));
  writeFileSync(path.join(folders.config, 'elasticsearch.yml'), '');
  copyFileSync(path.join(import.meta.dirname, 'log4j2.properties'), path.join(folders.config, 'log4j2.properties'));
  writeFileSync(path.join(folders.config, 'jvm.options'), jvmOptions(home));
  changeOwner(user, dataDir);
  return folders;
}

/**
 * The distribution's own options without its 2 GB of garbage collector logs. For a short life also without the module of vectors, by which
 * Elasticsearch looks for the lines of a bulk request: without the optimizing compiler each of its steps makes an object.
 */
function jvmOptions(home: string): string {
  const lines = readFileSync(path.join(home, 'config', 'jvm.options'), 'utf8').split('\n');
  const unwanted = process.env.ES_JAVA_OPTS?.includes(SHORT_LIVED_JAVA) ? ['-Xlog:gc', 'jdk.incubator.vector'] : ['-Xlog:gc'];
  return lines.filter((line) => !unwanted.some((text) => line.includes(text))).join('\n');
}
