/** The admin command, on the data of a test service. */

import { runHosted } from './commandHost.ts';
import type { Json } from './json.ts';
import type { TestService } from './service.ts';

export interface AdminAnswer {
  code: number;
  json: Json;
  err: string;
}

/** A function that runs `admin … --json` with the settings of a service. */
export const adminRunner =
  ({ env }: Pick<TestService, 'env'>) =>
  async (...args: string[]): Promise<AdminAnswer> => {
    const { code, stdout, stderr } = await runHosted({
      file: 'src/operate/admin/main.ts',
      args: [...args, '--json'],
      env: { ...process.env, ...env },
    });
    return { code, json: stdout ? JSON.parse(stdout) : undefined, err: stderr };
  };
