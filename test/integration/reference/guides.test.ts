import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createDemoAccounts } from '../../../scripts/demo/accounts.ts';
import { writeSample } from '../../../scripts/sample/generate.ts';
import { type Example, examplesOf, guides, missingKeys, requestOf } from '../../support/guides.ts';
import { places } from '../../support/index.ts';
import { type TestService, testService } from '../../support/service.ts';

const SAMPLE_MS = 300_000;
/** as `npm run demo` makes it, so that the ids in the guides are those of the demo */
const SAMPLE = { seed: 2026, projects: 3000 };
const ORIGIN = 'http://localhost:8080';

describe('the guides', () => {
  let api: TestService;
  let variables: Record<string, string>;

  before(async function () {
    this.timeout(SAMPLE_MS);
    api = await testService({ env: { PUBLIC_URL: ORIGIN } });
    const folder = await mkdtemp(path.join(tmpdir(), 'guides-'));
    try {
      for (const file of await writeSample({ folder, ...SAMPLE, today: api.index.today, places })) await api.index.loadFile(file);
    } finally {
      await rm(folder, { recursive: true });
    }
    const { national, state, apiOnly, trial } = await createDemoAccounts(api);
    variables = { API: `${ORIGIN}/v1`, KEY: national, STATE: state, API_ONLY: apiOnly, TRIAL: trial };
  });

  after(() => api.stop());

  for (const guide of guides) {
    const examples = examplesOf(guide);
    if (!examples.length) continue;
    it(`show requests that work and keys that the answers have: ${guide.name}`, async () => {
      for (const example of examples) await check(example, `${guide.name}:${example.line}`);
    });
  }

  /** Sends the requests of an example; the last answer is the one that is shown. What it names can be used in the next. */
  async function check(example: Example, place: string): Promise<void> {
    for (const command of example.commands) {
      const { url, ...request } = requestOf(command, variables);
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
