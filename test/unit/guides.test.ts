import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { FEATURES } from '../../src/features.ts';
import { examplesOf, guides, missingKeys, readme, requestOf, withoutEllipses } from '../support/guides.ts';

const VARIABLES = { API: 'http://host/v1', KEY: 'k', ID: '7' };
const guide = (text: string) => ({ name: 'x.md', path: 'x.md', text });

describe('examples of a guide', () => {
  it('are read with their expectation, their answer and their headers', () => {
    const [first, second, ...more] = examplesOf(
      guide(
        'Text\n```sh 402 credits_exhausted\nget \'/a\'\n```\n```json\n{"error": {"code": "x", …}}\n```\nText\n```json\n{"other": 1}\n```\n```console\nnpm test\n```\n```sh\n# why\ncurl -s \\\n  $API/b\n```\n```http\nX-One: 1\n```\n',
      ),
    );
    assert.deepEqual([first?.status, first?.code, first?.shown, first?.line], [402, 'credits_exhausted', { error: { code: 'x' } }, 2]);
    assert.deepEqual([second?.status, second?.commands, second?.headers], [null, ['curl -s $API/b'], ['X-One']]);
    assert.deepEqual(more, []);
  });

  it('become requests as a shell would send them', () => {
    assert.deepEqual(requestOf("get '/p?q=$KEY'", VARIABLES), {
      method: 'GET',
      url: 'http://host/v1/p?q=$KEY',
      headers: { Authorization: 'Bearer k' },
    });
    assert.deepEqual(requestOf(`post '/a' '{"b": "c d"}'`, VARIABLES), {
      method: 'POST',
      url: 'http://host/v1/a',
      headers: { Authorization: 'Bearer k', 'Content-Type': 'application/json' },
      body: '{"b": "c d"}',
    });
    assert.deepEqual(requestOf(`curl -sg -X POST -H "X-API-Key: $KEY" -d '{"a":"b c"}' "$API/keys/$ID/rotate"`, VARIABLES), {
      method: 'POST',
      url: 'http://host/v1/keys/7/rotate',
      headers: { 'X-API-Key': 'k' },
      body: '{"a":"b c"}',
    });
  });

  it('that are no requests, or use what is not set, are refused', () => {
    assert.throws(() => requestOf('npm run demo', VARIABLES), /console/);
    assert.throws(() => requestOf('curl --retry 3 $API', VARIABLES), /--retry/);
    assert.throws(() => requestOf('get "/p?cursor=$CURSOR"', VARIABLES), /CURSOR/);
  });

  it('are compared with answers by the keys they show', () => {
    const shown = JSON.parse(withoutEllipses('{"data": [{"id": 1, "u": [{"t": "a…b", …}, …]}, …], "rest": …, "meta": {…}}'));
    assert.deepEqual(shown, { data: [{ id: 1, u: [{ t: 'a…b' }] }], rest: null, meta: {} });
    assert.deepEqual(missingKeys(shown, { data: [{ id: 2, u: [{ t: 1 }] }, {}], rest: [], meta: { more: 1 } }), []);
    assert.deepEqual(missingKeys(shown, { data: [{ u: [] }], meta: [] }), ['data.0.id', 'data.0.u.0', 'rest', 'meta']);
  });
});

describe('the text of the guides', () => {
  const root = path.resolve(import.meta.dirname, '../..');
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

  for (const guide of [readme, ...guides]) {
    it(`links files and names npm scripts that exist: ${guide.name}`, () => {
      const links = [...guide.text.matchAll(/\]\((?!http|\/)([^)#]+)/g)].map((match) => match[1] as string);
      const commands = [...guide.text.matchAll(/npm run ([a-z:-]+)/g)].map((match) => match[1] as string);
      assert.deepEqual(
        [
          ...links.filter((link) => !existsSync(path.join(path.dirname(guide.path), link))),
          ...commands.filter((name) => !(name in scripts)),
        ],
        [],
      );
    });
  }

  it('lists every type of event in webhooks.md', () => {
    const { text = '' } = guides.find(({ name }) => name === 'webhooks.md') ?? {};
    const [, table = ''] = /^\| `type` \|[^\n]*\n((?:\|[^\n]*\n)+)/m.exec(text) ?? [];
    const listed = [...table.matchAll(/^\| `([a-z_.]+)` \|/gm)].map(([, type]) => type as string);
    const declared = FEATURES.flatMap(({ events = [] }) => events.map(({ type }) => type));
    assert.deepEqual(listed.sort(), [...declared, 'ping'].sort());
  });
});
