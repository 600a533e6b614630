/** Alerts on what restrictions bind: records that did not change are delivered once, when a load or a day binds or releases them. */
import assert from 'node:assert/strict';
import type { Json } from '../../support/json.ts';
import { projectLine } from '../../support/projectLine.ts';
import { restrictionLine, SOURCES } from '../../support/restrictionLine.ts';
import { FOR_ALERTS, provideWorld } from '../../support/world.ts';

const DATA_CENTER = { propertyType: 'industrial', landUses: [{ type: 'industrial', subtype: 'data_center', role: 'primary' }] };

describe('alerts with underRestriction', () => {
  const world = provideWorld(FOR_ALERTS);
  before(() =>
    world.api.index.load(
      [
        ...[1, 2].map((id) => projectLine(id, DATA_CENTER)),
        projectLine(3, { ...DATA_CENTER, county: 'Larimer County' }),
        restrictionLine(901, { county: 'Larimer County', jurisdiction: 'Larimer County' }),
      ],
      SOURCES,
    ),
  );
  const load = (...lines: object[]) => world.api.index.load(lines, { ...SOURCES, mode: 'increment' });

  async function alertOn(underRestriction: boolean) {
    const key = await world.api.key('api_only');
    const alert = await world.alerts.create({ name: 'Bound', filters: { underRestriction, dateRange: 'all' } }, key);
    const previewed = async (): Promise<number> =>
      (await world.send('GET', `/alerts/${alert.id}/preview`, undefined, key)).body.data.matchCount;
    /** ids by why they came; the preview counts the same */
    return async (): Promise<Json> => {
      const counted = await previewed();
      const { deliveryId, creditsCharged } = await world.alerts.completed(alert.id, key);
      const matches = await world.send('GET', `/alerts/${alert.id}/matches?deliveryId=${deliveryId}`, undefined, key);
      const why = Object.fromEntries(matches.body.data.map(({ id, newBecause }: Json) => [id, newBecause]));
      assert.deepEqual([counted, creditsCharged], [Object.keys(why).length, Object.keys(why).length]);
      return why;
    };
  }

  it('deliver what a load of restrictions binds or releases, once, and what a day begins or ends', async () => {
    const [bound, free] = [await alertOn(true), await alertOn(false)];
    assert.deepEqual([await bound(), await free()], [{ 3: 'new_case' }, { 1: 'new_case', 2: 'new_case' }]);

    // Larimer is released, Boulder bound from tomorrow: no line of a project.
    await load(restrictionLine(902, { adoptedOn: '2026-11-19', effectiveTo: '2026-11-20' }));
    assert.deepEqual([await bound(), await free()], [{}, { 3: 'entered_window' }]);

    await world.moveTo('2026-11-19T19:00:00.000Z');
    assert.deepEqual([await bound(), await free()], [{ 1: 'entered_window', 2: 'entered_window' }, {}]);
    assert.deepEqual([await bound(), await free()], [{}, {}]);

    // Released by the calendar and bound again by another load: both alerts delivered the same versions before.
    await world.moveTo('2026-11-21T19:00:00.000Z');
    assert.deepEqual([await bound(), await free()], [{}, {}]);
    await load(projectLine(4, DATA_CENTER), restrictionLine(903));
    await load(restrictionLine(903));
    assert.deepEqual([await bound(), await free()], [{ 4: 'new_case' }, {}]);
  });
});
