/** The table of record fields agrees with what is served and with what a generation file may state. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { FIELDS_OF, projectLineSchema } from '../../src/domain/record/schemas.ts';
import { COMPACT, FULL, STANDARD } from '../support/fullRecord.ts';

describe('The table of record fields', () => {
  it('lists the fields of each representation in their order', () => {
    assert.deepEqual([FIELDS_OF.compact, FIELDS_OF.standard, FIELDS_OF.full], [COMPACT, STANDARD, FULL]);
  });

  it('names what a project line of a generation file may state', () => {
    const { $defs } = JSON.parse(readFileSync('ingest/generation.schema.json', 'utf8'));
    assert.deepEqual(Object.keys(projectLineSchema().properties as object).sort(), Object.keys($defs.project.properties).sort());
  });
});
