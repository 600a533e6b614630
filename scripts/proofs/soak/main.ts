/** Runs a profile on the servers that there are, and prints what it found. */
import path from 'node:path';
import { findOrStartServers, runScript } from '../../stack/index.ts';
import type { ProofProfile } from './profile.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** @param readProfile reads the command line; help, and what is refused, end there */
export async function runProof(readProfile: () => { profile: ProofProfile; json: boolean }): Promise<void> {
  process.env.NODE_COMPILE_CACHE ??= path.join(root, '.stack', 'compile-cache'); // as npm start has one
  await runScript(async (signal) => {
    const { profile, json } = readProfile();
    const [{ prove }, { isSound, reportText }] = await Promise.all([import('./run.ts'), import('./report.ts')]);
    const servers = await findOrStartServers(root, process.env, { ephemeral: true, log: console.error, signal });
    try {
      const report = await prove(profile, servers, signal, console.error);
      console.log(json ? JSON.stringify(report, undefined, 2) : reportText(report));
      return isSound(report) ? 0 : 1;
    } finally {
      await servers.stop();
    }
  });
}
