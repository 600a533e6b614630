/** Spans as an OpenTelemetry collector gets them: of requests, and of what they ask the servers. */
import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { json } from 'node:stream/consumers';
import { pino } from 'pino';
import { answerOnLoopback, type LoopbackServer } from '../../../scripts/lib/loopback.ts';
import { prepareTracing } from '../../../src/operate/tracing/prepareTracing.ts';
import { eventually } from '../../support/jobs.ts';
import type { Json } from '../../support/json.ts';
import { projectLine } from '../../support/projectLine.ts';
import { type TestService, testService } from '../../support/service.ts';

interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: { stringValue?: string; doubleValue?: number } }[];
  status: { code?: number };
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

describe('tracing', () => {
  let collector: LoopbackServer;
  let api: TestService;
  const spans: OtlpSpan[] = [];
  const received: { url: string | undefined; headers: IncomingHttpHeaders; service: string }[] = [];
  let status = 200;

  before(async () => {
    collector = await answerOnLoopback(async (request, response) => {
      const body = (await json(request)) as Json;
      const [{ resource, scopeSpans }] = body.resourceSpans;
      received.push({ url: request.url, headers: request.headers, service: resource.attributes[0].value.stringValue });
      if (status === 200) spans.push(...scopeSpans[0].spans);
      response.writeHead(status, { 'Content-Type': 'application/json' }).end('{}');
    });
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_HEADERS: 'x-token=a%20b', SERVICE_ENVIRONMENT: 'tests' };
    api = await testService({ env });
    await api.index.load([projectLine(1)]);
  });
  after(async () => {
    await api.stop();
    await collector.stop();
  });

  const spansOf = (traceId: string): Promise<OtlpSpan[]> =>
    eventually(`a span of ${traceId}`, () => {
      const found = spans.filter((span) => span.traceId === traceId);
      return found.some(({ kind }) => kind === 2) ? found : undefined;
    });
  const of = ({ attributes }: OtlpSpan) =>
    Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.doubleValue]));

  it('goes on with the trace of a client: the request, and below it each call, with names of ours alone', async () => {
    const key = await api.key('api_only', undefined, { monthlyCredits: 100 });
    const headers = { traceparent: `00-${TRACE}-${PARENT}-01`, 'X-Request-Id': 'traced-1' };
    assert.equal((await api.get('/projects/search', { q: 'secret pond', dateRange: 'all' }, { key, headers })).status, 200);
    const found = await spansOf(TRACE);
    const server = found.find(({ kind }) => kind === 2) as OtlpSpan;
    assert.deepEqual([server.name, server.parentSpanId, server.status], ['GET /v1/projects/search', PARENT, {}]);
    assert.deepEqual(of(server), {
      ...{ 'http.request.method': 'GET', 'http.route': '/v1/projects/search', 'http.response.status_code': 200 },
      'landuse.request_id': 'traced-1',
    });
    const calls = found.filter(({ kind }) => kind === 3);
    assert(calls.every(({ parentSpanId }) => parentSpanId === server.spanId));
    const systems = calls.map((call) => of(call)['db.system.name']);
    for (const system of ['elasticsearch', 'postgresql', 'redis']) assert(systems.includes(system), system);
    for (const { startTimeUnixNano: from, endTimeUnixNano: to } of calls) {
      assert(BigInt(from) <= BigInt(to) && BigInt(from) >= BigInt(server.startTimeUnixNano) - 1_000_000n);
      assert(Math.abs(Number(BigInt(from) / 1_000_000n) - Date.now()) < 60_000);
    }
    assert.doesNotMatch(JSON.stringify(found), /secret|pond|svc_|select |Owner/);
    const [{ url, headers: sent, service } = assert.fail('nothing came')] = received;
    assert.deepEqual([url, sent['x-token'], service], ['/v1/traces', 'a b', 'landuse']);
  });

  it('begins a trace if the client sends none, but not if it asks for none', async () => {
    const known = new Set(spans.map(({ traceId }) => traceId));
    const quiet = 'a'.repeat(32);
    await api.get('/projects/1', {}, { headers: { traceparent: `00-${quiet}-${PARENT}-00` } });
    await api.get('/projects/77', {}, { headers: { traceparent: 'nonsense' } });
    const isNew = ({ traceId, kind, name }: OtlpSpan) => kind === 2 && !known.has(traceId) && name === 'GET /v1/projects/{id}';
    const made = await eventually('a span of its own', () => spans.find(isNew));
    assert.equal(of(made)['error.type'], 'resource_not_found');
    assert(!spans.map(({ traceId }) => traceId).includes(quiet));
  });

  it('is in the way of no request where the collector refuses or is gone', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
    const tracing = await prepareTracing({ otlpEndpoint: 'http://127.0.0.1:1', otlpHeaders: {}, serviceEnvironment: 'x' }, log, 60_000);
    const begun = tracing.observers({}).begin?.('');
    const request = { requestId: 'r', method: 'GET', route: '/v1', status: 200, gone: false };
    begun?.end({ ...request, seconds: 1, credits: 0, code: undefined, notLookedUp: false });
    await tracing.close();
    assert.match(lines.join(), /Spans could not be sent.*|"dropped":1/);
    status = 503;
    assert.equal((await api.get('/projects/1')).status, 200);
    status = 200;
  });

  it('is nothing at all where no collector is named', async () => {
    const others = {};
    const tracing = await prepareTracing({ otlpEndpoint: null, otlpHeaders: {}, serviceEnvironment: 'x' }, pino({ level: 'silent' }));
    assert.equal(tracing.observers(others), others);
    await tracing.close();
  });
});
