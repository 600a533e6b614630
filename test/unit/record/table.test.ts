/** The table of record fields agrees with what is served, what a generation file may state, what is a change and what filters match. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { normaliseProject, withIdentity } from '../../../ingest/read/normalise.ts';
import { parseLine } from '../../../ingest/read/parseLine.ts';
import { toContent } from '../../../ingest/write/projectContent.ts';
import { sampleLines } from '../../../scripts/sample/generate.ts';
import type { SampleLine, SampleProjectLine } from '../../../scripts/sample/model.ts';
import { FIELD_NAMES, type FieldName, fieldOf, STATED_NAMES, withEvidence } from '../../../src/core/domain/record/fields.ts';
import { READING_NAMES } from '../../../src/core/domain/record/readings.ts';
import { representRecord } from '../../../src/core/domain/record/represent.ts';
import { hashContent } from '../../../src/core/domain/record/revision.ts';
import { computeRichness } from '../../../src/core/domain/record/richness.ts';
import { FIELDS_OF, projectLineSchema, sourcePath } from '../../../src/core/domain/record/schemas.ts';
import type { ProjectStatement } from '../../../src/core/domain/record/statement.ts';
import { loadPlaces } from '../../../src/core/store/files/loadPlaces.ts';
import { BARE_PROJECT, COMPACT, FULL, FULL_PROJECT, STANDARD } from '../../support/fullRecord.ts';
import { assertNone } from '../../support/lists.ts';
import { STRANGER } from '../../support/noPeople.ts';

const places = loadPlaces();
const statementOf = (line: object) => withIdentity(normaliseProject(line as ProjectStatement, places), undefined);

describe('The table of record fields', () => {
  it('lists the fields of each representation in their order', () => {
    assert.deepEqual([FIELDS_OF.compact, FIELDS_OF.standard, FIELDS_OF.full], [COMPACT, STANDARD, FULL]);
  });

  it('is what the published schema of generation files says of projects', () => {
    const { $defs } = JSON.parse(readFileSync('ingest/generation.schema.json', 'utf8'));
    assert.deepEqual($defs.project, JSON.parse(JSON.stringify(projectLineSchema())), 'run npm run schema');
  });

  it('gives every label the field before it, of which it is the label, with a vocabulary', () => {
    for (const [i, name] of FIELD_NAMES.entries()) {
      const { labels } = fieldOf(name);
      if (labels === undefined) continue;
      assert.equal(name, `${labels}Label`);
      assert.equal(FIELD_NAMES[i - 1], labels);
      assert.ok(fieldOf(labels as FieldName).vocabulary, `${labels} has no vocabulary`);
    }
    const labelled = FIELD_NAMES.filter((name) => fieldOf(name).labels).length;
    assert.equal(labelled, FIELD_NAMES.filter((name) => fieldOf(name).vocabulary).length);
  });

  it('has a field in the mapping for each value that filters match, and no other field there', () => {
    const { properties } = JSON.parse(readFileSync('mappings/projects.json', 'utf8'));
    const mapped = Object.keys(properties.derived.properties.evidence.properties);
    const madeOfSeveral = ['meetingDate', 'statusCombo'];
    assert.deepEqual(mapped.sort(), [...withEvidence('keyword', 'flag', 'number'), ...READING_NAMES, ...madeOfSeveral].sort());
  });

  it('keeps evidence of a reading under a name of its own', () => {
    const stated = withEvidence('words', 'names', 'parties', 'keyword', 'flag', 'number') as string[];
    assertNone(READING_NAMES, (name) => stated.includes(name));
  });

  it('keeps each statement in the part of its tier', () => {
    const content = toContent(statementOf(FULL_PROJECT)) as unknown as Record<string, Record<string, unknown>>;
    for (const name of STATED_NAMES) {
      const [part = '', key = ''] = sourcePath(name).split('.');
      assert.notEqual(content[part]?.[key], undefined, `${name} is not kept at ${sourcePath(name)}`);
    }
  });
});

describe('A project line', () => {
  const problemsOf = (fields: object) => {
    const parsed = parseLine(JSON.stringify({ kind: 'project', id: 1, ...fields }));
    return 'problems' in parsed ? parsed.problems.map(({ reason }) => reason) : [];
  };

  it('has one problem for one wrong value, also inside a list and where null is allowed', () => {
    assert.deepEqual(problemsOf({ meetingDate: 'soon' }), ['meetingDate must be a day from 1900-01-01 to 2100-12-31, written YYYY-MM-DD']);
    assert.deepEqual(problemsOf({ decisions: [{ meetingDate: 'soon' }] }), [
      'decisions.0.meetingDate must be a day from 1900-01-01 to 2100-12-31, written YYYY-MM-DD',
    ]);
    assert.deepEqual(problemsOf({ landUses: [{ type: 'office', role: 1 }] }), ['landUses.0.role must be one of primary, secondary, other']);
    assert.deepEqual(problemsOf({ meetingDocumentId: 'x' }), ['meetingDocumentId must be integer or null']);
    assert.deepEqual(problemsOf({ voteTotals: { yes: -1 } }), ['voteTotals.yes must be >= 0']);
  });
});

const isProject = (line: SampleLine): line is SampleProjectLine => line.kind === 'project' && !('deleted' in line);
const digest = (values: readonly unknown[]) => createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 16);

describe('What is paid for', () => {
  const sample = sampleLines({ seed: 7, projects: 500, today: '2026-03-17', texts: 'short', places, generation: 1 });
  const lines = [...sample].filter(isProject);
  const statements = lines.map(statementOf);

  it('keeps its revisions: each that moves bills every pool again', () => {
    const stated = lines.map(({ evidence: _, ...line }) => line); // quotes are no part of a revision
    assert.equal(digest(stated), '7c7b15310c71854d', 'the sample is another: take its figures from the code before yours');
    assert.equal(digest(statements.map(hashContent)), '88652df38bd60e0f');
    assert.deepEqual([FULL_PROJECT, BARE_PROJECT].map(statementOf).map(hashContent), [
      'v215328a052dd2103dc0be903ecf79e5',
      'v277dc5924f822b021f99c1b46215d5c',
    ]);
  });

  it('keeps its richness', () => {
    assert.equal(digest(statements.map((statement) => computeRichness(statement))), '85427f11e27fa139');
    assert.deepEqual(
      [FULL_PROJECT, BARE_PROJECT].map(statementOf).map((statement) => computeRichness(statement)),
      [100, 0],
    );
  });

  it('is served as before, in every representation and on every plan', () => {
    const view = {
      publicUrl: 'https://example.com',
      meetingCap: '2026-03-17',
      today: '2026-03-17',
      matchedOn: () => ['type' as const],
      people: STRANGER,
    };
    const served = statements.flatMap((statement) => {
      const stored = { id: statement.id, lastUpdated: '2026-03-17T00:00:00.000Z', contentRevision: 'v2', ...toContent(statement) };
      return (['compact', 'standard', 'full'] as const).flatMap((representation) =>
        [true, false].map((companyDetails) =>
          representRecord(stored, { ...view, representation, companyDetails, withDerived: representation === 'full' }),
        ),
      );
    });
    assert.equal(digest(served.map(({ derived: _, ...record }) => record)), '0deb0a6942297fd4');
    const derived = served.flatMap((record) => ('derived' in record ? [record.derived] : []));
    assert.equal(derived.length, 2 * statements.length);
  });
});
