/** Whatever is sent, no answer is a failure of ours. `FUZZ_REQUESTS` and `FUZZ_SEED` change how much and what is sent. */
import assert from 'node:assert/strict';
import http from 'node:http';
import { fuzzRequest } from '../support/fuzzRequests.ts';
import { checkAnswer, send, type WireAnswer } from '../support/http.ts';
import { lengthOf } from '../support/lengths.ts';
import { Random } from '../support/random.ts';
import { routesOf } from '../support/routes.ts';
import { provideService } from '../support/service.ts';

const REQUESTS = lengthOf('FUZZ_REQUESTS');
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_120);
const AT_ONCE = 4;
const MS_PER_REQUEST_MAX = 100;
/** Minting answers with a key, which nothing else may. */
const SHOWS_A_SECRET = /api-keys$/;

/** What may be 503 while nothing is out of order: parts that are not built yet say so. */
const notBuilt = ({ status, body }: WireAnswer) =>
  status === 503 && body?.error?.code === 'service_unavailable' && body.error.param === 'format';

describe(`${REQUESTS} made-up requests`, function () {
  this.timeout(20_000 + REQUESTS * MS_PER_REQUEST_MAX);
  const api = provideService();
  let key: string;
  before(async () => {
    await api.index.load([
      {
        kind: 'project',
        id: 1,
        state: 'CO',
        county: 'Boulder County',
        propertyType: 'residential',
        meetingDate: '2026-10-01',
        latitude: 40,
        longitude: -105,
      },
      { kind: 'project', id: 2, mergedFrom: [3], state: 'TX', propertyType: 'commercial', meetingDate: '2026-11-01', acreage: 0 },
      { kind: 'document', id: 1, state: 'CO', county: 'Boulder County', title: 'Minutes' },
    ]);
    key = await api.key();
  });

  it('get no 5xx, an envelope and the headers of the contract, each of them', async () => {
    const random = new Random(SEED);
    const declared = [...routesOf(api.service.app).keys()].filter((path) => !SHOWS_A_SECRET.test(path));
    const agent = new http.Agent({ keepAlive: true });
    const refusals: number[] = [];
    const statuses: Record<number, number> = {};
    const failures: string[] = [];
    const one = async () => {
      const request = fuzzRequest(random, declared, key);
      try {
        const answer = await send(api.url, request.path, { ...request, agent });
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
        checkAnswer(answer, request.method);
        assert(answer.status < 500 || notBuilt(answer), `${answer.status} ${answer.text.slice(0, 300)}`);
        if (answer.status >= 400) refusals.push(answer.ms);
      } catch (error) {
        failures.push(`${JSON.stringify(request).slice(0, 600)}\n  ${(error as Error).message.slice(0, 400)}`);
      }
    };
    let left = REQUESTS;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (left-- > 0) await one();
      }),
    );
    agent.destroy();
    refusals.sort((a, b) => a - b);
    const percentile = (share: number) => `${(refusals[Math.floor(refusals.length * share)] ?? 0).toFixed(1)} ms`;
    console.log(
      `      ${JSON.stringify(statuses)}; refusals: median ${percentile(0.5)}, p99 ${percentile(0.99)}, longest ${percentile(0.99999)}`,
    );
    assert.equal(failures.length, 0, `${failures.length} of ${REQUESTS} (seed ${SEED}):\n${failures.slice(0, 12).join('\n')}`);
    assert((statuses[200] ?? 0) > REQUESTS / 20 && (statuses[400] ?? 0) > REQUESTS / 10, 'the requests reach both sides of the door');
  });
});
