/** `npm run bench`: the API beside raw Elasticsearch, the loader beside a bare bulk load, in one run. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { readOptions } from './bench/options.ts';
import { markdown } from './bench/report.ts';
import { runBenchmark } from './bench/run.ts';
import { runScript, withServers } from './stack/index.ts';

const root = path.resolve(import.meta.dirname, '..');

await runScript(async (signal) => {
  const options = readOptions(process.argv);
  const ephemeral = !options.keep && !options.reuse;
  const servers = await withServers(root, process.env, { ephemeral, log: console.error, signal });
  try {
    const results = await runBenchmark(options, servers, signal);
    const page = markdown(results);
    if (options.write) writeFileSync(path.join(import.meta.dirname, 'bench', 'results.md'), page);
    console.log(options.json ? JSON.stringify(results, undefined, 2) : page);
    return 0;
  } finally {
    await servers.stop();
  }
});
