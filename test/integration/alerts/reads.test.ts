/** What a run reads of the index: in proportion to what changed, however much there is. */
import assert from 'node:assert/strict';
import { hitCounter } from '../../support/hitCounter.ts';
import { projectLine } from '../../support/projectLine.ts';
import { provide } from '../../support/provide.ts';
import { serverUrl } from '../../support/servers.ts';
import { FOR_ALERTS, testWorld } from '../../support/world.ts';

const RECORDS = 400;
/** Besides the records: what says how far the index went, and who was removed. */
const OVERHEAD = 5;

describe('A run of an alert', () => {
  const counter = provide(() => hitCounter(serverUrl('ELASTICSEARCH_URL')));
  const world = provide(() => testWorld({ ...FOR_ALERTS, env: { ELASTICSEARCH_URL: counter.url } }));
  let id = '';

  before(async () => {
    await world.api.index.load(Array.from({ length: RECORDS }, (_, i) => projectLine(i + 1)));
    ({ id } = await world.alerts.create({ filters: { states: ['CO'], dateRange: 'all' }, maxRecordsPerRun: 1_000 }));
  });

  async function readAfterChangesOf(records: number, acreage: number) {
    await world.api.index.load(
      Array.from({ length: records }, (_, i) => projectLine(i + 1, { acreage })),
      { mode: 'increment' },
    );
    counter.take();
    const { body } = await world.alerts.run(id);
    assert.equal(body.data.changedRecords, records, JSON.stringify(body));
    return counter.take();
  }

  it('reads everything once, then what changed', async () => {
    counter.take();
    assert.equal((await world.alerts.run(id)).body.data.newRecords, RECORDS);
    assert.ok(counter.take().handed >= RECORDS);
    for (const [changes, acreage] of [
      [5, 1],
      [40, 2],
    ] as const) {
      const { matched, handed } = await readAfterChangesOf(changes, acreage);
      // Each is read twice: its revision, which may be what was delivered, and the record.
      assert.ok(handed >= changes && handed <= 2 * (changes + OVERHEAD), `${changes} changed, ${handed} were read`);
      assert.ok(matched <= 2 * (changes + OVERHEAD), `${changes} changed, ${matched} were looked at`);
    }
  });
});
