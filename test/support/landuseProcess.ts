/** The command line as a test uses it. */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { runInTurn } from './commandHost.ts';
import { bareEnvironment, type Output, outputOf, root } from './programs.ts';

const MAIN = 'src/clients/cli/main.ts';
export const landuseMain = path.join(root, MAIN);
/** Somebody sits there: the output is a terminal, or questions are seen and answered by the input. */
const ON_TERMINAL = ['--import', 'data:text/javascript,process.stdout.isTTY=true'];
const ATTENDED = ['--import', 'data:text/javascript,process.stdin.isTTY=process.stderr.isTTY=true'];

export interface CommandOutcome extends Output {
  /** null if it was killed */
  code: number | null;
}

export interface CommandSettings {
  url: string;
  /** none if it is empty */
  key: string;
  /** where it runs, and keeps its login */
  folder: string;
  env?: Record<string, string>;
  input?: string;
  /** its output is a terminal's */
  terminal?: boolean;
  /** somebody answers its questions, by the input */
  attended?: boolean;
  started?: (child: ChildProcess) => void;
}

/** Runs a command: in a process of its own where the test kills it or types something, otherwise in one that it shares with others. */
export async function runLanduse(args: readonly string[], settings: CommandSettings): Promise<CommandOutcome> {
  const { url, key, folder, input, terminal = false, attended, started } = settings;
  const own = { LANDUSE_URL: url, XDG_CONFIG_HOME: folder, ...(key ? { LANDUSE_KEY: key } : {}), ...settings.env };
  const env = { ...bareEnvironment, ...own };
  if (input === undefined && !attended && !started) return runInTurn({ file: MAIN, args, env, cwd: folder, terminal });
  const imports = [...(terminal ? ON_TERMINAL : []), ...(attended ? ATTENDED : [])];
  const child = spawn(process.execPath, [...imports, landuseMain, ...args], { env, cwd: folder });
  started?.(child);
  child.stdin.end(input);
  const output = outputOf(child);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { ...output, code };
}
