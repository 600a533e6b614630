/** Indices that an older version made: what they lack is added, what they cannot take is said. */
import assert from 'node:assert/strict';
import type { estypes } from '@elastic/elasticsearch';
import { LoadRefused } from '../../../ingest/loadRefused.ts';
import { describeStatus, readGenerationStatus } from '../../../ingest/publish/status.ts';
import { addFieldsAtStart } from '../../../src/core/search/fieldsAtStart.ts';
import { KINDS } from '../../../src/core/store/elastic/indices.ts';
import { addMissingFields, FieldStore, findUnfilledFields, readMapping } from '../../../src/core/store/elastic/mappedFields.ts';
import { TestIndex } from '../../support/index.ts';
import { projectLine } from '../../support/projectLine.ts';

const TODAY = '2026-03-02';
const ACREAGE = { 'derived.evidence.acreage': { gte: 5 } };

type Fields = Record<string, estypes.MappingProperty & { properties?: Fields }>;

describe('fields of an index that an older version made', () => {
  let index: TestIndex;

  beforeEach(async () => {
    index = new TestIndex(TODAY);
  });

  afterEach(() => index.drop());

  const fields = () => new FieldStore(index.client, index.names);

  /** Makes the served projects again with another mapping, as an older version would have. */
  async function withMapping(change: (evidence: Fields, derived: Fields) => void): Promise<void> {
    const served = index.names.readAlias('projects');
    const { hits } = await index.client.search<object>({ index: served, size: 100 });
    const [name] = Object.keys(await index.client.indices.getAlias({ name: served }));
    assert(name);
    const { [name]: made } = await index.client.indices.get({ index: name });
    const mappings = made?.mappings as estypes.MappingTypeMapping & { properties: Fields };
    const derived = mappings.properties.derived?.properties as Fields;
    change(derived.evidence?.properties as Fields, derived);
    mappings._meta = { ...mappings._meta, fields: 'of an older version' };
    await index.client.indices.delete({ index: name });
    await index.client.indices.create({ index: name, mappings, aliases: made?.aliases ?? {}, settings: { number_of_shards: 1 } });
    for (const { _id, _source } of hits.hits)
      await index.client.index({ index: name, id: _id as string, document: { ..._source, derived: { memberIds: [1] } } });
    await index.client.indices.refresh({ index: name });
  }

  const found = async () => {
    const served = index.names.readAlias('projects');
    await index.client.indices.refresh({ index: served });
    return (await index.client.count({ index: served, query: { range: ACREAGE } })).count;
  };

  it('are all there in an index of this version: nothing is added, nobody is warned', async () => {
    await index.load([projectLine(1)]);
    assert.deepEqual(await addFieldsAtStart(fields()), { added: [], warnings: [] });
  });

  it('need no index before the first load', async () => {
    assert.deepEqual(await addFieldsAtStart(fields()), { added: [], warnings: [] });
  });

  it('can each be added with a note of it, whatever their type', async () => {
    const names = Object.fromEntries(KINDS.map((kind) => [kind, `${index.prefix}-${kind}-g9-l9`])) as Record<
      (typeof KINDS)[number],
      string
    >;
    for (const kind of KINDS) await index.client.indices.create({ index: names[kind], settings: { number_of_shards: 1 } });
    const { added, changed } = await addMissingFields(index.client, names);
    assert.deepEqual(changed, []);
    assert(added.length > 80);
    const unfilled = await findUnfilledFields(index.client, names.projects);
    assert(['derived.location', 'derived.landUses.type', 'derived.evidence.acreage', 'id'].every((field) => unfilled.includes(field)));
    assert(!unfilled.some((field) => /^(compact|full|past|contentRevision)/.test(field)), 'what nobody searches is not named');
    assert.deepEqual((await addMissingFields(index.client, names)).added, []);
    for (const kind of KINDS) {
      const { [names[kind]]: made } = await index.client.indices.getMapping({ index: names[kind] });
      assert.deepEqual(Object.keys(made?.mappings.properties ?? {}).sort(), Object.keys(readMapping(kind).properties ?? {}).sort());
    }
  });

  it('are added at the start, once, and what misses older records is named: filters, statistics and evidence', async () => {
    await index.load([projectLine(1, { acreage: 10, lotCount: 3 })]);
    await withMapping((evidence, derived) => {
      delete evidence.acreage;
      delete derived.lotCount;
      delete derived.evidenceOnly;
    });
    const { added, warnings } = await addFieldsAtStart(fields());
    const missing = ['projects.derived.evidence.acreage', 'projects.derived.evidenceOnly', 'projects.derived.lotCount'];
    assert.deepEqual(added.toSorted(), missing);
    for (const said of [
      /^acreageMin, acreageMax: these filters do not find .*npm run ingest -- renew$/m,
      /^lotCount: statistics of these lack records .*npm run ingest -- renew$/m,
      /^filter_evidence_unconfirmed of whole sets does not count records .*npm run ingest -- renew$/m,
    ])
      assert.match(warnings.join('\n'), said);
    assert.equal(warnings.length, 3);
    const again = await addFieldsAtStart(fields());
    assert.deepEqual(again, { added: [], warnings });
    assert.equal(await found(), 0);
  });

  it('find what an increment writes at once, and everything after a full load, which ends the warning', async () => {
    await index.load([projectLine(1, { acreage: 10 }), projectLine(2, { acreage: 10 })]);
    await withMapping((evidence) => delete evidence.acreage);
    await index.load([projectLine(1, { acreage: 10 })], { mode: 'increment' });
    assert.equal(await found(), 1);
    const status = await readGenerationStatus(index.store);
    assert.deepEqual(status.unfilledFields, ['derived.evidence.acreage']);
    assert.match(describeStatus(status), /derived\.evidence\.acreage .*npm run ingest -- renew$/m);
    await index.load([projectLine(1, { acreage: 10 }), projectLine(2, { acreage: 10 })], { generation: 2 });
    assert.equal(await found(), 2);
    assert.deepEqual((await readGenerationStatus(index.store)).unfilledFields, []);
    assert.deepEqual((await addFieldsAtStart(fields())).warnings, []);
  });

  it('of another type are named with both types and the command; an increment is refused, a full load repairs them', async () => {
    await index.load([projectLine(1, { acreage: 10 })]);
    await withMapping((evidence, derived) => {
      evidence.acreage = { type: 'keyword' };
      delete derived.dataRichness;
    });
    const { added, warnings } = await addFieldsAtStart(fields());
    assert.deepEqual(added, ['projects.derived.dataRichness']);
    const said =
      /projects\.derived\.evidence\.acreage is of type keyword in the index and double in this version.*npm run ingest -- renew$/;
    assert.match(warnings[0] ?? '', said);
    await assert.rejects(
      index.load([projectLine(1)], { mode: 'increment' }),
      (error: Error) => error instanceof LoadRefused && said.test(error.message),
    );
    await index.load([projectLine(1, { acreage: 10 })], { generation: 2 });
    assert.deepEqual(await addFieldsAtStart(fields()), { added: [], warnings: [] });
    assert.equal(await found(), 1);
  });
});
