/** What features declare: each name once, and every type of event that their code records. */

import assert from 'node:assert/strict';
import type { MetricDeclaration } from '../../src/core/domain/metric.ts';
import { FEATURES } from '../../src/features.ts';
import { METRICS } from '../../src/operate/metrics/definitions.ts';
import { assertNone } from '../support/lists.ts';
import { filesBelow, readSource } from '../support/sources.ts';

const events = FEATURES.flatMap(({ events = [] }) => events);
const metrics = [...Object.values<MetricDeclaration>(METRICS), ...FEATURES.flatMap(({ metrics = [] }) => metrics)];

const namedTwice = (names: readonly string[]) => names.filter((name, i) => names.indexOf(name) < i);

/** Types in the shape of those of events, in files that record events. */
const recordedTypes = filesBelow('src', /\.ts$/)
  .map(readSource)
  .filter((text) => /\brecordEvents?\b/.test(text))
  .flatMap((text) => [...text.matchAll(/'((?:[a-z_]{2,}\.)+[a-z_]+)'/g)].map(([, type]) => type as string));

describe('features', () => {
  it('declare each type of event and each metric once', () => {
    assert.deepEqual(namedTwice(events.map(({ type }) => type)), []);
    assert.deepEqual(namedTwice(metrics.map(({ name }) => name)), []);
    assert.deepEqual(namedTwice(events.flatMap(({ place }) => (place === undefined ? [] : [String(place)]))), []);
  });

  it('declare every type of event that they record, and record every one that they declare', () => {
    assert.deepEqual([...new Set(recordedTypes)].sort(), events.map(({ type }) => type).sort());
  });

  it('take the metrics of Postgres by gauges alone', () => {
    assertNone(metrics, ({ kind, sql }) => sql !== undefined && kind !== 'gauge');
    assert(metrics.every(({ name }) => /^landuse_[a-z_]+$/.test(name)));
  });
});
