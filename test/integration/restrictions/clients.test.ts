/** Restrictions on the command line. */
import assert from 'node:assert/strict';
import { newFolder } from '../../support/folder.ts';
import { runLanduse } from '../../support/landuseProcess.ts';
import { projectLine } from '../../support/projectLine.ts';
import { restrictionLine, SOURCES } from '../../support/restrictionLine.ts';
import { provideWorld } from '../../support/world.ts';

const RESTRICTION = restrictionLine(901, {
  title: 'Moratorium on data centers',
  evidence: [{ field: 'status', quote: 'adopts a moratorium' }],
});

describe('the command restrictions', () => {
  const folder = newFolder('landuse');
  const world = provideWorld({ today: '2026-11-20' });
  let key = '';
  before(async () => {
    await world.api.index.load([projectLine(1), RESTRICTION], SOURCES);
    key = await world.api.key();
  });
  const landuse = (...args: string[]) =>
    runLanduse(['restrictions', ...args], { url: world.api.url, key, folder, env: { COLUMNS: '200' } });

  it('lists what matches, and checks a place that is named', async () => {
    const listed = await landuse('states=CO', 'inForceOn=2026-11-20');
    assert.deepEqual([listed.code, JSON.parse(listed.stdout)[0].id], [0, 901], listed.stderr);
    const use = ['--use', 'industrial/data_center'];
    const bound = await landuse('--county', 'Boulder County, CO', ...use);
    assert.deepEqual(
      [bound.code, JSON.parse(bound.stdout).binds, JSON.parse(bound.stdout).because[0].quote],
      [0, 'yes', 'adopts a moratorium'],
    );
    assert.match(bound.stderr, /Binds on 2026-11-20: yes\./);
    const later = await landuse('--county', 'Boulder County, CO', ...use, '--on', '2027-06-02');
    assert.equal(JSON.parse(later.stdout).binds, 'no');
  });

  it('names the remedy where a place is missing, is one of several, or stands beside filters', async () => {
    for (const [args, words] of [
      [['--use', 'industrial'], /^--use and --on need a place to check/],
      [['--county', 'Boulder County, CO', '--city', 'Boulder, CO'], /^Name one place to check/],
      [['states=CO', '--city', 'Boulder, CO'], /^Name one place to check/],
      [['--county', 'Boulder County, CO', '--use', 'castle'], /castle/],
    ] as const) {
      const { code, stdout, stderr } = await landuse(...args);
      assert.deepEqual([code, stdout], [1, ''], stderr);
      assert.match(stderr, words);
    }
  });
});
