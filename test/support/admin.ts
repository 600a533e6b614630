/** The admin command in a child process, on the data of a test service. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import type { Json } from './json.ts';
import type { TestService } from './service.ts';

const root = path.resolve(import.meta.dirname, '../..');

export interface AdminAnswer {
  code: number;
  json: Json;
  err: string;
}

/** A function that runs `admin … --json` with the settings of a service. */
export function adminRunner({ env }: Pick<TestService, 'env'>) {
  return (...args: string[]): Promise<AdminAnswer> =>
    new Promise((resolve) => {
      const options = { cwd: root, env: { ...process.env, ...env } };
      execFile(process.execPath, ['src/operate/admin/main.ts', ...args, '--json'], options, (error, out, err) =>
        resolve({ code: Number(error?.code ?? 0), json: out ? JSON.parse(out) : undefined, err }),
      );
    });
}
