/** Where events may go: nothing is dialled for a forbidden address, however it is spelled. Packets go to loopback alone. */
import assert from 'node:assert/strict';
import type { buildConnector } from 'undici';
import { type Receiver, startReceiver } from '../../../scripts/lib/webhookReceiver.ts';
import { isAllowedAddress } from '../../../src/core/outgoing/addresses.ts';
import type { Dial } from '../../../src/core/outgoing/guardedConnector.ts';
import { WebhookSender } from '../../../src/features/webhooks/postMessage.ts';
import { findUrlProblems } from '../../../src/features/webhooks/request.ts';

/** Spellings of this machine, tried against a listener that counts. */
const LOOPBACK = [
  ...['127.0.0.1', '127.1', '127.0.1', '0x7f.1', '0x7f000001', '0177.0.0.1', '017700000001', '2130706433', '127.0.0.1.', '127.0.0.2'],
  ...'127.255.255.254 %31%32%37.0.0.1 ①②⑦.0.0.1 127。0。0。1 [::1] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1]'.split(' '),
  ...['[0:0:0:0:0:ffff:127.0.0.1]', '[::127.0.0.1]', 'localhost', 'LOCALHOST', 'localhost.', 'anything.localhost', '0.0.0.0', '0', '[::]'],
];
/** Networks of others, tried with a dialler that records. */
const ELSEWHERE = [
  ...'10.0.0.1 10.1 0xa000001 012.0.0.1 167772161 172.16.0.1 172.31.255.255 192.168.0.1 192.168.257 0300.0250.0.1'.split(' '),
  ...'169.254.169.254 169.254.1 0xa9fea9fe 2852039166 0251.0376.0251.0376 [::ffff:169.254.169.254] [fe80::1] [febf::1]'.split(' '),
  ...'[fd00:ec2::254] [fc00::1] [fec0::1] 100.64.0.1 100.100.100.200 168.63.129.16 192.0.0.192 192.0.2.1 198.18.0.1'.split(' '),
  ...'198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 192.88.99.1 [ff02::1] [2001:db8::1] [64:ff9b::a00:1]'.split(' '),
  ...'[64:ff9b:1::1] [2002:a00:1::] [2001::1] [::ffff:0:10.0.0.1] [::10.0.0.1] [100::1] [4000::1] [3fff::1] [5f00::1]'.split(' '),
];
/** As an operator has it who sets nothing. */
const STRICT = { allowPrivate: false, ports: [443, 8443] };
const NEVER = new AbortController().signal;

/** A dialler that does not connect, and notes the addresses to which it would have. */
function recording(): { dial: Dial; dialled: string[] } {
  const dialled: string[] = [];
  const dial: Dial = ({ hostname }: buildConnector.Options, callback) => {
    dialled.push(hostname);
    callback(new Error('Nothing is dialled in this test'), null);
  };
  return { dial, dialled };
}

describe('Events are not sent to', () => {
  let listeners: Receiver[];
  before(async () => {
    // One port of every address of this machine that the spellings name.
    const first = await startReceiver('::');
    listeners = [first];
  });
  after(() => Promise.all(listeners.map((one) => one.stop())));
  const [port, connections] = [() => listeners[0]?.port ?? 0, () => listeners.reduce((sum, one) => sum + one.connections, 0)];
  const post = (sender: WebhookSender, host: string) => sender.post(`http://${host}:${port()}/hook`, {}, '{}', NEVER);

  it('this machine, however it is spelled: a listener counts no connection', async () => {
    const sender = new WebhookSender({ allowPrivate: false, ports: null });
    for (const host of LOOPBACK) assert.deepEqual(await post(sender, host), { httpStatus: null, error: 'target_refused' }, host);
    assert.equal(connections(), 0);
    const allowed = new WebhookSender({ allowPrivate: true, ports: null });
    for (const host of ['127.0.0.1', '127.1', '2130706433', 'localhost', '[::1]', '[::ffff:127.0.0.1]'])
      assert.deepEqual(await post(allowed, host), { httpStatus: 204, error: null }, host);
    assert.equal(connections(), 6, 'the listener counts');
  });

  it('private, link-local and metadata addresses, and others that are not routed: nothing is dialled', async () => {
    const { dial, dialled } = recording();
    const sender = new WebhookSender({ allowPrivate: false, ports: null, dial });
    for (const host of [...LOOPBACK, ...ELSEWHERE])
      assert.deepEqual(await post(sender, host), { httpStatus: null, error: 'target_refused' }, host);
    assert.deepEqual(dialled, []);
    assert(LOOPBACK.length + ELSEWHERE.length > 60);
    await post(sender, '93.184.216.34');
    await post(sender, '[2606:4700::1111]');
    assert.deepEqual(dialled, ['93.184.216.34', '2606:4700::1111'], 'the dialler records');
  });

  it('addresses that are forbidden whatever an operator allows', () => {
    for (const address of [
      '0.0.0.0',
      '::',
      '224.0.0.1',
      '255.255.255.255',
      '240.0.0.1',
      '168.63.129.16',
      '64:ff9b::7f00:1',
      'nonsense',
      '',
    ])
      assert.equal(isAllowedAddress(address, true), false, address);
    for (const address of ['127.0.0.1', '10.0.0.1', '169.254.1.1', 'fd00::1', '::ffff:10.0.0.1', '100.64.0.1'])
      assert.deepEqual([isAllowedAddress(address, true), isAllowedAddress(address, false)], [true, false], address);
  });

  it('a name with one forbidden address among its addresses', async () => {
    for (const mixed of [
      ['93.184.216.34', '10.0.0.1'],
      ['127.0.0.1', '93.184.216.34'],
      ['2606:4700::1111', '::ffff:169.254.169.254'],
      ['93.184.216.34', 'fe80::1%eth0'],
    ]) {
      const { dial, dialled } = recording();
      const sender = new WebhookSender({ allowPrivate: false, ports: null, dial, resolve: async () => mixed });
      assert.equal((await post(sender, 'receiver.example')).error, 'target_refused', mixed.join());
      assert.deepEqual(dialled, []);
    }
  });

  it('a name that answers otherwise the second time: what is dialled is what was looked at', async () => {
    const { dial, dialled } = recording();
    let asked = 0;
    const rebinding = async () => {
      asked += 1;
      return asked === 1 ? ['93.184.216.34'] : ['127.0.0.1'];
    };
    const sender = new WebhookSender({ allowPrivate: false, ports: null, dial, resolve: rebinding });
    assert.equal((await post(sender, 'receiver.example')).error, 'connection_failed');
    assert.deepEqual([asked, dialled], [1, ['93.184.216.34']]);
    assert.equal((await post(sender, 'receiver.example')).error, 'target_refused');
    assert.deepEqual([asked, dialled], [2, ['93.184.216.34']]);
  });

  it('ports other than those that the operator lets events go to, whatever else is allowed: nothing is dialled', async () => {
    const refused = { httpStatus: null, error: 'target_refused' };
    const at = (url: string, ports: number[], allowPrivate = false) => {
      const { dial, dialled } = recording();
      const sender = new WebhookSender({ allowPrivate, ports, dial, resolve: async () => ['93.184.216.34'] });
      return sender.post(url, {}, '{}', NEVER).then((outcome) => ({ outcome, dialled }));
    };
    for (const url of [
      'https://a.example:6379/x',
      'https://a.example:22',
      'https://a.example:80',
      'http://a.example',
      'https://a.example:444',
    ]) {
      assert.deepEqual(await at(url, STRICT.ports), { outcome: refused, dialled: [] }, url);
      assert.deepEqual(await at(url, STRICT.ports, true), { outcome: refused, dialled: [] }, url);
      const [problem] = findUrlProblems({ url }, { ...STRICT, allowPrivate: true });
      assert.deepEqual([problem?.param, problem?.answer], ['url', 'invalid_request'], url);
      assert.match(problem?.message ?? '', /one of 443, 8443/);
    }
    for (const url of ['https://a.example/x', 'https://a.example:443', 'https://a.example:8443/x', 'https://a.example:08443']) {
      assert.deepEqual((await at(url, STRICT.ports)).dialled, ['93.184.216.34'], url);
      assert.deepEqual(findUrlProblems({ url }, STRICT), [], url);
    }
    assert.deepEqual((await at('http://a.example/x', [80])).dialled, ['93.184.216.34']);
    assert.deepEqual((await at('https://a.example/x', [80])).outcome, refused);
  });

  it('a literal address that is registered: it is refused there already', () => {
    for (const host of [...LOOPBACK, ...ELSEWHERE]) {
      const [problem] = findUrlProblems({ url: `https://${host}/hook` }, STRICT);
      assert.deepEqual([problem?.param, problem?.answer], ['url', 'invalid_request'], host);
    }
    assert.deepEqual(findUrlProblems({ url: 'https://hooks.example.com/x?y=1' }, STRICT), []);
    assert.deepEqual(findUrlProblems({ url: 'http://127.0.0.1:9/x' }, { allowPrivate: true, ports: null }), []);
    for (const url of 'http://hooks.example.com ftp://a.example //a.example hooks https://u:p@a.example https://a.example/#x'.split(' '))
      assert.equal(findUrlProblems({ url }, STRICT).length, 1, url);
  });
});
