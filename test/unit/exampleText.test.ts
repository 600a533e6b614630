import assert from 'node:assert/strict';
import { makeReproducible, shortenExample } from '../../scripts/openapi/exampleText.ts';

const TODAY = new Date().toISOString().slice(0, 10);

describe('the example that an answer becomes', () => {
  it('has the same ids, times and addresses on every run, each id the same wherever it stands', () => {
    const answerOf = (id: string, port: number, second: string) => ({
      id: `exp_${id}`,
      url: `http://127.0.0.1:${port}/v1/exports/exp_${id}`,
      at: `${TODAY}T08:11:${second}.123Z`,
      meetingDate: '2026-10-01',
      requestId: `req_${port}`,
      keyId: `${port}0000-aaaa-4bbb-8ccc-ddddeeeeffff`.slice(-36).padStart(36, '0'),
    });
    const [one, other] = [answerOf('4kPq7Zt2Vb9NxW3mLr8Yc1', 4711, '01'), answerOf('9aaq7Zt2Vb9NxW3mLr8Yc1', 815, '59')].map(
      makeReproducible,
    );
    assert.deepEqual(one, other);
    const { id, url, at, meetingDate } = one as Record<string, string>;
    assert.equal(url, `http://localhost:8080/v1/exports/${id}`);
    assert.deepEqual([at, meetingDate], ['2026-11-23T19:00:00.000Z', '2026-10-01']);
    assert.deepEqual(makeReproducible(one), one, 'an example becomes itself');
  });

  it('names hosts of the run by another name, also where no scheme is before them', () => {
    for (const host of ['landuse.test', '127.0.0.1:4711', 'localhost:815'])
      assert.equal(makeReproducible(`UID:hearing-8-8013@${host}`), 'UID:hearing-8-8013@api.example.com');
  });

  it('holds no secret', () => {
    const text = JSON.stringify(
      makeReproducible({ secret: `svc_live_${'a1'.repeat(18)}`, lastFour: 'a1a1', signing: 'whsec_c2VjcmV0IG9mIGEgaG9vaw==' }),
    );
    assert(!/a1a1|c2Vj/.test(text), text);
  });

  it('shows the beginning of lists and texts, and less of what no schema names', () => {
    const schema = { type: 'object', properties: { data: {} } };
    assert.deepEqual(shortenExample({ data: [[1], [2], [3]] }, schema), { data: [[1], [2]] });
    assert.deepEqual(shortenExample({ data: [1, 2, 3, 4] }, schema), { data: [1, 2, 3, 4] });
    assert.deepEqual(shortenExample({ data: [{ text: 'x'.repeat(2000) }, 2] }, schema), { data: [{ text: `${'x'.repeat(240)}…` }] });
    const next = `http://localhost:8080/v1/items?limit=10&cursor=${'eyJ2Ij'.repeat(50)}`;
    const shown = makeReproducible(shortenExample({ links: [next] }, schema));
    assert.deepEqual(shown, { links: ['http://localhost:8080/v1/items?limit=10&cursor=eyJ2IjoxLCJhdCI6'] }, 'an address stays one');
    const wide = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`field${i}`, { deep: { deeper: { deepest: i } } }]));
    const loose = shortenExample(wide, { type: 'object' }) as Record<string, unknown>;
    assert(Object.keys(loose).length < 10 && JSON.stringify(loose).length < 1000);
  });
});
