/** `GET /projects/{id}/evidence`: the words that values were read from, what it costs, what it hides; and what a load checks of them. */

import assert from 'node:assert/strict';
import { LoadRefused } from '../../../ingest/loadRefused.ts';
import { project, TODAY } from '../../support/fixtures.ts';
import { pluck } from '../../support/lists.ts';
import { assertRefused, bodyOf, provideService } from '../../support/service.ts';

const TEXT = 'The site has 4.2 acres. The Council approved the request. Call Jane Roe at (303) 555-0147 or write to jane@example.org.';
const minutes = (id: number, text: string | null = TEXT) => ({
  kind: 'document',
  id,
  state: 'CO',
  county: 'Boulder County',
  decisionBody: 'City Council',
  meetingDate: '2026-10-01',
  title: `Minutes ${id}`,
  url: `https://minutes.example.org/${id}`,
  text,
});
const ACRES = { field: 'acreage', quote: 'The site has 4.2 acres.', documentId: 501, page: 2 };
const STATUS = { field: 'status', quote: 'The Council approved the request.', documentId: 501 };
const quoted = (id: number, evidence: object[] | null, more: Record<string, unknown> = {}) =>
  project(id, { acreage: 4.2, status: 'approved', evidence, ...more });

interface Evidence {
  id: number;
  contentRevision: string;
  evidence: {
    field: string;
    value: unknown;
    quote: string;
    page: number | null;
    document: Record<string, unknown>;
    documentVersion: string | null;
  }[];
}

describe('The evidence of a project', () => {
  const api = provideService({ today: TODAY }, [
    minutes(501),
    quoted(1, [ACRES, STATUS]),
    quoted(2, null),
    quoted(
      3,
      [
        { field: 'summary', quote: 'Call Jane Roe at (303) 555-0147', documentId: 501 },
        { field: 'summary', quote: 'write to jane@example.org', documentId: 501 },
        { ...STATUS, documentId: 777 },
      ],
      { summary: 'A call', contacts: [{ name: 'Jane Roe', email: 'Jane@Example.org', phone: '303-555-0147' }] },
    ),
    quoted(4, [ACRES], { mergedFrom: [5] }),
    quoted(5, [STATUS]),
  ]);

  const read = async (id: number, key?: string, headers: Record<string, string> = {}) => {
    const body = bodyOf(await api.get(`/projects/${id}/evidence`, {}, { ...(key ? { key } : {}), headers }));
    return { ...(body.data as unknown as Evidence), meta: body.meta };
  };
  const fields = async (id: number) => (await read(id)).evidence.map(({ field }) => field);

  it('shows each value with the words that it was read from and their document', async () => {
    const { meta, ...data } = await read(1);
    const { contentRevision } = (await api.get('/projects/1')).body.data;
    const document = {
      ...{ meetingDocumentId: 501, title: 'Minutes 501', decisionBody: 'city_council', decisionBodyLabel: 'City Council' },
      ...{ meetingDate: '2026-10-01', url: 'https://minutes.example.org/501' },
    };
    assert.deepEqual(data, {
      id: 1,
      contentRevision,
      evidence: [
        { field: 'acreage', value: 4.2, quote: ACRES.quote, page: 2, document, documentVersion: null },
        { field: 'status', value: 'approved', quote: STATUS.quote, page: null, document, documentVersion: null },
      ],
    });
    assert.deepEqual([meta.creditsUsed, meta.delivery.ledgerApplied], [0, true]);
  });

  it('opens the document to who may see the record, and names one that is not loaded by its id', async () => {
    const county = await api.key('county', { stateIds: [], countyIds: [8013] });
    await api.index.load([{ ...minutes(502), state: 'TX', county: null }, quoted(6, [{ ...STATUS, documentId: 502 }])], {
      mode: 'increment',
    });
    assert.equal((await api.get('/documents/502', {}, { key: county })).status, 200);
    const [status] = (await read(3)).evidence;
    assert.deepEqual([status?.document.meetingDocumentId, status?.document.title], [777, null]);
  });

  it('says whether the document is a draft or adopted, as its newest line does, and bills nobody for it', async () => {
    const key = await api.key('api_only');
    const versions = async () => (await read(8, key)).evidence.map(({ documentVersion }) => documentVersion);
    const load = (version?: string | null) => {
      const line = { ...minutes(504), ...(version === undefined ? {} : { version }) };
      return api.index.load([line, quoted(8, [{ ...ACRES, documentId: 504 }])], { mode: 'increment' });
    };
    const opened = async () => (await api.get('/documents/504', {}, { key })).body.data.version;
    await load('draft');
    assert.deepEqual([await versions(), await opened()], [['draft'], 'draft']);
    await load('adopted');
    assert.deepEqual([await versions(), await opened()], [['adopted'], 'adopted']);
    await load();
    assert.deepEqual([await versions(), await opened()], [[null], null]);
    // One credit for the record, one for its document.
    assert.equal((await read(8, key)).meta.creditsRemaining, 4_998);
    await assert.rejects(load('final'), LoadRefused);
  });

  it('is billed as a read of the record, once, and as a repetition of it under its Idempotency-Key', async () => {
    const key = await api.key('api_only');
    const first = await read(1, key, { 'Idempotency-Key': 'proof' });
    assert.deepEqual([first.meta.creditsUsed, first.meta.creditsRemaining, first.meta.delivery.billed], [1, 4_999, 1]);
    const replayed = await read(1, key, { 'Idempotency-Key': 'proof' });
    assert.deepEqual([replayed.meta.creditsUsed, replayed.evidence], [0, first.evidence]);
    assert.equal((await read(1, key)).meta.creditsUsed, 0);
    const read1 = (await api.get('/projects/1', {}, { key })).body;
    assert.deepEqual([read1.meta.creditsUsed, read1.data.delivery.alreadyExported], [0, true]);
    const reused = await api.get('/projects/2/evidence', {}, { key, headers: { 'Idempotency-Key': 'proof' } });
    assert.equal(reused.status, 200);
    assertRefused(await api.get('/projects/3/evidence', {}, { key, headers: { 'Idempotency-Key': 'proof' } }), 'idempotency_key_reuse');
  });

  it('is free where there are no quotes, and refused whole where it cannot be paid', async () => {
    const key = await api.key('api_only', undefined, { monthlyCredits: 1 });
    const none = await read(2, key);
    assert.deepEqual([none.evidence, none.meta.creditsUsed, none.meta.creditsRemaining, none.meta.delivery.billed], [[], 0, 1, 0]);
    assert.equal((await read(1, key)).meta.creditsUsed, 1);
    const { status, body } = await api.get('/projects/4/evidence', {}, { key });
    assert.deepEqual([status, body.error.code, JSON.stringify(body).includes('acres')], [402, 'credits_exhausted', false]);
  });

  it('leaves out quotes that hold a channel of a contact', async () => {
    assert.deepEqual(await fields(3), ['status']);
    assert.doesNotMatch(JSON.stringify(await read(3)), /555|example\.org\b.*jane/i);
  });

  it('leaves out a document whose reading does not end in time, and nobody waits for it', async () => {
    const numbers = Array.from({ length: 1_000 }, (_, i) => `${'15'.repeat(20)}-${1_000 + i}-${'51'.repeat(40)}`);
    const line = `${'15'.repeat(19)}- `;
    const hostile = `The site has 4.2 acres.\n${line.repeat(12_000)}`;
    await api.index.load(
      [
        minutes(503, hostile),
        quoted(
          7,
          [
            { ...ACRES, documentId: 503 },
            { ...STATUS, documentId: 777 },
          ],
          { caseNumbers: numbers },
        ),
      ],
      {
        mode: 'increment',
      },
    );
    const other = await api.key('national');
    // Less than the reading's own deadline.
    const waitMs = 2_000;
    await Promise.all([fields(3), api.get('/projects/1', {}, { key: other })]);
    let isRead = false;
    const reading = read(7).finally(() => {
      isRead = true;
    });
    const waits: number[] = [];
    while (!isRead) {
      const begun = performance.now();
      assert.deepEqual(await fields(3), ['status']);
      assert.equal((await api.get('/health')).status, 200);
      assert.equal((await api.get('/projects/1', {}, { key: other })).status, 200);
      waits.push(performance.now() - begun);
    }
    const { evidence, meta } = await reading;
    assert.deepEqual(pluck(evidence, 'field'), ['status']);
    assert.deepEqual(pluck(meta.warnings, 'code', 'params'), [['documents_unread', { documents: 1 }]]);
    assert.ok(waits.length > 1 && Math.max(...waits) < waitMs, `others waited ${waits.map(Math.round)} ms`);
    const again = performance.now();
    await read(7);
    assert.ok(performance.now() - again < waitMs, 'what took too long is not tried again at once');
  });

  it('leaves out what minutes say of another case, and what no heading tells', async () => {
    const meeting = 'Roll call.\n\nCase RZ-2026-0001\nThe site has 4.2 acres.\n\nCase RZ-2026-0002\nThe Council approved the request.\n';
    const line = (id: number, numbers: string[]) =>
      quoted(
        id,
        [ACRES, STATUS].map((one) => ({ ...one, documentId: 503 })),
        { caseNumbers: numbers },
      );
    await api.index.load([minutes(503, meeting), line(21, ['RZ-2026-0001']), line(22, ['RZ-2026-0002']), line(23, ['RZ-2026-0003'])], {
      mode: 'increment',
    });
    assert.deepEqual([await fields(21), await fields(22), await fields(23)], [['acreage'], ['status'], []]);
    assert.equal((await read(23)).meta.delivery.billed, 0);
  });

  it('is that of the record which is served, under every id of a family', async () => {
    const { id, evidence } = await read(5);
    assert.deepEqual([id, evidence.map(({ field }) => field)], [4, ['acreage']]);
  });

  it('is replaced by an increment without a new revision, and gone when a generation does not state the record', async () => {
    const before = (await read(1)).contentRevision;
    const { lastUpdated } = (await api.get('/projects/1')).body.data;
    await api.index.load([quoted(1, [STATUS])], { mode: 'increment' });
    assert.deepEqual(await fields(1), ['status']);
    assert.deepEqual([(await read(1)).contentRevision, (await api.get('/projects/1')).body.data.lastUpdated], [before, lastUpdated]);
    await api.index.load([quoted(2, [{ ...ACRES, quote: '4.2 acres' }])], { generation: 2 });
    assert.deepEqual([await fields(1), await fields(2)], [[], ['acreage']]);
  });

  describe('in a file', () => {
    const refusal = async (lines: readonly object[], options: { skipInvalid?: boolean } = {}) => {
      try {
        await api.index.load(lines, { generation: 2, mode: 'increment', ...options });
      } catch (error) {
        assert(error instanceof LoadRefused);
        return (error.details as { reasons: { example: string; places: string[] }[] }).reasons.map(({ example, places }) => [
          example,
          places.map((place) => place.split(':').at(-1)),
        ]);
      }
      return assert.fail('was loaded');
    };

    it('has to be in its document, stated before it or loaded before, and to prove what the line states', async () => {
      const lines = [
        minutes(601, 'Eleven acres.'),
        quoted(11, [{ ...ACRES, documentId: 601 }]),
        quoted(12, [{ ...ACRES, quote: 'The site has 5 acres.' }]),
        quoted(13, [{ field: 'parkingSpaces', quote: 'acres', documentId: 601 }]),
        quoted(14, [{ field: 'contacts', quote: 'acres', documentId: 601 }]),
      ];
      assert.deepEqual(await refusal(lines), [
        ["evidence of acreage is not in document 601: 'The site has 4.2 acres.'", ['3', '4']],
        ['evidence names parkingSpaces, which the line does not state', ['5']],
        [(await refusal([lines[4] as object]))[0]?.[0], ['6']],
      ]);
    });

    it('comes after the document that it quotes, however far', async () => {
      const padding = Array.from({ length: 1200 }, (_, i) => minutes(10_000 + i, 'x'.repeat(2000)));
      await api.index.load(
        [minutes(602, 'Twelve acres.'), ...padding, quoted(15, [{ ...ACRES, quote: 'Twelve acres.', documentId: 602 }])],
        {
          generation: 2,
          mode: 'increment',
        },
      );
      assert.deepEqual(await fields(15), ['acreage']);
      const late = [quoted(16, [{ ...ACRES, documentId: 603 }]), ...padding, minutes(603)];
      assert.deepEqual(await refusal(late), [
        ['line 2 quotes document 603 before it is stated; documents come before what quotes them', [String(padding.length + 3)]],
      ]);
    });

    it('has to be in its document also where the file states that anew without a change, and much after it', async () => {
      const known = minutes(604, 'Thirteen acres.');
      await api.index.load([known], { generation: 2, mode: 'increment' });
      const again = Object.fromEntries(Object.entries(known).toReversed());
      const padding = Array.from({ length: 34 }, (_, i) => minutes(20_000 + i, 'x'.repeat(1024 * 1024)));
      assert.deepEqual(await refusal([again, ...padding, quoted(19, [{ ...ACRES, documentId: 604 }])]), [
        ["evidence of acreage is not in document 604: 'The site has 4.2 acres.'", [String(padding.length + 3)]],
      ]);
    });

    it('that is bad is left out with its line where bad lines are skipped', async () => {
      const summary = await api.index.load([quoted(17, [{ ...ACRES, quote: 'nowhere' }]), quoted(18, [ACRES])], {
        ...{ generation: 2, mode: 'increment' as const, skipInvalid: true },
      });
      assert.deepEqual([summary.rejected, summary.projects], [1, 1]);
      assert.equal((await api.get('/projects/17')).status, 404);
      assert.deepEqual(await fields(18), ['acreage']);
    });
  });
});
