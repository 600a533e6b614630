import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDemoAccounts, type DemoKeys } from '../../../scripts/demo/accounts.ts';
import { TestProxy } from '../../../scripts/lib/proxy.ts';
import { ApiError, type ErrorCode } from '../../../src/core/domain/errors.ts';
import type { Principal } from '../../../src/core/domain/principal.ts';
import { AccountStore } from '../../../src/core/identity/accounts.ts';
import { EVERY_KEY, KeyStore, makeKeyScope } from '../../../src/core/identity/keys.ts';
import { migrate } from '../../../src/core/store/postgres/migrate.ts';
import { Database, type QueryOptions } from '../../../src/core/store/postgres/pool.ts';
import { requirePrincipal } from '../../../src/http/authenticate.ts';
import { rotationHeaders } from '../../../src/http/rateLimit.ts';
import { runSql, testDatabase } from '../../support/database.ts';
import { pluck } from '../../support/lists.ts';
import { provide } from '../../support/provide.ts';

const PEPPER = 'p'.repeat(32);
const HOUR_MS = 3_600_000;
const WAITING_FOR_LOCK_MS = 400;
const POSTGRES_PORT = 5432;

const test = provide(() => testDatabase());
let accounts: AccountStore;
/** The clock of `keys`; the tests move it. */
let now: Date;
let keys: KeyStore;

before(async () => {
  accounts = new AccountStore(test.database, []);
});
beforeEach(() => {
  now = new Date('2026-03-01T12:00:00Z');
  keys = new KeyStore({ database: test.database, pepper: PEPPER, now: () => now });
});

const refused = (code: ErrorCode) => (error: unknown) => error instanceof ApiError && error.code === code;
const later = (ms: number) => {
  now = new Date(now.getTime() + ms);
};

async function newUser(role: 'owner' | 'member' = 'owner', teamId?: number): Promise<{ userId: number; teamId: number }> {
  const team = teamId ?? (await accounts.createTeam({ name: 'T', plan: 'state', licence: { stateIds: [8], countyIds: [] } })).id;
  const user = await accounts.createUser({ teamId: team, name: 'U', role });
  return { userId: user.id, teamId: team };
}

/** 'ok', or the error code that a client would get. */
async function outcome(store: KeyStore, credential: string | undefined): Promise<string> {
  try {
    requirePrincipal(await store.resolve(credential));
    return 'ok';
  } catch (error) {
    assert(error instanceof ApiError, String(error));
    return error.code;
  }
}

async function principal(credential: string): Promise<Principal> {
  return requirePrincipal(await keys.resolve(credential));
}

describe('migrations', () => {
  it('run twice at once: both succeed, one works', async () => {
    const schema = `${test.schema}_m`;
    const [first, second] = await Promise.all([migrate(test.url, schema), migrate(test.url, schema)]);
    assert.equal(first.length > 0 !== second.length > 0, true);
    assert.deepEqual(await migrate(test.url, schema), []);
    await runSql(test.url, `drop schema ${schema} cascade`);
  });
});

describe('authentication', () => {
  it('follows plan, licence and monthly figure of the team', async () => {
    const { userId, teamId } = await newUser();
    const { secret } = await keys.mint(userId);
    await accounts.setPlan(teamId, 'county', { stateIds: [], countyIds: [8013] });
    await accounts.setMonthlyCredits(teamId, 7);
    const found = await principal(secret);
    assert.deepEqual([found.plan.id, found.monthlyCredits], ['county', 7]);
    assert.deepEqual(found.licence, { nationwide: false, stateIds: [], countyIds: [8013] });
    await accounts.setPlan(teamId, 'national');
    later(1000);
    assert.deepEqual((await principal(secret)).licence, { nationwide: true });
  });
});

describe('minting', () => {
  it('holds the ceiling of two under 20 mints at once, over two processes', async () => {
    const { userId } = await newUser();
    const other = new KeyStore({ database: test.another(), pepper: PEPPER });
    const tries = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => (i % 2 ? keys : other).mint(userId)));
    const failures = tries.flatMap((t) => (t.status === 'rejected' ? [t.reason] : []));
    assert.equal(failures.length, 18);
    assert(failures.every(refused('forbidden')));
  });

  it('makes room when a key is revoked, but not when it rotates', async () => {
    const { userId } = await newUser();
    const first = await keys.mint(userId);
    await keys.mint(userId);
    await keys.rotate(first.key.id, EVERY_KEY);
    await assert.rejects(keys.mint(userId), refused('forbidden'));
    const active = (await keys.list({ teamId: null, userId })).filter((key) => key.state === 'active');
    assert.equal(active.length, 2);
    await keys.revoke(active[0]?.id ?? '', EVERY_KEY);
    await keys.mint(userId);
  });

  it('refuses a closed or unknown user', async () => {
    const { userId } = await newUser();
    await accounts.closeUser(userId);
    await assert.rejects(keys.mint(userId), refused('resource_not_found'));
    await assert.rejects(keys.mint(999_999), refused('resource_not_found'));
  });
});

describe('rotation', () => {
  for (const graceHours of [1, 24, 168] as const) {
    it(`keeps the predecessor for ${graceHours} hours and tells it so`, async () => {
      const { userId } = await newUser();
      const old = await keys.mint(userId, 'etl');
      const { key, secret, predecessor } = await keys.rotate(old.key.id, EVERY_KEY, graceHours);
      assert.deepEqual([predecessor.state, predecessor.replacedBy, key.state, key.name], ['rotating', key.id, 'active', 'etl']);
      const until = new Date(now.getTime() + graceHours * HOUR_MS);
      const headers = rotationHeaders(await principal(old.secret));
      assert.equal(headers['X-Service-Key-Rotating'], 'true');
      assert.match(headers.Warning ?? '', new RegExp(`^299 - ".*${until.toISOString()}.*"$`));
      assert.deepEqual(rotationHeaders(await principal(secret)), {});
      later(graceHours * HOUR_MS - 1);
      assert.equal(await outcome(keys, old.secret), 'ok');
      later(1);
      assert.equal(await outcome(keys, old.secret), 'key_expired');
      assert.equal(await outcome(keys, secret), 'ok');
    });
  }

  it('rotates only an active key, once under concurrency', async () => {
    const { userId } = await newUser();
    const { key } = await keys.mint(userId);
    const tries = await Promise.allSettled(Array.from({ length: 5 }, () => keys.rotate(key.id, EVERY_KEY)));
    assert.equal(tries.filter((t) => t.status === 'fulfilled').length, 1);
    assert(tries.every((t) => t.status === 'fulfilled' || refused('invalid_request')(t.reason)));
    assert.equal((await keys.list({ teamId: null, userId })).length, 2);
  });

  it('can be cut short by revoking the predecessor', async () => {
    const { userId } = await newUser();
    const old = await keys.mint(userId);
    await keys.rotate(old.key.id, EVERY_KEY, 168);
    assert.equal((await keys.revoke(old.key.id, EVERY_KEY)).state, 'revoked');
    assert.equal(await outcome(keys, old.secret), 'unauthorized');
  });
});

describe('managing keys', () => {
  it('shows and stops all of a team to its owner, only their own to a member, nothing to others', async () => {
    const { userId: owner, teamId } = await newUser('owner');
    const { userId: member } = await newUser('member', teamId);
    const ofOwner = await keys.mint(owner);
    const ofMember = await keys.mint(member);
    const outsider = await principal((await keys.mint((await newUser()).userId)).secret);
    const ownerScope = makeKeyScope(await principal(ofOwner.secret));
    const memberScope = makeKeyScope(await principal(ofMember.secret));
    assert.equal((await keys.list(ownerScope)).length, 2);
    assert.deepEqual(pluck(await keys.list(memberScope), 'id'), [ofMember.key.id]);
    await assert.rejects(keys.revoke(ofOwner.key.id, memberScope), refused('resource_not_found'));
    await assert.rejects(keys.revoke(ofOwner.key.id, makeKeyScope(outsider)), refused('resource_not_found'));
    await assert.rejects(keys.revoke('not-an-id', ownerScope), refused('resource_not_found'));
    assert.equal((await keys.revoke(ofMember.key.id, ownerScope)).state, 'revoked');
    assert.equal((await keys.revoke(ofMember.key.id, ownerScope)).state, 'revoked');
  });

  it('reassigns the key of a closed account: same secret, same id, another actor', async () => {
    const { userId: gone, teamId } = await newUser();
    const { userId: heir } = await newUser('member', teamId);
    const { key, secret } = await keys.mint(gone);
    await accounts.closeUser(gone);
    assert.equal(await outcome(keys, secret), 'unauthorized');
    await keys.reassign(key.id, EVERY_KEY, heir);
    const found = await principal(secret);
    assert.deepEqual([found.keyId, found.userId], [key.id, heir]);
    await keys.mint(heir);
    await assert.rejects(keys.mint(heir), refused('forbidden'));
  });

  it('reassigns neither beyond the team nor above the ceiling', async () => {
    const { userId, teamId } = await newUser();
    const { userId: full } = await newUser('member', teamId);
    const { key } = await keys.mint(userId);
    await assert.rejects(keys.reassign(key.id, EVERY_KEY, (await newUser()).userId), refused('resource_not_found'));
    await keys.mint(full);
    await keys.mint(full);
    await assert.rejects(keys.reassign(key.id, EVERY_KEY, full), refused('forbidden'));
  });
});

describe('the store of keys', () => {
  it('stops a revoked key within a second in another process', async () => {
    const { userId } = await newUser();
    const { key, secret } = await keys.mint(userId);
    let theirs = new Date();
    const other = new KeyStore({ database: test.another(), pepper: PEPPER, now: () => theirs });
    assert.equal(await outcome(other, secret), 'ok');
    await keys.revoke(key.id, EVERY_KEY);
    assert.equal(await outcome(keys, secret), 'unauthorized');
    assert.equal(await outcome(other, secret), 'ok', 'it remembers for a moment');
    theirs = new Date(theirs.getTime() + 999);
    assert.equal(await outcome(other, secret), 'unauthorized');
  });

  it('asks Postgres once for a burst of one key', async () => {
    const { userId } = await newUser();
    const { secret } = await keys.mint(userId);
    let queries = 0;
    const counting = Object.assign(Object.create(test.database) as Database, {
      query: (...args: Parameters<Database['query']>) => {
        queries++;
        return test.database.query(...args);
      },
    });
    const store = new KeyStore({ database: counting, pepper: PEPPER, now: () => now });
    await Promise.all(Array.from({ length: 100 }, () => store.resolve(secret)));
    assert.equal(queries, 1);
    later(1000);
    await store.resolve(secret);
    assert.equal(queries, 2);
  });

  it('keeps no secret in any column', async () => {
    const { userId } = await newUser();
    const first = await keys.mint(userId, 'scan');
    const second = await keys.rotate(first.key.id, EVERY_KEY);
    const tables = await test.database.query<{ name: string }>(
      'select table_name as name from information_schema.tables where table_schema = $1',
      [test.schema],
    );
    for (const { name } of tables) {
      const rows = await test.database.query<{ text: string; bytes: string }>(
        `select to_jsonb(t)::text as text, encode(convert_to(t::text, 'UTF8'), 'escape') as bytes from ${name} t`,
      );
      const all = rows.map((row) => row.text + row.bytes).join();
      for (const { secret } of [first, second]) {
        const random = secret.slice(9, 39);
        for (const part of [random, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')]) {
          assert.equal(all.includes(part), false, `${name} holds a secret`);
        }
      }
    }
  });

  it('says service_unavailable within about a second while Postgres is away or frozen, of a key that it has not met, and recovers by itself', async () => {
    const proxy = new TestProxy(test.url, POSTGRES_PORT);
    await proxy.start();
    const url = new URL(test.url);
    url.port = String(proxy.port);
    const database = new Database({ url: url.href, schema: test.schema });
    const behind = new KeyStore({ database, pepper: PEPPER, now: () => now });
    try {
      for (const [fail, recover] of [
        [() => proxy.stop(), () => proxy.start()],
        [() => proxy.freeze(), () => proxy.thaw()],
      ] as const) {
        const { secret } = await keys.mint((await newUser()).userId);
        await fail();
        // at best, since a busy machine may be late once
        let bestMs = Number.POSITIVE_INFINITY;
        for (let attempt = 0; attempt < 3 && bestMs >= 1500; attempt++) {
          later(1000);
          const started = performance.now();
          await assert.rejects(behind.resolve(secret), refused('service_unavailable'));
          bestMs = Math.min(bestMs, performance.now() - started);
        }
        assert(bestMs < 1500, `took ${bestMs.toFixed(0)} ms at best`);
        await recover();
        assert.equal(await outcome(behind, secret), 'ok');
      }
    } finally {
      await proxy.stop();
      await database.close();
    }
  });
});

describe('accounts', () => {
  it('refuse a licence that does not suit the plan, and change nothing', async () => {
    await assert.rejects(accounts.createTeam({ name: 'T', plan: 'state' }), refused('invalid_request'));
    const { teamId } = await newUser();
    await assert.rejects(accounts.setPlan(teamId, 'county', { stateIds: [8], countyIds: [] }), refused('invalid_request'));
    assert.equal((await accounts.readTeam(teamId)).plan, 'state');
  });

  it('refuse a second open user with one address, in any case, until the first closes', async () => {
    const { teamId } = await newUser();
    const first = await accounts.createUser({ teamId, name: 'A', email: 'a@x.example' });
    await assert.rejects(accounts.createUser({ teamId, name: 'B', email: 'A@X.example' }), refused('invalid_request'));
    await accounts.closeUser(first.id);
    await accounts.createUser({ teamId, name: 'B', email: 'A@X.example' });
  });

  it('say resource_not_found for what is not there', async () => {
    const missing = refused('resource_not_found');
    await assert.rejects(accounts.readTeam(999_999), missing);
    await assert.rejects(accounts.setPlan(999_999, 'national'), missing);
    await assert.rejects(accounts.setStatus(999_999, 'lapsed'), missing);
    await assert.rejects(accounts.createUser({ teamId: 999_999, name: 'U' }), missing);
    await assert.rejects(accounts.closeUser(999_999), missing);
  });
});

describe('demo accounts', () => {
  const EXPECTED: Partial<Record<keyof DemoKeys, string>> = {
    lapsed: 'subscription_required',
    disabled: 'account_disabled',
    revoked: 'unauthorized',
  };

  it('make one account per plan, and are kept by a second run', async () => {
    const stores = { accounts, keys };
    const made = await createDemoAccounts(stores);
    for (const [name, key] of Object.entries(made)) {
      assert.equal(await outcome(keys, key), EXPECTED[name as keyof DemoKeys] ?? 'ok', name);
    }
    const [national, teammate, outsider] = await Promise.all([made.national, made.nationalTeammate, made.outsider].map(principal));
    assert.equal(national?.teamId, teammate?.teamId);
    assert.notEqual(national?.userId, teammate?.userId);
    assert.notEqual(national?.teamId, outsider?.teamId);
    const teams = await accounts.teams();
    assert.deepEqual(await createDemoAccounts(stores, made), made);
    assert.equal((await accounts.teams()).length, teams.length);
  });

  it('make again only what no longer works', async () => {
    const stores = { accounts, keys };
    const made = await createDemoAccounts(stores);
    const { keyId } = await principal(made.trial);
    await keys.revoke(keyId, EVERY_KEY);
    const again = await createDemoAccounts(stores, made);
    const changed = Object.keys(made).filter((name) => made[name as keyof DemoKeys] !== again[name as keyof DemoKeys]);
    assert.deepEqual(changed, ['trial']);
  });
});

describe('Keys that are changed at the same moment', () => {
  /** Each transaction waits after its first statement until the other has run its own, or has been waiting for a lock. */
  function meeting(): Database {
    const { promise: met, resolve: meet } = Promise.withResolvers<void>();
    let arrived = 0;
    const transaction: Database['transaction'] = (work) =>
      test.database.transaction((tx) => {
        let first = true;
        return work({
          async query<Row>(text: string, values?: readonly unknown[], options?: QueryOptions): Promise<Row[]> {
            const rows = await tx.query<Row>(text, values, options);
            if (first) {
              first = false;
              arrived += 1;
              if (arrived === 2) meet();
              await Promise.race([met, sleep(WAITING_FOR_LOCK_MS)]);
            }
            return rows;
          },
        });
      });
    return { transaction, query: test.database.query.bind(test.database) } as Database;
  }
  const store = () => new KeyStore({ database: meeting(), pepper: PEPPER, now: () => now });

  it('are rotated by two owners who rotate one another’s', async () => {
    const { userId, teamId } = await newUser();
    const [ann, bob] = [await keys.mint(userId), await keys.mint((await newUser('owner', teamId)).userId)];
    const together = store();
    const rotate = (id: string, by: string) => together.rotate(id, { teamId, userId: null }, 24, { by });
    const rotated = await Promise.all([rotate(bob.key.id, ann.key.id), rotate(ann.key.id, bob.key.id)]);
    assert.deepEqual(
      rotated.map(({ predecessor }) => predecessor.id),
      [bob.key.id, ann.key.id],
    );
    const reached = await keys.revokeLeaked(ann.key.id, []);
    assert.equal(reached.others.length, 2, 'both successors; bob’s own key was in no answer to it');
  });

  it('mint one with a key, and rotate that key', async () => {
    const { userId } = await newUser();
    const { key } = await keys.mint(userId);
    const together = store();
    const made = await Promise.all([together.mint(userId, null, { by: key.id }), together.rotate(key.id, EVERY_KEY, 24, { by: key.id })]);
    assert.equal(new Set(made.map((one) => one.key.id)).size, 2);
  });
});
