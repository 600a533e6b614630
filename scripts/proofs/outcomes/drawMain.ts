/**
 * Command line: writes the records whose outcome is to be labelled, as in their sources, into a file outside the tree. It calls no rule of outcomes, so
 * that the labels do not depend on the rules.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectId } from '../../../ingest/sources/ids.ts';
import { makeProgram, wholeNumber } from '../../../src/terminal/program.ts';
import { drawCases, drawReplays, readRawCases } from './sample.ts';
import { DATA_FOLDER, readStatements, setOf } from './statements.ts';

const COMMAND = 'node scripts/proofs/outcomes/drawMain.ts';
const EXAMPLES = `Example:\n  ${COMMAND} --to /tmp/drawn.ndjson`;

const program = makeProgram(COMMAND, 'Draws the records whose outcome is labelled by reading.', EXAMPLES)
  .requiredOption('--to <file>', 'JSON lines, a record each, with its rows and texts: data without a licence, not to be committed')
  .option('--from <folder>', 'folder of the public data sets', DATA_FOLDER)
  .option('--seed <number>', 'the same seed draws the same records', wholeNumber(0, 999_999_999), 37);
const { to, from, seed } = program.parse().opts<{ to: string; from: string; seed: number }>();

const statements = await readStatements(path.resolve(from));
const cases = (await readRawCases(path.resolve(from))).flatMap((one) => {
  const id = projectId(setOf(one.source), one.ownId);
  const statement = statements.get(id);
  return statement ? [{ ...one, id, text: statement.rawText ?? '' }] : [];
});
const drawn = [...drawCases(cases, seed), ...drawReplays(cases, seed)];
writeFileSync(to, drawn.map((one) => `${JSON.stringify(one)}\n`).join(''));
