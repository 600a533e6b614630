/** Programs of Python packages, each installed once into an environment of its own below `.stack`. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';

const ran = (command: string, args: readonly string[]): boolean => spawnSync(command, args, { stdio: 'inherit' }).status === 0;

/** @param requirement package and version @returns the program's path; undefined if Python 3 with venv or a package registry is missing */
export function installPythonTool(folder: string, requirement: string, program: string): string | undefined {
  const file = path.join(folder, 'bin', program);
  if (existsSync(file)) return file;
  mkdirSync(path.dirname(folder), { recursive: true });
  const installed = ran('python3', ['-m', 'venv', folder]) && ran(path.join(folder, 'bin/pip'), ['install', '--quiet', requirement]);
  if (installed) return file;
  rmSync(folder, { recursive: true, force: true });
  return undefined;
}
