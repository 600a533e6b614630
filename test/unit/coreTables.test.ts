/** Each table belongs to core or to one feature, and core's SQL names those of core alone: what core has to ask of a feature's, the feature declares. */

import assert from 'node:assert/strict';
import { assertNone } from '../support/lists.ts';
import { filesBelow, readSource } from '../support/sources.ts';

const MIGRATIONS = 'src/core/store/postgres/migrations/';

/** Of each feature, by its folder. */
const OF_FEATURES: Record<string, readonly string[]> = {
  account: ['search_preferences'],
  briefs: ['site_brief'],
  aiSearch: ['ai_feedback', 'ai_search', 'ai_search_match', 'ai_screened', 'model_answer', 'model_calls'],
  alerts: [
    'alert',
    'alert_due',
    'alert_delivery',
    'alert_delivered',
    'alert_match',
    'alert_feed',
    'alert_recipient',
    'alert_refused',
    'mail_confirmation',
  ],
  contacts: ['enrichment', 'contact_finding'],
  exports: ['export', 'export_person'],
  freshness: ['body_change', 'body_freshness', 'freshness_check'],
  hearings: ['hearing_feed'],
  lists: ['project_list', 'list_project'],
  restrictions: ['restriction_check', 'restriction_feed'],
  snapshots: ['snapshot', 'snapshot_file', 'snapshot_page', 'snapshot_person'],
  webhooks: ['event', 'event_log', 'webhook', 'webhook_secret', 'webhook_message', 'webhook_attempt'],
};

const OF_CORE: readonly string[] = [
  ...['team', 'app_user', 'licence', 'api_key', 'suppression', 'oauth_connection', 'oauth_item', 'oauth_spending'],
  ...['credit_pool', 'ledger_entry', 'delivery', 'document_delivery', 'export_delivery', 'reservation', 'idempotency', 'audit_run'],
  ...['contact_allowance', 'contact_hold', 'contact_unlock'],
  ...['job', 'mail', 'mail_subscription'],
  ...['index_lineage', 'index_commit', 'release', 'value_review', 'restriction_list', 'database_epoch', 'applied_sql'],
];

/** Files of core that name a feature's tables, with the reason. */
const ALLOWED: Record<string, string> = {
  'src/core/store/postgres/functions/undo_export_delivery.sql':
    'gives back what lost files cost, in the one statement that undoes their deliveries in the ledger; a function is made anew in every schema',
};

/** Tables that SQL names: after the keywords that precede a table, or anywhere if the name has two words. */
const namedTables = (sql: string): string[] =>
  [...sql.matchAll(/\b(?:from|join|into|update|using|table)\s+(?:only\s+)?([a-z_]+)\b|\b([a-z]+_[a-z_]+)\b/g)].map(
    ([, placed, anywhere]) => placed ?? anywhere ?? '',
  );

/** The code without its comments, which may contain the same words. */
const codeOf = (file: string) => readSource(file).replaceAll(/\/\*[\s\S]*?\*\/|^\s*(?:\/\/|--).*$/gm, '');

const tables = filesBelow(MIGRATIONS.slice(0, -1), /\.sql$/).flatMap((file) => {
  const [up = ''] = readSource(file).split('-- Down Migration');
  return [...up.matchAll(/^create table (\w+)/gm)].map(([, name]) => name as string);
});

describe('tables', () => {
  it('belong to core or to one feature each', () => {
    assert.deepEqual([...OF_CORE, ...Object.values(OF_FEATURES).flat()].sort(), tables.sort());
  });

  it('of a feature are used by it', () => {
    for (const [feature, own] of Object.entries(OF_FEATURES)) {
      const named = new Set(filesBelow(`src/features/${feature}`, /\.ts$/).flatMap((file) => namedTables(codeOf(file))));
      assertNone(own, (table) => !named.has(table), feature);
    }
  });

  it('of features are named nowhere in core', () => {
    const owners = new Map(Object.entries(OF_FEATURES).flatMap(([feature, own]) => own.map((table) => [table, feature] as const)));
    const found = filesBelow('src/core', /\.(ts|sql)$/)
      .filter((file) => !file.startsWith(MIGRATIONS))
      .flatMap((file) => namedTables(codeOf(file)).flatMap((table) => (owners.has(table) ? [{ file, table, of: owners.get(table) }] : [])));
    assert.deepEqual(
      found.filter(({ file }) => !(file in ALLOWED)),
      [],
      'core knows no feature: the feature does this with its own tables, through what its index.ts declares (features/feature.ts)',
    );
    assert.deepEqual([...new Set(found.map(({ file }) => file))].sort(), Object.keys(ALLOWED).sort());
  });
});
