/** `npm run prove-sync`: loaders, clients and servers under fire; at the end every copy equals the index. */
import path from 'node:path';
import { readOptions } from './prove-sync/options.ts';
import { isProven, resultText } from './prove-sync/report.ts';
import { runScript, withServers } from './stack/index.ts';

const root = path.resolve(import.meta.dirname, '..');

await runScript(async (signal) => {
  const options = readOptions(process.argv);
  const { prove } = await import('./prove-sync/run.ts'); // help, and what is refused, wait for none of it
  const servers = await withServers(root, process.env, { ephemeral: true, log: console.error, signal });
  try {
    const result = await prove(options, servers, signal, console.error);
    console.log(options.json ? JSON.stringify(result, undefined, 2) : resultText(result));
    return isProven(result) ? 0 : 1;
  } finally {
    await servers.stop();
  }
});
