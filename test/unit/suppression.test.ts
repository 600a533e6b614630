/** Who is one and the same person, however it is spelt. */

import assert from 'node:assert/strict';
import { hashIdentity, listIdentities, normalizeEmail, normalizePerson, normalizePhone } from '../../src/core/domain/suppression.ts';
import { pluck } from '../support/lists.ts';

describe('suppressed people', () => {
  it('are known by an e-mail address in any case, with a tag or as a link', () => {
    for (const text of [
      'Ann.Lee@Acme.example',
      ' ann.lee@acme.example ',
      'ann.lee+news@acme.example',
      'mailto:ann.lee@acme.example.',
      'ａnn.lee@acme.example',
    ])
      assert.equal(normalizeEmail(text), 'ann.lee@acme.example', text);
    for (const text of ['', 'ann', '@acme.example', 'ann@', 'a b@c.example']) assert.equal(normalizeEmail(text), null, text);
    assert.notEqual(normalizeEmail('annlee@acme.example'), normalizeEmail('ann.lee@acme.example'));
  });

  it('are known by a telephone number in any form', () => {
    for (const text of [
      '303-555-0101',
      '(303) 555 0101',
      '+1 303.555.0101',
      '001 303 555 0101',
      '3035550101 ext. 7',
      '303-555-0101 x22',
      'tel:+13035550101',
    ])
      assert.equal(normalizePhone(text), '3035550101', text);
    assert.equal(normalizePhone('+44 20 7946 0101'), '442079460101');
    for (const text of ['', '555', 'x123456789']) assert.equal(normalizePhone(text), null, text);
  });

  it('are known by name and company, whatever the order of names, accents, punctuation and legal form', () => {
    const ann = normalizePerson('Ann Lee', 'Acme Homes');
    for (const [name, company] of [
      ['Lee, Ann', 'ACME HOMES, LLC'],
      ['ann  lee', 'Acme Homes, L.L.C.'],
      ['Änn Lée', 'Acmé Homes Inc.'],
      ['ANN LEE', 'Acme Homes Co., Ltd.'],
    ] as const)
      assert.equal(normalizePerson(name, company), ann, `${name} ${company}`);
    assert.notEqual(normalizePerson('Ann Lee', 'Acme Towers'), ann);
    assert.notEqual(normalizePerson('Anna Lee', 'Acme Homes'), ann);
    assert.equal(normalizePerson('Ann Lee', '…'), null);
    assert.equal(normalizePerson('Ann Lee', 'LLC'), 'ann lee @ llc');
  });

  it('are kept as hashes that another secret does not give', () => {
    const identities = listIdentities({ name: 'Ann Lee', company: 'Acme', email: 'ann@acme.example', phone: '303-555-0101' });
    assert.deepEqual(pluck(identities, 'kind'), ['email', 'phone', 'person']);
    const [one, other] = ['one', 'other'].map((pepper) => identities.map((identity) => hashIdentity(pepper, identity)));
    assert.equal(new Set([...(one ?? []), ...(other ?? [])]).size, 6);
    assert.notEqual(hashIdentity('one', { kind: 'email', text: 'x' }), hashIdentity('one', { kind: 'phone', text: 'x' }));
    for (const hash of one ?? []) assert.match(hash, /^-?\d{1,19}$/);
  });
});
