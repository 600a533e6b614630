/** Pages of records that a pool holds as they are: read without a lock, noted soon after, and nothing else about them differs. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { AccountStore } from '../../../src/core/identity/accounts.ts';
import { HoldingStore } from '../../../src/core/ledger/holdings.ts';
import { Ledger, type Payer } from '../../../src/core/ledger/ledger.ts';
import { OwnedPages, type Standing } from '../../../src/core/ledger/ownedPages.ts';
import type { PageOutcome } from '../../../src/core/ledger/pageOutcome.ts';
import { setClock, testDatabase } from '../../support/database.ts';
import { provide } from '../../support/provide.ts';

const FIRST = new Date('2026-11-20T10:00:00Z');
const LATER = new Date('2026-11-20T11:00:00Z');
const NEXT_MONTH = new Date('2026-12-01T00:00:01Z');
const TERMS = { rate: 1, truncate: false };
const item = (id: number, revision = 'r1') => ({ id, revision });

describe('A page that the pool holds as it is', () => {
  const db = provide(() => testDatabase());
  let owned: OwnedPages;
  let ledger: Ledger;
  /** as it was without reading owned pages apart */
  let plain: Ledger;
  let payer: Payer;

  beforeEach(async () => {
    await setClock(db.database, { at: FIRST });
    owned = new OwnedPages(db.database);
    [ledger, plain] = [new Ledger(db.database, { owned }), new Ledger(db.database)];
    const { id: teamId } = await new AccountStore(db.database, []).createTeam({ name: 'Team', plan: 'api_only' });
    payer = { teamId, grant: { grantedFor: 'api_only month', credits: 10 }, cause: { requestId: 'req' } };
    await plain.deliverPage(payer, [item(1), item(2), item(3)], TERMS);
    await setClock(db.database, { at: LATER });
  });

  const times = async () => {
    const rows = await db.database.query<{ id: number; at: Date }>(
      'select project_id::integer as id, last_at as at from delivery where team_id = $1 order by 1',
      [payer.teamId],
    );
    return rows.map(({ id, at }) => [id, at.toISOString()]);
  };
  const entries = async () => (await ledger.listReceipts(payer.teamId, 100, null)).length;

  it('of one record is delivered by how the pool stood to it a moment before, if that was read of the same record and revision', async () => {
    const stranger = payer.teamId + 1_000;
    const { grantedFor } = payer.grant;
    const read = async (teamId: number, id: number) => (await owned.readStanding({ teamId, grantedFor, id })) as Standing;
    const [held, never, foreign] = await Promise.all([read(payer.teamId, 1), read(payer.teamId, 9), read(stranger, 1)]);
    const at = String(LATER.getTime());
    const asked = { teamId: payer.teamId, grantedFor, unlock: null, version: null, at };
    assert.deepEqual(held, { ...asked, id: 1, balance: 7, revision: 'r1', lastDelivery: String(FIRST.getTime()) });
    assert.deepEqual(never, { ...asked, id: 9, balance: 7, revision: null, lastDelivery: null });
    assert.deepEqual(foreign, { ...asked, teamId: stranger, id: 1, balance: null, revision: null, lastDelivery: null });
    const deliver = (one: ReturnType<typeof item>, standing: Standing) =>
      ledger.deliverPage({ ...payer, standing: Promise.resolve(standing) }, [one], TERMS);
    assert.deepEqual(await deliver(item(1), held), {
      ...{ outcome: 'delivered', balance: 7, cost: 0, served: 1, affordable: 1 },
      ...{ knownRevisions: ['r1'], lastDeliveries: [FIRST], costs: [0] },
    });
    for (const [one, standing] of [
      [item(1, 'r2'), held],
      [item(9), never],
      [item(8), { ...held, id: 7 }],
    ] as const)
      assert.equal((await deliver(one, standing)).cost, 1, `${one.id} ${one.revision}`);
  });

  it('is answered as by a delivery, writes no entry, and is noted as read', async () => {
    const before = await entries();
    const read = await ledger.deliverPage(payer, [item(3), item(1)], TERMS);
    const expected: PageOutcome = {
      ...{ outcome: 'delivered', balance: 7, cost: 0, served: 2, affordable: 2 },
      ...{ knownRevisions: ['r1', 'r1'], lastDeliveries: [FIRST, FIRST], costs: [0, 0] },
    };
    assert.deepEqual(read, expected);
    assert.equal(await entries(), before);
    const unread = FIRST.toISOString();
    assert.deepEqual(
      await times(),
      [1, 2, 3].map((id) => [id, unread]),
      'nothing is written at once',
    );
    await owned.writeReadTimes();
    assert.deepEqual(await times(), [
      [1, LATER.toISOString()],
      [2, unread],
      [3, LATER.toISOString()],
    ]);
  });

  it('shows when it was read before that is noted', async () => {
    await ledger.deliverPage(payer, [item(1)], TERMS);
    assert.deepEqual((await ledger.deliverPage(payer, [item(1)], TERMS)).lastDeliveries, [LATER]);
    const mixed = await ledger.deliverPage(payer, [item(1), item(4)], TERMS);
    assert.deepEqual([mixed.lastDeliveries, mixed.costs, mixed.balance], [[LATER, null], [0, 1], 6]);
  });

  it('shows when it was read last wherever that is asked in the process', async () => {
    const [here, elsewhere] = [new HoldingStore(db.database, owned), new HoldingStore(db.database)];
    const lastAt = async (holdings: HoldingStore) => [
      (await holdings.recordHolding(payer.teamId, 1))?.lastAt,
      (await holdings.pageHoldings(payer.teamId, [{ id: 1, revisionHash: '1' }])).get(1)?.lastAt,
    ];
    await ledger.deliverPage(payer, [item(1)], TERMS);
    assert.deepEqual(
      [await lastAt(here), await lastAt(elsewhere)],
      [
        [LATER, LATER],
        [FIRST, FIRST],
      ],
    );
    await owned.writeReadTimes();
    assert.deepEqual(await lastAt(elsewhere), [LATER, LATER]);
  });

  const isNoted = async (id: number) => (await times()).some(([one, at]) => one === id && at === LATER.toISOString());

  it('is noted by itself a second after it was read', async () => {
    await ledger.deliverPage(payer, [item(2)], TERMS);
    await sleep(500);
    assert(!(await isNoted(2)));
    while (!(await isNoted(2))) await sleep(100);
  });

  it('notes when a record is read again once an hour, however often that is', async () => {
    const hours = (count: number) => new Date(FIRST.getTime() + count * 3_600_000);
    const readAt = async (at: Date) => {
      await setClock(db.database, { at });
      const { lastDeliveries } = await ledger.deliverPage(payer, [item(1), item(2)], TERMS);
      await owned.writeReadTimes();
      return lastDeliveries;
    };
    await ledger.deliverPage(payer, [item(1)], TERMS);
    assert.deepEqual(await readAt(hours(1.5)), [LATER, FIRST]);
    assert.deepEqual(await readAt(new Date(hours(2).getTime() - 1)), [LATER, hours(1.5)]);
    assert.deepEqual(await readAt(hours(2)), [LATER, hours(1.5)]);
    assert.deepEqual(await readAt(hours(2.25)), [hours(2), hours(1.5)]);
    assert.deepEqual((await times()).slice(0, 2), [
      [1, hours(2).toISOString()],
      [2, hours(1.5).toISOString()],
    ]);
  });

  it('is noted with the next one where it could not be', async () => {
    await db.database.query('alter function note_reads rename to note_elsewhere');
    await ledger.deliverPage(payer, [item(1)], TERMS);
    await assert.rejects(owned.writeReadTimes(), { code: 'service_unavailable' });
    await db.database.query('alter function note_elsewhere rename to note_reads');
    await ledger.deliverPage(payer, [item(2)], TERMS);
    while (!(await isNoted(2))) await sleep(100);
    assert(await isNoted(1));
  });

  it('is one that has nothing new or changed, of a grant that is in force: everything else is delivered', async () => {
    for (const items of [[item(1), item(9)], [item(2, 'r2')]]) {
      const { cost } = await ledger.deliverPage(payer, items, TERMS);
      assert.equal(cost, 1);
    }
    // The pool was just delivered something new: its next page goes the same way, and the one after it is read again.
    await ledger.deliverPage(payer, [item(1)], TERMS);
    await setClock(db.database, { at: NEXT_MONTH });
    const { balance } = await ledger.deliverPage(payer, [item(1)], TERMS);
    assert.equal(balance, 10, 'the new month is granted');
  });

  it('is delivered with its claim, and in a transaction that it belongs to', async () => {
    await db.database.transaction((tx) => ledger.deliverPage(payer, [item(1)], TERMS, tx));
    assert.deepEqual((await times())[0], [1, LATER.toISOString()]);
  });

  it('never takes back a later time', async () => {
    await ledger.deliverPage(payer, [item(1)], TERMS);
    await setClock(db.database, { at: NEXT_MONTH });
    await plain.deliverPage(payer, [item(1)], TERMS);
    await owned.writeReadTimes();
    assert.deepEqual((await times())[0], [1, NEXT_MONTH.toISOString()]);
  });
});
