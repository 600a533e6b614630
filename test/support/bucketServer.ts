/** An S3-compatible server on loopback for one test file: S3Proxy, which checks signatures, over a temporary folder. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { withLock } from '../../scripts/processLock.mjs';
import { findJava } from '../../scripts/stack/java.ts';
import { HOST, withFreePorts } from '../../scripts/stack/ports.ts';
import { startProcess, untilReady } from '../../scripts/stack/processes.ts';
import type { BucketOptions } from '../../src/core/store/files/bucketStore.ts';
import { bareEnvironment } from './programs.ts';

const root = path.resolve(import.meta.dirname, '../..');
const POM = path.join(import.meta.dirname, 's3proxy.pom.xml');
const BUCKET = 'exports';
const READY_MS = 60_000;

/** Fetched by Maven once a version. */
async function serverJar(): Promise<string> {
  const version = /<artifactId>s3proxy<\/artifactId>\s*<version>([^<]+)</.exec(readFileSync(POM, 'utf8'))?.[1];
  const folder = path.join(root, '.stack', 'servers', `s3proxy-${version}`);
  const fetchOnce = async () => {
    if (existsSync(folder)) return;
    const partial = `${folder}-${process.pid}`;
    await promisify(execFile)('mvn', ['-q', '-B', '-ntp', '-f', POM, `-Dservers.folder=${partial}`, 'generate-resources']);
    renameSync(partial, folder);
  };
  mkdirSync(path.dirname(folder), { recursive: true });
  if (!existsSync(folder)) await withLock(path.join(root, '.stack', 's3proxy.lock'), fetchOnce);
  return path.join(folder, 's3proxy.jar');
}

export interface BucketServer extends AsyncDisposable {
  options: BucketOptions;
  /** the folder in which the server keeps its buckets */
  folder: string;
  /** as SIGSTOP and SIGCONT do it */
  freeze(frozen: boolean): void;
  stop(): Promise<void>;
}

export async function startBucketServer(): Promise<BucketServer> {
  const jar = await serverJar();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'bucket-'));
  const [keyId, secret] = [randomBytes(8).toString('hex'), randomBytes(16).toString('hex')];
  mkdirSync(path.join(folder, 'data', BUCKET), { recursive: true });
  const user = { ids: {}, name: os.userInfo().username };
  const java = path.join(findJava(user).home, 'bin', 'java');
  return withFreePorts([undefined], console.error, async (port) => {
    const url = `http://${HOST}:${port}`;
    const settings = {
      's3proxy.endpoint': url,
      's3proxy.authorization': 'aws-v2-or-v4',
      's3proxy.identity': keyId,
      's3proxy.credential': secret,
      'jclouds.provider': 'filesystem-nio2',
      'jclouds.filesystem.basedir': path.join(folder, 'data'),
    };
    const file = path.join(folder, 's3proxy.properties');
    writeFileSync(
      file,
      Object.entries(settings)
        .map((pair) => pair.join('='))
        .join('\n'),
    );
    const server = startProcess({
      name: 'S3Proxy',
      command: java,
      args: ['-Xmx192m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-jar', jar, '--properties', file],
      env: bareEnvironment,
      cwd: folder,
      user,
      logFile: path.join(folder, 's3proxy.log'),
      stopSignal: 'SIGTERM',
      stopTimeoutMs: 5000,
    });
    const answers = async () => (await fetch(url)).status > 0;
    await untilReady(server, answers, READY_MS, new AbortController().signal);
    let stopped: Promise<void> | undefined;
    const stopOnce = async () => {
      process.kill(server.pid, 'SIGCONT');
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    };
    const stop = () => {
      stopped ??= stopOnce();
      return stopped;
    };
    return {
      options: { url: `${url}/${BUCKET}`, keyId, secret },
      folder: path.join(folder, 'data', BUCKET),
      freeze: (frozen) => process.kill(server.pid, frozen ? 'SIGSTOP' : 'SIGCONT'),
      stop,
      [Symbol.asyncDispose]: stop,
    };
  });
}
