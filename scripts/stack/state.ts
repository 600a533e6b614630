import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OWNER_ONLY_FILE } from '../../src/core/store/files/modes.ts';
import { UserError } from '../../src/terminal/program.ts';
import { identify, isAlive, type ProcessIdentity, startedAt, withLock } from '../processLock.mjs';
import type { Log } from './errors.ts';
import { type ServerProcess, signalGroup } from './processes.ts';
import { groupMembers } from './processTable.ts';

const STATE_FILE = 'stack.json';
const LEFTOVER_STOP_MS = 10_000;
const POLL_MS = 50;

export interface ServerUrls {
  elasticsearchUrl: string;
  databaseUrl: string;
  redisUrl: string;
}

interface RunningServer {
  name: string;
  pid: number;
  /** Part of its command line: distinguishes our server from a later process with the same number. */
  marker: string;
}

/** What `.stack/stack.json` (`npm run stack`) and `.stack/run-<pid>/stack.json` (a run that throws its data away) hold. */
export interface StackState {
  owner: ProcessIdentity;
  servers: RunningServer[];
  /** To be removed when the stack is gone. */
  remove: string[];
  /** Present once every server is ready. */
  urls?: ServerUrls;
}

/** One stack's place on disk and the record of what it started; everything in it is undone by `remove`. */
export class StackRun {
  /** Data of the servers. */
  readonly folder: string;
  readonly logs: string;
  readonly state: StackState;
  private readonly stateFile: string;

  constructor(folder: string, stateFile: string, remove: string[]) {
    this.folder = folder;
    this.logs = path.join(folder, 'logs');
    this.stateFile = stateFile;
    this.state = { owner: identify(), servers: [], remove };
    mkdirSync(this.logs, { recursive: true });
    this.save();
  }

  addServer(server: ServerProcess, marker: string): void {
    this.state.servers.push({ name: server.name, pid: server.pid, marker });
    this.save();
  }

  dropServer(server: ServerProcess): void {
    this.state.servers = this.state.servers.filter(({ pid }) => pid !== server.pid);
    this.save();
  }

  alsoRemove(folder: string): void {
    this.state.remove.push(folder);
    this.save();
  }

  ready(urls: ServerUrls): void {
    this.state.urls = urls;
    this.save();
  }

  remove(): void {
    removeFiles(this.state, this.stateFile);
  }

  private save(): void {
    const partial = `${this.stateFile}.${process.pid}`;
    writeFileSync(partial, `${JSON.stringify(this.state, undefined, 2)}\n`, { mode: OWNER_ONLY_FILE }); // its URLs hold passwords
    renameSync(partial, this.stateFile);
  }
}

/** Clears what killed stacks left behind, then takes the project's place for a new one; fails when a living stack holds it. */
export function claimRun(stackFolder: string, ephemeral: boolean, log: Log): Promise<StackRun> {
  return withLock(path.join(stackFolder, 'state.lock'), async () => {
    await clearLeftovers(stackFolder, log);
    if (ephemeral) {
      const folder = unusedName(path.join(stackFolder, `run-${process.pid}`));
      mkdirSync(folder);
      return new StackRun(folder, path.join(folder, STATE_FILE), [folder]);
    }
    const held = readState(stackFolder);
    if (held) throw new UserError(`Process ${held.owner.pid} runs a stack in this folder already: stop it first.`);
    const folder = path.join(stackFolder, 'data');
    return new StackRun(folder, path.join(stackFolder, STATE_FILE), []);
  });
}

/** The state of the stack that `npm run stack` started here, while its process lives. */
export function readState(folder: string): StackState | undefined {
  try {
    const state = JSON.parse(readFileSync(path.join(folder, STATE_FILE), 'utf8')) as StackState;
    return isAlive(state.owner) ? state : undefined;
  } catch {
    return undefined;
  }
}

async function clearLeftovers(stackFolder: string, log: Log): Promise<void> {
  const runs = readdirSync(stackFolder).filter((name) => /^run-\d+/.test(name));
  for (const folder of [stackFolder, ...runs.map((name) => path.join(stackFolder, name))]) {
    const stateFile = path.join(folder, STATE_FILE);
    const state = parseState(stateFile);
    if (state ? isAlive(state.owner) : folder === stackFolder || hasLivingOwner(folder)) continue;
    const alive = (state?.servers ?? []).filter(isOurs);
    if (alive.length > 0)
      log(`Stopping what a killed stack left running: ${alive.map(({ name, pid }) => `${name} (process ${pid})`).join(', ')} …`);
    await Promise.all(alive.map(stopLeftover));
    removeFiles(state ?? { remove: [folder] }, stateFile);
  }
}

function parseState(file: string): StackState | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as StackState;
  } catch {
    return undefined;
  }
}

/** A run's folder without a record: its process was killed, or is just about to write it. */
function hasLivingOwner(folder: string): boolean {
  return startedAt(Number(/^run-(\d+)/.exec(path.basename(folder))?.[1])) !== undefined;
}

function isOurs({ pid, marker }: RunningServer): boolean {
  return groupMembers(pid).some(({ command }) => command.includes(marker));
}

async function stopLeftover(server: RunningServer): Promise<void> {
  const deadline = Date.now() + LEFTOVER_STOP_MS;
  signalGroup(server.pid, server.name === 'Postgres' ? 'SIGINT' : 'SIGTERM');
  while (isOurs(server) && Date.now() < deadline) await sleep(POLL_MS);
  if (isOurs(server)) signalGroup(server.pid, 'SIGKILL');
}

function removeFiles(state: Pick<StackState, 'remove'>, stateFile: string): void {
  for (const folder of state.remove) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  rmSync(stateFile, { force: true });
}

function unusedName(wanted: string): string {
  let name = wanted;
  for (let counter = 2; existsSync(name); counter++) name = `${wanted}-${counter}`;
  return name;
}
