/** Writes what the record table lets a project line state into the published schema of generation files. */
import { readFileSync, writeFileSync } from 'node:fs';
import { projectLineSchema } from '../src/domain/record/schemas.ts';

const FILE = new URL('../ingest/generation.schema.json', import.meta.url);

const schema = JSON.parse(readFileSync(FILE, 'utf8'));
schema.$defs.project = projectLineSchema();
const onOneLine = (list: string) => list.replace(/\s*\n\s*/g, ' ').replace(/^\[ | \]$/g, (end) => end.trim());
writeFileSync(FILE, `${JSON.stringify(schema, null, 2).replace(/\[[^[\]{}]*\]/g, onOneLine)}\n`);
