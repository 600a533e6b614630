import path from 'node:path';
import { UserError } from '../src/terminal/program.ts';
import { seconds } from './stack/errors.ts';
import { findStack, type ServerUrls, startStack } from './stack/index.ts';
import { aborted, runScript } from './stack/signals.ts';

const USAGE = `npm run stack [-- --json] [-- --ephemeral]

Starts Elasticsearch, Postgres and Redis for this project and stays until Ctrl-C. When they run here already, prints where and ends.
  --json       one JSON object with the URLs on standard output; progress goes to standard error
  --ephemeral  data of its own, thrown away at the end (otherwise it is kept in .stack/data)

Environment: ES_HEAP (1g) · ES_JAVA_HOME · STACK_ELASTICSEARCH_PORT (9200) · STACK_POSTGRES_PORT (5432) · STACK_REDIS_PORT (6379)
A port in use is replaced by a free one.`;

const OPTIONS = ['--json', '--ephemeral', '--help'];
const root = path.resolve(import.meta.dirname, '..');

await runScript(async (signal) => {
  const args = process.argv.slice(2);
  const unknown = args.find((arg) => !OPTIONS.includes(arg));
  if (unknown) throw new UserError(`Unknown option ${unknown}.\n\n${USAGE}`);
  if (args.includes('--help')) {
    console.log(USAGE);
    return 0;
  }
  const json = args.includes('--json');
  const ephemeral = args.includes('--ephemeral');
  const log = json ? console.error : console.log;
  const running = ephemeral ? undefined : await findStack(root);
  if (running) {
    log('The stack runs here already.');
    print(running, json);
    return 0;
  }
  const started = Date.now();
  const stack = await startStack({ root, ephemeral, log, signal });
  log(`All ready (${seconds(started)}). Stop with Ctrl-C.`);
  print(stack, json);
  const failure = await Promise.race([stack.failed, aborted(signal)]);
  log(failure ? failure.message : 'Stopping …');
  await stack.stop();
  log('Stopped.');
  return failure ? 1 : 0;
});

function print({ elasticsearchUrl, databaseUrl, redisUrl }: ServerUrls, json: boolean): void {
  if (json) {
    console.log(JSON.stringify({ elasticsearchUrl, databaseUrl, redisUrl }));
    return;
  }
  console.log(`
  Elasticsearch  ${elasticsearchUrl}
  Postgres       ${databaseUrl}
  Redis          ${redisUrl}

export ELASTICSEARCH_URL=${elasticsearchUrl}
export DATABASE_URL=${databaseUrl}
export REDIS_URL=${redisUrl}
`);
}
