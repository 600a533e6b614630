import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { FEATURE_METRICS } from '../../src/features.ts';
import { metricsTable } from '../../src/operate/metrics/definitions.ts';

const guide = readFileSync(path.resolve(import.meta.dirname, '../../src/docs/observe.md'), 'utf8');

describe('the guide on running the service', () => {
  it('lists every metric as it is defined', () => {
    const table = metricsTable(FEATURE_METRICS);
    assert.ok(guide.includes(table), `Replace the table under Metrics with:\n${table}`);
  });

  it('says of every alert rule what it means and what to do', () => {
    const rules = readFileSync(path.resolve(import.meta.dirname, '../../src/docs/alert-rules.yml'), 'utf8');
    const named = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name as string);
    assert.ok(named.length > 20);
    assert.deepEqual(
      named.filter((name) => !new RegExp(`^\\| [^|]*\`${name}\`[^|]*\\|[^|]{10,}\\|[^|]{30,}\\|$`, 'm').test(guide)),
      [],
    );
  });
});
