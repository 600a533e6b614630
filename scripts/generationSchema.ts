/** Updates the published schema of generation files: the fields of project and restriction lines follow from their tables. */
import { readFileSync, writeFileSync } from 'node:fs';
import { projectLineSchema } from '../src/core/domain/record/schemas.ts';
import { restrictionLineSchema } from '../src/core/domain/restriction/schemas.ts';
import { makeProgram } from '../src/terminal/program.ts';

const FILE = new URL('../ingest/generation.schema.json', import.meta.url);

makeProgram('npm run schema --', 'Updates the published schema of generation files.', 'Examples:\n  npm run schema').parse();
const schema = JSON.parse(readFileSync(FILE, 'utf8'));
schema.$defs.project = projectLineSchema();
schema.$defs.restriction = restrictionLineSchema;
const LINE_CHARACTERS = 100;
const onOneLine = (list: string) => {
  const line = list.replace(/\s*\n\s*/g, ' ').replace(/^\[ | \]$/g, (end) => end.trim());
  return line.length > LINE_CHARACTERS ? list : line;
};
writeFileSync(FILE, `${JSON.stringify(schema, null, 2).replace(/\[[^[\]{}]*\]/g, onOneLine)}\n`);
