/** The Python client as customers have it: installed from its wheel, typed, and asking the real service. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { makePythonWheel, pythonWheelName } from '../../../src/clients/packages/pythonWheel.ts';
import { provideCuttingProxy } from '../../support/cuttingProxy.ts';
import { project, TODAY } from '../../support/fixtures.ts';
import { provide } from '../../support/provide.ts';
import { PythonHome } from '../../support/python.ts';
import { provideWorld } from '../../support/world.ts';

const RECORDS = 130;
/** Of every service of the tests. */
const PUBLIC_URL = 'http://landuse.test';
const programs = path.resolve(import.meta.dirname, '../../support/python');
const source = path.resolve(import.meta.dirname, '../../../src/clients/python/landuse_api');

describe('the Python client', () => {
  const ids = Array.from({ length: RECORDS }, (_, i) => i + 1);
  const contact = { kind: 'contact', projectId: 1, name: 'Ann Lee', role: 'developer', email: 'ann@acme.example', emailConfidence: 0.9 };
  const world = provideWorld({ today: TODAY, env: { WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_PORTS: 'any' } }, [
    ...ids.map((id) => project(id)),
    contact,
  ]);
  const proxy = provideCuttingProxy(() => world.api.url);
  const home = provide(() => PythonHome.make(world.api.url, `${world.api.url}/clients/${pythonWheelName()}`));

  before(async () => {
    await world.work();
  });

  /** Shows what lines do with a client of a new team. */
  async function show(plan: Parameters<typeof world.api.key>[0], lines: string, given: object = {}) {
    const key = await world.api.key(plan);
    proxy.requests.length = 0;
    return home.show(`api = LandUse(given["key"], given["url"])\n${lines}`, { key, url: world.api.url, ...given });
  }

  it('comes from the service as its wheel, which the page of the clients names', async () => {
    const response = await fetch(`${world.api.url}/clients/${pythonWheelName()}`);
    const wheel = new Uint8Array(await response.arrayBuffer());
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'application/zip']);
    assert.deepEqual(wheel, makePythonWheel({ serviceUrl: PUBLIC_URL }));
    const page = await (await fetch(`${world.api.url}/clients`)).text();
    assert(page.includes(`pip install ${PUBLIC_URL}/clients/${pythonWheelName()}`));
    assert.equal((await home.show('import landuse_api._default_url as default\nshow(url=default.DEFAULT_URL)', {})).url, PUBLIC_URL);
  });

  it('is typed: its source and right calls pass strictly, and each wrong call is refused', async () => {
    assert.deepEqual(await home.typeProblems(source, path.join(programs, 'rightCalls.py')), []);
    const lines = (await readFile(path.join(programs, 'wrongCalls.py'), 'utf8')).split('\n');
    const expected = lines.flatMap((line, i) => (line.includes('# error: ') ? [`${i + 1} ${line.split('# error: ')[1]}`] : []));
    const problems = await home.typeProblems(path.join(programs, 'wrongCalls.py'));
    const found = problems.flatMap((line) => {
      const [, number, kind] = /:(\d+): error: .*\[([\w-]+)\]$/.exec(line) ?? [];
      return number ? [`${number} ${kind}`] : [];
    });
    assert.deepEqual(found, expected, problems.join('\n'));
  });

  it('walks searches, syncs and lists over their pages, waiting or in an event loop', async () => {
    const lines = `
import asyncio
for number in range(3):
    api.lists.create(name=f"List {number}")
pages = list(api.sync(dateRange="all", limit=50))
async def later():
    async with AsyncLandUse(given["key"], given["url"]) as client:
        found = [one["id"] async for one in client.search(states=["CO"], limit=50, representation="compact")]
        walked = [page.cursor async for page in client.sync(dateRange="all", limit=50)]
        named = [one["name"] async for one in client.lists.iterate(limit=2)]
        return [sorted(found), len(walked), sorted(named), (await client.count(cities=["Boulder, CO"]))["matchCount"]]
show(
    later=asyncio.run(later()),
    search=sorted(one["id"] for one in api.search(states=["CO"], limit=50, representation="compact")),
    sync=[sorted(record["id"] for page in pages for record in page.records), len(pages), [page.has_more for page in pages]],
    again=sum(len(page.records) for page in api.sync(dateRange="all", cursor=pages[-1].cursor)),
    lists=sorted(one["name"] for one in api.lists.iterate(limit=2)),
    receipts=len(list(api.account.iterate_receipts(limit=1))),
)`;
    const shown = await show('national', lines);
    const names = ['List 0', 'List 1', 'List 2'];
    assert.deepEqual(shown.later, [ids, 3, names, RECORDS]);
    assert.deepEqual([shown.search, shown.sync, shown.again, shown.lists], [ids, [ids, 3, [true, true, false]], 0, names]);
  });

  it('charges a spend once when its answer is cut off twice', async () => {
    proxy.cuts = 2;
    const cut = { url: proxy.url };
    const exported = await show(
      'api_only',
      `
before = api.count(projectIds=[1])["creditsRemaining"]
job = api.exports.create(projectIds=[1, 2, 3])["data"]
api.wait_for_export(job["id"])
show(before=before, jobs=len(api.exports.list()["data"]), after=api.count(projectIds=[1])["creditsRemaining"])`,
      cut,
    );
    const posts = proxy.requests.filter(({ method }) => method === 'POST');
    assert.deepEqual([exported.jobs, exported.before - exported.after], [1, 3]);
    assert.equal(new Set(posts.map(({ idempotencyKey }) => idempotencyKey)).size, 1);
    assert(proxy.cuts === 0 && proxy.requests.length >= posts.length + 3);

    proxy.cuts = 2;
    const enriched = await show(
      'api_only',
      `
api.projects.get(1)
answer = api.contacts.create_enrichment(projectIds=[1])["data"]
states = []
settled = api.wait_for_enrichment(answer["id"], on_progress=lambda job: states.append(job["status"]))
show(found=settled["found"], last=states[-1], used=api.account.get_credits()["data"]["enrichment"]["used"])`,
      cut,
    );
    assert.deepEqual(enriched, { found: 1, last: 'completed', used: 1 });
    assert.equal(new Set(proxy.requests.filter(({ method }) => method === 'POST').map((one) => one.idempotencyKey)).size, 1);
  });

  it('refuses what costs more than it may, with the price, and charges nothing', async () => {
    const shown = await show(
      'api_only',
      `
before = api.count(states=["CO"])
try:
    list(api.search(states=["CO"], limit=10, max_credits=9))
except InvalidRequest as error:
    show(price=before["creditsRequired"], needed=error.details["creditsRequired"], spent=before["creditsRemaining"] - api.count(states=["CO"])["creditsRemaining"])`,
    );
    assert.deepEqual(shown, { price: RECORDS, needed: 10, spent: 0 });
  });

  it('takes a snapshot into a folder, resumed and checked, and goes on by sync', async () => {
    const shown = await show(
      'national',
      `
import gzip, json, pathlib
filters = {"states": ["CO"], "dateRange": "all"}
progress = []
manifest = api.snapshot_to("copy", filters=filters, representation="compact", on_progress=lambda one: progress.append(one["status"]))
part = pathlib.Path("copy") / manifest["files"][0]["name"]
content = part.read_bytes()
ids = [json.loads(line)["id"] for line in gzip.decompress(content).splitlines()]
part.unlink()
part.with_name(part.name + ".part").write_bytes(content[:100])
again = api.download_snapshot(manifest["snapshotId"], "copy")
part.with_name(part.name + ".part").write_bytes(b"x" * 100)
part.write_bytes(b"damaged")
api.download_snapshot(manifest["snapshotId"], "copy")
later = [page for page in api.sync(states=["CO"], dateRange="all", representation="compact", cursor=manifest["sync"]["cursor"])]
show(
    ids=ids, last=progress[-1], same=part.read_bytes() == content, names=sorted(one.name for one in pathlib.Path("copy").iterdir()),
    later=[len(page.records) for page in later], kept=again["recordCount"],
    waited=api.wait_for_snapshot(manifest["snapshotId"])["status"], none=api.snapshot_to("none", filters={"q": "nothing is like this"}),
)`,
    );
    const taken = { ids, last: 'ready', same: true, names: ['part-00001.ndjson.gz'], later: [0] };
    assert.deepEqual(shown, { ...taken, kept: RECORDS, waited: 'ready', none: null });
  });

  it('exports into a file: resumed where it broke off, checked, and whole under its name alone', async () => {
    const lines = `
import hashlib, pathlib
progress = []
job = api.export_to("all.csv", filters={"states": ["CO"]}, on_progress=lambda job: progress.append(job["progress"]["processed"]))
content = pathlib.Path("all.csv").read_bytes()
resumed = LandUse(given["key"], given["proxied"])
pathlib.Path("cut.csv.part").write_bytes(content[:1000])
resumed.download(job["id"], "cut.csv")
pathlib.Path("wrong.csv.part").write_bytes(b"x" * 1000)
resumed.download(job["id"], "wrong.csv")
pathlib.Path("long.csv.part").write_bytes(b"x" * (len(content) + 1))
resumed.download(job["id"], "long.csv")
show(
    rows=job["rowCount"], processed=progress[-1], lines=content.count(b"\\r\\n"), right=hashlib.sha256(content).hexdigest() == job["sha256"],
    same=[pathlib.Path(f"{name}.csv").read_bytes() == content for name in ("cut", "wrong", "long")], left=sorted(str(one) for one in pathlib.Path().glob("*.part")),
    none=api.export_to("none.csv", filters={"q": "nothing is like this"}),
)`;
    proxy.cuts = 0;
    proxy.onAnswer = () => {
      if (proxy.requests.at(-1)?.path.endsWith('/download')) proxy.cuts = proxy.requests.length < 5 ? 1 : 0;
    };
    const shown = await show('national', lines, { proxied: proxy.url });
    proxy.onAnswer = undefined;
    const whole = { rows: RECORDS, processed: RECORDS, lines: RECORDS + 1, right: true };
    assert.deepEqual(shown, { ...whole, same: [true, true, true], left: [], none: null });
    const ranges = proxy.requests.filter((one) => one.path.endsWith('/download')).map(({ range }) => range);
    assert.equal(ranges[0], 'bytes=1000-');
    const [, from = '0'] = /^bytes=(\d+)-$/.exec(ranges[1] ?? '') ?? [];
    assert(Number(from) > 1000, `${ranges}`);
    assert(ranges.includes(undefined), `${ranges}`);
  });

  it('asks questions in plain words, and says what became of a job that did not end well', async () => {
    const shown = await show(
      'national',
      `
answer = api.ask("projects in Colorado", limit=5)
try:
    api.wait_for_export("exp_" + "0" * 22)
except ResourceNotFound as error:
    show(status=answer["status"], proven=[bool(one["matchEvidence"]) for one in answer["results"]], missing=error.param)`,
    );
    assert.deepEqual(shown, { status: 'completed', proven: [true, true, true, true, true], missing: 'id' });
  });

  it('believes a message that the service has sent, and nobody else’s', async () => {
    const hook = await world.startReceiver();
    const webhook = await world.webhooks.create(hook, { types: ['export.ready'] });
    await world.send('POST', `/webhooks/${webhook.id}/test`, {});
    const { headers, body } = await world.got(hook, 1);
    const lines = `
import datetime
now = datetime.datetime.fromtimestamp(int(given["headers"]["webhook-timestamp"]), datetime.timezone.utc)
event = verify_webhook(given["body"], given["headers"], given["secret"], now=now)
try:
    verify_webhook(given["body"].replace("ping", "pong"), given["headers"], given["secret"], now=now)
except WebhookRejected as error:
    show(event=event["type"], text=str(error))`;
    const shown = await home.show(lines, { headers, body, secret: webhook.secret });
    assert.deepEqual([shown.event, /No signature/.test(shown.text)], ['ping', true]);
  });
});
