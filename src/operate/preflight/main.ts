/** `npm run preflight`: whether the service can start here, with the settings of the environment. Exit code 1 where it cannot. */
import path from 'node:path';
import { commandEnvironment } from '../../core/store/files/localStack.ts';
import { printableJson, printableLines } from '../../terminal/printable.ts';
import { EXIT_FAILED, makeProgram, usageExitCode } from '../../terminal/program.ts';
import { textTable } from '../../terminal/table.ts';
import { preflight } from './preflight.ts';

const EXAMPLES = `
Examples:
  npm run preflight
  npm run preflight -- --json

Reads the settings that npm start reads, and changes nothing. Exit codes: 0 ready to start; 1 something fails; 2 wrong usage.`;
const root = path.resolve(import.meta.dirname, '../../..');

try {
  const program = makeProgram('npm run preflight --', 'Check whether the service can start here.', EXAMPLES).option(
    '--json',
    'print one JSON value',
  );
  const { json } = program.parse().opts<{ json?: boolean }>();
  const findings = await preflight(commandEnvironment(root, process.env));
  const failed = findings.filter(({ state }) => state === 'fail').length;
  const rows = findings.map(({ check, state, found }) => ({ check, state: state === 'fail' ? 'FAILS' : state, found }));
  const remedies = findings.flatMap(({ check, remedy }) => (remedy === null ? [] : [`  ${check}: ${remedy}`]));
  const verdict = failed ? `${failed} of ${findings.length} fail.` : 'The service can start.';
  const end = ['', remedies.length ? `${verdict} What to do:` : verdict, ...remedies];
  console.log(json ? printableJson({ ready: failed === 0, findings }) : printableLines([...textTable(rows, ''), ...end].join('\n')));
  process.exitCode = failed ? EXIT_FAILED : 0;
} catch (error) {
  const usage = usageExitCode(error);
  if (usage === undefined) throw error;
  process.exitCode = usage;
}
