/** The protocol's own suite of conformance, by the scenarios that a server of tools has to pass, in two revisions. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import path from 'node:path';
import { answerOnLoopback } from '../../../scripts/lib/loopback.ts';
import { bareEnvironment, root, runProgram } from '../../support/programs.ts';
import { provideService } from '../../support/service.ts';

const SUITE = path.join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

describe('the conformance suite of the protocol', () => {
  const api = provideService({});

  /** Forwards requests with a key, which the suite cannot send. */
  function forwardWithKey(key: string) {
    const target = new URL(api.url);
    return answerOnLoopback((incoming, outgoing) => {
      const headers = { ...incoming.headers, authorization: `Bearer ${key}` };
      const { method, url: path } = incoming;
      const onward = request({ host: target.hostname, port: target.port, method, path, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      });
      incoming.pipe(onward);
    });
  }

  for (const [scenario, revision] of [
    ['server-initialize', '2025-06-18'],
    ['server-initialize', '2025-11-25'],
    ['ping', '2025-11-25'],
    ['tools-list', '2025-06-18'],
    ['tools-list', '2025-11-25'],
  ] as const)
    it(`passes ${scenario} of revision ${revision}`, async () => {
      await using door = await forwardWithKey(await api.key());
      const args = ['server', '--url', `${door.url}/mcp`, '--scenario', scenario, '--spec-version', revision];
      const { code, stdout, stderr } = await runProgram(SUITE, args, bareEnvironment);
      assert.match(stdout, /Passed: ([1-9]\d*)\/\1, 0 failed/, stdout + stderr);
      assert.equal(code, 0, stdout + stderr);
    });
});
