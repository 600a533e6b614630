/**
 * `npm run bench -- [suite…]`: each suite measures on data of its own and prints its tables. A run with the usual options, or with `--write`, also writes
 * them to `results/<suite>.md`.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Argument } from 'commander';
import { makeProgram } from '../../../src/terminal/program.ts';
import { describeMachine } from '../../lib/machine.ts';
import { reportPage } from '../../lib/report.ts';
import { root, Sandbox, withElastic } from '../../lib/sandbox.ts';
import { findOrStartServers, runScript, type ServerUrls } from '../../stack/index.ts';
import { LoadedCorpora } from './loaded.ts';
import type { Suite } from './suite.ts';
import { alerts } from './suites/alerts.ts';
import { analytics } from './suites/analytics.ts';
import { briefs } from './suites/brief.ts';
import { busy } from './suites/busy.ts';
import { exports } from './suites/exports.ts';
import { fairness } from './suites/fairness.ts';
import { freshness } from './suites/freshness.ts';
import { growth } from './suites/growth.ts';
import { ledger } from './suites/ledger.ts';
import { map } from './suites/map.ts';
import { match } from './suites/match.ts';
import { odds } from './suites/odds.ts';
import { outcomes } from './suites/outcomes.ts';
import { overload } from './suites/overload.ts';
import { pages } from './suites/pages.ts';
import { peer } from './suites/peer.ts';
import { restrictions } from './suites/restrictions.ts';
import { snapshots } from './suites/snapshots.ts';
import { sync } from './suites/sync.ts';

const RESULTS = path.join(root, 'scripts/proofs/bench/results');

const SUITES: readonly Suite<never>[] = [
  pages,
  peer,
  ledger,
  sync,
  exports,
  snapshots,
  analytics,
  odds,
  match,
  alerts,
  fairness,
  overload,
  busy,
  growth,
  outcomes,
  freshness,
  map,
  restrictions,
  briefs,
];
const NAMES = SUITES.map(({ name }) => name);

const EXAMPLES = `
Suites:
${SUITES.map(({ name, summary }) => `  ${name.padEnd(9)} ${summary}`).join('\n')}

Examples:
  npm run bench                                           pages; writes scripts/proofs/bench/results/pages.md
  npm run bench -- --n 20000 --seconds 2                  a quick look; writes no file
  npm run bench -- --n 1000000 --write                    a size of its own, in place of the file
  npm run bench -- --keep                                 leave the corpus in place …
  npm run bench -- --reuse --keep --only bbox,page        … and measure on it again, without loading
  npm run bench -- pages peer                             also SQLite behind Datasette, on the same corpus
  npm run bench -- ledger --owned 0,10000 --matches 0     a page's billing alone
  npm run bench -- analytics --n 20000                    aggregations, compared with those of Elasticsearch alone
  npm run bench -- analytics alerts --n 1000000           on one corpus, which is loaded once
  npm run bench -- exports --n 12000 --rounds 1           a file of 10,000 rows beside its pages
  npm run bench -- snapshots --n 1000000 --representations compact    files of a million records
  npm run bench -- alerts --n 20000 --alerts 500          runs of alerts, and many that are due at once
  npm run bench -- match odds                             rows of a list, and base rates, that are right of real records
  npm run bench -- fairness                               a quiet team's jobs, alone and beside a greedy one
  npm run bench -- overload                               three times what can be served, and the minute after
  npm run bench -- busy                                   2,000 reads and a start beside eight endless loops
  npm run bench -- growth --n 30000,100000 --keep --reuse how figures grow; loads only what an earlier run did not keep
  npm run bench -- outcomes                               what became of real records, by the rules and as it was read
  npm run bench -- freshness                              bodies of the public data sets, replayed day by day
  npm run bench -- restrictions                           lists, checks, and searches by what restrictions bind
  npm run bench -- map                                    the page in a browser: its first list, and frames while it is dragged
  npm run bench -- brief --n 20000                        site briefs, each kind of place
  npm run bench -- sync --n 200000 --no-switch            loads and walks, for a quarter of an hour
  npm run bench -- sync --n 1000000 --no-walk             a renewal and switches of a million records, with the loads that they need

Uses ELASTICSEARCH_URL, DATABASE_URL and REDIS_URL when set, else the stack that runs here, else servers of its own. Indices, schema and
Redis keys are its own and are removed at the end.`;

function readCommand() {
  const program = makeProgram('npm run bench --', 'Measures the service and the bare servers below it.', EXAMPLES)
    .addArgument(new Argument('[suites...]', 'what to measure').choices(NAMES).default(['pages']))
    .option('--json', 'print the results as JSON', false)
    .option('--write', 'write the files of results also where options differ from the usual ones')
    .option('--no-write', 'leave the files of results as they are');
  for (const suite of SUITES)
    for (const option of suite.options) {
      if (program.options.includes(option)) continue;
      const users = SUITES.filter(({ options }) => options.includes(option)).map(({ name }) => name);
      option.description = `(${users.join(', ')}) ${option.description}`;
      program.addOption(option);
    }
  program.parse();
  const chosen = SUITES.filter(({ name }) => program.processedArgs[0].includes(name));
  const used = new Set(chosen.flatMap(({ options }) => options));
  for (const option of SUITES.flatMap(({ options }) => options))
    if (!used.has(option) && program.getOptionValueSource(option.attributeName()) === 'cli')
      program.error(`${option.long} is no option of ${chosen.map(({ name }) => name).join(' or ')}.`);
  const { json, write } = program.opts<{ json: boolean; write?: boolean }>();
  const usual = [...used].every((option) => program.getOptionValueSource(option.attributeName()) !== 'cli');
  return { chosen, options: program.opts<never>(), json, write: write ?? usual };
}

interface Command {
  options: never;
  servers: ServerUrls;
  corpora: LoadedCorpora;
  signal: AbortSignal;
}

async function runSuite(suite: Suite<never>, { options, servers, corpora, signal }: Command) {
  await using sandbox = await Sandbox.make(servers, 'bench');
  return await withElastic(servers.elasticsearchUrl, async (client) => {
    const machine = await describeMachine(client);
    const report = await suite.run({ servers, corpora, client, sandbox, signal }, options);
    return { suite: suite.name, machine, page: reportPage(suite.name, machine, report), figures: report.figures };
  });
}

await runScript(async (signal) => {
  const { chosen, options, json, write } = readCommand();
  await using servers = await findOrStartServers(root, process.env, { signal });
  await using corpora = new LoadedCorpora(servers, signal);
  for (const suite of chosen) {
    const { page, ...results } = await runSuite(suite, { options, servers, corpora, signal });
    if (write) writeFileSync(path.join(RESULTS, `${suite.name}.md`), page);
    console.log(json ? JSON.stringify(results, undefined, 2) : page);
  }
  return 0;
});
