/** The admin command in a child process, on the data of a test service. */
import type { Json } from './json.ts';
import { runProgram } from './programs.ts';
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
    const { code, stdout, stderr } = await runProgram('src/operate/admin/main.ts', [...args, '--json'], { ...process.env, ...env });
    return { code, json: stdout ? JSON.parse(stdout) : undefined, err: stderr };
  };
