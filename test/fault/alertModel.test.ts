/**
 * Random loads, edits, dismissals, runs by hand and by the calendar, and crashes, against a reference model: each new or changed match is
 * delivered once per alert and charged once, none is lost. `ALERT_STEPS=1000 ALERT_SEED=7 npm test -- test/fault/alertModel.test.ts`
 */
import assert from 'node:assert/strict';
import { pino } from 'pino';
import { composeService, composeServiceWorker, type Service } from '../../src/app.ts';
import type { Worker } from '../../src/core/jobs/worker.ts';
import { auditLedger } from '../../src/core/ledger/audit.ts';
import { type Serving, serve } from '../../src/http/serve.ts';
import { AlertModel, type ModelAlert, type ModelRun } from '../support/alertModel.ts';
import { eventually, QUICK } from '../support/jobs.ts';
import type { Json } from '../support/json.ts';
import { lengthOf } from '../support/lengths.ts';
import { Random } from '../support/random.ts';
import { bodyOf } from '../support/service.ts';
import { MessageCount, stoppingProxy } from '../support/stoppingProxy.ts';
import { FOR_ALERTS, provideWorld } from '../support/world.ts';

const STEPS = lengthOf('ALERT_STEPS');
const SEED = Number(process.env.ALERT_SEED ?? 1);
const TIMEOUT_MS = 60_000 + 3_000 * STEPS;
const COUNTIES = ['Boulder County', 'Weld County', 'Larimer County'];
const RECORDS = 60;
/** Of a run that is killed: past its end in about one of three. */
const MESSAGES_MAX = 60;
const DAY_MS = 86_400_000;
/** Longer than a dead request keeps its key; what it runs is held for a minute of the real clock, which the test sets back. */
const GIVEN_UP_MS = 180_000;
/** 06:00 on the service clock in November, and a little. */
const DUE_HOUR_UTC = 'T13:00:30.000Z';
type Live = ModelAlert & { id: string };

describe('Alerts against their reference model', function () {
  this.timeout(TIMEOUT_MS);
  const random = new Random(SEED);
  const model = new AlertModel();
  const alerts: Live[] = [];
  const counts = new Map<string, number>();
  let worker: Worker;
  let key = '';
  let balance = 0;
  let grant = 0;
  let versions = 0;
  let generation = 1;
  let runs = 0;
  let day = '2026-11-18';
  const world = provideWorld({ ...FOR_ALERTS, start: `${day}T19:00:00.000Z` });

  before(async () => {
    key = await world.api.key('api_only');
    grant = await world.balance(key);
    balance = grant;
    for (let id = 1; id <= RECORDS / 2; id++) put(id);
    await world.api.index.load(allLines());
    worker = await world.work();
    for (const counties of [COUNTIES.slice(0, 1), COUNTIES]) await create(counties);
  });

  const allLines = () => [...model.records.values()].map((record) => model.line(record));

  /** Writes a record into the model, new or changed. */
  function put(id: number): void {
    versions += 1;
    const [month, dayOfMonth] = [1 + (id % 9), 1 + Math.floor(id / 9)].map((n) => String(n).padStart(2, '0'));
    const record = { id, version: versions, county: random.pick(COUNTIES), acreage: random.integer(1, 9) };
    model.records.set(id, { ...record, meetingDate: `2026-${month}-${dayOfMonth}` });
  }

  async function create(counties: string[]): Promise<void> {
    const filters = { counties, dateRange: 'all' };
    const { id } = await world.alerts.create({ filters, maxRecordsPerRun: 7 }, key);
    alerts.push({ id, counties, acreageMin: null, maxRecordsPerRun: 7, delivered: new Map(), dismissed: new Set() });
  }

  async function load(): Promise<void> {
    const ids = random.some(
      Array.from({ length: RECORDS }, (_, i) => i + 1),
      random.integer(1, 8),
    );
    const unchanged = [...model.records.values()].filter(({ id }) => !ids.includes(id)).slice(0, 3);
    for (const id of ids) put(id);
    const lines = ids.flatMap((id) => model.records.get(id) ?? []);
    await world.api.index.load(
      [...unchanged, ...lines].map((record) => model.line(record)),
      { mode: 'increment', generation },
    );
  }

  async function reload(): Promise<void> {
    generation += 1;
    for (const id of random.some([...model.records.keys()], 3)) put(id);
    await world.api.index.load(allLines(), { generation });
  }

  async function edit(): Promise<void> {
    const alert = random.pick(alerts);
    alert.counties = random.some(COUNTIES, random.integer(1, 3));
    alert.acreageMin = random.maybe(0.5, () => random.integer(2, 5));
    alert.maxRecordsPerRun = random.integer(2, 20);
    const { counties, acreageMin, maxRecordsPerRun } = alert;
    const filters = { counties, dateRange: 'all', ...(acreageMin === null ? {} : { acreageMin }) };
    bodyOf(await world.send('PATCH', `/alerts/${alert.id}`, { filters, maxRecordsPerRun }, key));
  }

  async function dismiss(): Promise<void> {
    const alert = random.pick(alerts);
    const [id] = random.some([...alert.delivered.keys()], 1);
    if (id === undefined) return;
    assert.equal((await world.send('POST', `/alerts/${alert.id}/dismissals/${id}`, undefined, key)).status, 200);
    alert.dismissed.add(id);
  }

  /** The answer to a run, as the model names it. */
  const told = (data: Json): Omit<ModelRun, 'ids'> => {
    const { newRecords, newlyReadRecords, changedRecords, moreMatched, creditsCharged: cost } = data;
    return { newRecords: newRecords + newlyReadRecords, changedRecords, moreMatched, cost };
  };

  async function checkRun(alert: Live, data: Json, expected: ModelRun): Promise<void> {
    const { ids, ...rest } = expected;
    assert.equal(data.status, 'completed', JSON.stringify(data));
    assert.deepEqual(told(data), rest);
    assert.deepEqual(await world.alerts.matches(alert.id, { deliveryId: data.deliveryId }, key), ids);
    balance -= rest.cost;
  }

  const usedUp = new Map<string, number>();

  /** Three runs by hand a day, and one that was killed may count. */
  async function roomFor(alert: Live): Promise<boolean> {
    const used = usedUp.get(alert.id) ?? 0;
    if (used >= 3) return false;
    usedUp.set(alert.id, used + 1);
    return true;
  }

  async function runByHand(): Promise<void> {
    const alert = random.pick(alerts);
    if (!(await roomFor(alert))) return nextDay();
    runs += 1;
    const body = bodyOf(await world.send('POST', `/alerts/${alert.id}/run`, undefined, key, `run-${runs}`));
    await checkRun(alert, body.data, model.run(alert));
  }

  /** The process that runs an alert loses Postgres at a random message, and its own life; the request is repeated with its key elsewhere. */
  async function runAndCrash(): Promise<void> {
    const alert = random.pick(alerts);
    if (!(await roomFor(alert))) return nextDay();
    runs += 1;
    const idempotencyKey = `run-${runs}`;
    await killedProcess(async (url) => {
      const headers = { Authorization: `Bearer ${key}`, 'Idempotency-Key': idempotencyKey };
      await fetch(`${url}/v1/alerts/${alert.id}/run`, { method: 'POST', headers }).then((response) => response.text());
    });
    await world.moveTo(new Date(world.now().getTime() + GIVEN_UP_MS).toISOString());
    const { status, body } = await eventually('the end of what the dead process began', async () => {
      const answer = await world.send('POST', `/alerts/${alert.id}/run`, undefined, key, idempotencyKey);
      return answer.body.data?.status === 'already_running' ? undefined : answer;
    });
    assert.equal(status, 200, JSON.stringify(body));
    await checkRun(alert, body.data, model.run(alert));
  }

  /** @param work asked of a process whose connections to Postgres end at a random message */
  async function killedProcess(work: (url: string) => Promise<void>): Promise<void> {
    const messages = new MessageCount(Number.POSITIVE_INFINITY);
    const proxy = await stoppingProxy(world.api.config.databaseUrl, messages);
    const service: Service = composeService({ ...world.api.config, databaseUrl: proxy.url }, { now: world.now });
    await service.ready();
    const serving: Serving = await serve(service, 0);
    messages.allowFurther(random.integer(1, MESSAGES_MAX));
    const answered = work(`http://127.0.0.1:${serving.port}`).catch(() => undefined);
    const cut = await Promise.race([messages.stopped.then(() => true), answered.then(() => false)]);
    count(cut ? 'runs killed' : 'runs that ended before');
    proxy.close();
    await answered;
    await serving.stop();
    await service.close();
  }

  const deliveriesOf = async (alert: Live): Promise<Json[]> =>
    (await world.send('GET', `/alerts/${alert.id}/deliveries?limit=100`, undefined, key)).body.data as Json[];

  /** The next morning: every alert runs once, whatever happens to the worker. */
  async function nextDay(): Promise<void> {
    const before = new Map(await Promise.all(alerts.map(async (alert) => [alert.id, (await scheduledOf(alert)).length] as const)));
    day = new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
    await world.moveTo(`${day}${DUE_HOUR_UTC}`);
    if (day.endsWith('-01')) balance = grant;
    usedUp.clear();
    if (random.chance(0.3)) await replaceWorker();
    const expected = alerts.map((alert) => model.run(alert));
    const isDone = (deliveries: Json[], i: number) =>
      deliveries.length === (before.get(alerts[i]?.id ?? '') ?? 0) + 1 && deliveries[0].status === 'completed';
    await eventually(
      'the runs that are due',
      async () => ((await Promise.all(alerts.map(scheduledOf))).every(isDone) ? true : undefined),
      60_000,
    );
    for (const [i, alert] of alerts.entries()) {
      const [delivery] = await scheduledOf(alert);
      const { ids, cost: _, ...rest } = expected[i] as ModelRun;
      const { cost: __, ...found } = told(delivery);
      assert.deepEqual(found, rest);
      assert.deepEqual(await world.alerts.matches(alert.id, { deliveryId: delivery.deliveryId }, key), ids);
    }
    // Alerts that run at one time share what they pay.
    balance -= expected.reduce((sum, run) => sum + run.cost, 0);
  }

  const scheduledOf = async (alert: Live) => (await deliveriesOf(alert)).filter(({ trigger }) => trigger === 'scheduled');

  /** A worker that dies in the middle of what it does, and another one. */
  async function replaceWorker(): Promise<void> {
    await worker.stop(0);
    const messages = new MessageCount(Number.POSITIVE_INFINITY);
    const proxy = await stoppingProxy(world.api.config.databaseUrl, messages);
    const dying = composeServiceWorker({ ...world.api.config, databaseUrl: proxy.url }, pino({ level: 'silent' }), world.now, QUICK);
    await dying.start();
    messages.allowFurther(random.integer(20, 400));
    await Promise.race([messages.stopped, new Promise((resolve) => setTimeout(resolve, 2_000).unref())]);
    proxy.close();
    await dying.stop(0);
    count('workers killed');
    worker = await world.work();
  }

  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);

  const ACTIONS: readonly [weight: number, name: string, act: () => Promise<void>][] = [
    [5, 'loads', load],
    [1, 'full generations', reload],
    [2, 'edits', edit],
    [2, 'dismissals', dismiss],
    [5, 'runs by hand', runByHand],
    [3, 'crashes', runAndCrash],
    [2, 'mornings', nextDay],
  ];
  const bag = ACTIONS.flatMap(([weight, ...action]) => Array.from({ length: weight }, () => action));

  it(`deliver each new or changed match once, and charge it once (${STEPS} steps, seed ${SEED})`, async () => {
    for (let step = 0; step < STEPS; step++) {
      const [name, act] = random.pick(bag);
      count(name);
      try {
        await act();
        for (const alert of alerts)
          assert.deepEqual(
            (await world.alerts.matches(alert.id, {}, key)).sort((a, b) => a - b),
            model.matches(alert),
          );
        assert.equal(await world.balance(key), balance);
      } catch (error) {
        if (error instanceof Error) error.message = `step ${step} (${name}), seed ${SEED}: ${error.message}`;
        throw error;
      }
    }
    console.log(`      ${[...counts].map(([what, times]) => `${what} ${times}`).join(', ')}`);
    assert.deepEqual((await auditLedger(world.api.database)).differences, []);
    const [{ open } = {}] = await world.api.database.query<{ open: number }>(
      `select count(*)::integer as open from alert_delivery where status = 'running'`,
    );
    assert.equal(open, 0);
  });
});
