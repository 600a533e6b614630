/** The page's filters: every filter of the table, each with an input field. */

import assert from 'node:assert/strict';
import { FILTER_NAMES, FILTER_SUBJECTS, filterOf } from '../../src/core/filter/table.ts';
import { makeFilterCatalogue } from '../../src/features/map/filterAsset.ts';
import { pluck } from '../support/lists.ts';

describe('the filters of the page', () => {
  const { rows, vocabularies } = makeFilterCatalogue();
  const named = (name: string) => rows.find((row) => row.name === name) ?? assert.fail(name);

  it('are those of the table, each once, in its order, by subject', () => {
    assert.deepEqual(pluck(rows, 'name'), FILTER_NAMES);
    for (const [subject, filters] of Object.entries(FILTER_SUBJECTS))
      assert.deepEqual(
        pluck(
          rows.filter((row) => row.subject === subject),
          'name',
        ),
        Object.keys(filters),
      );
  });

  it('are offered by fields that fit their values; only shapes are not typed, since they are drawn', () => {
    const drawn = rows.filter(({ input }) => input === 'shape').map(({ name }) => name);
    assert.deepEqual(drawn, ['bbox', 'circle', 'polygon', 'areas']);
    for (const { name, input, vocabulary, unit, label } of rows) {
      assert(/^[A-Z]/.test(label), `${name} is called ${label}`);
      assert.equal(Boolean(unit), input === 'number', name);
      const words = vocabulary === undefined ? [] : (vocabularies[vocabulary] ?? assert.fail(name));
      assert.equal(words.length > 0, input === 'words' || input === 'choice', name);
      const { items, enum: choices } = filterOf(name as (typeof FILTER_NAMES)[number]).kind.schema as {
        items?: { enum?: string[] };
        enum?: string[];
      };
      if (words.length) assert.deepEqual(pluck(words, 'token'), choices ?? items?.enum);
    }
  });

  it('share a label where they are both ends of a range, and no other two do', () => {
    const ranges = Map.groupBy(rows, ({ label }) => label);
    for (const [label, ends] of ranges) assert.deepEqual(pluck(ends, 'end'), ends.length > 1 ? ['min', 'max'] : [undefined], label);
  });

  it('say what must be set with them, and which words need it', () => {
    assert.equal(named('governmentDecisionSubtypes').needs, 'includeGovernmentDecisions');
    assert.equal(named('propertyTypes').needs, undefined);
    const needing = vocabularies.PropertyType?.filter(({ needs }) => needs).map(({ token }) => token);
    assert.deepEqual(needing, ['govt_decisions']);
    assert.deepEqual([named('requiresZoningChange').onlyTrue, named('hasConstructionDetails').onlyTrue], [true, undefined]);
  });
});
