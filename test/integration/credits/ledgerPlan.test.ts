/** How Postgres finds what a pool holds: by the records of the page, never through everything that the pool owns. */
import assert from 'node:assert/strict';
import { AccountStore } from '../../../src/core/identity/accounts.ts';
import { Ledger, type Payer } from '../../../src/core/ledger/ledger.ts';
import { Database } from '../../../src/core/store/postgres/pool.ts';
import { testDatabase } from '../../support/database.ts';
import { pluck } from '../../support/lists.ts';
import { provide } from '../../support/provide.ts';

const PAGE = 100;
/** the first record of each */
const PAGES = [1, 1001, 1, 2001];
const REVISION = '0'.repeat(32);

describe('A page in a ledger that Postgres has no statistics of yet', () => {
  const test = provide(() => testDatabase());
  let single: Database;
  before(async () => {
    single = new Database({ url: test.url, schema: test.schema, connections: 1 });
  });
  after(() => single.close());

  it('looks its records up by their keys', async () => {
    const { id: teamId } = await new AccountStore(test.database, []).createTeam({ name: 'Team', plan: 'national' });
    const ledger = new Ledger(single);
    const payer: Payer = { teamId, grant: { grantedFor: 'national month', credits: 0 }, cause: { requestId: 'req' } };
    for (const first of PAGES) {
      const items = Array.from({ length: PAGE }, (_, i) => ({ id: first + i, revision: REVISION }));
      await ledger.deliverPage(payer, items, { rate: 0, truncate: false });
    }
    await single.query('select pg_stat_force_next_flush()');
    const [tables] = await single.query('select seq_tup_read as "bySeq" from pg_stat_user_tables where relname = $1 and schemaname = $2', [
      'delivery',
      test.schema,
    ]);
    assert.deepEqual(tables, { bySeq: '0' });
    const indexes = await single.query<{ index: string; read: string }>(
      'select indexrelname as index, idx_tup_read as read from pg_stat_user_indexes where relname = $1 and schemaname = $2 order by 1',
      ['delivery', test.schema],
    );
    const [changes, records] = indexes.map(({ read }) => Number(read));
    assert.deepEqual(pluck(indexes, 'index'), ['delivery_changes', 'delivery_pkey']);
    assert.equal(changes, 0, 'what was delivered before is not read');
    assert(records && records <= PAGES.length * PAGE, 'each record of a page is read once at most');
  });
});
