/** `npm run demo`: servers, sample data, one account per plan, the API and a worker, in one process. */
import { makeProgram } from '../src/terminal/program.ts';
import { runScript } from './stack/signals.ts';

const DESCRIPTION = `Installs what is missing, starts Elasticsearch, Postgres and Redis (unless ELASTICSEARCH_URL, DATABASE_URL and REDIS_URL are set, or
'npm run stack' runs here), loads a made-up sample of 3,000 projects, makes one account per plan with keys in .stack/demo-keys.json,
and serves until Ctrl-C.`;

const EXAMPLES = `
Examples:
  npm run demo
  PORT=8181 npm run demo     8080 unless set; a free one when that is taken`;

await runScript(async (signal) => {
  makeProgram('npm run demo', DESCRIPTION, EXAMPLES).parse();
  const { runDemo } = await import('./demo/run.ts'); // imported here, so that help and refused options are printed at once
  return runDemo(signal);
});
