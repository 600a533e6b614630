/**
 * Outcomes of real records by the rules, and as they were read (scripts/proofs/outcomes/reading.md). The data are no part of the project: where
 * they are absent, the comparison is skipped. `npm run bench -- outcomes` prints the figures of all sets.
 */
import assert from 'node:assert/strict';
import { DATA_FOLDER, hasPublicData } from '../../../scripts/lib/publicData.ts';
import {
  compareLabels,
  HALVES,
  halfOf,
  measurePairs,
  measureReadings,
  OUTCOME_CLASSES,
  outcomePairs,
  readLabels,
  readStatements,
} from '../../../scripts/proofs/outcomes/evaluation.ts';

const ENOUGH_LABELS = 200;

describe('labels of outcomes', () => {
  it('are of two halves that are alike, each class 20 times or more', () => {
    const labels = readLabels();
    assert.ok(labels.length >= 300);
    for (const half of HALVES) assert.ok(labels.filter((label) => halfOf(label) === half).length >= labels.length * 0.45);
    for (const name of OUTCOME_CLASSES) assert.ok(labels.filter(({ outcome }) => outcome === name).length >= 20, `${name}`);
  });

  it('measure precision and recall', () => {
    const measured = measurePairs(
      [
        ['approved', 'approved'],
        ['approved', 'denied'],
        ['denied', 'denied'],
        [null, null],
      ],
      ['approved', 'denied', null],
    );
    assert.equal(measured.accuracy, 0.75);
    assert.deepEqual(measured.classes[0], { name: 'approved', labelled: 2, precision: 1, recall: 0.5 });
    assert.deepEqual(measured.classes[1], { name: 'denied', labelled: 1, precision: 0.5, recall: 1 });
    assert.equal(measured.confusion.get('approved')?.get('denied'), 1);
  });

  const isThere = hasPublicData();
  const title = isThere ? '' : ` (skipped: the public data sets are not in ${DATA_FOLDER})`;
  (isThere ? it : it.skip)(`are what the rules say${title}`, async () => {
    const statements = await readStatements(DATA_FOLDER, ['ny_council', 'va_counties']);
    const labels = readLabels().filter(({ id }) => statements.has(id));
    assert.ok(labels.length >= ENOUGH_LABELS, `${labels.length}`);
    const comparisons = compareLabels(labels, statements);
    for (const half of HALVES) {
      const { accuracy, classes } = measurePairs(outcomePairs(comparisons.filter(({ label }) => halfOf(label) === half)), OUTCOME_CLASSES);
      assert.ok(accuracy >= 0.95, `${half}: ${accuracy}`);
      for (const { name, precision, recall } of classes) assert.ok(Math.min(precision, recall) >= 0.85, `${half}, ${name}`);
    }
    for (const name of ['staff', 'vote'] as const) {
      const { derived, right, labelled } = measureReadings(comparisons, name);
      assert.ok(right / derived >= 0.95 && derived >= 0.85 * labelled, `${name}: ${right} of ${derived} right, ${labelled} stated`);
    }
  });
});
