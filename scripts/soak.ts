/** `npm run soak`: customers, loads and failures at once, for half an hour. */
import path from 'node:path';
import { readSoakOptions } from './soak/options.ts';
import { isSound, soakText } from './soak/report.ts';
import { runScript, withServers } from './stack/index.ts';

const root = path.resolve(import.meta.dirname, '..');

process.env.NODE_COMPILE_CACHE ??= path.join(root, '.stack', 'compile-cache'); // as npm start has one
await runScript(async (signal) => {
  const options = readSoakOptions(process.argv);
  const { soak } = await import('./soak/run.ts'); // help, and what is refused, wait for none of it
  const servers = await withServers(root, process.env, { ephemeral: true, log: console.error, signal });
  try {
    const result = await soak(options, servers, signal, console.error);
    console.log(options.json ? JSON.stringify(result, undefined, 2) : soakText(result));
    return isSound(result) ? 0 : 1;
  } finally {
    await servers.stop();
  }
});
