import path from 'node:path';
import { makeProgram } from '../src/terminal/program.ts';
import { secondsSince } from './stack/errors.ts';
import { findStack, type ServerUrls, startStack } from './stack/index.ts';
import { runScript, untilAborted } from './stack/signals.ts';

const EXAMPLES = `
Examples:
  npm run stack                                    data stays in .stack/data; where the servers run here already, prints where and ends
  npm run stack -- --json --ephemeral              for a script: one JSON object on standard output, data thrown away at the end
  STACK_POSTGRES_PORT=5433 npm run stack           a port in use is replaced by a free one

Environment: ES_HEAP (1g) · ES_JAVA_HOME · STACK_ELASTICSEARCH_PORT (9200) · STACK_POSTGRES_PORT (5432) · STACK_REDIS_PORT (6379)`;

const root = path.resolve(import.meta.dirname, '..');

await runScript(async (signal) => {
  const { json, ephemeral } = makeProgram(
    'npm run stack --',
    'Starts Elasticsearch, Postgres and Redis for this project and stays until Ctrl-C.',
    EXAMPLES,
  )
    .option('--json', 'one JSON object with the URLs on standard output; progress goes to standard error', false)
    .option('--ephemeral', 'data of its own, thrown away at the end', false)
    .parse()
    .opts<{ json: boolean; ephemeral: boolean }>();
  const log = json ? console.error : console.log;
  const running = ephemeral ? undefined : await findStack(root);
  if (running) {
    log('The stack runs here already.');
    print(running, json);
    return 0;
  }
  const started = Date.now();
  const stack = await startStack({ root, ephemeral, log, signal });
  log(`All ready (${secondsSince(started)}). Stop with Ctrl-C.`);
  print(stack, json);
  const failure = await Promise.race([stack.failed, untilAborted(signal)]);
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
