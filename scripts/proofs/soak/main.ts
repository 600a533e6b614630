/** Runs a long proof on the servers that there are, and prints what it found. */
import path from 'node:path';
import { root } from '../../lib/sandbox.ts';
import { findOrStartServers, runScript, type ServerUrls } from '../../stack/index.ts';
import type { ProofProfile } from './profile.ts';

interface ReadProof<Report> {
  json: boolean;
  prove(servers: ServerUrls, signal: AbortSignal, log: (line: string) => void): Promise<Report>;
  text(report: Report): string;
  isSound(report: Report): boolean;
}

/** @param read reads the command line; help, and what is refused, end there */
export async function runProof<Report>(read: () => ReadProof<Report> | Promise<ReadProof<Report>>): Promise<void> {
  process.env.NODE_COMPILE_CACHE ??= path.join(root, '.stack', 'compile-cache'); // as npm start has one
  await runScript(async (signal) => {
    const { json, prove, text, isSound } = await read();
    await using servers = await findOrStartServers(root, process.env, { signal });
    const report = await prove(servers, signal, console.error);
    console.log(json ? JSON.stringify(report, undefined, 2) : text(report));
    return isSound(report) ? 0 : 1;
  });
}

/** Runs a profile of customers, loads and faults. */
export const runProfile = (read: () => { profile: ProofProfile; json: boolean }): Promise<void> =>
  runProof(async () => {
    const { profile, json } = read();
    const [{ prove }, { isSound, reportText: text }] = await Promise.all([import('./run.ts'), import('./report.ts')]);
    return { json, isSound, text, prove: (...on) => prove(profile, ...on) };
  });
