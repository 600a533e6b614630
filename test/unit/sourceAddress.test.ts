import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readSourceAddress } from '../../src/http/sourceAddress.ts';

const SOCKET = '9.9.9.9';
const from = (forwarded: string | string[] | undefined, trustProxy = true, remoteAddress: string | undefined = SOCKET) =>
  readSourceAddress({ headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress } } as never, trustProxy);

describe('the address that a request is counted under', () => {
  for (const [remote, name] of [
    ['1.2.3.4', '1.2.3.4'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['::ffff:102:304', '1.2.3.4'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', 'unknown'],
  ] as const) {
    it(`is ${name} for a socket at '${remote}'`, () => assert.equal(from(undefined, false, remote), name));
  }

  it('is taken from X-Forwarded-For only if the proxy is trusted, and then its last entry', () => {
    assert.equal(from('6.6.6.6, 7.7.7.7', false), SOCKET);
    assert.equal(from('6.6.6.6, 7.7.7.7'), '7.7.7.7');
    assert.equal(from(['6.6.6.6', '7.7.7.7']), '7.7.7.7');
  });

  for (const [entry, name] of [
    ['7.7.7.7:4711', '7.7.7.7'],
    ['"7.7.7.7:4711"', '7.7.7.7'],
    ['[2001:db8:1:2::3]', '2001:db8:1:2::/64'],
    ['"[2001:db8:1:2::3]:4711"', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::3', '2001:db8:1:2::/64'],
    ['[::ffff:7.7.7.7]:80', '7.7.7.7'],
  ] as const) {
    it(`is read from ${entry}`, () => assert.equal(from(`6.6.6.6, ${entry}`), name));
  }

  for (const entry of [
    '',
    ' ',
    'unknown',
    '_hidden',
    '7.7.7',
    '0x7f.1',
    '2130706433',
    '7.7.7.7:x',
    '[7.7.7.7',
    '"',
    '""',
    'a'.repeat(1e6),
    '7.7.7.7;',
  ]) {
    it(`is the socket's where the last entry is '${entry.slice(0, 12)}'`, () => assert.equal(from(`6.6.6.6,${entry}`), SOCKET));
  }

  it('is short, whatever is sent', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => from(text).length <= 43));
    fc.assert(fc.property(fc.ipV6(), (text) => /^([0-9a-f]{1,4}:){4}:\/64$|^[\d.]{7,15}$/.test(from(`[${text}]:1`))));
  });
});
