/** What the source for dlt and the Singer tap say of what is wrong: one message that names it, of the service's own words. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { project, TODAY } from '../../support/fixtures.ts';
import { provide } from '../../support/provide.ts';
import { PythonHome, type Ran } from '../../support/python.ts';
import { provideWorld } from '../../support/world.ts';

const PIPELINES = `
import json, sys
import dlt
from dlt.common.configuration.exceptions import ConfigurationValueError
from dlt.pipeline.exceptions import PipelineStepFailed
from landuse_api.dlt import landuse

for number, given in enumerate(json.loads(sys.argv[1])):
    folder = f"{given['folder']}/{number}"
    try:
        pipeline = dlt.pipeline("refused", destination=dlt.destinations.duckdb(":memory:"), pipelines_dir=folder)
        pipeline.extract(landuse(given["filters"], given["representation"], api_key=given["key"], base_url=given["url"], max_credits=given.get("max_credits"), snapshot_folder=f"{folder}/s"))
    except (ConfigurationValueError, PipelineStepFailed) as error:
        print(json.dumps({"kind": type(error).__name__, "text": str(error)}))
`;

const WRONG = [
  { what: 'no key', change: { key: null }, says: /needs a key/ },
  { what: 'a wrong key', change: { key: 'svc_live_wrong' }, says: /unauthorized: .*Check the key/s },
  {
    what: 'an unknown filter',
    change: { filters: { staets: ['CO'] } },
    says: /staets.*did you mean states|states.*staets|staets.*states/is,
  },
  { what: 'an unknown representation', change: { representation: 'fulll' }, says: /fulll|compact, standard, full/ },
  { what: 'a price above the bound', change: { max_credits: 0 }, says: /1 credit/ },
] as const;

describe('connectors that are asked for what cannot be', () => {
  const world = provideWorld({ today: TODAY }, [project(1)]);
  const home = provide(() => PythonHome.makeWithConnectors(world.api.url));
  let right: { key: string; url: string; filters: object; representation: string; folder: string };
  before(async () => {
    const folder = path.join(home.folder, 'pipelines');
    right = { key: await world.api.key('api_only'), url: world.api.url, filters: { dateRange: 'all' }, representation: 'compact', folder };
    await writeFile(path.join(home.folder, 'refused.py'), PIPELINES);
  });

  it('say so as dlt says it', async () => {
    const given = WRONG.map(({ change }) => ({ ...right, ...change }));
    const { stdout } = await home.run(path.join(home.folder, 'refused.py'), [JSON.stringify(given)]);
    const said = (stdout.match(/^\{"kind".*$/gm) ?? []).map((line) => JSON.parse(line));
    const kinds = said.map(({ kind }) => kind);
    const [atOnce, atStep] = ['ConfigurationValueError', 'PipelineStepFailed'];
    assert.deepEqual(kinds, [atOnce, atStep, atStep, atOnce, atStep], stdout);
    for (const [i, { says }] of WRONG.entries()) assert.match(said[i].text, says);
    assert.deepEqual(globSync(path.join(right.folder, '*/s')), [], 'nothing of a snapshot is left');
  });

  it('say so on standard error of the tap, without a trace', async () => {
    await Promise.all(
      WRONG.map(async ({ what, change, says }, i) => {
        const { key, url, folder, ...more } = { ...right, ...change };
        const config = path.join(home.folder, `config-${i}.json`);
        const settings = { base_url: url, snapshot_folder: path.join(folder, `tap-${i}`), ...more, ...(key ? { api_key: key } : {}) };
        await writeFile(config, JSON.stringify(settings));
        const run = home.run(home.program('tap-landuse'), ['--config', config]);
        const failed = (await run.catch((error) => error)) as Ran & { code?: number };
        assert.equal(failed.code, 1, failed.stderr);
        assert.match(failed.stderr, what === 'no key' ? /api_key/ : says);
        assert.doesNotMatch(failed.stderr, /Traceback/);
      }),
    );
    assert.deepEqual(globSync(path.join(right.folder, 'tap-*')), [], 'nothing is left');
  });
});
