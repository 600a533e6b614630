/** `npm run prove-nodes`: three Elasticsearch nodes, one slow, one killed, one that comes back, under load that goes on all the time. */
import { makeProgram, wholeNumber } from '../../../src/terminal/program.ts';
import { runProof } from './main.ts';
import { isNodesSound, nodesText } from './nodesReport.ts';
import { type NodesProfile, proveNodes } from './proveNodes.ts';

const EXAMPLES = `
Examples:
  npm run prove-nodes                    three minutes
  npm run prove-nodes -- --minutes 30    as it is meant
  npm run prove-nodes -- --no-kill       slow nodes alone
  npm run prove-nodes -- --json          the result for programs

What it does: three nodes of one cluster, each with a heap of 512 MB, hold three shards with a copy each. Two teams ask one API process on and on,
loaders change records, copies are kept by sync. In each round every answer of one node comes 500 ms late, to the API and to the other
nodes; then another node is killed, and started again. No answer may fail but those in flight when a node is killed, and p99 stays within
twice that of healthy nodes. While a node starts, it takes processor time of the cores that all share here: that stage is shown and not judged.

Uses DATABASE_URL and REDIS_URL when set, else the stack that runs here, else servers of its own. Exit code 0: every line is kept.`;

type Options = NodesProfile & { json: boolean };

await runProof(() => {
  const { json, ...profile } = makeProgram(
    'npm run prove-nodes --',
    'Proves that a slow, dead or returning Elasticsearch node is noticed by nobody.',
    EXAMPLES,
  )
    .option('--minutes <number>', 'of load, in rounds of at most five', wholeNumber(1, 1440), 3)
    .option('--seed <number>', 'the same seed gives the same loads and requests', wholeNumber(0, 999_999_999), 1)
    .option('--records <number>', 'records that are loaded first', wholeNumber(100, 1_000_000), 2_000)
    .option('--per-second <number>', 'calls a second of each of two teams', wholeNumber(1, 10_000), 4)
    .option('--no-kill', 'slow nodes alone')
    .option('--json', 'print the result as JSON', false)
    .parse()
    .opts<Options>();
  return { json, isSound: isNodesSound, text: nodesText, prove: (...on) => proveNodes(profile, ...on) };
});
