import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import {
  type CredentialHeaders,
  checksum,
  classifyKey,
  extractCredentials,
  mintKey,
  splitForDisplay,
} from '../../src/core/domain/keyFormat.ts';
import { findLicenceProblem, PLAN_IDS, PLANS } from '../../src/core/domain/plans.ts';
import { monthlyCreditsOf } from '../../src/core/domain/principal.ts';
import { chooseBucket } from '../../src/http/rateLimit.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const anyKey = fc
  .infiniteStream(fc.integer({ min: 0, max: 255 }))
  .map((stream) => mintKey((size) => Uint8Array.from({ length: size }, () => stream.next().value as number)));

describe('key format', () => {
  it('mints keys that are live', () => {
    fc.assert(fc.property(anyKey, (key) => classifyKey(key) === 'live' && /^svc_live_[0-9A-Za-z]{36}$/.test(key)));
  });

  it('tells every single wrong character', () => {
    const position = fc.integer({ min: 9, max: 44 });
    fc.assert(
      fc.property(anyKey, position, fc.constantFrom(...BASE62), (key, at, character) => {
        fc.pre(key[at] !== character);
        return classifyKey(key.slice(0, at) + character + key.slice(at + 1)) === 'malformed_live';
      }),
    );
  });

  it('tells a missing, an added and two swapped characters', () => {
    const position = fc.integer({ min: 9, max: 43 });
    fc.assert(
      fc.property(anyKey, position, (key, at) => {
        const swapped = key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2);
        const others = [key.slice(0, at) + key.slice(at + 1), `${key}0`, ...(swapped === key ? [] : [swapped])];
        return others.every((other) => classifyKey(other) === 'malformed_live');
      }),
    );
  });

  it('skips the bytes that would make some characters likelier than others', () => {
    const bytes = Uint8Array.from({ length: 60 }, (_, i) => (i % 2 ? 255 : 61));
    assert.equal(
      mintKey(() => bytes),
      `svc_live_${'z'.repeat(30)}${checksum('z'.repeat(30))}`,
    );
  });

  it('never mints the same key twice', () => {
    assert.equal(new Set(Array.from({ length: 1000 }, () => mintKey(randomBytes))).size, 1000);
  });

  for (const [text, kind] of [
    ['svc_test_anything', 'test'],
    ['legacy_abc', 'legacy'],
    [`legacy_${'x'.repeat(248)}`, 'legacy'],
    [`legacy_${'x'.repeat(249)}`, 'foreign'],
    ['legacy_', 'foreign'],
    ['svc_live_', 'malformed_live'],
    ['SVC_LIVE_abc', 'foreign'],
    ['sk_live_abc', 'foreign'],
    ['eyJhbGciOiJIUzI1NiJ9.e30.x', 'foreign'],
    ['', 'foreign'],
  ] as const) {
    it(`takes '${text.slice(0, 20)}' (${text.length} characters) for ${kind}`, () => assert.equal(classifyKey(text), kind));
  }

  it('shows the prefix and the last four characters, and of a short legacy key no more than the prefix', () => {
    assert.deepEqual(splitForDisplay(`svc_live_${'a'.repeat(32)}WXYZ`), { prefix: 'svc_live_', lastFour: 'WXYZ' });
    assert.deepEqual(splitForDisplay('legacy_abc'), { prefix: 'legacy_', lastFour: '' });
  });
});

describe('credentials of a request', () => {
  for (const authorization of ['Bearer K', 'bearer K', 'BEARER   K', '  Bearer\tK  ']) {
    it(`are read from '${authorization}'`, () => assert.deepEqual(extractCredentials({ authorization: [authorization] }), ['K']));
  }
  const cases: [string, CredentialHeaders, string[]][] = [
    ['are read from X-API-Key', { 'x-api-key': [' K '] }, ['K']],
    ['are one where both headers carry the same', { authorization: ['Bearer K'], 'x-api-key': ['K', 'K'] }, ['K']],
    ['are all of them where they differ', { authorization: ['Bearer A', 'Bearer C'], 'x-api-key': ['B', 'A'] }, ['A', 'C', 'B']],
    ['pass over another scheme', { authorization: ['Basic QTpC'], 'x-api-key': ['B'] }, ['B']],
  ];
  for (const [what, headers, found] of cases) it(what, () => assert.deepEqual(extractCredentials(headers), found));
  for (const headers of [
    {},
    { authorization: ['Basic QTpC'] },
    { authorization: ['Bearer'] },
    { authorization: ['K'] },
    { 'x-api-key': [' '] },
  ]) {
    it(`are none in ${JSON.stringify(headers)}`, () => assert.deepEqual(extractCredentials(headers), []));
  }
});

describe('plans', () => {
  it("have the contract's figures", () => {
    const rows = PLAN_IDS.map((id) => {
      const p = PLANS[id];
      return [
        id,
        p.recordCredit,
        p.monthlyCredits,
        p.lifetimeCredits,
        p.enrichment.limit,
        p.geography,
        p.maxAlertStates,
        p.maxAlertLocalities,
      ];
    });
    assert.deepEqual(rows, [
      ['county', 0, 100, null, null, 'licensed', 1, 10],
      ['state', 0, 300, null, null, 'licensed', 1, 50],
      ['multi_state', 0, 600, null, null, 'licensed', 10, 100],
      ['national', 0, 1500, null, null, 'nationwide', null, null],
      ['api_only', 1, 5000, null, 500, 'nationwide', null, null],
      ['trial', 1, null, 50, 5, 'licensed', null, null],
    ]);
    assert(PLAN_IDS.every((id) => PLANS[id].id === id));
  });

  it('let a team have a monthly figure of its own, 0 included, but never a trial', () => {
    assert.equal(monthlyCreditsOf(PLANS.state, null), 300);
    assert.equal(monthlyCreditsOf(PLANS.state, 0), 0);
    assert.equal(monthlyCreditsOf(PLANS.trial, 900), null);
  });

  for (const [plan, stateIds, countyIds, problem] of [
    ['state', [8], [], undefined],
    ['state', [8, 48], [], /takes 1, not 2/],
    ['state', [], [8013], /takes no counties/],
    ['state', [], [], /at least one/],
    ['multi_state', [8, 48], [], undefined],
    ['county', [], [8013, 8069], undefined],
    ['county', [8], [8013], /no whole states/],
    ['national', [], [], undefined],
    ['national', [8], [], /nationwide/],
    ['trial', [8], [48113], undefined],
  ] as const) {
    it(`${problem ? 'refuse' : 'take'} ${stateIds.length} states and ${countyIds.length} counties for ${plan}`, () => {
      const found = findLicenceProblem(PLANS[plan], { stateIds, countyIds });
      if (problem) assert.match(found ?? '', problem);
      else assert.equal(found, undefined);
    });
  }
});

describe('rate-limit buckets', () => {
  const limits = { paid: 60, trial: 10, anonymous: 9, refused: 60, health: 120, file: 1200 };
  const principal = (plan: keyof typeof PLANS) => ({
    keyId: '',
    teamId: 1,
    userId: 1,
    role: 'owner' as const,
    plan: PLANS[plan],
    monthlyCredits: 0,
    licence: { nationwide: true as const },
    rotatingUntil: null,
  });
  const digest = 'd';

  it('are per lineage for a valid key, with the allowance of its plan', () => {
    assert.deepEqual(chooseBucket({ kind: 'ok', lineage: 'l', principal: principal('state') }, 'ip', limits), { name: 'key:l', limit: 60 });
    assert.deepEqual(chooseBucket({ kind: 'ok', lineage: 'l', principal: principal('trial') }, 'ip', limits), { name: 'key:l', limit: 10 });
    assert.deepEqual(chooseBucket({ kind: 'lapsed', lineage: 'l', principal: principal('state'), message: '' }, 'ip', limits).limit, 60);
  });

  it('are per digest for an unusable one, per address for none', () => {
    const unusable = { kind: 'unusable', digest, code: 'unauthorized', message: '' } as const;
    assert.deepEqual(chooseBucket(unusable, 'ip', limits), { name: 'unusable:d', limit: 9 });
    assert.deepEqual(chooseBucket({ kind: 'missing' }, 'ip', limits), { name: 'anonymous:ip', limit: 9 });
  });
});
