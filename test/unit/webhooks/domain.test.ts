/** Signatures of webhooks, times of further attempts, and meanings of failures. */
import assert from 'node:assert/strict';
import { Webhook } from 'standardwebhooks';
import { judgeFailures, RETRY_PAUSES_MS, scheduleNextAttempt } from '../../../src/features/webhooks/retries.ts';
import { SecretBox } from '../../../src/features/webhooks/secretBox.ts';
import { makeWebhookSecret, signMessage } from '../../../src/features/webhooks/signature.ts';

const HOUR_MS = 3_600_000;

describe('Messages of webhooks', () => {
  it('are signed as the published vector of Standard Webhooks has it', () => {
    const signature = signMessage(
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      1_614_265_330,
      '{"test": 2432232314}',
    );
    assert.equal(signature, 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('are signed with secrets that the library of Standard Webhooks takes, as it signs', () => {
    const [secret, at, body] = [makeWebhookSecret(), new Date('2026-11-18T19:00:00.900Z'), '{"type":"ping","name":"é"}'];
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.equal(signMessage(secret, 'msg_1', Math.floor(at.getTime() / 1000), body), new Webhook(secret).sign('msg_1', at, body));
  });

  it('are tried again on the schedule of Standard Webhooks, a ping once', () => {
    const start = new Date('2026-11-18T19:00:00Z');
    const after = RETRY_PAUSES_MS.map(
      (_, i) => ((scheduleNextAttempt('export.ready', i + 1, start)?.getTime() ?? 0) - start.getTime()) / 1000,
    );
    assert.deepEqual(after, [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]);
    assert.equal(scheduleNextAttempt('export.ready', 10, start), null);
    assert.equal(scheduleNextAttempt('ping', 1, start), null);
  });

  it('that fail are trouble after 12 hours and end the endpoint after 72, to the millisecond', () => {
    const since = new Date('2026-11-18T19:00:00Z');
    const after = (ms: number) => judgeFailures(since, new Date(since.getTime() + ms));
    assert.deepEqual([0, 12 * HOUR_MS - 1, 12 * HOUR_MS, 72 * HOUR_MS - 1, 72 * HOUR_MS].map(after), [
      'none',
      'none',
      'trouble',
      'trouble',
      'disabled',
    ]);
  });
});

describe('Secrets of webhooks', () => {
  const box = new SecretBox('a secret for tests, of more than 32 characters');

  it('are kept encrypted, each time otherwise, and read back for their own endpoint alone', () => {
    const secret = makeWebhookSecret();
    const [one, other] = [box.seal('whk_a', secret), box.seal('whk_a', secret)];
    assert(!one.equals(other));
    assert(!one.includes(Buffer.from(secret.slice(6))));
    assert.deepEqual([box.open('whk_a', one), box.open('whk_a', other)], [secret, secret]);
    assert.equal(box.open('whk_b', one), null);
  });

  it('cannot be read under another secret of the service, nor when a bit is changed', () => {
    const sealed = box.seal('whk_a', makeWebhookSecret());
    assert.equal(new SecretBox('another secret for tests, of more than 32 letters').open('whk_a', sealed), null);
    for (let i = 0; i < sealed.length; i++) {
      const changed = Buffer.from(sealed);
      changed[i] = (changed[i] ?? 0) ^ 1;
      assert.equal(box.open('whk_a', changed), null, `byte ${i}`);
    }
  });
});
