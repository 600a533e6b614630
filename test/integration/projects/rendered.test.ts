/** Pages that are read as rendered text, and the same pages of records that have none: clients see no difference. */
import assert from 'node:assert/strict';
import { makeSearchedFields } from '../../../ingest/write/projectDocument.ts';
import { unmatched } from '../../../src/core/domain/record/publicParts.ts';
import { representRecord } from '../../../src/core/domain/record/represent.ts';
import { REPRESENTATIONS, type Representation } from '../../../src/core/domain/record/schemas.ts';
import type { StoredProject } from '../../../src/core/domain/record/storedProject.ts';
import { sortClauses } from '../../../src/core/query/sort.ts';
import { ProjectStore } from '../../../src/core/store/elastic/projects.ts';
import { FULL_PROJECT } from '../../support/fullRecord.ts';
import { STRANGER } from '../../support/noPeople.ts';
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

const PAGE = { size: 50, count: true };
const VIEW = {
  ...{ publicUrl: 'http://landuse.test', meetingCap: TODAY, today: TODAY, matchedOn: unmatched },
  ...{ companyDetails: true, people: STRANGER },
};

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

  it('are kept by the process that shows them, until they are written again', async () => {
    const { client } = api.index;
    const shown = new ProjectStore(client, api.index.names, TIMEOUT_MS);
    let texts = 0;
    const count = (_: unknown, result: { meta?: { request?: { params?: { body?: unknown } } } } | null) => {
      if (String(result?.meta?.request?.params?.body).includes('derived.rendered')) texts += 1;
    };
    const textsOf = async (store: ProjectStore, toShow: boolean, representation: Representation) => {
      const request = { ...PAGE, query: { match_all: {} }, sort: sortClauses({ field: 'meetingDate', direction: 'desc' }, null) };
      const { hits, ...page } = await store.page({ ...request, representation, toShow });
      const view = { ...VIEW, representation };
      const records = hits.map(({ project, rendered }) => JSON.stringify(rendered?.show(view) ?? representRecord(project, view)));
      return { ...page, records };
    };
    const compare = async (representation: Representation) =>
      assert.deepEqual(
        await textsOf(shown, true, representation),
        await textsOf(new ProjectStore(client, api.index.names, TIMEOUT_MS), false, representation),
      );
    for (let i = 0; i < 30; i++) await textsOf(shown, true, 'full');
    client.diagnostic.on('request', count);
    for (const representation of REPRESENTATIONS) await compare(representation);
    assert.equal(texts, 0, 'no text is asked for');
    await writeAgain((id) => id !== 0);
    await compare('full');
    assert.equal(texts, 1, 'those of documents that were written again');
    await api.index.load([projectLine(100, { projectName: 'Another name' }), projectLine(300)], { generation: 2, mode: 'increment' });
    for (const representation of REPRESENTATIONS.toReversed()) await compare(representation);
    assert.equal(texts, 2, 'those of records that were loaded again');
    client.diagnostic.off('request', count);
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
