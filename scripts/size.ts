import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { makeProgram } from '../src/terminal/program.ts';

// npm run size            lines that people wrote, by part of the tree
// npm run size -- --json  the same for a program

const EXAMPLES = `
Examples:
  npm run size                        lines by part of the tree, and two sums: without tests, and tests
  npm run size -- --json              {"withoutTests", "tests", "parts"}
  git checkout <commit> && npm run size   what they were before

Counted are lines of committed code (git ls-files), empty ones too. Left out: what .gitattributes marks as generated, data, and documents.`;

const CODE = /\.(?:ts|tsx|mts|mjs|js|py|sql|css|c|html)$/;

const root = path.resolve(import.meta.dirname, '..');
const git = (args: string[], input = '') => execFileSync('git', args, { cwd: root, input, encoding: 'utf8', maxBuffer: 2 ** 26 });

/** Committed files of code that no script writes, as paths from the root. */
function listFiles(): string[] {
  const all = git(['ls-files'])
    .split('\n')
    .filter((file) => CODE.test(file));
  const attributes = git(['check-attr', '--stdin', 'linguist-generated'], all.join('\n')).trim().split('\n');
  return all.filter((_, place) => !attributes[place]?.endsWith(': set'));
}

const countLines = (file: string): number => readFileSync(path.join(root, file), 'utf8').split('\n').length - 1;

/** `src/features/alerts/store.ts` is in `src/features/alerts`, `ingest/load.ts` in `ingest`. */
const partOf = (file: string) => path.dirname(file).split('/').slice(0, 3).join('/');

const { json } = makeProgram('npm run size --', 'Counts the lines of code that people wrote.', EXAMPLES)
  .option('--json', 'one JSON object on standard output', false)
  .parse()
  .opts<{ json: boolean }>();
const parts: Record<string, number> = {};
let tests = 0;
let withoutTests = 0;
for (const file of listFiles()) {
  const lines = countLines(file);
  parts[partOf(file)] = (parts[partOf(file)] ?? 0) + lines;
  if (file.startsWith('test/')) tests += lines;
  else withoutTests += lines;
}
if (json) console.log(JSON.stringify({ withoutTests, tests, parts }));
else {
  const rows = Object.entries(parts).sort(([, one], [, other]) => other - one);
  for (const [part, lines] of rows) console.log(`${lines.toLocaleString('en-US').padStart(8)}  ${part}`);
  console.log(`\n${withoutTests.toLocaleString('en-US')} lines without tests, ${tests.toLocaleString('en-US')} of tests`);
}
