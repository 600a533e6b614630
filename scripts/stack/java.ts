import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../src/terminal/program.ts';
import type { RunAs } from './runAs.ts';

/** Elasticsearch 9.5 runs on this version or a newer one. */
const OLDEST_JAVA = 21;
const JVM_FOLDERS = ['/usr/lib/jvm', '/usr/java', '/opt/java', '/Library/Java/JavaVirtualMachines'];
const MAC_JAVA_HOME = '/usr/libexec/java_home';

export interface Java {
  home: string;
  version: number;
}

/** Finds a Java that is new enough: ES_JAVA_HOME (if set, no other is tried), JAVA_HOME, PATH, then the usual folders of the system. */
export function findJava(user: RunAs, env: NodeJS.ProcessEnv = process.env, folders = JVM_FOLDERS): Java {
  const named = env.ES_JAVA_HOME;
  if (named) {
    const java = readJavaVersion(path.join(named, 'bin', 'java'), user);
    if (java && java.version >= OLDEST_JAVA) return java;
    const what = java ? `Java ${java.version}` : `no Java that "${user.name}" can run`;
    throw new UserError(`ES_JAVA_HOME names ${what}, but Elasticsearch needs Java ${OLDEST_JAVA} or newer: correct it or unset it.`);
  }
  const tooOld = new Set<number>();
  for (const command of candidates(env, folders)) {
    const java = readJavaVersion(command, user);
    if (java && java.version >= OLDEST_JAVA) return java;
    if (java) tooOld.add(java.version);
  }
  const found = tooOld.size > 0 ? `only Java ${[...tooOld].join(', ')} was found` : 'none was found';
  throw new UserError(
    `Elasticsearch needs Java ${OLDEST_JAVA} or newer and ${found}: install it (a JRE is enough) or point ES_JAVA_HOME to it.`,
  );
}

function* candidates(env: NodeJS.ProcessEnv, folders: string[]): Generator<string> {
  if (env.JAVA_HOME) yield path.join(env.JAVA_HOME, 'bin', 'java');
  yield* (env.PATH ?? '')
    .split(path.delimiter)
    .filter(Boolean)
    .map((folder) => path.join(folder, 'java'));
  if (folders === JVM_FOLDERS && existsSync(MAC_JAVA_HOME)) {
    const home = spawnSync(MAC_JAVA_HOME, ['-v', `${OLDEST_JAVA}+`], { encoding: 'utf8' }).stdout?.trim();
    if (home) yield path.join(home, 'bin', 'java');
  }
  for (const folder of folders) {
    if (!existsSync(folder)) continue;
    for (const name of readdirSync(folder).sort()) {
      yield path.join(folder, name, 'bin', 'java');
      yield path.join(folder, name, 'Contents', 'Home', 'bin', 'java');
    }
  }
}

/** Runs a Java as the servers' user, who may be unable to reach it, and reads its home and version. */
function readJavaVersion(command: string, user: RunAs): Java | undefined {
  if (!existsSync(command)) return undefined;
  const result = spawnSync(command, ['-XshowSettings:properties', '-version'], { ...user.ids, cwd: '/', encoding: 'utf8' });
  const text = `${result.stderr ?? ''}${result.stdout ?? ''}`;
  const home = /^\s*java\.home = (.+)$/m.exec(text)?.[1]?.trim();
  const version = Number(/^\s*java\.specification\.version = (\d+)/m.exec(text)?.[1]);
  return home && Number.isInteger(version) ? { home, version } : undefined;
}
