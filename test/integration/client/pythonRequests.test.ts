/** What the Python client repeats, how long it waits, and what it raises; a server of the test answers in the service's place. */
import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { answerOnLoopback } from '../../../scripts/lib/loopback.ts';
import type { Json } from '../../support/json.ts';
import { provide } from '../../support/provide.ts';
import { PythonHome } from '../../support/python.ts';

interface Scripted {
  status?: number;
  body: object | string;
  headers?: Record<string, string>;
  /** the answer breaks off in its middle */
  cut?: boolean;
}

const refusal = (status: number, code: string, headers: Record<string, string> = {}, details: object | null = null): Scripted => ({
  status,
  headers,
  body: { error: { code, message: `because of ${code}`, param: 'states', details, docsUrl: 'http://x/docs', requestId: 'req_1' } },
});
const counted: Scripted = { body: { data: { matchCount: 7 }, meta: {} } };

/** A client that notes its waits instead of waiting, and its final error. */
const TRIED = `
import time
waits = []
time.sleep = lambda seconds: waits.append(seconds)
api = LandUse("k", given["url"], **given.get("options", {}))
def tried(action):
    try:
        return {"answer": action()}
    except LandUseError as error:
        return {"error": type(error).__name__, "base": type(error).__mro__[1].__name__, "text": str(error), **{
            name: getattr(error, name) for name in ("code", "status", "param", "details", "request_id", "retry_after") if hasattr(error, name)}}
`;

describe('the Python client, asked by a server of the test', () => {
  const server = provide(() =>
    answerOnLoopback(async (request, response) => {
      const { method = '', url: path = '', headers } = request;
      sent.push({ method, path, key: headers['idempotency-key'] as string | undefined, headers, body: await textOf(request) });
      const next = answers.shift() ?? refusal(400, 'a_request_too_many');
      const text = typeof next.body === 'string' ? next.body : JSON.stringify(next.body);
      const length = Buffer.byteLength(text);
      response.writeHead(next.status ?? 200, { 'Content-Type': 'application/json', 'Content-Length': length, ...next.headers });
      if (next.cut) response.write(text.slice(0, text.length / 2), () => response.destroy());
      else response.end(text);
    }),
  );
  const home = provide(() => PythonHome.make(server.url));
  let answers: Scripted[];
  let sent: { method: string; path: string; key: string | undefined; headers: IncomingHttpHeaders; body: string }[];

  /** What lines of a program show when these are the answers of the service, one after the other. */
  async function outcome(lines: string, scripted: Scripted[], options: object = {}): Promise<Json> {
    answers = scripted;
    sent = [];
    const shown = await home.show(`${TRIED}\n${lines}`, { url: `${server.url}/`, options });
    assert.equal(answers.length, 0, 'answers that nobody asked for');
    return shown;
  }
  const COUNT = 'result = tried(lambda: api.count(states=["CO"]))\nshow(waits=waits, **result)';

  it('sends values of the path in the path, lists and objects as JSON, and bodies as JSON', async () => {
    const circle = { lat: 40, lng: -105, radiusMeters: 500 };
    const lines = `
api.projects.search(cities=["Boulder, CO"], circle=${JSON.stringify(circle)}, q="a&b", limit=0, includeGovernmentDecisions=True)
api.lists.remove_project("lst_a/b", 7)
api.lists.create(name="é", max_credits=0, request_id="mine")
show()`;
    await outcome(lines, [counted, counted, counted]);
    const query = Object.fromEntries(new URL(sent[0]?.path ?? '', 'http://x').searchParams);
    const texts = { q: 'a&b', limit: '0', includeGovernmentDecisions: 'true' };
    assert.deepEqual(query, { cities: '["Boulder, CO"]', circle: JSON.stringify(circle), ...texts });
    assert.deepEqual([sent[1]?.method, sent[1]?.path], ['DELETE', '/v1/lists/lst_a%2Fb/projects/7']);
    assert.deepEqual(JSON.parse(sent[2]?.body ?? ''), { name: 'é' });
    const { authorization, 'x-service-max-credits': bound, 'x-request-id': id } = sent[2]?.headers ?? {};
    assert.deepEqual([authorization, bound, id], ['Bearer k', '0', 'mine']);
  });

  it('repeats what may pass, after the wait that the service asks for', async () => {
    const limited = refusal(429, 'rate_limit_exceeded', { 'Retry-After': '3' });
    const { waits, answer } = await outcome(COUNT, [limited, refusal(503, 'search_unavailable'), { ...counted, cut: true }, counted]);
    assert.equal(answer.matchCount, 7);
    assert.equal(waits[0], 3);
    assert(waits[1] >= 0.25 && waits[1] <= 0.5 && waits[2] >= 0.5 && waits[2] <= 1, String(waits));
  });

  it('gives up what would have to wait for hours, what is wrong, and what does not pass', async () => {
    const late = await outcome(COUNT, [refusal(429, 'rate_limit_exceeded', { 'Retry-After': '7200' })]);
    assert.deepEqual([late.error, late.retry_after, late.waits], ['RateLimitExceeded', 7200, []]);
    const problems = [{ param: 'states', code: 'unknown_place', message: 'x' }];
    const wrong = await outcome(COUNT, [refusal(400, 'invalid_filter', {}, { problems })]);
    const { text: _, waits: __, retry_after: ___, ...refused } = wrong;
    const named = { error: 'InvalidFilter', base: 'Refusal', code: 'invalid_filter', status: 400, param: 'states' };
    assert.deepEqual(refused, { ...named, details: { problems }, request_id: 'req_1' });
    const spent = await outcome(COUNT, [refusal(429, 'manual_runs_exhausted')]);
    assert.equal(spent.error, 'ManualRunsExhausted');
    const gateway: Scripted = { status: 502, body: '<html>' };
    const away = await outcome(COUNT, [gateway, gateway, gateway], { retries: 2 });
    assert.deepEqual([away.error, away.status, away.waits.length], ['ConnectionFailure', 502, 2]);
    const newer = await outcome(COUNT, [refusal(418, 'a_code_of_later')]);
    assert.deepEqual([newer.error, newer.code], ['Refusal', 'a_code_of_later']);
    const other = await outcome(COUNT, [{ body: '<html>' }]);
    assert.match(other.text, /not as this service does/);
  });

  it('repeats a spend under one key, made once or given, and never what makes something without one', async () => {
    const made: Scripted = { status: 202, body: { data: { id: 'exp_1' }, meta: {} } };
    await outcome('api.exports.create(projectIds=[1])\nshow()', [{ ...made, cut: true }, refusal(503, 'service_unavailable'), made]);
    assert.deepEqual([sent.length, new Set(sent.map(({ key }) => key)).size], [3, 1]);
    assert.match(sent[0]?.key ?? '', /^[0-9a-f]{32}$/);
    await outcome('api.exports.create(projectIds=[1], idempotency_key="mine")\nshow()', [{ ...made, cut: true }, made]);
    assert.equal(sent.map(({ key }) => key).join(), 'mine,mine');
    await outcome('api.alerts.create_feed("alr_1")\nshow()', [{ ...made, cut: true }, refusal(503, 'service_unavailable'), made]);
    assert.deepEqual([sent.length, new Set(sent.map(({ key }) => key)).size], [3, 1]);
  });

  it('asks for the first page again under deliveryMode=new, with a key of its own for each page', async () => {
    const page = (ids: number[], more: object): Scripted => ({
      body: { data: ids.map((id) => ({ id })), meta: { pageCount: ids.length, total: ids.length, matchCountIsExact: true, ...more } },
    });
    const lines = 'show(ids=[one["id"] for one in api.search(deliveryMode="new", limit=2, idempotency_key="mine")])';
    const { ids } = await outcome(lines, [page([1, 2], { hasMore: true }), page([3], { hasMore: false })]);
    assert.deepEqual(ids, [1, 2, 3]);
    const asked = sent.map(({ path, key }) => `${new URL(path, 'http://x').searchParams.get('offset')} ${key}`);
    assert.deepEqual(asked, ['null mine:1', 'null mine:2']);
    const wide = await outcome('show(**tried(lambda: list(api.search())))', [page([1], { hasMore: false, matchCountIsExact: false })]);
    assert.equal(wide.error, 'SearchTooWide');
  });

  it('says that nothing is there, and which client needs a key', async () => {
    const lines = `
nowhere = LandUse("k", "http://127.0.0.1:1", retries=1)
failed = tried(lambda: nowhere.count())
try:
    LandUse(base_url="http://127.0.0.1:1")
except ValueError as error:
    show(text=str(error), waits=len(waits), own=LandUse("k").base_url, **{"error": failed["error"]})`;
    const shown = await outcome(lines, []);
    assert.deepEqual([shown.error, shown.waits, shown.own], ['ConnectionFailure', 1, server.url]);
    assert.match(shown.text, /LANDUSE_KEY/);
  });

  it('believes messages of webhooks that the service has signed, and no others', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const body = '{"type":"ping","timestamp":"2026-11-18T19:00:00.000Z","data":{"id":"é"}}';
    const at = 1_795_000_000;
    const signed = (one: string, text = body) => new Webhook(one).sign('msg_1', new Date(at * 1000), text);
    const sentAt = { 'Webhook-Id': 'msg_1', 'Webhook-Timestamp': String(at) };
    const headers = (signature: string, more: object = {}) => ({ ...sentAt, 'Webhook-Signature': signature, ...more });
    const other = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
    const messages = [
      { body, headers: headers(signed(secret)), now: at + 299 },
      { body, headers: headers(`${signed(other)} ${signed(secret)}`), now: at },
      { body: `${body} `, headers: headers(signed(secret)), now: at },
      { body, headers: headers(signed(other)), now: at },
      { body, headers: headers(signed(secret), { 'Webhook-Id': 'msg_2' }), now: at },
      { body, headers: headers(signed(secret)), now: at + 301 },
      { body, headers: headers(signed(secret)), now: at - 301 },
      { body, headers: headers(signed(secret), { 'Webhook-Timestamp': `0${at}` }), now: at },
      { body, headers: headers(signed(secret), { 'Webhook-Timestamp': 'soon' }), now: at },
      { body, headers: headers(signed(secret), { 'Webhook-Timestamp': '1'.repeat(5_000) }), now: at },
      { body, headers: { 'webhook-id': 'msg_1' }, now: at },
      { body, headers: headers(signed(secret).replace('v1,', 'v2,')), now: at },
      { body: '[]', headers: headers(signed(secret, '[]')), now: at },
    ];
    const lines = `
def verdict(one):
    try:
        return verify_webhook(one["body"].encode(), one["headers"], given["secret"], now=one["now"])["data"]["id"]
    except WebhookRejected as error:
        return None
published = {"webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp": "1614265330", "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="}
def refused(secret):
    try:
        verify_webhook("{}", published, secret, tolerance=1e12)
    except ValueError as error:
        return "whsec_" in str(error)
show(empty=[refused(""), refused("whsec_")], verdicts=[verdict(one) for one in given["messages"]], published=verify_webhook('{"test": 2432232314}', published, given["secret"], tolerance=1e12))`;
    const shown = await home.show(lines, { secret, messages });
    assert.deepEqual(shown.verdicts, ['é', 'é', ...Array.from({ length: 11 }, () => null)]);
    assert.deepEqual(shown.published, { test: 2432232314 });
    assert.deepEqual(shown.empty, [true, true], 'under an empty secret anybody could sign');
  });

  it('takes a key with blanks around it, and refuses one that no header can carry without showing it, and an address that is none', async () => {
    answers = [counted];
    sent = [];
    const lines = `
import traceback
def refused(**arguments):
    try:
        LandUse(**arguments)
    except ValueError as error:
        return [str(error), traceback.format_exc()]
LandUse(" k\\r\\n", given["url"] + "/v1/").count()
keys = ["svc_live_secret\\r\\nX-Other: 1", "svc live secret", "svc_live_secret\\0", "svc_live_secr\u00e9t", " "]
show(keys=[refused(api_key=key, base_url=given["url"]) for key in keys],
     addresses=[refused(api_key="k", base_url=url) for url in ["127.0.0.1", "ftp://x", "http:///v1", "http://a b"]])`;
    const shown = await home.show(lines, { url: server.url });
    const [{ path, headers } = assert.fail('nothing was asked'), ...others] = sent;
    assert.deepEqual([path.split('?')[0], headers.authorization, others], ['/v1/projects/count', 'Bearer k', []]);
    for (const [message, trace] of shown.keys) {
      assert.match(message, /^The (key contains a space|client needs a key)/);
      assert.doesNotMatch(trace, /secr/);
    }
    for (const [message] of shown.addresses) assert.match(message, /is no address of a service/);
  });
});
