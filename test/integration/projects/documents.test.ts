/** Source documents: who may read them. */
import assert from 'node:assert/strict';
import { checkError, send, sendChecked } from '../../support/http.ts';
import { provideService } from '../../support/service.ts';

const [BOULDER, LARIMER, WELD] = [8013, 8069, 8123];
const TEXAS = 48;

const record = (id: number, more: Record<string, unknown> = {}) => ({
  ...{ kind: 'project', id, state: 'CO', county: 'Weld County', propertyType: 'commercial' },
  ...more,
});
const document = (id: number, more: Record<string, unknown> = {}) => ({
  kind: 'document',
  id,
  state: 'CO',
  title: `Minutes ${id}`,
  ...more,
});

describe('documents that records name', () => {
  const api = provideService();
  const keys = {} as Record<'boulder' | 'larimer' | 'weld' | 'texas' | 'everywhere', string>;
  before(async () => {
    await api.index.load([
      record(1, { meetingDocumentId: 11, meetingDocuments: [{ meetingDocumentId: 12 }, { meetingDocumentId: 13 }] }),
      record(2, { county: 'Larimer County', meetingDocuments: [{ meetingDocumentId: 11 }] }),
      record(3, { meetingDocumentId: 15 }),
      document(11),
      document(12, { state: null }),
      document(13, { county: 'Boulder County' }),
      document(14, { county: 'Denver County' }),
      document(15),
    ]);
    const county = (id: number) => api.key('county', { stateIds: [], countyIds: [id] });
    keys.boulder = await county(BOULDER);
    keys.larimer = await county(LARIMER);
    keys.weld = await county(WELD);
    keys.texas = await api.key('state', { stateIds: [TEXAS], countyIds: [] });
    keys.everywhere = await api.key();
  });

  const get = (id: number, as: keyof typeof keys) => sendChecked(api.url, `/v1/documents/${id}`, { key: keys[as] });

  /** Whose keys open a document; to the others it does not exist. */
  async function readers(id: number): Promise<string[]> {
    const open: string[] = [];
    for (const as of Object.keys(keys) as (keyof typeof keys)[]) {
      const answer = await get(id, as);
      if (answer.status !== 200) checkError(answer, 'resource_not_found', 'id');
      else {
        assert.deepEqual([answer.body.data.id, answer.body.data.title], [id, `Minutes ${id}`]);
        open.push(as);
      }
    }
    return open;
  }

  it('open for whoever may see such a record, whatever place they name themselves, and for nobody else', async () => {
    assert.deepEqual(await readers(11), ['larimer', 'weld', 'everywhere'], 'named by two records, of no county itself');
    assert.deepEqual(await readers(12), ['weld', 'everywhere'], 'of no place');
    assert.deepEqual(await readers(13), ['boulder', 'weld', 'everywhere'], 'of another county');
    assert.deepEqual(await readers(14), ['everywhere'], 'named by none');
    assert.deepEqual(await readers(16), [], 'not there');
  });

  it('close again when the record names them no more, or leaves the county', async () => {
    const change = (more: Record<string, unknown>) => api.index.load([record(3, more)], { mode: 'increment' });
    assert.deepEqual(await readers(15), ['weld', 'everywhere']);
    await change({ meetingDocumentId: 11 });
    assert.deepEqual(await readers(15), ['everywhere']);
    await change({ meetingDocumentId: 15, county: 'Larimer County' });
    assert.deepEqual(await readers(15), ['larimer', 'everywhere']);
  });

  it('cost one credit on a metered plan, once', async () => {
    const key = await api.key('trial', { stateIds: [8], countyIds: [] });
    for (const creditsUsed of [1, 0]) {
      const { body } = await send(api.url, '/v1/documents/12', { key });
      assert.deepEqual([body.data.id, body.meta.creditsUsed], [12, creditsUsed]);
    }
  });
});
