/** Calls that the types of the client refuse, checked by the compiler: those that spend credits, and those that save something. */
import assert from 'node:assert/strict';
import type { CompactProject, FullProject, Input, LandUseClient, StandardProject } from '../../src/clients/client/index.ts';

const asExport = (input: Input<'createExport'>) => input;
const asAlert = (input: Input<'createAlert'>) => input;
const asList = (input: Input<'createList'>) => input;
const asAiSearch = (input: Input<'createAiSearch'>) => input;
const asAggregate = (input: Input<'aggregateProjects'>) => input;

describe('the types of the client', () => {
  it('take filters of bodies by their names and types', () => {
    const taken = [
      asExport({
        body: { filters: { acreageMin: 2, status: ['approved', 'Approved with Conditions'], sort: 'acreage', deliveryMode: 'new' } },
      }),
      asAlert({ body: { name: 'Solar', filters: { states: ['CO', 48], q: 'solar', order: 'asc' } } }),
      asList({ body: { name: 'Sites', filters: { propertyTypes: ['residential'], order: 'asc' } } }),
      asAiSearch({ body: { query: 'denied for want of water', filters: { inFemaFloodZone: 'outside' } } }),
      asAggregate({ body: { filters: { dateRange: 'all' }, groupBy: ['county'], metrics: [{ op: 'sum', field: 'acreage' }] } }),
    ];
    assert.equal(taken.length, 5);
  });

  it('refuse filters of bodies of another type or name, each on its own line', () => {
    const refused = [
      // @ts-expect-error a text where a number is meant
      asExport({ body: { filters: { acreageMin: '2' } } }),
      // @ts-expect-error no such filter
      asExport({ body: { filters: { acresMin: 2 } } }),
      // @ts-expect-error no such field of a body
      asExport({ body: { filter: { acreageMin: 2 } } }),
      // @ts-expect-error a number where ids are meant
      asExport({ body: { projectIds: 2229 } }),
      // @ts-expect-error a text where a flag is meant
      asAlert({ body: { name: 'Solar', filters: { requiresZoningChange: 'yes' } } }),
      // @ts-expect-error no such rhythm
      asAlert({ body: { name: 'Solar', cadence: { frequency: 'hourly' } } }),
      // @ts-expect-error an alert delivers every match
      asAlert({ body: { name: 'Solar', filters: { deliveryMode: 'new' } } }),
      // @ts-expect-error no such filter
      asList({ body: { name: 'Sites', filters: { propertyTyp: ['residential'] } } }),
      // @ts-expect-error a question has no order
      asAiSearch({ body: { query: 'denied', filters: { sort: 'acreage' } } }),
      // @ts-expect-error no such measurement
      asAggregate({ body: { metrics: [{ op: 'sum', field: 'acres' }] } }),
    ];
    assert.equal(refused.length, 10);
  });

  it('type a project by the representation that is asked for', async () => {
    const client = { project: async () => ({ data: { id: 1 }, meta: {} }) } as unknown as LandUseClient;
    const standard: StandardProject | null = (await client.project(1)).data;
    const compact: CompactProject | null = (await client.project(1, { representation: 'compact' })).data;
    const full: FullProject | null = (await client.project(1, { representation: 'full' })).data;
    // @ts-expect-error only full has the text
    const text = (await client.project(1, { representation: 'compact' })).data?.rawText;
    // @ts-expect-error no such representation
    await client.project(1, { representation: 'tiny' });
    assert.deepEqual([standard?.id, compact?.id, full?.id, text], [1, 1, 1, undefined]);
  });
});
