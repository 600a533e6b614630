/** Pages answered from what the process remembers of a pool: they say nothing that was no longer true when the request began. */
import assert from 'node:assert/strict';
import { AccountStore } from '../../../src/core/identity/accounts.ts';
import { Ledger, type Payer } from '../../../src/core/ledger/ledger.ts';
import { setClock, testDatabase } from '../../support/database.ts';
import {
  type BegunPage,
  backUpPool,
  deliverFile,
  type Item,
  KnownPages,
  loseFile,
  type PoolBackup,
  restorePool,
  TERMS,
} from '../../support/knownPages.ts';
import { lengthOf } from '../../support/lengths.ts';
import { provide } from '../../support/provide.ts';
import { Random } from '../../support/random.ts';

const FIRST = new Date('2026-11-20T10:00:00Z');
const HOUR = 3_600_000;
const STEPS = lengthOf('PAGE_MEMORY_STEPS');
/** set PAGE_MEMORY_SEED to repeat a failure, or to look elsewhere */
const SEED = Number(process.env.PAGE_MEMORY_SEED ?? 7);
const RECORDS = [1, 2, 3];
const READING = ['read', 'read', 'read', 'read', 'begin', 'end', 'wait'];
const CHANGING = ['deliver', 'deliverAndRemember', 'file', 'lose', 'write', 'writeAll'];
const item = (id: number, revision = 'r1'): Item => ({ id, revision });
const PAGE = [item(1), item(2)];

describe('A page that the process remembers', () => {
  const db = provide(() => testDatabase());
  let here: KnownPages;
  let elsewhere: KnownPages;
  let plain: Ledger;
  let payer: Payer;
  let now: Date;

  const passTime = async (ms: number) => {
    now = new Date(now.getTime() + ms);
    await setClock(db.database, { at: now });
  };

  beforeEach(async () => {
    now = FIRST;
    await passTime(0);
    [here, elsewhere, plain] = [new KnownPages(db), new KnownPages(db), new Ledger(db.database)];
    const { id: teamId } = await new AccountStore(db.database, []).createTeam({ name: 'Team', plan: 'api_only' });
    payer = { teamId, grant: { grantedFor: 'api_only month', credits: 1_000 }, cause: {} };
    await plain.deliverPage(payer, [item(1), item(2), item(3)], TERMS);
    await passTime(HOUR);
    await here.owned.read(payer.teamId, payer.grant.grantedFor, PAGE);
    await passTime(HOUR);
    here.pagesRead = 0;
  });
  afterEach(() => Promise.all([here.close(), elsewhere.close()]));

  /** The next page here, which has to say what is true now. */
  const readNow = async (items = PAGE) => {
    const { said, may } = await here.end(payer, await here.begin(payer, items));
    assert.deepEqual(said, may[1]);
    return said;
  };

  const listTimes = async () => {
    const sql = 'select project_id::integer as id, last_at as at from delivery where team_id = $1 order by 1';
    const rows = await db.database.query<{ id: number; at: Date }>(sql, [payer.teamId]);
    return rows.map(({ id, at }) => [id, at.getTime()] as const);
  };

  it('is answered without reading it from Postgres again', async () => {
    const said = await readNow();
    assert.deepEqual([said?.balance, said?.cost, said?.lastDeliveries], [997, 0, [1, 2].map(() => new Date(FIRST.getTime() + HOUR))]);
    await here.owned.writeReadTimes();
    await readNow([item(2), item(1)]);
    await readNow([]);
    assert.equal(here.pagesRead, 0);
    await readNow([item(3), item(1)]);
    assert.equal(here.pagesRead, 1, 'of the third record nothing is known');
  });

  it('is remembered by the process that delivered it, beside pages that it knew before', async () => {
    await here.ledger.deliverPage(payer, [item(4), item(5)], { rate: 1, truncate: true });
    await passTime(HOUR);
    await here.ledger.deliverPage(payer, [item(1, 'r2'), item(4)], TERMS);
    await passTime(HOUR);
    await here.ledger.deliverPage(payer, [item(4)], TERMS); // nothing new: the next page is looked for
    here.pagesRead = 0;
    const said = await readNow([item(1, 'r2'), item(2), item(4), item(5)]);
    assert.deepEqual(
      said?.lastDeliveries.map((at) => (Number(at) - FIRST.getTime()) / HOUR),
      [3, 1, 4, 2],
    );
    assert.equal(here.pagesRead, 0);
  });

  it('is remembered only as far as the balance paid for it, and not if its transaction is rolled back', async () => {
    await plain.adjust(payer, -996, 'all but one');
    await here.ledger.deliverPage(payer, [item(4), item(5)], { rate: 1, truncate: true });
    await here.ledger.deliverPage(payer, [item(4)], TERMS);
    assert(await readNow([item(4)]));
    assert.equal(await readNow([item(5)]), undefined);
    await passTime(HOUR);
    let undone = '';
    await db.database
      .transaction(async (tx) => {
        undone = (await here.ledger.deliverPage(payer, PAGE, TERMS, tx)).outcome;
        throw new Error('undone');
      })
      .catch(() => undefined);
    assert.equal(undone, 'delivered');
    await plain.deliverPage(payer, [item(3)], TERMS);
    await readNow(); // as often written as if it had been committed
  });

  it('is delivered by a request through its payer, and others share the statement of their standings', async () => {
    const asked = Array.from({ length: 9 }, () => here.ledger.askStanding(payer, null));
    const delivered = await Promise.all(asked.map((standing) => here.ledger.deliverPage({ ...payer, standing }, PAGE, TERMS)));
    assert(delivered.every(({ outcome, balance }) => outcome === 'delivered' && balance === 997));
    assert.equal(here.pagesRead, 0);
    assert(here.poolsRead <= 2, `${here.poolsRead} statements`);
    assert.equal(elsewhere.ledger.askStanding(payer, null), undefined, 'nothing is known there');
  });

  it('delivers a page by the standing of its own pool, beside pages of others', async () => {
    const { id: teamId } = await new AccountStore(db.database, []).createTeam({ name: 'Other', plan: 'api_only' });
    const other: Payer = { ...payer, teamId };
    await here.ledger.deliverPage(other, [item(1)], TERMS);
    await here.ledger.deliverPage(other, [item(1)], TERMS); // nothing new: the next page is looked for
    const payers = [payer, payer, other, payer, other];
    const standings = await Promise.all(payers.map((one) => here.ledger.askStanding(one, null)));
    assert.deepEqual(
      standings.map((standing) => [standing?.teamId, standing?.balance]),
      payers.map((one) => [one.teamId, one === payer ? 997 : 999]),
    );
  });

  it('is answered with the balance of the moment', async () => {
    await plain.deliverDocument(payer, 1, 1);
    assert.equal((await readNow())?.balance, 996);
    await plain.adjust(payer, 10, 'gift');
    assert.equal((await readNow())?.balance, 1_006);
    assert.equal(here.pagesRead, 0);
  });

  const CHANGES: Record<string, () => Promise<unknown>> = {
    'another process delivered one of its records in another revision': () => plain.deliverPage(payer, [item(1, 'r2')], TERMS),
    'another process delivered it again': () => plain.deliverPage(payer, PAGE, TERMS),
    'another process read it and wrote that': async () => {
      await elsewhere.owned.read(payer.teamId, payer.grant.grantedFor, PAGE);
      await elsewhere.owned.writeReadTimes();
    },
    'a file with the same records was delivered': () => deliverFile(db.database, payer, PAGE),
    'the delivery of a file was taken back': async () => {
      const file = await deliverFile(db.database, payer, [item(1, 'r2'), item(9)]);
      await loseFile(db.database, payer, file);
    },
    'a new month began': () => passTime(31 * 86_400_000),
    'the database was restored': async () => restorePool(db.database, payer, await backUpPool(db.database, payer)),
  };
  for (const [change, make] of Object.entries(CHANGES))
    it(`is read again after ${change}`, async () => {
      await readNow();
      assert.equal(here.pagesRead, 0);
      await make();
      await readNow();
      assert.equal(here.pagesRead, 1);
      await readNow([item(1, 'r2'), item(2)]);
    });

  it('remembers a page though another process delivered another record', async () => {
    await readNow();
    await plain.deliverPage(payer, [item(9)], TERMS);
    assert.equal((await readNow())?.balance, 996);
    assert.equal(here.pagesRead, 0);
  });

  it('is charged again after the file that paid for it was lost', async () => {
    const file = await deliverFile(db.database, payer, [item(7)]);
    await plain.deliverPage(payer, [item(8)], TERMS);
    assert(await readNow([item(7)]));
    await loseFile(db.database, payer, file);
    const standing = here.ledger.askStanding(payer, null);
    assert.equal((await here.ledger.deliverPage({ ...payer, standing }, [item(7)], TERMS)).cost, 1);
  });

  it('is not looked for in what a restore has brought back, though the pool is the same in every number', async () => {
    const backup = await backUpPool(db.database, payer);
    await plain.deliverPage(payer, [item(1, 'r2')], TERMS);
    await readNow([item(1, 'r2')]);
    await restorePool(db.database, payer, backup);
    await plain.deliverPage(payer, [item(1, 'r3')], TERMS);
    await db.database.query('update delivery set seq = (select max(seq) - 1 from delivery) where team_id = $1 and project_id = 1', [
      payer.teamId,
    ]);
    assert.equal(await readNow([item(1, 'r2')]), undefined);
  });

  it(`is what is read without a memory, in ${STEPS} random steps of two processes (PAGE_MEMORY_SEED=${SEED})`, async function () {
    this.timeout(60_000 + STEPS * 100);
    const random = new Random(SEED);
    const open: { by: KnownPages; page: BegunPage; at: number }[] = [];
    /** when a page with a record that was answered last began, by id: every read was written at this time before they were written once an hour */
    const lastReads = new Map<number, number>();
    const files: string[] = [];
    let backup: PoolBackup | undefined;
    const history: string[] = [];
    let remembered = 0;
    const pick = () => random.pick([here, elsewhere]);
    const pickItems = () => random.some(RECORDS, random.integer(1, 2)).map((id) => item(id, random.chance(0.8) ? 'r1' : 'r2'));
    const end = async (by: KnownPages, page: BegunPage, at: number) => {
      const { pagesRead } = by;
      const { said, may } = await by.end(payer, page);
      // Between its beginning and its end other times may have been written: then it is read again.
      if (by.pagesRead === pagesRead) remembered += 1;
      const allowed = by.pagesRead === pagesRead ? may.slice(0, 1) : may.slice(1);
      assert.deepEqual([said], allowed, `${history.slice(-30).join('; ')}: ${page.items.map(({ id, revision }) => `${id}:${revision}`)}`);
      if (said) for (const { id } of page.items) lastReads.set(id, Math.max(at, lastReads.get(id) ?? 0));
    };
    const STEPS_BY_NAME: Record<string, () => Promise<unknown>> = {
      read: async () => {
        const by = pick();
        await end(by, await by.begin(payer, pickItems()), now.getTime());
      },
      begin: async () => {
        const by = pick();
        open.push({ by, page: await by.begin(payer, pickItems()), at: now.getTime() });
      },
      end: async () => {
        const [begun] = open.splice(random.integer(0, open.length - 1), 1);
        if (begun) await end(begun.by, begun.page, begun.at);
      },
      write: () => pick().owned.writeReadTimes(),
      wait: () => passTime(random.integer(1, HOUR)),
      writeAll: async () => {
        for (const one of [here, elsewhere]) await one.owned.writeReadTimes();
        for (const [id, at] of await listTimes()) {
          const behindMs = (lastReads.get(id) ?? 0) - at;
          assert(behindMs < HOUR && at <= now.getTime(), `${history.slice(-30).join('; ')}: ${id} is ${behindMs} ms behind`);
        }
      },
      deliver: () => plain.deliverPage(payer, pickItems(), TERMS),
      deliverAndRemember: async () => {
        const [{ ledger }, items] = [pick(), pickItems()];
        await Promise.all([ledger.deliverPage(payer, items, TERMS), ledger.deliverPage(payer, items.slice(1), TERMS)]);
        await ledger.deliverPage(payer, items, TERMS); // nothing new: the next page is looked for
      },
      document: () => plain.deliverDocument(payer, random.integer(1, 50), 1),
      adjust: () => plain.adjust(payer, random.integer(1, 5), 'random'),
      file: async () => files.push(await deliverFile(db.database, payer, pickItems())),
      lose: async () => {
        const [file] = files.splice(0, 1);
        if (file) await loseFile(db.database, payer, file);
      },
      month: () => passTime(random.chance(0.3) ? 31 * 86_400_000 : 0),
      backUp: async () => {
        backup = await backUpPool(db.database, payer);
      },
      restore: async () => {
        if (!backup || random.chance(0.7)) return;
        files.length = 0;
        for (const begun of open) begun.at = 0;
        lastReads.clear();
        await restorePool(db.database, payer, backup);
      },
    };
    const turns = [...Array<string[]>(8).fill(READING), CHANGING, Object.keys(STEPS_BY_NAME)];
    for (let step = 0; step < STEPS; step++) {
      const name = random.pick(random.pick(turns));
      history.push(name);
      await STEPS_BY_NAME[name]?.();
    }
    assert(remembered > STEPS / 20, `${remembered} pages were remembered`);
  });
});
