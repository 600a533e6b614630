import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { load } from 'js-yaml';
import { FEATURE_METRICS } from '../../src/features.ts';
import { metricsTable } from '../../src/operate/metrics/definitions.ts';

const guide = readFileSync(path.resolve(import.meta.dirname, '../../src/docs/observe.md'), 'utf8');

describe('the guide on running the service', () => {
  it('lists every metric as it is defined', () => {
    const table = metricsTable(FEATURE_METRICS);
    assert.ok(guide.includes(table), `Replace the table under Metrics with:\n${table}`);
  });

  it('lists every alert rule as it is declared, with what it means and what to do', () => {
    const text = readFileSync(path.resolve(import.meta.dirname, '../../src/docs/alert-rules.yml'), 'utf8');
    const { groups } = load(text) as { groups: { rules: DeclaredRule[] }[] };
    const rules = groups.flatMap((group) => group.rules);
    assert.ok(rules.length > 20);
    const table = rulesTable(rules);
    assert.ok(guide.includes(table), `Replace the table under Alert rules with:\n${table}`);
  });
});

interface DeclaredRule {
  alert: string;
  annotations: { description: string; runbook: string };
}

/** Rules that mean the same stand in one row. */
function rulesTable(rules: readonly DeclaredRule[]): string {
  const rows = Map.groupBy(rules, ({ annotations: { description, runbook } }) => `${description} | ${runbook}`);
  return [
    '| Rule | Means | Do |',
    '|---|---|---|',
    ...[...rows].map(([text, same]) => `| ${same.map(({ alert }) => `\`${alert}\``).join(', ')} | ${text} |`),
  ].join('\n');
}
