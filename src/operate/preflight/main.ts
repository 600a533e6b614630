/** `npm run preflight`: checks whether the service can start with the settings of the environment. Exit code 1 when it cannot. */
import { EXIT_FAILED, makeProgram } from '../../terminal/program.ts';
import { textTable } from '../../terminal/textTable.ts';
import { operatorEnvironment, printResult } from '../command.ts';
import { runPreflight } from './preflight.ts';

const EXAMPLES = `
Examples:
  npm run preflight
  npm run preflight -- --json

Reads the settings that npm start reads, and changes nothing. Exit codes: 0 ready to start; 1 something fails; 2 wrong usage.`;

await makeProgram('npm run preflight --', 'Check whether the service can start here.', EXAMPLES)
  .option('--json', 'print one JSON value')
  .action(async ({ json = false }: { json?: boolean }) => {
    const findings = await runPreflight(operatorEnvironment());
    const failed = findings.filter(({ state }) => state === 'fail').length;
    const rows = findings.map(({ check, state, found }) => ({ check, state: state === 'fail' ? 'FAILS' : state, found }));
    const remedies = findings.flatMap(({ check, remedy }) => (remedy === null ? [] : [`  ${check}: ${remedy}`]));
    const verdict = failed ? `${failed} of ${findings.length} fail.` : 'The service can start.';
    const end = ['', remedies.length ? `${verdict} What to do:` : verdict, ...remedies];
    printResult(json, { ready: failed === 0, findings }, [...textTable(rows, ''), ...end]);
    process.exitCode = failed ? EXIT_FAILED : 0;
  })
  .parseAsync();
