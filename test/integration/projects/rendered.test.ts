/** Pages that are read as rendered text, and the same pages of records that have none: clients see no difference. */
import assert from 'node:assert/strict';
import { makeSearchedFields } from '../../../ingest/write/projectDocument.ts';
import type { StoredProject } from '../../../src/core/domain/record/storedProject.ts';
import { sortClauses } from '../../../src/core/query/sort.ts';
import { ProjectStore } from '../../../src/core/store/elastic/projects.ts';
import { FULL_PROJECT } from '../../support/fullRecord.ts';
import { projectLine } from '../../support/projectLine.ts';
import { provideService } from '../../support/service.ts';

const TODAY = '2026-10-01';
const TIMEOUT_MS = 30_000;
const WIDE = { dateRange: 'all', includeGovernmentDecisions: 'true' };
const STATUSES = ['approved', 'denied', undefined] as const;

const LINES = [
  FULL_PROJECT,
  ...Array.from({ length: 12 }, (_, i) =>
    projectLine(100 + i, {
      projectName: `Élan “${i}” — 水`,
      meetingDate: `2026-0${1 + (i % 9)}-03`,
      ...(STATUSES[i % 3] ? { status: STATUSES[i % 3] } : {}),
      ...(i % 2 ? { acreage: i } : {}),
    }),
  ),
  // Its standard part is far larger than what Lucene takes for a term.
  projectLine(190, { parcelNumbers: Array.from({ length: 600 }, (_, i) => `${i}`.padStart(100, '0')), meetingDate: '2026-09-19' }),
  projectLine(200, { mergedFrom: [201], meetingDate: '2026-09-20' }),
  projectLine(201, { meetingDate: '2026-08-20' }),
];

/** Each answers with records, and with warnings where evidence is not confirmed. */
const REQUESTS: readonly [path: string, parameters: Record<string, unknown>][] = [
  ['/projects/search', { ...WIDE, representation: 'compact' }],
  ['/projects/search', { ...WIDE, representation: 'standard', sort: 'lastUpdated' }],
  ['/projects/search', { ...WIDE, representation: 'full' }],
  ['/projects/search', { ...WIDE, representation: 'compact', propertyTypes: 'residential', meetingDateTo: '2026-08-31' }],
  ['/projects/search', { ...WIDE, representation: 'compact', acreageMin: 3 }],
  ['/projects/search', { ...WIDE, representation: 'standard', status: 'unknown,approved' }],
  ['/projects/search', { ...WIDE, representation: 'standard', statusCombos: 'city_council|approved_with_conditions' }],
  ['/projects/search', { ...WIDE, representation: 'compact', q: 'Élan' }],
  ['/projects/sync', { ...WIDE, representation: 'standard', limit: 5 }],
  ['/projects/77', {}],
  ['/projects/201', { representation: 'compact' }],
];

describe('pages of rendered text', () => {
  const api = provideService({ today: TODAY });
  let index: string;

  before(async () => {
    await api.index.load(LINES);
    // What later loads state is evidence that served values may not confirm.
    await api.index.load(
      LINES.map((line) => ({ ...line, ...(line.id > 105 ? { acreage: null, status: null } : {}) })),
      { generation: 2 },
    );
    index = Object.keys(await api.index.client.indices.getAlias({ name: api.index.names.readAlias('projects') }))[0] ?? '';
  });

  /** The answers without what differs from request to request. */
  async function answers(key: string): Promise<unknown[]> {
    const found: unknown[] = [];
    for (const [path, parameters] of REQUESTS) {
      const { status, body } = await api.get(path, parameters, { key });
      assert.equal(status, 200, `${path} ${JSON.stringify(body)}`);
      const { requestId: _, sync, ...meta } = body.meta;
      found.push({ path, parameters, data: withoutTimes(body.data), meta: { ...meta, ...(sync ? { emitted: sync.emitted } : {}) } });
    }
    return found;
  }

  const withoutTimes = (data: unknown) => JSON.parse(JSON.stringify(data, (name, value) => (name === 'lastExportedAt' ? null : value)));

  const pageOf = (toShow: boolean) =>
    new ProjectStore(api.index.client, api.index.names, TIMEOUT_MS).page({
      ...{ query: { match_all: {} }, sort: sortClauses({ field: 'meetingDate', direction: 'desc' }, null), size: 50, count: true },
      ...{ representation: 'standard', toShow },
    });

  /** Writes the served projects again as they were stored. @param has whether a record is written with its text */
  async function writeAgain(has: (id: number) => boolean): Promise<void> {
    const { client } = api.index;
    const { hits } = await client.search<StoredProject>({ index, size: 1000 });
    for (const { _id, _source } of hits.hits) {
      const { rendered, ...searched } = makeSearchedFields(_source as StoredProject, TODAY).derived;
      const document = { ..._source, derived: has(_source?.id as number) ? { ...searched, rendered } : searched };
      await client.index({ index, id: _id as string, document });
    }
    await client.indices.refresh({ index });
  }

  it('are what pages are read as, where the records are shown', async () => {
    const [shown, looked] = [await pageOf(true), await pageOf(false)];
    assert.ok(shown.hits.every(({ rendered }) => rendered));
    assert.ok(looked.hits.every(({ rendered }) => !rendered));
    assert.deepEqual(
      shown.hits.map(({ project, sort }) => [project.id, project.contentRevision, sort]),
      looked.hits.map(({ project, sort }) => [project.id, project.contentRevision, sort]),
    );
  });

  it('are answered alike where some records have no text, or none has', async () => {
    const key = await api.key();
    await answers(key); // from now on nothing is new to the pool
    const rendered = await answers(key);
    await writeAgain((id) => id !== 103);
    assert.ok(
      (await pageOf(true)).hits.every((hit) => !hit.rendered),
      'a page is read as a whole',
    );
    assert.deepEqual(await answers(key), rendered);
    await writeAgain(() => false);
    assert.deepEqual(await answers(key), rendered);
  });
});
