import assert from 'node:assert/strict';
import { AccountStore } from '../../../src/core/identity/accounts.ts';
import { auditLedger } from '../../../src/core/ledger/audit.ts';
import { Ledger, type Payer } from '../../../src/core/ledger/ledger.ts';
import { runSql, setClock, testDatabase } from '../../support/database.ts';
import { pluck } from '../../support/lists.ts';
import { provide } from '../../support/provide.ts';

const item = (id: number, revision = 'a') => ({ id, revision });

describe('The ledger', () => {
  const db = provide(() => testDatabase());
  let ledger: Ledger;
  let teamId: number;
  before(async () => {
    ledger = new Ledger(db.database);
    teamId = (await new AccountStore(db.database, []).createTeam({ name: 'Team', plan: 'api_only' })).id;
    await setClock(db.database, { at: '2026-11-15T12:00:00Z' });
  });

  const payer = (credits = 10): Payer => ({ teamId, grant: { grantedFor: 'api_only month', credits }, cause: { requestId: 'req' } });
  const terms = { rate: 1, truncate: false };

  it('adds up after deliveries, refusals, adjustments and months of sleep', async () => {
    assert.equal((await ledger.deliverPage(payer(), [item(1), item(2), item(3)], terms)).cost, 3);
    assert.equal((await ledger.deliverPage(payer(), [item(2, 'b'), item(3)], terms)).cost, 1);
    const refused = await ledger.deliverPage(
      payer(),
      [10, 11, 12, 13, 14, 15, 16].map((id) => item(id)),
      terms,
    );
    assert.deepEqual([refused.outcome, refused.balance, refused.affordable], ['insufficient', 6, 6]);
    assert.equal(await ledger.adjust(payer(), -6, 'test'), 0);
    assert.equal((await ledger.deliverPage(payer(), [item(99)], terms)).outcome, 'exhausted');
    assert.equal((await ledger.deliverPage(payer(), [item(1)], terms)).outcome, 'delivered');
    await assert.rejects(ledger.adjust(payer(), -1, 'below zero'), { code: 'forbidden' });
    await setClock(db.database, { at: '2027-03-15T12:00:00Z' });
    assert.equal(await ledger.balance(payer(20)), 20);
    assert.equal(await ledger.balance(payer(20)), 20);
    await ledger.deliverDocument(payer(20), 7, 1);
    const entries = await ledger.listReceipts(teamId, 100, null);
    assert.deepEqual(
      entries.map((entry) => [entry.kind, entry.amount, entry.balance]),
      [
        ['charge', -1, 19],
        ['grant', 20, 20],
        ['adjustment', -6, 0],
        ['charge', -1, 6],
        ['charge', -3, 7],
        ['grant', 10, 10],
      ],
    );
    const report = await auditLedger(db.database);
    assert.deepEqual([report.pools, report.entries, report.deliveries, report.differences], [1, 6, 4, []]);
  });

  it('cannot be changed or emptied', async () => {
    for (const statement of ['update ledger_entry set amount = 0', 'delete from ledger_entry', 'truncate ledger_entry'])
      await assert.rejects(runSql(db.url, `set search_path to ${db.schema}; ${statement}`), /append-only/);
  });

  it('shows every kind of difference', async () => {
    await runSql(
      db.url,
      `alter table ${db.schema}.delivery drop constraint delivery_content_once;
       update ${db.schema}.credit_pool set balance = balance + 5; update ${db.schema}.delivery set credits = 9 where project_id = 1`,
    );
    const { differences } = await auditLedger(db.database);
    assert.deepEqual(pluck(differences, 'check', 'expected', 'found'), [
      ['balance', 19, 24],
      ['deliveries', 13, 5],
    ]);
  });
});
