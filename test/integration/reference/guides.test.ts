import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { createDemoAccounts } from '../../../scripts/demo/accounts.ts';
import { startReceiver } from '../../../scripts/lib/webhookReceiver.ts';
import { dayOf } from '../../../scripts/sample/days.ts';
import { sampleLines } from '../../../scripts/sample/generate.ts';
import { makeRestrictions, SAMPLE_SOURCE } from '../../../scripts/sample/restrictions.ts';
import { ERRORS, type ErrorExample } from '../../../src/core/domain/errorTable.ts';
import { escapeHtml } from '../../../src/core/domain/escapeHtml.ts';
import { listCodes } from '../../../src/http/openapiExamples.ts';
import { errorPage } from '../../../src/web/errorPage.ts';
import { hasClient } from '../../../src/web/openapiView.ts';
import { newFolder } from '../../support/folder.ts';
import { type Example, examplesOf, guides, missingKeys, programOf, readme, requestOf, wordsOf } from '../../support/guides.ts';
import { places } from '../../support/index.ts';
import type { Json } from '../../support/json.ts';
import { runLanduse } from '../../support/landuseProcess.ts';
import { canCharge, type Documented, listTypes, MAKING, orderOperations } from '../../support/operationOrder.ts';
import { provide } from '../../support/provide.ts';
import { PythonHome } from '../../support/python.ts';
import { callOf, type PythonCall, PythonCaller } from '../../support/pythonCalls.ts';
import { RECORDED_DAY, SHOWS_PRICE } from '../../support/recordedAnswers.ts';
import type { TestService } from '../../support/service.ts';
import { testWorld } from '../../support/world.ts';

/** as `npm run demo` makes it, so that the ids in the guides are those of the demo */
const SAMPLE = { seed: 2026, projects: 3000 };
/** Of its projects one in so many is loaded, beside those that are named and those of the state that most examples are of. */
const LOADED_OF = 6;
const SHOWN_STATE = 'CO';
const root = path.resolve(import.meta.dirname, '../../..');
const execute = promisify(execFile);
const ORIGIN = 'http://localhost:8080';

/** The receiver that examples name; the test replaces it by one of its own. */
const EXAMPLES = Object.fromEntries(Object.entries(ERRORS).map(([code, { example }]) => [code, example as ErrorExample]));
const HOOK = 'https://hooks.example.com/land-use';
/** What the example calls the key that it mints. */
const MINTED_NAME = 'nightly sync';
/** Calls of the Python client. */
const CALLER = path.join(root, 'test/support/python/callMethods.py');
/** What the program of the guide prints, among other things. */
const PYTHON_SHOWS = [
  /^\d+ \S+ .+$/m,
  /^\d+ match and cost 0 of \d+ credits$/m,
  /^Did you mean Colorado \? req_/m,
  /^(\d+) records in the copy; \1 came and 0 went$/m,
  /^approved \d+ /m,
  /^\d+ rows$/m,
  /^statusLabel$/m,
  /^\[\d+, \d+\]$/m,
];

/** Goes on until it is stopped; test/integration/client/listen.test.ts holds it. */
const ENDLESS = /^\$ landuse webhooks listen /;

describe('the guides', () => {
  const world = provide(() =>
    testWorld({
      ...RECORDED_DAY,
      env: { PUBLIC_URL: ORIGIN, RATE_LIMIT_ANONYMOUS: '10', WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_PORTS: 'any' },
    }),
  );
  let api: TestService;
  let variables: Record<string, string>;
  const hook = provide(() => startReceiver());
  const home = provide(() => PythonHome.make(world.api.url));
  const asked = (command: string) => requestOf(command.replaceAll(HOOK, hook.url), variables);

  before(async () => {
    api = world.api;
    await loadSample();
    const { national, nationalTeammate, state, apiOnly, trial, lapsed, disabled, revoked } = await createDemoAccounts(api);
    const small = await api.key('api_only', undefined, { monthlyCredits: 3 });
    const ofErrors = { SMALL: small, TEAMMATE: nationalTeammate, LAPSED: lapsed, DISABLED: disabled, REVOKED: revoked };
    variables = { API: `${ORIGIN}/v1`, KEY: national, STATE: state, API_ONLY: apiOnly, TRIAL: trial, ...ofErrors };
  });

  for (const guide of [readme, ...guides]) {
    const examples = examplesOf(guide);
    if (!examples.length) continue;
    it(`show requests that work and keys that the answers have: ${guide.name}`, async () => {
      for (const example of examples) await check(example, `${guide.name}:${example.line}`);
    });
  }

  it('on errors provoke each code that the reference says can be provoked, by the lines shown there', async () => {
    for (const [code, example] of Object.entries(EXAMPLES)) {
      if ('why' in example || example.needs) continue;
      const { before = [], curl, times = 1 } = example;
      for (const line of before) await makeId(line);
      const commands = [...curl.slice(0, -1), ...Array.from({ length: times }, () => curl.at(-1) ?? '')];
      let answer = { code: '', text: '' };
      for (const command of commands) answer = await codeOf(command);
      assert.equal(answer.code, code, `${code}: ${commands.at(-1)}\n${answer.text}`);
      assert(errorPage(ORIGIN).includes(escapeHtml(curl.at(-1) ?? '')), code);
    }
  });

  it('on errors claim of no served code that it belongs to work to come', () => {
    const { components } = api.service.openApi() as { components: { schemas: Record<string, object> } };
    const contents = listOperations().flatMap(({ responses }) =>
      Object.values(responses).flatMap(({ content = {} }) => Object.values(content)),
    );
    const served = new Set<string>(contents.flatMap(({ schema }) => listCodes(schema, components.schemas)));
    const later = Object.entries(EXAMPLES).filter(([, example]) => 'why' in example && example.why.includes('does not serve yet'));
    assert.deepEqual(
      later.map(([code]) => code).filter((code) => served.has(code)),
      [],
    );
    const silent = Object.keys(EXAMPLES).filter((code) => !served.has(code));
    assert.deepEqual(
      silent,
      later.map(([code]) => code),
    );
  });

  it('have lines for every operation in the reference that work', async () => {
    await world.work();
    await liveThrough(async (operation) => {
      const { url, ...request } = requestFor(operation);
      const response = await fetch(`${api.url}${url.slice(ORIGIN.length)}`, request);
      const text = await response.text();
      assert(response.ok && String(response.status) in operation.responses, `${url}\n${response.status} ${text.slice(0, 500)}`);
      return text.startsWith('{') ? JSON.parse(text).data : undefined;
    });
  });

  it('have lines that cost a pool which holds nothing their price, in each form of the answer', async () => {
    const operations = listOperations();
    const makerOf = ({ path: place }: Documented) =>
      operations.find((one) => /^create/.test(one.operationId) && place.startsWith(`${one.path}/{id}/`));
    const charging = operations.filter(canCharge);
    assert(charging.length > 10);
    const usual = variables;
    for (const operation of charging)
      for (const type of listTypes(operation)) {
        // Contacts are included where records are paid for.
        variables = { ...usual, KEY: await api.key(operation.operationId === 'createEnrichment' ? 'national' : 'api_only') };
        const maker = makerOf(operation);
        if (maker) variables.ID = JSON.parse(await answerTo(maker, 'application/json')).data.id;
        const text = await answerTo(operation, type);
        assert.match(text, SHOWS_PRICE, `${operation.operationId} as ${type}: ${text.slice(0, 2000)}`);
      }
    variables = usual;
  });

  it('have a method of both Python clients for each of those operations, whose answer has the declared type, on plans that pay for records', async () => {
    await world.work();
    const usual = variables;
    variables = { ...usual, KEY: usual.API_ONLY as string };
    const [waiting, async] = ['waiting', 'async'].map(
      (mode) => new PythonCaller(home.start(CALLER, [mode, variables.KEY as string, api.url])),
    ) as [PythonCaller, PythonCaller];
    const answerOf = async (caller: PythonCaller, call: PythonCall) => {
      const { answer, bytes, problem, ...refused } = await caller.call(call);
      assert.deepEqual([answer === undefined && !bytes, problem], [false, null], `${JSON.stringify([call, refused])}`);
      return answer;
    };
    await liveThrough(async (operation) => {
      // One that is reassigned names a user of the first team.
      if (!hasClient(operation) || operation.operationId === 'reassignKey') return undefined;
      const request = requestFor(operation);
      const call = callOf(operation, request);
      if (request.method === 'GET') await answerOf(async, call);
      return (await answerOf(waiting, call))?.data;
    }).finally(() => {
      variables = usual;
    });
    assert.deepEqual([await waiting.end(), await async.end()], [0, 0]);
  });

  it('have programs that run: TypeScript', async () => {
    const guide = guides.find(({ name }) => name === 'clients.md');
    assert(guide);
    const env = { ...process.env, LANDUSE_KEY: variables.KEY, LANDUSE_URL: api.url };
    const client = path.join(root, 'src/clients/client/index.ts');
    const typescript = programOf(guide, 'ts').replace("'landuse-api'", `'${client}'`).replaceAll(ORIGIN, api.url);
    await writeFile(path.join(home.folder, 'clients.mts'), typescript);
    const ran = await execute(process.execPath, [path.join(home.folder, 'clients.mts')], { env });
    assert.match(ran.stdout, /^\d+ 0\n(\d+ \S+ .+\n)+(\d+ of \d+\n)+\d+\n(\d+ \S+ .+\n)+Colorado\n$/);
  });

  it('have programs that run: Python, with types that pass strictly', async () => {
    const guide = guides.find(({ name }) => name === 'python.md');
    assert(guide);
    const program = path.join(home.folder, 'guide.py');
    await writeFile(program, programOf(guide, 'python'));
    const env = { LANDUSE_KEY: variables.KEY as string, LANDUSE_URL: api.url };
    const { stdout } = await home.runWithPandas(program, env);
    for (const line of PYTHON_SHOWS) assert.match(stdout, line, stdout);
    assert.deepEqual(await home.typeProblems(program), []);
  });

  it('have commands of the command line that work', async () => {
    const guide = guides.find(({ name }) => name === 'command-line.md');
    assert(guide);
    await world.work();
    const folder = newFolder('commands');
    const shown = programOf(guide, 'console').match(/^\$ landuse .+$/gm) ?? [];
    const commands = shown.filter((command) => !ENDLESS.test(command));
    assert(commands.length > 10);
    for (const command of commands) {
      const settings = { url: api.url, key: variables.KEY as string, folder };
      const { code, stdout, stderr } = await runLanduse(wordsOf(command.slice(2), {}).slice(1), settings);
      assert.equal(code, 0, `${command}: ${stderr}`);
      assert(JSON.parse(stdout), command);
    }
  });

  /** Loads both generations, with the documents and contacts of the projects that are loaded. */
  async function loadSample(): Promise<void> {
    const text = JSON.stringify([readme, guides, EXAMPLES, api.service.openApi()]);
    const named = new Set(text.match(/\b\d{4,7}\b/g)?.map(Number));
    const { today } = api.index;
    for (const generation of [1, 2] as const) {
      const [header, ...lines] = sampleLines({ ...SAMPLE, today, places, generation });
      const projects = new Set<number>();
      const documents = new Set<number>();
      for (const line of lines) {
        if (line.kind !== 'project') continue;
        const read = 'meetingDocuments' in line ? (line.meetingDocuments ?? []).map(({ meetingDocumentId }) => meetingDocumentId) : [];
        const isShown = [line.id, ...read].some((id) => named.has(id)) || ('state' in line && line.state === SHOWN_STATE);
        if (!isShown && line.id % LOADED_OF > 0) continue;
        projects.add(line.id);
        for (const id of read) documents.add(id);
      }
      const loaded = lines.filter((line) => {
        if (line.kind === 'document') return documents.has(line.id);
        return line.kind === 'contact' ? projects.has(line.projectId) : line.kind === 'project' && projects.has(line.id);
      });
      const restrictions = makeRestrictions(dayOf(today));
      await api.index.loadFile(await api.index.file([...loaded, ...restrictions], { ...header, restrictionSources: [SAMPLE_SOURCE] }));
    }
  }

  const requestFor = ({ 'x-codeSamples': [{ source } = { source: '' }] }: Pick<Documented, 'x-codeSamples'>) => asked(source);

  function listOperations(): Documented[] {
    const { paths } = api.service.openApi() as { paths: Record<string, Record<string, Documented>> };
    return Object.entries(paths).flatMap(([place, methods]) => Object.values(methods).map((operation) => ({ ...operation, path: place })));
  }

  /** Sends an operation's line of the reference. */
  async function answerTo(operation: Documented, type: string): Promise<string> {
    const { url, headers, ...request } = requestFor(operation);
    const response = await fetch(`${api.url}${url.slice(ORIGIN.length)}`, { ...request, headers: { ...headers, Accept: type } });
    const text = await response.text();
    assert(response.ok, `${operation.operationId} as ${type}: ${response.status} ${text.slice(0, 500)}`);
    return text;
  }

  /** Every operation in an order that works; what one makes the next can name. @param send data of the answer */
  async function liveThrough(send: (operation: Documented) => Promise<Json>): Promise<void> {
    const operations = listOperations();
    assert(operations.length > 40);
    await revokeMintedKeys();
    for (const operation of orderOperations(operations)) {
      const data = await send(operation);
      const { operationId } = operation;
      if (MAKING.includes(operationId)) variables.ID = data.id;
      if (operationId === 'runAlert') variables.DELIVERY_ID = data.deliveryId;
      if (operationId === 'createAlertFeed') Object.assign(variables, { FEED_ID: data.id, SECRET: data.rssUrl.split('/').at(-1) });
      if (/^create(Hearing|Restriction)Feed$/.test(operationId)) variables.SECRET = data.icsUrl.split('/').at(-1);
      if (operationId === 'testWebhook') variables.MESSAGE_ID = data.messageId;
      if (operationId === 'createExport') await world.exports.settled(variables.ID as string, variables.KEY as string);
      if (operationId === 'createSnapshot') await world.snapshots.settled(variables.ID as string, variables.KEY as string);
    }
  }

  /** A user may hold two: those that an earlier life has left are revoked. */
  async function revokeMintedKeys(): Promise<void> {
    const ask = (place: string, method: string) =>
      fetch(`${api.url}/api/user/api-keys${place}`, { method, headers: { Authorization: `Bearer ${variables.KEY}` } });
    const { data } = (await (await ask('', 'GET')).json()) as { data: { id: string; name: string | null }[] };
    for (const { id, name } of data) if (name === MINTED_NAME) await ask(`/${id}`, 'DELETE');
  }

  /** `ID=$(curl … | …)`: what the request makes; other variables are there already. */
  async function makeId(line: string): Promise<void> {
    const [, command] = /^ID=\$\((curl .+) \| node -p .+\)$/.exec(line) ?? [];
    if (!command) return;
    const { url, ...request } = asked(command);
    const answer = await fetch(`${api.url}${url.slice(ORIGIN.length)}`, request);
    variables.ID = ((await answer.json()) as { data: { id: string } }).data.id;
  }

  async function codeOf(command: string): Promise<{ code: string; text: string }> {
    const { url, ...request } = asked(command);
    const text = await fetch(`${api.url}${url.slice(ORIGIN.length)}`, request).then((response) => response.text());
    return { code: JSON.parse(text).error?.code ?? '', text: text.slice(0, 500) };
  }

  /** Sends the requests of an example; the last answer is the one that is shown. What it names can be used in the next. */
  async function check(example: Example, place: string): Promise<void> {
    for (const command of example.commands) {
      const { url, ...request } = asked(command);
      assert(url.startsWith(ORIGIN), `${place}: ${url} is not under ${ORIGIN}`);
      const response = await fetch(`${api.url}${url.slice(ORIGIN.length)}`, request);
      const text = await response.text();
      const said = `${place}: ${command}\n${response.status} ${text.slice(0, 1000)}`;
      if (example.status === null) assert(response.ok, said);
      else assert.equal(response.status, example.status, said);
      const body = text.startsWith('{') ? JSON.parse(text) : {};
      if (example.code) assert.equal(body.error?.code, example.code, said);
      if (command === example.commands.at(-1)) {
        assert.deepEqual(missingKeys(example.shown, body), [], said);
        assert.deepEqual(
          example.headers.filter((name) => !response.headers.has(name)),
          [],
          said,
        );
      }
      if (body.data?.id !== undefined) variables.ID = String(body.data.id);
      if (body.meta?.sync) variables.CURSOR = body.meta.sync.cursor;
    }
  }
});
