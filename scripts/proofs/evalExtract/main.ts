/** `npm run eval-extract`: compares what the rules read from labelled documents with their labels, by field and body. */
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { extractCases } from '../../../ingest/extract/rules/index.ts';
import { makeProgram, UserError } from '../../../src/terminal/program.ts';
import { DATA_ABSENT, DATA_FOLDER, hasPublicData } from '../../lib/publicData.ts';
import { runScript } from '../../stack/index.ts';
import { type GoldDocument, hasFile, readChesterfield, readCouncil, readResolutions, readUtah } from './golds.ts';
import { addDocument, type EvaluationSum, formatShare, newSum } from './measure.ts';

const EXAMPLES = `
Examples:
  npm run eval-extract                        the bodies that rules are built on, of the public data sets
  npm run eval-extract -- ../data/ut_minutes  one set: a folder with cases.ndjson and gold.ndjson, or chesterfield_minutes.ndjson.gz
  npm run eval-extract -- --wrong decision    with every case whose decision is wrong
  npm run eval-extract -- --put-aside         the bodies of putAside.json, which no rule is built on`;

interface Options {
  putAside: boolean;
  json: boolean;
  wrong?: string;
}

const SETS = ['ut_minutes', 'va_counties', 'ny_council'];

async function readGolds(folder: string | undefined, aside: boolean): Promise<GoldDocument[]> {
  const folders = folder ? [folder] : SETS.map((set) => path.join(DATA_FOLDER, set));
  const golds: GoldDocument[] = [];
  for (const one of folders) {
    if (hasFile(one, 'cases.ndjson')) golds.push(...readUtah(one, aside));
    if (hasFile(one, 'meetings_landuse.ndjson.gz') && aside) golds.push(...(await readCouncil(one)), ...(await readResolutions(one)));
    if (hasFile(one, 'chesterfield_minutes.ndjson.gz') && !aside) golds.push(...(await readChesterfield(one)));
  }
  return golds;
}

async function evaluate(folder: string | undefined, { putAside, json, wrong }: Options): Promise<void> {
  if (!folder && !hasPublicData()) throw new UserError(DATA_ABSENT);
  const golds = await readGolds(folder, putAside);
  if (!golds.length) throw new UserError(`No labelled documents are in ${folder ?? DATA_FOLDER}.`);
  const sums = new Map<string, EvaluationSum>();
  let ms = 0;
  for (const gold of golds) {
    const begin = performance.now();
    const found = extractCases(gold.document);
    ms += performance.now() - begin;
    const names = [`${gold.set}: all`, `${gold.set}: without doubtful labels`, `${gold.set}: ${gold.body}`];
    for (const name of names) {
      const sum = sums.get(name) ?? newSum();
      sums.set(name, sum);
      addDocument(sum, gold, found, !name.endsWith('doubtful labels'));
    }
  }
  const characters = golds.reduce((total, { document }) => total + document.text.length, 0);
  if (json) {
    const tallies = [...sums].map(([name, { wrong: _, ...sum }]) => ({ name, ...sum }));
    process.stdout.write(`${JSON.stringify({ characters, ms, sums: tallies }, null, 2)}\n`);
    return;
  }
  for (const [name, sum] of sums) process.stdout.write(formatSum(name, sum));
  process.stdout.write(
    `\n${golds.length} documents, ${characters} characters in ${(ms / 1000).toFixed(2)} s: ${Math.round((characters / ms) * 1000)} characters a second\n`,
  );
  if (wrong) printWrong(sums, wrong);
}

function printWrong(sums: ReadonlyMap<string, EvaluationSum>, field: string): void {
  for (const [name, sum] of sums)
    if (name.endsWith(': all'))
      for (const one of sum.wrong)
        if (one.field === field) process.stdout.write(`${one.file}\t${JSON.stringify(one.expected)}\t${JSON.stringify(one.found)}\n`);
}

function formatSum(name: string, sum: EvaluationSum): string {
  const stated = Object.entries(sum.fields).filter(([, { labelled, extra }]) => labelled || extra);
  const rows = stated.map(([field, { labelled, both, right, extra }]) =>
    [field.padEnd(22), formatShare(right, both).padEnd(32), formatShare(both, labelled).padEnd(32), extra].join(' '),
  );
  return [
    `\n${name}: ${sum.documents} documents`,
    `  cases found ${formatShare(sum.matched, sum.gold)}, precision ${formatShare(sum.matched, sum.extracted)}; quotes verbatim ${formatShare(sum.verbatim, sum.quotes)}`,
    `  ${'field'.padEnd(22)} ${'right where both have it'.padEnd(32)} ${'filled where labelled'.padEnd(32)} filled where labels are silent`,
    ...rows.map((row) => `  ${row}`),
    '',
  ].join('\n');
}

await runScript(async () => {
  const program = makeProgram('eval-extract', 'compares what rules read from labelled documents with their labels', EXAMPLES)
    .argument('[folder]', 'a folder of labelled documents')
    .option('--put-aside', 'only the bodies that no rule is built on', false)
    .option('--json', 'the figures as JSON', false)
    .option('--wrong <field>', 'print what is wrong of one field; `case` for cases')
    .action(evaluate);
  await program.parseAsync();
  return 0;
});
