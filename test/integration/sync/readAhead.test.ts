/** Pages fetched before they are asked for: used while they are the same as fresh ones to a walk, and otherwise as if they were not there. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { TestProxy } from '../../../scripts/lib/proxy.ts';
import { ChangeFeed, type FeedPosition } from '../../../src/core/store/elastic/changeFeed.ts';
import { makeElastic } from '../../../src/core/store/elastic/client.ts';
import { ReadAhead } from '../../../src/features/sync/readAhead.ts';
import { TestIndex } from '../../support/index.ts';
import { projectLine as project } from '../../support/projectLine.ts';

const TODAY = '2026-11-20';
const LONGER_THAN_KEPT_MS = 1200;
const START: FeedPosition = { removed: [0, 0], departed: null, seen: 0, highWater: null };
const request = (size: number) => ({
  query: { match_all: {} },
  sort: [{ lastUpdated: 'asc' }, { id: 'asc' }],
  size,
  representation: 'compact' as const,
  count: false,
});

describe('Reading ahead of a walk', () => {
  const index = new TestIndex(TODAY);
  let changes: ChangeFeed;
  before(async () => {
    changes = new ChangeFeed(index.client, index.names, 5000);
    await index.load([1, 2, 3, 4, 5].map((id) => project(id)));
  });
  after(() => index.drop());

  /** What was asked of Elasticsearch so far, by the size of the page. */
  const counting = (real = changes) => {
    const asked: number[] = [];
    const ahead = new ReadAhead({
      readPage: (sought, position) => {
        asked.push(sought.size);
        return real.readPage(sought, position);
      },
    });
    return { ahead, asked };
  };
  const idsOf = async (ahead: ReadAhead, size: number, position = START) =>
    (await ahead.readPage(request(size), position)).hits.map(({ project: { id } }) => id);

  it('asks once for a page that is then asked for, and again for its repetition', async () => {
    const { ahead, asked } = counting();
    ahead.prepare(request(3), START);
    ahead.prepare(request(3), START);
    assert.deepEqual(await idsOf(ahead, 3), [1, 2, 3]);
    assert.deepEqual(asked, [3]);
    assert.deepEqual(await idsOf(ahead, 3), [1, 2, 3]);
    assert.deepEqual(asked, [3, 3]);
  });

  it('does not serve a page to another request or another position', async () => {
    const { ahead, asked } = counting();
    ahead.prepare(request(3), START);
    assert.deepEqual(await idsOf(ahead, 2), [1, 2]);
    assert.deepEqual(await idsOf(ahead, 3, { ...START, removed: [1, 0] }), [1, 2, 3]);
    assert.deepEqual(asked, [3, 2, 3]);
  });

  it('looks the end of a walk up again', async () => {
    const { ahead, asked } = counting();
    ahead.prepare(request(6), START);
    await sleep(LONGER_THAN_KEPT_MS / 4);
    await index.load([project(6)], { mode: 'increment' });
    assert.deepEqual(await idsOf(ahead, 6), [1, 2, 3, 4, 5, 6]);
    assert.deepEqual(asked, [6, 6]);
  });

  it('forgets a page that nobody asks for within a second, and holds few at once', async () => {
    const { ahead, asked } = counting();
    for (let seen = -20; seen < 0; seen++) ahead.prepare(request(1), { ...START, seen });
    assert.equal(asked.length, 16);
    await sleep(LONGER_THAN_KEPT_MS);
    await idsOf(ahead, 1, { ...START, seen: -20 });
    assert.equal(asked.length, 17);
  });

  it('tells a failure to one who waits for it, and forgets it otherwise', async () => {
    const proxy = new TestProxy(index.url, 9200);
    await proxy.start();
    const client = makeElastic({ url: `http://127.0.0.1:${proxy.port}`, timeoutMs: 5000, retries: 0 });
    await proxy.stop();
    const { ahead, asked } = counting(new ChangeFeed(client, index.names, 5000));
    ahead.prepare(request(3), START);
    await assert.rejects(ahead.readPage(request(3), START), { code: 'search_unavailable' });
    assert.equal(asked.length, 1);
    ahead.prepare(request(3), START);
    await sleep(LONGER_THAN_KEPT_MS / 4);
    await proxy.start();
    assert.deepEqual(await idsOf(ahead, 3), [1, 2, 3]);
    assert.equal(asked.length, 3);
    await client.close();
    await proxy.stop();
  });
});
