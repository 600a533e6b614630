/** The ten tasks of the guide of agents, call by call: `CALL` is the call that the answer before quoted, `ID` the id that it named first. */
import assert from 'node:assert/strict';
import { project, TODAY } from '../../support/fixtures.ts';
import { guides } from '../../support/guides.ts';
import { postMcp } from '../../support/http.ts';
import type { Json } from '../../support/json.ts';
import { provideWorld } from '../../support/world.ts';

const BOULDER = { latitude: 40.015, longitude: -105.27 };

describe('the ten tasks of the guide of agents', () => {
  const world = provideWorld(
    { today: TODAY },
    Array.from({ length: 12 }, (_, i) =>
      project(i + 1, {
        ...BOULDER,
        acreage: i + 1,
        isRezone: true,
        status: i % 3 ? 'approved' : 'denied',
        evidence: [{ field: 'acreage', quote: `The site has ${i + 1} acres.`, documentId: 501 }],
      }),
    ),
  );

  it('are done by tool calls alone', async () => {
    const key = await world.api.key('api_only');
    const { text = '' } = guides.find(({ name }) => name === 'mcp.md') ?? {};
    const lines = (/## Ten tasks[\s\S]*?```text\n([\s\S]*?)```/.exec(text)?.[1] ?? '').split('\n');
    let tasks = 0;
    let calls = 0;
    let last = '';
    let quoted: Json;
    for (const line of lines) {
      const [, task] = /^(\d+) \S/.exec(line) ?? [];
      if (task) assert.equal(Number(task), ++tasks);
      const [, tool, sent = ''] = /^ {2}(\w+) (\{.*\}|CALL)$/.exec(line) ?? [];
      if (tool) {
        const id = /"id": ?"?([\w-]+)/.exec(last)?.[1] ?? '';
        const given = sent === 'CALL' ? quoted : JSON.parse(sent.replace('ID', id));
        const call = { jsonrpc: '2.0', id: ++calls, method: 'tools/call', params: { name: tool, arguments: given } };
        const { result, error } = (await (await postMcp(world.api.url, key, call)).json()) as Json;
        last = result?.content[0].text ?? JSON.stringify(error);
        assert(result && !result.isError, `${line.trim()}: ${last}`);
        last = /<data>(.*)<\/data>$/s.exec(last)?.[1] ?? last;
        quoted = JSON.parse(last).call;
      } else if (line.startsWith('    '))
        for (const name of line.trim().split(' '))
          assert(last.includes(`"${name}":`), `${name} after call ${calls}: ${last.slice(0, 500)}`);
    }
    assert.deepEqual([tasks, calls], [10, 15]);
    await world.work();
    assert((await world.balance(key)) < 5_000, 'what was accepted was paid');
  });
});
